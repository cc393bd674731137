"""How every plot looks: sizes, colours, axes, and SVG that is the same bytes each time.

A plot is 6.5 inches wide with 9-point text, the width of a page; ``scale=2`` makes all of it twice as large,
the width of a slide.
"""

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal

import matplotlib
import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from engine.errors import unknown

# Okabe and Ito, Color Universal Design, 2008; their yellow, too light for lines on white, comes last.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#F0E442")
MARKERS = ("o", "s", "D", "^", "v", "P", "X", "*")
INK, FAINT, PALE = "#222222", "#767676", "#C9C9C9"
WIDTH, TEXT = 6.5, 9.0  # inches, points


@contextmanager
def look(scale: float = 1.0) -> Iterator[None]:
    """Matplotlib settings of the house, for what is drawn inside."""
    line = 0.8 * scale
    with matplotlib.rc_context(
        {
            "font.family": ["DejaVu Sans"],
            "font.size": TEXT * scale,
            "axes.labelsize": TEXT * scale,
            "axes.titlesize": 1.15 * TEXT * scale,
            "axes.titlelocation": "left",
            "axes.titlepad": 8 * scale,
            "axes.labelpad": 4 * scale,
            "axes.edgecolor": FAINT,
            "axes.labelcolor": INK,
            "axes.linewidth": line,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.axisbelow": True,
            "text.color": INK,
            "xtick.color": FAINT,
            "ytick.color": FAINT,
            "xtick.labelcolor": INK,
            "ytick.labelcolor": INK,
            "xtick.labelsize": TEXT * scale,
            "ytick.labelsize": TEXT * scale,
            "xtick.major.width": line,
            "ytick.major.width": line,
            "xtick.major.size": 3 * scale,
            "ytick.major.size": 3 * scale,
            "ytick.major.pad": 6 * scale,
            "legend.fontsize": TEXT * scale,
            "legend.frameon": False,
            "grid.color": "#E4E4E4",
            "grid.linewidth": line,
            "lines.linewidth": 1.6 * scale,
            "lines.markersize": 5 * scale,
            "figure.dpi": 110,
            "savefig.dpi": 200,
        }
    ):
        yield
        # The first figure of a notebook starts its backend and makes it interactive: that has to stay.
        interactive = matplotlib.is_interactive()
    matplotlib.interactive(interactive)


def axes_for(ax: Axes | None, height: float, scale: float) -> Axes:
    """The axes given, or new ones of a page's width and this height in inches."""
    if ax is not None:
        return ax
    return plt.subplots(figsize=(WIDTH * scale, height * scale), layout="constrained")[1]


