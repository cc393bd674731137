"""Which points go with winning: the chapter of a report, and its plot."""

from math import log
from types import SimpleNamespace

import matplotlib
import matplotlib.pyplot as plt
import pandas as pd
import pytest
from study_samples import HEAD, small

import analysis
import engine
from analysis import plots
from analysis.report import evidence, winning, write_report
from analysis.store import Store
from analysis.sweep import run_study

matplotlib.use("Agg")
GRID = """
[[grid]]
players = [2]
lineup = ["greedy", ["greedy", "random"], {focus = "roller", field = "greedy"}]
"""
TALLIES = HEAD + 'keep = "tallies"\n'


def report_of(folder, grid, head=HEAD):
    study = small(folder, grid, head)
    run_study(study, folder / "r", progress=False)
    return write_report(Store(study, folder / "r"))


def test_report__of_playouts_has_odds_and_pictures(tmp_path):
    report = report_of(tmp_path, GRID)
    page = report.path.read_text()
    assert winning.TITLE in page
    assert "is no proof of cause" in page
    assert "kept sums only" not in page
    assert page.count("Probability of winning by the points of each source") >= 4  # two pictures, text and caption
    table = pd.read_csv(tmp_path / "r" / "small" / "tables" / "win_model.csv")
    assert list(table.columns[:9]) == [
        *("cell", "variant", "rules", "players", "lineup", "policy", "source", "quantity", "value")
    ]
    assert table.cell.nunique() == 2  # not the policy in focus


def test_report__of_tallies_says_why_there_are_no_odds(tmp_path):
    report = report_of(tmp_path, GRID, TALLIES)
    page = report.path.read_text()
    assert winning.TITLE in page
    assert "kept sums only" in page
    assert "odds times" not in page
    assert "win_model" not in report.found.tables


def test_report__of_focus_alone_has_no_such_chapter(tmp_path):
    grid = '[[grid]]\nplayers = [2]\nlineup = [{focus = "greedy", field = "random"}]\n'
    assert winning.TITLE not in report_of(tmp_path, grid).path.read_text()


def test_row__by_hand():
    """Odds of 1 to 3, doubled, are 2 to 3."""
    log_odds = {"estimate": log(2), "low": log(1.5), "high": log(3)}
    row = SimpleNamespace(policy="p", source="king", n=1234, **log_odds)
    assert winning._row(row, 0.25) == ["p", "king", ("2.0", "1.5 to 3.0"), ("40 %", "33 to 50"), "1,234"]
    row = SimpleNamespace(policy="p", source="trio", n=0)
    assert winning._row(row, 0.25) == ["p", "trio", ("-", "no fit"), "-", "-"]


def test_fitted__takes_whole_deals_of_the_first_games(tmp_path, monkeypatch):
    grid = '[[grid]]\nplayers = [3]\nlineup = [["greedy", "random", "random"]]\n'
    cell = small(tmp_path, grid).cells[0]
    play = engine.simulate("draftosaurus", cell.wanted, 60, 7)
    monkeypatch.setattr(evidence, "MOST_FITTED", 31)
    frame = evidence.fitted(cell, play)
    assert frame[frame.policy == "greedy"].n.max() == 33
    assert evidence.fitted(cell, analysis.tally(play)) is None


def test_win_curves__has_a_plot_for_each_source_with_a_fit():
    frame = analysis.win_model(engine.simulate("draftosaurus", ["greedy", "random"], 2000, 3))
    first = plots.win_curves(frame, players=2, title="so")
    shown = [ax for ax in first.figure.axes if ax.get_visible()]
    known = frame[(frame.n > 0) & (frame.quantity == "win_probability")]
    assert [ax.get_title(loc="left") for ax in shown] == [s.replace("_", " ") for s in dict.fromkeys(known.source)]
    mine = known[(known.source == known.source.iloc[0]) & (known.policy == "greedy")]
    line = next(line for line in first.lines if line.get_label() == "greedy")
    assert line.get_ydata() == pytest.approx(mine.estimate.to_numpy())
    assert len(first.figure.legends) == 1
    plt.close("all")


def test_win_curves__refuses_what_has_no_fit():
    frame = analysis.win_model(engine.simulate("draftosaurus", ["greedy", "random"], 2000, 3))
    with pytest.raises(ValueError, match="frame has no source with a fit"):
        plots.win_curves(frame.assign(n=0))
    with pytest.raises(ValueError, match="several rows"):
        plots.win_curves(pd.concat([frame, frame]))
