"""Decisions of Sauros: what is legal, and what it does up to the next decision."""

import numpy as np

from engine import bits
from engine.games.sauros.names import (
    ASK,
    ASK_PLACER,
    ASK_PLAY,
    ASK_REMOVAL,
    ASTEROID,
    DISCARD,
    DONE,
    END_ROUND,
    END_TRICK,
    EXCHANGE,
    F_LED,
    F_TRICKS,
    LAYER,
    MIDNIGHT,
    N_SLOTS,
    N_SUIT_TILES,
    NEXT_TRICK,
    NONE,
    PLACE,
    PLAY,
    REMOVE,
    REWARD,
    ROLL,
    S_DINOS,
    S_RESERVE,
    SIGN,
    SOURCE_SYMBOL,
    START_TRICK,
    SUBTRACT,
)
from engine.games.sauros.placing import (
    STOP_ACTION,
    apply_discard,
    apply_place,
    apply_removal,
    ask_placer,
    ask_removal,
    held_slots,
    legal_places,
    legal_removals,
)
from engine.games.sauros.scoring import bank_round
from engine.games.sauros.state import (
    deal_round,
    draw,
    draw_mats,
    swap_with_middle,
)
from engine.games.sauros.tricks import (
    flip_trump,
    holder_of,
    in_turn,
    is_void_trick,
    lay,
    playable,
    reward,
    suit_of_trump,
    trick_winner,
)
from engine.jit import compiled

_TWO_ACTIONS = np.uint64(3)


# ---------------------------------------------------------------------------------------------------------
# What is legal
# ---------------------------------------------------------------------------------------------------------
@compiled
def legal_rewards(state):
    """The trump tile, or the tile of any other seat (uint64)."""
    others = ((bits.ONE << np.uint64(state.n_ring)) - bits.ONE) & ~bits.bit(state.winner)
    return bits.ONE | others << bits.ONE


@compiled
def legal(state, rules):
    """The legal actions (uint64) of the decision in front of `state.mover`."""
    seat, phase = state.mover, state.phase
    if state.over:
        return bits.ZERO
    if phase == PLACE:
        return legal_places(state, rules, seat)
    if phase == PLAY:
        return playable(state.hand[seat], state.lead)
    if phase == EXCHANGE:
        return state.hand[seat] | bits.bit(DONE)
    if phase == REWARD:
        return legal_rewards(state)
    if phase == DISCARD:
        return held_slots(state, seat)
    if phase == REMOVE:
        return legal_removals(state, seat)
    return _TWO_ACTIONS


@compiled
def feeds(state, rules, source):
    """The PLACE actions (uint64) that put a tile which `source` counts on the mat; for reserve, stop."""
    if state.phase != PLACE:
        return bits.ZERO
    if source == S_RESERVE:
        return STOP_ACTION
    actions = bits.ZERO
    for slot in range(N_SLOTS):
        tile = np.int64(state.held[state.mover, slot])
        if tile != NONE:
            if source == S_DINOS:
                feeding = rules.suit_layer[tile] != bits.ZERO or (rules.special_layer[tile] & bits.ONE) != bits.ZERO
            else:
                feeding = bits.has(rules.symbol_tiles[SOURCE_SYMBOL[source]], tile)
            if feeding:
                actions |= rules.cells[state.mat[state.mover]] << (LAYER * np.uint64(slot))
    return actions


# ---------------------------------------------------------------------------------------------------------
# Rounds. Each step returns the next one.
# ---------------------------------------------------------------------------------------------------------
@compiled
def setup(state, rules):
    """Draw the mats, deal the first round, and stand at its first decision; seat 0 starts (S76)."""
    state.n_ring = state.seats + np.int64(state.seats == 2)
    state.n_tricks = rules.tricks[state.seats]
    draw_mats(state)
    advance(state, rules, start_round(state, rules))


@compiled
def start_round(state, rules):
    """Deal, and let the seats exchange, clockwise from the start player."""
    deal_round(state, rules)
    state.leader, state.asked = state.starter, 0
    state.counted[state.starter, F_LED] += 1
    state.phase, state.mover = EXCHANGE, state.starter
    return ASK if rules.exchange_tiles > 0 else START_TRICK


@compiled
def end_round(state, rules):
    """Score; then the next round, started by the seat that is last (S48, S70), or the end of the game."""
    bank_round(state, rules)
    state.round_no += 1
    if state.round_no == state.n_ring:
        state.over = 1
        return ASK
    chosen, seat = np.int64(NONE), state.starter
    for _ in range(state.seats):
        seat = seat + 1 if seat + 1 < state.seats else np.int64(0)
        if chosen == NONE or is_behind(state, seat, chosen):
            chosen = seat
    state.starter = chosen
    return start_round(state, rules)


