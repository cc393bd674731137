"""Plain reference of Sauros: two players with the Bot, three to six, every switch and expansion.

Written from the rule text and the rulings S1-S76, not from the compiled kernel, which is compared
with it at every ply. Nothing here is fast. The course of a game is one generator that stops at
every decision, so it reads in the order of the rulebook; a play cannot be copied, only replayed.

Chance
------
All chance comes from an object with these five methods (`RandomChance` is one). Each is called at
the moment the event happens on the table, also when only one outcome is left, and never otherwise:

deck(round) -> list of int
    Once, when a round begins: all tile ids of the game (42, or 45 with special tiles) in drawing
    order. Seat 0 gets the first `hand_size` tiles, seat 1 the next, and so on, whoever starts the
    round. The Bot has no hand. What is left is the middle.
draw_middle(n_tiles) -> 0 .. n_tiles - 1
    Every draw from the middle, which holds n_tiles. **The middle is a set: index i means its i-th
    smallest tile id**, so no order of a pile has to be kept and a mask of 45 bits is enough.
bot_die() -> 0 trump, 1 + seat
    When the Bot has won a trick.
bot_removes(n_tiles) -> 0 .. n_tiles - 1
    When the Bot, holding n_tiles, has to remove one (S58): index i means the i-th smallest tile id.
d4() -> 1 .. 4
    When a seat has chosen to roll its Midnight Die, before it chooses the sign.

Order of events, and how many there can be. A round: deck; then seat by seat from the start player
the replacements of the exchange, right after the last choice of the seat, as many draws as tiles it
set aside, which are in the middle again only after these draws (at most 2 * seats draws). A trick:
one draw for the trump; if that is the Asteroid, the removals clockwise from the leader (there
`bot_removes`, if the Bot holds anything) and one more draw; then the tiles clockwise from the
leader, one draw when the Bot is reached, one d4 right after the tile of a seat that rolls; then the
Bot Die. So a round needs at most 2 * seats + tricks + 1 draws, with the Bot `tricks` more and
`tricks` faces of its die, one `bot_removes`, and one d4 a seat.

Mats
----
`mats[i]` lies before seat i in round 0 (with two players `mats[2]` before the Bot) and goes to the
next seat after every round: in round r seat s has `mats[(s - r) % len(mats)]`.
"""

from __future__ import annotations

from collections.abc import Generator
from fractions import Fraction
from random import Random
from typing import Any, Protocol

Rules = dict[str, Any]  # by the names of `default_rules`
Cell = tuple[int, int]  # row, column
Lying = dict[Cell, int]  # tiles on a mat

# Tile ids: suit * 10 + strength for 0-39, then the special tiles.
SUITS = PURPLE, YELLOW, GREEN, ORANGE = range(4)
T_REXES = (40, 41)
QUETZALCOATLUS, THERIZINOSAURUS, ASTEROID = 42, 43, 44
EGG, TOOTH, FOOTPRINT, BONE = range(4)

EXCHANGE, PLAY, MIDNIGHT, SIGN, REWARD, PLACE, DISCARD, REMOVE = range(8)  # phases
DONE = STOP = 63
KEEP, ROLL = 0, 1
ADD, SUBTRACT = 0, 1
TAKE_TRUMP = 0  # other actions of REWARD, and other faces of the Bot Die: 1 + seat
MAX_CELLS = 14  # PLACE is slot * MAX_CELLS + cell, REMOVE is cell or MAX_CELLS + reserve slot
SOURCES = ("dinos", "eggs", "bones", "teeth", "footprints", "reserve")


