"""Result files: written whole or not at all, with a digest of their own, and never read as numbers if it disagrees."""

import contextlib
import hashlib
import json
import os
import platform
import re
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import engine
from analysis.cells import FORMAT, canonical
from analysis.packing import Packed
from analysis.tallies import Tallies
from engine.playouts import ARRAYS, Playouts
from engine.ruleset import load_rule_set

NAME = b"meeplecarlo"
Result = Playouts | Tallies
TEMPORARY = re.compile(r"\..*\.(?P<host>[^.]*)-(?P<pid>\d+)-[0-9a-f]{8}\.tmp")
# With bytes of one significance together, where there are numbers: as small as with dictionaries, in half the time.
LAYOUT: dict[str, Any] = {
    "compression": "zstd",
    "use_dictionary": False,
    "write_statistics": False,
    "write_page_checksum": True,
}
WRITING_SECONDS = 60.0  # younger temporary files are left alone, in case the process lives elsewhere
LEFT_SECONDS = 86_400.0  # older ones are taken for leftovers, whoever wrote them


class StoreError(ValueError):
    """A results folder that cannot be used."""


class DamagedError(ValueError):
    """A cell's file that is truncated, foreign or unreadable."""


# ---------------------------------------------------------------------------------------------------------
# Whole or not at all
# ---------------------------------------------------------------------------------------------------------
def write_atomic(path: Path, write: Callable[[IO[bytes]], Any], new: bool = False) -> None:
    """Let `write` fill a temporary file beside `path`, sync it and give it its name.

    Parameters
    ----------
    path : path
    write : callable
        Given the open file.
    new : bool
        Whether a file that is there by then must stay.

    Raises
    ------
    StoreError
        If the folder cannot be written to, or the disk is full.
    FileExistsError
        If `new` and there is a file.
    """
    temporary = path.parent / f".{path.name}.{_host()}-{os.getpid()}-{secrets.token_hex(4)}.tmp"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with temporary.open("xb") as file:
                write(file)
                file.flush()
                os.fsync(file.fileno())
            _publish(temporary, path, new)
        finally:
            with contextlib.suppress(OSError):
                temporary.unlink()
        with contextlib.suppress(OSError):  # not every file system can sync a folder
            _sync_folder(path.parent)
    except OSError as error:
        if new and isinstance(error, FileExistsError) and os.path.lexists(path):
            raise
        raise StoreError(f"{path}: cannot be written: {error.strerror or error}") from None


def _publish(temporary: Path, path: Path, new: bool) -> None:
    """Rename a file; one that must be new is linked, as only one of two processes can do that."""
    if new:
        try:
            os.link(temporary, path)
            return
        except OSError:  # also on a file system without links
            if os.path.lexists(path):
                raise FileExistsError(path) from None
    os.replace(temporary, path)


