"""Tiles, tricks and mats of Sauros as text, for `text`."""

from typing import Any

from engine.games.sauros.names import (
    MATS,
    N_RESERVE,
    N_SUIT_TILES,
    N_TILES,
    NONE,
    PER_SUIT,
    SPECIAL_NAMES,
)
from engine.games.sauros.rules import mat_cells

SHORT_SPECIALS = ("Rex", "Rex", "Que", "The", "Ast")
FREE = "."
WIDTH = 4  # of a cell: p0ET


def tile_name(tile: int, rules: Any) -> str:
    """A tile in full: ``purple 7 (B)``, ``T-Rex``."""
    if tile >= N_SUIT_TILES:
        return SPECIAL_NAMES[tile - N_SUIT_TILES]
    letters = rules.values["symbols"][tile // PER_SUIT][tile % PER_SUIT]
    return f"{rules.values['suits'][tile // PER_SUIT]} {tile % PER_SUIT}" + (f" ({letters})" if letters else "")


def tile_label(tile: int, rules: Any) -> str:
    """A tile in a few letters, as on a mat: ``p7B``, ``Rex``; ``.`` for none."""
    if tile == NONE:
        return FREE
    if tile >= N_SUIT_TILES:
        return SHORT_SPECIALS[tile - N_SUIT_TILES]
    initials = [name[0] for name in rules.values["suits"]]
    initials = initials if len(set(initials)) == len(initials) else list("abcd")
    letters = rules.values["symbols"][tile // PER_SUIT][tile % PER_SUIT]
    return f"{initials[tile // PER_SUIT]}{tile % PER_SUIT}{letters}"


def tile_list(mask: int, rules: Any) -> str:
    """The tiles of a mask, in few letters."""
    return " ".join(tile_label(t, rules) for t in range(N_TILES) if int(mask) >> t & 1) or "nothing"


def mat_picture(cells: list[int], mat: int, rules: Any) -> list[str]:
    """A mat with its tiles, row by row."""
    where = mat_cells(rules.values["mats"][mat])
    rows, columns = 1 + max(r for r, _ in where), 1 + max(c for _, c in where)
    grid = [[""] * columns for _ in range(rows)]
    for cell, (r, c) in enumerate(where):
        grid[r][c] = tile_label(cells[cell], rules)
    return [" ".join(label.ljust(WIDTH) for label in row) for row in grid]


def mats_picture(state: Any, rules: Any, tiles: list[list[int]], held: list[list[int]]) -> list[str]:
    """All seats' mats side by side, the reserve below, and the Bot's tiles."""
    blocks = []
    for s in range(state.seats):
        reserve = " ".join(tile_label(t, rules) for t in held[s] if t != NONE) or "none"
        picture = mat_picture(tiles[s], int(state.mat[s]), rules)
        blocks.append([f"seat {s}, mat {MATS[state.mat[s]]}", *picture, f"reserve {reserve}"])
    height = max(len(b) for b in blocks)
    blocks = [[*b[:-1], *[""] * (height - len(b)), b[-1]] for b in blocks]
    widths = [max(len(line.rstrip()) for line in b) for b in blocks]
    lines = [
        "    " + "   ".join(b[i].rstrip().ljust(w) for b, w in zip(blocks, widths, strict=True)).rstrip()
        for i in range(height)
    ]
    if state.n_ring > state.seats:
        lines.append(f"    the Bot has {tile_list(int(state.bot_tiles), rules)}")
    return lines


def lying(state: Any) -> tuple[list[list[int]], list[list[int]]]:
    """Tiles on each seat's cells, and what each seat holds."""
    seats = range(state.seats)
    return [[int(t) for t in state.tile[s]] for s in seats], [[int(t) for t in state.held[s]] for s in seats]


def trick_picture(played: dict[int, int], strength: Any, winner: int | None, state: Any, rules: Any) -> list[str]:
    """The tiles of a trick in playing order under their seats; ``*`` marks the winner."""
    heads, below = [], []
    for seat, tile in played.items():
        heads.append(seat_name(state, seat) + ("*" if seat == winner else ""))
        changed = tile < N_SUIT_TILES and int(strength[seat]) != tile % PER_SUIT
        below.append(tile_label(tile, rules) + (f" as {int(strength[seat])}" if changed else ""))
    widths = [max(len(a), len(b)) for a, b in zip(heads, below, strict=True)]
    return ["    " + "  ".join(x.ljust(w) for x, w in zip(row, widths, strict=True)).rstrip() for row in (heads, below)]


def seat_name(state: Any, seat: int) -> str:
    """``seat 2``, or ``the Bot``."""
    return f"seat {seat}" if seat < state.seats else "the Bot"


def held_label(slot: int) -> str:
    """Where a held tile comes from."""
    return "the reserve" if slot < N_RESERVE else "this trick"
