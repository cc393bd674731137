"""What bans cost, as dots with intervals, the dearest on top."""

from typing import Any

from analysis.plots import style


def plot(frame: Any, *, ax: Any = None, title: str | None = None, scale: float = 1.0) -> Any:
    """Draw the costs of the bans in the frame of `analysis.restricted_play`.

    Parameters
    ----------
    frame : DataFrame
        Of one setting; other restrictions are left out.
    ax, title, scale
        As in `analysis.plots.win_rates`.

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        If the frame is not of restrictions, has no ban, or is of several settings.
    """
    keys = ["restriction", "source", "random", "quantity"]
    style.need(frame, [*keys, "estimate", "low", "high"], keys)
    frame = style.choose(style.choose(frame, "restriction", "ban"), "quantity", "cost")
    frame = frame.sort_values("estimate", ascending=False, kind="stable")
    with style.look(scale):
        ax = style.axes_for(ax, 0.7 + 0.26 * len(frame), scale)
        y = list(range(len(frame)))
        colour, marker = style.PALETTE[0], style.MARKERS[0]
        style.dots(ax, frame.estimate, y, frame.low, frame.high, upright=False, colour=colour, marker=marker)
        ax.set_yticks(y, [style.words(source) for source in frame.source])
        ax.set_ylim(len(frame) - 0.5, -0.5)
        ax.tick_params(axis="y", length=0)
        style.bands(ax, len(frame))
        ax.axvline(0, color=style.FAINT, linewidth=style.line_width(ax))
        style.percent(ax.xaxis)
        ax.set_xlabel("win share that the ban costs")
        return style.finish(ax, title, grid="x")
