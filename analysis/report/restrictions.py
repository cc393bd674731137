"""The chapter on restricted play, and what it finds."""

from collections.abc import Iterator, Sequence
from typing import Any

from analysis.report.evidence import Evidence
from analysis.report.figures import Figures
from analysis.report.numbers import estimate, listed
from analysis.report.parts import Part, Table
from analysis.report.verdict import Finding

TITLE = "What does a restriction cost?"
INTRO = (
    "One player is restricted, the others are not, and every seat has its turn at it; the cost is the win share that "
    "the player loses. A ban takes the actions that feed a source away, unless nothing else is legal. What a source "
    "is worth to a player who knows how to do without it is less than its points."
)
KEYS = ["variant", "rules", "players", "base", "field"]


def makers(found: Evidence, figures: Figures) -> list[Any]:
    """One part a setting, policy and field."""

    def part(key: tuple, frame: Any) -> Part:
        rows: list[Sequence[str | tuple[str, str]]] = []
        for cost, share in _pairs(frame):
            texts = [estimate(row, 100, signed=row is cost, most=2) for row in (cost, share)]
            cells = [(f"{middle} %", span) for middle, span in texts]
            rows.append([_says(cost), *cells, f"{cost.n:,}"])
        table = Table(["restriction", "cost", "win share", "games"], rows, 9)
        return Part(_title(key), table, figures.restrictions(frame, _title(key)))

    return [lambda k=key, f=frame: part(k, f) for key, frame in _groups(found)]


def findings(found: Evidence) -> Iterator[Finding]:
    """Which bans cost most, and which cost nothing."""
    for key, frame in _groups(found):
        bans = [cost for cost, _ in _pairs(frame) if cost.restriction == "ban"]
        if not bans:
            continue
        top = [_says(row) for row in bans if row.high >= bans[0].low]
        free = [_says(row) for row in bans if row.low <= 0 <= row.high]
        gain = [_says(row) for row in bans if row.high < 0]
        text = f"{_who(key)}: {listed(top)} {'costs' if len(top) == 1 else 'cost'} most"
        text += f"; {listed(free)} {'has' if len(free) == 1 else 'have'} no decided cost" if free else ""
        text += f"; {listed(gain)} even {'helps' if len(gain) == 1 else 'help'}." if gain else "."
        costs = ", ".join(f"{_says(row)} {_points(row)}" for row in bans)
        setting = key[0] if key[1] == "as printed" else f"{key[0]}, {key[1]}"
        yield Finding("Restricted play", setting, text, f"Win share lost, in percentage points: {costs}.")


def _groups(found: Evidence) -> list[tuple[tuple, Any]]:
    if "restricted_play" not in found.tables:
        return []
    return list(found.tables["restricted_play"].groupby(KEYS, sort=False))


def _pairs(frame: Any) -> list[tuple[Any, Any]]:
    """(cost, win share) of each restriction, the dearest first, bans before random play."""
    rows = {(row.quantity, row.source, row.random): row for row in frame.itertuples()}
    pairs = [(row, rows["win_share", source, random]) for (q, source, random), row in rows.items() if q == "cost"]
    return sorted(pairs, key=lambda pair: (pair[0].restriction != "ban", -pair[0].estimate))


def _says(row: Any) -> str:
    words = [f"no {row.source}"] if row.source else []
    return " and ".join([*words, f"{100 * row.random:.4g} % random"] if row.random else words)


def _points(row: Any) -> str:
    middle, span = estimate(row, 100, signed=True, most=2)
    return f"{middle} ({span})"


def _who(key: tuple) -> str:
    _, _, players, base, field = key
    return f"One {base} against {f'{players - 1} {field}' if players > 2 else field}"


def _title(key: tuple) -> str:
    return f"{_who(key)} ({key[0] if key[1] == 'as printed' else f'{key[0]}, {key[1]}'})"
