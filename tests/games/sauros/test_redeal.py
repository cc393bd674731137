"""What a seat imagines: exactly the deals that it cannot rule out, all of them alike."""

from collections import Counter
from itertools import combinations
from math import sqrt

import numpy as np
import pytest
from games.sauros.sauros_table import Table, tiles

from engine.games.sauros import imagine
from engine.games.sauros.names import EXCHANGE, PLAY
from engine.run import make_plan
from engine.transcript import record_game

ALL = (1 << 45) - 1


def bits_of(mask):
    return [t for t in range(45) if int(mask) >> t & 1]


def imagined(table, seat, stream):
    """A copy in which `seat` has imagined the rest, with a stream of its own."""
    copy = table.memory.copy()[0]
    copy.own[seat] = [stream * 2654435761 + 12345, 2 * stream + 1]
    imagine.redeal(copy, table.rules, seat)
    return copy


def hidden_tiles(state, seat):
    """Hands of the others, pending tiles of a seat that is setting aside, and the middle."""
    hands = []
    for s in range(int(state.seats)):
        if s != seat:
            pending = 0 if state.exchanged[s] else int(state.aside[s])
            hands.append(set(bits_of(int(state.hand[s]) | pending)))
    return hands, {int(t) for t in state.deck[state.drawn :] if t >= 0}


