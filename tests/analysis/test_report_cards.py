import math
import re
from types import SimpleNamespace

import pytest
from study_samples import HEAD, small, write

import analysis
import engine
from analysis.report import facts, lights, write_report
from analysis.report.cards import NAMES, dominance, simulate_command
from analysis.report.evidence import gather
from analysis.report.gauge import Mark, gauge
from analysis.report.lights import BEYOND, NONE, OPEN, WITHIN, judge, widened, worst
from analysis.store import Store
from analysis.study import load_study
from analysis.studyfile import StudyError
from analysis.sweep import run_study
from analysis.thresholds import THRESHOLDS, thresholds

GRID = """
[thresholds]
ties = 0.5
close_games = 0.9
[[grid]]
players = [2, 4]
lineup = ["random", "greedy"]
[[grid]]
players = [4]
lineup = [{focus = "greedy", field = "random"}]
[[grid]]
players = [3]
rules = [{trio_points = 6}]
lineup = [["greedy", "random", "random"]]
"""


def row(low, estimate, high, clusters=100):
    return SimpleNamespace(low=low, estimate=estimate, high=high, n=1000, clusters=clusters)


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """A finished study: (store, report)."""
    folder = tmp_path_factory.mktemp("cards")
    study = small(folder, GRID)
    run_study(study, folder / "r", progress=False)
    store = Store(study, folder / "r")
    return store, write_report(store)


# Lights
@pytest.mark.parametrize(
    ("interval", "light"),
    [
        (row(-0.02, 0.0, 0.02), WITHIN),
        (row(-0.03, 0.0, 0.03), WITHIN),
        (row(0.01, 0.02, 0.04), OPEN),
        (row(-0.05, 0.0, 0.05), OPEN),
        (row(0.031, 0.04, 0.05), BEYOND),
        (row(-0.05, -0.04, -0.031), BEYOND),
        (row(math.nan, 0.0, math.nan), NONE),
    ],
)
def test_judge__is_decided_by_the_whole_interval(interval, light):
    assert judge(interval, -0.03, 0.03) is light


def test_worst__is_within_only_if_all_are():
    assert worst([WITHIN, NONE]) is WITHIN
    assert worst([WITHIN, OPEN]) is OPEN
    assert worst([OPEN, BEYOND]) is BEYOND
    assert worst([NONE]) is NONE


def test_lights__differ_in_shape_and_word():
    assert len({x.shape for x in lights.LIGHTS}) == len({x.word for x in lights.LIGHTS}) == 4


def test_widened__is_the_bonferroni_interval():
    play = engine.simulate("draftosaurus", ["greedy", "random"], 2000, 3)
    plain, wide = (next(analysis.mean_score(play, level=level).itertuples()) for level in (0.95, 1 - 0.05 / 8))
    found = widened(plain, 8)
    assert found.low == pytest.approx(wide.low, rel=1e-4)
    assert found.high == pytest.approx(wide.high, rel=1e-4)
    assert widened(plain, 1) is plain


def test_widened__keeps_shares_possible():
    found = widened(row(0.0, 0.01, 0.02), 20, within=(0, 1))
    assert (found.low, found.estimate) == (0, 0.01)
    assert 0.02 < found.high < 0.03
    assert widened(row(0.98, 0.99, 1.0), 20, within=(0, 1)).high == 1


@pytest.mark.parametrize(
    ("leads", "light"),
    [
        ([("a", row(0.2, 0.3, 0.4))], BEYOND),
        ([("a", row(0.2, 0.3, 0.4)), ("a", row(0.05, 0.2, 0.3))], OPEN),
        ([("a", row(0.2, 0.3, 0.4)), ("a", row(0.01, 0.02, 0.03))], WITHIN),
        ([("a", row(0.2, 0.3, 0.4)), ("b", row(0.2, 0.3, 0.4))], WITHIN),
        ([("a", row(0.2, 0.3, 0.4)), ("b", row(-0.1, 0.1, 0.3))], OPEN),
    ],
)
def test_dominance__takes_one_policy_that_leads_everywhere(leads, light):
    assert dominance(leads, 0.1) is light


