"""What a seat can imagine of the rest of Sauros: other hands, the middle, dice and secret choices to come (S63).

The tiles that a seat has not seen are dealt again to the other hands and the middle, consistent with all that
it knows: a seat that failed to follow a suit has none of it; the tiles that the seat itself set aside lie in
the middle, or with a seat that exchanged later, which can have got no more of them than it exchanged.

Hands are drawn one after another, those about which something is known first, each uniformly among the tiles
it may hold; a hand that finds too few of them gets them by a chain of exchanges with earlier hands, which
exists whenever any deal does. With at most one restricted hand every consistent deal is equally likely. With
more, or a limit on the tiles set aside, `SWEEPS` Gibbs sweeps follow: every two places in turn pool their tiles
and deal them again uniformly, which leaves the uniform distribution as it is and forgets the first deal quickly.
"""

import numpy as np

from engine import bits, rng
from engine.games.sauros.names import (
    DECK,
    DISCARD,
    EXCHANGE,
    MOST_SEATS,
    MOST_TRICKS,
    N_SUITS,
    N_TILES,
    NONE,
    PLACE,
    SUIT_TILES,
)
from engine.games.sauros.state import draw_mix, roll_bot_die, roll_d4
from engine.jit import compiled

SWEEPS = 3
_EVERY = np.uint64((1 << N_TILES) - 1)


@compiled
def draw_tiles(state, tiles, n):
    """`n` of the tiles (uint64), uniformly, from the chance of the deck."""
    chosen = bits.ZERO
    for _ in range(n):
        tile = bits.bit(bits.select(tiles & ~chosen, rng.chance(state, DECK, bits.count(tiles & ~chosen))))
        chosen |= tile
    return chosen


@compiled
def possible_tiles(state, seat):
    """The tiles (uint64) that a seat's voids leave possible."""
    tiles = _EVERY
    for suit in range(N_SUITS):
        if (state.void[seat] >> suit) & 1:
            tiles &= ~SUIT_TILES[suit]
    return tiles


@compiled
def most_of_own(state, seat, other):
    """How many of the tiles that `seat` set aside may be in the hand of `other` (int64)."""
    order = np.int64((other - state.starter) % state.seats)
    if state.exchanged[other] == 0 or order < (seat - state.starter) % state.seats:
        return np.int64(0)
    return state.n_aside[other] - bits.count(state.shown[other] & state.aside[seat])


@compiled
def refill(state, hands, allowed, middle, seat, need):
    """Give a hand `need` more tiles by chains of exchanges through earlier hands (breadth first).

    `hands` and `allowed` are uint64 of shape (MOST_SEATS,); `hands` is modified. Returns the middle that is
    left and whether it could be done.
    """
    for _ in range(need):
        came_from = np.full(MOST_SEATS, NONE, np.int64)
        queue = np.zeros(MOST_SEATS, np.int64)
        queue[0], first, last = seat, 0, 1
        came_from[seat] = seat
        found = np.int64(NONE)
        while first < last and found == NONE:
            here = queue[first]
            first += 1
            if middle & allowed[here] != bits.ZERO:
                found = here
                break
            for other in range(state.seats):
                if came_from[other] == NONE and hands[other] & allowed[here] != bits.ZERO:
                    came_from[other] = here
                    queue[last] = other
                    last += 1
        if found == NONE:
            return middle, False
        tile = draw_tiles(state, middle & allowed[found], 1)
        middle &= ~tile
        while found != seat:
            hands[found] |= tile
            tile = draw_tiles(state, hands[found] & ~tile & allowed[came_from[found]], 1)
            hands[found] &= ~tile
            found = came_from[found]
        hands[seat] |= tile
    return middle, True


@compiled
def first_deal(state, hands, numbers, allowed, unseen, seat):
    """Fill `hands` (uint64, modified) with a deal that `allowed` permits; what is left over, and success."""
    middle = unseen
    for restricted in (True, False):
        for s in range(state.seats):
            if s != seat and (unseen & ~allowed[s] != bits.ZERO) == restricted:
                n = min(numbers[s], bits.count(middle & allowed[s]))
                hands[s] = draw_tiles(state, middle & allowed[s], n)
                middle &= ~hands[s]
                middle, done = refill(state, hands, allowed, middle, s, numbers[s] - n)
                if not done:
                    return middle, False
    return middle, True


@compiled
def split_again(state, a, b, allowed_a, allowed_b):
    """Pool two places' tiles and deal them again uniformly; the new first part (uint64)."""
    pool = a | b
    only_a = pool & ~allowed_b
    either = pool & allowed_a & allowed_b
    return only_a | draw_tiles(state, either, bits.count(a) - bits.count(only_a))


