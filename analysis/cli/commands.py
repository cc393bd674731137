"""What each command does. Heavy imports are inside the functions that need them."""

import argparse
import os
import re
import sys
import time
import tomllib
from pathlib import Path
from typing import Any

import engine
from analysis.cli.words import many
from analysis.report.numbers import aligned
from engine.errors import whole_number


def version(_: argparse.Namespace) -> None:
    """Versions of what results rest on, and where compiled code is kept."""
    from analysis.store import versions
    from engine import jit

    found = versions()
    print(f"meeplecarlo {found.pop('meeplecarlo')}")
    print(", ".join(f"{name} {number}" for name, number in found.items()))
    print(f"compile cache: {jit.cache_root()}")


def list_games(_: argparse.Namespace) -> None:
    """Name, title, players and variants of each game."""
    rows = []
    for name in engine.games():
        game = engine.load_game(name)
        low, high = game.seats
        rows.append([name, game.title, f"{low} to {high}", ", ".join(engine.variants(game))])
    print(aligned(["game", "title", "players", "variants"], rows, left=4))


def list_policies(asked: argparse.Namespace) -> None:
    """Each policy with its idea and weights, and how a study makes a style of them."""
    tuned = None
    for name, about in engine.policies(asked.game).items():
        print(f"{name}\n{_indented(about['idea'])}")
        weights = about["weights"].values()
        if weights:
            tuned = tuned or (name, next(iter(weights)))
            rows = [[w.name, f"{w.default:g}", _range(w), w.meaning] for w in weights]
            print(_indented(aligned(["weight", "default", "range", "meaning"], rows, left=4)))
        print()
    if tuned:
        base, weight = tuned
        source = engine.load_game(asked.game).sources[0]
        print("A style of your own, in a study file (all but base may be left out):\n\n    [policies.my_style]")
        print(f'    base = "{base}"\n    weights = {{ {weight.name} = {weight.default:g} }}')
        print(f'    ban = ["{source}"]      # does not feed this source if it can help it')
        print("    random = 0.1          # the share of actions that are random")


def _range(weight: Any) -> str:
    """What a weight may be."""
    low, high = weight.low, weight.high
    if abs(low) == abs(high) == float("inf"):
        return "any"
    return f"at least {low:g}" if high == float("inf") else f"{low:g} to {high:g}"


def _indented(text: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in text.splitlines())


def list_rules(asked: argparse.Namespace) -> None:
    """Each rule with its value, meaning and basis."""
    from engine.ruleset import BASES

    rules = engine.load_rules(asked.game, asked.variant)
    print(f"{asked.game}, variant {rules.variant}; values that the variant changes are marked *\n")
    for row in rules.rows():
        mark = "*" if row["changed_by"] else ""
        print(f"{row['rule']} = {toml(row['value'])}{mark}")
        print(f"    {row['meaning']}\n    {BASES[row['basis']]}: {row['source']}\n")


def toml(value: Any) -> str:
    """A rule's value as it is written."""
    import json

    return json.dumps(value, ensure_ascii=False)


def rule_values(pairs: list[str], option: str = "--rules", example: str = "trio_points=6") -> dict[str, Any]:
    """``["trio_points=6"]`` as a mapping; values are TOML literals, and a bare word is text.

    Raises
    ------
    ValueError
        If a pair has no ``=``, comes twice, or its value is not a literal.
    """
    found: dict[str, Any] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals or not name:
            raise ValueError(f"{option}: write NAME=VALUE, such as {example}, not {pair!r}")
        if name in found:
            raise ValueError(f"{option}: {name!r} is given twice")
        if re.fullmatch(r"[A-Za-z_][\w-]*", text) and text not in ("true", "false", "inf", "nan"):
            found[name] = text
            continue
        try:
            found[name] = tomllib.loads(f"value = {text}")["value"]
        except tomllib.TOMLDecodeError:
            raise ValueError(
                f"{option}: {name}: {text!r} is not a value; write a number, true, false, a word or a list [1, 2]"
            ) from None
    return found


def arguments_of(asked: argparse.Namespace) -> dict[str, Any]:
    """Variant, rules and seating of a command, as `engine.simulate` takes them."""
    return {"variant": asked.variant, "rules": rule_values(asked.rules), "seats": asked.seats}


def until_of(asked: argparse.Namespace) -> dict[str, Any] | None:
    """The stop rule of ``--until``, if there is one."""
    return rule_values(asked.until, "--until", "metric=seat_advantage") or None


