"""Literal tricks and their rewards, with the worked examples of the rulebook."""

import pytest
from games.sauros.sauros_table import Table, names_of, tile

from engine.games.sauros.names import MIDNIGHT, PLACE, PLAY, REMOVE, REWARD, SIGN


def winner(trick, trump="o5", **rules):
    """The seat that wins a trick of these tiles, seat 0 leading."""
    names = trick.split()
    table = Table(len(names), **rules).trick(names, trump).do(*names)
    assert table.state.phase == REWARD
    return table.state.winner


@pytest.mark.parametrize(
    ("trick", "trump", "expected"),
    [
        ("p7 p3 p8", "o5", 2),
        ("p7 o1 p8", "o5", 1),  # trump beats lead
        ("p7 o1 o2", "o5", 2),
        ("p2 y9 g9", "o5", 0),  # other suits lose
        ("p0 y9 g9", "o5", 0),  # even to a lone 0
        ("p9 p0 p5", "o5", 1),  # 0 beats 9
        ("p0 p9 p5", "o5", 0),
        ("p0 p8 p5", "o5", 1),
        ("o9 o0 p9", "o5", 1),
        ("p0 o9 p5", "o5", 1),  # trump beats the 0 of lead
        ("p9 o0 p5", "o5", 1),  # a lone trump 0 wins
        ("p0 y9 p5", "o5", 2),  # a 9 of another suit does not help
        ("p9 rex p8", "o9", 1),
        ("rex p9 rx2", "o9", 2),  # the second T-Rex wins
        ("p7 rex que", "o5", 2),  # Rulebook, The Quetzalcoatlus
        ("que rex p7", "o5", 0),
        ("p7 que p3", "o5", 0),  # beats nothing else
        ("que p1 y9", "o5", 1),  # the first suit tile leads
        ("the p1 p2", "o5", 2),
        ("g4 the g9", "o5", 2),  # Rulebook, The Therizinosaurus
        ("the que p1", "o5", 2),
        ("p1 o9 p3", "rex", 2),  # no trump
        ("p1 o9 p3", "que", 2),
    ],
)
def test_winner__of_a_trick(trick, trump, expected):
    assert winner(trick, trump) == expected


def test_zero__may_beat_any_nine():
    assert winner("p0 y9 p5", zero_beats_any_nine=True) == 0
    assert winner("p0 y9 o5", zero_beats_any_nine=True) == 2


@pytest.mark.parametrize(
    ("hand", "lead", "expected"),
    [
        ("p1 p9 y3 o5", "p7", "p1 p9"),
        ("y3 o5", "p7", "y3 o5"),  # void: any tile
        ("p1 y3 rex the que ast", "p7", "p1 rex que the ast"),  # specials at any time
        ("y3 rex", "p7", "y3 rex"),
        ("p1 y3", "rex", "p1 y3"),  # no lead yet
    ],
)
def test_following__the_lead(hand, lead, expected):
    table = Table(3).trick([lead, hand, "g1"], "o4").do(lead)
    assert names_of(sum(1 << t for t in table.legal())) == expected


def test_void__is_seen_by_everybody():
    table = Table(3).trick(["p7 y1", "y3 rex", "p1 g1"], "o4").do("p7", "y3", "p1")
    assert list(table.state.void[:3]) == [0, 1, 0]
    table = Table(3).trick(["p7 y1", "y3 rex", "p1 g1"], "o4").do("p7", "rex", "p1")
    assert list(table.state.void[:3]) == [0, 0, 0]


# ---------------------------------------------------------------------------------------------------------
# Rewards
# ---------------------------------------------------------------------------------------------------------
def test_rulebook_example_1__winner_takes_the_trump_tile():
    table = Table(3).trick(["p7", "p3", "p5"], "o4").do("p7", "p3", "p5")
    assert table.legal() == [0, 2, 3]
    table.do(0)
    assert [table.held(s) for s in range(3)] == ["- - p7 o4", "- - p3 -", "- - p5 -"]


def test_rulebook_example_2__owner_of_a_taken_tile_gets_the_trump_tile():
    table = Table(3).trick(["p7", "p3", "p5"], "o4").do("p7", "p3", "p5", 3)
    assert [table.held(s) for s in range(3)] == ["- - p7 p5", "- - p3 -", "- - o4 -"]
    assert (table.state.mover, table.state.phase) == (0, PLACE)


def test_rulebook_example__taking_the_therizinosaurus():
    table = Table(3).trick(["g4", "the", "g9"], "o4").do("g4", "the", "g9", 2)
    assert [table.held(s) for s in range(3)] == ["- - g4 -", "- - o4 g9", "- - the -"]
    assert table.state.mover == 2


def test_therizinosaurus__as_trump_leaves_the_winner_nothing_else():
    table = Table(3).trick(["g4", "g2", "g9"], "the").do("g4", "g2", "g9", 0)
    assert [table.held(s) for s in range(3)] == ["- - g4 -", "- - g2 -", "- - the -"]
    table = Table(3).trick(["g4", "g2", "g9"], "the").do("g4", "g2", "g9", 1)
    assert [table.held(s) for s in range(3)] == ["- - the -", "- - g2 -", "- - g9 g4"]


def test_t_rex__of_another_seat_may_be_taken():
    table = Table(3).trick(["g4", "rex", "que"], "o4").do("g4", "rex", "que", 2)
    assert [table.held(s) for s in range(3)] == ["- - g4 -", "- - o4 -", "- - que rex"]


