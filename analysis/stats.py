"""Estimates and intervals from sums by cluster.

Playouts of one deal depend on each other (rotated games share their deals), so the deal, or a fixed group of
deals, is the unit that errors come from. All estimates are ratios of totals; their variance is that of the
linearised ratio between clusters (Cochran, Sampling Techniques, 3rd ed. 1977, 6.3 and 11.7). Intervals use
Student's t with clusters - 1 degrees of freedom.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

FEW = 20
COLUMNS = ("estimate", "se", "low", "high", "n", "clusters")
_keep_influence: ContextVar[bool] = ContextVar("keep_influence", default=False)


@contextmanager
def influence() -> Iterator[None]:
    """Give every estimate made inside, so the frames of metrics too, what each cluster adds to it: ``influence``.

    An array of shape (clusters,) a row, adding up to 0: the linearised estimate of some of the clusters is the
    estimate plus the sum of theirs times all clusters over those. What is played on the same deals has the same
    clusters, so that the error of a difference of any two estimates comes from the difference of their arrays.
    """
    before = _keep_influence.set(True)
    try:
        yield
    finally:
        _keep_influence.reset(before)


@dataclass(frozen=True, eq=False)
class Estimates:
    """One estimate a row; arrays of one shape (rows,), NaN where nothing can be said."""

    estimate: np.ndarray
    se: np.ndarray
    low: np.ndarray
    high: np.ndarray
    n: np.ndarray  # what the estimate was counted on
    clusters: np.ndarray  # how many clusters it came from
    influence: np.ndarray | None = None  # object (rows,): see `influence`; None unless asked for
    p: np.ndarray | None = None  # p-values of 0 that go with the intervals; None for those of Student's t

    def shift(self, by: float) -> "Estimates":
        """The same, moved by a constant."""
        return replace(self, estimate=self.estimate + by, low=self.low + by, high=self.high + by)


def ratio(top: Any, bottom: Any, *, n: Any = None, level: float = 0.95) -> Estimates:
    """Ratios of totals with cluster-robust standard errors and intervals.

    Points are often skewed (a full pen is rare and dear), so the t interval is corrected for the skewness between
    clusters by Hall's cubic transformation (J. R. Stat. Soc. B 54, 1992, 221-228); it need not be symmetric
    about the estimate, and is the plain t interval where there is no skewness.

    Parameters
    ----------
    top, bottom : array, shape (clusters, rows)
        Sums by cluster. `bottom` may have one column for all rows.
    n : array, shape (rows,), optional
        What was counted; by default the total of `bottom`.
    level : float
        Confidence level of the intervals.

    Returns
    -------
    Estimates
        NaN with n = 0 where the total of `bottom` is 0; NaN errors where there are fewer than two clusters.

    Raises
    ------
    ValueError
        If `level` is not between 0 and 1.
    """
    return difference([(top, bottom)], n=n, level=level)


def difference(pairs: list[tuple[Any, Any]], *, n: Any = None, level: float = 0.95) -> Estimates:
    """The first of (top, bottom) as a ratio of totals, less the second one if there is one; see `ratio`.

    A difference that rests on fewer than about `FEW` clusters has the plain t interval: what they show of skewness
    would take 0 out of it whenever the few happen to have one sign.
    """
    found = _linearised(pairs)
    skew = np.where((found.effective < FEW) & (len(pairs) > 1), 0.0, found.skew)
    t = quantile(level, found.clusters)
    low, high = (found.estimate - found.se * _unskewed(x, skew) for x in (t, -t))
    n = np.where(np.isnan(found.estimate), 0, pairs[0][1].sum(0) if n is None else n)
    p = _p_of(_skewed(_divide(found.estimate, found.se), skew), found.clusters)
    return Estimates(found.estimate, found.se, low, high, n, np.full(len(low), found.clusters), found.influence, p)


def linear(estimate: np.ndarray, moved: np.ndarray, *, n: np.ndarray, level: float = 0.95) -> Estimates:
    """Estimates with errors and intervals as in `ratio`, from what each cluster adds to them.

    Parameters
    ----------
    estimate, n : array, shape (rows,)
    moved : array, shape (clusters, rows)
        See `influence`; NaN where nothing can be said.
    """
    clusters, square = len(moved), (moved**2).sum(0)
    se = np.sqrt(clusters / (clusters - 1) * square) if clusters > 1 else np.full(len(estimate), np.nan)
    skew = np.divide((moved**3).sum(0), square**1.5, out=np.zeros(len(estimate)), where=square > 0)
    t = quantile(level, clusters)
    low, high = (estimate - se * _unskewed(x, skew) for x in (t, -t))
    return Estimates(estimate, se, low, high, n, np.full(len(estimate), clusters), kept_influence(list(moved.T)))


def proportion(top: Any, bottom: Any, *, deals: int, n: Any = None, level: float = 0.95) -> Estimates:
    """Proportions of totals, each with a Wilson interval on its effective sample size.

    The interval is Wilson's (J. Am. Stat. Assoc. 22, 1927, 209-212) with the sample size divided by the design
    effect (Kish, Survey Sampling, 1965) and t quantiles in place of normal ones, as Korn and Graubard (Survey
    Methodology 24, 1998, 193-201) have it for the exact interval; Dean and Pagano (J. Survey Stat. Methodol. 3,
    2015, 484-503) and Franco et al. (the same 7, 2019, 334-364) found it to cover well. Where clusters do
    not differ (none or all won, or by chance) no design effect can be seen; then each deal counts as one
    observation, which is the most that playouts of one deal can depend on each other. One cluster says nothing:
    its interval is 0 to 1.

    Parameters
    ----------
    top, bottom : array, shape (clusters, rows)
        Sums by cluster, ``0 <= top <= bottom``. `bottom` may have one column for all rows.
    deals : int
        Number of deals, which is that of clusters unless a cluster is a group of deals.
    n, level
        As in `ratio`.
    """
    p, se, _, _, clusters, influence = _linearised([(top, bottom)])
    n = np.where(np.isnan(p), 0, bottom.sum(0) if n is None else n)
    if clusters < 2:
        low, high = np.where(np.isnan(p), np.nan, 0.0), np.where(np.isnan(p), np.nan, 1.0)
        return Estimates(p, se, low, high, n, np.full(len(p), clusters), influence)
    spread = p * (1 - p)
    seen = se > 1e-12  # less is the rounding of no spread between clusters
    effective = np.divide(spread, se**2, out=np.full(len(p), float(deals)), where=seen)
    t = quantile(level, clusters)
    shrink = 1 + t**2 / effective
    centre = (p + t**2 / (2 * effective)) / shrink
    half = t / shrink * np.sqrt(np.maximum(spread, 0) / effective + t**2 / (4 * effective**2))
    low = np.where(p == 0, 0.0, np.maximum(centre - half, 0))
    high = np.where(p == 1, 1.0, np.minimum(centre + half, 1))
    return Estimates(p, se, low, high, n, np.full(len(p), clusters), influence)


def proportion_difference(pairs: list[tuple[Any, Any]], *, deals: int, n: Any = None, level: float = 0.95) -> Estimates:
    """The first of (top, bottom) as a proportion of totals, less the second, on the same clusters.

    The interval is Tango's score interval for paired proportions (Statist. Med. 17, 1998, 891-908), with the sample
    size divided by the design effect as in `proportion`; what differs between few deals is counted in whole games,
    which a t interval takes for finer than it is.

    Parameters
    ----------
    pairs, n, level
        As in `difference`; ``0 <= top <= bottom``.
    deals : int
        As in `proportion`: each counts as one observation where no cluster differs from another.
    """
    found = _linearised(pairs)
    d, clusters = found.estimate, found.clusters
    n = np.where(np.isnan(d), 0, pairs[0][1].sum(0) if n is None else n)
    low, high = np.where(np.isnan(d), np.nan, -1.0), np.where(np.isnan(d), np.nan, 1.0)
    p = np.full(len(d), np.nan)
    if clusters > 1:
        first, second = (clusters * top / np.where(bottom.sum(0) == 0, np.nan, bottom.sum(0)) for top, bottom in pairs)
        moved = first - second
        up, down = np.maximum(moved, 0).mean(0), np.maximum(-moved, 0).mean(0)
        seen = found.se > 1e-12  # less is the rounding of no spread between clusters
        size = np.divide(up + down - d**2, found.se**2, out=np.full(len(d), float(deals)), where=seen)
        low, high = (_score_end(up, down, size, sign * quantile(level, clusters)) for sign in (-1, 1))
        p = _p_of(_divide(d * np.sqrt(size), np.sqrt(up + down)), clusters)
    return Estimates(d, found.se, low, high, n, np.full(len(d), clusters), found.influence, p)


def _score_end(up: np.ndarray, down: np.ndarray, size: np.ndarray, t: float) -> np.ndarray:
    """How far below (t < 0) or above the difference ``up - down`` may truly be, by bisection."""
    estimate, end = up - down, np.full(len(up), np.sign(t))
    near = estimate.copy()
    for _ in range(50):
        middle = (near + end) / 2
        b = (2 - up + down) * middle - up - down  # `lost` is the likeliest `down` at this difference
        lost = (np.sqrt(np.maximum(b**2 + 8 * down * middle * (1 - middle), 0)) - b) / 4
        spread = np.maximum(2 * lost + middle * (1 - middle), 0)
        inside = (middle - estimate) ** 2 * size < t**2 * spread
        near, end = np.where(inside, middle, near), np.where(inside, end, middle)
    return near


def p_values(found: Any) -> np.ndarray:
    """Two-sided p-values of 0: those that go with the intervals of Estimates, else Student's t.

    NaN where nothing varies between clusters.

    Parameters
    ----------
    found : Estimates or DataFrame
        With estimate, se and clusters.
    """
    if isinstance(found, Estimates) and found.p is not None:
        return found.p
    estimate, se, clusters = (np.asarray(getattr(found, name)) for name in ("estimate", "se", "clusters"))
    return _p_of(_divide(estimate, se), clusters)


def _p_of(t: np.ndarray, clusters: Any) -> np.ndarray:
    """Two-sided p-values of statistics that are distributed as Student's t."""
    from scipy.special import stdtr

    return 2 * stdtr(np.maximum(clusters - 1, 1), -np.abs(t))


