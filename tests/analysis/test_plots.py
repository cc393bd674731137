import matplotlib
import matplotlib.pyplot as plt
import pandas as pd
import pytest

import analysis
import engine
from analysis import plots
from analysis.plots import style

matplotlib.use("Agg")


def play(lineup):
    return engine.simulate("draftosaurus", lineup, 4000, 3)


@pytest.fixture(scope="module")
def frames():
    mixed = play(["greedy", "random", "random"])
    seats = {n: analysis.seat_advantage(play(["random"] * n)) for n in (2, 3, 4)}
    return {
        "win_rates": analysis.win_rates(mixed),
        "by_both": analysis.win_rates(mixed, "both"),
        "source_values": analysis.source_values(mixed),
        "source_distribution": analysis.source_distribution(mixed),
        "score_distribution": analysis.score_distribution(mixed),
        "seat_advantage": pd.concat(seats, names=["players"]).reset_index(level=0),
    }


DRAW = {
    "win_rates": plots.win_rates,
    "source_values": plots.source_values,
    "source_distribution": lambda frame, **k: plots.source_distribution(frame, policy="greedy", **k),
    "score_distribution": plots.score_distribution,
    "seat_advantage": plots.seat_advantage,
}


@pytest.fixture(autouse=True)
def close():
    yield
    plt.close("all")


def texts(ax):
    ax.figure.canvas.draw()
    return {text.get_text() for text in ax.findobj(matplotlib.text.Text)}


@pytest.mark.parametrize("name", DRAW)
def test_plot__gives_axes_without_a_title_and_shows_nothing(frames, name, monkeypatch):
    monkeypatch.setattr(plt, "show", lambda *a, **k: pytest.fail("show was called"))
    ax = DRAW[name](frames[name])
    assert ax.get_title(loc="left") == ax.get_title() == ""
    assert DRAW[name](frames[name], title="A title").get_title(loc="left") == "A title"


@pytest.mark.parametrize("name", DRAW)
def test_plot__draws_on_the_axes_given_and_leaves_settings_alone(frames, name):
    before = dict(matplotlib.rcParams)
    ax = plt.figure().add_subplot()
    assert DRAW[name](frames[name], ax=ax) is ax
    assert dict(matplotlib.rcParams) == before


@pytest.mark.parametrize("name", DRAW)
def test_plot__scale_makes_all_of_it_larger(frames, name):
    page, slide = DRAW[name](frames[name]), DRAW[name](frames[name], scale=2)
    assert slide.figure.get_size_inches() == pytest.approx(2 * page.figure.get_size_inches())
    assert page.figure.get_size_inches()[0] == 6.5
    assert slide.xaxis.label.get_size() == 2 * page.xaxis.label.get_size() == 18


def assert_legible(ax):
    """All text lies inside the picture, and none on other text."""
    ax.figure.canvas.draw()
    drawn = [ax.title, ax._left_title, ax.xaxis.label, ax.yaxis.label, *ax.texts, *ax.get_yticklabels()]
    left, right = ax.get_xlim()
    drawn += [t for x, t in zip(ax.get_xticks(), ax.get_xticklabels(), strict=True) if left <= x <= right]
    boxes = [t.get_window_extent() for t in drawn if t.get_text()]
    if ax.get_legend():
        boxes.append(ax.get_legend().get_window_extent())
    for box in boxes:
        assert box.x0 >= -1
        assert box.x1 <= ax.figure.bbox.x1 + 1
        assert box.y0 >= -1
        assert box.y1 <= ax.figure.bbox.y1 + 1
    for i, one in enumerate(boxes):
        for other in boxes[:i]:
            assert not one.shrunk(0.9, 0.8).overlaps(other)


@pytest.mark.parametrize("name", DRAW)
@pytest.mark.parametrize("scale", [1, 2])
def test_plot__text_stays_inside_and_apart(frames, name, scale):
    assert_legible(DRAW[name](frames[name], title="A title", scale=scale))


@pytest.mark.parametrize("draw", [plots.source_values, plots.score_distribution])
def test_plot__takes_many_policies_with_long_names(frames, draw):
    frame = frames["source_values" if draw is plots.source_values else "score_distribution"]
    mine = frame[frame.policy == "greedy"]
    many = pd.concat([mine.assign(policy=f"a/very/long/path/to/my_policies.py:forest_rusher_{i}") for i in range(5)])
    assert_legible(draw(many, title="A title"))


