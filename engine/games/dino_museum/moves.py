"""Decisions of Dino Museum: what is legal and what it does."""

import numpy as np

from engine import bits
from engine.games.dino_museum.names import (
    BONE,
    DECLINE,
    GREY,
    K_VISITORS,
    N_COLUMNS,
    N_LEFT,
    PUT,
    REINFORCEMENTS,
    SOURCE_KIND,
    SPEED_UP,
    TAKE,
    VISITOR,
    VISITOR_COLUMN,
)
from engine.games.dino_museum.state import draw_bone, draw_element, end_turn, one
from engine.jit import compiled

_KIND_OF_SOURCE = np.array(SOURCE_KIND, np.int64)


@compiled
def legal(state, rules):
    """The legal actions (uint64) of the decision in front of `state.mover`."""
    return state.options


@compiled
def completes(state, rules, seat, space):
    """Whether a bone in this free space completes its column."""
    column = rules.column_bits[rules.column_of[space]]
    return column & ~(state.filled[seat] | bits.bit(space)) == bits.ZERO


@compiled
def can_apply(state, rules, seat, column):
    """Whether completing a column other than Speed up and Reinforcements has an effect (M13, M14, M20, M22)."""
    kind = rules.column_kind[column]
    if kind < 0 or state.free[seat] & rules.space_bits[kind] == bits.ZERO:
        return False
    if kind == K_VISITORS:
        return state.drawn[kind] < rules.stack_total[kind]
    return state.market_bits & rules.take_bits[column] != bits.ZERO


@compiled
def feeds(state, rules, source):
    """The actions (uint64) of this decision that put a piece into the source.

    At BONE those that complete a column whose effect is such a piece.
    """
    kind = _KIND_OF_SOURCE[source]
    if state.phase == TAKE:
        return rules.kind_bits[kind]
    if state.phase != BONE:
        return rules.space_bits[kind]
    feeding = bits.ZERO
    seat = state.mover
    for column in range(N_COLUMNS):
        free = rules.column_bits[column] & ~state.filled[seat]
        is_last = free & (free - bits.ONE) == bits.ZERO
        if is_last and rules.column_kind[column] == kind and can_apply(state, rules, seat, column):
            feeding |= free
    return feeding


# ---------------------------------------------------------------------------------------------------------
# What an action does
# ---------------------------------------------------------------------------------------------------------
@compiled
def take_back_bones(state, rules, seat):
    """Reinforcements: the bones of complete columns left of the arrow go back into the bag (M16)."""
    filled, back = state.filled[seat], bits.ZERO
    for column in range(N_LEFT):
        spaces = rules.column_bits[column]
        back |= spaces if spaces & ~filled == bits.ZERO else bits.ZERO
    state.filled[seat] = filled & ~back
    if back & rules.same_bits != bits.ZERO:
        state.tied[seat] = GREY
    while back != bits.ZERO:
        state.bag[seat] += one(np.int64(state.placed[seat, bits.lowest(back)]))
        back = bits.without_lowest(back)


@compiled
def apply_research(state, rules, seat, column):
    """The effect of a column just completed; False if the turn ends with it."""
    if column == SPEED_UP:
        return draw_bone(state, rules)
    if column == REINFORCEMENTS:
        take_back_bones(state, rules, seat)
        return draw_bone(state, rules)
    if not can_apply(state, rules, seat, column):
        return False
    state.column = column
    if column == VISITOR_COLUMN:
        state.taken = draw_element(state, rules, K_VISITORS)
        state.phase, state.options = VISITOR, state.free[seat] & rules.space_bits[K_VISITORS]
    else:
        state.phase, state.options = TAKE, state.market_bits & rules.take_bits[column]
        if not rules.must_take:
            state.options |= bits.bit(DECLINE)
    return True


@compiled
def place_bone(state, rules, space):
    """Put the bone drawn into a space, apply the column if it is complete, or end the turn."""
    seat, bone = state.mover, state.bone
    column = rules.column_of[space]
    state.filled[seat] |= bits.bit(space)
    state.placed[seat, space] = bone
    state.bones[seat] += 1
    state.acted = 1
    if bone != GREY and bits.has(rules.same_bits, space):
        state.tied[seat] = bone
    if rules.column_bits[column] & ~state.filled[seat] == bits.ZERO:
        state.completed[seat, column] += 1
        if apply_research(state, rules, seat, column):
            return
    end_turn(state, rules)


@compiled
def take(state, rules, code):
    """Take an element of the market and ask where to put it, or decline."""
    if code == DECLINE:
        end_turn(state, rules)
        return
    state.market[code] -= 1
    state.market_left -= 1
    if state.market[code] == 0:
        state.market_bits &= ~bits.bit(code)
    state.taken = code
    state.phase = PUT
    state.options = state.free[state.mover] & rules.space_bits[rules.column_kind[state.column]]


@compiled
def put(state, rules, space):
    """Put the element or visitor in hand into a museum space; the turn ends."""
    seat = state.mover
    state.museum[seat, space] = state.taken + 1
    state.free[seat] &= ~bits.bit(space)
    end_turn(state, rules)


@compiled
def apply(state, rules, action):
    """Play an action of the mover, and every chance event up to the next decision."""
    if state.phase == BONE:
        place_bone(state, rules, action)
    elif state.phase == TAKE:
        take(state, rules, action)
    else:
        put(state, rules, action)
