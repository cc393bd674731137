"""The first compilation, done once: processes that start together on a cold cache wait for the first of them."""

import contextlib
import hashlib
from collections.abc import Iterator

from analysis.locks import locked
from engine import jit
from engine.games import load_game


@contextlib.contextmanager
def first_compile(game: str, policies: list[str]) -> Iterator[None]:
    """Hold a lock while the kernel of a game and these policies are compiled for the first time.

    Once they were, nobody waits: what is in the cache is loaded by all at once. Where files cannot be locked, nothing
    is; the cache stays right, and the work is done more than once.

    Parameters
    ----------
    game : str
    policies : list of str
        Their names; different lists wait for one another, too.
    """
    folder = jit.cache_path(load_game(game).folder)
    ready = folder / f".ready-{hashlib.sha256(repr(sorted(policies)).encode()).hexdigest()[:16]}"
    if jit.UNCOMPILED or ready.exists():
        yield
        return
    with locked(folder / ".lock"):
        if not ready.exists():
            yield
            with contextlib.suppress(OSError):
                ready.touch()
            return
    yield
