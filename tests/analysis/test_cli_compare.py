import re

import pandas as pd
import pytest

from analysis.cli import WRONG, main

TRIO = ["--rules", "trio_points=6", "--against", "trio_points=7"]
SIDES = ["draftosaurus", "--policies", "greedy", "random", "random", *TRIO]


def test_compare__prints_the_paired_tables(capsys):
    assert main(["compare", *SIDES, "--games", "3000"]) == 0
    out = capsys.readouterr().out
    assert "First:   trio_points=6, 3,000 games" in out
    assert "Against: trio_points=7, 3,000 games, on the same deals" in out
    assert "win share of greedy" in out
    assert "Sources of random, a seat and game" in out
    assert "by Holm's method: the chance of any false claim" in out
    assert "times as many games on deals of their own" in out
    assert "6,000 games of 1,000 deals in" in out


def test_compare__csv_has_every_digit(capsys, tmp_path):
    path = tmp_path / "differences.csv"
    assert main(["compare", *SIDES, "--games", "300", "--correct", "benjamini-hochberg", "--csv", str(path)]) == 0
    frame = pd.read_csv(path)
    assert list(frame.columns[:8]) == ["quantity", "policy", "source", "first", "against", "saved", "p", "p_family"]
    assert "Benjamini and Hochberg" in capsys.readouterr().out


def test_compare__until_decided_says_how_far_it_came(capsys):
    assert main(["compare", *SIDES, "--games", "200000", "--until", "metric=win_rate", "decided=0.95"]) == 0
    out = capsys.readouterr().out
    assert "ended by what was asked for is known" in out
    assert "until win_rate decided at 95 %: reached after" in out


@pytest.mark.parametrize(
    ("rule", "row", "interval"),
    [
        (["metric=win_rate", "decided=0.95"], "win share of greedy", "95 %"),
        (["metric=score", "policy=random", "half_width=0.05", "level=0.9"], "score of random", "90 %"),
    ],
)
def test_compare__claims_nothing_but_what_its_stop_rule_does(capsys, rule, row, interval):
    assert main(["compare", *SIDES, "--games", "100000", "--until", *rule]) == 0
    out = capsys.readouterr().out
    assert "false claim" not in out
    assert f"by its own interval, {interval} at every look" in out
    claims = [line for line in out.splitlines() if re.search(r"\)  +(yes|no)  ", line)]
    assert [line.startswith(row) for line in claims] == [True]
    low, high = re.search(r"reached after .*\((\S+)(?: %)? to (\S+?)(?: %)?, ", out).groups()
    assert f"({low} to {high})" in claims[0]


def test_compare__nothing_after_against_is_the_game_as_printed(capsys):
    assert main(["compare", *SIDES[:-2], "--against", "--games", "30"]) == 0
    assert "Against: trio_points=7" in capsys.readouterr().out


def test_simulate__time_and_until(capsys):
    assert main(["simulate", *SIDES[:5], "--time", "0.2s"]) == 0
    assert "ended by the budget of time" in capsys.readouterr().out
    rule = ["--until", "metric=seat_advantage", "half_width=0.05"]
    assert main(["simulate", *SIDES[:5], *rule, "--games", "100"]) == 0
    assert "too few to say anything" in capsys.readouterr().out
    assert main(["simulate", *SIDES[:5], *rule]) == 0
    assert "seat_advantage known to ± 5 %: reached" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["compare", *SIDES[:5]], "both sides are the same; give --against, --against-policies or --against-variant"),
        (
            ["compare", *SIDES, "--against-policies", "greedy", "random"],
            "--against-policies must have as many entries as",
        ),
        (["compare", *SIDES, "--csv", "/"], "--csv must be a file, and '/' is a folder"),
        (["compare", *SIDES, "--until", "decided=0.9"], "until: metric is missing (allowed: seat_advantage, win_rate"),
        (["compare", *SIDES, "--correct", "homl"], "correct 'homl' is not known; did you mean 'holm'"),
        (["compare", *SIDES, "--level", "95"], "level must be between 0 and 1, not 95"),
        (["compare", *SIDES, "--games", "0"], "--games must be at least 1, not 0"),
        (["compare", *SIDES, "--time", "soon"], 'time must be greater than 0, such as "30s"'),
        (["compare", *SIDES, "--until", "win_rate"], "--until: write NAME=VALUE, such as metric=seat_advantage"),
        (["compare", *SIDES, "--until", "metric=win_rat", "decided=0.9"], "until: metric 'win_rat' is not known; did"),
        (["compare", *SIDES[:5], "--against", "trio=3"], "rule 'trio' is not known"),
        (["compare", *SIDES, "--csv", "/nowhere/x.csv"], "--csv: the folder of '/nowhere/x.csv' does not exist"),
        (["simulate", *SIDES[:5], "--time", "1s", "--csv", "x.csv"], "--csv goes with --games"),
        (
            ["simulate", *SIDES[:5], "--until", "metric=win_rate", "decided=1"],
            "until: decided must be a number between",
        ),
    ],
)
def test_command__bad_input_is_one_line(arguments, message, capsys):
    assert main(arguments) == WRONG
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.err.count("\n") == 1
    assert not captured.out
