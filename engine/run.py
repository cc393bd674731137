"""simulate(): check at the door, allocate, play by blocks on a pool of threads, raise on faults."""

import math
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from engine import block, jit
from engine.errors import MOST_GAMES, GameError, PolicyError, whole_number
from engine.game import MAX_SEATS, Game
from engine.games import load_game
from engine.lineup import resolve_lineup, seatings
from engine.playouts import ARRAYS, Playouts
from engine.policy import Entry, compile_entry
from engine.ruleset import RuleSet, load_rule_set

BLOCK = 8192  # playouts a block: about 15 ms of random play
Progress = Callable[[int, int], None]


@dataclass(frozen=True, eq=False)
class Plan:
    """Everything a batch of games needs, checked and compiled."""

    game: Game
    rules: RuleSet
    entries: tuple[Entry, ...]
    seating: np.ndarray  # int64 (n_seatings, n_seats)
    seats: str
    seed: int
    sources: tuple[str, ...]
    columns: np.ndarray  # int64 (n_sources,)
    choose: tuple
    value: tuple
    table: np.ndarray  # block.ENTRY (n_entries,)

    @property
    def limit(self) -> int:
        """No game of this plan has more decisions."""
        return self.game.limit(self.rules.values, len(self.entries))


def make_plan(
    game: str,
    policies: Sequence[Any],
    seed: int,
    *,
    variant: str | Path | None = None,
    rules: Mapping[str, Any] | RuleSet | None = None,
    seats: str = "rotate",
) -> Plan:
    """Check every argument of a simulation, and compile what it needs.

    Raises
    ------
    ValueError
        For a bad argument; the message names it, its value and what is allowed.
    PolicyError
        For a policy that is not found or does not compile.
    """
    found = load_game(game)
    seed = whole_number("seed", seed, 0, 2**64 - 1)
    rule_set = rules if isinstance(rules, RuleSet) else load_rule_set(found, variant, rules)
    if rule_set.game != found.name:
        raise ValueError(f"rules are those of {rule_set.game!r}, not of {found.name!r}")
    entries = resolve_lineup(policies, found)
    seating = seatings(entries, seats)
    sources = found.sources_of(rule_set.values)
    for e in entries:
        for source in e.ban:
            if source not in sources:
                raise PolicyError(f"policy {e.label!r}: variant {rule_set.variant!r} has no source {source!r}")
    columns = np.array([found.sources.index(s) for s in sources], np.int64)
    with jit.LOCK:
        choose, value = _compile_lineup(entries, found)
        found.warm_up()
        table = _table(entries, found)
        plan = Plan(found, rule_set, entries, seating, seats, seed, sources, columns, choose, value, table)
        # Numba admits a line-up on its first call, and takes a second call made meanwhile for one of a wrong type.
        _play_nothing(plan)
    return plan


def _compile_lineup(entries: Sequence[Entry], game: Game) -> tuple[tuple, tuple]:
    idle_choose, idle_value = _idle(game)
    choose, value = [idle_choose] * MAX_SEATS, [idle_value] * MAX_SEATS
    for i, e in enumerate(entries):
        (value if e.policy.is_heuristic else choose)[i] = compile_entry(e.policy, game)
    return tuple(choose), tuple(value)


@cache
def _idle(game: Game) -> tuple[Any, Any]:
    if jit.UNCOMPILED:
        return block.idle_choose, block.idle_value
    return (
        jit.compile_policy(block.idle_choose, game.choose_type, cached=True)[0],
        jit.compile_policy(block.idle_value, game.value_type, cached=True)[0],
    )


def _table(entries: Sequence[Entry], game: Game) -> np.ndarray:
    table = np.zeros(len(entries), block.ENTRY)
    for i, e in enumerate(entries):
        table[i].kind = block.VALUE if e.policy.is_heuristic else block.CHOOSE
        table[i].ban = sum(1 << game.sources.index(s) for s in e.ban)
        table[i].random = e.random
        table[i].weights[: len(e.weights)] = e.weights
    return table


