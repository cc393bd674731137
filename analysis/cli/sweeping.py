"""What ``meeplecarlo study`` and ``merge`` do before there is a report."""

import argparse
import sys
from collections.abc import Callable
from typing import Any

from analysis.cli.words import many


def add_arguments(parser: argparse.ArgumentParser, whole: Callable[[str], int]) -> None:
    """How and where a study is played."""
    from analysis.cli import named

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
    parser.add_argument(
        "--scheduler", type=named, metavar="WHERE", help="with dask: the scheduler's address, or its file"
    )
    parser.add_argument(
        "--cluster", type=named, metavar="FILE", help="with slurm: a TOML file with the queue's settings"
    )
    parser.add_argument(
        "--shard", metavar="I/N", help="play only the I-th of N pieces; each may run on another machine, in any order"
    )
    parser.add_argument(
        "--checkpoint",
        type=whole,
        default=10_000_000,
        metavar="GAMES",
        help="so often a cell that keeps tallies stores what it has so far, default 10,000,000; also every ten "
        "minutes, and when the run is interrupted",
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
        there = [f"{done} of {many(len(found.cells), 'cell')}"] * bool(found.cells)
        there += [f"{outcome.rule_sets:,} rule sets"] * (found.design is not None)
        warn(f"interrupted: {' and '.join(there)} are finished and kept in {root}; "
             "the same command goes on from there")  # fmt: skip
        return INTERRUPTED, False
    if outcome.lost:
        warn(f"error: {outcome.lost}; the same command goes on from there")
    if outcome.failed:
        warn(f"error: {_failures(outcome.failed, found)} failed; the others are kept in {root}")
    if outcome.shard.n > 1:
        print(f"When all shards are there: {found.command_here('report', asked.results)}", file=sys.stderr)
        return (0 if outcome.is_good else FAILED), False
    return (0 if outcome.is_good else FAILED), bool(done or outcome.rule_sets)


def _summary(outcome: Any, found: Any) -> str:
    """What a run did, in a line."""
    shard = f" of shard {outcome.shard}" if outcome.shard.n > 1 else ""
    took, says = f"{outcome.seconds:.1f} s", []
    if found.cells or found.design is None:
        cells, kept = many(len(outcome.computed), "cell"), len(outcome.kept)
        says.append(f"{cells}{shard} computed in {took}, {kept} {'was' if kept == 1 else 'were'} there already")
    if found.design is not None:
        are = "is" if outcome.rule_sets == 1 else "are"
        says.append(f"{many(outcome.rule_sets, 'rule set')}{shard} {are} there after {took}")
    return "; ".join(says)


def _failures(failed: Any, found: Any) -> str:
    """How much of a study failed: cells, pieces of the rule sets, or both."""
    from analysis.cells import Cell

    cells = sum(isinstance(what, Cell) for what, _ in failed)
    pieces = len(failed) - cells
    says = [f"{cells:,} of {many(len(found.cells), 'cell')}"] * bool(cells)
    return " and ".join(says + [f"{many(pieces, 'piece')} of the rule sets"] * bool(pieces))


def merge(asked: argparse.Namespace, found: Any, warn: Callable[[str], Any]) -> int:
    """Bring the results of other folders into one; the exit status."""
    from analysis.cli import FAILED
    from analysis.store import Store
    from analysis.sweep.merge import merge_results

    store = Store(found, asked.results)
    merged = merge_results(store, asked.folders)
    for line in merged.problems:
        warn(f"error: {line}")
    print(f"{many(merged.added, 'result')} added to {store.root}; there and alike: {merged.agreed:,}", file=sys.stderr)
    return FAILED if merged.problems else 0
