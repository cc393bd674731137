import io
import re
import xml.etree.ElementTree as ET
import zipfile

import pandas as pd
import pytest
from study_samples import HEAD, small

import engine
from analysis.cli import main
from analysis.export import about, export, sample_games, workbook
from analysis.report import write_report
from analysis.store import Store, StoreError
from analysis.sweep import run_study

GRID = """
[[grid]]
variant = ["summer", "winter"]
players = [2]
rules = [{}, {trio_points = 6, name = "=1+1"}]
lineup = ["random"]
[[grid]]
players = [3]
lineup = [{focus = "greedy", field = "random"}]
"""


@pytest.fixture(scope="module", params=["tallies", "playouts"])
def store(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("export")
    study = small(folder, GRID, HEAD + f'keep = "{request.param}"\n')
    run_study(study, folder / "r", progress=False)
    store = Store(study, folder / "r")
    write_report(store)
    return store


def sheets(content):
    """Sheet name to rows of values of a workbook, and its formulas."""
    book = zipfile.ZipFile(io.BytesIO(content))
    space = {"x": "http://schemas.openxmlformats.org/spreadsheetml/2006/main"}
    texts = ["".join(t.itertext()) for t in ET.fromstring(book.read("xl/sharedStrings.xml")).findall("x:si", space)]
    names = [s.get("name") for s in ET.fromstring(book.read("xl/workbook.xml")).findall(".//x:sheet", space)]
    found = {}
    for i, name in enumerate(names, 1):
        root = ET.fromstring(book.read(f"xl/worksheets/sheet{i}.xml"))
        assert not root.findall(".//x:f", space)
        rows = []
        for row in root.findall(".//x:row", space):
            values = [(c.get("t"), c.findtext("x:v", namespaces=space)) for c in row]
            rows.append([texts[int(v)] if t == "s" else float(v) if v else None for t, v in values])
        found[name] = rows
    return found


def test_sample_games__are_the_first_games_of_each_cell(store):
    frame = sample_games(store, store.study.cells, 10)
    assert frame.groupby("cell", sort=False).game.nunique().tolist() == [10, 10, 10, 10, 12]
    cell = store.study.cells[-1]
    mine = frame[frame.cell == cell.key[:12]]
    wanted = engine.simulate("draftosaurus", ["greedy", "random", "random"], 10, 7).to_pandas()
    assert mine.score.tolist() == wanted.score.tolist()
    assert mine.policy.tolist() == wanted.policy.astype(str).tolist()
    assert mine.forest.tolist() == wanted.forest.tolist()


def test_export__writes_csv_files_that_agree_with_the_report(store, tmp_path):
    paths = export(store, tmp_path / "out", games=5)
    assert {p.name for p in paths} == {p.name for p in (store.root / "tables").iterdir()}
    for path in paths:
        assert path.name == "games.csv" or path.read_bytes() == (store.root / "tables" / path.name).read_bytes()
    frame = pd.read_csv(tmp_path / "out" / "games.csv", dtype={"cell": str})
    assert len(frame) == 4 * 5 * 2 + 6 * 3
    assert frame[frame.variant == "winter"].forest.isna().all()


def test_export__writes_a_workbook_with_every_table(store, tmp_path):
    (path,) = export(store, tmp_path, format="xlsx", games=3)
    assert path == tmp_path / "small.xlsx"
    found = sheets(path.read_bytes())
    tables = {p.stem for p in export(store, tmp_path / "csv", games=3)}
    assert set(found) == {"about", *tables}
    assert ["made by", "meeplecarlo study small.toml"] in found["about"]
    frame = pd.read_csv(tmp_path / "csv" / "win_rates.csv")
    assert found["win_rates"][0] == list(frame.columns)
    assert found["win_rates"][1][-6] == pytest.approx(frame.estimate[0])
    assert any("=1+1" in row for row in found["win_rates"])


def test_workbook__is_the_same_bytes_each_time_and_keeps_empty_values_empty(store):
    frame = pd.DataFrame({"a": [1.5, float("nan")], "b": ["x", None], "c": pd.array([1, None], "Int64")})
    content = workbook({"t": frame}, about(store))
    assert content == workbook({"t": frame}, about(store))
    assert sheets(content)["t"] == [["a", "b", "c"], [1.5, "x", 1.0]]


def test_export__says_what_is_wrong(store, tmp_path):
    with pytest.raises(ValueError, match="format 'xls' is not known; did you mean 'xlsx'"):
        export(store, tmp_path, format="xls")
    with pytest.raises(StoreError, match="cannot be written"):
        export(store, "/proc/no")
    with pytest.raises(
        ValueError, match=r"no result of this study is there yet; run: meeplecarlo study .*small.toml --results .*none"
    ):
        export(Store(store.study, tmp_path / "none"))


def test_export__from_the_command_line(store, tmp_path, capsys):
    base = ["export", str(store.study.path), "--results", str(store.root.parent)]
    assert main([*base, "--format", "xlsx", "--games", "2", "--to", str(tmp_path)]) == 0
    assert capsys.readouterr().out == f"{tmp_path / 'small.xlsx'}\n"
    assert main([*base, "--games", "-1"]) == 2
    assert "--games must be at least 0, not -1" in capsys.readouterr().err
    assert main(["export", "--help"]) == 0
    assert "Example: meeplecarlo export first_look" in " ".join(capsys.readouterr().out.split())


def test_report__holds_the_workbook(store):
    import base64

    page = (store.root / "report.html").read_text()
    content = base64.b64decode(re.search(r'spreadsheetml.sheet;base64,([^"]+)"', page).group(1))
    assert {"about", "win_rates", "games"} <= set(sheets(content))
    for path in (store.root / "tables").iterdir():
        assert f'href="tables/{path.name}"' in page
