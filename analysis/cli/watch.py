"""``meeplecarlo watch``: one game, step by step."""

import argparse
import sys
from typing import Any

CLEAR = "\x1b[1A\x1b[2K"  # the line above, where the prompt was


def add(commands: Any) -> None:
    """The command's arguments."""
    from analysis.cli import _command, _table, whole

    parser = _command(
        commands,
        "watch",
        "watch:run",
        "replay a game step by step in the terminal: Enter for the next step, a for all the rest, q to quit",
        "meeplecarlo watch draftosaurus --policies planner greedy greedy --seed 1 --index 7",
    )
    _table(parser)
    parser.add_argument("--index", type=whole, default=0, help="the game's index in its simulation, default 0")
    parser.add_argument("--all", action="store_true", help="print everything without waiting, as into a pipe")


def run(asked: argparse.Namespace) -> None:
    """Tell the game piece by piece."""
    import engine
    from analysis.cli.commands import arguments_of

    told = engine.replay(asked.game, asked.policies, asked.seed, asked.index, **arguments_of(asked))
    steps = told.steps()
    waits = not asked.all and at_terminal()
    print("\n".join(told.head()))
    for number, step in enumerate(steps, 1):
        print(step)
        if waits and number < len(steps):
            answer = _next(f"-- {number} of {len(steps)}: Enter, a or q ")
            if answer == "q":
                return
            waits = answer != "a"


def at_terminal() -> bool:
    """Whether somebody sits there to press Enter."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def _next(prompt: str) -> str:
    """What was typed, the prompt wiped away; q at the end of the input."""
    try:
        answer = input(prompt).strip().lower()
    except EOFError:
        print()
        return "q"
    sys.stdout.write(CLEAR)
    return answer[:1]
