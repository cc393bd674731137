"""Sauros in words: what `engine.replay` prints, and what a seat may see."""

from typing import Any

from engine.games.sauros.names import (
    ASTEROID,
    DISCARD,
    DONE,
    EXCHANGE,
    MATS,
    MIDNIGHT,
    MOST_CELLS,
    N_SUIT_TILES,
    NONE,
    PLACE,
    PLAY,
    REMOVE,
    REWARD,
    SIGN,
    SOURCES,
    STOP,
)
from engine.games.sauros.pictures import (
    held_label,
    lying,
    mats_picture,
    seat_name,
    tile_list,
    tile_name,
    trick_picture,
)
from engine.games.sauros.rules import mat_cells

IN_TRICK = (PLAY, MIDNIGHT, SIGN)
MOMENT = "round"


def moment(states: Any) -> Any:
    """The round of each state, from 0."""
    return states["round_no"]


def opening(state: Any, rules: Any, names: list[str]) -> str:
    """Who sits where, and the mats in play."""
    seats = [f"  seat {s}: {name}" for s, name in enumerate(names)]
    mats = [int(m) for m in state.mats if m != NONE]
    pictures = [f"  {MATS[m]}: {' / '.join(rules.values['mats'][m])}" for m in mats]
    shown = "Tiles on mats: first letter of the suit, strength, symbols (E egg, T tooth, F footprint, B bone)."
    head = "Mats, in the order of the seats, passed to the next seat after each round:"
    return "\n".join([*seats, head, *pictures, shown])


def decision(before: Any, after: Any, rules: Any, row: Any) -> str:
    """One decision, with headings, tricks and mats where they belong."""
    seat, phase, action = int(row["seat"]), int(row["phase"]), int(row["action"])
    lines = _headings(before, seat, phase, rules)
    lines.append(f"  seat {seat}  {_says(before, after, rules, row)}  ({row['n_legal']} legal)")
    return "\n".join([*lines, *_results(before, after, phase, seat, action, rules)])


def action_words(state: Any, rules: Any, action: int) -> str:
    """An action of the decision in front of the mover, as a person would say it."""
    seat = int(state.mover)
    if state.phase == EXCHANGE:
        return "keep the rest" if action == DONE else f"set {tile_name(action, rules)} aside"
    if state.phase == PLAY:
        return tile_name(action, rules)
    if state.phase == MIDNIGHT:
        return "roll the Midnight Die" if action else "keep the strength"
    if state.phase == SIGN:
        return f"{'subtract' if action else 'add'} {int(state.d4[seat])}"
    if state.phase == DISCARD:
        return f"throw {tile_name(int(state.held[seat, action]), rules)} away"
    says = {REWARD: _reward, PLACE: _place, REMOVE: _remove}[int(state.phase)](state, state, seat, action, rules)
    verb, _, rest = says.partition(" ")
    return f"{verb.removesuffix('s')} {rest}".rstrip()


def view(state: Any, rules: Any, seat: int) -> str:
    """What a seat sees in front of its decision: mats, the trick so far, and its own tiles."""
    here = f"Round {state.round_no + 1}"
    if state.phase in (*IN_TRICK, REWARD):
        here = _trick_heading(state, rules)
    elif state.phase != EXCHANGE:
        here += f", after trick {state.trick + (state.phase != REMOVE)}"
    lines = [f"\n{here}"]
    if state.phase == EXCHANGE:
        picture = " / ".join(rules.values["mats"][state.mat[seat]])
        lines.append(f"  your mat {MATS[state.mat[seat]]}: {picture}")
        aside = tile_list(int(state.aside[seat]), rules)
        return "\n".join([*lines, f"  you hold {tile_list(int(state.hand[seat]), rules)}; set aside {aside}"])
    lines += mats_picture(state, rules, *lying(state))
    order = [int(state.leader + n) % int(state.n_ring) for n in range(state.n_ring)]
    played = {s: int(state.played[s]) for s in order if state.played[s] != NONE}
    if played and state.phase in (*IN_TRICK, REWARD):
        lines += trick_picture(played, state.strength, None, state, rules)
    if state.phase == PLACE:
        gained = [tile_name(int(t), rules) for t in state.held[seat, 2:] if t != NONE]
        lines.append(f"  you have gained {', '.join(gained) or 'nothing more'}")
    return "\n".join([*lines, f"  you hold {tile_list(int(state.hand[seat]), rules)}"])