# Thresholds
def test_thresholds__have_defaults_within_their_ranges():
    assert thresholds({}) == {name: limit.default for name, limit in THRESHOLDS.items()}
    assert all(limit.low <= limit.default <= limit.high for limit in THRESHOLDS.values())
    assert thresholds({"ties": 1})["ties"] == 1.0


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ("tie = 0.1", "thresholds: threshold 'tie' is not known; did you mean 'ties'?"),
        ("ties = 2", "thresholds: ties must be a number from 0 to 1, not 2"),
        ("ties = true", "thresholds: ties must be a number from 0 to 1, not True"),
        ("fewest_decisions = 90", "thresholds: fewest_decisions must not be above most_decisions; they are 90 and 60"),
    ],
)
def test_thresholds__of_a_study_are_checked(tmp_path, lines, says):
    path = write(tmp_path, f'[thresholds]\n{lines}\n[[grid]]\nplayers = [2]\nlineup = ["random"]\n')
    with pytest.raises(StudyError) as error:
        load_study(path)
    assert len(error.value.lines) == 1
    assert says in error.value.lines[0]


def test_thresholds__change_no_key(tmp_path):
    block = '[[grid]]\nplayers = [2]\nlineup = ["random"]\n'
    plain = small(tmp_path, block)
    assert small(tmp_path, f"[thresholds]\nties = 0.3\n{block}").cells[0].key == plain.cells[0].key


# Cards
def test_cards__are_one_for_each_setting_and_number_of_players(done):
    cards = done[1].cards
    assert [(c.setting, c.players) for c in cards] == [
        ("summer", 2),
        ("summer", 4),
        ("summer, trio_points=6", 3),
    ]
    assert all(tuple(check.name for check in card.checks) == NAMES for card in cards)


def test_cards__say_what_was_not_measured(done):
    two, _, mixed = done[1].cards
    assert [c.name for c in two.checks if c.light is NONE] == ["Policies"]
    assert [c.name for c in mixed.checks if c.light is NONE] == ["Seats", "Sources"]
    assert mixed.policy == ""


def test_cards__count_the_games_that_their_lights_are_of(done):
    """Three line-ups of 200 games with four players, and one of 67 deals in three seatings."""
    assert [(card.lineup, card.games) for card in done[1].cards] == [
        ("greedy", 200),
        ("greedy", 200),
        ("greedy, random, random", 201),
    ]
    assert "; n = 50 deals" in done[1].cards[1].checks[3].says[0]


def test_cards__keep_to_the_thresholds_of_the_study(done):
    two = done[1].cards[0]
    ties, close = (next(c for c in two.checks if c.name == name) for name in ("Ties", "Closeness"))
    assert (ties.light, ties.limit) == (WITHIN, "at most 50 % of games")
    assert close.light is BEYOND
    assert close.limit.startswith("at least 90 %")
    greedy = next(cell for cell in done[1].found.present if cell.lineup_label == "greedy")
    assert close.limit.endswith(f"10 % of the mean score, here {done[1].found.close[greedy.key]} points")


def test_cards__have_intervals_pictures_and_the_command(done):
    store, report = done
    page = report.path.read_text()
    for card in report.cards:
        assert card.commands[0] == store.study.command
        for check in card.checks:
            assert check.light is NONE or (check.gauge and "(" in check.says[0])
    assert "meeplecarlo simulate draftosaurus --policies greedy greedy --variant summer --games 200 --seed 7" in page
    assert "--policies greedy random random --variant summer --rules trio_points=6 --games 201" in page


def test_cards__every_number_of_the_length_has_its_interval(done):
    says = next(c for c in done[1].cards[0].checks if c.name == "Length").says[0]
    number = r"[\d.]+( %)? \((no spread|[\d.]+ to [\d.]+)\)"
    assert re.fullmatch(f"greedy: {number} decisions a seat, {number} legal actions each; {number} are forced", says)


def test_cards__leading_policy_gives_the_light(done):
    four = done[1].cards[1]
    assert four.policy == "greedy"
    assert four.checks[0].says[0].startswith("greedy: first player")
    assert four.checks[0].says[1].startswith("random: first player")


def test_cards__give_no_command_for_what_only_the_study_has(tmp_path):
    (tmp_path / "mine.toml").write_text('extends = "summer"\ntrio_points = 8\n')
    block = '[policies.odd]\nbase = "greedy"\nrandom = 0.5\n[[grid]]\nplayers = [2]\nvariant = {}\nlineup = ["{}"]\n'
    own = [block.format('["mine.toml"]', "greedy"), block.format('["summer"]', "odd")]
    assert [simulate_command(small(tmp_path, text).cells[0]) for text in own] == ["", ""]
    assert simulate_command(small(tmp_path, block.format('["winter"]', "random")).cells[0]) == (
        "meeplecarlo simulate draftosaurus --policies random random --variant winter --games 200 --seed 7"
    )


