"""Rule sets: the numbers and switches of a game, a variant's overlay, a designer's overrides, each checked.

A game's ``rules.toml`` has one table a rule: ``value``, ``meaning``, ``source`` (rulebook section or public
source), ``basis`` (how sure: see `BASES`), and optionally ``range``, ``length``, ``choices``, ``labels``
(names of a list's elements) and ``checked_by = "pack"`` for larger data that the game's `pack` checks itself.
A variant is an overlay: ``extends`` and the values that differ.
"""

import pickle
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from engine.errors import unknown, whole_number

if TYPE_CHECKING:
    from engine.game import Game

# How a value is known, from sure to assumed.
BASES = {
    "rulebook": "printed in the rulebook",
    "published": "confirmed by public sources",
    "ruling": "a ruling of this project where the rulebook is silent or unclear",
    "inferred": "inferred by arithmetic or from a worked example",
    "assumption": "an assumption of this project: the component is not public",
}
OVERLAY_WORDS = ("extends", "title", "note")


@dataclass(frozen=True, eq=False)
class RuleSet:
    """The rules in force: every value, where it comes from, and the record that compiled code reads."""

    game: str
    variant: str
    values: Mapping[str, Any]
    changed: Mapping[str, str]  # rule -> what changed it from the game's default: a variant or an override
    specs: Mapping[str, Mapping[str, Any]]
    record: np.ndarray  # shape (1,)
    version: int  # of the game's rules

    def assumptions(self) -> dict[str, str]:
        """The rules whose values are this project's assumptions, and what they mean."""
        return {
            name: spec["meaning"]
            for name, spec in self.specs.items()
            if spec["basis"] == "assumption" and name not in self.changed
        }

    def rows(self) -> list[dict[str, Any]]:
        """One row a rule: name, value, default, meaning, source, basis, changed_by."""
        return [
            {
                "rule": name,
                "value": self.values[name],
                "default": spec["value"],
                "meaning": spec["meaning"],
                "source": spec["source"],
                "basis": spec["basis"],
                "changed_by": self.changed.get(name, ""),
            }
            for name, spec in self.specs.items()
        ]

    def __repr__(self) -> str:
        differ = ", ".join(f"{name}={self.values[name]!r}" for name in self.changed) or "as printed"
        return f"RuleSet({self.game}, {self.variant}: {differ})"


def load_rule_set(game: "Game", variant: str | Path | None = None, rules: Mapping[str, Any] | None = None) -> RuleSet:
    """Read a game's rules, lay the variant over them, then the overrides; check everything.

    Raises
    ------
    ValueError
        For an unknown variant, rule or element, or a value out of its range; the message names it.
    """
    printed = _printed(_text(game.folder / "rules.toml"))
    document, values = printed.specs, pickle.loads(printed.values)
    changed: dict[str, str] = {}
    name = str(variant) if variant is not None else printed.variant
    for label, overlay in _overlays(game, name):
        for key, value in overlay.items():
            _override(values, document, key, value, where=label, changed=changed, by=f"variant {label}")
    if rules is not None and not isinstance(rules, Mapping):
        raise ValueError(f"rules must be a mapping of names to values, not {rules!r}")
    for key, value in (rules or {}).items():
        _override(values, document, key, value, where=game.name, changed=changed, by="override")
    try:
        record = game.pack(values)
    except ValueError as error:
        raise ValueError(f"{game.name}: {error}") from None
    return RuleSet(game.name, _variant_label(name), values, changed, document, record, printed.version)


def variants(game: "Game") -> dict[str, str]:
    """The variants that ship with a game, and their titles."""
    found = {}
    for path in sorted((game.folder / "variants").glob("*.toml")):
        found[path.stem] = read_toml(path).get("title", path.stem)
    return found


def read_toml(path: Path) -> dict[str, Any]:
    """A TOML file's content; a ValueError that names file, line and column if it is not TOML."""
    try:
        return tomllib.loads(_text(path))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{path}: not valid TOML: {error}") from None


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: is not a text file in UTF-8 (byte {error.start:,})") from None
    except OSError as error:
        raise ValueError(f"{path}: cannot be read: {error.strerror}") from None


class _Printed(NamedTuple):
    """What a ``rules.toml`` says."""

    version: int
    variant: str
    specs: Mapping[str, Mapping[str, Any]]  # shared by all rule sets, of which a study may have thousands
    values: bytes  # pickled, so that each rule set has its own


@lru_cache(maxsize=8)
def _printed(text: str) -> _Printed:
    specs = tomllib.loads(text)
    version, variant = specs.pop("version"), specs.pop("default_variant")
    values = pickle.dumps({name: spec["value"] for name, spec in specs.items()})
    return _Printed(version, variant, specs, values)


def _variant_label(name: str) -> str:
    return Path(name).stem if name.endswith(".toml") else name


