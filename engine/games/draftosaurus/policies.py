"""Policies of Draftosaurus; those with one idea each are in `specialists`."""

import numpy as np

from engine import bits, rng
from engine.games.draftosaurus.names import (
    ISLAND,
    KING,
    LOOKOUT,
    N_SPECIES,
    PLACE,
    SUMMER,
)
from engine.games.draftosaurus.outlook import N_PLAN, PLAN, plan_summer, survey, turns_left
from engine.games.draftosaurus.outlook_winter import plan_winter, survey_winter
from engine.games.draftosaurus.specialists import (
    PARKED,
    bridge_pairer,
    forest_rusher,
    lookout,
    meadow_collector,
    pyramid_builder,
    t_rex_spreader,
)
from engine.games.draftosaurus.state import held
from engine.games.draftosaurus.values import best_gain, gain_of, left_of
from engine.jit import compiled
from engine.policy import heuristic, policy

__all__ = [
    "bridge_pairer",
    "denier",
    "forest_rusher",
    "greedy",
    "lookout",
    "meadow_collector",
    "planner",
    "pyramid_builder",
    "random",
    "roller",
    "t_rex_spreader",
]

GAME = "draftosaurus"


@policy(GAME)
def random(state, rules, legal, weights):
    """Plays a uniformly random legal action."""
    return bits.select(legal, rng.below(state, bits.count(legal)))


@heuristic(GAME, weights={"parked": PARKED})
def greedy(state, rules, action, weights):
    """Takes the most points at once, and the River when nothing else pays.

    Boxes what would pay the opponent most. Source: the plain reading of the scoring rules.
    """
    return gain_of(state, rules, action, weights[0])


@compiled
def look_around(state, rules, w):
    """What all actions of a PLACE decision share: the survey of the board in play."""
    if state.board == SUMMER:
        return survey(state, rules, state.mover, turns_left(state), w)
    return survey_winter(state, rules, state.mover, turns_left(state), w)


@compiled
def plan_of(state, rules, action, look, w):
    """Points and outlook of a decision of the mover, whatever its phase; boxing and moving out as greedy does."""
    if state.phase != PLACE:
        return gain_of(state, rules, action, 0.0)
    target, k = action // N_SPECIES, action % N_SPECIES
    if state.board == SUMMER:
        return plan_summer(state, rules, state.mover, target, k, turns_left(state), look, w)
    return plan_winter(state, rules, state.mover, target, k, turns_left(state), look, w)


@compiled
def best_plan(state, rules, legal, w, species_bonus, species, pens_bonus, pens):
    """The legal action of the best plan, ties broken at random (int64).

    `species_bonus` points are added for placing `species`, `pens_bonus` for placing into the pens of the mask
    `pens`; -1 and the empty mask for none.
    """
    look = look_around(state, rules, w)
    best, ties, left = -np.inf, bits.ZERO, legal
    while left != bits.ZERO:
        action = bits.lowest(left)
        left = bits.without_lowest(left)
        worth = plan_of(state, rules, action, look, w)
        if action % N_SPECIES == species:
            worth += species_bonus
        if bits.has(pens, action):
            worth += pens_bonus
        if worth > best:
            best, ties = worth, bits.bit(action)
        elif worth == best:
            ties |= bits.bit(action)
    return bits.select(ties, rng.below(state, bits.count(ties)))


@policy(GAME, weights=PLAN)
def planner(state, rules, legal, weights):
    """Takes the placement that leaves the best outlook: points at once and what each pen may still become.

    Early a dinosaur counts with its share of a full pen, late with what it pays at once; King, Island and
    couples with the chance that they pay. Source: our own; the ideas are those of public bots (a lone first
    piece, a Forest of a species in sight, King and Island late).
    """
    return best_plan(state, rules, legal, weights, 0.0, -1, 0.0, bits.ZERO)


ROLL = {
    "wait": (0.5, -10.0, 10.0, "points that a one-space pen is worth less while the seat's own roll is to come"),
    "seize": (0.25, -10.0, 10.0, "points that it is worth more on the seat's own roll"),
}


@compiled
def roll_bonus(state, wait, seize):
    """Points added to a one-space pen: `seize` on the own roll, `-wait` while one is to come, else 0."""
    ahead = state.mover - state.roller if state.mover >= state.roller else state.mover - state.roller + state.seats
    if ahead == 0:
        return seize
    return -wait if ahead <= turns_left(state) else 0.0


@policy(GAME, weights=PLAN | ROLL)
def roller(state, rules, legal, weights):
    """Plans, and keeps King and Island (Winter: the Lookout) for the turn on which it rolls and is not bound.

    Source: artofgoonjitsu.blogspot.com (2019): commit a one-space pen with the next own roll in mind.
    """
    pens = bits.ZERO
    if state.phase == PLACE:
        own = rules.pen_bits[state.board]
        pens = own[KING] | own[ISLAND] if state.board == SUMMER else own[LOOKOUT]
    bonus = roll_bonus(state, weights[N_PLAN], weights[N_PLAN + 1])
    return best_plan(state, rules, legal, weights, 0.0, -1, bonus, pens)


DENY = {
    "deny": (0.2, 0.0, 5.0, "share of the left neighbour's loss that keeping a dinosaur from it is worth"),
    "deny_roll": (0.2, 0.0, 5.0, "likewise when the left neighbour rolls next, and no die binds it"),
}


@compiled
def prize(state, rules):
    """The species in hand that the left neighbour would miss most, and by how many points: (int64, float64).

    The loss is the difference to its next best; with two of the species in hand nothing is lost.
    """
    first, second, which = 0.0, 0.0, np.int64(0)
    hand, left = state.hand[state.mover], left_of(state, state.mover)
    for k in range(N_SPECIES):
        if held(hand, k) > 0:
            worth = best_gain(state, rules, left, k)
            if worth > first:
                first, second, which = worth, first, np.int64(k)
            else:
                second = max(second, worth)
    return which, first - second if held(hand, which) == 1 else 0.0


@policy(GAME, weights=PLAN | DENY)
def denier(state, rules, legal, weights):
    """Plans, and does not pass what the left neighbour wants most.

    Source: spiele-archiv.de and casualgamerevolution.com: watch the collections around, sometimes take a piece
    only to deny it.
    """
    which, loss = np.int64(-1), 0.0
    if state.phase == PLACE and turns_left(state) > 0:
        which, loss = prize(state, rules)
        loss *= weights[N_PLAN + np.int64(state.roller == state.mover)]
    return best_plan(state, rules, legal, weights, loss, which, 0.0, bits.ZERO)
