"""What a seat is worth."""

from typing import Any

import numpy as np

from analysis import frames, stats
from analysis.counting import SIXTIETHS


def seat_advantage(result: Any, *, level: float = 0.95) -> Any:
    """Each seat's win share less 1/seats, and its score less the mean of the table.

    Seat 0 is the first player. In a fixed line-up of different policies seats and policies cannot be told
    apart; rotate it, or seat one policy everywhere.

    Returns
    -------
    DataFrame
        Columns ``seat, quantity`` (``"win_share"`` or ``"score"``), then `analysis.stats.COLUMNS`; n counts
        games.
    """
    clusters = frames.clusters_of(result)
    seats = clusters.n_seats
    games, won, score = (frames.pool(clusters.seat_sums(of), "seat") for of in ("games", "sixtieths", "score"))
    shares = stats.proportion(won, games * SIXTIETHS, deals=clusters.deals, n=games.sum(0), level=level).shift(
        -1 / seats
    )
    ahead = score * seats - score.sum(1, keepdims=True)
    margins = stats.ratio(ahead, games * seats, n=games.sum(0), level=level)
    labels = {"seat": np.tile(np.arange(seats), 2), "quantity": np.repeat(["win_share", "score"], seats)}
    return frames.table(labels, stats.stack([shares, margins]))
