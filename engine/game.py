"""What a game is, to the engine: a descriptor, and compiled functions that keep the contract below.

State is one flat record, so that a copy is one block of memory and a policy gets one pointer. Rules are one
record too, so that a variant never compiles anything.

========================================  ======================================================================
compiled function                         does
========================================  ======================================================================
``setup(state, rules)``                   deals the game and stands at the first decision; the loop has blanked
                                          the state, keyed the streams and set ``state.seats``
``legal(state, rules) -> uint64``         the legal actions of the decision in front of ``state.mover`` as a
                                          mask; 0 exactly at the end
``apply(state, rules, action)``           plays the action, and every chance event up to the next decision
``redeal(state, rules, seat)``            draws again everything the seat cannot know
``score(state, rules, points)``           fills ``points[seat, source]``; the sources add up to the score
``rank(state, rules, points, share)``     fills each seat's win share, 1/k when k seats share the win
``pieces(state, rules, out)``             fills ``out[seat, source]``: what lies in each source
``facts(state, rules, out)``              fills ``out[seat, fact]``: other numbers the game keeps about a seat
``feeds(state, rules, source) -> uint64`` the actions of this decision that put a piece into the source
========================================  ======================================================================

Every decision has at most 64 actions; one with a single legal action is asked and counted. ``state.phase`` is
the index of the decision's kind in ``Game.phases``. Simultaneous choices are collected and applied together,
so that no seat sees another's choice of the same turn.

``redeal`` is what an honest player could imagine. It pools what the seat has not seen, sorted, and deals it
again, consistent with what the seat knows; it draws again secret choices already made this turn, legally for
the new hands; it re-keys every chance stream and the other seats' streams (`engine.rng.imagine_streams`); it
leaves the seat's own stream where it was; and its result depends on what the seat knows and its own stream.

Every game keeps ``pack``, which turns checked rule values into the rules record, and refuses what does not fit
together. Text functions turn states into words for `engine.replay`.
"""

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

import numba
import numpy as np

from engine import jit
from engine.policy import Policy

# The length of the compiled line-up, whatever the number of seats; also the most seats a game may have.
MAX_SEATS = 6


def state_dtype(chance: int, seats: int, fields: list[tuple]) -> np.dtype:
    """The dtype of a state record: the engine's own fields, then the game's.

    Parameters
    ----------
    chance : int
        Sources of chance, each with a stream of its own.
    seats : int
        The most players.
    fields : list of tuple
        The game's fields as for `numpy.dtype`. Use int64 for what enters arithmetic.
    """
    own = [
        ("seats", "i8"),  # number of players in this game
        ("mover", "i8"),  # the seat in front of its decision
        ("phase", "i8"),  # the kind of decision
        ("chance", "u8", (chance, 2)),  # streams of the sources of chance
        ("own", "u8", (seats, 2)),  # each seat's policy's own stream
    ]
    return record_dtype(own + fields)


def record_dtype(fields: list[tuple]) -> np.dtype:
    """An aligned record dtype whose scalars have attributes, compiled or not; its size is whole 64-bit words."""
    plain = np.dtype(fields, align=True)
    short = -plain.itemsize % 8
    if short:
        plain = np.dtype([*fields, ("_pad", "u1", (short,))], align=True)
    return np.dtype((np.record, plain))


@dataclass(frozen=True, eq=False)
class Game:
    """A game, as the engine, the command line and the reports know it."""

    name: str
    title: str
    seats: tuple[int, int]  # fewest and most players
    phases: tuple[str, ...]  # kinds of decision, by `state.phase`
    sources: tuple[str, ...]  # all sources of points, the second axis of `score`
    facts: tuple[str, ...]
    state: np.dtype
    rules: np.dtype
    pack: Callable[[Mapping[str, Any]], np.ndarray]  # checked values -> rules record, shape (1,)
    sources_of: Callable[[Mapping[str, Any]], tuple[str, ...]]  # the sources that these rules use
    limit: Callable[[Mapping[str, Any], int], int]  # (values, seats) -> no game has more decisions than this
    functions: Mapping[str, Any]  # the compiled functions of the contract, by name
    play_block: Any
    policy_module: str
    text: Any  # the module that turns states into words: see engine.transcript
    piece: str = "pieces"  # the noun for what lies in a source
    # Facts that belong together: a name -> (fact, fact that it is counted per), such as points per use of a mat.
    fact_rates: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    folder: Path = field(default=Path())

    @cached_property
    def policies(self) -> dict[str, Policy]:
        """The built-in policies by name: those written in the policy module, then those it imports."""
        module: ModuleType = importlib.import_module(self.policy_module)
        found = [p for p in vars(module).values() if isinstance(p, Policy)]
        found.sort(key=lambda p: p.function.__module__ != self.policy_module)
        return {p.name: p for p in found}

    @cached_property
    def choose_type(self) -> Any:
        """Signature of a policy: (state, rules, legal, weights) -> action."""
        state, rules = numba.from_dtype(self.state), numba.from_dtype(self.rules)
        return numba.int64(state, rules, numba.uint64, numba.float64[::1])

    @cached_property
    def value_type(self) -> Any:
        """Signature of a heuristic: (state, rules, action, weights) -> value."""
        state, rules = numba.from_dtype(self.state), numba.from_dtype(self.rules)
        return numba.float64(state, rules, numba.int64, numba.float64[::1])

    def warm_up(self) -> None:
        """Compile the kernel, or load it from the disk cache, before threads or processes start."""
        if not jit.UNCOMPILED:
            self.play_block.compile()
