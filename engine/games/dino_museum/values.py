"""What a position promises a seat: the judgements that the policies are built from, in points (float64).

Nothing here writes to the state: a piece that might be put is passed along as (space, code), code a TAKE code or
a visitor's species; space -1 for none.
"""

from typing import NamedTuple

import numpy as np

from engine import bits
from engine.games.dino_museum.bag import draws_needed
from engine.games.dino_museum.moves import can_apply
from engine.games.dino_museum.names import (
    FOSSIL,
    GREY,
    K_DINOSAURS,
    K_FOSSILS,
    K_RESEARCH,
    K_VISITORS,
    MOST_CODES,
    N_LEFT,
    S_DINOSAURS,
    S_FOSSILS,
    S_RESEARCH,
    S_VISITORS,
    VISITOR_COLUMN,
)
from engine.games.dino_museum.scoring import add_evidence
from engine.games.dino_museum.state import one
from engine.jit import compiled


class Taste(NamedTuple):
    """How a policy values a museum."""

    dinosaurs: float  # points a dinosaur
    visitors: float  # points a happy visitor
    fossils: float  # points an analysed fossil
    research: float  # points a published tile
    hope: float  # how likely an empty space is believed to become what is needed
    slot: float  # share of a fossil's points that an empty fossil space promises for each class around it


@compiled
def taste_of(state, rules, weights):
    """The taste in the first seven weights: care for each source, hope at the start, slot, fading of hope."""
    worth = rules.worth
    left = (rules.rounds - state.round_index) / rules.rounds
    return Taste(
        weights[0] * worth[S_DINOSAURS],
        weights[1] * worth[S_VISITORS],
        weights[2] * worth[S_FOSSILS],
        weights[3] * worth[S_RESEARCH],
        weights[4] * left ** weights[6],
        weights[5],
    )


# ---------------------------------------------------------------------------------------------------------
# The museum
# ---------------------------------------------------------------------------------------------------------
@compiled
def look(state, seat, place, space, code):
    """What lies in a place once `code` is in `space`: TAKE code or visitor's species + 1, 0 for nothing (int64)."""
    return code + 1 if place == space else np.int64(state.museum[seat, place])


@compiled
def fossil_promise(state, rules, seat, place, space, code, taste):
    """A fossil's points, times hope for each empty neighbour.

    An empty fossil space between dinosaurs promises the share `slot` of that for each class they share.
    """
    here = look(state, seat, place, space, code)
    worth = taste.fossils
    classes = np.int64(15) if here == 0 else np.int64(1) << (here - 1 - rules.first_code[K_FOSSILS])
    beside = rules.between[place]
    while beside != bits.ZERO:
        dinosaur = look(state, seat, bits.lowest(beside), space, code)
        beside = bits.without_lowest(beside)
        if dinosaur == 0:
            worth *= taste.hope
        else:
            classes &= rules.classes_of[dinosaur - 1]
    if here == 0:
        worth *= taste.slot
    return worth * bits.count(np.uint64(classes))


@compiled
def needs_left(rules, tile, reached, dinosaur_spaces, fossil_spaces):
    """The fewest needs of a tile that are still to be served, if the empty spaces suffice; else 99 (int64)."""
    every = (np.int64(1) << rules.n_needs[tile]) - 1
    fossil_needs = np.int64(rules.fossil_needs[tile])
    fewest = np.int64(99)
    while reached != bits.ZERO:
        missing = every & ~bits.lowest(reached)
        reached = bits.without_lowest(reached)
        fossils = bits.count(np.uint64(missing & fossil_needs))
        dinosaurs = bits.count(np.uint64(missing)) - fossils
        if fossils <= fossil_spaces and dinosaurs <= dinosaur_spaces:
            fewest = min(fewest, fossils + dinosaurs)
    return fewest


@compiled
def research_promise(state, rules, seat, place, space, code, taste):
    """A tile's points, times hope for each need that is not served yet; 0 for an empty research space."""
    here = look(state, seat, place, space, code)
    if here == 0:
        return 0.0
    tile = here - 1 - rules.first_code[K_RESEARCH]
    reached = bits.ONE
    dinosaur_spaces, fossil_spaces = np.int64(0), np.int64(0)
    around = rules.touches[place]
    while around != bits.ZERO:
        neighbour = bits.lowest(around)
        around = bits.without_lowest(around)
        piece = look(state, seat, neighbour, space, code)
        if piece > 0:
            reached = add_evidence(reached, rules.serves[tile, piece - 1])
        elif bits.has(rules.space_bits[K_DINOSAURS], neighbour):
            dinosaur_spaces += 1
        else:
            fossil_spaces += 1
    missing = needs_left(rules, tile, reached, dinosaur_spaces, fossil_spaces)
    return taste.research * taste.hope ** np.float64(missing) if missing < 99 else 0.0


