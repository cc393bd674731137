"""Small study files for the tests of studies, stores, sweeps, reports and the command line."""

from analysis.study import load_study

HEAD = """title = "A test"
question = "Does it work?"
game = "draftosaurus"
games = 200
seed = 7
"""
SMALL = """
[[grid]]
variant = ["summer"]
players = [2, 4]
lineup = ["random", {focus = "greedy", field = "random"}]
"""
# A worker that loads this file dies; the driver, which loads it first, does not.
POISON = """
import os, signal
import engine

if os.getpid() != int(os.environ.get("DRIVER", os.getpid())):
    os.kill(os.getpid(), signal.SIGKILL)

@engine.policy("draftosaurus")
def poison(state, rules, legal, weights):
    return engine.bits.lowest(legal)
"""


def write(folder, grid=SMALL, head=HEAD, name="small.toml"):
    """A study file in `folder`; its path."""
    path = folder / name
    path.write_text(head + grid)
    return path


def small(folder, grid=SMALL, head=HEAD):
    """A loaded study."""
    return load_study(write(folder, grid, head))


def file_bytes(root):
    """Path to content of every cell's file under a results folder."""
    return {p.relative_to(root).as_posix(): p.read_bytes() for p in sorted(root.rglob("[!_.]*.parquet"))}
