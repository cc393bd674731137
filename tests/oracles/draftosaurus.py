"""Plain reference of Draftosaurus: both boards, two to five players, every house rule.

Written from the rule text and the rulings D1-D43, not from the compiled kernel, which is compared
with it at every ply. Nothing here is fast. A pen is a list of species in order of placing, and
every rule looks at those lists again each time it is asked.

`box_hidden` (D31) and `die_odds` change what a seat knows and how dice fall, not how a game with
given dice goes, so they are not read here.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

Rules = dict[str, Any]  # by the names of `default_rules`

SPECIES = range(6)  # T-Rex, Triceratops, Spinosaurus, Stegosaurus, Parasaurolophus, Brachiosaurus
T_REX = 0
PLACE, BOX, RELOCATE = range(3)
WOODLANDS, GRASSLANDS, FOOD_COURT, RESTROOMS, EMPTY_PEN, WATCH_OUT = range(6)
HAND = 6  # dinosaurs drawn by each seat at the start of a round

PENS = {
    "summer": ("forest", "trio", "king", "prairie", "meadow", "island", "river"),
    "winter": ("wood", "bridge_left", "quarantine", "lookout", "bridge_right", "pyramid", "river"),
}
PLACE_OF_PEN = {  # region and side; the River has neither and is no pen
    "forest": (WOODLANDS, FOOD_COURT),
    "trio": (WOODLANDS, FOOD_COURT),
    "king": (WOODLANDS, RESTROOMS),
    "prairie": (GRASSLANDS, FOOD_COURT),
    "meadow": (GRASSLANDS, RESTROOMS),
    "island": (GRASSLANDS, RESTROOMS),
    "wood": (WOODLANDS, FOOD_COURT),
    "bridge_left": (WOODLANDS, FOOD_COURT),
    "quarantine": (GRASSLANDS, FOOD_COURT),
    "lookout": (WOODLANDS, RESTROOMS),
    "bridge_right": (GRASSLANDS, RESTROOMS),
    "pyramid": (GRASSLANDS, RESTROOMS),
}
TARGETS = {  # what a target number means: a pen and, in the Pyramid, which cell of the open row
    "summer": [(pen, 0) for pen in PENS["summer"]],
    "winter": [(pen, 0) for pen in PENS["winter"][:5]] + [("pyramid", 0), ("pyramid", 1), ("pyramid", 2), ("river", 0)],
}
SOURCES = {
    "summer": ("forest", "trio", "king", "prairie", "meadow", "island", "river", "t_rex"),
    "winter": ("wood", "bridge", "lookout", "pyramid", "river", "t_rex"),
}

# The Pyramid is laid in bricks:      top
#                                   m0  m1
#                                 b0  b1  b2
ROWS = (("b0", "b1", "b2"), ("m0", "m1"), ("top",))
TOUCHING = (  # D26
    ("b0", "b1"), ("b1", "b2"), ("m0", "m1"), ("m0", "b0"), ("m0", "b1"),
    ("m1", "b1"), ("m1", "b2"), ("top", "m0"), ("top", "m1"),
)  # fmt: skip


def default_rules(board: str) -> Rules:
    """The printed rules for one game on `board`, or for one on each ("both")."""
    return {
        "board": board,
        "die_reset": False,
        "box_hidden": False,
        "king_strict": False,
        "forest_points": [0, 2, 4, 8, 12, 18, 24],
        "meadow_points": [0, 1, 3, 6, 10, 15, 21],
        "wood_points": [0, 2, 4, 8, 12, 18, 24],
        "pyramid_points": [2, 4, 7],
        "trio_points": 7,
        "king_points": 7,
        "island_points": 7,
        "couple_points": 5,
        "bridge_points": 6,
        "lookout_points": 2,
        "t_rex_points": 1,
        "river_points": 1,
        "forest_size": 6,
        "trio_size": 3,
        "prairie_size": 6,
        "meadow_size": 6,
        "wood_size": 6,
        "bridge_size": 12,
        "bag_2": [8] * 6,
        "bag_3": [6] * 6,
        "bag_4": [8] * 6,
        "bag_5": [10] * 6,
        "die_odds": [1] * 6,
    }


class Zoo:
    """One seat's board: pen -> species in order of placing, and which Pyramid cell holds what."""

    def __init__(self, board: str):
        self.board = board
        self.pens: dict[str, list[int]] = {pen: [] for pen in PENS[board]}
        self.cells: dict[str, int] = {}

    def count(self, species: int) -> int:
        """Dinosaurs of the species in the whole Zoo, River included (D19, D20)."""
        return sum(pen.count(species) for pen in self.pens.values())

    def pens_with_t_rex(self) -> list[str]:
        return [pen for pen in self.pens if pen != "river" and T_REX in self.pens[pen]]

    def open_cell(self, nth: int) -> str | None:
        """Cell `nth` of the lowest row with a space, None if it is filled or not there (D25)."""
        for row in ROWS:
            if any(cell not in self.cells for cell in row):
                return row[nth] if nth < len(row) and row[nth] not in self.cells else None
        return None

    def add(self, target: int, species: int) -> None:
        pen, nth = TARGETS[self.board][target]
        if pen == "pyramid":
            cell = self.open_cell(nth)
            assert cell is not None, "no such cell in the open row"
            self.cells[cell] = species
        self.pens[pen].append(species)


