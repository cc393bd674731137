"""Running a study: plays the cells that are missing, in parallel, and stores each when it is finished.

A cell is cut into parts, ranges of deals; parts of all cells go through one standard `Executor`, in order. So one
huge cell and many small ones keep every core busy alike, and no result depends on the cutting: playouts are
joined in order, tallies are integers.
"""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from analysis import tallies
from analysis.cells import Cell
from analysis.store import DamagedError, Store, StoreError, versions
from analysis.study import Study
from analysis.studyfile import Problems
from analysis.sweep import parts
from analysis.sweep.parts import Part, parts_of, play_part
from analysis.sweep.progress import Progress
from engine.errors import unknown, whole_number
from engine.games import load_game
from engine.playouts import Playouts
from engine.policy import compile_entry
from engine.run import default_threads

BACKENDS = ("threads", "loky")
AHEAD = 3  # parts in flight for each worker, so that storing a cell leaves nobody idle
MANIFEST_SECONDS = 10.0


@dataclass
class Outcome:
    """What a run of a study did."""

    kept: list[Cell] = field(default_factory=list)  # were there before
    computed: list[Cell] = field(default_factory=list)
    failed: list[tuple[Cell, str]] = field(default_factory=list)
    damaged: list[str] = field(default_factory=list)  # messages about files that were recomputed
    interrupted: bool = False
    seconds: float = 0.0
    rule_sets: int = 0  # of a design of rule numbers, that are there now


def run_study(
    study: Study,
    results: Any = "results",
    *,
    jobs: int | None = None,
    backend: str = "threads",
    progress: bool = True,
    say: Callable[[str], Any] | None = None,
) -> Outcome:
    """Compute and store the cells of a study that are missing.

    Parameters
    ----------
    study : Study
    results : path
        The folder of all results.
    jobs : int, optional
        Threads or processes; by default the cores granted to this process.
    backend : str
        ``"threads"``, or ``"loky"`` for processes. No result depends on it.
    progress : bool
        A bar on stderr, or a line every 30 seconds where that is no terminal.
    say : callable, optional
        Given each message that should not wait for the end.

    Returns
    -------
    Outcome
        An interrupt (Ctrl-C) ends the run; what is finished stays.

    Raises
    ------
    StoreError
        If the results folder cannot be written to.
    StudyError
        If a policy does not compile.
    ValueError
        For bad `jobs` or `backend`.
    """
    jobs = default_threads() if jobs is None else whole_number("jobs", jobs, 1)
    if backend not in BACKENDS:
        raise ValueError(unknown("backend", backend, BACKENDS))
    store, say = Store(study, results), say or (lambda message: None)
    store.prepare()
    outcome = Outcome()
    missing = _missing(store, outcome, say)
    if missing:
        check_policies(study, missing)
        with Progress(sum(cell.games for cell in missing), len(missing), progress) as bar:
            _Run(store, outcome, jobs, backend, bar).run(missing)
    if study.design is not None and not outcome.interrupted:
        _run_design(store, outcome, jobs, progress, say)
    return outcome


def _run_design(store: Store, outcome: Outcome, jobs: int, progress: bool, say: Callable[[str], Any]) -> None:
    """Play the rule sets of a study's [sensitivity] block, in threads whatever the backend."""
    from analysis.shelf import TableShelf
    from analysis.sobol.run import play_design

    design, began = store.study.design, time.perf_counter()
    assert design is not None
    check_policies(store.study, [design.cell])
    try:
        play_design(design, jobs=jobs, shelf=TableShelf(store, design, say), progress=progress)
        outcome.rule_sets = sum(len(table.points) for table in design.tables)
    except KeyboardInterrupt:
        outcome.interrupted = True
    outcome.seconds += time.perf_counter() - began


def _missing(store: Store, outcome: Outcome, say: Callable[[str], Any]) -> list[Cell]:
    """The cells to compute, each key once; damaged files are reported and kept aside."""
    by_key = {cell.key: cell for cell in store.study.cells}
    missing: list[Cell] = []
    for cell in by_key.values():
        try:
            there = store.load(cell) is not None
        except DamagedError as error:
            aside = store.set_aside(cell)
            outcome.damaged.append(f"{error}; kept as {aside.name} and computed again")
            say(f"warning: {outcome.damaged[-1]}")
            there = False
        (outcome.kept if there else missing).append(cell)
    return missing


def check_policies(study: Study, cells: list[Cell]) -> None:
    """Compile every policy and load every kernel, in this process, before anything is played.

    Raises
    ------
    StudyError
        With a line for each policy that does not compile.
    """
    problems, seen = Problems(study.path.name), set()
    game = load_game(study.document.game)
    for cell in cells:
        for entry in cell.entries:
            if entry.policy not in seen:
                seen.add(entry.policy)
                try:
                    compile_entry(entry.policy, game)
                except ValueError as error:
                    problems.add(cell.place, str(error))
    problems.stop()
    game.warm_up()
    tallies.warm_up()


# ---------------------------------------------------------------------------------------------------------
# The driver
# ---------------------------------------------------------------------------------------------------------
def make_executor(backend: str, jobs: int) -> Executor:
    """The one place that decides threads and processes: `jobs` of them, each playing serially."""
    if backend == "threads":
        return ThreadPoolExecutor(jobs, thread_name_prefix="cell")
    from joblib.externals.loky import get_reusable_executor

    return get_reusable_executor(max_workers=jobs)


