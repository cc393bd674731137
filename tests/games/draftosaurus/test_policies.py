"""What each policy prefers in literal positions, and how strong it is.

Letters: R T-Rex, T Triceratops, S Spinosaurus, G Stegosaurus, P Parasaurolophus, B Brachiosaurus.
"""

import numpy as np
import pytest

import engine
from engine import rng
from engine.games.draftosaurus import GAME, moves, policies
from engine.games.draftosaurus.names import PENS, TARGET_PEN
from engine.policy import compile_entry, resolve_entry
from engine.run import make_plan, new_scratch
from engine.transcript import legal_actions, record_game

LETTERS = "RTSGPB"
SUMMER = ("forest", "trio", "king", "prairie", "meadow", "island", "river")
WINTER = ("wood", "left", "quarantine", "lookout", "right", "pyramid", "pyramid", "pyramid", "river")
WOODLANDS, GRASSLANDS, FOOD_COURT, RESTROOMS, EMPTY, WATCH = range(6)
POLICIES = [name for name in GAME.policies if name != "random"]
TARGETS = {"summer": SUMMER, "winter": WINTER}


def resolved(name, weights):
    """A policy's entry and its row of weights."""
    entry = resolve_entry(engine.entry(name, weights=weights), GAME)
    row = np.zeros(32)
    row[: len(entry.weights)] = entry.weights
    return entry, row


class Position:
    """A decision of seat 0 with these zoos, hand, turn, and die; the roller is free."""

    def __init__(self, hand, *zoos, board="summer", seats=4, turn=5, face=WOODLANDS, roller=0, **rules):
        self.record = engine.load_rules("draftosaurus", board, rules).record[0]
        self.names = TARGETS[board]
        self.state = new_scratch(GAME).states[0]
        state = self.state
        state.seats = seats
        rng.key_streams(state, np.uint64(1), 0, np.arange(seats))
        GAME.functions["setup"](state, self.record)
        state.turn, state.roller, state.dice[0, turn] = turn, roller, face
        state.hand[0] = sum(1 << 8 * LETTERS.index(letter) for letter in hand)
        for s, pens in enumerate(zoos):
            for pen, letters in pens.items():
                for i, letter in enumerate(letters):
                    self.put(s, pen, i, LETTERS.index(letter))

    def put(self, seat, pen, i, species):
        cell = (0, 1, 2, 0, 1, 0)[i] if pen == "pyramid" else 0
        moves.put(self.state, self.record, seat, self.names.index(pen) + cell, species)
        self.state.owned[seat, species] += 1

    def legal(self):
        return GAME.functions["legal"](self.state, self.record)

    def values(self, name, **weights):
        """The value of every legal action to a heuristic, or to the planner."""
        entry, row = resolved(name, weights)
        if name == "planner":
            look = policies.look_around(self.state, self.record, row)
            return {a: policies.plan_of(self.state, self.record, a, look, row) for a in legal_actions(self.legal())}
        compiled = compile_entry(entry.policy, GAME)
        return {a: compiled(self.state, self.record, a, row) for a in legal_actions(self.legal())}

    def best(self, name, **weights):
        """The actions that a policy may choose, by name: "meadow T" at PLACE, "T" at BOX, "wood" at RELOCATE."""
        entry, row = resolved(name, weights)
        if entry.policy.is_heuristic:
            values = self.values(name, **weights)
            return {self.name(a) for a, value in values.items() if value == max(values.values())}
        choose = compile_entry(entry.policy, GAME)
        return {self.name(int(choose(self.state, self.record, self.legal(), row))) for _ in range(20)}

    def name(self, action):
        if self.state.phase == 0:
            return f"{self.names[action // 6]} {LETTERS[action % 6]}"
        return LETTERS[action] if self.state.phase == 1 else self.names[action]


def test_targets__are_those_of_the_game():
    for board, names in enumerate((SUMMER, WINTER)):
        assert [PENS[board][pen] for pen in TARGET_PEN[board]][-1] == "River"
        assert len(names) == len(TARGET_PEN[board])


# ---------------------------------------------------------------------------------------------------------
# Preferences
# ---------------------------------------------------------------------------------------------------------
def test_greedy__takes_the_most_points_now():
    assert Position("T", {"trio": "TS", "island": "B"}).best("greedy") == {"king T", "trio T"}
    assert Position("T", {"trio": "TS", "island": "B"}, {"river": "TTT"}).best("greedy") == {"trio T"}
    assert Position("T", {"prairie": "T", "king": "B", "island": "S"}).best("greedy") == {"prairie T"}
    assert Position("B", {"meadow": "TSGP", "king": "T", "island": "R"}, {"river": "B"}).best("greedy") == {"meadow B"}


