"""Policies: what they prefer in positions set up by hand, how strong they are, and the bag that one counts."""

import random
from itertools import combinations

import numpy as np
import pytest
from oracles.dino_museum import DinoMuseum, default_rules

import engine
from engine import rng
from engine.games.dino_museum.bag import draws_needed, fill_chance
from engine.policy import compile_entry, resolve_entry
from engine.transcript import legal_actions

GAME = engine.load_game("dino_museum")
POLICIES = list(engine.policies("dino_museum"))
BONE, TAKE, PUT, VISITOR = range(4)
PINK, YELLOW, WHITE, BLUE, GREY = range(5)
REX, CARNOTAURUS, VELOCIRAPTOR, COMPSOGNATHUS, BRONTOSAURUS, TRICERATOPS = range(6)


def position(seats=2, round_index=0, market=(REX, TRICERATOPS, 8, 12), bag=(PINK, YELLOW, WHITE, BLUE, GREY) * 2):
    """A first turn with this market and this bag, as (state, rules)."""
    rules = engine.load_rules("dino_museum").record[0]
    state = np.zeros(1, GAME.state)[0]
    state.seats = seats
    rng.key_streams(state, np.uint64(1), 0, np.arange(seats))
    GAME.functions["setup"](state, rules)
    state.round_index = round_index
    state.market[:] = 0
    for code in market:
        state.market[code] += 1
    state.market_bits, state.market_left = np.uint64(sum(1 << c for c in set(market))), len(market)
    state.bag[0] = np.uint64(sum(1 << 8 * b for b in bag))
    return state, rules


def board(state, *spaces):
    for space in spaces:
        state.filled[0] |= np.uint64(1 << space)


def museum(state, **pieces):
    """Put codes (visitors: species) into spaces by number: museum(state, s8=10)."""
    for name, code in pieces.items():
        state.museum[0, int(name[1:])] = code + 1
        state.free[0] &= ~np.uint64(1 << int(name[1:]))


def choices(policy, state, rules, phase=BONE, bone=None, legal=None, column=0, taken=0):
    """The actions that a policy chooses in 40 tries at this decision, as a set."""
    entry = resolve_entry(policy, GAME)
    weights = np.zeros(32)
    weights[: len(entry.weights)] = entry.weights
    state.phase, state.column, state.taken = phase, column, taken
    if bone is not None:
        state.bone = bone
        legal = rules.fits[state.tied[0], bone] & ~state.filled[0]
    else:
        legal = np.uint64(sum(1 << a for a in legal))
    state.options = legal
    choose = compile_entry(entry.policy, GAME)
    found = {int(choose(state, rules, legal, weights)) for _ in range(40)}
    assert found <= set(legal_actions(legal))
    return found


PLANNERS = [name for name in POLICIES if name not in ("random", "column_racer")]


@pytest.mark.parametrize("policy", ["greedy", "column_racer", "market_reactor", "researcher", "bag_counter"])
def test_policy__completes_a_column_that_pays(policy):
    state, rules = position()
    board(state, 12)
    museum(state, s0=REX, s1=BRONTOSAURUS, s4=VELOCIRAPTOR)  # all that tile 0 asks for, around R0
    assert choices(policy, state, rules, bone=YELLOW) == {13}


@pytest.mark.parametrize("policy", PLANNERS)
def test_policy__puts_a_dinosaur_where_it_completes_a_fossil(policy):
    state, rules = position(round_index=4)
    museum(state, s0=REX, s8=10)  # a giant fossil beside a giant
    assert choices(policy, state, rules, PUT, legal=range(1, 8), taken=TRICERATOPS) == {1}


@pytest.mark.parametrize("policy", PLANNERS)
def test_policy__takes_the_dinosaur_that_publishes_a_tile(policy):
    state, rules = position(round_index=4, market=(REX, VELOCIRAPTOR, TRICERATOPS, 8))
    museum(state, s0=BRONTOSAURUS, s1=COMPSOGNATHUS, s4=REX, s5=REX, s2=REX, s3=REX, s6=COMPSOGNATHUS, s11=12 + 5)
    # the only free dinosaur space, D7, is not beside R0: nothing can publish it
    assert len(choices(policy, state, rules, TAKE, legal=[REX, VELOCIRAPTOR, TRICERATOPS])) >= 1
    state.free[0] |= np.uint64(1 << 4)
    state.museum[0, 4] = 0
    assert choices(policy, state, rules, TAKE, legal=[REX, VELOCIRAPTOR, TRICERATOPS]) == {TRICERATOPS}


