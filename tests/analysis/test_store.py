import json
import os

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from study_samples import HEAD, small

import engine
from analysis import cellfile, store, tallies
from analysis.store import DamagedError, Store, StoreError
from engine.playouts import ARRAYS


@pytest.fixture
def cell(tmp_path):
    return small(tmp_path, '[[grid]]\nplayers = [3]\nlineup = [{focus = "greedy", field = "random"}]\n').cells[0]


@pytest.fixture
def playouts(cell):
    return engine.simulate("draftosaurus", cell.wanted, cell.games, cell.seed)


@pytest.fixture
def shelf(tmp_path, cell):
    study = small(tmp_path, '[[grid]]\nplayers = [3]\nlineup = [{focus = "greedy", field = "random"}]\n')
    return Store(study, tmp_path / "results")


def assert_same(a, b):
    for name in ARRAYS:
        one, other = getattr(a, name), getattr(b, name)
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other, name)


def test_store__gives_playouts_back_as_they_were(shelf, cell, playouts):
    shelf.save(cell, playouts)
    found = shelf.load(cell)
    assert_same(found, playouts)
    assert repr(found) == repr(playouts)
    assert found.rules.values == playouts.rules.values
    assert found.fact_names == playouts.fact_names
    found.score[0, 0] = 1  # the arrays are the caller's own


def test_store__gives_tallies_back_as_they_were(shelf, cell, playouts):
    counted = tallies.tally(playouts)
    shelf.save(cell, counted)
    found = shelf.load(cell)
    assert found.meta() == counted.meta()
    for name, array in counted.counts._asdict().items():
        assert found.counts._asdict()[name].dtype == array.dtype
        np.testing.assert_array_equal(found.counts._asdict()[name], array)


def test_store__keeps_rules_that_were_changed(tmp_path):
    study = small(tmp_path, '[[grid]]\nplayers = [2]\nlineup = ["random"]\nrules = [{trio_points = 6}]\n')
    cell, shelf = study.cells[0], Store(study, tmp_path / "results")
    shelf.save(cell, engine.simulate("draftosaurus", cell.wanted, 10, 1, rules=cell.rules))
    found = shelf.load(cell)
    assert found.rules.values["trio_points"] == 6
    assert dict(found.rules.changed) == {"trio_points": "override"}


def test_store__writes_equal_bytes_for_equal_results(shelf, cell, playouts):
    shelf.save(cell, playouts)
    before = shelf.path(cell).read_bytes()
    shelf.save(cell, playouts)
    assert shelf.path(cell).read_bytes() == before
    assert [p.name for p in shelf.path(cell).parent.iterdir()] == [f"{cell.key}.parquet"]


def test_store__names_a_file_by_its_key_and_pandas_reads_it(shelf, cell, playouts):
    shelf.save(cell, playouts)
    path = shelf.path(cell)
    assert path.relative_to(shelf.root).as_posix() == f"cells/{cell.key[:2]}/{cell.key}.parquet"
    frame = pd.read_parquet(path, columns=["deal", "score"])
    assert len(frame) == cell.games
    assert frame.deal.dtype == "int64"
    assert frame.score[5].tolist() == playouts.score[5].tolist()
    assert store.read_cell(path).seed == cell.seed


def test_store__has_nothing_of_a_cell_that_was_not_saved(shelf, cell):
    assert shelf.load(cell) is None


def truncate(path):
    path.write_bytes(path.read_bytes()[:-100])


def flip_a_bit(path):
    content = bytearray(path.read_bytes())
    content[2000] ^= 4
    path.write_bytes(content)


def empty(path):
    path.write_bytes(b"")


def foreign(path):
    pd.DataFrame({"a": [1, 2]}).to_parquet(path)


def not_parquet(path):
    path.write_text("hello")


def change_a_number(path):
    table = pq.read_table(path)
    decisions = table.column("decisions").to_numpy().copy()
    decisions[0] += 1
    i = table.schema.get_field_index("decisions")
    pq.write_table(table.set_column(i, "decisions", pa.array(decisions)), path)


def change_the_spec(path):
    table = pq.read_table(path)
    head = json.loads(table.schema.metadata[store.NAME])
    head["spec"]["seed"] += 1
    pq.write_table(table.replace_schema_metadata({store.NAME: json.dumps(head)}), path)


def a_folder(path):
    path.unlink()
    path.mkdir()


def a_dead_link(path):
    path.unlink()
    path.symlink_to(path.parent / "gone")


@pytest.mark.parametrize(
    "harm",
    [truncate, flip_a_bit, empty, foreign, not_parquet, change_a_number, change_the_spec, a_folder, a_dead_link],
)
def test_store__never_reads_a_damaged_file_as_numbers(shelf, cell, playouts, harm):
    shelf.save(cell, playouts)
    harm(shelf.path(cell))
    with pytest.raises(DamagedError, match=cell.key):
        shelf.load(cell)
    aside = shelf.set_aside(cell)
    assert aside.name == f"_damaged_{cell.key}.parquet"
    assert os.path.lexists(aside)
    assert shelf.load(cell) is None


def test_store__refuses_the_file_of_another_cell(shelf, tmp_path, cell, playouts):
    other = small(
        tmp_path, '[[grid]]\nplayers = [3]\nlineup = [{focus = "greedy", field = "random"}]\n', HEAD.replace("7", "8")
    ).cells[0]
    shelf.save(other, playouts)
    shelf.path(cell).parent.mkdir(parents=True, exist_ok=True)
    os.replace(shelf.path(other), shelf.path(cell))
    with pytest.raises(DamagedError, match="holds the result of another cell"):
        shelf.load(cell)


def test_store__leaves_the_old_file_when_writing_fails(shelf, cell, playouts, monkeypatch):
    shelf.save(cell, playouts)
    before = shelf.path(cell).read_bytes()

    def full(fd):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(cellfile.os, "fsync", full)
    with pytest.raises(StoreError, match="cannot be written: No space left on device"):
        shelf.save(cell, playouts)
    assert shelf.path(cell).read_bytes() == before
    assert len(list(shelf.path(cell).parent.iterdir())) == 1


def test_store__says_that_a_folder_cannot_be_used(tmp_path, shelf):
    (tmp_path / "results").write_text("a file")
    with pytest.raises(StoreError, match="cannot be written"):
        shelf.prepare()


def test_manifest__is_readable_and_survives_being_broken(shelf, cell):
    shelf.prepare()
    assert shelf.manifest() == {}
    shelf.write_manifest({cell.key: 1.5}, {"started": "now", "versions": store.versions()}, [cell])
    found = shelf.manifest()
    assert found["cells"][cell.key]["spec"]["seed"] == cell.seed
    assert found["cells"][cell.key]["seconds"] == 1.5
    assert set(found["runs"][0]["versions"]) >= {"python", "numba", "numpy"}
    shelf.write_manifest({}, {"started": "later"}, [cell])
    found = shelf.manifest()
    assert found["cells"][cell.key]["seconds"] == 1.5
    assert [run["started"] for run in found["runs"]] == ["now", "later"]
    (shelf.root / "manifest.json").write_text("{")
    assert shelf.manifest() == {}
    assert (shelf.root / "study.toml").read_bytes() == shelf.study.source
