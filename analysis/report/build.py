"""The report's page: evidence, verdict and chapters put into the template."""

import base64
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jinja2

from analysis.cells import engine_digest
from analysis.export import SAMPLE, about, sample_games, workbook
from analysis.report import assumptions, comparisons, facts, restrictions, rule_numbers
from analysis.report.cards import NAMES, Card, cards
from analysis.report.evidence import Evidence, gather, setting
from analysis.report.lights import LIGHTS
from analysis.report.parts import Chapter
from analysis.report.sections import MOST_PARTS, Table, chapters
from analysis.report.verdict import Finding, verdict
from analysis.store import Store, versions
from analysis.thresholds import THRESHOLDS
from engine.games import load_game
from engine.ruleset import BASES

HERE = Path(__file__).parent
MOST_CARDS = 12  # on the page
MOST_INSIDE = 4_000_000  # bytes of a workbook that the page holds


@dataclass(frozen=True)
class Report:
    """What was written, and what it says."""

    path: Path
    findings: list[Finding]
    found: Evidence
    cards: list[Card]


def write_report(store: Store, say: Callable[[str], Any] | None = None) -> Report:
    """Compute the tables, write them as CSV, and write ``report.html``.

    Parameters
    ----------
    store : Store
    say : callable, optional
        Given a line for each damaged file.

    Raises
    ------
    StoreError
        If the results folder cannot be written to.
    ValueError
        If no cell of the study is there.
    """
    found = gather(store)
    for line in found.damaged:
        (say or print)(f"warning: {line}")
    if not found.played:
        command = store.study.command_here("study", store.root.parent)
        raise ValueError(f"{store.root}: no result of this study is there yet; run: {command}")
    tables = dict(found.tables)
    if found.present:
        tables["games"] = sample_games(store, found.present, max(1, SAMPLE // len(found.present)))
    for name, table in tables.items():
        store.write_table(name, table)
    game = load_game(store.study.document.game)
    made = cards(found, game.piece, store.study.command)
    findings = [*assumptions.findings(found), *verdict(found, game.piece), *facts.findings(found)]
    findings += [*comparisons.findings(found), *restrictions.findings(found), *rule_numbers.findings(found)]
    page = render(store, found, findings, made, tables)
    return Report(store.write_report(page), findings, found, made)


def render(store: Store, found: Evidence, findings: list[Finding], made: list[Card], tables: Mapping[str, Any]) -> str:
    """The page as HTML; the same bytes for the same results and versions.

    The workbook is part of the page, so that a page that was sent on still has its numbers; CSV files lie beside it.
    """
    study = store.study
    game = load_game(study.document.game)
    shown = chapters(found, game.name, game.piece)
    book = workbook(tables, about(store))
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters["minus"] = minus
    environment.filters["toml"] = toml
    return environment.get_template("report.html.j2").render(
        css=(HERE / "report.css").read_text(encoding="utf-8"),
        script=(HERE / "report.js").read_text(encoding="utf-8"),
        cards=made[:MOST_CARDS],
        hidden_cards=max(0, len(made) - MOST_CARDS),
        names=NAMES,
        lights=LIGHTS,
        anchors=anchors(shown),
        thresholds=[(name, f"{found.limits[name]:g}", limit) for name, limit in THRESHOLDS.items()],
        workbook=base64.b64encode(book).decode() if len(book) <= MOST_INSIDE else "",
        size=f"{len(book) / 1e6:.1f}",
        tables=tables,
        study=study,
        document=study.document,
        game=game,
        findings=findings,
        topics=[x for x in dict.fromkeys(finding.topic for finding in findings) if x != assumptions.TOPIC],
        several=len({finding.setting for finding in findings}) > 1,
        found=found,
        chapters=shown,
        most=MOST_PARTS,
        rules=changed_rules(found),
        assumed=assumptions.unprinted(found),
        warnings=[finding for finding in findings if finding.topic == assumptions.TOPIC],
        cells=cells_table(found),
        policies=policies_of(found),
        bases=BASES,
        versions=versions(),
        code=engine_digest(game.name)[:12],
    )


def minus(text: Any) -> str:
    """Hyphens before figures as minus signs."""
    return re.sub(r"(?<![\w-])-(?=\d)", "−", str(text))


def toml(value: Any) -> str:
    """A rule's value as one writes it in a study."""
    return json.dumps(value, ensure_ascii=False)


def changed_rules(found: Evidence) -> list[dict[str, Any]]:
    """What differs from the game as printed, by setting."""
    seen = {setting(cell): cell.rules for cell in found.played}
    return [
        {"setting": name, "changed": [row for row in rules.rows() if row["changed_by"]]} for name, rules in seen.items()
    ]


def anchors(shown: list[Chapter]) -> dict[tuple, str]:
    """Where the picture of a mark is on the page; its part, if it has none."""
    found: dict[tuple, str] = {}
    for i, chapter in enumerate(shown, 1):
        for j, part in enumerate(chapter.parts, 1):
            places = {part.mark: f"figure-{i}-{j}-1" if part.figures else f"part-{i}-{j}"}
            places |= {figure.mark: f"figure-{i}-{j}-{k}" for k, figure in enumerate(part.figures, 1)}
            found = places | found
    found.pop((), None)
    return found


def cells_table(found: Evidence) -> Table:
    """What each cell is."""
    rows = [
        [cell.title, cell.seats, cell.keep, f"{found.deals_of(cell):,}", f"{found.games_of(cell):,}", cell.key[:12]]
        for cell in found.present
    ]
    return Table(["cell", "seats", "kept", "deals", "games", "key"], rows, 12)


def policies_of(found: Evidence) -> list[dict[str, Any]]:
    """The policies that played: label, idea, changed weights, bans, share of random play."""
    entries = {entry.label: entry for cell in found.played for entry in cell.entries}
    return [
        {
            "label": label,
            "idea": " ".join(entry.policy.idea.split("\n\n")[0].split()),
            "base": entry.policy.name if entry.policy.name != label else "",
            "weights": [
                (weight.name, value, weight.default)
                for weight, value in zip(entry.policy.weights, entry.weights, strict=True)
                if value != weight.default
            ],
            "ban": entry.ban,
            "random": entry.random,
        }
        for label, entry in entries.items()
    ]
