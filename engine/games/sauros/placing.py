"""Placing tiles on the mats of Sauros, the reserve, and what the Asteroid takes away."""

import numpy as np

from engine import bits, rng
from engine.games.sauros.names import (
    ASK,
    ASK_PLACER,
    ASK_PLAY,
    ASK_REMOVAL,
    BOT_REMOVAL,
    DISCARD,
    LAYER,
    MOST_CELLS,
    N_RESERVE,
    N_SLOTS,
    NEXT_TRICK,
    NONE,
    PER_TRICK,
    PLACE,
    REMOVE,
    STOP,
)
from engine.games.sauros.state import hold, lift, open_cells, put, release
from engine.games.sauros.tricks import flip_trump, in_turn, suit_of_trump
from engine.jit import compiled

STOP_ACTION = np.uint64(1 << STOP)


@compiled
def legal_places(state, rules, seat):
    """Every held tile on every open cell; stop with a tile on the mat and at most two left over (S31, S64)."""
    may_stop = bits.count(state.filled[seat]) <= N_RESERVE and state.placed[seat] != bits.ZERO
    return state.filled[seat] * open_cells(state, rules, seat) | (STOP_ACTION if may_stop else bits.ZERO)


@compiled
def held_slots(state, seat):
    """The slots (uint64) in use."""
    slots = bits.ZERO
    for slot in range(N_SLOTS):
        slots |= ((state.filled[seat] >> (LAYER * np.uint64(slot))) & bits.ONE) << np.uint64(slot)
    return slots


@compiled
def legal_removals(state, seat):
    """Occupied cells and reserved tiles (uint64)."""
    return state.placed[seat] | held_slots(state, seat) << LAYER


@compiled
def ask_placer(state, rules):
    """Ask the next seat clockwise from the winner to place; then the next trick."""
    while state.asked < state.n_ring:
        seat = in_turn(state, state.winner, state.asked)
        if seat < state.seats:
            state.mover, state.placements = seat, 0
            return ask_place(state, rules)
        state.asked += 1
    return NEXT_TRICK


@compiled
def ask_place(state, rules):
    """Ask the mover, who holds something, to place, or to discard what fits nowhere (S32, S74)."""
    seat = state.mover
    is_stuck = bits.count(state.filled[seat]) > N_RESERVE and open_cells(state, rules, seat) == bits.ZERO
    state.phase = DISCARD if is_stuck else PLACE
    return ASK


@compiled
def apply_place(state, rules, action):
    """Put a held tile on a cell, or stop."""
    seat = state.mover
    if action != STOP:
        slot = action // MOST_CELLS
        put(state, rules, seat, release(state, seat, slot), action - slot * MOST_CELLS)
        state.placements += 1
        if state.placements < PER_TRICK and state.filled[seat] != bits.ZERO:
            return ask_place(state, rules)
    keep_reserve(state, seat)
    state.asked += 1
    return ASK_PLACER


@compiled
def keep_reserve(state, seat):
    """What is still held becomes the reserve, the old one first (S74)."""
    if state.filled[seat] == bits.ZERO:
        return
    free = np.int64(0)
    for slot in range(N_SLOTS):
        if state.held[seat, slot] != NONE:
            if slot != free:
                hold(state, seat, free, release(state, seat, slot))
            free += 1


@compiled
def apply_discard(state, rules, slot):
    """Throw a held tile away, which is only asked when it must be."""
    release(state, state.mover, slot)
    return ask_place(state, rules)


# ---------------------------------------------------------------------------------------------------------
# The Asteroid as trump
# ---------------------------------------------------------------------------------------------------------
@compiled
def ask_removal(state, rules):
    """Ask the next seat clockwise from the leader that has a tile to remove; then a new trump (S18, S19)."""
    while state.asked < state.n_ring:
        seat = in_turn(state, state.leader, state.asked)
        if seat >= state.seats:
            remove_from_bot(state)
        elif legal_removals(state, seat) != bits.ZERO:
            state.mover, state.phase = seat, REMOVE
            return ASK
        state.asked += 1
    flip_trump(state)
    if rules.asteroid_replacement_is_trump:
        state.trump_suit = suit_of_trump(state.trump)
    return ASK_PLAY


@compiled
def remove_from_bot(state):
    """The Bot loses a random tile (S58)."""
    n = bits.count(state.bot_tiles)
    if n > 0:
        state.bot_tiles &= ~bits.bit(bits.select(state.bot_tiles, rng.chance(state, BOT_REMOVAL, n)))


@compiled
def apply_removal(state, rules, action):
    """Take a tile from the mat or the reserve out of the round (S20, S21)."""
    if action < MOST_CELLS:
        lift(state, rules, state.mover, action)
    else:
        release(state, state.mover, action - MOST_CELLS)
    state.asked += 1
    return ASK_REMOVAL
