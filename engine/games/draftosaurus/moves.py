"""Decisions of Draftosaurus: what is legal, and what it does."""

import numpy as np

from engine import bits
from engine.games.draftosaurus.names import (
    ALTERNATE,
    BOX,
    N_SPECIES,
    N_TURNS,
    PILE,
    PLACE,
    QUARANTINE,
    RELOCATE,
    T_REX,
    WINTER,
)
from engine.games.draftosaurus.scoring import bank_game
from engine.games.draftosaurus.state import (
    actions_with,
    deal_round,
    kinds,
    one,
    start_game,
    turns_per_round,
)
from engine.jit import compiled

ALL_SPECIES = np.uint64(0x3F)
_SIX = np.uint64(6)
# The Pyramid's row and first cell by how many dinosaurs it holds; each cell's neighbours as a mask of cells.
OPEN_FIRST = np.array([0, 0, 0, 3, 3, 5, 6], np.int64)
OPEN_CELLS = np.array([3, 3, 3, 2, 2, 1, 0], np.int64)
TOUCHING = np.array([0b001010, 0b011101, 0b010010, 0b110011, 0b101110, 0b011000], np.int64)
_PILE_TARGET = 5


# ---------------------------------------------------------------------------------------------------------
# What is legal
# ---------------------------------------------------------------------------------------------------------
@compiled
def die_allows(state, rules, seat):
    """The PLACE actions (uint64) that the die leaves a seat. Rulebook: Actions.

    The plain rule, without its branches: the roller is free; a region face allows its pens and the River;
    the other two allow the seat's empty pens, or those without T-Rex, and the River.
    """
    face = np.int64(state.dice[state.game, state.turn])
    allowed = (
        rules.face_bits[state.board, face]
        & (state.empty[seat] | rules.face_needs_empty[face])
        & (state.no_rex[seat] | rules.face_needs_no_rex[face])
    )
    return rules.all_bits[state.board] if seat == state.roller else allowed


@compiled
def legal_places(state, rules, seat):
    """The PLACE actions (uint64): pen's rule, die, and hand; the River always (D8 to D12)."""
    return state.accept[seat] & die_allows(state, rules, seat) & actions_with(state.hand[seat])


@compiled
def legal_boxes(state, seat):
    """The species (uint64) that a seat may box: what it holds besides the one it places (D31)."""
    return kinds(state.hand[seat] - one(state.chosen[seat] % N_SPECIES))


@compiled
def quarantined(state, seat):
    """The species in the Quarantine Zone, -1 if it is empty (int64)."""
    found = np.int64(-1)
    for k in range(N_SPECIES):
        if state.zoo[seat, QUARANTINE, k] > 0:
            found = np.int64(k)
    return found


@compiled
def legal_relocations(state, rules, seat):
    """The targets (uint64) that the quarantined dinosaur may move to (D21, D22)."""
    fitting = state.accept[seat] & ~rules.pen_bits[WINTER, QUARANTINE]
    fitting >>= np.uint64(quarantined(state, seat))
    targets = bits.ZERO
    for target in range(9):
        targets |= ((fitting >> (_SIX * np.uint64(target))) & bits.ONE) << np.uint64(target)
    return targets


@compiled
def legal(state, rules):
    """The legal actions (uint64) of the decision in front of `state.mover`."""
    if state.over:
        return bits.ZERO
    if state.phase == PLACE:
        return legal_places(state, rules, state.mover)
    if state.phase == BOX:
        return legal_boxes(state, state.mover)
    return legal_relocations(state, rules, state.mover)


@compiled
def feeds(state, rules, source):
    """The actions (uint64) of this decision that put a dinosaur where `source` counts it."""
    feeding = rules.source_bits[state.board, source]
    if state.phase == PLACE:
        return feeding
    targets = bits.ZERO
    if state.phase == RELOCATE:
        feeding >>= np.uint64(quarantined(state, state.mover))
        for target in range(9):
            targets |= ((feeding >> (_SIX * np.uint64(target))) & bits.ONE) << np.uint64(target)
    return targets


# ---------------------------------------------------------------------------------------------------------
# What an action does
# ---------------------------------------------------------------------------------------------------------
@compiled
def pile_accepts(state, seat):
    """The PLACE actions (uint64) into the Pyramid: free cells of the open row, no equal neighbour (D25, D26)."""
    n = np.int64(state.filled[seat, 5])
    actions = bits.ZERO
    for i in range(OPEN_CELLS[n]):
        cell = OPEN_FIRST[n] + i
        if state.pile[seat, cell] == 0:
            species = ALL_SPECIES
            for other in range(6):
                if (TOUCHING[cell] >> other) & 1 and state.pile[seat, other] > 0:
                    species &= ~bits.bit(state.pile[seat, other] - 1)
            actions |= species << (_SIX * np.uint64(_PILE_TARGET + i))
    return actions


