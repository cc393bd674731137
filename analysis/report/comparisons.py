"""The chapters on comparisons and on stop rules, and what comparisons find."""

from collections.abc import Iterator, Sequence
from typing import Any

from analysis.cells import Cell
from analysis.report import compared
from analysis.report.evidence import Compared, Evidence
from analysis.report.figures import Figures
from analysis.report.numbers import counted, listed
from analysis.report.parts import Part, Table
from analysis.report.verdict import Finding
from analysis.until import number

TITLE = "What does the change do?"
INTRO = (
    "Two sides on the same deals: differences are the first less the second, deal by deal, so that what both have in "
    "common cancels; those of percentages are in percentage points. Games saved is how many times as many games "
    "would be needed on deals of their own. Each difference has a 95 % interval of its own; it is decided when its "
    "p-value is below 5 %, or when at least {fewest} deals all have the same. P-values are {says}."
)
STOPPED = "How much was known when it stopped?"
STOPPED_INTRO = (
    "These cells were played until their rule was met, or to the most games allowed. The interval is a confidence "
    "sequence, which holds at every look; the other intervals of these cells are for numbers of games fixed beforehand."
)


def intro(found: Evidence) -> str:
    """What the chapter is about, and how the family is corrected."""
    if not found.compared:
        return ""
    cells = (cell for pair, _ in found.compared for cell in pair.cells)
    return INTRO.format(says=found.corrected["comparisons"], fewest=compared.FEWEST) + found.caution(cells)


def makers(found: Evidence, figures: Figures, piece: str) -> list[Any]:
    """One part a pair."""

    def part(pair: Compared, frame: Any) -> Part:
        rows: list[Sequence[compared.Cell]] = list(_general(found, pair, frame))
        policies = compared.policies_in(frame)
        of = f" ({policies[0]})" if len(policies) > 1 else ""  # the CSV table has the other policies
        sources = compared.source_rows(frame, policies[0], piece)
        if found.caution(pair.cells):
            sources = compared.unjudged(sources)
        rows += [[f"{row[0]}{of}", *row[1:]] for row in sources]
        return Part(pair.title, Table(compared.HEAD, rows, 14), figures.differences(frame, pair.title))

    return [lambda p=pair, f=frame: part(p, f) for pair, frame in found.compared]


def _general(found: Evidence, pair: Compared, frame: Any) -> list[list[compared.Cell]]:
    """The rows that are not of sources; where a stop rule was met, with its answer and no other."""
    rows, first = compared.general_rows(frame), pair.cells[0]
    note = found.notes.get(first.key, {})
    if not note.get("met"):
        return rows
    assert first.until is not None
    return compared.judged_by_rule(rows, frame, first.until, [note[name] for name in ("estimate", "low", "high")])


def findings(found: Evidence) -> Iterator[Finding]:
    """What each change decidedly does to wins, scores, seats and length."""
    for pair, frame in found.compared:
        rows = _general(found, pair, frame)
        moved = [f"{row[0]} {row[3][0]}" for row in rows if row[4] in ("yes", compared.ALIKE)]
        still = [str(row[0]) for row in rows if row[4] == "no"]
        text = f"{pair.title}: {f'with the first, {listed(moved)}' if moved else 'nothing is decided'}"
        text += f"; {listed(still)} cannot be told apart." if still and moved else "."
        figures = ", ".join(f"{row[0]} {row[3][0]} ({row[3][1]})" for row in rows if row[4] != "alike")
        deals = counted(frame[:1].itertuples(), "deals")  # all rows have as many
        detail = f"Differences: {figures or 'none; every game is alike'}; {deals}."
        detail += f" {compared.saving_in_words(pair.saved)}{found.caution(pair.cells)}"
        yield Finding("Changes", pair.setting, text, detail)


def stopped(found: Evidence) -> list[Any]:
    """The table of cells with a stop rule."""
    cells = [c for c in found.present if c.key in found.notes and not (c.versus and c.versus.is_first)]

    def part() -> Part:
        rows = [_stopped_row(cell, found.notes[cell.key]) for cell in cells]
        head = ["cell", "rule", "reached", "value", "games", "of at most"]
        return Part("Cells with a stop rule", Table(head, rows, 12))

    return [part] if cells else []


def _stopped_row(cell: Cell, note: Any) -> list[compared.Cell]:
    assert cell.until is not None
    value: compared.Cell = "-"
    if note["low"] is not None:
        metric, signed = cell.until.metric, bool(cell.versus) or cell.until.metric == "seat_advantage"
        low, high = (number(metric, note[name], signed) for name in ("low", "high"))
        value = (number(metric, note["estimate"], signed), f"{low} to {high}")
    reached = "yes" if note["met"] else "no"
    goal = f"difference of {cell.until.goal}" if cell.versus else cell.until.goal
    return [cell.title, goal, reached, value, f"{note['games']:,}", f"{cell.games:,}"]
