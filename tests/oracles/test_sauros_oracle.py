"""The oracle against the rule text: literal positions by hand, and invariants of random play."""

import random
from fractions import Fraction

import pytest
from oracles.sauros import (
    ADD,
    ASTEROID,
    DISCARD,
    DONE,
    EXCHANGE,
    KEEP,
    MIDNIGHT,
    PLACE,
    PLAY,
    QUETZALCOATLUS,
    REFERENCE_MATS,
    REMOVE,
    REWARD,
    ROLL,
    SIGN,
    SOURCES,
    STOP,
    SUBTRACT,
    THERIZINOSAURUS,
    RandomChance,
    Sauros,
    all_tiles,
    cells,
    default_rules,
    lay,
    may_play,
    neighbours,
    score,
    score_bones,
    score_dinos,
    score_eggs,
    score_footprints,
    score_teeth,
    share_out,
    tile,
    trick_winner,
)

PURPLE, YELLOW, GREEN, ORANGE = range(4)
EGG, TOOTH, FOOTPRINT, BONE = range(4)
A, B, C, D = range(4)
BOT = 2
TRUMP, TAKE_A, TAKE_B, TAKE_C, TAKE_BOT = 0, 1, 2, 3, 3
RULES = default_rules()
SWITCHES = {  # of random play
    "printed": {},
    "base": {"special_tiles": False},
    "dice": {"midnight_dice": True, "cap_groups_at_5": True},
    "other": {"asteroid_replacement_is_trump": False, "zero_beats_any_nine": True, "two_player_hand": 6},
}
GAMES = 12  # random plays for each row of SWITCHES, number of seats and kind of mats


# ---- helpers


def tiles(names):
    return [tile(name) for name in names.split()]


class Told:
    """Chance as told: these tiles in the hands (the rest filled up) and these draws, by name."""

    def __init__(self, hands, draws, hand_size, rules, d4, bot_die, bot_removes):
        self.named = [tiles(names) for names in hands]
        self.draws = tiles(draws)
        self.hand_size, self.rules = hand_size, rules
        self.dice, self.bot_dice, self.removals = list(d4), list(bot_die), list(bot_removes)
        self.play = None

    def deck(self, round):
        used = {t for hand in self.named for t in hand} | set(self.draws)
        rest = [t for t in reversed(range(40)) if t not in used]  # orange first, then green
        deck = []
        for hand in self.named:
            deck += hand + [rest.pop(0) for _ in range(self.hand_size - len(hand))]
        return deck + [t for t in all_tiles(self.rules) if t not in deck]

    def draw_middle(self, n_tiles):
        assert n_tiles == len(self.play.middle)
        assert self.play.middle == sorted(self.play.middle)
        return self.play.middle.index(self.draws.pop(0)) if self.draws else 0

    def bot_die(self):
        return self.bot_dice.pop(0)

    def bot_removes(self, n_tiles):
        assert n_tiles == len(self.play.bot_tiles)
        return self.removals.pop(0)

    def d4(self):
        return self.dice.pop(0)


def begin(hands, draws="", mats="ABCDEF", d4=(), bot_die=(), bot_removes=(), exchanged=True, **switches):
    """A play after the exchange, told what comes; the first draw is the first trump."""
    seats = len(hands)
    rules = RULES | switches
    size = {2: rules["two_player_hand"], 6: 6}.get(seats, 7)
    chance = Told(hands, draws, size, rules, d4, bot_die, bot_removes)
    play = Sauros(seats, rules, [REFERENCE_MATS[m] for m in mats[: max(3, seats)]], chance)
    chance.play = play
    while exchanged and play.phase == EXCHANGE:
        play.apply(DONE)
    return play


def place_first(play):
    """Everybody puts all it can, in the first way, until something else than PLACE is asked."""
    while not play.over and play.phase == PLACE:
        play.apply(play.legal()[0])


def go(play, *actions):
    for action in actions:
        play.apply(tile(action) if isinstance(action, str) else action)


def state(play):
    return play.phase, play.mover


def winner(played, trump=None, changes=None, **switches):
    """Who wins these tiles, played by seats 0, 1, ... in turn."""
    return trick_winner(dict(enumerate(tiles(played))), trump, RULES | switches, changes)


def fits(lying, mat):
    """Whether these tiles can lie on the mat, perhaps further down or to the right."""
    shifts = [(r, c) for r in range(3) for c in range(3)]
    return any({(r + i, c + j) for r, c in lying} <= set(REFERENCE_MATS[mat]) for i, j in shifts)


def where(play):
    """Every tile of the game, wherever it is."""
    found = [t for hand in play.hands for t in hand] + play.middle + play.aside + play.discarded + play.bot_tiles
    for seat in range(play.seats):
        found += play.mat(seat).values()
        found += [t for t in play.held(seat) if t is not None]
    found += play.played.values()
    if play.trump is not None and play.trump not in play.discarded:
        found.append(play.trump)
    return sorted(found)


# ---- tiles and mats


def test_symbols__eleven_of_each_and_all_in_every_suit():
    symbols = RULES["symbols"]
    shown = [symbol for t in range(40) for symbol in symbols[t]]
    assert [shown.count(symbol) for symbol in range(4)] == [11] * 4
    assert all(len(symbols[t]) == (2 if t % 10 == 0 else 1) for t in range(40))
    assert all({x for t in range(s * 10, s * 10 + 10) for x in symbols[t]} == set(range(4)) for s in range(4))
    assert symbols[tile("p0")] == (EGG, TOOTH)
    assert symbols[tile("o0")] == (BONE, EGG)
    assert symbols[tile("rex")] == symbols[QUETZALCOATLUS] == symbols[ASTEROID] == ()


