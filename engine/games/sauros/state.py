"""The state record of Sauros, the draws of a round, and how tiles lie on the mats."""

import numpy as np

from engine import bits, rng
from engine.game import state_dtype
from engine.games.sauros.names import (
    BOT_DIE,
    D4,
    DECK,
    DIE_SIDES,
    EVERY_LAYER,
    LAYER,
    MAT_DRAW,
    MIX,
    MOST_ASIDE,
    MOST_CELLS,
    MOST_RING,
    MOST_SEATS,
    MOST_TRICKS,
    N_CHANCE,
    N_COMMON_MATS,
    N_FACTS,
    N_MATS,
    N_SLOTS,
    N_SOURCES,
    N_TILES,
    NONE,
)
from engine.jit import compiled

STATE = state_dtype(
    N_CHANCE,
    MOST_SEATS,
    [
        ("over", "i8"),  # 1 when nothing is left to decide
        ("n_ring", "i8"),  # seats around the table: the players, and with two the Bot after them
        ("round_no", "i8"),  # from 0; there are n_ring rounds
        ("trick", "i8"),  # from 0
        ("n_tricks", "i8"),  # of a round
        ("starter", "i8"),  # the round's start player
        ("leader", "i8"),  # who leads this trick; a ring seat, like the next
        ("winner", "i8"),  # who won it, from REWARD on
        ("asked", "i8"),  # how many seats have had their turn at EXCHANGE, PLACE or REMOVE
        ("placements", "i8"),  # of the mover after this trick
        ("lead", "i8"),  # lead suit, -1 none yet
        ("trump", "i8"),  # the trump tile, -1 before the first trick
        ("trump_suit", "i8"),  # -1 none
        ("n_played", "i8"),  # tiles in this trick
        ("drawn", "i8"),  # tiles drawn from the deck so far
        ("trick_tiles", "u8"),  # the tiles of this trick
        ("seen", "u8"),  # tiles that have lain open this round
        ("bot_tiles", "u8"),  # on the Bot's mat
        ("hand", "u8", (MOST_SEATS,)),
        ("aside", "u8", (MOST_SEATS,)),  # tiles that each seat set aside this round
        ("n_aside", "i8", (MOST_SEATS,)),  # how many
        ("exchanged", "i8", (MOST_SEATS,)),  # 1 once the seat has drawn its replacements
        ("shown", "u8", (MOST_SEATS,)),  # tiles that each seat played from its hand this round
        ("void", "i8", (MOST_SEATS,)),  # suits that a seat failed to follow this round, bit 1 << suit
        ("rolled", "i8", (MOST_SEATS,)),  # 1 once the Midnight Die of the round is used
        ("filled", "u8", (MOST_SEATS,)),  # held slots in use: bit 14 * slot
        ("placed", "u8", (MOST_SEATS,)),  # occupied cells
        ("beside", "u8", (MOST_SEATS,)),  # cells beside an occupied one
        ("suits", "u8", (MOST_SEATS,)),  # four layers of cells: suits
        ("symbols", "u8", (MOST_SEATS,)),  # cells with each symbol
        ("doubles", "u8", (MOST_SEATS,)),  # cells with each symbol twice
        ("specials", "u8", (MOST_SEATS,)),  # cells with T-Rex, Quetzalcoatlus
        ("played", "i8", (MOST_RING,)),  # tile of each ring seat in this trick, -1 not yet
        ("strength", "i8", (MOST_RING,)),  # its strength, Midnight Die included
        ("mats", "i8", (N_MATS,)),  # playmats in play, in passing order, then -1
        ("mat", "i8", (MOST_SEATS,)),  # playmat in front of each seat
        ("tile", "i1", (MOST_SEATS, MOST_CELLS)),  # tile on each cell, -1 free
        ("held", "i1", (MOST_SEATS, N_SLOTS)),  # tile in each slot, -1 none
        ("deck", "i1", (N_TILES,)),  # tiles of this round in drawing order
        ("mix", "i1", (MOST_SEATS, MOST_ASIDE)),  # where the tiles that a seat sets aside go: see `swap_with_middle`
        ("d4", "i1", (MOST_SEATS,)),  # what each Midnight Die shows when it is rolled
        ("bot_die", "i1", (MOST_TRICKS,)),  # what the Bot Die shows after each trick: 0 trump, 1 + seat
        ("round_points", "i8", (MOST_SEATS,)),  # of the last finished round
        ("totals", "i8", (MOST_SEATS,)),  # of the finished rounds
        ("earned", "i2", (MOST_SEATS, N_SOURCES)),  # points of the finished rounds
        ("lying", "i2", (MOST_SEATS, N_SOURCES)),  # pieces of the finished rounds
        ("counted", "i2", (MOST_SEATS, N_FACTS)),  # facts
    ],
)


# ---------------------------------------------------------------------------------------------------------
# Tiles on a mat
# ---------------------------------------------------------------------------------------------------------
@compiled
def open_cells(state, rules, seat):
    """Where a seat may put its next tile (uint64): beside a placed tile, anywhere on an empty mat (S20, S30)."""
    if state.placed[seat] == bits.ZERO:
        return rules.cells[state.mat[seat]]
    return state.beside[seat] & ~state.placed[seat]


@compiled
def put(state, rules, seat, tile, cell):
    """Put a tile on a free cell."""
    at = np.uint64(cell)
    state.tile[seat, cell] = tile
    state.placed[seat] |= bits.bit(cell)
    state.beside[seat] |= rules.touching[state.mat[seat], cell]
    state.suits[seat] |= rules.suit_layer[tile] << at
    state.symbols[seat] |= rules.symbol_layer[tile] << at
    state.doubles[seat] |= rules.double_layer[tile] << at
    state.specials[seat] |= rules.special_layer[tile] << at


