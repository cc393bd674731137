"""Scoring of Dino Museum: one function a rule. Points are int64, sets of spaces or codes uint64 masks."""

import numpy as np

from engine import bits
from engine.games.dino_museum.names import (
    K_DINOSAURS,
    K_FOSSILS,
    K_RESEARCH,
    K_VISITORS,
    MOST_CODES,
    MOST_NEEDS,
    MOST_RESEARCH,
    N_COLUMNS,
    N_SOURCES,
    S_DINOSAURS,
    S_FOSSILS,
    S_RESEARCH,
    S_VISITORS,
    SOURCE_KIND,
)
from engine.jit import compiled
from engine.ranking import share_win

_KIND_OF_SOURCE = np.array(SOURCE_KIND, np.int64)
# The subsets of up to six needs as bits of a word: those that lack need r, at index r.
_LACKING = np.array([sum(1 << i for i in range(64) if not i >> r & 1) for r in range(MOST_NEEDS)], np.uint64)


@compiled
def filled_spaces(state, rules, seat, kind):
    """The museum spaces (uint64) of a kind that hold something."""
    return rules.space_bits[kind] & ~state.free[seat]


@compiled
def dinosaurs_of(state, rules, seat):
    """Dinosaurs in a museum: a source and the tie-break (int64, M39)."""
    return bits.count(filled_spaces(state, rules, seat, K_DINOSAURS))


@compiled
def is_happy(state, rules, seat, space):
    """Whether the visitor in a space has the favourite in view (M36)."""
    seen = rules.sees[space]
    while seen != bits.ZERO:
        if state.museum[seat, bits.lowest(seen)] == state.museum[seat, space]:
            return True
        seen = bits.without_lowest(seen)
    return False


@compiled
def is_analysed(state, rules, seat, space):
    """Whether the fossil in a space lies between two dinosaurs of its class (M30)."""
    fossil_class = np.int64(state.museum[seat, space]) - 1 - rules.first_code[K_FOSSILS]
    beside = rules.between[space]
    if beside & state.free[seat] != bits.ZERO:
        return False
    while beside != bits.ZERO:
        species = np.int64(state.museum[seat, bits.lowest(beside)]) - 1
        if not bits.has(rules.class_bits[fossil_class], species):
            return False
        beside = bits.without_lowest(beside)
    return True


@compiled
def add_evidence(reached, needs):
    """One more piece, which can serve one of `needs` (uint64).

    `reached` (uint64) holds the sets of needs that the pieces so far can serve at once, each piece one need: bit i
    stands for the set whose members are the bits of i. From {} alone it grows piece by piece, and the tile is
    published when the set of all needs is reached: a bipartite matching without search (M32).
    """
    grown = reached
    while needs != bits.ZERO:
        r = bits.lowest(needs)
        grown |= (reached & _LACKING[r]) << (bits.ONE << np.uint64(r))
        needs = bits.without_lowest(needs)
    return grown


@compiled
def tile_in(state, rules, seat, space):
    """The number of the tile in a research space (int64)."""
    return np.int64(state.museum[seat, space]) - 1 - rules.first_code[K_RESEARCH]


@compiled
def reached_needs(state, rules, seat, space, tile):
    """The sets of needs of `tile` that the pieces around a research space can serve: see `add_evidence`."""
    reached = bits.ONE
    around = rules.touches[space] & ~state.free[seat]
    while around != bits.ZERO:
        code = np.int64(state.museum[seat, bits.lowest(around)]) - 1
        reached = add_evidence(reached, rules.serves[tile, code])
        around = bits.without_lowest(around)
    return reached


@compiled
def is_published(state, rules, seat, space):
    """Whether the tile in a research space is served by itself (M32)."""
    tile = tile_in(state, rules, seat, space)
    every = (bits.ONE << np.uint64(rules.n_needs[tile])) - bits.ONE
    return bits.has(reached_needs(state, rules, seat, space, tile), every)


@compiled
def published(state, rules, seat):
    """The research spaces (uint64) whose tile is served by itself (M33)."""
    served = bits.ZERO
    left = filled_spaces(state, rules, seat, K_RESEARCH)
    while left != bits.ZERO:
        space = bits.lowest(left)
        left = bits.without_lowest(left)
        if is_published(state, rules, seat, space):
            served |= bits.bit(space)
    return served


