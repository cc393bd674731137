"""The board of a seat as a picture: a zoo of Draftosaurus, a playmat of Sauros, a museum of Dino Museum."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from analysis.plots import style
from analysis.plots.boards import DRAW
from engine.errors import unknown, whole_number
from engine.games import TABLE, load_game
from engine.ruleset import RuleSet, load_rule_set
from engine.transcript import Transcript


def plot(
    what: Any,
    *,
    seat: int = 0,
    step: int | None = None,
    rules: RuleSet | None = None,
    ax: Any = None,
    title: str | None = None,
    scale: float = 1.0,
) -> Any:
    """Draw the board of one seat.

    Parameters
    ----------
    what : Transcript or state record
        A game told by `engine.replay`, or one of its states.
    seat : int
    step : int, optional
        Of a transcript: how many decisions have been made; by default the last state in which a board lies there,
        with the points of the game.
    rules : RuleSet, optional
        For a state: the rules it was played by, where they are not the game's own.
    ax, title, scale
        As in `analysis.plots.win_rates`.

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        If the seat or the step does not exist, or there is no drawing for the game.
    TypeError
        If `what` is neither.
    """
    points: Mapping[str, int] = {}
    if isinstance(what, Transcript):
        game, rules = what.plan.game, what.plan.rules
        state, last = _state_at(what, step)
    else:
        game, state = _game_of(what)
        rules, last = rules or load_rule_set(game), False
    if game.name not in DRAW:
        raise ValueError(unknown("a drawing of the boards of", game.name, DRAW))
    seat = whole_number("seat", seat, 0, int(state.seats) - 1)
    if last:
        points = dict(zip(what.result.sources, map(int, what.result.points[0, seat]), strict=True))
    drawing = DRAW[game.name]
    width, height = drawing.size(state, rules, seat)
    with style.look(scale):
        ax = style.axes_for(ax, style.WIDTH * height / width + (0.35 if title else 0), scale)
        ax.set_xlim(-0.02 * width, 1.02 * width)
        ax.set_ylim(-0.02 * height, 1.02 * height)
        ax.set_aspect("equal")
        ax.set_axis_off()
        drawing.draw(ax, state, rules, seat, points)
        if title is not None:
            ax.set_title(title)
    return ax


def _state_at(told: Transcript, step: int | None) -> tuple[Any, bool]:
    """A state of a transcript, and whether it is the end of the game."""
    n = len(told.rows)
    if step is not None:
        step = whole_number("step", step, 0, n)
        return told.states[step], step == n
    # Sauros clears its mats when a round is scored: the last ones lie in front of the last decision.
    final = told.states[-1]
    cleared = "tile" in (final.dtype.names or ()) and (final["tile"] < 0).all()
    return told.states[n - 1] if cleared else final, True


def _game_of(state: Any) -> tuple[Any, Any]:
    """The game that a state belongs to, and the state as one record."""
    if isinstance(state, np.ndarray) and state.dtype.names and state.size == 1:
        state = state.reshape(1)[0]
    if isinstance(state, np.void):
        for name in TABLE:
            game = load_game(name)
            if state.dtype == game.state:
                return game, state
    raise TypeError(f"what must be a transcript of engine.replay or one of its states, not {type(state).__name__}")
