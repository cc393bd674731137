import numpy as np
import pytest
from study_samples import HEAD, file_bytes, small

import analysis
from analysis import sweep
from analysis.report import write_report
from analysis.report.evidence import gather, once
from analysis.store import Store
from analysis.study import load_study
from analysis.studyfile import StudyError
from analysis.sweep import run_study
from analysis.sweep.driver import Driver
from analysis.until import number

PAIRS = """
[[compare]]
players = [2, 3]
lineup = {focus = "greedy", field = "random"}
rules = {trio_points = 6}
against = {}
"""
UNTIL = """
[[grid]]
players = [3]
lineup = ["random"]
games = 100_000
until = {metric = "seat_advantage", half_width = 0.03}
[[grid]]
players = [2]
lineup = ["random"]
games = 600
until = {metric = "seat_advantage", half_width = 0.0001}
"""


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """A finished study with comparisons and stop rules: (store, report)."""
    folder = tmp_path_factory.mktemp("compare")
    study = small(folder, PAIRS + UNTIL, HEAD.replace("games = 200", "games = 3000"))
    run_study(study, folder / "r", progress=False)
    store = Store(study, folder / "r")
    return store, write_report(store)


def errors(folder, grid):
    with pytest.raises(StudyError) as error:
        small(folder, grid)
    return error.value.lines


def test_compare__is_a_pair_of_cells_for_each_number_of_players(tmp_path):
    study = small(tmp_path, PAIRS)
    assert [pair.first.players for pair in study.pairs] == [2, 3]
    assert [pair.first.rules_label for pair in study.pairs] == ["trio_points=6"] * 2
    assert [pair.against.rules_label for pair in study.pairs] == ["as printed"] * 2
    assert len(study.cells) == 4


def test_compare__shares_cells_with_the_grid(tmp_path):
    grid = '[[grid]]\nplayers = [2]\nlineup = [{focus = "greedy", field = "random"}]\nrules = [{}, {trio_points = 6}]\n'
    study = small(tmp_path, grid + PAIRS.replace("[2, 3]", "[2]"))
    assert len(study.cells) == 2
    assert study.pairs[0].first.key in {cell.key for cell in study.cells}


def test_compare__other_line_ups_and_variants(tmp_path):
    lineups = '[[compare]]\nplayers = [3]\nlineup = "random"\nagainst_lineup = ["greedy", "random", "random"]\n'
    variants = '[[compare]]\nplayers = [2]\nvariant = "summer"\nagainst_variant = "winter"\nlineup = "random"\n'
    study = small(tmp_path, lineups + variants)
    assert study.pairs[0].against.lineup_label == "greedy, random, random"
    assert [cell.variant for cell in study.pairs[1].cells] == ["summer", "winter"]


@pytest.mark.parametrize(
    ("before", "after", "line"),
    [
        ("against = {}", "", "compare[0]: both sides are the same; give against, against_lineup or against_variant"),
        ("against = {}", "against = {trio = 6}", "compare[0].against: draftosaurus: rule 'trio' is not known"),
        ("{trio_points = 6}", "{trio = 6}", "compare[0].rules: draftosaurus: rule 'trio' is not known"),
        ("[2, 3]", "[2, 9]", "compare[0].players[1]: draftosaurus takes 2 to 5 players, not 9"),
        ('"greedy"', '"gredy"', "compare[0].lineup: policy 'gredy' is not known; did you mean 'greedy'"),
        ("against = {}", 'against_lineup = "gredy"', "compare[0].against_lineup: policy 'gredy' is not known"),
        ("against = {}", 'against_variant = "fall"', "compare[0].against_variant: draftosaurus: variant 'fall' is not"),
        ("against = {}", "againts = {}", "compare[0].againts: unknown key; did you mean 'against'"),
        ("[2, 3]", "2", "compare[0].players: must be a list in [ ], not 2"),
    ],
)
def test_compare__names_what_is_wrong(tmp_path, before, after, line):
    assert any(f"small.toml: {line}" in found for found in errors(tmp_path, PAIRS.replace(before, after)))


