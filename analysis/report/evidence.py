"""The evidence of a report: every metric of every stored cell, as tidy tables."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd

from analysis import families, frames, metrics
from analysis.cells import Cell
from analysis.comparison import compare_results, labels_of
from analysis.metrics.margin import WITHIN
from analysis.pairs import Pair
from analysis.report.contests import Contest, Standings, contests
from analysis.report.corrections import correct_costs, correct_fairness
from analysis.restricted import Costs
from analysis.shelf import TableShelf
from analysis.sobol.analyse import tables_of
from analysis.sobol.design import Design
from analysis.sobol.run import stored
from analysis.store import DamagedError, Store
from analysis.thresholds import thresholds
from engine.playouts import ARRAYS, Playouts

MOST_FITTED = 20_000  # games of a cell for `analysis.win_model`; more would take longer than all else
CAUTION = " Where a stop rule ended play, intervals other than that of the rule, and p-values, are a guide."
LABELS = ("variant", "rules", "players", "lineup")
TABLES = (
    "win_rates",
    "win_rates_by_seat",
    "seat_advantage",
    "source_values",
    "source_balance",
    "source_points",
    "source_pieces",
    "scores",
    "game_length",
    "winner_points",
    "margin",
    "fact_values",
)


@dataclass
class Evidence:
    """The tables of a study, and which cells they come from."""

    present: list[Cell] = field(default_factory=list)
    missing: list[Cell] = field(default_factory=list)
    damaged: list[str] = field(default_factory=list)
    tables: dict[str, Any] = field(default_factory=dict)  # `TABLES` and "cells", each a DataFrame
    design: Design | None = None  # of rule numbers that were varied, if all its rule sets are there
    notes: dict[str, dict[str, Any]] = field(default_factory=dict)  # by key, how cells with a stop rule ended
    compared: list[tuple["Compared", Any]] = field(default_factory=list)  # with the frame of `compare_results`
    corrected: dict[str, str] = field(default_factory=dict)  # by family, what its correction promises
    contests: list[Contest] = field(default_factory=list)  # in which policies were ranked
    limits: dict[str, float] = field(default_factory=dict)  # `analysis.thresholds` of the study
    _cut: dict[str, Any] = field(default_factory=dict, repr=False)  # by table, where each cell's rows are
    close: dict[str, int] = field(default_factory=dict)  # by key, the lead in points up to which a game is close

    @property
    def games(self) -> int:
        """Playouts of the cells that are there."""
        varied = self.design.total_games if self.design else 0
        return sum({cell.key: self.games_of(cell) for cell in self.present}.values()) + varied

    def games_of(self, cell: Cell) -> int:
        """Playouts of a present cell; fewer than the most if a stop rule was met."""
        return self.notes.get(cell.key, {}).get("games", cell.games)

    def deals_of(self, cell: Cell) -> int:
        """Deals of a present cell."""
        return self.notes.get(cell.key, {}).get("deals", cell.deals)

    def caution(self, cells: Iterable[Cell]) -> str:
        """A sentence to add where a stop rule ended one of these cells; else empty."""
        return CAUTION if any(self.notes.get(cell.key, {}).get("met") for cell in cells) else ""

    @property
    def played(self) -> list[Cell]:
        """The present cells, and the one whose rules were varied."""
        return self.present + ([self.design.cell] if self.design else [])

    def of(self, table: str, cell: Cell) -> Any:
        """The rows of one cell, without the columns that name it."""
        frame = self.tables[table]
        if self._cut.get(table, (None,))[0] is not frame:
            cut = frame.groupby(["cell", *LABELS], sort=False).indices
            self._cut[table] = frame, cut, frame.drop(columns=["cell", *LABELS])
        _, places, plain = self._cut[table]
        rows = places.get((cell.key[:12], *cell.labels.values()), [])
        return plain.iloc[rows].reset_index(drop=True)

    def groups(self, *kinds: str) -> Iterator[tuple[str, list[Cell]]]:
        """The present cells of these kinds, by variant and rules: (heading, cells).

        Of cells that differ in nothing but seats or games the largest is taken.
        """
        found: dict[str, dict[tuple[int, str], Cell]] = {}
        for cell in self.present:
            if cell.kind in kinds:
                here = found.setdefault(setting(cell), {})
                place = (cell.players, cell.lineup_label)
                here[place] = max(here.get(place, cell), cell, key=self.games_of)
        for heading, cells in found.items():
            yield heading, list(cells.values())


@dataclass(frozen=True)
class Compared:
    """What was compared with what."""

    title: str
    setting: str
    saved: float  # factor of games saved, the median of the rows
    cells: tuple[Cell, Cell]


def setting(cell: Cell) -> str:
    """Variant and rules in words."""
    return cell.variant if cell.rules_label == "as printed" else f"{cell.variant}, {cell.rules_label}"


def gather(store: Store) -> Evidence:
    """Compute every metric of every cell that is there, one cell in memory at a time."""
    found = Evidence(limits=thresholds(store.study.document.thresholds))
    parts: dict[str, list[Any]] = {name: [] for name in TABLES}
    costs, standings = Costs(), Standings()
    wins: list[Any] = []
    for cell in store.study.cells:
        try:
            result = store.load(cell)
        except DamagedError as error:
            found.damaged.append(str(error))
            result = None
        if result is None:
            found.missing.append(cell)
            continue
        found.present.append(cell)
        if note := store.note(cell):
            found.notes[cell.key] = note
        costs.add(cell, result)
        standings.add(cell, result)
        if (frame := fitted(cell, result)) is not None:
            wins.append(frame.assign(cell=cell.key[:12], **cell.labels))
        found.close[cell.key] = close_points(result, found.limits["close_lead"])
        for name, frame in frames_of(result, found.close[cell.key]).items():
            parts[name].append(frame.assign(cell=cell.key[:12], **cell.labels))
    for name, tables in (parts | {"win_model": wins}).items():
        if tables:
            table = pd.concat(tables, ignore_index=True)
            front = ["cell", *LABELS]
            found.tables[name] = table[front + [c for c in table.columns if c not in front]]
    if found.present:
        found.tables["cells"] = pd.DataFrame([_cell_row(found, cell) for cell in found.present])
    cost = costs.frame()
    if cost is not None:
        found.tables["restricted_play"] = cost
    _add_contests(found, standings, store.study.document.correct)
    _add_rule_numbers(found, store)
    _add_comparisons(found, store)
    correct_fairness(found, store.study.document.correct)
    correct_costs(found, store.study.document.correct)
    return found


def _add_contests(found: Evidence, standings: Standings, method: str) -> None:
    """Policies ranked, and the differences between them, corrected together."""
    found.contests, tables = contests(list(found.groups("focus", "mixed")), standings, method)
    found.tables |= tables
    if any(contest.pairs for contest in found.contests):
        found.corrected["policies"] = families.says(method, found.contests[0].family)


def _add_comparisons(found: Evidence, store: Store) -> None:
    """The differences of the study's pairs, corrected together."""
    tables, titles = [], []
    keys = {cell.key for cell in found.present}
    for pair in once(store.study.pairs):
        if {cell.key for cell in pair.cells} <= keys:
            first, against = (store.load(cell) for cell in pair.cells)
            assert first is not None and against is not None
            frame = compare_results(first, against, correct="none")
            titles.append(_compared(pair, labels_of(first, against), frame))
            tables.append(frame)
    if not tables:
        return
    method = store.study.document.correct
    table = pd.concat([f.assign(comparison=t.title) for f, t in zip(tables, titles, strict=True)], ignore_index=True)
    fixed = np.concatenate([np.full(len(f), not found.caution(t.cells)) for f, t in zip(tables, titles, strict=True)])
    table["p_family"] = families.adjust(table.p.where(fixed), method)  # a stop rule's runs have no p-value that holds
    front = ["comparison"]
    found.tables["comparisons"] = table[front + [c for c in table.columns if c not in front]]
    n = int((table.p.notna() & fixed).sum())
    found.corrected["comparisons"] = families.says(method, n) if n or fixed.any() else "not used: stop rules ended all"
    ends = np.cumsum([len(frame) for frame in tables])
    found.compared = [
        (title, table.iloc[end - len(frame) : end]) for title, frame, end in zip(titles, tables, ends, strict=True)
    ]


