"""replay() and trace(): one game as text that a person can follow, and decisions as rows.

A game's text module turns states into words. `before` and `after` are the states around a decision, `rules` is the
`RuleSet`, `row` a row of `TRACE_DTYPE`:

=============================================  =================================================================
``opening(state, rules, names)``               who sits where, and what the words stand for
``decision(before, after, rules, row)``        one decision with all that is open and hidden; may be empty
``ending(state, rules, result, names)``        points by source, and who wins
``action_words(state, rules, action)``         an action of the mover, as a person would say it
``view(state, rules, seat)``                   what the seat sees in front of its decision, and no more
``news(before, after, rules, row, seat)``      what the seat learns of a decision, and no more; may be empty
``moment(states)``                             the turn or round of each state, from 0
=============================================  =================================================================
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from engine import block
from engine.errors import MOST_GAMES, whole_number
from engine.playouts import Playouts
from engine.ruleset import RuleSet
from engine.run import Plan, as_playouts, empty_results, make_plan, play_range

TRACE_DTYPE = np.dtype(
    [
        ("game", "i8"),  # playout index
        ("ply", "i4"),  # number of the decision in its game, from 0
        ("seat", "i2"),
        ("phase", "i2"),  # kind of decision, by Game.phases
        ("action", "i2"),
        ("n_legal", "i2"),  # number of legal actions
    ]
)


@dataclass(frozen=True, eq=False)
class Transcript:
    """One game, decision by decision; ``str()`` is the text."""

    plan: Plan
    index: int
    rows: np.ndarray  # TRACE_DTYPE (n_decisions,)
    legal: np.ndarray  # uint64 (n_decisions,): masks of the legal actions
    states: np.ndarray  # state record (n_decisions + 1,): in front of each decision, then the final one
    result: Playouts  # one row

    def steps(self) -> list[str]:
        """The text in pieces: the opening, each decision or round of simultaneous ones, the ending."""
        text, rules = self.plan.game.text, self.plan.rules
        names = [self.result.policies[e] for e in self.result.entry[0]]
        parts = [text.opening(self.states[0], rules, names)]
        for i, row in enumerate(self.rows):
            says = text.decision(self.states[i], self.states[i + 1], rules, row)
            if says:
                parts.append(says)
        parts.append(text.ending(self.states[-1], rules, self.result, names))
        return parts

    def head(self) -> list[str]:
        """What was played, in two lines."""
        plan = self.plan
        line = (
            f"{plan.game.title} ({plan.rules.variant}), {len(plan.entries)} players, seed {plan.seed}, "
            f"game index {self.index}, seats {plan.seats}"
        )
        return [line, "=" * len(line)]

    def __str__(self) -> str:
        return "\n".join([*self.head(), *self.steps()])


def replay(
    game: str,
    policies: Sequence[Any],
    seed: int,
    index: int,
    *,
    variant: str | Path | None = None,
    rules: Mapping[str, Any] | RuleSet | None = None,
    seats: str = "rotate",
) -> Transcript:
    """Play one game of a simulation again and tell it: die, hands, choices, boards, points.

    Parameters are those of `simulate`; `index` is the playout's index (`deal * n_seatings + r`).

    Raises
    ------
    ValueError, PolicyError
        As `simulate`.
    """
    index = whole_number("index", index, 0, MOST_GAMES)
    plan = make_plan(game, policies, seed, variant=variant, rules=rules, seats=seats)
    return record_game(plan, index)


def record_game(plan: Plan, index: int) -> Transcript:
    """Play one playout of a plan and keep every decision and state."""
    trace_arrays, results = blank_trace(plan), empty_results(plan, 1)
    play_range(plan, index, results, trace_arrays)
    return finished(plan, index, results, trace_arrays)


def transcripts(
    game: str,
    policies: Sequence[Any],
    games: int,
    seed: int,
    *,
    variant: str | Path | None = None,
    rules: Mapping[str, Any] | RuleSet | None = None,
    seats: str = "rotate",
    first_deal: int = 0,
) -> Iterator[Transcript]:
    """Many games, one after another, each with every decision and state; parameters are those of `simulate`."""
    games = whole_number("games", games, 1, MOST_GAMES)
    first_deal = whole_number("first_deal", first_deal, 0, MOST_GAMES)
    plan = make_plan(game, policies, seed, variant=variant, rules=rules, seats=seats)
    per_deal = len(plan.seating)
    first = first_deal * per_deal
    return (record_game(plan, index) for index in range(first, first + -(-games // per_deal) * per_deal))


def blank_trace(plan: Plan) -> block.Trace:
    """Room for one playout's decisions and states; the ply of a row is -1 until the decision is made."""
    rows, words = plan.limit, plan.game.state.itemsize // 8
    trace_arrays = block.Trace(
        np.zeros((rows, 6), np.int64), np.zeros(rows, np.uint64), np.zeros((rows + 1, words), np.uint64)
    )
    trace_arrays.rows[:, 1] = -1
    return trace_arrays


def finished(plan: Plan, index: int, results: Mapping[str, np.ndarray], trace_arrays: block.Trace) -> Transcript:
    """The transcript of a playout that has been played into `results` and `trace_arrays`."""
    n = int(results["decisions"][0])
    return Transcript(
        plan,
        index,
        table_rows(trace_arrays.rows[:n]),
        trace_arrays.legal[:n],
        trace_arrays.words[: n + 1].view(np.uint8).view(plan.game.state).reshape(n + 1),
        as_playouts(plan, results),
    )


def table_rows(table: np.ndarray) -> np.ndarray:
    """Rows of a trace as `TRACE_DTYPE`."""
    rows = np.zeros(len(table), TRACE_DTYPE)
    for i, name in enumerate(TRACE_DTYPE.names or ()):
        rows[name] = table[:, i]
    return rows


def trace(
    game: str,
    policies: Sequence[Any],
    games: int,
    seed: int,
    *,
    variant: str | Path | None = None,
    rules: Mapping[str, Any] | RuleSet | None = None,
    seats: str = "rotate",
    first_deal: int = 0,
) -> np.ndarray:
    """The decisions of many games as rows.

    Parameters are those of `simulate`.

    Returns
    -------
    rows : structured ndarray, `TRACE_DTYPE`
        One row a decision; ``pandas.DataFrame(rows)`` is the table.

    Raises
    ------
    ValueError, PolicyError
        As `simulate`.
    """
    games = whole_number("games", games, 1, MOST_GAMES)
    first_deal = whole_number("first_deal", first_deal, 0, MOST_GAMES)
    plan = make_plan(game, policies, seed, variant=variant, rules=rules, seats=seats)
    per_deal = len(plan.seating)
    games = -(-games // per_deal) * per_deal
    first = first_deal * per_deal
    parts = []
    words = plan.game.state.itemsize // 8
    for start in range(0, games, 1024):
        n = min(1024, games - start)
        results = empty_results(plan, n)
        arrays = block.Trace(
            np.zeros((n * plan.limit, 6), np.int64),
            np.zeros(n * plan.limit, np.uint64),
            np.zeros((0, words), np.uint64),
        )
        play_range(plan, first + start, results, arrays)
        parts.append(table_rows(arrays.rows[: int(results["decisions"].sum())]))
    return np.concatenate(parts)


def legal_actions(mask: np.uint64) -> list[int]:
    """The actions of a mask, ascending."""
    return [a for a in range(64) if (int(mask) >> a) & 1]
