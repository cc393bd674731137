"""The state record of Dino Museum, the shuffled stacks, rounds and markets, and the draw of a bone."""

import numpy as np

from engine import bits, rng
from engine.game import state_dtype
from engine.games.dino_museum.names import (
    BAG,
    BONE,
    GREY,
    K_VISITORS,
    MOST_BOARD,
    MOST_CODES,
    MOST_IN_STACK,
    MOST_SEATS,
    N_CHANCE,
    N_COLUMNS,
    N_KINDS,
    N_MARKET_KINDS,
)
from engine.jit import compiled

STATE = state_dtype(
    N_CHANCE,
    MOST_SEATS,
    [
        ("options", "u8"),  # the legal actions of the decision in front of the mover; 0 at the end
        ("round_index", "i8"),  # 0 to rounds - 1
        ("bone", "i8"),  # BONE: colour of the bone drawn
        ("column", "i8"),  # TAKE, PUT and VISITOR: the column just completed
        ("taken", "i8"),  # PUT: TAKE code of the element in hand; VISITOR: favourite species of the card
        ("acted", "i8"),  # 1 when a bone has been placed in this turn
        ("idle", "i8"),  # turns in a row without a bone placed (M11)
        ("market_left", "i8"),  # elements in the market
        ("market_bits", "u8"),  # the TAKE codes in the market
        ("bag", "u8", (MOST_SEATS,)),  # bones left, one byte a colour, pink lowest: see `one`
        ("filled", "u8", (MOST_SEATS,)),  # research-board spaces with a bone
        ("tied", "i8", (MOST_SEATS,)),  # the colour of the Fossil column, GREY while it has none
        ("free", "u8", (MOST_SEATS,)),  # empty museum spaces
        ("turns", "i8", (MOST_SEATS,)),  # turns, passes included (M11)
        ("bones", "i8", (MOST_SEATS,)),  # bones placed over the game
        ("completed", "i8", (MOST_SEATS, N_COLUMNS)),  # columns completed over the game
        ("drawn", "i8", (N_KINDS,)),  # elements drawn from each stack so far
        ("order", "i1", (N_KINDS, MOST_IN_STACK)),  # each stack in drawing order; the rest of it is hidden (M43)
        ("left", "i1", (N_KINDS, MOST_CODES)),  # copies of each element left in its stack: public (M43)
        ("market", "i1", (MOST_CODES,)),  # elements by TAKE code
        ("placed", "i1", (MOST_SEATS, MOST_BOARD)),  # colour of the bone in each filled space
        ("museum", "i1", (MOST_SEATS, MOST_CODES)),  # TAKE code (visitors: species) + 1 by space, 0 empty
    ],
)

_BYTE = np.uint64(8)
_LOW = np.uint64(0xFF)
_S32 = np.uint64(32)
_EACH = np.uint64(0x0101010101)
_HIGH = np.uint64(0x8080808080)
_FIVE = np.uint64(0xFFFFFFFFFF)


@compiled
def one(colour):
    """A bag (uint64) of one bone."""
    return bits.ONE << (_BYTE * np.uint64(colour))


@compiled
def held(bag, colour):
    """How many bones of a colour are in a bag (int64)."""
    return np.int64((bag >> (_BYTE * np.uint64(colour))) & _LOW)


@compiled
def running_counts(bag):
    """Byte c holds the number of bones of colours 0 to c (uint64); at most 127 in all."""
    return (bag * _EACH) & _FIVE


@compiled
def bones_in(bag):
    """How many bones are in a bag (int64)."""
    return np.int64(running_counts(bag) >> _S32)


@compiled
def kth_colour(counts, k):
    """The colour of the k-th bone, colours in order, by `running_counts` (int64): how many of them are at most k."""
    return bits.count((((np.uint64(k) * _EACH) | _HIGH) - counts) & _HIGH)


