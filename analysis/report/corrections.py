"""Families of p-values in a report's tables, corrected together."""

from typing import TYPE_CHECKING, Any

import numpy as np

from analysis import families
from analysis.report.contests import p_values

if TYPE_CHECKING:
    from analysis.report.evidence import Evidence


def correct_fairness(found: "Evidence", method: str) -> None:
    """A column ``p_family`` of the first players' advantages in self-play, corrected together."""
    keys = {cell.key[:12] for cell in found.present if cell.kind == "self-play"}
    if keys:
        table = found.tables["seat_advantage"]
        family = table.cell.isin(keys) & (table.seat == 0) & (table.quantity == "win_share")
        _correct(found, "fairness", table, family, (table.players - 1) / table.players**2, method)


def correct_costs(found: "Evidence", method: str) -> None:
    """A column ``p_family`` of what restrictions cost: all of the study, corrected together."""
    if "restricted_play" in found.tables:
        table = found.tables["restricted_play"]
        _correct(found, "restrictions", table, table.quantity == "cost", table.estimate.abs(), method)


def _correct(found: "Evidence", name: str, table: Any, family: Any, spread: Any, method: str) -> None:
    """Adjust the rows of a family, one a cell; `spread` as in `p_values`."""
    deals = {cell.key[:12]: found.deals_of(cell) for cell in found.present}
    once = table[family].drop_duplicates("cell")
    p = p_values(once.assign(n=once.cell.map(deals)), spread[once.index])
    adjusted = families.adjust(p, method)
    table["p_family"] = table.cell.map(dict(zip(once.cell, adjusted, strict=True))).where(family)
    found.corrected[name] = families.says(method, int((~np.isnan(adjusted)).sum()))
