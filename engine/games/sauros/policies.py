"""Policies of Sauros: how to take tricks, which tiles to want, where to put them."""

from engine import bits, rng
from engine.games.sauros.choices import (
    beats_all,
    chance_to_hold,
    die_value,
    exchange_value,
    has_room,
    pair_value,
    place_value,
    remove_value,
    reward_value,
    sign_value,
    trick_value,
)
from engine.games.sauros.names import (
    DISCARD,
    EXCHANGE,
    MIDNIGHT,
    N_SUIT_TILES,
    PER_SUIT,
    PLACE,
    PLAY,
    REMOVE,
    REWARD,
    STOP,
    TAKE_TRUMP,
)
from engine.games.sauros.values import taste, tile_gain, tile_value, worth_now
from engine.jit import compiled
from engine.policy import heuristic, policy

GAME = "sauros"


@compiled
def other_value(state, rules, action, w, wants_to_win):
    """The value of an action of the smaller decisions: EXCHANGE, MIDNIGHT, SIGN, DISCARD, REMOVE."""
    if state.phase == EXCHANGE:
        return exchange_value(state, rules, action, w)
    if state.phase == MIDNIGHT:
        return die_value(state, rules, action, wants_to_win)
    if state.phase == REMOVE:
        return remove_value(state, rules, action, w)
    if state.phase == DISCARD:
        return 0.0
    return sign_value(state, rules, action, wants_to_win)


@compiled
def plain_value(state, rules, action, w):
    """Tricks, rewards and placements by what they add to the mat as `w` counts it."""
    if state.phase == PLACE:
        return place_value(state, rules, action, w)
    if state.phase == PLAY:
        return trick_value(state, rules, action, w)
    if state.phase == REWARD:
        return reward_value(state, rules, action, w)
    return other_value(state, rules, action, w, has_room(state, rules, state.mover))


@policy(GAME)
def random(state, rules, legal, weights):
    """Plays a uniformly random legal action."""
    return bits.select(legal, rng.below(state, bits.count(legal)))


@heuristic(GAME, weights=taste())
def greedy(state, rules, action, weights):
    """Takes the most points at once.

    Plays to win when the second tile is worth having, picks the reward and the cell that pay most, sets aside
    what is worth less than the average tile. Source: the plain reading of the scoring rules.
    """
    return plain_value(state, rules, action, weights)


@heuristic(GAME, weights=taste(strength=2.0))
def trump_taker(state, rules, action, weights):
    """Wins every trick it can with the strongest tile it has, and always takes the trump tile.

    Source: the habit of trick-taking games, where tricks are what counts.
    """
    if state.phase == REWARD:
        return 1.0 if action == TAKE_TRUMP else 0.0
    if state.phase == PLAY:
        strength = action % PER_SUIT if action < N_SUIT_TILES else 0
        if not beats_all(state, rules, state.mover, action, strength):
            return -1.0 - 0.1 * strength
        return chance_to_hold(state, rules, action, weights)
    return plain_value(state, rules, action, weights)


@heuristic(GAME, weights=taste(strength=-1.0))
def ducker(state, rules, action, weights):
    """Never wins a trick if it can help it, and lays the tile that pays most among those that lose.

    A tile that loses comes home unless the winner takes it, so it builds its mat from its own hand.
    """
    if state.phase == PLAY:
        base = worth_now(state, rules, state.mover, weights)
        value = tile_gain(state, rules, state.mover, action, base, weights)
        strength = action % PER_SUIT if action < N_SUIT_TILES else 0
        return value - (100.0 if beats_all(state, rules, state.mover, action, strength) else 0.0)
    if state.phase == PLACE or state.phase == REWARD:
        return plain_value(state, rules, action, weights)
    return other_value(state, rules, action, weights, False)


@heuristic(GAME, weights=taste(egg=3.0, bones=1.5, bone_room=0.3, strength=0.5))
def egg_hoarder(state, rules, action, weights):
    """Collects eggs, to have the most of them, and bones to put beside them; as greedy else."""
    return plain_value(state, rules, action, weights)


@heuristic(GAME, weights=taste(footprints=1.5, foot_room=2.5, dinos=0.8))
def footprint_pairer(state, rules, action, weights):
    """Puts footprints in pairs: a lone one is worth keeping a cell free beside it, a third one to be avoided."""
    return plain_value(state, rules, action, weights)


@heuristic(GAME, weights=taste(hold=-2.0, cell=0.5))
def tidy_packer(state, rules, action, weights):
    """Leaves nothing in reserve: places whatever fits, and stops winning when its cells run out."""
    if state.phase == PLACE:
        n_held = bits.count(state.filled[state.mover])
        return place_value(state, rules, action, weights) - (3.0 * n_held if action == STOP else 0.0)
    if state.phase == PLAY and not has_room(state, rules, state.mover):
        strength = action % PER_SUIT if action < N_SUIT_TILES else 0
        wins = beats_all(state, rules, state.mover, action, strength)
        return -tile_value(rules, action, weights) - (10.0 if wins else 0.0)
    return plain_value(state, rules, action, weights)


@heuristic(
    GAME,
    weights=taste(egg=1.8, dino_room=0.4, bone_room=0.4, foot_room=1.5, cell=0.5, win=0.5, eager=0.2, spite=0.3),
)
def planner(state, rules, action, weights):
    """Looks at both tiles before it places the first, and counts what groups may still become.

    A group beside a free cell, an odd group of footprints and the cells beside a bone are promises; a reward is
    also worth what it keeps from its owner.
    """
    if state.phase == PLACE:
        return pair_value(state, rules, action, weights)
    return plain_value(state, rules, action, weights)
