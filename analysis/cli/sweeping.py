"""What ``meeplecarlo study`` and ``merge`` do before there is a report."""

import argparse
import sys
from collections.abc import Callable
from typing import Any


def add_arguments(parser: argparse.ArgumentParser, whole: Callable[[str], int]) -> None:
    """How and where a study is played."""
    parser.add_argument(
        "--jobs",
        type=whole,
        help="threads or processes; by default the cores granted to this process; or batch jobs",
    )
    parser.add_argument(
        "--backend",
        default="threads",
        help="threads (the default), loky (processes), dask (a cluster that is there) or slurm (batch jobs as workers)",
    )
    parser.add_argument("--scheduler", metavar="WHERE", help="with dask: the scheduler's address, or its file")
    parser.add_argument("--cluster", metavar="FILE", help="with slurm: a TOML file with the queue's settings")
    parser.add_argument(
        "--shard", metavar="I/N", help="play only the I-th of N pieces; each may run on another machine, in any order"
    )
    parser.add_argument(
        "--checkpoint",
        type=whole,
        default=10_000_000,
        metavar="GAMES",
        help="cells of more games than this keep what they have so often, default 10,000,000",
    )


def run(asked: argparse.Namespace, found: Any, warn: Callable[[str], Any]) -> tuple[int, bool]:
    """Play what is missing of a study: the exit status, and whether there is something to report on."""
    from analysis.cli import FAILED, INTERRUPTED
    from analysis.store import Store
    from analysis.sweep import run_study

    outcome = run_study(
        found,
        asked.results,
        jobs=asked.jobs,
        backend=asked.backend,
        scheduler=asked.scheduler,
        cluster=asked.cluster,
        shard=asked.shard,
        checkpoint=asked.checkpoint,
        say=warn,
    )
    root, done = Store(found, asked.results).root, len(outcome.kept) + len(outcome.computed)
    print(_summary(outcome, found), file=sys.stderr)
    for line in outcome.failures():
        warn(f"error: {line}")
    if outcome.interrupted:
        there = [f"{done} of {len(found.cells)} cells"] * bool(found.cells)
        there += [f"{outcome.rule_sets:,} rule sets"] * (found.design is not None)
        warn(f"interrupted: {' and '.join(there)} are finished and kept in {root}; "
             "the same command goes on from there")  # fmt: skip
        return INTERRUPTED, False
    if outcome.lost:
        warn(f"error: {outcome.lost}; the same command goes on from there")
    if outcome.failed:
        warn(f"error: {len(outcome.failed)} of {len(found.cells)} cells failed; the others are kept in {root}")
    if outcome.shard.n > 1:
        print(f"When all shards are there: {found.command.replace(' study ', ' report ')}", file=sys.stderr)
        return (0 if outcome.is_good else FAILED), False
    return (0 if outcome.is_good else FAILED), bool(done or outcome.rule_sets)


def _summary(outcome: Any, found: Any) -> str:
    """What a run did, in a line."""
    shard = f" of shard {outcome.shard}" if outcome.shard.n > 1 else ""
    took, says = f"{outcome.seconds:.1f} s", []
    if found.cells or found.design is None:
        says.append(f"{len(outcome.computed)} cells{shard} computed in {took}, {len(outcome.kept)} were there already")
    if found.design is not None:
        says.append(f"{outcome.rule_sets:,} rule sets{shard} are there after {took}")
    return "; ".join(says)


def merge(asked: argparse.Namespace, found: Any, warn: Callable[[str], Any]) -> int:
    """Bring the results of other folders into one; the exit status."""
    from analysis.cli import FAILED
    from analysis.store import Store
    from analysis.sweep.merge import merge_results

    store = Store(found, asked.results)
    merged = merge_results(store, asked.folders)
    for line in merged.problems:
        warn(f"error: {line}")
    print(f"{merged.added:,} results added to {store.root}, {merged.agreed:,} were there and agree", file=sys.stderr)
    return FAILED if merged.problems else 0
