"""A person at the table: one seat of a game asks what to do, decision by decision.

The person is a policy like any other, which calls back into Python; so the kernel, the rules and the dice are
those of every simulation, and a game played by hand can be replayed.
"""

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba.core.errors import NumbaWarning

from engine import block
from engine.errors import MOST_GAMES, PolicyError, whole_number
from engine.games import load_game
from engine.policy import policy
from engine.run import Plan, empty_results, make_plan, play_range
from engine.transcript import Transcript, blank_trace, finished, legal_actions, table_rows

YOU = "you"


@dataclass(frozen=True, eq=False)
class Position:
    """What has happened so far, and the decision in front of the person. States are complete: hide what is hidden."""

    plan: Plan
    seat: int
    rows: np.ndarray  # TRACE_DTYPE (n,): the decisions so far
    states: np.ndarray  # state record (n + 1,): in front of each of them, then the present one
    actions: list[int]  # the legal ones, ascending


def play_with(
    ask: Callable[[Position], int],
    game: str,
    policies: Sequence[Any],
    *,
    seat: int = 0,
    seed: int = 1,
    index: int = 0,
    variant: str | Path | None = None,
    rules: Mapping[str, Any] | None = None,
) -> Transcript:
    """Play one game in which `ask` decides for one seat.

    Parameters
    ----------
    ask : callable
        Given a `Position`, returns one of its actions. What it raises ends the game and is raised again.
    game : str
    policies : sequence
        The other seats' policies, clockwise from seat 0.
    seat : int
        Where the person sits.
    seed, index : int
        Which deal: with the same ones the same deal and dice come again.
    variant, rules
        As for `engine.simulate`.

    Raises
    ------
    ValueError, PolicyError
        As `engine.simulate`; a ValueError if `ask` returns an action that is not legal.
    """
    found = load_game(game)
    seat = whole_number("seat", seat, 0, min(len(policies), found.seats[1] - 1))
    index = whole_number("index", index, 0, MOST_GAMES)
    asking = _Asking(ask, seat)
    lineup = list(policies)
    lineup.insert(seat, asking.as_policy(found.name))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NumbaWarning)  # calling Python is slow, as a person is
        plan = make_plan(game, lineup, seed, variant=variant, rules=rules, seats="fixed")
    asking.plan, asking.trace = plan, blank_trace(plan)
    results = empty_results(plan, 1)
    try:
        play_range(plan, index, results, asking.trace)
    except PolicyError:
        if asking.error is not None:
            raise asking.error from None
        raise
    return finished(plan, index, results, asking.trace)


class _Asking:
    """The person's side of the running game."""

    plan: Plan
    trace: block.Trace

    def __init__(self, ask: Callable[[Position], int], seat: int):
        self.ask, self.seat = ask, seat
        self.error: BaseException | None = None

    def as_policy(self, game: str) -> Any:
        """A policy that asks; no exception may cross compiled code, so -1, which is never legal, ends the game."""
        answer = self.answer

        def you(state, rules, legal, weights):
            """Asks the person."""
            with numba.objmode(action="int64"):
                action = answer(legal)
            return action

        return policy(game, name=YOU)(you)

    def answer(self, legal: Any) -> int:
        """The action that the person wants."""
        try:
            played = int(np.count_nonzero(self.trace.rows[:, 1] >= 0))
            actions = legal_actions(legal)
            states = self.trace.words[: played + 1].copy().view(np.uint8).view(self.plan.game.state).reshape(played + 1)
            action = self.ask(Position(self.plan, self.seat, table_rows(self.trace.rows[:played]), states, actions))
            if action not in actions:
                raise ValueError(f"action must be one of {actions}, not {action!r}")
        except BaseException as error:  # raised again by play_with
            self.error = error
            return -1
        return int(action)
