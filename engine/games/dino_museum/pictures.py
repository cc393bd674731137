"""Pictures in text of a research board, the market and a museum, for any layout."""

from collections.abc import Mapping
from typing import Any

from engine.games.dino_museum.layout import check_museum, check_picture
from engine.games.dino_museum.names import CLASSES, COLUMNS, K_FOSSILS, K_RESEARCH, K_VISITORS, N_CLASSES

MARKS = "pywbg"  # bones by colour
FRAMES = (("[", "]"), ("<", ">"), ("{", "}"), ("(", ")"))  # museum spaces by kind


def space_names(values: Mapping[str, Any]) -> list[str]:
    """The names of the museum spaces by code."""
    return [space.name for space in check_museum(values["museum"])]


def needs(values: Mapping[str, Any], tile: int) -> str:
    """What a research tile asks for."""
    return " + ".join(values["research_tiles"][tile])


def element(values: Mapping[str, Any], code: int) -> str:
    """An element of the market by its TAKE code."""
    species = values["species"]
    if code < len(species):
        return species[code]["name"]
    code -= len(species)
    return f"{CLASSES[code]} fossil" if code < N_CLASSES else f"tile {code - N_CLASSES}"


def shorts(values: Mapping[str, Any]) -> list[str]:
    """Distinct short names of the species."""
    names = [s["name"][:6] for s in values["species"]]
    return [name if names.count(name) == 1 else f"{name[:4]}{k}" for k, name in enumerate(names)]


def board(state: Any, rules: Any, seat: int) -> str:
    """A research board: every column with a mark for each bone and a dot for each empty space."""
    filled, space, parts = int(state.filled[seat]), 0, []
    for column in COLUMNS:
        n = len(rules.values["columns"][column])
        cells = "".join(MARKS[state.placed[seat, i]] if filled >> i & 1 else "." for i in range(space, space + n))
        parts.append(f"{column.replace('_', ' ')} {cells}")
        space += n
    return " | ".join(parts)


def market(state: Any, rules: Any) -> str:
    """The elements in the market."""
    codes = [code for code, n in enumerate(state.market) for _ in range(n)]
    parts = [element(rules.values, code) for code in codes]
    first = len(rules.values["species"]) + N_CLASSES
    parts = [f"{p} ({needs(rules.values, c - first)})" if c >= first else p for p, c in zip(parts, codes, strict=True)]
    return ", ".join(parts) or "empty"


def museum(state: Any, rules: Any, seat: int) -> list[str]:
    """A museum as drawn in its layout's picture, or kind by kind without one."""
    values, record = rules.values, rules.record[0]
    spaces = check_museum(values["museum"])
    brief, cells = shorts(values), {}
    for code, space in enumerate(spaces):
        lies = int(state.museum[seat, code]) - 1
        if lies < 0:
            word = ""
        elif space.kind == K_FOSSILS:
            word = CLASSES[lies - int(record.first_code[K_FOSSILS])][:6]
        elif space.kind == K_RESEARCH:
            word = f"tile{lies - int(record.first_code[K_RESEARCH])}"
        else:
            word = brief[lies]
        word = f"loves {word}" if word and space.kind == K_VISITORS else word
        left, right = FRAMES[space.kind]
        cells[space.name] = f"{left}{space.name} {word or '.'}{right}"
    names = [space.name for space in spaces]
    rows = check_picture(values["museum"].get("picture", []), names)
    rows = rows or [[s.name for s in spaces if s.kind == k] for k in range(len(FRAMES))]
    n_columns = max(map(len, rows))
    widths = [max([len(cells.get(row[i], "")) for row in rows if i < len(row)] or [0]) for i in range(n_columns)]
    drawn = [" ".join(cells.get(word, "").ljust(widths[i]) for i, word in enumerate(row)).rstrip() for row in rows]
    return [line for line in drawn if line]
