"""Plain reference of Dino Museum: two to four players, both switches, any layout.

Written from the rule text and the rulings M1-M50, not from the compiled kernel, which is compared with it at
every ply. Nothing here is fast: a board is a mapping from space to what lies there, and every rule looks at
those mappings again each time it is asked.

Chance comes from outside: four lists in drawing order (dinosaurs, fossils, research tiles, visitors) and a
callable that draws a bone from a seat's bag.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

Rules = dict[str, Any]  # by the names of `default_rules`

BONE, TAKE, PUT, VISITOR = range(4)
DECLINE = 63
COLOURS = ("pink", "yellow", "white", "light blue", "grey")
GREY = 4
COLUMNS = ("dinosaur", "carnivore", "herbivore", "fossil", "publication", "visitor", "speed_up", "reinforcements")
LEFT_OF_ARROW = COLUMNS[:5]
CLASSES = ("carnivore", "herbivore", "giant", "tiny")
SOURCES = ("dinosaurs", "visitors", "fossils", "research")
KINDS = ("dinosaurs", "fossils", "research", "visitors")  # of museum spaces, in the order of their codes


def default_rules() -> Rules:
    """The reference data set; the keys are those of the game's rules.toml."""
    names = (
        ("Tyrannosaurus Rex", "carnivore", "giant"),
        ("Carnotaurus", "carnivore", "giant"),
        ("Velociraptor", "carnivore", "tiny"),
        ("Compsognathus", "carnivore", "tiny"),
        ("Brontosaurus", "herbivore", "giant"),
        ("Triceratops", "herbivore", "giant"),
        ("Dryosaurus", "herbivore", "tiny"),
        ("Psittacosaurus", "herbivore", "tiny"),
    )
    return {
        "rounds": 5,
        "market_end": 2,
        "must_take": True,
        "one_tile_per_specimen": False,
        "view_depth": 2,
        "dinosaur_points": 1,
        "visitor_points": 1,
        "fossil_points": 2,
        "research_points": 3,
        "bones": [2, 2, 2, 2, 2],
        "columns": {
            "dinosaur": ["pink", "yellow", "white", "light blue"],
            "carnivore": ["pink", "pink", "yellow"],
            "herbivore": ["light blue", "light blue", "white"],
            "fossil": ["same", "same"],
            "publication": ["white", "yellow"],
            "visitor": ["any"],
            "speed_up": ["any"],
            "reinforcements": ["any"],
        },
        "species": [
            {"name": name, "diet": diet, "build": build, "copies": 4, "visitors": 4} for name, diet, build in names
        ],
        "fossil_copies": [4, 4, 4, 4],
        "research_tiles": [[name, "giant", "tiny"] for name, _, _ in names]
        + [[each, each, f"{each} fossil"] for each in CLASSES]
        + [["carnivore", "herbivore", "giant"], ["carnivore", "herbivore", "tiny"]],
        "museum": {
            "dinosaurs": [f"D{i}" for i in range(8)],
            "fossils": [{"name": f"F{k}", "between": [f"D{k}", f"D{k + 1}"]} for k in range(3)],
            "research": [
                {"name": f"R{k}", "touches": [f"D{k}", f"D{k + 1}", f"D{k + 4}", f"D{k + 5}", f"F{k}"]}
                for k in range(3)
            ],
            "visitors": [{"name": f"V{k}", "looks_at": [f"D{k + 4}", f"D{k}"]} for k in range(4)],
        },
        "market_2": [3, 1, 1],
        "market_3": [4, 2, 1],
        "market_4": [5, 2, 2],
        "last_market_2": [4, 1, 1],
        "last_market_3": [5, 2, 1],
        "last_market_4": [6, 2, 2],
    }


# ---- the museum at the end of the game


def classes_of(species: int, rules: Rules) -> tuple[str, str]:
    kind = rules["species"][species]
    return kind["diet"], kind["build"]


