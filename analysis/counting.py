"""Counting playouts into histograms and sums: the arrays of `analysis.tallies` and the kernel that fills them."""

from typing import Any, NamedTuple

import numba
import numpy as np

from engine.jit import UNCOMPILED, compiled, kernel

GROUPS = 256  # deal % GROUPS
BINS = 128  # bins of width 1 from LOWEST up; the first and the last take what lies beyond
LOWEST = -32
SCORE_BINS, SCORE_LOWEST = 256, -64  # the same of scores
SIXTIETHS = 60  # win shares are whole sixtieths, as up to six seats share a win
# What has a histogram, the axis of `clipped` and `spans`: its lowest bin, and the number of bins.
KINDS = {"score": (SCORE_LOWEST, SCORE_BINS), "points": (LOWEST, BINS), "pieces": (LOWEST, BINS)}
WIDE = tuple(f"{name}_bins" for name in KINDS)


class Counts(NamedTuple):
    """The arrays of a Tallies: int64, and uint32 (`WIDE`) for histograms by seat and source.

    Those are large, and hold four billion games of a group in each bin.
    """

    games: Any  # (groups, entries, seats): games in which the entry sat there
    sixtieths: Any  # (groups, entries, seats): win share
    score: Any  # (groups, entries, seats)
    score_squares: Any  # (groups, entries, seats)
    score_sixtieths: Any  # (groups, entries, seats): score times win share
    score_bins: Any  # (groups, entries, seats, SCORE_BINS): games by score
    points: Any  # (groups, entries, seats, sources)
    pieces: Any  # (groups, entries, seats, sources)
    points_sixtieths: Any  # (groups, entries, seats, sources): points times win share
    facts: Any  # (groups, entries, seats, facts)
    facts_sixtieths: Any  # (groups, entries, seats, facts): facts times win share
    points_bins: Any  # (groups, entries, sources, BINS): games by points, seats added up
    pieces_bins: Any  # (groups, entries, sources, BINS)
    playouts: Any  # (groups,): games
    decisions: Any  # (groups,)
    options: Any  # (groups,)
    forced: Any  # (groups,)
    ties: Any  # (groups,): games with a shared win
    clipped: Any  # (3,): values beyond the bins, by `KINDS`
    lead: Any  # (groups,): the winner's lead, as in `analysis.margin`
    lead_bins: Any  # (groups, BINS): games by lead


class Rows(NamedTuple):
    """The arrays of a Playouts that are counted, shapes and dtypes as there."""

    score: Any
    points: Any
    pieces: Any
    facts: Any
    share: Any
    entry: Any
    deal: Any
    decisions: Any
    options: Any
    forced: Any
    order: Any  # int64 (games,): the rows group by group, so that what is written lies close together


def shapes(n_seats: int, n_sources: int, n_facts: int) -> Counts:
    """The shape of each array."""
    seat = (GROUPS, n_seats, n_seats)
    source, fact, bins = (*seat, n_sources), (*seat, n_facts), (GROUPS, n_seats, n_sources, BINS)
    shape: list[Any] = [seat] * 5 + [(*seat, SCORE_BINS)] + [source] * 3 + [fact] * 2 + [bins] * 2
    shape += [(GROUPS,)] * 5 + [(len(KINDS),), (GROUPS,), (GROUPS, BINS)]
    return Counts(*shape)


def dtype_of(name: str) -> Any:
    """Of an array of `Counts`."""
    return np.uint32 if name in WIDE else np.int64


def _array(dtype: Any, ndim: int) -> Any:
    return numba.types.Array(dtype, ndim, "C")


_i2, _i4, _i8, _f4 = numba.int16, numba.int32, numba.int64, numba.float32
ROW_TYPES = [
    _array(dtype, ndim)
    for dtype, ndim in zip(
        (_i2, _i2, _i2, _i2, _f4, _i2, _i8, _i4, _i4, _i4, _i8), (2, 3, 3, 3, 2, 2) + (1,) * 5, strict=True
    )
]
COUNT_TYPES = [
    _array(numba.uint32 if name in WIDE else numba.int64, len(shape))
    for name, shape in shapes(1, 1, 1)._asdict().items()
]


@compiled
def _score_bin(value):
    """The bin that a score falls into."""
    return min(max(value - SCORE_LOWEST, 0), SCORE_BINS - 1)


@compiled
def _bin(value):
    """The bin that a value falls into."""
    return min(max(value - LOWEST, 0), BINS - 1)


@compiled
def _count_sources(rows, counts, g, s, group, won):
    """Add the sources of one seat in one game."""
    e = rows.entry[g, s]
    for k in range(rows.points.shape[2]):
        points, pieces = np.int64(rows.points[g, s, k]), np.int64(rows.pieces[g, s, k])
        counts.points[group, e, s, k] += points
        counts.pieces[group, e, s, k] += pieces
        counts.points_bins[group, e, k, _bin(points)] += 1
        counts.pieces_bins[group, e, k, _bin(pieces)] += 1
        counts.clipped[1] += _bin(points) != points - LOWEST
        counts.clipped[2] += _bin(pieces) != pieces - LOWEST
    if won:
        for k in range(rows.points.shape[2]):
            counts.points_sixtieths[group, e, s, k] += rows.points[g, s, k] * won


@compiled
def _count_facts(rows, counts, g, s, group, won):
    """Add the facts of one seat in one game."""
    e = rows.entry[g, s]
    for f in range(rows.facts.shape[2]):
        fact = np.int64(rows.facts[g, s, f])
        counts.facts[group, e, s, f] += fact
        counts.facts_sixtieths[group, e, s, f] += fact * won


@compiled
def _lead(rows, g):
    """Score of the winning seat less the best of the others; 0 where a win is shared."""
    winners, best, other = 0, np.int64(0), np.int64(0)
    losers = 0
    for s in range(rows.score.shape[1]):
        score = np.int64(rows.score[g, s])
        if rows.share[g, s] > 0:
            winners += 1
            best = score
        else:
            other = score if losers == 0 else max(other, score)
            losers += 1
    return best - other if winners == 1 and losers else np.int64(0)


@kernel(numba.void(numba.types.NamedTuple(ROW_TYPES, Rows), numba.types.NamedTuple(COUNT_TYPES, Counts)))
def count(rows, counts):
    """Add every row to `counts`, which is modified in place."""
    for g in rows.order:
        group = rows.deal[g] % GROUPS
        winners = 0
        for s in range(rows.score.shape[1]):
            e, score = rows.entry[g, s], np.int64(rows.score[g, s])
            won = np.int64(round(rows.share[g, s] * SIXTIETHS))
            winners += 1 if won else 0
            counts.games[group, e, s] += 1
            counts.sixtieths[group, e, s] += won
            counts.score[group, e, s] += score
            counts.score_squares[group, e, s] += score * score
            counts.score_sixtieths[group, e, s] += score * won
            counts.score_bins[group, e, s, _score_bin(score)] += 1
            counts.clipped[0] += _score_bin(score) != score - SCORE_LOWEST
            _count_sources(rows, counts, g, s, group, won)
            _count_facts(rows, counts, g, s, group, won)
        counts.playouts[group] += 1
        counts.decisions[group] += rows.decisions[g]
        counts.options[group] += rows.options[g]
        counts.forced[group] += rows.forced[g]
        counts.ties[group] += winners > 1
        lead = _lead(rows, g)
        counts.lead[group] += lead
        counts.lead_bins[group, _bin(lead)] += 1


def warm_up() -> None:
    """Compile the kernel, or load it from the disk cache, before threads or processes start."""
    if not UNCOMPILED:
        count.compile()
