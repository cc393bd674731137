"""``meeplecarlo export``: a study's tables as CSV or Excel, with a sample of its games."""

import argparse
from typing import Any


def add(commands: Any) -> None:
    """Add the command's arguments."""
    from analysis.cli import _command, _study_arguments, named, whole

    parser = _command(
        commands,
        "export",
        "export:export",
        "write every table of a study as CSV or as one Excel workbook, and a sample of its games",
        "meeplecarlo export first_look --format xlsx --games 100",
    )
    _study_arguments(parser)
    parser.add_argument("--format", default="csv", metavar="FORMAT", help="csv (the default: a file a table) or xlsx")
    parser.add_argument(
        "--games",
        type=whole,
        default=0,
        metavar="N",
        help="also the first N games of each cell, one row a game and seat",
    )
    parser.add_argument(
        "--to", type=named, metavar="DIR", help="folder to write to; by default tables/ beside the report"
    )


def export(asked: argparse.Namespace) -> None:
    """Write the files and name them."""
    from analysis.cli.commands import _warn
    from analysis.export import export as write
    from analysis.store import Store
    from analysis.study import load_study
    from engine.errors import whole_number

    games = whole_number("--games", asked.games, 0)
    store = Store(load_study(asked.study), asked.results)
    for path in write(store, asked.to, format=asked.format, games=games, say=_warn):
        print(path)
