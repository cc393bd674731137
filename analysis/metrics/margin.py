"""How close games are: the winner's lead."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from analysis import frames, stats
from analysis.metrics._lead import leads, playouts_only
from engine.errors import whole_number

WITHIN = (0, 1, 2, 3, 5, 10)


def margin(result: Any, within: Sequence[int] = WITHIN, *, level: float = 0.95) -> Any:
    """The winner's score less the best of the others, 0 where the win is shared.

    Parameters
    ----------
    result : Playouts
        Tallies do not keep single games.
    within : sequence of int
        Leads of interest, in points.
    level : float
        Confidence level of the intervals.

    Returns
    -------
    DataFrame
        Columns ``quantity, points``, then `analysis.stats.COLUMNS`; n counts games.

        - ``lead``: the mean lead (``points`` is NaN)
        - ``within``: the proportion of games with a lead of at most that many ``points``

    Raises
    ------
    TypeError
        If the result is no Playouts.
    ValueError
        If `within` or `level` is not allowed, or there are no games.
    """
    play = playouts_only(result, "margin")
    within = [whole_number("within", k, 0) for k in within]
    clusters = frames.clusters_of(play)
    starts = np.flatnonzero(np.r_[True, play.deal[1:] != play.deal[:-1]])
    lead = leads(play)
    games = clusters.game_sums("playouts")[:, None]
    parts = [stats.ratio(np.add.reduceat(lead, starts)[:, None], games, level=level)]
    if within:
        close = np.add.reduceat(lead[:, None] <= np.array(within), starts, axis=0, dtype=np.int64)
        n = np.full(len(within), len(play))
        parts.append(stats.proportion(close, games, deals=clusters.deals, n=n, level=level))
    labels = {"quantity": ["lead"] + ["within"] * len(within), "points": [float("nan"), *within]}
    return frames.table(labels, stats.stack(parts))
