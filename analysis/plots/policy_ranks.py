"""Ranks of policies with their intervals, and how sure each is to be first."""

from typing import Any

from analysis.plots import style


def plot(frame: Any, *, ax: Any = None, title: str | None = None, scale: float = 1.0) -> Any:
    """Draw the frame of `analysis.policy_ranks`, the best on top.

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
    style.need(frame, ["policy", "quantity", "estimate", "low", "high"], ["policy", "quantity"])
    ranks, first = style.choose(frame, "quantity", "rank"), style.choose(frame, "quantity", "first")
    y = range(len(ranks))
    with style.look(scale):
        ax = style.axes_for(ax, 0.75 + 0.28 * len(ranks), scale)
        style.dots(ax, ranks.estimate, y, ranks.low, ranks.high, upright=False, colour=style.PALETTE[0], marker="o")
        ax.set_yticks(y, [style.short(policy) for policy in ranks.policy])
        ax.set_ylim(len(ranks) - 0.5, -0.5)
        ax.tick_params(axis="y", length=0)
        style.bands(ax, len(ranks))
        ax.set_xticks(range(1, len(ranks) + 1))
        for row, chance in enumerate(first.estimate):
            text = f"first: {style.in_percent(round(chance, 4))}"
            ax.text(1.02, row, text, transform=ax.get_yaxis_transform(), va="center", fontsize="small")
        ax.set_xlabel("rank by win share (right: probability of being truly first)")
        return style.finish(ax, title, grid="x")
