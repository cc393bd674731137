"""What goes wrong, said in one line that names the thing, its value and what is allowed."""

import difflib
from collections.abc import Iterable


class PolicyError(ValueError):
    """A policy that cannot be loaded or compiled, or that broke the rules while playing."""


class GameError(RuntimeError):
    """A game that broke its own contract, such as one that does not end."""


def unknown(what: str, value: object, allowed: Iterable[str]) -> str:
    """A message for a name that is not among the allowed ones, with the closest of them."""
    names = [str(name) for name in allowed]
    close = difflib.get_close_matches(str(value), names, n=1, cutoff=0.5)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    return f"{what} {value!r} is not known{hint} (allowed: {', '.join(names) or 'none'})"


MOST_GAMES = 10**12  # also deals and indices; with the most seatings of a deal it stays whole in 64 bits


def whole_number(what: str, value: object, low: int, high: int | None = None) -> int:
    """`value` as an int if it is a whole number in [low, high]; a ValueError that names it otherwise."""
    try:
        if isinstance(value, bool):
            raise TypeError
        number = int(value.__index__())  # type: ignore[attr-defined]
    except (AttributeError, TypeError):
        raise ValueError(f"{what} must be a whole number, not {value!r}") from None
    if number < low or (high is not None and number > high):
        span = f"at least {low:,}" if high is None else f"from {low:,} to {high:,}"
        raise ValueError(f"{what} must be {span}, not {number:,}")
    return number