@pytest.mark.parametrize("policy", PLANNERS)
def test_policy__stands_a_favourite_in_view(policy):
    state, rules = position(round_index=4)
    museum(state, s15=VELOCIRAPTOR)  # V1 sees D5 and D1
    assert choices(policy, state, rules, PUT, legal=range(8), taken=VELOCIRAPTOR) <= {1, 5}


def test_column_racer__takes_the_nearest_column_whatever_it_brings():
    state, rules = position(round_index=4, market=(REX, BRONTOSAURUS, TRICERATOPS, 12))
    board(state, 4, 5)
    assert choices("column_racer", state, rules, bone=YELLOW) <= {6, 14, 15, 16}
    assert 1 not in choices("column_racer", state, rules, bone=YELLOW)


def test_visitor_pleaser__invites_at_once_and_researcher_studies():
    state, rules = position()
    assert choices("visitor_pleaser", state, rules, bone=YELLOW) == {14}
    assert choices("researcher", state, rules, bone=YELLOW) == {13}


def test_market_reactor__takes_what_an_opponent_wants():
    state, rules = position(round_index=4, market=(REX, COMPSOGNATHUS, 8, 12))
    state.museum[1, 15] = COMPSOGNATHUS + 1  # the opponent's visitor V1 waits for one
    state.free[1] &= ~np.uint64(1 << 15)
    assert choices("market_reactor", state, rules, TAKE, legal=[REX, COMPSOGNATHUS]) == {COMPSOGNATHUS}
    assert choices("greedy", state, rules, TAKE, legal=[REX, COMPSOGNATHUS]) == {REX, COMPSOGNATHUS}


def test_bag_counter__leaves_a_column_whose_bones_are_gone():
    bag = (WHITE, WHITE, YELLOW, PINK)  # no light blue, no grey: Herbivore and Dinosaur cannot be completed
    state, rules = position(bag=bag)
    assert choices("bag_counter", state, rules, bone=WHITE) - {12} <= {10, 11, 14, 15, 16}
    assert not {2, 9} & choices("bag_counter", state, rules, bone=WHITE)


# ---------------------------------------------------------------------------------------------------------
# The bag
# ---------------------------------------------------------------------------------------------------------
def brute_chance(needs, n_any, bag, draws):
    """By listing every set of bones that can be drawn."""
    good = total = 0
    for drawn in combinations(range(len(bag)), min(draws, len(bag))):
        total += 1
        colours = [bag[i] for i in drawn]
        short = sum(max(0, needs.count(c) - colours.count(c)) for c in range(4))
        good += short <= colours.count(GREY) and len(colours) >= len(needs) + n_any
    return good / total


def test_fill_chance__agrees_with_listing_every_draw():
    rules = engine.load_rules("dino_museum")
    record, dice = rules.record[0], random.Random(4)
    colours = ("pink", "yellow", "white", "light blue", "grey")
    for _ in range(300):
        bag = sorted(dice.sample([0, 0, 1, 1, 2, 2, 3, 3, 4, 4], dice.randint(1, 10)))
        column = dice.choice([0, 1, 2, 4, 5])
        spaces = legal_actions(record.column_bits[column])
        wanted = rules.values["columns"][["dinosaur", "carnivore", "herbivore", "", "publication", "visitor"][column]]
        filled = [i for i in spaces if dice.random() < 0.4]
        missing = [wanted[i - spaces[0]] for i in spaces if i not in filled]
        needs = [colours.index(c) for c in missing if c != "any"]
        draws = dice.randint(0, 10)
        word = np.uint64(sum(1 << 8 * b for b in bag))
        mask = np.uint64(sum(1 << i for i in filled))
        found = fill_chance(record, column, mask, GREY, word, draws)
        assert found == pytest.approx(brute_chance(needs, missing.count("any"), bag, draws)), (bag, missing, draws)


