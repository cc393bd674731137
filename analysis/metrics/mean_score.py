"""How much a seat scores."""

from typing import Any

from analysis import frames, stats


def mean_score(result: Any, by: str = "policy", *, level: float = 0.95) -> Any:
    """Mean score of one seat.

    Parameters
    ----------
    result : Playouts or Tallies
    by : str
        ``"policy"``, ``"seat"`` or ``"both"``.
    level : float
        Confidence level of the intervals.

    Returns
    -------
    DataFrame
        Columns ``policy`` and/or ``seat``, then `analysis.stats.COLUMNS`; n counts games times seats.

    Raises
    ------
    ValueError
        If `by` or `level` is not allowed, or there are no games.
    """
    clusters = frames.clusters_of(result)
    games, score = (frames.pool(clusters.seat_sums(of), by) for of in ("games", "score"))
    frame = frames.table(frames.pool_labels(clusters, by), stats.ratio(score, games, level=level))
    return frame[frame.n > 0].reset_index(drop=True)  # a policy that never sits at a seat has no row
