"""A zoo of Draftosaurus: the pens of either side of the board with the dinosaurs in them."""

from collections.abc import Mapping
from typing import Any

from analysis.plots import style
from analysis.plots.boards import ink
from engine.games.draftosaurus.names import (
    N_SPECIES,
    NO_SOURCE,
    PEN_SOURCE,
    PENS,
    PYRAMID,
    RIVER,
    SOURCES,
    SPECIES,
    WINTER,
)
from engine.games.draftosaurus.text import SHORT

WIDTH, HEIGHT = 12.0, 7.6
# Left, bottom, width and height of each pen, in the numbering of `names.PENS`; left of the river is the Food Court,
# right of it are the Restrooms, the woodlands lie above, the grasslands below.
LEFT, RIGHT = 0.2, 6.95
SUMMER_PENS = (
    (LEFT, 5.45, 4.85, 1.45),
    (LEFT, 3.75, 4.85, 1.45),
    (RIGHT, 3.75, 4.85, 3.15),
    (LEFT, 0.2, 4.85, 3.15),
    (RIGHT, 1.9, 4.85, 1.45),
    (RIGHT, 0.2, 4.85, 1.45),
    (5.3, 0.2, 1.4, 6.7),
)
WINTER_PENS = (
    (LEFT, 5.45, 4.85, 1.45),
    (LEFT, 3.75, 4.85, 1.45),
    (LEFT, 0.2, 4.85, 3.15),
    (RIGHT, 3.75, 4.85, 3.15),
    (RIGHT, 0.2, 1.75, 3.15),
    (RIGHT + 1.95, 0.2, 2.9, 3.15),
    (5.3, 0.2, 1.4, 6.7),
)
WOODS, GRASS, WATER = "#DCE8D5", "#F3EFD2", "#D5E8F5"
COLOURS = ("#D55E00", "#0072B2", "#009E73", "#E69F00", "#CC79A7", "#7A5195")
NARROW = 2.5  # a pen's name goes into two lines
MOST_SPACES = 6  # drawn as long as they are empty
MOST_RADIUS, FILLED = 0.55, 0.86  # of a dinosaur, and how much of the room for it it fills
# Centres of the Pyramid's cells within its pen: see `names`.
PYRAMID_CELLS = ((0.55, 0.45), (1.45, 0.45), (2.35, 0.45), (1.0, 1.24), (1.9, 1.24), (1.45, 2.03))
PYRAMID_RADIUS = 0.41


def size(state: Any, rules: Any, seat: int) -> tuple[float, float]:
    """Width and height of the picture, in its own units."""
    return WIDTH, HEIGHT


def draw(ax: Any, state: Any, rules: Any, seat: int, points: Mapping[str, int]) -> None:
    """Draw the zoo of a seat; `points` by source are written into the pens if there are any."""
    board = int(state.board)
    ink.box(ax, 0, 3.55, WIDTH, 3.55, face=WOODS, edge=WOODS)
    ink.box(ax, 0, 0, WIDTH, 3.55, face=GRASS, edge=GRASS)
    for pen, place in enumerate(WINTER_PENS if board == WINTER else SUMMER_PENS):
        source = PEN_SOURCE[board][pen]
        is_first = PEN_SOURCE[board].index(source) == pen  # the Bridge's points go with its left bank
        paid = points.get(SOURCES[source]) if source != NO_SOURCE and is_first else None
        _pen(ax, state, rules, seat, pen, place, paid)
    _legend(ax, points.get("t_rex"))


def _pen(ax: Any, state: Any, rules: Any, seat: int, pen: int, place: tuple, paid: int | None) -> None:
    x, y, w, h = place
    board = int(state.board)
    ink.box(ax, x, y, w, h, face=WATER if pen == RIVER else ink.PAPER)
    lines = [PENS[board][pen]]
    if w < NARROW:
        lines = lines[0].replace(" (", "\n(").split("\n")
    if paid is not None:
        lines = [*lines, str(paid)] if pen == RIVER else [*lines[:-1], f"{lines[-1]}: {paid}"]
    for i, line in enumerate(lines):
        ink.text(ax, x + 0.15, y + h - 0.27 - 0.3 * i, line, 0.26, width=w - 0.3, align="left", bold=True)
    if board == WINTER and pen == PYRAMID:
        inside, radius = [int(c) - 1 for c in state.pile[seat]], PYRAMID_RADIUS
        spots = [(x + px, y + 0.1 + py) for px, py in PYRAMID_CELLS]
    else:
        inside = [k for k in range(N_SPECIES) for _ in range(int(state.zoo[seat, pen, k]))]
        least = 0 if pen == RIVER else min(int(rules.record[0].spaces[board, pen]), MOST_SPACES)
        inside += [-1] * (least - len(inside))
        spots, radius = _spots(x, y + 0.05, w, h - 0.2 - 0.3 * len(lines), len(inside))
    for (sx, sy), species in zip(spots, inside, strict=True):
        dinosaur(ax, sx, sy, species, radius)


def _spots(x: float, y: float, w: float, h: float, n: int) -> tuple[list[tuple[float, float]], float]:
    """Centres of n spaces in a box, in rows that let them be largest, and their radius."""
    if not n:
        return [], 0.0
    steps = {rows: min(w / -(-n // rows), h / rows, 2 * MOST_RADIUS / FILLED) for rows in range(1, n + 1)}
    rows = max(steps, key=lambda r: steps[r])
    across, step = -(-n // rows), steps[rows]
    step_x, bottom = min(w / across, 1.25 * step), y + (h - rows * step) / 2
    left = x + (w - across * step_x) / 2
    spots = [(left + (i % across + 0.5) * step_x, bottom + (rows - 0.5 - i // across) * step) for i in range(n)]
    return spots, FILLED / 2 * step


def dinosaur(ax: Any, x: float, y: float, species: int, radius: float) -> None:
    """A dinosaur with its short name, or an empty space for -1."""
    if species < 0:
        ink.disc(ax, x, y, 0.9 * radius, ink.PAPER, style.PALE, dashed=True)
        return
    colour = COLOURS[species]
    ink.disc(ax, x, y, radius, colour, "white")
    ink.text(ax, x, y, SHORT[species], 0.72 * radius, width=1.6 * radius, colour="white", bold=True)


def _legend(ax: Any, t_rex: int | None) -> None:
    step = WIDTH / N_SPECIES
    for k, name in enumerate(SPECIES):
        dinosaur(ax, k * step + 0.25, HEIGHT - 0.22, k, 0.2)
        words = name if k or t_rex is None else f"{name}: {t_rex}"
        ink.text(ax, k * step + 0.52, HEIGHT - 0.22, words, 0.22, width=step - 0.6, align="left")
