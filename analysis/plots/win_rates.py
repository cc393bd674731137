"""Win rates as dots with intervals, and the even share as a line."""

from typing import Any

from analysis.plots import style


def plot(
    frame: Any,
    *,
    players: int | None = None,
    ax: Any = None,
    title: str | None = None,
    scale: float = 1.0,
) -> Any:
    """Draw the frame of `analysis.win_rates`, by policy, by seat or both.

    Parameters
    ----------
    frame : DataFrame
        By policy the best is on top; with both, seats lie side by side in a policy's row.
    players : int, optional
        Draws the even share, 1/players; known where the frame has seats.
    ax, title, scale
        As everywhere: axes to draw on, a title if one is wanted, and size (see `analysis.plots.style`).

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        If the frame is not of this metric, or of several cells.
    """
    keys = [name for name in ("policy", "seat") if style.has(frame, name)]
    style.need(frame, ["estimate", "low", "high", *(keys or ["policy"])], keys)
    if "seat" in keys and players is None:
        players = frame.seat.nunique()
    with style.look(scale):
        rows = _rows(frame, keys)
        series = [None] if len(keys) == 1 else sorted(frame.seat.unique())
        height = 0.75 + len(rows) * (0.28 + 0.11 * (len(series) - 1)) + 0.2 * (len(series) > 1)
        ax = style.axes_for(ax, height, scale)
        for seat, offset, (colour, marker) in zip(
            series, style.spread(len(series)), style.colours(series).values(), strict=True
        ):
            part = frame if seat is None else frame[frame.seat == seat]
            y = [rows[key] + offset for key in part[keys[0]]]
            label = None if seat is None else f"{style.seat_name(seat)} seat"
            style.dots(
                ax, part.estimate, y, part.low, part.high, upright=False, colour=colour, marker=marker, label=label
            )
        _furnish(ax, frame, keys, rows, players)
        return style.finish(ax, title, grid="x", above=style.legend(ax, series))


def _rows(frame: Any, keys: list[str]) -> dict[Any, int]:
    """The row of each policy, best first, or of each seat, first on top."""
    if keys[0] == "seat":
        order = sorted(frame.seat.unique())
    elif len(keys) == 1:
        order = list(frame.sort_values("estimate", ascending=False, kind="stable").policy)
    else:
        order = list(dict.fromkeys(frame.policy))
    return {key: row for row, key in enumerate(order)}


def _furnish(ax: Any, frame: Any, keys: list[str], rows: dict[Any, int], players: int | None) -> None:
    names = [f"{style.seat_name(key)} seat" if keys[0] == "seat" else style.short(key) for key in rows]
    ax.set_yticks(range(len(rows)), names)
    ax.set_ylim(len(rows) - 0.5, -0.5)
    ax.tick_params(axis="y", length=0)
    style.bands(ax, len(rows))
    if keys != ["seat"]:
        ax.set_xlim(0, max(1.08 * frame.high.max(), 1.2 / players if players else 0))
    if len(keys) == 1:
        _figures(ax, frame, rows, keys[0])
    label = "win share of one seat"
    if players is not None:
        ax.axvline(1 / players, color=style.FAINT, linestyle=(0, (4, 3)), linewidth=style.line_width(ax), zorder=1)
        label += f" (dashed: the even share, {style.in_percent(1 / players)})"
    ax.set_xlabel(label)
    style.percent(ax.xaxis)


def _figures(ax: Any, frame: Any, rows: dict[Any, int], key: str) -> None:
    """Estimate and interval in figures, beside each row."""
    for name, estimate, low, high in zip(frame[key], frame.estimate, frame.low, frame.high, strict=True):
        text = f"{100 * estimate:.1f} %  ({100 * low:.1f} to {100 * high:.1f})"
        ax.text(1.02, rows[name], text, transform=ax.get_yaxis_transform(), va="center", fontsize="small")
