"""Which policy sits where: the entries of a line-up, and the seatings that each deal is played with."""

from collections.abc import Sequence
from itertools import permutations
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.errors import unknown
from engine.policy import Entry, resolve_entry

if TYPE_CHECKING:
    from engine.game import Game

SEATINGS = ("fixed", "rotate", "permute")


def resolve_lineup(policies: Sequence[Any], game: "Game") -> tuple[Entry, ...]:
    """Check one entry a seat.

    Raises
    ------
    ValueError
        For a number of players that the game does not have, or two different entries under one label.
    PolicyError
        For an entry that is not a policy of this game.
    """
    if isinstance(policies, str) or not isinstance(policies, Sequence):
        raise ValueError(f"policies must be a list with one policy a seat, not {policies!r}")
    low, high = game.seats
    if not low <= len(policies) <= high:
        raise ValueError(
            f"policies must have one entry a seat: {game.name} takes {low} to {high} players, not {len(policies)}"
        )
    known: dict[Any, Entry] = {}
    entries = []
    for given in policies:
        new = resolve_entry(given, game)
        entries.append(known.setdefault(new, new))
    by_label: dict[str, Entry] = {}
    for new in entries:
        if by_label.setdefault(new.label, new) != new:
            raise ValueError(
                f"two different entries are called {new.label!r}; give one a name: engine.entry(..., label=...)"
            )
    return tuple(entries)


def seatings(entries: Sequence[Any], how: str) -> np.ndarray:
    """The distinct seatings of a line-up.

    Parameters
    ----------
    entries : sequence
        One a seat; equal ones are interchangeable.
    how : str
        ``"fixed"``: entry i sits at seat i. ``"rotate"``: in rotation r entry i sits at seat (i + r) mod n.
        ``"permute"``: every permutation.

    Returns
    -------
    seatings : ndarray of int64, shape (n_seatings, n_seats)
        The entry at each seat; of seatings that put equal entries alike only the first is kept.
    """
    if how not in SEATINGS:
        raise ValueError(unknown("seats", how, SEATINGS))
    n = len(entries)
    if how == "fixed":
        table = [tuple(range(n))]
    elif how == "rotate":
        table = [tuple((s - r) % n for s in range(n)) for r in range(n)]
    else:
        table = list(permutations(range(n)))
    kinds = [entries.index(e) for e in entries]
    distinct: dict[tuple[int, ...], tuple[int, ...]] = {}
    for seating in table:
        distinct.setdefault(tuple(kinds[i] for i in seating), seating)
    return np.array(list(distinct.values()), np.int64)
