"""Policies and heuristics: declaring them, finding them by name or in a designer's file, compiling them."""

import inspect
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numba

from engine import jit, userfile
from engine.errors import PolicyError, unknown

if TYPE_CHECKING:
    from engine.game import Game

ARGUMENTS = {False: ("state", "rules", "legal", "weights"), True: ("state", "rules", "action", "weights")}


@dataclass(frozen=True)
class Weight:
    """A number that a policy reads, which a study or a tuner may change without a recompile."""

    name: str
    default: float
    low: float = float("-inf")
    high: float = float("inf")
    meaning: str = ""


@dataclass(frozen=True, eq=False)
class Policy:
    """A way to play: a function that chooses an action, or one that gives each action a value."""

    name: str
    game: str
    function: Callable
    is_heuristic: bool
    weights: tuple[Weight, ...] = ()
    compiled: dict = field(default_factory=dict, repr=False)

    def __call__(self, *arguments: Any) -> Any:
        """The plain function, so that a policy can be tried on a state."""
        return self.function(*arguments)

    @property
    def idea(self) -> str:
        """What the policy does, from its docstring."""
        return inspect.cleandoc(self.function.__doc__ or "No description.")

    @property
    def place(self) -> str:
        """File and line of the function."""
        return f"{self.function.__code__.co_filename}:{self.function.__code__.co_firstlineno}"

    @property
    def is_built_in(self) -> bool:
        """Whether the policy belongs to the engine."""
        return self.function.__module__.startswith("engine.games.")


def policy(game: str, *, weights: Mapping[str, Any] | None = None, name: str | None = None) -> Callable:
    """Declare ``choose(state, rules, legal, weights) -> action`` as a policy of a game.

    Parameters
    ----------
    game : str
        The game's name.
    weights : mapping, optional
        Name to default, or to ``(default, low, high, meaning)``. The function finds their values in
        ``weights`` (float64) in this order.
    name : str, optional
        Instead of the function's name.
    """
    return lambda function: _declare(function, game, False, weights, name)


def heuristic(game: str, *, weights: Mapping[str, Any] | None = None, name: str | None = None) -> Callable:
    """Declare ``value(state, rules, action, weights) -> float`` as a heuristic of a game.

    The engine plays the best legal action and breaks ties at random. Parameters as for `policy`.
    """
    return lambda function: _declare(function, game, True, weights, name)


def _declare(
    function: Callable, game: str, is_heuristic: bool, weights: Mapping[str, Any] | None, name: str | None
) -> Policy:
    place = f"{function.__code__.co_filename}:{function.__code__.co_firstlineno}"
    wanted = ARGUMENTS[is_heuristic]
    if len(inspect.signature(function).parameters) != len(wanted):
        raise PolicyError(f"{function.__name__} ({place}) must take ({', '.join(wanted)})")
    if weights is not None and not isinstance(weights, Mapping):
        raise PolicyError(f"{function.__name__} ({place}): weights must map names to numbers, not {weights!r}")
    table = tuple(_weight(f"{function.__name__} ({place})", weight, given) for weight, given in (weights or {}).items())
    return Policy(name or function.__name__, game, function, is_heuristic, table)


def _weight(what: str, name: Any, given: Any) -> Weight:
    """A weight as it is declared, with its default in its range."""
    if not isinstance(name, str) or not name:
        raise PolicyError(f"{what}: a weight's name must be text, not {name!r}")
    values = given if isinstance(given, (tuple, list)) else (given,)
    numbers, words = values[:3], values[3:]
    are_numbers = all(isinstance(x, Real) and not isinstance(x, bool) and x == x for x in numbers)
    if not values or not are_numbers or len(words) > 1 or not all(isinstance(x, str) for x in words):
        raise PolicyError(f"{what}: weight {name!r} must be a number or (default, low, high, meaning), not {given!r}")
    default, low, high = (float(x) for x in (*numbers, *(-math.inf, math.inf)[len(numbers) - 1 :]))
    if low > high:
        raise PolicyError(
            f"{what}: weight {name!r}: its lowest value must be at most its highest, {high:g}, not {low:g}"
        )
    if not low <= default <= high or math.isinf(default):
        span = f"from {low:g} to {high:g} and finite"
        raise PolicyError(f"{what}: weight {name!r}: its default must be {span}, not {default:g}")
    return Weight(name, default, low, high, *words)


def find_policy(given: "str | Policy", game: "Game") -> Policy:
    """A policy from a built-in name, ``path/to/file.py:name`` or the object itself.

    Raises
    ------
    PolicyError
        If it is not known, its file cannot be read or run, or it belongs to another game.
    """
    if isinstance(given, Policy):
        found = given
    elif not isinstance(given, str):
        raise PolicyError(f"a policy is a name, 'file.py:name' or a decorated function, not {given!r}")
    elif re.search(r"\.py(:|$)", given):
        found = _from_file(given)
    elif given in game.policies:
        found = game.policies[given]
    else:
        raise PolicyError(unknown(f"{game.name}: policy", given, game.policies))
    if found.game != game.name:
        raise PolicyError(f"policy {found.name!r} ({found.place}) plays {found.game!r}, not {game.name!r}")
    return found


def _from_file(spec: str) -> Policy:
    path, _, name = spec.rpartition(":")
    if not path or path.endswith(":") or not name:
        raise PolicyError(f"policy {spec!r}: write it as path/to/file.py:name")
    found = {k: v for k, v in vars(userfile.load(Path(path))).items() if isinstance(v, Policy)}
    by_name = {p.name: p for p in found.values()} | found
    if name not in by_name:
        raise PolicyError(
            unknown(f"{path}: policy", name, by_name)
            + "; a policy is a function under @engine.policy(...) or @engine.heuristic(...)"
        )
    return by_name[name]


