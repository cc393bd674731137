"""House rules are data: each changed value has its effect, and a wrong one is refused by name."""

import numpy as np
import pytest

import engine
from engine import rng
from engine.games.draftosaurus import GAME, moves
from engine.run import new_scratch

LETTERS = "RTSGPB"
SUMMER = ("forest", "trio", "king", "prairie", "meadow", "island", "river")
WINTER = ("wood", "left", "quarantine", "lookout", "right", "pyramid", "pyramid", "pyramid", "river")


def start(*zoos, board="summer", seats=3, **rules):
    """(state, rules record) of a game of these rules with the zoos filled; seat 0 decides and rolls."""
    record = engine.load_rules("draftosaurus", board, rules).record[0]
    state = new_scratch(GAME).states[0]
    state.seats = seats
    rng.key_streams(state, np.uint64(3), 0, np.arange(seats))
    GAME.functions["setup"](state, record)
    names = SUMMER if board == "summer" else WINTER
    for s, pens in enumerate(zoos):
        for pen, letters in pens.items():
            for i, letter in enumerate(letters):
                cell = (0, 1, 2, 0, 1, 0)[i] if pen == "pyramid" else 0
                moves.put(state, record, s, names.index(pen) + cell, LETTERS.index(letter))
                state.owned[s, LETTERS.index(letter)] += 1
    return state, record


def points(*zoos, board="summer", **rules):
    """Points of seat 0 by source, without zeros."""
    state, record = start(*zoos, board=board, **rules)
    table = np.zeros((3, len(GAME.sources)), np.int64)
    GAME.functions["score"](state, record, table)
    return {source: int(p) for source, p in zip(GAME.sources, table[0], strict=True) if p}


def takes(pen, letter, *zoos, board="summer", **rules):
    """Whether the pen of seat 0 takes the species, when it rolls and holds one."""
    state, record = start(*zoos, board=board, **rules)
    names = SUMMER if board == "summer" else WINTER
    state.hand[0] = 1 << 8 * LETTERS.index(letter)
    action = names.index(pen) * 6 + LETTERS.index(letter)
    return bool(int(GAME.functions["legal"](state, record)) >> action & 1)


def play(seats=3, games=40, **options):
    return engine.simulate("draftosaurus", ["random"] * seats, games, 5, seats="fixed", **options)


# ---------------------------------------------------------------------------------------------------------
# Switches
# ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("seats", "printed", "reset"),
    [(2, [6, 6], [8, 4]), (3, [4, 4, 4], [4, 4, 4]), (4, [3] * 4, [4, 4, 2, 2]), (5, [3, 3, 2, 2, 2], [4, 2, 2, 2, 2])],
)
def test_die_reset__gives_the_die_back_to_the_first_roller(seats, printed, reset):
    assert play(seats, 3).facts[:, :, 0].tolist() == [printed] * 3
    assert play(seats, 3, rules={"die_reset": True}).facts[:, :, 0].tolist() == [reset] * 3


def test_box_hidden__lets_the_opponent_imagine_other_boxes():
    changed = {}
    for hidden in (False, True):
        state, record = start(seats=2, box_hidden=hidden)
        for _ in range(12):
            legal = int(GAME.functions["legal"](state, record))
            GAME.functions["apply"](state, record, legal.bit_length() - 1)
        boxed = state.boxed[:2].copy()
        own_boxes, seen = True, set()
        for i in range(30):
            state.own[0] = i, 2 * i + 1
            GAME.functions["redeal"](state, record, 0)
            own_boxes &= bool((state.boxed[0] == boxed[0]).all())
            seen.add(tuple(state.boxed[1]))
        assert own_boxes
        changed[hidden] = len(seen)
    assert changed[False] == 1
    assert changed[True] > 5


def test_king_strict__pays_no_tie():
    mine, tie, fewer = {"king": "T"}, {"river": "T"}, {"river": "S"}
    assert points(mine, tie) == {"king": 7}
    assert points(mine, tie, king_strict=True) == {}
    assert points(mine, fewer, king_strict=True) == {"king": 7}


