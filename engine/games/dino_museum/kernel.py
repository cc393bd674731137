"""The compiled entry point of Dino Museum."""

from engine.block import play, play_signature
from engine.games.dino_museum.moves import apply, feeds, legal
from engine.games.dino_museum.rules import RULES
from engine.games.dino_museum.scoring import facts, pieces, rank, score
from engine.games.dino_museum.state import STATE, setup
from engine.jit import kernel


@kernel(play_signature(STATE, RULES))
def play_block(job, rules, choose, value, entries, scratch, out, trace):
    """Play a block of games; see `engine.block.play`."""
    play(
        setup, legal, apply, score, rank, pieces, facts, feeds, job, rules, choose, value, entries, scratch, out, trace
    )  # fmt: skip
