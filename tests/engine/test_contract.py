"""The contract of `engine.game`, asked of every game in the table."""

import os
import subprocess
import sys
from functools import cache

import numpy as np
import pytest

import engine
from engine.playouts import ARRAYS
from engine.policy import compile_entry, resolve_entry
from engine.run import make_plan, run_plan
from engine.transcript import record_game

GAMES = engine.games()
SEED = 11


def tables(game):
    """(variant, seats) of every shipped variant and player count."""
    low, high = engine.load_game(game).seats
    return [(v, n) for v in engine.variants(engine.load_game(game)) for n in range(low, high + 1)]


CASES = [(game, variant, seats) for game in GAMES for variant, seats in tables(game)]


def play(game, variant, seats, games=40, **options):
    return engine.simulate(game, ["random"] * seats, games, SEED, variant=variant, seats="fixed", **options)


def same(a, b):
    return all(np.array_equal(getattr(a, name), getattr(b, name)) for name in ARRAYS)


@pytest.mark.parametrize(("game", "variant", "seats"), CASES)
def test_playouts__keep_their_invariants(game, variant, seats):
    result = play(game, variant, seats)
    assert result.score.shape == (40, seats)
    assert np.array_equal(result.points.sum(axis=2), result.score)
    assert np.allclose(result.share.sum(axis=1), 1)
    assert ((result.share == 0) | np.isin(np.round(1 / np.maximum(result.share, 1e-9)), range(1, seats + 1))).all()
    assert (result.share[result.score < result.score.max(axis=1, keepdims=True)] == 0).all()
    assert (result.forced <= result.decisions).all()
    assert (result.decisions <= result.options).all()
    assert (result.options <= 64 * result.decisions).all()
    assert (result.decisions <= make_plan(game, ["random"] * seats, 0, variant=variant).limit).all()
    assert np.array_equal(result.entry, np.tile(np.arange(seats), (40, 1)))
    assert np.array_equal(result.deal, np.arange(40))


@pytest.mark.parametrize(("game", "variant", "seats"), CASES)
def test_simulate__does_not_depend_on_threads_blocks_or_ranges(game, variant, seats, monkeypatch):
    whole = play(game, variant, seats, games=60, threads=1)
    parts = [play(game, variant, seats, games=n, first_deal=f) for f, n in ((0, 17), (17, 1), (18, 42))]
    assert same(engine.Playouts.join(parts), whole)
    monkeypatch.setattr("engine.run.BLOCK", 7)
    assert same(play(game, variant, seats, games=60, threads=3), whole)


@pytest.mark.parametrize("game", GAMES)
def test_plan__is_admitted_by_the_kernel_before_threads_play(game, monkeypatch):
    """While Numba admits a line-up, it calls one that another thread plays a type error."""

    @engine.policy(game)
    def first_legal(state, rules, legal, weights):
        return engine.bits.lowest(legal)

    plan = make_plan(game, [first_legal] * 3, SEED)
    admitted = []
    monkeypatch.setattr(plan.game.play_block.dispatcher, "_search_new_conversions", lambda *types: admitted.append(1))
    assert len(run_plan(plan, 30, threads=2)) == 30
    assert not admitted


@pytest.mark.parametrize("game", GAMES)
def test_rotation__replays_each_deal_from_every_seat(game):
    seats = engine.load_game(game).seats[1]
    lineup = [engine.entry("random", label="focus"), *["random"] * (seats - 1)]
    result = engine.simulate(game, lineup, 3 * seats - 1, SEED)
    assert np.array_equal(result.deal, np.repeat([0, 1, 2], seats))
    assert np.array_equal(np.argwhere(result.entry == 0)[:, 1], np.tile(np.arange(seats), 3))


@pytest.mark.parametrize(("game", "variant", "seats"), CASES)
def test_replay__is_the_simulated_game(game, variant, seats):
    result = play(game, variant, seats, games=5)
    told = engine.replay(game, ["random"] * seats, SEED, 3, variant=variant, seats="fixed")
    for name in ARRAYS:
        assert np.array_equal(getattr(told.result, name)[0], getattr(result, name)[3])
    assert len(told.rows) == result.decisions[3]
    text = str(told)
    assert "game index 3" in text
    assert all(str(score) in text for score in result.score[3])


@pytest.mark.parametrize("game", GAMES)
def test_trace__has_one_row_a_decision(game):
    seats = engine.load_game(game).seats[0]
    result = engine.simulate(game, ["random"] * seats, 9, SEED)
    rows = engine.trace(game, ["random"] * seats, 9, SEED)
    assert np.array_equal(np.bincount(rows["game"]), result.decisions)
    assert np.array_equal(np.bincount(rows["game"], rows["n_legal"]), result.options)
    assert rows["phase"].max() < len(engine.load_game(game).phases)