# ---------------------------------------------------------------------------------------------------------
# Points
# ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("board", "zoo", "printed", "rules", "changed"),
    [
        ("summer", {"forest": "TTT"}, {"forest": 8}, {"forest_points.3": 11}, {"forest": 11}),
        ("summer", {"meadow": "TS"}, {"meadow": 3}, {"meadow_points": [0, 2, 4, 6, 8, 10, 12]}, {"meadow": 4}),
        ("summer", {"trio": "TSG"}, {"trio": 7}, {"trio_points": 5}, {"trio": 5}),
        ("summer", {"king": "T"}, {"king": 7}, {"king_points": 9}, {"king": 9}),
        ("summer", {"island": "T"}, {"island": 7}, {"island_points": -2}, {"island": -2}),
        ("summer", {"prairie": "TTTT"}, {"prairie": 10}, {"couple_points": 4}, {"prairie": 8}),
        ("summer", {"trio": "R", "forest": "R", "river": "R"}, {"forest": 2, "river": 1, "t_rex": 2},
         {"t_rex_points": 3}, {"forest": 2, "river": 1, "t_rex": 6}),
        ("summer", {"river": "TT"}, {"river": 2}, {"river_points": 0}, {}),
        ("winter", {"wood": "TGTG"}, {"wood": 12}, {"wood_points.4": 1}, {"wood": 1}),
        ("winter", {"left": "TT", "right": "T"}, {"bridge": 6}, {"bridge_points": 8}, {"bridge": 8}),
        ("winter", {"pyramid": "TGSPTG"}, {"pyramid": 21}, {"pyramid_points": [1, 4, 7]}, {"pyramid": 18}),
        ("winter", {"pyramid": "TGS"}, {"pyramid": 6}, {"pyramid_points.bottom": 5}, {"pyramid": 15}),
    ],
)  # fmt: skip
def test_points__are_those_of_the_rules_in_force(board, zoo, printed, rules, changed):
    assert points(zoo, board=board) == printed
    assert points(zoo, board=board, **rules) == changed


def test_lookout_points__pay_for_the_right_neighbours_species():
    zoos = {"lookout": "T"}, {}, {"river": "TTT"}
    assert points(*zoos, board="winter")["lookout"] == 6
    assert points(*zoos, board="winter", lookout_points=3)["lookout"] == 9


# ---------------------------------------------------------------------------------------------------------
# Sizes, bags, die
# ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("board", "pen", "letter", "zoo", "rule"),
    [
        ("summer", "forest", "T", {"forest": "TTT"}, "forest_size"),
        ("summer", "trio", "T", {"trio": "TS"}, "trio_size"),
        ("summer", "prairie", "T", {"prairie": "TTT"}, "prairie_size"),
        ("summer", "meadow", "T", {"meadow": "SGP"}, "meadow_size"),
        ("winter", "wood", "G", {"wood": "TGT"}, "wood_size"),
        ("winter", "left", "T", {"left": "TTT"}, "bridge_size"),
        ("winter", "right", "T", {"right": "TTT"}, "bridge_size"),
    ],
)
def test_size__closes_a_full_pen(board, pen, letter, zoo, rule):
    lying = len(zoo[pen])
    assert takes(pen, letter, zoo, board=board)
    assert not takes(pen, letter, zoo, board=board, **{rule: lying})
    assert takes(pen, letter, zoo, board=board, **{rule: lying + 1})


def test_trio_size__is_what_the_trio_pays_for():
    assert points({"trio": "TS"}, trio_size=2) == {"trio": 7}
    assert points({"trio": "TSG"}, trio_size=4) == {}


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_bag__is_by_number_of_players(seats):
    need = 12 * seats * (2 if seats == 2 else 1)
    others = {f"bag_{n}": engine.load_rules("draftosaurus").values[f"bag_{n}"] for n in range(2, 6) if n != seats}
    result = play(seats, 6, rules={**others, f"bag_{seats}": [need, 0, 0, 0, 0, 0]})
    assert (result.facts[:, :, 1] == 12).all()
    result = play(seats, 6, rules={f"bag_{seats}": [0, need, 0, 0, 0, 0]})
    assert (result.facts[:, :, 1] == 0).all()


def test_die_odds__say_which_faces_come_up():
    for face in range(6):
        state, _ = start(die_odds=[int(f == face) for f in range(6)])
        assert (state.dice[0] == face).all()
    state, _ = start(die_odds={"woodlands": 0, "grasslands": 0, "food_court": 0})
    assert state.dice[0].min() >= 3


