"""The results folder; the only module that reads or writes `results/`.

    results/<study>/cells/ab/ab12….parquet   one file a cell, named by its key
                    manifest.json            what the cells are, versions, seconds; may be deleted
                    study.toml               the study file as it was run
                    tables/*.csv             made by the report, as is report.html

A cell's file is written under a dot-name in its folder, synced and renamed, so it is there whole or not at all.
It holds its own digest; what does not agree with it is reported and never read as numbers.
"""

import contextlib
import hashlib
import json
import os
import platform
import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from importlib import metadata
from pathlib import Path
from typing import IO, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import engine
from analysis.cells import FORMAT, Cell, canonical
from analysis.study import Study
from analysis.tallies import Tallies
from engine.playouts import ARRAYS, Playouts
from engine.ruleset import load_rule_set

NAME = b"meeplecarlo"
Result = Playouts | Tallies
PACKAGES = ("meeplecarlo", "numba", "numpy", "pandas", "scipy", "pyarrow")


class StoreError(ValueError):
    """A results folder that cannot be used."""


class DamagedError(ValueError):
    """A cell's file that is truncated, foreign or unreadable."""


def versions() -> dict[str, str]:
    """Versions of Python and of the packages that results rest on."""
    return {"python": platform.python_version()} | {name: metadata.version(name) for name in PACKAGES}