def once(pairs: Iterable[Pair]) -> list[Pair]:
    """The pairs without those that are there already, whichever side comes first."""
    each: dict[Any, Pair] = {}
    for pair in pairs:
        sides = frozenset(replace(cell, until=None, versus=None).key for cell in pair.cells)
        each.setdefault((sides, pair.first.until), pair)
    return list(each.values())


def _compared(pair: Pair, labels: tuple[str, str], frame: Any) -> Compared:
    cell, other = pair.cells
    lineup = f", {cell.lineup_label}" if cell.lineup_label == other.lineup_label else ""
    saved = frame.saved[np.isfinite(frame.saved)]
    return Compared(
        f"{labels[0]} against {labels[1]} ({cell.players} players{lineup})",
        cell.variant if cell.variant == other.variant else f"{cell.variant} and {other.variant}",
        float(saved.median()) if len(saved) else float("nan"),
        pair.cells,
    )


def _add_rule_numbers(found: Evidence, store: Store) -> None:
    """The tables of the rule numbers that were varied, if all rule sets are there."""
    design = store.study.design
    values = stored(design, TableShelf(store, design, found.damaged.append)) if design else None
    if design and values:
        seen = tables_of(design, values)
        found.design = design
        for name in ("indices", "curves", "spread"):
            found.tables[f"sensitivity_{name}"] = getattr(seen, name)


