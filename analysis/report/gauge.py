"""The small picture of a light: the limits as a band, the interval as a line, the estimate as a dot."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from analysis.plots.style import short

WIDTH, ROW = 200, 15  # units of the picture
LETTER, LETTERS = 5.8, 20  # width of a letter of a label, and the most of them
SCALE = 0.075  # rem a unit


@dataclass(frozen=True)
class Mark:
    """One row of a gauge."""

    row: Any  # estimate, low, high
    light: str  # a light's name
    label: str = ""


def gauge(marks: Sequence[Mark], low: float, high: float, even: float | None = None, says: str = "") -> str:
    """An SVG element that takes its colours from the style sheet; nothing if no mark has an interval.

    Parameters
    ----------
    marks : sequence of Mark
    low, high : float
        The span that is within the limits; infinite where there is none.
    even : float, optional
        A value to draw a thin line at.
    says : str
        The text alternative.
    """
    marks = [mark for mark in marks if not math.isnan(mark.row.low)]
    if not marks:
        return ""
    ends = [end for mark in marks for end in (mark.row.low, mark.row.high)]
    ends += [x for x in (low, high, even) if x is not None and math.isfinite(x)]
    least, most = min(ends), max(ends)
    room = 0.08 * (most - least) or 1.0
    least, most = least - room, most + room

    begin = max(len(short(mark.label, LETTERS)) for mark in marks) * LETTER
    begin += 8 if begin else 0
    width = WIDTH + begin

    def at(x: float) -> str:
        return f"{begin + min(max((x - least) / (most - least), 0), 1) * WIDTH:.1f}"

    height = ROW * len(marks)
    left, right = at(low), at(high)
    lines = [
        f'<svg class="gauge" viewBox="0 0 {width:g} {height}" style="max-width: {width * SCALE:g}rem" role="img" '
        f'aria-label="{escape(says)}">',
        f'<rect class="band" x="{left}" y="0" width="{float(right) - float(left):.1f}" height="{height}"/>',
    ]
    if even is not None:
        lines.append(f'<line class="even" x1="{at(even)}" x2="{at(even)}" y1="0" y2="{height}"/>')
    for i, mark in enumerate(marks):
        y = ROW * i + ROW / 2
        span = f'x1="{at(mark.row.low)}" x2="{at(mark.row.high)}" y1="{y:g}" y2="{y:g}"'
        label = (
            f'<text x="{begin - 6:g}" y="{y + 3.5:g}">{escape(short(mark.label, LETTERS))}</text>' if mark.label else ""
        )
        dot = f'<circle cx="{at(mark.row.estimate)}" cy="{y:g}" r="3.5"/>'
        lines.append(f'<g class="{mark.light}">{label}<line {span}/>{dot}</g>')
    return "".join([*lines, "</svg>"])
