"""Every compile option of the project, and the compile cache with what invalidates it.

Numba checks a cached function against its own file only, so an edit in a helper elsewhere would go unseen.
The cache folder is therefore named by a digest of all sources that a kernel can be built from.
"""

import hashlib
import os
import platform
import tempfile
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import llvmlite
import llvmlite.binding
import numba
import numpy as np

PACKAGE = Path(__file__).resolve().parent
CONFIG: Any = numba.config
UNCOMPILED = bool(CONFIG.DISABLE_JIT)
# Held while something of the whole process is changed: Numba's cache folder and tables, Python's module path.
LOCK = threading.RLock()

# A line-up of first-class functions is what this engine rests on; its tests cover what Numba warns of.
warnings.filterwarnings("ignore", message="First-class function type feature is experimental")


def compiled(function: Callable) -> Any:
    """Compile a helper that other compiled code calls; it has no cache of its own."""
    return numba.njit(nogil=True, error_model="numpy")(function)


def generic(function: Callable) -> Any:
    """Inline a function into its caller, so that it may take a game's compiled functions as arguments."""
    return numba.njit(nogil=True, error_model="numpy", inline="always")(function)


def kernel(signature: Any) -> Callable[[Callable], Any]:
    """Compile an entry point, on first call from Python, under one signature and with a disk cache."""

    def decorate(function: Callable) -> Any:
        if UNCOMPILED:
            return function
        with cache_folder(source_folder(function.__code__.co_filename)):
            dispatcher = numba.njit(nogil=True, error_model="numpy", cache=True)(function)
        return OneSignature(dispatcher, signature)

    return decorate


class OneSignature:
    """A compiled entry point with exactly one signature, compiled when it is first called."""

    def __init__(self, dispatcher: Any, signature: Any):
        self.dispatcher, self.signature, self.ready = dispatcher, signature, False
        self.__doc__ = dispatcher.__doc__

    def compile(self) -> None:
        """Compile, or load from the disk cache."""
        if self.ready:
            return
        with LOCK:
            if not self.ready:
                self.dispatcher.compile(self.signature)
                self.dispatcher.disable_compile()
                self.ready = True

    def __call__(self, *arguments: Any) -> Any:
        """Call the compiled function."""
        self.compile()
        return self.dispatcher(*arguments)


def compile_policy(function: Callable, signature: Any, cached: bool) -> Any:
    """Compile a policy's function so that it can be an element of a line-up.

    Returns a dispatcher with one overload. Its integer return type may still differ from the signature's;
    `engine.policy` checks that before anything is played.
    """
    options: dict[str, Any] = {"nogil": True, "error_model": "python"}
    if cached:
        with cache_folder(source_folder(function.__code__.co_filename)):
            dispatcher = numba.njit(cache=True, **options)(function)
    else:
        dispatcher = numba.njit(**options)(function)
    dispatcher.compile(tuple(signature.args))
    inferred = next(iter(dispatcher.overloads.values())).signature.return_type
    if inferred != signature.return_type and isinstance(inferred, numba.types.Integer):
        dispatcher = numba.njit(signature, **options)(function)
    return dispatcher, inferred


# ---------------------------------------------------------------------------------------------------------
# What a cached kernel depends on
# ---------------------------------------------------------------------------------------------------------
def source_folder(filename: str) -> Path:
    """The game's folder for a file of a game, else the engine's own."""
    path = Path(filename).resolve()
    games = PACKAGE / "games"
    return games / path.relative_to(games).parts[0] if path.is_relative_to(games) else PACKAGE


def kernel_sources(folder: Path) -> list[Path]:
    """The Python files that a kernel of this folder may be built from: the core's and the folder's own."""
    own = sorted(folder.rglob("*.py")) if folder != PACKAGE else []
    return [*sorted(PACKAGE.glob("*.py")), *own]


def digest_files(files: list[Path], extra: str = "") -> str:
    """SHA-256 over names and contents."""
    digest = hashlib.sha256(extra.encode())
    for path in files:
        digest.update(f"\0{path.name}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


@lru_cache(maxsize=1)
def toolchain() -> str:
    """What decides, beside the sources, which machine code is right: versions, processor, compiler switches."""
    features = llvmlite.binding.get_host_cpu_features().flatten()
    return "|".join(
        [
            numba.__version__,
            llvmlite.__version__,
            np.__version__,
            platform.python_version(),
            llvmlite.binding.get_host_cpu_name(),
            features,
            f"bounds={CONFIG.BOUNDSCHECK}",
            f"opt={CONFIG.OPT}",
        ]
    )


def cache_root() -> Path:
    """The folder of all compile caches: under `NUMBA_CACHE_DIR` if set, else the user's cache folder."""
    given = os.environ.get("NUMBA_CACHE_DIR")
    if given:
        return Path(given) / "meeplecarlo"
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    if os.access(home if home.exists() else home.parent, os.W_OK):
        return home / "meeplecarlo" / "compiled"
    return Path(tempfile.gettempdir()) / f"meeplecarlo-{os.getuid()}"


@cache
def cache_path(folder: Path) -> Path:
    """The compile cache of one folder's kernels in their present state."""
    name = folder.name if folder != PACKAGE else "core"
    return cache_root() / f"{name}-{digest_files(kernel_sources(folder), toolchain())[:20]}"


@contextmanager
def cache_folder(folder: Path, digest: str | None = None) -> Iterator[None]:
    """Let Numba's decorators used inside put their caches where only the same sources will find them.

    Numba reads the setting when a function is decorated, so other libraries' functions are left alone.
    """
    with LOCK:
        before = CONFIG.CACHE_DIR
        CONFIG.CACHE_DIR = str(cache_root() / digest if digest else cache_path(folder))
        try:
            yield
        finally:
            CONFIG.CACHE_DIR = before
