"""The generic compiled loop that every game's `play_block` inlines, and the types of its arguments."""

from typing import Any, NamedTuple

import numba
import numpy as np
from numba import types

from engine import bits, rng
from engine.game import MAX_SEATS, record_dtype
from engine.jit import compiled, generic

# Kinds of entry.
CHOOSE, VALUE = 0, 1
# Kinds of fault, in `Out.fault[0]`.
NO_FAULT, ILLEGAL, NO_BEST, ENDLESS = 0, 1, 2, 3


class Job(NamedTuple):
    """What a block plays."""

    seed: Any  # uint64
    first: Any  # int64: index of the first playout
    limit: Any  # int64: no game has more decisions
    seating: Any  # int64 (n_seatings, n_seats): entry at each seat
    columns: Any  # int64 (n_sources,): the sources in force, as indices of all sources
    n_all: Any  # int64: how many sources the game has in all


# The line-up, one record an entry. Weights lie inside the record: a view of it is free, while a slice of an
# array would cost two atomic operations, half the time of a random game.
MAX_WEIGHTS = 32
ENTRY = record_dtype(
    [
        ("kind", "i8"),  # CHOOSE or VALUE
        ("ban", "u8"),  # mask of banned sources
        ("random", "f8"),  # probability of a random action
        ("weights", "f8", (MAX_WEIGHTS,)),
    ]
)


class Scratch(NamedTuple):
    """State records and the same memory as words: row 0 is the game, row 1 stays blank."""

    states: Any  # record (2,)
    words: Any  # uint64 (2, n_words)


class Out(NamedTuple):
    """Results of a block, all modified in place; shapes as in `engine.playouts`."""

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
    fault: Any  # int64 (5,): kind, playout index, seat, action, phase


class Trace(NamedTuple):
    """Decisions of a block, if its arrays have rows: modified in place, row by row."""

    rows: Any  # int64 (n, 6): playout index, ply, seat, phase, action, number of legal actions
    legal: Any  # uint64 (n,): the legal actions
    words: Any  # uint64 (n or 0, n_words): the state in front of each decision, then the final state


def _array(dtype: Any, ndim: int) -> types.Array:
    return types.Array(dtype, ndim, "C")


def play_signature(state: np.dtype, rules: np.dtype) -> tuple:
    """The one signature of a game's ``play_block(job, rules, choose, value, entries, scratch, out, trace)``."""
    i16, i32, i64, u64, f32, f64 = (
        types.int16,
        types.int32,
        types.int64,
        types.uint64,
        types.float32,
        types.float64,
    )
    state_type, rules_type = numba.from_dtype(state), numba.from_dtype(rules)
    choose = types.FunctionType(i64(state_type, rules_type, u64, f64[::1]))
    value = types.FunctionType(f64(state_type, rules_type, i64, f64[::1]))
    return (
        types.NamedTuple([u64, i64, i64, _array(i64, 2), _array(i64, 1), i64], Job),
        _array(rules_type, 1),
        types.UniTuple(choose, MAX_SEATS),
        types.UniTuple(value, MAX_SEATS),
        _array(numba.from_dtype(ENTRY), 1),
        types.NamedTuple([_array(state_type, 1), _array(u64, 2)], Scratch),
        types.NamedTuple(
            [_array(i16, 2), _array(i16, 3), _array(i16, 3), _array(i16, 3), _array(f32, 2), _array(i16, 2)]
            + [_array(i64, 1), _array(i32, 1), _array(i32, 1), _array(i32, 1), _array(i64, 1)],
            Out,
        ),
        types.NamedTuple([_array(i64, 2), _array(u64, 1), _array(u64, 2)], Trace),
    )


@generic
def best_action(value, state, rules, legal, weights):
    """The legal action with the highest value, ties broken at random; -1 if no value is a number.

    Parameters
    ----------
    value : function
        ``value(state, rules, action, weights) -> float64``.
    state, rules : record
    legal : uint64
        Not empty.
    weights : ndarray of float64
    """
    best = -np.inf
    ties = bits.ZERO
    left = legal
    while left != bits.ZERO:
        action = bits.lowest(left)
        left = bits.without_lowest(left)
        worth = value(state, rules, action, weights)
        if worth > best or (worth == best and ties == bits.ZERO):
            best, ties = worth, bits.bit(action)
        elif worth == best:
            ties |= bits.bit(action)
    chosen = np.int64(-1)
    if ties != bits.ZERO:
        chosen = bits.select(ties, rng.below(state, bits.count(ties)))
    return chosen


