import subprocess
import sys
import time

import pytest
from cluster_tools import ROOT, until
from study_samples import file_bytes, small

from analysis.sweep import run_study

pytestmark = pytest.mark.slow
SCRIPT = ROOT / "analysis" / "sweep" / "array.sbatch"
HEAD = """title = "A longer test"
question = "Is a dead job replaced?"
game = "draftosaurus"
games = 300_000
seed = 8
"""
GRID = """
[[grid]]
players = [2, 3, 4, 5]
lineup = ["greedy", {focus = "greedy", field = "random"}]
rules = [{}, {trio_points = 6}]
"""
CLUSTER = """jobs = 2

[slurm]
cores = 1
memory = "1GB"
walltime = "00:20:00"
interface = "lo"
log_directory = "{folder}"
"""


@pytest.fixture
def command(tmp_path):
    """The project's command, where the batch script looks for it."""
    script = tmp_path / "meeplecarlo"
    script.write_text(f'#!/bin/sh\nexec {sys.executable} -m analysis "$@"\n')
    script.chmod(0o755)
    return str(script)


def submit(slurm, folder, study, command, array, **env):
    small = ["--cpus-per-task=1", "--mem=500", f"--output={folder}/%A_%a.log"]
    sbatch = ["sbatch", "--parsable", f"--array={array}", *small, SCRIPT, study.path, folder / "r"]
    return slurm(*sbatch, MEEPLECARLO=command, **env)


def said(folder):
    return "\n".join(path.read_text() for path in folder.glob("*.log"))


def test_array__of_shards_comes_to_the_same_bytes(slurm, sample, serial, command, tmp_path):
    job = submit(slurm, tmp_path, sample, command, "1-3")
    slurm.wait(job)
    assert file_bytes(tmp_path / "r") == serial, said(tmp_path)


def test_array__goes_on_after_a_killed_job(slurm, sample, serial, command, tmp_path):
    job = submit(slurm, tmp_path, sample, command, "1-2")
    until(lambda: file_bytes(tmp_path / "r"), 120)
    slurm("scancel", "--signal=KILL", "--full", f"{job}_1")
    slurm.wait(job)
    there = file_bytes(tmp_path / "r")
    assert len(there) < len(serial), said(tmp_path)
    assert there.items() <= serial.items()
    slurm.wait(submit(slurm, tmp_path, sample, command, "1", SHARDS="2"))
    assert file_bytes(tmp_path / "r") == serial, said(tmp_path)


def test_slurm_backend__replaces_a_killed_job_with_the_same_bytes(slurm, tmp_path):
    sample = small(tmp_path, GRID, HEAD)
    run_study(sample, tmp_path / "serial", jobs=1, progress=False)
    (tmp_path / "cluster.toml").write_text(CLUSTER.format(folder=tmp_path))
    command = [sys.executable, "-m", "analysis", "study", sample.path, "--results", tmp_path / "r",
               "--backend", "slurm", "--cluster", tmp_path / "cluster.toml"]  # fmt: skip
    log = (tmp_path / "driver.log").open("w")
    child = subprocess.Popen(command, cwd=ROOT, env=slurm.env, stdout=log, stderr=log)
    try:
        until(lambda: file_bytes(tmp_path / "r") or child.poll() is not None, 120)
        first = slurm.jobs("-t", "R", "-o", "%A")
        assert first, said(tmp_path)
        slurm("scancel", "--signal=KILL", "--full", first[0])
        seen = set()
        while child.poll() is None:
            seen |= set(slurm.jobs("-o", "%A"))
            time.sleep(0.2)
        assert child.returncode == 0, said(tmp_path)
    finally:
        child.kill()
        child.wait()
        log.close()
    assert file_bytes(tmp_path / "r") == file_bytes(tmp_path / "serial")
    assert seen - set(first), "no job took the place of the killed one"
    until(lambda: not slurm.jobs(), 60)


def test_slurm_backend__ends_when_its_jobs_die_before_they_play(slurm, tmp_path, monkeypatch):
    for name, value in slurm.env.items():
        monkeypatch.setenv(name, value)
    dying = CLUSTER.format(folder=tmp_path) + 'job_script_prologue = ["exit 1"]\n'
    (tmp_path / "cluster.toml").write_text(dying)
    outcome = run_study(
        small(tmp_path), tmp_path / "r", backend="slurm", cluster=tmp_path / "cluster.toml", progress=False
    )
    assert "its batch jobs ended, or were refused, before they could play" in outcome.lost
    assert not outcome.is_good