def size(pen: str, rules: Rules) -> int:
    """Spaces of a pen other than the Pyramid."""
    if pen in ("king", "island", "quarantine", "lookout"):
        return 1
    if pen in ("bridge_left", "bridge_right"):
        return rules["bridge_size"]
    return rules[f"{pen}_size"]


def pen_accepts(zoo: Zoo, target: int, species: int, rules: Rules) -> bool:
    """The placement rule printed for the target, with no die in force."""
    pen, nth = TARGETS[zoo.board][target]
    there = zoo.pens[pen]
    if pen == "river":
        return True
    if pen == "pyramid":
        cell = zoo.open_cell(nth)
        return cell is not None and all(
            zoo.cells.get(a if b == cell else b) != species for a, b in TOUCHING if cell in (a, b)
        )
    if len(there) >= size(pen, rules):
        return False
    if pen == "forest":
        return all(other == species for other in there)
    if pen == "meadow":
        return species not in there
    if pen == "wood":  # D5: two species in turn, A B A B A B
        differs_from_last = not there or there[-1] != species
        return differs_from_last and (len(there) < 2 or there[-2] == species)
    return True


def die_allows(zoo: Zoo, target: int, face: int) -> bool:
    """Whether the face lets a seat that does not roll use the target (the River always, D8)."""
    pen, _ = TARGETS[zoo.board][target]
    if pen == "river":
        return True
    if face == EMPTY_PEN:
        return not zoo.pens[pen]
    if face == WATCH_OUT:
        return T_REX not in zoo.pens[pen]
    return face in PLACE_OF_PEN[pen]


def score_king(zoos: list[Zoo], seat: int, rules: Rules) -> int:
    """`king_points` if no opponent has more of the King's species (strict: nor as many; D42)."""
    if not zoos[seat].pens["king"]:
        return 0
    (king,) = zoos[seat].pens["king"]
    mine = zoos[seat].count(king)
    others = [zoo.count(king) for s, zoo in enumerate(zoos) if s != seat]
    wins = mine > max(others) if rules["king_strict"] else mine >= max(others)
    return rules["king_points"] if wins else 0


def score_island(zoo: Zoo, rules: Rules) -> int:
    alone = [species for species in zoo.pens["island"] if zoo.count(species) == 1]
    return rules["island_points"] * len(alone)


def score_lookout(zoos: list[Zoo], seat: int, rules: Rules) -> int:
    """`lookout_points` per dinosaur of the species in the Zoo of the seat that passes to us."""
    right = zoos[(seat - 1) % len(zoos)]  # D28
    matching = sum(right.count(species) for species in zoos[seat].pens["lookout"])
    return rules["lookout_points"] * matching


def score_pyramid(zoo: Zoo, rules: Rules) -> int:
    filled = [sum(cell in zoo.cells for cell in row) for row in ROWS]
    return sum(n * points for n, points in zip(filled, rules["pyramid_points"], strict=True))


