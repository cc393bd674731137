"""A sweep that is killed at any moment and started again comes to the same bytes."""

import contextlib
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from study_samples import HEAD, SMALL, file_bytes, small, write

from analysis.store import Store
from analysis.sweep import run_study
from analysis.sweep.work import CellWork
from engine import jit

ROOT = jit.PACKAGE.parent
LARGE = '\n[[grid]]\nplayers = [2]\nlineup = ["random"]\ngames = 3_000_000\n'
GRID = """
[[grid]]
players = [2, 3, 4, 5]
lineup = ["random", "greedy", {focus = "greedy", field = "random"}]
"""
SENSITIVITY = """
[sensitivity]
numbers = { trio_points = [5, 9], river_points = [0, 3] }
metric = "seat_advantage"
players = 2
lineup = ["random", "random"]
base_points = 16
games = 2_000
"""


NO_REPORT = (
    "import sys; from analysis import report; report.write_report = sys.exit; from analysis.cli import main; main()"
)


def start(path, results, *options, code=None):
    how = ["-m", "analysis"] if code is None else ["-c", code]
    command = [sys.executable, *how, "study", path, "--results", results, *options]
    return subprocess.Popen(
        [str(part) for part in command], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )


def everything(root):
    """Content of every file that a study leaves for its users, but for the manifest, which has times."""
    kept = [p for p in sorted(root.rglob("*")) if p.is_file() and p.name[0] not in "._" and p.name != "manifest.json"]
    return {p.relative_to(root).as_posix(): p.read_bytes() for p in kept}


@pytest.mark.slow
def test_sweep__killed_at_20_random_points_comes_to_the_same_bytes(tmp_path):
    path = write(
        tmp_path, GRID.replace(", 3, 4, 5", "") + LARGE + SENSITIVITY, HEAD.replace("games = 200", "games = 20_000")
    )
    for folder in ("whole", "again"):  # the second has a warm cache, so that kills fall into all of a run
        began = time.monotonic()
        child = start(path, tmp_path / folder, "--checkpoint", 600_000)
        _, said = child.communicate()
        assert child.returncode == 0, said
    seconds, kills, points = time.monotonic() - began, 0, random.Random(20)
    assert everything(tmp_path / "again") == everything(tmp_path / "whole")
    while kills < 20:
        child = start(path, tmp_path / "r", "--checkpoint", 600_000)
        try:
            _, said = child.communicate(timeout=points.uniform(0.0, seconds))
        except subprocess.TimeoutExpired:
            kills += 1
            child.send_signal(signal.SIGKILL)
            child.communicate()
            continue
        assert child.returncode == 0, said
        assert everything(tmp_path / "r") == everything(tmp_path / "whole")
        shutil.rmtree(tmp_path / "r")
    child = start(path, tmp_path / "r", "--checkpoint", 600_000)
    _, said = child.communicate()
    assert child.returncode == 0, said
    assert "warning" not in said
    assert everything(tmp_path / "r") == everything(tmp_path / "whole")


def test_large_cell__goes_on_from_its_checkpoint_after_a_kill(tmp_path):
    large = LARGE.replace("3_000_000", "6_000_000")
    path, study = write(tmp_path, large), small(tmp_path, large)
    cell, store = study.cells[0], Store(study, tmp_path / "r")
    child = start(path, tmp_path / "r", "--checkpoint", 600_000, "--jobs", 1)
    deadline = time.monotonic() + 120
    while not store.checkpoint_path(cell).exists() and time.monotonic() < deadline and child.poll() is None:
        time.sleep(0.01)
    child.kill()
    child.communicate()
    assert not store.path(cell).exists()
    left = CellWork(cell, store, 600_000, pytest.fail).games
    assert 0 < left <= cell.games - 600_000
    run_study(study, tmp_path / "r", jobs=2, checkpoint=600_000, progress=False)
    run_study(study, tmp_path / "whole", progress=False)
    assert file_bytes(tmp_path / "r") == file_bytes(tmp_path / "whole")
    assert not store.checkpoint_path(cell).exists()


