"""Cells: the points of a study's grid, and the key that names all that decides a cell's result.

The key is a digest of canonical JSON: game, rule values, policies with their code and weights, seating, deals,
seed, what is kept, and the syntax trees of the code. So a comment or an edit in another game changes no key,
while a changed rule, policy or helper does.
"""

import ast
import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from analysis.until import Until
from engine import jit, userfile
from engine.games import load_game
from engine.lineup import seatings
from engine.policy import Entry, Policy, Wanted
from engine.ruleset import RuleSet

FORMAT = 4  # of a cell's content; raise it when the same games would be stored otherwise
STOPS = 2  # raise it when stop rules would stop elsewhere
MOST_PLAYOUTS = 200_000  # a cell of more games keeps tallies
MOST_STUDY_PLAYOUTS = 10_000_000  # so does every cell of a study of more: to write playouts costs a tenth of playing
# Files that decide how a result is asked for or told, and not what it is: of the engine, and of a game.
TELLING = {"__init__.py", "errors.py", "person.py", "transcript.py"}
GAME_TELLING = {"text.py"}


@dataclass(frozen=True, eq=False)
class Versus:
    """The other side of a comparison with a stop rule: both sides are watched, and end at the same deal."""

    wanted: tuple[Wanted, ...]
    entries: tuple[Entry, ...]
    rules: RuleSet
    is_first: bool  # the difference is the other side less this one

    @property
    def spec(self) -> dict[str, Any]:
        """What it contributes to the key."""
        return {
            "entries": [entry_spec(e) for e in self.entries],
            "rules": dict(self.rules.values),
            "is_first": self.is_first,
        }


@dataclass(frozen=True, eq=False)
class Cell:
    """One point of a study's grid: a line-up under one set of rules."""

    game: str
    rules: RuleSet
    rules_label: str
    lineup_label: str
    kind: str  # self-play, focus or mixed
    wanted: tuple[Wanted, ...]  # one a seat, as asked for; can be pickled
    entries: tuple[Entry, ...]  # the same, checked
    seats: str
    asked: int  # games asked for; `games` are played
    seed: int
    keep: str  # playouts or tallies
    place: str  # where in the study file
    until: Until | None = None  # a stop rule; then `deals` and `games` are the most
    versus: Versus | None = None  # where the rule is about a difference

    @property
    def players(self) -> int:
        """Number of seats."""
        return len(self.entries)

    @property
    def variant(self) -> str:
        """Name of the variant."""
        return self.rules.variant

    @property
    def focus(self) -> str:
        """Label of the first entry: the policy in focus, or the one that all play."""
        return self.entries[0].label

    @property
    def field(self) -> str:
        """Label of the other entries of a focus cell."""
        return self.entries[-1].label if self.kind == "focus" else ""

    @property
    def labels(self) -> dict[str, Any]:
        """What tells this cell from the others, for the columns of tables."""
        return {
            "variant": self.variant,
            "rules": self.rules_label,
            "players": self.players,
            "lineup": self.lineup_label,
        }

    @property
    def title(self) -> str:
        """The cell in one line."""
        rules = "" if self.rules_label == "as printed" else f", {self.rules_label}"
        return f"{self.variant}{rules}, {self.players} players, {self.lineup_label}"

    @cached_property
    def per_deal(self) -> int:
        """Playouts of one deal: the number of distinct seatings."""
        return len(self.seating)

    @cached_property
    def seating(self) -> list[list[int]]:
        """The entry at each seat, by seating."""
        return seatings(self.entries, self.seats).tolist()

    @property
    def deals(self) -> int:
        """Number of deals, so many that at least the games asked for are played."""
        return -(-self.asked // self.per_deal)

    @property
    def games(self) -> int:
        """Number of playouts."""
        return self.deals * self.per_deal

    @cached_property
    def spec(self) -> dict[str, Any]:
        """Everything that determines the result, ready for JSON."""
        game = load_game(self.game)
        until: dict[str, Any] = {} if self.until is None else {"until": self.until.spec(), "stops": STOPS}
        if self.versus is not None:
            until["versus"] = self.versus.spec
        return {
            **until,
            "format": FORMAT,
            "code": engine_digest(self.game),
            "game": self.game,
            "variant": self.variant,
            "rules": dict(self.rules.values),
            "rules_changed": dict(self.rules.changed),
            "rules_version": self.rules.version,
            "sources": list(game.sources_of(self.rules.values)),
            "entries": [entry_spec(e) for e in self.entries],
            "seats": self.seats,
            "seating": self.seating,
            "deals": self.deals,
            "seed": self.seed,
            "keep": self.keep,
        }

    @cached_property
    def key(self) -> str:
        """SHA-256 of the canonical spec, in hexadecimal."""
        return hashlib.sha256(canonical(self.spec)).hexdigest()


def canonical(document: Any) -> bytes:
    """JSON with sorted keys and no spaces."""
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def entry_spec(entry: Entry) -> dict[str, Any]:
    """What one entry contributes to the key."""
    names = [w.name for w in entry.policy.weights]
    return {
        "policy": entry.policy.name,
        "label": entry.label,
        "code": policy_digest(entry.policy),
        "weights": dict(zip(names, entry.weights, strict=True)),
        "ban": list(entry.ban),
        "random": entry.random,
    }


@cache
def policy_digest(policy: Policy) -> str:
    """Digest of a designer's file and all it imports; a built-in policy is part of the engine's digest."""
    if policy.is_built_in:
        return "built in"
    path = Path(policy.function.__code__.co_filename)
    return digest_trees((file.name, file) for file in userfile.import_closure(path))


@cache
def engine_digest(game: str) -> str:
    """Digest of the engine's and the game's code."""
    return engine_digest_of(jit.PACKAGE, load_game(game).folder)


def engine_digest_of(package: Path, folder: Path) -> str:
    """Digest of the syntax trees of ``package/*.py`` and of all Python files in a game's folder."""
    core = [(f.name, f) for f in package.glob("*.py") if f.name not in TELLING]
    own = [(f.relative_to(folder).as_posix(), f) for f in folder.rglob("*.py")]
    return digest_trees(core + [(f"game/{name}", f) for name, f in own if name not in GAME_TELLING])


def digest_trees(files: Iterable[tuple[str, Path]]) -> str:
    """SHA-256 over names and syntax trees, docstrings and comments left out."""
    digest = hashlib.sha256()
    for name, path in sorted(files):
        digest.update(f"\0{name}\0".encode())
        digest.update(plain_code(path.read_bytes()).encode())
    return digest.hexdigest()


def plain_code(source: bytes) -> str:
    """Python source without comments, docstrings and layout."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and _docstring(node):
            node.body = node.body[1:] or [ast.Pass()]
    return ast.unparse(tree)


def _docstring(node: Any) -> bool:
    first = node.body[0] if node.body else None
    return isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
