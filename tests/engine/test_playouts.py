"""Result arrays and the tidy table."""

import numpy as np
import pytest

import engine


def play(games=30, seed=2, **options):
    lineup = ["random", "random", engine.entry("random", random=0.5, label="half")]
    return engine.simulate("draftosaurus", lineup, games, seed, **options)


def test_playouts__have_the_documented_dtypes_and_shapes():
    result = play()
    shapes = {
        "score": ("int16", (30, 3)),
        "points": ("int16", (30, 3, 8)),
        "pieces": ("int16", (30, 3, 8)),
        "facts": ("int16", (30, 3, 2)),
        "share": ("float32", (30, 3)),
        "entry": ("int16", (30, 3)),
        "deal": ("int64", (30,)),
        "decisions": ("int32", (30,)),
        "options": ("int32", (30,)),
        "forced": ("int32", (30,)),
    }
    for name, (dtype, shape) in shapes.items():
        array = getattr(result, name)
        assert (str(array.dtype), array.shape) == (dtype, shape), name
    assert result.sources == ("forest", "trio", "king", "prairie", "meadow", "island", "river", "t_rex")
    assert result.policies == ("random", "random", "half")
    assert (result.pieces[:, :, :7].sum(axis=2) == 12).all()


def test_to_pandas__is_tidy():
    result = play(first_deal=4)
    frame = result.to_pandas()
    assert list(frame.columns[:6]) == ["game", "deal", "seat", "policy", "score", "win_share"]
    assert list(frame.columns[6:8]) == ["forest", "trio"]
    assert "forest_pieces" in frame.columns
    assert len(frame) == 90
    assert frame["game"].iloc[0] == 12
    assert (frame.groupby("game")["win_share"].sum().round(5) == 1).all()
    assert (frame[list(result.sources)].sum(axis=1) == frame["score"]).all()
    assert set(frame.loc[frame["policy"] == "half", "seat"]) == {0, 1, 2}


def test_join__refuses_what_does_not_belong_together():
    with pytest.raises(ValueError, match="parts differ in seed: 2 and 3"):
        engine.Playouts.join([play(), play(seed=3)])
    with pytest.raises(ValueError, match="parts differ in rules"):
        engine.Playouts.join([play(), play(rules={"trio_points": 1})])


def test_repr__says_who_won_how_often_with_an_interval():
    assert "half" in repr(play())
    assert "±" in repr(play())
    html = play()._repr_html_()
    assert "<table>" in html
    assert "half" in html


def test_win_shares__errors_are_clustered_by_deal():
    result = play(games=3000)
    by_hand = {}
    for label in ("random", "half"):
        mine = np.isin(result.entry, [i for i, x in enumerate(result.policies) if x == label])
        won = np.array([(result.share * mine)[result.deal == d].sum() for d in range(1000)])
        sat = mine.sum() / 1000
        by_hand[label] = (won.mean() / sat, won.std(ddof=1) / np.sqrt(1000) / sat)
    for label, mean, error in result.win_shares():
        assert (mean, error) == pytest.approx(by_hand[label], rel=1e-5)
