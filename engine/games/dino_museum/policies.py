"""Policies of Dino Museum, each with an idea of its own; their weights are data.

A bone goes where it brings a column nearest to completion, times what the column is worth; pieces go where the
museum promises most. The ideas differ in what is worth something and in how nearness is measured. The first ten
weights are common: `JUDGEMENT`.
"""

import numpy as np

from engine import bits, rng
from engine.games.dino_museum.bag import draws_needed, fill_chance
from engine.games.dino_museum.choosing import best_bone, best_denial, best_piece
from engine.games.dino_museum.moves import can_apply
from engine.games.dino_museum.names import BONE, PUBLICATION, REINFORCEMENTS, SPEED_UP, TAKE, VISITOR_COLUMN
from engine.games.dino_museum.values import column_gain, fitting_elements, refill_gain, taste_of
from engine.jit import compiled
from engine.policy import policy

GAME = "dino_museum"

JUDGEMENT = {
    "dinosaurs": (1.0, 0, 10, "care for the points of dinosaurs, times what they score"),
    "visitors": (1.0, 0, 10, "care for the points of visitors"),
    "fossils": (1.0, 0, 10, "care for the points of fossils"),
    "research": (1.0, 0, 10, "care for the points of research tiles"),
    "hope": (0.4, 0, 1, "how likely an empty museum space becomes what is needed, at the start"),
    "slot": (0.2, 0, 1, "share of a fossil's points that an empty space promises, per class around it"),
    "fading": (1.0, 0, 10, "how fast hope fades towards the last round"),
    "patience": (0.45, 0, 1, "what a column keeps of its worth per draw that it still needs"),
    "tempo": (0.1, -5, 5, "what a free draw is worth"),
    "refill": (0.6, 0, 5, "care for the columns that Reinforcements empties"),
}
PATIENCE, TEMPO, REFILL, OWN = 7, 8, 9, 10  # places of weights; a policy's own ones start at OWN


def judgement(**changes):
    """The common weights with other defaults."""
    return {name: (changes.get(name, given[0]), *given[1:]) for name, given in JUDGEMENT.items()}


@compiled
def column_worth(state, rules, column, gains, weights):
    """What completing a column is worth: its best piece, a free draw, or the columns won back."""
    taste = taste_of(state, rules, weights)
    if column == SPEED_UP:
        return weights[TEMPO]
    if column == REINFORCEMENTS:
        again = refill_gain(state, rules, state.mover, weights[PATIENCE], gains, taste)
        return weights[TEMPO] + weights[REFILL] * again
    return column_gain(state, rules, state.mover, column, gains, taste)


@compiled
def patient(state, rules, column, filled, tied, bag, weights):
    """Nearness: `patience` to the power of the draws that the column still needs."""
    return weights[PATIENCE] ** draws_needed(rules, column, filled, tied, bag)


@policy(GAME)
def random(state, rules, legal, weights):
    """Plays a uniformly random legal action."""
    return bits.select(legal, rng.below(state, bits.count(legal)))


@policy(GAME, weights=judgement())
def greedy(state, rules, legal, weights):
    """Places the bone where it adds most expected points, given the bag; takes and puts what promises most."""
    if state.phase == BONE:
        return best_bone(column_worth, patient, state, rules, legal, weights)
    return best_piece(state, rules, legal, taste_of(state, rules, weights))


# ---------------------------------------------------------------------------------------------------------
# column_racer
# ---------------------------------------------------------------------------------------------------------
@compiled
def racer_worth(state, rules, column, gains, weights):
    """Every column that does something is worth the same, whatever it brings; a free draw is worth `tempo`."""
    if column in (SPEED_UP, REINFORCEMENTS):
        return weights[TEMPO]
    return 1.0 if can_apply(state, rules, state.mover, column) else 0.0


@policy(GAME, weights=judgement(hope=0.0, slot=0.0))
def column_racer(state, rules, legal, weights):
    """Completes whichever useful column is nearest, and takes the most points at once; never plans the museum."""
    if state.phase == BONE:
        return best_bone(racer_worth, patient, state, rules, legal, weights)
    return best_piece(state, rules, legal, taste_of(state, rules, weights))


