"""Every policy of a game against three (or however many) of every other, as a Markdown table.

``python -m analysis.policy_table draftosaurus`` prints the table; ``--write`` puts it into the game's README,
between ``<!-- policy-table ... -->`` and ``<!-- /policy-table -->``. The opening marker may hold the options'
defaults, such as ``<!-- policy-table variants=summer,winter games=100000 -->``.
"""

import argparse
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import engine
from analysis.metrics import win_rates
from engine.errors import unknown, whole_number

MARKERS = re.compile(r"<!-- policy-table ?(.*?)-->\n.*?<!-- /policy-table -->", re.DOTALL)
DEFAULTS = {"variants": "", "players": "4", "games": "100000", "seed": "2026"}


def focus_share(
    game: str, focus: str, field: str, *, variant: str | None, players: int, games: int, seed: int
) -> tuple[float, float]:
    """Win share of one `focus` among `players - 1` of `field`, seats rotated, and half its 95 % interval."""
    play = engine.simulate(game, [focus] + [field] * (players - 1), games, seed, variant=variant)
    row = win_rates(play).iloc[0]  # of the first entry
    return float(row.estimate), float(row.high - row.low) / 2


def policy_table(
    game: str, *, variant: str | None = None, players: int = 4, games: int = 100_000, seed: int = 2026
) -> str:
    """The table of one variant in Markdown: a row a focus, a column a field, win shares in percent.

    Parameters
    ----------
    game : str
    variant : str, optional
        As for `engine.simulate`.
    players, games, seed : int
        Players in a game, games a cell, and the seed of all cells, which so share their deals.

    Returns
    -------
    table : str
        Lines of Markdown without a heading.
    """
    names = list(engine.policies(game))
    lines = ["| focus \\ field | " + " | ".join(names) + " |", "| --- |" + " ---: |" * len(names)]
    for focus in names:
        cells = []
        for field in names:
            if field == focus:
                cells.append("–")
                continue
            mean, half = focus_share(game, focus, field, variant=variant, players=players, games=games, seed=seed)
            cells.append(f"{100 * mean:.1f} ± {100 * half:.1f}")
        lines.append(f"| {focus} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def document(game: str, options: Mapping[str, str]) -> str:
    """The tables of all variants asked for, each under a line that says what was played.

    Raises
    ------
    ValueError
        For an option that is not known or not a number where one is due.
    """
    for name in options:
        if name not in DEFAULTS:
            raise ValueError(unknown("policy-table: option", name, DEFAULTS))
    chosen = DEFAULTS | dict(options)
    players, games, seed = (_number(name, chosen[name]) for name in ("players", "games", "seed"))
    parts = []
    for variant in chosen["variants"].split(",") if chosen["variants"] else [None]:
        rules = engine.load_rules(game, variant)
        parts.append(
            f"**{rules.variant}**, {players} players: win share in percent of one *focus* among {players - 1} of "
            f"the *field* with its 95 % interval, {100 / players:.3g} is even; {games:,} games a cell, seats "
            f"rotated, seed {seed}."
        )
        parts.append(policy_table(game, variant=variant, players=players, games=games, seed=seed))
    return "\n\n".join(parts)


def _number(name: str, text: str) -> int:
    if not text.isdecimal():
        raise ValueError(f"policy-table: {name} must be a whole number, not {text!r}")
    return whole_number(f"policy-table: {name}", int(text), 0)


def marker_options(text: str) -> dict[str, str]:
    """The options in the opening marker of a README, empty without a marker."""
    found = MARKERS.search(text)
    return dict(word.partition("=")[::2] for word in found.group(1).split()) if found else {}


def rewritten(text: str, table: str) -> str:
    """`text` with `table` between its markers.

    Raises
    ------
    ValueError
        If it has no markers.
    """
    found = MARKERS.search(text)
    if not found:
        raise ValueError("no '<!-- policy-table -->' and '<!-- /policy-table -->' lines to write between")
    opening = f"<!-- policy-table {found.group(1)}-->"
    return text[: found.start()] + f"{opening}\n{table}\n<!-- /policy-table -->" + text[found.end() :]


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; 0, or 2 after a line on stderr that says what was wrong."""
    parser = argparse.ArgumentParser(prog="python -m analysis.policy_table", description=__doc__.split("\n")[0])
    parser.add_argument("game", help="one of: " + ", ".join(engine.games()))
    parser.add_argument("--variants", help="comma-separated; by default what the README's marker says")
    parser.add_argument("--players", help=f"players in a game (default {DEFAULTS['players']})")
    parser.add_argument("--games", help=f"games a cell (default {DEFAULTS['games']})")
    parser.add_argument("--seed", help=f"(default {DEFAULTS['seed']})")
    parser.add_argument("--write", action="store_true", help="put the table into the game's README")
    given = parser.parse_args(arguments)
    try:
        readme: Path = engine.load_game(given.game).folder / "README.md"
        text = readme.read_text(encoding="utf-8") if readme.is_file() else ""
        options = marker_options(text)
        options |= {name: getattr(given, name) for name in DEFAULTS if getattr(given, name) is not None}
        if given.write:
            rewritten(text, "")
        table = document(given.game, options)
        if given.write:
            readme.write_text(rewritten(text, table), encoding="utf-8")
            print(f"wrote {readme}")
        else:
            print(table)
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
