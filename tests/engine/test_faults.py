"""What goes wrong at the door and inside, and how it is said."""

import dataclasses

import pytest

import engine
from engine import bits
from engine.run import make_plan, play_range, run_plan


def simulate(policies=("random",) * 2, games=10, seed=1, **options):
    return engine.simulate("draftosaurus", list(policies), games, seed, **options)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"games": 0}, "games must be from 1 to 1,000,000,000,000, not 0"),
        ({"games": 2.5}, "games must be a whole number, not 2.5"),
        ({"games": True}, "games must be a whole number, not True"),
        ({"seed": -1}, "seed must be from 0 to .*, not -1"),
        ({"seed": "x"}, "seed must be a whole number, not 'x'"),
        ({"first_deal": -1}, "first_deal must be from 0 to 1,000,000,000,000, not -1"),
        ({"threads": 0}, "threads must be at least 1"),
        ({"seats": "rotated"}, "did you mean 'rotate'"),
        ({"variant": "sumer"}, "variant 'sumer' is not known; did you mean 'summer'"),
        ({"variant": "no/such.toml"}, "variant file 'no/such.toml' does not exist"),
        ({"rules": {"trio_pionts": 6}}, "rule 'trio_pionts' is not known; did you mean 'trio_points'"),
        ({"rules": {"trio_points": "6"}}, "rule 'trio_points' must be a whole number, not '6'"),
        ({"rules": {"trio_points": 10_000}}, "rule 'trio_points' must be from -500 to 500, not 10,000"),
        ({"rules": {"die_reset": 1}}, "rule 'die_reset' must be true or false, not 1"),
        ({"rules": {"forest_points": [1, 2]}}, "'forest_points' has points for 0 to 1 dinosaurs"),
        ({"rules": {"forest_points.7": 3}}, "'forest_points': element '7' is not known"),
        ({"rules": {"bag_4.t_rexx": 3}}, "did you mean 't_rex'"),
        ({"rules": {"trio_points.1": 3}}, "'trio_points' is a single value"),
        ({"rules": {"board": "sumer"}}, "did you mean 'summer'"),
        ({"rules": {"bag_2": [1, 1, 1, 1, 1, 1]}}, "rule 'bag_2' holds 6 dinosaurs; 2 players draw 48"),
        ({"rules": {"die_odds": [0] * 6}}, "rule 'die_odds' must have at least one face"),
        ({"rules": [1]}, "rules must be a mapping"),
        ({"policies": ("random",)}, "takes 2 to 5 players, not 1"),
        ({"policies": ("random",) * 6}, "takes 2 to 5 players, not 6"),
        ({"policies": ("random", "randon")}, "policy 'randon' is not known; did you mean 'random'"),
        ({"policies": ("random", 3)}, "a policy is a name"),
        ({"policies": ("random", "no.py:x")}, "policy file 'no.py' does not exist"),
        ({"policies": ("random", "no.py")}, "write it as path/to/file.py:name"),
        ({"policies": ("random", engine.entry("random", ban=["forrest"]))}, "did you mean 'forest'"),
        ({"policies": ("random", engine.entry("random", ban=["wood"]))}, "variant 'summer' has no source 'wood'"),
        ({"policies": ("random", engine.entry("random", weights={"x": 1}))}, "weight 'x' is not known"),
        ({"policies": ("random", engine.entry("random", random=1.5))}, "random must be from 0 to 1, not 1.5"),
        (
            {"policies": (engine.entry("random", label="a"), engine.entry("random", label="a", random=0.5))},
            "two different entries are called 'a'",
        ),
    ],
)
def test_simulate__names_what_is_wrong_at_the_door(arguments, message):
    with pytest.raises(ValueError, match=message):
        simulate(**arguments)


def test_simulate__refuses_an_unknown_game():
    with pytest.raises(ValueError, match="game 'draftosauros' is not known; did you mean 'draftosaurus'"):
        engine.simulate("draftosauros", ["random"] * 2, 1, 1)


@engine.policy("draftosaurus")
def cheat(state, rules, legal, weights):
    return 63


@engine.policy("draftosaurus")
def far(state, rules, legal, weights):
    return bits.lowest(legal) if state.turn < 3 else -7


@engine.policy("draftosaurus")
def crash(state, rules, legal, weights):
    return bits.lowest(legal) + 0 * (1 // (state.turn - 4))


@engine.policy("draftosaurus")
def half(state, rules, legal, weights):
    return 0.5


@engine.policy("draftosaurus")
def silent(state, rules, legal, weights):
    state.seats + 1


@engine.policy("draftosaurus")
def confused(state, rules, legal, weights):
    return state.dinosaurs


@engine.policy("draftosaurus")
def lost(state, rules, legal, weights):
    return bits.lowest(legal) + where_is_it  # noqa: F821


@engine.heuristic("draftosaurus")
def blank(state, rules, action, weights):
    return float("nan")


@engine.heuristic("draftosaurus")
def wordy(state, rules, action, weights):
    return "best"


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        (cheat, r"policy 'cheat' \(.*test_faults.py:\d+\), seed 1, game index 0, seat 1, returned action 63 at PLACE"),
        (far, r"policy 'far' .* seat 1, returned action -7 at PLACE"),
        (crash, r"policy 'crash' \(.*test_faults.py:\d+\), .* seat 1, raised ZeroDivisionError"),
        (half, r"policy 'half' \(.*test_faults.py:\d+\) returns float64 and must return an integer"),
        (silent, r"policy 'silent' .* returns nothing \(None\) and must return an integer"),
        (
            confused,
            r"policy 'confused' does not compile, .*test_faults.py:\d+: field of state or rules 'dinosaurs' is not",
        ),
        (lost, r"policy 'lost' does not compile, .*test_faults.py:\d+: NameError: .*where_is_it"),
        (blank, r"heuristic 'blank' .* gave no legal action of PLACE a number as its value"),
        (wordy, r"heuristic 'wordy' .* must return a number"),
    ],
)
def test_faulty_policy__is_named_with_its_place(policy, message):
    with pytest.raises(engine.PolicyError, match=message) as caught:
        simulate(("random", policy), seats="fixed")
    assert len(str(caught.value).splitlines()) == 1


