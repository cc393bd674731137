"""What is played: Saltelli's points over the numbers, and the points of the curves, each once."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np

from analysis import cells
from analysis.cells import Cell
from analysis.sobol.measure import Measure, check_measures
from analysis.sobol.numbers import Number, check_numbers, rules_at
from engine.errors import whole_number
from engine.games import load_game

BASE_POINTS, GAMES = 1024, 2_000
GROUPS = 32  # groups of deals that noise is told by
CURVE_TIMES = 10  # games of a curve's point over those of a rule set, unless said
HERE = Path(__file__).parent
ANALYSIS = HERE.parent


@dataclass(frozen=True, eq=False)
class Table:
    """Rule sets to be played, all different, one a row."""

    name: str
    points: np.ndarray  # float64 (rule sets, numbers)
    games: int  # of each

    @property
    def chunk(self) -> int:
        """How many rule sets are stored at once: some seconds of play."""
        return max(1, 2**21 // self.games)

    def chunk_at(self, number: int) -> np.ndarray:
        """The points of a chunk."""
        return self.points[number * self.chunk : (number + 1) * self.chunk]


@dataclass(frozen=True, eq=False)
class Design:
    """Which numbers of a cell's rules are varied, over what, and what is looked at."""

    cell: Cell  # the rules as they are, the line-up, the seed
    numbers: tuple[Number, ...]
    measures: tuple[Measure, ...]
    base_points: int
    games: int
    curve_games: int

    @cached_property
    def saltelli(self) -> np.ndarray:
        """All points in SALib's order, shape (base_points * (numbers + 2), numbers)."""
        from SALib.sample import sobol

        names = [number.name for number in self.numbers]
        problem = {"num_vars": len(names), "names": names, "bounds": [[0.0, 1.0]] * len(names)}
        unit = sobol.sample(problem, self.base_points, calc_second_order=False, seed=self.cell.seed % 2**32)
        return np.stack([number.at(unit[:, i]) for i, number in enumerate(self.numbers)], axis=1)

    @cached_property
    def distinct(self) -> tuple[np.ndarray, np.ndarray]:
        """The different points, and the place of each of Saltelli's points among them."""
        points, places = np.unique(self.saltelli, axis=0, return_inverse=True)
        return points, places.ravel()

    @property
    def printed(self) -> np.ndarray:
        """The point of the rules as they are."""
        return np.array([number.printed for number in self.numbers])

    @cached_property
    def curve_points(self) -> list[tuple[int, float]]:
        """(which number, its value) of each point of the curves."""
        return [(i, x) for i, number in enumerate(self.numbers) for x in number.levels()]

    @cached_property
    def tables(self) -> tuple[Table, Table]:
        """The rule sets of the indices and those of the curves; the first of these are the rules as they are."""
        curves = [self.printed]
        for i, x in self.curve_points:
            point = self.printed
            point[i] = x
            curves.append(point)
        order = np.array(list(dict.fromkeys(map(tuple, curves))))
        return Table("sobol", self.distinct[0], self.games), Table("curves", order, self.curve_games)

    @property
    def total_games(self) -> int:
        """Playouts of all tables."""
        return sum(len(table.points) * table.games for table in self.tables)

    def check(self) -> None:
        """Have the game accept every rule set.

        Raises
        ------
        ValueError
            For the first that it refuses.
        """
        game = load_game(self.cell.game)
        for table in self.tables:
            for point in table.points:
                rules_at(game, self.cell.rules, self.numbers, point)

    def spec(self, table: Table) -> dict[str, Any]:
        """Everything that determines a table's content, ready for JSON."""
        return {
            "cell": {k: v for k, v in self.cell.spec.items() if k not in ("deals", "keep")},
            "metrics": metrics_digest(),
            "numbers": [number.name for number in self.numbers],
            "points": hashlib.sha256(np.ascontiguousarray(table.points).tobytes()).hexdigest(),
            "games": table.games,
            "measures": [[m.metric, m.options, m.row] for m in self.measures],
            "chunk": table.chunk,
        }


@cache
def metrics_digest() -> str:
    """Digest of the code that makes a measure of playouts, as this process found it first."""
    files = [*(ANALYSIS / "metrics").glob("*.py"), ANALYSIS / "stats.py", ANALYSIS / "frames.py"]
    files += [HERE / "measure.py", HERE / "run.py"]
    return cells.digest_trees((str(path.relative_to(ANALYSIS)), path) for path in files)


def make_design(
    cell: Cell,
    numbers: Mapping[str, Any],
    metric: Any,
    base_points: int = BASE_POINTS,
    games: int = GAMES,
    curve_games: int | None = None,
) -> Design:
    """Check everything but the combinations of values, which `Design.check` does.

    Raises
    ------
    ValueError
        For a bad argument, named with its value and what is allowed.
    """
    base_points = whole_number("base_points", base_points, 16, 2**20)
    if base_points & (base_points - 1):
        raise ValueError(f"base_points must be a power of 2, as Sobol' sequences are, not {base_points:,}")
    least = GROUPS * cell.per_deal
    games = whole_number("games", games, least)
    curve_games = CURVE_TIMES * games if curve_games is None else whole_number("curve_games", curve_games, least)
    found = check_numbers(load_game(cell.game), cell.rules, numbers)
    return Design(cell, found, check_measures(metric), base_points, games, curve_games)
