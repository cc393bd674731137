"""What pens may still become: the planner's outlook on the Summer board, and what both boards share.

Early a dinosaur is worth its share of a full pen, late what it pays at once; a pen that pays only when full is
worth its share as far as the turns left suffice to fill it; an empty one-space pen is worth keeping. All points
come from the rules in force. `turns` is the number of turns after this one; `w` is the planner's row of weights
(float64), indexed by the constants below; other arguments as in `values`.
"""

import numpy as np

from engine.games.draftosaurus.names import (
    FOREST,
    ISLAND,
    KING,
    MEADOW,
    N_SPECIES,
    N_TURNS,
    PRAIRIE,
    SUMMER,
    TRIO,
)
from engine.games.draftosaurus.values import (
    gain_t_rex,
    lead,
)
from engine.jit import compiled

PLAN = {
    "horizon": (4.0, 0.1, 30.0, "turns left at which a Summer dinosaur is worth half its share of a full pen"),
    "forest": (0.4, 0.0, 3.0, "share of a full Forest of Sameness to count on"),
    "supply": (0.5, 0.0, 3.0, "how much more a plentiful species is worth where more of it are wanted"),
    "trio": (1.0, 0.0, 3.0, "share of a full Woody Trio to count on"),
    "trio_rate": (0.6, 0.0, 3.0, "dinosaurs that may go there per turn left"),
    "mate": (0.25, 0.0, 3.0, "share of a couple's half that a lonely dinosaur of the Prairie of Love is worth early"),
    "meadow": (1.0, 0.0, 3.0, "share of a full Meadow of Differences to count on"),
    "king_spread": (0.55, 0.0, 3.0, "how far a lead in a species may still shift, per turn left"),
    "king_forest": (0.03, 0.0, 1.0, "lead still to be won, per turn left, with the species of the own Forest"),
    "king_keep": (0.6, 0.0, 2.0, "share of the King's points that an empty King is worth early"),
    "island_risk": (0.06, 0.0, 0.5, "risk per turn left that another of the Island's species must be taken"),
    "island_keep": (0.25, 0.0, 2.0, "share of the Island's points that an empty Island is worth early"),
    "island_last": (0.3, 0.0, 2.0, "share of the Island's points lost with the last species that could go there"),
    "half_gone": (1.0, 0.1, 12.0, "turns left at which an empty one-space pen has lost half its early worth"),
    "t_rex": (1.2, 0.0, 3.0, "weight of the T-Rex bonus in Summer"),
    "horizon_winter": (9.0, 0.1, 30.0, "turns left at which a Winter dinosaur is worth half its share of a full pen"),
    "wood": (0.15, 0.0, 3.0, "share of a full Well-Ordered Wood to count on"),
    "bridge": (1.35, 0.0, 3.0, "share of a couple's half that a lonely dinosaur of the Lovers' Bridge is worth early"),
    "bridge_half": (9.0, 0.1, 30.0, "turns left at which half of that is gone"),
    "pyramid": (1.5, 0.0, 3.0, "share of a full Pyramid to count on"),
    "welcome": (0.15, 0.0, 3.0, "points for each species that the Pyramid still takes after a placement"),
    "lookout_grow": (0.05, 0.0, 1.0, "dinosaurs of a species that the right neighbour gains per turn left"),
    "lookout_keep": (0.7, 0.0, 2.0, "share of the best Lookout that an empty Lookout is worth early"),
    "parked": (0.55, 0.0, 2.0, "share of its gain elsewhere that a dinosaur in Quarantine is worth"),
    "parked_keep": (0.6, 0.0, 6.0, "points that an empty Quarantine Zone is worth early"),
    "half_gone_winter": (2.5, 0.1, 12.0, "as half_gone, in Winter"),
    "t_rex_winter": (0.7, 0.0, 3.0, "weight of the T-Rex bonus in Winter"),
}
(
    W_HORIZON,
    W_FOREST,
    W_SUPPLY,
    W_TRIO,
    W_TRIO_RATE,
    W_MATE,
    W_MEADOW,
    W_KING_SPREAD,
    W_KING_FOREST,
    W_KING_KEEP,
    W_ISLAND_RISK,
    W_ISLAND_KEEP,
    W_ISLAND_LAST,
    W_HALF_GONE,
    W_T_REX,
    W_HORIZON_WINTER,
    W_WOOD,
    W_BRIDGE,
    W_BRIDGE_HALF,
    W_PYRAMID,
    W_WELCOME,
    W_LOOKOUT_GROW,
    W_LOOKOUT_KEEP,
    W_PARKED,
    W_PARKED_KEEP,
    W_HALF_GONE_WINTER,
    W_T_REX_WINTER,
) = range(len(PLAN))
N_PLAN = len(PLAN)


