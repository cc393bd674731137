"""Sauros: take tricks with dinosaur tiles, arrange the tiles on a playmat."""

from pathlib import Path

from engine.game import Game
from engine.games.sauros import imagine, moves, scoring, text
from engine.games.sauros.kernel import play_block
from engine.games.sauros.names import FACTS, MOST_SEATS, PHASES, SOURCES
from engine.games.sauros.rules import RULES, limit, pack, sources_of
from engine.games.sauros.state import STATE

GAME = Game(
    name="sauros",
    title="Sauros",
    seats=(2, MOST_SEATS),
    phases=PHASES,
    sources=SOURCES,
    facts=FACTS,
    state=STATE,
    rules=RULES,
    pack=pack,
    sources_of=sources_of,
    limit=limit,
    functions={
        "setup": moves.setup,
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
    policy_module="engine.games.sauros.policies",
    text=text,
    fact_rates={f"points per use of mat {x.upper()}": (f"mat_{x}", f"used_{x}") for x in "abcdef"},
    piece="tiles and symbols",
    folder=Path(__file__).parent,
)