def spaces(rules: Rules) -> list[tuple[str, str, dict[str, Any]]]:
    """All museum spaces in the order of their codes: kind, name, what the layout says."""
    found = []
    for kind in KINDS:
        for space in rules["museum"][kind]:
            found.append((kind, space if kind == "dinosaurs" else space["name"], space))
    return found


def is_fossil_complete(space: dict[str, Any], museum: dict[str, int], rules: Rules) -> bool:
    """A fossil lies there, and both its neighbours are dinosaurs of its class (M30)."""
    if space["name"] not in museum:
        return False
    wanted = CLASSES[museum[space["name"]]]
    return all(d in museum and wanted in classes_of(museum[d], rules) for d in space["between"])


def is_visitor_happy(space: dict[str, Any], museum: dict[str, int], rules: Rules) -> bool:
    """The favourite stands in the first spaces of the line; empty spaces count but do not block (M36)."""
    if space["name"] not in museum:
        return False
    favourite = museum[space["name"]]
    return any(museum.get(d) == favourite for d in space["looks_at"][: rules["view_depth"]])


def serves(piece: str, need: str, museum: dict[str, int], rules: Rules) -> bool:
    """Whether what lies in a dinosaur or fossil space is the evidence that a tile asks for."""
    if piece not in museum:
        return False
    if piece not in rules["museum"]["dinosaurs"]:
        return need == f"{CLASSES[museum[piece]]} fossil"
    return need in (rules["species"][museum[piece]]["name"], *classes_of(museum[piece], rules))


def proofs(space: dict[str, Any], museum: dict[str, int], rules: Rules) -> list[frozenset[str]]:
    """Every set of pieces that serves the tile in a research space, each piece for one need (M32)."""
    if space["name"] not in museum:
        return []
    needs = rules["research_tiles"][museum[space["name"]]]
    pieces = [p for p in space["touches"] if p in museum]
    return [
        frozenset(chosen)
        for chosen in permutations(pieces, len(needs))
        if all(serves(p, need, museum, rules) for p, need in zip(chosen, needs, strict=True))
    ]


def research_published(museum: dict[str, int], rules: Rules) -> int:
    """Tiles served: each by itself, or with every piece used at most once over all tiles (M33)."""
    by_tile = [found for space in rules["museum"]["research"] if (found := set(proofs(space, museum, rules)))]
    if not rules["one_tile_per_specimen"]:
        return len(by_tile)

    def can_serve(tiles: list[set[frozenset[str]]], used: frozenset[str]) -> bool:
        return not tiles or any(not p & used and can_serve(tiles[1:], used | p) for p in tiles[0])

    for n in range(len(by_tile), 0, -1):
        if any(can_serve(list(tiles), frozenset()) for tiles in combinations(by_tile, n)):
            return n
    return 0


def pieces_of(museum: dict[str, int], rules: Rules) -> dict[str, int]:
    """What lies in each source."""
    found = dict.fromkeys(SOURCES, 0)
    for kind, name, _ in spaces(rules):
        found[kind] += name in museum
    return found


def score(museum: dict[str, int], rules: Rules) -> dict[str, int]:
    """Points by source of one museum."""
    layout = rules["museum"]
    happy = sum(is_visitor_happy(space, museum, rules) for space in layout["visitors"])
    complete = sum(is_fossil_complete(space, museum, rules) for space in layout["fossils"])
    return {
        "dinosaurs": rules["dinosaur_points"] * pieces_of(museum, rules)["dinosaurs"],
        "visitors": rules["visitor_points"] * happy,
        "fossils": rules["fossil_points"] * complete,
        "research": rules["research_points"] * research_published(museum, rules),
    }


# ---- the course of play