def _overlays(game: "Game", name: str) -> list[tuple[str, dict[str, Any]]]:
    """The chain of overlays from the outermost base to the variant asked for."""
    chain: list[tuple[str, dict[str, Any]]] = []
    here, seen, label = Path.cwd(), [], name
    wanted: str | None = name
    while wanted is not None:
        path, label = _variant_path(game, wanted, here)
        if path in seen:
            raise ValueError(f"{path}: 'extends' goes round in a circle")
        seen.append(path)
        overlay = read_toml(path)
        wanted, here = overlay.get("extends"), path.parent
        if not overlay:
            raise ValueError(f"{path}: is empty; a variant has rules that differ, or {', '.join(OVERLAY_WORDS)}")
        if wanted is not None and not isinstance(wanted, str):
            raise ValueError(f"{path}: 'extends' must be a variant's name, not {wanted!r}")
        for word in ("title", "note"):
            if not isinstance(overlay.get(word, ""), str):
                raise ValueError(f"{path}: {word!r} must be text in quotes, not {overlay[word]!r}")
        chain.insert(0, (label, {k: v for k, v in overlay.items() if k not in OVERLAY_WORDS}))
    return chain


def _variant_path(game: "Game", name: str, here: Path) -> tuple[Path, str]:
    if name.endswith(".toml"):
        path = (here / Path(name).expanduser()).resolve()
        if not path.is_file():
            raise ValueError(f"{game.name}: variant file {name!r} does not exist (looked for {path})")
        return path, name
    path = game.folder / "variants" / f"{name}.toml"
    if not path.is_file() or Path(name).name != name:
        shipped = variants(game)
        raise ValueError(unknown(f"{game.name}: variant", name, shipped) + "; or the path of a .toml file")
    return path, name


def _override(
    values: dict[str, Any],
    specs: Mapping[str, Mapping[str, Any]],
    key: str,
    value: Any,
    *,
    where: str,
    changed: dict[str, str],
    by: str,
) -> None:
    """Set one rule, or one element of a list (``forest_points.3``), after checking it."""
    name, _, element = str(key).partition(".")
    if name not in specs:
        raise ValueError(unknown(f"{where}: rule", name, specs))
    spec = specs[name]
    if element:
        position = _position(f"{where}: rule {name!r}", spec, values[name], element)
        new = list(values[name])
        new[position] = value
        value = new
    elif isinstance(value, Mapping) and isinstance(spec["value"], list):
        new = list(values[name])
        for part, item in value.items():
            new[_position(f"{where}: rule {name!r}", spec, new, part)] = item
        value = new
    values[name] = check_value(f"{where}: rule {key!r}", spec, value)
    if values[name] != spec["value"]:
        changed[name] = by
    else:
        changed.pop(name, None)


def _position(what: str, spec: Mapping[str, Any], current: Any, element: str) -> int:
    if not isinstance(current, list):
        raise ValueError(f"{what} is a single value; it has no element {element!r}")
    labels = spec.get("labels", [])
    if element in labels:
        return labels.index(element)
    allowed = [*labels, *map(str, range(len(current)))]
    if element not in allowed:
        raise ValueError(unknown(f"{what}: element", element, allowed))
    return int(element)


def check_value(what: str, spec: Mapping[str, Any], value: Any) -> Any:
    """`value` in the type of the rule's default and within its range, or a ValueError."""
    default = spec["value"]
    if spec.get("checked_by") == "pack":
        if not isinstance(value, type(default)):
            raise ValueError(f"{what} must be a {type(default).__name__}, not {value!r}")
        return value
    if isinstance(default, list):
        if not isinstance(value, (list, tuple, np.ndarray)):
            raise ValueError(f"{what} must be a list, not {value!r}")
        low, high = spec.get("length", [len(default), len(default)])
        if not low <= len(value) <= high:
            span = f"{low}" if low == high else f"{low} to {high}"
            raise ValueError(f"{what} must have {span} elements, not {len(value)}")
        element = {**spec, "value": default[0]}
        return [check_value(f"{what}, element {i}", element, x) for i, x in enumerate(value)]
    if isinstance(default, bool):
        if not isinstance(value, (bool, np.bool_)):
            raise ValueError(f"{what} must be true or false, not {value!r}")
        return bool(value)
    if isinstance(default, int):
        low, high = spec.get("range", [-(2**31), 2**31 - 1])
        return whole_number(what, value, low, high)
    if isinstance(default, float):
        low, high = spec.get("range", [float("-inf"), float("inf")])
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
            raise ValueError(f"{what} must be a number from {low:g} to {high:g}, not {value!r}")
        return float(value)
    if not isinstance(value, type(default)):
        raise ValueError(f"{what} must be a {type(default).__name__}, not {value!r}")
    if "choices" in spec and value not in spec["choices"]:
        raise ValueError(unknown(what, value, spec["choices"]))
    return value
