"""Draftosaurus in words: what `engine.replay` prints."""

from collections import Counter
from typing import Any

from engine.games.draftosaurus.names import (
    BOX,
    FACES,
    N_PENS,
    N_SPECIES,
    N_TURNS,
    PENS,
    PLACE,
    PYRAMID,
    SPECIES,
    TARGET_PEN,
    WINTER,
)

SHORT = ("Rex", "Tri", "Spi", "Ste", "Par", "Bra")


def opening(state: Any, rules: Any, names: list[str]) -> str:
    """Who sits where."""
    seats = "\n".join(f"  seat {s}: {name}" for s, name in enumerate(names))
    return f"{seats}\nSeat 0 rolls first; hands and die go to the next seat."


def decision(before: Any, after: Any, rules: Any, row: Any) -> str:
    """One decision, under a heading when it opens a turn and with the zoos when it closes a round."""
    seat, phase, action = int(row["seat"]), int(row["phase"]), int(row["action"])
    lines = []
    if phase == PLACE and seat == 0:
        lines += _turn_heading(before)
    options = f"{row['n_legal']} legal"
    if phase == PLACE:
        hand = f"{_list_species(_hand(before, seat))}"
        what = f"{SPECIES[action % N_SPECIES]} to {_target(before.board, action // N_SPECIES)}"
        lines.append(f"  seat {seat}  holds {hand}: {what}  ({options})")
    elif phase == BOX:
        lines.append(f"          and boxes {SPECIES[action]}  ({options})")
    else:
        if before.filled[:seat, 2].sum() == 0:
            lines.append("\nQuarantine opens")
        species = next(k for k in range(N_SPECIES) if before.zoo[seat, 2, k])
        lines.append(f"  seat {seat}  moves {SPECIES[species]} to {_target(WINTER, action)}  ({options})")
    if _closes_round(before, after):
        lines += ["", *_zoos(after)]
    if after.game != before.game:
        scores = ", ".join(f"seat {s} {int(after.banked_points[s].sum())}" for s in range(before.seats))
        lines.append(f"\nThe first board is over. Points so far: {scores}")
    return "\n".join(lines)


def ending(state: Any, rules: Any, result: Any, names: list[str]) -> str:
    """Points by source and who wins."""
    lines = ["", *(_zoos(state) if state.board == WINTER else []), "Points"]
    width = max(len(name) for name in names)
    heads = [*result.sources, "score", "T-Rexes", "win share"]
    lines.append(" " * (width + 10) + "  ".join(heads))
    for s, name in enumerate(names):
        values = [*map(str, result.points[0, s]), str(result.score[0, s])]
        values += [str(result.facts[0, s, 1]), f"{result.share[0, s]:.2f}"]
        cells = "  ".join(v.rjust(len(h)) for v, h in zip(values, heads, strict=True))
        lines.append(f"  seat {s}  {name.ljust(width)}{cells}")
    return "\n".join(lines)


def _turn_heading(state: Any) -> list[str]:
    turns = 3 if state.seats == 2 else 6
    board = f"{'Summer' if state.board != WINTER else 'Winter'} board, "
    face = FACES[state.dice[state.game, state.turn]]
    where = f"round {state.turn // turns + 1}, turn {state.turn % turns + 1}"
    return [f"\n{board}{where}: seat {state.roller} rolls {face} (and is free of it)"]


def _closes_round(before: Any, after: Any) -> bool:
    turns = 3 if before.seats == 2 else 6
    return before.turn < N_TURNS and after.turn != before.turn and after.turn % turns == 0 and after.game == before.game


def _hand(state: Any, seat: int) -> Counter:
    return Counter({k: (int(state.hand[seat]) >> (8 * k)) & 255 for k in range(N_SPECIES)})


def _list_species(counts: Counter) -> str:
    return ", ".join(f"{n if n > 1 else ''}{' ' if n > 1 else ''}{SPECIES[k]}" for k, n in sorted(counts.items()) if n)


def _target(board: int, target: int) -> str:
    pen = TARGET_PEN[board][target]
    name = PENS[board][pen]
    return f"{name} (cell {target - 4})" if board == WINTER and pen == PYRAMID else name


def _zoos(state: Any) -> list[str]:
    lines = []
    for s in range(state.seats):
        pens = []
        for pen in range(N_PENS):
            inside = [SHORT[k] for k in range(N_SPECIES) for _ in range(state.zoo[s, pen, k])]
            if state.board == WINTER and pen == PYRAMID and inside:
                inside = _pyramid(state.pile[s])
            if inside:
                pens.append(f"{PENS[state.board][pen]}: {' '.join(inside)}")
        lines.append(f"  zoo {s}   " + "; ".join(pens))
    return lines


def _pyramid(pile: Any) -> list[str]:
    cells = [SHORT[c - 1] if c else "..." for c in pile]
    return [" ".join(cells[:3]), "/", " ".join(cells[3:5]), "/", cells[5]]
