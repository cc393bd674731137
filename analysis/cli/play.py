"""``meeplecarlo play``: a person takes one seat against policies."""

import argparse
import re
import sys
from collections.abc import Sequence
from typing import Any

WIDTH = 100
HELP = """  a number   the choice beside it
  q          leave the game; the same command deals it again
  ? or h     this
In another terminal, meeplecarlo rules GAME tells the rules, and meeplecarlo play --help the options."""


class Left(Exception):
    """The person has left the game."""


def add(commands: Any) -> None:
    """The command's arguments."""
    from analysis.cli import _command, whole

    parser = _command(
        commands,
        "play",
        "play:run",
        "take one seat against policies, and see what that seat may know",
        "meeplecarlo play draftosaurus --seat 0 --policies planner greedy",
    )
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("--seat", type=whole, default=0, help="your seat, default 0, the first")
    parser.add_argument(
        "--policies", nargs="+", metavar="POLICY", help="who sits at the other seats, clockwise; default two greedy"
    )
    parser.add_argument("--seed", type=whole, default=1, help="default 1; the same seed and index give the same deal")
    parser.add_argument("--index", type=whole, default=0, help="another deal of the same seed, default 0")
    parser.add_argument("--variant", help="a shipped variant or a .toml file")
    parser.add_argument("--rules", nargs="+", default=[], metavar="NAME=VALUE", help="rules to change")


def run(asked: argparse.Namespace) -> None:
    """Play one game."""
    import engine
    from analysis.cli.commands import rule_values
    from engine.person import play_with

    game = engine.load_game(asked.game)
    policies = asked.policies or ["greedy"] * min(2, game.seats[1] - 1)
    person = Person()
    try:
        told = play_with(
            person.ask,
            asked.game,
            policies,
            seat=asked.seat,
            seed=asked.seed,
            index=asked.index,
            variant=asked.variant,
            rules=rule_values(asked.rules),
        )
    except Left:
        print("\nYou have left the game; the same command deals it again.")
        return
    person.tell(told.plan, told.rows, told.states)
    names = [told.result.policies[e] for e in told.result.entry[0]]
    print(told.plan.game.text.ending(told.states[-1], told.plan.rules, told.result, names))
    share = float(told.result.share[0, asked.seat])
    how = "You have won" if share == 1 else "You have lost" if share == 0 else "You share the win"
    print(f"\n{how} (seed {asked.seed}, index {asked.index})")


class Person:
    """Shows what a seat may know, and reads what it wants."""

    def __init__(self) -> None:
        self.told = 0  # decisions whose news are out
        self.seat, self.opened = 0, False

    def ask(self, position: Any) -> int:
        """One of the position's actions."""
        plan, state = position.plan, position.states[-1]
        text = plan.game.text
        if not self.opened:
            self._open(plan, position)
        self.seat = position.seat
        self.tell(plan, position.rows, position.states)
        print(text.view(state, plan.rules, position.seat))
        words = [text.action_words(state, plan.rules, action) for action in position.actions]
        if len(words) == 1:
            print(f"  nothing to choose: {words[0]}")
            return position.actions[0]
        print(menu(words))
        return position.actions[_number(len(words))]

    def _open(self, plan: Any, position: Any) -> None:
        self.opened = True
        names = [e.label for e in plan.entries]
        print(f"{plan.game.title} ({plan.rules.variant}), {len(names)} players; you are seat {position.seat}")
        print(plan.game.text.opening(position.states[0], plan.rules, names))

    def tell(self, plan: Any, rows: Any, states: Any) -> None:
        """What the seat learns of the decisions since the last time."""
        for i in range(self.told, len(rows)):
            if i + 1 < len(states):
                says = plan.game.text.news(states[i], states[i + 1], plan.rules, rows[i], self.seat)
                if says:
                    print(re.sub(r"  \(\d+ legal\)", "", says))
        self.told = len(rows)


def menu(words: Sequence[str]) -> str:
    """The choices with their numbers, in columns read downwards."""
    cells = [f"{i:>3} {word}" for i, word in enumerate(words, 1)]
    width = max(map(len, cells)) + 2
    columns = max(1, min(WIDTH // width, -(-len(cells) // 6)))
    rows = -(-len(cells) // columns)
    return "\n".join("".join(cell.ljust(width) for cell in cells[r::rows]).rstrip() for r in range(rows))


def _number(most: int) -> int:
    """The index of a choice, read until it is one."""
    while True:
        try:
            answer = input(f"your choice, 1 to {most}, ? or q: ").strip().lower()
        except EOFError:
            raise Left from None
        if not sys.stdin.isatty():
            print(answer)
        if answer in ("?", "h", "help"):
            print(HELP)
            continue
        if answer in ("q", "quit"):
            raise Left
        if answer.isdecimal() and 1 <= int(answer) <= most:
            return int(answer) - 1
        print(f"  {answer!r} is not a number from 1 to {most}")
