"""The rules record of Dino Museum, packed from checked values."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from engine.game import record_dtype
from engine.games.dino_museum.layout import ANY, SAME, Space, check_columns, check_museum, check_species, check_tiles
from engine.games.dino_museum.names import (
    CARNIVORE,
    CLASSES,
    COLOURS,
    DINOSAUR,
    FOSSIL,
    GREY,
    HERBIVORE,
    K_DINOSAURS,
    K_FOSSILS,
    K_RESEARCH,
    K_VISITORS,
    MOST_BOARD,
    MOST_CODES,
    MOST_IN_STACK,
    MOST_NEEDS,
    MOST_SEATS,
    MOST_SPECIES,
    MOST_TILES,
    N_CLASSES,
    N_COLOURS,
    N_COLUMNS,
    N_KINDS,
    N_LEFT,
    N_MARKET_KINDS,
    N_SOURCES,
    PUBLICATION,
    SOURCES,
    VISITOR_COLUMN,
)

NUMBERS = ("rounds", "market_end", "must_take", "one_tile_per_specimen")
MOST_EVIDENCE = MOST_SPECIES + N_CLASSES
_POINTS = ("dinosaur_points", "visitor_points", "fossil_points", "research_points")  # in the order of SOURCES

RULES = record_dtype(
    [(name, "i8") for name in NUMBERS]
    + [
        ("worth", "i8", (N_SOURCES,)),  # points of a piece, visitor, fossil or tile that counts
        ("n_species", "i8"),
        ("n_spaces", "i8"),  # of the research board
        ("full_bag", "u8"),  # every bone: one byte a colour, see `state.one`
        ("fits", "u8", (N_COLOURS, N_COLOURS)),  # BONE actions by the Fossil column's colour and the bone's
        ("column_of", "i8", (MOST_BOARD,)),
        ("column_bits", "u8", (N_COLUMNS,)),  # the spaces of a column
        ("same_bits", "u8"),  # the spaces that want one colour
        ("colour_spaces", "u8", (N_COLUMNS, N_COLOURS)),  # spaces of a column by colour; any and same under grey
        ("column_kind", "i8", (N_COLUMNS,)),  # what a column gives: a kind, -1 for bones
        ("take_bits", "u8", (N_COLUMNS,)),  # the TAKE actions that a column allows
        ("kind_bits", "u8", (N_KINDS,)),  # the TAKE actions of a kind; visitors 0
        ("first_code", "i8", (N_KINDS,)),  # TAKE action of a kind's first element
        ("space_bits", "u8", (N_KINDS,)),  # the museum spaces of a kind
        ("stack_total", "i8", (N_KINDS,)),  # elements in the shuffled stack of a kind
        ("stack", "i8", (N_KINDS, MOST_CODES)),  # copies of each element in it
        ("market_mix", "i8", (2, MOST_SEATS + 1, N_MARKET_KINDS)),  # by last round or not, players, kind
        ("class_bits", "u8", (N_CLASSES,)),  # the species of a class, as TAKE actions
        ("classes_of", "i8", (MOST_SPECIES,)),  # the classes of a species, bit c for class c
        ("between", "u8", (MOST_CODES,)),  # the two dinosaur spaces beside a fossil space
        ("touches", "u8", (MOST_CODES,)),  # the dinosaur and fossil spaces that a research space touches
        ("sees", "u8", (MOST_CODES,)),  # the dinosaur spaces in a visitor's view
        ("concerns", "u8", (MOST_CODES,)),  # the spaces that `between`, `touches` or `sees` a space
        ("n_needs", "i8", (MOST_TILES,)),
        ("fossil_needs", "u8", (MOST_TILES,)),  # the needs of a tile that only a fossil serves
        ("serves", "u8", (MOST_TILES, MOST_EVIDENCE)),  # needs of a tile that a TAKE code's element can serve
        ("need_bits", "u8", (MOST_TILES, MOST_NEEDS)),  # the TAKE codes that can serve a need
    ]
)


def sources_of(values: Mapping[str, Any]) -> tuple[str, ...]:
    """The sources, whatever the rules."""
    return SOURCES


def limit(values: Mapping[str, Any], seats: int) -> int:
    """No game has more decisions: Reinforcements empties the columns left of the arrow once a round and seat."""
    columns = check_columns(values["columns"])
    bones = sum(map(len, columns)) + sum(map(len, columns[:N_LEFT]))
    return values["rounds"] * seats * (bones + 2 * 2 * N_LEFT + 1)


def pack(values: Mapping[str, Any]) -> np.ndarray:
    """Checked rule values as a record, shape (1,).

    Raises
    ------
    ValueError
        For data that does not fit together, such as a museum space that touches an unknown one.
    """
    columns = check_columns(values["columns"])
    species = check_species(values["species"])
    tiles = check_tiles(values["research_tiles"], species)
    museum = check_museum(values["museum"])
    rules = np.zeros(1, RULES)
    for name in NUMBERS:
        rules[name] = int(values[name])
    rules["worth"] = [values[name] for name in _POINTS]
    _pack_board(rules[0], columns, values["bones"])
    _pack_species(rules[0], species)
    _pack_tiles(rules[0], tiles, species)
    _pack_columns(rules[0], len(species), len(tiles))
    _pack_museum(rules[0], museum, values["view_depth"])
    _pack_stacks(rules[0], species, values["fossil_copies"], len(tiles))
    _pack_markets(rules[0], values)
    return rules


def _mask(codes: Any) -> np.uint64:
    return np.uint64(sum(1 << int(code) for code in set(codes)))


def _pack_board(rules: Any, columns: list[list[str]], bones: list[int]) -> None:
    """Research board and bag: which bone fits where."""
    if not 1 <= sum(bones) <= MOST_IN_STACK:
        raise ValueError(f"rule 'bones' must have 1 to {MOST_IN_STACK} bones in all, not {sum(bones)}")
    spaces = [(c, colour) for c, column in enumerate(columns) for colour in column]
    rules.n_spaces = len(spaces)
    rules.full_bag = np.uint64(sum(n << (8 * colour) for colour, n in enumerate(bones)))
    rules.same_bits = _mask(i for i, (_, colour) in enumerate(spaces) if colour == SAME)
    for i, (c, colour) in enumerate(spaces):
        rules.column_of[i] = c
        rules.column_bits[c] |= _mask([i])
        rules.colour_spaces[c, GREY if colour in (ANY, SAME) else COLOURS.index(colour)] |= _mask([i])
    for tied in range(N_COLOURS):
        for bone in range(N_COLOURS):
            wanted = {ANY, COLOURS[bone]} | ({SAME} if tied in (GREY, bone) else set())
            fitting = [i for i, (_, colour) in enumerate(spaces) if bone == GREY or colour in wanted]
            rules.fits[tied, bone] = _mask(fitting)


def _pack_species(rules: Any, species: list[dict[str, Any]]) -> None:
    rules.n_species = len(species)
    for c, name in enumerate(CLASSES):
        rules.class_bits[c] = _mask(k for k, kind in enumerate(species) if name in (kind["diet"], kind["build"]))
    for k, kind in enumerate(species):
        rules.classes_of[k] = int(_mask([CLASSES.index(kind["diet"]), CLASSES.index(kind["build"])]))


def _pack_tiles(rules: Any, tiles: list[list[int]], species: list[dict[str, Any]]) -> None:
    """Which element serves which need of which tile (needs as in `layout.check_tiles`)."""
    for t, needs in enumerate(tiles):
        rules.n_needs[t] = len(needs)
        for r, need in enumerate(needs):
            if need < N_CLASSES:
                codes = rules.class_bits[need]
            elif need < 2 * N_CLASSES:
                codes = _mask([len(species) + need - N_CLASSES])
                rules.fossil_needs[t] |= _mask([r])
            else:
                codes = _mask([need - 2 * N_CLASSES])
            rules.need_bits[t, r] = codes
            for code in range(len(species) + N_CLASSES):
                if (int(codes) >> code) & 1:
                    rules.serves[t, code] |= _mask([r])


def _pack_columns(rules: Any, n_species: int, n_tiles: int) -> None:
    """What a column gives, and the TAKE codes."""
    first_tile = n_species + N_CLASSES
    rules.first_code[:] = [0, n_species, first_tile, 0]
    rules.kind_bits[K_DINOSAURS] = _mask(range(n_species))
    rules.kind_bits[K_FOSSILS] = _mask(range(n_species, first_tile))
    rules.kind_bits[K_RESEARCH] = _mask(range(first_tile, first_tile + n_tiles))
    rules.column_kind[:] = -1
    rules.column_kind[[DINOSAUR, CARNIVORE, HERBIVORE]] = K_DINOSAURS
    rules.column_kind[[FOSSIL, PUBLICATION, VISITOR_COLUMN]] = K_FOSSILS, K_RESEARCH, K_VISITORS
    rules.take_bits[DINOSAUR] = rules.kind_bits[K_DINOSAURS]
    rules.take_bits[CARNIVORE] = rules.class_bits[CLASSES.index("carnivore")]
    rules.take_bits[HERBIVORE] = rules.class_bits[CLASSES.index("herbivore")]
    rules.take_bits[FOSSIL] = rules.kind_bits[K_FOSSILS]
    rules.take_bits[PUBLICATION] = rules.kind_bits[K_RESEARCH]


def _pack_museum(rules: Any, museum: list[Space], view_depth: int) -> None:
    for code, space in enumerate(museum):
        rules.space_bits[space.kind] |= _mask([code])
        near = space.near
        if space.kind == K_FOSSILS:
            rules.between[code] = _mask(near)
        elif space.kind == K_RESEARCH:
            rules.touches[code] = _mask(near)
        elif space.kind == K_VISITORS:
            near = near[:view_depth]
            rules.sees[code] = _mask(near)
        for other in near:
            rules.concerns[other] |= _mask([code])


def _pack_stacks(rules: Any, species: list[dict[str, Any]], fossils: list[int], n_tiles: int) -> None:
    """What lies in each shuffled stack."""
    rules.stack[K_DINOSAURS, : len(species)] = [kind["copies"] for kind in species]
    rules.stack[K_FOSSILS, :N_CLASSES] = fossils
    rules.stack[K_RESEARCH, :n_tiles] = 1
    rules.stack[K_VISITORS, : len(species)] = [kind["visitors"] for kind in species]
    rules.stack_total[:] = rules.stack.sum(axis=1)


def _pack_markets(rules: Any, values: Mapping[str, Any]) -> None:
    for seats in range(2, MOST_SEATS + 1):
        for last, name in enumerate((f"market_{seats}", f"last_market_{seats}")):
            mix = values[name]
            if sum(mix) <= values["market_end"]:
                raise ValueError(
                    f"rule {name!r} puts {sum(mix)} elements into the market, but a round ends at "
                    f"'market_end' = {values['market_end']}; nothing could be taken"
                )
            rules.market_mix[last, seats] = mix
