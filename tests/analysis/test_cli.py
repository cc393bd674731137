import os
import subprocess
import sys

import pandas as pd
import pytest
from study_samples import file_bytes, write

import engine
from analysis import cli
from analysis.cli import main
from analysis.cli.commands import rule_values
from analysis.study import load_study
from analysis.sweep import parts

COMMANDS = ("games", "policies", "rules", "simulate", "study", "report", "replay")
FOUR = ["simulate", "draftosaurus", "--policies", "greedy", "random", "random", "random"]


def test_help__has_an_example_for_every_command(call):
    assert call("--help")[0] == 0
    for command in COMMANDS:
        status, out, _ = call(command, "--help")
        assert status == 0
        assert f"Example: meeplecarlo {command}" in " ".join(out.split())


def test_games__lists_them(call):
    status, out, _ = call("games")
    assert status == 0
    assert [line.split()[0] for line in out.splitlines()[1:]] == engine.games()


def test_policies__tells_ideas_and_weights(call):
    status, out, _ = call("policies", "draftosaurus")
    assert status == 0
    for name, about in engine.policies("draftosaurus").items():
        assert f"{name}\n    {about['idea'].splitlines()[0]}" in out
    assert "parked  0.9" in out


def test_rules__tells_value_meaning_and_basis(call):
    status, out, _ = call("rules", "draftosaurus", "--variant", "winter")
    assert status == 0
    assert 'board = "winter"*' in out
    assert "trio_points = 7\n" in out
    assert "printed in the rulebook" in out


def test_simulate__prints_win_shares_scores_and_sources(call, tmp_path):
    status, out, err = call(*FOUR, "--games", "1_001", "--rules", "trio_points=6", "--csv", tmp_path / "games.csv")
    assert status == 0
    assert "4 players, 1,004 games, seats rotate, seed 1" in out
    assert "Rules changed: trio_points = 6" in out
    assert "Win share of a seat (even: 25.0 %)" in out
    assert "Sources of greedy" in out
    assert "1,004 games in" in err
    frame = pd.read_csv(tmp_path / "games.csv")
    assert len(frame) == 4 * 1004
    assert (
        call(*FOUR, "--games", "1_001", "--rules", "trio_points=6", "--threads", "1")[1]
        == out.split("\n\n1,004")[0] + "\n"
    )


def test_simulate__shows_seats_where_policies_do_not_differ(call):
    out = call("simulate", "draftosaurus", "--policies", "random", "random", "--games", "500")[1]
    assert "seat  win share" in out
    assert [line.split()[0] for line in out.split("win share")[1].splitlines()[1:3]] == ["0", "1"]
    assert "seat 0 is the first player" in out
    out = call("simulate", "draftosaurus", "--policies", "random", "greedy", "--games", "500", "--seats", "fixed")[1]
    assert "policy  seat  win share" in out


def test_simulate__counts_many_games_without_keeping_them(call, monkeypatch):
    from analysis.cli import tables

    kept = call(*FOUR, "--games", "1000")[1]
    monkeypatch.setattr(tables, "STEP", 256)
    assert call(*FOUR, "--games", "1000")[1] == kept
    monkeypatch.setattr(tables, "MOST_PLAYOUTS", 500)
    counted = call(*FOUR, "--games", "1000")[1]
    assert counted.splitlines()[0] == kept.splitlines()[0]
    for line, other in zip(kept.splitlines(), counted.splitlines(), strict=True):
        assert line.split()[:1] == other.split()[:1]  # only the intervals differ
    assert call(*FOUR, "--games", "1000", "--csv", "x.csv")[0] == 2


def test_replay__tells_one_game(call):
    status, out, _ = call("replay", "draftosaurus", "--policies", "greedy", "random", "--seed", "5", "--index", "3")
    assert status == 0
    assert out.strip() == str(engine.replay("draftosaurus", ["greedy", "random"], 5, 3)).strip()


def test_study__runs_reports_and_goes_on(call, tmp_path):
    path = write(tmp_path)
    status, out, err = call("study", path, "--results", tmp_path / "r", "--jobs", "2")
    assert status == 0
    assert "When all play random, the first player" in out
    assert f"Report: {tmp_path / 'r' / 'small' / 'report.html'}" in out
    assert "4 cells computed" in err
    again = call("study", path, "--results", tmp_path / "r")
    assert again[1] == out
    assert "0 cells computed in 0.0 s, 4 were there already" in again[2]
    assert call("report", path, "--results", tmp_path / "r")[1] == out


def test_study__with_a_failing_cell_has_status_1_and_a_summary(call, tmp_path):
    (tmp_path / "bad.py").write_text(
        'import engine\n@engine.policy("draftosaurus")\ndef cheat(state, rules, legal, weights):\n    return 63\n'
    )
    path = write(tmp_path, '\n[[grid]]\nplayers = [2]\nlineup = ["bad.py:cheat", "random"]\n')
    status, out, err = call("study", path, "--results", tmp_path / "r")
    assert status == 1
    assert "error: cell failed: summer, 2 players, cheat: policy 'cheat'" in err
    assert "error: 1 of 2 cells failed" in err
    assert "Report:" in out


