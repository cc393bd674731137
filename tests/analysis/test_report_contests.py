"""Policies ranked and compared in a report."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy import stats as scipy_stats
from study_samples import HEAD, small

import analysis
import engine
from analysis import families, stats
from analysis.metrics.policy_ranks import Standing, standing
from analysis.report import cards, contests, sections, verdict, write_report
from analysis.report.contests import Contest, differences
from analysis.report.lights import widened
from analysis.store import Store
from analysis.sweep import run_study

GRID = """
[[grid]]
players = [4]
lineup = ["greedy", {focus = "greedy", field = "random"}, {focus = "planner", field = "random"}]
[[grid]]
players = [4]
lineup = [{focus = "random", field = "greedy"}]
[[grid]]
players = [3]
lineup = [["greedy", "planner", "random"]]
"""


def of_deals(won, family="same deals"):
    """Whole wins of one policy by deal, one game each."""
    won, games = np.array(won), np.ones(len(won), np.int64)
    share = stats.proportion(won[:, None], games[:, None], deals=len(won))
    return Standing(60 * won, games, len(won), family, share)


def row(estimate, low, high, **also):
    return SimpleNamespace(estimate=estimate, low=low, high=high, n=1000, clusters=100, **also)


def contest(p_family, **also):
    """b is 10 points behind a, c 40, and the field d is last."""
    rows = [(name, row(x, x - 0.02, x + 0.02)) for name, x in (("a", 0.7), ("b", 0.6), ("c", 0.3), ("d", 0.25))]
    pairs = {
        (a, b): row(x.estimate - y.estimate, 0.01, 0.9, p_family=p_family.get(a + b, 0.0))
        for i, (a, x) in enumerate(rows)
        for b, y in rows[i + 1 :]
    }
    cell = SimpleNamespace(players=4, field="d", kind="focus")
    ranks = {("a", "first"): row(0.9, 0.88, 0.92), ("b", "first"): row(0.1, 0.08, 0.12)}
    return Contest("summer", [cell], rows, ranks, pairs, **({"method": "holm", "family": 6} | also))


def run(folder, grid, head=HEAD):
    """A finished study: (store, report)."""
    study = small(folder, grid, head)
    run_study(study, folder / "r", progress=False)
    store = Store(study, folder / "r")
    return store, write_report(store)


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    return run(tmp_path_factory.mktemp("contests"), GRID)


# Differences
def test_differences__of_the_same_deals_are_paired():
    """Wins in 5 and 3 of 8 deals, 3 of them the same: they differ in two deals."""
    found = {"b": of_deals([1, 1, 1, 0, 0, 0, 0, 0]), "a": of_deals([1, 1, 1, 1, 1, 0, 0, 0])}
    (only,) = differences(found, {}).itertuples()
    assert (only.policy, only.against, only.estimate, only.n, only.clusters) == ("a", "b", 0.25, 8, 8)
    moved = [0, 0, 0, 1, 1, 0, 0, 0]
    assert only.se == pytest.approx(np.std(moved, ddof=1) / np.sqrt(8))
    # The score statistic that Tango's interval inverts: 2/8 less 0/8, worth (1/4 - 1/16) / se^2 = 7 deals.
    assert only.p == pytest.approx(2 * scipy_stats.t.sf(np.sqrt(7 / 4), 7))


def test_differences__of_other_deals_add_their_errors():
    a, b = of_deals([1, 1, 1, 0], "some deals"), of_deals([1, 0, 0, 0, 0], "other deals")
    (only,) = differences({"a": a, "b": b}, {}).itertuples()
    assert only.estimate == pytest.approx(0.75 - 0.2)
    assert only.se == pytest.approx(a.share.se[0] + b.share.se[0])
    assert (only.low, only.high) == (a.share.low[0] - b.share.high[0], a.share.high[0] - b.share.low[0])
    assert (only.n, only.clusters) == (4, 4)


def test_differences__from_the_field_are_those_from_even():
    one = of_deals([1, 0, 0, 0, 0, 0, 0, 0])
    (below,) = differences({"a": one}, {"field": 0.25}).itertuples()
    assert (below.policy, below.against, below.estimate) == ("field", "a", 0.125)
    assert (below.low, below.high) == pytest.approx((0.25 - one.share.high[0], 0.25 - one.share.low[0]))
    (above,) = differences({"a": one}, {"field": 0.1}).itertuples()
    assert (above.policy, above.against, above.estimate) == ("a", "field", pytest.approx(0.025))
    assert above.p == pytest.approx(scipy_stats.ttest_1samp([1, 0, 0, 0, 0, 0, 0, 0], 0.1).pvalue)


def test_differences__without_spread_count_deals():
    """All of 20 deals won, and none: each deal is one observation of a difference that is 1 or -1 by chance."""
    found = {"all": of_deals([1] * 20), "none": of_deals([0] * 20), "nothing": of_deals([0] * 20)}
    frame = differences(found, {"field": 0.25}).set_index(["policy", "against"])
    assert frame.p["all", "none"] == pytest.approx(2 * scipy_stats.t.sf(np.sqrt(20), 19))
    assert frame.p["field", "none"] == pytest.approx(2 * scipy_stats.t.sf(0.25 * np.sqrt(20 / (0.25 * 0.75)), 19))
    assert np.isnan(frame.p["none", "nothing"])


def test_differences__of_every_two_are_in_order():
    found = {name: of_deals([1] * k + [0] * (9 - k)) for name, k in (("c", 2), ("a", 7), ("b", 5))}
    frame = differences(found, {"field": 1 / 3})
    pairs = ["a b", "a field", "a c", "b field", "b c", "field c"]
    assert (frame.policy + " " + frame.against).tolist() == pairs
    assert (frame.estimate > 0).all()


def test_standing__of_tallies_and_playouts_are_alike():
    play = engine.simulate("draftosaurus", ["greedy", "random", "random"], 1500, 3)
    for name in ("greedy", "random"):
        kept, tallied = (standing(result, name) for result in (play, analysis.tally(play)))
        assert np.array_equal(kept.won, tallied.won)
        assert np.array_equal(kept.games, tallied.games)


def test_policy_ranks__of_standings_are_those_of_results():
    play = {name: engine.simulate("draftosaurus", [name, "random"], 300, 3) for name in ("greedy", "planner", "roller")}
    small_ = {name: standing(result) for name, result in play.items()}
    pd.testing.assert_frame_equal(
        analysis.policy_ranks(small_, resamples=200), analysis.policy_ranks(play, resamples=200)
    )


def test_differences__corrected_together_make_few_false_claims():
    """Five policies and the field are equally strong in n = 400 studies of 200 deals, half of the luck in common.

    Null: at most 5 % of studies claim any difference; limit five standard errors above, 10.4 %.
    """
    rng, studies, false = np.random.default_rng(20261130), 400, 0
    for _ in range(studies):
        shared = np.where(rng.random((200, 1)) < 0.5, rng.random((200, 1)), rng.random((200, 5)))
        frame = differences(
            {f"p{i}": of_deals(won) for i, won in enumerate((shared < 0.25).T.astype(int))}, {"f": 0.25}
        )
        false += ((families.adjust(frame.p) < 0.05) & (frame.low > 0)).any()
    assert false / studies < 0.05 + 5 * np.sqrt(0.05 * 0.95 / studies)


# What is said
@pytest.mark.parametrize(
    ("p_family", "says"),
    [
        ({"ab": 0.049}, "Against 3 d, a is the strongest."),
        ({"ab": 0.051}, "Against 3 d, a and b are the strongest and cannot be told apart."),
        ({"ad": 0.6}, "Against 3 d, a and d (the field) are the strongest and cannot be told apart."),
        ({"bc": 0.6}, "Against 3 d, a is the strongest."),
        ({"ab": float("nan")}, "Against 3 d, a and b are the strongest and cannot be told apart."),
    ],
)
def test_strength__names_one_policy_only_if_the_corrected_differences_do(p_family, says):
    assert verdict.strength(contest(p_family))[0] == says


def test_strength__tells_probabilities_and_the_correction():
    detail = verdict.strength(contest({}))[1]
    assert (
        "Win share, 25.0 % being even: a 70 % (68 to 72), b 60 % (58 to 62), c 30 % (28 to 32); n = 1,000 games each."
        in detail
    )
    assert "Probability of being truly the first: a 90 %, b 10 %." in detail
    assert "corrected by Holm's method over the 6 comparisons of policies in the study" in detail
    assert "without a correction for the 6 comparisons" in verdict.strength(contest({}, method="none"))[1]


def test_ranked__gives_the_probability_of_being_first_without_a_range():
    """Its range was only the error of the drawings."""
    one = contest({})
    one.ranks["a", "rank"] = row(1, 1, 2)
    assert sections._ranked(one, 0)[2:4] == [("1", "1 to 2"), "90 %"]


def test_is_decided__needs_the_interval_too():
    one = contest({})
    assert one.is_decided("a", "b")
    one.pairs["a", "b"].low = -0.001
    assert not one.is_decided("a", "b")


def test_lead__is_widened_for_all_comparisons():
    one = contest({})
    first, second, lead = cards.lead(one)
    assert (first, second) == ("a", "b")
    assert lead.low == widened(one.pairs["a", "b"], 6).low < one.pairs["a", "b"].low
    assert cards.lead(contest({}, method="none"))[2].low == 0.01


# In a report
def test_report__corrects_all_differences_of_policies_together(done):
    store, report = done
    table = pd.read_csv(store.root / "tables" / "policy_differences.csv")
    assert list(table.columns[:6]) == ["variant", "rules", "players", "contest", "policy", "against"]
    assert table.contest.value_counts().to_dict() == {
        "against 3 random": 3,
        "against 3 greedy": 1,
        "at one table of greedy, planner, random": 3,
    }
    assert table.p_family.to_numpy() == pytest.approx(families.adjust(table.p), rel=1e-6)
    assert {one.family for one in report.found.contests} == {7}
    assert families.says("holm", 7).replace("'", "&#39;") in report.path.read_text()


def test_report__takes_the_correction_of_the_study(tmp_path):
    store, report = run(tmp_path, GRID, HEAD + 'correct = "none"\n')
    table = pd.read_csv(store.root / "tables" / "policy_differences.csv")
    assert table.p_family.equals(table.p)
    assert "without a correction for the 7 comparisons" in report.path.read_text()


def test_report__shows_ranks_and_how_sure_they_are(done):
    store, report = done
    page = report.path.read_text()
    for words in ("truly first", "random (the field)", "by design", "and truly the first with probability"):
        assert words in page
    ranks = pd.read_csv(store.root / "tables" / "policy_ranks.csv")
    assert set(ranks.quantity) == {"win_share", "rank", "first"}
    sums = ranks[ranks.quantity == "first"].groupby("contest").estimate.sum()
    assert sums.to_numpy() == pytest.approx(np.ones(len(sums)))
    assert "random" in set(ranks.policy), "the field may be the first"
    assert set(ranks.policy[ranks.contest == "against 3 greedy"]) == {"random", "greedy"}  # the field too


def test_report__sets_a_single_policy_against_even(done):
    texts = [finding.text for finding in done[1].findings if finding.topic == "Policies"]
    assert texts[1].startswith("One random against 3 greedy wins ")
    assert texts[1].endswith(", decidedly less than the even share.")


def test_report__of_fixed_seats_knows_no_even_share(tmp_path):
    grid = '[[grid]]\nplayers = [2]\nseats = "fixed"\nlineup = [{focus = "greedy", field = "random"}]\n'
    store, report = run(tmp_path, grid)
    (one,) = report.found.contests
    assert [name for name, _ in one.rows] == ["greedy"]
    assert "policies" not in report.found.corrected
    assert not (store.root / "tables" / "policy_differences.csv").exists()
    assert report.cards[0].checks[3].says[0].startswith("Not measured")


def test_report__of_one_deal_decides_nothing(tmp_path):
    grid = '[[grid]]\nplayers = [2]\ngames = 2\nlineup = [["greedy", "random"], {focus = "roller", field = "greedy"}]\n'
    _, report = run(tmp_path, grid)
    assert report.found.contests[0].family == 0
    assert "truly the first with probability" not in report.path.read_text()


def test_contests__keep_groups_of_deals_only(done):
    known = contests.Standings()
    cell = next(c for c in done[0].study.cells if c.kind == "mixed")
    known.add(cell, engine.simulate("draftosaurus", cell.wanted, 3000, 7))
    assert {len(one.won) for one in known.of[cell.key].values()} == {256}
