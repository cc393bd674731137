"""The chapter on restricted play, and what it finds."""

from collections.abc import Iterator, Sequence
from typing import Any

from analysis.report.contests import ALPHA
from analysis.report.evidence import Evidence
from analysis.report.figures import Figures
from analysis.report.numbers import counted, estimate, listed
from analysis.report.parts import Part, Table
from analysis.report.verdict import Finding

TITLE = "What does a restriction cost?"
INTRO = (
    "One player is restricted, the others are not, and every seat has its turn at it; the cost is the win share that "
    "the player loses. A ban takes the actions that feed a source away, unless nothing else is legal. What a source "
    "is worth to a player who knows how to do without it is less than its points. A cost is decided when its 95 % "
    "interval leaves out 0 and its p-value is below 5 %. P-values are {says}."
)
KEYS = ["variant", "rules", "players", "base", "field"]


def intro(found: Evidence) -> str:
    """What the chapter is about, and how the family is corrected."""
    return INTRO.format(says=found.corrected.get("restrictions", ""))


def makers(found: Evidence, figures: Figures) -> list[Any]:
    """One part a setting, policy and field."""

    def part(key: tuple, frame: Any) -> Part:
        rows: list[Sequence[str | tuple[str, str]]] = []
        for cost, share in _pairs(frame):
            texts = [estimate(row, 100, signed=row is cost, most=2) for row in (cost, share)]
            cells = [(f"{middle} %", span) for middle, span in texts]
            rows.append([_says(cost), *cells, "yes" if _is_decided(cost) else "no", f"{cost.n:,}"])
        table = Table(["restriction", "cost", "win share", "decided", "games"], rows, 9)
        return Part(_title(key), table, figures.restrictions(frame, _title(key)))

    return [lambda k=key, f=frame: part(k, f) for key, frame in _groups(found)]


def findings(found: Evidence) -> Iterator[Finding]:
    """Which bans cost most, and which cost nothing."""
    for key, frame in _groups(found):
        bans = [cost for cost, _ in _pairs(frame) if cost.restriction == "ban"]
        if not bans:
            continue
        costs = ", ".join(f"{_says(row)} {_points(row)}" for row in bans)
        setting = key[0] if key[1] == "as printed" else f"{key[0]}, {key[1]}"
        detail = f"Win share lost, in percentage points: {costs}; {counted(bans)}."
        detail += f" P-values are {found.corrected['restrictions']}."
        yield Finding("Restricted play", setting, f"{_who(key)}: {'; '.join(_claims(bans))}.", detail)


def _claims(bans: Sequence[Any]) -> list[str]:
    """What is decided of bans, the dearest first, and which are not decided."""
    sure = [row for row in bans if _is_decided(row)]
    dear = [row for row in sure if row.low > 0]
    top = [_says(row) for row in bans if dear and row.high >= dear[0].low]
    open_ = [_says(row) for row in bans if row not in sure]
    gain = [_says(row) for row in sure if row.high < 0]
    claims = [f"{listed(top, 'or')} costs most"] if top else []
    if not sure:
        claims.append("no ban has a decided cost")
    elif open_:
        claims.append(f"{listed(open_)} {'has' if len(open_) == 1 else 'have'} no decided cost")
    if gain:
        claims.append(f"{listed(gain)} even {'helps' if len(gain) == 1 else 'help'}")
    return claims


def _is_decided(row: Any) -> bool:
    """By its interval, and by its p-value among all costs of the study."""
    return bool(row.p_family < ALPHA and (row.low > 0 or row.high < 0))


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