def test_study__interrupted_has_status_130_and_says_what_is_kept(call, tmp_path, monkeypatch):
    path = write(tmp_path)
    call("study", path, "--results", tmp_path / "r")
    for file in list((tmp_path / "r").rglob("*.parquet"))[:2]:
        file.unlink()

    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("analysis.sweep.driver.Driver._fly", interrupt)
    status, _, err = call("study", path, "--results", tmp_path / "r")
    assert status == 130, err
    assert "interrupted: 2 of 4 cells are finished and kept in" in err
    assert not parts.stop.is_set()
    assert len(file_bytes(tmp_path / "r")) == 2


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "a command is needed"),
        (["simulat"], "command 'simulat' is not known; did you mean 'simulate'?"),
        (["policies"], "the following arguments are required: GAME"),
        (["policies", "draftosaur"], "game 'draftosaur' is not known; did you mean 'draftosaurus'?"),
        (["rules", "draftosaurus", "--variant", "x"], "draftosaurus: variant 'x' is not known"),
        ([*FOUR, "--games", "ten"], "argument --games: must be a whole number, not 'ten'"),
        ([*FOUR, "--games", "0"], "--games must be at least 1, not 0"),
        ([*FOUR, "--threads", "0"], "--threads must be at least 1, not 0"),
        ([*FOUR, "--seed", "-1"], "seed must be from 0 to"),
        ([*FOUR, "--seats", "rot"], "seats 'rot' is not known; did you mean 'rotate'?"),
        ([*FOUR, "--rules", "trio_points"], "--rules: write NAME=VALUE, such as trio_points=6, not 'trio_points'"),
        ([*FOUR, "--rules", "trio_points=[6"], "--rules: trio_points: '[6' is not a value"),
        ([*FOUR, "--rules", "trio=6"], "draftosaurus: rule 'trio' is not known; did you mean"),
        ([*FOUR, "--csv", "/no/such/folder/x.csv"], "--csv: the folder of '/no/such/folder/x.csv' does not exist"),
        ([*FOUR, "--csv", "/"], "--csv must be a file, and '/' is a folder"),
        ([*FOUR, "--csv", "/", "--time", "1s"], "--csv must be a file, and '/' is a folder"),
        ([*FOUR, "--csv", ""], "argument --csv: must be the name of a file or folder, not ''"),
        (["study", "first_look", "--results", ""], "argument --results: must be the name of a file or folder, not ''"),
        (["merge", "first_look", " "], "argument DIR: must be the name of a file or folder, not ' '"),
        (["export", "first_look", "--to", ""], "argument --to: must be the name of a file or folder, not ''"),
        (["check", ""], "argument FILE-OR-NAME: must be the name of a file or folder, not ''"),
        ([*FOUR, "--gmaes", "5"], "unrecognized arguments: --gmaes 5 (see meeplecarlo simulate --help)"),
        (["simulate", "draftosaurus", "--policies", "greedy"], "takes 2 to 5 players, not 1"),
        (["simulate", "draftosaurus", "--policies", "gredy", "random"], "policy 'gredy' is not known; did you mean"),
        (["simulate", "draftosaurus", "--policies", "no.py:x", "random"], "policy file 'no.py' does not exist"),
        (["replay", "draftosaurus", "--policies", "random", "random", "--index", "-3"], "index must be from 0 to"),
        (["study", "first_lok"], "study 'first_lok' is not known; did you mean 'first_look'?"),
        (["study", "no/such.toml"], "no/such.toml: there is no such file"),
        (["study", "first_look", "--results", "/proc/no"], "cannot be written"),
        (["study", "first_look", "--backend", "threds"], "backend 'threds' is not known; did you mean 'threads'?"),
        (["study", "first_look", "--jobs", "0"], "jobs must be at least 1, not 0"),
        (["report", "first_look", "--results", "/no"], "no result of this study is there yet"),
    ],
)
def test_bad_input__is_one_line_and_status_2(call, arguments, says):
    status, out, err = call(*arguments)
    assert (status, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert err.startswith("meeplecarlo")
    assert says in err


def test_suggested_commands__work_from_the_present_folder(call, tmp_path, monkeypatch):
    (tmp_path / "in here").mkdir()
    write(tmp_path / "in here")
    monkeypatch.chdir(tmp_path)
    here = "'in here/small.toml' --results 'r r'"
    study = ["in here/small.toml", "--results", "r r"]
    assert f"run: meeplecarlo study {here}\n" in call("report", *study)[2]
    assert f"run: meeplecarlo study {here}\n" in call("export", *study)[2]
    assert f"Run it: meeplecarlo study {here}\n" in call("check", *study)[1]
    assert f"there: meeplecarlo report {here}\n" in call("study", *study, "--shard", "1/4", "--jobs", "1")[2]
    assert f"3 of 4 cells have no result yet; run: meeplecarlo study {here}\n" in call("report", *study)[2]
    assert "run: meeplecarlo study first_look --results x\n" in call("report", "first_look", "--results", "x")[2]
    assert "run: meeplecarlo study first_look\n" in call("report", "first_look")[2]


def test_failures__count_cells_and_pieces_of_rule_sets(tmp_path):
    from analysis.cli.sweeping import _failures

    study = load_study(write(tmp_path))
    cell = study.cells[0]
    assert _failures([(cell, "x")], study) == "1 of 4 cells"
    assert _failures([(object(), "x")], study) == "1 piece of the rule sets"
    assert _failures([(cell, "x"), (object(), "y"), (object(), "y")], study) == (
        "1 of 4 cells and 2 pieces of the rule sets"
    )


def test_one__is_said_as_one(call, tmp_path):
    path = write(tmp_path, '[[grid]]\nplayers = [2]\nlineup = ["random"]\n')
    assert "\n1 cell, 200 games\n" in call("check", path, "--results", tmp_path)[1]
    assert "1 cell computed in" in call("study", path, "--results", tmp_path, "--jobs", "1")[2]
    assert "1 game in" in call("simulate", "draftosaurus", "--policies", "random", "random", "--games", "1")[2]


def test_output__goes_where_its_characters_do_not(tmp_path):
    path = write(tmp_path, '[[grid]]\nplayers = [2]\nlineup = ["random"]\n')
    command = [sys.executable, "-m", "analysis", "study", path, "--results", tmp_path, "--jobs", "1"]
    done = subprocess.run(command, capture_output=True, env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0, done.stderr
    assert b"Report: " in done.stdout


def test_designers_file__that_leaves_python_is_an_error(call, tmp_path):
    (tmp_path / "bye.py").write_text("import sys\nsys.exit(0)\n")
    status, out, err = call("simulate", "draftosaurus", "--policies", f"{tmp_path / 'bye.py'}:x", "greedy")
    assert (status, out) == (2, "")
    assert "bye.py:2: SystemExit: 0" in err


def test_bad_study__shows_every_error_on_a_line(call, tmp_path):
    path = write(tmp_path, '\n[[grid]]\nplayrs = [4]\nplayers = [9]\nlineup = ["x"]\n')
    status, _, err = call("study", path)
    assert status == 2
    assert len(err.splitlines()) == 3
    assert all(line.startswith("meeplecarlo: error: small.toml: grid[0].") for line in err.splitlines())


def test_surprise__is_one_line_too(call, monkeypatch):
    monkeypatch.setattr("analysis.cli.commands.list_games", lambda _: {}["x"])
    assert call("games") == (2, "", "meeplecarlo: error: KeyError: 'x' (set MEEPLECARLO_DEBUG=1 to see where)\n")
    monkeypatch.setenv("MEEPLECARLO_DEBUG", "1")
    with pytest.raises(KeyError):
        main(["games"])


def test_ctrl_c__is_status_130(call, monkeypatch):
    def interrupt(_):
        raise KeyboardInterrupt

    monkeypatch.setattr("analysis.cli.commands.list_games", interrupt)
    assert call("games") == (130, "", "meeplecarlo: interrupted\n")


def test_rule_values__are_toml_literals():
    pairs = ["a=6", "b=true", "c=[1, 2]", "d=summer", 'e="x y"', "forest_points.3=9", "f=-1.5"]
    assert rule_values(pairs) == {
        "a": 6, "b": True, "c": [1, 2], "d": "summer", "e": "x y", "forest_points.3": 9, "f": -1.5
    }  # fmt: skip
    with pytest.raises(ValueError, match="'a' is given twice"):
        rule_values(["a=1", "a=2"])


def test_command_line__starts_light():
    code = (
        "import sys, analysis.cli as c; c.main(['--help']); print([m for m in ('numba', 'numpy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
    assert cli.WRONG == 2


def test_python_m_analysis__prints_versions():
    done = subprocess.run([sys.executable, "-m", "analysis", "--version"], capture_output=True, text=True, check=True)
    assert "numba" in done.stdout
    assert "compile cache: " in done.stdout


def test_output__may_be_cut_short():
    script = f"{sys.executable} -m analysis policies draftosaurus | head -1"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", script], capture_output=True, text=True, env={**os.environ})
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("command", ["simulate", "compare"])
def test_command__refuses_more_games_than_can_be_played(command, capsys):
    other = ["--against", "trio_points=6"] if command == "compare" else []
    asked = [command, "draftosaurus", "--policies", "random", "random", "--games", "9" * 20, *other]
    assert main(asked) == 2
    assert "games must be from 1 to 1,000,000,000,000, not 99,999," in capsys.readouterr().err
