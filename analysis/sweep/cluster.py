"""Clusters: a Dask cluster that is there, or one that is started as batch jobs. Dask is imported when asked for."""

import contextlib
import getpass
import importlib
import subprocess
import tempfile
import time
import tomllib
from pathlib import Path
from typing import Any

from analysis.sweep.backends import AHEAD, Pool
from engine.errors import unknown, whole_number

EXAMPLE = Path(__file__).with_name("cluster.toml")
CONNECT_SECONDS = 30
LOOK_SECONDS = 2.0  # between two looks at which workers there are
QUEUE_SECONDS, QUEUE_LOOKS = 10.0, 4  # between two looks at the queue, and how many may find no job in it
ENDED = "its batch jobs ended, or were refused, before they could play; their logs say why (log_directory in the file)"
JOBS = 4
# Keys of [slurm] that are passed on to dask_jobqueue.SLURMCluster.
KEYS = (
    "queue", "account", "walltime", "cores", "memory", "interface", "job_cpu", "job_mem", "job_extra_directives",
    "job_directives_skip", "job_script_prologue", "worker_extra_args", "local_directory", "log_directory", "python",
    "shebang", "death_timeout", "job_name", "shared_temp_directory", "host", "scheduler_options",
)  # fmt: skip
NEEDED = ("cores", "memory")


class DaskPool(Pool):
    """The workers of a Dask cluster, which may come and go."""

    def __init__(self, name: str, client: Any, cluster: Any = None, expected: int = 1):
        from distributed.scheduler import KilledWorker

        self.client, self.cluster, self.expected = client, cluster, expected
        self.deaths = (KilledWorker,)
        self.threads, self.workers, self.looked = 0, 0, float("-inf")
        super().__init__(name, expected)

    def renew(self) -> None:
        """The client's executor; retries are the driver's, so that they are bounded in one place."""
        self.executor = self.client.get_executor(pure=False)

    def slots(self) -> int:
        """So many that the workers that are there, and those to come, have enough to do."""
        if time.monotonic() - self.looked > LOOK_SECONDS:
            self.looked = time.monotonic()
            with contextlib.suppress(OSError):  # the scheduler is gone; the driver will notice
                found = self.client.nthreads()
                self.workers, self.threads = len(found), sum(found.values())
        return AHEAD * max(self.threads, self.expected)

    @property
    def lost(self) -> str:
        """Said when the scheduler is gone."""
        return "" if self.client.status in ("running", "connecting") else "the cluster is gone"

    @property
    def news(self) -> str:
        """Said while there is nobody to play."""
        return "" if self.workers else f"{self.name}: no worker is connected yet"

    def facts(self) -> dict[str, Any]:
        """For the manifest."""
        return {"backend": self.name, "workers": self.workers, "threads": self.threads}

    def close(self, interrupted: bool) -> None:
        """Leave the cluster, and end it if it was started here."""
        self.client.close()
        if self.cluster is not None:
            self.cluster.close()


class SlurmPool(DaskPool):
    """Batch jobs, each of them a worker."""

    asked, absent = float("-inf"), 0

    @property
    def lost(self) -> str:
        """Said when the scheduler is gone; or when there are no workers, and nothing in the queue to become one."""
        if time.monotonic() - self.asked > QUEUE_SECONDS:
            self.asked = time.monotonic()
            self.absent = 0 if self.workers or self._in_queue() else self.absent + 1
        return super().lost or (ENDED if self.absent >= QUEUE_LOOKS else "")

    def _in_queue(self) -> bool:
        """Whether a batch job waits or runs; so, if the queue does not say."""
        jobs = {str(getattr(job, "job_id", "")) for job in self.cluster.workers.values()}
        command = ["squeue", "--noheader", "--format=%i", f"--user={getpass.getuser()}"]
        try:
            said = subprocess.run(command, capture_output=True, text=True, check=True, timeout=CONNECT_SECONDS)
        except (OSError, subprocess.SubprocessError):
            return True
        return not jobs.isdisjoint(said.stdout.split())


def connect(scheduler: str) -> DaskPool:
    """A cluster that is there.

    Raises
    ------
    ValueError
        If no scheduler answers at that address, or the file is not a scheduler file.
    """
    client = _module("distributed").Client
    where = {"address": scheduler}
    if Path(scheduler).expanduser().is_file():
        where = {"scheduler_file": str(Path(scheduler).expanduser())}
    elif "://" not in scheduler and ":" not in scheduler:
        raise ValueError(f"scheduler {scheduler!r} is no file, and no address such as tcp://127.0.0.1:8786")
    try:
        return DaskPool("dask", client(**where, timeout=CONNECT_SECONDS, set_as_default=False))
    except (OSError, ValueError, KeyError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ValueError(f"scheduler {scheduler!r} does not answer: {reason}") from None


def start(settings: dict[str, Any], count: int, name: str) -> DaskPool:
    """Batch jobs under SLURM, each of them a worker; one that dies is replaced by another.

    Raises
    ------
    ValueError
        If the queue refuses, with the `name` of the settings' file.
    """
    settings = dict(settings)
    distributed, queue = _module("distributed"), _module("dask_jobqueue")
    cluster = None
    try:
        options = {"dashboard_address": ":0", **settings.pop("scheduler_options", {})}
        cluster = queue.SLURMCluster(processes=1, scheduler_options=options, **settings)
        _try_job(cluster.job_script())
        cluster.adapt(minimum_jobs=count, maximum_jobs=count)
        client = distributed.Client(cluster, set_as_default=False)
    except (RuntimeError, OSError, TypeError, ValueError, AssertionError, subprocess.SubprocessError) as error:
        if cluster is not None:
            cluster.close()
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ValueError(f"{name}: the batch jobs cannot be started: {reason}") from None
    return SlurmPool("slurm", client, cluster, expected=count * settings["cores"])


def _try_job(script: str) -> None:
    """Ask the queue whether it would take a batch job; what it says otherwise is raised as a RuntimeError."""
    with tempfile.NamedTemporaryFile("w", suffix=".sh") as file:
        file.write(script)
        file.flush()
        command = ["sbatch", "--test-only", file.name]
        said = subprocess.run(command, capture_output=True, text=True, check=False, timeout=CONNECT_SECONDS)
    if said.returncode:
        raise RuntimeError((said.stderr.split("\n\n")[0].strip() or "sbatch refuses").splitlines()[-1])


def read_settings(file: Path) -> tuple[dict[str, Any], int]:
    """The settings of the queue, and the number of batch jobs.

    Raises
    ------
    ValueError
        If the file cannot be read, a key is not known, or one is missing.
    """
    try:
        document = tomllib.loads(file.expanduser().read_text())
    except OSError as error:
        raise ValueError(f"{file}: cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{file.name}: not valid TOML: {error}") from None
    for key in document:
        if key not in ("jobs", "slurm"):
            raise ValueError(unknown(f"{file.name}: key", key, ("jobs", "slurm")))
    settings = document.get("slurm", {})
    if not isinstance(settings, dict):
        raise ValueError(f"{file.name}: slurm must be a table, not {settings!r}")
    for key in settings:
        if key not in KEYS:
            raise ValueError(unknown(f"{file.name}: slurm: key", key, KEYS))
    for key in NEEDED:
        if key not in settings:
            raise ValueError(f"{file.name}: slurm: {key} is missing")
    whole_number(f"{file.name}: slurm: cores", settings["cores"], 1)
    return settings, whole_number(f"{file.name}: jobs", document.get("jobs", JOBS), 1)


def _module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise ValueError(f"{name} is not installed; pip install 'meeplecarlo[cluster]' brings it") from None
