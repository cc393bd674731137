"""Paired differences of two sides, as dots with intervals about no difference."""

from typing import Any

from analysis.plots import style
from engine.errors import unknown

LABELS = {
    "win_share": "difference of win share",
    "score": "difference of score, points",
    "points": "difference of points",
    "pieces": "difference of pieces",
}


def plot(frame: Any, *, quantity: str = "points", ax: Any = None, title: str | None = None, scale: float = 1.0) -> Any:
    """Draw one quantity of the frame of `analysis.compare_results`, a row a source or a policy.

    Parameters
    ----------
    frame : DataFrame
    quantity : str
        ``"win_share"``, ``"score"``, ``"points"`` or ``"pieces"``.
    ax, title, scale
        As in `analysis.plots.win_rates`.

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        If the frame is not of this kind, of several comparisons, or has no such quantity.
    """
    keys = ["quantity", "policy", "source"]
    style.need(frame, [*keys, "estimate", "low", "high"], keys)
    if quantity not in LABELS:
        raise ValueError(unknown("quantity", quantity, LABELS))
    part = style.choose(frame, "quantity", quantity)
    by = "source" if quantity in ("points", "pieces") else "policy"
    rows = {name: row for row, name in enumerate(dict.fromkeys(part[by]))}
    look = style.colours(part.policy if by == "source" else ["all"])
    with style.look(scale):
        height = 0.75 + len(rows) * (0.24 + 0.08 * (len(look) - 1)) + 0.2 * style.legend_lines(look)
        ax = style.axes_for(ax, height, scale)
        ax.axvline(0, color=style.FAINT, linewidth=style.line_width(ax))
        for (policy, (colour, marker)), offset in zip(look.items(), style.spread(len(look)), strict=True):
            mine = part[part.policy == policy] if by == "source" else part
            y = [rows[name] + offset for name in mine[by]]
            label = style.short(policy)
            style.dots(
                ax, mine.estimate, y, mine.low, mine.high, upright=False, colour=colour, marker=marker, label=label
            )
        ax.set_yticks(range(len(rows)), [style.short(style.words(name)) for name in rows])
        ax.set_ylim(len(rows) - 0.5, -0.5)
        ax.tick_params(axis="y", length=0)
        style.bands(ax, len(rows))
        if quantity == "win_share":
            style.percent(ax.xaxis, signed=True)
        ax.set_xlabel(LABELS[quantity])
        return style.finish(ax, title, grid="x", above=style.legend(ax, look))
