"""Masks of up to 64 actions in one unsigned integer: bit `a` stands for action `a`."""

import numpy as np

from engine.jit import compiled

ZERO = np.uint64(0)
ONE = np.uint64(1)
_M1 = np.uint64(0x5555555555555555)
_M2 = np.uint64(0x3333333333333333)
_M4 = np.uint64(0x0F0F0F0F0F0F0F0F)
_H1 = np.uint64(0x0101010101010101)
_H8 = np.uint64(0x8080808080808080)
_LOW = np.uint64(0xFF)
_S1, _S2, _S3, _S4 = np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)
_S7, _S8, _S56 = np.uint64(7), np.uint64(8), np.uint64(56)
# The position of the k-th set bit of a byte, at index byte + 256 * k.
_SELECT_IN_BYTE = np.array(
    [([i for i in range(8) if byte >> i & 1] + [0] * 8)[k] for k in range(8) for byte in range(256)], np.int64
)


@compiled
def count(mask):
    """Number of actions in `mask` (uint64), as int64. Compiled to one instruction."""
    x = mask - ((mask >> _S1) & _M1)
    x = (x & _M2) + ((x >> _S2) & _M2)
    x = (x + (x >> _S4)) & _M4
    return np.int64((x * _H1) >> _S56)


@compiled
def bit(action):
    """The mask (uint64) that holds `action` (0 to 63) alone."""
    return ONE << np.uint64(action)


@compiled
def has(mask, action):
    """Whether `action` (0 to 63) is in `mask`."""
    return (mask >> np.uint64(action)) & ONE == ONE


@compiled
def lowest(mask):
    """The smallest action in `mask`, which must not be empty, as int64."""
    return count((mask & (~mask + ONE)) - ONE)


@compiled
def highest(mask):
    """The largest action in `mask`, which must not be empty, as int64."""
    top, width = np.int64(0), np.int64(32)
    while width > 0:
        if mask >> np.uint64(top + width) != ZERO:
            top += width
        width >>= 1
    return top


@compiled
def without_lowest(mask):
    """`mask` less its smallest action; for loops over a mask."""
    return mask & (mask - ONE)


@compiled
def select(mask, k):
    """The k-th smallest action in `mask`, counted from 0, as int64; k must be less than `count(mask)`.

    Without branches, after Vigna's broadword selection: running counts by byte find the byte, a table the bit.
    """
    x = mask - ((mask >> _S1) & _M1)
    x = (x & _M2) + ((x >> _S2) & _M2)
    counts = ((x + (x >> _S4)) & _M4) * _H1
    rank = np.uint64(k)
    full = ((((rank * _H1) | _H8) - counts) & _H8) >> _S7
    shift = ((full * _H1) >> _S56) << _S3
    rank -= ((counts << _S8) >> shift) & _LOW
    return np.int64(shift) + _SELECT_IN_BYTE[((mask >> shift) & _LOW) | (rank << _S8)]