def check(before, after, seat):
    """`after` is a deal that `seat` cannot rule out at `before`."""
    hands, middle = hidden_tiles(before, seat)
    new_hands, new_middle = hidden_tiles(after, seat)
    assert [len(h) for h in new_hands] == [len(h) for h in hands]
    everything = [t for part in (*new_hands, new_middle) for t in part]
    assert sorted(everything) == sorted(t for part in (*hands, middle) for t in part)
    own, others = set(bits_of(before.aside[seat])), [s for s in range(int(before.seats)) if s != seat]
    for s, hand in zip(others, new_hands, strict=True):
        assert not any(int(before.void[s]) >> (t // 10) & 1 for t in hand if t < 40)
        order = [(x - int(before.starter)) % int(before.seats) for x in (s, seat)]
        got = own & (hand | set(bits_of(before.shown[s])))
        drew_later = before.exchanged[s] and order[0] > order[1]
        assert len(got) <= (before.n_aside[s] if drew_later else 0) or not before.exchanged[seat]
    assert after.hand[seat] == before.hand[seat]
    assert after.aside[seat] == before.aside[seat]
    for name in ("tile", "held", "played", "seen", "trump", "rolled", "strength", "totals", "void", "shown"):
        assert np.array_equal(getattr(after, name), getattr(before, name)), name


@pytest.mark.parametrize(("seats", "variant"), [(2, "standard"), (3, "midnight"), (5, "plain"), (6, "plain")])
def test_redeal__is_consistent_with_what_play_has_shown(seats, variant):
    plan = make_plan("sauros", ["ducker"] + ["random"] * (seats - 1), 23, variant=variant)
    n_void = 0
    for index in range(6):
        for i, state in enumerate(record_game(plan, index).states[:-1]):
            for seat in {int(state.mover), i % seats}:
                after = state.copy()
                imagine.redeal(after, plan.rules.record[0], seat)
                check(state, after, seat)
                n_void += bool(np.delete(state.void[:seats], seat).any())
    assert n_void > 100


def small_table(voids, own="", n_aside=(0, 0, 0), exchanged=(1, 1, 1)):
    """Three seats, two tiles each; unseen by seat 0 are p1 p2 y1 y2 g1 rex, of which two lie in the middle."""
    table = Table(3)
    s = table.state
    hands = ["o1 o2", "p1 y1", "p2 g1"]
    rest = "y2 rex"
    for seat, hand in enumerate(hands):
        s.hand[seat] = tiles(hand)
        s.void[seat], s.n_aside[seat], s.exchanged[seat] = voids[seat], n_aside[seat], exchanged[seat]
    s.aside[0] = tiles(own) if own else 0
    s.phase, s.mover, s.starter = PLAY, 0, 0
    s.drawn = 43
    s.deck[43:] = bits_of(tiles(rest))
    s.seen = ALL & ~tiles(" ".join([*hands, rest]))
    return table


def all_deals(table, allowed, most=(9, 9), own=()):
    """Every consistent deal of the six unseen tiles: (hand of seat 1, hand of seat 2)."""
    unseen = set(bits_of(ALL & ~int(table.state.seen) & ~int(table.state.hand[0])))
    for one in combinations(sorted(unseen), 2):
        for two in combinations(sorted(unseen - set(one)), 2):
            fits = all(a(t) for a, hand in zip(allowed, (one, two), strict=True) for t in hand)
            if fits and all(len(set(own) & set(h)) <= m for h, m in zip((one, two), most, strict=True)):
                yield one, two


SUITS = {"p": 0, "y": 1, "g": 2, "o": 3}
CASES = {
    "nothing known": ((0, 0, 0), "", (0, 0, 0), (9, 9)),
    "one void": ((0, 0b0001, 0), "", (0, 0, 0), (9, 9)),
    "two voids": ((0, 0b0001, 0b0010), "", (0, 0, 0), (9, 9)),
    "three voids": ((0, 0b0001, 0b0110), "", (0, 0, 0), (9, 9)),
    "own tiles, nobody exchanged": ((0, 0, 0), "y2 p1", (2, 0, 0), (0, 0)),
    "own tiles, one drew one": ((0, 0, 0), "y2 p1", (2, 1, 0), (1, 0)),
    "own tiles, both drew one": ((0, 0, 0b0100), "y2 p1", (2, 1, 1), (1, 1)),
}


@pytest.mark.parametrize("case", CASES)
def test_redeal__draws_every_consistent_deal_alike(case):
    """4,000 redeals a case, null uniform over the deals counted by hand, five standard errors each."""
    voids, own, n_aside, most = CASES[case]
    table = small_table(voids, own, n_aside)
    mine = bits_of(tiles(own)) if own else ()
    allowed = [lambda t, v=v: t >= 40 or not v >> (t // 10) & 1 for v in voids[1:]]
    possible = list(all_deals(table, allowed, most, mine))
    n = 4000
    found = Counter()
    for stream in range(n):
        after = imagined(table, 0, stream)
        found[tuple(bits_of(after.hand[1])), tuple(bits_of(after.hand[2]))] += 1
    assert set(found) <= set(possible)
    expected = n / len(possible)
    assert len(possible) > 1
    assert max(abs(found[deal] - expected) for deal in possible) < 5 * sqrt(expected)


def test_redeal__finds_the_only_deal_there_is():
    table = small_table((0, 0b0111, 0b0101))  # seat 1 may hold orange and specials only
    table.state.hand[1] = tiles("rex o3")
    table.state.deck[43:] = bits_of(tiles("p1 p2"))
    table.state.hand[2] = tiles("y1 y2")
    table.state.seen = ALL & ~tiles("o1 o2 rex o3 p1 p2 y1 y2")
    for stream in range(50):
        after = imagined(table, 0, stream)
        assert (after.hand[1], after.hand[2]) == (tiles("rex o3"), tiles("y1 y2"))


def test_redeal__imagines_the_tile_another_seat_is_setting_aside():
    table = Table(3).do(63)
    table.do(table.legal()[0])
    assert (table.state.phase, table.state.mover) == (EXCHANGE, 1)
    seen = set()
    for stream in range(60):
        after = imagined(table, 0, stream)
        check(table.state, after, 0)
        assert int(after.aside[1]).bit_count() == 1
        assert not int(after.aside[1]) & int(after.hand[1])
        seen.add(int(after.aside[1]))
    assert len(seen) > 10


def test_redeal__rolls_only_dice_that_are_still_to_be_rolled():
    table = Table(4, midnight_dice=True).trick(["p1 y1", "p2 y2", "p3 y3", "p4 y4"], "o4")
    table.state.rolled[2] = 1
    before = [int(x) for x in table.state.d4[:4]]
    after = [imagined(table, 1, stream).d4[:4] for stream in range(40)]
    assert {int(x[2]) for x in after} == {before[2]}
    assert {int(x[0]) for x in after} == {int(x[1]) for x in after} == {1, 2, 3, 4}
