"""Scoring of Sauros: one function a rule.

A mat is given by its number and four words of layers of 14 cells (see `state.put`): `suits`, one layer a suit;
`symbols`, one a symbol; `doubles`, the cells that bear a symbol twice; `specials`, T-Rex and Quetzalcoatlus.
All are uint64; points and numbers are int64.
"""

import numpy as np

from engine import bits
from engine.games.sauros.names import (
    BONE,
    CELLS,
    EGG,
    F_FIRST,
    F_MAT,
    F_USED,
    FOOTPRINT,
    IS_QUETZALCOATLUS,
    IS_REX,
    LAYER,
    N_FACTS,
    N_SOURCES,
    N_SUITS,
    S_BONES,
    S_DINOS,
    S_EGGS,
    S_FOOTPRINTS,
    S_RESERVE,
    S_TEETH,
    TOOTH,
)
from engine.jit import compiled
from engine.ranking import share_win


@compiled
def layer(word, j):
    """The cells (uint64) of layer `j`."""
    return (word >> (LAYER * np.uint64(j))) & CELLS


@compiled
def grow(rules, mat, start, within):
    """The cells of `within` that hang together with `start`, a part of it (uint64)."""
    group, left = start, start
    while left != bits.ZERO:
        new = rules.touching[mat, bits.lowest(left)] & within & ~group
        group |= new
        left = bits.without_lowest(left) | new
    return group


@compiled
def count_symbols(symbols, doubles, k):
    """How many symbols `k` lie on a mat."""
    return bits.count(layer(symbols, k)) + bits.count(layer(doubles, k))


@compiled
def score_dinos(rules, mat, suits, specials):
    """`dino_points` by size for every group of a suit; a T-Rex is in all groups beside it (S34 to S36, S68)."""
    rexes, points = layer(specials, IS_REX), np.int64(0)
    for s in range(N_SUITS):
        left = layer(suits, s)
        within = left | rexes
        while left != bits.ZERO:
            group = grow(rules, mat, left & (~left + bits.ONE), within)
            points += rules.dino_points[bits.count(group)]
            left &= ~group
    return points


@compiled
def score_bones(rules, mat, symbols, doubles):
    """`bone_points` for each egg on a cell beside a bone, for every bone (S41, S42)."""
    eggs, double_eggs = layer(symbols, EGG), layer(doubles, EGG)
    bones, double_bones = layer(symbols, BONE), layer(doubles, BONE)
    pairs = np.int64(0)
    while bones != bits.ZERO:
        cell = bits.lowest(bones)
        bones = bits.without_lowest(bones)
        beside = rules.touching[mat, cell]
        n_eggs = bits.count(beside & eggs) + bits.count(beside & double_eggs)
        pairs += n_eggs * (1 + np.int64(bits.has(double_bones, cell)))
    return pairs * rules.bone_points


@compiled
def score_teeth(rules, mat, symbols, doubles):
    """`lone_tooth_points` for a tooth without a tooth beside it, else `touching_tooth_points` (S44)."""
    teeth, twice = layer(symbols, TOOTH), layer(doubles, TOOTH)
    lone, left = np.int64(0), teeth & ~twice
    while left != bits.ZERO:
        lone += np.int64(rules.touching[mat, bits.lowest(left)] & teeth == bits.ZERO)
        left = bits.without_lowest(left)
    touching = bits.count(teeth) + bits.count(twice) - lone
    return lone * rules.lone_tooth_points + touching * rules.touching_tooth_points


@compiled
def score_footprints(rules, mat, symbols, doubles):
    """`footprint_points` for every two of a group with an even number of footprints, 0 for an odd one (S45)."""
    left, twice = layer(symbols, FOOTPRINT), layer(doubles, FOOTPRINT)
    pairs = np.int64(0)
    while left != bits.ZERO:
        group = grow(rules, mat, left & (~left + bits.ONE), left)
        n = bits.count(group) + bits.count(group & twice)
        pairs += (n >> 1) * (1 - (n & 1))
        left &= ~group
    return pairs * rules.footprint_points


