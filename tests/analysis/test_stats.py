import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.stats import binomtest, multinomial, skew, t

from analysis import stats


def column(*values):
    return np.array(values, np.int64)[:, None]


def test_ratio__is_the_linearised_one():
    top, bottom = column(3, 8, 1, 6), column(2, 4, 1, 3)
    found = stats.ratio(top, bottom)
    r = 18 / 10
    se = np.sqrt(4 / 3 * np.sum((top - r * bottom) ** 2)) / 10
    assert found.estimate[0] == r
    assert found.se[0] == pytest.approx(se)
    assert (found.n[0], found.clusters[0]) == (10, 4)


def test_ratio__of_single_observations_is_the_t_interval_of_a_mean():
    half = np.random.default_rng(3).normal(size=(20, 1))
    x = 5 + np.r_[half, -half]  # no skewness
    found = stats.ratio(x, np.ones((40, 1)), level=0.9)
    assert found.se[0] == pytest.approx(x.std(ddof=1) / np.sqrt(40))
    assert found.low[0] == pytest.approx(x.mean() + t.ppf(0.05, 39) * found.se[0])


def test_ratio__a_long_tail_moves_the_interval_as_hall_has_it():
    x = np.random.default_rng(3).exponential(size=(40, 1))
    found = stats.ratio(x, np.ones((40, 1)))
    a = skew(x[:, 0]) / np.sqrt(40)
    for bound, quantile in [(found.low[0], 0.975), (found.high[0], 0.025)]:
        big_t = (found.estimate[0] - bound) / (x.std() / np.sqrt(39))
        transformed = big_t + a * big_t**2 / 3 + a**2 * big_t**3 / 27 + a / 6
        assert transformed == pytest.approx(t.ppf(quantile, 39))
    assert found.high[0] - found.estimate[0] > found.estimate[0] - found.low[0]


def test_ratio__copies_of_a_game_in_one_cluster_add_nothing():
    top, bottom = column(1, 0, 1, 1), column(1, 1, 1, 1)
    once, often = stats.ratio(top, bottom), stats.ratio(10 * top, 10 * bottom)
    assert often.se == pytest.approx(once.se)
    assert often.n == 10 * once.n


def test_ratio__nothing_counted_is_nan_with_n_0():
    found = stats.ratio(np.zeros((3, 2), int), np.array([[0, 1]] * 3), n=np.array([7, 7]))
    assert np.isnan([found.estimate[0], found.se[0], found.low[0], found.high[0]]).all()
    assert found.n.tolist() == [0, 7]
    assert found.estimate[1] == 0


def test_ratio__one_cluster_has_no_error():
    found = stats.ratio(column(3), column(2))
    assert found.estimate[0] == 1.5
    assert np.isnan([found.se[0], found.low[0], found.high[0]]).all()


def test_difference__of_apart_groups_adds_variances():
    rng = np.random.default_rng(4)
    x, y = rng.normal(size=(50, 1)), rng.normal(size=(50, 1))
    ones, none = np.ones((50, 1)), np.zeros((50, 1))
    a, b = np.r_[x, none], np.r_[none, y]
    found = stats.difference([(a, np.r_[ones, none]), (b, np.r_[none, ones])])
    assert found.estimate[0] == pytest.approx(x.mean() - y.mean())
    apart = np.sqrt((x.var(ddof=1) + y.var(ddof=1)) / 50)
    assert found.se[0] == pytest.approx(apart, rel=0.01)


def test_proportion__of_single_games_is_wilsons():
    won = column(*([1] * 9), *([0] * 19991))
    found = stats.proportion(won, np.ones_like(won), deals=20000)
    wilson = binomtest(9, 20000).proportion_ci(method="wilson")
    assert found.low[0] == pytest.approx(wilson.low, rel=1e-3)
    assert found.high[0] == pytest.approx(wilson.high, rel=1e-3)


def test_proportion__none_or_all_won_counts_each_deal_once():
    size = np.full((200, 1), 4)
    none = stats.proportion(np.zeros((200, 1), int), size, deals=200)
    every = stats.proportion(size, size, deals=200)
    wilson = binomtest(0, 200).proportion_ci(method="wilson")
    assert (none.estimate[0], none.low[0]) == (0, 0)
    assert none.high[0] == pytest.approx(wilson.high, rel=0.02)
    assert every.high[0] == 1
    assert every.low[0] == pytest.approx(1 - none.high[0])


def test_proportion__equal_clusters_by_chance_are_no_certainty():
    found = stats.proportion(column(1, 1, 1), column(2, 2, 2), deals=3)
    assert found.se[0] == 0
    assert found.low[0] < 0.1
    assert found.high[0] > 0.9


def test_proportion__rounding_is_not_taken_for_spread():
    found = stats.proportion(column(60, 60, 60, 60), column(180, 180, 180, 180), deals=4)
    assert found.high[0] - found.low[0] > 0.5


def test_proportion__one_cluster_says_nothing():
    found = stats.proportion(column(3), column(4), deals=1)
    assert (found.low[0], found.high[0]) == (0, 1)
    assert np.isnan(found.se[0])


def test_proportion__stays_within_0_and_1():
    for top in ([0, 0, 0, 1], [4, 4, 4, 3]):
        found = stats.proportion(column(*top), column(4, 4, 4, 4), deals=4)
        assert 0 <= found.low[0] < found.estimate[0] < found.high[0] <= 1


def test_proportion__nothing_counted_is_nan_with_n_0():
    found = stats.proportion(column(0, 0), column(0, 0), deals=2)
    assert np.isnan([found.estimate[0], found.se[0], found.low[0], found.high[0]]).all()
    assert found.n[0] == 0


