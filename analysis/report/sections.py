"""The chapters of a report: each setting's tables and figures for fairness, policies, sources and length."""

from collections.abc import Sequence
from typing import Any

from analysis.cells import Cell
from analysis.report import boards, comparisons, facts, restrictions, rule_numbers, verdict, winning
from analysis.report.contests import RESAMPLES, Contest
from analysis.report.evidence import Evidence
from analysis.report.figures import Figures
from analysis.report.numbers import estimate, singular
from analysis.report.parts import Chapter, Part, Table

ANSWERS = {verdict.FAVOURED: "favoured", verdict.BEHIND: "at a disadvantage", verdict.OPEN: "not decided"}
MOST_PARTS = 12  # of a chapter on the page; the CSV tables have all

FAIRNESS = (
    "The first player's advantage is the win share of the first seat less the even share, with the same policy at "
    "every seat. It is decided when the 95 % interval leaves out 0 and the p-value is below 5 %. P-values are {says}."
)
POLICIES = (
    "A policy's win share is the part of its games that it wins, a win shared by k seats counting 1/k. Seats are "
    "{seats}, and playouts of one deal count as one cluster in the intervals."
)
RANKED = (
    " Ranked by win share are the policies that take the one seat in turn, or sit at the one table; where every seat "
    "has its turn, the field too, with the even share that it has against itself. The ranks that a policy may have are "
    "those that differences of every two leave open, corrected by Holm's method for each table; truly first is how "
    "often the policy comes out first when the deals are drawn again {resamples:,} times, near the probability that it "
    "is. Ahead is the difference to the next row in percentage points, taken on the same deals where they are the "
    "same. It is decided when its 95 % interval leaves out 0 and its p-value is below 5 %. P-values of every two "
    "policies of a table are {says}."
)
SOURCES = (
    "Points, {piece} and points per {one}, means for one seat and game. Winners less rest is the mean of the "
    "winning seats less that of the others: what winners do more of, which need not be why they win."
)
CLOSE_TITLE = "How close are games?"
CLOSENESS = (
    "The lead is the winner's score less the best of the others, 0 where the win is shared; it is negative where "
    "a tie-break or another rule lets fewer points win."
)
CLOSE_POINTS = (0, 1, 3, 5)
LENGTH = "A forced decision has one legal action. A tie is a game whose win is shared."
SEATING = {"rotate": "rotated", "permute": "permuted", "fixed": "fixed"}


def chapters(found: Evidence, game: str, piece: str) -> list[Chapter]:
    """The chapters that have something to show."""
    figures = Figures(found)
    seats = " or ".join(dict.fromkeys(SEATING[cell.seats] for cell in found.present))
    says = found.corrected.get("policies", "")
    made = [
        _chapter(
            "Is the first player favoured?",
            FAIRNESS.format(says=found.corrected.get("fairness", "")) + _caution(found, "self-play"),
            _fairness(found, figures),
        ),
        _chapter(
            "Which policies are strong?",
            POLICIES.format(seats=seats)
            + (RANKED.format(resamples=RESAMPLES, says=says) if says else "")
            + _caution(found, "focus", "mixed"),
            _policies(found, figures),
        ),
        _chapter(
            "What is each source worth?",
            SOURCES.format(piece=piece, one=singular(piece)),
            _sources(found, figures, piece),
        ),
        _chapter(winning.TITLE, winning.intro(found), winning.makers(found, figures, _shown(found))),
        _chapter(boards.TITLE, *boards.makers(game, piece, figures, _typical_alone(found))),
        _chapter(facts.TITLE, facts.INTRO, facts.makers(found)),
        _chapter(comparisons.TITLE, comparisons.intro(found), comparisons.makers(found, figures, piece)),
        _chapter(restrictions.TITLE, restrictions.intro(found), restrictions.makers(found, figures)),
        _chapter(rule_numbers.TITLE, rule_numbers.intro(found), rule_numbers.makers(found, figures)),
        _chapter(
            "How long are games, and how much choice is there?", LENGTH, [_length(found)] if found.present else []
        ),
        _chapter(CLOSE_TITLE, CLOSENESS, _closeness(found, figures)),
        _chapter(comparisons.STOPPED, comparisons.STOPPED_INTRO, comparisons.stopped(found)),
    ]
    return [chapter for chapter in made if chapter.parts or (chapter.title == winning.TITLE and chapter.intro)]


