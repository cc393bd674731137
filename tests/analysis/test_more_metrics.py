from dataclasses import replace

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

import analysis
import engine
from analysis import plots, stats
from analysis.metrics.policy_ranks import Standing
from analysis.metrics.win_model import logistic
from analysis.stats import COLUMNS
from engine.lineup import seatings

matplotlib.use("Agg")
LINEUP = ["greedy", "random", "random"]


@pytest.fixture(scope="module")
def mixed():
    return engine.simulate("draftosaurus", LINEUP, 6000, 7)


@pytest.fixture(scope="module")
def rows():
    return engine.trace("draftosaurus", LINEUP, 60, 7)


def by_hand(score, share):
    """Three players, one row a game of a deal of its own."""
    like = engine.simulate("draftosaurus", ["random"] * 3, len(score), 1)
    return replace(like, score=np.array(score, np.int16), share=np.array(share, np.float32))


FOUR = (
    [[10, 7, 3], [5, 5, 1], [4, 4, 4], [2, 9, 8]],
    [[1, 0, 0], [0.5, 0.5, 0], [1 / 3, 1 / 3, 1 / 3], [0, 1, 0]],
)


@pytest.mark.parametrize("name", ["margin", "ties", "winner_points", "win_model", "policy_ranks"])
def test_metric__is_tidy_and_refuses_what_is_no_result(mixed, name):
    metric = getattr(analysis, name)
    frame = metric(mixed)
    assert list(frame.columns[-6:]) == list(COLUMNS)
    assert not frame.duplicated(list(frame.columns[:-6])).any()
    known = frame[frame.n > 0]
    assert (known.low <= known.estimate).all()
    assert (known.estimate <= known.high).all()
    with pytest.raises(TypeError, match="Playouts"):
        metric(mixed.to_pandas())
    wide = metric(mixed, level=0.99)
    assert ((wide.high - wide.low) >= (frame.high - frame.low) - 1e-12)[frame.n > 0].all()


def test_win_model__says_that_it_needs_playouts(mixed):
    with pytest.raises(TypeError, match='win_model needs Playouts, not Tallies; in a study, keep = "playouts"'):
        analysis.win_model(analysis.tally(mixed))


@pytest.mark.parametrize("name", ["margin", "ties", "winner_points"])
def test_metric__tallies_give_the_same_estimates(mixed, name):
    plain, tallied = (getattr(analysis, name)(x) for x in (mixed, analysis.tally(mixed)))
    pd.testing.assert_series_equal(plain.estimate[: len(tallied)], tallied.estimate)
    assert (tallied.clusters == 256).all()


# ---------------------------------------------------------------------------------------------------------
# Margin and ties
# ---------------------------------------------------------------------------------------------------------
def test_margin__by_hand():
    """Leads 3, 0 (shared by two), 0 (by all) and 1."""
    frame = analysis.margin(by_hand(*FOUR), within=[0, 1, 2, 3])
    assert frame.estimate.tolist() == [1.0, 0.5, 0.75, 0.75, 1.0]
    assert frame.se[0] == pytest.approx(np.std([3, 0, 0, 1], ddof=1) / 2)
    assert frame.quantity.tolist() == ["lead"] + ["within"] * 4
    assert frame.points.tolist()[1:] == [0, 1, 2, 3]
    assert (frame.n == 4).all()


def test_margin__clusters_are_deals(mixed):
    frame = analysis.margin(mixed)
    best = np.sort(mixed.score, axis=1)
    lead = np.where((mixed.share > 0).sum(1) > 1, 0, best[:, -1] - best[:, -2])
    assert frame.estimate[0] == pytest.approx(lead.mean())
    assert (frame.clusters == 2000).all()
    with pytest.raises(ValueError, match="within must be at least 0, not -1"):
        analysis.margin(mixed, within=[-1])
    assert len(analysis.margin(mixed, within=[])) == 1
    with pytest.raises(ValueError, match="within must be from 0 to 94, not 95"):
        analysis.margin(analysis.tally(mixed), within=[95])


