"""The verdict in plain words, computed from the tables, and no stronger than their intervals.

"Decided" means that the 95 % interval leaves out what would be even and the p-value, corrected for how many there are,
is below 5 %. Of policies that are not decidedly apart, and of sources whose intervals overlap, the words are "cannot be
told apart".
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from analysis.cells import Cell
from analysis.report.contests import ALPHA, METHODS, Contest, by_field
from analysis.report.evidence import Evidence
from analysis.report.numbers import counted, estimate, listed, number, percent, points, singular

FAVOURED, BEHIND, OPEN = "favoured", "behind", "open"
ANSWERS = {FAVOURED: "is favoured", BEHIND: "is at a disadvantage", OPEN: "cannot be told from even"}


@dataclass(frozen=True)
class Finding:
    """One statement of the verdict."""

    topic: str  # Fairness, Policies, Sources
    setting: str  # variant and rules
    text: str
    detail: str = ""  # the figures behind it


def verdict(found: Evidence, piece: str) -> list[Finding]:
    """All findings, by setting: fairness, policies, sources.

    Parameters
    ----------
    found : Evidence
    piece : str
        The game's noun for what lies in a source, in the plural.
    """
    findings = []
    for setting, cells in found.groups("self-play"):
        groups = by_policy(cells)
        findings += [Finding("Fairness", setting, *fairness(found, policy, mine)) for policy, mine in groups]
        findings += [Finding("Fairness", setting, text) for text in disagreement(found, groups)]
    for contest in found.contests:
        text, detail = strength(contest)
        findings.append(Finding("Policies", contest.setting, text, detail + found.caution(contest.cells)))
    for setting, cells in found.groups("self-play"):
        lead = leading(found, setting, cells)
        mine = [cell for cell in cells if cell.focus == lead]
        findings.append(Finding("Sources", setting, *worth(found, lead, mine, piece)))
    return findings


def by_policy(cells: Iterable[Cell]) -> list[tuple[str, list[Cell]]]:
    """Self-play cells by the policy that plays."""
    groups: dict[str, list[Cell]] = {}
    for cell in cells:
        groups.setdefault(cell.focus, []).append(cell)
    return [(policy, sorted(mine, key=lambda cell: cell.players)) for policy, mine in groups.items()]


# ---------------------------------------------------------------------------------------------------------
# Fairness
# ---------------------------------------------------------------------------------------------------------
def first_seat(found: Evidence, cell: Cell) -> Any:
    """The row of the first player's advantage in win share."""
    frame = found.of("seat_advantage", cell)
    return next(frame[(frame.quantity == "win_share") & (frame.seat == 0)].itertuples())


def decided(row: Any) -> str:
    """Which way an advantage is decided, if it is: by its interval, and by its p-value among the study's others."""
    if not getattr(row, "p_family", 0) < ALPHA:
        return OPEN
    return FAVOURED if row.low > 0 else BEHIND if row.high < 0 else OPEN


def win_share(row: Any, even: float) -> Any:
    """An advantage as a win share."""
    return SimpleNamespace(estimate=row.estimate + even, low=row.low + even, high=row.high + even)


def fairness(found: Evidence, policy: str, cells: Sequence[Cell]) -> tuple[str, str]:
    """Is the first player favoured, is it decided, and by how much."""
    answers: dict[str, list[int]] = {}
    rows, shares = [first_seat(found, cell) for cell in cells], []
    for cell, row in zip(cells, rows, strict=True):
        even = 1 / cell.players
        answers.setdefault(decided(row), []).append(cell.players)
        share = percent(win_share(row, even), f"; even is {number(100 * even, 1)}")
        shares.append(f"{cell.players} players {share}")
    said = listed(f"{ANSWERS[answer]} with {listed(counts)}" for answer, counts in answers.items())
    return (
        f"When all play {policy}, the first player {said} players.",
        f"The first player's win share: {', '.join(shares)}; {counted(rows)}.{found.caution(cells)}",
    )


def disagreement(found: Evidence, groups: Sequence[tuple[str, list[Cell]]]) -> list[str]:
    """Numbers of players for which policies give opposite decided answers."""
    seen: dict[int, set[str]] = {}
    for _, cells in groups:
        for cell in cells:
            seen.setdefault(cell.players, set()).add(decided(first_seat(found, cell)))
    counts = [players for players, answers in sorted(seen.items()) if {FAVOURED, BEHIND} <= answers]
    if not counts:
        return []
    return [f"With {listed(counts)} players it depends on how people play: the policies give opposite answers."]


# ---------------------------------------------------------------------------------------------------------
# Policies
# ---------------------------------------------------------------------------------------------------------
def focus_row(found: Evidence, cell: Cell) -> Any:
    """The row of the win share of the policy in focus."""
    frame = found.of("win_rates", cell)
    return next(frame[frame.policy == cell.focus].itertuples())


def ranked(rows: Iterable[tuple[str, Any]]) -> list[tuple[str, Any]]:
    """Best first."""
    return sorted(rows, key=lambda pair: -pair[1].estimate)


