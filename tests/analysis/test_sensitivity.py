import numpy as np
import pytest
from SALib.analyze import sobol as salib
from SALib.sample import sobol as saltelli
from study_samples import file_bytes, small

import analysis
import engine
from analysis import stats
from analysis.report import write_report
from analysis.sobol.frames import index_frame
from analysis.sobol.indices import sobol
from analysis.sobol.measure import check_measure
from analysis.sobol.numbers import check_numbers, rules_at, twice
from analysis.sobol.run import Values
from analysis.store import Store
from analysis.studyfile import StudyError
from analysis.sweep import run_study

NAMES = list("abcd")
PROBLEM = {"num_vars": 4, "names": NAMES, "bounds": [[0.0, 1.0]] * 4}
GROUPS = 32
NUMBERS = {"king_points": [3, 11], "lookout_points": [0, 4]}
STUDY = """
[sensitivity]
variant = "summer"
players = 3
lineup = "greedy"
metric = [{name = "mean_score"}, {name = "game_length", quantity = "decisions"}]
base_points = 16
games = 64
curve_games = 64
numbers = {king_points = [3, 11], river_points = [0, 2]}
"""


def points(n, seed=1):
    return saltelli.sample(PROBLEM, n, calc_second_order=False, seed=seed)


def model(x):
    """Total indices by hand below; d does nothing."""
    return 2 * x[:, 0] + x[:, 1] + x[:, 0] * x[:, 2]


def noisy(x, size, seed):
    """The model as 32 groups of deals would have it: noise that moves with x, and some that does not."""
    rng = np.random.default_rng(seed)
    common, own = rng.normal(size=GROUPS), rng.normal(size=(len(x), GROUPS))
    return model(x)[:, None] + size * np.sqrt(GROUPS) * (common + own)


def test_indices__are_salibs_without_noise():
    y = model(points(256))
    found = sobol(np.repeat(y[:, None], GROUPS, axis=1), 4, 1)
    wanted = salib.analyze(PROBLEM, y, calc_second_order=False, seed=1)
    assert found.first[:, 0] == pytest.approx(wanted["S1"])
    assert found.total[:, 0] == pytest.approx(wanted["ST"])
    assert found.noise[0, 0] == pytest.approx(0, abs=1e-9)


def test_indices__noise_is_no_effect():
    # n = 40 analyses of 128 base points with noise of the size of the effect; null: indices are those without
    # noise, V_a = (2 + 1/2)^2 / 12 and so on; limit five standard errors of the 40 means.
    parts = np.array([(2.5**2 + 1 / 12) / 12, 1 / 12, (1 / 4 + 1 / 12) / 12, 0])
    variance = 2.5**2 / 12 + 1 / 12 + 1 / 48 + 1 / 144
    found = [sobol(noisy(points(128, seed), 0.8, seed), 4, seed, resamples=1) for seed in range(40)]
    for seen, truth in (([f.part[:, 0] for f in found], parts), ([f.variance[:, 0] for f in found], variance)):
        error = np.std(seen, axis=0, ddof=1) / np.sqrt(40)
        assert (np.abs(np.mean(seen, axis=0) - truth) < 5 * error).all()
    plain = [salib.analyze(PROBLEM, noisy(points(128, s), 0.8, s).mean(1), False, num_resamples=2) for s in range(5)]
    assert min(p["ST"][3] for p in plain) > 0.3  # what noise does to an index of nothing


def test_indices__cover():
    # n = 200 noisy analyses; null: an interval holds the truth in 95 % at least (they are cautious: the sequence is
    # more even than the bootstrap knows); limit five standard errors.
    hits = []
    for seed in range(200):
        found = sobol(noisy(points(64, seed), 0.3, seed), 4, seed, resamples=100)
        low, high = np.quantile(found.part[:, 1:], [0.025, 0.975], axis=1)
        hits.append(
            (low <= np.array([6.3333 / 12, 1 / 12, 1 / 36, 0])) & (high >= np.array([6.3333 / 12, 1 / 12, 1 / 36, 0]))
        )
    assert np.mean(hits, axis=0).min() > 0.95 - 5 * np.sqrt(0.95 * 0.05 / 200)


