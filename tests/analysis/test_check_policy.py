import pytest

import engine
from analysis.check_policy import check_policy
from analysis.cli import main
from engine.errors import PolicyError

FILE = """
import engine

@engine.policy("draftosaurus")
def lowest(state, rules, legal, weights):
    return engine.bits.lowest(legal)

@engine.policy("draftosaurus")
def peeks(state, rules, legal, weights):
    other = (state.mover + 1) % state.seats
    return engine.bits.select(legal, (state.hand[other] % 7) % engine.bits.count(legal))

@engine.heuristic("draftosaurus")
def values_what_it_should_not_see(state, rules, action, weights):
    return float(state.hand[(state.mover + 1) % state.seats] % 7) + action

@engine.policy("draftosaurus")
def draws(state, rules, legal, weights):
    return engine.bits.select(legal, engine.rng.below(state, engine.bits.count(legal)))

@engine.policy("draftosaurus")
def looks_at_the_dice(state, rules, legal, weights):
    if engine.rng.chance(state, 1, 6) > 2:
        return engine.bits.lowest(legal)
    return engine.bits.highest(legal)

@engine.policy("draftosaurus")
def writes(state, rules, legal, weights):
    state.rolls[0] = 5
    return engine.bits.lowest(legal)

@engine.policy("draftosaurus")
def illegal(state, rules, legal, weights):
    return 63

@engine.policy("draftosaurus")
def broken(state, rules, legal, weights):
    return state.nope

@engine.heuristic("draftosaurus", weights={"a": 1.0})
def reads_outside(state, rules, action, weights):
    return weights[0] + weights[1]

@engine.policy("draftosaurus")
def loops(state, rules, legal, weights):
    n = 0
    while state.turn == 1:
        n += 1
    return engine.bits.lowest(legal)

@engine.heuristic("draftosaurus")
def no_number(state, rules, action, weights):
    return float("nan")
"""


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("policies") / "mine.py"
    path.write_text(FILE)
    return path


@pytest.fixture(autouse=True)
def few(monkeypatch):
    monkeypatch.setattr("analysis.check_policy.LEGAL_GAMES", 4)
    monkeypatch.setattr("analysis.check_policy.SPEED_SECONDS", 0.02)
    monkeypatch.setattr("analysis.check_policy.PATIENCE", 20.0)
    monkeypatch.setattr(
        "analysis.check_policy._tables", lambda game: [("summer", 2), ("summer", 4), ("winter", 3), ("box_hidden", 2)]
    )


def results(spec, **options):
    return {found.name: found for found in check_policy(spec, games=40, **options)}


@pytest.mark.parametrize(
    ("name", "fails"),
    [
        ("lowest", set()),
        ("draws", set()),
        ("peeks", {"does not peek"}),
        ("values_what_it_should_not_see", {"does not peek"}),
        ("looks_at_the_dice", {"does not peek", "does not write"}),
        ("writes", {"does not write"}),
        ("reads_outside", {"stays inside arrays"}),
        ("loops", {"plays legally"}),
        ("illegal", {"plays legally"}),
        ("no_number", {"plays legally"}),
        ("broken", {"compiles"}),
    ],
)
def test_check_policy__finds_what_is_wrong(file, name, fails):
    found = results(f"{file}:{name}")
    assert {n for n, f in found.items() if f.passed is False} == fails
    whole = {
        "compiles",
        "plays legally",
        "does not peek",
        "does not write",
        "stays inside arrays",
        "speed",
        "against greedy",
        "against random",
    }
    assert set(found) == whole or fails & {"plays legally", "compiles"}


def test_check_policy__says_where_and_what(file):
    assert "with other hidden information" in results(f"{file}:peeks")["does not peek"].text
    assert "Forest of Sameness" in results(f"{file}:values_what_it_should_not_see")["does not peek"].text
    assert "returned action 63" in results(f"{file}:illegal")["plays legally"].text
    assert "did you mean 'no_rex'" in results(f"{file}:broken")["compiles"].text


def test_check_policy__tells_speed_and_win_share_with_n_and_interval(file):
    found = results(f"{file}:lowest")
    assert "games a second on one core" in found["speed"].text
    assert "greedy makes" in found["speed"].text
    for field in ("greedy", "random"):
        says = found[f"against {field}"].text
        assert f"against 3 {field}" in says
        assert "95 % interval, n = 40 games of 10 deals" in says


def test_check_policy__does_not_set_a_policy_against_itself():
    assert "against greedy" not in results("greedy", game="draftosaurus")


def test_check_policy__raises_where_there_is_no_policy(file, tmp_path):
    with pytest.raises(PolicyError, match="did you mean 'lowest'"):
        results(f"{file}:lowes")
    with pytest.raises(PolicyError, match="does not exist"):
        results(f"{tmp_path}/none.py:x")
    with pytest.raises(PolicyError, match="plays 'draftosaurus', not 'sauros'"):
        results(f"{file}:lowest", game="sauros")
    with pytest.raises(PolicyError, match="is built in; which game's"):
        results("greedy")
    with pytest.raises(ValueError, match="did you mean 'sauros'"):
        results("greedy", game="saurus")


def test_check_policy__has_a_line_a_finding_and_a_status(file, capsys):
    assert main(["check-policy", f"{file}:lowest", "--games", "40"]) == 0
    out = capsys.readouterr().out
    assert out.count("PASS") == 6
    assert "FAIL" not in out
    assert main(["check-policy", f"{file}:peeks", "--games", "40"]) == 1
    out = capsys.readouterr().out
    assert "FAIL  does not peek:" in out
    assert out.splitlines()[-1].startswith("FAIL")
    assert main(["check-policy", f"{file}:lowes"]) == 2


def test_check_policy__every_game_passes_its_own_greedy(monkeypatch):
    monkeypatch.undo()
    monkeypatch.setattr("analysis.check_policy.LEGAL_GAMES", 2)
    monkeypatch.setattr("analysis.check_policy.SPEED_SECONDS", 0.02)
    monkeypatch.setattr("analysis.check_policy.PATIENCE", 20.0)
    for game in engine.games():
        few = engine.load_game(game).seats[0]
        monkeypatch.setattr("analysis.check_policy._tables", lambda game, n=few: [(None, n)])
        found = list(check_policy("greedy", game, games=8))
        assert [f.passed for f in found if f.passed is not None] == [True] * 5
