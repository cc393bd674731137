"""The course of play in positions set up by hand: what random play rarely reaches."""

import numpy as np
import pytest

import engine
from engine import rng
from engine.transcript import legal_actions

GAME = engine.load_game("dino_museum")
BONE, TAKE, PUT, VISITOR = range(4)
PINK, YELLOW, WHITE, BLUE, GREY = range(5)
VISITOR_SPACE, SPEED_UP, REINFORCEMENTS = 14, 15, 16
CARNIVORE_FOSSIL, TILE_0, DECLINE = 8, 12, 63
TRICERATOPS = 5


class Position:
    """A game stopped at its first decision, to be bent and played on."""

    def __init__(self, seats=2, seed=5, **rules):
        self.rules = engine.load_rules("dino_museum", rules=rules).record[0]
        self.state = np.zeros(1, GAME.state)[0]
        self.state.seats = seats
        rng.key_streams(self.state, np.uint64(seed), 0, np.arange(seats))
        GAME.functions["setup"](self.state, self.rules)

    def bag(self, seat, *bones):
        self.state.bag[seat] = np.uint64(sum(1 << 8 * b for b in bones))
        return self

    def bones(self, seat):
        return [c for c in range(5) for _ in range(int(self.state.bag[seat]) >> 8 * c & 0xFF)]

    def board(self, seat, **bones):
        """Fill spaces: board(0, s12=WHITE)."""
        for space, bone in bones.items():
            i = int(space[1:])
            self.state.filled[seat] |= np.uint64(1 << i)
            self.state.placed[seat, i] = bone
            if i in (10, 11) and bone != GREY:
                self.state.tied[seat] = bone
        return self

    def spaces(self, seat):
        return legal_actions(self.state.filled[seat])

    def offer(self, bone):
        """Give the mover this bone."""
        s = self.state
        s.bone = bone
        s.options = self.rules.fits[s.tied[s.mover], bone] & ~s.filled[s.mover]
        return self

    def market(self, *codes):
        self.state.market[:] = 0
        for code in codes:
            self.state.market[code] += 1
        self.state.market_bits = np.uint64(sum(1 << code for code in set(codes)))
        self.state.market_left = len(codes)
        return self

    def fill(self, seat, *places):
        for place in places:
            self.state.museum[seat, place] = 1
            self.state.free[seat] &= ~np.uint64(1 << place)
        return self

    def round(self, index):
        self.state.round_index = index
        return self

    def play(self, *actions):
        for action in actions:
            assert action in self.legal, (action, self.legal)
            GAME.functions["apply"](self.state, self.rules, action)
        return self

    @property
    def legal(self):
        return legal_actions(GAME.functions["legal"](self.state, self.rules))

    @property
    def at(self):
        return int(self.state.phase), int(self.state.mover)


def test_bone__fits_its_colour_the_free_spaces_and_grey_fits_all():
    at = Position()
    assert at.offer(PINK).legal == [0, 4, 5, 10, 11, 14, 15, 16]
    assert at.offer(YELLOW).legal == [1, 6, 10, 11, 13, 14, 15, 16]
    assert at.offer(WHITE).legal == [2, 9, 10, 11, 12, 14, 15, 16]
    assert at.offer(BLUE).legal == [3, 7, 8, 10, 11, 14, 15, 16]
    assert at.offer(GREY).legal == list(range(17))


@pytest.mark.parametrize(
    ("first", "second", "fits"), [(PINK, PINK, True), (PINK, BLUE, False), (PINK, GREY, True), (GREY, BLUE, True)]
)
def test_fossil_column__wants_one_colour_and_grey_takes_it(first, second, fits):
    at = Position().board(0, s10=first).offer(second)
    assert (11 in at.legal) == fits


def test_take__offers_each_fitting_kind_once_and_put_every_free_space():
    at = Position().board(0, s12=WHITE, s13=WHITE).board(0, s0=PINK, s1=YELLOW, s2=WHITE)
    at.market(TRICERATOPS, TRICERATOPS, 0, CARNIVORE_FOSSIL, TILE_0).fill(0, 2).offer(BLUE).play(3)
    assert at.at == (TAKE, 0)
    assert at.legal == [0, TRICERATOPS]
    assert at.play(TRICERATOPS).at == (PUT, 0)
    assert at.legal == [0, 1, 3, 4, 5, 6, 7]
    at.play(4)
    assert at.state.museum[0, 4] == TRICERATOPS + 1
    assert at.state.market[TRICERATOPS] == 1
    assert at.at == (BONE, 1)


