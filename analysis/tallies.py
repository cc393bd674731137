"""Tallies: what is kept of a cell that is too large to keep its playouts.

Everything is an integer, so the result does not depend on the order in which games are added. Sums are kept
apart for `GROUPS` fixed groups of deals; a group is a cluster, and errors come from how the groups differ.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import engine
from analysis.counting import GROUPS, KINDS, ROW_TYPES, WIDE, Counts, Rows, count, dtype_of, shapes
from analysis.packing import Packed, pack, unpack
from engine import Playouts
from engine.errors import unknown

META = ("game", "variant", "policies", "sources", "fact_names", "seats", "seed")


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
        counts = Counts(**{name: np.zeros(shape, dtype_of(name)) for name, shape in wanted._asdict().items()})
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
        count(rows, self.counts)
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
                whole[name] = unpack(arrays[name], shape, dtype_of(name), name in WIDE)
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