def test_fill_chance__of_a_fossil_column_follows_its_colour():
    record = engine.load_rules("dino_museum").record[0]
    bag = np.uint64(sum(1 << 8 * b for b in (PINK, BLUE, BLUE, GREY)))
    one_in = np.uint64(1 << 10)
    assert fill_chance(record, 3, one_in, PINK, bag, 1) == pytest.approx(1 / 2)  # pink or grey
    assert fill_chance(record, 3, one_in, BLUE, bag, 1) == pytest.approx(3 / 4)
    assert fill_chance(record, 3, one_in, YELLOW, bag, 2) == pytest.approx(1 / 2)  # grey among two of four


def test_draws_needed__counts_waits_and_knows_when_it_is_hopeless():
    record = engine.load_rules("dino_museum").record[0]
    bag = np.uint64(sum(1 << 8 * b for b in (PINK, WHITE, WHITE, GREY)))
    none, all_but_one = np.uint64(0), np.uint64(0b0111)
    assert draws_needed(record, 5, none, GREY, bag) == 1.0
    assert draws_needed(record, 0, all_but_one, GREY, bag) == pytest.approx(5 / 2)  # light blue: only the grey
    assert draws_needed(record, 2, none, GREY, bag) > 1e6  # two light blue


# ---------------------------------------------------------------------------------------------------------
# Strength
# ---------------------------------------------------------------------------------------------------------
def test_random__scores_as_in_the_oracle():
    """Kernel and oracle with dice of its own: n = 4,000 and 400 games; the null is one mean, five standard errors."""
    played = engine.simulate("dino_museum", ["random"] * 4, 4000, 8).score.mean(axis=1)
    dice, rules, found = random.Random(8), default_rules(), []
    for _ in range(400):
        stacks = [[e for e in range(n) for _ in range(c)] for n, c in ((8, 4), (4, 4), (14, 1), (8, 4))]
        for stack in stacks:
            dice.shuffle(stack)
        game = DinoMuseum(4, rules, *stacks, lambda seat, bag: dice.choice(bag))
        while not game.over:
            game.apply(dice.choice(game.legal()))
        found.append(np.mean([sum(p.values()) for p in game.points()]))
    error = (played.var(ddof=1) / len(played) + np.var(found, ddof=1) / len(found)) ** 0.5
    assert abs(played.mean() - np.mean(found)) < 5 * error
    assert played.mean() == pytest.approx(1.4, abs=0.1)


def test_first_bone__is_uniform_over_the_bag():
    """First bones of 4,000 games, seat 0: two of ten for each colour; five standard errors of a share."""
    n = 4000
    rows = [position_bone(deal) for deal in range(n)]
    shares = np.bincount(rows, minlength=5) / n
    assert (np.abs(shares - 0.2) < 5 * (0.2 * 0.8 / n) ** 0.5).all(), shares


def position_bone(deal):
    rules = engine.load_rules("dino_museum").record[0] if deal == 0 else position_bone.rules
    position_bone.rules = rules
    state = np.zeros(1, GAME.state)[0]
    state.seats = 2
    rng.key_streams(state, np.uint64(77), deal, np.arange(2))
    GAME.functions["setup"](state, rules)
    return int(state.bone)


def test_best_policy__averages_twelve_against_itself_and_twenty_against_random():
    """n = 2,000 four-player games each; the floor is five standard errors under the mean."""
    itself = engine.simulate("dino_museum", ["bag_counter"] * 4, 2000, 31).score.mean(axis=1)
    against = engine.simulate("dino_museum", ["bag_counter", *["random"] * 3], 2000, 32)
    mine = against.score[against.entry == 0]
    assert itself.mean() - 5 * itself.std() / len(itself) ** 0.5 > 12
    assert mine.mean() - 5 * mine.std() / len(mine) ** 0.5 > 20


@pytest.mark.parametrize("policy", [name for name in POLICIES if name != "random"])
def test_policy__beats_random_players(policy):
    """n = 400 four-player games; the null is a share of 1/4, five standard errors."""
    play = engine.simulate("dino_museum", [policy, *["random"] * 3], 400, 6)
    mine = play.share[play.entry == 0]
    assert mine.mean() - 5 * mine.std() / len(mine) ** 0.5 > 0.25