def test_number__whole_values_are_equally_likely():
    game, rules = engine.load_game("draftosaurus"), engine.load_rules("draftosaurus")
    found = check_numbers(
        game, rules, {"trio_points": [3, 11], "king_strict": [False, True], "pyramid_points.top": [5, 9]}
    )
    u = (np.arange(900) + 0.5) / 900
    values, counts = np.unique(found[0].at(u), return_counts=True)
    assert values.tolist() == list(range(3, 12)) and set(counts) == {100}
    assert found[1].at(u).mean() == 0.5
    changed = rules_at(game, rules, found, [4.0, 1.0, 8.0])
    wanted = engine.load_rules("draftosaurus", rules={"trio_points": 4, "king_strict": True, "pyramid_points.top": 8})
    assert changed.values == wanted.values
    assert (changed.record == wanted.record).all()


def test_number__levels_hold_the_printed_value():
    game, rules = engine.load_game("draftosaurus"), engine.load_rules("draftosaurus")
    few, many = check_numbers(game, rules, {"trio_points": [5, 9], "king_points": [-200, 101]})
    assert few.levels() == [5, 6, 7, 8, 9]
    assert len(many.levels()) == 10 and 7 in many.levels()


@pytest.fixture(scope="module")
def found():
    metric = ["seat_advantage", {"name": "game_length", "quantity": "decisions"}, {"name": "mean_score"}]
    return analysis.sensitivity(
        "draftosaurus", ["greedy"] * 3, NUMBERS, metric, base_points=64, games=96, curve_games=192, seed=4
    )


def rows(frame, metric, **labels):
    mine = frame.metric.str.startswith(metric)
    for name, value in labels.items():
        mine &= frame[name] == value
    return frame[mine]


def test_sensitivity__finds_what_matters(found):
    king, lookout = (rows(found.indices, "mean score", number=n, order="total").iloc[0] for n in NUMBERS)
    assert king.above_noise and king.low > 0.5
    assert not lookout.above_noise and lookout.estimate == lookout.low == lookout.high == 0


def test_sensitivity__a_constant_metric_has_no_index(found):
    constant = rows(found.indices, "game length")
    assert constant.estimate.isna().all() and constant.with_noise.isna().all() and not constant.above_noise.any()
    assert rows(found.spread, "game length", quantity="sd").estimate.iloc[0] == 0


def test_sensitivity__a_point_is_what_simulate_gives(found):
    level = rows(found.curves, "seat advantage", number="king_points", value=4.0, quantity="level").iloc[0]
    play = engine.simulate("draftosaurus", ["greedy"] * 3, 192, 4, rules={"king_points": 4})
    wanted = analysis.seat_advantage(play).iloc[0]
    assert [level[name] for name in stats.COLUMNS] == pytest.approx([wanted[name] for name in stats.COLUMNS])


def test_sensitivity__changes_are_paired(found):
    change = rows(found.curves, "mean score", number="king_points", value=9.0, quantity="change").iloc[0]
    level = rows(found.curves, "mean score", number="king_points", value=9.0, quantity="level").iloc[0]
    printed = rows(found.curves, "mean score", number="king_points", printed=True)
    assert change.estimate == pytest.approx(level.estimate - printed[printed.quantity == "level"].estimate.iloc[0])
    sides = [engine.simulate("draftosaurus", ["greedy"] * 3, 192, 4, rules={"king_points": x}) for x in (9, 7)]
    wanted = analysis.compare_results(*sides).query("quantity == 'score'").iloc[0]
    assert change.estimate == pytest.approx(wanted.estimate)
    assert 0.6 < change.se / wanted.se < 1.6  # from 32 groups of deals in place of 192 deals
    assert printed[printed.quantity == "change"].iloc[0][["estimate", "low", "high"]].tolist() == [0, 0, 0]


