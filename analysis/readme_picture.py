"""The picture of the README: what each pen of Draftosaurus pays when the strongest policy plays itself.

``python -m analysis.readme_picture`` writes ``notebooks/pictures/first_look.png``, or the file given.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

import engine
from analysis import metrics, plots

POLICY, PLAYERS, GAMES, SEED = "denier", 4, 200_000, 2026
PLACE = Path(__file__).parent.parent / "notebooks" / "pictures" / "first_look.png"


def main(arguments: Sequence[str] | None = None) -> int:
    """Play, draw and save."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    path = Path(given[0]) if given else PLACE
    path.parent.mkdir(parents=True, exist_ok=True)
    play = engine.simulate("draftosaurus", [POLICY] * PLAYERS, GAMES, SEED)
    title = f"Summer board, {PLAYERS} players who all play {POLICY}: {len(play):,} games"
    frame = metrics.source_distribution(play)
    axes = plots.source_distribution(frame, values=metrics.source_values(play), title=title)
    axes.figure.savefig(path, dpi=160, metadata={"Software": None})
    print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
