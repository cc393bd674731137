"""Names and numbers of Draftosaurus: species, die faces, pens, targets, decisions, sources."""

import numpy as np

SPECIES = ("T-Rex", "Triceratops", "Spinosaurus", "Stegosaurus", "Parasaurolophus", "Brachiosaurus")
N_SPECIES = 6
T_REX = 0

FACES = ("Woodlands", "Grasslands", "Food Court", "Restrooms", "Empty Pen", "Watch Out for T-Rex")
N_FACES = 6
N_REGION_FACES = 4  # the faces that name a part of the board come first
EMPTY_FACE, T_REX_FACE = 4, 5

BOARDS = ("summer", "winter")
SUMMER, WINTER = 0, 1
N_PENS = 7  # on either board, the River included
RIVER = 6

# Pens of the Summer board, as numbered in `state.zoo[seat, pen]`.
FOREST, TRIO, KING, PRAIRIE, MEADOW, ISLAND = range(6)
# Pens of the Winter board.
WOOD, BRIDGE_LEFT, QUARANTINE, LOOKOUT, BRIDGE_RIGHT, PYRAMID = range(6)

PENS = (
    (
        "Forest of Sameness",
        "Woody Trio",
        "King of the Jungle",
        "Prairie of Love",
        "Meadow of Differences",
        "Solitary Island",
        "River",
    ),
    (
        "Well-Ordered Wood",
        "Lovers' Bridge (left)",
        "Quarantine Zone",
        "Lookout",
        "Lovers' Bridge (right)",
        "Pyramid",
        "River",
    ),
)

# A target is where a dinosaur can go; an action of PLACE is target * 6 + species.
#
#   Summer   Food Court   | Restrooms        Winter   Food Court        | Restrooms
#   woods    0 Forest     | 2 King           woods    0 Wood            | 3 Lookout
#            1 Trio       |                           1 Bridge left     |
#   grass    3 Prairie    | 4 Meadow         grass    2 Quarantine      | 4 Bridge right
#                         | 5 Island                                    | 5, 6, 7 Pyramid: cell of the open row
#            6 River (between the two)                8 River
#
# Pyramid cells:      5
#                   3   4
#                 0   1   2
N_TARGETS = (7, 9)
MOST_TARGETS = 9
TARGET_PEN = ((0, 1, 2, 3, 4, 5, 6), (0, 1, 2, 3, 4, 5, 5, 5, 6))
N_CELLS = 6

# Die masks: the pens that each region face allows.
FACE_PENS = (
    ((FOREST, TRIO, KING), (PRAIRIE, MEADOW, ISLAND), (FOREST, TRIO, PRAIRIE), (KING, MEADOW, ISLAND)),
    (
        (WOOD, BRIDGE_LEFT, LOOKOUT),
        (BRIDGE_RIGHT, PYRAMID, QUARANTINE),
        (WOOD, BRIDGE_LEFT, QUARANTINE),
        (LOOKOUT, BRIDGE_RIGHT, PYRAMID),
    ),
)

# What a pen accepts.
ANY, SAME, DIFFERENT, ALTERNATE, PILE = range(5)
PEN_KINDS = (
    (SAME, ANY, ANY, ANY, DIFFERENT, ANY, ANY),
    (ALTERNATE, ANY, ANY, ANY, ANY, PILE, ANY),
)

PHASES = ("PLACE", "BOX", "RELOCATE")
PLACE, BOX, RELOCATE = range(3)

SOURCES = (
    "forest",
    "trio",
    "king",
    "prairie",
    "meadow",
    "island",
    "wood",
    "bridge",
    "lookout",
    "pyramid",
    "river",
    "t_rex",
)
(
    S_FOREST,
    S_TRIO,
    S_KING,
    S_PRAIRIE,
    S_MEADOW,
    S_ISLAND,
    S_WOOD,
    S_BRIDGE,
    S_LOOKOUT,
    S_PYRAMID,
    S_RIVER,
    S_T_REX,
) = range(12)
N_SOURCES = 12
# The source that each pen pays into; Quarantine pays nothing.
NO_SOURCE = -1
PEN_SOURCE = (
    (S_FOREST, S_TRIO, S_KING, S_PRAIRIE, S_MEADOW, S_ISLAND, S_RIVER),
    (S_WOOD, S_BRIDGE, NO_SOURCE, S_LOOKOUT, S_BRIDGE, S_PYRAMID, S_RIVER),
)
PEN_SOURCE_TABLE = np.array(PEN_SOURCE, np.int64)

FACTS = ("rolls", "t_rexes")

MOST_SEATS = 5
N_TURNS = 12  # placed by each seat, whatever the number of players
HAND = 6
MOST_IN_BAG = 128
DEAL, DIE = range(2)  # sources of chance of the first game; the second game's are these + 2
N_CHANCE = 4