@generic
def decide(feeds, state, rules, legal, e, choose, value, entries):
    """The action of entry `e`, and the mask it had to choose from: (int64, uint64)."""
    offered, entry = legal, entries[e]
    if entry.ban != bits.ZERO:
        banned = entry.ban
        while banned != bits.ZERO:
            source = bits.lowest(banned)
            banned = bits.without_lowest(banned)
            offered &= ~feeds(state, rules, source)
        if offered == bits.ZERO:
            offered = legal
    if entry.random > 0.0 and rng.uniform(state) < entry.random:
        action = bits.select(offered, rng.below(state, bits.count(offered)))
    elif entry.kind == CHOOSE:
        action = choose[e](state, rules, offered, entry.weights[:])
    else:
        action = best_action(value[e], state, rules, offered, entry.weights[:])
    return action, offered


@compiled
def fault_of(kind, action, offered):
    """What is wrong with the action (int64) of an entry that was offered the mask `offered` (uint64)."""
    if action == -1 and kind == VALUE:
        return NO_BEST
    return ILLEGAL if action < 0 or action > 63 or not bits.has(offered, action) else NO_FAULT


@generic
def write_seats(g, seating, columns, points, lying, counted, share, out):
    """Write what each seat has at the end of game `g` to `out`, the sources in force only."""
    for s in range(seating.shape[0]):
        total = np.int64(0)
        for c in range(columns.shape[0]):
            source = columns[c]
            total += points[s, source]
            out.points[g, s, c] = points[s, source]
            out.pieces[g, s, c] = lying[s, source]
        for f in range(out.facts.shape[2]):
            out.facts[g, s, f] = counted[s, f]
        out.score[g, s] = total
        out.share[g, s] = share[s]
        out.entry[g, s] = seating[s]


@generic
def play(
    setup,
    legal,
    apply,
    score,
    rank,
    pieces,
    facts,
    feeds,
    job,
    rules_array,
    choose,
    value,
    entries,
    scratch,
    out,
    trace,
):
    """Play `out.deal.size` games one after another; the body of every game's `play_block`.

    The first eight arguments are the game's compiled functions (see `engine.game`), the others the arguments of
    `play_block`. Results and faults are written to `out`, decisions to `trace` if it has rows; the loop ends at
    the first fault. The caller checks everything beforehand and raises afterwards.
    """
    state, rules = scratch.states[0], rules_array[0]
    n_seats = job.seating.shape[1]
    points = np.zeros((n_seats, job.n_all), np.int64)
    lying = np.zeros((n_seats, job.n_all), np.int64)
    counted = np.zeros((n_seats, max(1, out.facts.shape[2])), np.int64)
    share = np.zeros(n_seats, np.float64)
    row = 0
    for g in range(out.deal.shape[0]):
        index = job.first + g
        deal, arrangement = index // job.seating.shape[0], index % job.seating.shape[0]
        seating = job.seating[arrangement]
        scratch.words[0, :] = scratch.words[1, :]
        rng.key_streams(state, job.seed, deal, seating)
        state.seats = n_seats
        setup(state, rules)
        out.fault[1] = index
        decisions, options, forced = np.int64(0), np.int64(0), np.int64(0)
        while True:
            mask = legal(state, rules)
            if trace.words.shape[0] > 0:
                trace.words[row, :] = scratch.words[0, :]
            if mask == bits.ZERO:
                break
            seat, phase = state.mover, state.phase
            action, offered = decide(feeds, state, rules, mask, seating[seat], choose, value, entries)
            kind = entries[seating[seat]].kind
            wrong = ENDLESS if decisions >= job.limit else fault_of(kind, action, offered)
            if wrong != NO_FAULT:
                out.fault[0], out.fault[2], out.fault[3], out.fault[4] = wrong, seat, action, phase
                return
            n_legal = bits.count(mask)
            if row < trace.rows.shape[0]:
                trace.rows[row, 0], trace.rows[row, 1], trace.rows[row, 2] = index, decisions, seat
                trace.rows[row, 3], trace.rows[row, 4], trace.rows[row, 5] = phase, action, n_legal
                trace.legal[row] = mask
            row += 1
            decisions += 1
            options += n_legal
            forced += np.int64(n_legal == 1)
            apply(state, rules, action)
        score(state, rules, points)
        rank(state, rules, points, share)
        pieces(state, rules, lying)
        facts(state, rules, counted)
        out.deal[g], out.decisions[g], out.options[g], out.forced[g] = deal, decisions, options, forced
        write_seats(g, seating, job.columns, points, lying, counted, share, out)


def idle_choose(state, rules, legal, weights):
    """Fill an unused place of a line-up."""
    return np.int64(0)


def idle_value(state, rules, action, weights):
    """Fill an unused place of a line-up."""
    return 0.0
