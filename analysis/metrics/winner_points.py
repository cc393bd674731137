"""What the winner's points are made of."""

from typing import Any

import numpy as np

from analysis import frames, stats
from analysis.counting import SIXTIETHS

QUANTITIES = ("winner_points", "winner_share", "others_points", "others_share")


def winner_points(result: Any, *, level: float = 0.95) -> Any:
    """Points of winners and of the others by source, all policies and seats together.

    Returns
    -------
    DataFrame
        Columns ``source, quantity``, then `analysis.stats.COLUMNS`; n counts games. A seat that shares a win with
        k - 1 others is 1/k winner.

        - ``winner_points``, ``others_points``: the means
        - ``winner_share``, ``others_share``: the source's part of all their points
    """
    clusters = frames.clusters_of(result)
    won = clusters.source_sums("points_sixtieths").sum(1)
    lost = clusters.source_sums("points").sum(1) * SIXTIETHS - won
    wins = clusters.game_sums("playouts")[:, None] * SIXTIETHS
    how: dict[str, Any] = {"n": np.full(len(clusters.sources), len(result)), "level": level}
    parts = [
        stats.ratio(won, wins, **how),
        stats.ratio(won, won.sum(1, keepdims=True), **how),
        stats.ratio(lost, wins * (clusters.n_seats - 1), **how),
        stats.ratio(lost, lost.sum(1, keepdims=True), **how),
    ]
    labels = {
        "source": np.tile(np.array(clusters.sources, object), len(parts)),
        "quantity": np.repeat(np.array(QUANTITIES, object), len(clusters.sources)),
    }
    return frames.table(labels, stats.stack(parts))
