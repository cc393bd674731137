"""Tallies: what is kept of a cell that is too large to keep its playouts.

Everything is an integer, so the result does not depend on the order in which games are added. Sums are kept
apart for `GROUPS` fixed groups of deals; a group is a cluster, and errors come from how the groups differ.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numba
import numpy as np

import engine
from analysis.packing import Packed, pack, unpack
from engine import Playouts
from engine.errors import unknown
from engine.jit import UNCOMPILED, compiled, kernel

GROUPS = 256  # deal % GROUPS
BINS = 128  # bins of width 1 from LOWEST up; the first and the last take what lies beyond
LOWEST = -32
SCORE_BINS, SCORE_LOWEST = 256, -64  # the same of scores
SIXTIETHS = 60  # win shares are whole sixtieths, as up to six seats share a win
# What has a histogram, the axis of `clipped` and `spans`: its lowest bin, and the number of bins.
KINDS = {"score": (SCORE_LOWEST, SCORE_BINS), "points": (LOWEST, BINS), "pieces": (LOWEST, BINS)}
WIDE = tuple(f"{name}_bins" for name in KINDS)
META = ("game", "variant", "policies", "sources", "fact_names", "seats", "seed")


class Counts(NamedTuple):
    """The arrays of a Tallies: int64, and uint32 (`WIDE`) for histograms by seat and source, which are large."""

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


def _dtype(name: str) -> Any:
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
def _count(rows, counts):
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
        _count.compile()


@dataclass(frozen=True, eq=False)
class Tallies:
    """Sums and histograms of many games: what was played never changes, the counts grow by `add`.

    Two ways of cutting the same games into parts, added in any order, give the same arrays bit for bit.
    """

    counts: Counts
    spans: np.ndarray  # int64 (3, 2): the first bin that is in use and the one after the last, by `KINDS`
    sources: tuple[str, ...]
    fact_names: tuple[str, ...]
    policies: tuple[str, ...]  # label of each entry of the line-up
    game: str
    variant: str
    rules: Any  # RuleSet
    seats: str  # fixed, rotate or permute
    seed: int

    @classmethod
    def empty(cls, like: "Playouts | Tallies") -> "Tallies":
        """No games yet of what `like` played."""
        wanted = shapes(len(like.policies), len(like.sources), len(like.fact_names))
        counts = Counts(**{name: np.zeros(shape, _dtype(name)) for name, shape in wanted._asdict().items()})
        spans = np.array([(bins, 0) for _, bins in KINDS.values()])
        return cls(counts, spans, rules=like.rules, **{name: getattr(like, name) for name in META})

    def __len__(self) -> int:
        return int(self.counts.playouts.sum())

    @property
    def n_seats(self) -> int:
        """Number of players."""
        return len(self.policies)

    def add(self, playouts: Playouts) -> "Tallies":
        """Count these games too, in place, and return self.

        Adding the same games twice counts them twice; nothing here can tell.

        Raises
        ------
        ValueError
            If the playouts are not of this game, variant, rules, line-up, seating and seed.
        """
        self._check_alike(playouts)
        arrays = {name: getattr(playouts, name) for name in Rows._fields if name != "order"}
        order = np.argsort((playouts.deal % GROUPS).astype(np.uint8), kind="stable")
        rows = Rows(**arrays, order=order)
        rows = Rows(
            *(np.require(array, kind.dtype.name, ["C", "W"]) for array, kind in zip(rows, ROW_TYPES, strict=True))
        )
        _count(rows, self.counts)
        for span, (name, (lowest, bins)) in zip(self.spans, KINDS.items(), strict=True):
            values = arrays[name]
            if values.size:
                first, last = (min(max(int(x) - lowest, 0), bins - 1) for x in (values.min(), values.max()))
                span[:] = min(span[0], first), max(span[1], last + 1)
        return self

    def __add__(self, other: "Tallies") -> "Tallies":
        if not isinstance(other, Tallies):
            return NotImplemented
        self._check_alike(other)
        spans = np.stack([np.minimum(self.spans, other.spans)[:, 0], np.maximum(self.spans, other.spans)[:, 1]], 1)
        return replace(
            self, counts=Counts(*(a + b for a, b in zip(self.counts, other.counts, strict=True))), spans=spans
        )

    def _check_alike(self, other: Any) -> None:
        for name in META:
            mine, theirs = getattr(self, name), getattr(other, name)
            if mine != theirs:
                raise ValueError(f"tallies and what is added differ in {name}: {mine!r} and {theirs!r}")
        if self.rules.values != other.rules.values:
            raise ValueError(f"tallies and what is added differ in rules: {self.rules!r} and {other.rules!r}")

    def arrays(self) -> dict[str, Packed]:
        """The arrays of `Counts` by name, for storing."""
        spans = dict(zip(WIDE, self.spans.tolist(), strict=True))
        return {name: pack(array, *spans.get(name, ())) for name, array in self.counts._asdict().items()}

    def meta(self) -> dict[str, Any]:
        """What was played, as plain values that JSON can hold."""
        plain = {name: getattr(self, name) for name in META}
        listed = {name: list(x) if isinstance(x, tuple) else x for name, x in plain.items()}
        rules = {"values": dict(self.rules.values), "changed": dict(self.rules.changed)}
        return {**listed, "rules": {**rules, "version": self.rules.version}}

    @classmethod
    def from_arrays(cls, meta: Mapping[str, Any], arrays: Mapping[str, Packed]) -> "Tallies":
        """Tallies from what `meta` and `arrays` gave.

        Raises
        ------
        ValueError
            If a key is missing, an array has another shape or dtype, or the game's rules have changed since.
        """
        for what, given, wanted in (("meta", meta, (*META, "rules")), ("arrays", arrays, Counts._fields)):
            if set(given) != set(wanted):
                odd = sorted(set(given) ^ set(wanted))[0]
                raise ValueError(unknown(f"{what}: key", odd, wanted) if odd in given else f"{what}: no {odd!r}")
        plain: dict[str, Any] = {name: tuple(x) if isinstance(x := meta[name], list) else x for name in META}
        wanted = shapes(len(plain["policies"]), len(plain["sources"]), len(plain["fact_names"]))
        whole = {}
        for name, shape in wanted._asdict().items():
            try:
                whole[name] = unpack(arrays[name], shape, _dtype(name), name in WIDE)
            except ValueError as error:
                raise ValueError(f"arrays: {name!r} {error}") from None
        bins = [arrays[name] for name in WIDE]
        spans = np.array([(start, start + width if (width := array.shape[-1]) else 0) for array, start in bins])
        return cls(Counts(**whole), spans, rules=_rules(plain["game"], plain["variant"], meta["rules"]), **plain)

    def __repr__(self) -> str:
        if not len(self):
            return f"Tallies({self.game}, no games)"
        shares = ", ".join(f"{label} {mean:.2%} ± {half:.2%}" for label, mean, half in self._win_shares())
        return (
            f"Tallies({self.game} {self.variant}, {self.n_seats} players, {len(self):,} games, "
            f"seats {self.seats}, seed {self.seed}; win share {shares})"
        )

    def _repr_html_(self) -> str:
        from html import escape

        if not len(self):
            return f"<p><b>{escape(self.game)}</b>, no games</p>"
        rows = "".join(
            f"<tr><td>{escape(label)}</td><td>{mean:.2%}</td><td>± {half:.2%}</td></tr>"
            for label, mean, half in self._win_shares()
        )
        return (
            f"<p><b>{escape(self.game)}</b> ({escape(self.variant)}), {self.n_seats} players, "
            f"{len(self):,} games as tallies, seats {self.seats}, seed {self.seed}</p>"
            f"<table><tr><th>policy</th><th>win share</th><th>95 % interval</th></tr>{rows}</table>"
        )

    def _win_shares(self) -> list[tuple[str, float, float]]:
        from analysis.metrics import win_rates

        frame = win_rates(self)
        return [(r.policy, r.estimate, (r.high - r.low) / 2) for r in frame.itertuples()]


def _rules(game: str, variant: str, kept: Mapping[str, Any]) -> Any:
    """The rule set that was kept as plain values."""
    rules = engine.load_rules(game, rules=kept["values"])
    if rules.version != kept["version"]:
        raise ValueError(
            f"{game}: these tallies were made with version {kept['version']} of the rules, "
            f"which are now version {rules.version}"
        )
    return replace(rules, variant=variant, changed=dict(kept["changed"]))


def tally(playouts: Playouts) -> Tallies:
    """The tallies of these playouts."""
    return Tallies.empty(playouts).add(playouts)
