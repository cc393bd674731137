import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool

import numpy as np
import pytest
from study_samples import HEAD, SMALL, file_bytes, small, write

import engine
from analysis import sweep, tallies
from analysis.store import Store, StoreError
from analysis.studyfile import StudyError
from analysis.sweep import backends, parts, progress, run_study, work

TALLIED = HEAD.replace("seed = 7", 'seed = 7\nkeep = "tallies"')
BAD = """
import engine

@engine.policy("draftosaurus")
def cheat(state, rules, legal, weights):
    return 63

@engine.policy("draftosaurus")
def vague(state, rules, legal, weights):
    return "left"
"""


def run(study, folder, **how):
    return run_study(study, folder, progress=False, **how)


def test_sweep__stores_every_cell_and_computes_nothing_twice(tmp_path):
    study = small(tmp_path)
    first = run(study, tmp_path / "r")
    assert {cell.key for cell in first.computed} == {cell.key for cell in study.cells}
    before = file_bytes(tmp_path / "r")
    assert len(before) == 4
    again = run(study, tmp_path / "r")
    assert (again.computed, len(again.kept)) == ([], 4)
    assert file_bytes(tmp_path / "r") == before


def test_sweep__computes_only_what_is_missing(tmp_path):
    study = small(tmp_path)
    run(study, tmp_path / "r")
    before, store = file_bytes(tmp_path / "r"), Store(study, tmp_path / "r")
    gone = study.cells[2]
    store.path(gone).unlink()
    outcome = run(study, tmp_path / "r")
    assert outcome.computed == [gone]
    assert file_bytes(tmp_path / "r") == before
    more = small(tmp_path, SMALL.replace("[2, 4]", "[2, 3, 4]"))
    assert [cell.players for cell in run(more, tmp_path / "r").computed] == [3, 3]


@pytest.mark.parametrize("head", [HEAD, TALLIED])
def test_sweep__does_not_depend_on_parts_threads_or_backend(tmp_path, monkeypatch, head):
    study = small(tmp_path, head=head)
    run(study, tmp_path / "one", jobs=1)
    run(study, tmp_path / "processes", jobs=2, backend="loky")
    monkeypatch.setattr(work, "PART", {"playouts": 24, "tallies": 50})
    monkeypatch.setattr(parts, "STEP", 20)
    run(study, tmp_path / "many", jobs=3)
    expected = file_bytes(tmp_path / "one")
    assert file_bytes(tmp_path / "many") == expected
    assert file_bytes(tmp_path / "processes") == expected


def test_sweep__stores_what_simulate_returns(tmp_path):
    study = small(tmp_path)
    run(study, tmp_path / "r")
    cell = study.cells[3]
    found = Store(study, tmp_path / "r").load(cell)
    play = engine.simulate("draftosaurus", ["greedy", "random", "random", "random"], cell.games, 7)
    np.testing.assert_array_equal(found.score, play.score)
    tallied = small(tmp_path, head=TALLIED)
    run(tallied, tmp_path / "r")
    counted = Store(tallied, tmp_path / "r").load(tallied.cells[3])
    for name, array in tallies.tally(play).counts._asdict().items():
        np.testing.assert_array_equal(counted.counts._asdict()[name], array)


def test_sweep__reports_a_damaged_file_and_computes_it_again(tmp_path):
    study = small(tmp_path)
    run(study, tmp_path / "r")
    before, said = file_bytes(tmp_path / "r"), []
    path = Store(study, tmp_path / "r").path(study.cells[1])
    path.write_bytes(path.read_bytes()[:500])
    outcome = run(study, tmp_path / "r", say=said.append)
    assert outcome.computed == [study.cells[1]]
    assert len(said) == 1
    assert path.name in said[0]
    assert file_bytes(tmp_path / "r") == before
    assert path.with_name(f"_damaged_{path.name}").stat().st_size == 500


def test_sweep__goes_on_past_a_cell_that_fails(tmp_path):
    (tmp_path / "bad.py").write_text(BAD)
    study = small(tmp_path, SMALL.replace('"random",', '"random", "bad.py:cheat",'))
    outcome = run(study, tmp_path / "r", jobs=2)
    assert len(outcome.computed) == 4
    assert [cell.lineup_label for cell, _ in outcome.failed] == ["cheat", "cheat"]
    assert "returned action 63" in outcome.failed[0][1]
    assert len(file_bytes(tmp_path / "r")) == 4


def test_sweep__refuses_before_playing_a_policy_that_does_not_compile(tmp_path):
    (tmp_path / "bad.py").write_text(BAD)
    study = small(tmp_path, SMALL.replace('"random",', '"random", "bad.py:vague",'))
    with pytest.raises(StudyError, match=r"^small.toml: grid\[0\].*'vague'.*must return an integer"):
        run(study, tmp_path / "r")
    assert file_bytes(tmp_path / "r") == {}


def test_sweep__refuses_before_playing_a_folder_it_cannot_write(tmp_path, monkeypatch):
    monkeypatch.setattr(sweep._Run, "works", lambda *_: pytest.fail("looked for cells"))
    with pytest.raises(StoreError, match="cannot be written"):
        run(small(tmp_path), "/proc/no")


