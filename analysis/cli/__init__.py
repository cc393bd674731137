"""The command line ``meeplecarlo``: its arguments; what they do is in `analysis.cli.commands`.

Nothing heavy is imported here, so that help is instant.
"""

import argparse
import importlib
import io
import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from analysis.cli.interrupt import INTERRUPTED, second_ends_at_once

FAILED, WRONG = 1, 2  # exit statuses: a cell failed, bad input; after Ctrl-C `INTERRUPTED`


class Parser(argparse.ArgumentParser):
    """Reports an error in one line."""

    def error(self, message: str) -> NoReturn:
        """Print one line and leave with status 2."""
        self.exit(WRONG, f"{self.prog}: error: {message} (see {self.prog} --help)\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; the exit status: 0, 1 if a cell failed, 2 for bad input, 130 after Ctrl-C."""
    os.environ.setdefault("MPLBACKEND", "agg")
    _print_anywhere()
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        asked = parse(arguments)
        module, _, name = asked.run.rpartition(":")
        command = getattr(importlib.import_module(f"analysis.cli.{module or 'commands'}"), name)
        with second_ends_at_once():
            return command(asked) or 0
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else 0
    except KeyboardInterrupt:
        return _say("interrupted", INTERRUPTED)
    except BrokenPipeError:  # the reader, such as head, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        if os.environ.get("MEEPLECARLO_DEBUG"):
            raise
        return _say(_describe(error), WRONG)


def _print_anywhere() -> None:
    """Where the terminal or pipe is not UTF-8, a question mark stands for what it does not have."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _say(message: str, status: int) -> int:
    for line in message.splitlines():
        print(f"meeplecarlo: {line}", file=sys.stderr)
    return status


def _describe(error: Exception) -> str:
    text = str(error)
    if isinstance(error, OSError) and error.strerror:
        return f"error: {error.filename or 'file'}: {error.strerror}"
    if isinstance(error, (ValueError, RuntimeError)) and text:
        return "\n".join(f"error: {line}" for line in text.splitlines())
    first = text.splitlines()[0] if text else ""
    return f"error: {type(error).__name__}: {first} (set MEEPLECARLO_DEBUG=1 to see where)"


def parse(arguments: list[str]) -> argparse.Namespace:
    """The arguments, checked; `run` is the name of the command's function."""
    parser, commands = build()
    _check_command(parser, arguments, commands)
    asked, unknown = parser.parse_known_args(arguments)
    if unknown:
        at_fault = commands.choices.get(arguments[0], parser)
        at_fault.error(f"unrecognized arguments: {' '.join(unknown)}")
    if asked.run is None:
        parser.error("a command is needed")
    return asked


def build() -> tuple[Parser, Any]:
    """The parser, and the parsers of its commands."""
    parser = Parser(
        prog="meeplecarlo",
        description="Monte Carlo strategy analysis of tabletop games: is it fair, which parts matter, "
        "what does a change do.",
        epilog="Examples: meeplecarlo games | meeplecarlo study first_look | meeplecarlo COMMAND --help",
    )
    parser.add_argument("--version", action="store_const", const="version", dest="run", help="versions and folders")
    commands = parser.add_subparsers(metavar="COMMAND", parser_class=Parser)
    for add in (_games, _policies, _rules, _simulate, _compare, _study, _merge, _report, _replay):
        add(commands)
    for name in ("watch", "play", "new_study", "check", "check_policy", "export"):
        importlib.import_module(f"analysis.cli.{name}").add(commands)
    return parser, commands


def _check_command(parser: Parser, arguments: list[str], commands: Any) -> None:
    """Say which command may have been meant."""
    if arguments and not arguments[0].startswith("-") and arguments[0] not in commands.choices:
        import difflib

        close = difflib.get_close_matches(arguments[0], commands.choices, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        parser.error(f"command {arguments[0]!r} is not known{hint} (allowed: {', '.join(commands.choices)})")


def _command(commands: Any, name: str, run: str, says: str, example: str) -> argparse.ArgumentParser:
    parser = commands.add_parser(
        name, help=says, description=f"{says[0].upper()}{says[1:]}.", epilog=f"Example: {example}"
    )
    parser.set_defaults(run=run)
    return parser


def whole(text: str) -> int:
    """A whole number; 1_000_000 and 1,000,000 are one too."""
    try:
        return int(text.replace(",", ""))
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a whole number, not {text!r}") from None


def named(text: str) -> str:
    """The name of a file or folder, which an unset variable of a shell is not."""
    if not text.strip():
        raise argparse.ArgumentTypeError(f"must be the name of a file or folder, not {text!r}")
    return text


def _games(commands: Any) -> None:
    _command(commands, "games", "list_games", "list the games", "meeplecarlo games")


def _policies(commands: Any) -> None:
    parser = _command(
        commands,
        "policies",
        "list_policies",
        "list a game's policies and their weights",
        "meeplecarlo policies draftosaurus",
    )
    parser.add_argument("game", metavar="GAME")


def _rules(commands: Any) -> None:
    parser = _command(
        commands,
        "rules",
        "list_rules",
        "list a game's rules: name, value, meaning, and how the value is known",
        "meeplecarlo rules draftosaurus --variant winter",
    )
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("--variant", help="a shipped variant or a .toml file")


def _table(parser: argparse.ArgumentParser) -> None:
    """What simulate and replay have in common."""
    parser.add_argument("game", metavar="GAME")
    parser.add_argument(
        "--policies", nargs="+", required=True, metavar="POLICY", help="one a seat: names, or path/to/file.py:name"
    )
    parser.add_argument("--seed", type=whole, default=1, help="default 1; the same seed gives the same games")
    parser.add_argument("--variant", help="a shipped variant or a .toml file")
    parser.add_argument(
        "--rules", nargs="+", default=[], metavar="NAME=VALUE", help="rules to change, such as trio_points=6"
    )
    parser.add_argument(
        "--seats",
        default="rotate",
        metavar="HOW",
        help="rotate (the default: each deal is played from every seat), fixed or permute",
    )


def _simulate(commands: Any) -> None:
    parser = _command(
        commands,
        "simulate",
        "simulate",
        "play games, and print win shares, scores and what each source is worth",
        "meeplecarlo simulate draftosaurus --policies planner greedy greedy greedy --rules trio_points=6",
    )
    _table(parser)
    _budget(parser, "default 10,000; at most 1,000,000 with --until, no limit with --time; rounded up to whole deals")
    parser.add_argument("--threads", type=whole, help="by default the cores granted to this process")
    parser.add_argument(
        "--csv",
        type=named,
        metavar="FILE",
        help="also write one row a game and seat; at most 1,000,000 games, and not with --time or --until",
    )


def _budget(parser: argparse.ArgumentParser, games: str) -> None:
    """Budgets of games and time, and stop rules."""
    parser.add_argument("--games", type=whole, help=games)
    parser.add_argument("--time", metavar="TIME", help="play no longer than this: 30s, 2m or 1.5h")
    parser.add_argument(
        "--until",
        nargs="+",
        default=[],
        metavar="NAME=VALUE",
        help="stop when known: metric=seat_advantage half_width=0.001, or metric=win_rate decided=0.99; metrics: "
        "seat_advantage, win_rate, score, margin, ties, decisions",
    )


def _compare(commands: Any) -> None:
    parser = _command(
        commands,
        "compare",
        "compare",
        "play two rule sets, variants or line-ups on the same deals, and print what differs",
        "meeplecarlo compare draftosaurus --policies planner greedy --rules trio_points=6 --against trio_points=7",
    )
    _table(parser)
    parser.add_argument(
        "--against",
        nargs="*",
        metavar="NAME=VALUE",
        help="all changed rules of the other side; nothing after it is the game as printed",
    )
    parser.add_argument("--against-policies", nargs="+", metavar="POLICY", help="the other side's, one a seat")
    parser.add_argument("--against-variant", metavar="VARIANT", help="the other side's variant")
    _budget(parser, "of each side; default 100,000, or no limit with --time; rounded up to whole deals")
    parser.add_argument(
        "--correct",
        default="holm",
        metavar="METHOD",
        help="for many comparisons: holm (the default), benjamini-hochberg or none",
    )
    parser.add_argument("--level", type=float, default=0.95, help="confidence level, default 0.95")
    parser.add_argument("--threads", type=whole, help="by default the cores granted to this process")
    parser.add_argument("--csv", type=named, metavar="FILE", help="also write the table of differences")


def _study(commands: Any) -> None:
    parser = _command(
        commands,
        "study",
        "study",
        "run a study, or what is missing of it, and write its report",
        "meeplecarlo study first_look",
    )
    _study_arguments(parser)
    from analysis.cli.sweeping import add_arguments

    add_arguments(parser, whole)


def _merge(commands: Any) -> None:
    parser = _command(
        commands,
        "merge",
        "merge",
        "bring a study's results from other folders into one; what disagrees is reported",
        "meeplecarlo merge first_look node1/results node2/results",
    )
    _study_arguments(parser)
    parser.add_argument(
        "folders", nargs="+", type=named, metavar="DIR", help="folders of results, each as --results of a run"
    )


def _report(commands: Any) -> None:
    parser = _command(
        commands,
        "report",
        "report",
        "write a study's report again from the results that are there",
        "meeplecarlo report first_look",
    )
    _study_arguments(parser)


def _study_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("study", type=named, metavar="FILE-OR-NAME", help="a study file, or a shipped study's name")
    parser.add_argument(
        "--results", type=named, default="results", metavar="DIR", help="folder of all results, default results/"
    )


def _replay(commands: Any) -> None:
    parser = _command(
        commands,
        "replay",
        "replay",
        "tell one game, so that it can be followed at the table",
        "meeplecarlo replay draftosaurus --policies planner greedy --seed 1 --index 7",
    )
    _table(parser)
    parser.add_argument("--index", type=whole, default=0, help="the game's index in its simulation, default 0")
