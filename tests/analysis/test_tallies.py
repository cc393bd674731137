import json
from dataclasses import replace

import numpy as np
import pytest

import engine
from analysis.counting import BINS, GROUPS, KINDS, LOWEST, SCORE_LOWEST, shapes
from analysis.frames import leads
from analysis.packing import Packed, pack, unpack
from analysis.tallies import Tallies, tally

LINEUP = ["greedy", "random", "random"]


def play(games=900, first_deal=0, seed=5, lineup=LINEUP, **options):
    return engine.simulate("draftosaurus", lineup, games, seed, first_deal=first_deal, **options)


def rows(playouts, keep):
    """Some of the playouts."""
    arrays = {name: getattr(playouts, name)[keep] for name in engine.playouts.ARRAYS}
    return replace(playouts, **arrays)


def same(a, b):
    counts = all(np.array_equal(x, y) and x.dtype == y.dtype for x, y in zip(a.counts, b.counts, strict=True))
    return counts and np.array_equal(a.spans, b.spans)


@pytest.fixture(scope="module")
def playouts():
    return play()


@pytest.fixture(scope="module")
def tallies(playouts):
    return tally(playouts)


def frame_of(playouts):
    frame = playouts.to_pandas()
    frame["entry"] = playouts.entry.ravel()
    frame["group"] = frame.deal % GROUPS
    frame["sixtieths"] = (frame.win_share * 60).round().astype(int)
    return frame


def by_seat(frame, values):
    """Sums by group, entry and seat as an array."""
    sums = values.groupby([frame.group, frame.entry, frame.seat]).sum()
    out = np.zeros((GROUPS, 3, 3), np.int64)
    out[tuple(np.array(sums.index.to_list()).T)] = sums
    return out


def test_tally__sums_are_those_of_the_playouts(playouts, tallies):
    frame, counts = frame_of(playouts), tallies.counts
    won = frame.sixtieths
    score = frame.score.astype(int)
    assert np.array_equal(counts.games, by_seat(frame, won * 0 + 1))
    assert np.array_equal(counts.sixtieths, by_seat(frame, won))
    assert np.array_equal(counts.score, by_seat(frame, score))
    assert np.array_equal(counts.score_squares, by_seat(frame, score**2))
    assert np.array_equal(counts.score_sixtieths, by_seat(frame, score * won))
    for k, source in enumerate(playouts.sources):
        points, pieces = frame[source].astype(int), frame[f"{source}_pieces"].astype(int)
        assert np.array_equal(counts.points[..., k], by_seat(frame, points))
        assert np.array_equal(counts.pieces[..., k], by_seat(frame, pieces))
        assert np.array_equal(counts.points_sixtieths[..., k], by_seat(frame, points * won))


def test_tally__histograms_are_those_of_the_playouts(playouts, tallies):
    frame, counts = frame_of(playouts), tallies.counts
    for value in range(40):
        assert np.array_equal(counts.score_bins[..., value - SCORE_LOWEST], by_seat(frame, frame.score == value))
        for k, source in enumerate(playouts.sources):
            points = by_seat(frame, frame[source] == value).sum(2)
            pieces = by_seat(frame, frame[f"{source}_pieces"] == value).sum(2)
            assert np.array_equal(counts.points_bins[:, :, k, value - LOWEST], points)
            assert np.array_equal(counts.pieces_bins[:, :, k, value - LOWEST], pieces)
    assert not counts.clipped.any()


def test_tally__games_by_group(playouts, tallies):
    group = playouts.deal % GROUPS
    ties = (playouts.share > 0).sum(1) > 1
    for name, values in [
        ("playouts", np.ones(len(playouts), int)),
        ("decisions", playouts.decisions),
        ("options", playouts.options),
        ("forced", playouts.forced),
        ("ties", ties),
        ("lead", leads(playouts)),
    ]:
        assert np.array_equal(getattr(tallies.counts, name), np.bincount(group, values, GROUPS))
    for value in range(40):
        assert np.array_equal(
            tallies.counts.lead_bins[:, value - LOWEST], np.bincount(group, leads(playouts) == value, GROUPS)
        )
    assert len(tallies) == len(playouts)
    assert ties.any()


def test_add__any_order_and_cut_gives_the_same_arrays(playouts, tallies):
    cuts = [rows(playouts, slice(a, b)) for a, b in [(500, 900), (0, 1), (1, 300), (300, 500)]]
    added = Tallies.empty(playouts)
    for part in cuts:
        assert added.add(part) is added
    assert same(added, tallies)
    assert same(tally(rows(playouts, np.random.default_rng(1).permutation(900))), tallies)


def test_add__ranges_of_deals_equal_one_call(tallies):
    second, first = play(360, first_deal=180), play(540)
    assert same(tally(first) + tally(second), tallies)
    assert same(tally(second) + tally(first), tallies)


def test_add__leaves_its_operands_alone(playouts):
    a, b = tally(playouts), tally(playouts)
    total = a + b
    assert len(total) == 1800
    assert len(a) == len(b) == 900


