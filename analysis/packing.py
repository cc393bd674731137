"""Integer arrays as they are stored: in the smallest type that holds them, without the outer bins that are empty."""

from typing import Any, NamedTuple

import numpy as np

NARROW = ("u1", "u2", "u4", "i1", "i2", "i4", "i8")


class Packed(NamedTuple):
    """An array as it is stored."""

    array: np.ndarray
    start: int = 0  # where its last axis begins in that of the whole


def pack(whole: np.ndarray, start: int = 0, stop: int | None = None) -> Packed:
    """An array of integers whose last axis is zero outside ``start`` to ``stop``."""
    part = whole[..., start:stop]
    low, high = (int(part.min()), int(part.max())) if part.size else (0, 0)
    narrow = next(x for x in NARROW if np.iinfo(x).min <= low and high <= np.iinfo(x).max)
    return Packed(np.ascontiguousarray(part, narrow), start)


def unpack(packed: Packed, shape: tuple[int, ...], dtype: Any, is_part: bool) -> np.ndarray:
    """The whole array; `is_part` if the last axis may have been cut.

    Raises
    ------
    ValueError
        If what is stored is no array of integers of this shape, or part of one.
    """
    found, start = packed
    fits = found.shape == shape
    if is_part:
        fits = found.shape[:-1] == shape[:-1] and 0 <= start <= shape[-1] - found.shape[-1]
    if not fits or found.dtype.kind not in "iu":
        raise ValueError(f"must be integers of shape {shape}, not {found.dtype} {found.shape} from {start}")
    whole = np.zeros(shape, dtype)
    whole[..., start : start + found.shape[-1]] = found
    return whole