def _sync_folder(path: Path) -> None:
    folder = os.open(path, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _host() -> str:
    return re.sub(r"[^\w-]", "_", platform.node()) or "host"


def is_leftover(path: Path) -> bool:
    """Whether this is a temporary file of a process that is dead."""
    found = TEMPORARY.fullmatch(path.name)
    try:
        age = time.time() - path.stat().st_mtime
    except OSError:
        return False
    if found is None or age < WRITING_SECONDS:
        return False
    return age > LEFT_SECONDS or (found["host"] == _host() and not _lives(int(found["pid"])))


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


# ---------------------------------------------------------------------------------------------------------
# A cell's result
# ---------------------------------------------------------------------------------------------------------
def encode(spec: Mapping[str, Any], result: Result, note: Mapping[str, Any] | None = None) -> tuple[str, pa.Table]:
    """The digest and the table of a cell's result; equal results give equal tables and equal files.

    Parameters
    ----------
    spec : mapping
        `Cell.spec`.
    result : Playouts or Tallies
        Playouts make one row a game, with a list of fixed size for seats and sources; Tallies one row in all, with
        the bytes of each array.
    note : mapping, optional
        How a cell with a stop rule ended, or what is in a checkpoint.
    """
    if isinstance(result, Playouts):
        kind, meta = "playouts", {}
        packed = {name: Packed(np.ascontiguousarray(getattr(result, name))) for name in ARRAYS}
    else:
        kind, meta, packed = "tallies", result.meta(), result.arrays()
    arrays = {name: array for name, (array, _) in packed.items()}
    head = {
        "format": FORMAT,
        "kind": kind,
        "spec": spec,
        "meta": meta,
        "arrays": [[name, array.dtype.str, list(array.shape), start] for name, (array, start) in packed.items()],
    }
    if note is not None:
        head["note"] = dict(note)
    head["sha256"] = _digest(head, arrays)
    column = _column if kind == "playouts" else _bytes
    columns = {name: column(array) for name, array in arrays.items() if array.size}
    return str(head["sha256"]), pa.table(columns).replace_schema_metadata({NAME: canonical(head)})


def write_cell(path: Path, table: pa.Table, new: bool = False) -> None:
    """Write what `encode` made; `new` and errors as with `write_atomic`."""
    layout = LAYOUT | {"use_byte_stream_split": not any(pa.types.is_binary(column) for column in table.schema.types)}
    write_atomic(path, lambda file: pq.write_table(table, file, **layout), new)


def _column(array: np.ndarray) -> pa.Array:
    flat = pa.array(array.ravel())
    return flat if array.ndim == 1 else pa.FixedSizeListArray.from_arrays(flat, array.size // len(array))


def _bytes(array: np.ndarray) -> pa.Array:
    return pa.array([array.tobytes()], pa.binary())


def _digest(head: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> str:
    digest = hashlib.sha256(canonical({k: v for k, v in head.items() if k != "sha256"}))
    for array in arrays.values():
        digest.update(array.data if array.size else b"")
    return digest.hexdigest()


def read_cell(path: Path, key: str | None = None) -> Result:
    """Read and verify a cell's file; see `read_whole`."""
    return read_whole(path, key)[1]


def read_whole(path: Path, key: str | None = None) -> tuple[dict[str, Any], Result]:
    """Read and verify a cell's file: what is written about the result, and the result.

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
    head, packed = _read(path, key)
    return head, _restore(head, packed)


def verify(path: Path, key: str | None = None) -> dict[str, Any]:
    """What is written about a result that is whole; arguments and errors as with `read_whole`."""
    return _read(path, key)[0]


def _read(path: Path, key: str | None) -> tuple[dict[str, Any], dict[str, Packed]]:
    key = path.stem if key is None else key
    try:
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            head = json.loads(file.schema_arrow.metadata[NAME])
            table = file.read()
        packed = {name: Packed(_array(table, name, *how), start) for name, *how, start in head["arrays"]}
        agrees = head["sha256"] == _digest(head, {name: array for name, (array, _) in packed.items()})
    except OSError as error:
        raise DamagedError(f"{path}: cannot be read: {error.strerror or _first_line(error)}") from None
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise DamagedError(f"{path}: is not a whole result file: {_first_line(error)}") from None
    if not agrees:
        raise DamagedError(f"{path}: its content does not agree with its digest")
    if hashlib.sha256(canonical(head["spec"])).hexdigest() != key:
        raise DamagedError(f"{path}: holds the result of another cell")
    return head, packed


def _first_line(error: Exception) -> str:
    return f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else 'no details'}"


def _array(table: pa.Table, name: str, dtype: str, shape: list[int]) -> np.ndarray:
    if 0 in shape:
        return np.zeros(shape, dtype)
    column = table.column(name).combine_chunks()
    if pa.types.is_binary(column.type):
        values = np.frombuffer(column[0].as_buffer(), dtype)
    else:
        flat = column.flatten() if pa.types.is_fixed_size_list(column.type) else column
        values = flat.to_numpy(zero_copy_only=False)
    if values.dtype != np.dtype(dtype):
        raise ValueError(f"column {name!r} has dtype {values.dtype}")
    return np.array(values.reshape(shape))


def _restore(head: Mapping[str, Any], packed: Mapping[str, Packed]) -> Result:
    if head["kind"] == "tallies":
        return Tallies.from_arrays(head["meta"], packed)
    spec = head["spec"]
    game = engine.load_game(spec["game"])
    rules = replace(load_rule_set(game, None, spec["rules"]), variant=spec["variant"], changed=spec["rules_changed"])
    return Playouts(
        **{name: array for name, (array, _) in packed.items()},
        sources=tuple(spec["sources"]),
        fact_names=game.facts,
        policies=tuple(e["label"] for e in spec["entries"]),
        game=game.name,
        variant=spec["variant"],
        rules=rules,
        seats=spec["seats"],
        seed=spec["seed"],
    )