@compiled
def lift(state, rules, seat, cell):
    """Take the tile off a cell."""
    state.tile[seat, cell] = NONE
    state.placed[seat] &= ~bits.bit(cell)
    gone = ~(EVERY_LAYER << np.uint64(cell))
    state.suits[seat] &= gone
    state.symbols[seat] &= gone
    state.doubles[seat] &= gone
    state.specials[seat] &= gone
    beside, left = bits.ZERO, state.placed[seat]
    while left != bits.ZERO:
        beside |= rules.touching[state.mat[seat], bits.lowest(left)]
        left = bits.without_lowest(left)
    state.beside[seat] = beside


@compiled
def hold(state, seat, slot, tile):
    """Put a tile into a held slot."""
    state.held[seat, slot] = tile
    state.filled[seat] |= bits.ONE << (LAYER * np.uint64(slot))


@compiled
def release(state, seat, slot):
    """Empty a held slot; its tile (int64)."""
    tile = np.int64(state.held[seat, slot])
    state.held[seat, slot] = NONE
    state.filled[seat] &= ~(bits.ONE << (LAYER * np.uint64(slot)))
    return tile


# ---------------------------------------------------------------------------------------------------------
# Chance
# ---------------------------------------------------------------------------------------------------------
@compiled
def draw(state):
    """The next tile of the deck (int64)."""
    tile = np.int64(state.deck[state.drawn])
    state.drawn += 1
    return tile


@compiled
def draw_deck(state, rules):
    """Put the whole deck in drawing order; -1 where there is no tile."""
    for i in range(N_TILES):
        state.deck[i] = i if i < rules.n_deck else NONE
    rng.shuffle(state, DECK, state.deck, 0, rules.n_deck, rules.n_deck)


@compiled
def middle_at_exchange(state, rules):
    """Tiles in the middle before and after each exchange (int64)."""
    return rules.n_deck - state.seats * rules.hand[state.seats]


@compiled
def draw_mix(state, rules):
    """Draw where set-aside tiles will go, for every seat, whether it will exchange or not."""
    middle = middle_at_exchange(state, rules)
    for s in range(state.seats):
        for i in range(MOST_ASIDE):
            state.mix[s, i] = rng.chance(state, MIX, max(np.int64(1), middle - i))


@compiled
def roll_d4(state, seat):
    """Roll a Midnight Die."""
    state.d4[seat] = 1 + rng.chance(state, D4, DIE_SIDES)


@compiled
def roll_bot_die(state, rules, trick):
    """Roll the Bot Die of a trick (S53)."""
    pip = rng.chance(state, BOT_DIE, rules.bot_die[2])
    state.bot_die[trick] = np.int64(pip >= rules.bot_die[0]) + np.int64(pip >= rules.bot_die[1])


@compiled
def draw_mats(state):
    """Draw the mats of the game; F is only among them with six players (S47, S76)."""
    n = np.int64(N_MATS) if state.seats == N_MATS else np.int64(N_COMMON_MATS)
    for m in range(n):
        state.mats[m] = m
    rng.shuffle(state, MAT_DRAW, state.mats, 0, state.n_ring, n)
    for m in range(state.n_ring, N_MATS):
        state.mats[m] = NONE


@compiled
def swap_with_middle(state, seat):
    """Give a seat as many tiles from the middle as it set aside, then mix those in (S3, S67).

    They take the drawn tiles' places at the top, and each is swapped with a place from its own on, drawn at
    the start of the round: the first steps of a Fisher-Yates shuffle, so that every order is equally likely.
    """
    first = state.drawn
    left, n = state.aside[seat], state.n_aside[seat]
    for i in range(n):
        state.hand[seat] |= bits.bit(np.int64(state.deck[first + i]))
        state.deck[first + i] = bits.lowest(left)
        left = bits.without_lowest(left)
    for i in range(n):
        j = first + i + np.int64(state.mix[seat, i])
        state.deck[first + i], state.deck[j] = state.deck[j], state.deck[first + i]
    state.exchanged[seat] = 1


@compiled
def deal_round(state, rules):
    """Clean mats, a new deck, dice and hands; mats passed clockwise (S47, S76)."""
    draw_deck(state, rules)
    draw_mix(state, rules)
    state.seen, state.bot_tiles, state.drawn = bits.ZERO, bits.ZERO, 0
    state.trump, state.trump_suit, state.trick = NONE, NONE, 0
    state.lead, state.n_played, state.trick_tiles = NONE, 0, bits.ZERO
    state.played[:] = NONE
    for trick in range(MOST_TRICKS):
        if state.seats == 2:
            roll_bot_die(state, rules, trick)
    state.tile[:, :] = NONE
    state.held[:, :] = NONE
    for s in range(state.seats):
        if rules.midnight_dice:
            roll_d4(state, s)
        place = s - state.round_no
        state.mat[s] = state.mats[place if place >= 0 else place + state.n_ring]
        hand = bits.ZERO
        for _ in range(rules.hand[state.seats]):
            hand |= bits.bit(draw(state))
        state.hand[s] = hand
        state.aside[s] = state.shown[s] = state.filled[s] = bits.ZERO
        state.placed[s] = state.beside[s] = bits.ZERO
        state.suits[s] = state.symbols[s] = state.doubles[s] = state.specials[s] = bits.ZERO
        state.n_aside[s] = state.exchanged[s] = state.void[s] = state.rolled[s] = 0
