"""What each source is worth, by policy, as dots with intervals."""

from typing import Any

from analysis.plots import style

LABELS = {
    "points": "mean points",
    "pieces": "mean pieces",
    "points_per_piece": "points a piece",
    "share_of_total": "share of all points",
    "winners_minus_rest": "mean points of winners less those of the rest",
}


def plot(
    frame: Any,
    *,
    quantity: str = "points",
    ax: Any = None,
    title: str | None = None,
    scale: float = 1.0,
) -> Any:
    """Draw one quantity of the frame of `analysis.source_values`, sources in the frame's order from the top.

    Parameters
    ----------
    frame : DataFrame
    quantity : str
        One of the frame's quantities.
    ax, title, scale
        As in `analysis.plots.win_rates`.

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        If the frame is not of this metric, of several cells, or has no such quantity.
    """
    keys = ["policy", "source", "quantity"]
    style.need(frame, [*keys, "estimate", "low", "high"], keys)
    frame = style.choose(frame, "quantity", quantity)
    look = style.colours(frame.policy)
    rows = {source: row for row, source in enumerate(dict.fromkeys(frame.source))}
    with style.look(scale):
        ax = style.axes_for(
            ax, 0.7 + len(rows) * (0.2 + 0.08 * (len(look) - 1)) + 0.2 * style.legend_lines(look), scale
        )
        for (policy, (colour, marker)), offset in zip(look.items(), style.spread(len(look)), strict=True):
            part = frame[frame.policy == policy]
            y = [rows[source] + offset for source in part.source]
            style.dots(
                ax,
                part.estimate,
                y,
                part.low,
                part.high,
                upright=False,
                colour=colour,
                marker=marker,
                label=style.short(policy),
            )
        ax.set_yticks(range(len(rows)), [style.words(source) for source in rows])
        ax.set_ylim(len(rows) - 0.5, -0.5)
        ax.tick_params(axis="y", length=0)
        style.bands(ax, len(rows))
        if quantity == "winners_minus_rest":
            ax.axvline(0, color=style.FAINT, linewidth=0.8 * scale)
        elif frame.low.min() >= 0:
            ax.set_xlim(left=0)
        if quantity == "share_of_total":
            style.percent(ax.xaxis)
        ax.set_xlabel(LABELS.get(quantity, style.words(quantity)))
        return style.finish(ax, title, grid="x", above=style.legend(ax, look))
