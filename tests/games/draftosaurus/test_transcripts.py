"""Short games as text, read as a diff. `UPDATE_TRANSCRIPTS=1 pytest` writes them anew."""

import os
from pathlib import Path

import pytest

import engine

FOLDER = Path(__file__).parents[2] / "transcripts"
CASES = [("summer", n) for n in (2, 3, 5)] + [("winter", n) for n in (2, 3, 4)] + [("both", 2)]


@pytest.mark.parametrize(("variant", "seats"), CASES)
def test_transcript__has_not_changed(variant, seats):
    file = FOLDER / f"draftosaurus_{variant}_{seats}.txt"
    text = str(engine.replay("draftosaurus", ["random"] * seats, 2026, 1, variant=variant)) + "\n"
    if os.environ.get("UPDATE_TRANSCRIPTS"):
        file.write_text(text)
    assert text == file.read_text()
