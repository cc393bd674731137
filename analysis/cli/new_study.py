"""``meeplecarlo new-study``: three questions, and a commented study file that runs as it is."""

import argparse
import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from analysis.cli.words import many

KINDS = {
    "fair": "Is it fair: what is each seat worth?",
    "parts": "Which parts matter: what does each pay, and which decide who wins?",
    "strong": "Who is strong: which way of playing beats which?",
    "change": "What happens if I change a number of the rules?",
}


def add(commands: Any) -> None:
    """The command's arguments."""
    from analysis.cli import _command, named, whole

    parser = _command(
        commands,
        "new-study",
        "new_study:run",
        "ask three questions and write a commented study file that runs as it is",
        "meeplecarlo new-study --game draftosaurus --question fair --players 2 3 4",
    )
    parser.add_argument(
        "file", type=named, metavar="FILE", nargs="?", help="what to write, by default GAME_QUESTION.toml"
    )
    parser.add_argument("--game", help="which game; asked if not given")
    parser.add_argument("--question", metavar="KIND", help=f"{', '.join(KINDS)}; asked if not given")
    parser.add_argument("--players", type=whole, nargs="+", metavar="N", help="numbers of players; asked if not given")
    parser.add_argument("--variant", nargs="+", metavar="NAME", help="variants; by default the game's own")
    parser.add_argument("--force", action="store_true", help="write over a file that is there")


def run(asked: argparse.Namespace) -> int:
    """Ask what was not given, write the file, check it, and say how to go on."""
    import engine
    from analysis.cli import WRONG

    path = None if asked.file is None else _free(asked.file, asked.force)
    try:
        name, kind = asked.game, asked.question
        if name is None:
            name = _choose("Which game?", {g: engine.load_game(g).title for g in engine.games()})
        game = engine.load_game(name)
        if kind is None:
            kind = _choose("What do you want to know?", KINDS)
        _known("question", kind, KINDS)
        path = path or _free(f"{name}_{kind}.toml", asked.force)
        players, variants = asked.players, asked.variant or []
        if players is None:
            players, words = _table(game)
            variants = variants or words
    except EOFError:
        print("\nmeeplecarlo: error: the input ended before every question was answered; nothing is written",
              file=sys.stderr)  # fmt: skip
        return WRONG
    study = _written(path, study_text(game, kind, players, variants), asked.force)
    quoted = shlex.quote(str(path))
    print(f"{path}: {many(len(study.cells), 'cell')}, {many(study.games, 'game')}\n"
          f"How long will it take?  meeplecarlo check {quoted}\n"
          f"Run it:                 meeplecarlo study {quoted}")  # fmt: skip
    return 0


def _free(given: str, force: bool) -> Path:
    """The path to write to, if it can be; asked before the questions."""
    path = Path(given).expanduser()
    if path.suffix != ".toml":
        raise ValueError(f"FILE must end in .toml, not {str(path)!r}")
    if path.is_dir():
        raise ValueError(f"{path}: is a folder; FILE must be a file")
    if not path.absolute().parent.is_dir():
        raise ValueError(f"{path}: its folder does not exist")
    if path.exists() and not force:
        raise ValueError(f"{path}: is there already; take another name, or --force to write over it")
    return path


