"""The results folder; the only module that reads or writes `results/`.

    results/<study>/cells/ab/ab12….parquet   one file a cell, named by its key
                    manifest.json            what the cells are, versions, seconds; may be deleted
                    study.toml               the study file as it was run
                    tables/*.csv             made by the report, as is report.html

A cell's file is written under a dot-name in its folder, synced and renamed, so it is there whole or not at all.
It holds its own digest; what does not agree with it is reported and never read as numbers. Besides cells, a folder
may hold files that its readers skip: `_checkpoint_…` of a large cell that is being played, `_damaged_…` and
`_conflict_…` as evidence, and dot-files of processes that were killed, which the next run removes.
"""

import contextlib
import json
import os
import platform
from collections.abc import Iterable, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from analysis.cellfile import (
    NAME,
    DamagedError,
    Result,
    StoreError,
    encode,
    is_leftover,
    read_cell,
    read_whole,
    verify,
    write_atomic,
    write_cell,
)
from analysis.cells import Cell
from analysis.locks import locked
from analysis.study import Study
from analysis.tallies import Tallies

__all__ = ["NAME", "DamagedError", "Result", "Store", "StoreError", "read_cell", "versions", "write_atomic"]
PACKAGES = ("meeplecarlo", "numba", "numpy", "pandas", "scipy", "pyarrow")


def versions() -> dict[str, str]:
    """Versions of Python and of the packages that results rest on."""
    return {"python": platform.python_version()} | {name: metadata.version(name) for name in PACKAGES}


