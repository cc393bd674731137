"""Coverage of nominal 95 % intervals, on data with a known truth.

Null: an interval covers the truth with probability 0.95. Each test states its number n of replicates; the
coverage seen may differ from 0.95 by five standard errors, 5 * sqrt(0.95 * 0.05 / n).
"""

from math import sqrt

import numpy as np
import pytest

import analysis
import engine
from analysis import frames, stats

REPLICATES = 4000
SEED = 20261130


def assert_covers(low, high, truth):
    covered, n = np.mean((low <= truth) & (truth <= high)), len(low)
    assert abs(covered - 0.95) < 5 * sqrt(0.95 * 0.05 / n), f"covers {covered:.4f} of {n}"


def beta_binomial(rng, clusters, size, mean, correlation):
    """Wins of games in clusters with this correlation inside, shape (clusters, REPLICATES)."""
    total = (1 - correlation) / correlation
    chance = rng.beta(mean * total, (1 - mean) * total, (clusters, REPLICATES))
    return rng.binomial(size, chance)


@pytest.mark.parametrize(
    ("clusters", "size", "mean", "correlation"),
    [(200, 4, 0.25, 0.3), (200, 4, 0.25, 0.05), (1000, 4, 0.01, 0.2), (256, 40, 0.25, 0.02), (5, 400, 0.25, 0.05)],
)
def test_proportion__covers_in_clusters_that_agree(clusters, size, mean, correlation):
    """n = 4,000 studies of deals whose games tend to end alike."""
    won = beta_binomial(np.random.default_rng(SEED), clusters, size, mean, correlation)
    found = stats.proportion(won, np.full((clusters, 1), size), deals=clusters)
    assert_covers(found.low, found.high, mean)


def test_proportion__covers_in_clusters_that_balance():
    """n = 4,000 studies of 200 deals, each played from four seats, of which a policy wins one or two."""
    won = 1 + (np.random.default_rng(SEED).random((200, REPLICATES)) < 0.2)
    found = stats.proportion(won, np.full((200, 1), 4), deals=200)
    assert_covers(found.low, found.high, 0.3)
    unclustered = sqrt(0.3 * 0.7 / 800)
    assert found.se.mean() < unclustered  # the duplicate design's gain is kept


@pytest.mark.parametrize("clusters", [3, 30])
def test_ratio__covers_with_few_clusters(clusters):
    """n = 4,000 means of normal data in clusters of one size, for which the t interval is exact."""
    sums = np.random.default_rng(SEED).normal(20, 3, (clusters, REPLICATES))
    found = stats.ratio(sums, np.full((clusters, 1), 4))
    assert_covers(found.low, found.high, 5)


def test_ratio__covers_with_unequal_clusters():
    """n = 4,000 studies of 200 clusters of 1 to 5 pieces with points of their cluster's own mean."""
    rng = np.random.default_rng(SEED)
    size = rng.integers(1, 6, (200, REPLICATES))
    points = size * rng.uniform(0, 2, size.shape) + rng.normal(0, 1, size.shape) * np.sqrt(size)
    found = stats.ratio(points, size)
    assert_covers(found.low, found.high, 1)


@pytest.mark.parametrize("clusters", [20, 200])
def test_ratio__covers_with_a_long_tail(clusters):
    """n = 4,000 means of exponential data, of which the plain t interval of 20 covers 91 %."""
    sums = np.random.default_rng(SEED).exponential(1, (clusters, REPLICATES))
    found = stats.ratio(sums, np.ones((clusters, 1)))
    assert_covers(found.low, found.high, 1)


def test_difference__covers_where_groups_share_clusters():
    """n = 4,000 studies of 200 deals: winners' points less the others', all moved by what the deal gives."""
    rng = np.random.default_rng(SEED)
    winners = rng.integers(1, 4, (200, REPLICATES))
    deal = rng.normal(0, 2, winners.shape)
    theirs = winners * (deal + 7) + rng.normal(0, 1, winners.shape) * np.sqrt(winners)
    others = (4 - winners) * (deal + 5) + rng.normal(0, 1, winners.shape) * np.sqrt(4 - winners)
    found = stats.difference([(theirs, winners), (others, 4 - winners)])
    assert_covers(found.low, found.high, 2)


@pytest.fixture(scope="module")
def studies():
    """400 studies of 100 deals, cut from one run, and the truth, from ten times as many deals."""
    lineup = ["greedy", "random", "random"]
    truth = analysis.tally(engine.simulate("draftosaurus", lineup, 3 * 400_000, SEED))
    run = engine.simulate("draftosaurus", lineup, 3 * 40_000, SEED + 1)
    return frames.clusters_of(run), frames.clusters_of(truth)


def cut(sums):
    """Sums by deal as 100 deals of 400 studies."""
    return np.ascontiguousarray(sums.reshape(400, 100).T)


@pytest.mark.parametrize("policy", [0, 1])
def test_win_rates__cover_in_real_games(studies, policy):
    """n = 400 studies of 100 rotated deals of Draftosaurus."""
    run, truth = (frames.pool(x.seat_sums("sixtieths"), "policy")[:, policy] for x in studies)
    games, all_games = (frames.pool(x.seat_sums("games"), "policy")[:, policy] for x in studies)
    found = stats.proportion(cut(run), cut(games) * 60, deals=100)
    assert_covers(found.low, found.high, truth.sum() / all_games.sum() / 60)


@pytest.mark.parametrize("source", ["forest", "trio", "meadow"])
def test_points_per_piece__covers_in_real_games(studies, source):
    """n = 400 studies of 100 rotated deals of Draftosaurus, the random policy's pens."""
    k = studies[0].sources.index(source)
    points, all_points = (x.source_sums("points")[:, 1, k] for x in studies)
    pieces, all_pieces = (x.source_sums("pieces")[:, 1, k] for x in studies)
    found = stats.ratio(cut(points), cut(pieces))
    assert_covers(found.low, found.high, all_points.sum() / all_pieces.sum())