def test_ties__by_hand():
    frame = analysis.ties(by_hand(*FOUR))
    assert frame.set_index("sharing").estimate.to_dict() == {"any": 0.5, "2": 0.25, "3": 0.25}


# ---------------------------------------------------------------------------------------------------------
# Decisions
# ---------------------------------------------------------------------------------------------------------
def test_decisions__by_hand():
    """Two games: one with 3 and 1 legal actions in phases 0 and 1, one with 2, 4 and 1 in phases 0, 0 and 1."""
    table = pd.DataFrame(
        {
            "game": [0, 0, 1, 1, 1],
            "ply": [0, 1, 0, 1, 2],
            "seat": [0, 1, 0, 1, 0],
            "phase": [0, 1, 0, 0, 1],
            "n_legal": [3, 1, 2, 4, 1],
        }
    )
    frame = analysis.decisions(table, names=["PLACE", "ROLL"]).set_index(["quantity", "phase"])
    assert frame.estimate["decisions"].to_dict() == {"PLACE": 1.5, "ROLL": 1.0}
    assert frame.estimate["options"].to_dict() == {"PLACE": 3.0, "ROLL": 1.0}
    assert frame.estimate["forced"].to_dict() == {"PLACE": 0.0, "ROLL": 1.0}
    assert frame.n["decisions"].to_list() == [2, 2]
    assert frame.n["options"].to_list() == [3, 2]
    plies = analysis.decisions(table, "ply")
    assert plies[plies.quantity == "decisions"].estimate.to_list() == [1, 1, 0.5]


def test_decisions__agree_with_game_length(mixed, rows):
    per_deal = len(seatings(LINEUP, "rotate"))
    play = engine.simulate("draftosaurus", LINEUP, 60, 7)
    length = analysis.game_length(play).set_index("quantity")
    frame = analysis.decisions(rows, per_deal=per_deal).set_index("quantity")
    for quantity in ("decisions", "options", "forced"):
        assert frame.estimate[quantity] == pytest.approx(length.estimate[quantity])
        assert frame.se[quantity] == pytest.approx(length.se[quantity])
    assert (frame.clusters == 20).all()


def test_decisions__bad_input(mixed, rows):
    with pytest.raises(ValueError, match="by 'phases' is not known; did you mean 'phase'"):
        analysis.decisions(rows, "phases")
    with pytest.raises(ValueError, match="trace has no decisions"):
        analysis.decisions(rows[:0])
    with pytest.raises(ValueError, match="per_deal must be at least 1, not 0"):
        analysis.decisions(rows, per_deal=0)
    for wrong in (mixed, mixed.to_pandas(), np.zeros(3)):
        with pytest.raises(TypeError, match=r"trace must be what engine.trace gives, with a column"):
            analysis.decisions(wrong)


# ---------------------------------------------------------------------------------------------------------
# What winners have
# ---------------------------------------------------------------------------------------------------------
def test_winner_points__are_what_they_say(mixed):
    frame = analysis.winner_points(mixed).set_index(["quantity", "source"]).estimate
    won = mixed.share.astype(float)[:, :, None]
    king = mixed.sources.index("king")
    mine = (mixed.points * won).sum((0, 1)) / len(mixed)
    rest = (mixed.points * (1 - won)).sum((0, 1)) / (2 * len(mixed))
    assert frame["winner_points", "king"] == pytest.approx(mine[king])
    assert frame["others_points", "king"] == pytest.approx(rest[king])
    assert frame["winner_share"].sum() == pytest.approx(1)
    assert frame["others_share", "king"] == pytest.approx(rest[king] / rest.sum())


