"""Boards as pictures: one module a game, each with ``size`` and ``draw``.

Everything is drawn in data coordinates, text included, so that a picture looks the same at every size.
"""

from analysis.plots.boards import dino_museum, draftosaurus, sauros

DRAW = {"draftosaurus": draftosaurus, "sauros": sauros, "dino_museum": dino_museum}
