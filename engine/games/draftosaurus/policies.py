"""Policies of Draftosaurus."""

from engine import bits, rng
from engine.policy import policy

GAME = "draftosaurus"


@policy(GAME)
def random(state, rules, legal, weights):
    """Plays a uniformly random legal action."""
    return bits.select(legal, rng.below(state, bits.count(legal)))