class DinoMuseum:
    """One play, standing at a decision; `legal` lists its actions and `apply` plays one.

    `draw_bone(seat, bag)` takes a bag (colours, sorted) and says which of its bones comes out.
    An element of the market is ("dinosaurs", species), ("fossils", class) or ("research", tile).
    """

    def __init__(
        self,
        seats: int,
        rules: Rules,
        dinosaurs: list[int],
        fossils: list[int],
        research: list[int],
        visitors: list[int],
        draw_bone: Callable[[int, list[int]], int],
    ):
        self.rules, self.seats, self.draw_bone = rules, seats, draw_bone
        self.stacks = {"dinosaurs": dinosaurs[:], "fossils": fossils[:], "research": research[:]}
        self.deck = visitors[:]
        self.spaces = [(column, colour) for column in COLUMNS for colour in rules["columns"][column]]
        self.museum_spaces = spaces(rules)
        self.museums: list[dict[str, int]] = [{} for _ in range(seats)]
        self.turns = [0] * seats
        self.bones_placed = [0] * seats
        self.completed = [dict.fromkeys(COLUMNS, 0) for _ in range(seats)]
        self.box: list[tuple[str, int]] = []
        self.log: list[str] = []  # rare events by ruling, for tests that want to see them happen
        self.round = 0
        self.over = False
        self._start_round()

    def _start_round(self) -> None:
        self.bags = [[c for c, n in enumerate(self.rules["bones"]) for _ in range(n)] for _ in range(self.seats)]
        self.boards: list[dict[int, int]] = [{} for _ in range(self.seats)]  # space -> bone
        last = "last_" if self.round == self.rules["rounds"] - 1 else ""
        self.market: list[tuple[str, int]] = []
        for kind, n in zip(KINDS, self.rules[f"{last}market_{self.seats}"], strict=False):
            for _ in range(n):
                if self.stacks[kind]:  # M22, M28
                    self.market.append((kind, self.stacks[kind].pop(0)))
        self.idle_turns = 0
        self._start_turn(self.round % self.seats)  # M42

    def _start_turn(self, seat: int) -> None:
        self.mover = seat
        self.turns[seat] += 1
        self.acted = False
        self._draw()

    def _draw(self) -> None:
        """Draw a bone and ask where it goes, or end the turn (M8, M9, M10, M46)."""
        bag = self.bags[self.mover]
        if not bag:
            self.log.append("M10" if self.acted else "M9")
            return self._end_turn()
        self.bone = self.draw_bone(self.mover, sorted(bag))
        bag.remove(self.bone)
        if not self._spaces_for(self.bone):
            bag.append(self.bone)
            self.log.append("M46" if self.acted else "M8")
            return self._end_turn()
        self.phase = BONE
        return None

    def _spaces_for(self, bone: int) -> list[int]:
        board = self.boards[self.mover]
        found = []
        for space, (column, colour) in enumerate(self.spaces):
            if space in board:
                continue
            if colour == "same":  # M6, M7: greys take the colour of the others
                others = {board[s] for s in board if self.spaces[s] == (column, "same")} - {GREY}
                fits = bone == GREY or not others or others == {bone}
            else:
                fits = bone == GREY or colour in ("any", COLOURS[bone])
            if fits:
                found.append(space)
        return found

    def _is_complete(self, seat: int, column: str) -> bool:
        return all(s in self.boards[seat] for s, (c, _) in enumerate(self.spaces) if c == column)

    def _wanted(self, column: str, element: tuple[str, int]) -> bool:
        kind, which = element
        if column == "dinosaur":
            return kind == "dinosaurs"
        if column in ("carnivore", "herbivore"):
            return kind == "dinosaurs" and column in classes_of(which, self.rules)
        return kind == {"fossil": "fossils", "publication": "research"}[column]

    def _free(self, kind: str) -> list[int]:
        museum = self.museums[self.mover]
        return [code for code, (k, name, _) in enumerate(self.museum_spaces) if k == kind and name not in museum]

    def code(self, element: tuple[str, int]) -> int:
        kind, which = element
        n_species = len(self.rules["species"])
        return which + {"dinosaurs": 0, "fossils": n_species, "research": n_species + len(CLASSES)}[kind]

    def legal(self) -> list[int]:
        if self.over:
            return []
        if self.phase == BONE:
            return self._spaces_for(self.bone)
        if self.phase == TAKE:
            codes = {self.code(e) for e in self.market if self._wanted(self.column, e)}
            return sorted(codes) + ([] if self.rules["must_take"] else [DECLINE])
        return self._free(self.taken[0] if self.phase == PUT else "visitors")

    def apply(self, action: int) -> None:
        if action not in self.legal():
            raise ValueError(f"action {action} is not legal: {self.legal()}")
        if self.phase == BONE:
            self._place_bone(action)
        elif self.phase == TAKE:
            if action == DECLINE:
                self._end_turn()
            else:
                self.taken = next(e for e in self.market if self.code(e) == action)
                self.market.remove(self.taken)
                self.phase = PUT
        else:
            self.museums[self.mover][self.museum_spaces[action][1]] = self.taken[1]
            self._end_turn()

    def _place_bone(self, space: int) -> None:
        self.boards[self.mover][space] = self.bone
        self.bones_placed[self.mover] += 1
        self.acted = True
        column = self.spaces[space][0]
        if not self._is_complete(self.mover, column):
            self._end_turn()
            return
        self.completed[self.mover][column] += 1
        if column == "visitor":
            self._engage_visitor()
        elif column == "speed_up":
            self._draw()
        elif column == "reinforcements":
            self._reinforce()
        else:
            self._offer(column)

    def _offer(self, column: str) -> None:
        """Ask what to take, if there is something fitting and a space for it (M12, M13, M14)."""
        fitting = [e for e in self.market if self._wanted(column, e)]
        if fitting and self._free(fitting[0][0]):
            self.column, self.phase = column, TAKE
        else:
            self.log.append("M13" if fitting else "M14")
            self._end_turn()

    def _engage_visitor(self) -> None:
        if self.deck and self._free("visitors"):
            self.taken = ("visitors", self.deck.pop(0))  # M21
            self.phase = VISITOR
        else:
            self.log.append("M20" if self.deck else "M22")
            self._end_turn()

    def _reinforce(self) -> None:
        """Bones of complete columns left of the arrow go back to the bag (M16), then one is drawn (M18)."""
        board = self.boards[self.mover]
        complete = [column for column in LEFT_OF_ARROW if self._is_complete(self.mover, column)]
        for space, (column, _) in enumerate(self.spaces):
            if column in complete:
                self.bags[self.mover].append(board.pop(space))
        self.log.append("reinforced" if complete else "M17")
        self._draw()

    def _end_turn(self) -> None:
        """The round ends by the market (M23) or when nobody has placed a bone for a whole circle (M11)."""
        self.idle_turns = 0 if self.acted else self.idle_turns + 1
        if len(self.market) <= self.rules["market_end"]:
            self.log.append("market")
            self._end_round()
        elif self.idle_turns == self.seats:
            self.log.append("M11")
            self._end_round()
        else:
            self._start_turn((self.mover + 1) % self.seats)

    def _end_round(self) -> None:
        if self.round == self.rules["rounds"] - 1:
            self.over = True  # M25
            return
        self.box += self.market  # M26
        self.round += 1
        self._start_round()

    # ---- what can be seen

    def points(self) -> list[dict[str, int]]:
        """Per seat, source -> points."""
        return [score(museum, self.rules) for museum in self.museums]

    def pieces(self) -> list[dict[str, int]]:
        """Per seat, source -> what lies there."""
        return [pieces_of(museum, self.rules) for museum in self.museums]

    def facts(self) -> list[list[int]]:
        """Per seat: turns, bones placed, columns completed in the order of `COLUMNS`."""
        return [
            [self.turns[s], self.bones_placed[s], *(self.completed[s][c] for c in COLUMNS)] for s in range(self.seats)
        ]

    def shares(self) -> list[Fraction]:
        """Most points, then most dinosaurs, then shared (M39)."""
        standings = [
            (sum(points.values()), lying["dinosaurs"])
            for points, lying in zip(self.points(), self.pieces(), strict=True)
        ]
        best = max(standings)
        return [Fraction(int(mine == best), standings.count(best)) for mine in standings]
