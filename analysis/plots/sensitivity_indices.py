"""Sobol indices as dots with intervals, the number with the largest total on top."""

from typing import Any

from analysis.plots import style

ORDERS = {"total": "has a part in (total)", "first": "makes alone (first order)"}


def plot(frame: Any, *, ax: Any = None, title: str | None = None, scale: float = 1.0) -> Any:
    """Draw the indices of one metric, of `analysis.sensitivity(...).indices`.

    Parameters
    ----------
    frame : DataFrame
        Numbers whose effect is not above the Monte Carlo noise are pale.
    ax, title, scale
        As in `analysis.plots.win_rates`.

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        If the frame is not of indices, or of several metrics.
    """
    style.need(frame, ["number", "order", "above_noise", "estimate", "low", "high"], ["number", "order"])
    total = frame[frame.order == "total"].sort_values(["above_noise", "estimate"], ascending=False, kind="stable")
    rows = {number: row for row, number in enumerate(total.number)}
    look = style.colours(ORDERS.values())
    with style.look(scale):
        ax = style.axes_for(ax, 0.9 + 0.3 * len(rows), scale)
        for (order, label), offset in zip(ORDERS.items(), style.spread(2, 0.4), strict=True):
            part = frame[frame.order == order]
            for above in (True, False):
                some = part[part.above_noise == above]
                y = [rows[number] + offset for number in some.number]
                colour, marker = look[label]
                style.dots(
                    ax,
                    some.estimate,
                    y,
                    some.low,
                    some.high,
                    upright=False,
                    colour=colour if above else style.PALE,
                    marker=marker,
                    label=label if above else None,
                )
        ax.set_yticks(range(len(rows)), [style.words(number) for number in rows])
        ax.set_ylim(len(rows) - 0.5, -0.5)
        ax.tick_params(axis="y", length=0)
        style.bands(ax, len(rows))
        ax.axvline(0, color=style.FAINT, linewidth=style.line_width(ax))
        style.percent(ax.xaxis)
        ax.set_xlabel("share of the metric's variance (pale: within Monte Carlo noise)")
        return style.finish(ax, title, grid="x", above=style.legend(ax, list(look)))
