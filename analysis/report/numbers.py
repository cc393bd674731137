"""Numbers as words: as many decimals as the interval supports."""

import math
from collections.abc import Iterable, Sequence


def decimals(half: float, least: int = 0, most: int = 4) -> int:
    """Decimals with which half an interval has a first digit of at least 2 (0.43 -> 1, 0.12 -> 2)."""
    if not half > 0 or math.isinf(half):
        return max(least, min(2, most))
    return min(most, max(least, math.ceil(math.log10(2 / half))))


def number(value: float, places: int, signed: bool = False) -> str:
    """A number with thousands separators; a dash where there is none."""
    if math.isnan(value):
        return "-"
    text = f"{value:{'+' if signed else ''},.{places}f}"
    return text.lstrip("+-") if float(text.replace(",", "")) == 0 else text


def estimate(row: "Row", scale: float = 1.0, signed: bool = False, most: int = 3) -> tuple[str, str]:
    """An estimate and its interval, as in ("26.3", "25.9 to 26.7")."""
    middle, low, high = scale * row.estimate, scale * row.low, scale * row.high
    if math.isnan(low):
        return number(middle, 2, signed), "-"
    if low == high:
        return number(middle, 2, signed), "no spread"
    places = decimals((high - low) / 2, most=most)
    return number(middle, places, signed), f"{number(low, places, signed)} to {number(high, places, signed)}"


def percent(row: "Row", also: str = "") -> str:
    """A proportion and its interval, as in "26.3 % (25.9 to 26.7)"; `also` is added inside the brackets."""
    middle, span = estimate(row, 100, most=2)
    return f"{middle} % ({span}{also})"


def points(row: "Row") -> str:
    """A number of points and its interval, as in "5.91 (5.88 to 5.94)"."""
    middle, span = estimate(row)
    return f"{middle} ({span})"


def counted(rows: Iterable["Row"], what: str = "games") -> str:
    """What the estimates rest on, as in "n = 300 games each" or "n = 300 to 600 games"."""
    counts = [int(row.n) for row in rows]
    low, high = min(counts, default=0), max(counts, default=0)
    if low < high:
        return f"n = {low:,} to {high:,} {what}"
    return f"n = {low:,} {what}{' each' if len(counts) > 1 else ''}"


def listed(words: Iterable[object], last: str = "and") -> str:
    """ "2, 3 and 4"."""
    found = [str(word) for word in words]
    return found[0] if len(found) == 1 else f"{', '.join(found[:-1])} {last} {found[-1]}" if found else ""


def singular(noun: str) -> str:
    """One of what the noun names, as in "tile or symbol"."""
    return " or ".join(word.removesuffix("s") for word in noun.split(" and "))


def aligned(head: Sequence[str], rows: Iterable[Sequence[str]], left: int = 1) -> str:
    """A table for a terminal: the first `left` columns to the left, the others to the right."""
    table = [list(head), *[list(row) for row in rows]]
    widths = [max(len(row[i]) for row in table) for i in range(len(head))]
    lines = [
        "  ".join(
            cell.ljust(width) if i < left else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in table
    ]
    return "\n".join(lines)


class Row:
    """What the functions above need of a row of a metric's frame: estimate, low, high, n."""

    estimate: float
    low: float
    high: float
    n: float