def test_die_odds__are_the_shares_of_the_faces():
    """n = 24,000 rolls; null: three in eight are Woodlands; limit: five standard errors."""
    record = engine.load_rules("draftosaurus", None, {"die_odds.woodlands": 3}).record[0]
    state, faces = new_scratch(GAME).states[0], []
    for deal in range(2000):
        state.seats, state.over = 3, 0
        rng.key_streams(state, np.uint64(9), deal, np.arange(3))
        GAME.functions["setup"](state, record)
        faces.append(state.dice[0].copy())
    share, expected = (np.array(faces) == 0).mean(), 3 / 8
    assert abs(share - expected) < 5 * np.sqrt(expected * (1 - expected) / 24_000)


# ---------------------------------------------------------------------------------------------------------
# Wrong values, and a designer's own overlay
# ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("rules", "named"),
    [
        ({"die_reset": 1}, "die_reset.*true or false.*1"),
        ({"box_hidden": "yes"}, "box_hidden.*true or false.*yes"),
        ({"king_strict": 0}, "king_strict.*true or false.*0"),
        ({"forest_points": [0, 2]}, "forest_points.*forest_size"),
        ({"meadow_points": [0] * 6}, "meadow_points.*meadow_size"),
        ({"wood_points": [0, 1, 2], "wood_size": 3}, "wood_points.*wood_size.*3"),
        ({"pyramid_points": [1, 2]}, "pyramid_points.*3 elements.*2"),
        ({"forest_points.9": 1}, "element '9'"),
        ({"trio_points": 7.5}, "trio_points.*whole number.*7.5"),
        ({"king_points": 501}, "king_points.*-500 to 500.*501"),
        ({"island_points": None}, "island_points.*None"),
        ({"couple_points": "5"}, "couple_points.*'5'"),
        ({"bridge_points": -501}, "bridge_points.*-501"),
        ({"lookout_points": [2]}, "lookout_points"),
        ({"t_rex_points": True}, "t_rex_points.*True"),
        ({"forest_size": 0}, "forest_size.*1 to 12.*0"),
        ({"trio_size": 13}, "trio_size.*13"),
        ({"prairie_size": -1}, "prairie_size.*-1"),
        ({"meadow_size": 7}, "meadow_size.*1 to 6.*7"),
        ({"wood_size": 7}, "wood_points.*wood_size.*7"),
        ({"bridge_size": 0}, "bridge_size.*0"),
        ({"bag_4": [7] * 6}, "bag_4.*42.*48"),
        ({"bag_2": [8] * 5}, "bag_2.*6 elements.*5"),
        ({"bag_5": [40] * 6}, "bag_5.*240.*128"),
        ({"die_odds": [0] * 6}, "die_odds"),
        ({"die_odds": [1, 1, 1, 1, 1, -1]}, "die_odds.*-1"),
        ({"trio_point": 7}, "trio_point.*did you mean 'trio_points'"),
    ],
)
def test_rule__refuses_a_wrong_value_in_one_line(rules, named):
    with pytest.raises(ValueError, match=named) as caught:
        engine.load_rules("draftosaurus", rules=rules)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["die_reset", "box_hidden", "king_strict"])
def test_variant__that_ships_changes_what_its_name_says(name):
    rules = engine.load_rules("draftosaurus", name)
    assert rules.values["board"] == "summer"
    assert list(rules.changed) == [name]
    assert rules.values[name] is True


def test_overlay__of_three_lines_works_by_its_path(tmp_path):
    overlay = tmp_path / "generous.toml"
    overlay.write_text('extends = "winter"\nbridge_points = 9\npyramid_points = { top = 20 }\n')
    rules = engine.load_rules("draftosaurus", overlay)
    assert rules.variant == "generous"
    assert rules.values["pyramid_points"] == [2, 4, 20]
    assert set(rules.changed) == {"board", "bridge_points", "pyramid_points"}
    printed, generous = play(variant="winter"), play(variant=overlay)
    bridge = printed.sources.index("bridge")
    assert np.array_equal(generous.points[:, :, bridge] * 6, printed.points[:, :, bridge] * 9)
    assert printed.points[:, :, bridge].sum() > 0


def test_overlay__wrong_key_is_refused_with_its_file(tmp_path):
    overlay = tmp_path / "typo.toml"
    overlay.write_text('extends = "summer"\ntrio_pionts = 9\n')
    with pytest.raises(ValueError, match=r"typo\.toml.*trio_pionts.*trio_points"):
        engine.load_rules("draftosaurus", overlay)