@pytest.mark.parametrize(
    ("column", "last", "offered"),
    [(("s4", "s5"), 6, [0]), (("s7", "s8"), 9, [TRICERATOPS]), (("s10",), 11, [8, 9]), (("s12",), 13, [12, 20])],
)
def test_take__each_column_takes_its_own(column, last, offered):
    at = Position().board(0, **dict.fromkeys(column, GREY)).market(0, TRICERATOPS, 8, 9, 12, 20).offer(GREY)
    assert at.play(last).legal == offered
    assert at.state.completed[0].sum() == 1


def test_take__may_be_declined_with_the_switch():
    at = Position(must_take=False).board(0, s12=WHITE).market(0, 8, TILE_0).offer(YELLOW).play(13)
    assert at.legal == [TILE_0, DECLINE]
    at.play(DECLINE)
    assert at.at == (BONE, 1)
    assert at.state.market_left == 3
    assert {12, 13} <= set(at.spaces(0))


def test_complete__without_space_or_element_has_no_effect():
    no_space = Position().board(0, s12=WHITE).market(0, 8, TILE_0).fill(0, 11, 12, 13).offer(YELLOW).play(13)
    assert no_space.at == (BONE, 1)
    no_tile = Position().board(0, s12=WHITE).market(0, 8, 9).offer(YELLOW).play(13)
    assert no_tile.at == (BONE, 1)
    assert list(no_tile.spaces(0)) == [12, 13]


def test_visitor__is_drawn_before_its_space_is_chosen():
    at = Position().offer(PINK)
    first = int(at.state.order[3, 0])
    at.play(VISITOR_SPACE)
    assert at.at == (VISITOR, 0)
    assert at.state.taken == first
    assert at.legal == [14, 15, 16, 17]
    assert at.play(16).state.museum[0, 16] == first + 1


def test_visitor__none_comes_without_a_space_or_a_card():
    full = Position().fill(0, 14, 15, 16, 17).offer(PINK).play(VISITOR_SPACE)
    assert full.at == (BONE, 1)
    assert full.state.drawn[3] == 0
    at = Position().offer(PINK)
    at.state.drawn[3] = 32
    assert at.play(VISITOR_SPACE).at == (BONE, 1)


def test_chain__speed_up_then_reinforcements_then_a_column():
    at = Position().bag(0, PINK).bag(1, PINK).board(0, s12=WHITE, s13=GREY, s4=PINK, s10=BLUE, s11=BLUE)
    at.market(0, 1, 8, 9, TILE_0).offer(YELLOW).play(SPEED_UP)
    assert at.at == (BONE, 0)
    assert at.state.bone == PINK
    assert at.bones(0) == []
    at.play(REINFORCEMENTS)
    assert at.at == (BONE, 0)
    assert sorted([*at.bones(0), int(at.state.bone)]) == [WHITE, BLUE, BLUE, GREY]
    assert at.spaces(0) == [4, SPEED_UP, REINFORCEMENTS]
    assert at.state.tied[0] == GREY
    assert at.state.turns[0] == 1
    assert at.state.bones[0] == 2
    at.bag(0, WHITE).board(0, s12=WHITE).offer(YELLOW).play(13, TILE_0, 11)
    assert at.at == (BONE, 1)
    assert list(at.state.completed[0]) == [0, 0, 0, 0, 1, 0, 1, 1]


def test_reinforcements__leave_partial_and_administration_columns():
    at = Position().bag(0).board(0, s4=PINK, s5=PINK, s14=BLUE, s15=GREY).offer(WHITE).play(REINFORCEMENTS)
    assert at.spaces(0) == [4, 5, 14, 15, 16]
    assert at.at == (BONE, 1)  # nothing came back and the bag is empty: the draw is skipped


def test_empty_bag__skips_the_draw_of_speed_up():
    at = Position().bag(0).offer(PINK).play(SPEED_UP)
    assert at.at == (BONE, 1)
    assert at.state.idle == 0


def test_bone_that_fits_nowhere__in_a_chain_goes_back_and_the_turn_counts():
    everything_pink = {f"s{i}": PINK for i in (0, 4, 5, 10, 11, 14, 16)}
    at = Position().bag(0, PINK, PINK).board(0, **everything_pink).offer(YELLOW).play(SPEED_UP)
    assert at.at == (BONE, 1)
    assert at.bones(0) == [PINK, PINK]
    assert at.state.idle == 0


