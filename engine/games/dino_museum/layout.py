"""Checks of the larger data of Dino Museum: columns, species, research tiles, museum board.

Each function returns plain numbers for `rules.pack`, or raises a ValueError that says what is wrong where.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from engine.errors import unknown, whole_number
from engine.games.dino_museum.names import (
    BUILDS,
    CLASSES,
    COLOURS,
    COLUMNS,
    DIETS,
    KINDS,
    MOST_BOARD,
    MOST_CODES,
    MOST_IN_STACK,
    MOST_NEEDS,
    MOST_RESEARCH,
    MOST_SPECIES,
    N_CLASSES,
)

ANY, SAME = "any", "same"
# The key that says where a museum space lies: how many spaces it names, and of which kinds.
PLACES = {"fossils": ("between", 2, 2), "research": ("touches", 1, MOST_CODES), "visitors": ("looks_at", 1, 8)}


class Space(NamedTuple):
    """A museum space: its kind, its name and the spaces that its key names, by code."""

    kind: int
    name: str
    near: tuple[int, ...]


def _table(what: str, value: Any, keys: Sequence[str], optional: Sequence[str] = ()) -> Mapping[str, Any]:
    """`value` if it is a table with exactly these keys."""
    if not isinstance(value, Mapping):
        raise ValueError(f"{what} must be a table with {', '.join(keys)}, not {value!r}")
    for key in value:
        if key not in (*keys, *optional):
            raise ValueError(unknown(f"{what}: key", key, (*keys, *optional)))
    missing = [key for key in keys if key not in value]
    if missing:
        raise ValueError(f"{what} lacks {', '.join(missing)}")
    return value


def _strings(what: str, value: Any, low: int, high: int) -> list[str]:
    """`value` if it is a list of `low` to `high` non-empty strings."""
    if not isinstance(value, list) or not all(isinstance(x, str) and x for x in value):
        raise ValueError(f"{what} must be a list of names, not {value!r}")
    if not low <= len(value) <= high:
        span = f"{low}" if low == high else f"{low} to {high}"
        raise ValueError(f"{what} must have {span} names, not {len(value)}")
    return value


def _distinct(what: str, names: Sequence[str]) -> None:
    for i, name in enumerate(names):
        if name in names[:i]:
            raise ValueError(f"{what} names {name!r} twice")


def check_columns(value: Mapping[str, Any]) -> list[list[str]]:
    """The spaces of each research column, in the order of `COLUMNS`."""
    table = _table("rule 'columns'", value, COLUMNS)
    columns = [_strings(f"rule 'columns', {name}", table[name], 1, MOST_BOARD) for name in COLUMNS]
    allowed = (*COLOURS[:-1], ANY, SAME)
    for name, spaces in zip(COLUMNS, columns, strict=True):
        for colour in spaces:
            if colour not in allowed:
                raise ValueError(unknown(f"rule 'columns', {name}: colour", colour, allowed))
        if SAME in spaces and name != "fossil":
            raise ValueError(f"rule 'columns', {name}: only the fossil column can ask for bones of the same colour")
    total = sum(map(len, columns))
    if total > MOST_BOARD:
        raise ValueError(f"rule 'columns' has {total} spaces; a research board holds at most {MOST_BOARD}")
    return columns


def check_species(value: Sequence[Any]) -> list[dict[str, Any]]:
    """The species as given, every key checked."""
    if not 1 <= len(value) <= MOST_SPECIES:
        raise ValueError(f"rule 'species' must have 1 to {MOST_SPECIES} species, not {len(value)}")
    found = []
    for i, row in enumerate(value):
        what = f"rule 'species', element {i}"
        kind = dict(_table(what, row, ("name", "diet", "build", "copies", "visitors")))
        _strings(f"{what}: name", [kind["name"]], 1, 1)
        for key, allowed in (("diet", DIETS), ("build", BUILDS)):
            if kind[key] not in allowed:
                raise ValueError(unknown(f"{what}: {key}", kind[key], allowed))
        for key in ("copies", "visitors"):
            kind[key] = whole_number(f"{what}: {key}", kind[key], 0, MOST_IN_STACK)
        if kind["name"] in CLASSES or kind["name"].endswith(" fossil"):
            raise ValueError(f"{what}: name {kind['name']!r} is a word of research tiles; take another")
        found.append(kind)
    _distinct("rule 'species'", [kind["name"] for kind in found])
    for key in ("copies", "visitors"):
        total = sum(kind[key] for kind in found)
        if total > MOST_IN_STACK:
            raise ValueError(f"rule 'species' has {total} {key} in all; at most {MOST_IN_STACK}")
    return found


def check_tiles(value: Sequence[Any], species: Sequence[Mapping[str, Any]]) -> list[list[int]]:
    """The needs of each research tile: 0 to 3 a class, 4 to 7 a fossil's class, 8 + k species k."""
    words = [*CLASSES, *(f"{name} fossil" for name in CLASSES), *(kind["name"] for kind in species)]
    most = MOST_CODES - N_CLASSES - len(species)
    if len(value) > most:
        raise ValueError(
            f"rule 'research_tiles' has {len(value)} tiles; with {len(species)} species and {N_CLASSES} fossil types "
            f"at most {most} fit the action codes 0 to {MOST_CODES - 1}"
        )
    tiles = []
    for i, row in enumerate(value):
        what = f"rule 'research_tiles', element {i}"
        for need in _strings(what, row, 1, MOST_NEEDS):
            if need not in words:
                raise ValueError(unknown(f"{what}: evidence", need, words))
        tiles.append([words.index(need) for need in row])
    return tiles


