"""From a study's grid to its cells: every combination, each checked against the game."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from analysis.cells import MOST_PLAYOUTS, MOST_STUDY_PLAYOUTS, Cell
from analysis.studyfile import Block, Document, Focus, Problems, Style, path_of
from analysis.until import Until
from engine.errors import unknown
from engine.game import Game
from engine.games import load_game
from engine.lineup import resolve_lineup
from engine.policy import Entry, Wanted, entry, resolve_entry
from engine.ruleset import RuleSet, load_rule_set

if TYPE_CHECKING:
    from collections.abc import Iterator

PRINTED = "as printed"


@dataclass(frozen=True)
class Lineup:
    """A line-up as written: which entry sits where, for any number of players."""

    kind: str  # self-play, focus or mixed
    label: str
    names: tuple[str, ...]  # one for self-play, two for focus and field, else one a seat

    def seats(self, players: int) -> list[str]:
        """One name a seat."""
        if self.kind == "mixed":
            return list(self.names)
        return [self.names[0]] + [self.names[-1]] * (players - 1)


class Grid:
    """Expands the blocks of one study; errors go to `problems`, and what is wrong is left out."""

    def __init__(self, document: Document, folder: Path, problems: Problems):
        self.document, self.folder, self.problems = document, folder, problems
        self.game: Game = load_game(document.game)
        self.entries: dict[str, tuple[Wanted, Entry] | None] = {}
        self.by_label: dict[str, Entry] = {}
        self.by_setting: dict[tuple[str, str], RuleSet] = {}
        for name, style in document.policies.items():
            self._define(name, style)

    def _define(self, name: str, style: Style) -> None:
        place = f"policies.{name}"
        if name in self.game.policies:
            self.problems.add(place, "is the name of a built-in policy; choose another name")
            return
        if style.base in self.document.policies and style.base not in self.game.policies:
            self.problems.add(
                f"{place}.base", f"{style.base!r} is defined in this study; base must be built in or a file"
            )
            self.entries[name] = None
            return
        wanted = entry(self._located(style.base), weights=style.weights, ban=style.ban, random=style.random, label=name)
        self.entries[name] = self._resolve(wanted, place)

    def _located(self, name: str) -> str:
        """A designer's file is looked for from the study's folder."""
        path, colon, function = name.rpartition(":")
        if colon and path.endswith(".py"):
            return f"{(self.folder / Path(path).expanduser()).resolve()}:{function}"
        return name

    def _resolve(self, wanted: Wanted, place: str) -> tuple[Wanted, Entry] | None:
        try:
            found = resolve_entry(wanted, self.game)
        except ValueError as error:
            self.problems.add(place, str(error))
            return None
        if self.by_label.setdefault(found.label, found) != found:
            message = f"another policy is called {found.label!r} too; name one of them under [policies]"
            self.problems.add(place, message)
            return None
        return wanted, found

    def cells(self) -> list[Cell]:
        """All cells of all blocks, each once."""
        found: dict[tuple, Cell] = {}
        for i, block in enumerate(self.document.grid):
            until = self._until(f"grid[{i}].until", block)
            for cell in self._block(f"grid[{i}]", block, until):
                found.setdefault((cell.key, cell.rules_label, cell.lineup_label), cell)
        cells = list(found.values())
        if self.document.keep is None and sum(cell.games for cell in cells) > MOST_STUDY_PLAYOUTS:
            cells = [replace(cell, keep="tallies") for cell in cells]
        return cells

    def _until(self, place: str, block: Block) -> Until | None:
        try:
            return None if block.until is None else Until.of(block.until)
        except ValueError as error:
            self.problems.add(place, str(error).removeprefix("until: "))
            return None

    def _block(self, place: str, block: Block, until: Until | None) -> "Iterator[Cell]":
        players = self._players(place, block)
        lineups = [
            x for k, given in enumerate(block.lineup) for x in self._lineup(f"{place}.lineup[{k}]", given, players)
        ]
        for rules, label, where in self._rule_sets(place, block):
            for n in players:
                for lineup, spot in lineups:
                    cell = self._cell(lineup, n, rules, label, block, f"{where}, {spot}")
                    if cell is not None and until is not None:
                        self._check_until(place, cell, until)
                        cell = replace(cell, until=until)
                    if cell is not None:
                        yield cell

    def _check_until(self, place: str, cell: Cell, until: Until) -> None:
        labels = [entry.label for entry in cell.entries]
        try:
            until.check(labels)
        except ValueError as error:
            self.problems.add(f"{place}.until", str(error).removeprefix("until: "))

    def _players(self, place: str, block: Block) -> list[int]:
        low, high = self.game.seats
        for k, n in enumerate(block.players):
            if not low <= n <= high:
                self.problems.add(f"{place}.players[{k}]", f"{self.game.name} takes {low} to {high} players, not {n}")
        return [n for n in dict.fromkeys(block.players) if low <= n <= high]

    def _rule_sets(self, place: str, block: Block) -> "Iterator[tuple[RuleSet, str, str]]":
        """Every variant with every set of changed rules: (rules, label, place)."""
        printed: list[tuple[str | None, RuleSet]] = []
        for v, variant in enumerate(block.variant or [None]):
            spot = f"{place}.variant[{v}]"
            if variant is not None and variant.endswith(".toml"):
                variant = str((self.folder / Path(variant).expanduser()).resolve())
            rules = self._load(variant, {}, spot)
            if rules is not None:
                printed.append((variant, rules))
        for k, given in enumerate(block.rules):
            spot = f"{place}.rules[{k}]"
            changes = dict(given)
            label = changes.pop("name", None)
            if label is not None and (not isinstance(label, str) or not label):
                self.problems.add(f"{spot}.name", f"must be text in quotes, not {label!r}")
                continue
            label = label or ", ".join(f"{name}={value}" for name, value in changes.items()) or PRINTED
            for variant, as_printed in printed:
                rules = self._load(variant, changes, spot) if changes else as_printed
                if rules is None:
                    continue
                same = self.by_setting.setdefault((rules.variant, label), rules)
                if same.values == rules.values:
                    yield rules, label, spot
                else:
                    self.problems.add(spot, f"other rules of {rules.variant!r} are called {label!r} too")

    def _load(self, variant: str | None, changes: Mapping[str, Any], place: str) -> RuleSet | None:
        try:
            return load_rule_set(self.game, variant, changes)
        except ValueError as error:
            self.problems.add(place, str(error))
            return None

    def _lineup(self, place: str, given: Any, players: list[int]) -> list[tuple[Lineup, str]]:
        """The checked line-up in a list, or nothing if it is wrong."""
        lineup: Lineup | None = None
        if isinstance(given, str) and given:
            lineup = Lineup("self-play", self._name(given), (given,))
        elif isinstance(given, list) and given and all(isinstance(x, str) and x for x in given):
            lineup = Lineup("mixed", ", ".join(self._name(x) for x in given), tuple(given))
            if any(n != len(given) for n in players):
                wrong = ", ".join(str(n) for n in players if n != len(given))
                message = (
                    f"names {len(given)} policies, one a seat, but players has {wrong}; give it a block of its own"
                )
                self.problems.add(place, message)
                return []
        elif isinstance(given, dict):
            lineup = self._focus(place, given)
        else:
            wanted = "a policy's name, a list of names, one a seat, or {focus = ..., field = ...}"
            self.problems.add(place, f"must be {wanted}, not {given!r}")
        checked = [self._entry(name, place) for name in lineup.names] if lineup else []
        if lineup is None or not all(checked):
            return []
        return [(lineup, place)]

    def _focus(self, place: str, given: dict) -> Lineup | None:
        try:
            found = Focus.model_validate(given)
        except ValidationError as error:
            for detail in error.errors():
                word = "missing" if detail["type"] == "missing" else f"must be text in quotes, not {detail['input']!r}"
                if detail["type"] == "extra_forbidden":
                    word = "unknown key (allowed: focus, field)"
                self.problems.add(f"{place}.{path_of(detail['loc'])}", word)
            return None
        names = (found.focus, found.field)
        label = f"{self._name(names[0])} against {self._name(names[1])}"
        return Lineup("focus", label, names)

    @staticmethod
    def _name(given: str) -> str:
        return given.rpartition(":")[2]

    def _entry(self, name: str, place: str) -> tuple[Wanted, Entry] | None:
        if name not in self.entries:
            known = [*self.document.policies, *self.game.policies]
            if ".py" not in name and name not in known:
                self.problems.add(place, unknown("policy", name, known))
                return None
            self.entries[name] = self._resolve(entry(self._located(name)), place)
        return self.entries[name]

    def _cell(self, lineup: Lineup, players: int, rules: RuleSet, label: str, block: Block, place: str) -> Cell | None:
        pairs = [self._entry(name, place) for name in lineup.seats(players)]
        wanted = tuple(pair[0] for pair in pairs if pair)
        try:
            entries = resolve_lineup(wanted, self.game)
        except ValueError as error:
            self.problems.add(place, str(error))
            return None
        sources = self.game.sources_of(rules.values)
        for found in entries:
            for source in found.ban:
                if source not in sources:
                    message = f"policy {found.label!r}: variant {rules.variant!r} has no source {source!r} to ban"
                    self.problems.add(place, f"{message} (it has: {', '.join(sources)})")
                    return None
        same = all(e == entries[0] for e in entries)
        document = self.document
        games = block.games or document.games
        return Cell(
            game=self.game.name,
            rules=rules,
            rules_label=label,
            lineup_label=lineup.label if not same else entries[0].label,
            kind="self-play" if same else lineup.kind,
            wanted=wanted,
            entries=entries,
            seats=block.seats or document.seats,
            asked=games,
            seed=document.seed,
            keep=document.keep or ("playouts" if games <= MOST_PLAYOUTS else "tallies"),
            place=place,
        )


def expand(document: Document, folder: Path, problems: Problems) -> list[Cell]:
    """The cells of a study's grid; errors go to `problems`.

    Parameters
    ----------
    document : Document
    folder : path
        The study's folder, from which variants and policies of the designer's own are looked for.
    problems : Problems
    """
    try:
        grid = Grid(document, folder, problems)
    except ValueError as error:
        problems.add("game", str(error))
        return []
    return grid.cells()
