"""Who wins: most points, then a tie-break, then shared."""

import numpy as np

from engine.jit import compiled


@compiled
def share_win(points, seats, share):
    """Turn each seat's tie-break, of which more is better, into its win share.

    Parameters
    ----------
    points : ndarray of int64, shape (at least seats, sources)
    seats : int
    share : ndarray of float32, shape (at least seats,)
        Holds the tie-breaks, whole numbers below 2**24, and takes the win shares, which add up to 1.
    """
    best, most, winners = np.int64(-(2**40)), np.float32(0.0), 0
    for s in range(seats):
        total, tie_break = np.int64(0), share[s]
        for source in range(points.shape[1]):
            total += points[s, source]
        if total > best or (total == best and tie_break > most):
            best, most, winners = total, tie_break, 0
            share[:s] = 0.0
        is_best = total == best and tie_break == most
        winners += is_best
        share[s] = is_best
    for s in range(seats):
        share[s] /= winners