# ---------------------------------------------------------------------------------------------------------
# One file
# ---------------------------------------------------------------------------------------------------------
def write_atomic(path: Path, write: Callable[[IO[bytes]], Any]) -> None:
    """Let `write` fill a temporary file beside `path`, sync it and rename it.

    Raises
    ------
    StoreError
        If the folder cannot be written to, or the disk is full.
    """
    temporary = path.parent / f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}.tmp"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with temporary.open("xb") as file:
                write(file)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
        except BaseException:
            with contextlib.suppress(OSError):
                temporary.unlink()
            raise
        with contextlib.suppress(OSError):  # not every file system can sync a folder
            folder = os.open(path.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
    except OSError as error:
        raise StoreError(f"{path}: cannot be written: {error.strerror or error}") from None


def write_cell(path: Path, spec: Mapping[str, Any], result: Result, note: Mapping[str, Any] | None = None) -> None:
    """Write a cell's result; equal results give equal bytes.

    Parameters
    ----------
    path : path
    spec : mapping
        `Cell.spec`.
    result : Playouts or Tallies
        Playouts make one row a game, with a list of fixed size for seats and sources; Tallies one row in all.
    note : mapping, optional
        How a cell with a stop rule ended.
    """
    if isinstance(result, Playouts):
        kind, meta, arrays = "playouts", {}, {name: getattr(result, name) for name in ARRAYS}
    else:
        kind, meta, arrays = "tallies", result.meta(), dict(result.arrays())
    arrays = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    head = {
        "format": FORMAT,
        "kind": kind,
        "spec": spec,
        "meta": meta,
        "arrays": [[name, array.dtype.str, list(array.shape)] for name, array in arrays.items()],
    }
    if note is not None:
        head["note"] = dict(note)
    head["sha256"] = _digest(head, arrays)
    columns = {name: _column(array, kind == "playouts") for name, array in arrays.items() if array.size}
    table = pa.table(columns).replace_schema_metadata({NAME: canonical(head)})
    write_atomic(
        path,
        lambda file: pq.write_table(
            table, file, compression="zstd", write_statistics=False, write_page_checksum=True, store_schema=True
        ),
    )


def _column(array: np.ndarray, by_row: bool) -> pa.Array:
    flat = pa.array(array.ravel())
    if by_row:
        width = array.size // len(array)
        return flat if array.ndim == 1 else pa.FixedSizeListArray.from_arrays(flat, width)
    return pa.ListArray.from_arrays(pa.array([0, array.size], pa.int32()), flat)


def _digest(head: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> str:
    digest = hashlib.sha256(canonical({k: v for k, v in head.items() if k != "sha256"}))
    for array in arrays.values():
        digest.update(array.data if array.size else b"")
    return digest.hexdigest()


def read_cell(path: Path, key: str | None = None) -> Result:
    """Read and verify a cell's file.

    Parameters
    ----------
    path : path
    key : str, optional
        The key that the file should have; by default the one in its name.

    Raises
    ------
    DamagedError
        If the file cannot be read, is not a cell's, is that of another cell, or does not agree with its digest.
    """
    key = path.stem if key is None else key
    try:
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            head = json.loads(file.schema_arrow.metadata[NAME])
            table = file.read()
        arrays = {name: _array(table, name, dtype, shape) for name, dtype, shape in head["arrays"]}
        agrees = head["sha256"] == _digest(head, arrays)
    except OSError as error:
        raise DamagedError(f"{path}: cannot be read: {error.strerror or _first_line(error)}") from None
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise DamagedError(f"{path}: is not a whole result file: {_first_line(error)}") from None
    if not agrees:
        raise DamagedError(f"{path}: its content does not agree with its digest")
    if hashlib.sha256(canonical(head["spec"])).hexdigest() != key:
        raise DamagedError(f"{path}: holds the result of another cell")
    return _restore(head, arrays)


def _first_line(error: Exception) -> str:
    return f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else 'no details'}"


def _array(table: pa.Table, name: str, dtype: str, shape: list[int]) -> np.ndarray:
    if 0 in shape:
        return np.zeros(shape, dtype)
    column = table.column(name).combine_chunks()
    flat = column.flatten() if pa.types.is_list(column.type) or pa.types.is_fixed_size_list(column.type) else column
    values = flat.to_numpy(zero_copy_only=False)
    if values.dtype != np.dtype(dtype):
        raise ValueError(f"column {name!r} has dtype {values.dtype}")
    return np.array(values.reshape(shape))


def _restore(head: Mapping[str, Any], arrays: dict[str, np.ndarray]) -> Result:
    if head["kind"] == "tallies":
        return Tallies.from_arrays(head["meta"], arrays)
    spec = head["spec"]
    game = engine.load_game(spec["game"])
    rules = replace(load_rule_set(game, None, spec["rules"]), variant=spec["variant"], changed=spec["rules_changed"])
    return Playouts(
        **arrays,
        sources=tuple(spec["sources"]),
        fact_names=game.facts,
        policies=tuple(e["label"] for e in spec["entries"]),
        game=game.name,
        variant=spec["variant"],
        rules=rules,
        seats=spec["seats"],
        seed=spec["seed"],
    )


# ---------------------------------------------------------------------------------------------------------
# The folder
# ---------------------------------------------------------------------------------------------------------
class Store:
    """The results of one study."""

    def __init__(self, study: Study, results: str | Path = "results"):
        self.study = study
        self.root = Path(results).expanduser() / study.name

    def path(self, cell: Cell) -> Path:
        """Where a cell's result lies."""
        return self.root / "cells" / cell.key[:2] / f"{cell.key}.parquet"

    def prepare(self) -> None:
        """Make the folder and keep a copy of the study file in it.

        Raises
        ------
        StoreError
            If the folder cannot be made or written to.
        """
        write_atomic(self.root / "study.toml", lambda file: file.write(self.study.source))

    def load(self, cell: Cell) -> Result | None:
        """A cell's result, or None if it is not there.

        Raises
        ------
        DamagedError
            If there is a file that cannot be trusted.
        """
        path = self.path(cell)
        return read_cell(path, cell.key) if os.path.lexists(path) else None

    def save(self, cell: Cell, result: Result, note: Mapping[str, Any] | None = None) -> None:
        """Store a cell's result, and how it ended if it has a stop rule."""
        write_cell(self.path(cell), cell.spec, result, note)

    def note(self, cell: Cell) -> dict[str, Any] | None:
        """How a stored cell with a stop rule ended; None for one without."""
        if cell.until is None:
            return None
        return json.loads(pq.read_schema(self.path(cell)).metadata[NAME]).get("note")

    def set_aside(self, cell: Cell) -> Path:
        """Rename a damaged file, so that its evidence stays; the new name, which readers of the folder skip."""
        path = self.path(cell)
        aside = path.with_name(f"_damaged_{path.name}")
        try:
            os.replace(path, aside)
        except OSError as error:
            raise StoreError(f"{path}: cannot be renamed: {error.strerror}") from None
        return aside

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
        """Write the cells that are there, in the study's order, with the seconds they took and this run's facts."""
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
            for cell in present
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
