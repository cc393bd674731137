"""Contests: policies one after another in one seat against the same field, or all at one table.

Every two policies of a contest are compared, whoever turns out best, and all comparisons of a study are corrected
together. What was played on the same deals is compared deal by deal, in groups of deals as in `analysis.tallies`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import stdtr

from analysis import families, frames, metrics, stats
from analysis.cells import Cell
from analysis.counting import SIXTIETHS
from analysis.metrics.policy_ranks import Standing, standing

ALPHA = 0.05
RESAMPLES = 2000  # drawings of the deals for ranks
METHODS = {
    "holm": "corrected by Holm's method over",
    "benjamini-hochberg": "corrected by Benjamini and Hochberg's method over",
    "none": "without a correction for",
}


@dataclass(frozen=True)
class Contest:
    """One contest, ranked."""

    setting: str
    cells: list[Cell]
    rows: list[tuple[str, Any]]  # (policy, its win share), best first; of the field the even share by design
    ranks: dict[tuple[str, str], Any]  # rows of `analysis.policy_ranks` by (policy, quantity); none for one alone
    pairs: dict[tuple[str, str], Any]  # the difference of each two, the better one named first
    method: str  # how the family is corrected
    family: int  # comparisons in it, those of other contests too

    @property
    def players(self) -> int:
        """Number of seats."""
        return self.cells[0].players

    @property
    def field(self) -> str:
        """The policy of the other seats; empty at one table."""
        return self.cells[0].field

    @property
    def title(self) -> str:
        """Where the policies met."""
        return place(self.cells[0])

    @property
    def mark(self) -> tuple:
        """What a fairness card finds the part by."""
        own = (self.setting, self.field, self.players) if self.field else (self.cells[0].key,)
        return ("policies", *own)

    def is_decided(self, better: str, worse: str) -> bool:
        """Whether one is decidedly ahead of the other."""
        row = self.pairs[better, worse]
        return bool(row.p_family < ALPHA and row.low > 0)

    @property
    def top(self) -> list[str]:
        """The best, and all that it is not decidedly ahead of."""
        best, *others = [name for name, _ in self.rows]
        return [best, *(name for name in others if not self.is_decided(best, name))]

    def named(self, policy: str) -> str:
        """A policy, said to be the field if it is."""
        return f"{policy} (the field)" if policy == self.field else policy


class Standings:
    """Collects how policies did from the cells of a study, one result in memory at a time."""

    def __init__(self) -> None:
        self.of: dict[str, dict[str, Standing]] = {}

    def add(self, cell: Cell, result: Any) -> None:
        """Note the policy in focus, or all policies of a table."""
        if cell.kind == "focus":
            self.of[cell.key] = {cell.focus: standing(result, cell.focus)}
        elif cell.kind == "mixed":
            self.of[cell.key] = {name: standing(result, name) for name in frames.policies_of(result)}


def by_field(cells: Iterable[Cell]) -> list[tuple[tuple[str, int], list[Cell]]]:
    """Focus cells by field and number of players."""
    groups: dict[tuple[str, int], list[Cell]] = {}
    for cell in cells:
        groups.setdefault((cell.field, cell.players), []).append(cell)
    return list(groups.items())


def place(cell: Cell) -> str:
    """In words, where the policies of a cell meet others."""
    if cell.kind == "mixed":
        return f"at one table of {cell.lineup_label}"
    return f"against {f'{cell.players - 1} {cell.field}' if cell.players > 2 else cell.field}"


def contests(
    groups: Sequence[tuple[str, list[Cell]]], known: Standings, method: str
) -> tuple[list[Contest], dict[str, Any]]:
    """All contests with their comparisons corrected together, and their tables.

    Parameters
    ----------
    groups : sequence of (str, list of Cell)
        Focus and mixed cells by setting.
    known : Standings
    method : str
        As in `analysis.families`.
    """
    places = [(name, mine) for name, cells in groups for _, mine in by_field(c for c in cells if c.kind == "focus")]
    places += [(name, [cell]) for name, cells in groups for cell in cells if cell.kind == "mixed"]
    entered = [_entered(cells, known) for _, cells in places]
    pairs = [differences(found, even) if len(found) + len(even) > 1 else None for found, even in entered]
    ranks = [metrics.policy_ranks({**f, **e}, resamples=RESAMPLES) if len(f) + len(e) > 1 else None for f, e in entered]
    p = [t.p for t in pairs if t is not None]
    adjusted = families.adjust(np.concatenate([*p, []]), method)
    family = int((~np.isnan(adjusted)).sum())
    made = []
    for (name, mine), (found, even), pair, rank in zip(places, entered, pairs, ranks, strict=True):
        if pair is not None:
            pair["p_family"], adjusted = adjusted[: len(pair)], adjusted[len(pair) :]
        shares, by_quantity, by_pair = _shares(found, even), _rows(rank, "quantity"), _rows(pair, "against")
        made.append(Contest(name, mine, shares, by_quantity, by_pair, method, family))
    cells = [mine for _, mine in places]
    tables = {"policy_differences": _joined(pairs, cells), "policy_ranks": _joined(ranks, cells)}
    return made, {name: table for name, table in tables.items() if table is not None}


def _joined(frames_: Sequence[Any], cells: Sequence[list[Cell]]) -> Any | None:
    """The frames that there are, with the labels of their contests."""
    parts = []
    for frame, mine in zip(frames_, cells, strict=True):
        if frame is not None:
            labels = {name: x for name, x in mine[0].labels.items() if name != "lineup"} | {"contest": place(mine[0])}
            parts.append(frame.assign(**labels)[[*labels, *frame.columns]])
    return pd.concat(parts, ignore_index=True) if parts else None


def _rows(frame: Any | None, also: str) -> dict[tuple[str, str], Any]:
    """Rows by policy and another column."""
    return {} if frame is None else {(row.policy, getattr(row, also)): row for row in frame.itertuples()}


def _entered(cells: list[Cell], known: Standings) -> tuple[dict[str, Standing], dict[str, float]]:
    """The policies of a contest, and the field with its even share if every seat has its turn."""
    found = {name: one for cell in cells for name, one in known.of[cell.key].items()}
    is_even = cells[0].kind == "focus" and all(cell.seats != "fixed" for cell in cells)
    return found, {cells[0].field: 1 / cells[0].players} if is_even else {}


def _shares(found: Mapping[str, Standing], even: Mapping[str, float]) -> list[tuple[str, Any]]:
    """(policy, win share), best first; what is even by design comes after its equals."""
    rows = [(name, next(frames.table({}, one.share).itertuples())) for name, one in found.items()]
    rows += [(name, next(frames.table({}, stats.exact(x, 0, 0)).itertuples())) for name, x in even.items()]
    return sorted(rows, key=lambda pair: -pair[1].estimate)


def differences(found: Mapping[str, Standing], even: Mapping[str, float]) -> Any:
    """How far the better of each two is ahead in win share.

    Parameters
    ----------
    found : mapping of str to Standing
    even : mapping of str to float
        Those whose win share is known by design.

    Returns
    -------
    DataFrame
        Columns ``policy, against``, then `analysis.stats.COLUMNS` of the difference and ``p``, that of no difference;
        n counts deals. Where the deals are not the same, errors are added and intervals too, which is enough
        whatever they have in common. NaN in ``p`` where the two never differ.
    """
    places = list(combinations([name for name, _ in _shares(found, even)], 2))
    alike: dict[Any, list[int]] = {}
    for i, (a, b) in enumerate(places):
        same = a in found and b in found and found[a].family == found[b].family
        alike.setdefault(found[a].family if same else i, []).append(i)
    parts, order = [], []
    for rows in alike.values():
        a, b = places[rows[0]]
        if a in even:
            part = _reversed(_from_even(found[b], even[a]))
        elif b in even:
            part = _from_even(found[a], even[b])
        elif found[a].family == found[b].family:
            part = _same_deals([(found[x], found[y]) for x, y in (places[i] for i in rows)])
        else:
            part = _other_deals(found[a], found[b])
        parts.append(part)
        order += rows
    both = stats.stack([part for part, _ in parts])
    p = np.concatenate([p_values(part, spread) for part, spread in parts])
    names = {word: [places[i][k] for i in order] for k, word in enumerate(("policy", "against"))}
    frame = frames.table(names, both).assign(p=p)
    return frame.iloc[np.argsort(order)].reset_index(drop=True)


def p_values(found: Any, spread: Any) -> np.ndarray:
    """P-values of 0; where nothing varies between clusters, of the score statistic, each deal one observation.

    Parameters
    ----------
    found : Estimates or DataFrame
        As for `analysis.stats.p_values`; n counts deals.
    spread : array, shape (rows,)
        The variance of one observation if there were no difference.

    Returns
    -------
    p : ndarray of float64, shape (rows,)
        NaN where there is no difference at all, or only one cluster.
    """
    estimate, n, clusters, spread = (np.asarray(x) for x in (found.estimate, found.n, found.clusters, spread))
    p = stats.p_values(found).copy()
    rows = np.isnan(p) & (clusters > 1) & (estimate != 0)
    t = np.abs(estimate[rows]) * np.sqrt(n[rows] / spread[rows])
    p[rows] = 2 * stdtr(clusters[rows] - 1, -t)
    return p


Part = tuple[stats.Estimates, np.ndarray]  # and the spread for `p_values`


def _same_deals(pairs: Sequence[tuple[Standing, Standing]]) -> Part:
    ends = [
        (np.stack([one.won for one in side], 1), SIXTIETHS * np.stack([one.games for one in side], 1))
        for side in zip(*pairs, strict=True)
    ]
    deals = pairs[0][0].deals
    both = stats.proportion_difference(ends, deals=deals, n=np.full(len(pairs), deals))
    return both, np.abs(both.estimate)


def _from_even(one: Standing, even: float) -> Part:
    moved = replace(one.share.shift(-even), n=np.array([one.deals]))
    return moved, np.array([even * (1 - even)])


def _reversed(part: Part) -> Part:
    found, spread = part
    return replace(found, estimate=-found.estimate, low=-found.high, high=-found.low), spread


def _other_deals(one: Standing, other: Standing) -> Part:
    a, b = one.share, other.share
    middle = a.estimate - b.estimate
    low, high = (
        middle - (a.estimate - a.low) - (b.high - b.estimate),
        middle + (a.high - a.estimate) + (b.estimate - b.low),
    )
    n, clusters = np.array([min(one.deals, other.deals)]), np.minimum(a.clusters, b.clusters)
    return stats.Estimates(middle, a.se + b.se, low, high, n, clusters), np.abs(middle)
