import time

import numpy as np
import pytest
from scipy.integrate import quad

import analysis
from analysis import sequential
from analysis.sequential import ConfidenceSequence
from analysis.sweep.stream import BLOCK, STEP, looks, seconds_of
from analysis.until import PILOT, Until, Watch, observations

ALIKE = ["random"] * 3


def sequence(**options):
    return ConfidenceSequence(0.95, **({"span": 1.0, "tuned": 1000, "variance": 0.25} | options))


@pytest.mark.parametrize(
    ("s", "v", "rho", "span"), [(5.0, 7.0, 3.0, 2.0), (0.5, 0.1, 0.2, 1.0), (30.0, 400.0, 9.0, 2.0)]
)
def test_log_mixture__is_the_integral_it_says(s, v, rho, span):
    a = rho / span**2

    def density(u):
        return u ** (a - 1) * np.exp(-a * u)

    def mixed(u):
        return density(u) * np.exp(s * (1 - u) / span + v / span**2 * (np.log(u) + 1 - u)) if u > 0 else 0.0

    expected = np.log(quad(mixed, 0, 1, limit=500)[0] / quad(density, 0, 1, limit=500)[0])
    assert float(sequential.log_mixture(s, v, rho, span)) == pytest.approx(expected, rel=1e-6)


def test_mixture_bound__is_where_the_mixture_reaches_its_goal():
    bound = sequential.mixture_bound(50.0, 0.025, 10.0, 1.0)
    assert float(sequential.log_mixture(bound, 50.0, 10.0, 1.0)) == pytest.approx(np.log(40))
    assert float(sequential.log_mixture(-bound, 50.0, 10.0, 1.0)) == -np.inf


def test_asymptotic_half_width__published_formula():
    """sqrt(2 (n r^2 + 1) / (n^2 r^2) * log(sqrt(n r^2 + 1) / alpha)) sigma, r^2 = 1 / rho, sigma = 2."""
    n, rho, alpha = 500, 60.0, 0.05
    r2 = 1 / rho
    expected = 2 * np.sqrt(2 * (n * r2 + 1) / (n**2 * r2) * np.log(np.sqrt(n * r2 + 1) / alpha))
    assert sequential.asymptotic_half_width(n, 4.0, alpha, rho) == pytest.approx(expected)


def test_best_rho__is_narrowest_where_it_is_tuned():
    best = sequential.best_rho(1000, 0.05)
    widths = [sequential.asymptotic_half_width(1000, 1.0, 0.05, best * k) for k in (0.8, 1, 1.25)]
    assert widths[1] == min(widths)


@pytest.mark.parametrize("span", [1.0, None])
def test_sequence__does_not_depend_on_how_it_is_cut(span):
    x = np.random.default_rng(1).random(5000)
    whole, cut = sequence(span=span), sequence(span=span)
    whole.add(x)
    for part in np.split(x, [1, 7, 256, 3000]):
        cut.add(part)
    assert whole.interval() == cut.interval()
    assert whole.interval().estimate == pytest.approx(x.mean())
    assert whole.squares / 5000 == pytest.approx(x.var(), rel=0.01)


def test_sequence__says_nothing_too_early():
    fresh = sequence()
    assert fresh.interval().low == -np.inf
    assert np.isnan(fresh.interval().estimate)
    rough = sequence(span=None)
    rough.add(np.random.default_rng(1).normal(size=sequential.FIRST - 1))
    assert rough.interval().half_width == np.inf
    rough.add([0.0])
    assert rough.interval().half_width < 1
    constant = sequence(span=None)
    constant.add(np.full(5000, 7.0))
    assert constant.interval().half_width < 1 or constant.interval().half_width == np.inf


def test_sequence__costs_less_than_twice_the_games_of_a_fixed_number():
    """At its tuned time the interval is about 3.2 standard errors, where a fixed number of games has 1.96."""
    x = np.random.default_rng(1).random(10_000) < 0.25
    found = sequence(tuned=10_000, variance=0.1875)
    found.add(x)
    assert 2.8 < found.interval().half_width / np.sqrt(0.1875 / 10_000) < 3.5


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"span": 0.0}, "span must be greater than 0, not 0.0"),
        ({"tuned": -1}, "tuned must be greater than 0, not -1"),
        ({"variance": float("nan")}, "variance must be greater than 0, not nan"),
    ],
)
def test_sequence__checks_its_arguments(options, message):
    with pytest.raises(ValueError, match=message):
        sequence(**options)
    with pytest.raises(ValueError, match="level must be between 0 and 1, not 95"):
        ConfidenceSequence(95, span=1.0, tuned=10, variance=1)