def empty_results(plan: Plan, games: int) -> dict[str, np.ndarray]:
    """Zeroed result arrays of `games` playouts."""
    seats, sources, facts = len(plan.entries), len(plan.sources), len(plan.game.facts)
    shapes = {
        "score": ("i2", (games, seats)),
        "points": ("i2", (games, seats, sources)),
        "pieces": ("i2", (games, seats, sources)),
        "facts": ("i2", (games, seats, facts)),
        "share": ("f4", (games, seats)),
        "entry": ("i2", (games, seats)),
        "deal": ("i8", (games,)),
        "decisions": ("i4", (games,)),
        "options": ("i4", (games,)),
        "forced": ("i4", (games,)),
    }
    size = sum(np.dtype(dtype).itemsize * math.prod(shape) for dtype, shape in shapes.values())
    if size > _memory():
        raise ValueError(
            f"games: {games:,} playouts take {size / 1e9:,.0f} GB, more memory than there is; play fewer at a time, or "
            'a study with keep = "tallies"'
        )
    return {name: np.zeros(shape, dtype) for name, (dtype, shape) in shapes.items()}


@cache
def _memory() -> float:
    """Bytes of memory of this machine, if it says."""
    try:
        return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, OSError, ValueError):
        return float("inf")


def new_scratch(game: Game) -> block.Scratch:
    """Two blank state records and their memory as words."""
    states = np.zeros(2, game.state)
    return block.Scratch(states, states.view(np.uint8).view(np.uint64).reshape(2, -1))


def no_trace(game: Game) -> block.Trace:
    """A trace that records nothing."""
    words = game.state.itemsize // 8
    return block.Trace(np.zeros((0, 6), np.int64), np.zeros(0, np.uint64), np.zeros((0, words), np.uint64))


def play_range(plan: Plan, first: int, results: Mapping[str, np.ndarray], trace: block.Trace | None = None) -> None:
    """Play the playouts `first`, `first + 1`, ... into the rows of `results`, in this thread.

    Raises
    ------
    PolicyError
        If a policy returned an illegal action or no value, or raised.
    GameError
        If a game did not end within its bound of decisions.
    """
    scratch = new_scratch(plan.game)
    fault = np.zeros(5, np.int64)
    out = block.Out(**{name: results[name] for name in ARRAYS}, fault=fault)
    job = block.Job(np.uint64(plan.seed), first, plan.limit, plan.seating, plan.columns, len(plan.game.sources))
    try:
        with np.errstate(over="ignore" if jit.UNCOMPILED else "warn"):
            plan.game.play_block(
                job,
                plan.rules.record,
                plan.choose,
                plan.value,
                plan.table,
                scratch,
                out,
                trace if trace is not None else no_trace(plan.game),
            )
    except Exception as error:
        fault[2] = scratch.states[0].mover
        where = _where(plan, fault)
        raise PolicyError(f"{where} raised {type(error).__name__}: {error}") from None
    if fault[0] != block.NO_FAULT:
        raise _fault(plan, fault)


def _play_nothing(plan: Plan) -> None:
    play_range(plan, 0, empty_results(plan, 0))


def _where(plan: Plan, fault: np.ndarray) -> str:
    index, seat = int(fault[1]), int(fault[2])
    found = plan.entries[plan.seating[index % len(plan.seating), seat]]
    kind = "heuristic" if found.policy.is_heuristic else "policy"
    return f"{kind} {found.label!r} ({found.policy.place}), seed {plan.seed}, game index {index}, seat {seat},"


def _fault(plan: Plan, fault: np.ndarray) -> Exception:
    kind, index, _, action, phase = (int(x) for x in fault)
    where = _where(plan, fault)
    if kind == block.ENDLESS:
        return GameError(
            f"{plan.game.name}: game index {index} of seed {plan.seed} has not ended after "
            f"{plan.limit:,} decisions, its stated bound"
        )
    decision = plan.game.phases[phase]
    if kind == block.NO_BEST:
        return PolicyError(f"{where} gave no legal action of {decision} a number as its value (NaN or -inf)")
    return PolicyError(f"{where} returned action {action} at {decision}, which is not legal there")


