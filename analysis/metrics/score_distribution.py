"""How scores are distributed."""

from typing import Any

from analysis.metrics._distribution import distribution


def score_distribution(result: Any, *, level: float = 0.95) -> Any:
    """The proportion of games times seats with each score, by policy.

    Returns
    -------
    DataFrame
        Columns ``policy, value``, then `analysis.stats.COLUMNS`; a row for every score between the least and
        the greatest seen. n counts games times seats.

    Warns
    -----
    UserWarning
        If scores lay outside the bins of tallies.
    """
    return distribution(result, "score", level)
