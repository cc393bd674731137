"""The chapter on which points go with winning: a table and a picture of `analysis.win_model`."""

from collections.abc import Sequence
from math import exp
from types import SimpleNamespace
from typing import Any

from analysis.cells import Cell
from analysis.report.evidence import MOST_FITTED, Evidence
from analysis.report.figures import Figures
from analysis.report.numbers import estimate, number
from analysis.report.parts import Part, Table

TITLE = "Which points go with winning?"
INTRO = (
    "Do seats with more points of a source win more often? For each source alone, the odds of winning are fitted to "
    "single games (a logistic curve): with each point more they are so many times as high; 1 is no difference. "
    "Beside it is what an even chance becomes with one point more. It describes who wins and is no proof of cause: "
    "points of one source go with those of others and were paid for with turns, and a source that losers fall back on "
    "lies below 1 although its points count. “No fit” means that the points never vary, or tell winners from others "
    "without fail. {games}"
)
GAMES = "Fitted are the first {most:,} games of each line-up at most."
LEFT_OUT = " Line-ups of which only sums were kept are left out."
NOT_KEPT = (
    "Not here, because odds of winning are fitted to single games, and of these line-ups the study kept sums only. To "
    'have it, write keep = "playouts" at the top of the study file and run it again.'
)


def intro(found: Evidence) -> str:
    """What the chapter is about, or why it has nothing to show; empty where it has no place."""
    kept = [cell.keep == "playouts" for cell in found.present if cell.kind != "focus"]
    if not any(kept):
        return NOT_KEPT if kept else ""
    return INTRO.format(games=GAMES.format(most=MOST_FITTED) + ("" if all(kept) else LEFT_OUT))


def makers(found: Evidence, figures: Figures, cells: Sequence[tuple[str, Cell]]) -> list[Any]:
    """One part for each of these cells that keeps playouts."""

    def part(name: str, cell: Cell) -> Part:
        frame = found.of("win_model", cell)
        even = 1 / cell.players
        rows = [_row(row, even) for row in frame[frame.quantity == "log_odds"].itertuples()]
        head = [
            "policy",
            "source",
            "odds times, a point more",
            f"{number(100 * even, 1)} % becomes",
            "games times seats",
        ]
        who = f"all play {cell.focus}" if cell.kind == "self-play" else cell.lineup_label
        drawn = [figures.winning(cell)] if (frame.n > 0).any() else []
        return Part(f"Odds with {cell.players} players, {who} ({name})", Table(head, rows), drawn)

    return [lambda n=name, c=cell: part(n, c) for name, cell in cells if cell.keep == "playouts"]


def _row(row: Any, even: float) -> list[str | tuple[str, str]]:
    """Odds factor and what an even chance becomes, of one source."""
    if not row.n:
        return [row.policy, row.source, ("-", "no fit"), "-", "-"]
    odds: Any = SimpleNamespace(**{name: exp(getattr(row, name)) for name in ("estimate", "low", "high")})
    chance: Any = SimpleNamespace(**{name: even * x / (1 - even + even * x) for name, x in vars(odds).items()})
    factor, span = estimate(odds)
    middle, within = estimate(chance, 100, most=2)
    return [row.policy, row.source, (factor, span), (f"{middle} %", within), f"{row.n:,}"]
