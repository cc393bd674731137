"""How a metric moves with one number at a time: a small plot for each number, on one scale."""

from typing import Any

import matplotlib.pyplot as plt

from analysis.plots import style

COLUMNS = 4


def plot(frame: Any, *, label: str = "the metric", title: str | None = None, scale: float = 1.0) -> Any:
    """Draw the curves of one metric, of `analysis.sensitivity(...).curves`.

    Parameters
    ----------
    frame : DataFrame
        The change against the rules as they are is drawn, on the same deals; a ring marks the value in the rules.
    label : str
        What the metric is.
    title, scale
        As in `analysis.plots.win_rates`.

    Returns
    -------
    Axes
        The first of the small plots; their figure has all.

    Raises
    ------
    ValueError
        If the frame is not of curves, or of several metrics.
    """
    keys = ["number", "value", "quantity"]
    style.need(frame, [*keys, "printed", "estimate", "low", "high"], keys)
    frame = style.choose(frame, "quantity", "change")
    numbers = list(dict.fromkeys(frame.number))
    columns = min(COLUMNS, len(numbers))
    rows = -(-len(numbers) // columns)
    with style.look(scale):
        size = (style.WIDTH * scale, (0.5 + 1.35 * rows) * scale)
        fig, grid = plt.subplots(rows, columns, figsize=size, sharey=True, squeeze=False, layout="constrained")
        for number, ax in zip(numbers, grid.flat, strict=False):
            _curve(ax, frame[frame.number == number], number)
        for ax in list(grid.flat)[len(numbers) :]:
            ax.set_visible(False)
        fig.supylabel(f"change of {label}", fontsize="medium", color=style.INK)
        if title is not None:
            fig.suptitle(title)
    return grid[0, 0]


def _curve(ax: Any, part: Any, number: str) -> None:
    colour = style.PALETTE[0]
    ax.axhline(0, color=style.FAINT, linewidth=style.line_width(ax))
    ax.fill_between(part.value, part.low, part.high, color=colour, alpha=0.25, linewidth=0)
    ax.plot(part.value, part.estimate, color=colour)
    here = part[part.printed]
    ax.plot(here.value, here.estimate, "o", color="white", markeredgecolor=colour, zorder=3)
    ax.set_title(style.short(style.words(number), 22), fontsize="medium")
    ax.locator_params(axis="both", nbins=4)
    ax.xaxis.set_major_formatter(lambda x, _: f"{x:g}")
    ax.grid(True)