def _caution(found: Evidence, *kinds: str) -> str:
    """About stop rules, if one ended a cell of these kinds."""
    return found.caution(cell for cell in found.present if cell.kind in kinds)


def _chapter(title: str, intro: str, makers: list[Any]) -> Chapter:
    """Draw no more parts than are shown."""
    return Chapter(title, intro, [make() for make in makers[:MOST_PARTS]], max(0, len(makers) - MOST_PARTS))


def _fairness(found: Evidence, figures: Figures) -> list[Any]:
    def part(setting: str, policy: str, cells: list[Cell]) -> Part:
        rows: list[Sequence[str | tuple[str, str]]] = []
        for cell in cells:
            row = verdict.first_seat(found, cell)
            middle, span = estimate(row, 100, signed=True, most=2)
            answer = ANSWERS[verdict.decided(row)]
            rows.append(
                [str(cell.players), f"{100 / cell.players:.1f} %", (f"{middle} points", span), answer, f"{row.n:,}"]
            )
        head = ["players", "even share", "first player's advantage", "first player is", "games"]
        return Part(
            f"All play {policy} ({setting})",
            Table(head, rows),
            [figures.seats(policy, cells)],
            ("seats", setting, policy),
        )

    return [
        lambda s=setting, p=policy, c=mine: part(s, p, c)
        for setting, cells in found.groups("self-play")
        for policy, mine in verdict.by_policy(cells)
    ]


def _closeness(found: Evidence, figures: Figures) -> list[Any]:
    """One table of all cells, and the picture of those that the fairness cards stand for."""

    def part() -> Part:
        rows: list[Sequence[str | tuple[str, str]]] = []
        for cell in found.present:
            frame = found.of("margin", cell)
            near = {row.points: row for row in frame.itertuples() if row.quantity == "within"}
            texts = [estimate(next(frame.itertuples()))]
            for k in CLOSE_POINTS:
                middle, span = estimate(near[k], 100, most=2)
                texts.append((f"{middle} %", span))
            rows.append([cell.title, *texts, f"{found.games_of(cell):,}"])
        head = ["cell", "mean lead", *(f"at most {k}" for k in CLOSE_POINTS), "games"]
        drawn = [figures.margin(cell) for cell in _typical(found)[:MOST_PARTS]]
        return Part("The winner's lead in points", Table(head, rows, 12), drawn)

    return [part] if found.present else []


def _typical(found: Evidence) -> list[Cell]:
    """The cells of `_shown`; the first of all if there is none."""
    return [cell for _, cell in _shown(found)] or found.present[:1]


def _typical_alone(found: Evidence) -> list[tuple[str, Cell]]:
    """Of each setting, the cell in which the leading policy sits everywhere, with about four players."""
    chosen = []
    for setting, cells in found.groups("self-play"):
        lead = verdict.leading(found, setting, cells)
        mine = [cell for cell in cells if cell.focus == lead]
        chosen.append((setting, min(mine, key=lambda cell: abs(cell.players - 4))))
    return chosen


def _shown(found: Evidence) -> list[tuple[str, Cell]]:
    """The cells in which the leading policy plays, or several do at one table, with their settings."""
    chosen = []
    for setting, cells in found.groups("self-play", "mixed"):
        alone = [cell for cell in cells if cell.kind == "self-play"]
        lead = verdict.leading(found, setting, alone) if alone else ""
        mine = [cell for cell in cells if cell.focus == lead or cell.kind == "mixed"]
        chosen += [(setting, cell) for cell in sorted(mine, key=lambda cell: cell.players)]
    return chosen


