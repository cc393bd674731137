"""Restricted play: what a source is worth, by the win share that a player loses who may not feed it.

After Jaffe, Miller, Andersen, Liu, Karlin and Popovic, Evaluating Competitive Game Balance with Restricted Play
(AIIDE 2012): a part of a game is worth what its absence costs a player who plays on as well as before. One seat is
restricted, by a ban or by a share of random actions, and the others are not; every seat has its turn at it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import engine
from analysis import frames, stats
from analysis.cells import Cell
from analysis.counting import SIXTIETHS
from engine.errors import unknown, whole_number
from engine.games import load_game
from engine.lineup import resolve_lineup
from engine.policy import Entry, Wanted, entry

RANDOM_SHARES = (0.05, 0.1, 0.2, 0.4, 0.7, 1.0)
QUANTITIES = ("win_share", "cost")


def restricted_play(
    game: str,
    policy: Any,
    games: int,
    seed: int,
    *,
    field: Any = None,
    players: int = 4,
    bans: Iterable[str] | None = None,
    random: Iterable[float] = RANDOM_SHARES,
    variant: str | Path | None = None,
    rules: Any = None,
    threads: int | None = None,
    level: float = 0.95,
) -> Any:
    """What each ban and each share of random play costs one player.

    Parameters
    ----------
    game, seed, variant, rules, threads
        As for `engine.simulate`.
    policy : policy or entry
        Who is restricted; what it may not do already stays so.
    games : int
        Playouts of each restriction, seats rotated, all on the same deals.
    field : policy or entry, optional
        The others; by default the same policy, unrestricted.
    players : int
    bans : iterable of str, optional
        Sources, each banned alone; by default every source of the rules.
    random : iterable of float
        Shares of actions that are played at random.
    level : float
        Confidence level of the intervals.

    Returns
    -------
    DataFrame
        Columns ``restriction`` (``"ban"`` or ``"random"``), ``source``, ``random``, ``quantity``, then
        `analysis.stats.COLUMNS`; n counts games. ``win_share`` is that of the restricted seat, ``cost`` what it is
        less than that of the same player without the restriction: the even share by design where the field plays
        alike, else as played on the same deals.

    Raises
    ------
    ValueError
        For a bad argument, named with its value and what is allowed.
    """
    players = whole_number("players", players, *load_game(game).seats)
    rule_set = engine.load_rules(game, variant, rules)
    sources = load_game(game).sources_of(rule_set.values)
    bans = list(sources if bans is None else bans)
    for source in bans:
        if source not in sources:
            raise ValueError(unknown(f"variant {rule_set.variant!r}: ban", source, sources))
    wanted = policy if isinstance(policy, Wanted) else entry(policy)
    others = wanted if field is None else field if isinstance(field, Wanted) else entry(field)
    how: dict[str, Any] = {"rules": rule_set, "threads": threads}

    def play(one: Wanted) -> Any:
        return engine.simulate(game, [one] + [others] * (players - 1), games, seed, **how)

    free_entry, other_entry = resolve_lineup([wanted] + [others] * (players - 1), load_game(game))[:2]
    free = None if alike(free_entry, other_entry) else side_of(play(wanted), free_entry.label)
    found = []
    for limit in [{"ban": source} for source in bans] + [{"random": share} for share in random]:
        tight = _tightened(wanted, **limit)
        labels = {"restriction": next(iter(limit)), "source": limit.get("ban", "")}
        labels["random"] = limit.get("random", wanted.random)
        found.append(cost_frame(side_of(play(tight), str(tight.label)), free, level=level).assign(**labels))
    return joined(found)


def _tightened(wanted: Wanted, ban: str | None = None, random: float | None = None) -> Wanted:
    """The entry with one restriction more, under a label of its own."""
    says = f"no {ban}" if ban is not None else f"{random:.6g} random"
    limits = {"ban": (*wanted.ban, ban)} if ban is not None else {"random": random}
    return replace(wanted, label=f"restricted ({says})", **limits)


def alike(one: Entry, other: Entry) -> bool:
    """Whether two entries play alike, whatever they are called."""
    return replace(one, label="") == replace(other, label="")


def unrestricted(one: Entry) -> Entry:
    """The entry without its ban and its share of random play."""
    return replace(one, label="", ban=(), random=0.0)


class Side(NamedTuple):
    """One seat of a line-up, by cluster."""

    won: np.ndarray  # int64 (clusters, 1): sixtieths of a win
    games: np.ndarray  # int64 (clusters, 1): games times sixtieths
    deals: int
    seats: int
    seed: int


def side_of(result: Any, label: str) -> Side:
    """The seat of the policy with this label in Playouts or Tallies."""
    clusters = frames.clusters_of(result)
    if label not in clusters.policies:
        raise ValueError(unknown("focus", label, clusters.policies))
    at = clusters.policies.index(label)
    won, games = (clusters.seat_sums(of)[:, at].sum(1)[:, None] for of in ("sixtieths", "games"))
    return Side(won, games * SIXTIETHS, clusters.deals, clusters.n_seats, result.seed)


def cost_frame(tight: Side, free: Side | None = None, *, level: float = 0.95) -> Any:
    """Win share of a restricted seat, and what the restriction costs.

    Parameters
    ----------
    tight : Side
    free : Side, optional
        The same without the restriction, on the same deals; None where all others play as it would, so that its
        share is even by design.
    level : float

    Returns
    -------
    DataFrame
        Column ``quantity``, then `analysis.stats.COLUMNS`.

    Raises
    ------
    ValueError
        If the two were not played on the same deals.
    """
    n = tight.games.sum(0) // SIXTIETHS
    share = stats.proportion(tight.won, tight.games, deals=tight.deals, n=n, level=level)
    if free is None:
        even = 1 / tight.seats
        bounds = even - share.estimate, share.se, even - share.high, even - share.low
        cost = stats.Estimates(*bounds, share.n, share.clusters)
    elif free.seed != tight.seed or not np.array_equal(free.games, tight.games):
        raise ValueError("a restricted policy and the unrestricted one were not played on the same deals")
    else:
        ends = [(free.won, free.games), (tight.won, tight.games)]
        cost = stats.proportion_difference(ends, deals=tight.deals, n=n, level=level)
    return frames.table({"quantity": list(QUANTITIES)}, stats.stack([share, cost]))


# ---------------------------------------------------------------------------------------------------------
# In a study
# ---------------------------------------------------------------------------------------------------------
class Costs:
    """Collects what restrictions cost from the cells of a study, one result in memory at a time.

    A cell counts if one policy with a ban or a share of random play sits among others; it is set against the same
    policy without, in this study and on the same deals, or against the even share if the others play like that.
    """

    def __init__(self) -> None:
        self.tight: list[tuple[Cell, Side]] = []
        self.free: dict[tuple, Side] = {}

    def add(self, cell: Cell, result: Any) -> None:
        """Note a cell, if it has to do with restrictions."""
        if cell.kind != "focus" or cell.until is not None:  # stop rules stop at different deals
            return
        side, first = side_of(result, cell.focus), cell.entries[0]
        if first.ban or first.random:
            self.tight.append((cell, side))
        else:
            self.free[_place(cell)] = side

    def frame(self) -> Any | None:
        """All costs, with the labels of their cells; None if there are none."""
        found = []
        for cell, side in self.tight:
            first, field = cell.entries[0], cell.entries[-1]
            is_even = unrestricted(first) == replace(field, label="") and cell.seats != "fixed"
            free = None if is_even else self.free.get(_place(cell))
            if free is None and not is_even:
                continue
            kind = "both" if first.ban and first.random else "ban" if first.ban else "random"
            labels = {"base": first.policy.name, "field": cell.field, "restriction": kind}
            limits = {"source": ", ".join(first.ban), "random": first.random}
            found.append(cost_frame(side, free).assign(cell=cell.key[:12], **cell.labels, **labels, **limits))
        return joined(found) if found else None


def _place(cell: Cell) -> tuple:
    """What two cells have in common that differ in the restriction of their first policy."""
    others = tuple(replace(e, label="") for e in cell.entries[1:])
    return cell.variant, cell.rules_label, cell.seats, cell.deals, cell.seed, unrestricted(cell.entries[0]), others


def joined(parts: Sequence[Any]) -> Any:
    """Frames of several restrictions as one, labels first."""
    import pandas as pd

    found = pd.concat(parts, ignore_index=True)
    labels = [name for name in found if name not in ("quantity", *stats.COLUMNS)]
    return found[[*labels, "quantity", *stats.COLUMNS]]
