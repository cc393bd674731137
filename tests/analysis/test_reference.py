import re

import pytest

import analysis
import engine
from analysis import reference
from analysis.cli import build
from analysis.study import shipped_studies


@pytest.fixture(scope="module")
def text():
    return reference.document()


def test_reference__is_up_to_date(text):
    assert reference.FILE.read_text(encoding="utf-8") == text, "run: make reference"


def test_reference__links_lead_somewhere(text):
    heads = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}
    links = re.findall(r"\]\(#([^)]+)\)", text)
    assert len(links) > 15
    assert set(links) <= anchors
    for path in re.findall(r"\]\((\.\.?/[^)]+)\)", text):
        assert (reference.FILE.parent / path).is_file(), path


def test_reference__has_every_public_name(text):
    names = [f"engine.{name}" for name in engine.__all__] + [f"analysis.{name}" for name in analysis._HOME]
    assert [name for name in names if f"### {name}\n" not in text] == []


def test_reference__leaves_nothing_without_a_word(text):
    keys = [line for line in text.splitlines() if re.match(r"\| `[a-z_]+` \|.*\|  \|$", line)]
    assert keys == []


def test_markdown__turns_sections_into_lists():
    text = "Says.\n\nParameters\n----------\na : int\n    What it is.\n\nRaises\n------\nValueError\n    If not."
    assert reference.markdown(text) == (
        "Says.\n\n**Parameters**\n\n- `a`, int:\n  What it is.\n\n**Raises**\n\n- `ValueError`:\n  If not."
    )


def test_main__prints_and_writes(text, tmp_path, monkeypatch, capsys):
    assert reference.main([]) == 0
    assert capsys.readouterr().out == text
    monkeypatch.setattr(reference, "FILE", tmp_path / "R.md")
    assert reference.main(["--write"]) == 0
    assert (tmp_path / "R.md").read_text() == text


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_documents__name_commands_studies_and_files_that_are_there(name):
    root = reference.FILE.parents[1]
    text = (root / name).read_text(encoding="utf-8")
    commands = build()[1].choices
    assert set(re.findall(r"meeplecarlo ([a-z][a-z-]+)", text)) <= set(commands)
    shipped = set(re.findall(r"meeplecarlo study ([a-z_]+)(?!\S)", text)) - {"my_study"}
    assert shipped <= set(shipped_studies())
    targets = set(re.findall(r"^([a-z-]+):", (root / "Makefile").read_text(), re.MULTILINE))
    assert set(re.findall(r"\bmake ([a-z]+)\b(?= |`|$)", text, re.MULTILINE)) <= targets | {"every"}
    for path in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (root / path).exists(), path