@pytest.mark.parametrize(
    ("rule", "line"),
    [
        ('{metric = "seat_advantge", half_width = 1}', "grid[0].until: metric 'seat_advantge' is not known; did you"),
        ('{metric = "ties"}', "until must have one of half_width and decided"),
        ('{metric = "win_rate", decided = 0.9}', "grid[0].until: win_rate is 1/seats by design"),
        ('{metric = "score", decided = 0.9}', "grid[0].until: decided needs a metric with an even value"),
        ('{metric = "score", half_width = 1, policy = "greedy"}', "grid[0].until: policy 'greedy' is not known"),
        ("3", "grid[0].until: must be a table in { }, not 3"),
    ],
)
def test_until__names_what_is_wrong(tmp_path, rule, line):
    grid = f'[[grid]]\nplayers = [3]\nlineup = ["random"]\nuntil = {rule}\n'
    assert any(line in found for found in errors(tmp_path, grid))


def test_correct__is_one_of_three(tmp_path):
    with pytest.raises(StudyError, match="correct: must be 'holm', 'benjamini-hochberg' or 'none', not 'bonferroni'"):
        small(tmp_path, PAIRS, HEAD + 'correct = "bonferroni"\n')


def test_until__is_part_of_the_key_and_changes_no_other_key(tmp_path):
    plain = UNTIL.replace('until = {metric = "seat_advantage", half_width = 0.03}\n', "")
    ruled, free = small(tmp_path, UNTIL).cells, small(tmp_path, plain).cells
    assert ruled[0].key != free[0].key
    assert ruled[1].key == free[1].key
    assert "until" not in free[0].spec


def test_until__stops_early_and_says_what_was_reached(done):
    store, _ = done
    early, late = (cell for cell in store.study.cells if cell.until)
    note = store.note(early)
    assert note["met"]
    assert (note["high"] - note["low"]) / 2 <= 0.03
    assert len(store.load(early)) == note["games"] < early.games
    assert not store.note(late)["met"]
    assert len(store.load(late)) == store.note(late)["games"] == 600
    run = analysis.run_for("draftosaurus", ["random"] * 3, games=100_000, seed=7, until=early.until)
    assert np.array_equal(run.result.score, store.load(early).score)


def test_until__does_not_depend_on_jobs_or_backend(done, tmp_path):
    store, _ = done
    for how in ({"jobs": 1}, {"jobs": 2, "backend": "loky"}):
        run_study(store.study, tmp_path / str(how["jobs"]), progress=False, **how)
        assert file_bytes(tmp_path / str(how["jobs"]) / "small") == file_bytes(store.root)


def test_until__tallies_are_those_of_the_playouts(done, tmp_path):
    store, _ = done
    study = small(tmp_path, UNTIL, HEAD + 'keep = "tallies"\n')
    run_study(study, tmp_path / "r", progress=False)
    tallied = Store(study, tmp_path / "r")
    plain = next(cell for cell in store.study.cells if cell.until)
    assert tallied.note(study.cells[0]) == store.note(plain)
    again = analysis.tally(store.load(plain))
    assert np.array_equal(tallied.load(study.cells[0]).counts.score, again.counts.score)


def test_report__has_the_differences_and_says_how_they_are_corrected(done):
    store, report = done
    page = report.path.read_text()
    assert "What does the change do?" in page
    assert "trio_points=6 against trio_points=7 (2 players, greedy against random)" in page
    assert "Holm&#39;s method" in page
    assert any(f.topic == "Changes" and "trio_points=6 against" in f.text for f in report.findings)
    table = report.found.tables["comparisons"]
    mine = analysis.compare_results(*(store.load(cell) for cell in store.study.pairs[0].cells), correct="none")
    assert np.allclose(table.estimate[: len(mine)], mine.estimate)
    family = analysis.families.adjust(table.p)
    assert np.allclose(table.p_family, family, equal_nan=True)
    assert f"among the {table.p.notna().sum()} is at most 5 %" in page
    assert (store.root / "tables" / "comparisons.csv").is_file()


def test_report__tells_which_rules_were_met(done):
    page = done[1].path.read_text()
    assert "How much was known when it stopped?" in page
    assert "seat_advantage known to ± 3 %" in page
    assert "seat_advantage known to ± 0.01 %" in page


def test_report__warns_where_a_rule_ended_play(done):
    """Of the three-player games, in which it was met; not of those with two players."""
    _, report = done
    assert [bool(card.caution) for card in report.cards if card.policy] == [False, True]
    assert report.found.caution(report.found.present)
    page = report.path.read_text()
    fairness, after = page.index(">Is the first player favoured?</h2>"), page.index(">Which policies are strong?</h2>")
    assert "Where a stop rule ended play" in page[fairness:after]