@compiled
def mix_deals(state, hands, allowed, most, own, middle, seat):
    """Gibbs sweeps over all pairs of places; a deal that breaks a limit on `own` tiles is not taken."""
    for _ in range(SWEEPS):
        for s in range(state.seats):
            if s == seat:
                continue
            new = split_again(state, hands[s], middle, allowed[s], _EVERY)
            if bits.count(new & own) <= most[s]:
                middle = (middle | hands[s]) & ~new
                hands[s] = new
            for t in range(s):
                if t == seat:
                    continue
                new = split_again(state, hands[s], hands[t], allowed[s], allowed[t])
                other = (hands[s] | hands[t]) & ~new
                if bits.count(new & own) <= most[s] and bits.count(other & own) <= most[t]:
                    hands[s], hands[t] = new, other
    return middle


@compiled
def imagine_hands(state, seat, numbers, unseen):
    """Deal the unseen tiles to the other hands; what is left for the middle (uint64).

    A seat that may have got one of two tiles that `seat` set aside gets leave for one of them, drawn at random;
    if no deal fits, the next choice of leaves is tried. One of them fits, because the true deal does.
    """
    hands = np.zeros(MOST_SEATS, np.uint64)
    allowed = np.zeros(MOST_SEATS, np.uint64)
    base = np.zeros(MOST_SEATS, np.uint64)
    most = np.zeros(MOST_SEATS, np.int64)
    own = state.aside[seat] & unseen
    n_restricted = np.int64(0)
    for s in range(state.seats):
        if s != seat:
            most[s] = most_of_own(state, seat, s)
            base[s] = possible_tiles(state, s) & (~own if most[s] <= 0 else _EVERY)
            n_restricted += np.int64(unseen & ~base[s] != bits.ZERO) + 2 * np.int64(0 < most[s] < bits.count(own))
    start = rng.chance(state, DECK, 1 << MOST_SEATS)
    middle = unseen
    for attempt in range(1 << MOST_SEATS):
        leave = start ^ attempt
        for s in range(state.seats):
            allowed[s] = base[s]
            if 0 < most[s] < bits.count(own):
                first = own & (~own + bits.ONE)
                allowed[s] &= ~(first if (leave >> s) & 1 else own & ~first)
            hands[s] = bits.ZERO
        middle, done = first_deal(state, hands, numbers, allowed, unseen, seat)
        if done:
            break
    if n_restricted > 1:
        middle = mix_deals(state, hands, base, most, own, middle, seat)
    for s in range(state.seats):
        if s != seat:
            state.hand[s] = hands[s]
    return middle


@compiled
def forget(state, seat):
    """Blank what others set aside and the tiles already drawn, which `seat` need not know for what follows."""
    for s in range(state.seats):
        if s != seat:
            state.aside[s] = bits.ZERO
    for i in range(state.drawn):
        state.deck[i] = NONE


@compiled
def redeal(state, rules, seat):
    """Draw again what `seat` cannot know: hands, the middle, a tile that another seat is setting aside, dice."""
    rng.imagine_streams(state, seat)
    numbers = np.zeros(MOST_SEATS, np.int64)
    unseen = rules.deck_tiles & ~state.seen & ~state.hand[seat]
    for s in range(state.seats):
        is_setting_aside = state.exchanged[s] == 0 and state.n_aside[s] > 0
        numbers[s] = bits.count(state.hand[s])
        if is_setting_aside and s == seat:
            unseen &= ~state.aside[s]
        elif is_setting_aside:
            numbers[s] += state.n_aside[s]
    middle = imagine_hands(state, seat, numbers, unseen)
    forget(state, seat)
    mover = state.mover
    if state.phase == EXCHANGE and mover != seat and state.n_aside[mover] > 0:
        state.aside[mover] = draw_tiles(state, state.hand[mover], state.n_aside[mover])
        state.hand[mover] &= ~state.aside[mover]
    for i in range(state.drawn, rules.n_deck):
        state.deck[i] = bits.lowest(middle)
        middle = bits.without_lowest(middle)
    rng.shuffle(state, DECK, state.deck, state.drawn, rules.n_deck, rules.n_deck)
    imagine_dice(state, rules)


@compiled
def imagine_dice(state, rules):
    """Roll again the dice that have not been rolled, and draw again where set-aside tiles will go."""
    draw_mix(state, rules)
    if rules.midnight_dice:
        for s in range(state.seats):
            if state.rolled[s] == 0:
                roll_d4(state, s)
    if state.seats == 2:
        first = state.trick + np.int64(state.phase == PLACE or state.phase == DISCARD)
        for trick in range(first, MOST_TRICKS):
            roll_bot_die(state, rules, trick)
