"""Cells as work for the driver: cut into ranges of deals, put together again, and stored.

A large cell is checkpointed: the tallies so far, and the ranges of deals that are in them. So a run that was killed
goes on from there, whatever the order in which parts came back and however they are cut the next time.
"""

import time
from collections.abc import Callable, Iterator
from typing import Any

from analysis.cells import Cell
from analysis.store import DamagedError, Result, Store, StoreError
from analysis.sweep.driver import Part
from analysis.sweep.parts import PART, Known, Task, play_part
from analysis.tallies import Tallies
from engine.playouts import Playouts

CHECKPOINT, CHECKPOINT_SECONDS = 10_000_000, 600.0  # games
Range = tuple[int, int]  # first deal, number of deals


class CellWork:
    """A cell to be played and stored.

    Parameters
    ----------
    cell : Cell
    store : Store
    checkpoint : int
        Cells that keep tallies are checkpointed each time so many games were played, each ten minutes, and when the
        run is interrupted.
    say : callable
        Given a message about a checkpoint that is damaged.
    """

    def __init__(self, cell: Cell, store: Store, checkpoint: int, say: Callable[[str], Any]):
        self.cell, self.store, self.sides = cell, store, [self]
        self.key, self.title = cell.key, cell.title
        self.every = checkpoint if cell.keep == "tallies" and cell.until is None else 0
        self.playouts: dict[int, Playouts] = {}
        self.tallies: Tallies | None = None
        self.note: dict[str, Any] | None = None
        self.seconds = 0.0
        self.done: list[Range] = []
        self.fresh, self.saved = 0, time.monotonic()  # games since the last checkpoint, and when that was
        if self.every:
            self._resume(say)
        self.todo = missing_ranges(self.done, cell.deals)
        size = max(1, PART[cell.keep] // cell.per_deal) if cell.until is None else cell.deals
        self.ranges = [piece for whole in self.todo for piece in cut(whole, size)]
        self.n_parts = len(self.ranges)

    @property
    def games(self) -> int:
        """Playouts still to come."""
        return sum(deals for _, deals in self.todo) * self.cell.per_deal

    @property
    def is_partial(self) -> bool:
        """Whether some deals are still missing."""
        return sum(deals for _, deals in self.done) < self.cell.deals

    def _resume(self, say: Callable[[str], Any]) -> None:
        try:
            found = self.store.load_checkpoint(self.cell)
        except DamagedError as error:
            aside = self.store.set_aside(self.store.checkpoint_path(self.cell))
            say(f"warning: {error}; kept as {aside.name}, and its cell is played from the beginning")
            return
        if found is not None:
            self.tallies, self.done = found

    def parts(self) -> Iterator[Part]:
        """Ranges of deals; a cell with a stop rule is one."""
        task = Task.of(self.cell)
        for number, (first, deals) in enumerate(self.ranges):
            games = deals * self.cell.per_deal
            yield Part(self, number, games, play_part, (task, first, games))

    def keep(self, part: Part, result: Any, seconds: float) -> None:
        """Take one range's playouts or tallies."""
        self.seconds += seconds
        if isinstance(result, Known):
            (self.note,), (result,) = result.notes, result.results
        if isinstance(result, Playouts):
            self.playouts[part.number] = result
            return
        self.tallies = result if self.tallies is None else self.tallies + result
        if self.every:
            self.done.append(self.ranges[part.number])
            self.fresh += part.games
            is_due = self.fresh >= self.every or time.monotonic() - self.saved > CHECKPOINT_SECONDS
            if is_due and self.is_partial:
                self.checkpoint()

    def checkpoint(self) -> None:
        """Keep what a large cell has so far."""
        if self.every and self.fresh and self.tallies is not None:
            self.done, self.fresh, self.saved = merged(self.done), 0, time.monotonic()
            self.store.save_checkpoint(self.cell, self.tallies, self.done)

    def finish(self) -> None:
        """Store the cell.

        Raises
        ------
        StoreError
            If it cannot be written, or another run has stored a different result.
        """
        ordered = [self.playouts[number] for number in sorted(self.playouts)]
        if self.tallies is not None:
            result: Result = self.tallies
        else:
            result = ordered[0] if len(ordered) == 1 else Playouts.join(ordered)
        self.store.save(self.cell, result, self.note)
        self.playouts, self.tallies = {}, None
        if self.every:
            self.store.drop_checkpoint(self.cell)


class PairWork:
    """Both sides of a comparison with a stop rule, which are played together and end at the same deal."""

    n_parts = 1

    def __init__(self, first: CellWork, against: CellWork):
        self.sides = [first, against]
        self.key, self.title = first.key, first.title

    @property
    def games(self) -> int:
        """Playouts still to come."""
        return sum(side.games for side in self.sides)

    def parts(self) -> Iterator[Part]:
        """One, of all deals."""
        first = self.sides[0]
        yield Part(self, 0, self.games, play_part, (Task.of(first.cell)._replace(both=True), 0, first.games))

    def keep(self, part: Part, result: Any, seconds: float) -> None:
        """Take the results of both sides."""
        for side, known in zip(self.sides, result.apart(), strict=True):
            side.keep(part, known, seconds / 2)

    def finish(self) -> None:
        """Store both cells; errors as with `CellWork`."""
        for side in self.sides:
            side.finish()


class ChunkWork:
    """A chunk of rule sets of a design; all its rule sets share a file.

    Parameters
    ----------
    shelf : TableShelf
    table : Table
    number : int
        The chunk's number.
    """

    def __init__(self, shelf: Any, table: Any, number: int):
        self.shelf, self.table, self.number, self.sides = shelf, table, number, [self]
        self.points = table.chunk_at(number)
        self.key = f"{shelf.keys[table.name]}-{number}"
        self.title = f"rule sets {table.name}, chunk {number}"
        size = max(1, PART["playouts"] // table.games)
        self.ranges = list(cut((0, len(self.points)), size))
        self.n_parts = len(self.ranges)
        self.values: dict[int, Any] = {}
        self.seconds = 0.0

    @property
    def games(self) -> int:
        """Playouts still to come."""
        return len(self.points) * self.table.games

    def parts(self) -> Iterator[Part]:
        """Some rule sets each."""
        from analysis.sweep.rule_sets import play_chunk

        design, games = self.shelf.design, self.table.games
        task = Task.of(design.cell)
        for number, (first, count) in enumerate(self.ranges):
            points = self.points[first : first + count]
            yield Part(self, number, count * games, play_chunk, (task, design.numbers, design.measures, points, games))

    def keep(self, part: Part, result: Any, seconds: float) -> None:
        """Take the values at some rule sets."""
        self.values[part.number] = result
        self.seconds += seconds

    def finish(self) -> None:
        """Store the chunk.

        Raises
        ------
        StoreError
            If it cannot be written, or another run has stored different values.
        """
        joined = type(self.values[0]).joined([self.values[number] for number in sorted(self.values)])
        there = self.shelf.load(self.table, self.number)
        if there is None:
            self.shelf.save(self.table, self.number, self.points, joined)
        elif any(getattr(there, name).tobytes() != getattr(joined, name).tobytes() for name in ("estimates", "groups")):
            raise StoreError(
                f"{self.shelf.path(self.table, self.number)}: another run stored different values; they are left"
            )
        self.values = {}


# ---------------------------------------------------------------------------------------------------------
# Ranges of deals
# ---------------------------------------------------------------------------------------------------------
def cut(whole: Range, size: int) -> Iterator[Range]:
    """A range in pieces of at most `size`."""
    first, count = whole
    for start in range(first, first + count, size):
        yield start, min(size, first + count - start)


def merged(ranges: list[Range]) -> list[Range]:
    """The same, in order, neighbours joined.

    Raises
    ------
    ValueError
        If two overlap.
    """
    found: list[Range] = []
    for first, count in sorted(ranges):
        end = found[-1][0] + found[-1][1] if found else -1
        if first < end:
            raise ValueError(f"deal {first} is in two ranges")
        if first == end:
            found[-1] = (found[-1][0], found[-1][1] + count)
        else:
            found.append((first, count))
    return found


def missing_ranges(done: list[Range], deals: int) -> list[Range]:
    """What of `deals` is not in the ranges that are done."""
    found, at = [], 0
    for first, count in merged(done):
        if first > at:
            found.append((at, first - at))
        at = first + count
    if at < deals:
        found.append((at, deals - at))
    return found
