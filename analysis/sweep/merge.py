"""Bringing the results of several folders into one: shards that were played where no folder was shared."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from analysis.store import DamagedError, Store, StoreError
from analysis.sweep.work import ChunkWork


@dataclass
class Merged:
    """What a merge did."""

    added: int = 0
    agreed: int = 0  # were there already, with the same numbers
    problems: list[str] = field(default_factory=list)  # damaged files and conflicts, each by name


def merge_results(store: Store, folders: Sequence[str | Path]) -> Merged:
    """Copy what a study's store does not have from other folders of results; the order of folders does not matter.

    Nothing is replaced: where two folders disagree, what is there stays, and the other is kept beside it.

    Parameters
    ----------
    store : Store
    folders : sequence of path
        Folders of all results, as `Store` takes them.

    Raises
    ------
    StoreError
        If a folder is missing or holds nothing of this study, or the store cannot be written to.
    """
    others = [Store(store.study, folder) for folder in folders]
    for other, folder in zip(others, folders, strict=True):
        if not other.root.is_dir():
            raise StoreError(f"{folder}: has no results of {store.study.name!r}")
    store.prepare()
    merged = Merged()
    for other in others:
        _merge_cells(store, other, merged)
        _merge_chunks(store, other, merged)
    facts = {"merged": [str(o.root) for o in others], "started": datetime.now(UTC).isoformat(timespec="microseconds")}
    seconds = {k: c["seconds"] for other in others for k, c in other.manifest().get("cells", {}).items()}
    store.write_manifest({k: s for k, s in seconds.items() if s is not None}, facts, [])
    return merged


def _merge_cells(store: Store, other: Store, merged: Merged) -> None:
    for cell in {cell.key: cell for cell in store.study.cells}.values():
        try:
            result = other.load(cell)
            if result is not None:
                before = store.path(cell).exists()
                store.save(cell, result, other.note(cell))
                merged.agreed += before
                merged.added += not before
        except (DamagedError, StoreError) as error:
            merged.problems.append(str(error))


def _merge_chunks(store: Store, other: Store, merged: Merged) -> None:
    design = store.study.design
    if design is None:
        return
    from analysis.shelf import TableShelf
    from analysis.sobol.run import chunks

    def tell(message: str) -> Any:
        merged.problems.append(message)

    here, there = TableShelf(store, design, tell), TableShelf(other, design, tell)
    for table in design.tables:
        for number, _ in chunks(table):
            work = ChunkWork(here, table, number)
            values = there.load(table, number)
            if values is not None:
                before = here.load(table, number) is not None
                work.values = {0: values}
                try:
                    work.finish()
                except StoreError as error:
                    merged.problems.append(str(error))
                    continue
                merged.agreed += before
                merged.added += not before
