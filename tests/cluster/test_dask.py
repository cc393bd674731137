import os
import signal
import subprocess
import sys
import threading
import time

import pytest
from study_samples import POISON, file_bytes, small

from analysis.store import Store
from analysis.sweep import run_study


def test_dask__survives_a_killed_worker_with_the_same_bytes(dask_cluster, sample, serial, tmp_path):
    from distributed import Client

    with Client(scheduler_file=str(dask_cluster.file), set_as_default=False) as client:
        client.wait_for_workers(2, timeout=60)
        over, killed = threading.Event(), []

        def kill():
            while not file_bytes(tmp_path) and not over.wait(0.02):
                pass
            if not over.is_set():
                killed.append(next(iter(client.run(os.getpid).values())))
                os.kill(killed[0], signal.SIGKILL)

        killer = threading.Thread(target=kill)
        killer.start()
        outcome = run_study(sample, tmp_path, backend="dask", scheduler=str(dask_cluster.file), progress=False)
        over.set()
        killer.join()
    assert killed
    assert outcome.is_good, outcome
    assert file_bytes(tmp_path) == serial
    facts = Store(sample, tmp_path).manifest()["runs"][0]
    assert facts["backend"] == "dask"


@pytest.mark.slow
def test_dask__a_cell_that_kills_its_worker_fails_alone(tmp_path, tmp_path_factory, monkeypatch, request):
    monkeypatch.setenv("DRIVER", str(os.getpid()))
    scheduler = request.getfixturevalue("dask_cluster")
    (tmp_path / "poison.py").write_text(POISON)
    study = small(tmp_path, '[[grid]]\nplayers = [2, 3, 4]\nlineup = ["random", "poison.py:poison"]\n')
    outcome = run_study(study, tmp_path / "r", backend="dask", scheduler=str(scheduler.file), progress=False)
    assert [cell.lineup_label for cell, _ in outcome.failed] == ["poison"] * 3
    assert "its worker process died" in outcome.failures()[0]
    assert "and 2 more" in outcome.failures()[0]
    assert len(outcome.computed) == 3


@pytest.mark.slow
def test_dask__a_lost_scheduler_ends_the_run_and_keeps_what_is_finished(dask_cluster, sample, serial, tmp_path):
    def kill():
        while not file_bytes(tmp_path):
            time.sleep(0.02)
        dask_cluster.scheduler.kill()

    killer = threading.Thread(target=kill)
    killer.start()
    outcome = run_study(sample, tmp_path, backend="dask", scheduler=str(dask_cluster.file), progress=False)
    killer.join()
    assert "the cluster is gone" in outcome.lost
    assert not outcome.is_good
    assert run_study(sample, tmp_path, progress=False).kept
    assert file_bytes(tmp_path) == serial


def test_dask__is_not_imported_unless_asked_for():
    code = "import sys, analysis, analysis.sweep, analysis.cli.commands; print([m for m in sys.modules if 'dask' in m])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ({"backend": "dask"}, "needs scheduler"),
        ({"backend": "dask", "scheduler": "nowhere.json"}, "is no file, and no address"),
        ({"backend": "dask", "scheduler": "x", "jobs": 3}, "its workers decide"),
        ({"scheduler": "tcp://127.0.0.1:1"}, "goes with backend 'dask'"),
        ({"backend": "slurm"}, "needs cluster"),
        ({"backend": "slurm", "cluster": "gone.toml"}, "gone.toml: cannot be read"),
        ({"cluster": "gone.toml"}, "goes with backend 'slurm'"),
    ],
)
def test_backend__refuses_what_does_not_fit(sample, tmp_path, how, says):
    with pytest.raises(ValueError, match=says):
        run_study(sample, tmp_path, progress=False, **how)


def test_slurm__that_takes_no_job_is_an_error_at_once(sample, tmp_path, monkeypatch):
    (tmp_path / "sbatch").write_text("#!/bin/sh\necho 'sbatch: error: invalid partition specified: gone' >&2\nexit 1\n")
    (tmp_path / "sbatch").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    (tmp_path / "c.toml").write_text('[slurm]\ncores = 1\nmemory = "1GB"\ninterface = "lo"\n')
    with pytest.raises(ValueError, match=r"c\.toml: the batch jobs cannot be started: .*invalid partition"):
        run_study(sample, tmp_path / "r", backend="slurm", cluster=tmp_path / "c.toml", progress=False)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[slurm]\ncores = 1\n", "slurm: memory is missing"),
        ('[slurm]\ncores = 0\nmemory = "1GB"\n', "slurm: cores must be at least 1"),
        ("[slurm]\ncore = 1\n", "slurm: key 'core' is not known; did you mean 'cores'?"),
        ("workers = 3\n", "key 'workers' is not known"),
        ('jobs = "3"\n[slurm]\ncores = 1\nmemory = "1GB"\n', "jobs must be a whole number"),
        ("jobs =", "not valid TOML"),
    ],
)
def test_cluster_file__errors_are_named(sample, tmp_path, text, says):
    (tmp_path / "c.toml").write_text(text)
    with pytest.raises(ValueError, match=r"c\.toml: ") as caught:
        run_study(sample, tmp_path, backend="slurm", cluster=tmp_path / "c.toml", progress=False)
    assert says in str(caught.value)
