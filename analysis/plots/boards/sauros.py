"""A playmat of Sauros with its tiles, and what the seat holds beside it."""

from collections.abc import Mapping
from typing import Any

from matplotlib.colors import is_color_like

from analysis.plots import style
from analysis.plots.boards import ink
from engine.games.sauros.names import (
    MATS,
    N_RESERVE,
    N_SUIT_TILES,
    NONE,
    PER_SUIT,
    SPECIAL_NAMES,
    SYMBOL_LETTERS,
    SYMBOLS,
)
from engine.games.sauros.rules import mat_cells

SUITS = {"purple": "#8E6BB0", "yellow": "#E8C63A", "green": "#4FA36B", "orange": "#E2853B"}
SPECIAL = "#5A5A5A"
HELD = 0.6  # units between the mat and what is held


def size(state: Any, rules: Any, seat: int) -> tuple[float, float]:
    """Width and height of the picture, in its own units: a cell is one."""
    mat = rules.values["mats"][int(state.mat[seat])]
    return max(5, *map(len, mat)) + HELD + 1.6, max(len(mat), 3) + 1.0


def draw(ax: Any, state: Any, rules: Any, seat: int, points: Mapping[str, int]) -> None:
    """Draw the mat in front of a seat, its reserve, and tiles that it still has to place."""
    width, height = size(state, rules, seat)
    mat = int(state.mat[seat])
    ink.text(ax, 0.05, height - 0.25, f"Playmat {MATS[mat]}, round {state.round_no + 1}", 0.24, align="left", bold=True)
    cells = mat_cells(rules.values["mats"][mat])
    top = height - 0.6
    for cell, (row, column) in enumerate(cells):
        tile(ax, column, top - row - 1, int(state.tile[seat, cell]), rules)
    x = width - 1.6
    for slot, name in ((0, "reserve"), (N_RESERVE, "to place")):
        held = [int(t) for t in state.held[seat, slot : slot + N_RESERVE]]
        if slot and all(t == NONE for t in held):
            continue
        y = top - 1 if not slot else top - 2.5
        ink.text(ax, x + 0.8, y + 1.15, name, 0.2, bold=True)
        for i, t in enumerate(held):
            tile(ax, x + 0.8 * i, y + 0.1, t, rules, 0.76)
    says = ", ".join(f"{letter} {name}" for letter, name in zip(SYMBOL_LETTERS, SYMBOLS, strict=True))
    if points:
        says += ";  points of the game: " + ", ".join(f"{name} {n}" for name, n in points.items())
    ink.text(ax, 0.05, 0.15, says, 0.17, width=width - 0.1, align="left", colour=style.FAINT)


def tile(ax: Any, x: float, y: float, which: int, rules: Any, side: float = 1.0) -> None:
    """A tile or an empty cell, its lower left corner at (x, y)."""
    gap = 0.04 * side
    left, bottom, inner = x + gap, y + gap, side - 2 * gap
    if which == NONE:
        ink.box(ax, left, bottom, inner, inner, face="#F4F1E8", edge=style.PALE, dashed=True)
        return
    if which >= N_SUIT_TILES:
        ink.box(ax, left, bottom, inner, inner, face=SPECIAL, edge=SPECIAL)
        name = SPECIAL_NAMES[which - N_SUIT_TILES]
        ink.text(ax, x + side / 2, y + side / 2, name, 0.24 * side, width=0.86 * inner, colour="white", bold=True)
        return
    suit, strength = divmod(which, PER_SUIT)
    name = rules.values["suits"][suit]
    colour = SUITS.get(name) or (name if is_color_like(name) else style.PALETTE[suit])
    ink.box(ax, left, bottom, inner, inner, face=colour, edge=colour)
    words = "white" if ink.dark(colour) else style.INK
    ink.text(ax, x + side / 2, y + 0.64 * side, str(strength), 0.44 * side, colour=words, bold=True)
    letters = rules.values["symbols"][suit][strength]
    for i, letter in enumerate(letters):
        cx = x + side * (0.5 + 0.3 * (i - (len(letters) - 1) / 2))
        ink.disc(ax, cx, y + 0.25 * side, 0.13 * side, "white", "white")
        ink.text(ax, cx, y + 0.25 * side, letter, 0.17 * side, bold=True)
