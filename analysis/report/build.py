"""The report's page: evidence, verdict and chapters put into the template."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jinja2

from analysis.cells import engine_digest
from analysis.report import comparisons, restrictions, rule_numbers
from analysis.report.evidence import Evidence, gather, setting
from analysis.report.sections import MOST_PARTS, Table, chapters
from analysis.report.verdict import Finding, verdict
from analysis.store import Store, versions
from engine.games import load_game
from engine.ruleset import BASES

HERE = Path(__file__).parent
NOT_PRINTED = ("assumption", "inferred", "ruling")


@dataclass(frozen=True)
class Report:
    """What was written, and what it says."""

    path: Path
    findings: list[Finding]
    found: Evidence


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
        raise ValueError(f"{store.root}: no result of this study is there yet; run: {store.study.command}")
    for name, table in found.tables.items():
        store.write_table(name, table)
    findings = verdict(found, load_game(store.study.document.game).piece)
    findings += [*comparisons.findings(found), *restrictions.findings(found), *rule_numbers.findings(found)]
    return Report(store.write_report(render(store, found, findings)), findings, found)


def render(store: Store, found: Evidence, findings: list[Finding]) -> str:
    """The page as HTML; the same bytes for the same results and versions."""
    study = store.study
    game = load_game(study.document.game)
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
        study=study,
        document=study.document,
        game=game,
        findings=findings,
        topics=list(dict.fromkeys(finding.topic for finding in findings)),
        several=len({finding.setting for finding in findings}) > 1,
        found=found,
        chapters=chapters(found, game.piece),
        most=MOST_PARTS,
        rules=changed_rules(found),
        assumed=assumed_rules(found),
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


def assumed_rules(found: Evidence) -> list[dict[str, Any]]:
    """Values in force that the rulebook does not print, each once."""
    rows: dict[str, dict[str, Any]] = {}
    for cell in found.played:
        for row in cell.rules.rows():
            if row["basis"] in NOT_PRINTED and not row["changed_by"]:
                rows.setdefault(row["rule"], row)
    return list(rows.values())


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