@compiled
def alternate_accepts(state, rules, seat, pen, species):
    """The species (uint64) that the Well-Ordered Wood accepts after `species` (D5).

    Any other after the first, then the one of the two that was not placed last.
    """
    if state.filled[seat, pen] == 1:
        return ALL_SPECIES & ~bits.bit(species)
    accepted = bits.ZERO
    for k in range(N_SPECIES):
        if k != species and state.zoo[seat, pen, k] > 0:
            accepted = bits.bit(k)
    return accepted


@compiled
def next_accepted(state, rules, seat, pen, target, species):
    """The PLACE actions (uint64) that a pen accepts after `species` was put into it.

    The plain rule: a full pen accepts nothing; ANY what it accepted before; SAME only `species`; DIFFERENT
    what it accepted before but `species`. `flip` and `keep` say which without a branch.
    """
    board = state.board
    shift = _SIX * np.uint64(target)
    is_open = np.int64(state.filled[seat, pen]) < rules.spaces[board, pen]
    species_bit = bits.bit(species)
    wanted = (species_bit ^ rules.flip[board, pen]) | rules.keep[board, pen]
    accepted = (state.accept[seat] >> shift) & ALL_SPECIES & wanted
    if rules.kind[board, pen] == ALTERNATE:
        accepted = alternate_accepts(state, rules, seat, pen, species)
    return (accepted if is_open else bits.ZERO) << shift


@compiled
def put(state, rules, seat, target, species):
    """Put a dinosaur into a pen, and keep what the pens accept up to date."""
    board = state.board
    pen = rules.pen_of[board, target]
    state.zoo[seat, pen, species] += 1
    state.filled[seat, pen] += 1
    if rules.kind[board, pen] == PILE:
        n = np.int64(state.filled[seat, pen]) - 1
        state.pile[seat, OPEN_FIRST[n] + target - _PILE_TARGET] = species + 1
        accepted = pile_accepts(state, seat)
    else:
        accepted = next_accepted(state, rules, seat, pen, target, species)
    state.accept[seat] = (state.accept[seat] & ~rules.pen_bits[board, pen]) | accepted
    closing = rules.closing_bits[board, pen]
    state.empty[seat] &= ~closing
    state.no_rex[seat] &= ~(closing if species == T_REX else bits.ZERO)


@compiled
def place_all(state, rules):
    """Reveal and place what every seat chose, and box with two players."""
    for s in range(state.seats):
        action = state.chosen[s]
        species = action % N_SPECIES
        put(state, rules, s, action // N_SPECIES, species)
        state.owned[s, species] += 1
        state.hand[s] -= one(species)
        if state.seats == 2:
            state.hand[s] -= one(state.chosen_box[s])
            state.boxed[s, state.chosen_box[s]] += 1


@compiled
def pass_hands(state):
    """Every hand goes to the seat on the left."""
    last = state.hand[state.seats - 1]
    for s in range(state.seats - 1, 0, -1):
        state.hand[s] = state.hand[s - 1]
    state.hand[0] = last


@compiled
def next_turn(state, rules):
    """Pass hands and die; deal at the start of a round; the end after twelve turns."""
    pass_hands(state)
    state.turn += 1
    state.roller = state.roller + 1 if state.roller + 1 < state.seats else 0
    if state.turn == N_TURNS:
        state.phase = RELOCATE
        next_relocation(state, rules, 0)
        return
    if state.turn % turns_per_round(state) == 0:
        deal_round(state)
        if rules.die_reset:
            state.roller = 0
    state.phase, state.mover = PLACE, 0
    state.rolls[state.roller] += 1


@compiled
def next_relocation(state, rules, seat):
    """Ask the first seat from `seat` on with a dinosaur in Quarantine; then move them all and end the game."""
    if state.board == WINTER:
        for s in range(seat, state.seats):
            if state.filled[s, QUARANTINE] > 0:
                state.mover = s
                return
        for s in range(state.seats):
            species = quarantined(state, s)
            if species >= 0:
                state.zoo[s, QUARANTINE, species] = 0
                state.filled[s, QUARANTINE] = 0
                put(state, rules, s, state.chosen[s], species)
    if state.game + 1 < rules.n_games:
        bank_game(state, rules)
        state.game += 1
        start_game(state, rules)
    else:
        state.over = 1


@compiled
def apply(state, rules, action):
    """Play an action of the mover; choices of one turn take effect together."""
    s = state.mover
    if state.phase == RELOCATE:
        state.chosen[s] = action
        next_relocation(state, rules, s + 1)
        return
    if state.phase == PLACE:
        state.chosen[s] = action
        if state.seats == 2:
            state.phase = BOX
            return
    else:
        state.chosen_box[s] = action
        state.phase = PLACE
    if s + 1 < state.seats:
        state.mover = s + 1
        return
    place_all(state, rules)
    next_turn(state, rules)
