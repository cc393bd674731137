"""The one place that turns playouts or tallies into sums by cluster, so that each metric is written once.

A cluster is a deal for playouts and a group of deals for tallies. Equal labels of a line-up are one policy.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple, Protocol

import numpy as np

from analysis.counting import KINDS, LOWEST, SCORE_LOWEST, SIXTIETHS
from analysis.stats import COLUMNS, Estimates
from analysis.tallies import Tallies
from engine import Playouts
from engine.errors import unknown
from engine.lineup import seatings

BY = ("policy", "seat", "both")


class Histogram(NamedTuple):
    """How often each value came up, by cluster."""

    policy: str
    source: str | None  # None for scores
    values: np.ndarray  # int64 (values,): ascending, without gaps
    counts: np.ndarray  # int64 (clusters, values)


class Clusters(Protocol):
    """Sums by cluster, all int64; clusters without games are left out."""

    policies: tuple[str, ...]  # distinct labels
    sources: tuple[str, ...]
    facts: tuple[str, ...]
    n_seats: int
    deals: int
    clipped: Mapping[str, int]  # values outside the histograms, by `KINDS`

    def seat_sums(self, of: str) -> np.ndarray:
        """Shape (clusters, policies, seats); of "games", "sixtieths" (of a win), "score"."""
        ...

    def source_sums(self, of: str) -> np.ndarray:
        """Shape (clusters, policies, sources); of "points", "pieces", "points_sixtieths"."""
        ...

    def fact_sums(self, of: str) -> np.ndarray:
        """Shape (clusters, policies, facts); of "facts", "facts_sixtieths"."""
        ...

    def game_sums(self, of: str) -> np.ndarray:
        """Shape (clusters,); of "playouts", "decisions", "options", "forced", "ties", "lead"."""
        ...

    def close_sums(self, within: Sequence[int]) -> np.ndarray:
        """Shape (clusters, len(within)); games with a lead of at most so many points."""
        ...

    def histograms(self, of: str) -> Iterator[Histogram]:
        """One a policy and source (of "points", "pieces") or one a policy (of "score")."""
        ...


def clusters_of(result: Any) -> Clusters:
    """The clusters of a result.

    Raises
    ------
    ValueError
        If it has no games.
    TypeError
        If it is neither Playouts nor Tallies.
    """
    if not isinstance(result, (Playouts, Tallies)):
        raise TypeError(f"result must be Playouts or Tallies, not {type(result).__name__}")
    if not len(result):
        raise ValueError("result has no games")
    found: Clusters = _Deals(result) if isinstance(result, Playouts) else _Groups(result)
    return found


def policies_of(result: Any) -> tuple[str, ...]:
    """The distinct labels of a line-up, in its order."""
    return tuple(dict.fromkeys(result.policies))


def pool(sums: np.ndarray, by: str) -> np.ndarray:
    """Sums by cluster, policy and seat, pooled to (clusters, rows).

    Raises
    ------
    ValueError
        If `by` is not of `BY`.
    """
    if by not in BY:
        raise ValueError(unknown("by", by, BY))
    if by == "both":
        return sums.reshape(len(sums), -1)
    return sums.sum(2 if by == "policy" else 1)


def pool_labels(clusters: Clusters, by: str) -> dict[str, Any]:
    """The label columns of the rows of `pool`."""
    labels, seats = np.array(clusters.policies, object), np.arange(clusters.n_seats)
    if by == "policy":
        return {"policy": labels}
    if by == "seat":
        return {"seat": seats}
    return {"policy": np.repeat(labels, len(seats)), "seat": np.tile(seats, len(labels))}


def table(labels: Mapping[str, Any], found: Estimates) -> Any:
    """A tidy DataFrame: the label columns, then `analysis.stats.COLUMNS`, then ``influence`` if asked for."""
    import pandas as pd

    columns = {name: np.asarray(getattr(found, name)) for name in COLUMNS}
    if found.influence is not None:
        columns["influence"] = found.influence
    return pd.DataFrame({**labels, **columns})


def leads(playouts: Playouts) -> np.ndarray:
    """Score of the winning seat less the best score of the others; 0 where a win is shared. int64 (games,).

    It is negative where a game is won by something else than the score.
    """
    winners = playouts.share > 0
    score = playouts.score.astype(np.int64)
    lowest = np.iinfo(np.int64).min
    winner = np.where(winners, score, lowest).max(1)
    others = np.where(winners, lowest, score).max(1)
    return np.where(winners.sum(1) > 1, 0, winner - np.where(winners.all(1), winner, others))


class _Deals:
    """Clusters of playouts: the deals, which are contiguous rows."""

    def __init__(self, playouts: Playouts):
        self._play = playouts
        self._starts = np.flatnonzero(np.r_[True, playouts.deal[1:] != playouts.deal[:-1]])
        self.policies, self.sources = policies_of(playouts), playouts.sources
        self.facts = playouts.fact_names
        self.n_seats, self.deals = playouts.n_seats, len(self._starts)
        self.clipped: Mapping[str, int] = dict.fromkeys(KINDS, 0)

    def seat_sums(self, of: str) -> np.ndarray:
        values = {
            "games": lambda: np.ones(self._play.entry.shape, np.int64),
            "sixtieths": self._sixtieths,
            "score": lambda: self._play.score,
        }[of]()
        code = np.array([self.policies.index(label) for label in self._play.policies])[self._play.entry]
        return np.stack([self._by_deal(values * (code == p)) for p in range(len(self.policies))], axis=1)

    def source_sums(self, of: str) -> np.ndarray:
        values = self._play.pieces if of == "pieces" else self._play.points
        return self._by_policy(values, weighted=of == "points_sixtieths")

    def fact_sums(self, of: str) -> np.ndarray:
        return self._by_policy(self._play.facts, weighted=of == "facts_sixtieths")

    def _by_policy(self, values: np.ndarray, weighted: bool) -> np.ndarray:
        """Sums of (games, seats, kinds) by deal and policy, times the win share if weighted."""
        shares = self._sixtieths() if weighted else None
        found = []
        for label in self.policies:
            total: Any = 0
            for rows, seats in self._seats_of(label):
                mine = values[rows, seats].astype(np.int64)
                total = total + (mine if shares is None else mine * shares[rows, seats][:, None])
            found.append(self._by_deal(total))
        return np.stack(found, axis=1)

    def game_sums(self, of: str) -> np.ndarray:
        if of == "playouts":
            return self._by_deal(np.ones(len(self._play), np.int64))
        if of == "ties":
            return self._by_deal((self._play.share > 0).sum(1) > 1)
        return self._by_deal(self._lead if of == "lead" else getattr(self._play, of))

    @cached_property
    def _lead(self) -> np.ndarray:
        return leads(self._play)

    def close_sums(self, within: Sequence[int]) -> np.ndarray:
        return self._by_deal(self._lead[:, None] <= np.array(within))

    def histograms(self, of: str) -> Iterator[Histogram]:
        array = getattr(self._play, of)
        for label in self.policies:
            for k in [None] if of == "score" else range(len(self.sources)):
                mine = [array[r, s] if k is None else array[r, s, k] for r, s in self._seats_of(label)]
                yield Histogram(label, None if k is None else self.sources[k], *self._count(mine))

    def _count(self, columns: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        low, high = int(min(c.min() for c in columns)), int(max(c.max() for c in columns))
        width = high - low + 1
        base = np.repeat(np.arange(self.deals), np.diff(self._starts, append=len(self._play))) * width - low
        counts = np.zeros(self.deals * width, np.int64)
        for column in columns:
            counts += np.bincount(base + column, minlength=len(counts))
        return np.arange(low, high + 1), counts.reshape(self.deals, width)

    def _seats_of(self, label: str) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Row and seat indices, shape (games,), of each entry with this label."""
        rows = np.arange(len(self._play))
        for entry, other in enumerate(self._play.policies):
            if other == label:
                yield rows, np.argmax(self._play.entry == entry, axis=1)

    def _sixtieths(self) -> np.ndarray:
        return np.rint(self._play.share * SIXTIETHS).astype(np.int64)

    def _by_deal(self, values: np.ndarray) -> np.ndarray:
        return np.add.reduceat(values, self._starts, axis=0, dtype=np.int64)


