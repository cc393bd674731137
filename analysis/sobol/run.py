"""Playing a design, chunk by chunk: each chunk is stored when it is finished and not played again."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from analysis.sobol.design import GROUPS, Design, Table
from analysis.sobol.measure import Measure
from analysis.sobol.numbers import rules_at
from analysis.stats import COLUMNS
from analysis.sweep.progress import Progress
from analysis.sweep.rule_sets import plan_of, play_rule_sets
from engine.games import load_game


@dataclass(frozen=True, eq=False)
class Values:
    """What was measured at each rule set of a table."""

    estimates: np.ndarray  # float64 (rule sets, measures, COLUMNS)
    groups: np.ndarray  # float64 (rule sets, measures, GROUPS): adds up to 0 over groups

    def __len__(self) -> int:
        return len(self.estimates)

    def by_group(self, measure: int) -> np.ndarray:
        """The metric as each group of deals has it, shape (rule sets, groups); their mean is the estimate."""
        return self.estimates[:, measure, :1] + self.groups.shape[-1] * self.groups[:, measure]

    @classmethod
    def of(cls, seen: Sequence[tuple[np.ndarray, np.ndarray]]) -> "Values":
        """What `look` said of each rule set."""
        return cls(np.array([rows for rows, _ in seen]), np.array([groups for _, groups in seen]))

    @classmethod
    def joined(cls, parts: list["Values"]) -> "Values":
        """One after another."""
        return cls(np.concatenate([p.estimates for p in parts]), np.concatenate([p.groups for p in parts]))


class Shelf(Protocol):
    """Where chunks are kept; `analysis.store.Store` has one."""

    def load(self, table: Table, number: int) -> Values | None:
        """A chunk, or None if it is not there."""
        ...

    def save(self, table: Table, number: int, points: np.ndarray, values: Values) -> None:
        """Keep a chunk."""
        ...


def chunks(table: Table) -> Iterator[tuple[int, np.ndarray]]:
    """The points of each chunk, with its number."""
    for number in range(-(-len(table.points) // table.chunk)):
        yield number, table.chunk_at(number)


def play_design(
    design: Design, *, jobs: int | None = None, shelf: Shelf | None = None, progress: bool = False
) -> list[Values]:
    """Play what is not on the shelf, and give the values of each table.

    Parameters
    ----------
    design : Design
    jobs : int, optional
        Threads, by default the cores granted to this process.
    shelf : Shelf, optional
    progress : bool
        A bar on stderr, or a line every 30 seconds where that is no terminal.

    Raises
    ------
    ValueError
        If a measure does not leave one row of its metric.
    """
    there: dict[tuple[Table, int], Any] = {
        (table, number): shelf.load(table, number) if shelf else None
        for table in design.tables
        for number, _ in chunks(table)
    }
    missing = [(table, number) for (table, number), values in there.items() if values is None]
    games = sum(table.games * len(table.chunk_at(number)) for table, number in missing)
    plan = plan_of(design.cell) if missing else None
    with Progress(games, len(missing), progress, what="chunks of rule sets") as bar:
        for table, number in missing:
            points = table.chunk_at(number)
            there[table, number] = values = _play(design, plan, table, points, jobs, bar)
            if shelf:
                shelf.save(table, number, points, values)
            bar.cell_done()
    return [Values.joined([there[table, number] for number, _ in chunks(table)]) for table in design.tables]


def stored(design: Design, shelf: Shelf) -> list[Values] | None:
    """The values of each table, if all chunks are on the shelf."""
    found = []
    for table in design.tables:
        parts = [shelf.load(table, number) for number, _ in chunks(table)]
        if any(part is None for part in parts):
            return None
        found.append(Values.joined([part for part in parts if part is not None]))
    return found


def _play(design: Design, plan: Any, table: Table, points: np.ndarray, jobs: int | None, bar: Progress) -> Values:
    game = load_game(design.cell.game)

    def played(games: int) -> None:
        bar.add(games)
        bar.tick()

    seen = play_rule_sets(
        plan,
        points,
        lambda point: rules_at(game, design.cell.rules, design.numbers, point),
        table.games,
        lambda play: look(design.measures, play),
        jobs=jobs,
        played=played,
    )
    return Values.of(seen)


def look(measures: Sequence[Measure], play: Any) -> tuple[np.ndarray, np.ndarray]:
    """Each measure of one result: its columns, and what each group of deals adds."""
    rows, groups = [], []
    for measure in measures:
        row = measure.of(play)
        group = np.arange(len(row["influence"])) % GROUPS
        rows.append([float(row[name]) for name in COLUMNS])
        groups.append(np.bincount(group, weights=row["influence"], minlength=GROUPS))
    return np.array(rows), np.array(groups)
