import subprocess
import sys
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import analysis
import engine
from analysis.stats import COLUMNS
from analysis.tallies import Tallies

METRICS = {
    "win_rates": (analysis.win_rates, ["policy"]),
    "by_seat": (lambda r, **k: analysis.win_rates(r, "seat", **k), ["seat"]),
    "by_both": (lambda r, **k: analysis.win_rates(r, "both", **k), ["policy", "seat"]),
    "source_values": (analysis.source_values, ["policy", "source", "quantity"]),
    "points": (analysis.source_distribution, ["policy", "source", "value"]),
    "pieces": (lambda r, **k: analysis.source_distribution(r, "pieces", **k), ["policy", "source", "value"]),
    "score_distribution": (analysis.score_distribution, ["policy", "value"]),
    "seat_advantage": (analysis.seat_advantage, ["seat", "quantity"]),
    "game_length": (analysis.game_length, ["quantity"]),
}


def play(lineup, games, **options):
    return engine.simulate("draftosaurus", lineup, games, 11, **options)


@pytest.fixture(scope="module")
def mixed():
    return play(["greedy", "random", "random", "random"], 32_000)


@pytest.fixture(scope="module")
def alike():
    return play(["random"] * 4, 4_000)


@pytest.mark.parametrize("name", METRICS)
def test_metric__is_tidy(mixed, name):
    metric, labels = METRICS[name]
    frame = metric(mixed)
    assert list(frame.columns) == [*labels, *COLUMNS]
    assert not frame.duplicated(labels).any()
    assert (frame.low <= frame.estimate).all()
    assert (frame.estimate <= frame.high).all()
    assert (frame.clusters == 8000).all()


@pytest.mark.parametrize("name", METRICS)
def test_metric__tallies_give_the_same_estimates_and_like_errors(mixed, name):
    """With 8,000 deals against 256 groups the errors differ by chance: by 4.5 %, five times that allowed."""
    metric, labels = METRICS[name]
    plain, tallied = metric(mixed), metric(analysis.tally(mixed))
    pd.testing.assert_frame_equal(
        plain[[*labels, "estimate", "n"]], tallied[[*labels, "estimate", "n"]], check_exact=True
    )
    assert (tallied.clusters == 256).all()
    often = plain.estimate * plain.n > 2000  # rare values make rough errors
    factor = (tallied.se / plain.se)[often & (plain.se > 0)]
    assert factor.between(0.77, 1.23).all()


@pytest.mark.parametrize("name", METRICS)
def test_metric__level_sets_the_width(mixed, name):
    metric, _ = METRICS[name]
    wide, narrow = metric(mixed, level=0.99), metric(mixed, level=0.5)
    width = (narrow.high - narrow.low) / (wide.high - wide.low)
    assert ((width < 0.6) | (wide.high == wide.low)).all()


@pytest.mark.parametrize("name", METRICS)
def test_metric__one_deal_gives_estimates_without_errors(name):
    metric, _ = METRICS[name]
    one = play(["greedy", "random"], 2)
    for result in (one, analysis.tally(one)):
        frame = metric(result)
        assert frame.se.isna().all()
        assert (frame.clusters == 1).all()


@pytest.mark.parametrize("name", METRICS)
def test_metric__refuses_no_games_and_what_is_no_result(mixed, name):
    metric, _ = METRICS[name]
    with pytest.raises(ValueError, match="no games"):
        metric(Tallies.empty(mixed))
    with pytest.raises(TypeError, match="result must be Playouts or Tallies, not DataFrame"):
        metric(mixed.to_pandas())


def test_win_rates__equal_labels_are_one_policy(mixed):
    frame = analysis.win_rates(mixed).set_index("policy")
    seats = mixed.to_pandas().groupby("policy", observed=True).win_share
    assert list(frame.index) == ["greedy", "random"]
    assert frame.n.to_dict() == {"greedy": 32_000, "random": 96_000}
    assert np.allclose(frame.estimate, seats.mean()[frame.index], atol=1e-6)
    assert frame.estimate["greedy"] + 3 * frame.estimate["random"] == pytest.approx(1)


def test_win_rates__one_policy_wins_its_share_by_design(alike):
    for result in (alike, analysis.tally(alike)):
        row = analysis.win_rates(result).iloc[0]
        assert (row.estimate, row.se, row.low, row.high) == (0.25, 0, 0.25, 0.25)
        seats = analysis.win_rates(result, "seat")
        assert (seats.se > 0).all()
        assert (seats.clusters == len(np.unique(result.deal)) if result is alike else seats.clusters == 256).all()


def test_win_rates__fixed_seats_have_only_the_rows_played():
    frame = analysis.win_rates(play(["greedy", "random", "random"], 300, seats="fixed"), "both")
    assert list(zip(frame.policy, frame.seat, strict=True)) == [("greedy", 0), ("random", 1), ("random", 2)]


