"""Running a study: plays what is missing, in parallel, and stores each cell when it is finished.

A cell is cut into parts, ranges of deals, and a chunk of rule sets into some of them; parts of everything go through
one standard `Executor`, in order. So one huge cell and many small ones keep every core busy alike, and no result
depends on the cutting: playouts are joined in order, tallies are integers.
"""

import contextlib
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from analysis import counting
from analysis.cells import Cell
from analysis.store import DamagedError, Store, StoreError, versions
from analysis.study import Study
from analysis.studyfile import Problems
from analysis.sweep import parts
from analysis.sweep.backends import BACKENDS, Pool, choose_pool
from analysis.sweep.driver import Driver, LostError, Work
from analysis.sweep.progress import Progress
from analysis.sweep.shards import WHOLE, Shard, read_shard
from analysis.sweep.warm import first_compile
from analysis.sweep.work import CHECKPOINT, CellWork, ChunkWork, PairWork
from engine.errors import whole_number
from engine.games import load_game
from engine.policy import compile_entry
from engine.run import default_threads

__all__ = ["BACKENDS", "Outcome", "check_policies", "run_study"]
MANIFEST_SECONDS = 10.0
MANIFEST_SHARE = 0.003  # of the time, at most, goes into writing the manifest


@dataclass
class Outcome:
    """What a run of a study did."""

    kept: list[Cell] = field(default_factory=list)  # were there before
    computed: list[Cell] = field(default_factory=list)
    failed: list[tuple[Any, str]] = field(default_factory=list)  # a cell or a chunk of rule sets, and why
    damaged: list[str] = field(default_factory=list)  # messages about files that were recomputed
    interrupted: bool = False
    lost: str = ""  # why a cluster could not go on
    seconds: float = 0.0
    playing: float = 0.0  # seconds in which parts were played, added up over all threads
    rule_sets: int = 0  # of a design of rule numbers, that are there now
    shard: Shard = WHOLE

    @property
    def is_good(self) -> bool:
        """Whether all that was asked for is there."""
        return not (self.failed or self.interrupted or self.lost)

    def failures(self, most: int = 10) -> list[str]:
        """A line for each way in which cells failed, the commonest first."""
        counts = Counter(message for _, message in self.failed)
        lines = []
        for message, count in counts.most_common(most):
            first = next(what.title for what, why in self.failed if why == message)
            others = f", and {count - 1:,} more" if count > 1 else ""
            lines.append(f"cell failed: {first}{others}: {message}")
        if len(counts) > most:
            lines.append(f"cells failed in {len(counts) - most:,} other ways, too")
        return lines


def run_study(
    study: Study,
    results: Any = "results",
    *,
    jobs: int | None = None,
    backend: str = "threads",
    scheduler: str | None = None,
    cluster: str | Path | None = None,
    shard: str | Shard | None = None,
    checkpoint: int = CHECKPOINT,
    progress: bool = True,
    say: Callable[[str], Any] | None = None,
) -> Outcome:
    """Compute and store what is missing of a study.

    Parameters
    ----------
    study : Study
    results : path
        The folder of all results.
    jobs : int, optional
        Threads or processes; by default the cores granted to this process. With slurm, batch jobs.
    backend : str
        ``"threads"``, ``"loky"``, ``"dask"`` or ``"slurm"``; see `analysis.sweep.backends`. No result depends on it.
    scheduler : str, optional
        With dask: the address or the scheduler file of a cluster.
    cluster : path, optional
        With slurm: a TOML file for the queue.
    shard : str, optional
        "i/n": only every n-th piece of the study, from the i-th on.
    checkpoint : int
        Games after which a cell of more games than that keeps what it has.
    progress : bool
        A bar on stderr, or a line every 30 seconds where that is no terminal.
    say : callable, optional
        Given each message that should not wait for the end.

    Returns
    -------
    Outcome
        An interrupt (Ctrl-C, or SIGTERM from a batch system) ends the run; what is finished stays.

    Raises
    ------
    StoreError
        If the results folder cannot be written to.
    StudyError
        If a policy does not compile.
    ValueError
        For a bad argument.
    """
    say = say or (lambda message: None)
    start = choose_pool(backend, jobs, scheduler, cluster)
    run = _Run(Store(study, results), read_shard(shard), whole_number("checkpoint", checkpoint, 1), say)
    run.store.prepare()
    works = run.works()
    if works:
        run.play(works, start(), progress)
    return run.outcome


def check_policies(study: Study, cells: list[Cell]) -> None:
    """Compile every policy and load every kernel, in this process, before anything is played.

    Raises
    ------
    StudyError
        With a line for each policy that does not compile.
    """
    problems, game = Problems(study.path.name), load_game(study.document.game)
    places = {entry.policy: cell.place for cell in reversed(cells) for entry in cell.entries}
    with first_compile(game.name, [policy.place for policy in places]):
        for policy, place in places.items():
            try:
                compile_entry(policy, game)
            except ValueError as error:
                problems.add(place, str(error))
        problems.stop()
        game.warm_up()
        counting.warm_up()