def test_report__fairness_is_corrected_for_the_number_of_cells(tmp_path):
    grid = '[[grid]]\nplayers = [2, 3, 4, 5]\nlineup = ["random", "greedy"]\n'
    study = small(tmp_path, grid, HEAD.replace("games = 200", "games = 2000") + 'correct = "benjamini-hochberg"\n')
    run_study(study, tmp_path / "r", progress=False)
    found = gather(Store(study, tmp_path / "r"))
    first = found.tables["seat_advantage"].query("seat == 0 and quantity == 'win_share'")
    assert len(first) == 8
    p = analysis.stats.p_values(first)
    assert np.allclose(first.p_family, analysis.families.adjust(p, "benjamini-hochberg"))
    assert found.corrected["fairness"].endswith("among the 8 at most 5 % are expected to be false")


def test_compare__unlike_line_ups_have_the_same_deals(tmp_path):
    grid = '[[compare]]\nplayers = [3]\nlineup = "random"\nagainst_lineup = {focus = "greedy", field = "random"}\n'
    study = small(tmp_path, grid)
    assert [cell.deals for cell in study.pairs[0].cells] == [200, 200]
    run_study(study, tmp_path / "r", progress=False)
    found = gather(Store(study, tmp_path / "r"))
    assert (found.tables["comparisons"].n == 200).all()


def test_compare__given_twice_or_mirrored_counts_once(tmp_path):
    one = PAIRS.replace("[2, 3]", "[3]")
    mirrored = one.replace("rules = {trio_points = 6}\nagainst = {}", "rules = {}\nagainst = {trio_points = 6}")
    for rule in ("", 'until = {metric = "win_rate", decided = 0.95}\n'):
        study = small(tmp_path, one + rule + one + rule + mirrored + rule)
        assert len(study.pairs) == 3
        assert once(study.pairs) == [study.pairs[0]]
    other = small(tmp_path, one + one + rule)
    assert once(other.pairs) == list(other.pairs)


def test_compare__until_decided_ends_both_sides_at_one_deal(tmp_path):
    rule = 'until = {metric = "win_rate", decided = 0.95}\ngames = 60_000\n'
    study = small(tmp_path, PAIRS.replace("[2, 3]", "[3]") + rule)
    first, against = study.pairs[0].cells
    assert first.key != against.key
    run_study(study, tmp_path / "r", progress=False)
    store = Store(study, tmp_path / "r")
    assert store.note(first) == store.note(against)
    assert store.note(first)["met"]
    run = analysis.compare(
        "draftosaurus",
        ["greedy", "random", "random"],
        60_000,
        7,
        until=first.until,
        rules={"trio_points": 6},
        against={},
    )
    assert run.reached.deals == store.note(first)["deals"]
    assert np.allclose(gather(store).tables["comparisons"].estimate, run.frame.estimate)
    report = write_report(store)
    page = report.path.read_text()
    assert "difference of win_rate decided at 95 %" in page
    assert "P-values are not used: stop rules ended all" in page
    assert report.found.tables["comparisons"].p_family.isna().all()
    note, changes = store.note(first), next(f for f in report.findings if f.topic == "Changes")
    assert f"with the first, win share of greedy {number('win_rate', note['estimate'], signed=True)}." in changes.text
    wrong = PAIRS + 'until = {metric = "win_rate", decided = 95}\n'
    assert any("compare[0].until: decided must be a number between 0 and 1" in line for line in errors(tmp_path, wrong))


def test_shipped_trio_study__compares_cells_of_its_grid():
    study = load_study("trio_points")
    grid = {cell.key for cell in study.cells if cell.place.startswith("grid[")}
    assert study.pairs
    assert all(cell.key in grid for pair in study.pairs for cell in pair.cells)


def test_compare__sides_with_a_stop_rule_are_played_once_and_come_to_the_same_bytes_apart(tmp_path):
    rule = 'until = {metric = "seat_advantage", decided = 0.9}\n'
    study = small(tmp_path, PAIRS.replace("[2, 3]", "[3]") + rule, HEAD.replace("games = 200", "games = 3_000"))
    parts = []

    class Spy(Driver):
        def _submit(self, part):
            parts.append(part)
            super()._submit(part)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sweep, "Driver", Spy)
        outcome = run_study(study, tmp_path / "r", progress=False)
    assert len(parts) == 1
    assert [cell.key for cell in outcome.computed] == [cell.key for cell in study.cells]
    for shard in ("1/2", "2/2"):
        assert len(run_study(study, tmp_path / "apart", shard=shard, progress=False).computed) == 1
    assert file_bytes(tmp_path / "apart") == file_bytes(tmp_path / "r")