def news(before: Any, after: Any, rules: Any, row: Any, seat: int) -> str:
    """What a seat learns of a decision: all but the tiles that another one holds, sets aside or draws."""
    mover, phase, action = int(row["seat"]), int(row["phase"]), int(row["action"])
    says = _says(before, after, rules, row)
    if mover != seat and phase == PLAY:
        says = f"plays {tile_name(action, rules)}"
    elif mover != seat and phase == EXCHANGE:
        says = "is done with exchanging" if action == DONE else "sets a tile aside"
    return "\n".join([f"  seat {mover}  {says}", *_results(before, after, phase, mover, action, rules)])


def _says(before: Any, after: Any, rules: Any, row: Any) -> str:
    seat, phase, action = int(row["seat"]), int(row["phase"]), int(row["action"])
    says = {
        EXCHANGE: _exchange,
        PLAY: _play,
        MIDNIGHT: lambda b, a, s, x, r: "rolls the Midnight Die" if x else "keeps the strength",
        SIGN: lambda b, a, s, x, r: f"rolled {int(b.d4[s])} and {'subtracts' if x else 'adds'} it",
        REWARD: _reward,
        PLACE: _place,
        DISCARD: lambda b, a, s, x, r: f"has no room and throws {tile_name(int(b.held[s, x]), r)} away",
        REMOVE: _remove,
    }[phase]
    return says(before, after, seat, action, rules)


def _results(before: Any, after: Any, phase: int, seat: int, action: int, rules: Any) -> list[str]:
    """The trick, the gains, the mats and the points that a decision completes."""
    lines = []
    if phase in IN_TRICK and not _goes_on(before, after):
        lines += _full_trick(before, after, phase, action, rules)
    if phase == REWARD or (phase in IN_TRICK and not _goes_on(before, after) and after.phase in (PLACE, DISCARD)):
        lines.append(f"    gained: {_gains(after, rules)}")
    if phase in (PLACE, DISCARD) and _new_trick(before, after):
        lines += ["", *_final_mats(before, after, seat, action, rules)]
    if _new_round(before, after):
        lines += _round_points(before, after)
    if after.phase == REMOVE and phase != REMOVE:
        lines.append(f"\nThe Asteroid is turned up as the trump of trick {after.trick + 1}: every seat loses a tile")
    return lines


def ending(state: Any, rules: Any, result: Any, names: list[str]) -> str:
    """Points by source and who wins."""
    lines = ["", "Points"]
    width = max(len(name) for name in names)
    heads = [*result.sources, "score", "tricks", "win share"]
    lines.append(" " * (width + 10) + "  ".join(heads))
    for s, name in enumerate(names):
        values = [*map(str, result.points[0, s]), str(result.score[0, s])]
        values += [str(result.facts[0, s, 0]), f"{result.share[0, s]:.2f}"]
        cells = "  ".join(v.rjust(len(h)) for v, h in zip(values, heads, strict=True))
        lines.append(f"  seat {s}  {name.ljust(width)}{cells}")
    return "\n".join(lines)


# ---------------------------------------------------------------------------------------------------------
# Headings
# ---------------------------------------------------------------------------------------------------------
def _headings(state: Any, seat: int, phase: int, rules: Any) -> list[str]:
    lines = []
    if phase == EXCHANGE and state.asked == 0 and state.n_aside[seat] == 0:
        lines.append(f"\nRound {state.round_no + 1}: seat {state.starter} starts")
    if phase == PLAY and state.n_played == (1 if state.leader >= state.seats else 0):
        lines.append(f"\n{_trick_heading(state, rules)}")
    return lines


def _trick_heading(state: Any, rules: Any) -> str:
    suit = rules.values["suits"][state.trump_suit] if state.trump_suit != NONE else "no suit"
    return (
        f"Round {state.round_no + 1}, trick {state.trick + 1}: trump tile "
        f"{tile_name(int(state.trump), rules)}, trump {suit}; {seat_name(state, int(state.leader))} leads"
    )


def _new_round(before: Any, after: Any) -> bool:
    return before.round_no != after.round_no


def _new_trick(before: Any, after: Any) -> bool:
    return _new_round(before, after) or before.trick != after.trick


def _goes_on(before: Any, after: Any) -> bool:
    """Whether the trick in front of `before` is still being played."""
    return not after.over and not _new_trick(before, after) and after.phase in IN_TRICK


