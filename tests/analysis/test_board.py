import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

import analysis
import engine
from analysis import plots
from analysis.plots.boards import ink

matplotlib.use("Agg")


@pytest.fixture(autouse=True)
def close():
    yield
    plt.close("all")


def labels(ax):
    """The words drawn on a board."""
    return [patch.get_label() for patch in ax.patches if not patch.get_label().startswith("_")]


def told(game, variant=None, players=3, policy="random"):
    return engine.replay(game, [policy] * players, 5, 0, variant=variant, seats="fixed")


CASES = [
    ("draftosaurus", "summer", 2),
    ("draftosaurus", "winter", 5),
    ("draftosaurus", "both", 2),
    ("sauros", "standard", 2),
    ("sauros", "midnight", 6),
    ("dino_museum", "reference", 4),
    ("dino_museum", "small", 2),
]


@pytest.mark.parametrize(("game", "variant", "players"), CASES)
def test_board__draws_every_game_at_every_step_inside_its_axes(game, variant, players):
    game_told = told(game, variant, players)
    for step in (0, len(game_told.rows) // 2, len(game_told.rows), None):
        ax = plots.board(game_told, seat=players - 1, step=step)
        (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
        for patch in ax.patches:
            extents = patch.get_path().get_extents(patch.get_patch_transform())
            assert left <= extents.x0 <= extents.x1 <= right, patch.get_label()
            assert bottom <= extents.y0 <= extents.y1 <= top, patch.get_label()


@pytest.mark.parametrize("variant", ["summer", "winter"])
def test_board__shows_every_dinosaur_of_a_zoo_and_the_points(variant):
    game_told = told("draftosaurus", variant, 4)
    state = game_told.states[-1]
    for seat in range(4):
        words = labels(plots.board(game_told, seat=seat))
        drawn = sum(words.count(short) for short in ("Rex", "Tri", "Spi", "Ste", "Par", "Bra")) - 6  # the legend
        assert drawn == state.zoo[seat].sum() == 12
        trio = game_told.result.points[
            0, seat, game_told.result.sources.index("trio" if variant == "summer" else "wood")
        ]
        assert f"{'Woody Trio' if variant == 'summer' else 'Well-Ordered Wood'}: {trio}" in words


def test_board__shows_the_last_mat_of_sauros():
    game_told = told("sauros", None, 3)
    state = game_told.states[len(game_told.rows) - 1]
    ax = plots.board(game_told, seat=1)
    words = labels(ax)
    for tile in state.tile[1]:
        if 0 <= tile < 40:
            assert str(tile % 10) in words
    assert any("points of the game" in word for word in words)


def test_board__shows_what_lies_in_a_museum():
    game_told = told("dino_museum", None, 2, "greedy")
    words = labels(plots.board(game_told))
    lying = (game_told.states[-1].museum[0] > 0).sum()
    assert lying > 0
    assert sum(word in ("dinosaur", "fossil", "research", "visitor") for word in words) == 18 - lying
    assert f"dinosaurs: {game_told.result.points[0, 0, 0]}" in words


def test_board__takes_a_state_and_knows_its_game():
    game_told = told("draftosaurus")
    for state in (game_told.states[20], game_told.states[20:21]):
        assert labels(plots.board(state, seat=2)) == labels(plots.board(game_told, seat=2, step=20))


def test_board__says_what_is_wrong():
    game_told = told("draftosaurus")
    with pytest.raises(ValueError, match="seat must be from 0 to 2, not 3"):
        plots.board(game_told, seat=3)
    with pytest.raises(ValueError, match="step must be from 0 to"):
        plots.board(game_told, step=1000)
    with pytest.raises(TypeError, match=r"what must be a transcript .* not int"):
        plots.board(3)
    with pytest.raises(TypeError, match="what must be a transcript"):
        plots.board(np.zeros(1, [("a", "i8")]))


def test_board__draws_on_the_axes_given_and_leaves_settings_alone():
    before = dict(matplotlib.rcParams)
    ax = plt.figure().add_subplot()
    assert plots.board(told("sauros"), ax=ax, title="A mat") is ax
    assert ax.get_title(loc="left") == "A mat"
    assert dict(matplotlib.rcParams) == before


def test_text__is_shrunk_to_its_width():
    ax = plt.figure().add_subplot()
    ink.text(ax, 0, 0, "a rather long name of a pen", 1.0, width=2.0)
    assert ax.patches[0].get_path().get_extents().width == pytest.approx(2.0)


# ---------------------------------------------------------------------------------------------------------
# Which source fills when
# ---------------------------------------------------------------------------------------------------------
def test_fill_times__adds_up_to_the_pieces_of_the_game():
    lineup = ["greedy", "random", "random"]
    frame = analysis.fill_times(engine.transcripts("draftosaurus", lineup, 12, 3))
    play = engine.simulate("draftosaurus", lineup, 12, 3)
    values = analysis.source_values(play)
    placed = frame[frame.quantity == "placed"].groupby(["policy", "source"]).estimate.sum()
    final = frame[(frame.quantity == "placed_so_far") & (frame.moment == 12)].set_index(["policy", "source"]).estimate
    for row in values[values.quantity == "pieces"].itertuples():
        assert placed[row.policy, row.source] == pytest.approx(row.estimate)
        assert final[row.policy, row.source] == pytest.approx(row.estimate)
    pens = frame[(frame.quantity == "placed") & (frame.source != "t_rex")]
    assert np.allclose(pens.groupby(["policy", "moment"]).estimate.sum(), 1)  # one dinosaur a turn
    assert set(frame.moment) == set(range(1, 13))
    assert set(frame.n) == {12, 24}
    assert set(frame.clusters) == {4}


def test_fill_times__has_the_move_out_of_quarantine_after_the_last_turn():
    frame = analysis.fill_times(engine.transcripts("draftosaurus", ["greedy"] * 2, 10, 3, variant="winter"))
    assert set(frame.moment) == set(range(1, 14))


@pytest.mark.parametrize(("game", "rounds"), [("sauros", 4), ("dino_museum", 5)])
def test_fill_times__counts_rounds(game, rounds):
    frame = analysis.fill_times(engine.transcripts(game, ["greedy"] * 4, 3, 3))
    assert set(frame.moment) == set(range(1, rounds + 1))
    assert (frame.low <= frame.estimate + 1e-12).all()


def test_fill_times__does_not_depend_on_the_order_of_games():
    told_ = list(engine.transcripts("draftosaurus", ["greedy", "random"], 12, 3))
    mixed = told_[::2] + told_[1::2]
    pd.testing.assert_frame_equal(analysis.fill_times(mixed), analysis.fill_times(told_))
    with pytest.raises(ValueError, match="one seed"):
        analysis.fill_times([*told_, *engine.transcripts("draftosaurus", ["greedy", "random"], 2, 4)])


def test_fill_times__refuses_what_it_cannot_count():
    with pytest.raises(ValueError, match="no games"):
        analysis.fill_times([])
    with pytest.raises(TypeError, match=r"such as engine\.transcripts\(.*\), and one of these is of type int"):
        analysis.fill_times([3])
    with pytest.raises(TypeError, match=r"such as engine.transcripts\(.*\), not one Playouts"):
        analysis.fill_times(engine.simulate("draftosaurus", ["random"] * 2, 2, 1))
    with pytest.raises(TypeError, match=r"such as engine.transcripts\(.*\), not one Transcript"):
        analysis.fill_times(told("draftosaurus"))
    with pytest.raises(ValueError, match="one line-up"):
        analysis.fill_times([told("draftosaurus"), told("draftosaurus", policy="greedy")])


def test_fill_times__is_drawn_as_a_heat_map():
    frame = analysis.fill_times(engine.transcripts("draftosaurus", ["greedy", "random"], 8, 3))
    with pytest.raises(ValueError, match="choose policy"):
        plots.fill_times(frame)
    ax = plots.fill_times(frame, policy="greedy", title="When")
    assert ax.images[0].get_array().shape == (8, 12)
    assert ax.get_title(loc="left") == "When"
    assert ax.get_yticklabels()[0].get_text() == "forest"
    plots.fill_times(frame, policy="random", quantity="placed_so_far", ax=plt.figure().add_subplot())