def test_greedy__takes_the_river_when_nothing_pays():
    position = Position("T", {"forest": "S", "meadow": "T", "king": "S", "island": "P"}, face=FOOD_COURT, roller=1)
    assert position.best("greedy") == {"river T"}


def test_greedy__reads_the_rules_in_force():
    zoo = {"trio": "TS", "king": "S", "island": "B"}
    assert Position("T", zoo).best("greedy") == {"trio T"}
    assert Position("T", zoo, trio_points=1).best("greedy") == {"forest T"}
    assert Position("T", zoo, forest_points=[0, 9, 9, 9, 9, 9, 9]).best("greedy") == {"forest T"}
    assert Position("T", zoo, trio_points=0, river_points=3).best("greedy") == {"river T"}
    kings = {"island": "B", "forest": "S", "trio": "TTT"}
    assert Position("T", kings, {"river": "TTTT"}).best("greedy") == {"king T"}
    assert Position("T", kings, {"river": "TTTT"}, king_strict=True).best("greedy") == {"meadow T", "river T"}


def test_greedy__does_not_spoil_its_island():
    zoo = {"island": "T", "king": "S"}
    assert Position("TS", zoo, turn=10).best("greedy") == {"forest S"}
    assert Position("T", {"forest": "T", **zoo}, turn=10).best("greedy") == {"forest T"}


def test_greedy__boxes_what_pays_the_opponent_most():
    position = Position("TSG", {}, {"trio": "TT", "king": "B", "island": "R", "prairie": "S"}, seats=2)
    position.state.phase, position.state.chosen[0] = 1, 6 * 6 + 1
    position.state.owned[0] += 9  # no species is new or ahead for the opponent's one-space pens
    assert position.best("greedy") == {"S", "G"}
    position = Position("TSG", {}, {"trio": "T", "king": "B", "island": "R", "prairie": "S"}, seats=2)
    position.state.phase, position.state.chosen[0] = 1, 6 * 6 + 1
    assert position.best("greedy") == {"S"}


def test_greedy__parks_what_the_die_keeps_out():
    zoo = {"wood": "TGTGT", "pyramid": "TGS", "lookout": "R"}
    position = Position("GR", zoo, board="winter", face=GRASSLANDS, roller=1, turn=11)
    assert position.best("greedy") == {"quarantine G"}


@pytest.mark.parametrize("name", [n for n in POLICIES if n != "lookout"])
def test_relocate__goes_where_it_pays_most(name):
    position = Position("", {"wood": "TGTGT", "quarantine": "G", "lookout": "R"}, board="winter", turn=11)
    position.state.phase = 2
    assert position.best(name) == {"wood"}
    position = Position("", {"wood": "TGTG", "quarantine": "G", "left": "G"}, board="winter", turn=11)
    position.state.phase = 2
    assert position.best(name) == {"right"}


@pytest.mark.parametrize("name", ["planner", "denier", "roller"])
def test_planner__plays_the_last_turn_for_points(name):
    zoo = {"trio": "TS", "king": "S", "island": "B", "meadow": "TSG", "forest": "TT"}
    assert Position("T", zoo, turn=11).best(name) == {"trio T"}
    assert Position("P", zoo, turn=11, trio_points=0).best(name) == {"meadow P"}
    assert Position("T", zoo, turn=11, trio_points=0).best(name) == {"forest T"}


def test_planner__values_what_a_pen_may_become():
    early = Position("T", {"king": "S", "island": "B"}, turn=2)
    late = Position("T", {"king": "S", "island": "B"}, turn=11)
    trio = early.names.index("trio") * 6 + 1
    assert early.values("planner")[trio] > 1.5
    assert late.values("planner")[trio] == 0
    assert early.values("planner")[trio] < Position("T", turn=2, trio_points=14).values("planner")[trio]


def test_planner__prefers_a_plentiful_species_for_its_forest():
    rare = Position("TS", {"forest": ""}, {"river": "TTTT"}, {"river": "TT"}, turn=4)
    values = rare.values("planner")
    assert values[2] > values[1]
    values = rare.values("planner", supply=0.0)
    assert values[2] == values[1]


def test_planner__does_not_crown_a_king_that_will_not_lead():
    ahead = Position("T", {"river": "TTTT"}, {"river": "T"}, turn=9)
    behind = Position("T", {"river": "T"}, {"river": "TTTT"}, turn=9)
    king = ahead.names.index("king") * 6 + 1
    assert ahead.values("planner")[king] > 3
    assert behind.values("planner")[king] < 0


