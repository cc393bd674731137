"""Error rates of confidence sequences and stop rules, with looks all along, on data with a known truth.

Null: a sequence at 95 % misses the truth at any of its looks with probability 0.05 at most. Each test states its
number n of runs; the rate seen may pass 0.05 by five standard errors, 5 * sqrt(0.05 * 0.95 / n).
"""

from math import sqrt

import numpy as np
import pytest

from analysis.sequential import FIRST, ConfidenceSequence, asymptotic_half_width, best_rho, log_mixture
from analysis.until import PILOT

SEED = 20261130
LENGTH = 10_000
LOOKS = np.unique(np.geomspace(1, LENGTH - PILOT, 150).astype(int))
ALPHA = 0.05


def limit(n):
    return ALPHA + 5 * sqrt(ALPHA * (1 - ALPHA) / n)


def watched(draws, truth):
    """Sums of deviations and of squares at each look, as a Watch has them, and the pilot's variance."""
    pilot, rest = draws[:, :PILOT], draws[:, PILOT:]
    before = np.arange(rest.shape[1])
    totals = np.cumsum(rest, axis=1)
    means = np.concatenate([pilot.mean(1, keepdims=True), totals[:, :-1] / before[1:]], axis=1)
    squares = np.cumsum((rest - means) ** 2, axis=1)
    return totals[:, LOOKS - 1] - truth * LOOKS, squares[:, LOOKS - 1], pilot.var(1)


BOUNDED = {
    "a seat's wins": (lambda rng, shape: rng.random(shape) < 0.25, 0.25, 1),
    "shares of four seatings": (lambda rng, shape: rng.binomial(4, 0.1, shape) / 4, 0.1, 1),
    "rare differences": (lambda rng, shape: (rng.random(shape) < 0.01) * rng.choice([-1.0, 1.0], shape), 0.0, 2),
    "rare, one way": (lambda rng, shape: rng.random(shape) < 0.002, 0.002, 2),
    "small ones against rare large ones": (
        lambda rng, shape: np.where(rng.random(shape) < 0.004, 1.0, -0.004 / 0.996),
        0.0,
        2,
    ),
}


@pytest.mark.parametrize("name", BOUNDED)
def test_bernstein__keeps_its_error_at_every_look(name):
    """n = 1,000 runs of 10,000 deals with 150 looks from the first deal on."""
    n = 1000
    draw, truth, span = BOUNDED[name]
    sums, squares, variance = watched(draw(np.random.default_rng(SEED), (n, LENGTH)).astype(float), truth)
    rho = best_rho(sqrt(PILOT * LENGTH), ALPHA)
    missed = np.zeros(n, bool)
    for i in range(n):
        mixing = rho * max(variance[i], (span / PILOT) ** 2)
        reach = np.maximum(
            log_mixture(sums[i], squares[i], mixing, span), log_mixture(-sums[i], squares[i], mixing, span)
        )
        missed[i] = (reach >= np.log(2 / ALPHA)).any()
    assert missed.mean() < limit(n), f"misses {missed.mean():.4f} of {n}"


UNBOUNDED = {
    "normal scores": (lambda rng, shape: rng.normal(30, 6, shape), 30),
    "skewed leads": (lambda rng, shape: rng.exponential(3, shape), 3),
    "differences, mostly none": (lambda rng, shape: (rng.random(shape) < 0.1) * rng.normal(0, 2, shape), 0),
}


@pytest.mark.parametrize("name", UNBOUNDED)
def test_asymptotic__keeps_its_error_from_its_first_look_on(name):
    """n = 1,000 runs of 10,000 deals with looks from 1,024 deals on."""
    n = 1000
    draw, truth = UNBOUNDED[name]
    sums, squares, _ = watched(draw(np.random.default_rng(SEED), (n, LENGTH)), truth)
    rho = best_rho(sqrt(PILOT * LENGTH), ALPHA)
    half = asymptotic_half_width(LOOKS, squares / LOOKS, ALPHA, rho)
    missed = ((np.abs(sums) / LOOKS > half) & (LOOKS >= FIRST)).any(1)
    assert missed.mean() < limit(n), f"misses {missed.mean():.4f} of {n}"


@pytest.mark.parametrize("odds", [(0.02, 20, 0.001), (0.02, 10, 0.002), (0.01, 5, 0.002)])
def test_asymptotic__waits_where_few_deals_differ_and_the_rarest_most(odds):
    """n = 400 runs of 30,000 deals, of which few differ, by 1 or, more seldom, by much the other way; the mean is 0."""
    (often, much, seldom), n, missed = odds, 400, 0
    rng = np.random.default_rng(SEED)
    for _ in range(n):
        u = rng.random(30_000)
        x = (u < often) - much * ((u >= often) & (u < often + seldom)).astype(float)
        seen = ConfidenceSequence(0.95, span=None, tuned=3000, variance=often + much**2 * seldom)
        for part in np.split(x, 30):
            seen.add(part)
            low, high = seen.interval()[1:3]
            if low > 0 or high < 0:
                missed += 1
                break
    assert missed / n < limit(n)


def test_fixed_interval__would_miss_too_often():
    """n = 1,000 runs: an interval for one look, looked at 150 times, errs in more than 5 %, by five standard errors."""
    n = 1000
    draw, truth, _ = BOUNDED["a seat's wins"]
    sums, squares, _ = watched(draw(np.random.default_rng(SEED), (n, LENGTH)).astype(float), truth)
    missed = ((np.abs(sums) > 1.96 * np.sqrt(squares)) & (LOOKS >= FIRST)).any(1)
    assert missed.mean() > limit(n)


@pytest.mark.parametrize("effect", [0.0, 0.03])
def test_decided__errs_rarely_and_finds_what_is_there(effect):
    """n = 400 runs that stop when a difference is decided at 95 %: a wrong claim in 5 % at most, both without and with
    an effect; that is six standard errors at the end, and is found nearly always."""
    n, rng = 400, np.random.default_rng(SEED)
    wrong = found = 0
    for _ in range(n):
        x = np.clip(rng.normal(effect, 0.3, 4096), -1, 1)
        seen = ConfidenceSequence(0.95, span=2.0, tuned=1000, variance=0.09)
        for part in np.split(x, 16):
            seen.add(part)
            interval = seen.interval()
            if interval.low > 0 or interval.high < 0:
                wrong += effect == 0 or interval.high < 0
                found += 1
                break
    assert wrong / n < limit(n)
    if effect:
        assert found / n > 0.9
