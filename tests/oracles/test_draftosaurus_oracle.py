"""The oracle against the rule text: literal positions by hand, and invariants of random play."""

import random
from fractions import Fraction

import pytest
from oracles.draftosaurus import (
    BOX,
    EMPTY_PEN,
    FOOD_COURT,
    GRASSLANDS,
    PENS,
    PLACE,
    RELOCATE,
    RESTROOMS,
    SOURCES,
    TARGETS,
    WATCH_OUT,
    WOODLANDS,
    Draftosaurus,
    Zoo,
    default_rules,
    pieces,
    score,
)

REX, TRI, SPI, STE, PAR, BRA = range(6)
FOREST, TRIO, KING, PRAIRIE, MEADOW, ISLAND, RIVER = range(7)
WOOD, LEFT, QUARANTINE, LOOKOUT, RIGHT, CELL_0, CELL_1, CELL_2, WINTER_RIVER = range(9)
GAMES = 150  # random plays for each board and number of seats


# ---- helpers


def full_bag(rules, seats):
    return [k for k in range(6) for _ in range(rules[f"bag_{seats}"][k])]


def filled(board, **pens):
    """A Zoo with these pens; the Pyramid's are given from b0 on: b0 b1 b2 m0 m1 top."""
    zoo = Zoo(board)
    for pen, dinosaurs in pens.items():
        if pen == "pyramid":
            for cell, k in zip(("b0", "b1", "b2", "m0", "m1", "top"), dinosaurs, strict=False):
                zoo.cells[cell] = k
        zoo.pens[pen] = list(dinosaurs)
    return zoo


def targets(zoo, hand, face=None, **rules):
    """(target, species) open to a roller (no face) or to a seat bound by the face."""
    seats = 3
    bag = list(hand) + [hand[0]] * (6 - len(hand)) + [REX] * 30
    bag = bag if face is None else [REX] * 6 + bag  # seat 1 does not roll on the first turn
    play = Draftosaurus(seats, default_rules(zoo.board) | rules, [bag], [[WOODLANDS if face is None else face] * 12])
    play.mover = 0 if face is None else 1
    play.games[-1][play.mover] = zoo
    return [divmod(action, 6) for action in play.legal()]


def where(zoo, species, face=None, **rules):
    """Targets open to one species."""
    return [target for target, _ in targets(zoo, [species], face, **rules)]


def only(source, zoo, *opponents, **rules):
    """Points of one source for seat 0."""
    zoos = [zoo, *opponents] if opponents else [zoo, Zoo(zoo.board)]
    return score(zoos, 0, default_rules(zoo.board) | rules)[source]


def deal(rng, rules, seats):
    boards = 2 if rules["board"] == "both" else 1
    bags = [full_bag(rules, seats) for _ in range(boards)]
    for bag in bags:
        rng.shuffle(bag)
    return Draftosaurus(seats, rules, bags, [[rng.randrange(6) for _ in range(12)] for _ in range(boards)])