def check_csv(given: str | None) -> None:
    """Refuse a file that could not be written, before a game is played.

    Raises
    ------
    ValueError
        If it is a folder, its folder is not there, or it may not be written.
    """
    if given is None:
        return
    path = Path(given).expanduser().absolute()
    if path.is_dir():
        raise ValueError(f"--csv must be a file, and {given!r} is a folder")
    if not path.parent.is_dir():
        raise ValueError(f"--csv: the folder of {given!r} does not exist")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise ValueError(f"--csv: {given!r} cannot be written; choose a file in another folder")


def simulate(asked: argparse.Namespace) -> None:
    """Play and print the tables."""
    from analysis.cli.tables import count_games, print_tables

    games = None if asked.games is None else whole_number("--games", asked.games, 1)
    threads = None if asked.threads is None else whole_number("--threads", asked.threads, 1)
    check_csv(asked.csv)
    if asked.time is not None or asked.until:
        _run_for(asked, games, threads)
        return
    began = time.perf_counter()
    games = 10_000 if games is None else games
    result = count_games(asked.game, asked.policies, games, asked.seed, threads, bool(asked.csv), **arguments_of(asked))
    seconds = time.perf_counter() - began
    print_tables(result)
    if asked.csv:
        result.to_pandas().to_csv(asked.csv, index=False)
        print(f"\n{many(len(result), 'game')} in {asked.csv}, one row a game and seat")
    print(f"{many(len(result), 'game')} in {seconds:.2f} s", file=sys.stderr)


def _run_for(asked: argparse.Namespace, games: int | None, threads: int | None) -> None:
    """Play within a budget of time, or until something is known."""
    from analysis.cli.tables import print_tables
    from analysis.sweep.runs import run_for

    if asked.csv:
        raise ValueError("--csv goes with --games, not with --time or --until")
    budget: dict[str, Any] = {"games": 1_000_000 if games is None and asked.time is None else games, "time": asked.time}
    how = {"until": until_of(asked), "seed": asked.seed, "threads": threads, **arguments_of(asked)}
    run = run_for(asked.game, asked.policies, **budget, **how)
    print_tables(run.result)
    print(f"\n{run.reached}")


def compare(asked: argparse.Namespace) -> None:
    """Compare two sides on the same deals."""
    from analysis.cli.comparing import compare_and_print

    sides = {
        **arguments_of(asked),
        "against": None if asked.against is None else rule_values(asked.against, "--against"),
        "against_policies": asked.against_policies,
        "against_variant": asked.against_variant,
    }
    compare_and_print(asked, sides, until_of(asked))


def replay(asked: argparse.Namespace) -> None:
    """Tell one game."""
    print(engine.replay(asked.game, asked.policies, asked.seed, asked.index, **arguments_of(asked)))


def study(asked: argparse.Namespace) -> int:
    """Run what is missing and write the report."""
    from analysis.cli import sweeping
    from analysis.store import Store
    from analysis.study import load_study

    found = load_study(asked.study)
    status, reportable = sweeping.run(asked, found, _warn)
    if reportable:
        _write_report(Store(found, asked.results))
    return status


def merge(asked: argparse.Namespace) -> int:
    """Bring results of other folders into one."""
    from analysis.cli import sweeping
    from analysis.study import load_study

    return sweeping.merge(asked, load_study(asked.study), _warn)


def report(asked: argparse.Namespace) -> None:
    """Write the report from what is there."""
    from analysis.store import Store
    from analysis.study import load_study

    _write_report(Store(load_study(asked.study), asked.results))


def _write_report(store: Any) -> None:
    from analysis.report import write_report

    written = write_report(store, say=_warn)
    print(f"{store.study.document.title}\n{store.study.document.question}")
    if written.cards:
        print(f"\n{_glance(written.cards)}")
    several = len({finding.setting for finding in written.findings}) > 1
    topic = None
    for finding in written.findings:
        if finding.topic != topic:
            topic = finding.topic
            print(f"\n{topic}")
        where = f"{finding.setting}: " if several else ""
        print(_wrapped(f"{where}{finding.text}", "  "))
        if finding.detail:
            print(_wrapped(finding.detail, "    "))
    if written.found.missing:
        _warn(f"{len(written.found.missing)} of {many(len(store.study.cells), 'cell')} have no result yet; "
              f"run: {store.study.command_here('study', store.root.parent)}")  # fmt: skip
    print(f"\nReport: {written.path}")


def _glance(cards: Any) -> str:
    """The lights of the fairness cards."""
    names = [check.name.lower() for check in cards[0].checks]
    rows = [
        [f"{card.setting}, {card.players} players", *(f"{x.light.shape} {x.light.word}" for x in card.checks)]
        for card in cards
    ]
    return aligned(["fairness", *names], rows, left=len(names) + 1)


def _wrapped(text: str, indent: str) -> str:
    import textwrap

    return textwrap.fill(text, 100, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)


def _warn(message: str) -> None:
    print(f"meeplecarlo: {message}", file=sys.stderr)
