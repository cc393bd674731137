"""What else a game counts about a seat: turns, tricks won, points by playmat."""

from typing import Any

import numpy as np

from analysis import frames, stats
from analysis.counting import SIXTIETHS
from engine import load_game

QUANTITIES = ("mean", "winners_minus_rest")


def fact_values(result: Any, *, level: float = 0.95) -> Any:
    """Each fact of the game, by policy, and the rates that the game makes of them.

    Returns
    -------
    DataFrame
        Columns ``policy, fact, quantity``, then `analysis.stats.COLUMNS`; n counts games times seats.
        Quantities: ``mean`` for one seat and game; ``winners_minus_rest`` as in `source_values`; and ``rate``
        for each of the game's `fact_rates`, the total of one fact over the total of another, whose ``fact`` is
        the rate's name (NaN with n = 0 if the other never came up).
    """
    clusters = frames.clusters_of(result)
    facts, won_facts = clusters.fact_sums("facts"), clusters.fact_sums("facts_sixtieths")
    games, won = (frames.pool(clusters.seat_sums(of), "policy") for of in ("games", "sixtieths"))
    rates = load_game(result.game).fact_rates
    index = clusters.facts.index
    parts, names, kinds = [], [], []
    for p in range(len(clusters.policies)):
        played, wins, mine, by_win = games[:, p, None], won[:, p, None], facts[:, p], won_facts[:, p]
        n = played.sum()
        lost = (mine * SIXTIETHS - by_win, played * SIXTIETHS - wins)
        parts.append(stats.ratio(mine, played, n=np.full(mine.shape[1], n), level=level))
        parts.append(stats.difference([(by_win, wins), lost], n=np.full(mine.shape[1], n), level=level))
        for top, bottom in rates.values():
            over = mine[:, [index(bottom)]]
            parts.append(stats.ratio(mine[:, [index(top)]], over, n=np.array([n]), level=level))
        names += [*clusters.facts, *clusters.facts, *rates]
        kinds += ["mean"] * len(clusters.facts) + ["winners_minus_rest"] * len(clusters.facts) + ["rate"] * len(rates)
    rows = len(names) // len(clusters.policies)
    labels = {"policy": np.repeat(np.array(clusters.policies, object), rows), "fact": names, "quantity": kinds}
    return frames.table(labels, stats.stack(parts))
