"""Meeple Carlo's engine: compiled Monte Carlo play of tabletop games under pluggable policies.

>>> import engine
>>> play = engine.simulate("draftosaurus", ["greedy", "random", "random", "random"], games=1_000, seed=1)
>>> play.score.shape
(1000, 4)
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from engine import bits, rng
from engine.errors import GameError, PolicyError
from engine.games import TABLE as _TABLE
from engine.games import load_game
from engine.jit import compiled
from engine.playouts import Playouts
from engine.policy import Policy, entry, heuristic, policy
from engine.ruleset import RuleSet, load_rule_set, variants
from engine.run import simulate
from engine.transcript import Transcript, replay, trace, transcripts

__version__ = "0.1.0"
__all__ = [
    "GameError",
    "Playouts",
    "Policy",
    "PolicyError",
    "RuleSet",
    "Transcript",
    "bits",
    "compiled",
    "entry",
    "games",
    "heuristic",
    "load_game",
    "load_rules",
    "policies",
    "policy",
    "replay",
    "rng",
    "simulate",
    "trace",
    "transcripts",
    "variants",
]


def games() -> list[str]:
    """The names of the games."""
    return list(_TABLE)


def policies(game: str) -> dict[str, dict[str, Any]]:
    """The built-in policies of a game: name -> what it does ("idea") and its "weights" by name."""
    return {
        name: {"idea": found.idea, "weights": {w.name: w for w in found.weights}}
        for name, found in load_game(game).policies.items()
    }


def load_rules(game: str, variant: str | Path | None = None, rules: Mapping[str, Any] | None = None) -> RuleSet:
    """The rules of a game with a variant's overlay and overrides, checked, each with its provenance.

    Raises
    ------
    ValueError
        For an unknown game, variant or rule, or a value out of its range.
    """
    return load_rule_set(load_game(game), variant, rules)
