"""The chapter on which rule numbers matter, and what it finds."""

from collections.abc import Iterator, Sequence
from typing import Any

from analysis.report.evidence import Evidence
from analysis.report.figures import Figures
from analysis.report.numbers import estimate, listed, number
from analysis.report.parts import Part, Table
from analysis.report.verdict import Finding

TITLE = "Which numbers matter?"
MOST_NAMED = 4
INTRO = (
    "The numbers were varied together over the ranges given, {rule_sets:,} rule sets of {games:,} games each on the "
    "same deals; whole numbers are drawn evenly from their range. An index is the share of the variance of a metric "
    "over these rule sets that a number makes alone (first order) or has any part in (total), with bootstrap "
    "intervals; Monte Carlo noise is taken out of the indices, and what SALib makes of the plain estimates is in the "
    "CSV table. A number is within noise if the interval of its part in the variance reaches 0. The curves move one "
    "number and leave the others as they are; rings mark the value in the rules."
)


def makers(found: Evidence, figures: Figures) -> list[Any]:
    """One part a metric."""

    def part(metric: str) -> Part:
        indices, spread = (_of(found, table, metric) for table in ("sensitivity_indices", "sensitivity_spread"))
        rows: list[Sequence[str | tuple[str, str]]] = []
        for name, total, first in _ranked(indices):
            texts = [_percent(total), _percent(first)] if total.n and total.estimate == total.estimate else ["-", "-"]
            span = f"{total.lowest:g} to {total.highest:g}"
            said = "yes" if total.above_noise else "not measured" if _unmeasured(spread) else "within noise"
            rows.append([name, span, *texts, said])
        head = ["number", "range", "total", "first order", "above noise?"]
        return Part(f"{metric} ({_chance(spread)})", Table(head, rows, 9), figures.numbers_of(metric))

    metrics = dict.fromkeys(found.tables["sensitivity_indices"].metric) if found.design else ()
    return [lambda m=metric: part(m) for metric in metrics]


def intro(found: Evidence) -> str:
    """What was done, in words."""
    if not found.design:
        return ""
    return INTRO.format(rule_sets=len(found.design.tables[0].points), games=found.design.games)


def findings(found: Evidence) -> Iterator[Finding]:
    """Which numbers matter most for each metric."""
    if not found.design:
        return
    setting = found.design.cell.variant
    policies = listed(dict.fromkeys(e.label for e in found.design.cell.entries))
    for metric in dict.fromkeys(found.tables["sensitivity_indices"].metric):
        indices, spread = (_of(found, table, metric) for table in ("sensitivity_indices", "sensitivity_spread"))
        ranked = _ranked(indices)
        above = [(name, total) for name, total, _ in ranked if total.above_noise]
        noise = f"{metric}: {_chance(spread)}."
        if _unmeasured(spread):
            yield Finding("Rule numbers", setting, f"With {policies}, nothing can be said of {metric}.", noise)
            continue
        if not above:
            yield Finding("Rule numbers", setting, f"With {policies}, no number moves {metric} beyond noise.", noise)
            continue
        top = [name for name, total, _ in ranked if total.high >= above[0][1].low]
        more = [f"{len(top) - MOST_NAMED} more"] if len(top) > MOST_NAMED else []
        rest = [name for name, total, _ in ranked if not total.above_noise]
        text = f"With {policies}, {listed([*top[:MOST_NAMED], *more], 'or')} matters most for {metric}"
        text += f"; {listed(rest)} cannot be told from noise." if rest else "."
        told = [(name, total) for name, total, _ in ranked if total.above_noise or name in top]
        shares = ", ".join(f"{name} {' '.join(_in_brackets(total))}" for name, total in told)
        yield Finding("Rule numbers", setting, text, f"Total share of the variance: {shares}. {noise}")


def _of(found: Evidence, table: str, metric: str) -> Any:
    frame = found.tables[table]
    return frame[frame.metric == metric]


def _ranked(indices: Any) -> list[tuple[str, Any, Any]]:
    """(number, total, first), those above noise first, the largest total coming first."""
    by_order = {(row.number, row.order): row for row in indices.itertuples()}
    names = dict.fromkeys(indices.number)
    pairs = [(name, by_order[name, "total"], by_order[name, "first"]) for name in names]
    return sorted(pairs, key=lambda pair: (not pair[1].above_noise, -pair[1].estimate))


def _percent(row: Any) -> tuple[str, str]:
    middle, span = estimate(row, 100, most=1)
    return f"{middle} %", span


def _in_brackets(row: Any) -> tuple[str, str]:
    middle, span = _percent(row)
    return middle, f"({span})"


def _chance(spread: Any) -> str:
    """Mean, spread and noise in words."""
    if unmeasured := _unmeasured(spread):
        return unmeasured
    rows = {row.quantity: row for row in spread.itertuples()}
    mean, sd, noise = rows["mean"], rows["sd"], rows["noise_share"]
    places = 4 if abs(mean.estimate) < 1 else 2
    says = f"mean {number(mean.estimate, places)}, standard deviation over the rule sets {number(sd.estimate, places)}"
    if noise.estimate != noise.estimate:
        return f"{says}: the same for every rule set"
    return f"{says}, {100 * noise.estimate:.0f} % of the variance of the estimates is Monte Carlo noise"


def _unmeasured(spread: Any) -> str:
    """At how many rule sets the metric has no value, if at any."""
    row = next(spread[spread.quantity == "not_measured"].itertuples())
    return f"not measured at {row.estimate:,.0f} of {row.n:,} rule sets" if row.estimate else ""
