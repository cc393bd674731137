"""Dino Museum: excavate with bones from a bag, fill a museum with dinosaurs, fossils, research and visitors."""

from pathlib import Path

from engine.game import Game
from engine.games.dino_museum import moves, scoring, state, text
from engine.games.dino_museum.kernel import play_block
from engine.games.dino_museum.names import FACTS, PHASES, SOURCES
from engine.games.dino_museum.rules import RULES, limit, pack, sources_of
from engine.games.dino_museum.state import STATE

GAME = Game(
    name="dino_museum",
    title="Dino Museum",
    seats=(2, 4),
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
        "redeal": state.redeal,
        "score": scoring.score,
        "rank": scoring.rank,
        "pieces": scoring.pieces,
        "facts": scoring.facts,
        "feeds": moves.feeds,
    },
    play_block=play_block,
    policy_module="engine.games.dino_museum.policies",
    text=text,
    piece="pieces",
    folder=Path(__file__).parent,
)
