"""Win probability as a function of the points of each source: a logistic fit with cluster-robust intervals.

The fit is iteratively reweighted least squares (McCullagh and Nelder, Generalized Linear Models, 2nd ed. 1989, 4.4),
the errors are those of Liang and Zeger's sandwich (Biometrika 73, 1986, 13-22) with the deals as clusters. A shared
win counts 1/k, which leaves both valid. It describes who wins; it does not say that more points of a source make a
seat win that had to give up others for them.
"""

from typing import Any, NamedTuple

import numpy as np

from analysis import frames
from analysis.metrics._lead import playouts_only
from analysis.stats import Estimates, kept_influence, stack
from engine.errors import whole_number

STEPS = 30
SEPARATED = 30.0  # a linear predictor beyond this is a probability of 0 or 1: no fit


class Fit(NamedTuple):
    """A logistic fit; NaN if there is none."""

    coefficients: np.ndarray  # (columns,)
    influence: np.ndarray  # (clusters, columns): what each cluster adds to the coefficients

    @property
    def clusters(self) -> int:
        """Number of clusters."""
        return len(self.influence)

    @property
    def covariance(self) -> np.ndarray:
        """Of the coefficients, (columns, columns); NaN with fewer than two clusters."""
        scale = self.clusters / (self.clusters - 1) if self.clusters > 1 else np.nan
        return scale * self.influence.T @ self.influence


def win_model(result: Any, *, points: int = 9, level: float = 0.95) -> Any:
    """Log odds of winning for each point of a source, and win probabilities at several points.

    Each source has a fit of its own, by policy: logit(win probability) = a + b * points.

    Parameters
    ----------
    result : Playouts
        Tallies do not keep single games.
    points : int
        At how many of the values seen the probability is given at most; they are spread over the middle 98 %.
    level : float
        Confidence level of the intervals.

    Returns
    -------
    DataFrame
        Columns ``policy, source, quantity, value``, then `analysis.stats.COLUMNS`; n counts games times seats.

        - ``log_odds``: b, the log of the factor by which a point more changes the odds of winning
        - ``win_probability``: at ``value`` points; its interval is that of the log odds there

        NaN with n = 0 where there is no fit: the points never vary, or separate winners from others.

    Raises
    ------
    TypeError
        If the result is no Playouts.
    ValueError
        If there are no games, or `points` or `level` is not allowed.
    """
    play = playouts_only(result, "win_model")
    points = whole_number("points", points, 2)
    if not 0 < level < 1:
        raise ValueError(f"level must be between 0 and 1, not {level!r}")
    deals = np.unique(play.deal, return_inverse=True)[1]
    parts: list[Estimates] = []
    labels: dict[str, list] = {"policy": [], "source": [], "quantity": [], "value": []}
    codes = np.array([frames.policies_of(play).index(label) for label in play.policies])[play.entry]
    for p, policy in enumerate(frames.policies_of(play)):
        rows, seats = np.nonzero(codes == p)
        won, cluster = play.share[rows, seats].astype(float), deals[rows]
        for k, source in enumerate(play.sources):
            x = play.points[rows, seats, k].astype(float)
            at = _spread(x, points)
            found = logistic(np.column_stack([np.ones_like(x), x]), won, cluster)
            parts.append(_estimates(found, at, len(x), level))
            labels["policy"] += [policy] * (1 + len(at))
            labels["source"] += [source] * (1 + len(at))
            labels["quantity"] += ["log_odds"] + ["win_probability"] * len(at)
            labels["value"] += [float("nan"), *at]
    return frames.table(labels, stack(parts))


def logistic(x: np.ndarray, y: np.ndarray, cluster: np.ndarray) -> Fit:
    """Fit logit(mean of y) = x b.

    Parameters
    ----------
    x : ndarray of float64, shape (rows, columns)
    y : ndarray of float64, shape (rows,)
        From 0 to 1.
    cluster : ndarray of int64, shape (rows,)
        Number of each row's cluster, from 0.
    """
    clusters, columns = int(cluster.max()) + 1, x.shape[1]
    none = Fit(np.full(columns, np.nan), np.full((clusters, columns), np.nan))
    b = np.zeros(columns)
    for _ in range(STEPS):
        mean = 1 / (1 + np.exp(-np.clip(x @ b, -700, 700)))
        information = x.T @ (x * (mean * (1 - mean))[:, None])
        if np.linalg.cond(information) > 1e12:
            return none
        step = np.linalg.solve(information, x.T @ (y - mean))
        b = b + step
        if np.abs(x @ b).max() > SEPARATED:
            return none
        if np.abs(step).max() < 1e-10 * max(1.0, np.abs(b).max()):
            break
    else:
        return none
    mean = 1 / (1 + np.exp(-(x @ b)))
    scores = np.column_stack([np.bincount(cluster, column * (y - mean), clusters) for column in x.T])
    return Fit(b, scores @ np.linalg.inv(x.T @ (x * (mean * (1 - mean))[:, None])))


def _spread(x: np.ndarray, most: int) -> np.ndarray:
    """Up to `most` of the values seen, evenly spread over the middle 98 %."""
    low, high = np.quantile(x, [0.01, 0.99], method="nearest")
    seen = np.unique(x[(x >= low) & (x <= high)])
    return seen[np.unique(np.rint(np.linspace(0, len(seen) - 1, most)).astype(int))]


def _estimates(found: Fit, at: np.ndarray, n: int, level: float) -> Estimates:
    from scipy.special import expit, stdtrit

    t = stdtrit(found.clusters - 1, 0.5 + level / 2) if found.clusters > 1 else np.nan
    design = np.column_stack([np.ones(len(at)), at])
    middle = design @ found.coefficients
    error = np.sqrt(np.einsum("ij,jk,ik->i", design, found.covariance, design))
    slope, slope_error = found.coefficients[1], np.sqrt(found.covariance[1, 1])
    probability = expit(middle)
    steep = probability * (1 - probability)
    moved = [found.influence[:, 1], *(found.influence @ design.T * steep).T]
    return Estimates(
        np.r_[slope, probability],
        np.r_[slope_error, error * steep],
        np.r_[slope - t * slope_error, expit(middle - t * error)],
        np.r_[slope + t * slope_error, expit(middle + t * error)],
        np.full(1 + len(at), 0 if np.isnan(slope) else n),
        np.full(1 + len(at), found.clusters),
        kept_influence(moved),
    )
