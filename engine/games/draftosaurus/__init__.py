"""Draftosaurus: draft dinosaurs, place them in the pens of a zoo."""

from pathlib import Path

from engine.game import Game
from engine.games.draftosaurus import imagine, moves, scoring, state, text
from engine.games.draftosaurus.kernel import play_block
from engine.games.draftosaurus.names import FACTS, PHASES, SOURCES
from engine.games.draftosaurus.rules import RULES, limit, pack, sources_of
from engine.games.draftosaurus.state import STATE

GAME = Game(
    name="draftosaurus",
    title="Draftosaurus",
    seats=(2, 5),
    phases=PHASES,
    sources=SOURCES,
    facts=FACTS,
    state=STATE,
    rules=RULES,
    pack=pack,
    sources_of=sources_of,
    limit=limit,
    functions={
        "setup": state.setup,
        "legal": moves.legal,
        "apply": moves.apply,
        "redeal": imagine.redeal,
        "score": scoring.score,
        "rank": scoring.rank,
        "pieces": scoring.pieces,
        "facts": scoring.facts,
        "feeds": moves.feeds,
    },
    play_block=play_block,
    policy_module="engine.games.draftosaurus.policies",
    text=text,
    piece="dinosaurs",
    folder=Path(__file__).parent,
)
