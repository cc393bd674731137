"""`sensitivity` and its tables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from analysis.cells import Cell
from analysis.sobol.design import BASE_POINTS, GAMES, Design, make_design
from analysis.sobol.frames import curve_frame, index_frame
from analysis.sobol.measure import faults
from analysis.sobol.numbers import twice
from analysis.sobol.run import Values, play_design
from engine.errors import whole_number
from engine.games import load_game
from engine.lineup import resolve_lineup, seatings
from engine.policy import entry
from engine.ruleset import load_rule_set


@dataclass(frozen=True, eq=False)
class Sensitivity:
    """Tables of an analysis, each with a first column ``metric``."""

    indices: Any  # DataFrame: see `frames.index_frame`
    curves: Any  # DataFrame: see `frames.curve_frame`
    spread: Any  # DataFrame: see `frames.index_frame`
    rule_sets: int  # different ones that were played

    def __repr__(self) -> str:
        lines = [f"Sensitivity({self.rule_sets:,} rule sets)"]
        for metric, mine in self.indices.groupby("metric", sort=False):
            total = mine[(mine.order == "total") & mine.above_noise].sort_values("estimate", ascending=False)
            said = ", ".join(f"{r.number} {r.estimate:.2f} ({r.low:.2f} to {r.high:.2f})" for r in total.itertuples())
            lines.append(f"{metric}: {said or 'nothing above noise'}")
        return "\n  ".join(lines)


def sensitivity(
    game: str,
    policies: Sequence[Any],
    numbers: Mapping[str, Any],
    metric: Any = "seat_advantage",
    *,
    base_points: int = BASE_POINTS,
    games: int = GAMES,
    curve_games: int | None = None,
    seed: int = 1,
    variant: str | Path | None = None,
    rules: Mapping[str, Any] | None = None,
    seats: str = "rotate",
    threads: int | None = None,
    progress: bool = False,
) -> Sensitivity:
    """Which of a game's numbers a metric depends on.

    Parameters
    ----------
    game, policies, seed, variant, rules, seats, threads
        As for `engine.simulate`; numbers that are not varied stay as these rules have them.
    numbers : mapping
        Rule, or an element of a list (``"forest_points.3"``), to ``[lowest, highest]``. Whole numbers are drawn
        evenly from the range, both ends included, and so are switches from ``[False, True]``.
    metric : str, mapping or list
        A metric's name, or a mapping with ``name``, options of the metric and values of its label columns that
        leave one row: ``{"name": "source_values", "policy": "greedy", "source": "trio", "quantity": "points"}``.
        Several metrics cost no more games.
    base_points : int
        A power of 2; base_points * (numbers + 2) rule sets are asked for, and equal ones played once.
    games : int
        Playouts of each rule set.
    curve_games : int, optional
        Playouts of each point of the curves; by default ten times `games`.
    progress : bool
        A bar on stderr, or a line every 30 seconds where that is no terminal.

    Returns
    -------
    Sensitivity

    Raises
    ------
    ValueError
        For a bad argument, or values that the game refuses together.
    """
    found = load_game(game)
    rule_set = load_rule_set(found, variant, rules)
    entries = resolve_lineup(policies, found)
    seatings(entries, seats)
    cell = Cell(
        game=game,
        rules=rule_set,
        rules_label="",
        lineup_label=", ".join(e.label for e in entries),
        kind="mixed",
        wanted=tuple(p if hasattr(p, "policy") else entry(p) for p in policies),
        entries=entries,
        seats=seats,
        asked=games,
        seed=whole_number("seed", seed, 0, 2**64 - 1),
        keep="tallies",
        place="",
    )
    design = make_design(cell, numbers, metric, base_points, games, curve_games)
    design.check()
    for name, number in twice(rules or {}, design.numbers, rule_set):
        raise ValueError(f"rules: {name!r} is varied as {number!r} in numbers too; leave one of them out")
    for line in faults(design.measures, cell, design.games):
        raise ValueError(line)
    return tables_of(design, play_design(design, jobs=threads, progress=progress))


def tables_of(design: Design, values: list[Values]) -> Sensitivity:
    """The tables of all measures of a design that was played."""
    import pandas as pd

    tables: dict[str, list[Any]] = {"indices": [], "curves": [], "spread": []}
    for k, measure in enumerate(design.measures):
        indices, spread = index_frame(design, values[0], k)
        for name, frame in (("indices", indices), ("curves", curve_frame(design, values[1], k)), ("spread", spread)):
            frame.insert(0, "metric", measure.label)
            tables[name].append(frame)
    joined = {name: pd.concat(parts, ignore_index=True) for name, parts in tables.items()}
    points = np.concatenate([table.points for table in design.tables])
    return Sensitivity(**joined, rule_sets=len(np.unique(points, axis=0)))
