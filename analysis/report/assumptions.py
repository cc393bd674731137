"""What the results rest on that no rulebook prints."""

from collections.abc import Iterator
from typing import Any

from analysis.report.evidence import Evidence, setting
from analysis.report.numbers import listed
from analysis.report.verdict import Finding

TOPIC = "Assumed data"
NOT_PRINTED = ("assumption", "inferred", "ruling")


def unprinted(found: Evidence) -> list[dict[str, Any]]:
    """Values in force that the rulebook does not print, each once, assumptions first."""
    rows: dict[str, dict[str, Any]] = {}
    for cell in found.played:
        for row in cell.rules.rows():
            if row["basis"] in NOT_PRINTED and not row["changed_by"]:
                rows.setdefault(row["rule"], row)
    return sorted(rows.values(), key=lambda row: NOT_PRINTED.index(row["basis"]))


def findings(found: Evidence) -> Iterator[Finding]:
    """The assumptions of each setting; none if every component is known."""
    seen: dict[tuple[str, ...], list[str]] = {}
    sizes = set()
    for cell in found.played:
        rows = cell.rules.rows()
        names = tuple(r["rule"] for r in rows if r["basis"] == "assumption" and not r["changed_by"])
        sizes.add(len(rows))
        places = seen.setdefault(names, [])
        if setting(cell) not in places:
            places.append(setting(cell))
    for names, places in seen.items():
        if names:
            values = "value is" if len(names) == 1 else "values are"
            yield Finding(
                TOPIC,
                listed(places),
                f"{len(names)} of {max(sizes)} {values} assumed, because the component is not public; every number "
                "here rests on them.",
                f"Assumed: {', '.join(name.replace('_', ' ') for name in names)}. To use the real ones, write them "
                "into a variant file of your own.",
            )
