"""Results to take away: every table of a study as CSV or as one Excel workbook, and a sample of its games.

The same results give the same bytes. A sample is the first games of each cell: those that were kept, or else played
again from the seed, which gives the same games.
"""

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np

import engine
from analysis.cells import Cell
from analysis.store import Store, write_atomic
from engine import Playouts
from engine.errors import unknown
from engine.playouts import ARRAYS

FORMATS = ("csv", "xlsx")
SAMPLE = 200  # games of a report's sample, over all cells
MOST_ROWS = 1_048_576  # of an Excel sheet
DIGITS = 8
LONG_AGO = datetime(1980, 1, 1)  # the date of every workbook


def csv_bytes(frame: Any) -> bytes:
    """A table as CSV."""
    text: str = frame.to_csv(index=False, float_format=f"%.{DIGITS}g", lineterminator="\n")
    return text.encode()


def sample_games(store: Store, cells: Sequence[Cell], games: int) -> Any:
    """The first games of each cell, one row a game and seat.

    Parameters
    ----------
    store : Store
    cells : sequence of Cell
        Those that are there.
    games : int
        Games of each cell; rounded up to whole deals.

    Returns
    -------
    DataFrame
        Columns ``cell, variant, rules, players, lineup``, then those of `engine.Playouts.to_pandas`; empty where a
        cell does not have a source.

    Raises
    ------
    PolicyError
        If a policy does not compile any more.
    """
    import pandas as pd

    tables = []
    for cell in cells:
        play = _first(store, cell, min(games, cell.games))
        frame = play.to_pandas().astype({"policy": str})
        labels = {"cell": cell.key[:12], **cell.labels}
        tables.append(frame.assign(**labels)[[*labels, *frame.columns]])
    if not tables:
        return pd.DataFrame()
    table = pd.concat(tables, ignore_index=True)
    whole = [name for name in table if table[name].dtype.kind == "f" and name != "win_share"]
    return table.astype(dict.fromkeys(whole, "Int64"))


def _first(store: Store, cell: Cell, games: int) -> Playouts:
    """A cell's first games."""
    kept = store.load(cell) if cell.keep == "playouts" else None
    if isinstance(kept, Playouts):
        rows = -(-games // cell.per_deal) * cell.per_deal
        return replace(kept, **{name: getattr(kept, name)[:rows] for name in ARRAYS})
    return engine.simulate(cell.game, cell.wanted, games, cell.seed, rules=cell.rules, seats=cell.seats, threads=1)


# ---------------------------------------------------------------------------------------------------------
# Excel
# ---------------------------------------------------------------------------------------------------------
def workbook(tables: Mapping[str, Any], about: Sequence[tuple[str, str]]) -> bytes:
    """An Excel workbook: a sheet that says what this is, then a sheet a table, with filters and a fixed head.

    Parameters
    ----------
    tables : mapping of str to DataFrame
    about : sequence of (str, str)

    Raises
    ------
    ValueError
        If a table has more rows than a sheet.
    """
    import xlsxwriter

    out = io.BytesIO()
    book = xlsxwriter.Workbook(out, {"in_memory": True})
    book.set_properties({"created": LONG_AGO})
    front, bold = book.add_worksheet("about"), book.add_format({"bold": True})
    front.set_column(0, 0, 18)
    front.set_column(1, 1, 100)
    for i, (name, says) in enumerate(about):
        front.write_string(i, 0, name, bold)
        front.write_string(i, 1, says)
    for name, frame in tables.items():
        if len(frame) >= MOST_ROWS:
            raise ValueError(f"table {name!r} has {len(frame):,} rows, more than an Excel sheet takes; choose csv")
        _fill(book.add_worksheet(name[:31]), frame, bold)
    book.close()
    return out.getvalue()


def _fill(sheet: Any, frame: Any, bold: Any) -> None:
    for j, name in enumerate(frame):
        column = frame[name]
        sheet.write_string(0, j, str(name), bold)
        if column.dtype.kind in "iufb":
            for i, x in enumerate(column.to_numpy(float, na_value=np.nan), 1):
                if np.isfinite(x):
                    sheet.write_number(i, j, float(f"{x:.{DIGITS}g}") if column.dtype.kind == "f" else x)
        else:
            for i, x in enumerate(column, 1):
                if x is not None and x == x:
                    sheet.write_string(i, j, str(x))
        longest = max([len(str(name)), *column.head(50).astype(str).str.len()])
        sheet.set_column(j, j, min(max(longest + 2, 8), 40))
    sheet.freeze_panes(1, 0)
    if len(frame.columns):
        sheet.autofilter(0, 0, len(frame), len(frame.columns) - 1)


# ---------------------------------------------------------------------------------------------------------
# All of a study
# ---------------------------------------------------------------------------------------------------------
def about(store: Store) -> list[tuple[str, str]]:
    """What a workbook says of itself."""
    study = store.study
    return [
        ("study", study.document.title),
        ("question", study.document.question),
        ("game", study.document.game),
        ("seed", str(study.document.seed)),
        ("made by", study.command),
        ("low, high", "the ends of 95 % intervals; n is what was counted, clusters what the errors come from"),
    ]


def export(
    store: Store,
    folder: str | Path | None = None,
    *,
    format: str = "csv",
    games: int = 0,
    say: Callable[[str], Any] | None = None,
) -> list[Path]:
    """Write every table of a study's report.

    Parameters
    ----------
    store : Store
    folder : path, optional
        By default the study's folder of tables.
    format : str
        ``"csv"`` (a file a table) or ``"xlsx"`` (one workbook, named like the study).
    games : int
        Also the first games of each cell, one row a game and seat, as the table ``games``.
    say : callable, optional
        Given a line for each damaged file.

    Returns
    -------
    list of Path
        What was written.

    Raises
    ------
    StoreError
        If the folder cannot be written to.
    ValueError
        If the format is not known, no result is there, or a table is too long for Excel.
    """
    from analysis.report.evidence import gather

    if format not in FORMATS:
        raise ValueError(unknown("format", format, FORMATS))
    found = gather(store)
    for line in found.damaged:
        (say or print)(f"warning: {line}")
    if not found.played:
        command = store.study.command_here("study", store.root.parent)
        raise ValueError(f"{store.root}: no result of this study is there yet; run: {command}")
    tables = dict(found.tables)
    if games and found.present:
        tables["games"] = sample_games(store, found.present, games)
    root = store.root / "tables" if folder is None else Path(folder).expanduser()
    if format == "xlsx":
        parts = {f"{store.study.name}.xlsx": workbook(tables, about(store))}
    else:
        parts = {f"{name}.csv": csv_bytes(table) for name, table in tables.items()}
    for name, content in parts.items():
        write_atomic(root / name, lambda file, content=content: file.write(content))  # type: ignore[misc]
    return [root / name for name in parts]
