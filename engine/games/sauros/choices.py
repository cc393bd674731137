"""What each action of a decision is worth to the mover, for Sauros's heuristics; `w` as in `values.TASTE`."""

import numpy as np

from engine import bits
from engine.games.sauros.names import (
    ASTEROID,
    DONE,
    MOST_CELLS,
    N_RESERVE,
    N_SLOTS,
    N_SUIT_TILES,
    NONE,
    PER_SUIT,
    PER_TRICK,
    ROLL,
    STOP,
    SUBTRACT,
    THERIZINOSAURUS,
)
from engine.games.sauros.tricks import is_void_trick, tile_power
from engine.games.sauros.values import (
    CELL,
    EAGER,
    HOLD,
    NO_ROOM,
    SPITE,
    STRENGTH,
    WIN,
    mat_worth,
    tile_gain,
    tile_value,
    worth_now,
    worth_with,
)
from engine.jit import compiled


# ---------------------------------------------------------------------------------------------------------
# Tricks
# ---------------------------------------------------------------------------------------------------------
@compiled
def power_in(state, rules, tile, strength, tiles, lead):
    """`tile_power` in the trick in front of the mover."""
    return tile_power(tile, strength, lead, state.trump_suit, tiles, rules)


@compiled
def beats_all(state, rules, mine, tile, strength):
    """Whether a tile of the mover's, of a given strength, beats all other tiles of the trick so far."""
    tiles = state.trick_tiles | bits.bit(tile)
    lead = tile // PER_SUIT if state.lead < 0 and tile < N_SUIT_TILES else state.lead
    power = power_in(state, rules, tile, strength, tiles, lead)
    for seat in range(state.n_ring):
        other = state.played[seat]
        if other != NONE and seat != mine and power_in(state, rules, other, state.strength[seat], tiles, lead) > power:
            return False
    return True


@compiled
def chance_to_hold(state, rules, tile, w):
    """A guess how likely no later seat beats a tile that leads the trick now (float64)."""
    seat = state.mover
    later = state.n_ring - state.n_played - np.int64(state.played[seat] == NONE)
    unseen = rules.deck_tiles & ~state.seen & ~state.hand[seat]
    n_unseen = bits.count(unseen)
    if later == 0 or n_unseen == 0:
        return 1.0
    tiles = state.trick_tiles | bits.bit(tile)
    lead = tile // PER_SUIT if state.lead < 0 and tile < N_SUIT_TILES else state.lead
    power = power_in(state, rules, tile, tile % PER_SUIT, tiles, lead)
    n_beating = np.int64(0)
    while unseen != bits.ZERO:
        other = bits.lowest(unseen)
        unseen = bits.without_lowest(unseen)
        n_beating += np.int64(power_in(state, rules, other, other % PER_SUIT, tiles | bits.bit(other), lead) >= power)
    tries = later * (1.0 + w[EAGER] * bits.count(state.hand[seat]))
    return (1.0 - n_beating / n_unseen) ** tries


@compiled
def best_reward(state, rules, base, w):
    """The most that the trump tile or a tile that lies in the trick would add to the mover's mat (float64)."""
    best = tile_gain(state, rules, state.mover, state.trump, base, w)
    for seat in range(state.n_ring):
        if state.played[seat] != NONE and seat != state.mover:
            best = max(best, tile_gain(state, rules, state.mover, state.played[seat], base, w))
    return best


@compiled
def has_room(state, rules, seat):
    """Whether a second tile of a trick finds a cell, the reserve counted (bool)."""
    free = bits.count(rules.cells[state.mat[seat]] & ~state.placed[seat])
    return free >= 2 + bits.count(state.filled[seat])


@compiled
def trick_value(state, rules, tile, w):
    """What playing a tile is worth: the tile on the mat, and a second one if it wins (float64)."""
    if is_void_trick(state):
        return -tile_value(rules, tile, w)
    if tile == ASTEROID:
        return 0.0
    seat = state.mover
    base = worth_now(state, rules, seat, w)
    value = tile_gain(state, rules, seat, tile, base, w)
    if tile < N_SUIT_TILES:
        value -= w[STRENGTH] * (tile % PER_SUIT) / 9.0
    if tile == THERIZINOSAURUS or not beats_all(state, rules, seat, tile, tile % PER_SUIT):
        return value
    second = best_reward(state, rules, base, w) if has_room(state, rules, seat) else 1.0 * rules.reserve_points
    return value + chance_to_hold(state, rules, tile, w) * (second + w[WIN])


@compiled
def reward_value(state, rules, choice, w):
    """What a reward adds to the winner's mat, less what it costs its owner as `spite` counts it (float64)."""
    seat, owner = state.mover, choice - 1
    base = worth_now(state, rules, seat, w)
    taken = state.trump if owner < 0 else state.played[owner]
    value = tile_gain(state, rules, seat, taken, base, w)
    if taken == THERIZINOSAURUS:
        value -= tile_gain(state, rules, seat, state.played[seat], base, w)
    if w[SPITE] > 0.0 and 0 <= owner < state.seats:
        theirs = worth_now(state, rules, owner, w)
        value += w[SPITE] * tile_gain(state, rules, owner, taken, theirs, w)
        value -= w[SPITE] * tile_gain(state, rules, owner, state.trump, theirs, w)
    return value


# ---------------------------------------------------------------------------------------------------------
# Placing
# ---------------------------------------------------------------------------------------------------------
@compiled
def kept_value(state, rules, n, w):
    """What `n` tiles left in reserve count (float64)."""
    return n * (1.0 * rules.reserve_points if state.trick + 1 >= state.n_tricks else w[HOLD])


