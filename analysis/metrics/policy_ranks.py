"""Ranks of policies, and the probability that each is truly first: a bootstrap of the deals.

Deals are drawn again with replacement (Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapter 6), and
the policies ranked by what is drawn. What was played on the same deals is drawn together, so that what deals have
in common cancels.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from analysis import frames, stats
from analysis.counting import GROUPS, SIXTIETHS
from engine.errors import whole_number

QUANTITIES = ("win_share", "rank", "first")


class Standing(NamedTuple):
    """All that a ranking needs of one policy in one result; made by `standing`."""

    won: np.ndarray  # int64 (units,): sixtieths of a win by drawn unit, a group of deals
    games: np.ndarray  # int64 (units,): games times seats
    deals: int
    family: Any  # equal for what was played on the same deals
    share: stats.Estimates  # win share, one row


def policy_ranks(results: Any, *, resamples: int = 10_000, seed: int = 1, level: float = 0.95) -> Any:
    """Rank policies by win share.

    Parameters
    ----------
    results : Playouts, Tallies or mapping of str to one of them
        One line-up of several policies; or for each name a result whose first entry is the policy meant, such as one
        policy after another against the same field. A `Standing` may take the place of a result that is too large to
        keep.
    resamples : int
        How often the deals are drawn again; at least 100.
    seed : int
        Of the drawing.
    level : float
        Confidence level of the intervals.

    Returns
    -------
    DataFrame
        Columns ``policy, quantity``, then `analysis.stats.COLUMNS`, the best policy first; n counts games times
        seats.

        - ``win_share``: as in `analysis.win_rates`
        - ``rank``: 1 is the best; low and high are quantiles of the ranks drawn, se their standard deviation
        - ``first``: the proportion of draws in which the policy is first, shared when several are; se, low and high
          are those of the number of draws. It is near the probability that the policy is truly first, if nothing
          was known before.

        NaN where there are fewer than two deals.

    Raises
    ------
    ValueError
        If there are fewer than two policies, or an argument is not allowed.
    TypeError
        If a result is neither Playouts nor Tallies.
    """
    resamples = whole_number("resamples", resamples, 100)
    seed = whole_number("seed", seed, 0, 2**64 - 1)
    found = _gather(results, level)
    if len(found) < 2:
        raise ValueError(f"results must have at least two policies to rank, not {len(found)}")
    names, each = list(found), list(found.values())
    drawn = _draw(each, resamples, np.random.default_rng(seed))
    order = np.argsort([-one.share.estimate[0] for one in each], kind="stable")
    parts, labels = [], []
    for place, i in enumerate(order):
        alone, units = each[i].share, len(each[i].won)
        parts += [alone, *_rank(drawn, i, place, alone, units, level)]
        labels += [names[i]] * len(QUANTITIES)
    columns = {"policy": np.array(labels, object), "quantity": np.tile(np.array(QUANTITIES, object), len(names))}
    return frames.table(columns, stats.stack(parts))


def standing(result: Any, policy: str | None = None, level: float = 0.95) -> Standing:
    """What a ranking needs of one policy in Playouts or Tallies; by default the policy of the first entry."""
    clusters = frames.clusters_of(result)
    p = clusters.policies.index(result.policies[0] if policy is None else policy)
    games, won = (clusters.seat_sums(of)[:, p].sum(1) for of in ("games", "sixtieths"))
    n = games.sum()
    share = stats.proportion(won[:, None], games[:, None] * SIXTIETHS, deals=clusters.deals, n=n, level=level)
    family = (result.game, result.seed, result.n_seats, len(games), clusters.deals)
    units = np.arange(len(games)) % GROUPS
    grouped = [np.bincount(units, x).astype(np.int64) for x in (won, games)]
    return Standing(grouped[0], grouped[1], clusters.deals, family, share)


def _gather(results: Any, level: float) -> dict[str, Standing]:
    """The standing of each policy by name."""
    if isinstance(results, Mapping):
        return {str(name): x if isinstance(x, Standing) else standing(x, None, level) for name, x in results.items()}
    names = dict.fromkeys(getattr(results, "policies", ())) or [""]
    return {name: standing(results, name, level) for name in names}


def _draw(each: list[Standing], resamples: int, rng: np.random.Generator) -> np.ndarray:
    """Win shares in each draw, float64 (resamples, policies)."""
    weights: dict[Any, np.ndarray] = {}
    drawn = np.empty((resamples, len(each)))
    for i, (won, games, _, family, _) in enumerate(each):
        units = len(won)
        if family not in weights:
            weights[family] = rng.multinomial(units, np.full(units, 1 / units), size=resamples)
        drawn[:, i] = weights[family] @ won / (weights[family] @ games * SIXTIETHS)
    return drawn


def _rank(
    drawn: np.ndarray, i: int, place: int, alone: stats.Estimates, units: int, level: float
) -> list[stats.Estimates]:
    """The rows of rank and first of one policy."""
    n, clusters, nan = alone.n, alone.clusters, np.full(1, np.nan)
    middle = np.array([place + 1.0])
    if units < 2:
        return [stats.Estimates(x, nan, nan, nan, n, clusters) for x in (middle, nan)]
    mine = drawn[:, i, None]
    ranks = 1 + (drawn > mine).sum(1) + ((drawn == mine).sum(1) - 1) / 2
    low, high = np.quantile(ranks, [0.5 - level / 2, 0.5 + level / 2])
    best = drawn.max(1, keepdims=True)
    first = (drawn[:, i] == best[:, 0]) / (drawn == best).sum(1)
    sure = stats.proportion(first[:, None], np.ones((len(first), 1)), deals=len(first), level=level)
    return [
        stats.Estimates(middle, np.array([ranks.std()]), np.array([low]), np.array([high]), n, clusters),
        stats.Estimates(sure.estimate, sure.se, sure.low, sure.high, n, clusters),
    ]