def colours(labels: Iterable[Any]) -> dict[Any, tuple[str, str]]:
    """Colour and marker of each label, in the order given; they repeat after eight, never both alike."""
    n = len(PALETTE)
    return {x: (PALETTE[i % n], MARKERS[(i + i // n) % n]) for i, x in enumerate(dict.fromkeys(labels))}


def percent(axis: Any, signed: bool = False) -> None:
    """Label an axis of proportions in per cent."""
    axis.set_major_formatter(FuncFormatter(lambda x, _: in_percent(x, signed)))


def in_percent(x: float, signed: bool = False) -> str:
    """A proportion in words, as in 12.5 %."""
    sign = "−" if x < 0 else "+" if signed and x > 0 else ""
    return f"{sign}{abs(100 * x):.4g} %"


def dots(
    ax: Axes, x: Any, y: Any, low: Any, high: Any, *, upright: bool, colour: str, marker: str, label: Any = None
) -> None:
    """Estimates as dots with their intervals as lines; along y if upright, else along x."""
    size = matplotlib.rcParams["lines.markersize"]
    line = ax.vlines if upright else ax.hlines
    line(x if upright else y, low, high, color=colour, linewidth=0.35 * size)
    edge = {"markeredgecolor": "white", "markeredgewidth": 0.1 * size}
    ax.plot(x, y, marker, color=colour, markersize=size, label=label, clip_on=False, zorder=3, **edge)


def spread(n: int, width: float = 0.6) -> list[float]:
    """Offsets that set n series side by side about 0."""
    return [width * ((i + 0.5) / n - 0.5) for i in range(n)]


def words(name: str) -> str:
    """A name of the code as words."""
    return str(name).replace("_", " ")


def seat_name(seat: int) -> str:
    """1st, 2nd, ... for seat 0, 1, ..."""
    return f"{seat + 1}{ {0: 'st', 1: 'nd', 2: 'rd'}.get(seat, 'th') }"


def short(name: Any, most: int = 40) -> str:
    """A name's end, if it is too long for a label."""
    text = str(name)
    return text if len(text) <= most else "…" + text[1 - most :]


def legend_lines(names: Iterable[Any]) -> int:
    """How many lines of text a legend of these names needs; none for a single one."""
    count = len(list(names))
    return -(-count // _legend_columns(names)) if count > 1 else 0


def legend(ax: Axes, names: Iterable[Any]) -> int:
    """A legend above the axes, if there is more than one series; the number of its lines."""
    lines = legend_lines(names)
    if lines:
        how: dict[str, Any] = {"borderaxespad": 0.2, "handletextpad": 0.3, "labelspacing": 0.3}
        ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=_legend_columns(names), **how)
    return lines


def _legend_columns(names: Iterable[Any]) -> int:
    """As many as a page's width takes, but no more than four."""
    longest = max(len(short(name)) for name in names)
    return max(1, min(4, len(list(names)), 78 // (longest + 6)))


def line_width(ax: Axes) -> float:
    """The width of thin lines on these axes, in points."""
    return ax.spines["left"].get_linewidth()


def bands(ax: Axes, rows: int) -> None:
    """Shade every second row of a plot that has one row for each integer on y."""
    for row in range(1, rows, 2):
        ax.axhspan(row - 0.5, row + 0.5, color="#F5F5F5", linewidth=0, zorder=0)


def finish(ax: Axes, title: str | None, *, grid: Literal["x", "y"], above: int = 0) -> Axes:
    """Grid, and a title only if asked for; `above` lines of text lie between it and the axes."""
    ax.grid(True, axis=grid)
    if title is not None:
        ax.set_title(title, pad=(0.9 + 1.5 * above) * matplotlib.rcParams["font.size"])
    return ax


def need(frame: Any, columns: Sequence[str], key: Sequence[str]) -> None:
    """Check that a frame is the metric's, with one row a `key`.

    Raises
    ------
    TypeError
        If it is no DataFrame.
    ValueError
        If it has no rows, lacks a column, or has several rows of one key.
    """
    _is_frame(frame)
    for column in columns:
        if column not in frame.columns:
            raise ValueError(unknown("frame lacks a column:", column, frame.columns))
    if not len(frame):
        raise ValueError("frame has no rows")
    twice = frame.duplicated(list(key))
    if twice.any():
        first = ", ".join(f"{k} {frame.loc[twice, k].iloc[0]!r}" for k in key)
        raise ValueError(f"frame has several rows for {first}; select one cell of the study first")


def has(frame: Any, column: str) -> bool:
    """Whether a frame has this column.

    Raises
    ------
    TypeError
        If it is no DataFrame.
    """
    _is_frame(frame)
    return column in frame.columns


def _is_frame(frame: Any) -> None:
    import pandas as pd

    if not isinstance(frame, pd.DataFrame):
        raise TypeError(f"frame must be a DataFrame of the metric that is drawn, not {type(frame).__name__}")


def choose(frame: Any, column: str, value: Any) -> Any:
    """The rows with this value of a column; the only value there is if None is asked for.

    Raises
    ------
    ValueError
        If the value is not there, or None is asked for and there are several.
    """
    found = list(dict.fromkeys(frame[column]))
    if value is None and len(found) == 1:
        return frame
    if value not in found:
        raise ValueError(unknown(column, value, found) if value is not None else f"choose {column}= of {found}")
    return frame[frame[column] == value]


def to_svg(fig: Figure, title: str | None = None) -> str:
    """The figure as an SVG element to put into a page: no XML prolog, no date, the same bytes each time.

    Parameters
    ----------
    fig : Figure
        It is closed.
    title : str, optional
        What a screen reader says.
    """
    out = io.StringIO()
    with matplotlib.rc_context({"svg.hashsalt": "meeplecarlo", "svg.fonttype": "path"}):
        fig.savefig(out, format="svg", metadata={"Date": None, "Creator": None, "Title": title})
    plt.close(fig)
    return re.sub(r"^.*?(?=<svg)", "", out.getvalue(), count=1, flags=re.DOTALL)
