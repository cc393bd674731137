"""Where parts are played: the one place that decides threads and processes.

A part is played serially by one thread. Kernels release the GIL, so threads serve as well as processes, compile
once, and copy nothing.

=========  ===================  =======================================================================
backend    processes            threads in each
=========  ===================  =======================================================================
threads    this one             `jobs`, by default the cores granted to it (under SLURM, the job's)
loky       `jobs`               1
dask       those of the cluster as they were started with; nothing here adds to them
slurm      one each batch job   the `cores` asked of the queue for a job
=========  ===================  =======================================================================
"""

from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from engine.errors import unknown, whole_number
from engine.run import default_threads

BACKENDS = ("threads", "loky", "dask", "slurm")
AHEAD = 3  # parts in flight for each thread, so that nobody waits for the driver


class Pool:
    """An `Executor` and what the driver must know about it."""

    deaths: tuple[type[BaseException], ...] = (BrokenExecutor,)  # what a part raises when its worker process died
    executor: Executor

    def __init__(self, name: str, jobs: int):
        self.name, self.jobs = name, jobs
        self.renew()

    def renew(self) -> None:
        """Make the executor, or a new one in place of one that is broken."""
        self.executor = ThreadPoolExecutor(self.jobs, thread_name_prefix="part")

    def slots(self) -> int:
        """How many parts to keep in flight."""
        return AHEAD * self.jobs

    @property
    def lost(self) -> str:
        """Why nothing more can be played here, or nothing."""
        return ""

    @property
    def news(self) -> str:
        """What a person who waits should know, or nothing."""
        return ""

    def facts(self) -> dict[str, Any]:
        """For the manifest."""
        return {"backend": self.name, "jobs": self.jobs}

    def close(self, interrupted: bool) -> None:
        """End what was started; parts that are playing in threads end at their next look at `parts.stop`."""
        self.executor.shutdown(wait=True, cancel_futures=True)


class LokyPool(Pool):
    """Processes of joblib's loky."""

    def renew(self) -> None:
        """A pool of processes, or the one that is left from before."""
        from joblib.externals.loky import get_reusable_executor

        self.executor = get_reusable_executor(max_workers=self.jobs)

    def close(self, interrupted: bool) -> None:
        """End the processes."""
        executor: Any = self.executor
        executor.shutdown(wait=True, kill_workers=interrupted)


def choose_pool(
    backend: str, jobs: int | None = None, scheduler: str | None = None, cluster: str | Path | None = None
) -> Callable[[], Pool]:
    """Check what was asked for, and give what starts it, so that nothing is started for nothing to do.

    Parameters
    ----------
    backend : str
        One of `BACKENDS`.
    jobs : int, optional
        Threads or processes of this machine; with slurm, batch jobs, instead of what the file says.
    scheduler : str, optional
        With dask: the address or the scheduler file of a cluster that is there.
    cluster : path, optional
        With slurm: a TOML file for the queue; see ``cluster.toml`` beside this module.

    Raises
    ------
    ValueError
        For a bad argument, or one that does not belong to the backend. What it gives raises one if the cluster does
        not answer.
    """
    if backend not in BACKENDS:
        raise ValueError(unknown("backend", backend, BACKENDS))
    if scheduler is not None and backend != "dask":
        raise ValueError(f"scheduler goes with backend 'dask', not with {backend!r}")
    if cluster is not None and backend != "slurm":
        raise ValueError(f"cluster goes with backend 'slurm', not with {backend!r}")
    jobs = None if jobs is None else whole_number("jobs", jobs, 1)
    if backend in ("threads", "loky"):
        return partial(LokyPool if backend == "loky" else Pool, backend, jobs or default_threads())
    from analysis.sweep import cluster as remote

    if backend == "dask":
        if jobs is not None:
            raise ValueError("jobs does not go with backend 'dask': its workers decide")
        if scheduler is None:
            raise ValueError("backend 'dask' needs scheduler: the address or the scheduler file of a cluster")
        return partial(remote.connect, scheduler)
    if cluster is None:
        raise ValueError(f"backend 'slurm' needs cluster: a TOML file such as {remote.EXAMPLE}")
    settings, count = remote.read_settings(Path(cluster))
    return partial(remote.start, settings, jobs or count, Path(cluster).name)