@pytest.mark.parametrize(
    ("other", "name"),
    [
        ({"seed": 6}, "seed"),
        ({"rules": {"trio_points": 6}}, "rules"),
        ({"lineup": ["random"] * 3}, "policies"),
        ({"seats": "fixed"}, "seats"),
        ({"variant": "winter"}, "variant"),
    ],
)
def test_add__refuses_what_was_played_otherwise(tallies, other, name):
    different = play(30, **other)
    with pytest.raises(ValueError, match=f"differ in {name}"):
        tallies.add(different)
    with pytest.raises(ValueError, match=f"differ in {name}"):
        tallies + tally(different)


def test_add__takes_arrays_of_any_layout(playouts, tallies):
    frozen = playouts.points.copy()
    frozen.flags.writeable = False
    odd = replace(playouts, points=frozen, score=np.asfortranarray(playouts.score))
    assert same(tally(odd), tallies)


def test_tally__clipped_values_are_counted_at_the_edges(playouts):
    score, points = playouts.score.copy(), playouts.points.copy()
    score[0, 0], points[0, 0, 0], points[1, 1, 1] = 500, -100, LOWEST + BINS
    counts = tally(replace(playouts, score=score, points=points)).counts
    assert counts.clipped.tolist() == [1, 2, 0]
    assert counts.score_bins[..., -1].sum() == 1
    assert counts.points_bins[..., 0, 0].sum() == 1
    assert counts.score.sum() == score.sum(dtype=int)


def test_from_arrays__is_the_way_back(tallies):
    meta = json.loads(json.dumps(tallies.meta()))
    back = Tallies.from_arrays(meta, tallies.arrays())
    assert same(back, tallies)
    assert back.meta() == tallies.meta()
    assert back.rules.record.tobytes() == tallies.rules.record.tobytes()
    assert len(back + tallies) == 2 * len(tallies)


def test_from_arrays__keeps_variant_and_overrides():
    made = tally(play(30, variant="winter", rules={"pyramid_points.0": 3}))
    back = Tallies.from_arrays(json.loads(json.dumps(made.meta())), made.arrays())
    assert back.variant == back.rules.variant == "winter"
    assert back.rules.values == made.rules.values
    assert back.rules.changed == made.rules.changed


def test_arrays__are_small_and_whole_again(tallies):
    stored = tallies.arrays()
    assert sum(array.nbytes for array, _ in stored.values()) < sum(array.nbytes for array in tallies.counts) / 10
    for name in KINDS:
        inside, whole = stored[f"{name}_bins"].array, getattr(tallies.counts, f"{name}_bins")
        assert inside.sum() == whole.sum()
        used = np.flatnonzero(whole.any((0, 1, 2)))
        assert tallies.spans[list(KINDS).index(name)].tolist() == [used[0], used[-1] + 1]


@pytest.mark.parametrize(
    ("values", "dtype"),
    [([0, 255], "u1"), ([0, 256], "u2"), ([-1, 127], "i1"), ([-1, 128], "i2"), ([0, 2**40], "i8")],
)
def test_pack__takes_the_smallest_type(values, dtype):
    packed = pack(np.array(values, np.int64))
    assert packed.array.dtype == dtype
    assert unpack(packed, (2,), np.int64, is_part=False).tolist() == values


def test_pack__of_no_games_is_empty(playouts):
    empty = Tallies.empty(playouts)
    back = Tallies.from_arrays(empty.meta(), empty.arrays())
    assert same(back, empty)
    assert same(back.add(playouts), tally(playouts))


def test_from_arrays__refuses_what_does_not_fit(tallies):
    meta, arrays = tallies.meta(), tallies.arrays()
    old = {**meta, "rules": {**meta["rules"], "version": 0}}
    for bad_meta, bad_arrays, message in [
        ({k: v for k, v in meta.items() if k != "seed"}, arrays, "meta: no 'seed'"),
        (meta, {k: v for k, v in arrays.items() if k != "ties"}, "arrays: no 'ties'"),
        (meta, {**arrays, "tie": arrays["ties"]}, "'tie' is not known; did you mean 'ties'"),
        (meta, {**arrays, "ties": Packed(arrays["ties"].array[1:])}, "'ties' must be integers of shape"),
        (meta, {**arrays, "ties": Packed(arrays["ties"].array / 2)}, "'ties' must be integers of shape"),
        (old, arrays, "version 0 of the rules"),
    ]:
        with pytest.raises(ValueError, match=message):
            Tallies.from_arrays(bad_meta, bad_arrays)


def test_tallies__five_players_and_twelve_sources_stay_small():
    assert sum(8 * int(np.prod(shape)) for shape in shapes(5, 12, 8)) < 60e6


def test_tallies__show_themselves(tallies):
    assert repr(tallies).startswith("Tallies(draftosaurus summer, 3 players, 900 games, seats rotate, seed 5;")
    assert "greedy" in tallies._repr_html_()
    assert "no games" in repr(Tallies.empty(tallies))
    assert "no games" in Tallies.empty(tallies)._repr_html_()
