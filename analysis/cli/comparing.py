"""What ``meeplecarlo compare`` does."""

import argparse
import sys
from typing import Any

from analysis.report.numbers import aligned
from engine.errors import whole_number
from engine.games import load_game


def compare_and_print(asked: argparse.Namespace, sides: dict[str, Any], until: Any) -> None:
    """Play both sides and print the paired tables.

    Parameters
    ----------
    asked : Namespace
    sides : dict
        Arguments of `analysis.compare` for rules, variants and line-ups.
    until : mapping or None
    """
    from pathlib import Path

    from analysis.comparison import compare

    if asked.csv and not Path(asked.csv).expanduser().absolute().parent.is_dir():
        raise ValueError(f"--csv: the folder of {asked.csv!r} does not exist")
    games = None if asked.games is None else whole_number("--games", asked.games, 1)
    found = compare(
        asked.game,
        asked.policies,
        games,
        asked.seed,
        **sides,
        time=asked.time,
        until=until,
        correct=asked.correct,
        level=asked.level,
        threads=asked.threads,
    )
    print_comparison(found)
    if asked.csv:
        found.frame.to_csv(asked.csv, index=False)
        print(f"{len(found.frame)} differences in {asked.csv}", file=sys.stderr)


def print_comparison(found: Any) -> None:
    """The tables of a comparison, and how far it came."""
    from analysis.report import compared

    first, game = found.first, load_game(found.first.game)
    a, b = found.labels
    variant = f" ({first.variant})" if first.variant == found.against.variant else ""
    print(f"{game.title}{variant}, {first.n_seats} players, seats {first.seats}, seed {first.seed}")
    print(f"First:   {a}, {len(first):,} games\nAgainst: {b}, {len(found.against):,} games, on the same deals")
    print("Differences are first less against, those of percentages in percentage points; ", end="")
    print(f"intervals are {100 * found.level:g} %, each on its own.\n")
    print(_text(compared.HEAD, compared.general_rows(found.frame, found.level)))
    for policy in compared.policies_in(found.frame):
        print(f"\nSources of {policy}, a seat and game")
        print(_text(compared.HEAD, compared.source_rows(found.frame, policy, game.piece, found.level)))
    print(f"\nDecided: {found.says}.")
    print(compared.saving_in_words(found.saved))
    if found.reached:
        print(found.reached)


def _text(head: Any, rows: Any) -> str:
    flat = [[x if isinstance(x, str) else f"{x[0]} ({x[1]})" for x in row] for row in rows]
    return aligned(list(head), flat)
