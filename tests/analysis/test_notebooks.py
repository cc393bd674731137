"""Notebooks are kept without outputs; `make notebooks` runs them."""

import json
from pathlib import Path

import pytest

from analysis import readme_picture

FOLDER = Path(readme_picture.__file__).parent.parent / "notebooks"
NAMES = ("changing_a_rule", "first_look", "first_player", "reading_a_sweep", "what_is_a_pen_worth", "writing_a_policy")


def test_notebooks__are_all_there():
    assert sorted(path.stem for path in FOLDER.glob("*.ipynb")) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_notebook__asks_a_question_and_keeps_no_output(name):
    cells = json.loads((FOLDER / f"{name}.ipynb").read_text())["cells"]
    assert cells[0]["cell_type"] == "markdown"
    assert "".join(cells[0]["source"]).startswith("# ")
    for cell in cells:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == []
            assert cell["execution_count"] is None


def test_readme_picture__is_made_by_its_command(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(readme_picture, "GAMES", 400)
    path = tmp_path / "new" / "picture.png"
    assert readme_picture.main([str(path)]) == 0
    assert path.read_bytes().startswith(b"\x89PNG")
    assert "notebooks/pictures/first_look.png" in (FOLDER.parent / "README.md").read_text()
    assert readme_picture.PLACE.is_file()
