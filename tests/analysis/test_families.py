import numpy as np
import pytest

from analysis import families


def test_adjust__holm_by_hand():
    """0.01 * 3, 0.02 * 2, 0.04 * 1; the last may not be less than the one before."""
    assert families.adjust([0.02, 0.01, 0.04]) == pytest.approx([0.04, 0.03, 0.04])
    assert families.adjust([0.5, 0.9, 0.001]) == pytest.approx([1.0, 1.0, 0.003])


def test_adjust__benjamini_hochberg_by_hand():
    """0.01 * 4/1, 0.02 * 4/2, 0.03 * 4/3, 0.5 * 4/4, each no more than those after it."""
    found = families.adjust([0.5, 0.03, 0.01, 0.02], "benjamini-hochberg")
    assert found == pytest.approx([0.5, 0.04, 0.04, 0.04])


def test_adjust__none_changes_nothing_and_nan_is_no_part():
    given = np.array([0.01, np.nan, 0.04])
    assert np.array_equal(families.adjust(given, "none"), given, equal_nan=True)
    assert families.adjust(given) == pytest.approx([0.02, np.nan, 0.04], nan_ok=True)
    for method in families.METHODS:
        assert len(families.adjust([], method)) == 0


def test_adjust__keeps_the_order_and_never_makes_p_smaller():
    p = np.random.default_rng(1).random(50) ** 4
    for method in families.METHODS:
        found = families.adjust(p, method)
        assert (found >= p - 1e-15).all()
        assert (np.diff(found[np.argsort(p)]) >= 0).all()


@pytest.mark.parametrize("method", ["holm", "benjamini-hochberg"])
def test_adjust__false_claims_are_rare(method):
    """n = 4,000 families of 20 true nulls: any claim at 5 % in no more than 5 % of them, by five standard errors."""
    p = np.random.default_rng(20261130).random((4000, 20))
    wrong = np.mean([(families.adjust(row, method) < 0.05).any() for row in p])
    assert wrong < 0.05 + 5 * np.sqrt(0.05 * 0.95 / 4000)
    assert wrong > 0.05 - 5 * np.sqrt(0.05 * 0.95 / 4000)


def test_adjust__refuses_what_is_not_known():
    with pytest.raises(ValueError, match="correct 'homl' is not known; did you mean 'holm'"):
        families.adjust([0.1], "homl")
    with pytest.raises(ValueError, match=r"p must be from 0 to 1, not 1\.2"):
        families.adjust([0.1, 1.2])
    with pytest.raises(ValueError, match="correct 'x' is not known"):
        families.says("x", 3)


def test_says__the_number_and_the_promise():
    assert families.says("holm", 12, 0.99).endswith("among the 12 is at most 1 %")
