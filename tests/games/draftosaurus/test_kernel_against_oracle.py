"""The compiled game against the plain reference, decision by decision."""

import numpy as np
import pytest
from oracles.draftosaurus import Draftosaurus

from engine.run import make_plan
from engine.transcript import legal_actions, record_game

HOUSE_RULES = {
    "printed": {},
    "die_reset": {"die_reset": True},
    "numbers": {
        "king_strict": True,
        "forest_points": [1, 3, 3, 9, -4, 20],
        "forest_size": 5,
        "trio_size": 2,
        "trio_points": -3,
        "prairie_size": 4,
        "couple_points": 9,
        "meadow_size": 4,
        "meadow_points": [0, 4, 5, 1, 8],
        "wood_size": 4,
        "wood_points": [2, 1, 7, 8, 3],
        "bridge_size": 2,
        "bridge_points": 11,
        "lookout_points": -1,
        "pyramid_points": [5, 1, 30],
        "t_rex_points": 4,
        "river_points": 2,
        "king_points": 12,
        "island_points": 3,
    },
    "bags": {
        "bag_2": [20, 1, 9, 9, 9, 9],
        "bag_3": [16, 4, 4, 4, 4, 4],
        "bag_4": [0, 20, 20, 20, 10, 10],
        "bag_5": [30, 30, 0, 0, 0, 1],
        "die_odds": [0, 1, 2, 0, 5, 9],
    },
}
LINEUP = ["random", "random", "random", "random", "random"]


def hand_list(word):
    return [k for k in range(6) for _ in range((int(word) >> (8 * k)) & 255)]


def zoo_lists(state, seat):
    return [sorted(k for k in range(6) for _ in range(pen[k])) for pen in state.zoo[seat]]


def follow(variant, seats, house, index, lineup=None):
    """Play one game in both and compare at every ply; the number of decisions."""
    lineup = lineup or LINEUP[:seats]
    plan = make_plan("draftosaurus", lineup, 7, variant=variant, rules=HOUSE_RULES[house], seats="fixed")
    game = record_game(plan, index)
    first = game.states[0]
    boards = 2 if variant == "both" else 1
    bags = [list(map(int, first.bag[g])) for g in range(boards)]
    oracle = Draftosaurus(seats, dict(plan.rules.values), bags, [list(map(int, first.dice[g])) for g in range(boards)])
    for ply, row in enumerate(game.rows):
        state = game.states[ply]
        at = (variant, seats, house, index, ply)
        assert (oracle.mover, oracle.phase) == (row["seat"], row["phase"]), at
        assert oracle.legal() == legal_actions(game.legal[ply]), at
        for s in range(seats):
            assert oracle.hand(s) == hand_list(state.hand[s]), at
            assert [sorted(pen) for pen in oracle.zoo(s)] == zoo_lists(state, s), at
        oracle.apply(int(row["action"]))
    assert oracle.over
    play = game.result
    for s in range(seats):
        points, pieces = oracle.points()[s], oracle.pieces()[s]
        assert [points[x] for x in play.sources] == list(play.points[0, s])
        assert [pieces[x] for x in play.sources] == list(play.pieces[0, s])
        assert play.score[0, s] == sum(points.values())
        assert list(play.facts[0, s]) == [oracle.rolls()[s], oracle.t_rexes()[s]]
        assert play.share[0, s] == np.float32(oracle.shares()[s])
    return len(game.rows)


@pytest.mark.parametrize("house", HOUSE_RULES)
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("variant", ["summer", "winter", "both"])
def test_kernel__agrees_with_the_oracle_at_every_ply(variant, seats, house):
    assert sum(follow(variant, seats, house, index) for index in range(20)) >= 20 * 12 * seats
