"""Policies of Draftosaurus with one idea each: greedy play, and a liking for one way to score.

`values.gain_of` does the rest: boxing, moving out of Quarantine, and all decisions that the idea says nothing
about. `rush` is in points: how much more a placement of the idea's kind is worth to the policy than it pays.
"""

import numpy as np

from engine.games.draftosaurus.names import (
    BRIDGE_LEFT,
    BRIDGE_RIGHT,
    FOREST,
    KING,
    LOOKOUT,
    MEADOW,
    N_SPECIES,
    PLACE,
    PRAIRIE,
    PYRAMID,
    RIVER,
    SUMMER,
    T_REX,
    TRIO,
)
from engine.games.draftosaurus.outlook import fades, supply, turns_left
from engine.games.draftosaurus.outlook_winter import welcome
from engine.games.draftosaurus.state import held
from engine.games.draftosaurus.values import gain_of, right_of, unmatched
from engine.jit import compiled
from engine.policy import heuristic

GAME = "draftosaurus"
PARKED = (0.9, 0.0, 2.0, "share of its best gain elsewhere that a dinosaur in Quarantine is worth")


@compiled
def pen_of(state, rules, action):
    """The pen that a PLACE action goes to, -1 at the other decisions."""
    return rules.pen_of[state.board, action // N_SPECIES] if state.phase == PLACE else np.int64(-1)


@compiled
def in_sight(state, seat, k):
    """How many of a species the seat has in hand and in its Zoo."""
    return held(state.hand[seat], k) + state.owned[seat, k]


@compiled
def most_in_sight(state, seat):
    """How many the seat has in sight of the species that it has most of."""
    most = np.int64(0)
    for i in range(N_SPECIES):
        most = max(most, in_sight(state, seat, i))
    return most


@heuristic(
    GAME,
    weights={
        "rush": (6.0, 0.0, 50.0, "points that the long pen is worth beyond what it pays at once"),
        "parked": PARKED,
    },
)
def forest_rusher(state, rules, action, weights):
    """Fills the Forest of Sameness, in Winter the Well-Ordered Wood, at any price.

    Starts it with the species most in sight. Source: public bots start a Forest only with a species of which
    three or four are in sight.
    """
    worth, seat = gain_of(state, rules, action, weights[1]), state.mover
    if pen_of(state, rules, action) != FOREST:  # the Wood has the same number
        return worth
    wanted = state.filled[seat, FOREST] > 0 or in_sight(state, seat, action % N_SPECIES) == most_in_sight(state, seat)
    return worth + weights[0] if wanted else worth


@heuristic(
    GAME,
    weights={
        "rush": (3.0, 0.0, 50.0, "points that a new kind is worth beyond what it pays at once"),
        "parked": PARKED,
    },
)
def meadow_collector(state, rules, action, weights):
    """Collects one of each: into the Meadow of Differences; in Winter any new species into a pen.

    Source: public bots pay extra for each new species in the Meadow.
    """
    worth = gain_of(state, rules, action, weights[1])
    pen = pen_of(state, rules, action)
    if state.board == SUMMER:
        return worth + weights[0] if pen == MEADOW else worth
    new = pen >= 0 and pen != RIVER and state.owned[state.mover, action % N_SPECIES] == 0
    return worth + weights[0] if new else worth


@heuristic(
    GAME,
    weights={
        "rush": (3.0, 0.0, 50.0, "points that a pen's first T-Rex is worth beyond what it pays at once"),
        "parked": PARKED,
    },
)
def t_rex_spreader(state, rules, action, weights):
    """Puts a T-Rex into every pen, one each, for the bonus. Source: rulebook, T-Rex Bonus."""
    worth = gain_of(state, rules, action, weights[1])
    pen = pen_of(state, rules, action)
    first = pen >= 0 and pen != RIVER and action % N_SPECIES == T_REX and state.zoo[state.mover, pen, T_REX] == 0
    return worth + weights[0] if first else worth


@heuristic(
    GAME,
    weights={
        "rush": (3.0, 0.0, 50.0, "points that the pen is worth beyond what it pays at once"),
        "welcome": (0.5, 0.0, 5.0, "points for each species that the Pyramid still takes after a placement"),
        "parked": PARKED,
    },
)
def pyramid_builder(state, rules, action, weights):
    """Builds the Pyramid so that it goes on taking many species; in Summer fills the Woody Trio.

    Source: the Trio as the easiest full score, artofgoonjitsu.blogspot.com (2019); the Pyramid is our own.
    """
    worth = gain_of(state, rules, action, weights[2])
    pen, k = pen_of(state, rules, action), action % N_SPECIES
    if state.board == SUMMER:
        return worth + weights[0] if pen == TRIO else worth
    if pen == PYRAMID:
        worth += weights[0] + weights[1] * welcome(state, state.mover, action // N_SPECIES, k)
    return worth


@heuristic(
    GAME,
    weights={
        "hope": (0.8, 0.0, 2.0, "share of a couple's points that a first dinosaur is worth if a mate is sure"),
        "parked": PARKED,
    },
)
def bridge_pairer(state, rules, action, weights):
    """Pairs couples across the Lovers' Bridge, in Summer in the Prairie of Love.

    A first dinosaur is worth the mate that the unseen supply may still send. Source: public bots pay for a
    mate still in hand; the supply is our own.
    """
    worth, seat = gain_of(state, rules, action, weights[1]), state.mover
    pen, k = pen_of(state, rules, action), action % N_SPECIES
    couple = 0.0
    if state.board == SUMMER and pen == PRAIRIE and not state.zoo[seat, PRAIRIE, k] & 1:
        couple = np.float64(rules.couple_points)
    elif state.board != SUMMER and pen in (BRIDGE_LEFT, BRIDGE_RIGHT) and unmatched(state, seat, pen, k) <= 0:
        couple = np.float64(rules.bridge_points)
    if couple != 0.0:
        worth += weights[0] * couple * min(1.0, 3.0 * supply(state, rules, seat, k)) * fades(turns_left(state), 1.0)
    return worth


@heuristic(
    GAME,
    weights={
        "enough": (3.0, 0.0, 12.0, "dinosaurs of a species that must be there before the one space is spent"),
        "late": (9.0, 0.0, 12.0, "turn, from 0, from which it takes the space whatever is there"),
        "parked": PARKED,
    },
)
def lookout(state, rules, action, weights):
    """Watches before it climbs: spends the Lookout on a species of which the right neighbour has enough.

    In Summer the King likewise, on a species that it has enough of itself. Source: public bots crown a King
    only from three of a species.
    """
    worth, seat = gain_of(state, rules, action, weights[2]), state.mover
    pen, k = pen_of(state, rules, action), action % N_SPECIES
    if state.turn >= weights[1]:
        return worth
    if state.board == SUMMER and pen == KING and state.owned[seat, k] + 1 < weights[0]:
        return -1.0 + 0.001 * worth
    if state.board != SUMMER and pen == LOOKOUT and state.owned[right_of(state, seat), k] < weights[0]:
        return -1.0 + 0.001 * worth
    return worth
