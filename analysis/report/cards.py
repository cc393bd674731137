"""Fairness cards: for each variant and number of players six questions, each with a light.

A light stands for the leading policy where one policy sits at every seat; what the others give is told beside it.
"""

import json
import math
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import engine
from analysis.cells import Cell
from analysis.report import lights, verdict
from analysis.report.contests import Contest
from analysis.report.evidence import Evidence, setting
from analysis.report.gauge import Mark, gauge
from analysis.report.lights import Light, judge, times, widened
from analysis.report.numbers import counted, estimate, listed, percent, points, singular

NAMES = ("Seats", "Closeness", "Sources", "Policies", "Length", "Ties")
MOST_SAID = 3  # policies or contests told of in one check


@dataclass
class Check:
    """One question of a card."""

    name: str
    light: Light
    says: list[str]
    limit: str
    gauge: str = ""
    mark: tuple = ()  # of the part of the report with the picture


@dataclass
class Card:
    """The checks of one variant and number of players."""

    setting: str
    players: int
    policy: str  # that the lights stand for; empty if no policy sits at every seat
    lineup: str  # the line-up of the lights
    games: int  # of that line-up
    checks: list[Check]
    commands: list[str] = field(default_factory=list)
    caution: str = ""  # about a stop rule


def cards(found: Evidence, piece: str, command: str) -> list[Card]:
    """A card for each variant, rules and number of players.

    Parameters
    ----------
    found : Evidence
    piece : str
        The game's noun for what lies in a source, in the plural.
    command : str
        What runs the study.
    """
    made = []
    for name, cells in found.groups("self-play", "focus", "mixed"):
        alone = [cell for cell in cells if cell.kind == "self-play"]
        lead = verdict.leading(found, name, alone) if alone else ""
        for players in sorted({cell.players for cell in cells}):
            here = [cell for cell in cells if cell.players == players]
            made.append(_card(found, name, here, lead, piece, command))
    return made


def _card(found: Evidence, name: str, here: list[Cell], lead: str, piece: str, command: str) -> Card:
    alone = sorted((c for c in here if c.kind == "self-play"), key=lambda c: c.focus != lead)
    shown = alone or here
    limits = found.limits
    checks = [
        _seats(found, alone, limits),
        _closeness(found, shown, limits),
        _sources(found, alone, limits, piece),
        _policies(found, name, here, limits),
        _length(found, shown, limits),
        _ties(found, shown, limits),
    ]
    own = simulate_command(shown[0])
    return Card(
        name,
        here[0].players,
        alone[0].focus if alone else "",
        shown[0].lineup_label,
        found.games_of(shown[0]),
        checks,
        [command, *([own] if own else [])],
        found.caution(here),
    )


def simulate_command(cell: Cell) -> str:
    """The command line that plays one cell alone; empty if it needs the study: its variants, weights or policies."""
    is_shipped = cell.variant in engine.variants(engine.load_game(cell.game))
    if not is_shipped or any(e.label != e.policy.name or not e.policy.is_built_in for e in cell.entries):
        return ""
    by = cell.rules.changed
    changes = [f"{name}={json.dumps(x)}" for name, x in cell.rules.values.items() if by.get(name) == "override"]
    words = ["meeplecarlo", "simulate", cell.game, "--policies", *(e.label for e in cell.entries)]
    words += ["--variant", cell.variant, *(["--rules", *changes] if changes else [])]
    words += [] if cell.seats == "rotate" else ["--seats", cell.seats]
    return shlex.join([*words, "--games", str(cell.games), "--seed", str(cell.seed)])


def _missing(name: str, says: str, limit: str) -> Check:
    return Check(name, lights.NONE, [f"Not measured: {says}."], limit)


