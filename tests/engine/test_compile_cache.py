"""An edit anywhere changes the next run's answer; no edit compiles nothing."""

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import engine
from engine import jit, userfile

SCRIPT = """
import sys, engine
play = engine.simulate("draftosaurus", [sys.argv[1]] * 2, 200, 1)
print(play.score.sum(), engine.__file__)
"""
POLICY = """
import engine
from helper import preferred

@engine.heuristic("draftosaurus")
def mine(state, rules, action, weights):
    return preferred(action)
"""
HELPER = """
import numba
import table

@numba.njit(cache=True)
def preferred(action):
    return table.sign() * 1.0 * action
"""
TABLE = """
import numba

@numba.njit(cache=True)
def sign():
    return 1
"""


def run(home, policy="random"):
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, policy],
        cwd=home,
        env={**os.environ, "PYTHONPATH": str(home), "NUMBA_CACHE_DIR": str(home / "cache")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answer, file = done.stdout.split()
    assert Path(file).is_relative_to(home)
    return int(answer)


def compiled_files(home):
    return sorted(str(p) for p in (home / "cache").rglob("*.nb?"))


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the engine with a compile cache of its own."""
    folder = tmp_path_factory.mktemp("copy")
    shutil.copytree(jit.PACKAGE, folder / "engine", ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@pytest.fixture
def home(copy):
    """The copy; what a test edits in it is put back."""
    before = {path: path.read_bytes() for path in (copy / "engine").rglob("*.py")}
    yield copy
    for path, text in before.items():
        path.write_bytes(text)


def edit(path, old, new):
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))


def test_cache__is_used_again_and_never_stale(home):
    first = run(home)
    files = compiled_files(home)
    assert files
    assert run(home) == first
    assert compiled_files(home) == files, "an unchanged engine was compiled again"
    # A helper in another file than the cached function's.
    river = home / "engine/games/draftosaurus/scoring.py"
    edit(river, "return lying(zoo, RIVER) * rules.river_points", "return lying(zoo, RIVER) * 100")
    second = run(home)
    assert second > first
    # The core, whose functions are inlined.
    edit(home / "engine/rng.py", "0x9E3779B97F4A7C15", "0x9E3779B97F4A7C17")
    assert run(home) not in (first, second)


def test_designers_file__and_its_helpers_are_never_stale(home):
    (home / "mine.py").write_text(POLICY)
    (home / "helper.py").write_text(HELPER)
    (home / "table.py").write_text(TABLE)
    first = run(home, "mine.py:mine")
    assert run(home, "mine.py:mine") == first
    edit(home / "table.py", "return 1", "return -1")
    second = run(home, "mine.py:mine")
    assert second != first
    edit(home / "helper.py", "table.sign()", "-table.sign()")
    assert run(home, "mine.py:mine") == first
    edit(home / "mine.py", "preferred(action)", "-preferred(action)")
    assert run(home, "mine.py:mine") == second


def test_designers_file__is_read_again_within_one_process(tmp_path):
    (tmp_path / "mine.py").write_text(POLICY)
    (tmp_path / "helper.py").write_text(HELPER)
    (tmp_path / "table.py").write_text(TABLE)

    def answer():
        return engine.simulate("draftosaurus", [f"{tmp_path}/mine.py:mine"] * 2, 200, 1).score.sum()

    first = answer()
    edit(tmp_path / "table.py", "return 1", "return -1")
    assert answer() != first


def test_designers_files__of_two_folders_may_have_helpers_of_one_name(tmp_path):
    answers = []
    for name, value in (("first", "1"), ("second", "-1"), ("first", "1")):
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        (folder / "mine.py").write_text(POLICY)
        (folder / "helper.py").write_text(HELPER)
        (folder / "table.py").write_text(TABLE.replace("return 1", f"return {value}"))
        play = engine.simulate("draftosaurus", [f"{folder}/mine.py:mine"] * 2, 200, 1)
        answers.append(play.score.sum())
    assert answers[0] == answers[2] != answers[1]


def test_designers_file__is_run_once_by_threads_that_load_it_together(tmp_path):
    (tmp_path / "mine.py").write_text("import time\n\ntime.sleep(0.05)\n" + POLICY)
    (tmp_path / "helper.py").write_text(HELPER)
    (tmp_path / "table.py").write_text(TABLE)
    before = jit.CONFIG.CACHE_DIR
    with ThreadPoolExecutor(8) as pool:
        modules = list(pool.map(userfile.load, [tmp_path / "mine.py"] * 16))
    assert len({id(module) for module in modules}) == 1
    assert before == jit.CONFIG.CACHE_DIR


def test_import_closure__follows_packages_and_relative_imports(tmp_path):
    package = tmp_path / "mylib"
    (package / "deep").mkdir(parents=True)
    (package / "__init__.py").write_text("from . import a\n")
    (package / "a.py").write_text("from .deep.b import x\nimport numpy\n")
    (package / "deep/__init__.py").write_text("")
    (package / "deep/b.py").write_text("x = 1\n")
    (package / "unused.py").write_text("")
    (tmp_path / "mine.py").write_text("import mylib.a, engine\n")
    names = [str(p.relative_to(tmp_path)) for p in userfile.import_closure(tmp_path / "mine.py")]
    assert names == ["mine.py", "mylib/__init__.py", "mylib/a.py", "mylib/deep/__init__.py", "mylib/deep/b.py"]


def test_kernels__have_one_signature():
    for name in engine.games():
        kernel = engine.load_game(name).play_block
        kernel.compile()
        assert len(kernel.dispatcher.signatures) == 1
