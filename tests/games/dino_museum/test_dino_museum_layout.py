"""Replaceable data: what the loader takes, and how it explains what is wrong."""

import copy

import numpy as np
import pytest

import engine

GAME = "dino_museum"
DEFAULT = dict(engine.load_rules(GAME).values)


def changed(rule, change):
    """The rule's value after `change` bent a copy of it."""
    value = copy.deepcopy(DEFAULT[rule])
    found = change(value)
    return {rule: value if found is None else found}


def set_at(*path):
    """A change that sets the element at a path: set_at(0, "diet", "omnivore")."""
    *keys, last, new = path

    def change(value):
        for key in keys:
            value = value[key]
        value[last] = new

    return change


@pytest.mark.parametrize(
    ("rule", "change", "message"),
    [
        ("museum", set_at("fossils", 1, "between", ["D1", "D9"]), "F1: between: space 'D9' is not known"),
        ("museum", set_at("fossils", 1, "between", ["D1"]), "F1: between must have 2 names, not 1"),
        ("museum", set_at("fossils", 1, "between", ["D1", "D1"]), "F1: between names 'D1' twice"),
        ("museum", set_at("fossils", 1, "between", ["D1", "F0"]), "F1: between: space 'F0' is not known"),
        ("museum", set_at("research", 0, "touches", []), "R0: touches must have 1 to 63 names, not 0"),
        ("museum", set_at("research", 0, "touches", ["D1", "V0"]), "R0: touches: space 'V0' is not known"),
        ("museum", set_at("visitors", 3, "looks_at", "D4"), "V3: looks_at must be a list of names, not 'D4'"),
        ("museum", set_at("visitors", 3, "name", "D0"), "names 'D0' twice"),
        ("museum", set_at("visitors", 3, "name", "a b"), "must be one word"),
        ("museum", set_at("visitors", 3, {"name": "V3"}), "lacks looks_at"),
        ("museum", set_at("rooms", []), "key 'rooms' is not known"),
        ("museum", set_at("dinosaurs", []), "at least one space"),
        ("museum", set_at("dinosaurs", [f"D{i}" for i in range(54)]), "has 64 spaces; at most 63"),
        ("museum", set_at("research", [{"name": f"R{i}", "touches": ["D0"]} for i in range(9)]), "at most 8"),
        ("museum", set_at("picture", 3, "V0 V1 V2"), "picture lacks V3"),
        ("museum", set_at("picture", 3, "V0 V1 V2 V3 V4"), "picture: space 'V4' is not known"),
        ("museum", set_at("picture", 3, "V0 V1 V2 V3 V3"), "picture names 'V3' twice"),
        ("species", set_at(0, "diet", "carnivor"), "diet 'carnivor' is not known; did you mean 'carnivore'?"),
        ("species", set_at(0, "copies", -1), "copies must be from 0 to 127, not -1"),
        ("species", set_at(0, "copies", 120), "has 148 copies in all; at most 127"),
        ("species", set_at(0, "name", "giant"), "is a word of research tiles"),
        ("species", set_at(0, "name", "Triceratops"), "names 'Triceratops' twice"),
        ("species", set_at(0, "T-Rex"), "must be a table with name, diet, build, copies, visitors"),
        ("species", lambda value: value * 4, "must have 1 to 24 species, not 32"),
        ("research_tiles", set_at(3, ["giants", "tiny"]), "evidence 'giants' is not known; did you mean 'giant'?"),
        ("research_tiles", set_at(3, ["tiny"] * 7), "must have 1 to 6 names, not 7"),
        ("research_tiles", lambda value: value * 4, "has 56 tiles; with 8 species and 4 fossil types at most 51"),
        ("columns", set_at("fossil", ["same", "purple"]), "colour 'purple' is not known"),
        ("columns", set_at("visitor", ["same"]), "only the fossil column"),
        ("columns", set_at("visitor", ["any"] * 20), "has 36 spaces; a research board holds at most 32"),
        ("columns", lambda value: {"visitor": ["any"]}, "lacks dinosaur, carnivore"),
        ("bones", lambda value: [0] * 5, "must have 1 to 127 bones in all, not 0"),
        ("market_3", lambda value: [1, 1, 0], "puts 2 elements into the market"),
    ],
)
def test_load_rules__explains_what_is_wrong_with_the_data(rule, change, message):
    with pytest.raises(ValueError, match="dino_museum") as caught:
        engine.load_rules(GAME, rules=changed(rule, change))
    assert message in str(caught.value)
    assert repr(rule) in str(caught.value)
    assert "\n" not in str(caught.value)


VARIANT = """
title = "Another museum"
extends = "small"
must_take = false
market_2 = [4, 2, 2]
research_tiles = [["Hatzegopteryx", "tiny fossil"], ["giant", "giant", "giant", "carnivore"]]
species = [
  { name = "Hatzegopteryx", diet = "carnivore", build = "giant", copies = 9, visitors = 3 },
  { name = "Microraptor", diet = "carnivore", build = "tiny", copies = 30, visitors = 3 },
]

[museum]
dinosaurs = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"]
fossils = [{ name = "x", between = ["a", "j"] }]
research = [{ name = "y", touches = ["a", "b", "x"] }, { name = "z", touches = ["c", "d", "e", "f"] }]
visitors = [{ name = "v", looks_at = ["g", "h", "i"] }]
"""


def test_variant__replaces_layout_and_components_from_a_file(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(VARIANT)
    rules = engine.load_rules(GAME, variant=path)
    assert set(rules.assumptions()) == {"market_3", "market_4", "last_market_2", "last_market_3", "last_market_4"}
    play = engine.simulate(GAME, ["greedy"] * 2, 50, 1, variant=path)
    assert play.pieces.max(axis=(0, 1))[0] <= 10
    assert (play.pieces.max(axis=(0, 1))[1:] <= [1, 1, 2]).all()
    assert play.pieces[:, :, 0].mean() > 5
    text = str(engine.replay(GAME, ["greedy"] * 2, 1, 0, variant=path))
    assert "Hatzegopteryx (carnivore, giant)" in text
    assert "museum (variant" in text


@pytest.mark.parametrize("variant", sorted(engine.variants(engine.load_game(GAME))))
def test_shipped_variants__say_that_they_are_not_the_published_game(variant):
    assert "not the published" in engine.variants(engine.load_game(GAME))[variant]
    assert engine.load_rules(GAME, variant).assumptions()


def test_supplies__suffice_in_the_reference_game():
    record = engine.load_rules(GAME).record[0]
    for seats in (2, 3, 4):
        drawn = 4 * record.market_mix[0, seats] + record.market_mix[1, seats]
        assert (drawn <= record.stack_total[:3]).all()
    assert np.array_equal(record.market_mix[:, 2:].sum(axis=2), [[5, 7, 9], [6, 8, 10]])