# ---------------------------------------------------------------------------------------------------------
# market_reactor
# ---------------------------------------------------------------------------------------------------------
@compiled
def reactor_worth(state, rules, column, gains, weights):
    """A column is worth more the fewer elements are left for it."""
    worth = column_worth(state, rules, column, gains, weights)
    left = fitting_elements(state, rules, column)
    return worth * (1.0 + weights[OWN] / left) if left > 0 else worth


@compiled
def hasty(state, rules, column, filled, tied, bag, weights):
    """Nearness with less patience the fewer elements can still be taken in this round."""
    takes = max(1.0, np.float64(state.market_left - rules.market_end)) / state.seats
    return weights[PATIENCE] ** (draws_needed(rules, column, filled, tied, bag) * (1.0 + weights[OWN + 1] / takes))


@policy(
    GAME,
    weights=judgement(fossils=1.8, research=1.7, hope=0.32, slot=0.13, fading=1.2, tempo=0.05, refill=0.3)
    | {
        "scarcity": (0.15, 0, 5, "how much more a column is worth when one element is left for it"),
        "haste": (0.05, 0, 5, "how fast patience goes as the market empties"),
        "denial": (0.35, 0, 5, "care for what the best opponent would gain by the element"),
    },
)
def market_reactor(state, rules, legal, weights):
    """Reacts to the market: hurries for what is scarce or nearly gone, and takes what opponents want."""
    taste = taste_of(state, rules, weights)
    if state.phase == BONE:
        return best_bone(reactor_worth, hasty, state, rules, legal, weights)
    if state.phase == TAKE:
        return best_denial(state, rules, legal, weights[OWN + 2], taste)
    return best_piece(state, rules, legal, taste)


# ---------------------------------------------------------------------------------------------------------
# visitor_pleaser and researcher
# ---------------------------------------------------------------------------------------------------------
@compiled
def pleaser_worth(state, rules, column, gains, weights):
    """A visitor is welcome before anything else."""
    worth = column_worth(state, rules, column, gains, weights)
    return worth + weights[OWN] if column == VISITOR_COLUMN and worth > 0.0 else worth


@policy(
    GAME,
    weights=judgement(visitors=3.0, slot=0.1) | {"welcome": (2.0, 0, 10, "how much more the Visitor column is worth")},
)
def visitor_pleaser(state, rules, legal, weights):
    """Fills the visitor spaces early, then collects the favourites and stands them in view."""
    if state.phase == BONE:
        return best_bone(pleaser_worth, patient, state, rules, legal, weights)
    return best_piece(state, rules, legal, taste_of(state, rules, weights))


@compiled
def researcher_worth(state, rules, column, gains, weights):
    """Tiles come before evidence."""
    worth = column_worth(state, rules, column, gains, weights)
    return worth + weights[OWN] if column == PUBLICATION and worth > 0.0 else worth


@policy(
    GAME,
    weights=judgement(research=2.0, hope=0.6, slot=0.1)
    | {"study": (2.0, 0, 10, "how much more the Publication column is worth")},
)
def researcher(state, rules, legal, weights):
    """Takes research tiles first, then the dinosaurs and fossils that serve them."""
    if state.phase == BONE:
        return best_bone(researcher_worth, patient, state, rules, legal, weights)
    return best_piece(state, rules, legal, taste_of(state, rules, weights))


# ---------------------------------------------------------------------------------------------------------
# bag_counter
# ---------------------------------------------------------------------------------------------------------
@compiled
def counted(state, rules, column, filled, tied, bag, weights):
    """Nearness: the exact chance to complete the column with the draws expected in this round, and patience."""
    takes = max(1.0, np.float64(state.market_left - rules.market_end)) / state.seats
    draws = np.int64(weights[OWN] * takes + weights[OWN + 1])
    missing = bits.count(rules.column_bits[column] & ~filled)
    return fill_chance(rules, column, filled, tied, bag, draws) * weights[PATIENCE] ** np.float64(missing)


@policy(
    GAME,
    weights=judgement(fossils=1.4, patience=0.5, tempo=0.35, refill=0.2)
    | {
        "pace": (2.2, 0, 20, "draws of a seat per element that it can still expect to take in this round"),
        "spare": (1.4, 0, 20, "draws of a seat besides"),
    },
)
def bag_counter(state, rules, legal, weights):
    """Counts the bones left in its bag: weighs each column by the exact chance to complete it in this round."""
    if state.phase == BONE:
        return best_bone(column_worth, counted, state, rules, legal, weights)
    return best_piece(state, rules, legal, taste_of(state, rules, weights))
