"""Names and numbers of Dino Museum: bones, columns, elements, decisions, sources."""

COLOURS = ("pink", "yellow", "white", "light blue", "grey")
N_COLOURS = 5
GREY = 4  # also: a Fossil column that no coloured bone has tied to a colour

COLUMNS = ("dinosaur", "carnivore", "herbivore", "fossil", "publication", "visitor", "speed_up", "reinforcements")
N_COLUMNS = 8
DINOSAUR, CARNIVORE, HERBIVORE, FOSSIL, PUBLICATION, VISITOR_COLUMN, SPEED_UP, REINFORCEMENTS = range(8)
N_LEFT = 5  # columns left of the arrow come first

# The BONE actions of the printed research board (`columns` in rules.toml):
#
#   Dinosaur  0 pink  1 yellow  2 white  3 light blue  |  Fossil       10, 11 two of one colour
#   Carnivore 4 pink  5 pink    6 yellow               |  Publication  12 white  13 yellow
#   Herbivore 7 light blue  8 light blue  9 white      |  Visitor 14   Speed up 15   Reinforcements 16
MOST_BOARD = 32  # spaces of a research board

# Kinds of element, of museum space and of face-down stack; PUT and VISITOR actions number the museum spaces in
# this order, TAKE actions the species, then the fossil types, then the research tiles.
KINDS = ("dinosaurs", "fossils", "research", "visitors")
K_DINOSAURS, K_FOSSILS, K_RESEARCH, K_VISITORS = range(4)
N_KINDS = 4
N_MARKET_KINDS = 3

CLASSES = ("carnivore", "herbivore", "giant", "tiny")
N_CLASSES = 4
DIETS, BUILDS = CLASSES[:2], CLASSES[2:]

DECLINE = 63
MOST_CODES = 63  # actions 0 to 62; 63 is DECLINE
MOST_SPECIES = 24
MOST_TILES = MOST_CODES - N_CLASSES - 1
MOST_NEEDS = 6  # evidence that one research tile asks for: the subsets of it fit one 64-bit word
MOST_RESEARCH = 8  # research spaces of a museum
MOST_IN_STACK = 127

PHASES = ("BONE", "TAKE", "PUT", "VISITOR")
BONE, TAKE, PUT, VISITOR = range(4)

SOURCES = ("dinosaurs", "visitors", "fossils", "research")
S_DINOSAURS, S_VISITORS, S_FOSSILS, S_RESEARCH = range(4)
N_SOURCES = 4
SOURCE_KIND = (K_DINOSAURS, K_VISITORS, K_FOSSILS, K_RESEARCH)

FACTS = ("turns", "bones", *(f"{column}_columns" for column in COLUMNS))

MOST_SEATS = 4
BAG = 4  # sources of chance: one a stack, by kind, then one a seat's bag
N_CHANCE = BAG + MOST_SEATS