def paired(up, down, n):
    """n deals, of which `up` are won by the first side alone and `down` by the other alone."""
    first, second, one = np.zeros((n, 1)), np.zeros((n, 1)), np.ones((n, 1))
    first[:up], second[up : up + down] = 1, 1
    return [(first, one), (second, one)]


@pytest.mark.parametrize(("up", "down", "n"), [(9, 1, 34), (8, 3, 50), (2, 7, 400), (0, 5, 60)])
def test_proportion_difference__of_single_games_is_tangos(up, down, n):
    found = stats.proportion_difference(paired(up, down, n), deals=n)
    estimate, size = (up - down) / n, n - 1  # the variance has n - 1 in it
    assert found.estimate[0] == pytest.approx(estimate)
    for end in (found.low[0], found.high[0]):

        def unlikely(lost, end=end):  # of a split with this difference
            chances = np.array([lost + end, lost, 1 - 2 * lost - end])
            return -np.sum(np.array([up, down, n - up - down]) * np.log(np.maximum(chances, 1e-300)))

        where = max(0, -end), (1 - end) / 2
        lost = minimize_scalar(unlikely, method="bounded", bounds=where, options={"xatol": 1e-12}).x
        spread = 2 * lost + end - end**2
        assert abs(end - estimate) * np.sqrt(size / spread) == pytest.approx(t.ppf(0.975, n - 1), rel=1e-4)


@pytest.mark.parametrize("discordant", [0.03, 0.06, 0.12])
@pytest.mark.parametrize("lean", [0.0, 0.5, 0.8])
def test_proportion_difference__covers(discordant, lean):
    """The exact coverage for 400 deals, over all outcomes that matter; the t interval has 93.1 to 95.6 %."""
    n, up, down = 400, discordant * (1 + lean) / 2, discordant * (1 - lean) / 2
    b, c = (cells.ravel() for cells in np.mgrid[:90, :70])
    chances = multinomial.pmf(np.column_stack([b, c, n - b - c]), n, [up, down, 1 - up - down])
    b, c, chances = (column[chances > 1e-7] for column in (b, c, chances))
    deals = np.arange(n)[:, None]
    sides = [(deals < b, np.ones((n, 1))), ((deals >= b) & (deals < b + c), np.ones((n, 1)))]
    found = stats.proportion_difference(sides, deals=n)
    assert chances.sum() > 0.999
    covered = chances[(found.low <= up - down) & (up - down <= found.high)].sum()
    assert abs(covered - 0.95) < 0.011


def test_proportion_difference__ends_where_it_may():
    nothing, all_of_it = (stats.proportion_difference(paired(up, 0, 30), deals=30) for up in (0, 30))
    assert nothing.low[0] == pytest.approx(-nothing.high[0])
    assert nothing.high[0] > 0.05
    assert (all_of_it.estimate[0], all_of_it.high[0]) == (1, 1)
    assert np.isnan(stats.proportion_difference([(np.zeros((3, 1)),) * 2] * 2, deals=3).low[0])
    alone = stats.proportion_difference(paired(1, 0, 1), deals=1)
    assert (alone.low[0], alone.high[0]) == (-1, 1)


def test_proportion_difference__copies_of_a_game_in_one_deal_add_nothing():
    once = stats.proportion_difference(paired(8, 3, 50), deals=50)
    often = stats.proportion_difference([(3 * top, 3 * bottom) for top, bottom in paired(8, 3, 50)], deals=50)
    assert often.high == pytest.approx(once.high)


def test_difference__of_few_clusters_has_the_plain_t_interval():
    """Two deals of 400 that differ the same way say little; a correction for skewness would say much."""
    x, one = np.zeros((400, 1)), np.ones((400, 1))
    x[:2] = 1
    found = stats.difference([(x, one), (np.zeros((400, 1)), one)])
    half = t.ppf(0.975, 399) * found.se[0]
    assert (found.low[0], found.high[0]) == pytest.approx((0.005 - half, 0.005 + half))
    assert stats.ratio(x, one).high[0] > 0.005 + half  # what cannot be negative is skewed


@pytest.mark.parametrize("kind", ["difference", "proportion_difference"])
def test_p_values__are_below_5_percent_where_the_interval_leaves_out_0(kind):
    rng, one = np.random.default_rng(3), np.ones((60, 1))
    for shift in np.linspace(0, 0.5, 40):
        first, second = rng.random((60, 1)) < 0.2 + shift, rng.random((60, 1)) < 0.2
        scale = 1 + 4 * (rng.random((60, 1)) < 0.2) if kind == "difference" else 1
        found = getattr(stats, kind)(
            [(first * scale, one), (second, one)], **({} if kind == "difference" else {"deals": 60})
        )
        assert (stats.p_values(found)[0] < 0.05) == (found.low[0] > 0 or found.high[0] < 0)


def test_level__wider_when_surer_and_refused_outside_0_to_1():
    top, bottom = column(1, 2, 0, 3), column(4, 4, 4, 4)
    for estimate in (stats.ratio, lambda *a, **k: stats.proportion(*a, deals=4, **k)):
        wide, narrow = estimate(top, bottom, level=0.99), estimate(top, bottom, level=0.5)
        assert wide.low[0] < narrow.low[0] < narrow.high[0] < wide.high[0]
        for level in (0, 1, 95):
            with pytest.raises(ValueError, match="level must be between 0 and 1, not"):
                estimate(top, bottom, level=level)
