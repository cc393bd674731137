"""Are the intervals honest? Many small studies with a known truth, and how often each interval holds it.

``make calibration`` plays them and writes the table of `CALIBRATION.md`. A study is 400 deals of Draftosaurus, three
players, seats rotated; the truth is a run of a thousand times as many deals. Its error is a thirtieth of a study's,
which moves a coverage by 0.01 points.
"""

import argparse
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import engine
from analysis import metrics, stats
from analysis.comparison import compare_results
from analysis.restricted import cost_frame, side_of
from analysis.sequential import ConfidenceSequence
from analysis.until import SPANS, Until, observations
from engine.errors import whole_number

STUDIES, DEALS, TRUTH_DEALS, TRACED_DEALS = 10_000, 400, 400_000, 40_000
SEED = 20261130
BATCH = 50  # studies of one task
HEAVIEST = 20.0  # kurtosis, as of what 1 deal in 20 has; see `Truth`
GAME = "draftosaurus"
LINEUPS = {"one greedy": ["greedy", "random", "random"], "all greedy": ["greedy"] * 3, "tying": ["greedy"] * 4}
RULES: dict[str, dict[str, Any]] = {"tying": {"river_points": 3}}  # the game as printed has too few ties to judge by
CHANGE = {"king_points": 5}
METRICS: dict[str, tuple[str, ...]] = {
    "one greedy": (
        "win_rates", "mean_score", "source_values", "winner_points", "win_model", "margin", "game_length", "ties",
        "source_distribution", "score_distribution", "source_balance", "fact_values", "compare", "restricted_play",
        "decisions",
    ),
    "all greedy": ("seat_advantage", "mean_score", "margin", "game_length", "ties", "compare"),
    "tying": ("game_length", "ties", "margin"),
}  # fmt: skip
STOPS = (
    ("seat_advantage", "seat_advantage", None),
    ("score", "score", None),
    ("difference of seat_advantage", "seat_advantage", CHANGE),
    ("difference of score", "score", CHANGE),
    ("rare difference of score", "score", {"forest_points.4": 10}),  # on a quarter of deals
)
NO_LABELS = {*stats.COLUMNS, "influence", "first", "against", "saved", "p", "p_family"}
FILE = Path(__file__).parent / "CALIBRATION.md"
MARKERS = re.compile(r"(<!-- calibration -->\n).*?(<!-- /calibration -->)", re.DOTALL)
COMMAND = "make calibration"


# ---------------------------------------------------------------------------------------------------------
# The intervals of one study
# ---------------------------------------------------------------------------------------------------------
def frames_of(first_deal: int, deals: int, seed: int, traced: int | None = None) -> Iterator[tuple[str, str, Any]]:
    """(line-up, metric, frame) of everything that is looked at, for these deals."""
    for name, lineup in LINEUPS.items():
        per_deal = len(lineup) if len(set(lineup)) > 1 else 1
        how: dict[str, Any] = {"first_deal": first_deal, "threads": 1, "rules": RULES.get(name)}
        play = engine.simulate(GAME, lineup, deals * per_deal, seed, **how)
        for metric in METRICS[name]:
            if metric == "compare":
                other = engine.simulate(GAME, lineup, deals * per_deal, seed, **how | {"rules": CHANGE})
                frame = compare_results(play, other)
            elif metric == "restricted_play":
                banned = engine.entry(lineup[0], ban=["meadow"], label="restricted")
                other = engine.simulate(GAME, [banned, *lineup[1:]], deals * per_deal, seed, **how)
                frame = cost_frame(side_of(other, "restricted"), side_of(play, lineup[0]))
            elif metric == "decisions":
                rows = engine.trace(GAME, lineup, (traced or deals) * per_deal, seed, first_deal=first_deal)
                frame = metrics.decisions(rows, by="seat", per_deal=per_deal)
            else:
                frame = getattr(metrics, metric)(play)
            yield name, metric, frame


@dataclass(frozen=True)
class Row:
    """One quantity of one line-up."""

    metric: str
    quantity: str
    label: str  # which row of the metric, and the line-up


def rows_of(frames: Iterator[tuple[str, str, Any]]) -> Iterator[tuple[Row, dict[str, Any]]]:
    """Every row of these frames, with its columns."""
    for name, metric, frame in frames:
        labels = [column for column in frame if column not in NO_LABELS and column != "quantity"]
        for values in frame.to_dict("records"):
            said = [
                str(values[column]) for column in labels if values[column] == values[column] and values[column] != ""
            ]
            quantity = str(values.get("quantity", "share of games" if "value" in values else metric))
            yield Row(metric, quantity, ", ".join([*said, name])), values


