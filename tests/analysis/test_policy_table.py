"""The table of every policy against every other, and its place in a README."""

import pytest

import analysis
import engine
from analysis import policy_table

TEXT = "before\n<!-- policy-table variants=winter games=8 -->\nold\n<!-- /policy-table -->\nafter\n"


def test_marker_options__are_read_from_the_readme():
    assert policy_table.marker_options(TEXT) == {"variants": "winter", "games": "8"}
    assert policy_table.marker_options("no markers") == {}


def test_rewritten__replaces_what_lies_between_the_markers_only():
    new = policy_table.rewritten(TEXT, "new")
    assert new == TEXT.replace("old", "new")
    assert policy_table.rewritten(new, "old") == TEXT


def test_rewritten__says_that_markers_are_missing():
    with pytest.raises(ValueError, match="policy-table"):
        policy_table.rewritten("no markers", "new")


def test_focus_share__is_that_of_the_simulation():
    share, half = policy_table.focus_share(
        "draftosaurus", "greedy", "random", variant="winter", players=3, games=300, seed=4
    )
    play = engine.simulate("draftosaurus", ["greedy", "random", "random"], 300, 4, variant="winter")
    assert share == pytest.approx(play.share[play.entry == 0].mean())
    row = analysis.win_rates(play).iloc[0]
    assert half == (row.high - row.low) / 2


@pytest.mark.parametrize(
    ("options", "named"),
    [({"game": "8"}, "did you mean 'games'"), ({"players": "x"}, "players.*'x'"), ({"games": "0"}, "games.*0")],
)
def test_document__refuses_wrong_options(options, named):
    with pytest.raises(ValueError, match=named):
        policy_table.document("draftosaurus", {"games": "8"} | options)


def test_document__has_a_row_and_a_column_a_policy(monkeypatch):
    monkeypatch.setattr(policy_table, "focus_share", lambda *a, **k: (0.5, 0.01))
    lines = policy_table.document("draftosaurus", {"variants": "summer,winter", "games": "8"}).splitlines()
    names = list(engine.policies("draftosaurus"))
    rows = [line for line in lines if line.startswith("| ")]
    assert len(rows) == 2 * (len(names) + 2)
    assert rows[2].startswith(f"| {names[0]} | – | 50.0 ± 1.0 |")


def test_main__names_an_unknown_game(capsys):
    assert policy_table.main(["chess"]) == 2
    assert "chess" in capsys.readouterr().err
