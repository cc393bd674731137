"""What ``meeplecarlo simulate`` prints."""

from typing import Any

import engine
from analysis import frames, metrics, stats
from analysis.cli.words import many
from analysis.report.numbers import aligned, estimate
from analysis.sweep.progress import Progress
from analysis.tallies import Tallies
from engine.errors import MOST_GAMES, whole_number
from engine.games import load_game

MOST_PLAYOUTS = 1_000_000  # more games are counted and not kept
STEP = 262_144


def count_games(
    game: str, policies: list[str], games: int, seed: int, threads: int | None, keep: bool, **arguments: Any
) -> Any:
    """Playouts, or tallies of so many games that playouts would fill the memory.

    Raises
    ------
    ValueError
        If `keep` is asked for and there are too many games; else as `engine.simulate`.
    """
    whole_number("--games with --csv" if keep else "--games", games, 1, MOST_PLAYOUTS if keep else MOST_GAMES)
    play = engine.simulate(game, policies, min(games, STEP), seed, threads=threads, **arguments)
    if games <= STEP:
        return play
    per_deal = len(play) // play.n_deals
    parts, deals, step = [play], -(-games // per_deal), play.n_deals
    counted = None if games <= MOST_PLAYOUTS else Tallies.empty(play).add(play)
    with Progress(games, 1, show=True, what="simulation") as bar:
        bar.add(len(play))
        for first in range(step, deals, step):
            games_now = min(step, deals - first) * per_deal
            play = engine.simulate(game, policies, games_now, seed, first_deal=first, threads=threads, **arguments)
            bar.add(len(play))
            bar.tick()
            if counted is None:
                parts.append(play)
            else:
                counted.add(play)
    return engine.Playouts.join(parts) if counted is None else counted


def print_tables(result: Any) -> None:
    """Win shares, scores and source values, each with interval and n."""
    game = load_game(result.game)
    print(
        f"{game.title} ({result.variant}), {result.n_seats} players, {many(len(result), 'game')}, "
        f"seats {result.seats}, seed {result.seed}"
    )
    if result.rules.changed:
        changed = ", ".join(f"{name} = {result.rules.values[name]}" for name in result.rules.changed)
        print(f"Rules changed: {changed}")
    print("Intervals are 95 %; n counts games times seats.")
    several = len(set(result.policies)) > 1
    by = "both" if result.seats == "fixed" else "policy" if several else "seat"
    _print_win_shares(result, by)
    _print_scores(result)
    _print_sources(result, game.piece)


def _print_win_shares(result: Any, by: str) -> None:
    frame = metrics.win_rates(result, by=by)
    names = [name for name in ("policy", "seat") if name in frame]
    rows = []
    for row in frame.itertuples():
        middle, span = estimate(row, 100, most=2)
        labels = [str(getattr(row, name)) for name in names]
        rows.append([*labels, f"{middle} %", span, f"{row.n:,}"])
    first = "; seat 0 is the first player" if "seat" in names else ""
    print(f"\nWin share of a seat (even: {100 / result.n_seats:.1f} %{first})")
    print(aligned([*names, "win share", "interval", "n"], rows, left=len(names)))


def _print_scores(result: Any) -> None:
    """Mean score of each policy, and how scores spread."""
    clusters = frames.clusters_of(result)
    games, score = (frames.pool(clusters.seat_sums(of), "policy") for of in ("games", "score"))
    means = frames.table(frames.pool_labels(clusters, "policy"), stats.ratio(score, games)).itertuples()
    spread = metrics.score_distribution(result)
    rows = []
    for mean in means:
        part = spread[spread.policy == mean.policy]
        reach = part.estimate.cumsum()
        marks = [str(part.value[reach >= q].min()) for q in (0.05, 0.5, 0.95)]
        rows.append([mean.policy, *estimate(mean), *marks, f"{mean.n:,}"])
    print("\nScore; 5 %, median and 95 % are of the games played, without an interval")
    print(aligned(["policy", "mean", "interval", "5 % reach at most", "median", "95 % reach at most", "n"], rows))


def _print_sources(result: Any, piece: str) -> None:
    frame = metrics.source_values(result)
    for policy in dict.fromkeys(frame.policy):
        mine = frame[frame.policy == policy]
        rows = []
        for source in dict.fromkeys(mine.source):
            values = {row.quantity: row for row in mine[mine.source == source].itertuples()}
            texts = [source]
            for name, scale in (("points", 1), ("pieces", 1), ("points_per_piece", 1), ("share_of_total", 100)):
                middle, span = estimate(values[name], scale, most=2 if scale == 100 else 3)
                texts.append(f"{middle}{' %' if scale == 100 and middle != '-' else ''} ({span})")
            rows.append([*texts, f"{values['points'].n:,}"])
        print(f"\nSources of {policy}, a seat and game")
        print(aligned(["source", "points", piece, f"points/{piece.removesuffix('s')}", "share of score", "n"], rows))
