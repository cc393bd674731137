"""Legal actions of a decision, as the game goes on."""

from typing import Any

from analysis.plots import style

LABELS = {
    "options": "legal actions a decision",
    "forced": "decisions without a choice",
    "decisions": "decisions a game",
}
AXES = {"ply": "decisions made before", "phase": "kind of decision", "seat": "seat"}


def plot(frame: Any, *, quantity: str = "options", ax: Any = None, title: str | None = None, scale: float = 1.0) -> Any:
    """Draw one quantity of the frame of `analysis.decisions`: a line by ply, dots by phase or seat.

    Parameters
    ----------
    frame : DataFrame
    quantity : str
        ``"options"``, ``"forced"`` or ``"decisions"``.
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
    by = next((name for name in AXES if style.has(frame, name)), "ply")
    style.need(frame, [by, "quantity", "estimate", "low", "high"], [by, "quantity"])
    part = style.choose(frame, "quantity", quantity)
    colour = style.PALETTE[0]
    with style.look(scale):
        ax = style.axes_for(ax, 2.6, scale)
        if by == "ply":
            ax.fill_between(part.ply, part.low, part.high, color=colour, alpha=0.25, linewidth=0)
            ax.plot(part.ply, part.estimate, color=colour)
            ax.margins(x=0.01)
        else:
            x = range(len(part))
            style.dots(ax, x, part.estimate, part.low, part.high, upright=True, colour=colour, marker="o")
            names = [style.seat_name(k) if by == "seat" else style.words(str(k).lower()) for k in part[by]]
            ax.set_xticks(x, names)
            ax.set_xlim(-0.6, len(part) - 0.4)
        ax.set_ylim(bottom=0)
        if quantity == "forced":
            style.percent(ax.yaxis)
        ax.set_xlabel(AXES[by])
        ax.set_ylabel(LABELS[quantity])
        return style.finish(ax, title, grid="y")
