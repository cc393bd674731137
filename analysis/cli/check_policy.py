"""``meeplecarlo check-policy``: whether a policy of one's own is sound, how fast it is and how strong."""

import argparse
from typing import Any


def add(commands: Any) -> None:
    """The command's arguments."""
    from analysis.cli import _command, whole

    parser = _command(
        commands,
        "check-policy",
        "check_policy:run",
        "say whether a policy compiles, plays legally, does not peek and does not write, how fast it is and how it "
        "does against the built-in ones",
        "meeplecarlo check-policy my_file.py:bold",
    )
    parser.add_argument("policy", metavar="FILE:NAME", help="path/to/file.py:name, or a built-in name with --game")
    parser.add_argument("--game", help="by default the game that the policy says it plays")
    parser.add_argument("--games", type=whole, default=4_000, help="for each win share, default 4,000")
    parser.add_argument("--seed", type=whole, default=1, help="default 1")


def run(asked: argparse.Namespace) -> int:
    """Print a line for each finding; status 1 if one fails."""
    from analysis.check_policy import check_policy
    from analysis.cli import FAILED

    status, names = 0, {None: "    ", True: "PASS", False: "FAIL"}
    for found in check_policy(asked.policy, asked.game, games=asked.games, seed=asked.seed):
        print(f"{names[found.passed]}  {found.name + ':':<16} {found.text}", flush=True)
        if found.passed is False:
            status = FAILED
    print("FAIL: do not use it in a study" if status else "PASS: it can be used in studies by this name")
    return status