def cells(picture: str) -> list[Cell]:
    """The cells of a mat picture, `#` for a cell, in reading order."""
    rows = picture.split()
    return [(r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == "#"]


REFERENCE_MATS = {  # section 3.3, an assumption; A-E for two to five players, all for six (S47)
    "A": cells("##### #####"),
    "B": cells(".### #### ###."),
    "C": cells(".##. #### .##. .##."),
    "D": cells("##... ###.. .###. ..##."),
    "E": cells("#### #..# ####"),
    "F": cells("##.## ##### ..#.."),
}


# ---- tiles


def suit_of(tile: int) -> int | None:
    return tile // 10 if tile < 40 else None


def strength_of(tile: int) -> int | None:
    return tile % 10 if tile < 40 else None


def reference_symbols() -> dict[int, tuple[int, ...]]:
    """Symbols of every tile by the pattern of section 3.3 (an assumption)."""
    symbols: dict[int, tuple[int, ...]] = {}
    for tile in range(40):
        suit, strength = divmod(tile, 10)
        symbols[tile] = ((suit + strength) % 4,) if strength else (suit, (suit + 1) % 4)
    for tile in (*T_REXES, QUETZALCOATLUS, ASTEROID):
        symbols[tile] = ()
    symbols[THERIZINOSAURUS] = (EGG, TOOTH, FOOTPRINT, BONE)
    return symbols


def default_rules() -> Rules:
    return {
        "special_tiles": True,  # S2
        "midnight_dice": False,  # S59
        "asteroid_replacement_is_trump": True,  # S18
        "zero_beats_any_nine": False,  # S10
        "cap_groups_at_5": False,  # S34
        "two_player_hand": 7,  # S51
        "symbols": reference_symbols(),
    }


def all_tiles(rules: Rules) -> list[int]:
    return list(range(45 if rules["special_tiles"] else 42))


def tile(name: str) -> int:
    """`p7` is purple 7 (p, y, g, o); `rex`, `rx2`, `que`, `the`, `ast` are the special tiles."""
    special = {"rex": 40, "rx2": 41, "que": 42, "the": 43, "ast": 44}
    return special[name] if name in special else "pygo".index(name[0]) * 10 + int(name[1:])


def lay(picture: str) -> Lying:
    """Tiles on a mat from a picture of their names, one line a row, `.` where nothing lies."""
    lines = [line.split() for line in picture.strip().splitlines()]
    return {(r, c): tile(name) for r, row in enumerate(lines) for c, name in enumerate(row) if name != "."}


# ---- scoring one mat


def neighbours(cell: Cell) -> list[Cell]:
    row, column = cell
    return [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)]


def groups(members: set[Cell]) -> list[set[Cell]]:
    """The orthogonally connected groups of these cells."""
    left, found = set(members), []
    while left:
        group: set[Cell] = set()
        reached = [min(left)]
        while reached:
            cell = reached.pop()
            if cell in left:
                left.remove(cell)
                group.add(cell)
                reached += neighbours(cell)
        found.append(group)
    return found


def count_symbol(lying: Lying, cell: Cell, symbol: int, rules: Rules) -> int:
    """How often the tile at a cell shows the symbol; 0 if nothing lies there."""
    return rules["symbols"][lying[cell]].count(symbol) if cell in lying else 0


def count_eggs(tiles: list[int], rules: Rules) -> int:
    """Eggs of the tiles on a mat, Therizinosaurus one (S69)."""
    return sum(rules["symbols"][tile].count(EGG) for tile in tiles)


def score_dinos(lying: Lying, rules: Rules) -> int:
    """2 Dinos 1, 3 Dinos 3, 4 Dinos 5, 5 Dinos 7, and so on (S34); T-Rex is every suit (S68)."""
    points = 0
    for suit in SUITS:
        members = {cell for cell, tile in lying.items() if suit_of(tile) == suit or tile in T_REXES}
        for group in groups(members):
            is_real = any(suit_of(lying[cell]) == suit for cell in group)
            size = min(len(group), 5) if rules["cap_groups_at_5"] else len(group)
            if is_real and size >= 2:
                points += 2 * size - 3
    return points


def score_eggs(tiles: list[int], eggs_of_others: list[int], rules: Rules) -> int:
    """4 for the most Eggs, tied or not; 8 with Quetzalcoatlus among the tiles on the mat (S38-S40)."""
    eggs = count_eggs(tiles, rules)
    if eggs == 0 or any(other > eggs for other in eggs_of_others):
        return 0
    return 8 if QUETZALCOATLUS in tiles else 4


