"""Win rates, by policy, by seat or both."""

from typing import Any

from analysis import frames, stats
from analysis.counting import SIXTIETHS


def win_rates(result: Any, by: str = "policy", *, level: float = 0.95) -> Any:
    """Win share of one seat, 1/k of a win when k seats share it.

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
        Columns ``policy`` and/or ``seat``, then `analysis.stats.COLUMNS`; n counts games times seats. With one
        policy at every seat its share is 1/seats by design, with no error; what seats are worth is told by
        `seat_advantage`.

    Raises
    ------
    ValueError
        If `by` or `level` is not allowed, or there are no games.
    """
    clusters = frames.clusters_of(result)
    games = frames.pool(clusters.seat_sums("games"), by)
    won = frames.pool(clusters.seat_sums("sixtieths"), by)
    labels, n = frames.pool_labels(clusters, by), games.sum(0)
    if by == "policy" and len(clusters.policies) == 1:
        return frames.table(labels, stats.exact(1 / clusters.n_seats, n, len(games)))
    found = stats.proportion(won, games * SIXTIETHS, deals=clusters.deals, n=n, level=level)
    frame = frames.table(labels, found)
    return frame[frame.n > 0].reset_index(drop=True)  # a policy that never sits at a seat has no row