class _Run:
    """One run over the missing cells."""

    def __init__(self, store: Store, outcome: Outcome, jobs: int, backend: str, bar: Progress):
        self.store, self.outcome, self.bar = store, outcome, bar
        self.jobs, self.backend = jobs, backend
        self.executor = make_executor(backend, jobs)
        self.flying: dict[Future, Part] = {}
        self.again: list[Part] = []  # parts whose worker died
        self.results: dict[str, dict[int, Any]] = {}  # playouts by part; tallies in one, under 0
        self.left: dict[str, int] = {}  # parts to come, by cell
        self.dead: set[str] = set()  # cells that failed
        self.notes: dict[str, dict[str, Any]] = {}  # how cells with a stop rule ended
        self.seconds: dict[str, float] = {}
        self.began, self.saved = time.perf_counter(), time.perf_counter()
        self.facts = {
            "started": datetime.now(UTC).isoformat(timespec="seconds"),
            "versions": versions(),
            "backend": backend,
            "jobs": jobs,
        }

    def run(self, cells: list[Cell]) -> None:
        """Play everything; an interrupt ends it early."""
        parts.stop.clear()
        self.left = {cell.key: sum(1 for _ in parts_of(cell)) for cell in cells}
        waiting = (part for cell in cells for part in parts_of(cell))
        try:
            while self._fly(waiting):
                done, _ = wait(self.flying, timeout=1.0, return_when=FIRST_COMPLETED)
                for future in done:
                    self._take(self.flying.pop(future), future)
                self.bar.tick()
        except KeyboardInterrupt:
            self.outcome.interrupted = True
        finally:
            self._close()

    def _fly(self, waiting: Iterator[Part]) -> bool:
        """Hand out parts; whether any are in flight. A part whose worker died flies alone."""
        while self.again and not self.flying:
            self._submit(self.again.pop(0))
        alone = any(part.alone for part in self.flying.values())
        while not alone and not self.again and len(self.flying) < self.jobs * AHEAD:
            part = next(waiting, None)
            if part is None:
                break
            self._submit(part)
        return bool(self.flying)

    def _submit(self, part: Part) -> None:
        if part.cell.key in self.dead:
            return
        try:
            future = self.executor.submit(play_part, part.task, part.first_deal, part.games)
        except BrokenExecutor:
            self.executor = make_executor(self.backend, self.jobs)
            future = self.executor.submit(play_part, part.task, part.first_deal, part.games)
        self.flying[future] = part

    def _take(self, part: Part, future: Future) -> None:
        cell = part.cell
        if cell.key in self.dead:
            return
        try:
            result, seconds = future.result()
        except BrokenExecutor:
            if part.alone:
                self._fail(cell, "its worker process died, and again when it ran alone")
            else:
                part.alone = True
                self.again.append(part)
            return
        except Exception as error:
            self._fail(cell, _one_line(error))
            return
        self.seconds[cell.key] = self.seconds.get(cell.key, 0.0) + seconds
        self.bar.add(part.games)
        if isinstance(result, parts.Known):
            self.notes[cell.key], result = result.note, result.result
        self._keep(part, result)
        self.left[cell.key] -= 1
        if self.left[cell.key] == 0:
            self._finish(cell)

    def _keep(self, part: Part, result: Any) -> None:
        kept = self.results.setdefault(part.cell.key, {})
        if isinstance(result, Playouts):
            kept[part.number] = result
        else:
            kept[0] = kept[0] + result if kept else result

    def _finish(self, cell: Cell) -> None:
        kept = self.results.pop(cell.key)
        ordered = [kept[number] for number in sorted(kept)]
        try:
            result = Playouts.join(ordered) if cell.keep == "playouts" else ordered[0]
            self.store.save(cell, result, self.notes.pop(cell.key, None))
        except StoreError as error:
            self._fail(cell, str(error))
            return
        self.outcome.computed.append(cell)
        self.bar.cell_done()
        if time.perf_counter() - self.saved > MANIFEST_SECONDS:
            self._write_manifest()

    def _fail(self, cell: Cell, message: str) -> None:
        self.dead.add(cell.key)
        self.results.pop(cell.key, None)
        self.outcome.failed.append((cell, message))
        self.bar.cell_done(failed=True)

    def _close(self) -> None:
        parts.stop.set()
        self.executor.shutdown(wait=True, **_how_to_stop(self.backend, self.outcome.interrupted))
        parts.stop.clear()
        self.outcome.seconds = time.perf_counter() - self.began
        self._write_manifest()

    def _write_manifest(self) -> None:
        self.saved = time.perf_counter()
        facts = {**self.facts, "computed": len(self.outcome.computed), "seconds": round(self.saved - self.began, 3)}
        order = {cell.key: i for i, cell in enumerate(self.store.study.cells)}
        present = sorted([*self.outcome.kept, *self.outcome.computed], key=lambda cell: order.get(cell.key, 0))
        self.store.write_manifest(self.seconds, facts, present)


def _how_to_stop(backend: str, interrupted: bool) -> dict[str, bool]:
    return {"cancel_futures": True} if backend == "threads" else {"kill_workers": interrupted}


def _one_line(error: Exception) -> str:
    lines = str(error).splitlines()
    known = isinstance(error, (ValueError, RuntimeError)) and lines
    return lines[0] if known else f"{type(error).__name__}: {lines[0] if lines else 'no details'}"
