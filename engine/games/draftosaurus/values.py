"""What a placement is worth now: points gained at once, and what a dinosaur could earn another seat.

All values come from the rules in force. Arguments: `state` and `rules` records, read only; `seat`, `target`
and `k` (a species) int64. Results are float64 points. Nothing here reads what the seat may not know.
"""

import numpy as np

from engine import bits
from engine.games.draftosaurus.moves import quarantined
from engine.games.draftosaurus.names import (
    BOX,
    BRIDGE_LEFT,
    BRIDGE_RIGHT,
    FOREST,
    ISLAND,
    KING,
    LOOKOUT,
    MEADOW,
    N_SPECIES,
    N_TARGETS,
    PLACE,
    PRAIRIE,
    PYRAMID,
    QUARANTINE,
    RIVER,
    SUMMER,
    T_REX,
    TRIO,
    WINTER,
    WOOD,
)
from engine.jit import compiled

_TARGETS = np.array(N_TARGETS, np.int64)
_LEVEL = np.array([0, 0, 0, 1, 1, 2], np.int64)
# What is in the way of a value's being chosen without making it illegal.
NEVER = -1000.0


@compiled
def left_of(state, seat):
    """The seat that hands are passed to."""
    return seat + 1 if seat + 1 < state.seats else np.int64(0)


@compiled
def right_of(state, seat):
    """The seat that hands come from."""
    return seat - 1 if seat > 0 else state.seats - 1


@compiled
def lead(state, rules, seat, k):
    """By how many of a species the seat is ahead of its strongest rival; 0 or more pays the King (D42)."""
    most = np.int64(0)
    for s in range(state.seats):
        if s != seat:
            most = max(most, np.int64(state.owned[s, k]))
    return np.int64(state.owned[seat, k]) - most - rules.king_strict


@compiled
def gain_forest(state, rules, seat):
    """The next dinosaur of the Forest of Sameness."""
    n = state.filled[seat, FOREST]
    return np.float64(rules.forest_points[n + 1] - rules.forest_points[n])


@compiled
def gain_trio(state, rules, seat):
    """`trio_points` for the dinosaur that fills the Woody Trio."""
    full = state.filled[seat, TRIO] + 1 == rules.trio_size
    return np.float64(rules.trio_points) if full else 0.0


@compiled
def gain_prairie(state, rules, seat, k):
    """`couple_points` for the second of a couple."""
    return np.float64(rules.couple_points) if state.zoo[seat, PRAIRIE, k] & 1 else 0.0


@compiled
def gain_meadow(state, rules, seat):
    """The next dinosaur of the Meadow of Differences."""
    n = state.filled[seat, MEADOW]
    return np.float64(rules.meadow_points[n + 1] - rules.meadow_points[n])


@compiled
def gain_king(state, rules, seat, k):
    """`king_points` if the seat would now lead in the species."""
    return np.float64(rules.king_points) if lead(state, rules, seat, k) + 1 >= 0 else 0.0


@compiled
def gain_island(state, rules, seat, k):
    """`island_points` for a species that the seat does not own."""
    return np.float64(rules.island_points) if state.owned[seat, k] == 0 else 0.0


@compiled
def gain_zoo(state, rules, seat, k):
    """What one more of the species does to a King and an Island already placed."""
    points = 0.0
    if state.zoo[seat, KING, k] > 0 and lead(state, rules, seat, k) == -1:
        points += rules.king_points
    if state.zoo[seat, ISLAND, k] > 0 and state.owned[seat, k] == 1:
        points -= rules.island_points
    return points


@compiled
def gain_wood(state, rules, seat):
    """The next dinosaur of the Well-Ordered Wood."""
    n = state.filled[seat, WOOD]
    return np.float64(rules.wood_points[n + 1] - rules.wood_points[n])


@compiled
def unmatched(state, seat, bank, k):
    """How many of a species on the other bank of the Lovers' Bridge wait for a mate on this one."""
    other = BRIDGE_LEFT + BRIDGE_RIGHT - bank
    return np.int64(state.zoo[seat, other, k]) - np.int64(state.zoo[seat, bank, k])


