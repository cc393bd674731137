"""How close games are: the share of games within so many points."""

from typing import Any

from analysis.plots import style


def plot(frame: Any, *, ax: Any = None, title: str | None = None, scale: float = 1.0) -> Any:
    """Draw the ``within`` rows of the frame of `analysis.margin` as bars with intervals.

    Parameters
    ----------
    frame : DataFrame
    ax, title, scale
        As in `analysis.plots.win_rates`.

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        If the frame is not of this metric, or of several cells.
    """
    style.need(frame, ["quantity", "points", "estimate", "low", "high"], ["quantity", "points"])
    part = style.choose(frame, "quantity", "within")
    x = range(len(part))
    with style.look(scale):
        ax = style.axes_for(ax, 2.6, scale)
        ax.bar(x, part.estimate, color=style.PALETTE[5], width=0.7)
        ax.vlines(x, part.low, part.high, color=style.INK, linewidth=2 * style.line_width(ax))
        ax.set_xticks(x, [f"{points:.0f}" for points in part.points])
        ax.tick_params(axis="x", length=0)
        ax.set_ylim(bottom=0)
        style.percent(ax.yaxis)
        ax.set_xlabel("lead of the winner at most, points")
        ax.set_ylabel("share of games")
        return style.finish(ax, title, grid="y")