class _Groups:
    """Clusters of tallies: the groups of deals that have games."""

    def __init__(self, tallies: Tallies):
        self._counts, self._used = tallies.counts, tallies.counts.playouts > 0
        self._entries = [
            [e for e, other in enumerate(tallies.policies) if other == label] for label in policies_of(tallies)
        ]
        self.policies, self.sources, self.n_seats = policies_of(tallies), tallies.sources, tallies.n_seats
        self.facts = tallies.fact_names
        self.deals = -(-len(tallies) // len(seatings(tallies.policies, tallies.seats)))
        self.clipped: Mapping[str, int] = dict(zip(KINDS, tallies.counts.clipped.tolist(), strict=True))

    def seat_sums(self, of: str) -> np.ndarray:
        return self._by_policy(getattr(self._counts, of))

    def source_sums(self, of: str) -> np.ndarray:
        return self._by_policy(getattr(self._counts, of)).sum(2)

    def fact_sums(self, of: str) -> np.ndarray:
        return self._by_policy(getattr(self._counts, of)).sum(2)

    def game_sums(self, of: str) -> np.ndarray:
        return getattr(self._counts, of)[self._used]

    def close_sums(self, within: Sequence[int]) -> np.ndarray:
        return self._counts.lead_bins[self._used].cumsum(1)[:, [k - LOWEST for k in within]]

    def histograms(self, of: str) -> Iterator[Histogram]:
        counts = self._by_policy(getattr(self._counts, f"{of}_bins"))
        if of == "score":
            counts = counts.sum(2)[:, :, None]
        for p, label in enumerate(self.policies):
            for k in range(counts.shape[2]):
                here = np.flatnonzero(counts[:, p, k].sum(0))
                low, high = here[0], here[-1]
                source, first = (None, SCORE_LOWEST) if of == "score" else (self.sources[k], LOWEST)
                yield Histogram(label, source, np.arange(low, high + 1) + first, counts[:, p, k, low : high + 1])

    def _by_policy(self, array: np.ndarray) -> np.ndarray:
        used = array[self._used]
        return np.stack([used[:, entries].sum(1, dtype=np.int64) for entries in self._entries], axis=1)
