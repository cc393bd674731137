"""Imports run one way; a line that does not is named."""

import ast
import sys
from pathlib import Path

import pytest

import engine
from engine import jit

ROOT = jit.PACKAGE.parent
ENGINE = sorted(jit.PACKAGE.rglob("*.py"))
ANALYSIS = sorted((ROOT / "analysis").rglob("*.py"))
CORE_LIBRARIES = {"numpy", "numba", "llvmlite"}
# The layers of a game's folder, lowest first; a module may import its own layer and lower ones.
LAYERS = (
    "names",
    "rules",
    "state",
    "scoring",
    "moves",
    "imagine",
    "values",
    "outlook",
    "outlook_winter",
    "specialists",
    "policies",
    "kernel",
    "text",
    "__init__",
)
# Playouts.to_pandas() is the one exception.
PANDAS_AT = jit.PACKAGE / "playouts.py"


def imports(path):
    """(line, module, names) of every import of a file."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name, []) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.lineno, node.module or "", [alias.name for alias in node.names]


def offences(files, is_wrong):
    return [
        f"{path.relative_to(ROOT)}:{line}: imports {module}"
        for path in files
        for line, module, names in imports(path)
        if is_wrong(path, module, names)
    ]


def test_engine__imports_numpy_and_numba_only():
    def is_wrong(path, module, names):
        top = module.split(".")[0]
        if top == "pandas" and path == PANDAS_AT:
            return False
        return top != "engine" and top not in CORE_LIBRARIES and top not in sys.stdlib_module_names

    assert offences(ENGINE, is_wrong) == []


def test_games__do_not_import_one_another_nor_upwards():
    def is_wrong(path, module, names):
        parts = path.relative_to(jit.PACKAGE).parts
        if parts[0] != "games" or len(parts) < 3 or not module.startswith("engine.games."):
            return False
        target = module.split(".")
        if target[2] != parts[1]:
            return True
        layer, here = target[3:4] or names, path.stem
        rank = [LAYERS.index(x) for x in layer if x in LAYERS]
        return here in LAYERS and any(r > LAYERS.index(here) for r in rank)

    assert offences(ENGINE, is_wrong) == []


def test_core__does_not_know_a_game():
    def is_wrong(path, module, names):
        inside = path.relative_to(jit.PACKAGE).parts
        return len(inside) == 1 and module.startswith("engine.games.")

    assert offences(ENGINE, is_wrong) == []


@pytest.mark.parametrize(
    ("what", "modules", "allowed"),
    [
        ("starts playouts", ("engine.run",), ("sweep",)),
        ("draws", ("matplotlib",), ("plots", "report")),
    ],
)
def test_analysis__keeps_its_jobs_apart(what, modules, allowed):
    def is_wrong(path, module, names):
        inside = path.relative_to(ROOT / "analysis").with_suffix("").parts
        return module.startswith(modules) and inside[0] not in allowed

    assert offences(ANALYSIS, is_wrong) == [], what


def test_metrics__read_no_file_and_draw_nothing():
    def is_wrong(path, module, names):
        is_metric = path.is_relative_to(ROOT / "analysis" / "metrics")
        return is_metric and module.split(".")[0] in {"pathlib", "os", "io", "pyarrow", "matplotlib"}

    assert offences(ANALYSIS, is_wrong) == []


def test_engine__is_this_checkouts():
    assert Path(engine.__file__).is_relative_to(ROOT)
