"""Dino Museum in words and pictures: what `engine.replay` prints, and what a seat may see."""

from typing import Any

from engine.games.dino_museum.names import BONE, COLOURS, COLUMNS, DECLINE, K_VISITORS, PUT, TAKE
from engine.games.dino_museum.pictures import board, element, market, museum, needs, space_names

MOMENT = "round"
TITLES = {name: name.replace("_", " ").capitalize() for name in COLUMNS}


def moment(states: Any) -> Any:
    """The round of each state, from 0."""
    return states["round_index"]


def opening(state: Any, rules: Any, names: list[str]) -> str:
    """Who sits where, and what the words of the pictures stand for."""
    values = rules.values
    lines = [f"  seat {s}: {name}" for s, name in enumerate(names)]
    lines.append("Layout and components: " + _provenance(rules))
    lines.append("Species: " + ", ".join(f"{s['name']} ({s['diet']}, {s['build']})" for s in values["species"]))
    lines.append("Tiles: " + "; ".join(f"{t} {needs(values, t)}" for t in range(len(values["research_tiles"]))))
    lines.append("Research board: p pink, y yellow, w white, b light blue, g grey, a dot for an empty space.")
    lines.append("Museum: [dinosaur] <fossil> {research} (visitor)")
    return "\n".join([*lines, *_round_heading(state, rules)])


def decision(before: Any, after: Any, rules: Any, row: Any) -> str:
    """One decision, the pictures that it changed, and the passes and rounds that follow."""
    seat, phase, action = int(row["seat"]), int(row["phase"]), int(row["action"])
    options = f"({row['n_legal']} legal)"
    if phase == BONE:
        lines = _bone(before, after, rules, seat, action, options)
    elif phase == TAKE:
        what = "declines" if action == DECLINE else f"takes {element(rules.values, action)}"
        lines = [f"    {what}  {options}", f"    market  {market(after, rules)}"]
        if after.round_index != before.round_index:
            lines.pop()
    else:
        lines = _piece(before, after, rules, seat, phase, action, options)
    lines += _passes(before, after)
    if after.round_index != before.round_index:
        lines += _round_heading(after, rules)
    return "\n".join(lines)


def action_words(state: Any, rules: Any, action: int) -> str:
    """An action of the decision in front of the mover, as a person would say it."""
    if state.phase == BONE:
        return _research_space(rules, action)
    if state.phase == TAKE:
        return "decline" if action == DECLINE else f"take {element(rules.values, action)}"
    return space_names(rules.values)[action]


def view(state: Any, rules: Any, seat: int) -> str:
    """What a seat sees in front of its decision: the market, its research board and museum, and what it draws."""
    lines = [f"\nRound {state.round_index + 1}", f"    market  {market(state, rules)}"]
    lines += [f"    board   {board(state, rules, seat)}", *("    " + line for line in museum(state, rules, seat))]
    if state.phase == BONE:
        lines.append(f"  you draw {COLOURS[state.bone]}: where does it go?")
    elif state.phase == TAKE:
        lines.append(f"  you have completed {TITLES[COLUMNS[state.column]]}: what do you take?")
    elif state.phase == PUT:
        lines.append(f"  you have {element(rules.values, state.taken)}: where does it go?")
    else:
        lines.append(f"  a visitor who loves {rules.values['species'][state.taken]['name']} comes: where to?")
    return "\n".join(lines)


def news(before: Any, after: Any, rules: Any, row: Any, seat: int) -> str:
    """What a seat learns of a decision: all of it, the bags and stacks are all that is hidden."""
    return decision(before, after, rules, row)


def ending(state: Any, rules: Any, result: Any, names: list[str]) -> str:
    """All museums, points by source, and who wins."""
    lines = [""]
    for s, name in enumerate(names):
        lines += [f"Museum of seat {s} ({name})", *("  " + line for line in museum(state, rules, s))]
    lines += ["", "Points"]
    width = max(len(name) for name in names)
    heads = [*result.sources, "score", "win share"]
    lines.append(" " * (width + 10) + "  ".join(heads))
    for s, name in enumerate(names):
        values = [*map(str, result.points[0, s]), str(result.score[0, s]), f"{result.share[0, s]:.2f}"]
        cells = "  ".join(v.rjust(len(h)) for v, h in zip(values, heads, strict=True))
        lines.append(f"  seat {s}  {name.ljust(width)}{cells}")
    return "\n".join(lines)


def _provenance(rules: Any) -> str:
    """Which of the replaceable data are this project's assumptions."""
    assumed = ", ".join(rules.assumptions())
    reference = f"this project's reference, not the published one, for {assumed}" if assumed else "given"
    given = ", ".join(f"{name} ({by})" for name, by in rules.changed.items())
    return f"{reference}; changed: {given}" if given else reference


def _round_heading(state: Any, rules: Any) -> list[str]:
    first = int(state.round_index) % int(state.seats)
    return [f"\nRound {state.round_index + 1}, seat {first} starts", f"    market  {market(state, rules)}"]


def _bone(before: Any, after: Any, rules: Any, seat: int, space: int, options: str) -> list[str]:
    """The bone, its space, and the research board; bones that Reinforcements won back are gone from it."""
    column = int(rules.record[0].column_of[space])
    lines = [f"  seat {seat}  draws {COLOURS[before.bone]}: {_research_space(rules, space)}  {options}"]
    if after.round_index == before.round_index:
        lines.append(f"    board   {board(after, rules, seat)}")
    if after.completed[seat, column] > before.completed[seat, column]:
        lines.append(f"    completes {TITLES[COLUMNS[column]]}")
        if after.drawn[K_VISITORS] > before.drawn[K_VISITORS]:
            lines.append(f"    a visitor comes who loves {rules.values['species'][after.taken]['name']}")
    return lines


def _research_space(rules: Any, space: int) -> str:
    """A space of the research board by its column and place."""
    column = int(rules.record[0].column_of[space])
    place = space - sum(len(rules.values["columns"][c]) for c in COLUMNS[:column]) + 1
    size = len(rules.values["columns"][COLUMNS[column]])
    return TITLES[COLUMNS[column]] + (f", space {place}" if size > 1 else "")


def _piece(before: Any, after: Any, rules: Any, seat: int, phase: int, space: int, options: str) -> list[str]:
    what = element(rules.values, before.taken) if phase == PUT else "the visitor"
    lines = [f"    puts {what} into {space_names(rules.values)[space]}  {options}"]
    return [*lines, *("    " + line for line in museum(after, rules, seat))]


def _passes(before: Any, after: Any) -> list[str]:
    """Turns without a decision: an empty bag, or a bone that fits nowhere."""
    goes_on = after.options != 0 and after.turns[after.mover] > before.turns[after.mover]
    lines = []
    for i in range(after.seats):
        s = (int(before.mover) + 1 + i) % int(after.seats)
        n = int(after.turns[s] - before.turns[s]) - int(goes_on and s == after.mover)
        if n > 0:
            lines.append(f"  seat {s}  passes" + (f" {n} times" if n > 1 else ""))
    return lines
