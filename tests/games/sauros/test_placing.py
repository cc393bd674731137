"""Exchange, placing, the reserve, and the order of rounds."""

import numpy as np
from games.sauros.sauros_table import Table, names_of, tile, tiles

import engine
from engine.games.sauros import moves
from engine.games.sauros.names import DISCARD, EXCHANGE, PLACE

STOP = 63


def slot(k, *cells):
    return [14 * k + c for c in cells]


# ---------------------------------------------------------------------------------------------------------
# Exchange
# ---------------------------------------------------------------------------------------------------------
def test_exchange__draws_as_many_and_mixes_the_others_in():
    table = Table(3)
    first = table.state.drawn
    deck = [int(t) for t in table.state.deck[first:]]
    hand = table.legal()[:-1]
    assert len(hand) == 7
    table.do(hand[0], hand[1])  # no question after the second
    assert (table.state.mover, table.state.phase) == (1, EXCHANGE)
    new = set(hand[2:]) | set(deck[:2])
    assert {t for t in range(45) if int(table.state.hand[0]) >> t & 1} == new
    assert sorted(int(t) for t in table.state.deck[first:]) == sorted(hand[:2] + deck[2:])
    table.do(STOP)
    assert table.state.mover == 2
    table.do(table.legal()[0])
    assert table.state.mover == 2
    assert len(table.legal()) == 7  # six tiles and done


def test_exchange__puts_tiles_anywhere_in_the_middle():
    """Where the lower set-aside tile ends, n = 1,500 games, null 1 in 24 each, five standard errors."""
    places = []
    for seed in range(1500):
        table = Table(3, seed=seed)
        hand = table.legal()[:-1]
        table.do(hand[0], hand[1])
        places.append([int(t) for t in table.state.deck[table.state.drawn :]].index(hand[0]))
    expected = 1500 / 24
    assert np.abs(np.bincount(places, minlength=24) - expected).max() < 5 * np.sqrt(expected)


def test_exchange__may_be_turned_off():
    assert Table(3, exchange_tiles=0).state.trump >= 0
    table = Table(3, exchange_tiles=1)
    assert table.do(table.legal()[0]).state.mover == 1


# ---------------------------------------------------------------------------------------------------------
# Placing
# ---------------------------------------------------------------------------------------------------------
def test_first_tile__goes_anywhere_but_not_to_the_reserve():
    table = Table(3).gain(0, "p1")
    assert table.legal() == slot(2, *range(10))


def test_later_tiles__lie_beside_a_placed_one():
    table = Table(3).lay(0, ". . p1 . .  . . . . .").gain(0, "p2 p3")
    assert table.legal() == slot(2, 1, 3, 7) + slot(3, 1, 3, 7) + [STOP]
    table.do(14 * 3 + 1)
    assert table.legal() == slot(2, 0, 3, 6, 7) + [STOP]  # the second may lie beside the first
    table.do(14 * 2 + 0)
    assert table.state.mover == 1 or table.state.trick == 1


def test_reserve__is_limited_to_two_tiles():
    table = Table(3).lay(0, "p1", "y1 y2").gain(0, "p2 p3")
    assert table.legal() == [14 * k + c for k in range(4) for c in (1, 5)]  # four held: no stop
    table.do(1)
    assert STOP not in table.legal()  # three held
    table.do(14 * 2 + 5)
    assert table.held(0) == "y2 p3 - -"


def test_placing__ends_after_two_tiles():
    table = Table(3).lay(0, "p1", "y1 y2").gain(0, "p2")
    table.do(1, 14 + 2)
    assert table.held(0) == "p2 - - -"
    assert table.state.mover != 0 or table.state.phase != PLACE


def test_tiles_without_room__are_discarded():
    table = Table(3).lay(0, "p1 p2 p3 p4 p5 p6 p7 p8 y1 .", "g1 g2").gain(0, "y2 y3")
    table.do(14 * 2 + 9)
    assert table.state.phase == DISCARD
    assert table.legal() == [0, 1, 3]
    table.do(0)
    assert table.state.phase == PLACE
    assert table.legal() == [STOP]
    table.do(STOP)
    assert table.held(0) == "g2 y3 - -"


def test_removed_tiles__may_leave_gaps():
    table = Table(3).lay(0, "p1 p2 p3 . .")
    table.state.phase, table.state.mover, table.state.asked, table.state.leader = 7, 0, 0, 0
    table.do(1)
    table.gain(0, "y1")
    assert table.legal() == [*slot(2, 1, 3, 5, 7), STOP]


# ---------------------------------------------------------------------------------------------------------
# Rounds
# ---------------------------------------------------------------------------------------------------------
def test_mats__are_passed_clockwise():
    for seats in range(2, 7):
        table = Table(seats)
        ring = max(3, seats)
        table.state.totals[:seats] = range(seats)
        before = [int(m) for m in table.state.mats[:ring]]
        moves.end_round(table.state, table.rules)
        assert [int(table.state.mat[s]) for s in range(seats)] == [before[(s - 1) % ring] for s in range(seats)]
        assert len(set(before)) == ring
        assert seats == 6 or 5 not in before


def next_starter(totals, starter, last=(0, 0, 0)):
    table = Table(3)
    table.state.starter = starter
    table.state.totals[:3] = np.array(totals) - last
    for s in range(3):
        tile_of = {0: "", 2: "p1", 4: "p4"}[last[s]]  # a lone tooth, the most eggs
        table.lay(s, tile_of)
    moves.end_round(table.state, table.rules)
    assert list(table.state.totals[:3]) == list(totals)
    return int(table.state.starter)


def test_starter__is_last_then_last_in_the_round_then_next_clockwise():
    assert next_starter((9, 5, 7), 0) == 1
    assert next_starter((5, 5, 7), 0, (2, 0, 0)) == 1
    assert next_starter((5, 5, 7), 0, (0, 2, 0)) == 0
    assert next_starter((5, 5, 5), 0) == 1
    assert next_starter((5, 5, 5), 2) == 0
    assert next_starter((5, 7, 9), 0) == 0


def test_facts__add_up():
    for seats in (2, 3, 5, 6):
        play = engine.simulate("sauros", ["random"] * seats, 60, 3)
        facts = {name: play.facts[:, :, i] for i, name in enumerate(play.fact_names)}
        assert np.array_equal(sum(facts[f"mat_{m}"] for m in "abcdef"), play.score)
        assert (sum(facts[f"used_{m}"] for m in "abcdef") == max(3, seats)).all()
        assert (facts["rounds_led"].sum(axis=1) == max(3, seats)).all()
        tricks = max(3, seats) * (6 if seats in (2, 6) else 7)
        assert (facts["tricks_won"].sum(axis=1) <= tricks).all()


def test_table__reads_names():
    assert names_of(tiles("p0 o9 rex ast")) == "p0 o9 rex ast"
    assert tile("g3") == 23
