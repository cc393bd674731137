"""Playouts: what a batch of games leaves behind."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

# Arrays of one row a playout, in the order of `engine.block.Out`.
ARRAYS = (
    "score",
    "points",
    "pieces",
    "facts",
    "share",
    "entry",
    "deal",
    "decisions",
    "options",
    "forced",
)


@dataclass(frozen=True, eq=False)
class Playouts:
    """Results of simulated games, one row a playout; playouts of one deal are one cluster.

    Invariants: ``points`` adds up to ``score`` over sources; ``share`` adds up to 1 over seats; rows are in the
    order of their index, ``index = deal * n_seatings + r``.
    """

    score: np.ndarray  # int16 (games, seats): final points
    points: np.ndarray  # int16 (games, seats, sources)
    pieces: np.ndarray  # int16 (games, seats, sources): what lies in each source
    facts: np.ndarray  # int16 (games, seats, facts): what else the game counts
    share: np.ndarray  # float32 (games, seats): win share, 1/k when k share the win
    entry: np.ndarray  # int16 (games, seats): index into `policies`
    deal: np.ndarray  # int64 (games,)
    decisions: np.ndarray  # int32 (games,): how many decisions
    options: np.ndarray  # int32 (games,): legal actions, added over the decisions
    forced: np.ndarray  # int32 (games,): decisions with one legal action
    sources: tuple[str, ...]
    fact_names: tuple[str, ...]
    policies: tuple[str, ...]  # label of each entry of the line-up
    game: str
    variant: str
    rules: Any  # RuleSet
    seats: str  # fixed, rotate or permute
    seed: int

    def __len__(self) -> int:
        return len(self.deal)

    @property
    def n_seats(self) -> int:
        """Number of players."""
        return self.score.shape[1]

    @property
    def n_deals(self) -> int:
        """Number of clusters."""
        return len(np.unique(self.deal))

    @classmethod
    def join(cls, parts: Sequence["Playouts"]) -> "Playouts":
        """One Playouts from the playouts of several ranges of deals.

        Raises
        ------
        ValueError
            If the parts are not of one game, variant, line-up, seating and seed.
        """
        if not parts:
            raise ValueError("parts must have at least one Playouts")
        first = parts[0]
        plain = ("game", "variant", "policies", "seats", "seed", "sources")
        for part in parts[1:]:
            for name in plain:
                if getattr(part, name) != getattr(first, name):
                    a, b = getattr(first, name), getattr(part, name)
                    raise ValueError(f"parts differ in {name}: {a!r} and {b!r}")
            if part.rules.values != first.rules.values:
                raise ValueError("parts differ in rules")
        joined: dict[str, Any] = {n: np.concatenate([getattr(p, n) for p in parts]) for n in ARRAYS}
        return replace(first, **joined)

    def to_pandas(self) -> Any:
        """A tidy DataFrame, one row per game and seat.

        Columns ``game, deal, seat, policy, score, win_share``, then ``<source>`` (points) and
        ``<source>_pieces`` for each source, then the facts. ``game`` is the playout's index.
        """
        import pandas as pd

        games, seats = self.score.shape
        first = int(self.deal[0]) * int(np.sum(self.deal == self.deal[0])) if games else 0
        columns: dict[str, Any] = {
            "game": np.repeat(np.arange(first, first + games), seats),
            "deal": np.repeat(self.deal, seats),
            "seat": np.tile(np.arange(seats), games),
            "policy": pd.Categorical.from_codes(
                self._label_codes()[self.entry].ravel(), list(dict.fromkeys(self.policies))
            ),
            "score": self.score.ravel(),
            "win_share": self.share.ravel(),
        }
        for i, source in enumerate(self.sources):
            columns[source] = self.points[:, :, i].ravel()
        for i, source in enumerate(self.sources):
            columns[f"{source}_pieces"] = self.pieces[:, :, i].ravel()
        for i, fact in enumerate(self.fact_names):
            columns[fact] = self.facts[:, :, i].ravel()
        return pd.DataFrame(columns)

    def _label_codes(self) -> np.ndarray:
        labels = list(dict.fromkeys(self.policies))
        return np.array([labels.index(label) for label in self.policies])

    def win_shares(self) -> list[tuple[str, float, float]]:
        """(policy, mean win share of one seat, standard error clustered by deal), for a first look."""
        codes = self._label_codes()[self.entry]
        starts = np.flatnonzero(np.r_[True, self.deal[1:] != self.deal[:-1]])
        found = []
        for code, label in enumerate(dict.fromkeys(self.policies)):
            mine = codes == code
            won = np.add.reduceat((self.share * mine).sum(1, dtype=float), starts)
            sat = np.add.reduceat(mine.sum(1).astype(float), starts)
            mean = won.sum() / sat.sum()
            k = len(won)
            error = np.sqrt(k / max(k - 1, 1) * np.sum((won - mean * sat) ** 2)) / sat.sum()
            found.append((label, float(mean), float(error)))
        return found

    def __repr__(self) -> str:
        if not len(self):
            return f"Playouts({self.game}, no games)"
        shares = ", ".join(f"{label} {mean:.2%} ± {1.96 * e:.2%}" for label, mean, e in self.win_shares())
        return (
            f"Playouts({self.game} {self.variant}, {self.n_seats} players, {len(self):,} games, "
            f"seats {self.seats}, seed {self.seed}; win share {shares})"
        )

    def _repr_html_(self) -> str:
        from html import escape

        rows = "".join(
            f"<tr><td>{escape(label)}</td><td>{mean:.2%}</td><td>± {1.96 * error:.2%}</td></tr>"
            for label, mean, error in (self.win_shares() if len(self) else [])
        )
        return (
            f"<p><b>{escape(self.game)}</b> ({escape(self.variant)}), {self.n_seats} players, "
            f"{len(self):,} games of {self.n_deals:,} deals, seats {self.seats}, seed {self.seed}</p>"
            "<table><tr><th>policy</th><th>win share</th><th>95 % interval</th></tr>"
            f"{rows}</table>"
        )


assert set(ARRAYS) < {f.name for f in fields(Playouts)}