def test_gauge__has_a_band_a_mark_a_row_and_a_text():
    picture = gauge([Mark(row(1, 2, 3), "open", "a <b>"), Mark(row(2, 3, 4), "within", "c")], 0, 2.5, 1, "it says <so>")
    assert picture.count("<circle") == 2
    assert 'class="band"' in picture
    assert 'aria-label="it says &lt;so&gt;"' in picture
    assert "a &lt;b&gt;" in picture
    assert gauge([Mark(row(math.nan, 1, math.nan), "none")], 0, 1) == ""


# Facts and assumptions
@pytest.fixture(scope="module")
def sauros(tmp_path_factory):
    """A finished study of a game with rates and assumed components."""
    folder = tmp_path_factory.mktemp("sauros")
    head = HEAD.replace("draftosaurus", "sauros")
    study = small(folder, '[[grid]]\nplayers = [2]\nlineup = ["greedy"]\n', head)
    run_study(study, folder / "r", progress=False)
    return write_report(Store(study, folder / "r"))


def test_report__says_first_what_is_assumed(sauros):
    page = sauros.path.read_text()
    assert sauros.findings[0].topic == "Assumed data"
    assert "4 of 23 values are assumed" in page
    assert page.index("4 of 23 values are assumed") < page.index("The verdict")
    assert 'href="#assumptions"' in page


def test_report__of_known_components_has_no_warning(done):
    page = done[1].path.read_text()
    assert "are assumed" not in page
    assert "on assumed data" not in page


def test_facts__tell_rates_and_what_winners_have_more_of(sauros):
    text = next(finding.text for finding in sauros.findings if finding.topic == "Facts")
    assert "winners have decidedly more" in text
    assert "tricks won" in text
    assert "the highest rate is points per use of mat" in text


def test_facts__leave_out_what_never_came_up(sauros):
    cell = sauros.found.present[0]
    assert "mat_f" not in facts._by_fact(sauros.found, cell)
    assert "mat_a" in facts._by_fact(sauros.found, cell)


# Metric
def test_source_balance__by_hand():
    play = engine.simulate("draftosaurus", ["greedy", "greedy"], 500, 1)
    frame = analysis.source_balance(play).set_index(["source", "quantity"]).estimate
    points, pieces = play.points.sum((0, 1)), play.pieces.sum((0, 1))
    for k, source in enumerate(play.sources):
        assert frame[source, "used"] == pytest.approx((play.pieces[:, :, k] > 0).mean())
        assert frame[source, "relative_worth"] == pytest.approx(points[k] / pieces[k] * pieces.sum() / points.sum())


def test_source_balance__error_is_that_of_a_ratio_of_ratios():
    import numpy as np

    shares = []
    for seed in range(60):
        play = engine.simulate("draftosaurus", ["greedy", "greedy"], 200, seed)
        points, pieces = play.points.sum((0, 1)), play.pieces.sum((0, 1))
        shares.append(points[0] / pieces[0] * pieces.sum() / points.sum())
    frame = analysis.source_balance(engine.simulate("draftosaurus", ["greedy", "greedy"], 200, 0))
    se = frame[(frame.source == play.sources[0]) & (frame.quantity == "relative_worth")].se.iloc[0]
    # Null: the standard deviation of 60 estimates is the se; its own standard error is 1 / sqrt(2 * 59) of it.
    assert abs(np.std(shares, ddof=1) / se - 1) < 5 / math.sqrt(2 * 59)


def test_source_balance__tallies_give_the_same_estimates():
    play = engine.simulate("draftosaurus", ["greedy", "random", "random"], 600, 2)
    plain, tallied = analysis.source_balance(play), analysis.source_balance(analysis.tally(play))
    assert plain.estimate.to_numpy() == pytest.approx(tallied.estimate.to_numpy(), nan_ok=True)


def test_evidence__finds_the_rows_of_a_cell(done):
    found = gather(done[0])
    cell = found.present[0]
    frame = found.tables["win_rates"]
    assert found.of("win_rates", cell).equals(
        frame[frame.cell == cell.key[:12]].drop(columns=["cell", *cell.labels]).reset_index(drop=True)
    )
