"""Ranks of policies, and the probability that each is truly first: a bootstrap of the deals.

Deals are drawn again with replacement (Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapter 6), and
the policies ranked by what is drawn. What was played on the same deals is drawn together, so that what deals have
in common cancels. Ranks drawn scatter twice, so their quantiles are no interval of a rank; that comes from the
differences of every two (Mogstad, Romano, Shaikh and Wilhelm, Review of Economic Studies 91, 2024, 476-518).
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from analysis import families, frames, stats
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
        keep, and a float that of a win share that is known by design, such as the field's.
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
        - ``rank``: 1 is the best; from one more than there are decidedly better ones up to as many as there are less
          the decidedly worse ones, by the differences of every two with Holm's correction, so that at `level` all
          intervals hold at once; se is the standard deviation of the ranks drawn
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
    shares = [stats.exact(one, 0, 0) if isinstance(one, float) else one.share for one in each]
    middle = np.array([share.estimate[0] for share in shares])
    known = all(isinstance(one, float) or len(one.won) > 1 for one in each)
    drawn = _draw(each, resamples, np.random.default_rng(seed)) if known else None
    spans = None if drawn is None else _rank_spans(middle, drawn, level)
    parts, labels = [], []
    for place, i in enumerate(np.argsort(-middle, kind="stable")):
        rank, first = np.array([place + 1.0, *[np.nan] * 3]), np.full(4, np.nan)
        if drawn is not None and spans is not None:
            ranks, wins = _ranks_of(drawn, i)
            rank[1:] = ranks.std(), *spans[i]
            sure = stats.proportion(wins[:, None], np.ones((resamples, 1)), deals=resamples, level=level)
            first = np.concatenate([sure.estimate, sure.se, sure.low, sure.high])
        n, clusters = shares[i].n, shares[i].clusters
        rows = (rank[:, None], first[:, None])
        parts += [shares[i], *(stats.Estimates(x, se, low, high, n, clusters) for x, se, low, high in rows)]
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


def _gather(results: Any, level: float) -> dict[str, Standing | float]:
    """The standing, or the known share, of each policy by name."""
    if isinstance(results, Mapping):
        is_done = (Standing, float)
        return {str(name): x if isinstance(x, is_done) else standing(x, None, level) for name, x in results.items()}
    names = dict.fromkeys(getattr(results, "policies", ())) or [""]
    return {name: standing(results, name, level) for name in names}


def _draw(each: list[Standing | float], resamples: int, rng: np.random.Generator) -> np.ndarray:
    """Win shares in each draw, float64 (resamples, policies)."""
    weights: dict[Any, np.ndarray] = {}
    drawn = np.empty((resamples, len(each)))
    for i, one in enumerate(each):
        if isinstance(one, float):
            drawn[:, i] = one
            continue
        units = len(one.won)
        if one.family not in weights:
            weights[one.family] = rng.multinomial(units, np.full(units, 1 / units), size=resamples)
        drawn[:, i] = weights[one.family] @ one.won / (weights[one.family] @ one.games * SIXTIETHS)
    return drawn


def _rank_spans(middle: np.ndarray, drawn: np.ndarray, level: float) -> np.ndarray:
    """The best and the worst rank that each policy may have, float64 (policies, 2)."""
    from scipy.special import stdtr

    covariance = np.cov(drawn.T)
    spread, (first, second) = np.diag(covariance), np.triu_indices(len(middle), 1)
    error = np.sqrt(np.maximum(spread[:, None] + spread - 2 * covariance, 0))[first, second]
    ahead = middle[:, None] - middle
    differ = np.abs(ahead[first, second])
    t = np.divide(differ, error, out=np.where(differ > 0, np.inf, 0.0), where=error > 1e-12)
    decided = np.zeros_like(covariance, bool)
    decided[first, second] = families.adjust(2 * stdtr(GROUPS - 1, -t), "holm") < 1 - level
    decided |= decided.T
    return np.column_stack([1 + (decided & (ahead < 0)).sum(1), len(middle) - (decided & (ahead > 0)).sum(1)])


def _ranks_of(drawn: np.ndarray, i: int) -> tuple[np.ndarray, np.ndarray]:
    """A policy's rank in each draw, and its share of being first."""
    mine, best = drawn[:, i, None], drawn.max(1, keepdims=True)
    ranks = 1 + (drawn > mine).sum(1) + ((drawn == mine).sum(1) - 1) / 2
    return ranks, (mine == best)[:, 0] / (drawn == best).sum(1)
