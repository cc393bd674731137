"""Plots: each takes the DataFrame of a metric and gives matplotlib Axes; none computes or shows anything."""

from analysis.plots.score_distribution import plot as score_distribution
from analysis.plots.seat_advantage import plot as seat_advantage
from analysis.plots.source_distribution import plot as source_distribution
from analysis.plots.source_values import plot as source_values
from analysis.plots.win_rates import plot as win_rates

__all__ = ["score_distribution", "seat_advantage", "source_distribution", "source_values", "win_rates"]
