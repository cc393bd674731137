"""How often a win is shared, and by how many."""

from typing import Any

import numpy as np

from analysis import frames, stats
from engine import Playouts


def ties(result: Any, *, level: float = 0.95) -> Any:
    """The proportion of games that end with a shared win.

    Parameters
    ----------
    result : Playouts or Tallies
        Tallies do not keep how many seats shared.
    level : float
        Confidence level of the intervals.

    Returns
    -------
    DataFrame
        Column ``sharing`` (``"any"``, and for playouts ``"2"``, ``"3"``, ... seats), then `analysis.stats.COLUMNS`;
        n counts games.
    """
    clusters = frames.clusters_of(result)
    games, tied = clusters.game_sums("playouts")[:, None], clusters.game_sums("ties")[:, None]
    names = ["any"]
    if isinstance(result, Playouts):
        counts = np.arange(2, result.n_seats + 1)
        starts = np.flatnonzero(np.r_[True, result.deal[1:] != result.deal[:-1]])
        winners = (result.share > 0).sum(1)[:, None] == counts
        tied = np.concatenate([tied, np.add.reduceat(winners, starts, axis=0, dtype=np.int64)], axis=1)
        names += [str(k) for k in counts]
    n = np.full(len(names), games.sum())
    return frames.table({"sharing": names}, stats.proportion(tied, games, deals=clusters.deals, n=n, level=level))
