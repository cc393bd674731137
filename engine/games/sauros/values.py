"""What tiles, tricks and placements are worth to a seat; the parts of Sauros's heuristics.

Every function reads only what `state.mover` may know. `w` is a row of weights laid out as `TASTE`.
"""

import numpy as np

from engine import bits
from engine.games.sauros.names import (
    BONE,
    EGG,
    FOOTPRINT,
    IS_QUETZALCOATLUS,
    IS_REX,
    N_SUIT_TILES,
    N_SUITS,
    N_SYMBOLS,
    PER_SUIT,
    T_REX,
)
from engine.games.sauros.scoring import count_symbols, layer, score_teeth
from engine.games.sauros.state import open_cells
from engine.jit import compiled

# Name: default, low, high, meaning. The order is that of the constants below.
TASTE = {
    "dinos": (1.0, 0.0, 10.0, "what a point for groups of dinosaurs counts"),
    "egg": (0.7, 0.0, 10.0, "points that an egg on the mat counts"),
    "bones": (1.0, 0.0, 10.0, "what a point for bones counts"),
    "teeth": (1.0, 0.0, 10.0, "what a point for teeth counts"),
    "footprints": (1.0, 0.0, 10.0, "what a point for footprints counts"),
    "dino_room": (0.0, -5.0, 10.0, "points that a group of dinosaurs with a free cell beside it promises"),
    "bone_room": (0.0, -5.0, 10.0, "points that each free cell beside a bone promises"),
    "foot_room": (0.0, -5.0, 10.0, "points that an odd group of footprints with a free cell beside it promises"),
    "hold": (-0.5, -10.0, 10.0, "points that a tile kept in reserve before the last trick counts"),
    "cell": (0.0, 0.0, 10.0, "points that a cell costs when more tiles are to come than cells are free"),
    "win": (0.0, -10.0, 10.0, "points that winning a trick counts beyond its tiles"),
    "eager": (0.4, 0.0, 2.0, "how many of the tiles of later seats beat a tile if they can; 1 all, 0 one a seat"),
    "strength": (1.0, -10.0, 10.0, "points that the strength of a tile in hand counts, 0 to 9 as 0 to 1"),
    "spite": (0.0, 0.0, 2.0, "what a point that a reward costs another seat counts"),
}
DINOS, EGGS, BONES, TEETH, FOOTPRINTS, DINO_ROOM, BONE_ROOM, FOOT_ROOM = range(8)
HOLD, CELL, WIN, EAGER, STRENGTH, SPITE = range(8, 14)
# Points that a symbol is worth on a mat, on average: what tiles in hand are compared by.
_SYMBOL_VALUE = np.array([0.9, 1.4, 1.6, 0.8])
_SPECIAL_VALUE = np.array([4.0, 4.0, 0.5, 3.5, 0.0])
NO_ROOM = -1e9


def taste(**changes):
    """`TASTE` with other defaults."""
    return {name: (changes.get(name, spec[0]), *spec[1:]) for name, spec in TASTE.items()}


# ---------------------------------------------------------------------------------------------------------
# Mats
# ---------------------------------------------------------------------------------------------------------
@compiled
def group_of(rules, mat, left, within):
    """The group (uint64) of the lowest cell of `left` within `within`, and all cells beside a cell of it."""
    start = left & (~left + bits.ONE)
    group, new, beside = start, start, bits.ZERO
    while new != bits.ZERO:
        touching = rules.touching[mat, bits.lowest(new)]
        beside |= touching
        new = bits.without_lowest(new) | (touching & within & ~group)
        group |= new
    return group, beside


@compiled
def mat_worth(rules, mat, suits, symbols, doubles, specials, placed, w):
    """Points of a mat as `w` counts them, and what its groups promise (float64); words as in `scoring`."""
    free = rules.cells[mat] & ~placed
    rexes, worth = layer(specials, IS_REX), 0.0
    for s in range(N_SUITS):
        left = layer(suits, s)
        within = left | rexes
        while left != bits.ZERO:
            group, beside = group_of(rules, mat, left, within)
            worth += w[DINOS] * rules.dino_points[bits.count(group)]
            worth += w[DINO_ROOM] if beside & free != bits.ZERO else 0.0
            left &= ~group
    left, twice = layer(symbols, FOOTPRINT), layer(doubles, FOOTPRINT)
    while left != bits.ZERO:
        group, beside = group_of(rules, mat, left, left)
        n = bits.count(group) + bits.count(group & twice)
        if n & 1 == 0:
            worth += w[FOOTPRINTS] * rules.footprint_points * (n >> 1)
        elif beside & free != bits.ZERO:
            worth += w[FOOT_ROOM]
        left &= ~group
    eggs, left = layer(symbols, EGG), layer(symbols, BONE)
    while left != bits.ZERO:
        beside = rules.touching[mat, bits.lowest(left)]
        worth += w[BONES] * rules.bone_points * bits.count(beside & eggs) + w[BONE_ROOM] * bits.count(beside & free)
        left = bits.without_lowest(left)
    worth += w[TEETH] * score_teeth(rules, mat, symbols, doubles)
    n_eggs = count_symbols(symbols, doubles, EGG)
    doubled = n_eggs > 0 and layer(specials, IS_QUETZALCOATLUS) != bits.ZERO
    return worth + w[EGGS] * n_eggs * (1.5 if doubled else 1.0)


@compiled
def worth_now(state, rules, seat, w):
    """`mat_worth` of a seat's mat as it is."""
    return mat_worth(
        rules,
        state.mat[seat],
        state.suits[seat],
        state.symbols[seat],
        state.doubles[seat],
        state.specials[seat],
        state.placed[seat],
        w,
    )


@compiled
def worth_with(state, rules, seat, tile, cell, w):
    """`mat_worth` with a tile more."""
    at = np.uint64(cell)
    return mat_worth(
        rules,
        state.mat[seat],
        state.suits[seat] | rules.suit_layer[tile] << at,
        state.symbols[seat] | rules.symbol_layer[tile] << at,
        state.doubles[seat] | rules.double_layer[tile] << at,
        state.specials[seat] | rules.special_layer[tile] << at,
        state.placed[seat] | bits.bit(cell),
        w,
    )


@compiled
def tile_gain(state, rules, seat, tile, base, w):
    """What a tile adds to a seat's mat on its best open cell, `base` being the worth without it (float64)."""
    left = open_cells(state, rules, seat)
    if left == bits.ZERO:
        return 1.0 * rules.reserve_points
    best = NO_ROOM
    while left != bits.ZERO:
        best = max(best, worth_with(state, rules, seat, tile, bits.lowest(left), w))
        left = bits.without_lowest(left)
    return max(best - base, 1.0 * rules.reserve_points)


@compiled
def tile_value(rules, tile, w):
    """What a tile in hand is worth before anything is known of the mat (float64)."""
    if tile >= N_SUIT_TILES:
        return _SPECIAL_VALUE[tile - T_REX]
    value = w[STRENGTH] * (tile % PER_SUIT) / 9.0
    for k in range(N_SYMBOLS):
        counts = w[EGGS] / 0.7 if k == EGG else (w[BONES] if k == BONE else w[FOOTPRINTS if k == FOOTPRINT else TEETH])
        value += counts * _SYMBOL_VALUE[k] * np.int64(bits.has(rules.symbol_tiles[k], tile))
    return value