@compiled
def visitor_promise(state, rules, seat, place, space, code, taste):
    """A visitor's points if the favourite is in view, hope of them while there is an empty space in view."""
    here = look(state, seat, place, space, code)
    if here == 0:
        return 0.0
    chance = 0.0
    seen = rules.sees[place]
    while seen != bits.ZERO:
        dinosaur = look(state, seat, bits.lowest(seen), space, code)
        seen = bits.without_lowest(seen)
        if dinosaur == here:
            return taste.visitors
        if dinosaur == 0:
            chance = taste.hope
    return chance * taste.visitors


@compiled
def promise(state, rules, seat, place, space, code, taste):
    """What the fossil, research or visitor space `place` promises."""
    if bits.has(rules.space_bits[K_FOSSILS], place):
        return fossil_promise(state, rules, seat, place, space, code, taste)
    if bits.has(rules.space_bits[K_RESEARCH], place):
        return research_promise(state, rules, seat, place, space, code, taste)
    return visitor_promise(state, rules, seat, place, space, code, taste)


@compiled
def put_gain(state, rules, seat, kind, space, code, taste):
    """What putting an element of a kind into a free space adds to the museum's promise."""
    gain = taste.dinosaurs if kind == K_DINOSAURS else 0.0
    if kind != K_DINOSAURS:
        gain += promise(state, rules, seat, space, space, code, taste)
        gain -= promise(state, rules, seat, space, -1, code, taste)
    concerned = rules.concerns[space]
    while concerned != bits.ZERO:
        place = bits.lowest(concerned)
        concerned = bits.without_lowest(concerned)
        gain += promise(state, rules, seat, place, space, code, taste)
        gain -= promise(state, rules, seat, place, -1, code, taste)
    return gain


@compiled
def take_gain(state, rules, seat, kind, code, taste):
    """What an element adds at its best space; minus infinity if there is none free."""
    best = -np.inf
    free = state.free[seat] & rules.space_bits[kind]
    while free != bits.ZERO:
        best = max(best, put_gain(state, rules, seat, kind, bits.lowest(free), code, taste))
        free = bits.without_lowest(free)
    return best


@compiled
def visitor_gain(state, rules, seat, taste):
    """What the next visitor adds on average, over what is left in the deck."""
    total, n = 0.0, np.int64(0)
    for species in range(rules.n_species):
        copies = np.int64(state.left[K_VISITORS, species])
        if copies > 0:
            total += copies * take_gain(state, rules, seat, K_VISITORS, np.int64(species), taste)
            n += copies
    return total / n if n > 0 else 0.0


@compiled
def no_gains():
    """Room for `column_gain` to remember what each element of the market adds (float64, NaN: not known yet)."""
    return np.full(MOST_CODES, np.nan)


@compiled
def column_gain(state, rules, seat, column, gains, taste):
    """What completing a column that gives a piece adds now: its best element (for a visitor, on average).

    `gains` (float64 by TAKE code, modified) remembers elements from one column of a decision to the next.
    """
    if not can_apply(state, rules, seat, column):
        return 0.0
    if column == VISITOR_COLUMN:
        return visitor_gain(state, rules, seat, taste)
    best = -np.inf
    fitting = state.market_bits & rules.take_bits[column]
    while fitting != bits.ZERO:
        code = bits.lowest(fitting)
        fitting = bits.without_lowest(fitting)
        if np.isnan(gains[code]):
            gains[code] = take_gain(state, rules, seat, rules.column_kind[column], code, taste)
        best = max(best, gains[code])
    return best


@compiled
def fitting_elements(state, rules, column):
    """How many elements of the market a column can take (int64)."""
    n = np.int64(0)
    fitting = state.market_bits & rules.take_bits[column]
    while fitting != bits.ZERO:
        n += np.int64(state.market[bits.lowest(fitting)])
        fitting = bits.without_lowest(fitting)
    return n


@compiled
def refill_gain(state, rules, seat, patience, gains, taste):
    """What the complete columns left of the arrow are worth again once Reinforcements has emptied them."""
    filled, bag, back = state.filled[seat], state.bag[seat], bits.ZERO
    for column in range(N_LEFT):
        spaces = rules.column_bits[column]
        if spaces & ~filled == bits.ZERO:
            back |= spaces
            while spaces != bits.ZERO:
                bag += one(np.int64(state.placed[seat, bits.lowest(spaces)]))
                spaces = bits.without_lowest(spaces)
    gain = 0.0
    for column in range(N_LEFT):
        if rules.column_bits[column] & ~back == bits.ZERO:
            tied = GREY if column == FOSSIL else state.tied[seat]
            draws = draws_needed(rules, column, filled & ~back, tied, bag)
            gain += patience**draws * column_gain(state, rules, seat, column, gains, taste)
    return gain
