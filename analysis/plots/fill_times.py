"""A heat map of which source fills when."""

from typing import Any

from analysis.plots import style

LABELS = {"placed": "pieces that a seat places there", "placed_so_far": "pieces that lie there"}
SHADES = "Blues"


def plot(
    frame: Any,
    *,
    policy: str | None = None,
    quantity: str = "placed",
    moment: str = "turn",
    ax: Any = None,
    title: str | None = None,
    scale: float = 1.0,
) -> Any:
    """Draw the frame of `analysis.fill_times` for one policy: a row a source, a column a turn or round.

    Parameters
    ----------
    frame : DataFrame
    policy : str, optional
        Needed if the frame has several.
    quantity : str
        ``"placed"`` or ``"placed_so_far"``.
    moment : str
        What the columns are called.
    ax, title, scale
        As in `analysis.plots.win_rates`.

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        If the frame is not of this metric, of several cells, or has no such policy or quantity.
    """
    keys = ["policy", "source", "moment", "quantity"]
    style.need(frame, [*keys, "estimate"], keys)
    part = style.choose(style.choose(frame, "policy", policy), "quantity", quantity)
    table = part.pivot(index="source", columns="moment", values="estimate").reindex(list(dict.fromkeys(part.source)))
    with style.look(scale):
        ax = style.axes_for(ax, 0.75 + 0.3 * len(table), scale)
        top = max(float(table.to_numpy().max()), 1e-9)
        ax.imshow(table, cmap=SHADES, vmin=0, vmax=top, aspect="auto")
        for row, values in enumerate(table.to_numpy()):
            for column, value in enumerate(values):
                if value >= 0.005:
                    colour = "white" if value > 0.55 * top else style.INK
                    text = f"{value:.2f}".removeprefix("0")
                    ax.text(column, row, text, ha="center", va="center", fontsize="small", color=colour)
        ax.set_xticks(range(table.shape[1]), [str(m) for m in table.columns])
        ax.set_yticks(range(len(table)), [style.words(source) for source in table.index])
        ax.tick_params(length=0)
        for spine in ax.spines.values():
            spine.set_visible(False)
        ax.set_xlabel(f"{moment}; figures: {LABELS[quantity]}, a mean")
        if title is not None:
            ax.set_title(title)
    return ax
