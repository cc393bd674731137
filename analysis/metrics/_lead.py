"""A check that several metrics share."""

from typing import Any

from engine import Playouts


def playouts_only(result: Any, name: str) -> Playouts:
    """The result, if it is playouts with games.

    Raises
    ------
    TypeError
        If it is no Playouts; tallies do not keep games one by one.
    ValueError
        If it has no games.
    """
    if not isinstance(result, Playouts):
        kind = type(result).__name__
        raise TypeError(f'{name} needs Playouts, not {kind}; in a study, keep = "playouts"')
    if not len(result):
        raise ValueError("result has no games")
    return result
