"""Masks and streams."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import bits, rng

MASKS = st.integers(1, 2**64 - 1)


@settings(deadline=None)
@given(MASKS)
def test_bits__agree_with_python(mask):
    word, actions = np.uint64(mask), [a for a in range(64) if mask >> a & 1]
    assert bits.count(word) == len(actions)
    assert bits.lowest(word) == actions[0]
    assert bits.highest(word) == actions[-1]
    assert [bits.select(word, k) for k in range(len(actions))] == actions
    assert int(bits.without_lowest(word)) == mask & (mask - 1)
    assert all(bits.has(word, a) == (a in actions) for a in range(64))


def stream(key):
    words = np.zeros(2, np.uint64)
    rng.start_stream(words, np.uint64(key))
    return words


def key(seed, purpose):
    return np.uint64(rng.purpose_key(np.uint64(rng.deal_key(np.uint64(seed), 5)), purpose))


def test_stream__is_the_published_splitmix64_generator():
    # The first outputs of SplitMix64 from state 1234567 with the golden increment.
    words = np.array([1234567, 0x9E3779B97F4A7C15], np.uint64)
    assert [int(rng.next64(words)) for _ in range(3)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]


@pytest.mark.parametrize("n", [1, 2, 3, 5, 6, 48, 1000, 2**31 - 1])
def test_draw_below__stays_in_range(n):
    words = stream(n)
    drawn = [rng.draw_below(words, n) for _ in range(200)]
    assert min(drawn) >= 0
    assert max(drawn) < n


def test_draw_below__is_uniform():
    # n = 60,000 draws of 6 faces; null: each 10,000 with standard error sqrt(n/6*5/6) = 91.3.
    words, n = stream(3), 60_000
    counts = np.bincount([rng.draw_below(words, 6) for _ in range(n)], minlength=6)
    assert np.abs(counts - n / 6).max() < 5 * np.sqrt(n * 5 / 36)


def test_streams__of_different_purposes_are_uncorrelated():
    # n = 20,000 pairs of sign bits; null: agreement is binomial(n, 1/2).
    n = 20_000
    for a, b in (((1, 0), (1, 1)), ((1, 0), (2, 0)), ((7, 3), (8, 3))):
        x, y = stream(key(*a)), stream(key(*b))
        agree = sum((int(rng.next64(x)) ^ int(rng.next64(y))) >> 63 == 0 for _ in range(n))
        assert abs(agree - n / 2) < 5 * np.sqrt(n / 4)


def test_deal_keys__differ_for_neighbouring_seeds_and_deals():
    keys = {int(rng.deal_key(np.uint64(seed), deal)) for seed in range(50) for deal in range(50)}
    assert len(keys) == 2500
