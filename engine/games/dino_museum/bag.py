"""The research board against the bag: how far a column is from completion, and how likely it gets there."""

import math

import numpy as np

from engine import bits
from engine.games.dino_museum.names import GREY
from engine.games.dino_museum.state import bones_in, held
from engine.jit import compiled

NEVER = 1e9  # draws until a bone that is not in the bag


@compiled
def missing_of(rules, column, colour, filled):
    """Spaces of a colour (GREY: any or same) that a column still lacks when `filled` (uint64) are (int64)."""
    return bits.count(rules.colour_spaces[column, colour] & ~filled)


@compiled
def draws_needed(rules, column, filled, tied, bag):
    """About how many draws from `bag` complete a column, `NEVER` if its bones are not in it (float64).

    The sum over its missing bones of (bones + 1) / (fitting bones + 1), the mean wait for the first fitting one.
    """
    greys = held(bag, GREY)
    bones = bones_in(bag) + 1.0
    draws, short = 0.0, np.int64(0)
    for colour in range(GREY):
        n = missing_of(rules, column, colour, filled)
        if n > 0:
            have = held(bag, colour)
            short += max(0, n - have)
            draws += n * bones / (have + greys + 1.0)
    free = rules.colour_spaces[column, GREY] & ~filled
    same = bits.count(free & rules.same_bits)
    draws += bits.count(free) - same
    if same > 0:
        if tied == GREY:
            draws += 1.0
            same -= 1
        have = held(bag, tied) if tied != GREY else np.int64(1)
        short += max(0, same - have)
        draws += same * bones / (have + greys + 1.0)
    return draws if short <= greys and draws <= bones else NEVER


# ---------------------------------------------------------------------------------------------------------
# Counting the bag
# ---------------------------------------------------------------------------------------------------------
_MOST_COUNTED = 48  # bones in a bag whose draws are counted exactly
_CHOOSE = np.array([[math.comb(n, k) for k in range(_MOST_COUNTED + 1)] for n in range(_MOST_COUNTED + 1)], np.float64)


@compiled
def fill_chance(rules, column, filled, tied, bag, draws):
    """The chance that `draws` bones from `bag` complete a column, exact but for a Fossil column without a colour.

    Counts the sets of `draws` bones by how many of the wanted colours they lack; greys make up for these. A Fossil
    column without a colour is taken to want the colour of which most bones are left.
    """
    total = bones_in(bag)
    draws = min(draws, total)
    missing = bits.count(rules.column_bits[column] & ~filled)
    if missing == 0:
        return 1.0
    if missing > draws:
        return 0.0
    if total > _MOST_COUNTED:
        return 0.8 ** draws_needed(rules, column, filled, tied, bag)
    same = bits.count(rules.same_bits & rules.column_bits[column] & ~filled)
    wanted = likeliest_colour(bag) if tied == GREY else tied
    ways = np.zeros((draws + 1, missing + 1))  # sets of wanted bones, by their number and what is still lacking
    ways[0, 0] = 1.0
    others, lacking = total - held(bag, GREY), np.int64(0)
    for colour in range(GREY):
        n = missing_of(rules, column, colour, filled) + (same if colour == wanted else 0)
        if n > 0:
            have = held(bag, colour)
            others -= have
            add_colour(ways, have, n, lacking)
            lacking += n
    good, greys = 0.0, held(bag, GREY)
    for drawn in range(draws + 1):
        for short in range(missing + 1):
            for grey in range(short, min(greys, draws - drawn) + 1):
                rest = draws - drawn - grey
                if rest <= others:
                    good += ways[drawn, short] * _CHOOSE[greys, grey] * _CHOOSE[others, rest]
    return good / _CHOOSE[total, draws]


@compiled
def likeliest_colour(bag):
    """The colour other than grey of which most bones are left (int64)."""
    best = np.int64(0)
    for colour in range(1, GREY):
        if held(bag, colour) > held(bag, best):
            best = np.int64(colour)
    return best


@compiled
def add_colour(ways, have, need, lacking):
    """Extend `ways` (float64, modified) by a colour of which the bag has `have` bones and `need` are wanted."""
    for drawn in range(ways.shape[0] - 1, -1, -1):
        for short in range(lacking + need, -1, -1):
            total = 0.0
            for k in range(min(have, drawn) + 1):
                before = short - max(0, need - k)
                if 0 <= before <= lacking:
                    total += ways[drawn - k, before] * _CHOOSE[have, k]
            ways[drawn, short] = total
