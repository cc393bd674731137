"""Draftosaurus in words: what `engine.replay` prints, and what a seat may see."""

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
    QUARANTINE,
    RELOCATE,
    SPECIES,
    TARGET_PEN,
    WINTER,
)

SHORT = ("Rex", "Tri", "Spi", "Ste", "Par", "Bra")
MOMENT = "turn"


def moment(states: Any) -> Any:
    """The turn of each state, from 0; what happens after a board's last turn has a number of its own."""
    return states["turn"] + (N_TURNS + 1) * states["game"]


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
        what = _placing(before, action)
        lines.append(f"  seat {seat}  holds {hand}: {what}  ({options})")
    elif phase == BOX:
        lines.append(f"          and boxes {SPECIES[action]}  ({options})")
    else:
        if before.filled[:seat, QUARANTINE].sum() == 0:
            lines.append("\nQuarantine opens")
        species = SPECIES[_quarantined(before, seat)]
        lines.append(f"  seat {seat}  moves {species} to {_target(WINTER, action)}  ({options})")
    if _closes_round(before, after):
        lines += ["", *_zoos(after)]
    if after.game != before.game:
        scores = ", ".join(f"seat {s} {int(after.banked_points[s].sum())}" for s in range(before.seats))
        lines.append(f"\nThe first board is over. Points so far: {scores}")
    return "\n".join(lines)


def action_words(state: Any, rules: Any, action: int) -> str:
    """An action of the decision in front of the mover, as a person would say it."""
    if state.phase == PLACE:
        return _placing(state, action)
    if state.phase == BOX:
        return f"box {SPECIES[action]}"
    return f"move {SPECIES[_quarantined(state, int(state.mover))]} to {_target(WINTER, action)}"


def view(state: Any, rules: Any, seat: int) -> str:
    """What a seat sees in front of its decision: zoos, die, its hand, and what was boxed openly."""
    if state.phase == BOX:
        return f"  you place {_placing(state, int(state.chosen[seat]))}, and one more goes to the box"
    if state.phase == RELOCATE:
        return "\n".join(["", *_zoos(state), "  your dinosaur leaves Quarantine"])
    lines = [*_turn_heading(state), *_zoos(state)]
    for s in range(state.seats):
        if state.boxed[s].any() and (s == seat or not rules.values["box_hidden"]):
            lines.append(f"  boxed by seat {s}: {_list_species(Counter(dict(enumerate(map(int, state.boxed[s])))))}")
    return "\n".join([*lines, f"  you hold {_list_species(_hand(state, seat))}"])


def news(before: Any, after: Any, rules: Any, row: Any, seat: int) -> str:
    """What a seat learns of a decision: nothing, until choices are revealed together."""
    mover, phase, action = int(row["seat"]), int(row["phase"]), int(row["action"])
    if after.turn == before.turn and after.game == before.game and not after.over:
        return ""
    lines = []
    for s in range(before.seats):
        chosen = action if s == mover and phase != BOX else int(before.chosen[s])
        if phase == RELOCATE:
            if before.filled[s, QUARANTINE]:
                lines.append(f"  seat {s} moves {SPECIES[_quarantined(before, s)]} to {_target(WINTER, chosen)}")
            continue
        line = f"  seat {s} places {_placing(before, chosen)}"
        if phase == BOX:
            species = SPECIES[action if s == mover else int(before.chosen_box[s])]
            line += f", boxes {species if s == seat or not rules.values['box_hidden'] else 'one face down'}"
        lines.append(line)
    if after.game != before.game:
        lines.append("The first board is over")
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


def _placing(state: Any, action: int) -> str:
    return f"{SPECIES[action % N_SPECIES]} to {_target(state.board, action // N_SPECIES)}"


def _quarantined(state: Any, seat: int) -> int:
    return next(k for k in range(N_SPECIES) if state.zoo[seat, QUARANTINE, k])


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
