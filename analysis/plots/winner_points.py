"""What winners' points are made of, beside those of the others."""

from typing import Any

from analysis.plots import style
from engine.errors import unknown

LABELS = {"points": "mean points", "share": "share of all their points"}
SIDES = {"winner": ("winners", style.PALETTE[1], "D"), "others": ("the others", style.PALETTE[0], "o")}


def plot(frame: Any, *, quantity: str = "points", ax: Any = None, title: str | None = None, scale: float = 1.0) -> Any:
    """Draw the frame of `analysis.winner_points`, a row a source.

    Parameters
    ----------
    frame : DataFrame
    quantity : str
        ``"points"`` or ``"share"``.
    ax, title, scale
        As in `analysis.plots.win_rates`.

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        If the frame is not of this metric, of several cells, or `quantity` is not known.
    """
    style.need(frame, ["source", "quantity", "estimate", "low", "high"], ["source", "quantity"])
    if quantity not in LABELS:
        raise ValueError(unknown("quantity", quantity, LABELS))
    rows = {source: row for row, source in enumerate(dict.fromkeys(frame.source))}
    with style.look(scale):
        ax = style.axes_for(ax, 0.9 + 0.28 * len(rows), scale)
        for (side, (name, colour, marker)), offset in zip(SIDES.items(), style.spread(2, 0.4), strict=True):
            part = style.choose(frame, "quantity", f"{side}_{quantity}")
            y = [rows[source] + offset for source in part.source]
            style.dots(
                ax, part.estimate, y, part.low, part.high, upright=False, colour=colour, marker=marker, label=name
            )
        ax.set_yticks(range(len(rows)), [style.words(source) for source in rows])
        ax.set_ylim(len(rows) - 0.5, -0.5)
        ax.tick_params(axis="y", length=0)
        style.bands(ax, len(rows))
        if quantity == "share":
            style.percent(ax.xaxis)
        ax.set_xlabel(LABELS[quantity])
        return style.finish(ax, title, grid="x", above=style.legend(ax, [name for name, *_ in SIDES.values()]))
