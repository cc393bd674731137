"""Examines a policy: compiles, plays legally, does not peek, does not write, how fast and how strong it is.

A policy peeks if it chooses otherwise when everything that its seat cannot know is drawn again (`Game.redeal`).
"""

import threading
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

import engine
from analysis import metrics
from engine.errors import MOST_GAMES, PolicyError, unknown, whole_number
from engine.policy import Entry, compile_entry, find_policy, resolve_entry
from engine.transcript import legal_actions

OTHER_STREAM = np.array([12345, 6789 | 1], np.uint64)
LEGAL_GAMES = 40  # of each variant and number of players
PATIENCE = 60.0  # seconds for these
STEP = 3  # every how many decisions hidden information is drawn again
SPEED_SECONDS = 0.5
MOST_WEIGHTS = 32


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at."""

    name: str
    passed: bool | None  # None where there is nothing to pass
    text: str


def find_game(spec: Any, game: str | None = None) -> str:
    """The game that a policy plays.

    Raises
    ------
    PolicyError
        If the policy is not found, or does not play `game`.
    """
    names = [game] if game is not None else engine.games()
    errors = []
    for name in names:
        try:
            found = find_policy(spec, engine.load_game(name))
        except PolicyError as error:
            errors.append(error)
            continue
        if game is None and isinstance(spec, str) and found.is_built_in:
            raise PolicyError(f"policy {spec!r} is built in; which game's: {', '.join(names)}?")
        return name
    raise errors[0]


def check_policy(spec: Any, game: str | None = None, *, games: int = 4_000, seed: int = 1) -> Iterator[Finding]:
    """Look at a policy, one finding after another; the first that fails so that others make no sense is the last.

    Parameters
    ----------
    spec : str or Policy
        ``path/to/file.py:name``, a built-in name or a decorated function.
    game : str, optional
        By default the one that the policy says.
    games : int
        For the win share, in each field.
    seed : int

    Raises
    ------
    PolicyError
        If there is no such policy.
    ValueError
        For bad `games` or an unknown game.
    """
    games = whole_number("games", games, 1, MOST_GAMES)
    if game is not None and game not in engine.games():
        raise ValueError(unknown("game", game, engine.games()))
    found = engine.load_game(find_game(spec, game))
    entry = resolve_entry(spec, found)
    try:
        compile_entry(entry.policy, found)
    except PolicyError as error:
        yield Finding("compiles", False, str(error))
        return
    yield Finding("compiles", True, f"a {'heuristic' if entry.policy.is_heuristic else 'policy'} of {found.title}")
    legal = _plays_legally(spec, found, seed)
    yield legal
    if not legal.passed:
        return
    yield from _peeks_and_writes(spec, entry, found, seed)
    yield _speed(spec, found, seed)
    for field in ("greedy", "random"):
        if field in found.policies and entry.policy is not found.policies[field]:
            yield _strength(spec, field, found, games, seed)


def _tables(game: Any) -> list[tuple[str, int]]:
    """Every shipped variant and number of players."""
    low, high = game.seats
    return [(variant, seats) for variant in engine.variants(game) for seats in range(low, high + 1)]


def _plays_legally(spec: Any, game: Any, seed: int) -> Finding:
    played = 0
    game.warm_up()
    for variant, seats in _tables(game):
        for others in ("random", spec):
            lineup = [spec, *[others] * (seats - 1)]
            try:
                done = _within(
                    PATIENCE, engine.simulate, game.name, lineup, LEGAL_GAMES, seed, variant=variant, threads=1
                )
            except PolicyError as error:
                return Finding("plays legally", False, f"{variant}, {seats} players: {error}")
            if done is None:
                says = f"{LEGAL_GAMES} games have not ended after {PATIENCE:g} s; is there a loop without an end?"
                return Finding("plays legally", False, f"{variant}, {seats} players: {says}")
            played += len(done)
    where = f"{len(engine.variants(game))} variants, {game.seats[0]} to {game.seats[1]} players"
    return Finding("plays legally", True, f"{played:,} games, {where}")


def _within(seconds: float, function: Callable, *arguments: Any, **options: Any) -> Any:
    """What a function gives or raises; None if it takes longer, and then its thread goes on until the process ends."""
    box: list[Any] = []

    def call() -> None:
        try:
            box.append(function(*arguments, **options))
        except BaseException as error:
            box.append(error)

    thread = threading.Thread(target=call, daemon=True)
    thread.start()
    thread.join(seconds)
    if box and isinstance(box[0], BaseException):
        raise box[0]
    return box[0] if box else None


# ---------------------------------------------------------------------------------------------------------
# What a seat may know
# ---------------------------------------------------------------------------------------------------------
def _peeks_and_writes(spec: Any, entry: Entry, game: Any, seed: int) -> Iterator[Finding]:
    asked, peeks, writes, outside = 0, "", "", ""
    for variant, seats in _tables(game):
        told = engine.replay(game.name, [spec, *["random"] * (seats - 1)], seed, 0, variant=variant, seats="fixed")
        rules = told.plan.rules.record
        for i in range(0, len(told.rows), STEP):
            state, mask = told.states[i : i + 1], told.legal[i]
            asked += 1
            here = f"{variant}, {seats} players, decision {i} of game 0 of seed {seed}"
            mine, before = _clone(state), rules.tobytes()
            says = _answers(entry, game, mine, mask, rules)
            mine[0].own = state[0].own
            outside = outside or _reads_outside(entry, _clone(state), mask, rules.copy())
            if mine.tobytes() != state.tobytes() or rules.tobytes() != before:
                writes = writes or f"{here}: it changed the {'rules' if rules.tobytes() != before else 'state'}"
            other = _answers(entry, game, _redealt(told.plan, state), mask, rules)
            if not np.array_equal(says, other, equal_nan=True):
                peeks = peeks or f"{here}: {_difference(told, i, entry, says, other)}"
    yield Finding(
        "does not peek",
        not peeks,
        peeks or f"{asked:,} decisions, the same choice when everything its seat cannot know is drawn again",
    )
    yield Finding("does not write", not writes, writes or f"{asked:,} decisions, state and rules as before")
    yield Finding("stays inside arrays", not outside, outside or f"{asked:,} decisions, read in plain Python")


def _clone(state: Any) -> Any:
    """A copy with its padding bytes, which NumPy's own copy leaves to chance."""
    return np.frombuffer(bytearray(state.tobytes()), state.dtype)


