"""How boards fill: the chapter of a report."""

import re

import matplotlib
import pandas as pd
import pytest
from study_samples import HEAD, small

import engine
from analysis.report import boards, write_report
from analysis.store import Store
from analysis.sweep import run_study

matplotlib.use("Agg")
GRID = """
[[grid]]
players = [{players}]
lineup = ["{policy}"]
"""
PLAYED = [("draftosaurus", 4, "greedy"), ("sauros", 3, "greedy"), ("dino_museum", 2, "greedy")]


@pytest.mark.parametrize(("game", "players", "policy"), PLAYED)
def test_report__shows_how_boards_fill_and_the_first_winner(tmp_path, game, players, policy):
    head = HEAD.replace("draftosaurus", game).replace("games = 200", "games = 20")
    study = small(tmp_path, GRID.format(players=players, policy=policy), head)
    run_study(study, tmp_path / "r", progress=False)
    page = write_report(Store(study, tmp_path / "r")).path.read_text()
    assert boards.TITLE in page
    told = engine.transcripts(game, [policy] * players, 1, seed=7)
    result = next(told).result
    seat = int(result.share[0].argmax())
    assert f"The board of seat {seat} at the end, {result.score[0, seat]} points" in page
    chapter = page[page.index(f">{boards.TITLE}</h2>") :]
    shown = re.findall(r'<th scope="row" class="left">(\w+)</th><td>([\d.]+)', chapter[: chapter.index("</table>")])
    assert [source for source, _ in shown] == list(result.sources)


def test_half__is_the_first_moment_with_half_of_the_pieces():
    mine = pd.DataFrame(
        {"source": "trio", "moment": [1, 2, 3], "estimate": [0.5, 1.5, 3.0]}
        | {"low": [0.4, 1.4, 2.9], "high": [0.6, 1.6, 3.1], "n": 800}
    )
    assert boards._row(mine, "turn")[2:] == ["turn 2", "800"]
    assert boards._row(mine.assign(estimate=0.0), "turn")[2] == "-"


def test_report__without_one_policy_everywhere_has_no_such_chapter(tmp_path):
    study = small(tmp_path, '[[grid]]\nplayers = [2]\nlineup = [["greedy", "random"]]\n')
    run_study(study, tmp_path / "r", progress=False)
    assert boards.TITLE not in write_report(Store(study, tmp_path / "r")).path.read_text()
