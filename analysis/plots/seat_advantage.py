"""What each seat is worth, by number of players."""

from typing import Any

from analysis.plots import style

LABELS = {"win_share": "win share less the even share", "score": "points more than the table's mean"}


def plot(
    frame: Any,
    *,
    quantity: str = "win_share",
    ax: Any = None,
    title: str | None = None,
    scale: float = 1.0,
) -> Any:
    """Draw the frame of `analysis.seat_advantage`; the first seat has a colour of its own.

    Parameters
    ----------
    frame : DataFrame
        For several numbers of players put their frames together with a column ``players``, as in
        ``pandas.concat({2: a, 3: b}, names=["players"]).reset_index(level=0)``.
    quantity : str
        ``"win_share"`` or ``"score"``.
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
    style.need(
        frame,
        ["seat", "quantity", "estimate", "low", "high"],
        ["quantity", "seat"] + ["players"] * style.has(frame, "players"),
    )
    frame = style.choose(frame, "quantity", quantity)
    tables = list(frame.groupby("players")) if "players" in frame else [(None, frame)]
    with style.look(scale):
        ax = style.axes_for(ax, 2.9, scale)
        ax.axhline(0, color=style.FAINT, linewidth=style.line_width(ax))
        ticks: list[float] = []
        names: list[str] = []
        left = 0
        for players, part in tables:
            x = left + part.seat.to_numpy()
            for first, colour, marker in ((True, style.PALETTE[1], "D"), (False, style.PALETTE[0], "o")):
                mine = (part.seat == 0).to_numpy() == first
                rows = part[mine]
                style.dots(ax, x[mine], rows.estimate, rows.low, rows.high, upright=True, colour=colour, marker=marker)
            ticks, names = [*ticks, *x], [*names, *map(style.seat_name, part.seat)]
            if players is not None:
                _group(ax, x, f"{players} players")
            left = x.max() + 2
        ax.set_xticks(ticks, names)
        ax.set_xlim(-0.8, left - 1.2)
        ax.set_ylabel(LABELS[quantity])
        ax.set_xlabel("seat", labelpad=4 * scale)
        if quantity == "win_share":
            style.percent(ax.yaxis, signed=True)
        return style.finish(ax, title, grid="y", above=int(len(tables) > 1))


def _group(ax: Any, x: Any, name: str) -> None:
    """Name a group of seats above it, and part it from its left neighbour."""
    ax.text((x.min() + x.max()) / 2, 1.02, name, transform=ax.get_xaxis_transform(), ha="center", va="bottom")
    if x.min() > 0:
        ax.axvline(x.min() - 1, color=style.PALE, linewidth=style.line_width(ax))