class Truth(NamedTuple):
    """What is known of a row."""

    value: float
    kurtosis: float  # over deals, of what they add; 0 where nothing varies, NaN where it is not known

    @property
    def is_rare(self) -> bool:
        """Whether it rests on rare deals.

        What one deal in k has, and the others not, has a kurtosis of about k. In 400 deals a kurtosis of 20 leaves
        some twenty deals to learn from, and no interval knows the tail of what it has seen less often.
        """
        return self.kurtosis > HEAVIEST


def truth_of(seed: int, deals: int = TRUTH_DEALS, traced: int = TRACED_DEALS) -> dict[Row, Truth]:
    """The truth of every row for which there is one."""
    found = {}
    with stats.influence():
        for row, values in rows_of(frames_of(0, deals, seed, traced)):
            kurtosis = np.nan
            if isinstance(values.get("influence"), np.ndarray):
                square = values["influence"] ** 2
                kurtosis = float((square**2).mean() / square.mean() ** 2) if square.any() else 0.0
            if np.isfinite(values["estimate"]):
                found[row] = Truth(values["estimate"], kurtosis)
    return found


def count(truth: dict[Row, Truth], first: int, studies: int, seed: int) -> np.ndarray:
    """How often each row had an interval, had one of no width, and had one that covers; int64 (rows, 3)."""
    found = np.zeros((len(truth), 3), np.int64)
    for study in range(first, first + studies):
        seen = dict(rows_of(frames_of(study * DEALS, DEALS, seed)))
        for i, (row, (value, _)) in enumerate(truth.items()):
            low, high = (seen[row][end] if row in seen else np.nan for end in ("low", "high"))
            near = 1e-9 * max(1.0, abs(value))
            found[i] += [np.isfinite(low), low == high, low - near <= value <= high + near]
    return found


def run(studies: int, seed: int, jobs: int, say: Callable[[str], Any]) -> tuple[dict[Row, Truth], np.ndarray]:
    """The rows, and their counts over all studies."""
    from joblib import Parallel, delayed

    truth = truth_of(seed + 1)
    tasks = [(at, min(BATCH, studies - at)) for at in range(0, studies, BATCH)]
    total, done = np.zeros((len(truth), 3), np.int64), 0
    parallel = Parallel(n_jobs=jobs, return_as="generator")
    for (_, size), part in zip(tasks, parallel(delayed(count)(truth, *task, seed) for task in tasks), strict=True):
        total, done = total + part, done + size
        if done % 1000 < size:
            say(f"{done:,} of {studies:,} studies")
    return truth, total


# ---------------------------------------------------------------------------------------------------------
# Stop rules
# ---------------------------------------------------------------------------------------------------------
def misses(metric: str, change: dict[str, Any] | None, runs: int, seed: int, most: int = 4096) -> tuple[int, float]:
    """How many of many runs miss the truth at any look, and the bound that is promised.

    Each run draws deals from a large pool with replacement, so that the pool's mean is the truth, and looks 25 times.
    With a change of rules, deals are differences.
    """
    rule, span = Until(metric, half_width=1.0), SPANS[metric]
    pool = observations(engine.simulate(GAME, LINEUPS["all greedy"], 50_000, seed), rule)
    if change is not None:
        pool = pool - observations(engine.simulate(GAME, LINEUPS["all greedy"], 50_000, seed, rules=change), rule)
        span = None if span is None else 2 * span
    rng, truth, missed = np.random.default_rng(seed), pool.mean(), 0
    looks = np.unique(np.geomspace(64, most, 25).astype(int))
    for _ in range(runs):
        drawn = rng.choice(pool, most)
        known = ConfidenceSequence(0.95, span=span, tuned=1000, variance=float(pool.var()), start=float(truth))
        for start, stop in zip([0, *looks[:-1]], looks, strict=True):
            known.add(drawn[start:stop])
            _, low, high, _ = known.interval()
            if not low <= truth <= high:
                missed += 1
                break
    return missed, 0.05


# ---------------------------------------------------------------------------------------------------------
# The table
# ---------------------------------------------------------------------------------------------------------
def limits(covered: int, n: int) -> tuple[float, float]:
    """The exact 95 % interval of a proportion (Clopper and Pearson, Biometrika 26, 1934, 404-413)."""
    from scipy.stats import binomtest

    found = binomtest(int(covered), int(n)).proportion_ci(0.95, "exact")
    return found.low, found.high


