"""How the points or pieces of each source are distributed."""

from typing import Any

from analysis.metrics._distribution import distribution
from engine.errors import unknown

OF = ("points", "pieces")


def source_distribution(result: Any, of: str = "points", *, level: float = 0.95) -> Any:
    """The proportion of games times seats in which a source gave each value.

    Parameters
    ----------
    result : Playouts or Tallies
    of : str
        ``"points"`` or ``"pieces"``.
    level : float
        Confidence level of the intervals.

    Returns
    -------
    DataFrame
        Columns ``policy, source, value``, then `analysis.stats.COLUMNS`; a row for every value between the
        least and the greatest seen. n counts games times seats.

    Raises
    ------
    ValueError
        If `of` or `level` is not allowed, or there are no games.

    Warns
    -----
    UserWarning
        If values lay outside the bins of tallies.
    """
    if of not in OF:
        raise ValueError(unknown("of", of, OF))
    return distribution(result, of, level)