def close_points(result: Any, part: float) -> int:
    """The lead, in whole points, that is this part of the mean score of a seat; 1 to 94."""
    clusters = frames.clusters_of(result)
    score = clusters.seat_sums("score").sum() / clusters.seat_sums("games").sum()
    return int(np.clip(round(part * score), 1, 94))


def frames_of(result: Any, close: int) -> dict[str, Any]:
    """Every metric of one result, by table; `close` is one of the leads of `analysis.margin`."""
    return {
        "win_rates": metrics.win_rates(result),
        "win_rates_by_seat": metrics.win_rates(result, by="both"),
        "seat_advantage": metrics.seat_advantage(result),
        "source_values": metrics.source_values(result),
        "source_balance": metrics.source_balance(result),
        "source_points": metrics.source_distribution(result, of="points"),
        "source_pieces": metrics.source_distribution(result, of="pieces"),
        "scores": metrics.score_distribution(result),
        "game_length": metrics.game_length(result),
        "winner_points": metrics.winner_points(result),
        "margin": metrics.margin(result, within=sorted({*WITHIN, close})),
        "fact_values": metrics.fact_values(result),
    }


def fitted(cell: Cell, result: Any) -> Any | None:
    """The frame of `analysis.win_model` for one policy at every seat or several at one table; None without playouts."""
    if cell.kind == "focus" or not isinstance(result, Playouts):
        return None
    rows = -(-MOST_FITTED // cell.per_deal) * cell.per_deal
    return metrics.win_model(replace(result, **{name: getattr(result, name)[:rows] for name in ARRAYS}))


def _cell_row(found: Evidence, cell: Cell) -> dict[str, Any]:
    return {
        "cell": cell.key[:12],
        **cell.labels,
        "seats": cell.seats,
        "games": found.games_of(cell),
        "deals": found.deals_of(cell),
        "seed": cell.seed,
        "keep": cell.keep,
        "key": cell.key,
    }
