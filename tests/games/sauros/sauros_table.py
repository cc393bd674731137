"""Positions of Sauros by name: ``p7`` is purple 7 (p, y, g, o), ``rex``, ``rx2``, ``que``, ``the``, ``ast``."""

import numpy as np

import engine
from engine import rng
from engine.games.sauros import moves, scoring, state
from engine.games.sauros.names import N_SOURCES, NONE, PLACE, PLAY, SOURCES
from engine.games.sauros.tricks import suit_of_trump
from engine.transcript import legal_actions

SPECIALS = {"rex": 40, "rx2": 41, "que": 42, "the": 43, "ast": 44}


def tile(name):
    return SPECIALS[name] if name in SPECIALS else "pygo".index(name[0]) * 10 + int(name[1:])


def tiles(names):
    return sum(1 << tile(name) for name in names.split())


def names_of(mask):
    back = {v: k for k, v in SPECIALS.items()}
    return " ".join(back.get(t) or f"{'pygo'[t // 10]}{t % 10}" for t in range(45) if int(mask) >> t & 1)


class Table:
    """A game of Sauros that stands where a test wants it."""

    def __init__(self, seats, mats="ABCDEF", seed=1, **rules):
        self.rules = engine.load_rules("sauros", rules=rules).record[0]
        self.memory = np.zeros(1, state.STATE)
        self.state = self.memory[0]
        rng.key_streams(self.state, np.uint64(seed), 0, np.arange(seats))
        self.state.seats = seats
        moves.setup(self.state, self.rules)
        for s in range(seats):
            self.state.mat[s] = "ABCDEF".index(mats[s])

    def trick(self, hands, trump, leader=0, number=0):
        """Stand in front of the first tile of a trick."""
        s = self.state
        for seat, hand in enumerate(hands):
            s.hand[seat] = tiles(hand)
        s.trump, s.trick, s.leader, s.mover = tile(trump), number, leader, leader
        s.trump_suit = suit_of_trump(tile(trump))
        s.phase, s.n_played, s.lead, s.trick_tiles = PLAY, 0, NONE, 0
        s.played[:] = NONE
        return self

    def lay(self, seat, picture, reserve=""):
        """Put tiles on a mat from a picture of its cells in reading order, ``.`` for a free one."""
        for cell, name in enumerate(picture.split()):
            if name != ".":
                state.put(self.state, self.rules, seat, tile(name), cell)
        for slot, name in enumerate(reserve.split()):
            state.hold(self.state, seat, slot, tile(name))
        return self

    def gain(self, seat, gained, placements=0):
        """Let a seat stand in front of placing tiles gained."""
        for slot, name in enumerate(gained.split()):
            state.hold(self.state, seat, 2 + slot, tile(name))
        s = self.state
        s.mover, s.winner, s.phase, s.placements, s.asked = seat, seat, PLACE, placements, 0
        self.do()
        return self

    def do(self, *actions):
        """Play actions: a tile's name or a number, each checked to be legal."""
        for action in actions:
            number = tile(action) if isinstance(action, str) else action
            assert number in self.legal(), (action, self.legal())
            moves.apply(self.state, self.rules, number)
        return self

    def legal(self):
        return legal_actions(moves.legal(self.state, self.rules))

    def held(self, seat):
        return " ".join(names_of(1 << int(t)) if t >= 0 else "-" for t in self.state.held[seat])

    def round_points(self):
        """Points by source of each seat if the round ended now."""
        scoring.bank_round(self.state, self.rules)
        table = np.zeros((int(self.state.seats), N_SOURCES), np.int64)
        scoring.score(self.state, self.rules, table)
        return [{name: int(p) for name, p in zip(SOURCES, row, strict=True) if p} for row in table]
