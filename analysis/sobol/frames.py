"""From measured values to the tables one reads: indices, curves and what chance has to do with it."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from analysis.sobol.design import Design
from analysis.sobol.indices import Found, sobol
from analysis.sobol.run import Values

ALPHA = 0.05


def index_frame(design: Design, values: Values, measure: int) -> tuple[Any, Any]:
    """First and total index of each number, and the variance they are shares of.

    Returns
    -------
    indices : DataFrame
        Columns ``number, lowest, highest, order`` (``"first"``, ``"total"``), ``above_noise`` (whether the interval
        of the number's part in the variance lies above 0), ``with_noise`` (SALib's index of the plain estimates,
        in which noise counts as an effect), then `analysis.stats.COLUMNS`; n counts base points, clusters are
        groups of deals. NaN where the metric does not vary beyond noise, or has no value at some rule set.
    spread : DataFrame
        Column ``quantity``: ``mean`` over the rule sets, ``sd`` of the metric over them, noise taken out, and
        ``noise_share`` of the variance of the estimates; NaN where the metric has no value at some rule set, and
        ``not_measured`` is at how many of the n rule sets that is so.
    """
    import pandas as pd

    _, places = design.distinct
    grouped = values.by_group(measure)[places]
    found = sobol(grouped, len(design.numbers), design.cell.seed % 2**32)
    varies = np.quantile(found.variance[0, 1:], ALPHA / 2) > 0
    plain = _plain(design, grouped.mean(1))
    rows = []
    for i, number in enumerate(design.numbers):
        above = bool(varies and np.quantile(found.part[i, 1:], ALPHA / 2) > 0)
        for order, index in (("first", found.first[i]), ("total", found.total[i])):
            label = {"number": number.name, "lowest": number.low, "highest": number.high, "order": order}
            raw = {"above_noise": above, "with_noise": plain[order][i]}
            rows.append({**label, **raw, **_columns(index if varies else index * np.nan, design, grouped)})
    return pd.DataFrame(rows), pd.DataFrame(list(_spread(design, found, grouped, values.by_group(measure))))


def _plain(design: Design, values: np.ndarray) -> dict[str, np.ndarray]:
    """SALib's own indices."""
    from SALib.analyze import sobol as salib

    names = [number.name for number in design.numbers]
    if np.isnan(values).any() or np.ptp(values) <= 1e-12:
        return dict.fromkeys(("first", "total"), np.full(len(names), np.nan))
    problem = {"num_vars": len(names), "names": names, "bounds": [[0.0, 1.0]] * len(names)}
    found = salib.analyze(problem, values, calc_second_order=False, num_resamples=2, seed=0)
    return {"first": found["S1"], "total": found["ST"]}


def _columns(drawn: np.ndarray, design: Design, grouped: np.ndarray) -> dict[str, Any]:
    low, high = np.quantile(drawn[1:], [ALPHA / 2, 1 - ALPHA / 2])
    return {
        "estimate": drawn[0],
        "se": drawn[1:].std(),
        "low": low,
        "high": high,
        "n": design.base_points,
        "clusters": grouped.shape[-1],
    }


def _mean(groups: np.ndarray) -> dict[str, float]:
    """The mean of groups of deals with its t interval."""
    from scipy.special import stdtrit

    middle, error = float(groups.mean()), float(groups.std(ddof=1) / np.sqrt(len(groups)))
    half = float(stdtrit(len(groups) - 1, 1 - ALPHA / 2)) * error
    return {"estimate": middle, "se": error, "low": middle - half, "high": middle + half}


def _spread(design: Design, found: Found, grouped: np.ndarray, distinct: np.ndarray) -> Iterator[dict[str, Any]]:
    common = {"n": design.base_points, "clusters": grouped.shape[-1]}
    yield {"quantity": "mean", **_mean(grouped.mean(0)), **common}
    yield {"quantity": "sd", **_columns(np.sqrt(np.maximum(found.variance[0], 0)), design, grouped)}
    constant = np.ptp(grouped.mean(1)) <= 1e-12
    share = np.full_like(found.noise[0], np.nan) if constant else np.clip(found.noise[0], 0, 1)
    yield {"quantity": "noise_share", **_columns(share, design, grouped)}
    missing, counted = float(np.isnan(distinct).any(1).sum()), common | {"n": len(distinct)}
    yield {"quantity": "not_measured", "estimate": missing, "se": 0.0, "low": missing, "high": missing, **counted}


def curve_frame(design: Design, values: Values, measure: int) -> Any:
    """The metric as one number moves and the others stay as they are.

    Returns
    -------
    DataFrame
        Columns ``number, value, printed`` (whether this is the value in the rules), ``quantity``, then
        `analysis.stats.COLUMNS`; n counts what the metric counts. ``level`` is the metric, ``change`` what it is
        more than with the rules as they are, on the same deals.
    """
    import pandas as pd

    places = {tuple(point): i for i, point in enumerate(design.tables[1].points)}
    base, groups = values.by_group(measure)[0], values.groups.shape[-1]
    rows = []
    for i, x in design.curve_points:
        point = design.printed
        point[i] = x
        at = places[tuple(point)]
        estimate, se, low, high, n, clusters = values.estimates[at, measure]
        label = {"number": design.numbers[i].name, "value": x, "printed": x == design.numbers[i].printed}
        counted = {"n": int(n), "clusters": int(clusters)}
        rows.append({**label, "quantity": "level", "estimate": estimate, "se": se, "low": low, "high": high, **counted})
        span = _mean(values.by_group(measure)[at] - base)
        rows.append({**label, "quantity": "change", **span, "n": int(n), "clusters": groups})
    return pd.DataFrame(rows)
