"""Draftosaurus against numbers worked out exactly."""

from collections import defaultdict
from copy import deepcopy
from fractions import Fraction

import numpy as np
import pytest
from oracles.draftosaurus import Draftosaurus

import engine
from engine.run import make_plan
from engine.transcript import legal_actions, record_game

SIGMAS = 5

# One species only, small pens, two players: every deal is the same, so only dice and choices are left.
LONELY = {
    "bag_2": [0, 48, 0, 0, 0, 0],
    "forest_size": 2,
    "trio_size": 1,
    "prairie_size": 2,
    "river_points": 2,
    "trio_points": 8,
    "couple_points": 5,
    "king_points": 7,
}
# Pens of the Summer board: spaces for one species under LONELY, region and side as the faces name them.
PENS = {
    "forest": (2, {"woodlands", "food court"}),
    "trio": (1, {"woodlands", "food court"}),
    "king": (1, {"woodlands", "restrooms"}),
    "prairie": (2, {"grasslands", "food court"}),
    "meadow": (1, {"grasslands", "restrooms"}),
    "island": (1, {"grasslands", "restrooms"}),
}
FACES = ["woodlands", "grasslands", "food court", "restrooms", "empty", "t-rex"]


def targets(filled, face, rolls):
    """Where one more Triceratops may go; None is the River."""
    allowed = [None]
    for i, (spaces, places) in enumerate(PENS.values()):
        if filled[i] < spaces and (rolls or face in places or face == "t-rex" or (face == "empty" and filled[i] == 0)):
            allowed.append(i)
    return allowed


