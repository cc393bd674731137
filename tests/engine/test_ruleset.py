"""Rules, variants and overrides."""

import pytest

import engine
from engine.ruleset import BASES

GAMES = engine.games()


@pytest.mark.parametrize("game", GAMES)
def test_rules__have_their_provenance(game):
    for row in engine.load_rules(game).rows():
        assert row["basis"] in BASES, row["rule"]
        assert row["meaning"], row["rule"]
        assert row["source"], row["rule"]


@pytest.mark.parametrize("game", GAMES)
def test_variants__load_and_say_what_they_change(game):
    for variant in engine.variants(engine.load_game(game)):
        rules = engine.load_rules(game, variant)
        assert rules.variant == variant
        assert set(rules.changed) <= set(rules.values)


def test_overlay__of_three_lines_works_by_its_path(tmp_path):
    file = tmp_path / "generous.toml"
    file.write_text('extends = "winter"\ntrio_points = 9\n"bag_4.t_rex" = 10\n')
    rules = engine.load_rules("draftosaurus", file)
    assert rules.values["board"] == "winter"
    assert rules.values["trio_points"] == 9
    assert rules.values["bag_4"] == [10, 8, 8, 8, 8, 8]
    assert rules.changed["trio_points"] == f"variant {file}"


def test_overlay__extends_a_neighbour_and_refuses_a_circle(tmp_path):
    (tmp_path / "a.toml").write_text('extends = "b.toml"\nking_points = 5\n')
    (tmp_path / "b.toml").write_text("king_points = 4\nisland_points = 3\n")
    rules = engine.load_rules("draftosaurus", tmp_path / "a.toml")
    assert (rules.values["king_points"], rules.values["island_points"]) == (5, 3)
    (tmp_path / "b.toml").write_text('extends = "a.toml"\n')
    with pytest.raises(ValueError, match="'extends' goes round in a circle"):
        engine.load_rules("draftosaurus", tmp_path / "a.toml")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("trio_pts = 3\n", r"house.toml: rule 'trio_pts' is not known; did you mean 'trio_points'"),
        ("trio_points = = 3\n", r"house.toml: not valid TOML: .*line 1"),
        ("", r"house.toml: is empty; a variant has rules that differ"),
        ("title = 5\n", r"house.toml: 'title' must be text in quotes, not 5"),
        ("note = 5\n", r"house.toml: 'note' must be text in quotes, not 5"),
        ("extends = 3\n", r"house.toml: 'extends' must be a variant's name"),
        ('trio_points = "many"\n', r"house.toml: rule 'trio_points' must be a whole number, not 'many'"),
    ],
)
def test_overlay__errors_name_the_file(tmp_path, text, message):
    file = tmp_path / "house.toml"
    file.write_text(text)
    with pytest.raises(ValueError, match=message):
        engine.load_rules("draftosaurus", file)


def test_overlay__that_is_no_text_is_said_to_be_none(tmp_path):
    (tmp_path / "house.toml").write_bytes(b"ab\xff")
    with pytest.raises(ValueError, match=r"house.toml: is not a text file in UTF-8 \(byte 2\)"):
        engine.load_rules("draftosaurus", tmp_path / "house.toml")


def test_overrides__of_elements_and_tables():
    rules = engine.load_rules("draftosaurus", rules={"forest_points.3": 9, "bag_5": {"t_rex": 12}})
    assert rules.values["forest_points"] == [0, 2, 4, 9, 12, 18, 24]
    assert rules.values["bag_5"] == [12, 10, 10, 10, 10, 10]
    assert set(rules.changed) == {"forest_points", "bag_5"}
    assert engine.load_rules("draftosaurus", rules={"trio_points": 7}).changed == {}


def test_overrides__reach_the_score():
    plain = engine.simulate("draftosaurus", ["random"] * 3, 300, 4)
    changed = engine.simulate("draftosaurus", ["random"] * 3, 300, 4, rules={"river_points": 3})
    river = plain.sources.index("river")
    assert (changed.points[:, :, river] == 3 * plain.points[:, :, river]).all()
    assert (changed.pieces == plain.pieces).all()