# ---------------------------------------------------------------------------------------------------------
# Stop rules
# ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"metric": "seat_advantge", "half_width": 1}, "until: metric 'seat_advantge' is not known; did you mean"),
        ({"half_width": 0.1}, r"until: metric is missing \(allowed: seat_advantage, win_rate, ties"),
        ({"metric": ["ties"], "half_width": 0.1}, r"until: metric \['ties'\] is not known"),
        ({"metric": "ties"}, "until must have one of half_width and decided"),
        ({"metric": "ties", "half_width": 0.1, "decided": 0.9}, "until must have one of half_width and decided"),
        ({"metric": "ties", "half_width": 0}, "until: half_width must be a number greater than 0, not 0"),
        ({"metric": "ties", "half_width": "1"}, "until: half_width must be a number greater than 0, not '1'"),
        ({"metric": "ties", "decided": 99}, "until: decided must be a number between 0 and 1, such as 0.99, not 99"),
        ({"metric": "ties", "decided": 0.9, "level": 0.9}, "until: level goes with half_width"),
        ({"metric": "ties", "half_width": 0.1, "policy": "greedy"}, "until: policy goes with win_rate and score"),
        ({"metric": "ties", "halfwidth": 0.1}, "until: key 'halfwidth' is not known; did you mean 'half_width'"),
        ("seat_advantage", "until must be a table"),
    ],
)
def test_until__bad_rules_in_one_line(given, message):
    with pytest.raises(ValueError, match=message) as error:
        Until.of(given)
    assert "\n" not in str(error.value)


def test_until__spec_makes_it_again():
    rule = Until.of({"metric": "score", "half_width": 0.1, "policy": "greedy"})
    assert Until.of(rule.spec()) == rule
    assert Until.of(rule) is rule


def test_observations__are_the_metrics_by_deal():
    play = analysis.run_for("draftosaurus", ["greedy", "random", "random"], games=900, seed=2).result
    frames = {
        "seat_advantage": analysis.seat_advantage(play).estimate[0],
        "win_rate": analysis.win_rates(play).estimate[0],
        "ties": analysis.ties(play).estimate[0],
        "margin": analysis.margin(play).estimate[0],
        "decisions": analysis.game_length(play).estimate[0],
        "score": play.score[play.entry == 0].mean(),
    }
    for metric, estimate in frames.items():
        found = observations(play, Until(metric, half_width=1))
        assert found.shape == (300,)
        assert found.mean() == pytest.approx(estimate)


def test_watch__refuses_a_policy_that_is_not_there_and_shares_by_design():
    play = analysis.run_for("draftosaurus", ALIKE, games=10).result
    with pytest.raises(ValueError, match="until: policy 'greedy' is not known"):
        Watch(Until("score", half_width=1, policy="greedy")).add(play)
    with pytest.raises(ValueError, match="win_rate is 1/seats by design"):
        Watch(Until("win_rate", half_width=1)).add(play)


def test_watch__decided_needs_an_even_value():
    play = analysis.run_for("draftosaurus", ALIKE, games=10).result
    with pytest.raises(ValueError, match="decided needs a metric with an even value"):
        Watch(Until("score", decided=0.9)).add(play)


# ---------------------------------------------------------------------------------------------------------
# Budgets
# ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("per_deal", [1, 4, 120])
def test_looks__are_whole_blocks_never_far_apart(per_deal):
    schedule = looks(per_deal)
    seen = [next(schedule) for _ in range(60)]
    steps = np.diff([0, *seen])
    assert all(x % BLOCK == 0 for x in seen)
    assert (steps > 0).all()
    assert (steps * per_deal <= max(STEP, BLOCK * per_deal)).all()


@pytest.mark.parametrize(
    ("given", "seconds"), [("30s", 30), ("2m", 120), ("1.5h", 5400), (" 3 min ", 180), (7, 7), ("7", 7)]
)
def test_seconds_of__units(given, seconds):
    assert seconds_of(given) == seconds


