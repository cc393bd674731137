"""Sobol indices of a function that is only known with Monte Carlo noise.

The estimators are those of SALib: Saltelli et al. (Comput. Phys. Commun. 181, 2010, 259-270) for the first order,
Jansen (the same 117, 1999, 35-43) for the total. Fed with estimates they take noise for an effect: it adds to the
variance and to every total index. So each estimate comes as one value from each of several groups of deals, which
are independent of each other, and every square and product is taken across two different groups: in the mean
noise then is 0. Without noise the indices are SALib's.
"""

from typing import NamedTuple

import numpy as np

RESAMPLES = 500
BATCH = 50  # resamples at once, for the sake of memory


class Found(NamedTuple):
    """The estimates in the first column, then those of each resample: shape (rows, 1 + resamples)."""

    first: np.ndarray  # a row a number
    total: np.ndarray
    part: np.ndarray  # the variance that the number has a part in, in the metric's own unit
    variance: np.ndarray  # one row: of the metric over the rule sets, noise taken out
    noise: np.ndarray  # one row: variance that chance adds to estimates, over the variance of the estimates


def sobol(values: np.ndarray, numbers: int, seed: int, resamples: int = RESAMPLES) -> Found:
    """First and total indices with resamples of both base points and groups of deals.

    Parameters
    ----------
    values : ndarray of float64, shape (points * (numbers + 2), groups)
        The metric at Saltelli's points in SALib's order, without second-order points.
    numbers : int
    seed : int
        Of the resamples, in which both base points and groups are drawn with replacement (Owen, Ann. Appl. Stat.
        1, 2007, 386-411); no group is ever multiplied by itself.

    Returns
    -------
    Found
        NaN or infinite where there is no variance.
    """
    table = values.reshape(-1, numbers + 2, values.shape[-1])
    table = table - table.mean((0, 1))
    points, groups = len(table), table.shape[-1]
    rng = np.random.default_rng(seed)
    rows = rng.multinomial(points, np.full(points, 1 / points), resamples).T / points
    picks = rng.multinomial(groups, np.full(groups, 1 / groups), resamples).T
    rows = np.concatenate([np.full((points, 1), 1 / points), rows], axis=1)
    picks = np.concatenate([np.ones((groups, 1)), picks], axis=1)
    parts = [
        _indices(table, rows[:, at : at + BATCH], picks[:, at : at + BATCH]) for at in range(0, resamples + 1, BATCH)
    ]
    return Found(*(np.concatenate(part, axis=1) for part in zip(*parts, strict=True)))


def _indices(table: np.ndarray, rows: np.ndarray, picks: np.ndarray) -> Found:
    """The indices with these weights of base points and of groups, one column a pair of weights."""
    a, ab, b = table[:, :1], table[:, 1:-1], table[:, -1:]
    ends = np.concatenate([a, b], axis=1)
    middle = (np.tensordot(rows.T, ends, 1).mean(1) * picks.T).T[None, None]
    variance = _products(ends, ends, rows, picks).mean(0, keepdims=True) - _across(middle, middle, picks)[0]
    apart = np.tensordot(rows.T, ends**2, 1).mean(1) - np.tensordot(rows.T, ends, 1).mean(1) ** 2
    noise = ((apart * picks.T).sum(1) / picks.sum(0) - variance) / table.shape[-1]
    part = _products(a - ab, a - ab, rows, picks) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        first = _products(np.broadcast_to(b, ab.shape), ab - a, rows, picks) / variance
        return Found(first, part / variance, part, variance, noise / (noise + variance))


def _products(u: np.ndarray, v: np.ndarray, rows: np.ndarray, picks: np.ndarray) -> np.ndarray:
    """Means over base points of u times v across groups, shape (columns of u, resamples)."""
    return np.einsum("nkr,nr->kr", _crossed(u @ picks, v @ picks, (u * v) @ picks**2, picks), rows, optimize=True)


def _across(u: np.ndarray, v: np.ndarray, picks: np.ndarray) -> np.ndarray:
    """As `_products`, of values that are weighted already, one set a resample."""
    return _crossed(u.sum(2), v.sum(2), (u * v).sum(2), picks)


def _crossed(u: np.ndarray, v: np.ndarray, same: np.ndarray, picks: np.ndarray) -> np.ndarray:
    """The mean product of two different groups from sums over groups and the sum of products within them."""
    return (u * v - same) / (picks.sum(0) ** 2 - (picks**2).sum(0))
