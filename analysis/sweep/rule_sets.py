"""Playing one line-up under very many rule sets: what is compiled and checked is shared, the rules record changes.

Threads play whole rule sets; every rule set has the same deals. No result depends on the number of threads.
"""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np

from analysis.cells import Cell
from analysis.sweep import parts
from engine.errors import whole_number
from engine.ruleset import RuleSet
from engine.run import Plan, default_threads, make_plan, run_plan


def plan_of(cell: Cell) -> Plan:
    """A cell's plan, compiled once for all its rule sets."""
    return make_plan(cell.game, cell.wanted, cell.seed, rules=cell.rules, seats=cell.seats)


def play_rule_sets(
    plan: Plan,
    points: np.ndarray,
    rules_at: Callable[[np.ndarray], RuleSet],
    games: int,
    look: Callable[[Any], Any],
    *,
    jobs: int | None = None,
    played: Callable[[int], Any] | None = None,
) -> list[Any]:
    """What `look` says of the playouts of each rule set, in order.

    Parameters
    ----------
    plan : Plan
    points : ndarray, shape (rule sets, numbers)
    rules_at : callable
        The rule set at a point; it must have the sources of the plan's rules.
    games : int
        Playouts of each rule set, rounded up to whole deals.
    look : callable
        Takes Playouts, which are gone afterwards.
    jobs : int
        Threads, by default the cores granted to this process.
    played : callable, optional
        Given the number of playouts after each rule set.

    Raises
    ------
    ValueError
        For bad `jobs`.
    """

    def one(point: np.ndarray) -> Any:
        return look(run_plan(replace(plan, rules=rules_at(point)), games))

    jobs = default_threads() if jobs is None else whole_number("threads", jobs, 1)
    found: list[Any] = []
    with ThreadPoolExecutor(jobs, thread_name_prefix="rules") as pool:
        try:
            for seen in pool.map(one, points):
                found.append(seen)
                if played is not None:
                    played(games)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return found


def play_chunk(
    task: parts.Task, numbers: Sequence[Any], measures: Sequence[Any], points: np.ndarray, games: int
) -> Any:
    """Values at some rule sets, played one after another in this thread, and the seconds it took.

    Parameters
    ----------
    task : Task
        The line-up, and the rules that are varied.
    numbers, measures : sequence
        Of a design.
    points : ndarray, shape (rule sets, numbers)
    games : int
        Playouts of each rule set.
    """
    from analysis.sobol.numbers import rules_at
    from analysis.sobol.run import Values, look

    began = time.perf_counter()
    plan, seen = parts.plan_of(task), []
    for point in points:
        parts.look()
        rules = rules_at(plan.game, task.rules, numbers, point)
        seen.append(look(measures, run_plan(replace(plan, rules=rules), games)))
    return Values.of(seen), time.perf_counter() - began
