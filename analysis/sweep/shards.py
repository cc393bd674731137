"""Shards: a study in n pieces, for as many machines that need not know one another."""

import re
from typing import NamedTuple


class Shard(NamedTuple):
    """Shard `i` of `n`, from 1 on: every n-th piece of work of a study."""

    i: int
    n: int

    def has(self, place: int) -> bool:
        """Whether the piece of work at this place in the study, from 0 on, belongs to the shard."""
        return place % self.n == self.i - 1

    def __str__(self) -> str:
        return f"{self.i}/{self.n}"


WHOLE = Shard(1, 1)


def read_shard(given: "str | Shard | None") -> Shard:
    """A shard from text such as "3/8"; all of a study from None.

    Raises
    ------
    ValueError
        If it is no such text, or there is no such shard.
    """
    if given is None or isinstance(given, Shard):
        return given or WHOLE
    found = re.fullmatch(r"\s*(\d+)\s*/\s*(\d+)\s*", str(given))
    if found is None or not 1 <= int(found[1]) <= int(found[2]):
        raise ValueError(f"shard must be i/n with i from 1 to n, such as 1/8, not {given!r}")
    return Shard(int(found[1]), int(found[2]))
