"""The limits of the fairness card: names, defaults and ranges; a study's ``[thresholds]`` changes them.

They are conventions, not laws: what is fair enough is the designer's to say.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.errors import unknown


@dataclass(frozen=True)
class Threshold:
    """One limit."""

    default: float
    low: float  # least and greatest value allowed
    high: float
    meaning: str


THRESHOLDS = {
    "first_player": Threshold(0.03, 0, 1, "the first player's win share is at most so far from the even share"),
    "close_lead": Threshold(0.1, 0, 10, "a game is close if the winner's lead is at most this part of the mean score"),
    "close_games": Threshold(0.3, 0, 1, "at least this part of games is close"),
    "too_good": Threshold(2, 1, 100, "points per piece of a source are at most so many times the mean of all sources"),
    "too_weak": Threshold(0.5, 0, 1, "points per piece of a source are at least so many times the mean of all sources"),
    "ignored": Threshold(0.1, 0, 1, "a source is used by at least this part of seats"),
    "dominance": Threshold(0.1, 0, 1, "the best policy's win share is at most so far ahead of the next one's"),
    "fewest_decisions": Threshold(5, 0, 10_000, "a seat makes at least so many decisions a game"),
    "most_decisions": Threshold(60, 0, 10_000, "a seat makes at most so many decisions a game"),
    "ties": Threshold(0.05, 0, 1, "at most this part of games ends with a shared win"),
}


def faults(given: Mapping[str, Any]) -> list[str]:
    """What is wrong with these limits, a line each."""
    lines, found = [], _defaults()
    for name, value in given.items():
        limit = THRESHOLDS.get(name)
        if limit is None:
            lines.append(unknown("threshold", name, THRESHOLDS))
        elif isinstance(value, bool) or not isinstance(value, (int, float)) or not limit.low <= value <= limit.high:
            lines.append(f"{name} must be a number from {limit.low:,g} to {limit.high:,g}, not {value!r}")
        else:
            found[name] = value
    if found["fewest_decisions"] > found["most_decisions"]:
        least, most = (f"{found[name]:g}" for name in ("fewest_decisions", "most_decisions"))
        lines.append(f"fewest_decisions must not be above most_decisions; they are {least} and {most}")
    return lines


def thresholds(given: Mapping[str, Any]) -> dict[str, float]:
    """Every limit by name: what is given, else the default.

    Raises
    ------
    ValueError
        With a line for each name that is unknown or value out of its range.
    """
    if lines := faults(given):
        raise ValueError("\n".join(lines))
    return _defaults() | {name: float(value) for name, value in given.items()}


def _defaults() -> dict[str, float]:
    return {name: float(limit.default) for name, limit in THRESHOLDS.items()}
