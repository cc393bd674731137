"""What each policy prefers, how strong it is, and that none looks at what it cannot know."""

from functools import cache

import numpy as np
import pytest
from games.sauros.sauros_table import Table, tile

import engine
from engine.games.sauros import imagine
from engine.games.sauros.names import PHASES, PLACE, SOURCES
from engine.policy import compile_entry, resolve_entry
from engine.run import make_plan
from engine.transcript import legal_actions, record_game

GAME = engine.load_game("sauros")
NAMES = [name for name in GAME.policies if name != "random"]


def values(name, table, **weights):
    """A heuristic's value of every legal action of a position."""
    entry = resolve_entry(engine.entry(name, weights=weights), GAME)
    value = compile_entry(entry.policy, GAME)
    row = np.zeros(32)
    row[: len(entry.weights)] = entry.weights
    return {a: value(table.state, table.rules, a, row) for a in table.legal()}


def choices(name, table, **weights):
    found = values(name, table, **weights)
    return {a for a, v in found.items() if v == max(found.values())}


# ---------------------------------------------------------------------------------------------------------
# Ideas
# ---------------------------------------------------------------------------------------------------------
def test_greedy__places_for_the_most_points():
    table = Table(3).lay(0, "y1 . . . .  . . . . .").gain(0, "y5 g3")
    assert choices("greedy", table) == {14 * 2 + 1, 14 * 2 + 5}  # a pair of footprints and of yellow


def test_greedy__stops_rather_than_spoil_a_pair_of_footprints():
    table = Table(3, **{"mats.A": ["###"]}).lay(0, "y1 y5 .").gain(0, "p2")
    assert choices("greedy", table) == {63}


def test_greedy__wins_for_a_tile_worth_having():
    table = Table(3).lay(0, "y1 . . . .  . . . . .").trick(["p8 p4", "p7 o1", "p6 o2"], "y5", leader=1).do("p7", "p6")
    assert choices("greedy", table) == {tile("p8")}
    assert choices("greedy", table.do("p8")) == {0}


def test_trump_taker__takes_tricks_and_the_trump_tile():
    table = (
        Table(3).lay(0, "y1 . . . .  . . . . .").trick(["p8 p9 p4", "p7 y5", "y5 o2"], "o4", leader=1).do("p7", "y5")
    )
    assert choices("trump_taker", table) == {tile("p8"), tile("p9")}
    assert choices("trump_taker", table.do("p8")) == {0}


def test_ducker__loses_if_it_can():
    table = Table(3).trick(["p8 p9 p4", "p7 y5", "p6 o2"], "o4", leader=1).do("p7", "p6")
    assert choices("ducker", table) == {tile("p4")}


def test_planner__thinks_of_the_second_tile():
    table = Table(3, **{"mats.A": ["####"]}).lay(0, ". p1 . .").gain(0, "y1 y5")
    assert choices("planner", table) == {14 * 2 + 2, 14 * 3 + 2}
    assert choices("greedy", table) == {14 * k + c for k in (2, 3) for c in (0, 2)}


def test_midnight_die__is_rolled_when_it_may_help():
    table = Table(3, midnight_dice=True).trick(["p6 p4", "p7 o1", "p2 o2"], "o4", leader=1)
    table.state.d4[:3] = [2, 1, 1]
    table.do("p7", 0, "p2", 0, "p6")
    assert choices("greedy", table) == {1}
    assert choices("greedy", table.do(1)) == {0}
    assert choices("ducker", table) == {1}


@cache
def against_greedy(name):
    """300 deals from every seat against three greedy ones; means of the focus and of the others."""
    play = engine.simulate("sauros", [engine.entry(name, label="focus"), *["greedy"] * 3], 1200, 99)
    mine = play.entry == 0
    index = {source: i for i, source in enumerate(SOURCES)}
    return {
        "points": {s: (play.points[mine][:, i].mean(), play.points[~mine][:, i].mean()) for s, i in index.items()},
        "tricks": (play.facts[mine][:, 0].mean(), play.facts[~mine][:, 0].mean()),
    }


