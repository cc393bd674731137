"""Studies: a question, a game and a grid, in a TOML file; checked, then turned into cells.

Everything that can be checked is checked before a game is played, and all errors are reported at once.
"""

import difflib
import shlex
from dataclasses import dataclass
from pathlib import Path

from analysis.cells import Cell
from analysis.grid import expand
from analysis.pairs import Pair, expand_pairs
from analysis.sobol.block import expand_block
from analysis.sobol.design import Design
from analysis.studyfile import Document, Problems, StudyError, check_shape, read_document
from analysis.thresholds import faults
from engine.errors import unknown

SHIPPED = Path(__file__).parent / "studies"


@dataclass(frozen=True, eq=False)
class Study:
    """A checked study."""

    name: str
    path: Path
    source: bytes  # the file as it is
    document: Document
    cells: tuple[Cell, ...]  # all different
    design: Design | None = None  # of the [sensitivity] block
    pairs: tuple[Pair, ...] = ()  # of the [[compare]] blocks; their cells are among `cells`

    @property
    def games(self) -> int:
        """Playouts of all cells, and of the rule sets of a design."""
        return sum(cell.games for cell in self.cells) + (self.design.total_games if self.design else 0)

    @property
    def is_shipped(self) -> bool:
        """Whether the study comes with the project, so that its name is enough."""
        return self.path.parent == SHIPPED

    @property
    def command(self) -> str:
        """What reproduces the study: by name if it ships with the project, else from the file's folder."""
        return f"meeplecarlo study {self.name if self.is_shipped else self.path.name}"

    def command_here(self, verb: str, results: str | Path) -> str:
        """A command for this study and its results that works from the present folder.

        Parameters
        ----------
        verb : str
            Such as ``"report"``.
        results : str or path
            As ``--results``.
        """
        here = Path.cwd()
        path = self.path.relative_to(here) if self.path.is_relative_to(here) else self.path
        words = ["meeplecarlo", verb, self.name if self.is_shipped else str(path)]
        return shlex.join(words + ([] if Path(results) == Path("results") else ["--results", str(results)]))


def shipped_studies() -> list[str]:
    """The names of the studies that come with the project."""
    return sorted(path.stem for path in SHIPPED.glob("*.toml"))


def find_study(given: str) -> Path:
    """The path of a study file, given its path or the name of a shipped one.

    Raises
    ------
    StudyError
        If there is no such file.
    """
    if not given.strip():
        raise StudyError([f"study must be the path of a .toml file or a name, not {given!r} "
                          f"(allowed: {', '.join(shipped_studies())})"])  # fmt: skip
    path = Path(given).expanduser()
    if path.is_file():
        return path.resolve()
    if path.is_dir():
        raise StudyError([f"{given}: is a folder, not a study file"])
    if path.suffix == ".toml" or len(path.parts) > 1:
        near = [p.name for p in path.parent.glob("*.toml")] if path.parent.is_dir() else []
        close = difflib.get_close_matches(path.name, near, n=1)
        hint = f"; did you mean {str(path.parent / close[0])!r}?" if close else ""
        raise StudyError([f"{given}: there is no such file{hint}"])
    if given not in shipped_studies():
        raise StudyError([unknown("study", given, shipped_studies()) + "; or the path of a .toml file"])
    return SHIPPED / f"{given}.toml"


def load_study(given: str | Path) -> Study:
    """Read and check a study.

    Parameters
    ----------
    given : str or path
        A TOML file, or the name of a study that ships with the project.

    Raises
    ------
    StudyError
        With one line for each thing that is wrong.
    """
    path = find_study(str(given))
    raw, document = read_document(path)
    problems = Problems(path.name)
    checked = check_shape(document, problems)
    cells, design, pairs = [], None, []
    if checked is not None:
        cells, design = expand(checked, path.parent, problems), expand_block(checked, path.parent, problems)
        pairs = expand_pairs(checked, path.parent, problems)
        for line in faults(checked.thresholds):
            problems.add("thresholds", line)
        if not {"grid", "sensitivity", "compare"} & set(document):
            problems.add("grid", "missing; every study needs it, or a [[compare]] or [sensitivity] block")
    problems.stop()
    assert checked is not None
    each = {(cell.key, cell.rules_label, cell.lineup_label): cell for cell in cells}
    for cell in (cell for pair in pairs for cell in pair.cells):
        each.setdefault((cell.key, cell.rules_label, cell.lineup_label), cell)
    return Study(path.stem, path, raw, checked, tuple(each.values()), design, tuple(pairs))
