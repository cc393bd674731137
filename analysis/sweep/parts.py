"""Parts of a cell: the unit of work of a sweep, and how a worker plays one.

No result depends on the cutting: playouts are joined in order, tallies are integers.
"""

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from analysis import tallies
from analysis.cells import Cell, Versus
from analysis.store import Result
from analysis.sweep import runs
from analysis.sweep.stream import Stream
from analysis.until import Until, Watch
from engine.policy import Wanted
from engine.ruleset import RuleSet
from engine.run import Plan, make_plan, run_plan

PART = {"playouts": 65_536, "tallies": 524_288}  # playouts a part: seconds at most
STEP = 16_384  # playouts between two looks at `stop`, and the most in memory at once for tallies

stop = threading.Event()
_plans: dict[str, Plan] = {}
_plans_lock = threading.Lock()


class Task(NamedTuple):
    """What a worker needs to play a part of a cell; can be pickled."""

    key: str
    game: str
    wanted: tuple[Wanted, ...]
    rules: RuleSet
    seats: str
    seed: int
    keep: str
    until: Until | None = None
    most: int = 0  # deals, for a stop rule
    versus: Versus | None = None


class Known(NamedTuple):
    """The result of a cell with a stop rule, and how it ended, as plain values."""

    result: Result
    note: dict[str, Any]


class Stopped(Exception):
    """The sweep was interrupted while a part was playing."""


@dataclass
class Part:
    """A range of deals of a cell."""

    cell: Cell
    number: int
    first_deal: int
    deals: int
    alone: bool = False  # tried again with nothing else running, after a worker died

    @property
    def games(self) -> int:
        """Number of playouts."""
        return self.deals * self.cell.per_deal

    @property
    def task(self) -> Task:
        """What a worker is given."""
        cell = self.cell
        most = cell.deals if cell.until else 0
        return Task(
            cell.key,
            cell.game,
            cell.wanted,
            cell.rules,
            cell.seats,
            cell.seed,
            cell.keep,
            cell.until,
            most,
            cell.versus,
        )


def parts_of(cell: Cell) -> Iterator[Part]:
    """A cell cut into ranges of deals; one with a stop rule is in one part."""
    if cell.until is not None:
        yield Part(cell, 0, 0, cell.deals)
        return
    size = max(1, PART[cell.keep] // cell.per_deal)
    for number, first in enumerate(range(0, cell.deals, size)):
        yield Part(cell, number, first, min(size, cell.deals - first))


def play_part(task: Task, first_deal: int, games: int) -> tuple[Result | Known, float]:
    """Play a range of a cell's deals in this thread: playouts or tallies, and the seconds it took."""
    began = time.perf_counter()
    plan = _plan_of(task)
    if task.until is not None:
        return _play_until(plan, task), time.perf_counter() - began
    if task.keep == "playouts":
        return run_plan(plan, games, first_deal=first_deal, progress=_look), time.perf_counter() - began
    counted, per_deal = None, len(plan.seating)
    step = max(1, STEP // per_deal) * per_deal
    for start in range(0, games, step):
        _look()
        play = run_plan(plan, min(step, games - start), first_deal=first_deal + start // per_deal)
        counted = tallies.Tallies.empty(play) if counted is None else counted
        counted.add(play)
    assert counted is not None
    return counted, time.perf_counter() - began


def _play_until(plan: Plan, task: Task) -> Known:
    """Play a cell until its stop rule is met, or its deals end; with it the other side, if the rule is about both."""
    assert task.until is not None
    plans = [plan]
    if task.versus is not None:
        versus = task.versus
        other = make_plan(task.game, versus.wanted, task.seed, rules=versus.rules, seats=task.seats)
        plans = [other, plan] if versus.is_first else [plan, other]
    kept = runs.Kept(task.most * len(plan.seating) if task.keep == "playouts" else 0)
    watch, stream = Watch(task.until, task.most), Stream(plans, task.most, None)
    for played, is_look in stream:
        _look()
        kept.add(played[plans.index(plan)])
        watch.add(*played)
        if is_look and watch.look().met:
            break
    return Known(kept.result, {**watch.look().facts(), "games": kept.games, "deals": stream.done})


def _look(done: int = 0, total: int = 0) -> None:
    if stop.is_set():
        raise Stopped


def _plan_of(task: Task) -> Plan:
    """The compiled plan of a cell, made once in each process."""
    with _plans_lock:
        if task.key not in _plans:
            while len(_plans) >= 32:
                del _plans[next(iter(_plans))]
            _plans[task.key] = make_plan(task.game, task.wanted, task.seed, rules=task.rules, seats=task.seats)
        return _plans[task.key]