def kept_influence(arrays: list[np.ndarray]) -> np.ndarray | None:
    """The column ``influence`` of these rows, or None where it is not asked for."""
    return _objects(arrays) if _keep_influence.get() else None


def exact(value: Any, n: Any, clusters: int) -> Estimates:
    """Values that follow from the design and have no error."""
    value = np.atleast_1d(np.asarray(value, float))
    no_error, n = np.zeros(len(value)), np.broadcast_to(n, value.shape)
    none = kept_influence([np.zeros(clusters)] * len(value))
    return Estimates(value, no_error, value, value, n, np.full(len(value), clusters), none)


def stack(parts: list[Estimates]) -> Estimates:
    """The rows of all parts, one after another."""
    kept = [part.influence for part in parts if part.influence is not None]
    joined = Estimates(*(np.concatenate([getattr(part, name) for part in parts]) for name in COLUMNS))
    if all(part.p is not None for part in parts):
        joined = replace(joined, p=np.concatenate([p_values(part) for part in parts]))
    return replace(joined, influence=np.concatenate(kept)) if len(kept) == len(parts) else joined


class _Linear(NamedTuple):
    """Linearised ratios, arrays of shape (rows,)."""

    estimate: np.ndarray
    se: np.ndarray
    skew: np.ndarray  # skewness between clusters over the root of their number
    effective: np.ndarray  # about how many clusters the error comes from: their number over the kurtosis
    clusters: int
    influence: np.ndarray | None  # object (rows,), if asked for