# ---------------------------------------------------------------------------------------------------------
# Stacks and market
# ---------------------------------------------------------------------------------------------------------
@compiled
def shuffle_stack(state, rules, kind):
    """Put what is left of a stack into random order, after what was drawn from it."""
    first = state.drawn[kind]
    n = first
    for element in range(MOST_CODES):
        for _ in range(np.int64(state.left[kind, element])):
            state.order[kind, n] = element
            n += 1
    rng.shuffle(state, kind, state.order[kind], first, n - first, n)


@compiled
def draw_element(state, rules, kind):
    """The next element of a stack (int64), -1 if it is empty (M22, M27)."""
    n = state.drawn[kind]
    if n == rules.stack_total[kind]:
        return np.int64(-1)
    element = np.int64(state.order[kind, n])
    state.drawn[kind] = n + 1
    state.left[kind, element] -= 1
    return element


@compiled
def fill_market(state, rules):
    """A new market; what was left of the last one is in the box (M26)."""
    state.market[:] = 0
    state.market_bits = bits.ZERO
    state.market_left = 0
    last = np.int64(state.round_index == rules.rounds - 1)
    for kind in range(N_MARKET_KINDS):
        for _ in range(rules.market_mix[last, state.seats, kind]):
            element = draw_element(state, rules, kind)
            if element >= 0:
                code = rules.first_code[kind] + element
                state.market[code] += 1
                state.market_bits |= bits.bit(code)
                state.market_left += 1


# ---------------------------------------------------------------------------------------------------------
# Rounds, turns and bones
# ---------------------------------------------------------------------------------------------------------
@compiled
def start_round(state, rules):
    """All bones back into the bags, a new market."""
    for s in range(state.seats):
        state.bag[s] = rules.full_bag
        state.filled[s] = bits.ZERO
        state.tied[s] = GREY
    state.idle = 0
    fill_market(state, rules)


@compiled
def draw_bone(state, rules):
    """Draw a bone for the mover and offer its spaces; False if there is none or it fits nowhere (M8 to M10)."""
    seat = state.mover
    counts = running_counts(state.bag[seat])
    n = np.int64(counts >> _S32)
    if n == 0:
        return False
    bone = kth_colour(counts, rng.chance(state, BAG + seat, n))
    spaces = rules.fits[state.tied[seat], bone] & ~state.filled[seat]
    if spaces == bits.ZERO:
        return False
    state.bag[seat] -= one(bone)
    state.bone, state.phase, state.options = bone, BONE, spaces
    return True


@compiled
def start_turn(state, rules, seat):
    """The seat's turn begins with a bone; False if it passes."""
    state.mover = seat
    state.turns[seat] += 1
    state.acted = 0
    return draw_bone(state, rules)


@compiled
def end_turn(state, rules):
    """Go on to the next decision: the next seat that can place a bone, in this round or the next.

    A round ends when the market is small (M23) or after a whole circle of turns without a bone (M11).
    """
    while True:
        state.idle = 0 if state.acted else state.idle + 1
        seat = state.mover + 1 if state.mover + 1 < state.seats else 0
        if state.market_left <= rules.market_end or state.idle == state.seats:
            if state.round_index + 1 == rules.rounds:
                state.options = bits.ZERO
                return
            state.round_index += 1
            start_round(state, rules)
            seat = state.round_index % state.seats
        if start_turn(state, rules, seat):
            return


@compiled
def setup(state, rules):
    """Shuffle all stacks, lay out the first market, and stand at the first decision."""
    for kind in range(N_KINDS):
        state.left[kind, :] = rules.stack[kind, :]
        shuffle_stack(state, rules, kind)
    for s in range(state.seats):
        for kind in range(N_KINDS):
            state.free[s] |= rules.space_bits[kind]
    start_round(state, rules)
    if not start_turn(state, rules, 0):
        end_turn(state, rules)


@compiled
def redeal(state, rules, seat):
    """Draw again what nobody can know: the order of what is left in the stacks, and the bones to come (M43)."""
    rng.imagine_streams(state, seat)
    for kind in range(K_VISITORS + 1):
        shuffle_stack(state, rules, kind)
