"""From a study's ``[sensitivity]`` block to its design."""

import re
from pathlib import Path
from typing import Any

from analysis.grid import expand
from analysis.sobol.design import BASE_POINTS, Design, make_design
from analysis.sobol.measure import faults
from analysis.sobol.numbers import twice
from analysis.studyfile import Block, Document, Problems


def expand_block(document: Document, folder: Path, problems: Problems) -> Design | None:
    """The checked design of a study, or None if it has none or it is wrong; errors go to `problems`."""
    block = document.sensitivity
    if block is None:
        return None
    variant = None if block.variant is None else [block.variant]
    grid: dict[str, Any] = {"variant": variant, "players": [block.players], "lineup": [block.lineup]}
    grid |= {"rules": [block.rules], "games": block.games, "seats": block.seats}
    own = Problems(problems.file)
    cells = expand(document.model_copy(update={"grid": [Block(**grid)]}), folder, own)
    for line in own.lines:
        problems.lines[re.sub(r"grid\[0\](\.\w+)(\[0\])?", r"sensitivity\1", line)] = None
    if not cells:
        return None
    try:
        design = make_design(
            cells[0],
            block.numbers,
            block.metric,
            BASE_POINTS if block.base_points is None else block.base_points,
            cells[0].asked,
            block.curve_games,
        )
        design.check()
    except ValueError as error:
        problems.add("sensitivity", str(error))
        return None
    for name, number in twice(block.rules, design.numbers, cells[0].rules):
        problems.add(
            f"sensitivity.rules.{name}", f"is varied by sensitivity.numbers.{number} too; leave one of them out"
        )
    for line in faults(design.measures, design.cell, design.games):
        problems.add("sensitivity.metric", line)
    return design
