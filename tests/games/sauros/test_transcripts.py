"""The first round and the end of games as text, read as a diff. `UPDATE_TRANSCRIPTS=1 pytest` writes them anew."""

import os
from pathlib import Path

import pytest

import engine

FOLDER = Path(__file__).parents[2] / "transcripts"
CASES = [("standard", n) for n in (2, 3, 4)] + [("plain", 6), ("midnight", 3)]


@pytest.mark.parametrize(("variant", "seats"), CASES)
def test_transcript__has_not_changed(variant, seats):
    file = FOLDER / f"sauros_{variant}_{seats}.txt"
    whole = str(engine.replay("sauros", ["random"] * seats, 2026, 1, variant=variant)) + "\n"
    text = whole[: whole.index("\nRound 2:")] + "\n...\n" + whole[whole.rindex("\nPoints") :]
    if os.environ.get("UPDATE_TRANSCRIPTS"):
        file.write_text(text)
    assert text == file.read_text()