def test_win_rates__all_and_no_wins(mixed):
    share = np.zeros_like(mixed.share)
    share[mixed.entry == 0] = 1
    sure = replace(mixed, share=share)
    for result in (sure, analysis.tally(sure)):
        frame = analysis.win_rates(result).set_index("policy")
        assert frame.estimate.to_dict() == {"greedy": 1, "random": 0}
        assert frame.high["greedy"] == 1
        assert frame.low["random"] == 0
        assert 0.999 < frame.low["greedy"] < 1
        assert 0 < frame.high["random"] < 0.001


def test_win_rates__by_is_checked(mixed):
    with pytest.raises(ValueError, match="by 'policies' is not known; did you mean 'policy'"):
        analysis.win_rates(mixed, "policies")


def test_source_values__are_what_their_names_say(mixed):
    frame = analysis.source_values(mixed).set_index(["policy", "quantity", "source"]).estimate
    table = mixed.to_pandas()
    mine = table[table.policy == "random"]
    king, held, won = mine.king.astype(float), mine.king_pieces, mine.win_share.astype(float)
    found = frame["random"].xs("king", level="source")
    assert found["points"] == pytest.approx(king.mean())
    assert found["pieces"] == pytest.approx(held.mean())
    assert found["points_per_piece"] == pytest.approx(king.sum() / held.sum())
    assert found["share_of_total"] == pytest.approx(king.sum() / mine.score.sum())
    rest = np.average(king, weights=1 - won)
    assert found["winners_minus_rest"] == pytest.approx(np.average(king, weights=won) - rest, abs=1e-5)
    assert frame["random"]["share_of_total"].sum() == pytest.approx(1)
    assert frame["random"]["points"].sum() == pytest.approx(mine.score.mean())


def test_source_values__no_pieces_and_no_winners_are_nan_with_n_0(mixed):
    pieces, share = mixed.pieces.copy(), np.zeros_like(mixed.share)
    pieces[:, :, 2] = 0
    share[mixed.entry == 0] = 1
    bare = replace(mixed, pieces=pieces, share=share)
    for result in (bare, analysis.tally(bare)):
        frame = analysis.source_values(result).set_index(["quantity", "source"])
        per_piece = frame.loc[("points_per_piece", "king")]
        assert per_piece[["estimate", "se", "low", "high"]].isna().all(axis=None)
        assert (per_piece.n == 0).all()
        winners = frame.loc["winners_minus_rest"]
        assert winners.estimate.isna().all()
        assert (winners.n == 0).all()


@pytest.mark.parametrize("of", ["points", "pieces"])
def test_source_distribution__is_whole_and_has_the_mean(mixed, of):
    frame = analysis.source_distribution(mixed, of)
    by_source = frame.groupby(["policy", "source"])
    assert np.allclose(by_source.estimate.sum(), 1)
    mean = (frame.value * frame.estimate).groupby([frame.policy, frame.source]).sum()
    values = analysis.source_values(mixed)
    values = values[values.quantity == of].set_index(["policy", "source"]).estimate
    assert np.allclose(mean, values[mean.index])
    assert (by_source.value.diff().dropna() == 1).all()


def test_source_distribution__of_is_checked(mixed):
    with pytest.raises(ValueError, match="of 'point' is not known; did you mean 'points'"):
        analysis.source_distribution(mixed, "point")


def test_score_distribution__is_whole(mixed):
    frame = analysis.score_distribution(mixed)
    assert np.allclose(frame.groupby("policy").estimate.sum(), 1)
    top = frame[frame.policy == "greedy"].value.max()
    assert top == mixed.score[mixed.entry == 0].max()


def test_distribution__says_what_tallies_clipped(mixed):
    score = mixed.score.copy()
    score[:3, 0] = 400
    tallies = analysis.tally(replace(mixed, score=score))
    with pytest.warns(UserWarning, match="3 values of score outside -64 to 191 are counted at the nearest"):
        assert analysis.score_distribution(tallies).value.max() == 191
    analysis.source_distribution(tallies)


def test_seat_advantage__is_against_an_even_share(mixed):
    frame = analysis.seat_advantage(mixed).set_index(["quantity", "seat"])
    seats = analysis.win_rates(mixed, "seat")
    shares, scores = frame.loc["win_share"], frame.loc["score"]
    assert np.allclose(shares.estimate, seats.estimate - 0.25)
    assert np.allclose(shares.low, seats.low - 0.25)
    assert shares.estimate.sum() == pytest.approx(0)
    assert np.allclose(scores.estimate, mixed.score.mean(0) - mixed.score.mean())


def test_game_length__is_what_its_names_say(mixed):
    frame = analysis.game_length(mixed).set_index("quantity").estimate
    assert frame["decisions"] == mixed.decisions.mean()
    assert frame["options"] == pytest.approx(mixed.options.sum() / mixed.decisions.sum())
    assert frame["forced"] == pytest.approx(mixed.forced.sum() / mixed.decisions.sum())
    assert frame["ties"] == pytest.approx(((mixed.share > 0).sum(1) > 1).mean())


def test_import__analysis_is_light():
    code = "import sys, analysis; print([m for m in ('numba', 'scipy', 'pandas', 'matplotlib') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_import__every_public_name_is_there():
    for name in analysis.__all__:
        assert getattr(analysis, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'win_rate'"):
        analysis.win_rate  # noqa: B018