# ---------------------------------------------------------------------------------------------------------
# Every specimen for one tile only (`one_tile_per_specimen`)
# ---------------------------------------------------------------------------------------------------------
@compiled
def find_piece(need, usable, user, seen):
    """Give a need a piece, moving other needs to other pieces if they have one: an augmenting path (Kuhn 1955).

    `usable` (uint64, per need) are its pieces, `user` (int64, per piece, modified) the need served by a piece, -1
    for none, `seen` (uint64, shape (1,), modified) the pieces tried on this path.
    """
    pieces = usable[need]
    while pieces & ~seen[0] != bits.ZERO:
        piece = bits.lowest(pieces & ~seen[0])
        seen[0] |= bits.bit(piece)
        if user[piece] < 0 or find_piece(user[piece], usable, user, seen):
            user[piece] = need
            return True
    return False


@compiled
def can_publish_all(state, rules, seat, spaces):
    """Whether the tiles in `spaces` (uint64) can be served at once, each piece for one need of one tile."""
    usable = np.zeros(MOST_RESEARCH * MOST_NEEDS, np.uint64)
    user = np.full(MOST_CODES, -1, np.int64)
    seen = np.zeros(1, np.uint64)
    n = 0
    while spaces != bits.ZERO:
        space = bits.lowest(spaces)
        spaces = bits.without_lowest(spaces)
        tile = tile_in(state, rules, seat, space)
        for r in range(rules.n_needs[tile]):
            around = rules.touches[space] & ~state.free[seat]
            while around != bits.ZERO:
                piece = bits.lowest(around)
                around = bits.without_lowest(around)
                if bits.has(rules.need_bits[tile, r], np.int64(state.museum[seat, piece]) - 1):
                    usable[n] |= bits.bit(piece)
            seen[0] = bits.ZERO
            if not find_piece(n, usable, user, seen):
                return False
            n += 1
    return True


@compiled
def most_published_at_once(state, rules, seat, served):
    """The largest number of the tiles in `served` (uint64) that can be served at once (int64, M33)."""
    best = np.int64(0)
    chosen = served
    while chosen != bits.ZERO:  # every subset of `served`, from the largest as a number down
        n = bits.count(chosen)
        if n > best and (n == 1 or can_publish_all(state, rules, seat, chosen)):
            best = n
        chosen = (chosen - bits.ONE) & served
    return best


# ---------------------------------------------------------------------------------------------------------
# The four sources
# ---------------------------------------------------------------------------------------------------------
@compiled
def score_visitors(state, rules, seat):
    """`visitor_points` a happy visitor. Rulebook: Visitor Engagement."""
    happy = np.int64(0)
    left = filled_spaces(state, rules, seat, K_VISITORS)
    while left != bits.ZERO:
        happy += np.int64(is_happy(state, rules, seat, bits.lowest(left)))
        left = bits.without_lowest(left)
    return happy * rules.worth[S_VISITORS]


@compiled
def score_fossils(state, rules, seat):
    """`fossil_points` an analysed fossil. Rulebook: Fossil Types."""
    analysed = np.int64(0)
    left = filled_spaces(state, rules, seat, K_FOSSILS)
    while left != bits.ZERO:
        analysed += np.int64(is_analysed(state, rules, seat, bits.lowest(left)))
        left = bits.without_lowest(left)
    return analysed * rules.worth[S_FOSSILS]


@compiled
def score_research(state, rules, seat):
    """`research_points` a published tile. Rulebook: Classification of Research Projects."""
    served = published(state, rules, seat)
    n = bits.count(served)
    if rules.one_tile_per_specimen and n > 1:
        n = most_published_at_once(state, rules, seat, served)
    return n * rules.worth[S_RESEARCH]


@compiled
def score(state, rules, points):
    """Fill `points[seat, source]`."""
    for s in range(state.seats):
        points[s, S_DINOSAURS] = dinosaurs_of(state, rules, s) * rules.worth[S_DINOSAURS]
        points[s, S_VISITORS] = score_visitors(state, rules, s)
        points[s, S_FOSSILS] = score_fossils(state, rules, s)
        points[s, S_RESEARCH] = score_research(state, rules, s)


@compiled
def pieces(state, rules, out):
    """Fill `out[seat, source]`: dinosaurs, visitors, fossils and tiles in the museum."""
    for s in range(state.seats):
        for source in range(N_SOURCES):
            out[s, source] = bits.count(filled_spaces(state, rules, s, _KIND_OF_SOURCE[source]))


@compiled
def facts(state, rules, out):
    """Fill `out[seat]` with turns, bones placed, and columns completed by column."""
    for s in range(state.seats):
        out[s, 0] = state.turns[s]
        out[s, 1] = state.bones[s]
        for column in range(N_COLUMNS):
            out[s, 2 + column] = state.completed[s, column]


@compiled
def rank(state, rules, points, share):
    """Fill each seat's win share: most points, then most dinosaurs, then shared (M39)."""
    for s in range(state.seats):
        share[s] = dinosaurs_of(state, rules, s)
    share_win(points, state.seats, share)
