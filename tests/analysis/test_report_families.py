"""What a report claims of many comparisons: restrictions, facts, rule numbers and changes."""

import math
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t

from analysis import families
from analysis.report import compared, facts, restrictions, rule_numbers
from analysis.report.corrections import correct_costs, correct_fairness
from analysis.report.evidence import Evidence

NAN = math.nan


def row(estimate, low, high, **also):
    return SimpleNamespace(**{"estimate": estimate, "low": low, "high": high, "n": 400, "clusters": 100} | also)


def cells(*keys):
    return [SimpleNamespace(key=key, kind="self-play", deals=50) for key in keys]


# Families
def test_correct_costs__is_one_family_of_all_costs():
    """Of t = 3, of t = 1, and of 50 deals that all lost the even share of 1/4; win shares are no part of it."""
    costs = pd.DataFrame(
        {
            "cell": ["a", "b", "c", "a"],
            "quantity": ["cost", "cost", "cost", "win_share"],
            "estimate": [0.09, 0.02, 0.25, 0.16],
            "se": [0.03, 0.02, 0.0, 0.03],
            "clusters": 50,
            "n": 200,
        }
    )
    found = Evidence(present=cells("a", "b", "c"), tables={"restricted_play": costs})
    correct_costs(found, "holm")
    p = 2 * t.sf([3, 1, np.sqrt(0.25 * 50)], 49)
    assert costs.p_family.tolist() == pytest.approx([*families.adjust(p), NAN], nan_ok=True)
    assert found.corrected["restrictions"] == families.says("holm", 3)
    correct_costs(found, "none")
    assert costs.p_family.tolist() == pytest.approx([*p, NAN], nan_ok=True)


def test_correct_fairness__counts_only_what_can_differ():
    seats = {"seat": 0, "quantity": "win_share", "players": 2, "clusters": 50, "n": 50}
    table = pd.DataFrame({"cell": ["a", "b"], "estimate": [0.06, 0.0], "se": [0.02, 0.0], **seats})
    found = Evidence(present=cells("a", "b"), tables={"seat_advantage": table})
    correct_fairness(found, "holm")
    assert found.corrected["fairness"] == families.says("holm", 1)
    assert table.p_family.tolist() == pytest.approx([2 * t.sf(3, 49), NAN], nan_ok=True)


# Restrictions
@pytest.mark.parametrize(
    ("costs", "says"),
    [
        ({"s4": (0.03, -0.01, 0.07, 0.3), "s2": (0.02, -0.02, 0.06, 0.6)}, "no ban has a decided cost"),
        ({"s4": (-0.05, -0.09, -0.01, 0.09)}, "no ban has a decided cost"),
        ({"s4": (0.05, 0.01, 0.09, 0.04)}, "no s4 costs most"),
        (
            {"s4": (0.05, 0.02, 0.08, 0.01), "s2": (0.02, -0.02, 0.06, 0.4)},
            "no s4 or no s2 costs most; no s2 has no decided cost",
        ),
        (
            {"s4": (0.2, 0.1, 0.3, 0.0), "s2": (0.01, -0.02, 0.04, 0.6), "s1": (-0.05, -0.08, -0.02, 0.01)},
            "no s4 costs most; no s2 has no decided cost; no s1 even helps",
        ),
    ],
)
def test_restrictions__claim_only_what_is_decided_in_the_family(costs, says):
    frame = pd.DataFrame(
        [
            {"restriction": "ban", "source": source, "random": 0.0, "quantity": quantity, "estimate": estimate}
            | {"low": low, "high": high, "p_family": p, "n": 300}
            for source, (estimate, low, high, p) in costs.items()
            for quantity in ("win_share", "cost")
        ]
    ).assign(variant="summer", rules="as printed", players=3, base="greedy", field="random")
    found = Evidence(tables={"restricted_play": frame}, corrected={"restrictions": families.says("holm", 8)})
    (only,) = restrictions.findings(found)
    assert only.text == f"One greedy against 2 random: {says}."
    assert f"; n = 300 games{' each' if len(costs) > 1 else ''}. P-values are corrected" in only.detail
    assert "among the 8 is at most 5 %" in only.detail