@pytest.mark.parametrize("given", ["", "fast", "-3s", 0, -1, True, None, float("nan"), "3 d", [1]])
def test_seconds_of__refuses_anything_else(given):
    with pytest.raises(ValueError, match="time must be greater than 0, such as"):
        seconds_of(given)


def test_run_for__games_give_what_simulate_gives():
    import engine

    run = analysis.run_for("draftosaurus", ALIKE, games=5000, seed=3)
    assert np.array_equal(run.result.score, engine.simulate("draftosaurus", ALIKE, 5000, 3).score)
    assert run.reached.by == "games"
    assert (run.reached.games, run.reached.deals) == (5000, 5000)


def test_run_for__time_ends_it_and_the_games_reached_can_be_played_again():
    analysis.run_for("draftosaurus", ALIKE, games=1)
    began = time.perf_counter()
    run = analysis.run_for("draftosaurus", ALIKE, time="0.3s", seed=3)
    assert time.perf_counter() - began < 3  # a step is finished; other work may share the machine
    assert run.reached.by == "time"
    assert run.reached.deals % BLOCK == 0
    assert f"{run.reached.games:,} games" in str(run.reached)
    again = analysis.run_for("draftosaurus", ALIKE, games=run.reached.games, seed=3)
    assert analysis.seat_advantage(again.result).equals(analysis.seat_advantage(run.result))


def test_run_for__stops_when_known_and_says_so():
    rule = {"metric": "seat_advantage", "half_width": 0.02}
    run = analysis.run_for("draftosaurus", ALIKE, games=200_000, until=rule, seed=3)
    assert run.reached.by == "until"
    assert run.reached.games < 40_000
    assert run.reached.look.met
    assert run.reached.look.interval.half_width <= 0.02
    assert run.reached.look.interval.n == run.reached.deals - PILOT
    assert "seat_advantage known to ± 2 %: reached after" in str(run.reached)
    threads = analysis.run_for("draftosaurus", ALIKE, games=200_000, until=rule, seed=3, threads=1)
    assert threads.reached.look == run.reached.look
    assert np.array_equal(threads.result.score, run.result.score)


def test_run_for__says_what_was_reached_when_the_budget_ends_first():
    run = analysis.run_for(
        "draftosaurus", ALIKE, games=3000, until={"metric": "seat_advantage", "half_width": 0.0001}, seed=3
    )
    assert run.reached.by == "games"
    assert not run.reached.look.met
    assert run.reached.look.interval.n == 3000 - PILOT
    assert "not reached after 3,000 deals" in str(run.reached)
    few = analysis.run_for("draftosaurus", ALIKE, games=50, until={"metric": "ties", "half_width": 0.1})
    assert "too few to say anything" in str(few.reached)


def test_run_for__tallies_once_there_are_many_games(monkeypatch):
    from analysis.sweep import runs

    kept = runs.Kept(most=3000)
    plain = analysis.run_for("draftosaurus", ALIKE, games=5000, seed=3).result
    for first in range(0, 5000, 1000):
        kept.add(
            analysis.run_for("draftosaurus", ALIKE, games=1000, seed=3).result if first == 0 else cut(plain, first)
        )
    assert isinstance(kept.result, analysis.Tallies)
    assert np.array_equal(kept.result.counts.score, analysis.tally(plain).counts.score)


def cut(play, first):
    """A thousand rows."""
    from dataclasses import replace

    from engine.playouts import ARRAYS

    return replace(play, **{name: getattr(play, name)[first : first + 1000] for name in ARRAYS})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "games or time must be given"),
        ({"games": 0}, "games must be from 1 to 1,000,000,000,000, not 0"),
        ({"games": 10, "threads": 0}, "threads must be at least 1, not 0"),
        ({"time": "soon"}, "time must be greater than 0"),
        ({"games": 10, "until": {"metric": "x"}}, "until: metric 'x' is not known"),
        ({"games": 10, "variant": "autumn"}, "autumn"),
    ],
)
def test_run_for__bad_arguments(options, message):
    with pytest.raises(ValueError, match=message):
        analysis.run_for("draftosaurus", ALIKE, **options)
