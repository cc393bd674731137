"""A comparison as a table for people: what each side has, the difference, and whether it is decided."""

import math
from collections.abc import Sequence
from typing import Any

from analysis.report.numbers import estimate, number
from analysis.until import Until
from analysis.until import number as say

NAMES = {  # words, scale, unit
    "win_share": ("win share", 100, " %"),
    "score": ("score", 1, ""),
    "first_player_advantage": ("first player's advantage", 100, " %"),
    "decisions": ("decisions a game", 1, ""),
    "options": ("legal actions a decision", 1, ""),
    "forced": ("forced decisions", 100, " %"),
    "ties": ("shared wins", 100, " %"),
    "margin": ("the winner's lead", 1, ""),
    "points": ("points", 1, ""),
    "pieces": ("", 1, ""),  # the game's noun
}
HEAD = ("what", "first", "against", "difference", "decided", "games saved", "deals")
FEWEST = 20  # deals that must all be alike for a difference without spread to be decided
ALIKE, UNJUDGED = "all deals alike", "not judged"
GENERAL = ("win_share", "score", "first_player_advantage", "decisions", "options", "forced", "ties", "margin")
WATCHED = {"win_rate": "win_share", "seat_advantage": "first_player_advantage"}  # quantity of a stop rule's metric
Cell = str | tuple[str, str]


def general_rows(frame: Any, level: float = 0.95) -> list[list[Cell]]:
    """Rows under `HEAD` of win share, score, seats and length, from the frame of `analysis.compare_results`."""
    part = frame[frame.quantity.isin(GENERAL)]
    return [
        _row(r, f"{NAMES[r.quantity][0]}{f' of {r.policy}' if isinstance(r.policy, str) else ''}", level)
        for r in part.itertuples()
    ]


def source_rows(frame: Any, policy: str, piece: str, level: float = 0.95) -> list[list[Cell]]:
    """Rows under `HEAD` of points and pieces by source, of one policy."""
    part = frame[frame.quantity.isin(("points", "pieces")) & (frame.policy == policy)]
    return [_row(r, f"{r.source}, {NAMES[r.quantity][0] or piece}", level) for r in part.itertuples()]


def policies_in(frame: Any) -> list[str]:
    """The policies that have rows of sources."""
    return list(dict.fromkeys(frame[frame.quantity == "points"].policy))


def _row(row: Any, name: str, level: float) -> list[Cell]:
    _, scale, unit = NAMES[row.quantity]
    middle, span = estimate(row, scale, signed=True)
    places = len(middle.partition(".")[2])
    sides = [f"{number(scale * x, places)}{unit}" for x in (row.first, row.against)]
    return [name, *sides, (f"{middle}{unit}", span), answer(row, level), saved(row.saved), f"{row.n:,}"]


def answer(row: Any, level: float) -> str:
    """Whether a difference is decided, after the correction for how many there are.

    Where every deal has the same difference there is no p-value; then it takes `FEWEST` deals.
    """
    if math.isnan(row.p):
        if row.estimate == 0:
            return "alike"
        return "-" if math.isnan(row.se) else ALIKE if row.n >= FEWEST else "no"
    return "yes" if row.p_family < 1 - level else "no"


def judged_by_rule(rows: Any, frame: Any, until: Until, interval: Sequence[float]) -> list[list[Cell]]:
    """The rows of a run that its stop rule ended: the one it watched with the rule's own answer, the others with none.

    Parameters
    ----------
    rows : list
        Of `general_rows`.
    frame : DataFrame
        That they were made of.
    until : Until
    interval : sequence of float
        Estimate, low and high of the rule when it ended the run.
    """
    quantity = WATCHED.get(until.metric, until.metric)
    general = frame[frame.quantity.isin(GENERAL)]
    watched = [i for i, row in enumerate(general.itertuples()) if row.quantity == quantity]
    if until.policy:
        watched = [i for i in watched if general.policy.iloc[i] == until.policy]
    middle, low, high = (say(until.metric, x, signed=True) for x in interval)
    judged = unjudged(rows)
    for i in watched[:1]:  # without a policy the rule watches the first entries, whose row comes first
        decided = "yes" if interval[1] > 0 or interval[2] < 0 else "no"
        judged[i] = [*rows[i][:3], (middle, f"{low} to {high}".replace(" %", "")), decided, *rows[i][5:]]
    return judged


def unjudged(rows: Any) -> list[list[Cell]]:
    """The rows without an answer that rests on a p-value, which holds for a number of games fixed beforehand."""
    return [[*row[:4], UNJUDGED if row[4] in ("yes", "no") else row[4], *row[5:]] for row in rows]


def saved(factor: float) -> str:
    """The factor of games saved; a dash where nothing varies."""
    if not math.isfinite(factor):
        return "-"
    return f"x {number(factor, 1 if factor < 10 else 0)}"


def saving_in_words(factor: float) -> str:
    """What the common deals saved."""
    if not math.isfinite(factor):
        return "Nothing differs by chance, so there are no games to save."
    return (
        f"On common deals the differences are as sure as with {number(factor, 1 if factor < 10 else 0)} times as many "
        "games on deals of their own (the median of the rows)."
    )
