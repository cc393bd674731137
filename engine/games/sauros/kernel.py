"""The compiled entry point of Sauros."""

from engine.block import play, play_signature
from engine.games.sauros.moves import apply, feeds, legal, setup
from engine.games.sauros.rules import RULES
from engine.games.sauros.scoring import facts, pieces, rank, score
from engine.games.sauros.state import STATE
from engine.jit import kernel


@kernel(play_signature(STATE, RULES))
def play_block(job, rules, choose, value, entries, scratch, out, trace):
    """Play a block of games; see `engine.block.play`."""
    play(
        setup,
        legal,
        apply,
        score,
        rank,
        pieces,
        facts,
        feeds,
        job,
        rules,
        choose,
        value,
        entries,
        scratch,
        out,
        trace,
    )
