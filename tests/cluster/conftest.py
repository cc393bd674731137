"""Real clusters on loopback, started and stopped by the tests: Dask, and SLURM where it is installed."""

import getpass
import secrets
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from cluster_tools import CONFIGURATION, Children, DaskCluster, Slurm, free_ports, until
from study_samples import file_bytes, small

from analysis.sweep import run_study

HEAD = """title = "A test"
question = "Does it survive?"
game = "draftosaurus"
games = 40_000
seed = 7
"""
GRID = """
[[grid]]
players = [2, 3, 4, 5]
lineup = ["random", "greedy", {focus = "greedy", field = "random"}]

[[grid]]
players = [2]
lineup = ["random"]
games = 600_000
"""


@pytest.fixture(scope="session")
def sample(tmp_path_factory):
    """A study of 13 cells, one of them of tallies."""
    return small(tmp_path_factory.mktemp("study"), GRID, HEAD)


@pytest.fixture(scope="session")
def serial(sample, tmp_path_factory):
    """The bytes of every cell of the study, from a run with one thread and no interruption."""
    folder = tmp_path_factory.mktemp("serial")
    run_study(sample, folder, jobs=1, progress=False)
    return file_bytes(folder)


@pytest.fixture
def dask_cluster(tmp_path_factory):
    """A Dask cluster of two workers, which their nannies start again when they die."""
    folder = tmp_path_factory.mktemp("dask")
    file, children = folder / "scheduler.json", Children(folder)
    python = [sys.executable, "-m"]
    options = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", file]
    worker = ["--scheduler-file", file, "--host", "127.0.0.1", "--nthreads", "1", "--nworkers", "2", "--no-dashboard"]
    try:
        scheduler = children.start(
            *python, "distributed.cli.dask_scheduler", *options, DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES="1"
        )
        until(file.exists)
        children.start(*python, "distributed.cli.dask_worker", *worker, "--local-directory", folder)
        yield DaskCluster(file, scheduler)
    finally:
        children.stop(patience=1.0)


# ---------------------------------------------------------------------------------------------------------
# SLURM
# ---------------------------------------------------------------------------------------------------------
@pytest.fixture(scope="session")
def slurm():
    """A SLURM on loopback; skipped only where it is not installed."""
    if shutil.which("slurmctld") is None:
        pytest.skip("slurmctld is not installed")
    folder = Path(subprocess.check_output(["mktemp", "-d"], text=True).strip())  # short, as sockets' paths must be
    (folder / "state").mkdir()
    key = folder / "munge.key"
    key.write_bytes(secrets.token_bytes(128))
    key.chmod(0o600)
    host = socket.gethostname().split(".")[0]
    text = CONFIGURATION.format(host=host, user=getpass.getuser(), folder=folder, ports=free_ports(3))
    (folder / "slurm.conf").write_text(text)
    found, children = Slurm(folder), Children(folder)
    conf = found.env["SLURM_CONF"]
    munge = ["--foreground", "--force", f"--key-file={key}", f"--socket={folder}/munge.sock"]
    try:
        children.start("munged", *munge, f"--pid-file={folder}/munged.pid", f"--seed-file={folder}/seed",
                       f"--log-file={folder}/munged.log")  # fmt: skip
        until((folder / "munge.sock").exists)
        children.start("slurmctld", "-D", SLURM_CONF=conf)
        for node in ("n1", "n2"):
            (folder / f"spool.{node}").mkdir()
            children.start("slurmd", "-D", "-N", node, SLURM_CONF=conf)
        idle = ["sinfo", "-h", "-N", "-o", "%T"]
        until(lambda: subprocess.run(idle, env=found.env, capture_output=True, text=True, check=False).stdout.split()
              == ["idle", "idle"])  # fmt: skip
        yield found
        subprocess.run(["scancel", "--user", getpass.getuser()], env=found.env, check=False)
        until(lambda: not found.jobs(), 30.0)
    finally:
        children.stop()
        shutil.rmtree(folder, ignore_errors=True)
