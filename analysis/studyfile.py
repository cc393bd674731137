"""The shape of a study file: its keys and types, and every error in one line with its place."""

import difflib
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

Seats = Literal["fixed", "rotate", "permute"]
Text = Annotated[str, Field(min_length=1)]
Count = Annotated[int, Field(ge=1, le=10**12)]


class StudyError(ValueError):
    """A study file with errors; `lines` has one a line."""

    def __init__(self, lines: Sequence[str]):
        super().__init__("\n".join(lines))
        self.lines = list(lines)


class Strict(BaseModel):
    """Extra keys forbidden, nothing converted."""

    model_config = ConfigDict(extra="forbid", strict=True, use_attribute_docstrings=True)


class Focus(Strict):
    """One seat plays `focus`, the others `field`."""

    focus: Text
    """the policy of one seat, which every seat has in turn"""
    field: Text
    """the policy of the other seats"""


class Style(Strict):
    """A named policy of the study: another one with other weights, bans or a share of random play."""

    base: Text
    """a built-in policy, or path/to/file.py:name"""
    weights: dict[str, float] = {}
    """weights by name; `meeplecarlo policies GAME` lists them"""
    ban: list[str] = []
    """sources that it does not feed, unless nothing else is legal"""
    random: float = 0
    """the probability of playing a random legal action"""


class Block(Strict):
    """One ``[[grid]]`` block: a cross product."""

    variant: Annotated[list[Text], Field(min_length=1)] | None = None
    """shipped variants or .toml files; by default the game's own"""
    players: Annotated[list[int], Field(min_length=1)]
    """numbers of players"""
    rules: Annotated[list[dict[str, Any]], Field(min_length=1)] = [{}]
    """sets of changed rules, each a table; `name` gives it a label"""
    lineup: Annotated[list[Any], Field(min_length=1)]
    """policies: one name for all seats, {focus, field}, or a list with one a seat"""
    games: Count | None = None
    """of each cell; by default the study's"""
    seats: Seats | None = None
    """by default the study's"""
    until: dict[str, Any] | None = None
    """a stop rule (`analysis.until`); games is then the most"""


class Compare(Strict):
    """One ``[[compare]]`` block: two rule sets, variants or line-ups on the same deals (`analysis.comparison`)."""

    players: Annotated[list[int], Field(min_length=1)]
    """numbers of players"""
    lineup: Any
    """as in [[grid]]"""
    variant: Text | None = None
    """of the first side"""
    rules: dict[str, Any] = {}
    """changed rules of the first side"""
    against: dict[str, Any] | None = None
    """all changed rules of the other side"""
    against_lineup: Any = None
    """the other side's line-up, if it differs"""
    against_variant: Text | None = None
    """the other side's variant, if it differs"""
    games: Count | None = None
    """of each side; by default the study's"""
    seats: Seats | None = None
    """by default the study's"""
    until: dict[str, Any] | None = None
    """a stop rule for the difference; games is then the most"""


class Sensitivity(Strict):
    """The ``[sensitivity]`` block: which rule numbers are varied, and what is looked at (`analysis.sensitivity`)."""

    numbers: dict[str, Any]
    """rule numbers and the range of each"""
    metric: Any
    """what is looked at: a table {name, ...} or a list of them"""
    players: int
    """number of players"""
    lineup: Any
    """as in [[grid]]"""
    variant: Text | None = None
    """a shipped variant or a .toml file"""
    rules: dict[str, Any] = {}
    """changed rules"""
    base_points: int | None = None
    """times (numbers + 2) is the number of rule sets"""
    games: Count | None = None
    """of each rule set; by default the study's"""
    curve_games: Count | None = None
    """of each point of a curve"""
    seats: Seats | None = None
    """by default the study's"""


class Document(Strict):
    """A study file."""

    title: Text
    """the report's title"""
    question: Text
    """what the study asks"""
    game: Text
    """`meeplecarlo games` lists them"""
    games: Count
    """of each cell; rounded up to whole deals"""
    seed: Annotated[int, Field(ge=0, le=2**64 - 1)]
    """the same seed gives the same games"""
    grid: Annotated[list[Block], Field(min_length=1)] = []
    """blocks of cells: every combination of their lists"""
    compare: Annotated[list[Compare], Field(min_length=1)] = []
    """pairs of sides on the same deals"""
    sensitivity: Sensitivity | None = None
    """rule numbers varied together"""
    correct: Literal["holm", "benjamini-hochberg", "none"] = "holm"
    """for families of comparisons"""
    keep: Literal["playouts", "tallies"] | None = None
    """every game, or sums and histograms; by default playouts up to 200,000 games a cell and 10 million in all"""
    seats: Seats = "rotate"
    """each deal from every seat in turn (rotate), from one (fixed), or in every order (permute)"""
    note: str = ""
    """shown below the question"""
    policies: dict[str, Style] = {}
    """policies of the study's own, by name"""
    thresholds: dict[str, Any] = {}
    """limits of the fairness card; see below"""


