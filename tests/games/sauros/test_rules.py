"""Component data of a designer's own, and what the loader says when it does not fit."""

import numpy as np
import pytest

import engine
from engine.games.sauros.rules import mat_cells


def test_reference_tiles__have_eleven_of_every_symbol():
    symbols = engine.load_rules("sauros").values["symbols"]
    for suit, row in enumerate(symbols):
        assert set("".join(row)) == set("ETFB")
        for strength, letters in enumerate(row):
            expected = "ETFB"[(suit + strength) % 4] + ("ETFB"[(suit + 1) % 4] if strength == 0 else "")
            assert letters == expected
    assert [sum("".join(row).count(x) for row in symbols) for x in "ETFB"] == [11] * 4


def test_reference_mats__are_ten_cells():
    for picture in engine.load_rules("sauros").values["mats"]:
        assert len(mat_cells(picture)) == 10


def test_assumptions__name_every_component_that_is_not_public():
    assert set(engine.load_rules("sauros").assumptions()) == {"suits", "symbols", "mats", "bot_die"}
    changed = engine.load_rules("sauros", rules={"bot_die": [2, 1, 1], "mats.B": ["###"]})
    assert set(changed.assumptions()) == {"suits", "symbols"}


def test_variant_file__replaces_mats_tiles_and_die(tmp_path):
    file = tmp_path / "printed.toml"
    file.write_text(
        """
extends = "midnight"
suits = ["red", "blue", "green", "white"]
bot_die = { trump = 3 }
[mats]
A = ["#######", "#######"]
F = ["#"]
[symbols]
green = ["EE", "TT", "", "E", "E", "E", "E", "E", "E", "E"]
"""
    )
    rules = engine.load_rules("sauros", variant=file)
    assert rules.values["midnight_dice"]
    record = rules.record[0]
    assert [int(c).bit_count() for c in record.cells] == [14, 10, 10, 10, 10, 1]
    assert list(record.bot_die) == [3, 4, 5]
    assert int(record.double_tiles[0]) == 1 << 20
    play = engine.simulate("sauros", ["random"] * 3, 200, 1, variant=file)
    assert np.array_equal(play.points.sum(axis=2), play.score)
    assert "r7" in str(engine.replay("sauros", ["random"] * 3, 1, 0, variant=file))


SYMBOLS = engine.load_rules("sauros").values["symbols"]


@pytest.mark.parametrize(
    ("rules", "says"),
    [
        ({"mats.A": ["#######", "########"]}, "playmat A: must have from 1 to 14 cells, not 15"),
        ({"mats.C": ["##x#"]}, "playmat C, row 0: '##x#' has 'x'"),
        ({"mats.C": ["##.#"]}, "playmat C: the cell in row 0, column 3 cannot be reached"),
        ({"mats.C": "####"}, "playmat C: must be a list of rows"),
        ({"mats": [["#"]] * 5}, "must have 6 playmats, A to F, not 5"),
        ({"mats.G": ["#"]}, "element 'G' is not known"),
        ({"symbols": SYMBOLS[:3]}, "one row for each of 4 suits, not 3"),
        ({"symbols.yellow": ["E"] * 9}, "suit 1: must have 10 tiles"),
        ({"symbols.green": ["EX", *["E"] * 9]}, "suit 2, strength 0: must be at most two of the letters E, T, F, B"),
        ({"symbols.green": ["ETF", *["E"] * 9]}, "not 'ETF'"),
        ({"suits": ["a", "a", "b", "c"]}, "must be 4 different names"),
        ({"bot_die": [0, 0, 0]}, "at least one result"),
        ({"hand_6": 7}, "'hand_6' is 7: 6 players need 50 tiles"),
        ({"two_player_tricks": 7, "two_player_hand": 6}, "'two_player_tricks' is 7, more than 'two_player_hand', 6"),
        ({"two_player_hand": 8}, "must be from 6 to 7"),
        ({"reserve_points": 1}, "must be from -100 to 0"),
        ({"special_tiles": 1}, "must be true or false"),
    ],
)
def test_loader__explains_what_does_not_fit(rules, says):
    with pytest.raises(ValueError, match="sauros") as caught:
        engine.load_rules("sauros", rules=rules)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)