def table(truth: dict[Row, Truth], counts: np.ndarray) -> tuple[list[str], int]:
    """The lines of the coverage table, and how many quantities fail."""
    lines = [
        "| metric | quantity | intervals | rare | mean coverage | worst one | its coverage (95 % limits) | 95 %? |",
        "| --- | --- | ---: | ---: | ---: | --- | ---: | --- |",
    ]
    rows = list(truth)
    groups: dict[tuple[str, str], list[int]] = {}
    for i, row in enumerate(rows):
        groups.setdefault((row.metric, row.quantity), []).append(i)
    failed = 0
    for (metric, quantity), places in groups.items():
        left_out = [i for i in places if truth[rows[i]].is_rare]
        exact = [i for i in places if truth[rows[i]].kurtosis == 0]  # the same in every game
        judged = [i for i in places if i not in left_out and i not in exact]
        head = f"| {metric} | {quantity} | {len(judged)} | {len(left_out) or ''} |"
        if not judged:
            lines.append(f"{head} {'the same in every game' if exact else 'all rare'} | | | |")
            continue
        shares = counts[judged, 2] / counts[judged, 0]
        worst = judged[int(np.argmax(np.abs(shares - 0.95)))]
        n, covered = counts[worst, 0], counts[worst, 2]
        low, high = limits(covered, n)
        fails = abs(covered / n - 0.95) > 5 * np.sqrt(0.95 * 0.05 / n)
        failed += fails
        lines.append(
            f"{head} {100 * shares.mean():.2f} % | {rows[worst].label} "
            f"| {100 * covered / n:.2f} % ({100 * low:.2f} to {100 * high:.2f}) | {'NOT' if fails else 'yes'} |"
        )
    return lines, int(failed)


def stop_table(runs: int, seed: int) -> tuple[list[str], int]:
    """The lines of the table of stop rules, and how many fail."""
    lines = [
        "| stop rule | runs | missed at any of 25 looks (95 % limits) | at most 5 %? |",
        "| --- | ---: | ---: | --- |",
    ]
    failed = 0
    for name, metric, change in STOPS:
        missed, bound = misses(metric, change, runs, seed)
        low, high = limits(missed, runs)
        fails = missed / runs > bound + 5 * np.sqrt(bound * (1 - bound) / runs)
        failed += fails
        says = f"{100 * missed / runs:.2f} % ({100 * low:.2f} to {100 * high:.2f})"
        lines.append(f"| {name} | {runs:,} | {says} | {'NOT' if fails else 'yes'} |")
    return lines, failed


def document(studies: int, seed: int, jobs: int, say: Callable[[str], Any]) -> tuple[str, int]:
    """What goes between the markers, and how many quantities fail."""
    say(f"{studies:,} studies of {DEALS} deals, and the truth from {TRUTH_DEALS:,} deals")
    truth, counts = run(studies, seed, jobs, say)
    lines, failed = table(truth, counts)
    stops, stop_failed = stop_table(studies, seed + 2)
    within = 500 * np.sqrt(0.95 * 0.05 / studies)
    head = (
        f"Made by `{COMMAND}`: {studies:,} studies of {DEALS} deals, seed {seed}, "
        f"{int(counts[:, 0].sum()):,} intervals. "
        f"“yes” is a coverage within five standard errors, {within:.1f} points, of 95 %."
    )
    return "\n".join([head, "", *lines, "", *stops]), failed + stop_failed


def rewritten(text: str, content: str) -> str:
    """`text` with `content` between its markers.

    Raises
    ------
    ValueError
        If it has no markers.
    """
    if not MARKERS.search(text):
        raise ValueError("no '<!-- calibration -->' and '<!-- /calibration -->' lines to write between")
    return MARKERS.sub(lambda found: f"{found.group(1)}{content}\n{found.group(2)}", text)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line: 0, 1 if an interval does not cover what it says, 2 after a bad argument."""
    parser = argparse.ArgumentParser(prog="python -m analysis.calibration", description=__doc__.split("\n")[0])
    parser.add_argument("--studies", type=int, default=STUDIES)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--jobs", type=int, default=-1, help="processes, by default one a core")
    parser.add_argument("--write", action="store_true", help=f"put the table into {FILE.name}")
    given = parser.parse_args(arguments)
    try:
        studies = whole_number("--studies", given.studies, 1)
        content, failed = document(studies, given.seed, given.jobs, lambda line: print(line, file=sys.stderr))
        print(content)
        if given.write:
            FILE.write_text(rewritten(FILE.read_text(encoding="utf-8"), content), encoding="utf-8")
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