def _redealt(plan: Any, state: Any) -> Any:
    """A copy in which everything that the mover cannot know is drawn again."""
    copy = _clone(state)
    seat = int(copy[0].mover)
    own = copy[0].own[seat].copy()
    copy[0].own[seat] = OTHER_STREAM
    plan.game.functions["redeal"](copy[0], plan.rules.record[0], seat)
    copy[0].own[seat] = own
    return copy


def _answers(entry: Entry, game: Any, state: Any, mask: Any, rules: Any) -> np.ndarray:
    """The policy's action, or a heuristic's value of each legal action."""
    weights = np.zeros(MOST_WEIGHTS)
    weights[: len(entry.weights)] = entry.weights
    function = compile_entry(entry.policy, game)
    if entry.policy.is_heuristic:
        return np.array([function(state[0], rules[0], a, weights) for a in legal_actions(mask)])
    return np.array([function(state[0], rules[0], mask, weights)], float)


def _reads_outside(entry: Entry, state: Any, mask: Any, rules: Any) -> str:
    """Where the function reads beyond an array, which compiled code does not notice; empty if it does not."""
    weights, last = np.array(entry.weights), legal_actions(mask)[-1] if entry.policy.is_heuristic else mask
    try:
        with np.errstate(all="ignore"):
            entry.policy.function(state[0], rules[0], last, weights)
    except IndexError as error:
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__)]
        return f"line {lines[-1]}: {error}; weights declared: {len(weights)}"
    except Exception:  # plain Python differs in some ways from what is compiled
        return ""
    return ""


def _difference(told: Any, i: int, entry: Entry, says: np.ndarray, other: np.ndarray) -> str:
    """Two answers in words."""
    plan, state = told.plan, told.states[i]
    words = plan.game.text.action_words
    if not entry.policy.is_heuristic:
        a, b = (words(state, plan.rules, int(x[0])) for x in (says, other))
        return f"chose {a!r}, and {b!r} with other hidden information"
    k = int(np.flatnonzero(says != other)[0])
    name = words(state, plan.rules, legal_actions(told.legal[i])[k])
    return f"valued {name!r} at {says[k]:g}, and at {other[k]:g} with other hidden information"


# ---------------------------------------------------------------------------------------------------------
# Speed and strength
# ---------------------------------------------------------------------------------------------------------
def _seats(game: Any) -> int:
    return min(4, game.seats[1])


def _games_a_second(spec: Any, game: Any, seed: int) -> float:
    engine.simulate(game.name, [spec] * _seats(game), 1, seed, threads=1)  # compiles what it needs
    games = 16
    while True:
        began = time.perf_counter()
        played = len(engine.simulate(game.name, [spec] * _seats(game), games, seed, threads=1))
        seconds = time.perf_counter() - began
        if seconds > SPEED_SECONDS / 2 or games > 200_000:
            return played / seconds
        games *= 4


def _speed(spec: Any, game: Any, seed: int) -> Finding:
    rate = _games_a_second(spec, game, seed)
    text = f"{rate:,.0f} games a second on one core, {_seats(game)} players who all play it"
    if "greedy" in game.policies:
        greedy = _games_a_second("greedy", game, seed)
        text += f"; greedy makes {greedy:,.0f}, so it is {rate / greedy:.2g} times as fast"
    return Finding("speed", None, text)


def _strength(spec: Any, field: str, game: Any, games: int, seed: int) -> Finding:
    others = _seats(game) - 1
    focus = engine.entry(spec, label="the policy")
    play = engine.simulate(game.name, [focus, *[field] * others], games, seed)
    row = metrics.win_rates(play).set_index("policy").loc["the policy"]
    text = (
        f"wins {100 * row.estimate:.1f} % ({100 * row.low:.1f} to {100 * row.high:.1f}) against {others} {field}; "
        f"even is {100 / _seats(game):.1f} %; 95 % interval, "
        f"n = {len(play):,} games of {play.n_deals:,} deals, every seat alike"
    )
    return Finding(f"against {field}", None, text)
