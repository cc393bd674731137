"""Metrics: functions of playouts or tallies to tidy DataFrames that end in `analysis.stats.COLUMNS`.

A metric reads no file and draws nothing. Each takes ``level``, the confidence level of its intervals. `win_model`
needs playouts, `decisions` a trace, and `fill_times` transcripts.
"""

from analysis.metrics.decisions import decisions
from analysis.metrics.fact_values import fact_values
from analysis.metrics.fill_times import fill_times
from analysis.metrics.game_length import game_length
from analysis.metrics.margin import margin
from analysis.metrics.mean_score import mean_score
from analysis.metrics.policy_ranks import policy_ranks
from analysis.metrics.score_distribution import score_distribution
from analysis.metrics.seat_advantage import seat_advantage
from analysis.metrics.source_balance import source_balance
from analysis.metrics.source_distribution import source_distribution
from analysis.metrics.source_values import source_values
from analysis.metrics.ties import ties
from analysis.metrics.win_model import win_model
from analysis.metrics.win_rates import win_rates
from analysis.metrics.winner_points import winner_points

__all__ = [
    "decisions",
    "fact_values",
    "fill_times",
    "game_length",
    "margin",
    "mean_score",
    "policy_ranks",
    "score_distribution",
    "seat_advantage",
    "source_balance",
    "source_distribution",
    "source_values",
    "ties",
    "win_model",
    "win_rates",
    "winner_points",
]
