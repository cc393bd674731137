"""Confidence sequences: intervals that hold at every look at once, so that a run may stop when enough is known.

An interval for a fixed number of games misses more and more often if one looks at it again and again and stops
when one likes it. The intervals here miss the truth at any of all looks with probability 1 - level at most.

Observations with a known span (win shares, and their differences) have the empirical Bernstein sequence of Howard,
Ramdas, McAuliffe and Sekhon (Annals of Statistics 49, 2021, 1055-1080) with their gamma-exponential mixture, which
holds for any number of observations. Others (scores, lengths) have the asymptotic sequence of Waudby-Smith, Arbour,
Sinha, Kennedy and Ramdas (Annals of Statistics 52, 2024, 2613-2640), which holds in the limit of a late first look.
Both are tuned to a number of observations and hold at every other one. The limit is far where few observations count,
as with common random numbers, on which most deals end alike; so the asymptotic sequence says nothing before what was
seen is worth `EFFECTIVE` observations: squared deviations, squared and added up, over their fourth powers.
"""

from typing import Any, NamedTuple

import numpy as np

FIRST, EFFECTIVE = 1024, 100  # observations, and those that count, before an asymptotic sequence says anything


class Interval(NamedTuple):
    """What is known of a mean so far."""

    estimate: float
    low: float
    high: float
    n: int  # observations

    @property
    def half_width(self) -> float:
        """Half the interval."""
        return (self.high - self.low) / 2


class ConfidenceSequence:
    """Intervals for the mean of independent observations, valid at every look.

    Parameters
    ----------
    level : float
        Probability that the truth lies in the intervals of all looks.
    span : float or None
        Greatest less smallest possible observation; None if there is no such number.
    tuned : float
        Number of observations at which the intervals shall be narrowest.
    variance : float
        A guess at the variance of an observation, for the tuning only.
    start : float
        A guess at the mean, a possible value; for the tuning only.

    Notes
    -----
    Guesses must not come from the observations that are added. However these are cut into calls of `add`, the
    intervals are the same bit for bit.

    Raises
    ------
    ValueError
        If `level`, `span`, `tuned` or `variance` is out of its range.
    """

    def __init__(self, level: float, *, span: float | None, tuned: float, variance: float, start: float = 0.0):
        if not 0 < level < 1:
            raise ValueError(f"level must be between 0 and 1, not {level!r}")
        for name, value in (("span", span), ("tuned", tuned), ("variance", variance)):
            if value is not None and not value > 0:
                raise ValueError(f"{name} must be greater than 0, not {value!r}")
        self.level, self.span, self.start = level, span, start
        self.rho = best_rho(tuned, 1 - level)  # for observations of variance 1
        self.variance = variance
        self.n, self.total, self.squares, self.fourths = 0, 0.0, 0.0, 0.0

    def add(self, observations: Any) -> None:
        """Add observations, shape (n,), in their order.

        Squares are taken about the mean of all earlier observations, which is what makes them usable at every look.
        """
        x = np.asarray(observations, float)
        totals = np.cumsum(np.concatenate(([self.total], x)))
        before = np.arange(self.n, self.n + len(x))
        means = np.divide(totals[:-1], before, out=np.full(len(x), self.start), where=before > 0)
        square = (x - means) ** 2
        self.squares = float(np.cumsum(np.concatenate(([self.squares], square)))[-1])
        self.fourths = float(np.cumsum(np.concatenate(([self.fourths], square**2)))[-1])
        self.total, self.n = float(totals[-1]), self.n + len(x)

    def interval(self) -> Interval:
        """The interval now; without bounds as long as nothing can be said."""
        if not self.n:
            return Interval(float("nan"), -np.inf, np.inf, 0)
        estimate, alpha = self.total / self.n, 1 - self.level
        if self.span is not None:
            half = mixture_bound(self.squares, alpha / 2, self.rho * self.variance, self.span) / self.n
        elif self.n < FIRST or self.squares**2 <= EFFECTIVE * self.fourths:
            half = np.inf
        else:
            half = float(asymptotic_half_width(self.n, self.squares / self.n, alpha, self.rho))
        return Interval(estimate, estimate - half, estimate + half, self.n)


def best_rho(tuned: float, alpha: float) -> float:
    """The mixing parameter with which a two-sided normal mixture is narrowest at `tuned`."""
    from scipy.special import lambertw

    return float(tuned / (-lambertw(-(alpha**2) / np.e, -1).real - 1))


def log_mixture(s: Any, v: Any, rho: float, span: float) -> Any:
    """Log of the gamma-exponential mixture; under the null exp of it is a supermartingale that starts at 1.

    The mixture of ``exp(x s - psi(x) v)``, ``psi(x) = (-log(1 - c x) - c x) / c^2``, over x in [0, 1/c) with a density
    proportional to ``u^(a-1) exp(-a u)`` in ``u = 1 - c x``, where c = `span` and a = `rho` / c^2.

    Parameters
    ----------
    s, v : array
        Sums of deviations from the null, and of their squares about earlier means. Where `s` is negative the
        result is -inf, a lower bound.
    """
    from scipy.special import gammainc, gammaln

    s, v = np.asarray(s, float), np.asarray(v, float)
    a, shape = rho / span**2, (v + rho) / span**2
    rate = np.maximum(s, 0) / span + shape
    with np.errstate(divide="ignore"):
        norm = a * np.log(a) - gammaln(a) - np.log(gammainc(a, a))
        value = norm + gammaln(shape) + np.log(gammainc(shape, rate)) - shape * np.log(rate) + rate - a
    return np.where(s < 0, -np.inf, value)


def mixture_bound(v: float, alpha: float, rho: float, span: float) -> float:
    """The sum of deviations that is passed at any time with probability `alpha` at most, at squares `v`."""
    from scipy.optimize import brentq

    goal = np.log(1 / alpha)

    def above(s: float) -> float:
        return float(log_mixture(s, v, rho, span)) - goal

    high = span
    while above(high) < 0:
        high *= 2
    return float(brentq(above, 0.0, high, rtol=1e-10))


def asymptotic_half_width(n: Any, variance: Any, alpha: float, rho: float) -> Any:
    """Half the asymptotic interval after `n` observations of this `variance`, two-sided."""
    scaled = np.asarray(n, float) / rho
    return np.sqrt(np.asarray(variance) * (scaled + 1) / scaled * np.log((scaled + 1) / alpha**2) / n)
