"""How scores are distributed, one line a policy."""

from typing import Any

from analysis.plots import style


def plot(frame: Any, *, ax: Any = None, title: str | None = None, scale: float = 1.0) -> Any:
    """Draw the frame of `analysis.score_distribution`: lines, with the intervals as bands.

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
    style.need(frame, ["policy", "value", "estimate", "low", "high"], ["policy", "value"])
    look = style.colours(frame.policy)
    with style.look(scale):
        ax = style.axes_for(ax, 2.7 + 0.2 * style.legend_lines(look), scale)
        for policy, (colour, _) in look.items():
            part = frame[frame.policy == policy]
            ax.fill_between(part.value, part.low, part.high, color=colour, alpha=0.25, linewidth=0)
            ax.plot(part.value, part.estimate, color=colour, label=style.short(policy))
        ax.set_ylim(bottom=0)
        ax.margins(x=0.01)
        style.percent(ax.yaxis)
        ax.set_xlabel("score")
        ax.set_ylabel("share of games")
        return style.finish(ax, title, grid="y", above=style.legend(ax, look))