def test_bone_that_fits_nowhere__ends_a_turn_that_counts_as_a_pass():
    everything_pink = {f"s{i}": PINK for i in (0, 4, 5, 10, 11, 14, 15, 16)}
    at = Position(seats=3).bag(1, PINK).board(1, **everything_pink).bag(2, PINK).offer(PINK).play(0)
    assert at.at == (BONE, 2)
    assert at.bones(1) == [PINK]
    assert list(at.state.turns[:3]) == [1, 1, 1]
    assert at.state.idle == 1


def test_round__ends_after_a_circle_without_a_bone():
    at = Position(seats=3).bag(0).bag(1).bag(2).offer(PINK)
    box = int(at.state.drawn[0])
    at.play(0)
    assert at.state.round_index == 1
    assert at.at == (BONE, 1)  # the start moves on
    assert list(at.state.turns[:3]) == [2, 2 + 0, 1]
    assert at.state.market_left == 7
    assert at.state.drawn[0] == box + 4
    assert all(len(at.bones(s)) == 10 - (s == 1) for s in range(3))
    assert all(at.spaces(s) == [] for s in range(3))


def test_round__ends_when_two_elements_are_left():
    at = Position(seats=4).board(0, s12=WHITE).market(0, 1, TILE_0).offer(YELLOW).play(13, TILE_0)
    assert at.state.round_index == 0
    at.play(11)
    assert at.state.round_index == 1
    assert at.at == (BONE, 1)
    assert at.state.market_left == 9
    assert at.spaces(0) == []


@pytest.mark.parametrize(("seats", "normal", "last"), [(2, 5, 6), (3, 7, 8), (4, 9, 10)])
def test_market__has_the_printed_size_and_one_more_in_the_last_round(seats, normal, last):
    at = Position(seats=seats)
    assert at.state.market_left == normal
    for s in range(seats):
        at.bag(s)
    at.round(3).offer(PINK).play(0)
    assert at.state.round_index == 4
    assert at.state.market_left == last
    assert at.state.mover == 4 % seats


@pytest.mark.parametrize("by_market", [True, False])
def test_last_round__ends_the_game_with_everything_in_place(by_market):
    at = Position().round(4).board(0, s12=WHITE).offer(YELLOW)
    if by_market:
        at.market(0, 1, TILE_0).play(13, TILE_0, 11)
    else:
        at.market(0, 1, 2, 3).bag(0).bag(1).play(13)
    assert at.legal == []
    assert at.state.market_left == (2 if by_market else 4)
    assert at.spaces(0) == [12, 13]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_reshuffled_stacks__hold_every_piece_once(seats):
    at = Position(seats=seats)
    for kind, copies in enumerate((4, 4, 1, 4)):
        n = int(at.rules.stack_total[kind])
        found = np.bincount(at.state.order[kind, :n])
        assert (found == copies).all(), kind
        assert n == (32, 16, 14, 32)[kind]


def test_feeds__names_completing_bones_fitting_elements_and_spaces():
    feeds = GAME.functions["feeds"]
    at = Position().board(0, s12=WHITE, s10=PINK).market(0, 8, TILE_0).offer(GREY)
    found = {i: legal_actions(feeds(at.state, at.rules, i)) for i in range(4)}
    assert found == {0: [], 1: [VISITOR_SPACE], 2: [11], 3: [13]}
    at.play(13)
    assert [legal_actions(feeds(at.state, at.rules, i)) for i in (0, 3)] == [list(range(8)), list(range(12, 26))]
    at.play(TILE_0)
    assert legal_actions(feeds(at.state, at.rules, 3)) == [11, 12, 13]


def test_redeal__keeps_what_is_known_and_reorders_the_rest():
    at = Position(seats=3)
    before = at.state.copy()
    GAME.functions["redeal"](at.state, at.rules, 0)
    for name in ("bag", "filled", "left", "drawn", "market", "museum", "bone", "options"):
        assert np.array_equal(at.state[name], before[name]), name
    for kind in range(4):
        drawn, n = int(before.drawn[kind]), int(at.rules.stack_total[kind])
        assert np.array_equal(at.state.order[kind, :drawn], before.order[kind, :drawn])
        assert sorted(at.state.order[kind, :n]) == sorted(before.order[kind, :n])
    assert not np.array_equal(at.state.order, before.order)
    assert not np.array_equal(at.state.chance, before.chance)
