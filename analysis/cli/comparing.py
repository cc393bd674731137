"""What ``meeplecarlo compare`` does."""

import argparse
import re
import sys
from typing import Any

from analysis.cli.words import many
from analysis.report.numbers import aligned
from engine.errors import whole_number
from engine.games import load_game

STOPPED = "P-values need a number of games that is fixed beforehand, so the other rows are not judged."


def compare_and_print(asked: argparse.Namespace, sides: dict[str, Any], until: Any) -> None:
    """Play both sides and print the paired tables.

    Parameters
    ----------
    asked : Namespace
    sides : dict
        Arguments of `analysis.compare` for rules, variants and line-ups.
    until : mapping or None
    """
    from analysis.cli.commands import check_csv
    from analysis.comparison import compare

    check_csv(asked.csv)
    games = None if asked.games is None else whole_number("--games", asked.games, 1)
    try:
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
    except ValueError as error:
        if (told := _with_options(str(error))) == str(error):
            raise
        raise ValueError(told) from None
    print_comparison(found)
    if asked.csv:
        found.frame.to_csv(asked.csv, index=False)
        print(f"{many(len(found.frame), 'difference')} in {asked.csv}", file=sys.stderr)


def print_comparison(found: Any) -> None:
    """The tables of a comparison, and how far it came."""
    from analysis.report import compared

    stopped = found.reached is not None and found.reached.by == "until"
    first, game = found.first, load_game(found.first.game)
    a, b = found.labels
    variant = f" ({first.variant})" if first.variant == found.against.variant else ""
    print(f"{game.title}{variant}, {first.n_seats} players, seats {first.seats}, seed {first.seed}")
    print(f"First:   {a}, {many(len(first), 'game')}")
    print(f"Against: {b}, {many(len(found.against), 'game')}, on the same deals")
    print("Differences are first less against, those of percentages in percentage points; ", end="")
    fixed = ", and as for a number of games that was fixed beforehand: a guide here" if stopped else ""
    print(f"intervals are {100 * found.level:g} %, each on its own{fixed}.")
    print("The columns first, against and games saved have none.\n")
    rows = compared.general_rows(found.frame, found.level)
    if stopped:
        look = found.reached.look
        rows = compared.judged_by_rule(rows, found.frame, look.until, look.interval[:3])
    print(_text(compared.HEAD, rows))
    for policy in compared.policies_in(found.frame):
        print(f"\nSources of {policy}, a seat and game")
        rows = compared.source_rows(found.frame, policy, game.piece, found.level)
        print(_text(compared.HEAD, compared.unjudged(rows) if stopped else rows))
    if stopped:
        level = 100 * found.reached.look.until.confidence
        print(f"\nDecided: in the row that the rule watched, by its own interval, {level:g} % at every look. {STOPPED}")
    else:
        print(f"\nDecided: {found.says}.")
    print(compared.saving_in_words(found.saved))
    if found.reached:
        print(found.reached)


def _with_options(message: str) -> str:
    """A message about the arguments of `analysis.compare`, with the names of the command's options."""
    about = message.startswith(("both sides are the same", "against_policies"))
    return re.sub(r"\bagainst(_\w+)?", lambda m: "--" + m[0].replace("_", "-"), message) if about else message


def _text(head: Any, rows: Any) -> str:
    flat = [[x if isinstance(x, str) else f"{x[0]} ({x[1]})" for x in row] for row in rows]
    return aligned(list(head), flat)
