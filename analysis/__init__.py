"""Analysis of simulated games: tidy metrics with intervals, plots, studies, reports.

>>> import analysis, engine
>>> play = engine.simulate("draftosaurus", ["greedy", "random", "random", "random"], games=10_000, seed=1)
>>> analysis.win_rates(play)                              # a DataFrame: policy, estimate, se, low, high, ...
>>> analysis.plots.win_rates(analysis.win_rates(play))    # a matplotlib Axes

Names are imported when first used, so that ``import analysis`` costs nothing.
"""

import importlib
from typing import Any

_HOME = {
    "Tallies": "analysis.tallies",
    "tally": "analysis.tallies",
    "load_study": "analysis.study",
    "run_study": "analysis.sweep",
    "run_for": "analysis.sweep.runs",
    "compare": "analysis.comparison",
    "compare_results": "analysis.comparison",
    "sensitivity": "analysis.sobol.analyse",
    "restricted_play": "analysis.restricted",
    "write_report": "analysis.report",
    "decisions": "analysis.metrics",
    "fact_values": "analysis.metrics",
    "fill_times": "analysis.metrics",
    "game_length": "analysis.metrics",
    "margin": "analysis.metrics",
    "mean_score": "analysis.metrics",
    "policy_ranks": "analysis.metrics",
    "score_distribution": "analysis.metrics",
    "seat_advantage": "analysis.metrics",
    "source_balance": "analysis.metrics",
    "source_distribution": "analysis.metrics",
    "source_values": "analysis.metrics",
    "ties": "analysis.metrics",
    "win_model": "analysis.metrics",
    "win_rates": "analysis.metrics",
    "winner_points": "analysis.metrics",
}
_MODULES = (
    "families",
    "frames",
    "metrics",
    "plots",
    "report",
    "sequential",
    "stats",
    "store",
    "study",
    "sweep",
    "tallies",
)
__all__ = [*_HOME, *_MODULES]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(importlib.import_module(_HOME[name]), name)
    if name in _MODULES:
        return importlib.import_module(f"analysis.{name}")
    raise AttributeError(f"module 'analysis' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
