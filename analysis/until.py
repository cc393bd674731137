"""Rules that stop a run when enough is known: "to within 0.1 points", or "until the difference is decided"."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from analysis import frames
from analysis.counting import SIXTIETHS
from analysis.sequential import ConfidenceSequence, Interval
from engine import Playouts
from engine.errors import unknown

PILOT = 256  # deals that only tune the confidence sequence
SPANS = {"seat_advantage": 1.0, "win_rate": 1.0, "ties": 1.0, "score": None, "margin": None, "decisions": None}
EVEN = ("seat_advantage", "win_rate")  # metrics with an even value
SHARES = ("seat_advantage", "win_rate", "ties")  # proportions
UNBOUNDED = 2**22  # deals that an open-ended run is tuned for
KEYS = ("metric", "half_width", "decided", "level", "policy")


@dataclass(frozen=True)
class Until:
    """Stop when a metric is known to within `half_width`, or decided at the level `decided`, whichever is given.

    Metrics: ``seat_advantage`` (the first player's win share less 1/seats), ``win_rate`` and ``score`` (of one seat
    of `policy`), ``margin`` (the winner's lead), ``ties`` and ``decisions``. "Decided" means that the interval leaves
    out what would be even: 0 for ``seat_advantage``, 1/seats for ``win_rate``, and no difference in a comparison.
    """

    metric: str
    half_width: float | None = None
    decided: float | None = None
    level: float = 0.95  # of the interval, for `half_width`
    policy: str | None = None  # by default the first entry's

    @classmethod
    def of(cls, given: Any) -> "Until":
        """An Until from a mapping such as ``{"metric": "seat_advantage", "half_width": 0.001}``, checked.

        Raises
        ------
        ValueError
            For an unknown key or metric, a value that is not allowed, or not exactly one of half_width and decided.
        """
        if isinstance(given, Until):
            return given
        if not isinstance(given, Mapping):
            raise ValueError(f"until must be a table such as {{metric = ..., half_width = ...}}, not {given!r}")
        for key in given:
            if key not in KEYS:
                raise ValueError(unknown("until: key", key, KEYS))
        if "metric" not in given:
            raise ValueError(f"until: metric is missing (allowed: {', '.join(SPANS)})")
        metric = given["metric"]
        if not isinstance(metric, str) or metric not in SPANS:
            raise ValueError(unknown("until: metric", metric, SPANS))
        if ("half_width" in given) == ("decided" in given):
            raise ValueError("until must have one of half_width and decided")
        if "decided" in given and "level" in given:
            raise ValueError("until: level goes with half_width; decided is a level itself")
        for key in ("half_width", "decided", "level"):
            if key in given:
                _check(key, given[key])
        policy = given.get("policy")
        if policy is not None and metric not in ("win_rate", "score"):
            raise ValueError(f"until: policy goes with win_rate and score, not with {metric}")
        return cls(**given)

    def check(self, labels: Sequence[str], is_difference: bool = False) -> None:
        """Check the rule against the labels of a line-up.

        Raises
        ------
        ValueError
            If the policy is not among them, wins its share by design, or nothing is even that could be decided.
        """
        known = list(dict.fromkeys(labels))
        if self.policy is not None and self.policy not in known:
            raise ValueError(unknown("until: policy", self.policy, known))
        if self.metric == "win_rate" and len(known) == 1 and not is_difference:
            raise ValueError(
                "until: win_rate is 1/seats by design where one policy sits everywhere; watch seat_advantage"
            )
        if self.decided is not None and not is_difference and self.metric not in EVEN:
            raise ValueError(
                f"until: decided needs a metric with an even value, which {self.metric} has only in a comparison"
            )

    @property
    def confidence(self) -> float:
        """Level of the confidence sequence."""
        return self.level if self.decided is None else self.decided

    @property
    def goal(self) -> str:
        """The rule in words."""
        what = f"{self.metric} of {self.policy}" if self.policy else self.metric
        if self.decided is not None:
            return f"{what} decided at {100 * self.decided:g} %"
        assert self.half_width is not None
        return f"{what} known to ± {number(self.metric, self.half_width)}"

    def spec(self) -> dict[str, Any]:
        """The rule as plain values."""
        return {key: getattr(self, key) for key in KEYS if getattr(self, key) is not None}


def _check(key: str, value: Any) -> None:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if key == "half_width" and not (is_number and 0 < value < float("inf")):
        raise ValueError(f"until: half_width must be a number greater than 0, not {value!r}")
    if key != "half_width" and not (is_number and 0 < value < 1):
        raise ValueError(f"until: {key} must be a number between 0 and 1, such as 0.99, not {value!r}")


def number(metric: str, value: float, signed: bool = False) -> str:
    """A value of a metric; proportions in per cent."""
    sign = "+" if signed else ""
    return f"{100 * value:{sign}.4g} %" if metric in SHARES else f"{value:{sign}.4g}"


@dataclass(frozen=True)
class Look:
    """What a rule has seen so far."""

    until: Until
    interval: Interval
    met: bool
    is_difference: bool

    def facts(self) -> dict[str, Any]:
        """What was reached, as plain values; bounds are None where nothing can be said."""
        values = zip(("estimate", "low", "high"), self.interval[:3], strict=True)
        known = {name: value if np.isfinite(value) else None for name, value in values}
        return {"met": self.met, **known, "observations": self.interval.n}

    def __str__(self) -> str:
        low, n = self.interval.low, self.interval.n
        metric, deals = self.until.metric, f"{n + PILOT:,} deals"
        reached = "reached" if self.met else "not reached"
        if not np.isfinite(low):
            return f"{self.until.goal}: not reached; {n:,} deals are too few to say anything"
        said = [number(metric, x, signed=self.is_difference or metric == "seat_advantage") for x in self.interval[:3]]
        what = "difference " if self.is_difference else ""
        return (
            f"{self.until.goal}: {reached} after {deals}; {what}{said[0]} ({said[1]} to {said[2]}, "
            f"{100 * self.until.confidence:g} % at every look)"
        )


class Watch:
    """Follows a rule through a run, of one line-up or of two on the same deals.

    Parameters
    ----------
    until : Until
    deals : int, optional
        The most that will be played, for tuning.
    """

    def __init__(self, until: Until, deals: int | None = None):
        self.until, self.deals = until, deals or UNBOUNDED
        self.pilot: list[np.ndarray] = []
        self.sequence: ConfidenceSequence | None = None
        self.even: float | None = None
        self.is_difference = False

    def add(self, first: Playouts, second: Playouts | None = None) -> None:
        """Add the next deals, in order; with a second line-up the metric is the difference first less second."""
        self.is_difference = second is not None
        self.until.check(first.policies, self.is_difference)
        seen = observations(first, self.until)
        self.even = _even(first, self.until)
        if second is not None:
            seen, self.even = seen - observations(second, self.until), 0.0
        if self.sequence is None:
            self.pilot.append(seen)
            seen = np.concatenate(self.pilot)
            if len(seen) < PILOT:
                return
            self.sequence, seen = self._tuned(seen[:PILOT]), seen[PILOT:]
        self.sequence.add(seen)

    def _tuned(self, pilot: np.ndarray) -> ConfidenceSequence:
        span = SPANS[self.until.metric]
        if span is not None and self.is_difference:
            span *= 2
        variance = max(float(pilot.var()), ((span or 1.0) / PILOT) ** 2)
        most = max(self.deals, 4 * PILOT)
        tuned = (PILOT * most) ** 0.5  # nobody knows when a difference is decided
        if self.until.half_width is not None:
            tuned = min(max(10 * variance / self.until.half_width**2, PILOT), most)
        return ConfidenceSequence(
            self.until.confidence, span=span, tuned=tuned, variance=variance, start=float(pilot.mean())
        )

    def look(self) -> Look:
        """What is known now, and whether that is enough."""
        found = Interval(float("nan"), -np.inf, np.inf, 0) if self.sequence is None else self.sequence.interval()
        if self.until.half_width is not None:
            met = found.half_width <= self.until.half_width
        else:
            assert self.even is not None
            met = found.low > self.even or found.high < self.even
        return Look(self.until, found, bool(met), self.is_difference)


def _even(play: Playouts, until: Until) -> float | None:
    return {"seat_advantage": 0.0, "win_rate": 1 / play.n_seats}.get(until.metric)


def observations(play: Playouts, until: Until) -> np.ndarray:
    """The metric of each deal, float64 (deals,).

    Raises
    ------
    ValueError
        If the policy is not of the line-up.
    """
    clusters = frames.clusters_of(play)
    games = clusters.game_sums("playouts")
    if until.metric == "seat_advantage":
        first = clusters.seat_sums("sixtieths")[:, :, 0].sum(1)
        return first / (games * SIXTIETHS) - 1 / play.n_seats
    if until.metric in ("ties", "decisions", "margin"):
        return clusters.game_sums("lead" if until.metric == "margin" else until.metric) / games
    policy = until.policy or play.policies[0]
    if policy not in clusters.policies:
        raise ValueError(unknown("until: policy", policy, clusters.policies))
    p = clusters.policies.index(policy)
    sat = clusters.seat_sums("games")[:, p].sum(1)
    sums = clusters.seat_sums("score" if until.metric == "score" else "sixtieths")[:, p].sum(1)
    return sums / (sat * (1 if until.metric == "score" else SIXTIETHS))
