"""Scoring of Draftosaurus: one function a rule.

`zoo` is one seat's dinosaurs by pen and species, int8 of shape (N_PENS, N_SPECIES), read only; `owned` all
seats' dinosaurs by species, int8 of shape (n_seats, N_SPECIES), River included (D19, D20). Points are int64.
"""

import numpy as np

from engine.games.draftosaurus.names import (
    BRIDGE_LEFT,
    BRIDGE_RIGHT,
    FOREST,
    ISLAND,
    KING,
    LOOKOUT,
    MEADOW,
    N_PENS,
    N_SOURCES,
    N_SPECIES,
    PEN_SOURCE_TABLE,
    PRAIRIE,
    PYRAMID,
    RIVER,
    S_BRIDGE,
    S_FOREST,
    S_ISLAND,
    S_KING,
    S_LOOKOUT,
    S_MEADOW,
    S_PRAIRIE,
    S_PYRAMID,
    S_RIVER,
    S_T_REX,
    S_TRIO,
    S_WOOD,
    SUMMER,
    T_REX,
    TRIO,
    WOOD,
)
from engine.jit import compiled
from engine.ranking import share_win


@compiled
def lying(zoo, pen):
    """How many dinosaurs lie in a pen."""
    n = np.int64(0)
    for k in range(N_SPECIES):
        n += zoo[pen, k]
    return n


@compiled
def lone_species(zoo, pen):
    """The species in a pen of one space, -1 if it is empty."""
    found = np.int64(-1)
    for k in range(N_SPECIES):
        if zoo[pen, k] > 0:
            found = np.int64(k)
    return found


@compiled
def score_forest_of_sameness(zoo, rules):
    """`forest_points` by number of dinosaurs. Rulebook: Summer Side Pens."""
    return rules.forest_points[lying(zoo, FOREST)]


@compiled
def score_woody_trio(zoo, rules):
    """`trio_points` with exactly `trio_size` dinosaurs, else 0. Rulebook: Summer Side Pens."""
    return rules.trio_points if lying(zoo, TRIO) == rules.trio_size else np.int64(0)


@compiled
def score_king_of_the_jungle(zoo, owned, seat, rules):
    """`king_points` if no other seat owns more of the species (D19, D42; `king_strict`: nor as many)."""
    species = lone_species(zoo, KING)
    if species < 0:
        return np.int64(0)
    for s in range(owned.shape[0]):
        lead = np.int64(owned[seat, species]) - np.int64(owned[s, species])
        if s != seat and (lead < 0 or (rules.king_strict and lead == 0)):
            return np.int64(0)
    return rules.king_points


@compiled
def score_prairie_of_love(zoo, rules):
    """`couple_points` for every two of one species (D30). Rulebook: Summer Side Pens."""
    couples = np.int64(0)
    for k in range(N_SPECIES):
        couples += np.int64(zoo[PRAIRIE, k]) // 2
    return couples * rules.couple_points


@compiled
def score_meadow_of_differences(zoo, rules):
    """`meadow_points` by number of dinosaurs. Rulebook: Summer Side Pens."""
    return rules.meadow_points[lying(zoo, MEADOW)]


@compiled
def score_solitary_island(zoo, owned, seat, rules):
    """`island_points` if the seat owns no other of the species (D20). Rulebook: Summer Side Pens."""
    species = lone_species(zoo, ISLAND)
    return rules.island_points if species >= 0 and owned[seat, species] == 1 else np.int64(0)


@compiled
def score_well_ordered_wood(zoo, rules):
    """`wood_points` by number of dinosaurs (D6). Rulebook: Winter Side Pens."""
    return rules.wood_points[lying(zoo, WOOD)]


@compiled
def score_lovers_bridge(zoo, rules):
    """`bridge_points` for every two of one species, one on each bank (D29). Rulebook: Winter Side Pens."""
    couples = np.int64(0)
    for k in range(N_SPECIES):
        couples += min(np.int64(zoo[BRIDGE_LEFT, k]), np.int64(zoo[BRIDGE_RIGHT, k]))
    return couples * rules.bridge_points


@compiled
def score_lookout(zoo, owned, seat, rules):
    """`lookout_points` for each of the species that the right neighbour, seat - 1, owns (D28)."""
    species = lone_species(zoo, LOOKOUT)
    if species < 0:
        return np.int64(0)
    neighbour = seat - 1 if seat > 0 else owned.shape[0] - 1
    return np.int64(owned[neighbour, species]) * rules.lookout_points