def all_in_river(seats, board="summer", bag=None, **rules):
    """A game in which every seat throws its lowest species into the River."""
    rules = default_rules(board) | rules
    boards = 2 if board == "both" else 1
    bag = full_bag(rules, seats) if bag is None else bag
    play = Draftosaurus(seats, rules, [bag] * boards, [[WOODLANDS] * 12] * boards)
    while not play.over:
        river = RIVER if play.games[-1][0].board == "summer" else WINTER_RIVER
        options = play.legal()
        play.apply(min(a for a in options if play.phase == BOX or a // 6 == river))
    return play


# ---- Summer, placing and scoring


def test_score__golden_example_is_31():
    zoo = filled(
        "summer",
        forest=[PAR] * 3,
        prairie=[BRA, BRA],
        trio=[SPI, SPI, STE],
        meadow=[TRI, STE, REX, SPI],
    )
    points = score([zoo, Zoo("summer")], 0, default_rules("summer"))
    assert {source: n for source, n in points.items() if n} == {
        "forest": 8, "trio": 7, "prairie": 5, "meadow": 10, "t_rex": 1,
    }  # fmt: skip
    assert sum(points.values()) == 31


def test_score__best_summer_zoo_is_51():
    zoo = filled("summer", forest=[REX] * 6, meadow=[REX, TRI, SPI, STE], king=[REX], island=[PAR])
    assert sum(score([zoo, Zoo("summer")], 0, default_rules("summer")).values()) == 51


@pytest.mark.parametrize("n, points", list(enumerate([0, 2, 4, 8, 12, 18, 24])))
def test_forest__pays_by_count(n, points):
    assert only("forest", filled("summer", forest=[TRI] * n)) == points


@pytest.mark.parametrize("n, points", list(enumerate([0, 1, 3, 6, 10, 15, 21])))
def test_meadow__pays_by_count(n, points):
    assert only("meadow", filled("summer", meadow=list(range(n)))) == points


@pytest.mark.parametrize("n, points", list(enumerate([0, 0, 0, 7])))
def test_trio__pays_when_full_only(n, points):
    assert only("trio", filled("summer", trio=[TRI, SPI, TRI][:n])) == points


def test_trio__full_follows_its_size():
    assert only("trio", filled("summer", trio=[TRI] * 3), trio_size=4) == 0
    assert only("trio", filled("summer", trio=[TRI] * 4), trio_size=4, trio_points=9) == 9


@pytest.mark.parametrize(
    "prairie, points",
    [([], 0), ([TRI], 0), ([TRI, SPI], 0), ([TRI, SPI, TRI], 5), ([TRI] * 3, 5), ([TRI] * 4, 10),
     ([TRI, SPI] * 3, 10), ([TRI, TRI, SPI, SPI, STE, STE], 15)],
)  # fmt: skip
def test_prairie__pays_couples_of_a_species(prairie, points):
    assert only("prairie", filled("summer", prairie=prairie)) == points


def test_king__counts_whole_zoos_and_a_tie_pays():
    mine = filled("summer", king=[TRI], river=[TRI, SPI])
    one, two = filled("summer", river=[TRI]), filled("summer", trio=[TRI], meadow=[TRI])
    three = filled("summer", forest=[TRI] * 3)
    assert only("king", mine, one, two) == 7
    assert only("king", mine, one, three) == 0
    assert only("king", filled("summer", river=[TRI] * 3), one) == 0  # pen empty (D38)
    assert only("king", mine, one, two, king_strict=True) == 0
    assert only("king", mine, one, one, king_strict=True) == 7


def test_island__needs_the_only_one_of_the_zoo():
    assert only("island", filled("summer", island=[TRI], river=[SPI])) == 7
    assert only("island", filled("summer", island=[TRI], river=[TRI])) == 0  # D20
    assert only("island", filled("summer", river=[TRI])) == 0


def test_t_rex__pays_once_a_pen_and_not_in_the_river():
    zoo = filled("summer", trio=[REX, REX], king=[REX], meadow=[TRI, REX], river=[REX] * 4)
    assert only("t_rex", zoo) == 3
    assert only("river", zoo) == 4
    assert pieces(zoo)["t_rex"] == 4


def test_summer_pens__accept_by_their_rules():
    assert where(Zoo("summer"), TRI) == list(range(7))
    forest = filled("summer", forest=[TRI])
    assert FOREST in where(forest, TRI) and FOREST not in where(forest, SPI)
    meadow = filled("summer", meadow=[TRI])
    assert MEADOW in where(meadow, SPI) and MEADOW not in where(meadow, TRI)
    full = filled("summer", forest=[TRI] * 6, trio=[SPI] * 3, king=[TRI], prairie=[SPI] * 6, island=[SPI])
    assert where(full, TRI) == [MEADOW, RIVER]  # D12: even a roller keeps to the pens' rules
    assert PRAIRIE in where(filled("summer", prairie=[TRI] * 5), SPI)  # D1
    assert PRAIRIE not in where(filled("summer", prairie=[TRI] * 2), SPI, prairie_size=2)
    assert MEADOW not in where(filled("summer", meadow=[TRI]), SPI, meadow_size=1)


@pytest.mark.parametrize(
    "face, open_to",
    [(WOODLANDS, [FOREST, TRIO, KING]), (GRASSLANDS, [PRAIRIE, MEADOW, ISLAND]),
     (FOOD_COURT, [FOREST, TRIO, PRAIRIE]), (RESTROOMS, [KING, MEADOW, ISLAND]),
     (EMPTY_PEN, range(6)), (WATCH_OUT, range(6))],
)  # fmt: skip
def test_summer_die__binds_all_but_the_roller(face, open_to):
    assert where(Zoo("summer"), TRI, face) == [*open_to, RIVER]


def test_die__empty_pen_and_t_rex_look_at_the_own_board():
    zoo = filled("summer", forest=[TRI], trio=[REX], river=[REX])
    assert where(zoo, TRI, EMPTY_PEN) == [KING, PRAIRIE, MEADOW, ISLAND, RIVER]
    assert where(zoo, TRI, WATCH_OUT) == [FOREST, KING, PRAIRIE, MEADOW, ISLAND, RIVER]
    assert where(zoo, REX, WATCH_OUT) == [
        KING,
        PRAIRIE,
        MEADOW,
        ISLAND,
        RIVER,
    ]  # D11: Forest is TRI's
    full = filled("summer", forest=[TRI], trio=[REX], king=[TRI], prairie=[SPI], meadow=[TRI], island=[SPI])
    assert where(full, TRI, EMPTY_PEN) == [RIVER]  # D10, D14


def test_legal__offers_each_species_once_and_is_sorted():
    zoo = filled("summer", king=[TRI], forest=[SPI], meadow=[TRI], island=[SPI])
    assert targets(zoo, [SPI, TRI, SPI, TRI], WOODLANDS) == [
        (FOREST, SPI), (TRIO, TRI), (TRIO, SPI), (RIVER, TRI), (RIVER, SPI),
    ]  # fmt: skip


# ---- Winter


@pytest.mark.parametrize(
    "face, open_to",
    [(WOODLANDS, [WOOD, LEFT, LOOKOUT]), (GRASSLANDS, [QUARANTINE, RIGHT, CELL_0, CELL_1, CELL_2]),
     (FOOD_COURT, [WOOD, LEFT, QUARANTINE]), (RESTROOMS, [LOOKOUT, RIGHT, CELL_0, CELL_1, CELL_2]),
     (EMPTY_PEN, range(8)), (WATCH_OUT, range(8))],
)  # fmt: skip
def test_winter_die__binds_all_but_the_roller(face, open_to):
    assert where(Zoo("winter"), TRI, face) == [*open_to, WINTER_RIVER]


def test_winter_die__banks_are_two_pens_and_the_pyramid_is_one():
    zoo = filled("winter", bridge_left=[REX], pyramid=[TRI], quarantine=[REX])
    assert where(zoo, SPI, EMPTY_PEN) == [WOOD, LOOKOUT, RIGHT, WINTER_RIVER]
    assert where(zoo, SPI, WATCH_OUT) == [WOOD, LOOKOUT, RIGHT, CELL_1, CELL_2, WINTER_RIVER]
    zoo = filled("winter", pyramid=[REX])
    assert CELL_2 not in where(zoo, TRI, WATCH_OUT)


@pytest.mark.parametrize(
    "wood, accepted",
    [([], {REX, TRI, SPI, STE, PAR, BRA}), ([TRI], {REX, SPI, STE, PAR, BRA}), ([TRI, SPI], {TRI}),
     ([TRI, SPI, TRI], {SPI}), ([TRI, SPI, TRI, SPI, TRI], {SPI}), ([TRI, SPI] * 3, set())],
)  # fmt: skip
def test_wood__two_species_in_turn(wood, accepted):
    zoo = filled("winter", wood=wood)
    assert {species for target, species in targets(zoo, list(range(6))) if target == WOOD} == accepted


def test_wood__pays_by_count():
    paid = [only("wood", filled("winter", wood=([TRI, SPI] * 3)[:n])) for n in range(7)]
    assert paid == [0, 2, 4, 8, 12, 18, 24]


@pytest.mark.parametrize(
    "left, right, points",
    [([TRI], [], 0), ([TRI, TRI], [], 0), ([TRI], [TRI], 6), ([TRI, TRI], [TRI], 6),
     ([TRI] * 3, [TRI] * 3, 18), ([TRI, SPI, STE], [STE, TRI, BRA], 12)],
)  # fmt: skip
def test_bridge__pays_couples_across_the_river(left, right, points):
    assert only("bridge", filled("winter", bridge_left=left, bridge_right=right)) == points


def test_bridge__banks_are_unlimited_unless_a_size_says_so():
    zoo = filled("winter", bridge_left=[TRI] * 11, bridge_right=[TRI])
    assert LEFT in where(zoo, TRI)
    assert LEFT not in where(zoo, TRI, bridge_size=3) and RIGHT in where(zoo, TRI, bridge_size=3)


def test_bridge__each_bank_has_its_own_t_rex_point():
    assert only("t_rex", filled("winter", bridge_left=[REX, REX], bridge_right=[REX])) == 2
    zoo = filled("winter", bridge_left=[REX, TRI], bridge_right=[TRI])
    assert pieces(zoo)["bridge"] == 3 and pieces(zoo)["t_rex"] == 1


def test_lookout__looks_at_the_whole_zoo_of_the_seat_before():
    zoos = [
        filled("winter", lookout=[TRI]),
        filled("winter", river=[TRI]),
        filled("winter", wood=[TRI, SPI, TRI], river=[TRI]),
    ]
    rules = default_rules("winter")
    assert score(zoos, 0, rules)["lookout"] == 6  # seat 2 passes to seat 0 (D28)
    zoos[1].pens["lookout"] = [TRI]
    assert score(zoos, 1, rules)["lookout"] == 2
    assert score([zoos[0], zoos[2]], 0, rules)["lookout"] == 6  # two seats: the opponent


def cells_open_to(pyramid, species):
    zoo = Zoo("winter")
    for cell, k in pyramid.items():
        zoo.cells[cell] = k
        zoo.pens["pyramid"].append(k)
    return [target - CELL_0 for target in where(zoo, species) if CELL_0 <= target <= CELL_2]


@pytest.mark.parametrize(
    "pyramid, species, cells",
    [
        ({}, TRI, [0, 1, 2]),
        ({"b0": TRI}, TRI, [2]),
        ({"b1": TRI}, TRI, []),  # nor does the middle row open before the bottom is full
        ({"b1": TRI}, SPI, [0, 2]),
        ({"b2": TRI}, TRI, [0]),
        ({"b0": TRI, "b2": TRI}, TRI, []),  # a dead end for this species (D27)
        ({"b0": TRI, "b2": SPI}, SPI, []),
        ({"b0": TRI, "b1": SPI, "b2": STE}, PAR, [0, 1]),
        ({"b0": TRI, "b1": SPI, "b2": STE}, TRI, [1]),
        ({"b0": TRI, "b1": SPI, "b2": STE}, SPI, []),
        ({"b0": TRI, "b1": SPI, "b2": STE}, STE, [0]),
        ({"b0": TRI, "b1": SPI, "b2": STE, "m1": PAR}, PAR, []),
        ({"b0": TRI, "b1": SPI, "b2": STE, "m1": PAR}, STE, [0]),
        ({"b0": TRI, "b1": SPI, "b2": STE, "m0": PAR, "m1": TRI}, SPI, [0]),
        ({"b0": TRI, "b1": SPI, "b2": STE, "m0": PAR, "m1": TRI}, PAR, []),
        ({"b0": TRI, "b1": SPI, "b2": STE, "m0": PAR, "m1": TRI}, TRI, []),
        ({"b0": TRI, "b1": SPI, "b2": STE, "m0": PAR, "m1": TRI, "top": SPI}, BRA, []),
    ],
)
def test_pyramid__rows_in_order_and_no_equal_neighbours(pyramid, species, cells):
    assert cells_open_to(pyramid, species) == cells


def test_pyramid__pays_by_level():
    paid = [only("pyramid", filled("winter", pyramid=[TRI, SPI, STE, PAR, TRI, SPI][:n])) for n in range(7)]
    assert paid == [0, 2, 4, 6, 10, 14, 21]
    assert only("pyramid", filled("winter", pyramid=[TRI, SPI, STE, PAR]), pyramid_points=[1, 5, 9]) == 8


# ---- the course of play


def test_turn__choices_are_applied_together_and_hands_pass_left():
    bag = [TRI] * 6 + [SPI] * 6 + [STE] * 6 + [BRA] * 18
    play = Draftosaurus(3, default_rules("summer"), [bag], [[WOODLANDS] * 12])
    for seat in range(3):
        assert (play.phase, play.mover, play.zoo(0)) == (PLACE, seat, [[] for _ in range(7)])
        assert len(play.hand(seat)) == 6
        play.apply(RIVER * 6 + [TRI, SPI, STE][seat])
    assert [play.zoo(seat)[RIVER] for seat in range(3)] == [[TRI], [SPI], [STE]]
    assert [play.hand(seat) for seat in range(3)] == [[STE] * 5, [TRI] * 5, [SPI] * 5]


def test_turn__only_the_roller_is_free_and_the_die_passes_left():
    play = Draftosaurus(3, default_rules("summer"), [[TRI] * 36], [[WOODLANDS] * 12])
    free_by_turn = []
    for _ in range(8):
        free = []
        for seat in range(3):
            if PRAIRIE * 6 + TRI in play.legal():
                free.append(seat)
            play.apply(RIVER * 6 + TRI)
        free_by_turn.append(free)
    assert free_by_turn == [[0], [1], [2], [0], [1], [2], [0], [1]]


def test_apply__refuses_what_is_not_legal():
    play = Draftosaurus(3, default_rules("summer"), [[TRI] * 36], [[WOODLANDS] * 12])
    with pytest.raises(ValueError, match="not legal"):
        play.apply(RIVER * 6 + SPI)
    play.apply(PRAIRIE * 6 + TRI)
    with pytest.raises(ValueError, match="not legal"):
        play.apply(PRAIRIE * 6 + TRI)  # seat 1 does not roll
    assert play.mover == 1
    finished = all_in_river(3)
    assert finished.legal() == []
    with pytest.raises(ValueError, match="not legal"):
        finished.apply(RIVER * 6)


@pytest.mark.parametrize(
    "seats, reset, rolls",
    [(2, False, [6, 6]), (3, False, [4] * 3), (4, False, [3] * 4), (5, False, [3, 3, 2, 2, 2]),
     (2, True, [8, 4]), (3, True, [4] * 3), (4, True, [4, 4, 2, 2]), (5, True, [4, 2, 2, 2, 2])],
)  # fmt: skip
def test_rolls__by_seats_and_die_reset(seats, reset, rolls):
    assert all_in_river(seats, die_reset=reset).rolls() == rolls
    assert all_in_river(seats, "both", die_reset=reset).rolls() == [2 * n for n in rolls]


def test_two_seats__box_follows_one_s_own_place():
    bag = [TRI, SPI, SPI, STE, STE, STE] + [BRA] * 42
    play = Draftosaurus(2, default_rules("summer"), [bag], [[WOODLANDS] * 12])
    play.apply(TRIO * 6 + TRI)
    assert (play.phase, play.mover, play.legal()) == (BOX, 0, [SPI, STE])
    play.apply(STE)
    assert (play.phase, play.mover, play.boxed) == (PLACE, 1, [[], []])
    play.apply(TRIO * 6 + BRA)
    assert (play.phase, play.mover, play.legal()) == (BOX, 1, [BRA])
    play.apply(BRA)
    assert (play.phase, play.mover, play.boxed) == (PLACE, 0, [[STE], [BRA]])
    assert (play.hand(0), play.hand(1)) == ([BRA] * 4, [SPI, SPI, STE, STE])
    assert play.zoo(0)[TRIO] == [TRI]


def test_two_seats__four_rounds_of_three_turns_empty_the_bag():
    play = all_in_river(2)
    assert [len(play.boxed[seat]) for seat in range(2)] == [12, 12]
    assert [len(play.zoo(seat)[RIVER]) for seat in range(2)] == [12, 12]


def last_turn_of_winter(quarantines, seats=3):
    """Everything in the River, but the first dinosaur of these seats in Quarantine."""
    rules = default_rules("winter")
    bag = ([TRI, SPI, STE] * 12)[: 12 * seats]
    play = Draftosaurus(seats, rules, [bag], [[GRASSLANDS] * 12])
    while not play.over and play.phase == PLACE:
        first = play.turn == 0 and play.mover in quarantines
        play.apply((QUARANTINE if first else WINTER_RIVER) * 6 + play.legal()[-1] % 6)
    return play


def test_relocate__asks_seats_in_quarantine_only_and_moves_together():
    play = last_turn_of_winter([0, 2])
    assert (play.phase, play.mover) == (RELOCATE, 0)
    every_target_but_quarantine = [WOOD, LEFT, LOOKOUT, RIGHT, CELL_0, CELL_1, CELL_2, WINTER_RIVER]
    assert play.legal() == every_target_but_quarantine  # no die in force (D22)
    play.apply(WOOD)
    assert (play.phase, play.mover, play.over) == (RELOCATE, 2, False)
    assert play.zoo(0)[QUARANTINE] == [STE] and play.zoo(0)[WOOD] == []
    play.apply(CELL_1)
    assert play.over and play.zoo(0)[QUARANTINE] == [] and play.zoo(0)[WOOD] == [STE]
    assert play.games[-1][2].cells == {"b1": STE}
    assert [points["wood"] for points in play.points()] == [2, 0, 0]
    assert [points["pyramid"] for points in play.points()] == [0, 0, 2]
    assert [points["river"] for points in play.points()] == [11, 12, 11]


def test_relocate__obeys_the_pen_and_is_skipped_without_quarantine():
    play = last_turn_of_winter([1])
    play.games[-1][1].pens["wood"] = [STE]
    play.games[-1][1].pens["lookout"] = [TRI]
    assert play.mover == 1
    assert play.legal() == [LEFT, RIGHT, CELL_0, CELL_1, CELL_2, WINTER_RIVER]
    assert last_turn_of_winter([]).over


def test_shares__fewest_t_rexes_then_shared():
    # every seat ends on 12 River points
    bag = [TRI] * 48
    assert all_in_river(4, bag=bag).shares() == [Fraction(1, 4)] * 4
    bag[0] = REX  # played by seat 0 on the first turn
    play = all_in_river(4, bag=bag)
    assert play.t_rexes() == [1, 0, 0, 0]
    assert play.shares() == [0, Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)]
    bag[6] = bag[12] = REX
    assert all_in_river(4, bag=bag).shares() == [0, 0, 0, 1]


def test_shares__points_come_before_t_rexes():
    play = Draftosaurus(3, default_rules("summer"), [[REX] * 36], [[WOODLANDS] * 12])
    play.apply(FOREST * 6 + REX)  # 2 points and a T-Rex in a pen against 1 in the River
    while not play.over:
        play.apply(RIVER * 6 + REX)
    assert [sum(p.values()) for p in play.points()] == [14, 12, 12]
    assert play.shares() == [1, 0, 0]


def test_shares__boxed_t_rexes_do_not_count():
    bag = [TRI] * 48
    bag[0] = REX  # in the hand of seat 0, who boxes it
    play = Draftosaurus(2, default_rules("summer"), [bag], [[WOODLANDS] * 12])
    play.apply(RIVER * 6 + TRI)
    play.apply(REX)
    while not play.over:
        play.apply(TRI if play.phase == BOX else RIVER * 6 + TRI)
    assert play.t_rexes() == [0, 0] and play.shares() == [Fraction(1, 2)] * 2


def test_both__adds_two_games_and_their_t_rexes():
    play = all_in_river(3, "both")
    assert [game[0].board for game in play.games] == ["summer", "winter"]
    assert [points["river"] for points in play.points()] == [24] * 3
    assert [lying["river"] for lying in play.pieces()] == [24] * 3
    assert sum(play.t_rexes()) == 12


def test_both__winter_starts_at_seat_0_on_empty_boards():
    rules = default_rules("both")
    play = Draftosaurus(5, rules, [[TRI] * 60] * 2, [[WOODLANDS] * 12] * 2)
    for _ in range(60):
        assert set(play.points()[0].values()) == {0} and play.shares() == [0] * 5
        play.apply(RIVER * 6 + TRI)
    assert play.zoo(0) == [[] for _ in range(7)] and play.mover == play.roller == 0
    assert play.points()[0]["river"] == 12 and play.t_rexes() == [0] * 5


def test_init__refuses_missing_games_and_short_bags():
    with pytest.raises(ValueError, match="each of 2 games"):
        Draftosaurus(3, default_rules("both"), [[TRI] * 36], [[WOODLANDS] * 12])
    with pytest.raises(ValueError, match="shorter than 36"):
        Draftosaurus(3, default_rules("summer"), [[TRI] * 35], [[WOODLANDS] * 12])


@pytest.mark.parametrize("board", ["summer", "winter", "both"])
def test_default_rules__have_every_key_of_the_interface(board):
    assert sorted(default_rules(board)) == sorted(
        [
            "board",
            "die_reset",
            "box_hidden",
            "king_strict",
            "forest_points",
            "meadow_points",
            "wood_points",
            "pyramid_points",
            "trio_points",
            "king_points",
            "island_points",
            "couple_points",
            "bridge_points",
            "lookout_points",
            "t_rex_points",
            "river_points",
            "forest_size",
            "trio_size",
            "prairie_size",
            "meadow_size",
            "wood_size",
            "bridge_size",
            "bag_2",
            "bag_3",
            "bag_4",
            "bag_5",
            "die_odds",
        ]
    )


# ---- random play


def random_rules(rng, board):
    """House rules at random; tables reach the size of their pen."""

    def table(n):
        return [rng.randrange(10) for _ in range(n + 1)]

    rules = default_rules(board)
    for name in rules:
        if name in ("die_reset", "box_hidden", "king_strict"):
            rules[name] = rng.random() < 0.5
        elif name.endswith("_size"):
            rules[name] = rng.randrange(1, 7)
        elif isinstance(rules[name], int):
            rules[name] = rng.randrange(10)
    for pen in ("forest", "meadow", "wood"):
        rules[f"{pen}_points"] = table(rules[f"{pen}_size"])
    rules["pyramid_points"] = table(2)
    return rules


def check_conserved(play):
    """Zoos, hands and boxes hold exactly what has been dealt."""
    game = len(play.games) - 1
    rounds = min(play.turn, 11) // (3 if play.seats == 2 else 6) + 1
    dealt = play.bags[game][: rounds * play.seats * 6]
    lying = [k for seat in range(play.seats) for pen in play.zoo(seat) for k in pen]
    boxed = [k for seat in play.boxed for k in seat]
    in_hand = [k for seat in range(play.seats) for k in play.hand(seat)]
    assert sorted(lying + boxed + in_hand) == sorted(dealt)


def check_end(play, rules):
    games = len(play.games)
    for zoos in play.games:
        assert all(sum(map(len, zoo.pens.values())) == 12 for zoo in zoos)
    n = play.seats
    assert all(len(bag) == n * (24 if n == 2 else 12) for bag in play.bags)  # D36: nothing is left
    names = set(SOURCES["summer"]) | set(SOURCES["winter"])
    names = names if rules["board"] == "both" else set(SOURCES[rules["board"]])
    for points, lying in zip(play.points(), play.pieces(), strict=True):
        assert set(points) == set(lying) == names
        assert sum(lying.values()) - lying["t_rex"] == 12 * games
        assert points["river"] == rules["river_points"] * lying["river"]
        assert min(points.values()) >= 0
    assert sum(play.rolls()) == 12 * games
    shares = play.shares()
    assert sum(shares) == 1 and all(share in (0, max(shares)) for share in shares)
    scores = [sum(points.values()) for points in play.points()]
    assert all(scores[seat] == max(scores) for seat in range(n) if shares[seat])


def play_out(play, rng, rules, every_ply):
    plies = 0
    while not play.over:
        options = play.legal()
        assert options == sorted(set(options)) and options
        if play.phase == PLACE:  # the River takes every species in hand
            river = len(TARGETS[play.games[-1][0].board]) - 1
            in_hand = set(play.hand(play.mover))
            assert {action % 6 for action in options if action // 6 == river} == in_hand
            assert {action % 6 for action in options} <= in_hand
        play.apply(rng.choice(options))
        plies += 1
        if every_ply:
            check_conserved(play)
    return plies


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("board", ["summer", "winter", "both"])
def test_random_play__printed_rules_keep_the_invariants(board, seats):
    rng = random.Random(f"{board} {seats}")
    rules = default_rules(board)
    for index in range(GAMES):
        play = deal(rng, rules, seats)
        plies = play_out(play, rng, rules, every_ply=index < 20)
        check_end(play, rules)
        games = len(play.games)
        at_least = games * 12 * seats * (2 if seats == 2 else 1)
        assert at_least <= plies <= at_least + (seats if board != "summer" else 0)
        if board == "summer":
            assert max(sum(points.values()) for points in play.points()) <= 51


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("board", ["summer", "winter", "both"])
def test_random_play__house_rules_keep_the_invariants(board, seats):
    rng = random.Random(f"house {board} {seats}")
    for _ in range(40):
        rules = random_rules(rng, board)
        play = deal(rng, rules, seats)
        play_out(play, rng, rules, every_ply=False)
        check_end(play, rules)
        for zoo in play.games[-1]:
            for pen in set(PENS[zoo.board]) - {"river", "pyramid"}:
                name = "bridge_size" if pen.startswith("bridge") else f"{pen}_size"
                assert len(zoo.pens[pen]) <= rules.get(name, 1)


@pytest.mark.parametrize("seats", [2, 4])
def test_random_play__pyramids_stand_as_they_should(seats):
    """No equal neighbours, none above a gap; said again without the oracle's table of pairs."""
    rng = random.Random(seats)
    tall = 0
    for _ in range(150):
        play = deal(rng, default_rules("winter"), seats)
        play_out(play, rng, play.rules, every_ply=False)
        for zoo in play.games[-1]:
            c = zoo.cells
            assert sorted(c.values()) == sorted(zoo.pens["pyramid"])
            for row, below in (("m0 m1", "b0 b1 b2"), ("top", "m0 m1")):
                if any(cell in c for cell in row.split()):
                    assert all(cell in c for cell in below.split())
            for clique in ("b0 b1 m0", "b1 b2 m1", "m0 m1 top", "b1 m0 m1"):
                there = [c[cell] for cell in clique.split() if cell in c]
                assert len(set(there)) == len(there)
            tall += "m0" in c
    assert tall > 0