@compiled
def turns_left(state):
    """Turns after this one; 0 also after the last."""
    return max(0, N_TURNS - 1 - state.turn)


@compiled
def supply(state, rules, seat, k):
    """The share of a species among the dinosaurs that the seat has not seen placed or boxed (float64)."""
    gone, total = np.int64(0), np.int64(0)
    for i in range(N_SPECIES):
        total += rules.bag[state.seats, i]
    for s in range(state.seats):
        gone += state.owned[s, k]
    total -= state.seats * state.turn
    if state.seats == 2:
        total -= state.turn
        gone += state.boxed[seat, k]
        if not rules.box_hidden:
            total -= state.turn
            gone += state.boxed[1 - seat, k]
    return (rules.bag[state.seats, k] - gone) / max(1.0, np.float64(total))


@compiled
def plenty(state, rules, seat, k, w):
    """1 for a species of average supply, more for a plentiful one."""
    return max(0.0, 1.0 + w[W_SUPPLY] * (N_SPECIES * supply(state, rules, seat, k) - 1.0))


@compiled
def fades(turns, half):
    """From near 1 early to 0 on the last turn, one half when `half` turns are left."""
    return turns / (turns + half)


@compiled
def step(now, share, early):
    """What a dinosaur is worth that pays `now` at once and has `share` points of a full pen (float64)."""
    return (1.0 - early) * now + early * share


@compiled
def survey(state, rules, seat, turns, w):
    """What a Summer decision needs once: two fades, the next of the Trio and of the Meadow, a lonely dinosaur."""
    early, keeps = fades(turns, w[W_HORIZON]), fades(turns, w[W_HALF_GONE])
    lonely = w[W_MATE] * 0.5 * rules.couple_points * early
    return early, keeps, plan_trio(state, rules, seat, turns, w), plan_meadow(state, rules, seat, early, w), lonely


@compiled
def plan_forest(state, rules, seat, k, early, w):
    """Forest of Sameness: its share of a full one, more of a plentiful species."""
    n, size, table = state.filled[seat, FOREST], rules.spaces[SUMMER, FOREST], rules.forest_points
    share = w[W_FOREST] * table[size] / size * plenty(state, rules, seat, k, w)
    return step(np.float64(table[n + 1] - table[n]), share, early)


@compiled
def trio_odds(missing, turns, w):
    """The chance that the turns left suffice to fill the Woody Trio."""
    enough = min(1.0, w[W_TRIO_RATE] * turns / max(1, missing))
    odds = 1.0
    for _ in range(missing):
        odds *= enough
    return odds


@compiled
def plan_trio(state, rules, seat, turns, w):
    """Woody Trio: its share of a full one, as far as the turns suffice; 0 for a full one."""
    n, size = np.int64(state.filled[seat, TRIO]), rules.trio_size
    if n == size:
        return 0.0
    share = rules.trio_points / size
    before = w[W_TRIO] * share * n * trio_odds(size - n, turns, w)
    if n + 1 == size:
        return rules.trio_points - before
    return w[W_TRIO] * share * (n + 1) * trio_odds(size - n - 1, turns, w) - before


@compiled
def plan_prairie(state, rules, seat, k, lonely, w):
    """Prairie of Love: a lonely dinosaur is worth the mate that may come, if there is room for it."""
    worth = lonely * plenty(state, rules, seat, k, w)
    if state.zoo[seat, PRAIRIE, k] & 1:
        return rules.couple_points - worth
    room, waiting = rules.spaces[SUMMER, PRAIRIE] - state.filled[seat, PRAIRIE], np.int64(0)
    if room < state.filled[seat, PRAIRIE] + 2:
        for i in range(N_SPECIES):
            waiting += state.zoo[seat, PRAIRIE, i] & 1
    return worth if room >= waiting + 2 else 0.0


