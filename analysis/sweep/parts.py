"""How a worker plays a part of a cell: a range of its deals.

No result depends on the cutting: playouts are joined in order, tallies are integers.
"""

import platform
import threading
import time
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, NamedTuple

from analysis import counting, tallies
from analysis.cells import Cell, Versus, engine_digest, policy_digest
from analysis.store import Result
from analysis.sweep import runs
from analysis.sweep.stream import Stream
from analysis.sweep.warm import first_compile
from analysis.until import Until, Watch
from engine.policy import Entry, Wanted
from engine.ruleset import RuleSet
from engine.run import Plan, make_plan, run_plan

PART = {"playouts": 65_536, "tallies": 524_288}  # playouts a part: seconds at most
STEP = 16_384  # playouts between two looks at `stop`, and the most in memory at once for tallies

stop = threading.Event()
_plans: dict[tuple[str, tuple[Wanted, ...]], Plan] = {}  # also by where policies come from: errors name the file
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
    both: bool = False  # give the result of the other side, too
    code: tuple[str, ...] = ()  # digests that the worker's own code must have

    @classmethod
    def of(cls, cell: Cell) -> "Task":
        """A cell's task."""
        return cls(
            cell.key,
            cell.game,
            cell.wanted,
            cell.rules,
            cell.seats,
            cell.seed,
            cell.keep,
            cell.until,
            cell.deals if cell.until else 0,
            replace(cell.versus, entries=()) if cell.versus else None,
            code=code_of(cell.game, cell.entries),
        )


class Known(NamedTuple):
    """The result of a cell with a stop rule, and how it ended, as plain values; then that of the other side."""

    results: tuple[Result, ...]
    notes: tuple[dict[str, Any], ...]

    def apart(self) -> "list[Known]":
        """Each side alone."""
        return [Known((result,), (note,)) for result, note in zip(*self, strict=True)]


class OtherCodeError(ValueError):
    """A worker whose code would give results that do not belong under the cell's key."""


class Stopped(Exception):
    """The sweep was interrupted while a part was playing."""


def play_part(task: Task, first_deal: int, games: int) -> tuple[Result | Known, float]:
    """Play a range of a cell's deals in this thread: playouts or tallies, and the seconds it took."""
    began = time.perf_counter()
    plan = plan_of(task)
    if task.until is not None:
        return _play_until(plan, task), time.perf_counter() - began
    if task.keep == "playouts":
        return run_plan(plan, games, first_deal=first_deal, progress=look), time.perf_counter() - began
    counted, per_deal = None, len(plan.seating)
    step = max(1, STEP // per_deal) * per_deal
    for start in range(0, games, step):
        look()
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
    order = [plan, *(other for other in plans if other is not plan)][: 1 + task.both]
    kept = [runs.Kept(task.most * len(one.seating) if task.keep == "playouts" else 0) for one in order]
    watch, stream = Watch(task.until, task.most), Stream(plans, task.most, None)
    for played, is_look in stream:
        look()
        for side, one in zip(kept, order, strict=True):
            side.add(played[plans.index(one)])
        watch.add(*played)
        if is_look and watch.look().met:
            break
    facts = {**watch.look().facts(), "deals": stream.done}
    return Known(tuple(side.result for side in kept), tuple({**facts, "games": side.games} for side in kept))


def look(done: int = 0, total: int = 0) -> None:
    """Raise Stopped if the sweep was interrupted."""
    if stop.is_set():
        raise Stopped


def plan_of(task: Task) -> Plan:
    """The compiled plan of a cell, made once in each process.

    Raises
    ------
    OtherCodeError
        If the code here is not that of the process that asks.
    """
    name = task.key, task.wanted
    with _plans_lock:
        if name not in _plans:
            while len(_plans) >= 32:
                del _plans[next(iter(_plans))]
            with first_compile(task.game, [str(wanted.policy) for wanted in task.wanted]):
                plan = make_plan(task.game, task.wanted, task.seed, rules=task.rules, seats=task.seats)
                counting.warm_up()
            if task.code and task.code != code_of(task.game, plan.entries):
                raise OtherCodeError(
                    f"the worker on {platform.node()} has other code of {task.game} or of a policy; start it again "
                    "from the same files"
                )
            _plans[name] = plan
        return _plans[name]


def code_of(game: str, entries: Iterable[Entry]) -> tuple[str, ...]:
    """Digests of the code of the engine with the game, and of each policy, as this process found it first."""
    return (engine_digest(game), *(policy_digest(entry.policy) for entry in entries))
