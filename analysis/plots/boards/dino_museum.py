"""A museum of Dino Museum: its spaces as in the layout's picture, and what lies in them."""

from collections.abc import Mapping
from typing import Any

from analysis.plots import style
from analysis.plots.boards import ink
from engine.games.dino_museum.layout import check_museum, check_picture
from engine.games.dino_museum.names import CLASSES, K_DINOSAURS, K_FOSSILS, K_RESEARCH, K_VISITORS, KINDS
from engine.games.dino_museum.pictures import needs

CELL_WIDTH, CELL_HEIGHT = 1.5, 1.15
FILL = {K_DINOSAURS: "#CFE3C4", K_FOSSILS: "#E8DCC3", K_RESEARCH: "#CFE0F0", K_VISITORS: "#F6D9C6"}
LABELS = {K_DINOSAURS: "dinosaur", K_FOSSILS: "fossil", K_RESEARCH: "research", K_VISITORS: "visitor"}


def size(state: Any, rules: Any, seat: int) -> tuple[float, float]:
    """Width and height of the picture, in its own units."""
    rows = _rows(rules)
    return max(map(len, rows)) * CELL_WIDTH, len(rows) * CELL_HEIGHT + 0.5


def draw(ax: Any, state: Any, rules: Any, seat: int, points: Mapping[str, int]) -> None:
    """Draw the museum of a seat; `points` by source are written into the legend if there are any."""
    spaces = check_museum(rules.values["museum"])
    codes = {space.name: code for code, space in enumerate(spaces)}
    rows = _rows(rules)
    width, height = size(state, rules, seat)
    for r, row in enumerate(rows):
        for c, word in enumerate(row):
            if word in codes:
                code = codes[word]
                lies = int(state.museum[seat, code]) - 1
                at = c * CELL_WIDTH, height - (r + 1) * CELL_HEIGHT
                _space(ax, *at, spaces[code].kind, word, _words(lies, spaces[code].kind, rules))
    step = width / len(KINDS)
    for kind, name in enumerate(KINDS):
        ink.box(ax, kind * step + 0.05, 0.1, 0.22, 0.22, face=FILL[kind], edge=style.FAINT)
        words = name if name not in points else f"{name}: {points[name]}"
        ink.text(ax, kind * step + 0.36, 0.21, words, 0.2, width=step - 0.4, align="left")


def _rows(rules: Any) -> list[list[str]]:
    """Names of spaces as they lie, "." for none."""
    spaces = check_museum(rules.values["museum"])
    rows = check_picture(rules.values["museum"].get("picture", []), [space.name for space in spaces])
    return rows or [row for k in range(len(KINDS)) if (row := [s.name for s in spaces if s.kind == k])]


def _words(lies: int, kind: int, rules: Any) -> list[str]:
    """What lies in a space, in lines; none if it is empty."""
    if lies < 0:
        return []
    species = rules.values["species"]
    if kind == K_FOSSILS:
        return [CLASSES[lies - int(rules.record[0].first_code[K_FOSSILS])]]
    if kind == K_RESEARCH:
        return needs(rules.values, lies - int(rules.record[0].first_code[K_RESEARCH])).split(" + ")
    name = species[lies]["name"].split(" ")
    if kind == K_VISITORS:
        return ["loves", *name]
    return [*name, f"{species[lies]['build']} {species[lies]['diet']}"]


def _space(ax: Any, x: float, y: float, kind: int, name: str, words: list[str]) -> None:
    full = kind in (K_DINOSAURS, K_VISITORS)
    w, h = (CELL_WIDTH - 0.1, CELL_HEIGHT - 0.1) if full else (CELL_WIDTH - 0.22, CELL_HEIGHT - 0.2)
    left, bottom = x + (CELL_WIDTH - w) / 2, y + (CELL_HEIGHT - h) / 2
    face = FILL[kind] if words else ink.PAPER
    ink.box(ax, left, bottom, w, h, face=face, edge=style.FAINT if words else style.PALE, dashed=not words)
    ink.text(ax, left + 0.07, bottom + h - 0.13, name, 0.13, align="left", colour=style.FAINT)
    if not words:
        ink.text(ax, x + CELL_WIDTH / 2, y + CELL_HEIGHT / 2, LABELS[kind], 0.15, colour=style.PALE)
    for i, word in enumerate(words):
        line = y + CELL_HEIGHT / 2 - 0.06 + 0.21 * ((len(words) - 1) / 2 - i)
        last = kind == K_DINOSAURS and i == len(words) - 1
        ink.text(ax, x + CELL_WIDTH / 2, line, word, 0.13 if last else 0.17, width=w - 0.2, bold=not last and kind < 1)