# Facts
def test_facts__are_one_family_over_the_study(monkeypatch):
    """Each interval alone leaves out 0 or the other one; of four together none does."""
    near = {"estimate": 0.1, "low": 0.005, "high": 0.195}
    told = {
        2: {"tricks": {"winners_minus_rest": row(**near, se=0.05)}},
        4: {
            "tricks": {"winners_minus_rest": row(0.5, 0.4, 0.6, se=0.05)},
            "fast": {"rate": row(2.0, 1.9, 2.1)},
            "slow": {"rate": row(1.81, 1.73, 1.89)},
        },
    }
    monkeypatch.setattr(facts, "_by_fact", lambda _, cell: told[cell.players])
    monkeypatch.setattr(
        facts, "_cells", lambda _: [("summer", SimpleNamespace(players=n, focus="greedy")) for n in told]
    )
    (only,) = facts.findings(Evidence())
    assert only.text == (
        "With 4 players of greedy, winners have decidedly more tricks; the highest rate is fast or slow, the lowest "
        "slow or fast."
    )
    assert only.detail.endswith("Intervals are for all 4 of the study together; n = 400 games times seats each.")


# Rule numbers
def varied(totals, missing=0):
    """An analysis of one metric: number to (estimate, low, high, above noise) of the total index."""
    indices = pd.DataFrame(
        [
            {"metric": "m", "number": name, "order": order, "above_noise": above, "lowest": 0, "highest": 1}
            | {"estimate": estimate, "low": low, "high": high, "n": 64}
            for name, (estimate, low, high, above) in totals.items()
            for order in ("first", "total")
        ]
    )
    values = {"mean": 3.0, "sd": 0.5, "noise_share": 0.1, "not_measured": missing}
    spread = pd.DataFrame([{"metric": "m", "quantity": k, "estimate": x, "n": 80} for k, x in values.items()])
    if missing:
        spread.loc[spread.quantity != "not_measured", "estimate"] = NAN
    cell = SimpleNamespace(variant="summer", entries=[SimpleNamespace(label="greedy")])
    tables = {"sensitivity_indices": indices, "sensitivity_spread": spread}
    return Evidence(design=SimpleNamespace(cell=cell), tables=tables)


@pytest.mark.parametrize(
    ("totals", "says"),
    [
        (
            {"a": (0.9, 0.8, 1.0, True), "b": (0.1, 0.0, 0.2, False)},
            "a matters most for m; b cannot be told from noise",
        ),
        ({"a": (0.6, 0.2, 1.0, True), "b": (0.5, -0.1, 0.9, False)}, "a or b matters most for m; b cannot be told"),
        (dict.fromkeys("abcdef", (0.2, 0.1, 0.3, True)), "a, b, c, d or 2 more matters most for m."),
    ],
)
def test_rule_numbers__name_all_that_may_matter_most(totals, says):
    (only,) = rule_numbers.findings(varied(totals))
    assert only.text.startswith(f"With greedy, {says}")


def test_rule_numbers__say_where_nothing_was_measured():
    found = varied({"a": (NAN, NAN, NAN, False)}, missing=3)
    (only,) = rule_numbers.findings(found)
    assert only.text == "With greedy, nothing can be said of m."
    assert only.detail == "m: not measured at 3 of 80 rule sets."
    pictures = SimpleNamespace(numbers_of=lambda _: [])
    (part,) = (make() for make in rule_numbers.makers(found, pictures))
    assert part.title == "m (not measured at 3 of 80 rule sets)"
    assert part.table.rows == [["a", "0 to 1", "-", "-", "not measured"]]


# Changes
@pytest.mark.parametrize(
    ("estimate", "se", "n", "says"),
    [
        (0.5, 0.0, 2, "no"),
        (0.5, 0.0, 19, "no"),
        (0.5, 0.0, 20, "all deals alike"),
        (0, 0, 2, "alike"),
        (0.5, NAN, 1, "-"),
    ],
)
def test_answer__without_spread_takes_twenty_deals(estimate, se, n, says):
    one = row(estimate, estimate, estimate, p=NAN, p_family=NAN, se=se)
    one.n = n
    assert compared.answer(one, 0.95) == says


def test_compared__says_how_many_deals():
    one = {
        "quantity": "score",
        "policy": "greedy",
        "first": 3.0,
        "against": 2.0,
        "estimate": 1.0,
        "low": 0.5,
        "high": 1.5,
    }
    frame = pd.DataFrame([one | {"p": 0.01, "p_family": 0.01, "se": 0.2, "saved": 3.0, "n": 1234}])
    (only,) = compared.general_rows(frame)
    assert dict(zip(compared.HEAD, only, strict=True))["deals"] == "1,234"
