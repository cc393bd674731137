"""The rules record of Sauros, packed from checked values."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from engine.game import record_dtype
from engine.games.sauros.names import (
    IS_QUETZALCOATLUS,
    IS_REX,
    MATS,
    MOST_CELLS,
    MOST_SEATS,
    N_BASE_TILES,
    N_MATS,
    N_SUIT_TILES,
    N_SUITS,
    N_SYMBOLS,
    N_TILES,
    PER_SUIT,
    QUETZALCOATLUS,
    SOURCES,
    SYMBOL_LETTERS,
    T_REX,
    T_REX_2,
    THERIZINOSAURUS,
)

NUMBERS = (
    "special_tiles",
    "midnight_dice",
    "asteroid_replacement_is_trump",
    "zero_beats_any_nine",
    "exchange_tiles",
    "egg_points",
    "quetzalcoatlus_factor",
    "bone_points",
    "lone_tooth_points",
    "touching_tooth_points",
    "footprint_points",
    "reserve_points",
)

RULES = record_dtype(
    [(name, "i8") for name in NUMBERS]
    + [
        ("dino_points", "i8", (MOST_CELLS + 1,)),  # by size of the group
        ("hand", "i8", (MOST_SEATS + 1,)),  # tiles dealt, by number of players
        ("tricks", "i8", (MOST_SEATS + 1,)),  # of a round, by number of players
        ("n_deck", "i8"),
        ("deck_tiles", "u8"),  # the deck as a mask
        ("bot_die", "i8", (3,)),  # odds added up: trump, first, second human
        ("cells", "u8", (N_MATS,)),  # all cells of a mat
        ("touching", "u8", (N_MATS, MOST_CELLS)),  # the cells beside a cell
        ("suit_layer", "u8", (N_TILES,)),  # what a tile at cell 0 adds to the layers of a seat
        ("symbol_layer", "u8", (N_TILES,)),
        ("double_layer", "u8", (N_TILES,)),  # tiles that bear a symbol twice (S43)
        ("special_layer", "u8", (N_TILES,)),
        ("symbol_tiles", "u8", (N_SYMBOLS,)),  # the tiles that bear a symbol
        ("double_tiles", "u8", (N_SYMBOLS,)),  # and those that bear it twice
    ]
)


def sources_of(values: Mapping[str, Any]) -> tuple[str, ...]:
    """All sources; no rule takes one away."""
    return SOURCES


def hand_and_tricks(values: Mapping[str, Any], seats: int) -> tuple[int, int]:
    """Tiles dealt to each seat, and tricks of a round."""
    if seats == 2:
        return values["two_player_hand"], values["two_player_tricks"]
    hand = values["hand_6"] if seats == 6 else values["hand"]
    return hand, hand


def limit(values: Mapping[str, Any], seats: int) -> int:
    """No game has more decisions.

    A round: two exchanges, a sign and a removal a seat; a trick: a tile, a die and five about placing a seat
    (two placements, two discards, stop), and a reward.
    """
    rounds, (_, tricks) = max(3, seats), hand_and_tricks(values, seats)
    return rounds * (4 * seats + tricks * (7 * seats + 1))


def pack(values: Mapping[str, Any]) -> np.ndarray:
    """Checked rule values as a record, shape (1,).

    Raises
    ------
    ValueError
        If the tiles do not go round, or suits, symbols, mats or Bot Die are not as `rules.toml` describes them.
    """
    rules = np.zeros(1, RULES)
    record = rules[0]
    for name in NUMBERS:
        rules[name] = int(values[name])
    for n in range(MOST_CELLS + 1):
        counted = min(n, 5) if values["cap_groups_at_5"] else n
        beyond = values["dino_points_beyond"] * max(0, counted - 5)
        record.dino_points[n] = values["dino_points"][min(counted, 5)] + beyond
    n_deck = N_TILES if values["special_tiles"] else N_BASE_TILES
    record.n_deck, record.deck_tiles = n_deck, (1 << n_deck) - 1
    _check_tiles_go_round(values, n_deck)
    for seats in range(2, MOST_SEATS + 1):
        record.hand[seats], record.tricks[seats] = hand_and_tricks(values, seats)
    if sum(values["bot_die"]) < 1:
        raise ValueError("rule 'bot_die' must have at least one result that comes up")
    record.bot_die[:] = np.cumsum(values["bot_die"])
    _check_suits(values["suits"])
    _pack_tiles(record, values["symbols"])
    _pack_mats(record, values["mats"])
    return rules


def _check_tiles_go_round(values: Mapping[str, Any], n_deck: int) -> None:
    for seats in range(2, MOST_SEATS + 1):
        hand, tricks = hand_and_tricks(values, seats)
        if tricks > hand:
            raise ValueError(f"rule 'two_player_tricks' is {tricks}, more than 'two_player_hand', {hand}")
        flips = tricks * (2 if seats == 2 else 1) + int(values["special_tiles"])
        need = seats * hand + flips
        if need > n_deck:
            name = {2: "two_player_hand", 6: "hand_6"}.get(seats, "hand")
            raise ValueError(
                f"rule {name!r} is {hand}: {seats} players need {need} tiles "
                f"({seats * hand} dealt, {flips} from the middle), and the deck has {n_deck}"
            )


def _check_suits(suits: Any) -> None:
    if len(suits) != N_SUITS or not all(isinstance(x, str) and x for x in suits) or len(set(suits)) != N_SUITS:
        raise ValueError(f"rule 'suits' must be {N_SUITS} different names, not {suits!r}")


def _pack_tiles(record: Any, symbols: Any) -> None:
    """The layers that each tile adds to."""
    for tile, letters in enumerate(_checked_symbols(symbols)):
        record.suit_layer[tile] = 1 << (MOST_CELLS * (tile // PER_SUIT))
        _pack_symbols(record, tile, letters)
    _pack_symbols(record, THERIZINOSAURUS, SYMBOL_LETTERS)
    for tile in (T_REX, T_REX_2):
        record.special_layer[tile] = 1 << (MOST_CELLS * IS_REX)
    record.special_layer[QUETZALCOATLUS] = 1 << (MOST_CELLS * IS_QUETZALCOATLUS)


def _pack_symbols(record: Any, tile: int, letters: str) -> None:
    for k, letter in enumerate(SYMBOL_LETTERS):
        for n, layer, tiles in (
            (1, record.symbol_layer, record.symbol_tiles),
            (2, record.double_layer, record.double_tiles),
        ):
            if letters.count(letter) >= n:
                layer[tile] |= np.uint64(1 << (MOST_CELLS * k))
                tiles[k] |= np.uint64(1 << tile)


def _checked_symbols(symbols: Any) -> list[str]:
    """The symbols of tiles 0 to 39 as strings of letters."""
    if len(symbols) != N_SUITS:
        raise ValueError(f"rule 'symbols' must have one row for each of {N_SUITS} suits, not {len(symbols)}")
    for s, row in enumerate(symbols):
        if not isinstance(row, list) or len(row) != PER_SUIT:
            raise ValueError(f"rule 'symbols', suit {s}: must have {PER_SUIT} tiles, strength 0 to 9, not {row!r}")
        for k, letters in enumerate(row):
            if not isinstance(letters, str) or len(letters) > 2 or set(letters) - set(SYMBOL_LETTERS):
                raise ValueError(
                    f"rule 'symbols', suit {s}, strength {k}: must be at most two of the letters "
                    f"{', '.join(SYMBOL_LETTERS)}, not {letters!r}"
                )
    tiles = [letters for row in symbols for letters in row]
    assert len(tiles) == N_SUIT_TILES
    return tiles


def _pack_mats(record: Any, mats: Any) -> None:
    if len(mats) != N_MATS:
        raise ValueError(f"rule 'mats' must have {N_MATS} playmats, {MATS[0]} to {MATS[-1]}, not {len(mats)}")
    for m, picture in enumerate(mats):
        where = mat_cells(picture, f"rule 'mats', playmat {MATS[m]}")
        number = {place: c for c, place in enumerate(where)}
        record.cells[m] = (1 << len(where)) - 1
        for (row, column), c in number.items():
            beside = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
            record.touching[m, c] = sum(1 << number[place] for place in beside if place in number)
        _check_connected(record, m, where)


def mat_cells(picture: Any, what: str = "playmat") -> list[tuple[int, int]]:
    """Row and column of each cell of a playmat's picture, in reading order, which is how cells are numbered.

    Raises
    ------
    ValueError
        If it is not a list of rows of ``#`` and ``.`` with 1 to 14 cells.
    """
    if not isinstance(picture, list) or not all(isinstance(row, str) for row in picture):
        raise ValueError(f"{what}: must be a list of rows such as '.##.', not {picture!r}")
    for r, row in enumerate(picture):
        strange = set(row) - {"#", "."}
        if strange:
            raise ValueError(f"{what}, row {r}: {row!r} has {min(strange)!r}; '#' is a cell and '.' is none")
    where = [(r, c) for r, row in enumerate(picture) for c, sign in enumerate(row) if sign == "#"]
    if not 1 <= len(where) <= MOST_CELLS:
        raise ValueError(f"{what}: must have from 1 to {MOST_CELLS} cells, not {len(where)}")
    return where


def _check_connected(record: Any, m: int, where: list[tuple[int, int]]) -> None:
    reached, waiting = {0}, [0]
    while waiting:
        beside = int(record.touching[m, waiting.pop()])
        new = {c for c in range(len(where)) if beside >> c & 1} - reached
        reached |= new
        waiting += new
    if len(reached) < len(where):
        row, column = where[min(set(range(len(where))) - reached)]
        raise ValueError(
            f"rule 'mats', playmat {MATS[m]}: the cell in row {row}, column {column} cannot be reached "
            "from the first one; cells must hang together by their sides"
        )
