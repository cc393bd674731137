"""The table of games. A game is a folder and a row here; it is imported when it is first named."""

import importlib
from typing import TYPE_CHECKING

from engine.errors import unknown

if TYPE_CHECKING:
    from engine.game import Game

TABLE = {
    "draftosaurus": "engine.games.draftosaurus",
    "dino_museum": "engine.games.dino_museum",
    "sauros": "engine.games.sauros",
}


def load_game(name: str) -> "Game":
    """The descriptor of a game.

    Raises
    ------
    ValueError
        If there is no such game.
    """
    if name not in TABLE:
        raise ValueError(unknown("game", name, TABLE))
    return importlib.import_module(TABLE[name]).GAME
