"""Names and numbers of Sauros: tiles, symbols, playmats, decisions, sources."""

import numpy as np

# Tile id: suit * 10 + strength for 0 to 39, then the special tiles. A set of tiles is one mask of 45 bits.
N_SUITS, PER_SUIT = 4, 10
N_SUIT_TILES = 40
T_REX, T_REX_2, QUETZALCOATLUS, THERIZINOSAURUS, ASTEROID = range(40, 45)
N_TILES, N_BASE_TILES = 45, 42  # with and without the three special tiles; the T-Rexes are always in
SPECIAL_NAMES = ("T-Rex", "T-Rex", "Quetzalcoatlus", "Therizinosaurus", "Asteroid")
NONE = -1

SUIT_TILES = np.array([0x3FF << (PER_SUIT * s) for s in range(N_SUITS)], np.uint64)
SPECIAL_TILES = np.uint64(0x1F << N_SUIT_TILES)
NINES = np.uint64(sum(1 << (PER_SUIT * s + 9) for s in range(N_SUITS)))
T_REXES = np.uint64(0b11 << T_REX)

SYMBOLS = ("egg", "tooth", "footprint", "bone")
SYMBOL_LETTERS = "ETFB"
N_SYMBOLS = 4
EGG, TOOTH, FOOTPRINT, BONE = range(4)

MATS = "ABCDEF"
N_MATS = 6
N_COMMON_MATS = 5  # two to five players draw from these (S47)
MOST_CELLS = 14

# Four layers of cells in one word: layer j has bit 14 * j + cell.
LAYER = np.uint64(MOST_CELLS)
CELLS = np.uint64((1 << MOST_CELLS) - 1)
EVERY_LAYER = np.uint64(sum(1 << (MOST_CELLS * j) for j in range(4)))
IS_REX, IS_QUETZALCOATLUS = 0, 1  # layers of the word of special tiles

PHASES = ("EXCHANGE", "PLAY", "MIDNIGHT", "SIGN", "REWARD", "PLACE", "DISCARD", "REMOVE")
EXCHANGE, PLAY, MIDNIGHT, SIGN, REWARD, PLACE, DISCARD, REMOVE = range(8)

# Actions, by decision:
#   EXCHANGE  tile id, 63 done        REWARD   0 trump, 1 + seat (the Bot is the seat after the humans)
#   PLAY      tile id                 PLACE    slot * 14 + cell, 63 stop; slots 0, 1 reserve, 2, 3 gained
#   MIDNIGHT  0 keep, 1 roll          DISCARD  slot
#   SIGN      0 add, 1 subtract       REMOVE   cell, 14 + reserve slot
DONE = STOP = 63
ROLL, SUBTRACT, TAKE_TRUMP = 1, 1, 0
N_RESERVE, N_SLOTS = 2, 4
PER_TRICK = 2  # placements of a seat after a trick
MOST_ASIDE = 2

SOURCES = ("dinos", "eggs", "bones", "teeth", "footprints", "reserve")
S_DINOS, S_EGGS, S_BONES, S_TEETH, S_FOOTPRINTS, S_RESERVE = range(6)
N_SOURCES = 6
SOURCE_SYMBOL = np.array([-1, EGG, BONE, TOOTH, FOOTPRINT, -1], np.int64)

FACTS = (
    "tricks_won",
    "rounds_led",  # rounds in which the seat was the start player
    "first_round",  # points of the first round, which seat 0 starts
    *(f"mat_{m.lower()}" for m in MATS),  # points of the round on this playmat
    *(f"used_{m.lower()}" for m in MATS),  # 1 if the seat played on it
)
F_TRICKS, F_LED, F_FIRST, F_MAT, F_USED = 0, 1, 2, 3, 9
N_FACTS = 15

MOST_SEATS = 6
MOST_RING = 6  # seats around the table, the Bot included
MOST_TRICKS = 7
DIE_SIDES = 4
# Sources of chance: each round's deck, where set-aside tiles go, D4s, Bot Die, the Bot's removal, the mats.
DECK, MIX, D4, BOT_DIE, BOT_REMOVAL, MAT_DRAW = range(6)
N_CHANCE = 6

# What happens next, until somebody is asked; see `moves.advance`.
ASK, START_TRICK, ASK_REMOVAL, ASK_PLAY, END_TRICK, ASK_PLACER, NEXT_TRICK, END_ROUND = range(8)
