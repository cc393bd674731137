"""Which source fills when: pieces that arrive in each turn or round of a game."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from analysis import frames, stats
from engine.transcript import Transcript

WANTED = "transcripts must be games decision by decision, such as engine.transcripts(game, policies, games, seed)"
QUANTITIES = ("placed", "placed_so_far")


def fill_times(transcripts: Iterable[Transcript], *, level: float = 0.95) -> Any:
    """How many pieces a seat puts into each source, turn by turn.

    Parameters
    ----------
    transcripts : iterable of Transcript
        Games of one line-up, such as ``engine.transcripts("draftosaurus", ["greedy"] * 4, 1_000, seed=1)``. Each is
        looked at once and not kept.
    level : float
        Confidence level of the intervals.

    Returns
    -------
    DataFrame
        Columns ``policy, source, moment, quantity``, then `analysis.stats.COLUMNS`; n counts games times seats.
        ``moment`` is the turn of Draftosaurus (13: the move out of Quarantine), the round of Sauros and Dino
        Museum, from 1. Pieces are those of the game's README, as in `source_values`.

        - ``placed``: pieces that a seat has more of after this moment than before it
        - ``placed_so_far``: pieces that lie there after it

    Raises
    ------
    ValueError
        If there are no games, they are of several line-ups or seeds, or `level` is not allowed.
    TypeError
        If they are not transcripts.
    """
    plan, deals, counts, games = None, [], [], []
    if isinstance(transcripts, Transcript) or not isinstance(transcripts, Iterable):
        raise TypeError(f"{WANTED}, not one {type(transcripts).__name__}")
    for told in transcripts:
        if not isinstance(told, Transcript):
            raise TypeError(f"{WANTED}, and one of these is of type {type(told).__name__}")
        plan = plan or told.plan
        if any(getattr(told.plan, x) != getattr(plan, x) for x in ("entries", "seed")) or (
            told.plan.rules.values != plan.rules.values
        ):
            raise ValueError("transcripts must be of one line-up, one set of rules and one seed")
        labels = list(dict.fromkeys(e.label for e in plan.entries))
        code = np.array([labels.index(plan.entries[e].label) for e in told.result.entry[0]])
        standing = _standing(told)
        mine = np.stack([standing[:, code == p].sum(1) for p in range(len(labels))])
        counts.append(mine)
        games.append(np.bincount(code, minlength=len(labels)))
        deals.append(int(told.result.deal[0]))
    if plan is None:
        raise ValueError("transcripts has no games")
    return _frame(plan, labels, np.array(deals), _same_length(counts), np.array(games), level)


def _standing(told: Transcript) -> np.ndarray:
    """Pieces after each moment, int64 (moments, seats, sources): counted in the first state of the next one."""
    plan = told.plan
    moment = np.asarray(plan.game.text.moment(told.states))
    last = np.searchsorted(moment, np.arange(moment[-1] + 1), side="right").clip(max=len(moment) - 1)
    lying = np.zeros((len(last), len(plan.entries), len(plan.game.sources)), np.int64)
    for m, i in enumerate(last):
        plan.game.functions["pieces"](told.states[i], plan.rules.record[0], lying[m])
    return lying[:, :, plan.columns]


def _same_length(counts: list[np.ndarray]) -> np.ndarray:
    """All games' counts, (games, policies, moments, sources); a game that ended keeps what it had."""
    most = max(x.shape[1] for x in counts)
    return np.stack([np.concatenate([x, np.repeat(x[:, -1:], most - x.shape[1], 1)], 1) for x in counts])


def _frame(plan: Any, labels: list[str], deals: Any, standing: Any, games: Any, level: float) -> Any:
    placed = np.diff(standing, axis=2, prepend=0)
    if not placed[:, :, -1].any():  # nothing happens after the last turn
        placed, standing = placed[:, :, :-1], standing[:, :, :-1]
    order = np.argsort(deals, kind="stable")
    placed, standing, games = placed[order], standing[order], games[order]
    starts = np.unique(deals[order], return_index=True)[1]
    parts = []
    keys: dict[str, list] = {"policy": [], "source": [], "moment": [], "quantity": []}
    moments, sources = placed.shape[2], len(plan.sources)
    for p, policy in enumerate(labels):
        seats = np.add.reduceat(games[:, p, None], starts)
        for quantity, values in zip(QUANTITIES, (placed, standing), strict=True):
            flat = np.add.reduceat(values[:, p].reshape(len(values), -1), starts)
            parts.append(stats.ratio(flat, seats, n=np.full(flat.shape[1], seats.sum()), level=level))
            keys["policy"] += [policy] * flat.shape[1]
            keys["source"] += list(plan.sources) * moments
            keys["moment"] += np.repeat(np.arange(1, moments + 1), sources).tolist()
            keys["quantity"] += [quantity] * flat.shape[1]
    return frames.table(keys, stats.stack(parts))
