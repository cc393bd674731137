"""What a seat of Draftosaurus can imagine: all that it does not know, drawn again."""

import numpy as np

from engine import bits, rng
from engine.games.draftosaurus.moves import legal_boxes, legal_places, legal_relocations
from engine.games.draftosaurus.names import DEAL, N_SPECIES, N_TURNS, QUARANTINE, RELOCATE
from engine.games.draftosaurus.state import draw_bag, hand_size, held, one, roll_dice
from engine.jit import compiled


@compiled
def unseen(state, rules, seat, pool):
    """Fill `pool` (int8, modified) with the dinosaurs that a seat has not seen, sorted; their number (D37)."""
    n = np.int64(0)
    for k in range(N_SPECIES):
        left = rules.bag[state.seats, k] - held(state.hand[seat], k)
        for s in range(state.seats):
            left -= state.owned[s, k]
            if s == seat or not rules.box_hidden:
                left -= state.boxed[s, k]
        for _ in range(left):
            pool[n] = k
            n += 1
    return n


@compiled
def redeal(state, rules, seat):
    """Draw again what `seat` cannot know: other hands, hidden boxes, the bag, dice to come, secret choices.

    Hands go round, but policies remember none (D37), so any split of the unseen dinosaurs is possible.
    """
    rng.imagine_streams(state, seat)
    game = state.game
    pool = state.bag[game]
    n = unseen(state, rules, seat, pool)
    rng.shuffle(state, DEAL + 2 * game, pool, 0, n, n)
    top = n
    size = hand_size(state) if state.turn < N_TURNS else np.int64(0)
    for s in range(state.seats):
        if s != seat:
            hand = bits.ZERO
            for _ in range(size):
                top -= 1
                hand += one(pool[top])
            state.hand[s] = hand
            if rules.box_hidden:
                top = imagine_boxes(state, s, pool, top)
    for i in range(top - 1, -1, -1):  # what is left is the bag, after what was drawn
        pool[state.drawn + i] = pool[i]
    pool[: state.drawn] = 0
    roll_dice(state, rules, game, state.turn + 1)
    if game + 1 < rules.n_games:
        draw_bag(state, rules, game + 1)
        roll_dice(state, rules, game + 1, 0)
    imagine_choices(state, rules, seat)


@compiled
def imagine_boxes(state, s, pool, top):
    """Draw again what seat `s` boxed face down, from the end of the pool; the pool's new end (int64)."""
    n = np.int64(0)
    for k in range(N_SPECIES):
        n += state.boxed[s, k]
        state.boxed[s, k] = 0
    for _ in range(n):
        top -= 1
        state.boxed[s, pool[top]] += 1
    return top


@compiled
def imagine_choices(state, rules, seat):
    """Draw again the secret choices of this turn of all seats but `seat`, uniformly among the legal ones."""
    for s in range(state.seats):
        if s == seat:
            continue
        state.chosen[s] = state.chosen_box[s] = 0
        if s >= state.mover:
            continue
        if state.phase == RELOCATE:
            if state.filled[s, QUARANTINE] > 0:
                state.chosen[s] = any_of(state, legal_relocations(state, rules, s))
            continue
        state.chosen[s] = any_of(state, legal_places(state, rules, s))
        if state.seats == 2:
            state.chosen_box[s] = any_of(state, legal_boxes(state, s))


@compiled
def any_of(state, mask):
    """A uniformly drawn action of `mask`, from the chance of the deal (int64)."""
    return bits.select(mask, rng.chance(state, DEAL, bits.count(mask)))
