"""How long games are, how much choice they offer, and how often nobody wins alone."""

from typing import Any

from analysis import frames, stats


def game_length(result: Any, *, level: float = 0.95) -> Any:
    """Decisions and choices of a game.

    Returns
    -------
    DataFrame
        Column ``quantity``, then `analysis.stats.COLUMNS`; n counts games.

        - ``decisions``: decisions a game, all seats together
        - ``options``: legal actions a decision
        - ``forced``: the proportion of decisions with one legal action
        - ``ties``: the proportion of games with a shared win
    """
    clusters = frames.clusters_of(result)
    games, decisions, options, forced, ties = (
        clusters.game_sums(of)[:, None] for of in ("playouts", "decisions", "options", "forced", "ties")
    )
    n = games.sum(0)
    parts = [
        stats.ratio(decisions, games, n=n, level=level),
        stats.ratio(options, decisions, n=n, level=level),
        stats.proportion(forced, decisions, deals=clusters.deals, n=n, level=level),
        stats.proportion(ties, games, deals=clusters.deals, n=n, level=level),
    ]
    return frames.table({"quantity": ["decisions", "options", "forced", "ties"]}, stats.stack(parts))
