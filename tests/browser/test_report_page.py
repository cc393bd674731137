"""The report in a real browser. Skipped only where there is none."""

import urllib.parse

import pytest
from browser.devtools import CHROMIUM, Browser
from study_samples import HEAD, small

from analysis.report import write_report
from analysis.store import Store
from analysis.sweep import run_study

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
GRID = """
[[grid]]
players = [2, 4]
rules = [{}, {trio_points = 6, name = "<b>a long name of a house rule</b>"}]
lineup = ["greedy", {focus = "greedy", field = "random"}, {focus = "planner", field = "random"}]
"""
PHONE, TABLET, DESKTOP = 390, 768, 1280


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    found = Browser(tmp_path_factory.mktemp("profile"))
    yield found
    found.close()


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    folder = tmp_path_factory.mktemp("page")
    study = small(folder, GRID, HEAD)
    run_study(study, folder / "r", progress=False)
    return write_report(Store(study, folder / "r")).path


def outside(requests, path):
    """Requests for anything but the page itself and what is inside it."""
    return [x for x in requests if not x.startswith(("data:", "blob:")) and x.split("#")[0] != path.resolve().as_uri()]


@pytest.mark.parametrize("width", [PHONE, TABLET, DESKTOP])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_page__is_quiet_stays_at_home_and_fits(browser, report, width, dark):
    browser.open(report, width, dark=dark)
    assert browser.complaints() == []
    assert outside(browser.requests(), report) == []
    assert browser.run("document.documentElement.scrollWidth") == width
    too_wide = browser.run(
        "[...document.querySelectorAll('main *')].filter(x => !x.closest('.scroll, figure, pre, .word') && "
        "x.getBoundingClientRect().right > innerWidth + 1).map(x => x.outerHTML.slice(0, 80))"
    )
    assert too_wide == []


def test_links__lead_somewhere(browser, report):
    browser.open(report)
    links = browser.run("[...document.querySelectorAll('a[href]')].map(a => a.getAttribute('href'))")
    ids = browser.run("[...document.querySelectorAll('[id]')].map(x => x.id)")
    assert len(ids) == len(set(ids))
    inside = {x[1:] for x in links if x.startswith("#")}
    assert len(inside) > 10
    assert inside <= set(ids)
    files = [x for x in links if not x.startswith(("#", "data:"))]
    assert len(files) > 5
    assert [x for x in files if not (report.parent / urllib.parse.unquote(x)).is_file()] == []


def test_anchors__show_the_picture(browser, report):
    browser.open(report)
    browser.run("document.querySelector('.card a[href^=\"#figure\"]').click()")
    assert browser.run("Math.abs(document.querySelector(':target').getBoundingClientRect().top) < innerHeight")
    assert browser.run("document.querySelector(':target svg') !== null")


def test_pictures__have_text_alternatives(browser, report):
    browser.open(report)
    texts = browser.run(
        "[...document.querySelectorAll('svg, img, canvas')].map(x => "
        "(x.closest('[role=img]') || document.body).getAttribute('aria-label') || '')"
    )
    assert len(texts) > 10
    assert min(map(len, texts)) > 20
    names = browser.run("[...document.querySelectorAll('a, button')].filter(x => !x.textContent.trim()).length")
    assert names == 0


def test_lights__have_a_shape_and_a_word_and_contrast(browser, report):
    contrast = """
    (() => {
      const part = c => { c /= 255; return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; };
      const shine = text => { const [r, g, b] = text.match(/[\\d.]+/g).map(Number);
        return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b); };
      const ground = x => { const c = getComputedStyle(x).backgroundColor;
        return c === "rgba(0, 0, 0, 0)" ? ground(x.parentElement) : c; };
      return Math.min(...[...document.querySelectorAll(".light, .small, .interval, .card dd p, th, td, a")].map(x => {
        const [a, b] = [shine(getComputedStyle(x).color), shine(ground(x))].sort((p, q) => q - p);
        return (a + 0.05) / (b + 0.05); }));
    })()
    """
    for dark in (False, True):
        browser.open(report, dark=dark)
        assert browser.run(contrast) >= 4.5  # WCAG 2.2, 1.4.3
    words = browser.run("[...new Set([...document.querySelectorAll('.light')].map(x => x.innerText.trim()))]")
    assert {x.split()[0] for x in words} <= {"●", "▲", "◆", "○"}
    assert all(len(x.split()) > 1 for x in words)