def score(zoos: list[Zoo], seat: int, rules: Rules) -> dict[str, int]:
    """Points by source of one seat in one finished game."""
    zoo = zoos[seat]
    pens = zoo.pens
    points = {
        "river": rules["river_points"] * len(pens["river"]),
        "t_rex": rules["t_rex_points"] * len(zoo.pens_with_t_rex()),
    }
    if zoo.board == "summer":
        couples = sum(pens["prairie"].count(species) // 2 for species in SPECIES)  # D30
        points["forest"] = rules["forest_points"][len(pens["forest"])]
        points["trio"] = rules["trio_points"] if len(pens["trio"]) == rules["trio_size"] else 0
        points["king"] = score_king(zoos, seat, rules)
        points["prairie"] = rules["couple_points"] * couples
        points["meadow"] = rules["meadow_points"][len(pens["meadow"])]
        points["island"] = score_island(zoo, rules)
    else:
        left, right = pens["bridge_left"], pens["bridge_right"]
        pairs = sum(min(left.count(species), right.count(species)) for species in SPECIES)  # D29
        points["wood"] = rules["wood_points"][len(pens["wood"])]
        points["bridge"] = rules["bridge_points"] * pairs
        points["lookout"] = score_lookout(zoos, seat, rules)
        points["pyramid"] = score_pyramid(zoo, rules)
    return points


def pieces(zoo: Zoo) -> dict[str, int]:
    """Dinosaurs by source of one seat in one finished game."""
    lying = {pen: len(dinosaurs) for pen, dinosaurs in zoo.pens.items()}
    lying["t_rex"] = zoo.count(T_REX) - zoo.pens["river"].count(T_REX)
    if zoo.board == "winter":
        lying["bridge"] = lying.pop("bridge_left") + lying.pop("bridge_right")
        assert lying.pop("quarantine") == 0
    return lying


class Draftosaurus:
    """One play, standing at a decision; `legal` lists its actions and `apply` plays one.

    `bags[g]` are the species of game `g` in drawing order and `dice[g]` the faces of its 12 turns.
    `phase` and `mover` say which decision it is and whose; they mean nothing once `over`.
    """

    def __init__(self, seats: int, rules: Rules, bags: list[list[int]], dice: list[list[int]]):
        self.rules = rules
        self.seats = seats
        self.boards = ["summer", "winter"] if rules["board"] == "both" else [rules["board"]]
        self.rounds, self.turns = (4, 3) if seats == 2 else (2, 6)
        if not len(bags) == len(dice) == len(self.boards):
            raise ValueError(f"needs a bag and dice for each of {len(self.boards)} games")
        if any(len(bag) < self.rounds * seats * HAND for bag in bags):
            raise ValueError(f"a bag is shorter than {self.rounds * seats * HAND}")
        self.bags, self.dice = bags, dice
        self.games: list[list[Zoo]] = []  # the zoos of every game begun, the current one last
        self.boxed: list[list[int]] = []  # what each seat boxed in the current game
        self.times_rolled = [0] * seats
        self.over = False
        self._start_game()

    # ---- the course of play

    def _start_game(self) -> None:
        board = self.boards[len(self.games)]
        self.games.append([Zoo(board) for _ in range(self.seats)])
        self.boxed = [[] for _ in range(self.seats)]
        self.turn = 0  # 0..11 over all rounds of this game
        self.roller = 0  # D16, D35
        self._start_round()

    def _start_round(self) -> None:
        bag = self.bags[len(self.games) - 1]
        first = (self.turn // self.turns) * self.seats
        self.hands = [bag[(first + s) * HAND :][:HAND] for s in range(self.seats)]
        if self.rules["die_reset"]:  # D15
            self.roller = 0
        self._start_turn()

    def _start_turn(self) -> None:
        self.face = self.dice[len(self.games) - 1][self.turn]
        self.times_rolled[self.roller] += 1
        self._ask(PLACE, list(range(self.seats)))

    def _ask(self, phase: int, seats: list[int]) -> None:
        """Ask the seats one by one; nothing moves before the last has answered (D7, D22)."""
        self.phase = phase
        self.waiting = seats
        self.mover = seats[0]
        self.placed: dict[int, tuple[int, int]] = {}  # secret choices: seat -> (target, species)
        self.to_box: dict[int, int] = {}  # seat -> species
        self.moved: dict[int, int] = {}  # seat -> target

    def legal(self) -> list[int]:
        if self.over:
            return []
        zoo, hand = self.games[-1][self.mover], list(self.hands[self.mover])
        targets = range(len(TARGETS[zoo.board]))
        if self.phase == BOX:
            hand.remove(self.placed[self.mover][1])
            return sorted(set(hand))
        if self.phase == RELOCATE:  # no die in force (D22)
            (species,) = zoo.pens["quarantine"]  # full, so it does not take its own dinosaur back
            return [target for target in targets if pen_accepts(zoo, target, species, self.rules)]
        free = self.mover == self.roller  # D12: of the die, not of the pens' rules
        return [
            target * 6 + species
            for target in targets
            if free or die_allows(zoo, target, self.face)
            for species in sorted(set(hand))
            if pen_accepts(zoo, target, species, self.rules)
        ]

    def apply(self, action: int) -> None:
        if action not in self.legal():
            raise ValueError(f"action {action} is not legal: {self.legal()}")
        if self.phase == PLACE:
            self.placed[self.mover] = divmod(action, 6)
            if self.seats == 2:  # D31: box before anything is revealed
                self.phase = BOX
                return
        elif self.phase == BOX:
            self.to_box[self.mover] = action
            self.phase = PLACE
        else:
            self.moved[self.mover] = action
        self.waiting.remove(self.mover)
        if self.waiting:
            self.mover = self.waiting[0]
        elif self.phase == RELOCATE:
            self._relocate()
        else:
            self._reveal()

    def _reveal(self) -> None:
        zoos = self.games[-1]
        for seat, (target, species) in self.placed.items():
            zoos[seat].add(target, species)
            self.hands[seat].remove(species)
        for seat, species in self.to_box.items():
            self.boxed[seat].append(species)
            self.hands[seat].remove(species)
        self.hands = [self.hands[seat - 1] for seat in range(self.seats)]  # s passes to s + 1 (D18)
        self.roller = (self.roller + 1) % self.seats  # D17: on the last turn of a round too
        self.turn += 1
        in_quarantine = [seat for seat in range(self.seats) if zoos[seat].pens.get("quarantine")]
        if self.turn < self.rounds * self.turns:
            if self.turn % self.turns == 0:
                self._start_round()
            else:
                self._start_turn()
        elif in_quarantine:
            self._ask(RELOCATE, in_quarantine)
        else:
            self._end_game()

    def _relocate(self) -> None:
        for seat, target in self.moved.items():
            zoo = self.games[-1][seat]
            zoo.add(target, zoo.pens["quarantine"].pop())
        self._end_game()

    def _end_game(self) -> None:
        if len(self.games) < len(self.boards):
            self._start_game()
        else:
            self.over = True

    # ---- what can be seen

    def zoo(self, seat: int) -> list[list[int]]:
        """The seat's board in the current game: the species in each pen, in order of placing."""
        return [list(dinosaurs) for dinosaurs in self.games[-1][seat].pens.values()]

    def hand(self, seat: int) -> list[int]:
        """Sorted; until a turn is revealed a hand still holds what its seat has chosen."""
        return sorted(self.hands[seat])

    def _finished(self) -> list[list[Zoo]]:
        return self.games if self.over else self.games[:-1]

    def _added(self, by_game: list[dict[str, int]]) -> dict[str, int]:
        """The sources of all boards of this play, each added over the games given."""
        names = [source for board in self.boards for source in SOURCES[board]]
        return {source: sum(game.get(source, 0) for game in by_game) for source in names}

    def points(self) -> list[dict[str, int]]:
        """Per seat, source -> points, over the games finished."""
        games = self._finished()
        return [self._added([score(zoos, seat, self.rules) for zoos in games]) for seat in range(self.seats)]

    def pieces(self) -> list[dict[str, int]]:
        """Per seat, source -> dinosaurs lying there, over the games finished."""
        games = self._finished()
        return [self._added([pieces(zoos[seat]) for zoos in games]) for seat in range(self.seats)]

    def t_rexes(self) -> list[int]:
        """T-Rexes of each seat's zoos, River included, those of the current game too."""
        return [sum(zoos[seat].count(T_REX) for zoos in self.games) for seat in range(self.seats)]

    def rolls(self) -> list[int]:
        """Turns begun on which each seat held the die."""
        return list(self.times_rolled)

    def shares(self) -> list[Fraction]:
        """Most points, then fewest T-Rexes, then shared (D34); nobody has won before the end."""
        if not self.over:
            return [Fraction(0)] * self.seats
        scores = [sum(points.values()) for points in self.points()]
        standings = [(points, -t_rexes) for points, t_rexes in zip(scores, self.t_rexes(), strict=True)]
        best = max(standings)
        return [Fraction(int(mine == best), standings.count(best)) for mine in standings]