@pytest.mark.parametrize("how", [{"jobs": 0}, {"backend": "gpu"}])
def test_sweep__refuses_bad_arguments(tmp_path, how):
    with pytest.raises(ValueError, match=next(iter(how))):
        run(small(tmp_path), tmp_path / "r", **how)


def test_manifest__lists_cells_versions_and_seconds(tmp_path):
    study = small(tmp_path)
    run(study, tmp_path / "r", jobs=2)
    found = Store(study, tmp_path / "r").manifest()
    assert list(found["cells"]) == [cell.key for cell in study.cells]
    assert all(cell["seconds"] > 0 for cell in found["cells"].values())
    assert found["command"] == "meeplecarlo study small.toml"
    assert found["runs"][0]["jobs"] == 2


# Interrupts and deaths
def test_sweep__keeps_what_is_finished_when_interrupted(tmp_path, monkeypatch):
    study = small(tmp_path, SMALL, HEAD.replace("games = 200", "games = 4_000"))
    undisturbed = tmp_path / "whole"
    run(study, undisturbed)
    done = sweep._Run._done

    def interrupt(self, work):
        done(self, work)
        if len(self.outcome.computed) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(sweep._Run, "_done", interrupt)
    outcome = run(study, tmp_path / "r", jobs=1)
    assert outcome.interrupted
    finished = len(outcome.computed)  # one more may have been on its way to the disk
    assert 2 <= finished < 4
    assert len(file_bytes(tmp_path / "r")) == finished
    monkeypatch.undo()
    assert len(run(study, tmp_path / "r").computed) == 4 - finished
    assert file_bytes(tmp_path / "r") == file_bytes(undisturbed)


def test_part__stops_in_the_middle(tmp_path):
    cell = small(tmp_path, head=TALLIED.replace("200", "1_000_000")).cells[0]
    timer = threading.Timer(0.1, parts.stop.set)
    timer.start()
    try:
        with pytest.raises(parts.Stopped):
            parts.play_part(parts.Task.of(cell), 0, 100_000_000)
    finally:
        timer.join()
        parts.stop.clear()


class DyingExecutor:
    """Runs tasks at once; the worker dies for tasks of the fatal cell, and takes the first other one with it."""

    def __init__(self, fatal, innocent):
        self.fatal, self.deaths, self.broken = fatal, {innocent}, False

    def submit(self, function, task, *arguments):
        future = Future()
        if task.key == self.fatal or task.key in self.deaths:
            self.deaths.discard(task.key)
            future.set_exception(BrokenProcessPool("worker died"))
        else:
            future.set_result(function(task, *arguments))
        return future

    def shutdown(self, **how):
        pass


def test_sweep__isolates_the_cell_that_kills_its_worker(tmp_path, monkeypatch):
    study = small(tmp_path)
    fatal, innocent = study.cells[1], study.cells[2]
    executor = DyingExecutor(fatal.key, innocent.key)
    monkeypatch.setattr(backends.Pool, "renew", lambda self: setattr(self, "executor", executor))
    outcome = run(study, tmp_path / "r")
    assert [cell for cell, _ in outcome.failed] == [fatal]
    assert "died" in outcome.failed[0][1]
    assert len(outcome.computed) == 3


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_study_command__killed_and_started_again_gives_the_same_bytes(tmp_path, how):
    grid = SMALL.replace("[2, 4]", "[2, 3, 4, 5]")
    path = write(tmp_path, grid, HEAD.replace("games = 200", "games = 60_000"))
    undisturbed = tmp_path / "whole"
    run(small(tmp_path, grid, path.read_text().split("\n[[grid]]")[0] + "\n"), undisturbed)
    command = [sys.executable, "-m", "analysis", "study", str(path), "--results", str(tmp_path / "r"), "--jobs", "1"]
    child = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=os.getcwd())
    deadline = time.monotonic() + 60
    while not file_bytes(tmp_path / "r") and child.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    child.send_signal(how)
    said = child.communicate()[1]
    assert child.returncode == (-signal.SIGKILL if how == signal.SIGKILL else 130), said
    if how == signal.SIGINT:
        assert "of 8 cells are finished and kept in" in said
        assert "Traceback" not in said
    before = file_bytes(tmp_path / "r")
    assert 1 <= len(before) < 8
    again = run(small(tmp_path, grid, HEAD.replace("games = 200", "games = 60_000")), tmp_path / "r")
    assert len(again.kept) >= len(before)
    assert file_bytes(tmp_path / "r") == file_bytes(undisturbed)


# Progress
def test_progress__writes_a_line_where_there_is_no_terminal(capsys, monkeypatch):
    monkeypatch.setattr(progress, "EVERY", 0.0)
    with progress.Progress(1000, 2, True) as bar:
        bar.add(400)
        bar.cell_done()
        bar.tick()
    said = capsys.readouterr().err
    assert said.startswith("1 of 2 cells, 400 of 1,000 games, ")
    assert said.endswith("s left\n")


def test_progress__draws_a_bar_in_a_terminal(capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    with progress.Progress(1000, 2, True) as bar:
        bar.add(1000)
        bar.cell_done(failed=True)
        bar.tick()
    assert "0 of 2 cells, 1 failed" in capsys.readouterr().err