def _linearised(pairs: list[tuple[Any, Any]]) -> _Linear:
    """A ratio of totals, or the difference of two."""
    clusters, rows = pairs[0][0].shape
    totals = [(top.sum(0), np.broadcast_to(bottom.sum(0), rows)) for top, bottom in pairs]
    parts = [_divide(a, b) for a, b in totals]
    estimate = parts[0] if len(parts) == 1 else parts[0] - parts[1]
    se, skew, effective = np.full(rows, np.nan), np.zeros(rows), np.zeros(rows)
    kept = kept_influence([np.full(clusters, np.nan)] * rows)
    for row in np.flatnonzero(~np.isnan(estimate)) if clusters > 1 else ():  # a matrix of floats may be large
        influence = np.zeros(clusters)
        for sign, part, (top, bottom), (_, total) in zip((1, -1), parts, pairs, totals, strict=False):
            column = bottom[:, row if bottom.shape[1] > 1 else 0]
            influence += sign * (top[:, row] - part[row] * column) / total[row]
        square = influence**2
        total_square = square.sum()
        se[row] = np.sqrt(clusters / (clusters - 1) * total_square)
        if total_square > 0:
            skew[row] = (square * influence).sum() / total_square**1.5
            effective[row] = total_square**2 / (square**2).sum()
        if kept is not None:
            kept[row] = influence
    return _Linear(estimate, se, skew, effective, clusters, kept)


def _objects(arrays: list[np.ndarray]) -> np.ndarray:
    """A column of arrays."""
    column = np.empty(len(arrays), object)
    for i, array in enumerate(arrays):
        column[i] = array
    return column


def _skewed(t: np.ndarray, skew: np.ndarray) -> np.ndarray:
    """Hall's transformation: T + a T^2 / 3 + a^2 T^3 / 27 + a / 6, a = `skew`."""
    return t + skew * t**2 / 3 + skew**2 * t**3 / 27 + skew / 6


def _unskewed(t: float, skew: np.ndarray) -> np.ndarray:
    """The value that `_skewed` takes to `t`."""
    a = np.where(np.abs(skew) < 1e-6, 1, skew)
    return np.where(np.abs(skew) < 1e-6, t, 3 / a * (np.cbrt(1 + a * (t - a / 6)) - 1))


def _divide(top: np.ndarray, bottom: np.ndarray) -> np.ndarray:
    out = np.full(len(top), np.nan)
    np.divide(top, bottom, out=out, where=np.abs(bottom) > 1e-12)  # less is the rounding of no spread
    return out


def quantile(level: float, clusters: int) -> float:
    """Two-sided quantile of Student's t with clusters - 1 degrees of freedom."""
    from scipy.special import stdtrit

    if not 0 < level < 1:
        raise ValueError(f"level must be between 0 and 1, not {level!r}")
    return float(stdtrit(clusters - 1, 0.5 + level / 2)) if clusters > 1 else float("nan")