def test_ideas__show_in_what_is_scored():
    """The differences are ten standard errors and more of 1,200 games; the limits ask for a part of them."""
    eggs, others = against_greedy("egg_hoarder")["points"]["eggs"]
    assert eggs > others + 2
    footprints, others = against_greedy("footprint_pairer")["points"]["footprints"]
    assert footprints > others + 3
    assert against_greedy("tidy_packer")["points"]["reserve"][0] > against_greedy("greedy")["points"]["reserve"][0]
    tricks, others = against_greedy("ducker")["tricks"]
    assert tricks < others - 2
    tricks, others = against_greedy("trump_taker")["tricks"]
    assert tricks > others


@pytest.mark.parametrize(("focus", "others", "floor"), [("greedy", "random", 0.85), ("planner", "greedy", 0.33)])
def test_strength__is_above_its_floor(focus, others, floor):
    """2,000 four-player games from every seat; the estimate less five standard errors is above the floor."""
    play = engine.simulate("sauros", [focus, *[others] * 3], 2000, 31)
    _, share, error = play.win_shares()[0]
    assert share - 5 * error > floor


def test_bans__keep_symbols_off_the_mat_unless_nothing_else_is_legal():
    plan = make_plan("sauros", [engine.entry("greedy", ban=["teeth"]), *["random"] * 2], 4)
    teeth, n_spared = int(plan.rules.record[0].symbol_tiles[1]), 0
    for index in range(0, 30, 3):
        told = record_game(plan, index)
        for row, state, legal in zip(told.rows, told.states[:-1], told.legal, strict=True):
            if row["seat"] == 0 and row["phase"] == PLACE:
                bearing = [teeth >> max(0, int(t)) & 1 and t >= 0 for t in state.held[0]]
                options = legal_actions(legal)
                clean = [a for a in options if a == 63 or not bearing[a // 14]]
                assert row["action"] in clean or not clean
                n_spared += 0 < len(clean) < len(options)
    assert n_spared > 50


# ---------------------------------------------------------------------------------------------------------
# No peeking
# ---------------------------------------------------------------------------------------------------------
@cache
def decisions_of_every_kind():
    """(rules, state, legal) of decisions, a good number of each kind."""
    small = {"mats": [["###", "##."]] * 6, "midnight_dice": True}
    found = {kind: [] for kind in range(len(PHASES))}
    for seats, rules in ((4, {"midnight_dice": True}), (2, small), (6, small)):
        plan = make_plan("sauros", ["planner", *["random"] * (seats - 1)], 17, rules=rules)
        for index in range(8):
            told = record_game(plan, index)
            for i, row in enumerate(told.rows):
                found[int(row["phase"])].append((plan.rules.record[0], told.states[i : i + 1], told.legal[i]))
    return {kind: rows[:: max(1, len(rows) // 40)] for kind, rows in found.items()}


def says(value, weights, rules, state, legal):
    actions = [a for a in range(64) if int(legal) >> a & 1]
    return [value(state[0], rules, a, weights) for a in actions]


@pytest.mark.parametrize("kind", range(len(PHASES)), ids=PHASES)
@pytest.mark.parametrize("name", NAMES)
def test_policy__does_not_peek_at_any_kind_of_decision(name, kind):
    entry = resolve_entry(name, GAME)
    value = compile_entry(entry.policy, GAME)
    weights = np.zeros(32)
    weights[: len(entry.weights)] = entry.weights
    rows = decisions_of_every_kind()[kind]
    assert len(rows) >= 10
    for rules, state, legal in rows:
        seat = int(state[0].mover)
        before = says(value, weights, rules, state, legal)
        for stream in range(3):
            other = state.copy()
            other[0].own[seat] = [stream + 77, 2 * stream + 1]
            imagine.redeal(other[0], rules, seat)
            other[0].own[seat] = state[0].own[seat]
            assert says(value, weights, rules, other, legal) == before
