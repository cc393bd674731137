"""How a policy turns judgements into an action."""

import numpy as np

from engine import bits, rng
from engine.games.dino_museum.names import DECLINE, GREY, K_VISITORS, N_COLUMNS, PUT, TAKE
from engine.games.dino_museum.values import no_gains, put_gain, take_gain
from engine.jit import compiled, generic


@compiled
def any_of(state, mask):
    """A uniformly drawn action of a mask, from the stream of the policy that is asked (int64)."""
    return bits.select(mask, rng.below(state, bits.count(mask)))


@compiled
def piece_gain(state, rules, action, taste):
    """What a TAKE, PUT or VISITOR action adds to the museum's promise."""
    if action == DECLINE:
        return 0.0
    if state.phase == TAKE:
        return take_gain(state, rules, state.mover, rules.column_kind[state.column], action, taste)
    kind = rules.column_kind[state.column] if state.phase == PUT else np.int64(K_VISITORS)
    return put_gain(state, rules, state.mover, kind, action, state.taken, taste)


@compiled
def best_piece(state, rules, legal, taste):
    """The TAKE, PUT or VISITOR action that adds most, ties broken at random."""
    best, ties, left = -np.inf, bits.ZERO, legal
    while left != bits.ZERO:
        action = bits.lowest(left)
        left = bits.without_lowest(left)
        gain = piece_gain(state, rules, action, taste)
        if gain > best:
            best, ties = gain, bits.bit(action)
        elif gain == best:
            ties |= bits.bit(action)
    return any_of(state, ties)


@compiled
def opponents_gain(state, rules, code, taste):
    """What the opponent who would gain most by an element gains; at least 0."""
    most, kind = 0.0, rules.column_kind[state.column]
    for s in range(state.seats):
        if s != state.mover:
            most = max(most, take_gain(state, rules, s, kind, code, taste))
    return most


@compiled
def best_denial(state, rules, legal, denial, taste):
    """The TAKE action that adds most, with `denial` times what it takes from the best opponent; ties at random."""
    best, ties, left = -np.inf, bits.ZERO, legal
    while left != bits.ZERO:
        action = bits.lowest(left)
        left = bits.without_lowest(left)
        gain = piece_gain(state, rules, action, taste)
        if action != DECLINE:
            gain += denial * opponents_gain(state, rules, action, taste)
        if gain > best:
            best, ties = gain, bits.bit(action)
        elif gain == best:
            ties |= bits.bit(action)
    return any_of(state, ties)


@generic
def best_bone(column_value, ready, state, rules, legal, weights):
    """The BONE action that brings its column nearest, weighted by what the column is worth; ties at random.

    Parameters
    ----------
    column_value : function
        ``column_value(state, rules, column, gains, weights) -> float64``: what completing it is worth; `gains` as
        for `values.column_gain`.
    ready : function
        ``ready(state, rules, column, filled, tied, bag, weights) -> float64``: how sure it is to be completed,
        with these spaces filled, this colour of the Fossil column and this bag; 1 when complete.
    """
    seat, bag = state.mover, state.bag[state.mover]
    filled, tied = state.filled[seat], state.tied[seat]
    gains = no_gains()
    best, ties = -np.inf, bits.ZERO
    for column in range(N_COLUMNS):
        left = legal & rules.column_bits[column]
        if left == bits.ZERO:
            continue
        before = ready(state, rules, column, filled, tied, bag, weights)
        value = np.nan
        while left != bits.ZERO:
            space = bits.lowest(left)
            left = bits.without_lowest(left)
            binds = bits.has(rules.same_bits, space) and state.bone != GREY
            now = ready(state, rules, column, filled | bits.bit(space), state.bone if binds else tied, bag, weights)
            gain = 0.0
            if now != before:
                value = column_value(state, rules, column, gains, weights) if np.isnan(value) else value
                gain = value * (now - before)
            if gain > best:
                best, ties = gain, bits.bit(space)
            elif gain == best:
                ties |= bits.bit(space)
    return any_of(state, ties)