def check_museum(value: Mapping[str, Any]) -> list[Space]:
    """The museum spaces in the order of their codes."""
    table = _table("rule 'museum'", value, KINDS, optional=("picture",))
    rows: list[tuple[int, str, Any]] = []
    for k, kind in enumerate(KINDS):
        if not isinstance(table[kind], list):
            raise ValueError(f"rule 'museum', {kind} must be a list, not {table[kind]!r}")
        for i, given in enumerate(table[kind]):
            what = f"rule 'museum', {kind}, element {i}"
            name = given if kind == "dinosaurs" else _table(what, given, ("name", PLACES[kind][0]))["name"]
            _strings(f"{what}: name", [name], 1, 1)
            if " " in name or name == ".":
                raise ValueError(f"{what}: a space's name must be one word other than '.', not {name!r}")
            rows.append((k, name, given))
    names = [name for _, name, _ in rows]
    _distinct("rule 'museum'", names)
    if not table["dinosaurs"]:
        raise ValueError("rule 'museum', dinosaurs must have at least one space")
    if len(names) > MOST_CODES:
        raise ValueError(f"rule 'museum' has {len(names)} spaces; at most {MOST_CODES} fit the action codes 0 to 62")
    if len(table["research"]) > MOST_RESEARCH:
        raise ValueError(f"rule 'museum', research has {len(table['research'])} spaces; at most {MOST_RESEARCH}")
    spaces = [Space(k, name, _near(k, name, given, table, names)) for k, name, given in rows]
    check_picture(table.get("picture", []), names)
    return spaces


def _near(k: int, name: str, given: Any, table: Mapping[str, Any], names: list[str]) -> tuple[int, ...]:
    """The codes of the spaces that a museum space's key names."""
    kind = KINDS[k]
    if kind == "dinosaurs":
        return ()
    key, low, high = PLACES[kind]
    what = f"rule 'museum', {name}: {key}"
    near = _strings(what, given[key], low, high)
    _distinct(what, near)
    allowed = list(table["dinosaurs"])
    if kind == "research":
        allowed += [space["name"] for space in table["fossils"]]
    for other in near:
        if other not in allowed:
            raise ValueError(unknown(f"{what}: space", other, allowed))
    return tuple(names.index(other) for other in near)


def check_picture(picture: Any, names: Sequence[str]) -> list[list[str]]:
    """The rows of words of a picture, which shows every space once; [] without a picture."""
    if not picture and picture == []:
        return []
    rows = [line.split() for line in _strings("rule 'museum', picture", picture, 1, 64)]
    shown = [word for row in rows for word in row if word != "."]
    for word in shown:
        if word not in names:
            raise ValueError(unknown("rule 'museum', picture: space", word, names))
    _distinct("rule 'museum', picture", shown)
    missing = [name for name in names if name not in shown]
    if missing:
        raise ValueError(f"rule 'museum', picture lacks {', '.join(missing)}")
    return rows