# ---------------------------------------------------------------------------------------------------------
# What a seat does: (before, after, seat, action, rules) -> words
# ---------------------------------------------------------------------------------------------------------
def _exchange(before: Any, after: Any, seat: int, action: int, rules: Any) -> str:
    hand = tile_list(int(before.hand[seat]), rules)
    what = "is done" if action == DONE else f"sets {tile_name(action, rules)} aside"
    new = int(after.hand[seat]) & ~int(before.hand[seat])
    if after.exchanged[seat] and before.n_aside[seat] + (action != DONE) and not _new_trick(before, after):
        what += f" and draws {tile_list(new, rules)}"
    return f"holds {hand}: {what}"


def _play(before: Any, after: Any, seat: int, action: int, rules: Any) -> str:
    return f"holds {tile_list(int(before.hand[seat]), rules)}: {tile_name(action, rules)}"


def _reward(before: Any, after: Any, seat: int, action: int, rules: Any) -> str:
    if action == 0:
        return f"takes the trump tile, {tile_name(int(before.trump), rules)}"
    return f"takes {tile_name(int(before.played[action - 1]), rules)} of {seat_name(before, action - 1)}"


def _place(before: Any, after: Any, seat: int, action: int, rules: Any) -> str:
    if action == STOP:
        return "stops"
    slot, cell = divmod(action, MOST_CELLS)
    row, column = mat_cells(rules.values["mats"][before.mat[seat]])[cell]
    tile = tile_name(int(before.held[seat, slot]), rules)
    return f"puts {tile} of {held_label(slot)} on row {row + 1}, column {column + 1}"


def _remove(before: Any, after: Any, seat: int, action: int, rules: Any) -> str:
    if action < MOST_CELLS:
        return f"removes {tile_name(int(before.tile[seat, action]), rules)}"
    return f"removes {tile_name(int(before.held[seat, action - MOST_CELLS]), rules)} from the reserve"


# ---------------------------------------------------------------------------------------------------------
# Tricks, rounds
# ---------------------------------------------------------------------------------------------------------
def _full_trick(before: Any, after: Any, phase: int, action: int, rules: Any) -> list[str]:
    """The trick that this decision completed."""
    played, strength = {}, before.strength.copy()
    if phase == PLAY and action < N_SUIT_TILES:
        strength[before.mover] = action % 10
    if phase == SIGN:
        strength[before.mover] += (-1 if action else 1) * before.d4[before.mover]
    for n in range(before.n_ring):
        seat = int(before.leader + n) % int(before.n_ring)
        tile = int(before.played[seat])
        if tile == NONE:
            is_bot = seat >= before.seats
            tile = int(before.deck[before.drawn]) if is_bot else action
            if is_bot and tile < N_SUIT_TILES:
                strength[seat] = tile % 10
        played[seat] = tile
    if ASTEROID in played.values():
        words = [f"    the Asteroid voids the trick; {seat_name(before, int(_holder(played)))} leads next"]
        return [*trick_picture(played, strength, None, before, rules), *words]
    winner = int(after.winner)
    words = [f"    {seat_name(before, winner)} wins"]
    if winner >= before.seats:
        face = int(before.bot_die[before.trick])
        words[0] += " and rolls " + ("the trump tile" if face == 0 else f"the tile of seat {face - 1}")
    return [*trick_picture(played, strength, winner, before, rules), *words]


def _holder(played: dict[int, int]) -> int:
    return next(seat for seat, tile in played.items() if tile == ASTEROID)


def _gains(state: Any, rules: Any) -> str:
    """What each seat has to place after a trick."""
    parts = []
    for s in range(state.seats):
        tiles = [tile_name(int(t), rules) for t in state.held[s, 2:] if t != NONE]
        parts.append(f"seat {s} {', '.join(tiles)}")
    return "; ".join(parts)


def _final_mats(before: Any, after: Any, seat: int, action: int, rules: Any) -> list[str]:
    """The mats when a trick is over; after a round's last trick they are gone from the state that follows."""
    if not _new_round(before, after):
        return mats_picture(after, rules, *lying(after))
    tiles, held = lying(before)
    if action != STOP:
        slot, cell = divmod(action, MOST_CELLS)
        tiles[seat][cell], held[seat][slot] = held[seat][slot], NONE
    return mats_picture(before, rules, tiles, held)


def _round_points(before: Any, after: Any) -> list[str]:
    """Points of the round that has just ended."""
    lines = [f"\n  Round {before.round_no + 1} scored"]
    for s in range(before.seats):
        gained = after.earned[s].astype(int) - before.earned[s]
        by_source = ", ".join(f"{name} {n}" for name, n in zip(SOURCES, gained, strict=True) if n)
        total = int(after.totals[s])
        lines.append(f"    seat {s}: {int(after.round_points[s])} points ({by_source or 'nothing'}); {total} in all")
    return lines
