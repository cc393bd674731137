"""Literal mats and their points, with the worked examples of the rulebook."""

import pytest
from games.sauros.sauros_table import Table, tiles

# The rulebook's example: yellow 5, purple 5, bones 2, touching teeth 2, footprints 5, one reserved tile.
EXAMPLE = """y1 y2 p4 p1 .
             y5 y6 p8 p5 ."""


def points(picture, reserve="", mat="A", others=(), **rules):
    table = Table(max(3, 1 + len(others)), mats=mat + "AAAAA", **rules).lay(0, picture, reserve)
    for seat, other in enumerate(others, 1):
        table.lay(seat, other)
    return table.round_points()[0]


def test_rulebook_example__17_points_and_21_with_the_most_eggs():
    without = points(EXAMPLE, "g0", others=["p0 y3 g2"])
    assert without == {"dinos": 10, "bones": 2, "teeth": 2, "footprints": 5, "reserve": -2}
    assert sum(without.values()) == 17
    assert sum(points(EXAMPLE, "g0").values()) == 21


@pytest.mark.parametrize(
    ("mat", "picture"),
    [
        ("B", "p3 . .  g2 the g6 .  . p2 ."),
        ("C", "p3 .  g2 the g6 .  p2 .  . ."),
        ("D", ". p3  g2 the g6  p2 . .  . ."),
    ],
)
def test_rulebook_example__therizinosaurus_is_worth_10(mat, picture):
    with_it = points(picture, mat=mat, others=["p0 y3 g2 g6"])
    without = points(picture.replace("the", "."), mat=mat, others=["p0 y3 g2 g6"])
    gained = {name: with_it.get(name, 0) - without.get(name, 0) for name in with_it}
    assert gained == {"footprints": 5, "bones": 3, "teeth": 2}
    assert sum(gained.values()) == 10


@pytest.mark.parametrize(
    ("n", "expected"), [(1, 0), (2, 1), (3, 3), (4, 5), (5, 7), (6, 9), (7, 11), (8, 13), (9, 15), (10, 17)]
)
def test_dinos__by_size_of_the_group(n, expected):
    row = " ".join(f"p{i}" for i in range(n))
    assert points(row).get("dinos", 0) == expected
    assert points(row, cap_groups_at_5=True).get("dinos", 0) == min(expected, 7)


@pytest.mark.parametrize(
    ("picture", "expected"),
    [
        ("p1 . p2 . p3", 0),  # not touching
        ("p1 . . . .  . p2", 0),  # corners do not touch
        ("p1 rex p2 . .", 3),  # a T-Rex joins two of a suit
        ("p1 rex rx2 . .", 3),
        ("rex rx2 . . .", 0),  # no suit
        ("p1 rex y1 . .", 2),  # in both suits' groups
        ("p1 rex y1 . .  . g1 . . .", 3),
        ("que the . . .", 0),
        ("p1 que p2 . .", 0),
    ],
)
def test_dinos__t_rex_is_of_every_suit(picture, expected):
    assert points(picture).get("dinos", 0) == expected


@pytest.mark.parametrize(
    ("mine", "others", "expected"),
    [
        ("p4", [], 4),
        ("p1", ["p2"], 0),  # nobody has one
        ("p4", ["p8"], 4),  # tied
        ("p4", ["p8 y3"], 0),
        ("p4 que", [], 8),
        ("p4 que", ["p8"], 8),
        ("p4 que", ["p8 y3"], 0),
        ("the", [], 4),
        ("que", [], 0),
    ],
)
def test_eggs__most_or_tied(mine, others, expected):
    assert points(mine, others=others).get("eggs", 0) == expected


def test_eggs__quetzalcoatlus_in_reserve_doubles_nothing():
    assert points("p4", "que") == {"eggs": 4, "reserve": -2}


@pytest.mark.parametrize(
    ("picture", "expected"),
    [
        ("p3 p4 . . .", 1),
        ("p3 . p4 . .", 0),
        ("p4 p3 p8 . .", 2),
        ("p4 p3 p8 . .  . y3 . . .", 3),
        ("p3 p4 y2 . .", 2),  # each bone counts the egg
        ("o0 . . . .", 0),  # bone and egg of one tile do not touch
        ("o0 p4 . . .", 1),
        ("o0 g0 . . .", 1),  # o0 BE, g0 FB
    ],
)
def test_bones__count_eggs_beside_them(picture, expected):
    assert points(picture, others=["p0 y3 g2 g6 o1 y7"]).get("bones", 0) == expected


@pytest.mark.parametrize(
    ("picture", "expected"),
    [("p1", 2), ("p1 . p5", 4), ("p1 p5", 2), ("p1 p5 p9", 3), ("p1 p5 . p9", 4), ("p0", 2), ("the p1", 2)],
)
def test_teeth__lone_or_touching(picture, expected):
    assert points(picture).get("teeth", 0) == expected


@pytest.mark.parametrize(
    ("picture", "expected"),
    [("p2", 0), ("p2 p6", 5), ("p2 . p6", 0), ("p2 p6 y1", 0), ("p2 p6 y1 y5", 10), ("p2 p6 . y1 y5", 10)],
)
def test_footprints__in_even_groups(picture, expected):
    assert points(picture).get("footprints", 0) == expected


def test_symbols__two_equal_ones_touch_each_other():
    symbols = [["EE", "TT", "FF", "BB", "E", "T", "F", "B", "E", "T"]] + [["E"] * 10] * 3
    assert points("p1", symbols=symbols) == {"teeth": 2}
    assert points("p2", symbols=symbols) == {"footprints": 5}
    assert points("p2 p6", symbols=symbols) == {"dinos": 1}
    assert points("p0 p3", symbols=symbols, others=["y1 y2 y3"]) == {"dinos": 1, "bones": 4}
    assert points("p0", symbols=symbols, others=["y1 y2"]) == {"eggs": 4}


def test_reserve__costs_two_a_tile_and_its_symbols_are_ignored():
    assert points("p1", "p4 p2") == {"teeth": 2, "reserve": -4}


def test_points__are_numbers_of_the_rules():
    changed = {"dino_points": [0, 1, 2, 3, 9, 5], "egg_points": 6, "lone_tooth_points": 7, "footprint_points": 8}
    changed |= {"bone_points": 3, "touching_tooth_points": -1, "reserve_points": -3}
    found = points(EXAMPLE, "g0", **changed)
    assert found == {"dinos": 18, "eggs": 6, "bones": 6, "teeth": -2, "footprints": 8, "reserve": -3}


def test_bot__stops_the_eggs_only_when_it_has_more():
    for bot, expected in (("p4", 4), ("p4 p8", 0), ("the", 4), ("p1 p2", 4)):
        table = Table(2, mats="AA").lay(0, "p0")
        table.state.bot_tiles = tiles(bot)
        assert table.round_points()[0].get("eggs", 0) == expected