def test_logistic__two_groups_by_hand():
    """Wins of 1 in 4 without and 3 in 4 with: the log odds move by 2 log 3; the error is that of two proportions."""
    x = np.repeat([0.0, 1.0], 40)
    y = np.tile([1.0, 0, 0, 0], 10).tolist() + np.tile([1.0, 1, 1, 0], 10).tolist()
    found = logistic(np.column_stack([np.ones(80), x]), np.array(y), np.arange(80))
    assert found.coefficients == pytest.approx([-np.log(3), 2 * np.log(3)])
    plain = 2 / (40 * 0.25 * 0.75)
    assert found.covariance[1, 1] == pytest.approx(plain * 80 / 79)


def test_logistic__twice_the_same_rows_in_a_cluster_say_no_more():
    rng = np.random.default_rng(1)
    x = np.column_stack([np.ones(300), rng.integers(0, 5, 300)])
    y = (rng.random(300) < 0.4).astype(float)
    once, twice = logistic(x, y, np.arange(300)), logistic(np.repeat(x, 2, 0), np.repeat(y, 2), np.arange(600) // 2)
    assert twice.coefficients == pytest.approx(once.coefficients)
    assert twice.covariance == pytest.approx(once.covariance)


def test_win_model__tells_what_each_deal_adds(mixed):
    with stats.influence():
        frame = analysis.win_model(mixed)
    frame = frame[frame.n > 0]
    for adds, se in zip(frame.influence, frame.se, strict=True):
        assert adds.sum() == pytest.approx(0, abs=1e-9)
        assert np.sqrt(len(adds) / (len(adds) - 1) * np.sum(adds**2)) == pytest.approx(se)


def test_logistic__no_fit_is_nan():
    ones, x, deals = np.ones(10), np.arange(10.0), np.arange(10)
    for design, y in ((np.column_stack([ones, ones]), x > 4), (np.column_stack([ones, x]), x > 4)):
        assert np.isnan(logistic(design, y.astype(float), deals).coefficients).all()


def test_logistic__covers():
    """n = 1,000 studies of 200 deals of two games that share half their luck; a slope of 0.3 is covered in 95 %, by
    five standard errors, 3.4 points."""
    rng, hits = np.random.default_rng(20261130), 0
    cluster = np.repeat(np.arange(200), 2)
    for _ in range(1000):
        x = np.repeat(rng.integers(0, 8, 200), 2).astype(float)
        luck = np.where(np.repeat(rng.random(200) < 0.5, 2), np.repeat(rng.random(200), 2), rng.random(400))
        y = (luck < 1 / (1 + np.exp(1 - 0.3 * x))).astype(float)
        found = logistic(np.column_stack([np.ones(400), x]), y, cluster)
        hits += abs(found.coefficients[1] - 0.3) < 1.972 * np.sqrt(found.covariance[1, 1])
    assert abs(hits / 1000 - 0.95) < 5 * np.sqrt(0.95 * 0.05 / 1000)


def test_win_model__goes_through_what_was_seen(mixed):
    frame = analysis.win_model(mixed)
    mine = frame[(frame.policy == "random") & (frame.source == "trio")]
    table = mixed.to_pandas()
    table = table[table.policy == "random"]
    for row in mine[mine.quantity == "win_probability"].itertuples():
        if row.value in (0, 7):  # a pen with two outcomes is fitted exactly
            assert row.estimate == pytest.approx(
                table[table.trio == row.value].win_share.astype(float).mean(), abs=1e-6
            )
    assert (mine.n == 12_000).all()
    assert analysis.win_model(mixed, points=2).groupby(["policy", "source"]).size().max() == 3
    with pytest.raises(ValueError, match="points must be at least 2, not 1"):
        analysis.win_model(mixed, points=1)
    with pytest.raises(ValueError, match="level must be between 0 and 1, not 95"):
        analysis.win_model(mixed, level=95)


def test_win_model__a_source_that_never_varies_has_no_fit(mixed):
    points = mixed.points.copy()
    points[:, :, 0] = 4
    frame = analysis.win_model(replace(mixed, points=points))
    none = frame[frame.source == mixed.sources[0]]
    assert none.estimate.isna().all()
    assert (none.n == 0).all()


# ---------------------------------------------------------------------------------------------------------
# Ranks
# ---------------------------------------------------------------------------------------------------------
def test_policy_ranks__clear_and_even_cases(mixed):
    frame = analysis.policy_ranks(mixed).set_index(["policy", "quantity"])
    assert frame.estimate["greedy", "first"] == 1
    assert frame.low["greedy", "rank"] == frame.high["greedy", "rank"] == 1
    twins = {name: engine.simulate("draftosaurus", ["random"] * 3, 900, seed) for name, seed in (("a", 1), ("b", 2))}
    even = analysis.policy_ranks(twins).set_index(["policy", "quantity"])
    assert even.estimate["a", "first"] == even.estimate["b", "first"] == 0.5  # shares are 1/3 by design
    assert even.estimate.xs("first", level="quantity").sum() == pytest.approx(1)


def test_policy_ranks__same_deals_are_drawn_together():
    """A policy that wins what another wins and one game more is first in every draw that has this game."""
    lineup = ["greedy", "random", "random"]
    one = engine.simulate("draftosaurus", lineup, 900, 3)
    share = one.share.copy()
    game = int(np.flatnonzero((share * (one.entry == 0)).sum(1) == 0)[0])
    share[game] = one.entry[game] == 0
    frame = analysis.policy_ranks({"plain": one, "more": replace(one, share=share)})
    first = frame[frame.quantity == "first"].set_index("policy")
    with_it = 1 - (1 - 1 / 256) ** 256  # the chance that one of 256 groups is drawn
    assert first.estimate["more"] == pytest.approx(with_it + (1 - with_it) / 2, abs=0.02)
    assert frame.policy.iloc[0] == "more"


def test_policy_ranks__first_is_near_the_normal_probability():
    """Two policies whose difference is one standard error apart: the better is first in 84 %, if draws are normal."""
    rng = np.random.default_rng(4)
    like = engine.simulate("draftosaurus", ["greedy", "random"], 2 * 512, 1)

    def won(wins):
        mine = np.repeat(wins, 2)[:, None]
        return replace(like, share=np.where(like.entry == 0, mine, 1 - mine).astype(np.float32))

    wins = [rng.permutation(np.arange(512) < 256), rng.permutation(np.arange(512) < 256)]
    difference = wins[0].astype(float) - wins[1]
    extra = round(np.sqrt(512) * difference.std())
    wins[0][np.flatnonzero(~wins[0])[:extra]] = True
    frame = analysis.policy_ranks({"a": won(wins[0]), "b": won(wins[1])})
    first = frame[(frame.quantity == "first") & (frame.policy == "a")].estimate.iloc[0]
    difference = wins[0].astype(float) - wins[1]
    expected = difference.mean() / (difference.std() / np.sqrt(512))
    from scipy.stats import norm

    assert first == pytest.approx(norm.cdf(expected), abs=0.05)


def test_policy_ranks__intervals_hold_every_rank_at_once():
    """n = 400 contests of ten policies whose truths lie within two standard errors: all ten rank intervals hold in at
    least 95 %, by five standard errors, 5.4 points."""
    rng, held, n = np.random.default_rng(8), 0, 400
    truth = np.linspace(0.48, 0.52, 10)
    for _ in range(n):
        won = rng.binomial(40, truth[:, None], (10, 256)).astype(np.int64) * 60
        entered = {
            str(i): Standing(row, np.full(256, 40), 10_240, "deals", stats.exact(row.sum() / 614_400, 10_240, 256))
            for i, row in enumerate(won)
        }
        frame = analysis.policy_ranks(entered, resamples=200).query("quantity == 'rank'").set_index("policy")
        ranks = 10 - np.array([int(name) for name in frame.index])
        held += bool(((frame.low <= ranks) & (ranks <= frame.high)).all())
    assert held / n > 0.95 - 5 * np.sqrt(0.95 * 0.05 / n)


def test_policy_ranks__a_share_by_design_is_ranked_too():
    play = engine.simulate("draftosaurus", ["greedy", "random", "random"], 900, 3)
    frame = analysis.policy_ranks({"greedy": play, "field": 1 / 3, "third": 0.2}).set_index(["policy", "quantity"])
    assert frame.estimate["field", "rank"] == frame.low["field", "rank"] == frame.high["field", "rank"] == 2
    assert frame.estimate["field", "win_share"] == frame.low["field", "win_share"] == 1 / 3
    assert frame.estimate["field", "first"] == 0
    assert frame.n["field", "win_share"] == 0


def test_policy_ranks__is_the_same_each_time_and_checks_its_input(mixed):
    pd.testing.assert_frame_equal(analysis.policy_ranks(mixed, seed=2), analysis.policy_ranks(mixed, seed=2))
    with pytest.raises(ValueError, match="at least two policies to rank, not 1"):
        analysis.policy_ranks(engine.simulate("draftosaurus", ["random"] * 3, 30, 1))
    with pytest.raises(ValueError, match="resamples must be at least 100, not 3"):
        analysis.policy_ranks(mixed, resamples=3)
    with pytest.raises(TypeError, match="result must be Playouts or Tallies, not int"):
        analysis.policy_ranks({"a": 1, "b": 2})
    one = analysis.policy_ranks(engine.simulate("draftosaurus", LINEUP, 3, 1))
    assert one[one.quantity != "win_share"].low.isna().all()


# ---------------------------------------------------------------------------------------------------------
# Plots
# ---------------------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def drawn(mixed, rows):
    pair = analysis.compare("draftosaurus", LINEUP, 600, rules={"trio_points": 5}, against={})
    return {
        "margin": (plots.margin, analysis.margin(mixed), {}),
        "winner_points": (plots.winner_points, analysis.winner_points(mixed), {"quantity": "share"}),
        "win_model": (plots.win_model, analysis.win_model(mixed), {"policy": "greedy"}),
        "policy_ranks": (plots.policy_ranks, analysis.policy_ranks(mixed), {}),
        "decisions": (plots.decisions, analysis.decisions(rows, "ply"), {}),
        "by_seat": (plots.decisions, analysis.decisions(rows, "seat"), {"quantity": "forced"}),
        "comparison": (plots.comparison, pair.frame, {}),
        "shares": (plots.comparison, pair.frame, {"quantity": "win_share"}),
    }


NAMES = ["margin", "winner_points", "win_model", "policy_ranks", "decisions", "by_seat", "comparison", "shares"]


@pytest.mark.parametrize("name", NAMES)
def test_plot__follows_the_house(drawn, name):
    plot, frame, options = drawn[name]
    before = dict(matplotlib.rcParams)
    ax = plot(frame, **options)
    assert ax.get_title(loc="left") == ""
    assert ax.figure.get_size_inches()[0] == 6.5
    assert plot(frame, title="A title", **options).get_title(loc="left") == "A title"
    given = plt.figure().add_subplot()
    assert plot(frame, ax=given, scale=2, **options) is given
    assert dict(matplotlib.rcParams) == before
    plt.close("all")


@pytest.mark.parametrize("name", NAMES)
def test_plot__refuses_several_cells_and_other_frames(drawn, name):
    plot, frame, options = drawn[name]
    with pytest.raises(ValueError, match=r"several rows for .*; select one cell of the study first"):
        plot(pd.concat([frame, frame]), **options)
    with pytest.raises(ValueError, match="frame lacks a column: 'estimate'"):
        plot(frame.drop(columns="estimate"), **options)


def test_plot__quantities_are_checked(drawn):
    for name in ("winner_points", "comparison", "decisions"):
        plot, frame, _ = drawn[name]
        with pytest.raises(ValueError, match="quantity 'x' is not known"):
            plot(frame, quantity="x")
    with pytest.raises(ValueError, match="choose policy= of"):
        plots.win_model(drawn["win_model"][1])