def _policies(found: Evidence, figures: Figures) -> list[Any]:
    def part(contest: Contest) -> Part:
        rows = [_ranked(contest, i) for i in range(len(contest.rows))]
        share, n = ("win share", "games") if contest.field else ("win share of a seat", "games times seats")
        table = Table(["policy", share, "rank", "truly first", "ahead", "decided", n], rows)
        drawn = [figures.strength(contest.field, contest.players, contest.cells)] if contest.field else []
        title = f"One {contest.title}" if contest.field else contest.cells[0].lineup_label
        return Part(f"{title} ({contest.setting})", table, drawn, contest.mark)

    return [lambda c=contest: part(c) for contest in found.contests]


def _ranked(contest: Contest, i: int) -> list[str | tuple[str, str]]:
    """One row of a contest's table."""
    policy, row = contest.rows[i]
    middle, span = estimate(row, 100, most=2)
    is_field = policy == contest.field
    texts: list[str | tuple[str, str]] = [contest.named(policy), (f"{middle} %", "by design" if is_field else span)]
    rank, first = (contest.ranks.get((policy, quantity)) for quantity in ("rank", "first"))
    if rank and first and rank.low == rank.low:
        chance = f"{estimate(first, 100, most=1)[0]} %"
        texts += [(f"{rank.estimate:g}", f"{rank.low:g} to {rank.high:g}"), chance]
    else:
        texts += ["-", "-"]
    if i + 1 < len(contest.rows):
        other = contest.rows[i + 1][0]
        middle, span = estimate(contest.pairs[policy, other], 100, most=2)
        texts += [(f"{middle} points", span), "yes" if contest.is_decided(policy, other) else "no"]
    else:
        texts += ["-", "-"]
    return [*texts, "-" if is_field else f"{row.n:,}"]


def _sources(found: Evidence, figures: Figures, piece: str) -> list[Any]:
    quantities = {
        "points": 1,
        "pieces": 1,
        "points_per_piece": 1,
        "share_of_total": 100,
        "winners_minus_rest": 1,
    }
    one = singular(piece)

    def part(setting: str, cell: Cell, is_drawn: bool) -> Part:
        frame = found.of("source_values", cell)
        frame = frame[frame.policy == cell.focus]
        rows: list[Sequence[str | tuple[str, str]]] = []
        for source in dict.fromkeys(frame.source):
            mine = {row.quantity: row for row in frame[frame.source == source].itertuples()}
            texts: list[str | tuple[str, str]] = [source]
            for name, scale in quantities.items():
                middle, span = estimate(
                    mine[name], scale, most=2 if scale == 100 else 3, signed=name == "winners_minus_rest"
                )
                texts.append((f"{middle}{' %' if scale == 100 and middle != '-' else ''}", span))
            rows.append([*texts, f"{mine['points'].n:,}"])
        head = ["source", "points", piece, f"points per {one}", "share of all points", "winners less rest"]
        drawn = []
        if is_drawn:
            drawn = [figures.worth(cell, "points_per_piece", f"Points per {one}"), figures.shapes(cell)]
            drawn.append(figures.winners(cell))
        title = f"{cell.players} players, all play {cell.focus} ({setting})"
        return Part(title, Table([*head, "games times seats"], rows), drawn, ("sources", cell.key))

    makers = []
    for setting, typical in _typical_alone(found):
        mine = [cell for name, cells in found.groups("self-play") if name == setting for cell in cells]
        mine = [cell for cell in mine if cell.focus == typical.focus]
        makers += [
            lambda s=setting, c=cell, d=cell is typical: part(s, c, d)
            for cell in sorted(mine, key=lambda c: c is not typical)
        ]
    return makers


def _length(found: Evidence) -> Any:
    def part() -> Part:
        rows: list[Sequence[str | tuple[str, str]]] = []
        for cell in found.present:
            frame = found.of("game_length", cell)
            values = {row.quantity: row for row in frame.itertuples()}
            texts: list[str | tuple[str, str]] = [estimate(values["decisions"])[0], estimate(values["options"])[0]]
            for name in ("forced", "ties"):
                middle, span = estimate(values[name], 100, most=2)
                texts.append((f"{middle} %", span))
            rows.append([cell.title, *texts, f"{found.games_of(cell):,}"])
        head = ["cell", "decisions a game", "legal actions a decision", "forced", "ties", "games"]
        return Part("Every cell of the study", Table(head, rows, 12), mark=("length",))

    return part
