import numpy as np
import pytest

from analysis import calibration
from analysis.calibration import Row, Truth


@pytest.fixture(scope="module")
def truth():
    return calibration.truth_of(3, deals=2000, traced=200)


def test_truth__has_every_metric(truth):
    wanted = {metric for metrics in calibration.METRICS.values() for metric in metrics}
    assert {row.metric for row in truth} == wanted


def test_count__covers_about_as_often_as_it_says(truth):
    # n = 12 studies of some 300 intervals, which hang together; null: 95 %, from a truth of 2,000 deals that is
    # off itself. The proof is `make calibration`; here only that intervals and truths are matched: at least 85 %.
    counts = calibration.count(truth, 0, 12, 1)
    usual = counts[:, 1] == 0
    assert counts[usual, 2].sum() / counts[usual, 0].sum() > 0.85


def test_truth__knows_what_rests_on_rare_deals(truth):
    by_label = {(row.metric, row.quantity, row.label): known for row, known in truth.items()}
    assert by_label["game_length", "decisions", "one greedy"].kurtosis == 0
    assert not by_label["source_distribution", "share of games", "greedy, king, 7, one greedy"].is_rare
    assert by_label["ties", "ties", "any, one greedy"].is_rare


def test_table__says_not_where_a_coverage_is_off():
    rows = [
        Row("m", quantity, label)
        for quantity, label in zip(("fine", "fine", "off", "exact", "rare"), "abaaa", strict=True)
    ]
    counts = np.array([[10_000, 0, 9_500], [10_000, 0, 9_580], [10_000, 0, 9_300], [10_000] * 3, [10_000, 9_000, 200]])
    truth = {row: Truth(0.0, kurtosis) for row, kurtosis in zip(rows, (3, np.nan, 3, 0, 500), strict=True)}
    lines, failed = calibration.table(truth, counts)
    assert failed == 1
    fine, off, exact, rare = lines[2:]
    assert "| 2 |  | 95.40 % | b | 95.80 % (95.39 to 96.18) | yes |" in fine
    assert "NOT" in off
    assert "the same in every game" in exact
    assert "| 0 | 1 | all rare" in rare


def test_stop_rules__keep_their_error_rate():
    # n = 100 runs that look 25 times; null: at most 5 % ever miss; limit five standard errors.
    for _, metric, change in calibration.STOPS:
        missed, bound = calibration.misses(metric, change, 100, 3, most=2048)
        assert missed / 100 < bound + 5 * np.sqrt(bound * (1 - bound) / 100)


def test_document__goes_between_its_markers():
    text = calibration.FILE.read_text()
    assert "new\n<!-- /calibration -->" in calibration.rewritten(text, "new")
    with pytest.raises(ValueError, match="no '<!-- calibration -->'"):
        calibration.rewritten("nothing here", "new")
