"""The state record of Draftosaurus, the deal, and what a seat can imagine of it."""

import numpy as np

from engine import bits, rng
from engine.game import state_dtype
from engine.games.draftosaurus.names import (
    DEAL,
    DIE,
    HAND,
    MOST_IN_BAG,
    MOST_SEATS,
    N_CELLS,
    N_CHANCE,
    N_FACES,
    N_PENS,
    N_SOURCES,
    N_SPECIES,
    N_TURNS,
    PLACE,
)
from engine.jit import compiled

STATE = state_dtype(
    N_CHANCE,
    MOST_SEATS,
    [
        ("over", "i8"),  # 1 when nothing is left to decide
        ("game", "i8"),  # 0, or 1 in the second game of "both"
        ("board", "i8"),  # SUMMER or WINTER
        ("turn", "i8"),  # 0 to 11
        ("roller", "i8"),  # the seat that holds the die
        ("drawn", "i8"),  # dinosaurs drawn from the bag so far
        ("hand", "u8", (MOST_SEATS,)),  # one byte a species, species 0 lowest: see `held`
        ("accept", "u8", (MOST_SEATS,)),  # PLACE actions that the pens' own rules allow
        ("empty", "u8", (MOST_SEATS,)),  # PLACE actions into empty pens, and the River
        ("no_rex", "u8", (MOST_SEATS,)),  # PLACE actions into pens without T-Rex, and the River
        ("chosen", "i8", (MOST_SEATS,)),  # secret choices of this turn: PLACE or RELOCATE action
        ("chosen_box", "i8", (MOST_SEATS,)),  # and the species to box
        ("rolls", "i8", (MOST_SEATS,)),  # turns on which the seat held the die
        ("dice", "i1", (2, N_TURNS)),  # face of each turn, by game
        ("bag", "i1", (2, MOST_IN_BAG)),  # species in drawing order, by game
        ("zoo", "i1", (MOST_SEATS, N_PENS, N_SPECIES)),  # dinosaurs by pen and species
        ("filled", "i1", (MOST_SEATS, N_PENS)),  # dinosaurs by pen
        ("owned", "i1", (MOST_SEATS, N_SPECIES)),  # dinosaurs by species
        ("pile", "i1", (MOST_SEATS, N_CELLS)),  # Pyramid: species + 1 in each cell, 0 free
        ("boxed", "i1", (MOST_SEATS, N_SPECIES)),  # two players: what each seat boxed this game
        ("banked_points", "i2", (MOST_SEATS, N_SOURCES)),  # of the first game of "both"
        ("banked_pieces", "i2", (MOST_SEATS, N_SOURCES)),
        ("banked_t_rexes", "i8", (MOST_SEATS,)),
    ],
)

_BYTE = np.uint64(8)
_LOW = np.uint64(0xFF)
_CARRY = np.uint64(0x7F7F7F7F7F7F)
_HIGH = np.uint64(0x808080808080)
_S7, _S40 = np.uint64(7), np.uint64(40)
_GATHER = np.uint64(sum(1 << (40 - 7 * k) for k in range(N_SPECIES)))
_SIX = np.uint64(0x3F)
_SPREAD = np.uint64(sum(1 << (N_SPECIES * t) for t in range(9)))


@compiled
def one(species):
    """A hand (uint64) of one dinosaur."""
    return bits.ONE << (_BYTE * np.uint64(species))


@compiled
def held(hand, species):
    """How many dinosaurs of a species are in a hand (int64)."""
    return np.int64((hand >> (_BYTE * np.uint64(species))) & _LOW)


@compiled
def kinds(hand):
    """The species in a hand, as a mask of six bits (uint64)."""
    some = ((hand + _CARRY) & _HIGH) >> _S7
    return ((some * _GATHER) >> _S40) & _SIX


@compiled
def actions_with(hand):
    """All PLACE actions (uint64) with a species of the hand."""
    return kinds(hand) * _SPREAD


@compiled
def hand_size(state):
    """Dinosaurs in each hand at this decision (int64)."""
    per_round, used = turns_per_round(state), 2 if state.seats == 2 else 1
    return HAND - used * (state.turn % per_round)


@compiled
def turns_per_round(state):
    """Turns of a round: three with two players, six otherwise (int64)."""
    return np.int64(3) if state.seats == 2 else np.int64(6)


@compiled
def draw_bag(state, rules, game):
    """Fill the bag of a game and put it in drawing order."""
    n = np.int64(0)
    for k in range(N_SPECIES):
        for _ in range(rules.bag[state.seats, k]):
            state.bag[game, n] = k
            n += 1
    need = HAND * state.seats * (N_TURNS // turns_per_round(state))
    rng.shuffle(state, DEAL + 2 * game, state.bag[game], 0, need, n)


@compiled
def roll_dice(state, rules, game, first):
    """Roll the die for the turns from `first` on."""
    for turn in range(first, N_TURNS):
        pip = rng.chance(state, DIE + 2 * game, rules.die_odds[N_FACES - 1])
        face = np.int64(0)
        for f in range(N_FACES - 1):
            face += np.int64(pip >= rules.die_odds[f])
        state.dice[game, turn] = face


@compiled
def deal_round(state):
    """Draw six dinosaurs for every seat."""
    for s in range(state.seats):
        hand = bits.ZERO
        for _ in range(HAND):
            hand += one(state.bag[state.game, state.drawn])
            state.drawn += 1
        state.hand[s] = hand


@compiled
def start_game(state, rules):
    """Empty boards, the first hands, the die at seat 0."""
    board = rules.boards[state.game]
    state.board, state.turn, state.roller, state.drawn = board, 0, 0, 0
    state.mover, state.phase = 0, PLACE
    for s in range(state.seats):
        state.accept[s] = state.empty[s] = state.no_rex[s] = rules.all_bits[board]
        state.zoo[s, :, :] = 0
        state.filled[s, :] = 0
        state.owned[s, :] = 0
        state.pile[s, :] = 0
        state.boxed[s, :] = 0
    state.rolls[0] += 1
    deal_round(state)


@compiled
def setup(state, rules):
    """Draw all bags and dice, and stand at the first decision."""
    for game in range(rules.n_games):
        draw_bag(state, rules, game)
        roll_dice(state, rules, game, 0)
    start_game(state, rules)
