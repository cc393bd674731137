"""What playing a share of actions at random costs."""

from typing import Any

from analysis.plots import style


def plot(frame: Any, *, ax: Any = None, title: str | None = None, scale: float = 1.0) -> Any:
    """Draw the win share over the share of random play, of the frame of `analysis.restricted_play`.

    Parameters
    ----------
    frame : DataFrame
        Of one setting; bans are left out.
    ax, title, scale
        As in `analysis.plots.win_rates`.

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        If the frame is not of restrictions, has no random play, or is of several settings.
    """
    keys = ["restriction", "source", "random", "quantity"]
    style.need(frame, [*keys, "estimate", "low", "high"], keys)
    frame = style.choose(style.choose(frame, "restriction", "random"), "quantity", "cost").sort_values("random")
    with style.look(scale):
        ax = style.axes_for(ax, 2.6, scale)
        colour, marker = style.PALETTE[0], style.MARKERS[0]
        ax.plot([0, *frame.random], [0, *frame.estimate], color=colour, linewidth=style.line_width(ax))
        style.dots(ax, frame.random, frame.estimate, frame.low, frame.high, upright=True, colour=colour, marker=marker)
        ax.axhline(0, color=style.FAINT, linewidth=style.line_width(ax))
        for axis in (ax.xaxis, ax.yaxis):
            style.percent(axis)
        ax.set_xlabel("share of actions played at random")
        ax.set_ylabel("win share that it costs")
        return style.finish(ax, title, grid="y")