@compiled
def score_pyramid(zoo, rules):
    """`pyramid_points` by level; rows fill from the bottom, three, two, one (D25)."""
    n = lying(zoo, PYRAMID)
    bottom, middle, top = min(n, 3), min(max(n - 3, 0), 2), max(n - 5, 0)
    points = rules.pyramid_points
    return bottom * points[0] + middle * points[1] + top * points[2]


@compiled
def score_river(zoo, rules):
    """`river_points` a dinosaur. Rulebook: The River."""
    return lying(zoo, RIVER) * rules.river_points


@compiled
def score_t_rex(zoo, rules):
    """`t_rex_points` for every pen, the River is none, that holds a T-Rex. Rulebook: T-Rex Bonus."""
    pens = np.int64(0)
    for pen in range(RIVER):
        pens += np.int64(zoo[pen, T_REX] > 0)
    return pens * rules.t_rex_points


@compiled
def score_board(state, rules, seat, points):
    """Fill `points` (shape (n_sources,), modified) with one seat's points on the board in play."""
    zoo, owned = state.zoo[seat], state.owned[: state.seats]
    for source in range(N_SOURCES):
        points[source] = 0
    if state.board == SUMMER:
        points[S_FOREST] = score_forest_of_sameness(zoo, rules)
        points[S_TRIO] = score_woody_trio(zoo, rules)
        points[S_KING] = score_king_of_the_jungle(zoo, owned, seat, rules)
        points[S_PRAIRIE] = score_prairie_of_love(zoo, rules)
        points[S_MEADOW] = score_meadow_of_differences(zoo, rules)
        points[S_ISLAND] = score_solitary_island(zoo, owned, seat, rules)
    else:
        points[S_WOOD] = score_well_ordered_wood(zoo, rules)
        points[S_BRIDGE] = score_lovers_bridge(zoo, rules)
        points[S_LOOKOUT] = score_lookout(zoo, owned, seat, rules)
        points[S_PYRAMID] = score_pyramid(zoo, rules)
    points[S_RIVER] = score_river(zoo, rules)
    points[S_T_REX] = score_t_rex(zoo, rules)


@compiled
def count_board(state, seat, out):
    """Fill `out` (shape (n_sources,), modified) with one seat's dinosaurs by source; T-Rexes in pens for t_rex."""
    for source in range(N_SOURCES):
        out[source] = 0
    for pen in range(N_PENS):
        source = PEN_SOURCE_TABLE[state.board, pen]
        if source >= 0:
            out[source] += state.filled[seat, pen]
        if pen != RIVER:
            out[S_T_REX] += state.zoo[seat, pen, T_REX]


@compiled
def score(state, rules, points):
    """Fill `points[seat, source]`, both games of "both" added (D35)."""
    for s in range(state.seats):
        score_board(state, rules, s, points[s])
        for source in range(N_SOURCES):
            points[s, source] += state.banked_points[s, source]


@compiled
def pieces(state, rules, out):
    """Fill `out[seat, source]` with the dinosaurs by source."""
    for s in range(state.seats):
        count_board(state, s, out[s])
        for source in range(N_SOURCES):
            out[s, source] += state.banked_pieces[s, source]


@compiled
def t_rexes(state, seat):
    """T-Rexes in the whole Zoo, River included, over all games: the tie-break (D20, D35)."""
    return np.int64(state.owned[seat, T_REX]) + state.banked_t_rexes[seat]


@compiled
def facts(state, rules, out):
    """Fill `out[seat]` with turns that the seat rolled on, and its T-Rexes."""
    for s in range(state.seats):
        out[s, 0] = state.rolls[s]
        out[s, 1] = t_rexes(state, s)


@compiled
def rank(state, rules, points, share):
    """Fill each seat's win share: most points, then fewest T-Rexes, then shared (D34)."""
    for s in range(state.seats):
        share[s] = -t_rexes(state, s)
    share_win(points, state.seats, share)


@compiled
def bank_game(state, rules):
    """Put the first game of "both" aside."""
    points, lie = np.zeros(N_SOURCES, np.int64), np.zeros(N_SOURCES, np.int64)
    for s in range(state.seats):
        score_board(state, rules, s, points)
        count_board(state, s, lie)
        for source in range(N_SOURCES):
            state.banked_points[s, source] = points[source]
            state.banked_pieces[s, source] = lie[source]
        state.banked_t_rexes[s] = state.owned[s, T_REX]
