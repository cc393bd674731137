"""What each source of points (a pen, an exhibit) is worth to a policy."""

from typing import Any

import numpy as np

from analysis import frames, stats
from analysis.counting import SIXTIETHS

QUANTITIES = ("points", "pieces", "points_per_piece", "share_of_total", "winners_minus_rest")


def source_values(result: Any, *, level: float = 0.95) -> Any:
    """Points and pieces of each source, by policy.

    Returns
    -------
    DataFrame
        Columns ``policy, source, quantity``, then `analysis.stats.COLUMNS`; n counts games times seats.
        Quantities, each for one seat and game:

        - ``points``, ``pieces``: the means
        - ``points_per_piece``: all points over all pieces; NaN with n = 0 if there never was a piece
        - ``share_of_total``: all points of the source over all points
        - ``winners_minus_rest``: mean points of winners less the mean of the others, a seat that shares a win
          with k - 1 others being 1/k winner; NaN with n = 0 if the policy always or never won
    """
    clusters = frames.clusters_of(result)
    points, pieces, won_points = (clusters.source_sums(of) for of in ("points", "pieces", "points_sixtieths"))
    games, won = (frames.pool(clusters.seat_sums(of), "policy") for of in ("games", "sixtieths"))
    parts = []
    for p in range(len(clusters.policies)):
        played, wins = games[:, p, None], won[:, p, None]
        mine, held, by_win = points[:, p], pieces[:, p], won_points[:, p]
        how: dict[str, Any] = {"n": np.full(len(clusters.sources), played.sum()), "level": level}
        lost = (mine * SIXTIETHS - by_win, played * SIXTIETHS - wins)
        parts += [
            stats.ratio(mine, played, **how),
            stats.ratio(held, played, **how),
            stats.ratio(mine, held, **how),
            stats.ratio(mine, mine.sum(1, keepdims=True), **how),
            stats.difference([(by_win, wins), lost], **how),
        ]
    sources = len(clusters.sources)
    labels = {
        "policy": np.repeat(np.array(clusters.policies, object), sources * len(QUANTITIES)),
        "source": np.tile(np.array(clusters.sources, object), len(parts)),
        "quantity": np.tile(np.repeat(np.array(QUANTITIES, object), sources), len(clusters.policies)),
    }
    return frames.table(labels, stats.stack(parts))
