"""Seatings."""

import numpy as np
import pytest

from engine.lineup import seatings


def test_rotate__puts_entry_i_at_seat_i_plus_r():
    table = seatings(["a", "b", "c"], "rotate")
    assert np.array_equal(table, [[0, 1, 2], [2, 0, 1], [1, 2, 0]])
    for r, row in enumerate(table):
        assert all(row[(i + r) % 3] == i for i in range(3))


@pytest.mark.parametrize(
    ("entries", "how", "n"),
    [
        ("aaaa", "rotate", 1),
        ("abab", "rotate", 2),
        ("aabb", "rotate", 4),
        ("abbb", "rotate", 4),
        ("abcd", "fixed", 1),
        ("abcd", "permute", 24),
        ("aabb", "permute", 6),
        ("abbbb", "permute", 5),
    ],
)
def test_seatings__of_equal_entries_are_played_once(entries, how, n):
    table = seatings(entries, how)
    assert len(table) == n
    assert len({tuple(entries[i] for i in row) for row in table}) == n
    assert all(sorted(row) == list(range(len(entries))) for row in table)


def test_seatings__refuse_an_unknown_word():
    with pytest.raises(ValueError, match="seats 'rotated' is not known; did you mean 'rotate'"):
        seatings("ab", "rotated")
