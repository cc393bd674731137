"""The part of the store that keeps rule sets by the thousand: a table of a study in a few Parquet files.

    results/<study>/sensitivity/ab12…/sobol-0000.parquet   some rule sets each, one row a rule set and measure
                                      curves-0000.parquet

The folder is named by the digest of what determines the numbers; it can be read as one table. Files are written as
those of cells are, so they are there whole or not at all, and hold a digest of their own.
"""

import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from analysis.cells import canonical
from analysis.sobol.design import GROUPS, Design, Table
from analysis.sobol.run import Values
from analysis.stats import COLUMNS
from analysis.store import NAME, DamagedError, Store, write_atomic


class TableShelf:
    """The chunks of one design's tables in a store."""

    def __init__(self, store: Store, design: Design, say: Callable[[str], Any] | None = None):
        self.design, self.say = design, say or (lambda message: None)
        self.keys = {table.name: hashlib.sha256(canonical(design.spec(table))).hexdigest() for table in design.tables}
        name = hashlib.sha256("".join(self.keys.values()).encode()).hexdigest()
        self.root = store.root / "sensitivity" / name[:16]

    def path(self, table: Table, number: int) -> Path:
        """Where a chunk lies."""
        return self.root / f"{table.name}-{number:04}.parquet"

    def save(self, table: Table, number: int, points: np.ndarray, values: Values) -> None:
        """Keep a chunk.

        Raises
        ------
        StoreError
            If the folder cannot be written to.
        """
        rows = len(self.design.measures)
        labels = [measure.label for measure in self.design.measures]
        columns: dict[str, Any] = {n.name: np.repeat(points[:, i], rows) for i, n in enumerate(self.design.numbers)}
        columns["metric"] = pa.array(labels * len(points)).dictionary_encode()
        flat = values.estimates.reshape(-1, len(COLUMNS))
        columns |= {name: np.ascontiguousarray(flat[:, i]) for i, name in enumerate(COLUMNS)}
        columns["groups"] = pa.FixedSizeListArray.from_arrays(pa.array(values.groups.ravel()), GROUPS)
        content = pa.table(columns)
        head = {"key": self.keys[table.name], "number": number, "sha256": _digest(values)}
        content = content.replace_schema_metadata({NAME: canonical(head)})
        write_atomic(
            self.path(table, number),
            lambda file: pq.write_table(
                content, file, compression="zstd", write_statistics=False, write_page_checksum=True
            ),
        )

    def load(self, table: Table, number: int) -> Values | None:
        """A chunk, or None if it is not there or damaged; the damaged one is told of and set aside."""
        path = self.path(table, number)
        if not os.path.lexists(path):
            return None
        try:
            return self._read(path, table, number)
        except DamagedError as error:
            os.replace(path, path.with_name(f"_damaged_{path.name}"))
            self.say(f"warning: {error}; set aside, to be computed again")
            return None

    def _read(self, path: Path, table: Table, number: int) -> Values:
        wanted = table.chunk_at(number)
        shape = (len(wanted), len(self.design.measures))
        try:
            with pq.ParquetFile(path, page_checksum_verification=True) as file:
                head = json.loads(file.schema_arrow.metadata[NAME])
                content = file.read()
            estimates = np.stack([content.column(name).to_numpy() for name in COLUMNS], axis=1)
            groups = content.column("groups").combine_chunks().flatten().to_numpy()
            values = Values(estimates.reshape(*shape, len(COLUMNS)), groups.reshape(*shape, GROUPS))
            agrees = head == {"key": self.keys[table.name], "number": number, "sha256": _digest(values)}
        except (OSError, KeyError, TypeError, ValueError, AttributeError) as error:
            first = str(error).splitlines()[0] if str(error) else "no details"
            raise DamagedError(f"{path}: is not a whole result file: {type(error).__name__}: {first}") from None
        if not agrees:
            raise DamagedError(f"{path}: its content does not agree with its digest")
        return values


def _digest(values: Values) -> str:
    return hashlib.sha256(np.ascontiguousarray(values.estimates).tobytes() + values.groups.tobytes()).hexdigest()
