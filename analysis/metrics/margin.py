"""How close games are: the winner's lead."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from analysis import frames, stats
from analysis.counting import BINS, LOWEST
from analysis.tallies import Tallies
from engine.errors import whole_number

WITHIN = (0, 1, 2, 3, 5, 10)


def margin(result: Any, within: Sequence[int] = WITHIN, *, level: float = 0.95) -> Any:
    """The winner's score less the best of the others, 0 where the win is shared.

    Parameters
    ----------
    result : Playouts or Tallies
    within : sequence of int
        Leads of interest, in points; for tallies below 95, the last bin.
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
    ValueError
        If `within` or `level` is not allowed, or there are no games.
    """
    highest = LOWEST + BINS - 2 if isinstance(result, Tallies) else None
    within = [whole_number("within", k, 0, highest) for k in within]
    clusters = frames.clusters_of(result)
    games = clusters.game_sums("playouts")[:, None]
    parts = [stats.ratio(clusters.game_sums("lead")[:, None], games, level=level)]
    if within:
        close = clusters.close_sums(within)
        n = np.full(len(within), len(result))
        parts.append(stats.proportion(close, games, deals=clusters.deals, n=n, level=level))
    labels = {"quantity": ["lead"] + ["within"] * len(within), "points": [float("nan"), *within]}
    return frames.table(labels, stats.stack(parts))