class Problems:
    """The errors found so far, each once."""

    def __init__(self, file: str):
        self.file = file
        self.lines: dict[str, None] = {}

    def add(self, place: str, message: str) -> None:
        """Note one error."""
        first = str(message).splitlines()[0]
        self.lines[f"{self.file}: {place}: {first}"] = None

    def stop(self) -> None:
        """Raise StudyError if there were any."""
        if self.lines:
            raise StudyError(list(self.lines))


def read_document(path: Path) -> tuple[bytes, dict[str, Any]]:
    """A study file's bytes and its content, or StudyError if it is missing, empty or not TOML."""
    try:
        raw = path.read_bytes()
        document = tomllib.loads(raw.decode("utf-8"))
    except OSError as error:
        raise StudyError([f"{path.name}: cannot be read: {error.strerror}"]) from None
    except UnicodeDecodeError as error:
        raise StudyError([f"{path.name}: is not a text file in UTF-8 (byte {error.start:,})"]) from None
    except tomllib.TOMLDecodeError as error:
        raise StudyError([f"{path.name}: not valid TOML: {error}"]) from None
    if not document:
        needed = ", ".join(name for name, field in Document.model_fields.items() if field.is_required()) + ", grid"
        raise StudyError([f"{path.name}: is empty; a study needs {needed}"])
    return raw, document


def check_shape(document: dict[str, Any], problems: Problems) -> Document | None:
    """The checked document; if it has errors, what is left without the wrong parts, so that more can be found."""
    left = document
    for attempt in range(3):
        try:
            return Document.model_validate(left)
        except ValidationError as error:
            details = error.errors()
        for detail in details:
            if attempt == 0:
                problems.add(path_of(detail["loc"]), _message(detail))
        for detail in reversed(details):
            loc = detail["loc"]
            left = _without(left, loc[:-1] if detail["type"] == "missing" and len(loc) > 1 else loc)
        left = {"title": "-", "question": "-", "seed": 0, "games": 1, **left}
    return None


def _without(part: Any, loc: Sequence[int | str]) -> Any:
    """A copy without the key or element at `loc`."""
    if isinstance(part, dict) and loc[0] in part:
        copy: Any = dict(part)
    elif isinstance(part, list) and isinstance(loc[0], int) and loc[0] < len(part):
        copy = list(part)
    else:
        return part
    inner = copy[loc[0]]
    if len(loc) > 1 and isinstance(inner, (dict, list)):
        copy[loc[0]] = _without(inner, loc[1:])
    else:
        del copy[loc[0]]
    return copy


def path_of(loc: Sequence[int | str]) -> str:
    """``("grid", 0, "players", 1)`` as ``grid[0].players[1]``."""
    text = ""
    for part in loc:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else str(part)
    return text or "(file)"


WANTED = {
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "string_type": "text in quotes",
    "list_type": "a list in [ ]",
    "dict_type": "a table in { }",
    "model_type": "a table",
    "bool_type": "true or false",
}


def _message(detail: Any) -> str:
    kind, value, context = detail["type"], detail["input"], detail.get("ctx", {})
    if kind == "missing":
        return "missing; every study needs it" if len(detail["loc"]) == 1 else "missing"
    if kind == "extra_forbidden":
        name, allowed = str(detail["loc"][-1]), _keys_at(detail["loc"][:-1])
        close = difflib.get_close_matches(name, allowed, n=1, cutoff=0.5)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        return f"unknown key{hint} (allowed: {', '.join(allowed)})"
    if len(detail["loc"]) == 1 and (written := _brackets(str(detail["loc"][0]), value)):
        return written
    if kind in WANTED:
        return f"must be {WANTED[kind]}, not {value!r}"
    if kind == "literal_error":
        return f"must be {context['expected']}, not {value!r}"
    if kind in ("greater_than_equal", "less_than_equal"):
        bound = "at least" if kind == "greater_than_equal" else "at most"
        return f"must be {bound} {context.get('ge', context.get('le')):,}, not {value:,}"
    if kind in ("too_short", "string_too_short"):
        return "must not be empty"
    return f"{detail['msg'].lower()}, not {value!r}"


def _brackets(name: str, value: Any) -> str:
    """How the head of a block is written, if it has the wrong number of brackets; else empty."""
    if name in ("grid", "compare") and isinstance(value, dict):
        return f"write [[{name}]], not [{name}]: there may be several"
    if name in ("sensitivity", "thresholds") and isinstance(value, list):
        return f"write [{name}], not [[{name}]]: there is one"
    return ""


def _keys_at(loc: Sequence[int | str]) -> list[str]:
    models: dict[str, type[Strict]] = {"grid": Block, "compare": Compare, "policies": Style, "sensitivity": Sensitivity}
    model = models.get(str(loc[0]), Document) if loc else Document
    return list(model.model_fields)
