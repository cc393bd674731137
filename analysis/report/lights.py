"""Traffic lights: an interval against a limit.

A light is decided by the whole interval: within the limit, beyond it, or not decided. Each has a colour, a shape and
a word, so that nobody needs the colour.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from analysis import stats


@dataclass(frozen=True)
class Light:
    """What a light looks like: a name for the style sheet, a shape and a word."""

    name: str
    shape: str
    word: str


WITHIN = Light("within", "●", "within")
BEYOND = Light("beyond", "▲", "beyond")
OPEN = Light("open", "◆", "not decided")
NONE = Light("none", "○", "not measured")
LIGHTS = (WITHIN, BEYOND, OPEN, NONE)
INFINITY = math.inf


def judge(row: Any, low: float = -INFINITY, high: float = INFINITY) -> Light:
    """Where the interval of `row` lies next to the span from `low` to `high`."""
    if math.isnan(row.low) or math.isnan(row.high):
        return NONE
    if row.high < low or row.low > high:
        return BEYOND
    return WITHIN if low <= row.low and row.high <= high else OPEN


def worst(lights: Iterable[Light]) -> Light:
    """Beyond if one is; within if all are that were measured; else not decided."""
    found = set(lights) - {NONE}
    if not found:
        return NONE
    return BEYOND if BEYOND in found else OPEN if OPEN in found else WITHIN


def widened(row: Any, count: int, level: float = 0.95, within: tuple[float, float] = (-INFINITY, INFINITY)) -> Any:
    """The interval of one of `count` estimates that all hold together (Bonferroni), cut at the ends of `within`."""
    if count < 2 or not row.clusters > 1:
        return row
    factor = stats.quantile(1 - (1 - level) / count, row.clusters) / stats.quantile(level, row.clusters)
    ends = (row.estimate + factor * (end - row.estimate) for end in (row.low, row.high))
    low, high = (min(max(end, within[0]), within[1]) for end in ends)
    return SimpleNamespace(estimate=row.estimate, low=low, high=high, n=row.n)


def times(row: Any, factor: float) -> Any:
    """An estimate and its interval times a positive number."""
    return SimpleNamespace(estimate=factor * row.estimate, low=factor * row.low, high=factor * row.high)