def score_bones(lying: Lying, rules: Rules) -> int:
    """1 for each Egg adjacent to each Bone, never on the same tile (S41, S42)."""
    return sum(
        count_symbol(lying, cell, BONE, rules) * count_symbol(lying, beside, EGG, rules)
        for cell in lying
        for beside in neighbours(cell)
    )


def score_teeth(lying: Lying, rules: Rules) -> int:
    """A lone Tooth 2, a Tooth touching another 1; two on one tile touch (S43, S44)."""
    points = 0
    for cell in lying:
        here = count_symbol(lying, cell, TOOTH, rules)
        beside = sum(count_symbol(lying, other, TOOTH, rules) for other in neighbours(cell))
        is_lone = here == 1 and beside == 0
        points += 2 if is_lone else here
    return points


def score_footprints(lying: Lying, rules: Rules) -> int:
    """5 for each pair of a group of even number, nothing for an odd one (S45)."""
    points = 0
    for group in groups({cell for cell in lying if count_symbol(lying, cell, FOOTPRINT, rules)}):
        prints = sum(count_symbol(lying, cell, FOOTPRINT, rules) for cell in group)
        points += 5 * (prints // 2) if prints % 2 == 0 else 0
    return points


def score(lying: Lying, reserved: list[int], eggs_of_others: list[int], rules: Rules) -> dict[str, int]:
    """Points by source of one mat at the end of a round; `eggs_of_others` has the Bot's too (S56)."""
    return {
        "dinos": score_dinos(lying, rules),
        "eggs": score_eggs(list(lying.values()), eggs_of_others, rules),
        "bones": score_bones(lying, rules),
        "teeth": score_teeth(lying, rules),
        "footprints": score_footprints(lying, rules),
        "reserve": -2 * len(reserved),  # S33, S46
    }


# ---- one trick


def lead_of(played: list[int]) -> int | None:
    """The suit of the first suit tile of a trick, None before there is one (S7)."""
    suits = [suit_of(tile) for tile in played if suit_of(tile) is not None]
    return suits[0] if suits else None


def may_play(hand: list[int], played: list[int]) -> list[int]:
    """Tiles of the hand that following allows (S6, S62)."""
    lead = lead_of(played)
    if lead is None or all(suit_of(tile) != lead for tile in hand):
        return sorted(hand)
    return sorted(tile for tile in hand if suit_of(tile) in (lead, None))


def trick_winner(
    played: dict[int, int], trump_suit: int | None, rules: Rules, changes: dict[int, int] | None = None
) -> int:
    """The seat that wins; `played` is seat -> tile in order of play, `changes` what dice added."""
    changes = changes or {}
    rexes = [seat for seat, tile in played.items() if tile in T_REXES]
    if rexes:  # S13, S14
        over_rexes = [seat for seat, tile in played.items() if tile == QUETZALCOATLUS]
        return over_rexes[0] if over_rexes else rexes[-1]
    tiles = list(played.values())
    is_trumped = trump_suit is not None and any(suit_of(tile) == trump_suit for tile in tiles)
    suit = trump_suit if is_trumped else lead_of(tiles)  # S9, S11
    assert suit is not None, "a trick of Quetzalcoatlus and Therizinosaurus only (S16)"
    zero, nine = suit * 10, suit * 10 + 9
    if rules["zero_beats_any_nine"]:
        is_zero_highest = any(strength_of(tile) == 9 for tile in tiles)
    else:
        is_zero_highest = nine in tiles
    best_seat, best_value = -1, -99
    for seat, tile in played.items():
        if suit_of(tile) == suit:
            value = tile % 10 + changes.get(seat, 0)
            if tile == zero and is_zero_highest:  # of printed values (S59, S73)
                value = 99
            if value >= best_value:  # equal: the later one (S59)
                best_seat, best_value = seat, value
    return best_seat


def share_out(
    played: dict[int, int], winner: int, taken_from: int | None, trump: int
) -> tuple[dict[int, list[int]], list[int]]:
    """What each seat gains, in the order of its slots, and what is discarded.

    `taken_from` is the seat whose tile the winner takes, None if it takes the trump.
    """
    gains = {seat: [tile] for seat, tile in played.items()}  # S25
    if taken_from is None:
        if trump == THERIZINOSAURUS:  # S27
            gains[winner] = [trump]
            return gains, [played[winner]]
        gains[winner] = [played[winner], trump]
    elif played[taken_from] == THERIZINOSAURUS:  # S26
        gains[winner] = [THERIZINOSAURUS]
        gains[taken_from] = [trump, played[winner]]
    else:
        gains[winner] = [played[winner], played[taken_from]]
        gains[taken_from] = [trump]
    return gains, []


# ---- the game


class Chance(Protocol):
    """See the module docstring."""

    def deck(self, round: int) -> list[int]: ...
    def draw_middle(self, n_tiles: int) -> int: ...
    def bot_die(self) -> int: ...
    def bot_removes(self, n_tiles: int) -> int: ...
    def d4(self) -> int: ...


class RandomChance:
    """Fair chance; the Bot Die is 1/3 trump, 1/3 each human (an assumption)."""

    def __init__(self, rng: Random, rules: Rules):
        self.rng, self.rules = rng, rules

    def deck(self, round: int) -> list[int]:
        tiles = all_tiles(self.rules)
        self.rng.shuffle(tiles)
        return tiles

    def draw_middle(self, n_tiles: int) -> int:
        return self.rng.randrange(n_tiles)

    def bot_die(self) -> int:
        return self.rng.randrange(3)

    def bot_removes(self, n_tiles: int) -> int:
        return self.rng.randrange(n_tiles)

    def d4(self) -> int:
        return self.rng.randint(1, 4)


Course = Generator[tuple[int, int], int, None]  # yields (phase, seat), receives the action


class Sauros:
    """One play, standing at a decision; `legal` lists its actions and `apply` plays one.

    `phase` and `mover` say which decision it is and whose; they mean nothing once `over`. Also open
    to read: `round` and `trick` (from 0), `starter` of the round, `leader` of the trick, `middle`
    (sorted), `aside` (set aside in the exchange), `played` (seat -> tile in order of play),
    `changes` (seat -> what its Midnight Die added), `rolled`, `trump` and `trump_suit`, `discarded`,
    `bot_tiles` (the Bot's mat). `played` and `trump` are empty once the tiles are shared out. Mats
    and reserves of the last round stay when the game is over.
    """

    def __init__(self, seats: int, rules: Rules, mats: list[list[Cell]], chance: Chance):
        self.seats, self.rules, self.mats, self.chance = seats, rules, mats, chance
        if not 2 <= seats <= 6:
            raise ValueError(f"two to six seats, not {seats}")
        if set(rules) != set(default_rules()):
            raise ValueError(f"rules differ in {sorted(set(rules) ^ set(default_rules()))}")
        self.bot = 2 if seats == 2 else None
        self.at_table = 3 if seats == 2 else seats  # the humans and the Bot
        self.rounds = self.at_table
        self.tricks_a_round = 6 if seats in (2, 6) else 7
        self.hand_size = {2: rules["two_player_hand"], 6: 6}.get(seats, 7)
        if len(mats) != self.at_table:
            raise ValueError(f"needs {self.at_table} mats, not {len(mats)}")
        if any(mat != sorted(set(mat)) or not 1 <= len(mat) <= MAX_CELLS for mat in mats):
            raise ValueError(f"a mat is 1 to {MAX_CELLS} cells in reading order")
        self.over = False
        self.starter = 0  # S76
        self.won = [0] * self.at_table
        self.finished: list[list[dict[str, int]]] = []  # rounds scored: per seat, source -> points
        self._course = self._play_game()
        self.phase, self.mover = next(self._course)

    # ---- decisions

    def legal(self) -> list[int]:
        """Sorted actions of the decision in front of the mover."""
        if self.over:
            return []
        if self.phase == EXCHANGE:
            return [*self.hand(self.mover), DONE]
        if self.phase == PLAY:
            return may_play(self.hands[self.mover], list(self.played.values()))
        if self.phase in (MIDNIGHT, SIGN):
            return [0, 1]
        if self.phase == REWARD:
            return [TAKE_TRUMP, *(1 + seat for seat in range(self.at_table) if seat != self.mover)]
        if self.phase == PLACE:
            return self._placements(self.mover) + ([STOP] if self._may_stop(self.mover) else [])
        if self.phase == DISCARD:
            return self._held_slots(self.mover)
        reserved = [slot for slot in self._held_slots(self.mover) if slot < 2]
        return sorted(self.lying[self.mover]) + [MAX_CELLS + slot for slot in reserved]

    def apply(self, action: int) -> None:
        if action not in self.legal():
            raise ValueError(f"action {action} is not legal: {self.legal()}")
        try:
            self.phase, self.mover = self._course.send(action)
        except StopIteration:
            self.over = True

    def _held_slots(self, seat: int) -> list[int]:
        return [slot for slot, tile in enumerate(self.slots[seat]) if tile is not None]

    def _open_cells(self, seat: int) -> list[int]:
        """Free cells beside a tile of the mat, any cell of an empty mat (S20, S30)."""
        mat, lying = self.mats[self.mat_of(seat)], self.lying[seat]
        taken = [mat[cell] for cell in lying]
        return [
            cell
            for cell, at in enumerate(mat)
            if cell not in lying and (not lying or any(beside in taken for beside in neighbours(at)))
        ]

    def _placements(self, seat: int) -> list[int]:
        open_cells = self._open_cells(seat)
        return [slot * MAX_CELLS + cell for slot in self._held_slots(seat) for cell in open_cells]

    def _may_stop(self, seat: int) -> bool:
        return len(self._held_slots(seat)) <= 2 and len(self.lying[seat]) > 0  # S64

    # ---- the course of play

    def _clockwise_from(self, first: int) -> list[int]:
        """Everybody at the table, the Bot after seat 1."""
        return [(first + i) % self.at_table for i in range(self.at_table)]

    def _play_game(self) -> Course:
        for number in range(self.rounds):
            self.round = number
            if number > 0:
                self.starter = self._next_starter()
            self._deal()
            for seat in self._clockwise_from(self.starter):
                if seat != self.bot:
                    yield from self._exchange(seat)
            self.leader = self.starter
            for trick in range(self.tricks_a_round):
                self.trick = trick
                yield from self._play_trick()
            self._score_round()

    def _deal(self) -> None:
        deck = list(self.chance.deck(self.round))
        if sorted(deck) != all_tiles(self.rules):
            raise ValueError("the deck must hold every tile once")
        self.hands = [deck[seat * self.hand_size :][: self.hand_size] for seat in range(self.seats)]
        self.middle = sorted(deck[self.seats * self.hand_size :])
        self.trick = 0
        self.leader = self.starter
        self.lying: list[dict[int, int]] = [{} for _ in range(self.seats)]  # cell number -> tile
        self.slots: list[list[int | None]] = [[None] * 4 for _ in range(self.seats)]
        self.bot_tiles: list[int] = []
        self.discarded: list[int] = []
        self.aside: list[int] = []
        self.has_rolled = [False] * self.seats
        self._clear_trick()

    def _clear_trick(self) -> None:
        self.played: dict[int, int] = {}
        self.changes: dict[int, int] = {}
        self.rolled: int | None = None
        self.trump: int | None = None
        self.trump_suit: int | None = None

    def _draw(self) -> int:
        """A random tile of the middle; it always suffices (S61)."""
        assert self.middle, "the middle is empty"
        return self.middle.pop(self._checked(self.chance.draw_middle(len(self.middle)), len(self.middle)))

    @staticmethod
    def _checked(index: int, n: int) -> int:
        if not 0 <= index < n:
            raise ValueError(f"chance gave {index}, not 0 to {n - 1}")
        return index

    def _exchange(self, seat: int) -> Course:
        """Set aside up to two tiles, draw as many, mix those set aside into the middle (S3, S67)."""
        while len(self.aside) < 2:
            action = yield EXCHANGE, seat
            if action == DONE:
                break
            self.hands[seat].remove(action)
            self.aside.append(action)
        for _ in self.aside:
            self.hands[seat].append(self._draw())
        self.middle = sorted(self.middle + self.aside)
        self.aside = []

    def _play_trick(self) -> Course:
        self.trump = self._draw()
        self.trump_suit = suit_of(self.trump)  # none for a special tile (S17)
        if self.trump == ASTEROID:
            yield from self._asteroid_as_trump()
        for seat in self._clockwise_from(self.leader):
            if seat == self.bot:
                self.played[seat] = self._draw()  # S52
            else:
                yield from self._play_tile(seat)
        if ASTEROID in self.played.values():
            self._void_trick()
            return
        winner = trick_winner(self.played, self.trump_suit, self.rules, self.changes)
        self.won[winner] += 1
        if winner == self.bot:  # S53
            choice = self._checked(self.chance.bot_die(), 3)
        else:
            choice = yield REWARD, winner
        self._give_rewards(winner, choice)
        for seat in self._clockwise_from(winner):  # S29
            if seat != self.bot:
                yield from self._place(seat)
        self.leader = winner  # S4

    def _asteroid_as_trump(self) -> Course:
        """Everybody removes a tile, then a new trump is revealed for this trick (S18-S21)."""
        for seat in self._clockwise_from(self.leader):
            if seat == self.bot:
                if self.bot_tiles:  # S58
                    at = self._checked(self.chance.bot_removes(len(self.bot_tiles)), len(self.bot_tiles))
                    self.discarded.append(self.bot_tiles.pop(at))
            elif self.lying[seat] or any(slot is not None for slot in self.slots[seat]):
                action = yield REMOVE, seat
                if action < MAX_CELLS:
                    self.discarded.append(self.lying[seat].pop(action))
                else:
                    self._discard_slot(seat, action - MAX_CELLS)
        self.discarded.append(ASTEROID)
        self.trump = self._draw()
        self.trump_suit = suit_of(self.trump) if self.rules["asteroid_replacement_is_trump"] else None

    def _play_tile(self, seat: int) -> Course:
        tile = yield PLAY, seat
        self.hands[seat].remove(tile)
        self.played[seat] = tile
        if not self.rules["midnight_dice"] or self.has_rolled[seat] or suit_of(tile) is None:
            return
        if (yield MIDNIGHT, seat) == ROLL:  # S59, S73
            self.has_rolled[seat] = True
            self.rolled = 1 + self._checked(self.chance.d4() - 1, 4)
            sign = yield SIGN, seat
            self.changes[seat] = self.rolled if sign == ADD else -self.rolled
            self.rolled = None

    def _void_trick(self) -> None:
        """The Asteroid was played: all tiles are out, and who played it leads (S22, S23, S65)."""
        assert self.trump is not None
        self.discarded += [*self.played.values(), self.trump]
        (self.leader,) = [seat for seat, tile in self.played.items() if tile == ASTEROID]
        self._clear_trick()

    def _give_rewards(self, winner: int, choice: int) -> None:
        assert self.trump is not None
        taken_from = None if choice == TAKE_TRUMP else choice - 1
        gains, discarded = share_out(self.played, winner, taken_from, self.trump)
        self.discarded += discarded
        for seat, tiles in gains.items():
            if seat == self.bot:
                self.bot_tiles = sorted(self.bot_tiles + tiles)  # S55
            else:
                self.slots[seat][2 : 2 + len(tiles)] = tiles
        self._clear_trick()

    def _discard_slot(self, seat: int, slot: int) -> None:
        tile = self.slots[seat][slot]
        assert tile is not None
        self.discarded.append(tile)
        self.slots[seat][slot] = None

    def _place(self, seat: int) -> Course:
        """At most two tiles onto the mat; what is left becomes the reserve (S30-S33, S64, S74)."""
        placed = 0
        while held := self._held_slots(seat):
            if len(held) > 2 and not self._open_cells(seat):
                slot = yield DISCARD, seat
                self._discard_slot(seat, slot)
                continue
            if placed == 2:
                break
            action = yield PLACE, seat
            if action == STOP:
                break
            slot, cell = divmod(action, MAX_CELLS)
            tile = self.slots[seat][slot]
            assert tile is not None
            self.lying[seat][cell] = tile
            self.slots[seat][slot] = None
            placed += 1
        left = [tile for tile in self.slots[seat] if tile is not None]
        assert len(left) <= 2
        self.slots[seat] = [*left, *[None] * (4 - len(left))]

    # ---- scoring

    def _score_round(self) -> None:
        eggs = [count_eggs(list(lying.values()), self.rules) for lying in self.lying]
        if self.bot is not None:
            eggs.append(count_eggs(self.bot_tiles, self.rules))
        self.finished.append([self._score_seat(seat, eggs) for seat in range(self.seats)])

    def _score_seat(self, seat: int, eggs: list[int]) -> dict[str, int]:
        mat = self.mats[self.mat_of(seat)]
        lying = {mat[cell]: tile for cell, tile in self.lying[seat].items()}
        reserved = [tile for tile in self.slots[seat] if tile is not None]
        return score(lying, reserved, eggs[:seat] + eggs[seat + 1 :], self.rules)

    def _round_score(self, round: int, seat: int) -> int:
        return sum(self.finished[round][seat].values())

    def scores(self) -> list[int]:
        """Points of each seat over the rounds finished."""
        return [sum(self._round_score(r, s) for r in range(len(self.finished))) for s in range(self.seats)]

    def _next_starter(self) -> int:
        """Fewest points, then fewest in the round before, then the first after the old starter (S48, S70)."""
        totals = self.scores()
        candidates = [(self.starter + i) % self.seats for i in range(1, self.seats + 1)]
        return min(candidates, key=lambda seat: (totals[seat], self._round_score(-1, seat)))

    # ---- what can be seen

    def hand(self, seat: int) -> list[int]:
        """Sorted; without the tiles its seat has set aside."""
        return sorted(self.hands[seat])

    def mat_of(self, seat: int) -> int:
        """Which of `mats` lies before the seat in this round."""
        return (seat - self.round) % len(self.mats)

    def mat(self, seat: int) -> dict[int, int]:
        """Cell number -> tile."""
        return dict(sorted(self.lying[seat].items()))

    def held(self, seat: int) -> list[int | None]:
        """The slots of PLACE: two of the reserve, two tiles gained in this trick."""
        return list(self.slots[seat])

    def reserve(self, seat: int) -> list[int | None]:
        return self.slots[seat][:2]

    def points(self) -> list[dict[str, int]]:
        """Per seat, source -> points, over the rounds finished."""
        return [
            {source: sum(scored[seat][source] for scored in self.finished) for source in SOURCES}
            for seat in range(self.seats)
        ]

    def points_by_mat(self) -> list[list[int]]:
        """Per seat, points scored on each of `mats`, 0 on those it has not had."""
        by_mat = [[0] * len(self.mats) for _ in range(self.seats)]
        for round in range(len(self.finished)):
            for seat in range(self.seats):
                by_mat[seat][(seat - round) % len(self.mats)] = self._round_score(round, seat)
        return by_mat

    def tricks(self) -> list[int]:
        """Tricks each human seat has won in all rounds."""
        return self.won[: self.seats]

    def shares(self) -> list[Fraction]:
        """Most points, then most in the last round, then shared (S49); nobody has won before the end."""
        if not self.over:
            return [Fraction(0)] * self.seats
        standings = [(total, self._round_score(-1, seat)) for seat, total in enumerate(self.scores())]
        best = max(standings)
        return [Fraction(int(mine == best), standings.count(best)) for mine in standings]