TABLE = "document.querySelector('[aria-label=\"Every cell of the study\"] table')"
COLUMN = "[...{t}.tBodies[0].rows].map(r => r.cells[{i}].firstChild.textContent)"


def test_tables__sort_by_number_and_by_word(browser, report):
    browser.open(report)
    column = COLUMN.format(t=TABLE, i=2)
    before = [float(x) for x in browser.run(column)]
    assert before != sorted(before)
    click = f"{TABLE}.tHead.rows[0].cells[2].querySelector('button').click()"
    browser.run(click)
    assert [float(x) for x in browser.run(column)] == sorted(before)
    assert browser.run(f"{TABLE}.tHead.rows[0].cells[2].getAttribute('aria-sort')") == "ascending"
    browser.run(click)
    assert [float(x) for x in browser.run(column)] == sorted(before, reverse=True)
    click = f"{TABLE}.tHead.rows[0].cells[0].querySelector('button').click()"
    browser.run(click)
    names = browser.run(COLUMN.format(t=TABLE, i=0))
    assert ["planner against random" in x for x in names[-2:]] == [False, True]
    browser.run(click)
    assert browser.run(COLUMN.format(t=TABLE, i=0)) == names[::-1]
    assert browser.run(f"{TABLE}.tHead.querySelectorAll('[aria-sort]').length") == 1


def test_tables__filter_by_words(browser, report):
    browser.open(report)
    browser.run(
        f"(() => {{ const i = {TABLE}.closest('.scroll').previousElementSibling.querySelector('input'); "
        "i.value = 'PLANNER house'; i.dispatchEvent(new Event('input')); })()"
    )
    shown = browser.run(f"[...{TABLE}.tBodies[0].rows].filter(r => r.offsetHeight).map(r => r.innerText)")
    assert len(shown) == 2
    assert all("planner against random" in x and "house rule" in x for x in shown)
    assert browser.run(f"{TABLE}.closest('.scroll').previousElementSibling.innerText").count("2 of 12 rows") == 1


def test_tables__are_saved_as_csv_without_a_request(browser, report):
    browser.open(report)
    browser.run(
        "(() => { window.saved = []; const make = URL.createObjectURL; "
        "URL.createObjectURL = b => { b.text().then(t => saved.push(t)); return make(b); }; })()"
    )
    browser.run(f"{TABLE}.closest('.scroll').previousElementSibling.querySelector('button').click()")
    (text,) = browser.run("new Promise(r => setTimeout(() => r(saved), 200))")
    lines = text.removeprefix("\ufeff").splitlines()
    assert (
        lines[0]
        == 'cell,decisions a game,legal actions a decision,forced,"forced, interval",ties,"ties, interval",games'
    )
    assert len(lines) == 13
    assert browser.complaints() == []
    assert outside(browser.requests(), report) == []


def test_workbook__is_inside_the_page(browser, report):
    browser.open(report)
    start = browser.run("atob(document.querySelector('a[download$=\".xlsx\"]').href.split(',')[1]).slice(0, 2)")
    assert start == "PK"


def test_page__works_without_the_script(browser, report):
    browser.open(report, script=False)
    assert browser.run("document.querySelectorAll('.tools, thead button').length") == 0
    assert browser.run(f"{TABLE}.tBodies[0].rows.length") == 12


def test_page__prints_what_matters(browser, report, tmp_path):
    browser.open(report)
    browser.pdf(tmp_path / "page.pdf")
    assert (tmp_path / "page.pdf").read_bytes().startswith(b"%PDF")
    browser.call("Emulation.setEmulatedMedia", media="print")
    assert browser.run("[...document.querySelectorAll('nav, .tools')].every(x => !x.offsetHeight)")
    assert browser.run("[...document.querySelectorAll('.card, .glance')].every(x => x.offsetHeight > 0)")
    browser.call("Emulation.setEmulatedMedia", media="")


def test_tables__of_odds_and_ranks_sort_by_number(browser, report):
    browser.open(report)
    for part, i in (("Odds with 4 players, all play greedy (summer)", 2), ("One against 3 random (summer)", 2)):
        table = f"document.querySelector('[aria-label=\"{part}\"] table')"
        browser.run(f"{table}.tHead.rows[0].cells[{i}].querySelector('button').click()")
        values = [x for x in browser.run(COLUMN.format(t=table, i=i)) if x != "-"]
        assert len(values) > 1
        assert [float(x) for x in values] == sorted(float(x) for x in values)
