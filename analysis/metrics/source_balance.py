"""Whether a source of points is too good, too weak or ignored."""

from typing import Any

import numpy as np

from analysis import frames, stats

QUANTITIES = ("relative_worth", "used")


def source_balance(result: Any, *, level: float = 0.95) -> Any:
    """What a piece in each source is worth next to a piece anywhere, and how often the source is used, by policy.

    Parameters
    ----------
    result : Playouts or Tallies
    level : float
        Confidence level of the intervals.

    Returns
    -------
    DataFrame
        Columns ``policy, source, quantity``, then `analysis.stats.COLUMNS`; n counts games times seats.

        - ``relative_worth``: points per piece of the source over points per piece of all sources; NaN with n = 0 if
          there never was a piece, or pieces are worth nothing on the whole
        - ``used``: the proportion of games times seats with a piece in the source
    """
    clusters = frames.clusters_of(result)
    points, pieces = (clusters.source_sums(of) for of in ("points", "pieces"))
    games = frames.pool(clusters.seat_sums("games"), "policy")
    empty = {(h.policy, h.source): h.counts[:, h.values == 0].sum(1) for h in clusters.histograms("pieces")}
    parts = []
    for p, policy in enumerate(clusters.policies):
        parts.append(_relative(points[:, p], pieces[:, p], games[:, p].sum(), level))
        used = np.stack([games[:, p] - empty[policy, source] for source in clusters.sources], axis=1)
        n = np.full(len(clusters.sources), games[:, p].sum())
        parts.append(stats.proportion(used, games[:, [p]], deals=clusters.deals, n=n, level=level))
    sources = len(clusters.sources)
    labels = {
        "policy": np.repeat(np.array(clusters.policies, object), sources * len(QUANTITIES)),
        "source": np.tile(np.array(clusters.sources, object), len(parts)),
        "quantity": np.tile(np.repeat(np.array(QUANTITIES, object), sources), len(clusters.policies)),
    }
    return frames.table(labels, stats.stack(parts))


def _relative(points: np.ndarray, pieces: np.ndarray, n: int, level: float) -> stats.Estimates:
    """The ratio of two ratios on the same clusters: its error comes from the difference of their influences."""
    with stats.influence():
        own = stats.ratio(points, pieces)
        whole = stats.ratio(points.sum(1, keepdims=True), pieces.sum(1, keepdims=True))
    assert own.influence is not None and whole.influence is not None
    mean = float(whole.estimate[0])
    ok = (own.n > 0) & (mean > 0)
    middle = np.where(ok, own.estimate / (mean if mean > 0 else 1), np.nan)
    moved = (np.stack(list(own.influence), 1) - middle * whole.influence[0][:, None]) / (mean if mean > 0 else np.nan)
    return stats.linear(middle, moved, n=np.where(ok, n, 0), level=level)