def default_threads() -> int:
    """How many threads to use when nobody says: the cores granted to this process."""
    for name in ("SLURM_CPUS_PER_TASK", "SLURM_CPUS_ON_NODE"):  # without cgroups, a job may see every core
        granted = os.environ.get(name, "")
        if granted.isdigit() and int(granted) > 0:
            return int(granted)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1)


def simulate(
    game: str,
    policies: Sequence[Any],
    games: int,
    seed: int,
    *,
    variant: str | Path | None = None,
    rules: Mapping[str, Any] | RuleSet | None = None,
    seats: str = "rotate",
    first_deal: int = 0,
    threads: int | None = None,
    progress: bool | Progress = False,
) -> Playouts:
    """Play many games and keep every score.

    Parameters
    ----------
    game : str
        A name of `engine.games`.
    policies : sequence
        One entry a seat: a built-in name, ``"path/to/file.py:name"``, a decorated function or `engine.entry`.
    games : int
        Playouts; rounded up to whole deals, each of which is played once from every seating.
    seed : int
        Non-negative. The result depends on game, rules, policies, seed and game index, and on nothing else.
    variant : str or path, optional
        A shipped variant or a TOML file of your own.
    rules : mapping or RuleSet, optional
        Rule names and values to change, such as ``{"trio_points": 6}``.
    seats : str
        ``"fixed"``, ``"rotate"`` or ``"permute"``; see `engine.lineup.seatings`.
    first_deal : int
        Where to start; two ranges of deals, joined, equal one call.
    threads : int, optional
        By default the cores granted to this process.
    progress : bool or callable
        True for a line on stderr; a callable is given (games done, games in all).

    Returns
    -------
    Playouts

    Raises
    ------
    ValueError
        For a bad argument, named with its value and what is allowed.
    PolicyError
        For a policy that does not compile, returns an illegal action or raises.
    """
    games = whole_number("games", games, 1, MOST_GAMES)
    first_deal = whole_number("first_deal", first_deal, 0, MOST_GAMES)
    threads = default_threads() if threads is None else whole_number("threads", threads, 1)
    plan = make_plan(game, policies, seed, variant=variant, rules=rules, seats=seats)
    return run_plan(plan, games, first_deal=first_deal, threads=threads, progress=progress)


def run_plan(
    plan: Plan, games: int, *, first_deal: int = 0, threads: int = 1, progress: bool | Progress = False
) -> Playouts:
    """Play a plan's games; `games` is rounded up to whole deals."""
    per_deal = len(plan.seating)
    games = -(-games // per_deal) * per_deal
    results = empty_results(plan, games)
    tell = _progress_line() if progress is True else progress
    first = first_deal * per_deal

    def play(start: int) -> int:
        stop = min(start + BLOCK, games)
        play_range(plan, first + start, {name: array[start:stop] for name, array in results.items()})
        return stop - start

    starts = range(0, games, BLOCK)
    done = 0
    if threads == 1 or len(starts) == 1:
        for start in starts:
            done += play(start)
            if tell:
                tell(done, games)
    else:
        with ThreadPoolExecutor(threads) as pool:
            try:
                for played in pool.map(play, starts):
                    done += played
                    if tell:
                        tell(done, games)
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise
    return as_playouts(plan, results)


def as_playouts(plan: Plan, results: Mapping[str, np.ndarray]) -> Playouts:
    """Filled result arrays with what was played."""
    return Playouts(
        **results,
        sources=plan.sources,
        fact_names=plan.game.facts,
        policies=tuple(e.label for e in plan.entries),
        game=plan.game.name,
        variant=plan.rules.variant,
        rules=plan.rules,
        seats=plan.seats,
        seed=plan.seed,
    )


def _progress_line() -> Progress:
    """Print games done, games a second and the time left on one line of stderr."""
    began = last = time.monotonic()

    def tell(done: int, total: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last > 0.2 or done == total:
            last = now
            rate = done / max(now - began, 1e-9)
            left = (total - done) / rate
            end = "\n" if done == total else ""
            sys.stderr.write(f"\r{done:,} of {total:,} games, {rate:,.0f} a second, {left:.0f} s left  {end}")
            sys.stderr.flush()

    return tell