def test_two_runs_at_once__do_not_harm_each_other(tmp_path):
    path = write(tmp_path, GRID, HEAD.replace("games = 200", "games = 20_000"))
    children = [start(path, tmp_path / "r", "--jobs", 1, code=NO_REPORT) for _ in range(2)]
    for child in children:
        _, said = child.communicate()
        assert child.returncode == 0, said
    study = small(tmp_path, GRID, HEAD.replace("games = 200", "games = 20_000"))
    run_study(study, tmp_path / "whole", progress=False)
    assert file_bytes(tmp_path / "r") == file_bytes(tmp_path / "whole")
    assert list(Store(study, tmp_path / "r").manifest()["cells"]) == [cell.key for cell in study.cells]
    assert not [p for p in (tmp_path / "r").rglob("*") if p.name.startswith(("_", ".")) and p.name != ".manifest.lock"]


def test_study__terminated_by_a_batch_system_keeps_what_it_played(tmp_path):
    large = LARGE.replace("3_000_000", "500_000_000")
    path, study = write(tmp_path, large), small(tmp_path, large)
    store, cell = Store(study, tmp_path / "r"), study.cells[0]
    for seconds in (4, 16, 64):  # until the first parts are played; a machine may be busy
        child = start(path, tmp_path / "r", "--jobs", "2", "--checkpoint", "900_000_000")
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(seconds)
        child.terminate()
        _, said = child.communicate()
        assert child.returncode == 130, said
        assert "interrupted: 0 of 1 cell" in said
        if store.checkpoint_path(cell).exists():
            break
    assert 0 < len(store.load_checkpoint(cell)[0]) < 500_000_000


LOOP = """
import engine

@engine.policy("draftosaurus")
def loops(state, rules, legal, weights):
    n = 0
    while legal != 0:
        n += 1
    return n
"""


def test_command__a_second_interrupt_ends_what_never_returns(tmp_path):
    (tmp_path / "loop.py").write_text(LOOP)
    command = ["simulate", "draftosaurus", "--policies", f"{tmp_path}/loop.py:loops", "random", "--games", "10"]
    child = subprocess.Popen([sys.executable, "-m", "analysis", *command], cwd=ROOT, stderr=subprocess.PIPE, text=True)
    lines = []
    reader = threading.Thread(target=lambda: lines.extend(child.stderr))
    reader.start()
    try:
        time.sleep(8)  # until it plays
        child.send_signal(signal.SIGINT)
        deadline = time.monotonic() + 30
        while child.poll() is None and not lines and time.monotonic() < deadline:
            time.sleep(0.1)
        child.send_signal(signal.SIGINT)
        assert child.wait(20) == 130
    finally:
        child.kill()
        reader.join()
        child.wait()
        child.stderr.close()


def test_sweep__ignores_what_a_killed_writer_left(tmp_path):
    study = small(tmp_path, SMALL)
    store = Store(study, tmp_path / "r")
    folder = store.path(study.cells[0]).parent
    folder.mkdir(parents=True)
    leftover = folder / f".{study.cells[0].key}.parquet.{Path('/proc/sys/kernel/hostname').read_text().strip()}"
    old = leftover.with_name(leftover.name + "-999999999-00000000.tmp")
    young = leftover.with_name(leftover.name + "-999999999-00000001.tmp")
    for path in (old, young):
        path.write_bytes(b"PAR1")
    os.utime(old, (time.time() - 3600,) * 2)
    assert run_study(study, tmp_path / "r", progress=False).is_good
    assert not old.exists()
    assert young.exists(), "its process may live in another container"


COLD = """
import sys
from analysis.study import load_study
from analysis.sweep import run_study
from engine.games import load_game
run_study(load_study(sys.argv[1]), sys.argv[2], shard=sys.argv[3], progress=False)
print(sum(load_game("draftosaurus").play_block.dispatcher.stats.cache_misses.values()))
"""


@pytest.mark.slow
def test_cold_cache__is_compiled_once_by_runs_that_start_together(tmp_path):
    path = write(tmp_path)
    env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    command = [sys.executable, "-c", COLD, str(path), str(tmp_path / "r")]
    children = [
        subprocess.Popen([*command, f"{i}/4"], cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True)
        for i in (1, 2, 3, 4)
    ]
    compiled = [int(child.communicate()[0]) for child in children]
    assert sorted(compiled) == [0, 0, 0, 1]
    study = small(tmp_path)
    run_study(study, tmp_path / "whole", progress=False)
    assert file_bytes(tmp_path / "r") == file_bytes(tmp_path / "whole")
