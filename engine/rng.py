"""Streams of random numbers, one per (seed, deal, purpose).

A stream is a splittable SplitMix64 generator (Steele, Lea, Flood: Fast Splittable Pseudorandom Number
Generators, OOPSLA 2014): a state and an odd increment of its own, both hashed from the key. No generator is
shared, so a number depends on its key and its position in the stream, never on threads or on other streams.
"""

import numpy as np

from engine.bits import ONE, count
from engine.jit import compiled

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_DEAL = np.uint64(0xD1342543DE82EF95)
_PURPOSE = np.uint64(0xAF251AF3B0F025B5)
_ALTERNATE = np.uint64(0xAAAAAAAAAAAAAAAA)
_A, _B = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_C, _D = np.uint64(0xFF51AFD7ED558CCD), np.uint64(0xC4CEB9FE1A85EC53)
_R27, _R30, _R31, _R33 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(33)
_LOW32, _S32, _S11 = np.uint64(0xFFFFFFFF), np.uint64(32), np.uint64(11)
_RANGE32 = np.uint64(1 << 32)

# Purposes below this number are a game's sources of chance; a policy's stream is this plus its entry.
POLICY_PURPOSE = 1024


@compiled
def mix64(z):
    """A bijection of 64-bit words with full avalanche (Stafford's variant 13)."""
    z = (z ^ (z >> _R30)) * _A
    z = (z ^ (z >> _R27)) * _B
    return z ^ (z >> _R31)


@compiled
def _mix_gamma(z):
    z = (z ^ (z >> _R33)) * _C
    z = (z ^ (z >> _R33)) * _D
    z = (z ^ (z >> _R33)) | ONE
    return z ^ _ALTERNATE if count(z ^ (z >> ONE)) < 24 else z


@compiled
def start_stream(stream, key):
    """Set `stream` (uint64, shape (2,), modified in place) to the start of the stream of `key` (uint64)."""
    stream[0] = mix64(key)
    stream[1] = _mix_gamma(key + _GOLDEN)


@compiled
def deal_key(seed, deal):
    """The key (uint64) of all streams of one deal; `seed` uint64, `deal` int64."""
    return mix64(mix64(seed + _GOLDEN) + _DEAL * np.uint64(deal + 1))


@compiled
def purpose_key(key, purpose):
    """The key of one purpose within a deal."""
    return mix64(key + _PURPOSE * np.uint64(purpose + 1))


@compiled
def next64(stream):
    """The next 64 random bits of `stream` (modified in place)."""
    stream[0] += stream[1]
    return mix64(stream[0])


@compiled
def draw_below(stream, n):
    """A uniform integer in [0, n) as int64, n from 1 to 2**31; nothing is drawn for n = 1.

    Exact, by Lemire's multiplication with rejection (ACM TOMACS 2019).
    """
    if n <= 1:
        return np.int64(0)
    bound = np.uint64(n)
    product = (next64(stream) >> _S32) * bound
    if product & _LOW32 < bound:
        threshold = _RANGE32 % bound
        while product & _LOW32 < threshold:
            product = (next64(stream) >> _S32) * bound
    return np.int64(product >> _S32)


@compiled
def below(state, n):
    """A uniform integer in [0, n) from the stream of the policy that is asked (int64)."""
    return draw_below(state.own[state.mover], n)


@compiled
def uniform(state):
    """A uniform float64 in [0, 1) from the stream of the policy that is asked."""
    return np.float64(next64(state.own[state.mover]) >> _S11) * 2.0**-53


@compiled
def chance(state, purpose, n):
    """A uniform integer in [0, n) from one of the game's own sources of chance (int64)."""
    return draw_below(state.chance[purpose], n)


@compiled
def shuffle(state, purpose, cards, first, n_drawn, n_cards):
    """Draw `n_drawn` of `cards[first:n_cards]` in random order to its front, in place (partial Fisher-Yates)."""
    for i in range(first, min(first + n_drawn, n_cards - 1)):
        j = i + chance(state, purpose, n_cards - i)
        cards[i], cards[j] = cards[j], cards[i]


@compiled
def key_streams(state, seed, deal, entries):
    """Start every stream of a game: its sources of chance, and each seat's policy by its entry.

    Parameters
    ----------
    state : record, modified in place
    seed : uint64
    deal : int64
    entries : ndarray of int64, shape (n_seats,)
        Which entry of the line-up sits at each seat.
    """
    key = deal_key(seed, deal)
    for p in range(state.chance.shape[0]):
        start_stream(state.chance[p], purpose_key(key, p))
    for s in range(entries.shape[0]):
        start_stream(state.own[s], purpose_key(key, POLICY_PURPOSE + entries[s]))


@compiled
def imagine_streams(state, seat):
    """Start new streams for everything `seat` cannot know, keyed by the present of its own stream.

    The seat's own stream stays where it is; the game's chance and the other seats' streams are replaced.
    Used by every game's `redeal`.
    """
    key = mix64(state.own[seat, 0] ^ _ALTERNATE) ^ state.own[seat, 1]
    for p in range(state.chance.shape[0]):
        start_stream(state.chance[p], purpose_key(key, p))
    for s in range(state.own.shape[0]):
        if s != seat:
            start_stream(state.own[s], purpose_key(key, POLICY_PURPOSE + s))