def compile_entry(found: Policy, game: "Game") -> Any:
    """The policy's function, compiled so that it can sit in a line-up of `game`.

    Raises
    ------
    PolicyError
        If it does not compile or returns something else than it should; the message names file and line.
    """
    if jit.UNCOMPILED:
        return found.function
    if game.name not in found.compiled:
        signature = game.value_type if found.is_heuristic else game.choose_type
        try:
            dispatcher, returns = jit.compile_policy(found.function, signature, cached=found.is_built_in)
        except Exception as error:  # Numba raises what its passes raise, a plain KeyError among them
            raise PolicyError(_compile_message(found, game, error)) from None
        wrong = _wrong_return(found, returns)
        if wrong:
            raise PolicyError(wrong)
        found.compiled[game.name] = dispatcher
    return found.compiled[game.name]


def _wrong_return(found: Policy, returns: Any) -> str | None:
    """What is wrong with the type that a policy's function returns, or None."""
    numbers = (numba.types.Integer, numba.types.Float) if found.is_heuristic else (numba.types.Integer,)
    if isinstance(returns, numbers):
        return None
    noun, wanted = ("heuristic", "a number") if found.is_heuristic else ("policy", "an integer, the action")
    got = "nothing (None)" if isinstance(returns, numba.types.NoneType) else str(returns)
    return (
        f"{noun} {found.name!r} ({found.place}) returns {got} and must return {wanted}; "
        "look at every `return` in it, and at its end"
    )


def _compile_message(found: Policy, game: "Game", error: Exception) -> str:
    """Numba's pages in one line: what it did not understand, and in which line."""
    where = found.place
    if isinstance(error, KeyError) and len(error.args) == 1:
        fields = [*(game.state.names or ()), *(game.rules.names or ())]
        reason = unknown("field of state or rules", error.args[0], fields)
    else:
        text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
        lines = [line.strip() for line in text.splitlines()]
        noise = ("Failed in nopython", "During:", "File ", "This error may", "^", "<source", "To see", "http")
        says = [x for x in lines if x and not x.startswith(noise) and not set(x) <= set("-^~ ")]
        telling = ("rror", "annot", "nknown", "nvalid", "No implementation")
        reason = next((x for x in says if any(word in x for word in telling)), "")
        reason = reason or (says[0] if says else type(error).__name__)
        own = Path(found.function.__code__.co_filename).name
        at = re.findall(r'File "([^"]+)", line (\d+)', text)
        where = next((f"{file}:{line}" for file, line in at if Path(file).name == own), where)
    return (
        f"policy {found.name!r} does not compile, {where}: {reason[:400]}. "
        "It may use numbers, arrays, loops, the fields of state and rules, engine.bits, engine.rng and "
        "functions under @engine.compiled; see 'Writing a policy' in CONTRIBUTING.md"
    )


# ---------------------------------------------------------------------------------------------------------
# Entries of a line-up
# ---------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Entry:
    """One place in a line-up: a policy, and how it is held back or tuned."""

    policy: Policy
    label: str
    weights: tuple[float, ...] = ()
    ban: tuple[str, ...] = ()
    random: float = 0.0


@dataclass(frozen=True)
class Wanted:
    """An entry before its game is known; made by `entry`."""

    policy: "str | Policy"
    weights: tuple[tuple[str, float], ...]
    ban: tuple[str, ...]
    random: float
    label: str | None


def entry(
    policy: "str | Policy",
    *,
    weights: Mapping[str, float] | None = None,
    ban: Sequence[str] = (),
    random: float = 0.0,
    label: str | None = None,
) -> Wanted:
    """A policy for a line-up with other weights, banned sources or a share of random play.

    Parameters
    ----------
    policy : str or Policy
        A built-in name, ``path/to/file.py:name`` or a decorated function.
    weights : mapping, optional
        Weight name to value, for those that differ from the default.
    ban : sequence of str
        Sources whose feeding actions are taken away, unless nothing else is legal.
    random : float
        The probability, 0 to 1, with which a decision is made uniformly at random.
    label : str, optional
        The name in tables; by default made from the above.
    """
    if isinstance(ban, str):
        ban = [ban]
    return Wanted(policy, tuple((weights or {}).items()), tuple(ban), random, label)


def resolve_entry(given: "str | Policy | Wanted", game: "Game") -> Entry:
    """Check an entry against its game and give every weight its value."""
    if not isinstance(given, Wanted):
        given = entry(given)
    found = find_policy(given.policy, game)
    values = {w.name: w.default for w in found.weights}
    ranges = {w.name: (w.low, w.high) for w in found.weights}
    for name, value in given.weights:
        if name not in values:
            raise PolicyError(unknown(f"policy {found.name!r}: weight", name, values))
        low, high = ranges[name]
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
            raise PolicyError(f"policy {found.name!r}: weight {name!r} must be from {low:g} to {high:g}, not {value!r}")
        values[name] = float(value)
    for source in given.ban:
        if source not in game.sources:
            raise PolicyError(unknown(f"policy {found.name!r}: ban", source, game.sources))
    share = given.random
    if isinstance(share, bool) or not isinstance(share, (int, float)) or not 0 <= share <= 1:
        raise PolicyError(f"policy {found.name!r}: random must be from 0 to 1, not {share!r}")
    label = given.label or _label(found, given)
    return Entry(found, label, tuple(values.values()), tuple(sorted(set(given.ban))), float(share))


def _label(found: Policy, given: Wanted) -> str:
    changes = [f"{name}={value:g}" for name, value in given.weights]
    changes += [f"no {source}" for source in given.ban]
    if given.random:
        changes.append(f"{given.random:.6g} random")
    return f"{found.name} ({', '.join(changes)})" if changes else found.name
