import re
from types import SimpleNamespace

import pandas as pd
import pytest
from study_samples import HEAD, small

from analysis.report import numbers, verdict, write_report
from analysis.report.evidence import Evidence, gather
from analysis.store import Store
from analysis.sweep import run_study

GRID = """
[policies.odd]
base = "greedy"
weights = {parked = 0.25}
random = 0.5
ban = ["river"]
[[grid]]
players = [2, 4]
rules = [{}, {trio_points = 6, name = "<b>cheap trio</b>"}]
lineup = ["greedy", {focus = "greedy", field = "random"}, {focus = "odd", field = "random"}]
[[grid]]
players = [3]
lineup = [["greedy", "odd", "random"]]
"""


def row(estimate, low, high, n=1000):
    return SimpleNamespace(estimate=estimate, low=low, high=high, n=n)


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """A finished study: (store, report)."""
    folder = tmp_path_factory.mktemp("report")
    study = small(folder, GRID, HEAD.replace("A test", "A <test> & more"))
    run_study(study, folder / "r", progress=False)
    store = Store(study, folder / "r")
    return store, write_report(store)


@pytest.fixture(scope="module")
def page(done):
    return done[1].path.read_text()


def test_report__is_the_same_bytes_each_time(done):
    store, report = done
    before = {p.name: p.read_bytes() for p in [report.path, *(store.root / "tables").iterdir()]}
    write_report(store)
    assert {p.name: p.read_bytes() for p in [report.path, *(store.root / "tables").iterdir()]} == before


def test_report__needs_nothing_from_outside(page):
    for word in ("<script src", "<link", "@import", 'src="http', 'href="http', "url(http", "<iframe"):
        assert word not in page
    assert page.startswith("<!doctype html>")


def test_report__escapes_what_people_wrote(page):
    assert "A &lt;test&gt; &amp; more" in page
    assert "&lt;b&gt;cheap trio&lt;/b&gt;" in page
    assert "<b>cheap trio" not in page


def test_report__has_links_that_lead_somewhere_and_ids_that_are_unique(page):
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    targets = re.findall(r'href="#([^"]+)"', page) + re.findall(r"url\(#([^)]+)\)", page)
    assert targets
    assert set(targets) <= set(ids)


def test_report__gives_every_picture_a_text(page):
    texts = re.findall(r'role="img" aria-label="([^"]+)"', page)
    assert len(texts) == page.count("<svg") >= 6
    assert all(len(text) > 20 for text in texts)


def test_report__tells_question_rules_policies_seed_versions_and_command(page):
    for words in (
        "Does it work?",
        "meeplecarlo study small.toml",
        "Seed 7",
        "numba",
        "trio_points",
        "Plays at random with probability 0.5",
        "Banned: river",
        "parked = 0.25 (usually 0.9)",
        "a ruling of this project",
        "200",
    ):
        assert words in page


def test_report__writes_its_tables(done):
    store, _ = done
    frame = pd.read_csv(store.root / "tables" / "win_rates.csv")
    assert list(frame.columns[:5]) == ["cell", "variant", "rules", "players", "lineup"]
    assert list(frame.columns[-6:]) == ["estimate", "se", "low", "high", "n", "clusters"]
    assert set(frame.cell) == {cell.key[:12] for cell in store.study.cells}
    cells = pd.read_csv(store.root / "tables" / "cells.csv")
    assert cells.games.sum() == store.study.games


def test_report__of_an_unfinished_study_says_so(done, tmp_path):
    store, _ = done
    study = small(tmp_path, GRID)
    run_study(study, tmp_path / "r", progress=False)
    store = Store(study, tmp_path / "r")
    store.path(study.cells[0]).unlink()
    store.path(study.cells[1]).write_bytes(b"x")
    said = []
    report = write_report(store, say=said.append)
    assert [cell.key for cell in report.found.missing] == [cell.key for cell in study.cells[:2]]
    assert len(said) == 1
    assert "Unfinished: 2 of 13 cells" in report.path.read_text()


def test_report__without_any_result_is_an_error(tmp_path):
    study = small(tmp_path, GRID)
    with pytest.raises(
        ValueError, match=r"no result of this study is there yet; run: meeplecarlo study .*small.toml --results .*r$"
    ):
        write_report(Store(study, tmp_path / "r"))
    assert not (tmp_path / "r").exists()


def test_report__takes_the_largest_of_cells_that_are_alike(tmp_path):
    block = '[[grid]]\nplayers = [2]\ngames = {}\nlineup = ["random"]\n'
    study = small(tmp_path, block.format(100) + block.format(300) + block.format(200))
    run_study(study, tmp_path / "r", progress=False)
    report = write_report(Store(study, tmp_path / "r"))
    assert [cell.games for cell in report.found.present] == [100, 300, 200]
    assert [[cell.games for cell in cells] for _, cells in report.found.groups("self-play")] == [[300]]


