"""Win probability as a function of the points of each source, one line a source."""

from typing import Any

from analysis.plots import style


def plot(frame: Any, *, policy: str | None = None, ax: Any = None, title: str | None = None, scale: float = 1.0) -> Any:
    """Draw the ``win_probability`` rows of the frame of `analysis.win_model`, with the intervals as bands.

    Parameters
    ----------
    frame : DataFrame
    policy : str, optional
        Which one; needed if there are several.
    ax, title, scale
        As in `analysis.plots.win_rates`.

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        If the frame is not of this metric, of several cells, or has no such policy.
    """
    keys = ["policy", "source", "quantity", "value"]
    style.need(frame, [*keys, "estimate", "low", "high"], keys)
    frame = style.choose(style.choose(frame, "policy", policy), "quantity", "win_probability")
    frame = frame[frame.n > 0] if "n" in frame else frame
    look = style.colours(frame.source)
    with style.look(scale):
        ax = style.axes_for(ax, 2.9 + 0.2 * style.legend_lines(look), scale)
        for source, (colour, marker) in look.items():
            part = frame[frame.source == source]
            ax.fill_between(part.value, part.low, part.high, color=colour, alpha=0.2, linewidth=0)
            ax.plot(part.value, part.estimate, marker + "-", color=colour, label=style.words(source))
        ax.set_ylim(bottom=0)
        style.percent(ax.yaxis)
        ax.set_xlabel("points of the source")
        ax.set_ylabel("win probability")
        return style.finish(ax, title, grid="y", above=style.legend(ax, look))