def test_denier__keeps_what_the_left_neighbour_wants():
    neighbour = {"prairie": "T", "king": "B", "island": "P", "trio": "SGP"}
    position = Position("TSGP", {"trio": "BBB", "king": "B", "island": "R", "meadow": "TSGP"}, neighbour, turn=6)
    assert {best.split()[1] for best in position.best("denier", deny=5.0)} == {"T"}
    pens = {"trio": "BBB", "king": "B", "island": "R", "meadow": "TSGP", "forest": "BBBBBB", "prairie": "BBBBBB"}
    assert Position("TSGP", pens, neighbour).best("denier") == {"river T"}
    assert Position("TTSG", pens, neighbour).best("denier") == {"river T", "river S", "river G"}


def test_denier__counts_a_neighbour_that_rolls_next_apart():
    neighbour = {"prairie": "T", "king": "B", "island": "P", "trio": "SGP"}
    pens = {"trio": "BBB", "king": "B", "island": "R", "meadow": "TSGP", "forest": "BBBBBB", "prairie": "BBBBBB"}
    mine, other = Position("TS", pens, neighbour, roller=0), Position("TS", pens, neighbour, roller=1)
    assert mine.best("denier", deny=0.0, deny_roll=2.0) == {"river T"}
    assert other.best("denier", deny=0.0, deny_roll=2.0) == {"river S", "river T"}


def test_forest_rusher__goes_on_with_its_forest():
    assert Position("TP", {"forest": "PPPP", "trio": "SS"}).best("forest_rusher") == {"forest P"}
    assert Position("TPPS", turn=0).best("forest_rusher") == {"forest P"}
    winter = Position("TGS", {"wood": "TGT"}, {"river": "SSS"}, board="winter", turn=4)
    assert winter.best("forest_rusher") == {"wood G"}


def test_meadow_collector__collects_one_of_each():
    assert Position("TP", {"meadow": "TSG", "king": "B", "island": "R"}).best("meadow_collector") == {"meadow P"}
    new = Position("TG", {"river": "T", "wood": "B"}, board="winter").best("meadow_collector")
    assert {name.split()[1] for name in new} == {"G"}


def test_t_rex_spreader__puts_a_t_rex_into_every_pen():
    zoo = {"forest": "R", "king": "R", "island": "B", "trio": "R", "meadow": "R"}
    assert Position("RRT", zoo).best("t_rex_spreader") == {"prairie R"}
    assert Position("RRT", zoo).best("greedy") != {"prairie R"}


def test_roller__waits_for_its_own_roll():
    zoo = {"river": "TTT", "trio": "GG"}
    bound = Position("T", zoo, turn=9, roller=3)  # rolls on turn 10
    free = Position("T", zoo, turn=9, roller=0)
    done = Position("T", zoo, turn=9, roller=1)  # rolls no more
    assert free.best("roller", wait=10.0, seize=10.0) == {"king T"}
    assert free.best("roller", wait=10.0, seize=-10.0) == {"trio T"}
    assert done.best("roller", wait=10.0, seize=10.0) == done.best("planner")
    bound.state.dice[0, 9] = EMPTY
    assert bound.best("roller", wait=10.0, seize=10.0).isdisjoint({"king T", "island T"})
    bound.state.roller = 0
    assert bound.best("roller", wait=10.0, seize=10.0) == {"king T"}


def test_pyramid_builder__keeps_the_pyramid_open_to_many_species():
    first = Position("T", board="winter").values("pyramid_builder")
    assert first[5 * 6 + 1] == first[7 * 6 + 1] > first[6 * 6 + 1]
    second = Position("TS", {"pyramid": "T"}, board="winter").values("pyramid_builder")
    assert second[7 * 6 + 1] == second[6 * 6 + 2] > second[7 * 6 + 2]
    third = Position("G", {"pyramid": "TSG"}, {}, {}, {"river": "G"}, board="winter").values("pyramid_builder")
    assert third[5 * 6 + 3] == max(third.values())


def test_pyramid_builder__fills_the_trio_in_summer():
    assert Position("TS", {"trio": "GG"}, turn=2).best("pyramid_builder") == {"trio T", "trio S"}


def test_bridge_pairer__starts_and_closes_couples():
    zoo = {"left": "T", "lookout": "S", "wood": "TG"}
    assert Position("TB", zoo, board="winter").best("bridge_pairer") == {"right T"}
    bound = Position("BB", zoo, board="winter", turn=2, face=WOODLANDS, roller=1)
    assert bound.best("bridge_pairer") == {"left B"}
    assert bound.best("greedy") != {"left B"}
    zoo = {"king": "T", "island": "S", "trio": "G"}  # a Triceratops less is to come
    assert Position("BT", zoo, turn=2).best("bridge_pairer") == {"prairie B"}