@compiled
def is_behind(state, seat, other):
    """Whether a seat has fewer points than another, first in all, then in the last round."""
    lead = state.totals[seat] - state.totals[other]
    return lead < 0 or (lead == 0 and state.round_points[seat] < state.round_points[other])


@compiled
def apply_exchange(state, rules, action):
    """Set a tile aside or be done; then draw, and ask the next seat (S67)."""
    seat = state.mover
    if action != DONE:
        state.hand[seat] &= ~bits.bit(action)
        state.aside[seat] |= bits.bit(action)
        state.n_aside[seat] += 1
        if state.n_aside[seat] < rules.exchange_tiles:
            return ASK
    swap_with_middle(state, seat)
    state.asked += 1
    state.mover = seat + 1 if seat + 1 < state.seats else np.int64(0)
    return ASK if state.asked < state.seats else START_TRICK


# ---------------------------------------------------------------------------------------------------------
# Tricks
# ---------------------------------------------------------------------------------------------------------
@compiled
def start_trick(state):
    """Turn up the trump; an Asteroid costs every seat a tile first (S18)."""
    flip_trump(state)
    state.lead, state.n_played, state.trick_tiles = NONE, 0, bits.ZERO
    state.played[:] = NONE
    state.trump_suit, state.asked = suit_of_trump(state.trump), 0
    return ASK_REMOVAL if state.trump == ASTEROID else ASK_PLAY


@compiled
def ask_play(state):
    """Ask the next seat clockwise from the leader for a tile; the Bot reveals one (S52); then end the trick."""
    while state.n_played < state.n_ring:
        seat = in_turn(state, state.leader, state.n_played)
        if seat < state.seats:
            state.mover, state.phase = seat, PLAY
            return ASK
        lay(state, seat, draw(state))
    return END_TRICK


@compiled
def apply_play(state, rules, tile):
    """Play a tile; a suit tile may then be changed by the Midnight Die (S59, S73)."""
    seat = state.mover
    state.hand[seat] &= ~bits.bit(tile)
    state.shown[seat] |= bits.bit(tile)
    lay(state, seat, tile)
    if rules.midnight_dice and tile < N_SUIT_TILES and state.rolled[seat] == 0:
        state.phase = MIDNIGHT
        return ASK
    return ASK_PLAY


@compiled
def apply_midnight(state, action):
    """Keep the strength, or roll."""
    if action == ROLL:
        state.rolled[state.mover] = 1
        state.phase = SIGN
        return ASK
    return ASK_PLAY


@compiled
def apply_sign(state, action):
    """Add the die to the tile's strength or subtract it, without bounds."""
    die = np.int64(state.d4[state.mover])
    state.strength[state.mover] += -die if action == SUBTRACT else die
    return ASK_PLAY


@compiled
def end_trick(state, rules):
    """Find the winner, who leads next (S4) and picks a reward; an Asteroid voids the trick (S22, S72)."""
    if is_void_trick(state):
        state.leader = holder_of(state, ASTEROID)
        return NEXT_TRICK
    winner = trick_winner(state, rules)
    state.winner = state.leader = winner
    if winner < state.seats:
        state.counted[winner, F_TRICKS] += 1
        state.mover, state.phase = winner, REWARD
        return ASK
    return apply_reward(state, np.int64(state.bot_die[state.trick]))


@compiled
def apply_reward(state, choice):
    """Hand out the tiles, and let the seats place them, clockwise from the winner (S29)."""
    reward(state, choice)
    state.asked = 0
    return ASK_PLACER


@compiled
def next_trick(state):
    """The next trick, or the end of the round."""
    state.trick += 1
    return START_TRICK if state.trick < state.n_tricks else END_ROUND


@compiled
def apply(state, rules, action):
    """Play an action of the mover, and everything up to the next decision."""
    phase = state.phase
    if phase == PLACE:
        step = apply_place(state, rules, action)
    elif phase == PLAY:
        step = apply_play(state, rules, action)
    elif phase == EXCHANGE:
        step = apply_exchange(state, rules, action)
    elif phase == REWARD:
        step = apply_reward(state, action)
    elif phase == DISCARD:
        step = apply_discard(state, rules, action)
    elif phase == REMOVE:
        step = apply_removal(state, rules, action)
    elif phase == MIDNIGHT:
        step = apply_midnight(state, action)
    else:
        step = apply_sign(state, action)
    advance(state, rules, step)


@compiled
def advance(state, rules, step):
    """Let the game go on until somebody is asked, or it is over."""
    while step != ASK:
        if step == ASK_PLACER:
            step = ask_placer(state, rules)
        elif step == ASK_PLAY:
            step = ask_play(state)
        elif step == END_TRICK:
            step = end_trick(state, rules)
        elif step == NEXT_TRICK:
            step = next_trick(state)
        elif step == START_TRICK:
            step = start_trick(state)
        elif step == ASK_REMOVAL:
            step = ask_removal(state, rules)
        else:
            step = end_round(state, rules)
