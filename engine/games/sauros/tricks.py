"""Tricks of Sauros: what may be played, who wins, who gets which tile."""

import numpy as np

from engine import bits
from engine.games.sauros.names import (
    ASTEROID,
    N_SUIT_TILES,
    NINES,
    NONE,
    PER_SUIT,
    QUETZALCOATLUS,
    SPECIAL_TILES,
    SUIT_TILES,
    T_REXES,
    TAKE_TRUMP,
    THERIZINOSAURUS,
)
from engine.games.sauros.state import draw, hold
from engine.jit import compiled


@compiled
def playable(hand, lead):
    """The tiles (uint64) of a hand that following allows; `lead` is a suit or -1 (S6, S62)."""
    if lead < 0:
        return hand
    following = hand & SUIT_TILES[lead]
    return following | (hand & SPECIAL_TILES) if following != bits.ZERO else hand


@compiled
def next_seat(state, seat):
    """The ring seat clockwise from one."""
    return seat + 1 if seat + 1 < state.n_ring else np.int64(0)


@compiled
def flip_trump(state):
    """Turn up the next tile of the middle as the trump tile."""
    state.trump = draw(state)
    state.seen |= bits.bit(state.trump)


@compiled
def in_turn(state, first, n):
    """The ring seat `n` seats clockwise from `first`."""
    seat = first + n
    return seat - state.n_ring if seat >= state.n_ring else seat


@compiled
def lay(state, seat, tile):
    """Lay a tile into the trick; the first suit tile sets the lead, failing to follow shows a void (S7, S63)."""
    state.played[seat] = tile
    state.trick_tiles |= bits.bit(tile)
    state.seen |= bits.bit(tile)
    state.n_played += 1
    if tile < N_SUIT_TILES:
        suit = tile // PER_SUIT
        state.strength[seat] = tile % PER_SUIT
        if state.lead < 0:
            state.lead = suit
        elif suit != state.lead and seat < state.seats:
            state.void[seat] |= 1 << state.lead


@compiled
def tile_power(tile, strength, lead, trump_suit, tiles, rules):
    """How a tile ranks in a trick of `tiles` (uint64 mask): the highest wins, of equal ones the last (int64).

    Quetzalcoatlus with a T-Rex, T-Rex, trump suit, lead suit, the rest, Quetzalcoatlus alone, Therizinosaurus
    (S9 to S15). Inside a suit by strength; its 0 ranks above all if its 9 was played too (S10, S73), with
    `zero_beats_any_nine` if any 9 was.
    """
    if tile >= N_SUIT_TILES:
        if tile == QUETZALCOATLUS:
            return np.int64(2000) if tiles & T_REXES != bits.ZERO else np.int64(-100)
        return np.int64(1000) if tile < QUETZALCOATLUS else np.int64(-200)
    suit = tile // PER_SUIT
    nines = NINES if rules.zero_beats_any_nine else NINES & SUIT_TILES[suit]
    highest = tile % PER_SUIT == 0 and tiles & nines != bits.ZERO
    order = np.int64(50) if highest else np.int64(strength)
    return order + 200 * np.int64(suit == trump_suit) + 100 * np.int64(suit == lead)


@compiled
def trick_winner(state, rules):
    """The ring seat that wins a full trick (int64)."""
    seat, best, winner = state.leader, np.int64(-1000), np.int64(NONE)
    for _ in range(state.n_played):
        power = tile_power(
            state.played[seat], state.strength[seat], state.lead, state.trump_suit, state.trick_tiles, rules
        )
        if power >= best:
            best, winner = power, seat
        seat = next_seat(state, seat)
    return winner


@compiled
def holder_of(state, tile):
    """The ring seat that played a tile of this trick (int64)."""
    found = np.int64(NONE)
    for seat in range(state.n_ring):
        if state.played[seat] == tile:
            found = np.int64(seat)
    return found


@compiled
def gain(state, seat, slot, tile):
    """Give a seat a tile to place; the Bot's goes on its mat at once (S55)."""
    if seat < state.seats:
        hold(state, seat, slot, tile)
    else:
        state.bot_tiles |= bits.bit(tile)


@compiled
def reward(state, choice):
    """Hand out the tiles of a trick: `choice` 0 the trump tile, 1 + seat that seat's tile (S25 to S28, S75).

    The winner gets its own tile and the chosen one, the owner of a chosen tile the trump tile, everyone else
    its own tile. Therizinosaurus is all that the winner gets: the winner's tile goes to the seat that played
    it, or, if it was the trump tile, nowhere.
    """
    winner, trump = state.winner, state.trump
    owner = choice - 1
    taken = trump if choice == TAKE_TRUMP else state.played[owner]
    alone = taken == THERIZINOSAURUS
    for seat in range(state.n_ring):
        if seat == winner:
            gain(state, seat, 2, taken if alone else state.played[seat])
            if not alone:
                gain(state, seat, 3, taken)
        elif seat == owner:
            gain(state, seat, 2, trump)
            if alone:
                gain(state, seat, 3, state.played[winner])
        else:
            gain(state, seat, 2, state.played[seat])


@compiled
def suit_of_trump(tile):
    """The trump suit that a tile turned up makes, -1 for a special tile (S17)."""
    return tile // PER_SUIT if tile < N_SUIT_TILES else np.int64(NONE)


@compiled
def is_void_trick(state):
    """Whether an Asteroid lies in the trick (S22)."""
    return bits.has(state.trick_tiles, ASTEROID)
