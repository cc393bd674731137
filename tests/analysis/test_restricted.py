import pytest
from study_samples import small

import analysis
import engine
from analysis import plots
from analysis.report import write_report
from analysis.store import Store
from analysis.sweep import run_study

SETTING = {"players": 3, "bans": ["forest", "king"], "random": [0.5]}
STUDY = """
[policies]
no_king = { base = "greedy", ban = ["king"] }
half = { base = "greedy", random = 0.5 }
odd = { base = "greedy", ban = ["king"], random = 0.5 }

[[grid]]
players = [3]
games = 300
lineup = [
  {focus = "no_king", field = "greedy"}, {focus = "half", field = "greedy"},
  {focus = "no_king", field = "random"}, {focus = "greedy", field = "random"}, {focus = "odd", field = "random"},
]
"""


def pick(frame, **labels):
    for name, value in labels.items():
        frame = frame[frame[name] == value]
    (row,) = frame.itertuples()
    return row


@pytest.fixture(scope="module")
def costs():
    return analysis.restricted_play("draftosaurus", "greedy", 300, 5, **SETTING)


def test_restricted_play__is_one_restricted_seat_among_others(costs):
    lineup = [engine.entry("greedy", ban=["king"]), "greedy", "greedy"]
    wanted = analysis.win_rates(engine.simulate("draftosaurus", lineup, 300, 5)).iloc[0]
    share, cost = (pick(costs, source="king", quantity=q) for q in ("win_share", "cost"))
    assert (share.estimate, share.low, share.high, share.n) == (wanted.estimate, wanted.low, wanted.high, 300)
    assert cost.estimate == pytest.approx(1 / 3 - share.estimate)
    assert (cost.low, cost.high) == pytest.approx((1 / 3 - share.high, 1 / 3 - share.low))


def test_restricted_play__other_fields_are_paired_by_deal():
    found = analysis.restricted_play("draftosaurus", "greedy", 300, 5, field="random", **SETTING)
    free = engine.simulate("draftosaurus", ["greedy", "random", "random"], 300, 5)
    tight = engine.simulate("draftosaurus", [engine.entry("greedy", random=0.5), "random", "random"], 300, 5)
    wanted = analysis.compare_results(free, tight).query("quantity == 'win_share'").iloc[0]
    cost = pick(found, restriction="random", quantity="cost")
    assert (cost.estimate, cost.low, cost.high) == pytest.approx((wanted.estimate, wanted.low, wanted.high))


def test_restricted_play__any_policy_and_its_own_restrictions():
    policy = engine.entry("greedy", ban=["forest"], label="shy")
    found = analysis.restricted_play(
        "draftosaurus", policy, 120, 5, players=2, bans=["king"], random=[], field="greedy"
    )
    both = engine.entry("greedy", ban=["forest", "king"])
    wanted = analysis.win_rates(engine.simulate("draftosaurus", [both, "greedy"], 120, 5)).iloc[0]
    assert pick(found, quantity="win_share").estimate == wanted.estimate


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"bans": ["wood"]}, "variant 'summer': ban 'wood' is not known"),
        ({"players": 9}, "players must be from 2 to 5"),
        ({"random": [1.5]}, "random must be from 0 to 1"),
    ],
)
def test_restricted_play__bad_arguments_are_named(changes, message):
    with pytest.raises(ValueError, match=message):
        analysis.restricted_play("draftosaurus", "greedy", 30, 5, **(SETTING | changes))


def test_plots__draw_costs(costs):
    bans = plots.restricted_play(costs)
    assert len(bans.get_yticks()) == 2
    share = plots.random_share(costs)
    assert "random" in share.get_xlabel()


def test_study__finds_its_restrictions(tmp_path):
    study = small(tmp_path, STUDY)
    run_study(study, tmp_path / "results", jobs=1, progress=False)
    written = write_report(Store(study, tmp_path / "results"))
    table = written.found.tables["restricted_play"]
    assert dict(table.groupby("restriction").size()) == {"ban": 4, "random": 2, "both": 2}
    direct = analysis.restricted_play(
        "draftosaurus", "greedy", 300, 7, players=3, bans=["king"], random=[], field="random"
    )
    stored, wanted = (
        pick(frame, source="king", random=0.0, quantity="cost") for frame in (table[table.field == "random"], direct)
    )
    assert (stored.estimate, stored.low, stored.high) == pytest.approx((wanted.estimate, wanted.low, wanted.high))
    assert "What does a restriction cost?" in written.path.read_text()
    assert any(finding.topic == "Restricted play" for finding in written.findings)


def test_study__fixed_seats_have_no_even_share(tmp_path):
    """With the same policy in every fixed seat a seat's share is not even, so that it is set against the one played."""
    grid = """
[policies.held]
base = "greedy"
ban = ["king"]
[[grid]]
players = [2]
seats = "fixed"
lineup = [{focus = "held", field = "greedy"}]
"""
    study = small(tmp_path, grid)
    run_study(study, tmp_path / "r", progress=False)
    assert "restricted_play" not in write_report(Store(study, tmp_path / "r")).found.tables