def not_apart(rows: Sequence[tuple[str, Any]]) -> list[tuple[str, Any]]:
    """The first row and those whose intervals overlap with its own, the best coming first."""
    return [pair for pair in rows if pair[1].high >= rows[0][1].low]


def strength(contest: Contest) -> tuple[str, str]:
    """The strongest policies of a contest, and whether they can be told apart."""
    rows = contest.rows
    if len(rows) - (contest.field in dict(rows)) == 1:
        text = _alone(contest)
    else:
        top = [contest.named(name) for name in contest.top]
        apart = "are the strongest and cannot be told apart" if len(top) > 1 else "is the strongest"
        text = f"{contest.title[0].upper()}{contest.title[1:]}, {listed(top)} {apart}."
    even = f", {number(100 / contest.players, 1)} % being even"
    played = [(name, row) for name, row in rows if name != contest.field]
    shares = ", ".join(f"{name} {percent(row)}" for name, row in played)
    games = counted((row for _, row in played), "games" if contest.field else "games times seats")
    detail = f"Win share{even if contest.field else ' of a seat'}: {shares}; {games}."
    first = [(contest.named(name), contest.ranks.get((name, "first"))) for name, _ in rows]
    chances = [f"{name} {estimate(row, 100, most=1)[0]} %" for name, row in first if row and row.estimate > 0.0005]
    if chances:
        detail += f" Probability of being truly the first: {', '.join(chances)}."
    if contest.pairs:
        family = f"{contest.family} {'comparison' if contest.family == 1 else 'comparisons'} of policies in the study"
        detail += f" Told apart by differences, {METHODS[contest.method]} the {family}."
    return text, detail


def _alone(contest: Contest) -> str:
    """One policy against a field."""
    policy, row = next(pair for pair in contest.rows if pair[0] != contest.field)
    text = f"One {policy} {contest.title} wins {percent(row)}"
    for better, worse in contest.pairs:
        word = "more" if better == policy else "less"
        is_decided = contest.is_decided(better, worse)
        text += f", {f'decidedly {word} than' if is_decided else 'which cannot be told from'} the even share"
    return f"{text}."


def leading(found: Evidence, setting: str, cells: Sequence[Cell]) -> str:
    """The self-play policy that did best against a field; the first of the study if there is no such cell."""
    here = {policy for policy, _ in by_policy(cells)}
    for other, contests in found.groups("focus"):
        if other == setting:
            for _, mine in by_field(contests):
                rows = ranked((c.focus, focus_row(found, c)) for c in mine if c.focus in here)
                if rows:
                    return rows[0][0]
    return cells[0].focus


# ---------------------------------------------------------------------------------------------------------
# Sources
# ---------------------------------------------------------------------------------------------------------
def by_source(found: Evidence, cell: Cell, quantity: str) -> list[tuple[str, Any]]:
    """One quantity by source, the most first; sources for which there is none are left out."""
    frame = found.of("source_values", cell)
    rows = frame[(frame.quantity == quantity) & (frame.policy == cell.focus) & (frame.n > 0)]
    return ranked((row.source, row) for row in rows.itertuples())


def worth(found: Evidence, policy: str, cells: Sequence[Cell], piece: str) -> tuple[str, str]:
    """Which sources pay most and least per piece, and which earn most in all, by number of players."""
    each = {cell.players: by_source(found, cell, "points_per_piece") for cell in cells}
    in_all = {cell.players: by_source(found, cell, "share_of_total") for cell in cells}
    parts = (
        (f"most points per {singular(piece)} come from", each, points, False),
        ("fewest from", each, points, True),
        ("the largest part of the score from", in_all, percent, False),
    )
    names = [f"{word} {_names(_extremes(tables, last))}" for word, tables, _, last in parts]
    figures = [
        f"{word[0].upper()}{word[1:]} {name}: {', '.join(f'{n} players {say(row)}' for n, row in rows)}."
        for word, tables, say, last in parts
        for name, rows in _extremes(tables, last).items()
    ]
    games = counted((rows[0][1] for rows in in_all.values() if rows), "games times seats")
    return f"When all play {policy}, {'; '.join(names)}.", f"{' '.join(figures)} Here {games}."


def _names(extremes: dict[str, list[tuple[int, Any]]]) -> str:
    if len(extremes) == 1:
        return next(iter(extremes))
    return listed(f"{name} (with {listed(n for n, _ in rows)} players)" for name, rows in extremes.items())


def _extremes(tables: dict[int, list[tuple[str, Any]]], last: bool) -> dict[str, list[tuple[int, Any]]]:
    """The first or last sources with all that cannot be told apart from them: (players, row) by their names."""
    said: dict[str, list[tuple[int, Any]]] = {}
    for players, rows in tables.items():
        ends = [p for p in reversed(rows) if p[1].low <= rows[-1][1].high] if last else not_apart(rows)
        said.setdefault(listed((name for name, _ in ends), "or"), []).append((players, ends[0][1]))
    return said