# Verdict: words no stronger than intervals
def evidence(monkeypatch, rows):
    """Make `verdict` see these first-player advantages, by number of players."""
    cells = [SimpleNamespace(players=players, focus="p", key=f"{players}") for players in rows]
    monkeypatch.setattr(verdict, "first_seat", lambda _, cell: rows[cell.players])
    return cells


def test_fairness__is_decided_only_when_the_interval_leaves_out_even(monkeypatch):
    rows = {
        2: row(0.02, 0.01, 0.03),
        3: row(0.01, -0.001, 0.02),
        4: row(-0.02, -0.03, -0.01),
        5: row(0.01, 0.001, 0.02),
    }
    text, detail = verdict.fairness(Evidence(), "p", evidence(monkeypatch, rows))
    assert text == (
        "When all play p, the first player is favoured with 2 and 5, cannot be told from even with 3 and "
        "is at a disadvantage with 4 players."
    )
    assert "2 players 52.0 % (51.0 to 53.0; even is 50.0)" in detail
    assert detail.endswith("; n = 1,000 games each.")


def test_fairness__is_not_decided_without_a_p_value(monkeypatch):
    rows = {2: SimpleNamespace(**vars(row(0.02, 0.01, 0.03)), p_family=float("nan"))}
    assert "cannot be told from even" in verdict.fairness(Evidence(), "p", evidence(monkeypatch, rows))[0]


def test_fairness__warns_where_a_stop_rule_ended_play(monkeypatch):
    rows = {2: row(0.02, 0.01, 0.03)}
    for met in (True, False):
        found = Evidence(notes={"2": {"met": met}})
        detail = verdict.fairness(found, "p", evidence(monkeypatch, rows))[1]
        assert ("Where a stop rule ended play" in detail) == met


def test_fairness__says_where_policies_disagree(monkeypatch):
    cells = evidence(monkeypatch, {2: None})
    answers = iter([row(0.02, 0.01, 0.03), row(-0.02, -0.03, -0.01)])
    monkeypatch.setattr(verdict, "first_seat", lambda *_: next(answers))
    assert "With 2 players it depends on how people play" in verdict.disagreement(None, [("p", cells), ("q", cells)])[0]
    answers = iter([row(0.02, 0.01, 0.03), row(0.0, -0.01, 0.01)])
    assert verdict.disagreement(None, [("p", cells), ("q", cells)]) == []


def test_sources__that_cannot_be_told_apart_are_named_together():
    rows = [
        ("king", row(5, 4.9, 5.1)),
        ("island", row(4.95, 4.85, 5.05)),
        ("river", row(1, 1, 1)),
        ("t_rex", row(1, 1, 1)),
    ]
    assert list(verdict._extremes({4: rows}, last=False)) == ["king or island"]
    assert list(verdict._extremes({4: rows}, last=True)) == ["t_rex or river"]


def test_verdict__comes_from_the_numbers(done):
    store, report = done
    found = gather(store)
    assert {finding.topic for finding in report.findings} == {"Fairness", "Policies", "Sources", "Facts"}
    assert all("n = 2" in finding.detail or "n = 4" in finding.detail for finding in report.findings if finding.detail)
    assert {finding.setting for finding in report.findings} == {"summer", "summer, <b>cheap trio</b>"}
    cell = next(c for c in found.present if c.kind == "focus" and c.players == 4)
    share = verdict.focus_row(found, cell)
    assert share.estimate > 0.5
    assert share.n == cell.games


# Numbers
@pytest.mark.parametrize(
    ("values", "texts"),
    [
        ((0.26312, 0.25912, 0.26712), ("26.3", "25.9 to 26.7")),
        ((0.5, 0.4, 0.6), ("50", "40 to 60")),
        ((-0.0004, -0.003, 0.002), ("0.0", "-0.3 to 0.2")),
        ((0.25, 0.25, 0.25), ("25.00", "no spread")),
        ((float("nan"), float("nan"), float("nan")), ("-", "-")),
    ],
)
def test_estimate__shows_the_decimals_that_the_interval_supports(values, texts):
    assert numbers.estimate(row(*values), 100) == texts


@pytest.mark.parametrize(
    ("counts", "says"),
    [([300], "n = 300 games"), ([3000, 3000], "n = 3,000 games each"), ([600, 300], "n = 300 to 600 games")],
)
def test_counted__says_what_figures_rest_on(counts, says):
    assert numbers.counted(row(0, 0, 0, n) for n in counts) == says


def test_numbers__make_words():
    assert numbers.listed([2, 3, 4]) == "2, 3 and 4"
    assert numbers.listed([2]) == "2"
    assert numbers.number(1234.5, 1) == "1,234.5"
    assert numbers.number(-0.04, 1, signed=True) == "0.0"
    assert numbers.aligned(["a", "b"], [["long", "1"]]) == "a     b\nlong  1"