def _written(path: Path, text: str, force: bool) -> Any:
    """The study that the file is, once it is written; if it is none, all is as before."""
    from analysis.study import load_study

    before = path.read_bytes() if force and path.exists() else None
    try:
        with open(path, "w" if force else "x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:  # since it was found to be free
        raise ValueError(f"{path}: is there already; take another name, or --force to write over it") from None
    try:
        return load_study(path)
    except ValueError:
        if before is None:
            path.unlink()
        else:
            path.write_bytes(before)
        raise


def _known(what: str, given: str, allowed: Any) -> str:
    from engine.errors import unknown

    if given not in allowed:
        raise ValueError(unknown(what, given, allowed))
    return given


def _choose(question: str, choices: dict[str, str]) -> str:
    """A key of the choices, by number or name; the first for an empty answer."""
    names = list(choices)
    width = max(map(len, names))
    lines = [f"  {i} {name.ljust(width)}  {says}" for i, (name, says) in enumerate(choices.items(), 1)]

    def read(answer: str) -> str:
        return names[int(answer) - 1] if answer.isdecimal() and 0 < int(answer) <= len(names) else answer

    return _read("\n".join([question, *lines, f"number or name [{names[0]}]: "]), names[0], read, names)


def _read(prompt: str, default: str, read: Callable[[str], str], allowed: Sequence[str]) -> str:
    """An answer that is allowed, asked for until it is one."""
    while True:
        answer = read(input(prompt).strip() or default)
        try:
            return _known("answer", answer, allowed)
        except ValueError as error:
            print(f"  {error}")
            prompt = f"number or name [{default}]: "


def _table(game: Any) -> tuple[list[int], list[str]]:
    """Numbers of players and variants, in one answer."""
    import engine

    low, high = game.seats
    variants = engine.variants(game)
    print(f"How many players ({low} to {high}), and which variants ({', '.join(variants)})?")
    while True:
        answer = input(f"such as '{low} {high} {next(iter(variants))}' [all players, the game's own variant]: ")
        words = answer.replace(",", " ").split()
        players = [int(word) for word in words if word.isdecimal()] or list(range(low, high + 1))
        named = [word for word in words if not word.isdecimal()]
        wrong = [str(n) for n in players if not low <= n <= high]
        wrong += [name for name in named if name not in variants and not name.endswith(".toml")]
        if not wrong:
            return players, named
        print(f"  not possible: {', '.join(wrong)}")


# ---------------------------------------------------------------------------------------------------------
# The file
# ---------------------------------------------------------------------------------------------------------
# The strongest policy that plays many games a second; a game that is not here plays greedy.
STRONG = {"draftosaurus": "denier", "sauros": "planner", "dino_museum": "bag_counter"}
GAMES = {"draftosaurus": 50_000}
FEW_GAMES = 10_000


def study_text(game: Any, kind: str, players: Sequence[int], variants: Sequence[str]) -> str:
    """A study file of the kind, with comments.

    Parameters
    ----------
    game : Game
    kind : str
        A key of `KINDS`.
    players : sequence of int
    variants : sequence of str
        Empty for the game's own.
    """
    import engine

    variant = next(iter(variants), None)
    rules = engine.load_rules(game.name, variant)
    variants = list(variants) or [rules.variant]
    head = f"""# A study of {game.title}, made by: meeplecarlo new-study
# Change what you like; meeplecarlo check FILE says what it will do, meeplecarlo study FILE does it.
title = "{game.title}: {TITLES[kind]}"
question = "{KINDS[kind]}"
game = "{game.name}"
games = {GAMES.get(game.name, FEW_GAMES):_}     # of each cell; ten times as many make intervals about a third as wide
seed = 1           # the same seed gives the same games
# Who plays: {", ".join(game.policies)}
# (meeplecarlo policies {game.name} says what each does), or "path/to/file.py:name".
"""
    strong = STRONG.get(game.name, "greedy")
    write = {"fair": _same, "parts": _parts, "strong": _strong, "change": _change}[kind]
    return head + write(game, list(players), variants, strong, rules)


TITLES = {
    "fair": "is it fair?",
    "parts": "which parts matter?",
    "strong": "who is strong?",
    "change": "what if a number changes?",
}


def _list(values: Sequence[Any]) -> str:
    return "[" + ", ".join(f'"{v}"' if isinstance(v, str) else str(v) for v in values) + "]"


def _same(game: Any, players: list[int], variants: list[str], strong: str, _: Any) -> str:
    return f"""
# The same policy sits at every seat, so that only the seat differs. A block is every combination of its lists.
[[grid]]
variant = {_list(variants)}
players = {_list(players)}
lineup = {_list(list(dict.fromkeys([strong, "greedy"])))}
"""


def _parts(game: Any, players: list[int], variants: list[str], strong: str, rules: Any) -> str:
    return f"""
# A style of your own needs no Python: another policy with other weights, banned sources, or a share of random play.
[policies.careless]
base = "{strong}"
random = 0.1        # one action in ten is random
# ban = ["{game.sources_of(rules.values)[0]}"]     # never feeds this source if it can help it
# weights = {{ ... }}   # by name, see: meeplecarlo policies {game.name}

[[grid]]
variant = {_list(variants)}
players = {_list(players)}
lineup = ["{strong}", "careless"]
"""


def _strong(game: Any, players: list[int], variants: list[str], strong: str, _: Any) -> str:
    focus = [name for name in game.policies if name != "greedy"]
    rows = "\n".join(f'  {{ focus = "{name}", field = "greedy" }},' for name in focus)
    return f"""
# One seat plays the policy in focus, the others the field; each deal is played from every seat.
[[grid]]
variant = {_list(variants)}
players = {_list(players)}
lineup = [
{rows}
]
"""


def _change(game: Any, players: list[int], variants: list[str], strong: str, rules: Any) -> str:
    name = _number_of(game, rules)
    value = rules.values[name]
    low, high = rules.specs[name].get("range", [value - 1, value + 1])
    changed = value - 1 if value - 1 >= max(low, 1) else value + 1
    blocks = "".join(
        f"""
[[compare]]
variant = "{variant}"
players = {_list(players)}
lineup = "{strong}"       # or {{ focus = "{strong}", field = "greedy" }}
rules = {{ {name} = {changed} }}
against = {{}}          # the rules as they are; or other changes, such as {{ {name} = {min(value + 2, high)} }}
"""
        for variant in variants
    )
    return f"""
# {name} is {value}: {rules.specs[name]["meaning"]}.
# Every rule by name, with what it means: meeplecarlo rules {game.name}
# Both sides play the same deals, so that small differences show.{blocks}"""


def _number_of(game: Any, rules: Any) -> str:
    """A number of the rules that matters in this variant: the points of one of its sources."""
    sources = game.sources_of(rules.values)
    numbers = [n for n, v in rules.values.items() if isinstance(v, int) and not isinstance(v, bool)]
    paid = [n for n in numbers if n.endswith("_points")]
    used = [n for n in paid if any(source.startswith(n.removesuffix("_points")) for source in sources)]
    return next(iter([*used, *paid, *numbers]))