# ---------------------------------------------------------------------------------------------------------
# What a seat may know
# ---------------------------------------------------------------------------------------------------------
@cache
def positions(game, variant, seats, indices=(0, 1)):
    """Decisions of a few games: (plan, [(state of shape (1,), legal mask)])."""
    low = engine.load_game(game)
    names = [n for n in low.policies if n != "random"]
    lineup = ["random", *(names[-1:] or ["random"]) * (seats - 1)]
    plan = make_plan(game, lineup, SEED, variant=variant)
    found = []
    for index in indices:
        told = record_game(plan, index)
        found += [(told.states[i : i + 1], told.legal[i]) for i in range(len(told.rows))]
    return plan, found


def clone(state):
    """A copy with its padding bytes, which NumPy's own copy leaves to chance."""
    return np.frombuffer(bytearray(state.tobytes()), state.dtype)


def redealt(plan, state, stream=None):
    """A copy in which everything that the mover cannot know is drawn again."""
    copy = clone(state)
    seat = int(copy[0].mover)
    own = copy[0].own[seat].copy()
    if stream is not None:
        copy[0].own[seat] = stream
    plan.game.functions["redeal"](copy[0], plan.rules.record[0], seat)
    if stream is None:
        assert np.array_equal(copy[0].own[seat], own), "redeal moved the seat's own stream"
    copy[0].own[seat] = own
    return copy


OTHER_STREAM = np.array([12345, 6789 | 1], np.uint64)


@pytest.mark.parametrize(("game", "variant", "seats"), CASES)
def test_redeal__keeps_the_decision_and_forgets_the_rest(game, variant, seats):
    plan, found = positions(game, variant, seats)
    changed = 0
    for state, legal in found[::3]:
        other = redealt(plan, state, OTHER_STREAM)
        changed += other.tobytes() != state.tobytes()
        assert plan.game.functions["legal"](other[0], plan.rules.record[0]) == legal
        assert redealt(plan, other).tobytes() == redealt(plan, state).tobytes()
    assert changed > 0


@pytest.mark.parametrize(("game", "variant", "seats"), CASES)
def test_redeal__can_be_played_on(game, variant, seats):
    plan, found = positions(game, variant, seats)
    functions, rules = plan.game.functions, plan.rules.record[0]
    for state, _ in found[::17]:
        other = redealt(plan, state, OTHER_STREAM)
        for _ in range(plan.limit):
            mask = int(functions["legal"](other[0], rules))
            if mask == 0:
                break
            functions["apply"](other[0], rules, mask.bit_length() - 1)
        assert mask == 0


def answers(dispatcher, entry, state, legal, rules):
    """What a policy says: its action, or a heuristic's value of each legal action."""
    weights = np.zeros(32)
    weights[: len(entry.weights)] = entry.weights
    if entry.policy.is_heuristic:
        actions = [a for a in range(64) if int(legal) >> a & 1]
        return [dispatcher(state[0], rules, a, weights) for a in actions]
    return [dispatcher(state[0], rules, legal, weights)]


@pytest.mark.parametrize(
    ("game", "policy"), [(game, name) for game in GAMES for name in engine.load_game(game).policies]
)
def test_policy__neither_peeks_nor_writes(game, policy):
    found_game = engine.load_game(game)
    entry = resolve_entry(policy, found_game)
    dispatcher = compile_entry(entry.policy, found_game)
    for _, variant, seats in [case for case in CASES if case[0] == game]:
        plan, found = positions(game, variant, seats)
        rules = plan.rules.record[0]
        for state, legal in found[::5]:
            mine = clone(state)
            says = answers(dispatcher, entry, mine, legal, rules)
            other = redealt(plan, state, OTHER_STREAM)
            assert answers(dispatcher, entry, other, legal, rules) == says
            mine[0].own = state[0].own
            assert mine.tobytes() == state.tobytes()


# ---------------------------------------------------------------------------------------------------------
# Compiled or not, with bounds checked or not
# ---------------------------------------------------------------------------------------------------------
SCRIPT = """
import hashlib, sys, warnings
import numpy as np
import engine
from engine.playouts import ARRAYS
warnings.simplefilter("error")
warnings.filterwarnings("ignore", "First-class function")
digest = hashlib.sha256()
game = engine.load_game(sys.argv[1])
tables = [(v, n) for v in engine.variants(game) for n in range(game.seats[0], game.seats[1] + 1)]
plans = [("random", *table) for table in tables]
plans += [(name, *tables[i % len(tables)]) for i, name in enumerate(game.policies)]
for policy, variant, seats in plans:
    lineup = [engine.entry(policy, random=0.1), *["random"] * (seats - 1)]
    play = engine.simulate(game.name, lineup, 1, 5, variant=variant, seats="fixed")
    for name in ARRAYS:
        digest.update(getattr(play, name).tobytes())
print(digest.hexdigest())
"""


def digest_of_games(game, **environment):
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, game],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize("game", GAMES)
def test_game__is_the_same_uncompiled(game):
    assert digest_of_games(game, NUMBA_DISABLE_JIT="1") == digest_of_games(game)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_game__is_the_same_with_bounds_checked(game):
    assert digest_of_games(game, NUMBA_BOUNDSCHECK="1") == digest_of_games(game)
