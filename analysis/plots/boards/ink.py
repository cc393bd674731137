"""Boxes, discs and text that lie on a board, in its own units."""

from typing import Any

from matplotlib.font_manager import FontProperties
from matplotlib.patches import Circle, FancyBboxPatch, PathPatch
from matplotlib.textpath import TextPath
from matplotlib.transforms import Affine2D

from analysis.plots import style

PAPER = "#FFFFFF"
FREE = "#D8D8D8"


def text(
    ax: Any,
    x: float,
    y: float,
    words: str,
    height: float,
    *,
    width: float | None = None,
    colour: str = style.INK,
    align: str = "center",
    bold: bool = False,
) -> None:
    """Words with their middle line at y, as high as said, smaller if they would be wider than `width`."""
    font = FontProperties(family="DejaVu Sans", weight="bold" if bold else "normal")
    path = TextPath((0, 0), words, size=height, prop=font)
    bounds = path.get_extents()
    if not bounds.width:
        return
    shrink = min(1.0, width / bounds.width) if width else 1.0
    left = {"left": bounds.x0, "center": (bounds.x0 + bounds.x1) / 2, "right": bounds.x1}[align]
    move = Affine2D().translate(-left, -0.36 * height).scale(shrink).translate(x, y)
    patch = PathPatch(path.transformed(move), facecolor=colour, linewidth=0, zorder=5)
    patch.set_label(words)
    ax.add_patch(patch)


def box(
    ax: Any, x: float, y: float, w: float, h: float, *, face: str, edge: str = style.PALE, dashed: bool = False
) -> None:
    """A box with round corners, its lower left one at (x, y)."""
    round_by = 0.12 * min(w, h)
    shape = f"round,pad=0,rounding_size={round_by}"
    line: dict[str, Any] = {"linewidth": 1.3 * style.line_width(ax), "linestyle": (0, (3, 2)) if dashed else "solid"}
    ax.add_patch(FancyBboxPatch((x, y), w, h, boxstyle=shape, facecolor=face, edgecolor=edge, zorder=1, **line))


def disc(ax: Any, x: float, y: float, radius: float, face: str, edge: str, dashed: bool = False) -> None:
    """A disc."""
    line = {"linewidth": style.line_width(ax), "linestyle": (0, (2, 2)) if dashed else "solid"}
    ax.add_patch(Circle((x, y), radius, facecolor=face, edgecolor=edge, zorder=3, **line))


def dark(colour: str) -> bool:
    """Whether white reads better on it than black."""
    from matplotlib.colors import to_rgb

    red, green, blue = to_rgb(colour)
    return 0.299 * red + 0.587 * green + 0.114 * blue < 0.6
