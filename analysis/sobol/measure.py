"""One number of a result: a metric of the house, and which row of its frame."""

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import engine
from analysis import metrics, stats
from analysis.cells import Cell
from engine.errors import PolicyError, unknown

# Which row is meant when nothing is said.
DEFAULTS: dict[str, dict[str, Any]] = {"seat_advantage": {"seat": 0, "quantity": "win_share"}}
ESTIMATES = set(stats.COLUMNS)
FEW, MANY = 32, 20_000  # deals, and games, that a measure is tried on


@dataclass(frozen=True)
class Measure:
    """A metric, its options and the values of the label columns that leave one row."""

    metric: str
    options: tuple[tuple[str, Any], ...]
    row: tuple[tuple[str, Any], ...]

    @property
    def label(self) -> str:
        """In words, as in "seat advantage: seat 0, win_share"."""
        asked = ", ".join(f"{name} {value}" for name, value in (*self.options, *self.row) if name != "quantity")
        quantity = next((str(value) for name, value in self.row if name == "quantity"), "")
        words = ", ".join(word for word in (quantity.replace("_", " "), asked) if word)
        return self.metric.replace("_", " ") + (f": {words}" if words else "")

    def of(self, result: Any) -> dict[str, Any]:
        """The row of a result: estimate, se, low, high, n, clusters and influence.

        Raises
        ------
        ValueError
            If not exactly one row is left, or the metric cannot tell what each deal adds.
        """
        with stats.influence():
            frame = getattr(metrics, self.metric)(result, **dict(self.options))
        mine = np.ones(len(frame), bool)
        for name, value in self.row:
            if name not in frame:
                known = [*_labels(frame), *_options(self.metric)]
                raise ValueError(unknown(f"metric {self.metric!r}: column or option", name, known))
            here = frame[name].to_numpy(object) == value  # far faster than pandas' own comparison
            if not (mine & here).any():
                raise ValueError(unknown(f"metric {self.metric!r}: {name}", value, dict.fromkeys(frame[name])))
            mine &= here
        if mine.sum() != 1:
            left = frame[mine]
            open_ = {name: list(dict.fromkeys(left[name])) for name in _labels(frame) if left[name].nunique() > 1}
            says = "; ".join(f"{name} = one of {values}" for name, values in open_.items())
            raise ValueError(f"metric {self.metric!r}: say which of its {mine.sum()} rows: {says}")
        if "influence" not in frame:
            raise ValueError(f"metric {self.metric!r} cannot be used here: it has no error by deal")
        at = int(np.flatnonzero(mine)[0])
        return {name: frame[name].to_numpy()[at] for name in (*stats.COLUMNS, "influence")}


def _labels(frame: Any) -> list[str]:
    return [name for name in frame if name not in ESTIMATES and name != "influence"]


def _options(metric: str) -> list[str]:
    """What a metric can be told besides the result and the level of its intervals, which are left as they are."""
    return [name for name in list(inspect.signature(getattr(metrics, metric)).parameters)[1:] if name != "level"]


def usable() -> list[str]:
    """The metrics of one result of play; others need results of several line-ups, or games decision by decision."""
    return [m for m in metrics.__all__ if next(iter(inspect.signature(getattr(metrics, m)).parameters)) == "result"]


def check_measure(given: Any) -> Measure:
    """A measure from a metric's name, or from a table ``{name = "seat_advantage", seat = 1, quantity = "score"}``.

    Besides ``name`` a table has options of the metric and values of its label columns.

    Raises
    ------
    ValueError
        If it is neither, or there is no such metric of one result.
    """
    if isinstance(given, Measure):
        return given
    table = {"name": given} if isinstance(given, str) else dict(given) if isinstance(given, Mapping) else {}
    name = table.pop("name", None)
    if not isinstance(name, str):
        example = '{name = "seat_advantage", seat = 0}'
        raise ValueError(f"metric must be a name or a table such as {example}, not {given!r}")
    if name not in usable():
        raise ValueError(unknown("metric", name, usable()))
    known = _options(name)
    row = {key: value for key, value in table.items() if key not in known}
    for key, value in table.items():
        if isinstance(value, Mapping) or (key in row and isinstance(value, (list, tuple))):
            raise ValueError(f"metric {name!r}: {key} must be one value, not {value!r}")
    options = tuple((key, tuple(x) if isinstance(x, list) else x) for key, x in table.items() if key in known)
    return Measure(name, options, tuple((DEFAULTS.get(name, {}) | row).items()))


def check_measures(given: Any) -> tuple[Measure, ...]:
    """One measure or a list of them, all different."""
    found = tuple(check_measure(x) for x in (given if isinstance(given, (list, tuple)) else [given]))
    if not found or len(set(found)) < len(found):
        raise ValueError("metric must be at least one, and no one twice")
    return found


def faults(measures: Sequence[Measure], cell: Cell, games: int) -> list[str]:
    """Which measures cannot be taken of a cell, and why: each is tried on some of its games, then on more.

    Parameters
    ----------
    measures : sequence of Measure
    cell : Cell
        With the rules as they are.
    games : int
        That a rule set will have; what a few of them lack may be in all of them.
    """
    found: list[str] = []
    for n in dict.fromkeys((min(games, FEW * cell.per_deal), min(games, MANY))):
        try:
            play = engine.simulate(cell.game, cell.wanted, n, cell.seed, rules=cell.rules, seats=cell.seats, threads=1)
        except PolicyError:  # of the line-up, not of a measure; whatever plays it says so
            return []
        found = [fault for measure in measures if (fault := _fault(measure, play))]
        if not found:
            break
    return found


def _fault(measure: Measure, play: Any) -> str:
    try:
        measure.of(play)
    except ValueError as error:
        return str(error) if measure.metric in str(error) else f"metric {measure.metric!r}: {error}"
    except TypeError as error:
        told = ", ".join(f"{name} = {value!r}" for name, value in measure.options)
        return f"metric {measure.metric!r} does not take {told}: {error}"
    return ""