@compiled
def plan_meadow(state, rules, seat, early, w):
    """Meadow of Differences: its share of a full one; 0 for a full one."""
    n, size, table = state.filled[seat, MEADOW], rules.meadow_size, rules.meadow_points
    if n == size:
        return 0.0
    return step(np.float64(table[n + 1] - table[n]), w[W_MEADOW] * table[size] / size, early)


@compiled
def king_odds(ahead, turns, w):
    """The chance that a lead of `ahead` (float64) still pays the King at the end; exact with no turns left."""
    return max(0.0, min(1.0, 0.5 + (ahead + 0.5) / (1.0 + 2.0 * w[W_KING_SPREAD] * turns)))


@compiled
def king_ahead(state, rules, seat, k, turns, w):
    """The lead in a species (float64), and what the own Forest may still add to it."""
    ahead = np.float64(lead(state, rules, seat, k))
    return ahead + w[W_KING_FOREST] * turns if state.zoo[seat, FOREST, k] > 0 else ahead


@compiled
def plan_king(state, rules, seat, k, turns, keeps, w):
    """King of the Jungle: the chance of leading at the end, against waiting for a better species."""
    odds = king_odds(king_ahead(state, rules, seat, k, turns, w) + 1.0, turns, w)
    return rules.king_points * (odds - w[W_KING_KEEP] * keeps)


@compiled
def island_odds(turns, w):
    """The chance of never taking another of the Island's species."""
    return max(0.0, 1.0 - w[W_ISLAND_RISK] * turns)


@compiled
def plan_island(state, rules, seat, k, turns, keeps, w):
    """Solitary Island: the chance of never taking another of the species, against waiting."""
    odds = island_odds(turns, w) if state.owned[seat, k] == 0 else 0.0
    return rules.island_points * (odds - w[W_ISLAND_KEEP] * keeps)


@compiled
def is_last_new(state, seat, k):
    """Whether the species is the only one that the seat does not own."""
    if state.owned[seat, k] > 0:
        return False
    missing = np.int64(0)
    for i in range(N_SPECIES):
        missing += np.int64(state.owned[seat, i] == 0)
    return missing == 1


@compiled
def plan_zoo(state, rules, seat, pen, k, turns, keeps, w):
    """What one more of the species does to a King and an Island already placed, or to an Island to come."""
    worth = 0.0
    if state.zoo[seat, KING, k] > 0:
        ahead = king_ahead(state, rules, seat, k, turns, w)
        worth += rules.king_points * (king_odds(ahead + 1.0, turns, w) - king_odds(ahead, turns, w))
    if state.filled[seat, ISLAND] == 0:
        if pen != ISLAND and is_last_new(state, seat, k):
            worth -= w[W_ISLAND_LAST] * rules.island_points * keeps
    elif state.zoo[seat, ISLAND, k] > 0 and state.owned[seat, k] == 1:
        worth -= rules.island_points * island_odds(turns, w)
    return worth


@compiled
def plan_summer(state, rules, seat, pen, k, turns, look, w):
    """Points and outlook of a placement on the Summer board; `look` is the decision's `survey`."""
    early, keeps, trio, meadow, lonely = look
    if pen == FOREST:
        worth = plan_forest(state, rules, seat, k, early, w)
    elif pen == TRIO:
        worth = trio
    elif pen == KING:
        worth = plan_king(state, rules, seat, k, turns, keeps, w)
    elif pen == PRAIRIE:
        worth = plan_prairie(state, rules, seat, k, lonely, w)
    elif pen == MEADOW:
        worth = meadow
    elif pen == ISLAND:
        worth = plan_island(state, rules, seat, k, turns, keeps, w)
    else:
        worth = np.float64(rules.river_points)
    bonus = w[W_T_REX] * gain_t_rex(state, rules, seat, pen, k)
    return worth + plan_zoo(state, rules, seat, pen, k, turns, keeps, w) + bonus
