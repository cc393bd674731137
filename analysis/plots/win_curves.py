"""Win probability against the points of each source: a small plot for each source, on one scale."""

from typing import Any

import matplotlib
import matplotlib.pyplot as plt

from analysis.plots import style

COLUMNS = 4


def plot(frame: Any, *, players: int | None = None, title: str | None = None, scale: float = 1.0) -> Any:
    """Draw the ``win_probability`` rows of the frame of `analysis.win_model`, all policies, with intervals.

    Parameters
    ----------
    frame : DataFrame
    players : int, optional
        Draws the even share, 1/players.
    title, scale
        As in `analysis.plots.win_rates`.

    Returns
    -------
    Axes
        The first of the small plots; their figure has all.

    Raises
    ------
    ValueError
        If the frame is not of this metric, of several cells, or no source has a fit.
    """
    keys = ["policy", "source", "quantity", "value"]
    style.need(frame, [*keys, "estimate", "low", "high", "n"], keys)
    frame = style.choose(frame, "quantity", "win_probability")
    frame = frame[frame.n > 0]
    if not len(frame):
        raise ValueError("frame has no source with a fit")
    look, sources = style.colours(frame.policy), list(dict.fromkeys(frame.source))
    columns = min(COLUMNS, len(sources))
    rows, lines = -(-len(sources) // columns), style.legend_lines(look)
    with style.look(scale):
        size = (style.WIDTH * scale, (0.5 + 1.35 * rows + 0.2 * lines) * scale)
        fig, grid = plt.subplots(rows, columns, figsize=size, sharey=True, squeeze=False, layout="constrained")
        for source, ax in zip(sources, grid.flat, strict=False):
            _curves(ax, frame[frame.source == source], look, players)
            ax.set_title(style.short(style.words(source), 22), fontsize="medium")
        for ax in list(grid.flat)[len(sources) :]:
            ax.set_visible(False)
        grid[0, 0].set_ylim(0, min(1.0, 1.08 * frame.high.max()))
        style.percent(grid[0, 0].yaxis)
        even = "" if players is None else f" (dashed: even, {style.in_percent(1 / players)})"
        fig.supylabel("win probability", fontsize="medium", color=style.INK)
        fig.supxlabel(f"points of the source{even}", fontsize="medium", color=style.INK)
        if lines:
            handles = grid[0, 0].get_legend_handles_labels()
            fig.legend(*handles, loc="outside upper left", ncols=4)
        if title is not None:
            fig.suptitle(title)
    return grid[0, 0]


def _curves(ax: Any, part: Any, look: dict[Any, tuple[str, str]], players: int | None) -> None:
    """One source: a line with its interval a policy."""
    if players is not None:
        ax.axhline(1 / players, color=style.FAINT, linestyle=(0, (4, 3)), linewidth=style.line_width(ax))
    size = 0.6 * matplotlib.rcParams["lines.markersize"]
    for policy, (colour, marker) in look.items():
        mine = part[part.policy == policy]
        ax.fill_between(mine.value, mine.low, mine.high, color=colour, alpha=0.25, linewidth=0)
        ax.vlines(mine.value, mine.low, mine.high, color=colour, linewidth=style.line_width(ax))
        ax.plot(mine.value, mine.estimate, f"{marker}-", color=colour, label=style.short(policy), markersize=size)
    if part.value.nunique() == 1:
        ax.set_xlim(part.value.iloc[0] - 1, part.value.iloc[0] + 1)
    ax.locator_params(axis="x", nbins=4, integer=True)
    ax.xaxis.set_major_formatter(lambda x, _: f"{x:g}")
    ax.grid(True)
