"""Literal positions and their points. Letters: R T-Rex, T Triceratops, S Spinosaurus, G Stegosaurus,
P Parasaurolophus, B Brachiosaurus."""

import numpy as np
import pytest

import engine
from engine.games.draftosaurus import scoring
from engine.games.draftosaurus.names import N_SPECIES, SOURCES
from engine.games.draftosaurus.state import STATE

LETTERS = "RTSGPB"
SUMMER = ("forest", "trio", "king", "prairie", "meadow", "island", "river")
WINTER = ("wood", "left", "quarantine", "lookout", "right", "pyramid", "river")


def rules(**overrides):
    return engine.load_rules("draftosaurus", rules=overrides).record[0]


def zoo(pens, names=SUMMER):
    assert set(pens) <= set(names)
    table = np.zeros((7, N_SPECIES), np.int8)
    for i, name in enumerate(names):
        for letter in pens.get(name, ""):
            table[i, LETTERS.index(letter)] += 1
    return table


def points(*zoos, board="summer", overrides=None):
    """Points by source of each seat, and win shares, of a finished game with these zoos."""
    record = engine.load_rules("draftosaurus", variant=board, rules=overrides).record[0]
    state = np.zeros(1, STATE)[0]
    state.seats, state.board = len(zoos), int(board == "winter")
    for s, pens in enumerate(zoos):
        state.zoo[s] = zoo(pens, SUMMER if board == "summer" else WINTER)
        state.filled[s] = state.zoo[s].sum(axis=1)
        state.owned[s] = state.zoo[s].sum(axis=0)
    table, share = np.zeros((len(zoos), len(SOURCES)), np.int64), np.zeros(len(zoos))
    scoring.score(state, record, table)
    scoring.rank(state, record, table, share)
    return [{x: int(p) for x, p in zip(SOURCES, row, strict=True) if p} for row in table], list(share)


@pytest.mark.parametrize(
    ("function", "pens", "expected"),
    [
        ("forest_of_sameness", {}, 0),
        ("forest_of_sameness", {"forest": "P"}, 2),
        ("forest_of_sameness", {"forest": "PP"}, 4),
        ("forest_of_sameness", {"forest": "PPP"}, 8),
        ("forest_of_sameness", {"forest": "PPPP"}, 12),
        ("forest_of_sameness", {"forest": "PPPPP"}, 18),
        ("forest_of_sameness", {"forest": "PPPPPP"}, 24),
        ("woody_trio", {"trio": "SS"}, 0),
        ("woody_trio", {"trio": "SSG"}, 7),
        ("prairie_of_love", {"prairie": "B"}, 0),
        ("prairie_of_love", {"prairie": "BB"}, 5),
        ("prairie_of_love", {"prairie": "BBB"}, 5),
        ("prairie_of_love", {"prairie": "BBBB"}, 10),
        ("prairie_of_love", {"prairie": "BBSSGR"}, 10),
        ("meadow_of_differences", {"meadow": ""}, 0),
        ("meadow_of_differences", {"meadow": "T"}, 1),
        ("meadow_of_differences", {"meadow": "TG"}, 3),
        ("meadow_of_differences", {"meadow": "TGR"}, 6),
        ("meadow_of_differences", {"meadow": "TGRS"}, 10),
        ("meadow_of_differences", {"meadow": "TGRSP"}, 15),
        ("meadow_of_differences", {"meadow": "TGRSPB"}, 21),
        ("river", {"river": "TTR"}, 3),
        ("t_rex", {"forest": "RR", "trio": "R", "river": "R"}, 2),
        ("t_rex", {"river": "RR"}, 0),
    ],
)
def test_summer_pen__pays_what_the_board_says(function, pens, expected):
    assert getattr(scoring, f"score_{function}")(zoo(pens), rules()) == expected


@pytest.mark.parametrize(
    ("function", "pens", "expected"),
    [
        ("well_ordered_wood", {"wood": "T"}, 2),
        ("well_ordered_wood", {"wood": "TGTG"}, 12),
        ("well_ordered_wood", {"wood": "TGTGTG"}, 24),
        ("lovers_bridge", {"left": "TT", "right": "G"}, 0),
        ("lovers_bridge", {"left": "TTG", "right": "TGG"}, 12),
        ("lovers_bridge", {"left": "TTT", "right": "TT"}, 12),
        ("pyramid", {"pyramid": "TG"}, 4),
        ("pyramid", {"pyramid": "TGT"}, 6),
        ("pyramid", {"pyramid": "TGTS"}, 10),
        ("pyramid", {"pyramid": "TGTSP"}, 14),
        ("pyramid", {"pyramid": "TGTSPB"}, 21),
        ("t_rex", {"left": "R", "right": "RR", "pyramid": "R", "river": "R"}, 3),
    ],
)
def test_winter_pen__pays_what_the_board_says(function, pens, expected):
    assert getattr(scoring, f"score_{function}")(zoo(pens, WINTER), rules()) == expected


def test_golden_example__is_31_points():
    mine = {"forest": "PPP", "prairie": "BB", "trio": "SSG", "meadow": "TGRS"}
    got, _ = points(mine, {"river": "T"})
    assert got[0] == {"forest": 8, "prairie": 5, "trio": 7, "meadow": 10, "t_rex": 1}
    assert sum(got[0].values()) == 31


def test_best_summer_zoo__is_51_points():
    got, _ = points({"forest": "RRRRRR", "meadow": "RTSG", "king": "R", "island": "B"}, {"river": "T"})
    assert sum(got[0].values()) == 51


def test_king__ties_pay_and_the_whole_zoo_counts():
    king = {"king": "G", "river": "GG"}
    assert points(king, {"river": "GGG"})[0][0] == {"king": 7, "river": 2}
    assert points(king, {"river": "GGGG"})[0][0] == {"river": 2}
    assert points(king, {"river": "GGG"}, overrides={"king_strict": True})[0][0] == {"river": 2}
    assert points(king, {"river": "GG"}, {"trio": "GG"}, overrides={"king_strict": True})[0][0]["king"] == 7


def test_island__needs_the_only_one_of_its_species_river_included():
    assert points({"island": "T", "river": "G"}, {})[0][0] == {"island": 7, "river": 1}
    assert points({"island": "T", "river": "T"}, {})[0][0] == {"river": 1}


def test_lookout__looks_at_the_right_neighbour_only():
    lookout, many, few = {"lookout": "G"}, {"river": "GGG", "left": "G"}, {"river": "TT"}
    assert points(few, lookout, many, board="winter")[0][1] == {}
    assert points(many, lookout, few, board="winter")[0][1] == {"lookout": 8}
    assert points(lookout, few, many, board="winter")[0][0] == {"lookout": 8}
    assert points(lookout, many, board="winter")[0][0] == {"lookout": 8}


def test_rank__fewest_t_rexes_break_a_tie_then_the_win_is_shared():
    assert points({"river": "TT"}, {"river": "TR"}, {"river": "GG"})[1] == [0.5, 0, 0.5]
    assert points({"river": "RR"}, {"river": "TR"}, {"river": "T"})[1] == [0, 1, 0]
    assert points({}, {}, {}, {}, {})[1] == [0.2] * 5
