"""The planner's outlook on the Winter board; see `outlook`."""

import numpy as np

from engine import bits
from engine.games.draftosaurus.moves import ALL_SPECIES, OPEN_CELLS, OPEN_FIRST, TOUCHING
from engine.games.draftosaurus.names import (
    BRIDGE_LEFT,
    BRIDGE_RIGHT,
    LOOKOUT,
    N_CELLS,
    N_SPECIES,
    PYRAMID,
    QUARANTINE,
    WINTER,
    WOOD,
)
from engine.games.draftosaurus.outlook import (
    W_BRIDGE,
    W_BRIDGE_HALF,
    W_HALF_GONE_WINTER,
    W_HORIZON_WINTER,
    W_LOOKOUT_GROW,
    W_LOOKOUT_KEEP,
    W_PARKED,
    W_PARKED_KEEP,
    W_PYRAMID,
    W_T_REX_WINTER,
    W_WELCOME,
    W_WOOD,
    fades,
    plenty,
    step,
)
from engine.games.draftosaurus.values import (
    best_gain,
    gain_lookout,
    gain_pyramid,
    gain_t_rex,
    gain_wood,
    right_of,
    unmatched,
)
from engine.jit import compiled

_PYRAMID_FIRST = 5


@compiled
def survey_winter(state, rules, seat, turns, w):
    """What a Winter decision needs once: two fades, a lonely dinosaur, the Pyramid's next, the Lookout's wait."""
    early, keeps = fades(turns, w[W_HORIZON_WINTER]), fades(turns, w[W_HALF_GONE_WINTER])
    lonely = w[W_BRIDGE] * 0.5 * rules.bridge_points * fades(turns, w[W_BRIDGE_HALF])
    return (
        early,
        keeps,
        lonely,
        next_of_pyramid(state, rules, seat, early, w),
        lookout_wait(state, rules, seat, turns, keeps, w),
    )


@compiled
def plan_wood(state, rules, seat, k, early, w):
    """Well-Ordered Wood: its share of a full one, more of plentiful species."""
    size = rules.spaces[WINTER, WOOD]
    share = w[W_WOOD] * rules.wood_points[size] / size * plenty(state, rules, seat, k, w)
    return step(gain_wood(state, rules, seat), share, early)


@compiled
def plan_bridge(state, rules, seat, bank, k, lonely, w):
    """Lovers' Bridge: a lonely dinosaur is worth the mate that may come to the other bank."""
    worth = lonely * plenty(state, rules, seat, k, w)
    waiting = unmatched(state, seat, bank, k)
    if waiting > 0:
        return rules.bridge_points - worth / waiting
    return worth / (1 - waiting)


@compiled
def lookout_grows(rules, turns, w):
    """Points that a Lookout still gains from what the right neighbour will place."""
    return rules.lookout_points * w[W_LOOKOUT_GROW] * turns


@compiled
def lookout_wait(state, rules, seat, turns, keeps, w):
    """What an empty Lookout is worth: a share of what the right neighbour's best species pays."""
    most, right = np.int64(0), right_of(state, seat)
    for i in range(N_SPECIES):
        most = max(most, np.int64(state.owned[right, i]))
    return w[W_LOOKOUT_KEEP] * (rules.lookout_points * most + lookout_grows(rules, turns, w)) * keeps


@compiled
def next_of_pyramid(state, rules, seat, early, w):
    """The Pyramid's next dinosaur: its share of a full one; 0 for a full one."""
    if state.filled[seat, PYRAMID] == N_CELLS:
        return 0.0
    points = rules.pyramid_points
    full = 3 * points[0] + 2 * points[1] + points[2]
    return step(gain_pyramid(state, rules, seat), w[W_PYRAMID] * full / N_CELLS, early)


@compiled
def in_cell(state, seat, cell, target_cell, k):
    """What lies in a cell of the Pyramid (species + 1, 0 for free) once `k` lies in `target_cell`."""
    return k + 1 if cell == target_cell else np.int64(state.pile[seat, cell])


@compiled
def welcome(state, seat, target, k):
    """How many species the Pyramid still takes after a placement, 0 to 6; 6 for a finished one."""
    n = np.int64(state.filled[seat, PYRAMID])
    placed = OPEN_FIRST[n] + target - _PYRAMID_FIRST
    if n == 5:
        return np.int64(N_SPECIES)
    taken = bits.ZERO
    for i in range(OPEN_CELLS[n + 1]):
        cell = OPEN_FIRST[n + 1] + i
        if in_cell(state, seat, cell, placed, k) == 0:
            barred = bits.ZERO
            for other in range(6):
                there = in_cell(state, seat, other, placed, k)
                if (TOUCHING[cell] >> other) & 1 and there > 0:
                    barred |= bits.bit(there - 1)
            taken |= ALL_SPECIES & ~barred
    return bits.count(taken)


@compiled
def plan_winter(state, rules, seat, target, k, turns, look, w):
    """Points and outlook of a placement on the Winter board; `look` is the decision's `survey_winter`.

    A dinosaur in Quarantine is worth a share of what it could earn elsewhere now.
    """
    early, keeps, lonely, pyramid, waits = look
    pen = rules.pen_of[WINTER, target]
    if pen == WOOD:
        worth = plan_wood(state, rules, seat, k, early, w)
    elif pen in (BRIDGE_LEFT, BRIDGE_RIGHT):
        worth = plan_bridge(state, rules, seat, pen, k, lonely, w)
    elif pen == LOOKOUT:
        worth = gain_lookout(state, rules, seat, k) + lookout_grows(rules, turns, w) - waits
    elif pen == PYRAMID:
        worth = pyramid
        if turns > 0:
            worth += w[W_WELCOME] * (welcome(state, seat, target, k) - N_SPECIES)
    elif pen == QUARANTINE:
        return w[W_PARKED] * best_gain(state, rules, seat, k) - w[W_PARKED_KEEP] * keeps
    else:
        worth = np.float64(rules.river_points)
    return worth + w[W_T_REX_WINTER] * gain_t_rex(state, rules, seat, pen, k)
