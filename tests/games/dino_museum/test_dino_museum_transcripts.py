"""One round as text, read as a diff. `UPDATE_TRANSCRIPTS=1 pytest` writes them anew."""

import os
from pathlib import Path

import pytest

import engine

FOLDER = Path(__file__).parent / "transcripts"
CASES = [("reference", 2, {}), ("reference", 3, {}), ("small", 2, {"must_take": False})]


@pytest.mark.parametrize(("variant", "seats", "rules"), CASES)
def test_transcript__has_not_changed(variant, seats, rules):
    file = FOLDER / f"{variant}_{seats}.txt"
    rules = {"rounds": 1, **rules}
    lineup = [engine.entry("column_racer", random=0.3), *["random"] * (seats - 1)]
    text = str(engine.replay("dino_museum", lineup, 2026, 1, variant=variant, rules=rules)) + "\n"
    if os.environ.get("UPDATE_TRANSCRIPTS"):
        FOLDER.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")
