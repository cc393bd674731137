"""From a study's ``[[compare]]`` blocks to pairs of cells on the same deals."""

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from analysis.cells import Cell, Versus
from analysis.grid import expand
from analysis.studyfile import Block, Compare, Document, Problems
from analysis.until import Until

# What a side's key is called in the block, by its name in a grid block.
SIDES: tuple[dict[str, str], dict[str, str]] = (
    {},
    {"lineup": "against_lineup", "rules": "against", "variant": "against_variant"},
)


@dataclass(frozen=True, eq=False)
class Pair:
    """Two cells that are compared, the first less the second."""

    first: Cell
    against: Cell

    @property
    def cells(self) -> tuple[Cell, Cell]:
        """Both."""
        return self.first, self.against


def expand_pairs(document: Document, folder: Path, problems: Problems) -> list[Pair]:
    """The pairs of a study, one a number of players of each block; errors go to `problems`."""
    found = []
    for i, block in enumerate(document.compare):
        sides = [
            _cells(document, _side(block, which), folder, problems, f"compare[{i}]", names)
            for which, names in enumerate(SIDES)
        ]
        if not all(len(cells) == len(block.players) for cells in sides):
            continue
        pairs = [Pair(*cells) for cells in zip(*sides, strict=True)]
        if any(pair.first.key == pair.against.key for pair in pairs):
            problems.add(f"compare[{i}]", "both sides are the same; give against, against_lineup or against_variant")
        else:
            until = _until(block, pairs, f"compare[{i}].until", problems)
            found += [_on_the_same_deals(pair, until) for pair in pairs]
    return found


def _until(block: Compare, pairs: list[Pair], place: str, problems: Problems) -> Until | None:
    """The checked stop rule of a block."""
    try:
        until = None if block.until is None else Until.of(block.until)
        for cell in (cell for pair in pairs for cell in pair.cells if until):
            assert until is not None
            until.check([entry.label for entry in cell.entries], is_difference=True)
    except ValueError as error:
        problems.add(place, str(error).removeprefix("until: "))
        return None
    return until


def _on_the_same_deals(pair: Pair, until: Until | None) -> Pair:
    """Both cells with as many deals as the one that needs more, and the stop rule of their difference."""
    deals = max(cell.deals for cell in pair.cells)
    sides = []
    for cell, other in (pair.cells, pair.cells[::-1]):
        versus = Versus(other.wanted, other.entries, other.rules, other is pair.first) if until else None
        sides.append(replace(cell, asked=deals * cell.per_deal, until=until, versus=versus))
    return Pair(*sides)


def _side(block: Compare, which: int) -> Block:
    """One side as a grid block."""
    variant, rules, lineup = block.variant, block.rules, block.lineup
    if which == 1:
        variant = variant if block.against_variant is None else block.against_variant
        rules = rules if block.against is None else block.against
        lineup = lineup if block.against_lineup is None else block.against_lineup
    side: dict[str, Any] = {"variant": None if variant is None else [variant], "players": block.players}
    side |= {"rules": [rules], "lineup": [lineup], "games": block.games, "seats": block.seats}
    return Block(**side)


def _cells(
    document: Document, side: Block, folder: Path, problems: Problems, place: str, names: dict[str, str]
) -> list[Cell]:
    own = Problems(problems.file)
    cells = expand(document.model_copy(update={"grid": [side]}), folder, own)
    for line in own.lines:
        key = re.sub(
            r"grid\[0\]\.(\w+)(\[0\])?",
            lambda m: f"{place}.{names.get(m[1], m[1])}{'' if m[1] != 'players' else m[2] or ''}",
            line,
        )
        problems.lines[key] = None
    return cells
