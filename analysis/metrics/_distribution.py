"""What the distributions have in common."""

import warnings
from typing import Any

import numpy as np

from analysis import frames, stats
from analysis.counting import BINS, LOWEST, SCORE_BINS, SCORE_LOWEST


def distribution(result: Any, of: str, level: float) -> Any:
    """The proportion of games times seats with each value, by policy and source; no source for scores."""
    clusters = frames.clusters_of(result)
    _warn_clipped(clusters.clipped[of], of)
    games = dict(zip(clusters.policies, frames.pool(clusters.seat_sums("games"), "policy").T, strict=True))
    parts: list[stats.Estimates] = []
    labels: dict[str, list] = {"policy": [], "source": [], "value": []}
    for found in clusters.histograms(of):
        parts.append(stats.proportion(found.counts, games[found.policy][:, None], deals=clusters.deals, level=level))
        labels["policy"] += [found.policy] * len(found.values)
        labels["source"] += [found.source] * len(found.values)
        labels["value"].append(found.values)
    if of == "score":
        del labels["source"]
    return frames.table({**labels, "value": np.concatenate(labels["value"])}, stats.stack(parts))


def _warn_clipped(clipped: int, of: str) -> None:
    if clipped:
        lowest, bins = (SCORE_LOWEST, SCORE_BINS) if of == "score" else (LOWEST, BINS)
        highest = lowest + bins - 1
        warnings.warn(
            f"{clipped:,} values of {of} outside {lowest} to {highest} are counted at the nearest of these values; "
            "keep playouts to see them",
            stacklevel=4,
        )
