"""Families of comparisons: p-values adjusted for how many there are.

Of twenty true nulls one is expected to look decided at 5 %. Holm's step-down method (Scand. J. Stat. 6, 1979, 65-70)
keeps the probability of any false claim, whatever the dependence, which comparisons on shared deals need; Benjamini
and Hochberg's (J. R. Stat. Soc. B 57, 1995, 289-300) keeps the expected part of false claims among all claims, finds
more, and holds for independent or positively dependent comparisons.
"""

from typing import Any

import numpy as np

from engine.errors import unknown

METHODS = ("holm", "benjamini-hochberg", "none")
SAYS = {
    "holm": "corrected together by Holm's method: the chance of any false claim among the {n} is at most {alpha}",
    "benjamini-hochberg": "corrected together by Benjamini and Hochberg's method: of the claims made among the {n} "
    "at most {alpha} are expected to be false",
    "none": "not corrected: each of the {n} stands alone, and about {alpha} of those without a difference look decided",
}


def adjust(p: Any, method: str = "holm") -> np.ndarray:
    """Adjusted p-values of a family; those that are NaN are no part of it.

    Parameters
    ----------
    p : array, shape (comparisons,)
    method : str
        ``"holm"``, ``"benjamini-hochberg"`` or ``"none"``.

    Returns
    -------
    adjusted : ndarray of float64, shape (comparisons,)
        A comparison is decided at a level if this is less than 1 - level.

    Raises
    ------
    ValueError
        If `method` is not known, or a p-value lies outside 0 to 1.
    """
    if method not in METHODS:
        raise ValueError(unknown("correct", method, METHODS))
    given = np.array(p, float)
    used = ~np.isnan(given)
    values = given[used]
    if ((values < 0) | (values > 1)).any():
        raise ValueError(f"p must be from 0 to 1, not {values[(values < 0) | (values > 1)][0]:g}")
    if method == "holm" and len(values):
        order = np.argsort(values, kind="stable")
        steps = values[order] * np.arange(len(values), 0, -1)
        values[order] = np.minimum(np.maximum.accumulate(steps), 1)
    elif method == "benjamini-hochberg" and len(values):
        from scipy.stats import false_discovery_control

        values = false_discovery_control(values)
    given[used] = values
    return given


def says(method: str, n: int, level: float = 0.95) -> str:
    """In words, what the correction of a family of n comparisons promises."""
    if method not in METHODS:
        raise ValueError(unknown("correct", method, METHODS))
    return SAYS[method].format(n=n, alpha=f"{100 * (1 - level):.3g} %")
