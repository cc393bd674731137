"""Play line-ups on the same deals, step by step, within a budget of deals or of time."""

import re
import time
from collections.abc import Iterator, Sequence

from engine.playouts import Playouts
from engine.run import Plan, default_threads, make_plan, run_plan

__all__ = ["BLOCK", "Plan", "Stream", "default_threads", "looks", "make_plan", "seconds_of"]

BLOCK = 256  # deals; steps are whole blocks, so that the groups of tallies stay alike
STEP = 131_072  # playouts of one line-up in memory at once
UNITS = {"s": 1, "m": 60, "min": 60, "h": 3600}


def seconds_of(given: object, name: str = "time") -> float:
    """Seconds from a number, or from text such as "30s", "2m" or "1.5h".

    Raises
    ------
    ValueError
        If it is neither, or not greater than 0.
    """
    value = None
    if isinstance(given, (int, float)) and not isinstance(given, bool):
        value = float(given)
    elif isinstance(given, str) and (found := re.fullmatch(r"\s*(\d+(?:\.\d*)?|\.\d+)\s*(s|m|min|h)?\s*", given)):
        value = float(found[1]) * UNITS[found[2] or "s"]
    if value is None or not 0 < value < float("inf"):
        raise ValueError(f'{name} must be greater than 0, such as "30s", "2m" or "1.5h", not {given!r}')
    return value


def looks(per_deal: int) -> Iterator[int]:
    """Numbers of deals at which stop rules look: whole blocks, each a quarter more, never more than a step apart.

    They depend on nothing but the line-up, so that what a stop rule gives is the same on every machine.
    """
    most = max(1, STEP // per_deal // BLOCK) * BLOCK
    deals = BLOCK
    while True:
        yield deals
        deals += min(max(deals // 4 // BLOCK, 1) * BLOCK, most)


class Stream:
    """Iterates over ``(playouts of each plan, is a look)``, every plan on the same deals; ends with the budget.

    Parameters
    ----------
    plans : sequence of Plan
    deals : int, optional
        The most deals.
    seconds : float, optional
        The most time, from the first step on; at least one block is played.
    threads : int
    """

    def __init__(self, plans: Sequence[Plan], deals: int | None, seconds: float | None, threads: int = 1):
        self.plans, self.most, self.seconds, self.threads = plans, deals, seconds, threads
        self.done = 0  # deals
        self.began = time.perf_counter()

    @property
    def elapsed(self) -> float:
        """Seconds since the first step began."""
        return time.perf_counter() - self.began

    @property
    def ended_by(self) -> str:
        """What ended it: "games" or "time"."""
        return "games" if self.done == self.most else "time"

    def __iter__(self) -> Iterator[tuple[list[Playouts], bool]]:
        self.began = time.perf_counter()
        schedule = looks(max(len(plan.seating) for plan in self.plans))
        look = next(schedule)
        while size := self._size(look):
            played = [
                run_plan(plan, size * len(plan.seating), first_deal=self.done, threads=self.threads)
                for plan in self.plans
            ]
            self.done += size
            yield played, self.done == look
            if self.done == look:
                look = next(schedule)

    def _size(self, look: int) -> int:
        """Deals of the next step: up to the next look, as far as the budget goes."""
        size = look - self.done
        if self.most is not None:
            size = min(size, self.most - self.done)
        if self.seconds is not None and self.done and size > 0:
            left = (self.seconds - self.elapsed) * self.done / self.elapsed
            size = min(size, max(int(left), 0) // BLOCK * BLOCK)
        return size
