"""The numbers of a rule set that are varied, and rule sets at given values of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from engine.errors import unknown
from engine.game import Game
from engine.ruleset import RuleSet, load_rule_set


@dataclass(frozen=True)
class Number:
    """One rule, or one element of a list, with its range, both ends included."""

    name: str  # as in overrides: "trio_points", "forest_points.3"
    rule: str
    position: int | None  # in a list
    low: float
    high: float
    kind: type  # int, float or bool
    printed: float  # in the rules that are varied

    def at(self, u: np.ndarray) -> np.ndarray:
        """Values at `u`, uniform in [0, 1): whole numbers and switches are equally likely, each."""
        if self.kind is float:
            return self.low + u * (self.high - self.low)
        return np.floor(self.low + u * (self.high - self.low + 1))

    def levels(self, most: int = 9) -> list[float]:
        """Values for a curve, ascending: all whole numbers if there are few, else evenly spread ones; the printed
        value is one of them if it lies in the range."""
        values = np.linspace(self.low, self.high, most)
        if self.kind is not float:
            few = self.high - self.low < most
            values = np.arange(self.low, self.high + 1) if few else np.round(values)
        if self.low <= self.printed <= self.high:
            values = np.append(values, self.printed)
        return np.unique(values).tolist()

    def value(self, x: float) -> Any:
        """`x` in the type of the rule."""
        return self.kind(x)


def check_numbers(game: Game, rules: RuleSet, numbers: Mapping[str, Any]) -> tuple[Number, ...]:
    """Numbers with their ranges, each end of which is tried.

    Raises
    ------
    ValueError
        For a rule that is unknown or no number, or a range that is wrong.
    """
    if not isinstance(numbers, Mapping) or not numbers:
        raise ValueError(f"numbers must map rules to ranges, as in {{trio_points = [3, 11]}}, not {numbers!r}")
    found = tuple(_number(game, rules, str(name), span) for name, span in numbers.items())
    twice = {(n.rule, n.position) for n in found}
    if len(twice) < len(found):
        raise ValueError("numbers: two of them are the same element of one rule")
    return found


def _number(game: Game, rules: RuleSet, name: str, span: Any) -> Number:
    what = f"numbers: {name!r}"
    rule, _, element = name.partition(".")
    if rule not in rules.specs:
        raise ValueError(unknown(f"{game.name}: numbers: rule", rule, rules.specs))
    if isinstance(span, Mapping):
        raise ValueError(f"{what}: write an element of a list in quotes, as in '\"{name}.3\" = [2, 8]'")
    if isinstance(span, str) or not isinstance(span, Sequence) or len(span) != 2:
        raise ValueError(f"{what} must be a range [lowest, highest], not {span!r}")
    current, labels, position = rules.values[rule], rules.specs[rule].get("labels", []), None
    if isinstance(current, list):
        if not element:
            hint = f"{rule}.{labels[0] if labels else 0}"
            raise ValueError(f"{what} is a list of {len(current)}; name an element, as in {hint!r}")
        load_rule_set(game, None, {**rules.values, name: span[0]})  # says which elements there are
        position = labels.index(element) if element in labels else int(element)
        current = current[position]
    if not isinstance(current, (bool, int, float)):
        raise ValueError(f"{what} is {current!r}, no number and no switch")
    for end in span:
        load_rule_set(game, None, {**rules.values, name: end})
    if not span[0] < span[1]:
        raise ValueError(f"{what}: the lowest value must be less than the highest, not {list(span)!r}")
    return Number(name, rule, position, float(span[0]), float(span[1]), type(current), float(current))


def twice(changes: Mapping[str, Any], numbers: Sequence[Number], rules: RuleSet) -> list[tuple[str, str]]:
    """Changes of single values that a varied number would undo: (name of the change, name of the number)."""
    varied = {(number.rule, number.position): number.name for number in numbers}
    found = []
    for name, value in changes.items():
        rule, _, element = name.partition(".")
        parts = {f"{name}.{part}": part for part in value} if isinstance(value, Mapping) else {name: element}
        labels = rules.specs[rule].get("labels", []) if rule in rules.specs else []
        for said, part in parts.items():
            place = labels.index(part) if part in labels else int(part) if str(part).isdecimal() else None
            if (rule, place) in varied:
                found.append((said, varied[rule, place]))
    return found


def rules_at(game: Game, rules: RuleSet, numbers: Sequence[Number], point: Any) -> RuleSet:
    """The rules with these values of the numbers, without reading a file again.

    Raises
    ------
    ValueError
        If the game refuses the combination.
    """
    values, changed = dict(rules.values), dict(rules.changed)
    for number, x in zip(numbers, point, strict=True):
        value = number.value(x)
        if number.position is not None:
            value = [value if i == number.position else old for i, old in enumerate(values[number.rule])]
        if value != values[number.rule]:
            values[number.rule], changed[number.rule] = value, "sensitivity"
    try:
        record = game.pack(values)
    except ValueError as error:
        where = ", ".join(f"{n.name}={n.value(x):g}" for n, x in zip(numbers, point, strict=True))
        raise ValueError(f"{game.name}: {error} (at {where})") from None
    return replace(rules, values=values, changed=changed, record=record)