# ---------------------------------------------------------------------------------------------------------
# One number by policy: seats, closeness, length, ties
# ---------------------------------------------------------------------------------------------------------
def _by_policy(
    name: str,
    limit: str,
    rows: Sequence[tuple[str, Any, str]],
    low: float,
    high: float,
    even: float | None,
    mark: tuple,
) -> Check:
    """A check whose light is that of the first row; rows are (policy, row, words)."""
    found = [judge(row, low, high) for _, row, _ in rows]
    several = len(rows) > 1
    says = [f"{policy}: {words}" if several else words for policy, _, words in rows[:MOST_SAID]]
    marks = [
        Mark(row, light.name, policy if several else "")
        for (policy, row, _), light in zip(rows[:MOST_SAID], found, strict=False)
    ]
    picture = gauge(marks, low, high, even, f"{name}: {found[0].word}. {says[0]}. Limit: {limit}")
    return Check(name, found[0], says, limit, picture, mark)


def _seats(found: Evidence, alone: list[Cell], limits: dict[str, float]) -> Check:
    most = limits["first_player"]
    limit = f"first player at most {100 * most:g} percentage points from even"
    if not alone:
        return _missing("Seats", "no line-up has one policy at every seat", limit)
    rows = []
    for cell in alone:
        row = verdict.first_seat(found, cell)
        middle, span = estimate(row, 100, signed=True, most=2)
        rows.append((cell.focus, row, f"first player {middle} percentage points ({span})"))
    mark = ("seats", setting(alone[0]), alone[0].focus)
    return _by_policy("Seats", limit, rows, -most, most, 0.0, mark)


def _closeness(found: Evidence, shown: list[Cell], limits: dict[str, float]) -> Check:
    least = limits["close_games"]
    near = f"a lead of at most {100 * limits['close_lead']:g} % of the mean score"
    limit = f"at least {100 * least:g} % of games are close: {near}, here {_in_points(found.close[shown[0].key])}"
    rows = []
    for cell in shown:
        frame = found.of("margin", cell)
        close = found.close[cell.key]
        row = next(frame[(frame.quantity == "within") & (frame.points == close)].itertuples())
        mean = next(frame[frame.quantity == "lead"].itertuples())
        words = f"{percent(row)} of games are won by at most {_in_points(close)}; the mean lead is {points(mean)}"
        rows.append((cell.lineup_label, row, words))
    return _by_policy("Closeness", limit, rows, least, lights.INFINITY, None, ("closeness", shown[0].key))


def _in_points(close: int) -> str:
    return f"{close} {'point' if close == 1 else 'points'}"


def _length(found: Evidence, shown: list[Cell], limits: dict[str, float]) -> Check:
    least, most = limits["fewest_decisions"], limits["most_decisions"]
    limit = f"{least:g} to {most:g} decisions a seat"
    rows = []
    for cell in shown:
        values = {row.quantity: row for row in found.of("game_length", cell).itertuples()}
        row = times(values["decisions"], 1 / cell.players)
        options, forced = points(values["options"]), percent(values["forced"])
        words = f"{points(row)} decisions a seat, {options} legal actions each; {forced} are forced"
        rows.append((cell.lineup_label, row, words))
    return _by_policy("Length", limit, rows, least, most, None, ("length",))


def _ties(found: Evidence, shown: list[Cell], limits: dict[str, float]) -> Check:
    most = limits["ties"]
    rows = []
    for cell in shown:
        frame = found.of("game_length", cell)
        row = next(frame[frame.quantity == "ties"].itertuples())
        rows.append((cell.lineup_label, row, f"{percent(row)} of games end with a shared win"))
    return _by_policy("Ties", f"at most {100 * most:g} % of games", rows, -lights.INFINITY, most, None, ("length",))


