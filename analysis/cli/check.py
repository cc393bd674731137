"""``meeplecarlo check``: what a study will do, without doing it."""

import argparse
import os
import time
from pathlib import Path
from typing import Any

SAMPLE_SECONDS = 0.2  # of play for each distinct line-up


def add(commands: Any) -> None:
    """The command's arguments."""
    from analysis.cli import _command, _study_arguments, whole

    parser = _command(
        commands,
        "check",
        "check:run",
        "check a study file and say what it will do: cells, games, estimated time; nothing is kept",
        "meeplecarlo check my_study.toml",
    )
    _study_arguments(parser)
    parser.add_argument("--jobs", type=whole, help="estimate for so many threads; default the cores of this process")


def run(asked: argparse.Namespace) -> None:
    """Check the study, play a short sample of each line-up, and print the plan."""
    from analysis.cli.words import many
    from analysis.report.numbers import aligned
    from analysis.store import Store
    from analysis.study import load_study
    from analysis.sweep import check_policies
    from analysis.sweep.stream import default_threads
    from engine.errors import whole_number

    study = load_study(asked.study)
    jobs = default_threads() if asked.jobs is None else whole_number("--jobs", asked.jobs, 1)
    store = Store(study, asked.results)
    cells = list({cell.key: cell for cell in study.cells}.values())
    there = [cell for cell in cells if store.path(cell).exists()]
    missing = [cell for cell in cells if cell not in there]
    design = [] if study.design is None else [study.design.cell]
    check_policies(study, [*cells, *design])
    document = study.document
    print(f"{document.title}\n{document.question}\n{study.path}: {document.game}, seed {document.seed}\n")
    rates = Rates()
    seconds = {cell.key: cell.games / rates.of(cell) for cell in missing}
    rows = [
        [cell.title, f"{'at most ' if cell.until else ''}{cell.games:,}", _say_time(seconds.get(cell.key), jobs)]
        for cell in cells
    ]
    total = sum(seconds.values())
    lines = []
    if cells:
        print(aligned(["cell", "games", "estimated time"], rows, left=1))
        lines.append(f"\n{many(len(cells), 'cell')}, {many(sum(cell.games for cell in cells), 'game')}")
    if there:
        are = "is" if len(there) == 1 else "are"
        lines.append(f"{many(len(there), 'cell')} {are} there already in {store.root} and will not be played again")
    if study.design is not None:
        total += study.design.total_games / rates.of(study.design.cell)
        sets = sum(len(table.points) for table in study.design.tables)
        lines.append(f"{sets:,} rule sets of [sensitivity], {study.design.total_games:,} games")
    if total:
        lines.append(f"Estimate: {_say_time(total, jobs)} on {many(jobs, 'thread')}, from a sample of "
                     f"{SAMPLE_SECONDS:g} s of each line-up; another load of the machine changes it")  # fmt: skip
    else:
        lines.append("Nothing is left to play")
    if not can_write(store.root):
        lines.append(f"Warning: results cannot be written to {store.root}; choose another folder with --results")
    print("\n".join([*lines, f"Run it: {study.command_here('study', asked.results)}"]))


def can_write(folder: Path) -> bool:
    """Whether the folder can be written to, or made where it would lie."""
    there = next(path for path in (folder.absolute(), *folder.absolute().parents) if path.exists())
    return there.is_dir() and os.access(there, os.W_OK)


class Rates:
    """Games a second of one thread, from a short sample of each distinct line-up."""

    def __init__(self) -> None:
        self.known: dict[Any, float] = {}

    def of(self, cell: Any) -> float:
        """The rate of a cell's line-up."""
        key = (cell.entries, cell.variant)
        if key not in self.known:
            self.known[key] = games_a_second(cell)
        return self.known[key]


def games_a_second(cell: Any) -> float:
    """Play some of a cell's games in one thread until `SAMPLE_SECONDS` have passed; games a second."""
    import engine

    games, rate = 1, 0.0  # the first is for what is done once
    while True:
        began = time.perf_counter()
        play = engine.simulate(
            cell.game, list(cell.wanted), games, cell.seed, rules=cell.rules, seats=cell.seats, threads=1
        )
        seconds = time.perf_counter() - began
        rate = len(play) / seconds
        if games > 1 and (seconds > SAMPLE_SECONDS / 2 or games >= 200_000):
            return rate
        games = int(games * min(16.0, max(4.0, SAMPLE_SECONDS / seconds)))


def _say_time(seconds: float | None, jobs: int) -> str:
    """Time in words, of work that is shared by `jobs`; for work that is done, that it is there."""
    if seconds is None:
        return "there already"
    seconds /= jobs
    for unit, length in (("h", 3600), ("min", 60)):
        if seconds >= 2 * length:
            return f"about {seconds / length:.1f} {unit}"
    return f"about {seconds:.0f} s" if seconds >= 1 else "under 1 s"
