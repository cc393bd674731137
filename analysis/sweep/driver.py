"""The driver: hands parts of work to an `Executor`, takes results as they come, and bounds what can go wrong.

It knows nothing of games and cells: work is cut into parts, every part is a function call that gives a result and
the seconds it took, and work is finished when all its parts are kept. What fails does not stop the rest:

====================================  ==========================================================================
what happens to a part                what follows
====================================  ==========================================================================
a bad value, policy or game           its work fails at once: it would fail again
any other exception                   played again, `RETRIES` times at most
its worker process dies               played again with nothing else running; if that dies too, its work fails
its work cannot be stored             its work fails
====================================  ==========================================================================
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Future, ThreadPoolExecutor
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any, Protocol

from analysis.sweep.backends import Pool
from analysis.sweep.progress import Progress
from engine.errors import GameError, PolicyError
from engine.run import default_threads

RETRIES = 2


class Work(Protocol):
    """Something to be played and stored: a cell, or a chunk of rule sets."""

    key: str
    title: str
    n_parts: int
    sides: list[Any]  # itself, or what is played together

    @property
    def games(self) -> int:
        """Playouts still to come."""
        ...

    def parts(self) -> Iterator["Part"]:
        """The parts that are still to be played."""
        ...

    def keep(self, part: "Part", result: Any, seconds: float) -> None:
        """Take the result of one part."""
        ...

    def finish(self) -> None:
        """Store the whole; called from another thread."""
        ...


@dataclass(eq=False)
class Part:
    """One function call."""

    work: Work
    number: int
    games: int
    function: Callable[..., tuple[Any, float]]
    arguments: tuple[Any, ...]
    tries: int = 0  # that failed
    alone: bool = False  # to be played with nothing else running, after a worker died


class LostError(RuntimeError):
    """The cluster that was to play is gone."""


class Driver:
    """One run over some work.

    Parameters
    ----------
    pool : Pool
    bar : Progress
    done : callable
        Given each piece of work that is stored.
    failed : callable
        Given each piece of work that failed, and why.
    """

    def __init__(self, pool: Pool, bar: Progress, done: Callable[[Any], Any], failed: Callable[[Any, str], Any]):
        self.pool, self.bar, self.done, self.failed = pool, bar, done, failed
        self.flying: dict[Future, Part] = {}
        self.saving: dict[Future, Work] = {}
        self.again: deque[Part] = deque()
        self.suspects: deque[Part] = deque()  # parts whose worker died
        self.left: dict[Work, int] = {}  # parts to come, of work that has begun
        self.dead: set[Work] = set()
        self.events: SimpleQueue[Future] = SimpleQueue()
        self.saver = ThreadPoolExecutor(default_threads(), thread_name_prefix="save")
        self.most_saving = 2 * default_threads()

    def run(self, works: Iterable[Work]) -> None:
        """Play everything.

        Raises
        ------
        LostError
            If the cluster is gone; what is finished is stored.
        """
        waiting = self._waiting(works)
        try:
            while self._fly(waiting):
                self.bar.tick(self.pool.news)
                try:
                    future = self.events.get(timeout=1.0)
                except Empty:
                    self._check_pool()
                    continue
                if future in self.saving:
                    self._saved(self.saving.pop(future), future)
                elif future in self.flying:
                    self._take(self.flying.pop(future), future)
        finally:
            for future in self.flying:
                future.cancel()
            self.saver.shutdown(wait=True)
            for future, work in self.saving.items():
                self._saved(work, future)

    def _check_pool(self) -> None:
        if self.pool.lost:
            raise LostError(f"{self.pool.name}: {self.pool.lost}; what is finished is kept")

    def _waiting(self, works: Iterable[Work]) -> Iterator[Part]:
        for work in works:
            self.left[work] = work.n_parts
            if work.n_parts == 0:  # all of it was in a checkpoint
                self._save(work)
            for part in work.parts():
                if work in self.dead:
                    break
                yield part

    def _fly(self, waiting: Iterator[Part]) -> bool:
        """Hand out parts; whether there is anything to wait for."""
        while self.suspects:
            if self.flying:
                return True
            self._submit(self.suspects.popleft())
        while len(self.saving) < self.most_saving and len(self.flying) < self.pool.slots():
            if any(part.alone for part in self.flying.values()):
                break
            part = self.again.popleft() if self.again else next(waiting, None)
            if part is None:
                break
            self._submit(part)
        return bool(self.flying or self.saving)

    def _submit(self, part: Part) -> None:
        if part.work in self.dead:
            return
        self._check_pool()
        try:
            future = self.pool.executor.submit(part.function, *part.arguments)
        except BrokenExecutor:
            self.pool.renew()
            future = self.pool.executor.submit(part.function, *part.arguments)
        self.flying[future] = part
        future.add_done_callback(self.events.put)

    def _take(self, part: Part, future: Future) -> None:
        work = part.work
        if work in self.dead:
            return
        try:
            result, seconds = future.result()
        except CancelledError:  # by the cluster, not by us
            self._check_pool()
            self._again(part, "it was cancelled")
        except self.pool.deaths:
            if part.alone:
                self._fail(work, "its worker process died, and again when it ran alone")
            else:
                part.alone = True
                self.suspects.append(part)
        except (PolicyError, GameError) as error:
            self._fail(work, one_line(error))
        except Exception as error:  # Dask raises ValueErrors of its own when a worker dies with a finished result
            self._again(part, one_line(error))
        else:
            work.keep(part, result, seconds)
            self.bar.add(part.games)
            self.left[work] -= 1
            if self.left[work] == 0:
                self._save(work)

    def _again(self, part: Part, message: str) -> None:
        part.tries += 1
        if part.tries > RETRIES:
            self._fail(part.work, f"{message} ({part.tries} times)")
        else:
            self.again.append(part)

    def _save(self, work: Work) -> None:
        del self.left[work]
        future = self.saver.submit(work.finish)
        self.saving[future] = work
        future.add_done_callback(self.events.put)

    def _saved(self, work: Work, future: Future) -> None:
        error = future.exception()
        if error is None:
            self.done(work)
        else:
            self._fail(work, one_line(error))

    def _fail(self, work: Work, message: str) -> None:
        self.dead.add(work)
        self.left.pop(work, None)
        for future, part in self.flying.items():
            if part.work is work:
                future.cancel()
        self.failed(work, message)


def one_line(error: BaseException) -> str:
    """What went wrong, without the rest."""
    lines = str(error).splitlines()
    known = isinstance(error, (ValueError, RuntimeError)) and lines
    return lines[0] if known else f"{type(error).__name__}: {lines[0] if lines else 'no details'}"
