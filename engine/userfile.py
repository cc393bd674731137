"""A designer's own Python file: what it imports, a digest of all that, and a fresh module of it.

Nothing compiled from such a file is kept on disk by the engine. What its helpers cache themselves goes to a
folder named by the digest, so that an edit in any file that it imports is always seen.
"""

import ast
import importlib.machinery
import importlib.util
import sys
import sysconfig
from pathlib import Path
from types import ModuleType

from engine import jit
from engine.errors import PolicyError

_LIBRARY = tuple(Path(sysconfig.get_path(name)).resolve() for name in ("stdlib", "platstdlib", "purelib", "platlib"))
_loaded: dict[tuple[Path, str], ModuleType] = {}


def load(path: Path) -> ModuleType:
    """Run the file as a module, anew whenever it or a file that it imports has changed.

    Raises
    ------
    PolicyError
        If the file is missing, is not Python, or raises while it runs.
    """
    full = path.expanduser().resolve()
    if not full.is_file():
        raise PolicyError(f"policy file {str(path)!r} does not exist (looked for {full})")
    files = import_closure(full)
    key = (full, jit.digest_files(files))
    with jit.LOCK:
        if key not in _loaded:
            _loaded[key] = _run(full, files, key[1])
        return _loaded[key]


def _run(full: Path, files: list[Path], digest: str) -> ModuleType:
    _forget(full.parent, files)
    spec = importlib.util.spec_from_file_location(f"policies_{digest[:12]}", full)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    everything = jit.digest_files(sorted(jit.PACKAGE.rglob("*.py")), jit.toolchain() + digest)
    sys.path.insert(0, str(full.parent))
    try:
        with jit.cache_folder(jit.PACKAGE, f"user-{everything[:20]}"):
            spec.loader.exec_module(module)
    except (PolicyError, KeyboardInterrupt):
        raise
    except BaseException as error:  # sys.exit() in it must not end the process, least of all with status 0
        line = next((f":{f.lineno}" for f in _frames(error) if f.filename == str(full)), "")
        raise PolicyError(f"policy file {full}{line}: {type(error).__name__}: {error}") from None
    finally:
        sys.path.remove(str(full.parent))
    return module


def _forget(home: Path, files: list[Path]) -> None:
    """Drop modules that these files would import, whether from here or from a namesake in another folder."""
    tops = {p.relative_to(home).parts[0].removesuffix(".py") for p in files if p.is_relative_to(home)}
    for name, module in list(sys.modules.items()):
        origin = getattr(module, "__file__", None)
        if not origin or _is_library(Path(origin).resolve()):
            continue
        if name.split(".")[0] in tops or Path(origin).resolve() in files:
            del sys.modules[name]


def _is_library(path: Path) -> bool:
    """Whether a file belongs to Python, to an installed library or to this package."""
    return path.is_relative_to(jit.PACKAGE) or any(path.is_relative_to(x) for x in _LIBRARY)


def _frames(error: BaseException) -> list:
    import traceback

    return list(reversed(traceback.extract_tb(error.__traceback__)))


def import_closure(path: Path) -> list[Path]:
    """The file and every file that it imports, directly or not, libraries and this package left out."""
    found: dict[Path, None] = {}
    waiting = [path.resolve()]
    while waiting:
        file = waiting.pop()
        if file in found:
            continue
        found[file] = None
        waiting += _imports(file, path.resolve().parent)
    return sorted(found)


def _imports(file: Path, home: Path) -> list[Path]:
    try:
        tree = ast.parse(file.read_bytes())
    except SyntaxError as error:
        line = f":{error.lineno}" if error.lineno else ""
        raise PolicyError(f"policy file {file}{line}: {error.msg}") from None
    except ValueError as error:  # what is no text may hold null bytes
        raise PolicyError(f"policy file {file}: is not Python: {error}") from None
    names: list[tuple[str, list[str]]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [(alias.name, [str(home)]) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = file.parents[node.level - 1] if node.level else home
            stem = f"{node.module}." if node.module else ""
            if node.module:
                names.append((node.module, [str(base)]))
            names += [(stem + alias.name, [str(base)]) for alias in node.names]
    return [p for name, folders in names for p in _locate(name, folders)]


def _locate(name: str, folders: list[str]) -> list[Path]:
    """The files that importing `name` runs: each package's `__init__` and the module itself."""
    found: list[Path] = []
    search: list[str] | None = folders + [p for p in sys.path if p]
    for part in name.split("."):
        spec = importlib.machinery.PathFinder.find_spec(part, search)
        if spec is None:
            break
        if spec.origin and spec.origin.endswith(".py"):
            origin = Path(spec.origin).resolve()
            if _is_library(origin):
                break
            found.append(origin)
        search = list(spec.submodule_search_locations or [])
        if not search:
            break
    return found
