"""Decisions and options by phase, by turn or by seat, from a trace."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from analysis import frames, stats
from engine.errors import unknown, whole_number

BY = ("phase", "ply", "seat")


def decisions(
    trace: Any, by: str = "phase", *, per_deal: int = 1, names: Sequence[str] | None = None, level: float = 0.95
) -> Any:
    """How many decisions there are, how many actions are legal, and how often there is no choice.

    Parameters
    ----------
    trace : structured ndarray or DataFrame
        What `engine.trace` gives, one row a decision.
    by : str
        ``"phase"`` (kind of decision), ``"ply"`` (how many decisions were made before) or ``"seat"``.
    per_deal : int
        Games of one deal, the number of seatings of the line-up; they are one cluster.
    names : sequence of str, optional
        Names of the phases, ``engine.load_game(...).phases``.
    level : float
        Confidence level of the intervals.

    Returns
    -------
    DataFrame
        Columns `by` and ``quantity``, then `analysis.stats.COLUMNS`.

        - ``decisions``: a game; n counts games
        - ``options``: legal actions a decision; n counts decisions
        - ``forced``: the proportion of decisions with one legal action; n counts decisions

    Raises
    ------
    ValueError
        If `by`, `per_deal` or `level` is not allowed, or the trace has no rows.
    TypeError
        If it is not a trace.
    """
    if by not in BY:
        raise ValueError(unknown("by", by, BY))
    per_deal = whole_number("per_deal", per_deal, 1)
    game, key, legal = (_column(trace, name) for name in ("game", by, "n_legal"))
    if not len(game):
        raise ValueError("trace has no decisions")
    deals, cluster = np.unique(game // per_deal, return_inverse=True)
    games = np.unique(np.unique(game) // per_deal, return_counts=True)[1][:, None]
    keys, code = np.unique(key, return_inverse=True)
    shape = len(deals), len(keys)
    count, options, forced = (_sums(cluster, code, x, shape) for x in (np.ones_like(legal), legal, legal == 1))
    parts = [
        stats.ratio(count, games, n=np.full(len(keys), games.sum()), level=level),
        stats.ratio(options, count, level=level),
        stats.proportion(forced, count, deals=len(deals), level=level),
    ]
    shown = keys if names is None or by != "phase" else np.array([names[k] for k in keys], object)
    labels = {by: np.tile(shown, 3), "quantity": np.repeat(["decisions", "options", "forced"], len(keys))}
    return frames.table(labels, stats.stack(parts))


def _column(trace: Any, name: str) -> np.ndarray:
    """A column as int64."""
    try:
        return np.asarray(trace[name]).astype(np.int64)
    except (KeyError, ValueError, TypeError, IndexError):
        raise TypeError(f"trace must be what engine.trace gives, with a column {name!r}") from None


def _sums(cluster: np.ndarray, code: np.ndarray, values: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    """Sums by cluster and key, int64."""
    flat = np.bincount(cluster * shape[1] + code, weights=values, minlength=shape[0] * shape[1])
    return np.rint(flat).astype(np.int64).reshape(shape)
