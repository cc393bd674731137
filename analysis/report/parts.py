"""What a chapter of a report is made of."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from analysis.report.figures import Figure


@dataclass
class Table:
    """A table; a cell is text, or an estimate and its interval. The first column, of words, is so wide in rem."""

    head: Sequence[str]
    rows: Sequence[Sequence[str | tuple[str, str]]]
    first: int = 5


@dataclass
class Part:
    """A table with its figures under a heading."""

    title: str
    table: Table
    figures: list[Figure] = field(default_factory=list)
    mark: tuple = ()  # what a fairness card finds it by


@dataclass
class Chapter:
    """One question of the report."""

    title: str
    intro: str
    parts: list[Part]
    hidden: int = 0  # parts that are only in the CSV tables