def test_deck__arithmetic_of_the_box():
    assert len(all_tiles(RULES)) == 45
    assert len(all_tiles(RULES | {"special_tiles": False})) == 42 == 5 * 7 + 7 == 6 * 6 + 6


def test_reference_mats__ten_connected_cells():
    for mat in REFERENCE_MATS.values():
        assert len(mat) == 10
        assert all(any(beside in mat for beside in neighbours(cell)) for cell in mat)
    assert REFERENCE_MATS["E"] == [(0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (1, 3), (2, 0), (2, 1), (2, 2), (2, 3)]


# ---- worked examples of scoring

END_OF_ROUND = [  # 4 yellow, 4 purple, Bones next to Eggs, two touching Teeth, a pair of Footprints
    ("A", "y2 y9 p7 p1 .  \n y3 y1 p8 p5 ."),
    ("A", "p7 p0 y2 y5 y9 \n .  p5 rex . ."),
    ("B", ".  y9 y0 y6 \n .  .  p1 y3 \n p3 p4 p6 ."),
    ("B", ".  p8 p3 .  \n . rex p0 .  \n y9 y5 y4 ."),
    ("C", ".  y9 y0 .  \n y5 y6 p1 . \n .  .  p8 . \n .  p4 p3 ."),
    ("C", ".  y8 .  .  \n .  y0 y5 . \n . rex p7 . \n .  p3 p4 ."),
    ("D", "p6 p0 . .  \n .  p5 .  .  . \n . p3 y7 y5 . \n .  .  y2 y9 ."),
    ("D", "y0 y4 . .  \n y1 rex p7 . . \n . p3 p4 .  ."),
    ("E", "y5 y9 y3 y6 \n .  .  . p7 \n .  p2 p1 p0"),
    ("E", "rex p8 p3 p4 \n y5 . . . \n y0 y4 . ."),
    ("F", ".  .  . p8 p2 \n y1 y0 y4 p3 p4 \n . . y2 . ."),
    ("F", ".  .  . y5 y0 \n . p3 p8 rex y4 \n . . p7 . ."),
]


@pytest.mark.parametrize(("mat", "picture"), END_OF_ROUND)
def test_score__end_of_round_example_is_17_and_21_with_most_eggs(mat, picture):
    lying = lay(picture)
    assert fits(lying, mat)
    points = score(lying, [tile("g9")], [9, 0], RULES)
    assert points == {"dinos": 5 + 5, "eggs": 0, "bones": 2, "teeth": 1 + 1, "footprints": 5, "reserve": -2}
    assert sum(points.values()) == 17
    assert sum(score(lying, [tile("g9")], [0, 0], RULES).values()) == 21


@pytest.mark.parametrize(
    ("mats", "picture"),
    [
        ("BC", ".  o4 .  \n g2 the g6 \n . p2 ."),  # a Bone above, green Eggs beside, a Footprint below
        ("D", ".  .  .  . \n . o4 . . \n g2 the g6 . \n . p2 . ."),
        ("AF", ".  g0 .  \n g2 the g6"),  # the Footprint on the same green 0 as the Bone
    ],
)
def test_score__therizinosaurus_example_is_10(mats, picture):
    lying = lay(picture)
    assert all(fits(lying, mat) for mat in mats)
    points = score(lying, [], [9], RULES)
    assert points == {"dinos": 0, "eggs": 0, "bones": 1 + 2, "teeth": 2, "footprints": 5, "reserve": 0}
    assert sum(points.values()) == 10


def test_reference_mats__therizinosaurus_example_does_not_fit_on_e():
    ring = REFERENCE_MATS["E"]  # it touches three tiles at least
    assert max(sum(beside in ring for beside in neighbours(cell)) for cell in ring) == 2


# ---- scoring, source by source


@pytest.mark.parametrize(
    ("picture", "points"),
    [
        ("p1", 0),
        ("p1 p2", 1),
        ("p1 p2 p3", 3),
        ("p1 p2 p3 p4", 5),
        ("p1 p2 p3 p4 p5", 7),
        ("p1 p2 y1 p3 p4", 1 + 1),
        ("p1 . \n . p2", 0),
        ("p1 p2 y1 \n p3 y2 y3", 3 + 3),
    ],
)
def test_score_dinos__groups(picture, points):
    assert score_dinos(lay(picture), RULES) == points


def test_score_dinos__groups_larger_than_five():
    six = lay("p1 p2 p3 p4 p5 p6")
    seven = lay("p1 p2 p3 p4 p5 p6 p7")
    assert (score_dinos(six, RULES), score_dinos(seven, RULES)) == (9, 11)
    capped = RULES | {"cap_groups_at_5": True}
    assert (score_dinos(six, capped), score_dinos(seven, capped)) == (7, 7)


@pytest.mark.parametrize(
    ("picture", "points"),
    [
        ("p1 rex p2", 3),  # a bridge
        ("p1 rex y1", 1 + 1),  # in two groups at once
        (".  p1 .  \n y1 rex g1 \n . o1 .", 4),
        ("p1 rex rx2", 3),
        ("rex rx2", 0),
        ("rex", 0),
        ("p1 rex . rx2 p2", 1 + 1),
        ("p1 que p2", 0),
        ("p1 the p2", 0),
        ("que the", 0),
    ],
)
def test_score_dinos__special_tiles(picture, points):
    assert score_dinos(lay(picture), RULES) == points


@pytest.mark.parametrize(
    ("mine", "others", "points"),
    [
        ("p4 p8", [1, 0], 4),
        ("p4 p8", [2, 1], 4),  # tied players get 4 each
        ("p4 p8", [3], 0),
        ("p1 p2", [0, 0], 0),  # most needs one
        ("p0", [1], 4),
        ("the", [0], 4),
        ("p4 the", [2], 4),
        ("p4 que", [0], 8),
        ("p4 que", [1], 8),
        ("p4 que", [2], 0),
        ("que", [0], 0),
    ],
)
def test_score_eggs__most(mine, others, points):
    assert score_eggs(tiles(mine), others, RULES) == points


def test_score__reserve_symbols_and_quetzalcoatlus_in_reserve_do_not_count():
    points = score(lay("p4"), tiles("que p8"), [1], RULES)
    assert points == {"dinos": 0, "eggs": 4, "bones": 0, "teeth": 0, "footprints": 0, "reserve": -4}
    assert sum(score({}, tiles("p4"), [0], RULES).values()) == -2  # S50


def test_score__quetzalcoatlus_does_not_double_bones():
    assert score(lay("p3 p4 que"), [], [0], RULES)["bones"] == 1


@pytest.mark.parametrize(
    ("picture", "points"),
    [
        ("p3 p4", 1),
        ("p4 p3 p8", 2),
        ("p3 p4 p7", 2),  # one Egg serves both Bones
        ("p3 . \n . p4", 0),
        ("o0", 0),  # Bone and Egg of one tile
        ("o0 the", 2),
        ("the", 0),
    ],
)
def test_score_bones__each_adjacent_egg(picture, points):
    assert score_bones(lay(picture), RULES) == points


@pytest.mark.parametrize(
    ("picture", "points"),
    [("p1", 2), ("p1 p5", 2), ("p1 p5 p9", 3), ("p1 p2 p5", 4), ("p1 . \n . p5", 4), ("the p1", 2), ("the", 2)],
)
def test_score_teeth__lone_and_touching(picture, points):
    assert score_teeth(lay(picture), RULES) == points


@pytest.mark.parametrize(
    ("picture", "points"),
    [
        ("p2", 0),
        ("p2 p6", 5),
        ("p2 p6 y1", 0),
        ("p2 p6 \n y1 y5", 10),
        ("p2 p6 p1 y1 y5", 10),
        ("p2 the", 5),
        ("p2 . \n . p6", 0),
    ],
)
def test_score_footprints__even_groups(picture, points):
    assert score_footprints(lay(picture), RULES) == points


def test_score__two_equal_symbols_on_a_zero_touch():
    def rules(symbol):
        return RULES | {"symbols": RULES["symbols"] | {0: (symbol, symbol)}}

    assert score_teeth(lay("p0"), rules(TOOTH)) == 2
    assert score_teeth(lay("p0 p1"), rules(TOOTH)) == 3
    assert score_footprints(lay("p0"), rules(FOOTPRINT)) == 5
    assert score_footprints(lay("p0 p2"), rules(FOOTPRINT)) == 0
    assert score_bones(lay("p0 p4"), rules(BONE)) == 2
    assert score_bones(lay("p0 p3"), rules(EGG)) == 2
    assert score_eggs(tiles("p0"), [2], rules(EGG)) == 4


# ---- following and winning


def test_may_play__must_follow_lead():
    assert may_play(tiles("p3 y4 g5"), tiles("p7")) == tiles("p3")  # the example of the rulebook
    assert may_play(tiles("p3 p1 y4"), tiles("p7 y9")) == tiles("p1 p3")


def test_may_play__void_may_play_anything():
    assert may_play(tiles("y4 g5 rex"), tiles("p7")) == tiles("y4 g5 rex")


def test_may_play__specials_any_time_and_no_substitute_for_following():
    assert may_play(tiles("p3 y4 rex que the ast"), tiles("p7")) == tiles("p3 rex que the ast")
    assert may_play(tiles("y4 rex"), tiles("p7")) == tiles("y4 rex")


def test_may_play__special_lead_leaves_the_lead_open():
    assert may_play(tiles("p3 y4"), tiles("rex")) == tiles("p3 y4")
    assert may_play(tiles("p3 y4"), tiles("que y1")) == tiles("y4")
    assert may_play(tiles("p3 y4"), tiles("ast rex p1")) == tiles("p3")


@pytest.mark.parametrize(
    ("played", "trump", "seat"),
    [
        ("p7 p8 p2", None, B),
        ("p7 y8 g9", None, A),  # neither lead nor trump: lose regardless of strength
        ("p7 y1 p8", YELLOW, B),
        ("p7 y1 y3", YELLOW, C),
        ("p7 p8 g9", YELLOW, B),
        ("p7 p8 p2", PURPLE, B),
        ("p0 p9 y1", None, A),  # 0 and 9
        ("p9 p0 y1", None, B),
        ("p9 p0 p5", None, B),  # the 0 is the strongest numbered tile
        ("p0 p8 y1", None, B),  # 9 is the only tile a 0 can beat
        ("p0 y9 g9", None, A),  # a lone 0 of the lead
        ("p8 p0 y9", None, A),  # a 9 of another suit
        ("p0 y9 g1", YELLOW, B),  # trump always beats the lead
        ("p7 y0 p9", YELLOW, B),  # the only trump
        ("p7 y0 y1", YELLOW, C),
        ("p7 y0 y9", YELLOW, B),
        ("y9 p0 g1", PURPLE, B),
    ],
)
def test_trick_winner__suits_and_strengths(played, trump, seat):
    assert winner(played, trump) == seat


@pytest.mark.parametrize(
    ("played", "trump", "seat"),
    [
        ("p8 p0 y9", None, B),
        ("p8 p0 y8", None, A),
        ("p9 p0 p5", None, B),
        ("p9 y0 y5", YELLOW, B),
        ("p0 y9 y1", YELLOW, B),
    ],
)
def test_trick_winner__zero_beats_any_nine(played, trump, seat):
    assert winner(played, trump, zero_beats_any_nine=True) == seat


@pytest.mark.parametrize(
    ("played", "trump", "seat"),
    [
        ("p7 rex y9", YELLOW, B),
        ("rex p9 rx2", None, C),  # the second T-Rex
        ("rx2 p9 rex", None, C),
        ("p7 rex que", None, C),  # the example of the rulebook
        ("que p7 rex", None, A),  # the order does not matter
        ("rex que rx2", None, B),
        ("que p1 y9", None, B),  # the T-Rex is the only tile it can beat
        ("p0 que the", None, A),
        ("the que p0", None, C),
        ("g4 the g9", None, C),  # the example of the rulebook
        ("the rex p1", None, B),
    ],
)
def test_trick_winner__special_tiles(played, trump, seat):
    assert winner(played, trump) == seat


@pytest.mark.parametrize(
    ("played", "changes", "seat"),
    [
        ("p8 p5 p6", {}, A),
        ("p8 p5 p6", {C: 3}, C),  # the example of the rulebook
        ("p8 p5 p6", {C: 2}, C),  # matching strength: the one played last
        ("p8 p5 p6", {C: 1}, A),
        ("p8 p5 p7", {A: -1}, C),
        ("p8 p5 p7", {A: -1, C: -1}, A),
        ("p0 p3 y1", {B: -4}, A),  # -1 loses to 0
        ("p0 p3 y1", {B: -3}, B),
        ("p0 p3 y1", {A: 4}, A),
        ("p0 p8 y1", {B: 1}, B),  # no printed 9
        ("p0 p9 p8", {B: -4, C: 4}, A),  # printed 0 and 9
        ("p0 p9 p8", {A: -4}, A),
        ("p9 y8 p8", {B: 4}, A),
    ],
)
def test_trick_winner__midnight_dice(played, changes, seat):
    assert winner(played, None, changes) == seat


# ---- rewards


def shared(played, winner, taken_from, trump):
    return share_out(dict(enumerate(tiles(played))), winner, taken_from, tile(trump))


def test_share_out__trump_taken():  # example 1
    assert shared("p9 p1 p2", A, None, "y5") == ({A: tiles("p9 y5"), B: tiles("p1"), C: tiles("p2")}, [])


def test_share_out__tile_of_another_taken():  # example 2
    assert shared("p9 p1 p2", A, C, "y5") == ({A: tiles("p9 p2"), B: tiles("p1"), C: tiles("y5")}, [])


def test_share_out__therizinosaurus_of_another():  # the example of the rulebook
    assert shared("g4 the g9", C, B, "y5") == ({A: tiles("g4"), B: tiles("y5 g9"), C: tiles("the")}, [])


def test_share_out__therizinosaurus_as_trump():
    gains = {A: tiles("p1"), B: tiles("the"), C: tiles("p2")}
    assert shared("p1 p9 p2", B, None, "the") == (gains, tiles("p9"))
    gains = {A: tiles("the"), B: tiles("p9 p1"), C: tiles("p2")}
    assert shared("p1 p9 p2", B, A, "the") == (gains, [])


def test_share_out__special_tiles_of_another_and_as_trump():
    assert shared("rex que p1", B, A, "y5") == ({A: tiles("y5"), B: tiles("que rex"), C: tiles("p1")}, [])
    assert shared("p9 p1 p2", A, None, "rex")[0][A] == tiles("p9 rex")
    assert shared("p9 the p2", A, B, "que") == ({A: tiles("the"), B: tiles("que p9"), C: tiles("p2")}, [])


# ---- setup and exchange


def test_deal__hand_sizes_tricks_and_rounds():
    sizes = {2: (7, 6, 3), 3: (7, 7, 3), 4: (7, 7, 4), 5: (7, 7, 5), 6: (6, 6, 6)}
    for seats, (size, tricks, rounds) in sizes.items():
        play = begin([""] * seats)
        assert (len(play.hand(0)), play.tricks_a_round, play.rounds) == (size, tricks, rounds)
        assert len(play.middle) == 45 - size * seats - 1  # the trump
    assert len(begin(["", ""], two_player_hand=6).hand(1)) == 6


def test_deal__seat_by_seat_from_the_front():
    rng = random.Random(3)
    chance = RandomChance(rng, RULES)
    decks = []
    chance.deck = lambda round: decks.append(rng.sample(range(45), 45)) or decks[-1]
    play = Sauros(4, RULES, [REFERENCE_MATS[m] for m in "ABCD"], chance)
    assert [play.hand(s) for s in range(4)] == [sorted(decks[0][s * 7 : s * 7 + 7]) for s in range(4)]
    assert play.middle == sorted(decks[0][28:])


def test_exchange__set_aside_then_drawn_then_mixed_in():
    play = begin(["p1 p2", "y1", "g1"], "o1 o2 p2 o3", exchanged=False)
    assert state(play) == (EXCHANGE, A)
    assert play.legal() == [*play.hand(A), DONE]
    play.apply(tile("p1"))
    assert tile("p1") not in play.legal()
    assert state(play) == (EXCHANGE, A)
    play.apply(tile("p2"))  # no question after the second
    assert state(play) == (EXCHANGE, B)
    assert set(tiles("o1 o2")) < set(play.hand(A))
    assert set(tiles("p1 p2")) < set(play.middle)
    go(play, "y1", DONE)  # draws what A set aside
    assert tile("p2") in play.hand(B)
    assert state(play) == (EXCHANGE, C)
    play.apply(DONE)
    assert state(play) == (PLAY, A)
    assert play.trump == tile("o3")
    assert [len(play.hand(s)) for s in range(3)] == [7, 7, 7]


def test_exchange__own_tiles_cannot_come_back():
    play = begin(["p1 p2", "", ""], exchanged=False)
    sizes = []
    play.chance.draw_middle = lambda n: sizes.append((n, set(tiles("p1 p2")) & set(play.middle))) or 0
    go(play, "p1", "p2")
    assert sizes == [(24, set()), (23, set())]


# ---- the course of a trick


def test_trick__winner_leads_and_places_first():
    play = begin(["p7", "p9 p3", "p2"], "y5")
    assert (play.trump, play.trump_suit) == (tile("y5"), YELLOW)
    go(play, "p7", "p9", "p2")
    assert play.played == {A: tile("p7"), B: tile("p9"), C: tile("p2")}
    assert state(play) == (REWARD, B)
    assert play.legal() == [TRUMP, TAKE_A, TAKE_C]
    play.apply(TAKE_C)
    assert [play.held(s)[2:] for s in range(3)] == [[tile("p7"), None], tiles("p9 p2"), [tile("y5"), None]]
    movers = []
    while play.phase == PLACE:
        movers.append(play.mover)
        play.apply(play.legal()[0])
    assert movers == [B, B, C, A]
    assert state(play) == (PLAY, B)
    assert play.tricks() == [0, 1, 0]


def test_trick__special_trump_is_no_suit_but_a_reward():
    play = begin(["p7", "y9", "p8"], "rex")
    assert play.trump_suit is None
    go(play, "p7", "y9", "p8")
    assert state(play) == (REWARD, C)
    play.apply(TRUMP)
    assert play.held(C)[2:] == tiles("p8 rex")


def test_apply__illegal_action_raises():
    play = begin(["p7 y1", "p1 y2", "p2"])
    play.apply(tile("p7"))
    with pytest.raises(ValueError, match="not legal"):
        play.apply(tile("y2"))


def test_asteroid__played_voids_the_trick():  # the example of the rulebook
    play = begin(["p7", "ast p1", "p5 y3"], "y5 y6")
    go(play, "p7", "ast")
    assert state(play) == (PLAY, C)
    assert tile("p5") in play.legal()
    assert tile("y3") not in play.legal()
    play.apply(tile("p5"))
    assert sorted(play.discarded) == sorted(tiles("p7 ast p5 y5"))
    assert state(play) == (PLAY, B)  # who played the Asteroid leads, nothing is placed
    assert (play.trick, play.trump) == (1, tile("y6"))
    assert play.tricks() == [0, 0, 0]


def test_asteroid__played_asks_nobody_to_place_a_reserved_tile():
    play = begin(["p7", "ast", "p5"], "y5 y6")
    with_tiles(play, {A: {0: "o1"}}, {A: "o2 o3"})
    go(play, "p7", "ast", "p5")
    assert state(play) == (PLAY, B)
    assert play.reserve(A) == tiles("o2 o3")


def test_asteroid__in_the_last_trick_ends_the_round():
    play = begin(["ast p0 p1 p2 p3 p4 p5", "y0 y1 y2 y3 y4 y5 y6", "g0 g1 g2 g3 g4 g5 g6"], "o0 o1 o2 o3 o4 o5 o6")
    tricks = 0
    while play.round == 0:
        if play.phase == PLAY and play.mover == A and not play.played:
            tricks += 1
            play.apply(tile("ast") if play.trick == 6 else play.legal()[0])
        else:
            play.apply(play.legal()[0])
    assert tricks == 7
    assert sum(play.tricks()) == 6
    assert sum(len(scored) for scored in play.finished) == 3


def with_tiles(play, lying, slots=None):
    """Put tiles onto cells of the mats before the next decision."""
    for seat, names in lying.items():
        play.lying[seat] = {cell: tile(name) for cell, name in names.items()}
    for seat, names in (slots or {}).items():
        play.slots[seat] = [tile(name) if name else None for name in names.split(" ")] + [None] * 2
    return play


def removal(**switches):
    """Second trick with the Asteroid as trump; A leads, B has neither mat tiles nor a reserve."""
    play = begin(["p9 p8", "p1 p2", "p3 p4"], "g1 ast g2", **switches)
    go(play, "p9", "p1", "p3", TRUMP)
    place_first(play)
    return with_tiles(play, {A: {4: "p9", 5: "g1", 6: "o8"}, B: {}, C: {0: "p3"}}, {A: "o5 o6"})


def test_asteroid__as_trump_everybody_removes_then_a_new_trump_serves():
    play = removal()
    assert state(play) == (REMOVE, A)
    assert play.trump == ASTEROID
    assert play.legal() == [4, 5, 6, 14, 15]
    play.apply(5)  # breaks the mat in two
    assert state(play) == (REMOVE, C)  # B has nothing
    play.apply(0)
    assert state(play) == (PLAY, A)
    assert (play.trump, play.trump_suit) == (tile("g2"), GREEN)
    assert {ASTEROID, tile("g1")} < set(play.discarded)
    assert play.mat(A) == {4: tile("p9"), 6: tile("o8")}


def test_asteroid__replacement_only_a_reward():
    play = removal(asteroid_replacement_is_trump=False)
    go(play, 5, 0)
    assert (play.trump, play.trump_suit) == (tile("g2"), None)


def test_asteroid__reserve_slot_one_stays_after_removal_of_slot_zero():
    play = removal()
    play.apply(14)
    assert play.reserve(A) == [None, tile("o6")]


def test_asteroid__as_first_trump_asks_nobody():
    play = begin(["p9", "p1", "p3"], "ast rex")
    assert state(play) == (PLAY, A)
    assert (play.trump, play.trump_suit) == (tile("rex"), None)


# ---- placing


def placing(lying, slots=None, mat="A", trump="g1"):
    """A has won with p9, took the trump and now places; `lying` is on its mat, `slots` in reserve."""
    play = begin(["p9", "p1", "p3"], trump, mats=mat + "BC")
    go(play, "p9", "p1", "p3")
    with_tiles(play, {A: lying}, {A: slots} if slots else None)
    play.apply(TRUMP)
    assert state(play) == (PLACE, A)
    return play


def test_place__first_tile_anywhere_but_never_the_reserve():
    play = placing({})
    assert play.legal() == [slot * 14 + cell for slot in (2, 3) for cell in range(10)]
    play.apply(2 * 14 + 7)  # mat A: 7 touches 2, 6 and 8
    assert play.mat(A) == {7: tile("p9")}
    assert play.legal() == [3 * 14 + cell for cell in (2, 6, 8)] + [STOP]


def test_place__reserving_instead_of_placing():
    play = placing({0: "o1"})
    play.apply(STOP)
    assert play.reserve(A) == tiles("p9 g1")
    assert state(play) == (PLACE, B)


def test_place__with_reserve_both_won_tiles_leave_the_reserved():
    play = placing({0: "o1"}, "o5 ")
    go(play, 2 * 14 + 1, 3 * 14 + 2)
    assert play.reserve(A) == [tile("o5"), None]
    assert state(play) == (PLACE, B)  # two placed: not asked again


def test_place__with_reserve_one_placed_one_reserved():
    play = placing({0: "o1"}, "o5 ")
    assert STOP not in play.legal()  # three tiles would stay held
    go(play, 2 * 14 + 1)
    assert STOP in play.legal()
    play.apply(STOP)
    assert play.reserve(A) == tiles("o5 g1")


def test_place__with_reserve_two_of_any():
    play = placing({0: "o1"}, "o5 ")
    go(play, 0 * 14 + 1, 3 * 14 + 2)
    assert play.mat(A) == {0: tile("o1"), 1: tile("o5"), 2: tile("g1")}
    assert play.reserve(A) == [tile("p9"), None]


def test_place__four_held_must_place_two():
    play = placing({0: "o1"}, "o5 o6")
    play.apply(0 * 14 + 1)
    assert STOP not in play.legal()
    play.apply(2 * 14 + 2)
    assert play.reserve(A) == tiles("o6 g1")


def test_place__empty_slot_offers_nothing_and_reserve_closes_up():
    play = placing({0: "o1"}, " o6")
    assert {action // 14 for action in play.legal()} == {1, 2, 3}
    go(play, 2 * 14 + 1, STOP)
    assert play.reserve(A) == tiles("o6 g1")


def test_place__apart_after_removal_any_placed_tile_will_do():
    play = placing({0: "o1", 4: "o2"})
    assert play.legal() == [slot * 14 + cell for slot in (2, 3) for cell in (1, 3, 5, 9)] + [STOP]


def test_place__full_mat_and_two_held_asks_only_to_stop():
    play = placing({cell: f"o{cell}" for cell in range(10)})
    assert play.legal() == [STOP]
    play.apply(STOP)
    assert play.reserve(A) == tiles("p9 g1")


def test_discard__forced_until_two_are_left_then_placing_goes_on():
    play = begin(["p9", "p1", "p3"], "g1")
    go(play, "p9", "p1", "p3")
    with_tiles(play, {A: {cell: f"o{cell}" for cell in range(10)}}, {A: "y8 y9"})
    play.apply(TRUMP)
    assert state(play) == (DISCARD, A)
    assert play.legal() == [0, 1, 2, 3]
    play.apply(1)
    assert state(play) == (DISCARD, A)
    assert play.legal() == [0, 2, 3]
    play.apply(2)
    assert state(play) == (PLACE, A)
    assert play.legal() == [STOP]
    play.apply(STOP)
    assert play.reserve(A) == tiles("y8 g1")
    assert {tile("y9"), tile("p9")} <= set(play.discarded)


def test_discard__after_the_last_cell_was_filled():
    play = begin(["p9", "p1", "p3"], "g1")
    go(play, "p9", "p1", "p3")
    with_tiles(play, {A: {cell: f"o{cell}" for cell in range(9)}}, {A: "y8 y9"})
    go(play, TRUMP, 3 * 14 + 9)
    assert state(play) == (DISCARD, A)
    go(play, 0)
    assert play.legal() == [STOP]
    go(play, STOP)
    assert play.reserve(A) == tiles("y9 p9")


def test_place__last_trick_keeps_the_limit_and_reserve_costs_two_each():
    play = begin(["p9", "p1", "p3"], "y5")
    while play.trick < 6:
        play.apply(play.legal()[0])
    while play.phase != PLACE:
        play.apply(play.legal()[0])
    seat = play.mover
    with_tiles(play, {seat: {0: "o1"}})
    play.slots[seat] = tiles("o5 o7 g9 g8")
    go(play, 0 * 14 + play._open_cells(seat)[0])
    go(play, 1 * 14 + play._open_cells(seat)[0])
    assert play.reserve(seat) == tiles("g9 g8")  # room is left, but two were placed
    while play.round == 0:
        play.apply(play.legal()[0])
    assert play.finished[0][seat]["reserve"] == -4


# ---- two players


def test_bot__never_follows_and_sits_after_seat_one():
    play = begin(["p7", "p5"], "y5 g9 y6")
    go(play, "p7", "p5")
    assert play.played == {A: tile("p7"), B: tile("p5"), BOT: tile("g9")}
    assert state(play) == (REWARD, A)
    assert play.legal() == [TRUMP, TAKE_B, TAKE_BOT]
    play.apply(TRUMP)
    assert play.bot_tiles == tiles("g9")


def test_bot__human_takes_its_tile_and_it_gets_the_trump():
    play = begin(["p7", "p5"], "y5 g9")
    go(play, "p7", "p5", TAKE_BOT)
    assert play.held(A)[2:] == tiles("p7 g9")
    assert play.bot_tiles == tiles("y5")


def test_bot__wins_with_its_symbol_takes_the_trump():  # the example of the rulebook
    play = begin(["p7 p8", "p5 p6"], "y5 y1 g7 p9", bot_die=[0])
    go(play, "p7", "p5")
    assert play.bot_tiles == tiles("y1 y5")
    assert play.held(A)[2:] == [tile("p7"), None]
    assert play.held(B)[2:] == [tile("p5"), None]
    assert state(play) == (PLACE, A)
    place_first(play)
    assert play.leader == BOT
    assert play.played == {BOT: tile("p9")}
    assert state(play) == (PLAY, A)
    assert tile("p8") in play.legal()
    assert play.tricks() == [0, 0]
    assert all(action // 10 == PURPLE or action >= 40 for action in play.legal())  # its suit leads


def test_bot__wins_and_takes_a_human_tile():
    play = begin(["p7", "p5"], "y5 y1", bot_die=[2])
    go(play, "p7", "p5")
    assert play.bot_tiles == tiles("p5 y1")
    assert play.held(B)[2:] == [tile("y5"), None]


def test_bot__wins_and_takes_therizinosaurus():
    play = begin(["p7", "the"], "y5 y1", bot_die=[2])
    go(play, "p7", "the")
    assert play.bot_tiles == tiles("the")
    assert play.held(B)[2:] == tiles("y5 y1")


def test_bot__loses_therizinosaurus_and_gets_two_tiles():
    play = begin(["p7", "p5"], "y5 the")
    go(play, "p7", "p5", TAKE_BOT)
    assert play.bot_tiles == tiles("p7 y5")
    assert play.held(A)[2:] == [THERIZINOSAURUS, None]


def test_bot__asteroid_voids_the_trick_and_the_bot_leads():
    play = begin(["p7", "p5"], "y5 ast y6 g3")
    go(play, "p7", "p5")
    assert play.bot_tiles == []
    assert (play.leader, play.played) == (BOT, {BOT: tile("g3")})
    assert state(play) == (PLAY, A)


def test_bot__removes_a_random_tile_for_the_asteroid():
    play = begin(["p7", "p5"], "y5 y1 ast y6 g3", bot_die=[0], bot_removes=[1])
    go(play, "p7", "p5")
    place_first(play)
    assert state(play) == (REMOVE, A)
    assert play.bot_tiles == tiles("y1")  # the Bot leads, so it removed first
    assert tile("y5") in play.discarded


def test_bot__eggs_count_against_humans():
    play = begin(["", ""])
    with_tiles(play, {A: {0: "p4"}, B: {0: "p1"}})
    play.bot_tiles = tiles("g2")
    play._score_round()
    assert [scored["eggs"] for scored in play.finished[-1]] == [4, 0]  # tied with the Bot
    play.bot_tiles = tiles("g2 the")
    play._score_round()
    assert [scored["eggs"] for scored in play.finished[-1]] == [0, 0]


def test_bot__unused_tile_stays_in_hand():
    for size in (7, 6):
        rules = RULES | {"two_player_hand": size}
        play = random_play(random.Random(5), 2, rules, [REFERENCE_MATS[m] for m in "ABC"])
        assert [len(play.hand(s)) for s in range(2)] == [size - 6] * 2


# ---- Midnight Dice


def test_midnight__offered_at_suit_tiles_until_rolled():
    play = begin(["p8 p7", "p5 p4", "p6 p3"], "y5 y6", d4=[3], midnight_dice=True)
    play.apply(tile("p8"))
    assert state(play) == (MIDNIGHT, A)
    assert play.legal() == [KEEP, ROLL]
    go(play, KEEP, "p5", KEEP, "p6", ROLL)
    assert (state(play), play.rolled) == ((SIGN, C), 3)
    assert play.legal() == [ADD, SUBTRACT]
    play.apply(ADD)
    assert (state(play), play.changes) == ((REWARD, C), {C: 3})
    play.apply(TRUMP)
    place_first(play)
    assert state(play) == (PLAY, C)
    assert play.changes == {}
    play.apply(tile("p3"))
    assert state(play) == (PLAY, A)  # C has rolled in this round
    play.apply(tile("p7"))
    assert state(play) == (MIDNIGHT, A)


def test_midnight__subtracting():
    play = begin(["p8", "p5", "p6"], "y5", d4=[3], midnight_dice=True)
    go(play, "p8", ROLL, SUBTRACT, "p5", KEEP, "p6", KEEP)
    assert play.changes == {A: -3}
    assert state(play) == (REWARD, C)


def test_midnight__not_at_special_tiles_but_in_a_void_trick():
    play = begin(["ast", "p5", "rex"], "y5", d4=[1], midnight_dice=True)
    play.apply(tile("ast"))
    assert state(play) == (PLAY, B)
    play.apply(tile("p5"))
    assert state(play) == (MIDNIGHT, B)
    go(play, ROLL, ADD)
    assert state(play) == (PLAY, C)
    play.apply(tile("rex"))
    assert state(play) == (PLAY, A)
    assert play.has_rolled == [False, True, False]


# ---- rounds and the end


def test_round__mats_pass_clockwise():
    play = begin(["", "", "", ""])
    seen = []
    for play.round in range(4):
        seen.append([play.mat_of(seat) for seat in range(4)])
    assert seen == [[0, 1, 2, 3], [3, 0, 1, 2], [2, 3, 0, 1], [1, 2, 3, 0]]


def test_round__lowest_seat_exchanges_and_leads_next_and_mats_are_cleared():
    rng = random.Random(2)
    play = Sauros(4, RULES, [REFERENCE_MATS[m] for m in "ABCD"], RandomChance(rng, RULES))
    while play.round == 0:
        assert play.points()[0] == dict.fromkeys(SOURCES, 0)
        play.apply(rng.choice(play.legal()))
    totals = play.scores()
    assert totals.count(min(totals)) == 1
    lowest = totals.index(min(totals))
    assert state(play) == (EXCHANGE, lowest)
    assert [play.mat(seat) for seat in range(4)] == [{}] * 4
    assert [play.reserve(seat) for seat in range(4)] == [[None, None]] * 4
    assert [by_mat[seat] for seat, by_mat in enumerate(play.points_by_mat())] == totals
    while play.phase == EXCHANGE:
        play.apply(DONE)
    assert state(play) == (PLAY, lowest)


def scored(*rounds, starter=0):
    """A play with these totals of finished rounds, seat by seat."""
    play = begin([""] * len(rounds[0]))
    play.finished = [[{"dinos": total} for total in totals] for totals in rounds]
    play.starter = starter
    return play


def test_points_by_mat__follow_the_mats():
    play = scored((1, 2, 3), (10, 20, 30), (100, 200, 300))
    assert play.points_by_mat() == [[1, 100, 10], [20, 2, 200], [300, 30, 3]]


@pytest.mark.parametrize(
    ("rounds", "starter", "following"),
    [
        ([(5, 3, 4)], 0, 1),
        ([(5, 1, 4), (0, 5, 1)], 0, 0),  # tied at 5: fewest in the last round
        ([(1, 5, 4), (5, 0, 1)], 1, 1),
        ([(3, 3, 3)], 0, 1),  # clockwise from the old starter, who comes last
        ([(3, 4, 3)], 0, 2),
        ([(3, 3, 4)], 1, 0),
        ([(3, 3, 4)], 2, 0),
        ([(2, 9)], 0, 0),
        ([(2, 2)], 1, 0),
    ],
)
def test_next_starter__fewest_points(rounds, starter, following):
    assert scored(*rounds, starter=starter)._next_starter() == following


@pytest.mark.parametrize(
    ("rounds", "shares"),
    [
        ([(5, 3, 4)], (1, 0, 0)),
        ([(5, 1, 4), (0, 5, 1)], (0, 1, 0)),
        ([(4, 4, 1), (1, 1, 1)], (Fraction(1, 2), Fraction(1, 2), 0)),
        ([(2, 1, 0), (1, 2, 0)], (0, 1, 0)),  # most in the final round
        ([(2, 2, 2)], (Fraction(1, 3),) * 3),
    ],
)
def test_shares__most_points_then_last_round(rounds, shares):
    play = scored(*rounds)
    assert play.shares() == [0, 0, 0]
    play.over = True
    assert tuple(play.shares()) == shares


def test_constructor__bad_arguments_raise():
    mats = [REFERENCE_MATS[m] for m in "ABCDEF"]
    chance = RandomChance(random.Random(1), RULES)
    with pytest.raises(ValueError, match="seats"):
        Sauros(7, RULES, mats, chance)
    with pytest.raises(ValueError, match="needs 3 mats"):
        Sauros(2, RULES, mats[:2], chance)
    with pytest.raises(ValueError, match="rules differ"):
        Sauros(3, RULES | {"midnight": True}, mats[:3], chance)
    with pytest.raises(ValueError, match="reading order"):
        Sauros(3, RULES, [*mats[:2], mats[2][::-1]], chance)
    chance.deck = lambda round: list(range(44))
    with pytest.raises(ValueError, match="deck"):
        Sauros(3, RULES, mats[:3], chance)


# ---- random play


def random_play(rng, seats, rules, mats, watch=None):
    play = Sauros(seats, rules, mats, RandomChance(rng, rules))
    while not play.over:
        play.apply(rng.choice(play.legal()))
        if watch:
            watch(play)
    return play


def check(play):
    """What must hold at every decision."""
    assert where(play) == all_tiles(play.rules)
    legal = play.legal()
    assert legal == sorted(set(legal))
    assert bool(legal) != play.over
    assert all(0 <= action < 64 for action in legal)
    for seat in range(play.seats):
        assert set(play.mat(seat)) <= set(range(len(play.mats[play.mat_of(seat)])))
        if play.phase in (EXCHANGE, PLAY, MIDNIGHT, SIGN, REMOVE) or play.over:
            assert play.held(seat)[2:] == [None, None]
    if not play.over:
        assert 0 <= play.mover < play.seats
        if play.phase == PLACE:
            assert (
                STOP in legal
                or len([t for t in play.held(play.mover) if t is not None]) > 2
                or not play.mat(play.mover)
            )


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("name", SWITCHES)
def test_random_play__invariants(name, seats):
    rng = random.Random(f"{name} {seats}")
    rules = RULES | SWITCHES[name]
    tiny, large = cells("### ##. ###"), cells("##### ##### ####.")
    for game in range(GAMES):
        mats = rng.sample([REFERENCE_MATS[m] for m in ("ABCDEF" if seats == 6 else "ABCDE")], max(3, seats))
        if game % 4 == 3:
            mats = [(tiny, large)[i % 2] for i in range(len(mats))]
        play = random_play(rng, seats, rules, mats, check)
        points = play.points()
        assert [sum(seat.values()) for seat in points] == play.scores()
        assert [sum(by_mat) for by_mat in play.points_by_mat()] == play.scores()
        assert all(tuple(seat) == SOURCES and seat["reserve"] <= 0 for seat in points)
        assert all(value >= 0 for seat in points for source, value in seat.items() if source != "reserve")
        assert len(play.finished) == len(play.mats) == max(3, seats)
        assert sum(play.shares()) == 1
        voided_at_most = play.rounds if rules["special_tiles"] else 0
        all_tricks = play.rounds * play.tricks_a_round
        assert all_tricks - voided_at_most <= sum(play.won) <= all_tricks
        assert all(len(play.hand(seat)) == play.hand_size - play.tricks_a_round for seat in range(seats))


def test_random_play__every_phase_is_met():
    met = set()
    rules = RULES | {"midnight_dice": True}
    mats = [cells("### ###")] * 3
    rng = random.Random(11)
    for _ in range(20):
        random_play(rng, 3, rules, mats, lambda play: met.add(play.phase))
    assert met == set(range(8))
