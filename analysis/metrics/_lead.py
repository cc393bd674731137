"""The winner's lead, of each game."""

from typing import Any

import numpy as np

from engine import Playouts


def leads(playouts: Playouts) -> np.ndarray:
    """Score of the winning seat less the best score of the others; 0 where a win is shared. int64 (games,).

    It is negative where a game is won by something else than the score.
    """
    winners = playouts.share > 0
    score = playouts.score.astype(np.int64)
    lowest = np.iinfo(np.int64).min
    winner = np.where(winners, score, lowest).max(1)
    others = np.where(winners, lowest, score).max(1)
    return np.where(winners.sum(1) > 1, 0, winner - np.where(winners.all(1), winner, others))


def playouts_only(result: Any, name: str) -> Playouts:
    """The result, if it is playouts with games.

    Raises
    ------
    TypeError
        If it is no Playouts; tallies do not keep games one by one.
    ValueError
        If it has no games.
    """
    if not isinstance(result, Playouts):
        kind = type(result).__name__
        raise TypeError(f'{name} needs Playouts, not {kind}; in a study, keep = "playouts"')
    if not len(result):
        raise ValueError("result has no games")
    return result