@compiled
def gain_bridge(state, rules, seat, bank, k):
    """`bridge_points` for a mate of a dinosaur on the other bank."""
    return np.float64(rules.bridge_points) if unmatched(state, seat, bank, k) > 0 else 0.0


@compiled
def gain_lookout(state, rules, seat, k):
    """`lookout_points` for each of the species that the right neighbour owns."""
    return np.float64(rules.lookout_points * state.owned[right_of(state, seat), k])


@compiled
def gain_pyramid(state, rules, seat):
    """The next dinosaur of the Pyramid, by its level."""
    return np.float64(rules.pyramid_points[_LEVEL[state.filled[seat, PYRAMID]]])


@compiled
def gain_t_rex(state, rules, seat, pen, k):
    """`t_rex_points` for the first T-Rex of a pen."""
    first = k == T_REX and pen != RIVER and state.zoo[seat, pen, T_REX] == 0
    return np.float64(rules.t_rex_points) if first else 0.0


@compiled
def gain_summer(state, rules, seat, pen, k):
    """Points that a dinosaur earns at once in a pen of the Summer board, bonus and losses elsewhere left out."""
    if pen == FOREST:
        return gain_forest(state, rules, seat)
    if pen == TRIO:
        return gain_trio(state, rules, seat)
    if pen == KING:
        return gain_king(state, rules, seat, k)
    if pen == PRAIRIE:
        return gain_prairie(state, rules, seat, k)
    if pen == MEADOW:
        return gain_meadow(state, rules, seat)
    if pen == ISLAND:
        return gain_island(state, rules, seat, k)
    return np.float64(rules.river_points)


@compiled
def gain_winter(state, rules, seat, pen, k):
    """Points that a dinosaur earns at once in a pen of the Winter board, the Quarantine Zone left out."""
    if pen == WOOD:
        return gain_wood(state, rules, seat)
    if pen in (BRIDGE_LEFT, BRIDGE_RIGHT):
        return gain_bridge(state, rules, seat, pen, k)
    if pen == LOOKOUT:
        return gain_lookout(state, rules, seat, k)
    if pen == PYRAMID:
        return gain_pyramid(state, rules, seat)
    return np.float64(rules.river_points) if pen == RIVER else 0.0


@compiled
def gain(state, rules, seat, target, k):
    """Points that placing a dinosaur brings a seat at once, losses included; the Quarantine Zone brings 0."""
    pen = rules.pen_of[state.board, target]
    if state.board == SUMMER:
        points = gain_summer(state, rules, seat, pen, k) + gain_zoo(state, rules, seat, k)
        return points + gain_t_rex(state, rules, seat, pen, k)
    if pen == QUARANTINE:
        return 0.0
    return gain_winter(state, rules, seat, pen, k) + gain_t_rex(state, rules, seat, pen, k)


@compiled
def accepts(state, seat, target, k):
    """Whether the pen's own rule lets the seat put the species there, whatever the die."""
    return bits.has(state.accept[seat], target * N_SPECIES + k)


@compiled
def best_gain(state, rules, seat, k):
    """The most that a dinosaur could bring a seat at once, no die in force."""
    best = NEVER
    for target in range(_TARGETS[state.board]):
        if accepts(state, seat, target, k):
            best = max(best, gain(state, rules, seat, target, k))
    return best


@compiled
def gain_of(state, rules, action, parked):
    """Points at once of a decision of the mover, whatever its phase.

    PLACE: `gain`; in the Quarantine Zone `parked` times what the dinosaur could earn elsewhere, for it is moved
    there at the end. BOX: what it would earn the opponent. RELOCATE: what it earns there.
    """
    seat = state.mover
    if state.phase == BOX:
        return best_gain(state, rules, left_of(state, seat), action)
    if state.phase != PLACE:
        return gain(state, rules, seat, action, quarantined(state, seat))
    target, k = action // N_SPECIES, action % N_SPECIES
    if state.board == WINTER and target == QUARANTINE:
        return parked * best_gain(state, rules, seat, k)
    return gain(state, rules, seat, target, k)
