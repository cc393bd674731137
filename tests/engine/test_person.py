"""A person at the table: the same games as everybody's, and no more shown than the seat may know."""

import re
from functools import cache

import numpy as np
import pytest

import engine
from engine.person import play_with
from engine.transcript import legal_actions

GAMES = engine.games()
SEED = 3
OTHER_STREAM = np.array([12345, 6789 | 1], np.uint64)


def tables(game):
    found = engine.load_game(game)
    return [
        (variant, seats) for variant in engine.variants(found) for seats in range(found.seats[0], found.seats[1] + 1)
    ]


CASES = [(game, variant, seats) for game in GAMES for variant, seats in tables(game)]


@cache
def told(game, variant, seats):
    return engine.replay(game, ["random"] * seats, SEED, 0, variant=variant, seats="fixed")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seat", [0, 1])
def test_play_with__a_person_who_does_as_the_policy_did_has_the_replayed_game(game, seat):
    found = engine.load_game(game)
    reference = told(game, None, found.seats[0] + 1)
    mine = [int(row["action"]) for row in reference.rows if row["seat"] == seat]
    seen = []

    def ask(position):
        assert position.seat == position.states[-1].mover == seat
        assert position.actions == legal_actions(reference.legal[len(position.rows)])
        for name in set(found.state.names) - {"own"}:  # the person draws nothing from its stream
            assert np.array_equal(position.states[name], reference.states[name][: len(position.states)])
        seen.append(len(position.rows))
        return mine[len(seen) - 1]

    played = play_with(ask, game, ["random"] * found.seats[0], seat=seat, seed=SEED)
    assert np.array_equal(played.rows, reference.rows)
    assert np.array_equal(played.result.points, reference.result.points)
    assert played.result.policies[seat] == "you"
    assert seen == list(np.flatnonzero(reference.rows["seat"] == seat))


def test_play_with__raises_what_the_person_raises_and_refuses_other_actions():
    def interrupt(position):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play_with(interrupt, "draftosaurus", ["random"])
    with pytest.raises(ValueError, match=r"action must be one of .*, not 63"):
        play_with(lambda position: 63, "draftosaurus", ["random"])
    with pytest.raises(ValueError, match="seat must be from 0 to 1, not 2"):
        play_with(lambda position: 0, "draftosaurus", ["random"], seat=2)
    with pytest.raises(ValueError, match="takes 2 to 5 players, not 6"):
        play_with(lambda position: 0, "draftosaurus", ["random"] * 5)


def redealt(plan, state, seat):
    """A copy in which everything that the seat cannot know is drawn again."""
    copy = np.frombuffer(bytearray(state.tobytes()), state.dtype)
    copy[0].own[seat] = OTHER_STREAM
    plan.game.functions["redeal"](copy[0], plan.rules.record[0], seat)
    return copy[0]


@pytest.mark.parametrize(("game", "variant", "seats"), CASES)
def test_view__shows_what_the_seat_knows_and_no_more(game, variant, seats):
    reference = told(game, variant, seats)
    plan, text = reference.plan, reference.plan.game.text
    for i in range(0, len(reference.rows), 5):
        state, seat = reference.states[i], int(reference.rows[i]["seat"])
        other = redealt(plan, reference.states[i : i + 1], seat)
        assert text.view(state, plan.rules, seat) == text.view(other, plan.rules, seat)
        words = [text.action_words(state, plan.rules, a) for a in legal_actions(reference.legal[i])]
        assert words == [text.action_words(other, plan.rules, a) for a in legal_actions(reference.legal[i])]
        named = [word for word in words if "T-Rex" not in word]  # Sauros has two that are alike
        assert len(set(named)) == len(named)


@pytest.mark.parametrize(("game", "variant", "seats"), CASES)
def test_news__tells_everything_at_last_and_no_hand_of_another(game, variant, seats):
    reference = told(game, variant, seats)
    plan, text = reference.plan, reference.plan.game.text
    says = [
        text.news(reference.states[i], reference.states[i + 1], plan.rules, row, 0)
        for i, row in enumerate(reference.rows)
    ]
    assert any(says)
    assert not re.search(r"seat [1-9] +holds", "\n".join(says))


def test_news__of_draftosaurus_is_silent_until_all_have_chosen():
    reference = told("draftosaurus", "winter", 3)
    plan = reference.plan
    for i, row in enumerate(reference.rows):
        before, after = reference.states[i], reference.states[i + 1]
        says = plan.game.text.news(before, after, plan.rules, row, 0)
        assert bool(says) == (after.turn != before.turn or bool(after.over))
        if says and before.turn < 12:
            assert says.count("places") == 3


@pytest.mark.parametrize(("game", "variant", "seats"), CASES)
def test_moment__never_goes_back(game, variant, seats):
    reference = told(game, variant, seats)
    moments = reference.plan.game.text.moment(reference.states)
    assert moments[0] == 0
    assert (np.diff(moments) >= 0).all()