@compiled
def cell_cost(state, rules, w):
    """What using up a cell of the mover's costs (float64)."""
    seat = state.mover
    free = bits.count(rules.cells[state.mat[seat]] & ~state.placed[seat])
    coming = state.n_tricks - state.trick - 1 + bits.count(state.filled[seat])
    return w[CELL] if coming > free else 0.0


@compiled
def place_value(state, rules, action, w):
    """The mover's mat after a placement or stop, and what it keeps in reserve (float64)."""
    seat, n_held = state.mover, bits.count(state.filled[state.mover])
    if action == STOP:
        return worth_now(state, rules, seat, w) + kept_value(state, rules, n_held, w)
    slot = action // MOST_CELLS
    tile, cell = np.int64(state.held[seat, slot]), action - slot * MOST_CELLS
    kept = max(0, n_held - (PER_TRICK - state.placements))
    return (
        worth_with(state, rules, seat, tile, cell, w) + kept_value(state, rules, kept, w) - cell_cost(state, rules, w)
    )


@compiled
def pair_value(state, rules, action, w):
    """`place_value` with the best second placement thought ahead, if one is left (float64)."""
    seat = state.mover
    n_held = bits.count(state.filled[seat])
    if action == STOP or state.placements + 1 >= PER_TRICK or n_held < 2:
        return place_value(state, rules, action, w)
    slot = action // MOST_CELLS
    tile, at = np.int64(state.held[seat, slot]), np.uint64(action - slot * MOST_CELLS)
    mat = state.mat[seat]
    suits = state.suits[seat] | rules.suit_layer[tile] << at
    symbols = state.symbols[seat] | rules.symbol_layer[tile] << at
    doubles = state.doubles[seat] | rules.double_layer[tile] << at
    specials = state.specials[seat] | rules.special_layer[tile] << at
    placed = state.placed[seat] | bits.ONE << at
    cost = cell_cost(state, rules, w)
    best = mat_worth(rules, mat, suits, symbols, doubles, specials, placed, w)
    best += kept_value(state, rules, n_held - 1, w) - cost
    if n_held - 1 > N_RESERVE:
        best = NO_ROOM
    reach = (state.beside[seat] | rules.touching[mat, action - slot * MOST_CELLS]) & ~placed
    for other in range(N_SLOTS):
        second = np.int64(state.held[seat, other])
        if other == slot or second == NONE:
            continue
        left = reach
        while left != bits.ZERO:
            to = np.uint64(bits.lowest(left))
            left = bits.without_lowest(left)
            worth = mat_worth(
                rules,
                mat,
                suits | rules.suit_layer[second] << to,
                symbols | rules.symbol_layer[second] << to,
                doubles | rules.double_layer[second] << to,
                specials | rules.special_layer[second] << to,
                placed | bits.ONE << to,
                w,
            )
            best = max(best, worth + kept_value(state, rules, n_held - 2, w) - 2.0 * cost)
    return best


# ---------------------------------------------------------------------------------------------------------
# The rest
# ---------------------------------------------------------------------------------------------------------
@compiled
def exchange_value(state, rules, action, w):
    """Sets aside what is worth less than the average unseen tile (float64)."""
    if action != DONE:
        return -tile_value(rules, action, w)
    unseen = rules.deck_tiles & ~state.hand[state.mover] & ~state.aside[state.mover]
    n, total = bits.count(unseen), 0.0
    while unseen != bits.ZERO:
        total += tile_value(rules, bits.lowest(unseen), w)
        unseen = bits.without_lowest(unseen)
    return -total / n


@compiled
def remove_value(state, rules, action, w):
    """What is left after the Asteroid took a tile (float64)."""
    seat = state.mover
    base = worth_now(state, rules, seat, w)
    if action >= MOST_CELLS:
        tile = np.int64(state.held[seat, action - MOST_CELLS])
        return base - max(0.0, 0.5 * tile_gain(state, rules, seat, tile, base, w))
    kept = ~(bits.bit(action) * np.uint64((1 << 42) + (1 << 28) + (1 << 14) + 1))
    return mat_worth(
        rules,
        state.mat[seat],
        state.suits[seat] & kept,
        state.symbols[seat] & kept,
        state.doubles[seat] & kept,
        state.specials[seat] & kept,
        state.placed[seat] & ~bits.bit(action),
        w,
    )


@compiled
def die_value(state, rules, action, wants_to_win):
    """MIDNIGHT: rolls if the tile does not do what the seat wants, and the die may change that (float64)."""
    seat = state.mover
    tile, strength = state.played[seat], state.strength[seat]
    wins = beats_all(state, rules, seat, tile, strength)
    sign = 1 if wants_to_win else -1
    helps = wins != wants_to_win and beats_all(state, rules, seat, tile, strength + 3 * sign) == wants_to_win
    return 1.0 if (action == ROLL) == helps else 0.0


@compiled
def sign_value(state, rules, action, wants_to_win):
    """SIGN: the sign that makes the tile do what the seat wants; else upwards to win, downwards to lose (float64)."""
    seat = state.mover
    die = np.int64(state.d4[seat])
    changed = state.strength[seat] + (-die if action == SUBTRACT else die)
    does = beats_all(state, rules, seat, state.played[seat], changed) == wants_to_win
    return (1.0 if does else 0.0) + (0.5 if (action == SUBTRACT) != wants_to_win else 0.0)
