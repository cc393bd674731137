"""The chapter on what else a game counts about a seat, and what it finds."""

from collections.abc import Iterator, Sequence
from typing import Any

from analysis.cells import Cell
from analysis.report import verdict
from analysis.report.evidence import Evidence
from analysis.report.lights import widened
from analysis.report.numbers import counted, estimate, listed, points
from analysis.report.parts import Part, Table
from analysis.report.verdict import Finding

TITLE = "What else does the game count?"
INTRO = (
    "Means for one seat and game, with the same policy at every seat; a rate is the total of one fact over the total "
    "of another. Winners less rest is the mean of the winning seats less that of the others: what winners do more "
    "of, which need not be why they win."
)

NOTHING = 1e-9  # a difference by rounding


def makers(found: Evidence) -> list[Any]:
    """One part a setting and number of players, of the leading policy."""

    def part(name: str, cell: Cell) -> Part:
        rows: list[Sequence[str | tuple[str, str]]] = []
        for fact, mine in _by_fact(found, cell).items():
            mean = mine["mean"] if "mean" in mine else mine["rate"]
            less = estimate(mine["winners_minus_rest"], signed=True) if "winners_minus_rest" in mine else "-"
            rows.append([_words(fact), estimate(mean), less, f"{mean.n:,}"])
        head = ["fact", "mean or rate", "winners less rest", "games times seats"]
        return Part(f"{cell.players} players, all play {cell.focus} ({name})", Table(head, rows, 12))

    return [lambda s=name, c=cell: part(s, c) for name, cell in _cells(found)]


def findings(found: Evidence) -> Iterator[Finding]:
    """What winners decidedly have more of, and which rates are the highest and the lowest."""
    judged = [(name, cell, *_judged(found, cell)) for name, cell in _cells(found)]
    family = sum(len(less) + len(rates) for _, _, less, rates in judged)
    for name, cell, *each in judged:
        sure, rated = ({fact: widened(row, family) for fact, row in rows.items()} for rows in each)
        more = [_words(fact) for fact, row in sure.items() if row.low > 0]
        fewer = [_words(fact) for fact, row in sure.items() if row.high < 0]
        said = [
            f"winners have decidedly {word} {listed(names)}"
            for word, names in (("more", more), ("less", fewer))
            if names
        ]
        rates = verdict.ranked(rated.items())
        if len(rates) > 1:
            said.append(f"the highest rate is {_end(rates)}, the lowest {_end(rates[::-1], lowest=True)}")
        if said:
            text = f"With {cell.players} players of {cell.focus}, {'; '.join(said)}."
            figures = [f"{_words(fact)} {points(row)}" for fact, row in rates]
            moved = [f"{_words(fact)} {' ('.join(estimate(row, signed=True))})" for fact, row in sure.items()]
            parts = [f"{head}: {', '.join(x)}." for head, x in (("Winners less rest", moved), ("Rates", figures)) if x]
            games = counted([*sure.values(), *rated.values()], "games times seats")
            parts.append(f"Intervals are for all {family} of the study together; {games}.")
            yield Finding("Facts", name, text, " ".join(parts))


def _judged(found: Evidence, cell: Cell) -> tuple[dict[str, Any], dict[str, Any]]:
    """Rows of winners less rest that could differ, and of rates, each by fact."""
    facts = _by_fact(found, cell)
    less = {fact: mine["winners_minus_rest"] for fact, mine in facts.items() if "winners_minus_rest" in mine}
    less = {fact: row for fact, row in less.items() if max(abs(row.estimate), row.se) > NOTHING}
    return less, {fact: mine["rate"] for fact, mine in facts.items() if "rate" in mine and mine["rate"].n}


def _end(rates: Sequence[tuple[str, Any]], lowest: bool = False) -> str:
    """The first of the rates, with all that cannot be told apart from it."""
    first = rates[0][1]
    alike = [f for f, row in rates if (row.low <= first.high if lowest else row.high >= first.low)]
    return listed((_words(fact) for fact in alike), "or")


def _cells(found: Evidence) -> Iterator[tuple[str, Cell]]:
    for name, cells in found.groups("self-play"):
        lead = verdict.leading(found, name, cells)
        for cell in sorted((c for c in cells if c.focus == lead), key=lambda c: c.players):
            if len(found.of("fact_values", cell)):
                yield name, cell


def _by_fact(found: Evidence, cell: Cell) -> dict[str, dict[str, Any]]:
    """Rows by fact and quantity, facts that never came up left out."""
    facts: dict[str, dict[str, Any]] = {}
    for row in found.of("fact_values", cell).itertuples():
        if row.policy == cell.focus:
            facts.setdefault(row.fact, {})[row.quantity] = row
    return {f: mine for f, mine in facts.items() if any(row.n and (row.estimate or row.se) for row in mine.values())}


def _words(fact: str) -> str:
    return fact.replace("_", " ")