def test_faults__are_the_first_by_index_whatever_the_threads(monkeypatch):
    monkeypatch.setattr("engine.run.BLOCK", 3)
    messages = set()
    for threads in (1, 2, 4):
        with pytest.raises(engine.PolicyError) as caught:
            simulate((crash, "random"), games=200, threads=threads)
        messages.add(str(caught.value))
    assert len(messages) == 1


def test_policy__of_another_game_or_shape_is_refused():
    with pytest.raises(engine.PolicyError, match="plays 'chess', not 'draftosaurus'"):
        simulate(("random", engine.policy("chess")(lambda state, rules, legal, weights: 1)))
    with pytest.raises(engine.PolicyError, match=r"must take \(state, rules, legal, weights\)"):
        engine.policy("draftosaurus")(lambda state, legal: 1)
    with pytest.raises(engine.PolicyError, match="weight 'w' must be a number or"):
        engine.policy("draftosaurus", weights={"w": "big"})(lambda state, rules, legal, weights: 1)


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        ((5, 0, 2, "x"), "weight 'w': its default must be from 0 to 2 and finite, not 5"),
        ((1, 3, 2), "weight 'w': its lowest value must be at most its highest, 2, not 3"),
        (float("inf"), "weight 'w': its default must be from -inf to inf and finite, not inf"),
        (float("nan"), "weight 'w' must be a number or"),
        ("5", "weight 'w' must be a number or"),
        (True, "weight 'w' must be a number or"),
        ((1, "low"), "weight 'w' must be a number or"),
        ((1, 0, 2, 3), "weight 'w' must be a number or"),
        ((1, 0, 2, "x", "y"), "weight 'w' must be a number or"),
        ((), "weight 'w' must be a number or"),
    ],
)
def test_policy__a_weight_declared_wrongly_is_refused(weight, message):
    with pytest.raises(engine.PolicyError, match=message):
        engine.heuristic("draftosaurus", weights={"w": weight})(lambda state, rules, action, weights: 1.0)


def test_endless_game__is_an_error(monkeypatch):
    plan = make_plan("draftosaurus", ["random"] * 2, 1)
    short = dataclasses.replace(plan.game, limit=lambda values, seats: 10)
    with pytest.raises(engine.GameError, match="game index 0 of seed 1 has not ended after 10 decisions"):
        run_plan(dataclasses.replace(plan, game=short), 4)


def test_designers_file__errors_name_file_and_line(tmp_path):
    file = tmp_path / "mine.py"
    cases = {
        "def f(:\n": r"mine.py:1: ",
        "x = 1\nx / 0\n": r"mine.py:2: ZeroDivisionError",
        "import engine\nx = 1\n": r"policy 'best' is not known.*a policy is a function under @engine.policy",
        "import no_such_library_at_all\n": r"mine.py:1: ModuleNotFoundError",
        "import sys\nsys.exit(0)\n": r"mine.py:2: SystemExit: 0",
        "\0": r"mine.py: .*null bytes",
    }
    for text, message in cases.items():
        file.write_text(text)
        with pytest.raises(engine.PolicyError, match=message):
            simulate(("random", f"{file}:best"))


def test_entry__random_and_ban_change_play():
    plain = simulate(("random", "random"), games=2000, seed=3)
    held = simulate((engine.entry("random", ban=["river", "t_rex"]), "random"), games=2000, seed=3)
    river = held.sources.index("river")
    mine = held.entry == 0
    assert held.pieces[:, :, river][mine].mean() < 0.7 * plain.pieces[:, :, river].mean()
    assert "random (no river, no t_rex)" in held.policies


def test_play_range__leaves_the_caller_to_choose_the_rows():
    plan = make_plan("draftosaurus", ["random"] * 3, 9, seats="fixed")
    whole = run_plan(plan, 20)
    rows = {name: getattr(whole, name)[5:9].copy() for name in ("score", "points", "pieces", "facts", "share")}
    rows |= {name: getattr(whole, name)[5:9].copy() for name in ("entry", "deal", "decisions", "options", "forced")}
    for array in rows.values():
        array[:] = 0
    play_range(plan, 5, rows)
    assert (rows["score"] == whole.score[5:9]).all()


@pytest.mark.parametrize("call", ["simulate", "replay", "transcripts"])
@pytest.mark.parametrize("number", [10**12 + 1, 2**64, 10**30])
def test_numbers__beyond_what_can_be_played_are_named(call, number):
    name = "index" if call == "replay" else "first_deal"
    games = () if call == "replay" else (10,)
    with pytest.raises(ValueError, match=f"{name} must be from 0 to 1,?000"):
        getattr(engine, call)("draftosaurus", ["random"] * 2, *games, seed=1, **{name: number})


def test_games__that_do_not_fit_into_memory_are_refused():
    with pytest.raises(ValueError, match="GB, more memory than there is; play fewer at a time"):
        engine.simulate("draftosaurus", ["random"] * 2, 10**12, 1)
