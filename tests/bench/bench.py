"""Speed, start-up and memory, each beside what it is measured against, in one run.

    python tests/bench/bench.py [--quick]

Machines differ and are shared, so ratios count: each is the median over rounds that time both sides in turn.
"""

import argparse
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import engine
from engine import jit

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
SEED = 2026
ONE_CALL = 'import engine; engine.simulate("draftosaurus", ["random"] * 4, games=1_000, seed=1)'
COMMAND = [sys.executable, "-m", "analysis", "simulate", "draftosaurus", "--policies", *["random"] * 4]


def say(what, measured, floor="", met=None):
    verdict = "" if met is None else ("met" if met else "NOT MET")
    print(f"{what:<58} {measured:<34} {floor:<22} {verdict}", flush=True)


def rate(game, lineup, games, threads=1, **options):
    """Games a second of one call."""
    began = time.perf_counter()
    engine.simulate(game, lineup, games, SEED, threads=threads, **options)
    return games / (time.perf_counter() - began)


def plain_rate(program, games):
    line = subprocess.run([program, str(games), str(SEED)], capture_output=True, text=True, check=True).stdout
    return float(line.split("games/s")[0].split()[-1])


def median_ratio(first, second, rounds):
    """Medians of both, and of their ratio, timed in turn."""
    pairs = [(first(), second()) for _ in range(rounds)]
    a, b = zip(*pairs, strict=True)
    return statistics.median(a), statistics.median(b), statistics.median(x / y for x, y in pairs)


def bench_plain_c(games, rounds):
    with tempfile.TemporaryDirectory() as folder:
        program = f"{folder}/plain"
        subprocess.run(["cc", "-O3", "-march=native", "-o", program, str(HERE / "plain.c")], check=True)
        lineup = ["random"] * 4
        ours, plain, ratio = median_ratio(
            lambda: rate("draftosaurus", lineup, games), lambda: plain_rate(program, games), rounds
        )
    say("random, four players, one core: plain C", f"{plain:,.0f} games/s")
    say(
        "random, four players, one core: engine, all recorded",
        f"{ours:,.0f} games/s, {ratio:.2f} x plain C",
        "1.4 x plain C",
        ratio >= 1.4,
    )
    say("  decisions", f"{ours * 48 / 1e6:.1f} million/s", "about 20 million/s")
    return ours


def bench_oracle(ours, games):
    import random

    from oracles.draftosaurus import Draftosaurus, default_rules

    rules, rng = default_rules("summer"), random.Random(SEED)
    began = time.perf_counter()
    for _ in range(games):
        bag = [k for k in range(6) for _ in range(8)]
        rng.shuffle(bag)
        game = Draftosaurus(4, rules, [bag], [[rng.randrange(6) for _ in range(12)]])
        while not game.over:
            game.apply(rng.choice(game.legal()))
    oracle = games / (time.perf_counter() - began)
    say("  plain-Python oracle", f"{oracle:,.0f} games/s; engine {ours / oracle:,.0f} x")


def bench_threads(games, rounds):
    pairs = [
        (rate("draftosaurus", ["random"] * 4, games), rate("draftosaurus", ["random"] * 4, games, threads=2))
        for _ in range(rounds)
    ]
    best = max(two / one for one, two in pairs)
    say("random: two threads against one, best of rounds", f"{best:.2f} x", "1.85 x", best >= 1.85)


def bench_variants(games, rounds):
    lineup = ["random"] * 4
    winter, _, ratio = median_ratio(
        lambda: rate("draftosaurus", lineup, games, variant="winter"),
        lambda: rate("draftosaurus", lineup, games),
        rounds,
    )
    say("random, Winter board", f"{winter:,.0f} games/s, {ratio:.2f} x Summer", "0.7 x Summer", ratio >= 0.7)


def bench_games(games, rounds):
    """Decisions a second of the other games against Draftosaurus."""
    for name in engine.games():
        if name == "draftosaurus":
            continue
        seats = min(4, engine.load_game(name).seats[1])
        play = engine.simulate(name, ["random"] * seats, 1000, SEED)
        a_game = play.decisions.mean()
        ours, _, ratio = median_ratio(
            lambda n=name, s=seats: rate(n, ["random"] * s, games // 4),
            lambda: rate("draftosaurus", ["random"] * 4, games),
            rounds,
        )
        ratio *= a_game / 48
        say(
            f"random, {name}, {seats} players, one core",
            f"{ours * a_game / 1e6:.1f} million decisions/s, {ratio:.2f} x",
            "0.4 x Draftosaurus",
            ratio >= 0.4,
        )


def bench_policies(games):
    slowest = None
    for name in engine.policies("draftosaurus"):
        rate("draftosaurus", [name] * 4, 1000)
        speed = rate("draftosaurus", [name] * 4, games, threads=2)
        say(f"  four times {name}, two cores", f"{speed:,.0f} games/s, {1e6 / speed:.1f} s a million")
        slowest = min(slowest or speed, speed)
    seconds = 1e6 / slowest
    say("a million games of the slowest policy, two cores", f"{seconds:.1f} s", "15 s", seconds < 15)


def bench_start(rounds):
    def seconds(command, **environment):
        began = time.perf_counter()
        subprocess.run(command, env={**os.environ, **environment}, check=True, capture_output=True)
        return time.perf_counter() - began

    one = [sys.executable, "-c", ONE_CALL]
    with tempfile.TemporaryDirectory() as folder:
        cold = seconds(one, NUMBA_CACHE_DIR=folder)
    warm = statistics.median(seconds(one) for _ in range(rounds))
    line = statistics.median(seconds(COMMAND) for _ in range(rounds + 1))
    say("one call of 1,000 games from the shell, cold cache", f"{cold:.1f} s", "30 s", cold < 30)
    say("one call of 1,000 games from the shell, warm cache", f"{warm:.2f} s", "2 s", warm < 2)
    say("meeplecarlo simulate, 1,000 games, warm cache", f"{line:.2f} s", "2.5 s", line < 2.5)


TALLY = """
import resource, sys
from analysis.tallies import tally
import engine
from engine.run import make_plan, run_plan
plan = make_plan("draftosaurus", ["random"] * 4, 1)
total, games, chunk = None, int(sys.argv[1]), 200_000
for first in range(0, games, chunk):
    part = tally(run_plan(plan, min(chunk, games - first), first_deal=first, threads=2))
    total = part if total is None else total + part
assert len(total) == games
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


def bench_memory(games):
    began = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", TALLY, str(games)], capture_output=True, text=True, check=True)
    peak = int(done.stdout)
    seconds = time.perf_counter() - began
    say(f"a cell of {games:,} games, tallies only", f"{peak} MB, {seconds:.0f} s", "500 MB", peak < 500)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the games")
    quick = parser.parse_args().quick
    games, rounds = (100_000, 3) if quick else (1_000_000, 5)
    cores = len(os.sched_getaffinity(0))
    print(f"{platform.processor() or platform.machine()}, {cores} cores, Python {platform.python_version()}")
    print(f"compile cache {jit.cache_root()}, load {os.getloadavg()[0]:.1f}, seed {SEED}\n")
    rate("draftosaurus", ["random"] * 4, 1000)
    ours = bench_plain_c(games, rounds)
    bench_oracle(ours, 100)
    bench_threads(games, rounds)
    bench_variants(games, rounds)
    bench_games(games, rounds)
    bench_policies(games // 5)
    bench_start(rounds)
    bench_memory(games * (1 if quick else 100))
    print(f"\npeak of this process {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB")


if __name__ == "__main__":
    main()