# ---------------------------------------------------------------------------------------------------------
# The Asteroid
# ---------------------------------------------------------------------------------------------------------
def test_rulebook_example__asteroid_voids_the_trick():
    table = Table(3).trick(["p7 y1", "ast y2", "p3 y3"], "o4").do("p7", "ast")
    assert table.legal() == [tile("p3")]  # still has to follow
    table.do("p3")
    assert table.state.trick == 1
    assert table.state.leader == table.state.mover == 1
    assert [table.held(s) for s in range(3)] == ["- - - -"] * 3
    assert table.state.counted[:, 0].sum() == 0


def test_asteroid__in_the_last_trick_ends_the_round():
    table = Table(3).trick(["p7", "ast", "p3"], "o4", number=6).do("p7", "ast", "p3")
    assert (table.state.round_no, table.state.trick) == (1, 0)


def asteroid_as_trump(**rules):
    """Seat 2 is about to finish placing; the next trump is the Asteroid, the one after it yellow 4."""
    table = Table(3, **rules).lay(0, "p1 p2").lay(1, "y1", "y2 y3")
    table.gain(2, "g1")
    table.state.asked = 2
    table.state.leader = 2
    table.state.trick = 1
    table.state.deck[table.state.drawn : table.state.drawn + 2] = [44, 14]
    return table


def test_asteroid_as_trump__everybody_removes_a_tile_and_a_new_trump_serves():
    table = asteroid_as_trump().do(28)
    assert (table.state.mover, table.state.phase) == (2, REMOVE)
    assert table.legal() == [0]
    table.do(0)
    assert table.state.mover == 0
    assert table.legal() == [0, 1]
    table.do(1)
    assert table.legal() == [0, 14, 15]
    table.do(14)
    assert table.held(1) == "- y3 - -"
    assert (table.state.phase, table.state.mover, table.state.trump, table.state.trump_suit) == (PLAY, 2, 14, 1)


def test_asteroid_as_trump__may_leave_the_trick_without_trump():
    table = asteroid_as_trump(asteroid_replacement_is_trump=False).do(28, 0, 1, 14)
    assert (table.state.trump, table.state.trump_suit) == (14, -1)


# ---------------------------------------------------------------------------------------------------------
# Midnight Dice, the Bot
# ---------------------------------------------------------------------------------------------------------
def midnight_trick():
    table = Table(3, midnight_dice=True).trick(["p8 y1", "p5 y2", "p6 y3"], "o4")
    table.state.d4[:3] = [1, 4, 3]
    return table.do("p8", 0, "p5", 0, "p6")


def test_rulebook_example__midnight_die_makes_6_a_9():
    table = midnight_trick()
    assert (table.state.phase, table.legal()) == (MIDNIGHT, [0, 1])
    table.do(1)
    assert (table.state.phase, table.legal()) == (SIGN, [0, 1])
    table.do(0)
    assert table.state.winner == 2
    assert table.state.strength[2] == 9


def test_rulebook_hint__midnight_die_lowers_a_tile():
    assert midnight_trick().do(1, 1).state.winner == 0
    assert midnight_trick().do(0).state.winner == 0


def test_midnight__later_of_equal_tiles_wins_and_zero_stays_above_nine():
    table = Table(3, midnight_dice=True).trick(["p8 y1", "p5 y2", "p6 y3"], "o4")
    table.state.d4[:3] = [1, 4, 2]
    assert table.do("p8", 0, "p5", 0, "p6", 1, 0).state.winner == 2
    table = Table(3, midnight_dice=True).trick(["p0 y1", "p9 y2", "p6 y3"], "o4")
    table.state.d4[:3] = [4, 4, 4]
    assert table.do("p0", 1, 1, "p9", 1, 0, "p6", 0).state.winner == 0
    table = Table(3, midnight_dice=True).trick(["p0 y1", "p3 y2", "y9 y3"], "o4")
    table.state.d4[:3] = [4, 4, 4]
    assert table.do("p0", 0, "p3", 1, 1, "y9", 0).state.winner == 0  # 3 - 4 loses to 0


def test_midnight__is_offered_once_a_round_and_not_for_specials():
    table = Table(3, midnight_dice=True).trick(["rex y1", "p5 y2", "p6 y3"], "o4").do("rex")
    assert (table.state.mover, table.state.phase) == (1, PLAY)
    table.do("p5", 1, 0)
    assert list(table.state.rolled[:3]) == [0, 1, 0]
    table.trick(["p8 y1", "p4 y2", "p6 y3"], "o4").do("p8", 0, "p4")
    assert (table.state.mover, table.state.phase) == (2, PLAY)


def bot_trick(die, bot_tile="p9"):
    table = Table(2).trick(["p7 y1", "p3 y2"], "o4")
    table.state.deck[table.state.drawn] = tile(bot_tile)
    table.state.bot_die[0] = die
    return table.do("p7", "p3")


def test_rulebook_example__bot_rolls_the_trump_tile():
    table = bot_trick(0)
    assert names_of(table.state.bot_tiles) == "p9 o4"
    assert [table.held(s) for s in range(2)] == ["- - p7 -", "- - p3 -"]
    assert table.state.leader == 2


def test_bot__takes_a_humans_tile_who_gets_the_trump_tile():
    table = bot_trick(2)
    assert names_of(table.state.bot_tiles) == "p3 p9"
    assert [table.held(s) for s in range(2)] == ["- - p7 -", "- - o4 -"]


def test_bot__loses_its_tile_to_a_human_and_gets_the_trump_tile():
    table = bot_trick(0, "y9")
    assert table.legal() == [0, 2, 3]
    table.do(3)
    assert names_of(table.state.bot_tiles) == "o4"
    assert table.held(0) == "- - p7 y9"
