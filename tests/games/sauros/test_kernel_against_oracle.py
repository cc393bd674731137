"""The compiled game against the plain reference, decision by decision."""

import numpy as np
import pytest
from oracles.sauros import PLAY, REWARD, Sauros, cells, default_rules

from engine.run import make_plan
from engine.transcript import legal_actions, record_game

LETTERS = {"E": 0, "T": 1, "F": 2, "B": 3}
HOUSE_RULES = {
    "printed": {},
    "plain": {"special_tiles": False, "cap_groups_at_5": True},
    "midnight": {"midnight_dice": True, "two_player_hand": 6},
    "readings": {"asteroid_replacement_is_trump": False, "zero_beats_any_nine": True, "midnight_dice": True},
    "big_mats": {
        "mats": [["#######", "#######"], ["##############"], ["####", "#..#", "#..#", "####"]]
        + [["###", "###", "###", "###", "##."], ["#.#.#", "#####", "#.#.#"], [".#####.", "#######"]],
        "symbols": [
            ["EE", "T", "F", "B", "E", "", "F", "B", "E", "TT"],
            ["FF", "F", "B", "E", "T", "F", "BB", "E", "T", ""],
        ]
        + [
            ["FB", "B", "EE", "T", "FF", "B", "E", "T", "F", "B"],
            ["BB", "EB", "T", "F", "B", "E", "T", "FF", "B", "EE"],
        ],
    },
    "small_mats": {"mats": [["#"], ["##"], ["#", "#", "#"], ["##", "##"], [".#.", "###"], ["###", "###"]]},
}


def tiles(mask):
    return [t for t in range(45) if int(mask) >> t & 1]


class RecordedChance:
    """The chance of a recorded game, read from its states."""

    def __init__(self, game):
        self.states, self.rows, self.ply, self.oracle = game.states, game.rows, 0, None
        self.rounds = [[s for s in game.states[:-1] if s.round_no == r] for r in range(int(game.states[0].n_ring))]

    def deck(self, round):
        first, last = self.rounds[round][0], self.rounds[round][-1]
        deck = [int(t) for t in first.deck if t >= 0][: 45 if 44 in first.deck else 42]
        self.middle = sorted(deck[int(first.drawn) :])
        self.later = [int(t) for t in last.deck]
        self.drawn = int(first.drawn)
        return deck

    def draw_middle(self, n_tiles):
        """The tile that the kernel drew, as an index of the oracle's middle."""
        before, after = self.states[self.ply], self.states[self.ply + 1]
        if before.phase == 0 and int(before.exchanged[before.mover]) == 0 and self.exchanging:
            tile = self.exchanging.pop(0)
        else:
            tile = self.later[self.drawn]
            self.drawn += 1
        assert after is not None
        return self.oracle.middle.index(tile)

    def start(self, ply, action):
        """Note which tiles an exchange draws; the others come in the order of the mixed deck."""
        self.ply, state = ply, self.states[ply]
        n = int(state.n_aside[state.mover]) + (action != 63)
        self.exchanging = [int(t) for t in state.deck[state.drawn : state.drawn + n]] if state.phase == 0 else []

    def bot_die(self):
        state = self.states[self.ply]
        return int(state.bot_die[state.trick])

    def bot_removes(self, n_tiles):
        state = next(s for s in self.states[self.ply + 1 :] if s.bot_tiles != self.states[self.ply].bot_tiles)
        mine = self.oracle.bot_tiles
        (gone,) = [t for t in mine if t not in tiles(state.bot_tiles)]
        return mine.index(gone)

    def d4(self):
        state = self.states[self.ply]
        return int(state.d4[state.mover])


def oracle_of(plan, game):
    values = plan.rules.values
    rules = {**default_rules(), **{name: values[name] for name in default_rules() if name != "symbols"}}
    for tile in range(40):
        rules["symbols"][tile] = tuple(LETTERS[x] for x in values["symbols"][tile // 10][tile % 10])
    mats = [cells(" ".join(values["mats"][m])) for m in game.states[0].mats if m >= 0]
    chance = RecordedChance(game)
    oracle = Sauros.__new__(Sauros)
    chance.oracle = oracle
    oracle.__init__(len(plan.entries), rules, mats, chance)
    return oracle, chance


def compare(oracle, state, at):
    for s in range(oracle.seats):
        assert oracle.hand(s) == tiles(state.hand[s]), at
        assert oracle.mat(s) == {c: int(t) for c, t in enumerate(state.tile[s]) if t >= 0}, at
        assert oracle.held(s) == [int(t) if t >= 0 else None for t in state.held[s]], at
        assert oracle.scores()[s] == state.totals[s], at
    assert (oracle.round, oracle.trick, oracle.starter) == (state.round_no, state.trick, state.starter), at
    assert sorted(oracle.bot_tiles) == tiles(state.bot_tiles), at
    if oracle.phase in (PLAY, REWARD):
        assert oracle.leader == state.leader or oracle.phase == REWARD, at
        assert oracle.trump == state.trump, at
        assert (-1 if oracle.trump_suit is None else oracle.trump_suit) == state.trump_suit, at
        assert oracle.played == {s: int(t) for s, t in enumerate(state.played) if t >= 0}, at


def follow(seats, house, index, lineup=None, seed=7):
    """Play one game in both and compare at every ply; the decisions as rows."""
    lineup = lineup or ["random"] * seats
    plan = make_plan("sauros", lineup, seed, rules=HOUSE_RULES[house], seats="fixed")
    game = record_game(plan, index)
    oracle, chance = oracle_of(plan, game)
    for ply, row in enumerate(game.rows):
        at = (seats, house, index, ply)
        assert (oracle.mover, oracle.phase) == (row["seat"], row["phase"]), at
        assert oracle.legal() == legal_actions(game.legal[ply]), at
        compare(oracle, game.states[ply], at)
        chance.start(ply, int(row["action"]))
        oracle.apply(int(row["action"]))
    assert oracle.over
    play = game.result
    for s in range(seats):
        points = oracle.points()[s]
        assert [points[x] for x in play.sources] == list(play.points[0, s])
        assert play.score[0, s] == sum(points.values())
        facts = dict(zip(play.fact_names, play.facts[0, s], strict=True))
        assert facts["tricks_won"] == oracle.tricks()[s]
        by_mat = {"abcdef"[m]: p for m, p in zip(game.states[0].mats, oracle.points_by_mat()[s], strict=False)}
        had = {"abcdef"[game.states[0].mats[(s - r) % oracle.at_table]] for r in range(oracle.rounds)}
        for m in "abcdef":
            assert facts[f"mat_{m}"] == (by_mat[m] if m in had else 0)
            assert facts[f"used_{m}"] == (m in had)
        assert play.share[0, s] == np.float32(oracle.shares()[s])
    return game.rows


@pytest.mark.parametrize("house", HOUSE_RULES)
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_kernel__agrees_with_the_oracle_at_every_ply(seats, house):
    for index in range(12):
        follow(seats, house, index)


def test_agreement__covers_every_kind_of_decision():
    games = [follow(seats, house, 50) for seats in (2, 3, 6) for house in ("small_mats", "midnight", "big_mats")]
    assert set(np.concatenate([rows["phase"] for rows in games])) == set(range(8))


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_kernel__agrees_with_the_oracle_when_policies_play(seats):
    lineup = ["planner", "ducker", "egg_hoarder", "trump_taker", "tidy_packer", "footprint_pairer"][:seats]
    for house in ("printed", "readings"):
        for index in range(10):
            follow(seats, house, index, lineup, seed=8)