@compiled
def score_eggs(rules, n_eggs, most, specials):
    """`egg_points` with the most eggs, at least one, ties included; more with a Quetzalcoatlus (S38 to S40)."""
    if n_eggs < most or most == 0:
        return np.int64(0)
    doubled = layer(specials, IS_QUETZALCOATLUS) != bits.ZERO
    return rules.egg_points * (rules.quetzalcoatlus_factor if doubled else np.int64(1))


@compiled
def seat_eggs(state, seat):
    """Eggs on a seat's mat."""
    return count_symbols(state.symbols[seat], state.doubles[seat], EGG)


@compiled
def most_eggs(state, rules):
    """The most eggs on any mat, the Bot's included (S56, S69)."""
    bot = state.bot_tiles
    most = bits.count(bot & rules.symbol_tiles[EGG]) + bits.count(bot & rules.double_tiles[EGG])
    for s in range(state.seats):
        most = max(most, seat_eggs(state, s))
    return most


@compiled
def bank_seat(state, rules, seat, most):
    """Add a seat's points and pieces of a round to the finished ones."""
    mat, suits, symbols = state.mat[seat], state.suits[seat], state.symbols[seat]
    doubles, specials = state.doubles[seat], state.specials[seat]
    n_reserve = bits.count(state.filled[seat])
    dinos = score_dinos(rules, mat, suits, specials)
    eggs = score_eggs(rules, count_symbols(symbols, doubles, EGG), most, specials)
    bones = score_bones(rules, mat, symbols, doubles)
    teeth = score_teeth(rules, mat, symbols, doubles)
    footprints = score_footprints(rules, mat, symbols, doubles)
    reserve = n_reserve * rules.reserve_points
    total = dinos + eggs + bones + teeth + footprints + reserve
    state.earned[seat, S_DINOS] += dinos
    state.earned[seat, S_EGGS] += eggs
    state.earned[seat, S_BONES] += bones
    state.earned[seat, S_TEETH] += teeth
    state.earned[seat, S_FOOTPRINTS] += footprints
    state.earned[seat, S_RESERVE] += reserve
    state.lying[seat, S_DINOS] += bits.count(suits) + bits.count(layer(specials, IS_REX))
    state.lying[seat, S_EGGS] += count_symbols(symbols, doubles, EGG)
    state.lying[seat, S_BONES] += count_symbols(symbols, doubles, BONE)
    state.lying[seat, S_TEETH] += count_symbols(symbols, doubles, TOOTH)
    state.lying[seat, S_FOOTPRINTS] += count_symbols(symbols, doubles, FOOTPRINT)
    state.lying[seat, S_RESERVE] += n_reserve
    state.round_points[seat] = total
    state.totals[seat] += total
    state.counted[seat, F_MAT + mat] = total
    state.counted[seat, F_USED + mat] = 1
    if state.round_no == 0:
        state.counted[seat, F_FIRST] = total


@compiled
def bank_round(state, rules):
    """Score the round. Rulebook: End of Round Scoring."""
    most = most_eggs(state, rules)
    for s in range(state.seats):
        bank_seat(state, rules, s, most)


@compiled
def score(state, rules, points):
    """Fill `points[seat, source]` with the points of the finished rounds."""
    for s in range(state.seats):
        for source in range(N_SOURCES):
            points[s, source] = state.earned[s, source]


@compiled
def pieces(state, rules, out):
    """Fill `out[seat, source]`: dinosaurs (T-Rexes included) and symbols on the mats, tiles left in reserve."""
    for s in range(state.seats):
        for source in range(N_SOURCES):
            out[s, source] = state.lying[s, source]


@compiled
def facts(state, rules, out):
    """Fill `out[seat, fact]`; see `names.FACTS`."""
    for s in range(state.seats):
        for fact in range(N_FACTS):
            out[s, fact] = state.counted[s, fact]


@compiled
def rank(state, rules, points, share):
    """Fill each seat's win share: most points, then the best last round, then shared (S49)."""
    for s in range(state.seats):
        share[s] = state.round_points[s]
    share_win(points, state.seats, share)