def test_sensitivity__does_not_depend_on_threads():
    how = {"metric": "seat_advantage", "base_points": 16, "games": 32, "curve_games": 32}
    one, two = (analysis.sensitivity("draftosaurus", ["random"] * 2, NUMBERS, threads=t, **how) for t in (1, 2))
    assert one.indices.equals(two.indices) and one.curves.equals(two.curves)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"numbers": {}}, "numbers must map rules to ranges"),
        ({"numbers": {"trio": [3, 11]}}, "rule 'trio' is not known; did you mean 'trio_size'"),
        ({"numbers": {"trio_points": [3]}}, "must be a range"),
        ({"numbers": {"trio_points": [11, 3]}}, "must be less than"),
        ({"numbers": {"trio_points": [3.5, 11]}}, "must be a whole number"),
        ({"numbers": {"trio_points": [3, 501]}}, "from -500 to 500"),
        ({"numbers": {"forest_points": [3, 11]}}, "name an element, as in 'forest_points.0'"),
        ({"numbers": {"forest_points.9": [3, 11]}}, "element '9' is not known"),
        ({"numbers": {"board": ["summer", "winter"]}}, "no number"),
        ({"numbers": {"forest_size": [3, 9]}}, "forest_points"),
        ({"base_points": 100}, "base_points must be a power of 2"),
        ({"games": 8}, "games must be at least 32"),
        ({"metric": "seat_advantages"}, "did you mean 'seat_advantage'"),
        ({"metric": {"seat": 1}}, "metric must be a name or a table"),
        ({"metric": {"name": "seat_advantage", "seat": 7}}, "seat '7'|seat 7"),
        ({"metric": {"name": "source_values", "source": "trio"}}, "say which of its 5 rows"),
        ({"metric": {"name": "ties", "colour": 1}}, "column or option 'colour'"),
        ({"metric": "policy_ranks"}, "policy_ranks|policies"),
    ],
)
def test_sensitivity__bad_arguments_are_named(changes, message):
    arguments = {"numbers": NUMBERS, "metric": "seat_advantage", "base_points": 16, "games": 32} | changes
    with pytest.raises(ValueError, match=message):
        analysis.sensitivity("draftosaurus", ["random"] * 2, seed=1, **arguments)


def test_influence__gives_the_error_of_any_difference():
    plays = [engine.simulate("draftosaurus", ["greedy", "random"], 400, 1, rules={"trio_points": x}) for x in (7, 3)]
    with stats.influence():
        rates = [analysis.win_rates(play) for play in plays]
        assert "influence" in analysis.source_values(plays[0])
    apart = rates[0].influence[0] - rates[1].influence[0]
    deals = len(apart)
    sums = [np.add.reduceat((p.share * (p.entry == 0)).sum(1), np.arange(0, 400, 2))[:, None] for p in plays]
    wanted = stats.difference([(s, np.full((deals, 1), 2)) for s in sums])
    assert np.sqrt(deals / (deals - 1) * (apart**2).sum()) == pytest.approx(wanted.se[0])
    assert "influence" not in analysis.win_rates(plays[0])


def test_measure__default_row_and_label():
    assert check_measure("seat_advantage").label == "seat advantage: win share, seat 0"


def test_study__resumes_and_reports(tmp_path):
    study = small(tmp_path, STUDY)
    outcome = run_study(study, tmp_path / "results", jobs=2, progress=False)
    assert outcome.rule_sets == sum(len(table.points) for table in study.design.tables)
    store = Store(study, tmp_path / "results")
    before = file_bytes(store.root)
    assert len(before) == 2
    first, second = sorted(store.root.rglob("*.parquet"))
    first.unlink()
    second.write_bytes(second.read_bytes()[:-30])
    told = []
    run_study(small(tmp_path, STUDY), tmp_path / "results", jobs=1, progress=False, say=told.append)
    assert len(told) == 1 and "set aside" in told[0]
    assert file_bytes(store.root) == before
    written = write_report(Store(study, tmp_path / "results"))
    assert [finding.topic for finding in written.findings] == ["Rule numbers"] * 2
    page = written.path.read_text()
    assert "Which numbers matter?" in page and page.count("<svg") == 3  # no bars for the constant metric
    assert (store.root / "tables" / "sensitivity_indices.csv").is_file()