def lonely_score(filled):
    forest, trio, king, prairie, meadow, _ = filled
    in_pens = sum(filled)
    # Both seats end with twelve of the species: the King's tie pays, the Island is never solitary.
    return [0, 2, 4][forest] + 8 * trio + 7 * king + 5 * (prairie // 2) + [0, 1][meadow] + 2 * (12 - in_pens)


def lonely_distribution():
    """The exact distribution of seat 0's score under random play, by the rules above."""
    here = {(0,) * 6: Fraction(1)}
    for turn in range(12):
        after = defaultdict(Fraction)
        for filled, p in here.items():
            for face in FACES:
                options = targets(filled, face, rolls=turn % 2 == 0)
                for target in options:
                    new = tuple(n + (i == target) for i, n in enumerate(filled))
                    after[new] += p / len(FACES) / len(options)
        here = after
    scores = defaultdict(Fraction)
    for filled, p in here.items():
        scores[lonely_score(filled)] += p
    return dict(scores)


def engine_distribution():
    """The same by walking through every die face and choice with the compiled functions; seat 1 uses the River."""
    plan = make_plan("draftosaurus", ["random"] * 2, 1, rules=LONELY, seats="fixed")
    legal, apply, score = (plan.game.functions[x] for x in ("legal", "apply", "score"))
    rules, river = plan.rules.record[0], 6 * 6 + 1
    here = {record_game(plan, 0).states[0].tobytes(): Fraction(1)}
    for turn in range(12):
        after = defaultdict(Fraction)
        for state, p in here.items():
            for face in range(6):
                start = np.frombuffer(bytearray(state), plan.game.state)
                start[0].dice[0, turn] = face
                actions = legal_actions(legal(start[0], rules))
                for action in actions:
                    new = np.frombuffer(bytearray(start.tobytes()), plan.game.state)
                    for step in (action, 1, river, 1):
                        apply(new[0], rules, step)
                    new[0].chosen[:] = 0
                    new[0].dice[0, turn] = 0
                    after[new.tobytes()] += p / 6 / len(actions)
        here = after
    scores, points = defaultdict(Fraction), np.zeros((2, 12), np.int64)
    for state, p in here.items():
        score(np.frombuffer(bytearray(state), plan.game.state)[0], rules, points)
        scores[int(points[0].sum())] += p
    return dict(scores)


def test_one_species__exact_distribution_to_the_last_digit():
    assert engine_distribution() == lonely_distribution()


def test_one_species__simulation_agrees():
    # n = 200,000 games; null: each score has its exact probability, seat 0 alone, so games are independent.
    n, exact = 200_000, lonely_distribution()
    play = engine.simulate("draftosaurus", ["random"] * 2, n, 17, rules=LONELY, seats="fixed")
    values, counts = np.unique(play.score[:, 0], return_counts=True)
    assert set(values) <= set(exact)
    seen = dict(zip(values, counts, strict=True))
    for value, p in exact.items():
        error = np.sqrt(n * float(p) * (1 - float(p)))
        assert abs(seen.get(value, 0) - n * float(p)) < SIGMAS * error + 1


def last_turn(variant, seats, index):
    """A game before its last turn, in the engine and in the oracle."""
    plan = make_plan("draftosaurus", ["random"] * seats, 23, variant=variant, seats="fixed")
    told = record_game(plan, index)
    at = next(i for i in range(len(told.rows)) if told.states[i].turn == 11)
    first = told.states[0]
    oracle = Draftosaurus(seats, dict(plan.rules.values), [list(map(int, first.bag[0]))], [[*map(int, first.dice[0])]])
    for row in told.rows[:at]:
        oracle.apply(int(row["action"]))
    return plan, told.states[at : at + 1], oracle


def walk_engine(plan, state, p, ends):
    functions, rules = plan.game.functions, plan.rules.record[0]
    actions = legal_actions(functions["legal"](state[0], rules))
    for action in actions:
        new = state.copy()
        functions["apply"](new[0], rules, action)
        walk_engine(plan, new, p / len(actions), ends)
    if not actions:
        points = np.zeros((len(plan.entries), 12), np.int64)
        functions["score"](state[0], rules, points)
        ends[tuple(map(int, points.sum(axis=1)))] += p


def walk_oracle(oracle, p, ends):
    actions = oracle.legal()
    for action in actions:
        new = deepcopy(oracle)
        new.apply(action)
        walk_oracle(new, p / len(actions), ends)
    if not actions:
        ends[tuple(sum(points.values()) for points in oracle.points())] += p


@pytest.mark.parametrize("variant", ["summer", "winter"])
@pytest.mark.parametrize(("seats", "index"), [(2, 0), (2, 1), (3, 2), (3, 3)])
def test_last_turn__exact_joint_distribution_of_scores(variant, seats, index):
    plan, state, oracle = last_turn(variant, seats, index)
    for face in range(6):
        state = state.copy()
        state[0].dice[0, 11] = face
        oracle.face = face
        by_engine, by_oracle = defaultdict(Fraction), defaultdict(Fraction)
        walk_engine(plan, state, Fraction(1), by_engine)
        walk_oracle(oracle, Fraction(1), by_oracle)
        assert by_engine == by_oracle
        assert sum(by_engine.values()) == 1


# ---------------------------------------------------------------------------------------------------------
# Chance
# ---------------------------------------------------------------------------------------------------------
def openings(seats, n, **options):
    """First states of n games."""
    plan = make_plan("draftosaurus", ["random"] * seats, 31, seats="fixed", **options)
    return [record_game(plan, i).states[0] for i in range(n)]


def test_deal__is_hypergeometric():
    # n = 2,000 first hands; null: T-Rexes are hypergeometric (48 dinosaurs, 8 T-Rexes, 6 drawn).
    from scipy.stats import hypergeom

    n = 2000
    counts = np.bincount([int(s.hand[1]) & 255 for s in openings(4, n)], minlength=7)
    for k in range(7):
        p = hypergeom.pmf(k, 48, 8, 6)
        assert abs(counts[k] - n * p) < SIGMAS * np.sqrt(n * p * (1 - p)) + 1


def test_die__follows_its_odds():
    # n = 12 x 1,500 rolls; null: multinomial with odds 1:2:3:0:1:1.
    odds = [1, 2, 3, 0, 1, 1]
    dice = np.array([s.dice[0] for s in openings(3, 1500, rules={"die_odds": odds})]).ravel()
    counts = np.bincount(dice, minlength=6)
    for face, odd in enumerate(odds):
        p = odd / sum(odds)
        assert abs(counts[face] - len(dice) * p) <= SIGMAS * np.sqrt(len(dice) * p * (1 - p))


@pytest.mark.parametrize(
    ("seats", "die_reset", "rolls"),
    [
        (2, False, [6, 6]),
        (3, False, [4, 4, 4]),
        (4, False, [3, 3, 3, 3]),
        (5, False, [3, 3, 2, 2, 2]),
        (2, True, [8, 4]),
        (3, True, [4, 4, 4]),
        (4, True, [4, 4, 2, 2]),
        (5, True, [4, 2, 2, 2, 2]),
    ],
)
def test_die__passes_left_every_turn(seats, die_reset, rolls):
    play = engine.simulate("draftosaurus", ["random"] * seats, 20, 1, rules={"die_reset": die_reset})
    assert (play.facts[:, :, 0] == rolls).all()


@pytest.mark.parametrize("variant", ["summer", "winter"])
def test_species__other_than_t_rex_are_alike(variant):
    # n = 100,000 games; null: swapping two species in the bag changes nothing, so with one Triceratops-like
    # species made scarce the mean scores agree whichever it is; standard errors from the games.
    means, errors = [], []
    for scarce in range(1, 6):
        bag = [8, 10, 10, 10, 10, 10]
        bag[scarce] = 2
        play = engine.simulate(
            "draftosaurus", ["random"] * 4, 100_000, 40 + scarce, variant=variant, rules={"bag_4": bag}
        )
        game_means = play.score.mean(axis=1)
        means.append(game_means.mean())
        errors.append(game_means.std(ddof=1) / np.sqrt(len(play)))
    for a in range(5):
        for b in range(a):
            assert abs(means[a] - means[b]) < SIGMAS * np.hypot(errors[a], errors[b])