def test_lookout__waits_until_the_right_neighbour_has_enough():
    lookout = WINTER.index("lookout") * 6 + 1
    few = Position("TS", {}, {}, {}, {"river": "TT"}, board="winter").values("lookout")
    enough = Position("TS", {}, {}, {}, {"river": "TTT"}, board="winter").values("lookout")
    late = Position("TS", {}, {}, {}, {"river": "TT"}, board="winter", turn=10).values("lookout")
    assert few[lookout] < 0
    assert enough[lookout] == 6
    assert late[lookout] == 4


def test_planner__sees_the_right_neighbour_for_the_lookout():
    best = Position("TS", {"wood": "TG"}, {}, {}, {"river": "SSSSS"}, board="winter", turn=8).best("planner")
    assert best == {"lookout S"}
    none = Position("TS", {"wood": "TG"}, {"river": "SSSSS"}, {}, {}, board="winter", turn=8).best("planner")
    assert none != {"lookout S"}


# ---------------------------------------------------------------------------------------------------------
# Honest players: legal moves, nothing written, nothing hidden read
# ---------------------------------------------------------------------------------------------------------
CASES = [("summer", 4, {}), ("winter", 3, {}), ("both", 2, {}), ("summer", 2, {"box_hidden": True})]


@pytest.mark.parametrize(("variant", "seats", "rules"), CASES)
@pytest.mark.parametrize("name", list(GAME.policies))
def test_policy__chooses_alike_whatever_is_hidden_and_writes_nothing(name, variant, seats, rules):
    entry = resolve_entry(name, GAME)
    compiled, row = compile_entry(entry.policy, GAME), np.zeros(32)
    row[: len(entry.weights)] = entry.weights
    plan = make_plan("draftosaurus", [name] * seats, 77, variant=variant, rules=rules)
    told = record_game(plan, 0)
    record = plan.rules.record[0]

    def says(state, legal):
        """Its action, or its values; the state must be as before, but for its own stream."""
        before = state.tobytes()
        own = state[0].own.copy()
        if entry.policy.is_heuristic:
            answer = [compiled(state[0], record, a, row) for a in legal_actions(legal)]
            assert not any(np.isnan(answer))
        else:
            answer = int(compiled(state[0], record, legal, row))
            assert answer in legal_actions(legal)
        state[0].own = own
        assert state.tobytes() == before
        return answer

    for i, legal in enumerate(told.legal):
        state = np.frombuffer(bytearray(told.states[i : i + 1].tobytes()), told.states.dtype)
        other = np.frombuffer(bytearray(state.tobytes()), state.dtype)
        seat = int(state[0].mover)
        other[0].own[seat] = 5, 7
        GAME.functions["redeal"](other[0], record, seat)
        other[0].own[seat] = state[0].own[seat]
        assert says(other, legal) == says(state, legal)


# ---------------------------------------------------------------------------------------------------------
# Strength: seeds were fixed before the first run and are not those of the tuning
# ---------------------------------------------------------------------------------------------------------
GAMES, SEED = 8000, 2026


def share_of(focus, field, variant, seats):
    """Win share of one seat and its standard error, clustered by deal; seats rotated."""
    play = engine.simulate("draftosaurus", [focus] + [field] * (seats - 1), GAMES, SEED, variant=variant)
    return play.win_shares()[0][1:]


@pytest.mark.parametrize(
    ("focus", "field", "floor"),
    [("greedy", "random", 0.85), ("denier", "random", 0.98), ("denier", "greedy", 0.50)],
)
def test_strength__summer_floor_for_four_players(focus, field, floor):
    """n = 8,000 games of 2,000 deals; null: the true share is at least the floor; limit: five standard errors."""
    share, error = share_of(focus, field, "summer", 4)
    assert share > floor - 5 * error


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("variant", ["summer", "winter"])
def test_strength__the_best_beats_greedy_at_every_table(variant, seats):
    """n = 8,000 games; null: no better than even; the share must lie five standard errors above it."""
    share, error = share_of("denier", "greedy", variant, seats)
    assert share > 1 / seats + 5 * error


@pytest.mark.parametrize("name", POLICIES)
@pytest.mark.parametrize("variant", ["summer", "winter"])
def test_strength__every_idea_beats_random(variant, name):
    """n = 8,000 games; null: at most half of the wins among three random players (even is a quarter)."""
    share, error = share_of(name, "random", variant, 4)
    assert share > 0.5 + 5 * error