class _Run:
    """One run: finds what is missing, has it played, and keeps the books."""

    def __init__(self, store: Store, shard: Shard, checkpoint: int, say: Callable[[str], Any]):
        self.store, self.shard, self.checkpoint, self.say = store, shard, checkpoint, say
        self.outcome = Outcome(shard=shard)
        self.seconds: dict[str, float] = {}
        self.began = self.saved = time.perf_counter()
        self.pause = MANIFEST_SECONDS
        self.facts: dict[str, Any] = {}
        self.order: dict[str, int] = {}
        self.large: set[CellWork] = set()  # those that keep checkpoints

    # What is to be done
    def works(self) -> list[Work]:
        """What is missing of this shard, in the study's order."""
        by_key = list({cell.key: cell for cell in self.store.study.cells}.values())
        mine = [cell for place, cell in enumerate(by_key) if self.shard.has(place)]
        with ThreadPoolExecutor(default_threads()) as pool:
            there = list(pool.map(self._is_there, mine))
        self.outcome.kept = [cell for cell, found in zip(mine, there, strict=True) if found]
        missing = [cell for cell, found in zip(mine, there, strict=True) if not found]
        if missing:
            check_policies(self.store.study, missing)
        cells = {cell.key: CellWork(cell, self.store, self.checkpoint, self.say) for cell in missing}
        return [*self._paired(cells), *self._chunks(len(by_key))]

    def _paired(self, cells: dict[str, CellWork]) -> list[Work]:
        """Cells, of which those that are watched together are one piece of work, at the place of the first."""
        works: dict[str, Work] = dict(cells)
        for pair in self.store.study.pairs:
            first, against = (cells.get(cell.key) for cell in pair.cells)
            if first and against and first.cell.versus and first is not against:
                works[first.key] = PairWork(first, against)
                works.pop(against.key, None)
        return list(works.values())

    def _is_there(self, cell: Cell) -> bool:
        """Whether a cell has its result; a damaged file is reported and kept aside."""
        try:
            return self.store.has(cell)
        except DamagedError as error:
            aside = self.store.set_aside(cell)
            self.outcome.damaged.append(f"{error}; kept as {aside.name} and computed again")
            self.say(f"warning: {self.outcome.damaged[-1]}")
            return False

    def _chunks(self, before: int) -> list[Work]:
        """What is missing of the rule sets of a [sensitivity] block; their places come after those of the cells."""
        design = self.store.study.design
        if design is None:
            return []
        from analysis.shelf import TableShelf
        from analysis.sobol.run import chunks

        shelf, found = TableShelf(self.store, design, self.say), []
        every = [ChunkWork(shelf, table, number) for table in design.tables for number, _ in chunks(table)]
        for place, work in enumerate(every, before):
            if self.shard.has(place):
                if shelf.load(work.table, work.number) is None:
                    found.append(work)
                else:
                    self.outcome.rule_sets += len(work.points)
        if found:
            check_policies(self.store.study, [design.cell])
        return list(found)

    # Doing it
    def play(self, works: list[Work], pool: Pool, progress: bool) -> None:
        """Play and store; an interrupt ends it early."""
        sides = [side for work in works for side in work.sides]
        self.order = {side.key: place for place, side in enumerate(sides)}
        self.large = {work for work in works if isinstance(work, CellWork) and work.every}
        self.began = self.saved = time.perf_counter()
        self.facts = {
            "started": datetime.now(UTC).isoformat(timespec="microseconds"),
            "versions": versions(),
            **({"shard": str(self.shard)} if self.shard.n > 1 else {}),
        }
        parts.stop.clear()
        with Progress(sum(work.games for work in works), len(sides), progress) as bar:
            driver = Driver(pool, bar, self._done, self._failed)
            self.bar = bar
            try:
                with _terminated_is_interrupted():
                    driver.run(works)
            except KeyboardInterrupt:
                self.outcome.interrupted = True
            except LostError as error:
                self.outcome.lost = str(error)
            finally:
                parts.stop.set()
                pool.close(self.outcome.interrupted)
                parts.stop.clear()
                self._close(pool)

    def _done(self, work: Any) -> None:
        for side in work.sides:
            self.seconds[side.key] = side.seconds
            self.outcome.playing += side.seconds
            if isinstance(side, CellWork):
                self.outcome.computed.append(side.cell)
                self.large.discard(side)
            else:
                self.outcome.rule_sets += len(side.points)
            self.bar.cell_done()
        if time.perf_counter() - self.saved > self.pause:
            self._write_manifest()

    def _failed(self, work: Any, message: str) -> None:
        for side in work.sides:
            self.outcome.failed.append((side.cell if isinstance(side, CellWork) else side, message))
            self.bar.cell_done(failed=True)

    def _close(self, pool: Pool) -> None:
        for work in self.large:
            with contextlib.suppress(StoreError):
                work.checkpoint()
        self.outcome.seconds = time.perf_counter() - self.began
        self.outcome.failed.sort(key=lambda failure: self.order[failure[0].key])
        self.facts |= pool.facts()
        if self.outcome.failed:
            self.facts["failed"] = [[what.title, why] for what, why in self.outcome.failed]
        self._write_manifest()

    def _write_manifest(self) -> None:
        began = time.perf_counter()
        facts = {**self.facts, "computed": len(self.outcome.computed), "seconds": round(began - self.began, 3)}
        self.store.write_manifest(self.seconds, facts, [*self.outcome.kept, *self.outcome.computed])
        self.saved = time.perf_counter()
        self.pause = max(MANIFEST_SECONDS, (self.saved - began) / MANIFEST_SHARE)


@contextlib.contextmanager
def _terminated_is_interrupted() -> Iterator[None]:
    """Batch systems send SIGTERM some time before SIGKILL: it ends a run as Ctrl-C does."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(number: int, frame: Any) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