@pytest.mark.parametrize("name", DRAW)
def test_plot__refuses_several_cells_and_other_frames(frames, name):
    frame = frames[name]
    with pytest.raises(ValueError, match=r"several rows for .*; select one cell of the study first"):
        DRAW[name](pd.concat([frame, frame]))
    with pytest.raises(ValueError, match="frame lacks a column: 'estimate'"):
        DRAW[name](frame.drop(columns="estimate"))
    with pytest.raises(ValueError, match="frame has no rows"):
        DRAW[name](frame.iloc[:0])


@pytest.mark.parametrize("name", DRAW)
def test_to_svg__is_the_same_bytes_each_time(frames, name):
    one, two = (style.to_svg(DRAW[name](frames[name]).figure, title="Shares <1>") for _ in range(2))
    assert one == two
    assert one.startswith("<svg")
    assert "<dc:date>" not in one
    assert "Shares &lt;1&gt;" in one
    assert not plt.get_fignums()


def test_win_rates__best_first_with_interval_and_even_share(frames):
    ax = plots.win_rates(frames["win_rates"], players=3)
    assert [label.get_text() for label in ax.get_yticklabels()] == ["greedy", "random"]
    best = frames["win_rates"].iloc[0]
    (interval,) = [c.get_segments() for c in ax.collections]
    assert interval[0][:, 0].tolist() == [best.low, best.high]
    assert any("33.33 %" in text for text in texts(ax))


def test_win_rates__by_policy_and_seat(frames):
    ax = plots.win_rates(frames["by_both"])
    assert {"1st seat", "2nd seat", "3rd seat"} <= texts(ax)
    assert len(ax.collections) == 3


def test_seat_advantage__groups_players_and_marks_the_first_seat(frames):
    ax = plots.seat_advantage(frames["seat_advantage"], quantity="score")
    assert {"2 players", "3 players", "4 players", "1st", "4th"} <= texts(ax)
    first = [line for line in ax.lines if line.get_color() == style.PALETTE[1]]
    assert len(first) == 3
    with pytest.raises(ValueError, match="quantity 'points' is not known"):
        plots.seat_advantage(frames["seat_advantage"], quantity="points")


def test_source_values__sources_in_order_and_zero_line(frames):
    frame = frames["source_values"]
    ax = plots.source_values(frame, quantity="winners_minus_rest")
    assert [label.get_text() for label in ax.get_yticklabels()][:2] == ["forest", "trio"]
    assert {"greedy", "random"} <= texts(ax)
    with pytest.raises(ValueError, match="quantity 'worth' is not known"):
        plots.source_values(frame, quantity="worth")


def test_source_distribution__shows_zero_and_the_mean(frames):
    frame, values = frames["source_distribution"], frames["source_values"]
    ax = plots.source_distribution(frame, policy="random", values=values)
    mine = frame[(frame.policy == "random") & (frame.source == "trio")]
    heights = sorted(bar.get_height() for bar in ax.patches if bar.get_y() == 6)
    assert len(heights) == (mine.estimate > 0).sum() == 2
    assert heights[1] / heights[0] == pytest.approx(mine.estimate.max() / mine[mine.estimate > 0].estimate.min())
    assert f"{100 * mine.estimate.max():.0f}" in texts(ax)
    means = [line.get_xdata()[0] for line in ax.lines if line.get_marker() == "D"]
    assert means == values[(values.policy == "random") & (values.quantity == "points")].estimate.to_list()[::-1]


def test_source_distribution__asks_which_policy(frames):
    with pytest.raises(ValueError, match="choose policy= of "):
        plots.source_distribution(frames["source_distribution"])
    with pytest.raises(ValueError, match="policy 'gredy' is not known; did you mean 'greedy'"):
        plots.source_distribution(frames["source_distribution"], policy="gredy")


@pytest.mark.parametrize("name", [name for name in plots.__all__ if name != "board"])
def test_plot__of_what_is_no_frame_says_what_is_wanted(name):
    with pytest.raises(TypeError, match="frame must be a DataFrame of the metric that is drawn, not NoneType"):
        getattr(plots, name)(None)


def test_colours__never_alike():
    look = style.colours(range(40))
    assert len(set(look.values())) == 40