# ---------------------------------------------------------------------------------------------------------
# Sources: too good, too weak, ignored
# ---------------------------------------------------------------------------------------------------------
def _sources(found: Evidence, alone: list[Cell], limits: dict[str, float], piece: str) -> Check:
    weak, good, ignored = (limits[name] for name in ("too_weak", "too_good", "ignored"))
    worth_limit = f"{weak:g} to {good:g} times the mean points per {singular(piece)}"
    limit = f"{worth_limit}; used by at least {100 * ignored:g} % of seats"
    if not alone:
        return _missing("Sources", "no line-up has one policy at every seat", limit)
    frame = found.of("source_balance", alone[0])
    frame = frame[frame.policy == alone[0].focus]
    ends = {"used": (0.0, 1.0), "relative_worth": (-lights.INFINITY, lights.INFINITY)}
    rows = {
        (row.source, row.quantity): widened(row, len(frame), within=ends[row.quantity]) for row in frame.itertuples()
    }
    words = ("too good", "too weak", "ignored", "not decided", "a penalty, so not judged")
    verdicts: dict[str, list[str]] = {word: [] for word in words}
    marks, seen = [], []
    for source in dict.fromkeys(frame.source):
        worth, used = rows[source, "relative_worth"], rows[source, "used"]
        if worth.high < 0:
            verdicts["a penalty, so not judged"].append(source)
            continue
        by_worth, by_use = judge(worth, weak, good), judge(used, ignored)
        seen += [by_worth, by_use]
        said = f"{source} {_times(worth)}"
        if by_worth is lights.BEYOND:
            verdicts["too good" if worth.low > good else "too weak"].append(said)
        if by_use is lights.BEYOND:
            verdicts["ignored"].append(f"{source} used by {percent(used)}")
        if lights.OPEN in (by_worth, by_use):
            verdicts["not decided"].append(said if by_worth is lights.OPEN else f"{source} used by {percent(used)}")
        marks.append(Mark(worth, by_worth.name, source))
    says = [f"{word}: {listed(names)}" for word, names in verdicts.items() if names]
    says = says or [f"all {len(marks)} sources are within"]
    light = lights.worst(seen)
    text = f"Sources: {light.word}. Points per piece over the mean. {'; '.join(says)}"
    return Check("Sources", light, says, limit, gauge(marks, weak, good, 1.0, text), ("sources", alone[0].key))


def _times(row: Any) -> str:
    middle, span = estimate(row, most=2)
    return f"{middle} × ({span})"


# ---------------------------------------------------------------------------------------------------------
# Policies: is one far ahead of all others?
# ---------------------------------------------------------------------------------------------------------
def _policies(found: Evidence, name: str, here: list[Cell], limits: dict[str, float]) -> Check:
    most = limits["dominance"]
    limit = f"no policy more than {100 * most:g} percentage points ahead of all others everywhere"
    contests = [c for c in found.contests if c.setting == name and c.players == here[0].players and c.pairs]
    if not contests:
        return _missing("Policies", "no policies play against each other with this number of players", limit)
    leads = [(contest, *lead(contest)) for contest in contests]
    light = dominance([(first, row) for _, first, _, row in leads], most)
    says, marks = [], []
    for contest, first, second, row in leads[:MOST_SAID]:
        middle, span = estimate(row, 100, most=2)
        sure = contest.ranks.get((first, "first"))
        chance = (
            f", and truly the first with probability {estimate(sure, 100, most=1)[0]} %"
            if sure and not math.isnan(sure.estimate)
            else ""
        )
        ahead = f"{contest.title}, {first} is {middle} percentage points ({span}) ahead of {second}"
        says.append(f"{ahead}{chance}; {counted([row], 'deals')}")
        marks.append(Mark(row, judge(row, high=most).name, contest.title))
    text = f"Policies: {light.word}. {says[0]}. Limit: {limit}"
    picture = gauge(marks, -lights.INFINITY, most, 0.0, text)
    return Check("Policies", light, says, limit, picture, contests[0].mark)


def lead(contest: Contest) -> tuple[str, str, Any]:
    """(best, next, how far the best is ahead); the interval is one of all that are compared in the study."""
    (first, _), (second, _) = contest.rows[:2]
    row = contest.pairs[first, second]
    return first, second, row if contest.method == "none" else widened(row, contest.family, within=(-1, 1))


def dominance(leads: Sequence[tuple[str, Any]], most: float) -> Light:
    """Beyond if one policy decidedly leads every contest by more than `most`; within if none can.

    Parameters
    ----------
    leads : sequence of (str, row)
        The best policy of each contest, and how far it is ahead of the next.
    """
    found = [judge(row, high=most) for _, row in leads]
    sure = {first for first, row in leads if row.low > 0}
    if len(sure) > 1 or lights.WITHIN in found:
        return lights.WITHIN
    one = len({first for first, _ in leads}) == 1
    return lights.BEYOND if one and all(light is lights.BEYOND for light in found) else lights.OPEN
