"""Metrics: functions of playouts or tallies to tidy DataFrames that end in `analysis.stats.COLUMNS`.

A metric reads no file and draws nothing. Each takes ``level``, the confidence level of its intervals.
"""

from analysis.metrics.game_length import game_length
from analysis.metrics.score_distribution import score_distribution
from analysis.metrics.seat_advantage import seat_advantage
from analysis.metrics.source_distribution import source_distribution
from analysis.metrics.source_values import source_values
from analysis.metrics.win_rates import win_rates

__all__ = [
    "game_length",
    "score_distribution",
    "seat_advantage",
    "source_distribution",
    "source_values",
    "win_rates",
]
