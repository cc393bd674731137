"""Plots: each takes a metric's DataFrame (`board` a game) and gives matplotlib Axes; none computes or shows a thing."""

from analysis.plots.board import plot as board
from analysis.plots.comparison import plot as comparison
from analysis.plots.decisions import plot as decisions
from analysis.plots.fill_times import plot as fill_times
from analysis.plots.margin import plot as margin
from analysis.plots.policy_ranks import plot as policy_ranks
from analysis.plots.random_share import plot as random_share
from analysis.plots.restricted_play import plot as restricted_play
from analysis.plots.score_distribution import plot as score_distribution
from analysis.plots.seat_advantage import plot as seat_advantage
from analysis.plots.sensitivity_curves import plot as sensitivity_curves
from analysis.plots.sensitivity_indices import plot as sensitivity_indices
from analysis.plots.source_distribution import plot as source_distribution
from analysis.plots.source_values import plot as source_values
from analysis.plots.win_curves import plot as win_curves
from analysis.plots.win_model import plot as win_model
from analysis.plots.win_rates import plot as win_rates
from analysis.plots.winner_points import plot as winner_points

__all__ = [
    "board",
    "comparison",
    "decisions",
    "fill_times",
    "margin",
    "policy_ranks",
    "random_share",
    "restricted_play",
    "score_distribution",
    "seat_advantage",
    "sensitivity_curves",
    "sensitivity_indices",
    "source_distribution",
    "source_values",
    "win_curves",
    "win_model",
    "win_rates",
    "winner_points",
]