def test_indices__say_at_how_many_rule_sets_nothing_was_measured(tmp_path):
    design = small(tmp_path, STUDY).design
    sets = len(design.tables[0].points)
    estimates = np.repeat(np.linspace(0, 1, sets)[:, None, None], len(stats.COLUMNS), axis=2)
    groups = np.zeros((sets, 1, GROUPS))
    estimates[3], groups[3] = np.nan, np.nan
    indices, spread = index_frame(design, Values(estimates, groups), 0)
    assert indices.estimate.isna().all() and not indices.above_noise.any()
    assert spread.set_index("quantity")[["estimate", "n"]].loc["not_measured"].tolist() == [1, sets]


def test_study__changed_design_is_another_table(tmp_path):
    one, two = small(tmp_path, STUDY), small(tmp_path, STUDY.replace("[0, 2]", "[0, 3]"))
    assert one.design.spec(one.design.tables[0]) != two.design.spec(two.design.tables[0])


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("players = 3", "players = 9", "small.toml: sensitivity.players: draftosaurus takes 2 to 5"),
        ('"greedy"', '"greedi"', "small.toml: sensitivity.lineup: policy 'greedi'"),
        ("king_points", "kings_points", "small.toml: sensitivity: .* did you mean 'king_points'"),
        ("base_points", "base_point", "small.toml: sensitivity.base_point: unknown key; did you mean 'base_points'"),
        ('name = "mean_score"', 'name = "mean"', "small.toml: sensitivity: metric 'mean'"),
        ('name = "mean_score"', 'name = "fill_times"', "small.toml: sensitivity: metric 'fill_times' is not known"),
        (
            'name = "mean_score"',
            'name = "seat_advantage", seat = 7',
            r"small.toml: sensitivity.metric: metric 'seat_advantage': seat 7 is not known \(allowed: 0, 1, 2\)",
        ),
        (
            'name = "mean_score"',
            'name = "mean_score", set = 1',
            "small.toml: sensitivity.metric: metric 'mean_score': column or option 'set' is not known",
        ),
        (
            'name = "mean_score"',
            'name = "source_values"',
            "small.toml: sensitivity.metric: metric 'source_values': say which of its 40 rows",
        ),
        (
            'name = "mean_score"',
            'name = "margin", within = 3',
            "small.toml: sensitivity.metric: metric 'margin' does not take within = 3",
        ),
        ('name = "mean_score"', 'name = "ties", sharing = {}', "metric 'ties': sharing must be one value, not {}"),
        (
            "players = 3",
            "players = 3\nrules = {king_points = 4}",
            "small.toml: sensitivity.rules.king_points: is varied by sensitivity.numbers.king_points too",
        ),
    ],
)
def test_study__errors_have_their_place(tmp_path, old, new, message):
    with pytest.raises(StudyError, match=message):
        small(tmp_path, STUDY.replace(old, new))


def test_study__tries_its_metrics_on_more_games_before_it_refuses_one(tmp_path, monkeypatch):
    monkeypatch.setattr("analysis.sobol.measure.FEW", 1)
    rare = STUDY.replace('name = "mean_score"', 'name = "score_distribution", policy = "greedy", value = 26')
    small(tmp_path, rare)


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({"trio_points": 4}, []),
        ({"forest_points.3": 4}, [("forest_points.3", "forest_points.3")]),
        ({"forest_points": {"3": 4, "2": 1}}, [("forest_points.3", "forest_points.3")]),
        ({"forest_points": [0, 2, 4, 8, 12, 18, 24]}, []),
        ({"pyramid_points.2": 4}, [("pyramid_points.2", "pyramid_points.top")]),
    ],
)
def test_rules__that_a_number_would_undo_are_found(changes, found):
    game, rules = engine.load_game("draftosaurus"), engine.load_rules("draftosaurus", "winter")
    numbers = check_numbers(game, rules, {"forest_points.3": [3, 5], "pyramid_points.top": [5, 9]})
    assert twice(changes, numbers, rules) == found


def test_study__needs_a_grid_or_sensitivity(tmp_path):
    with pytest.raises(StudyError, match="grid: missing"):
        small(tmp_path, "")
