"""The rules record of Draftosaurus, packed from checked values."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from engine.game import record_dtype
from engine.games.draftosaurus.names import (
    ANY,
    BOARDS,
    DIFFERENT,
    EMPTY_FACE,
    FACE_PENS,
    HAND,
    MOST_IN_BAG,
    MOST_SEATS,
    MOST_TARGETS,
    N_FACES,
    N_PENS,
    N_REGION_FACES,
    N_SOURCES,
    N_SPECIES,
    N_TARGETS,
    N_TURNS,
    PEN_KINDS,
    PEN_SOURCE,
    RIVER,
    S_T_REX,
    SOURCES,
    T_REX,
    T_REX_FACE,
    TARGET_PEN,
)

MOST_IN_PEN = 12
EVERY = np.uint64(2**64 - 1)
POINT_TABLES = ("forest_points", "meadow_points", "wood_points")
NUMBERS = (
    "die_reset",
    "box_hidden",
    "king_strict",
    "trio_points",
    "king_points",
    "island_points",
    "couple_points",
    "bridge_points",
    "lookout_points",
    "t_rex_points",
    "river_points",
    "trio_size",
    "meadow_size",
)

RULES = record_dtype(
    [(name, "i8") for name in NUMBERS]
    + [(name, "i8", (MOST_IN_PEN + 1,)) for name in POINT_TABLES]
    + [
        ("pyramid_points", "i8", (3,)),  # by level, bottom first
        ("n_games", "i8"),  # 1, or 2 for Summer and Winter
        ("boards", "i8", (2,)),  # the board of each game
        ("kind", "i8", (2, N_PENS)),  # what a pen accepts, by board
        ("spaces", "i8", (2, N_PENS)),  # spaces of a pen, by board
        ("pen_of", "i8", (2, MOST_TARGETS)),  # the pen of a target
        ("pen_bits", "u8", (2, N_PENS)),  # the PLACE actions that go to a pen
        ("all_bits", "u8", (2,)),  # all PLACE actions
        ("face_bits", "u8", (2, N_FACES)),  # the PLACE actions that a face allows whatever lies where
        ("face_needs_empty", "u8", (N_FACES,)),  # all bits, but none for the face that asks for an empty pen
        ("face_needs_no_rex", "u8", (N_FACES,)),  # likewise for the face that asks for a pen without T-Rex
        ("closing_bits", "u8", (2, N_PENS)),  # what stops being empty when a pen is used: as pen_bits, River 0
        ("flip", "u8", (2, N_PENS)),  # see `moves.next_accepted`
        ("keep", "u8", (2, N_PENS)),
        ("source_bits", "u8", (2, N_SOURCES)),  # the PLACE actions that feed a source
        ("bag", "i8", (MOST_SEATS + 1, N_SPECIES)),  # by number of players
        ("die_odds", "i8", (N_FACES,)),  # added up from the first face
    ]
)

# Which rule gives a pen's size; the others are fixed.
SIZE_RULES = (
    ("forest_size", "trio_size", 1, "prairie_size", "meadow_size", 1, MOST_IN_PEN),
    ("wood_size", "bridge_size", 1, 1, "bridge_size", 6, MOST_IN_PEN),
)


def sources_of(values: Mapping[str, Any]) -> tuple[str, ...]:
    """The sources of the boards in play."""
    boards = _boards(values)
    used = {s for b in boards for s in PEN_SOURCE[b] if s >= 0} | {S_T_REX}
    return tuple(name for i, name in enumerate(SOURCES) if i in used)


def limit(values: Mapping[str, Any], seats: int) -> int:
    """No game has more decisions: every seat places (with two players also boxes) 12 times, and relocates."""
    return len(_boards(values)) * (N_TURNS * seats * (2 if seats == 2 else 1) + seats)


def pack(values: Mapping[str, Any]) -> np.ndarray:
    """Checked rule values as a record, shape (1,).

    Raises
    ------
    ValueError
        If a points table is shorter than its pen, a bag too small for its deals, or the die has no face.
    """
    _check(values)
    rules = np.zeros(1, RULES)
    for name in NUMBERS:
        rules[name] = int(values[name])
    for name in POINT_TABLES:
        rules[name][0, : len(values[name])] = values[name]
    rules["pyramid_points"] = values["pyramid_points"]
    boards = _boards(values)
    rules["n_games"] = len(boards)
    rules["boards"][0, : len(boards)] = boards
    rules["die_odds"] = np.cumsum(values["die_odds"])
    for seats in range(2, MOST_SEATS + 1):
        rules["bag"][0, seats] = values[f"bag_{seats}"]
    rules["face_needs_empty"] = rules["face_needs_no_rex"] = EVERY
    rules["face_needs_empty"][0, EMPTY_FACE] = 0
    rules["face_needs_no_rex"][0, T_REX_FACE] = 0
    for board in range(len(BOARDS)):
        _pack_board(rules[0], board, values)
    return rules


def _boards(values: Mapping[str, Any]) -> list[int]:
    return [0, 1] if values["board"] == "both" else [BOARDS.index(values["board"])]


def _pack_board(rules: Any, board: int, values: Mapping[str, Any]) -> None:
    """The tables of one board: what its pens accept, and which actions mean what."""
    rules.kind[board] = PEN_KINDS[board]
    rules.spaces[board] = [values[x] if isinstance(x, str) else x for x in SIZE_RULES[board]]
    species = (1 << N_SPECIES) - 1
    pens = [0] * N_PENS
    for target in range(N_TARGETS[board]):
        pen = TARGET_PEN[board][target]
        rules.pen_of[board, target] = pen
        pens[pen] |= species << (N_SPECIES * target)
    rules.pen_bits[board] = np.array(pens, np.uint64)
    rules.all_bits[board] = np.uint64(sum(pens))
    rules.closing_bits[board] = np.array(pens[:RIVER] + [0], np.uint64)
    rules.face_bits[board] = np.uint64(sum(pens))
    for face in range(N_REGION_FACES):
        allowed = pens[RIVER] | sum(pens[pen] for pen in FACE_PENS[board][face])
        rules.face_bits[board, face] = np.uint64(allowed)
    rules.flip[board] = [EVERY if kind == DIFFERENT else np.uint64(0) for kind in PEN_KINDS[board]]
    rules.keep[board] = [EVERY if kind == ANY else np.uint64(0) for kind in PEN_KINDS[board]]
    feeding = [0] * N_SOURCES
    for pen, source in enumerate(PEN_SOURCE[board]):
        if source >= 0:
            feeding[source] |= pens[pen]
    in_pens = sum(1 << (N_SPECIES * t + T_REX) for t in range(N_TARGETS[board] - 1))
    feeding[S_T_REX] = in_pens
    rules.source_bits[board] = np.array(feeding, np.uint64)


def _check(values: Mapping[str, Any]) -> None:
    for table, size in (
        ("forest_points", "forest_size"),
        ("meadow_points", "meadow_size"),
        ("wood_points", "wood_size"),
    ):
        if len(values[table]) <= values[size]:
            raise ValueError(
                f"rule {table!r} has points for 0 to {len(values[table]) - 1} dinosaurs, but {size!r} is {values[size]}"
            )
    for seats in range(2, MOST_SEATS + 1):
        bag, rounds = values[f"bag_{seats}"], 4 if seats == 2 else 2
        need = rounds * seats * HAND
        if not need <= sum(bag) <= MOST_IN_BAG:
            raise ValueError(
                f"rule 'bag_{seats}' holds {sum(bag)} dinosaurs; {seats} players draw {need}, "
                f"and a bag holds at most {MOST_IN_BAG}"
            )
    if sum(values["die_odds"]) < 1:
        raise ValueError("rule 'die_odds' must have at least one face that comes up")