class Store:
    """The results of one study."""

    def __init__(self, study: Study, results: str | Path = "results"):
        self.study = study
        self.root = Path(results).expanduser() / study.name

    def path(self, cell: Cell) -> Path:
        """Where a cell's result lies."""
        return self.root / "cells" / cell.key[:2] / f"{cell.key}.parquet"

    def prepare(self) -> None:
        """Make the folder, keep a copy of the study file in it, and remove what dead processes left.

        Raises
        ------
        StoreError
            If the folder cannot be made or written to.
        """
        write_atomic(self.root / "study.toml", lambda file: file.write(self.study.source))
        for path in self.root.rglob(".*.tmp"):
            if is_leftover(path):
                with contextlib.suppress(OSError):
                    path.unlink()

    def load(self, cell: Cell) -> Result | None:
        """A cell's result, or None if it is not there.

        Raises
        ------
        DamagedError
            If there is a file that cannot be trusted.
        """
        path = self.path(cell)
        return read_cell(path, cell.key) if os.path.lexists(path) else None

    def has(self, cell: Cell) -> bool:
        """Whether a cell's result is there and whole; errors as with `load`."""
        path = self.path(cell)
        return os.path.lexists(path) and bool(verify(path, cell.key))

    def save(self, cell: Cell, result: Result, note: Mapping[str, Any] | None = None) -> None:
        """Store a cell's result, and how it ended if it has a stop rule.

        Raises
        ------
        StoreError
            If it cannot be written; or if another run has stored a different result, which stays, while this one is
            kept beside it.
        """
        path, (digest, table) = self.path(cell), encode(cell.spec, result, note)
        try:
            write_cell(path, table, new=True)
            return
        except FileExistsError:
            pass
        try:
            there = verify(path, cell.key)["sha256"]
        except DamagedError:
            self.set_aside(path)
            write_cell(path, table)
            return
        if there != digest:
            other = path.with_name(f"_conflict_{cell.key}_{digest[:8]}.parquet")
            write_cell(other, table)
            raise StoreError(f"{path}: another run has stored a different result; this one is kept as {other.name}")

    def note(self, cell: Cell) -> dict[str, Any] | None:
        """How a stored cell with a stop rule ended; None for one without."""
        if cell.until is None:
            return None
        return json.loads(pq.read_schema(self.path(cell)).metadata[NAME]).get("note")

    def set_aside(self, what: Cell | Path) -> Path:
        """Rename a damaged file, so that its evidence stays; the new name, which readers of the folder skip."""
        path = self.path(what) if isinstance(what, Cell) else what
        names = (f"_damaged_{n}{path.name}" for n in ("", *(f"{i}_" for i in range(2, 10_000))))
        aside = next(x for name in names if not os.path.lexists(x := path.with_name(name)))
        try:
            os.replace(path, aside)
        except OSError as error:
            raise StoreError(f"{path}: cannot be renamed: {error.strerror}") from None
        return aside

    # Large cells are checkpointed: the tallies so far, and which deals are in them.
    def checkpoint_path(self, cell: Cell) -> Path:
        """Where a cell's checkpoint lies."""
        return self.path(cell).with_name(f"_checkpoint_{cell.key}.parquet")

    def save_checkpoint(self, cell: Cell, tallies: Tallies, done: list[tuple[int, int]]) -> None:
        """Keep a cell's tallies so far; `done` are the ranges (first deal, number of deals) that are in them."""
        write_cell(self.checkpoint_path(cell), encode(cell.spec, tallies, {"done": [list(x) for x in done]})[1])

    def load_checkpoint(self, cell: Cell) -> tuple[Tallies, list[tuple[int, int]]] | None:
        """Tallies and ranges of a cell's checkpoint, or None if there is none.

        Raises
        ------
        DamagedError
            If there is a file that cannot be trusted.
        """
        path = self.checkpoint_path(cell)
        if not os.path.lexists(path):
            return None
        head, tallies = read_whole(path, cell.key)
        done = [(int(first), int(deals)) for first, deals in head.get("note", {}).get("done", [])]
        if not isinstance(tallies, Tallies) or len(tallies) != sum(deals for _, deals in done) * cell.per_deal:
            raise DamagedError(f"{path}: is not a checkpoint of its cell")
        return tallies, done

    def drop_checkpoint(self, cell: Cell) -> None:
        """Remove a checkpoint that is not needed any more."""
        with contextlib.suppress(OSError):
            self.checkpoint_path(cell).unlink(missing_ok=True)

    def write_table(self, name: str, frame: Any) -> Path:
        """Write a derived table as ``tables/<name>.csv``."""
        path = self.root / "tables" / f"{name}.csv"
        text = frame.to_csv(index=False, float_format="%.8g", lineterminator="\n")
        write_atomic(path, lambda file: file.write(text.encode()))
        return path

    def write_report(self, html: str) -> Path:
        """Write ``report.html``."""
        path = self.root / "report.html"
        write_atomic(path, lambda file: file.write(html.encode()))
        return path

    # The manifest is for people: nothing is computed from it.
    def manifest(self) -> dict[str, Any]:
        """What the manifest says; an empty one if it is missing or cannot be read."""
        try:
            found = json.loads((self.root / "manifest.json").read_text())
        except (OSError, ValueError):
            found = {}
        return found if isinstance(found, dict) else {}

    def write_manifest(self, seconds: Mapping[str, float], run: Mapping[str, Any], present: Iterable[Cell]) -> None:
        """Write the cells that are there, in the study's order, with the seconds they took and this run's facts.

        `present` are those that this run knows of; those of other runs and shards are looked for.
        """
        with locked(self.root / ".manifest.lock"):
            self._write_manifest(seconds, run, {cell.key for cell in present})

    def _write_manifest(self, seconds: Mapping[str, float], run: Mapping[str, Any], present: set[str]) -> None:
        before = self.manifest()
        known = before.get("cells", {})
        cells = {
            cell.key: {
                "file": self.path(cell).relative_to(self.root).as_posix(),
                "title": cell.title,
                "games": cell.games,
                "seconds": round(seconds[cell.key], 3)
                if cell.key in seconds
                else known.get(cell.key, {}).get("seconds"),
                "spec": cell.spec,
            }
            for cell in self.study.cells
            if cell.key in present or self.path(cell).exists()
        }
        runs = [r for r in before.get("runs", []) if r.get("started") != run.get("started")] + [dict(run)]
        lines = [f'"{key}": {json.dumps(cell, ensure_ascii=False)}' for key, cell in cells.items()]
        text = (
            f'{{"study": {json.dumps(self.study.name)},\n"command": {json.dumps(self.study.command)},\n"runs": [\n'
            + ",\n".join(json.dumps(r, ensure_ascii=False) for r in runs)
            + '\n],\n"cells": {\n'
            + ",\n".join(lines)
            + "\n}}\n"
        )
        write_atomic(self.root / "manifest.json", lambda file: file.write(text.encode()))
