"""The shape of what each source gives: one histogram a source, above one another."""

from typing import Any

from matplotlib.ticker import MaxNLocator

from analysis.plots import style

ROW = 0.68  # height of the tallest bar, in rows
VISIBLE = 0.002  # what comes up less often makes no mark


def plot(
    frame: Any,
    *,
    policy: str | None = None,
    values: Any = None,
    of: str = "points",
    ax: Any = None,
    title: str | None = None,
    scale: float = 1.0,
) -> Any:
    """Draw the frame of `analysis.source_distribution` for one policy.

    A bar is the share of games that gave the value, with its interval; all rows have one scale. Zero is grey.
    Figures are per cent of games: of zero always, of other values from 10 %.

    Parameters
    ----------
    frame : DataFrame
    policy : str, optional
        Needed if the frame has several.
    values : DataFrame, optional
        The frame of `analysis.source_values`, to mark the means.
    of : str
        What was counted, ``"points"`` or ``"pieces"``.
    ax, title, scale
        As in `analysis.plots.win_rates`.

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        If the frame is not of this metric, of several cells, or of several policies without one chosen.
    """
    keys = ["policy", "source", "value"]
    style.need(frame, [*keys, "estimate", "low", "high"], keys)
    frame = style.choose(frame, "policy", policy)
    sources = list(dict.fromkeys(frame.source))
    with style.look(scale):
        ax = style.axes_for(ax, 0.6 + 0.5 * len(sources), scale)
        unit = ROW / frame.high.max()
        for row, source in enumerate(reversed(sources)):
            _ridge(ax, frame[frame.source == source], row, unit)
        _furnish(ax, frame, sources)
        label = f"{of} of one seat in a game; figures: % of games"
        if values is not None:
            _means(ax, values, frame.policy.iloc[0], of, sources)
            label += "; ◆ mean"
        ax.set_xlabel(label)
        return style.finish(ax, title, grid="x")


def _furnish(ax: Any, frame: Any, sources: list[str]) -> None:
    seen = frame.value[frame.estimate > VISIBLE]
    ax.set_xlim(min(seen.min(), 0) - 0.7, seen.max() + 0.7)
    ax.set_yticks(range(len(sources)), [style.words(source) for source in reversed(sources)])
    ax.set_ylim(-0.1, len(sources) - 0.1)
    ax.tick_params(axis="y", length=0)
    ax.spines[["left", "bottom"]].set_visible(False)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))


def _ridge(ax: Any, part: Any, base: int, unit: float) -> None:
    """The histogram of one source on its own base line."""
    seen = part[part.estimate > 0]
    shade = ["#8C8C8C" if value == 0 else style.PALETTE[0] for value in seen.value]
    line = style.line_width(ax)
    ax.bar(seen.value, seen.estimate * unit, bottom=base, width=0.8, color=shade, linewidth=0)
    ax.vlines(seen.value, base + seen.low * unit, base + seen.high * unit, color=style.INK, linewidth=line)
    ax.axhline(base, color=style.PALE, linewidth=line, zorder=0.9)
    for value, estimate, high in zip(part.value, part.estimate, part.high, strict=True):
        if value == 0 or estimate >= 0.1:
            text = f"{100 * estimate:.0f}" if estimate >= 0.0095 or estimate == 0 else "<1"
            ax.annotate(
                text,
                (value, base + high * unit),
                xytext=(0, 1.5 * line),
                textcoords="offset points",
                ha="center",
                va="bottom",
                fontsize="small",
                color=style.INK if value else style.FAINT,
            )


def _means(ax: Any, values: Any, policy: str, of: str, sources: list[str]) -> None:
    chosen = values[(values.policy == policy) & (values.quantity == of)].set_index("source")
    for row, source in enumerate(reversed(sources)):
        mean = chosen.loc[source]
        style.dots(
            ax, [mean.estimate], [row], [mean.low], [mean.high], upright=False, colour=style.PALETTE[1], marker="D"
        )
