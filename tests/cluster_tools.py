"""Processes and a SLURM for the tests of clusters."""

import contextlib
import os
import signal
import socket
import subprocess
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
CONFIGURATION = """ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.sock
CredType=cred/munge
SlurmctldPort={ports[0]}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
SlurmctldPidFile={folder}/ctld.pid
SlurmdPidFile={folder}/d.%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
ReturnToService=2
KillWait=2
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
SchedulerParameters=sched_interval=1,sched_min_interval=0,batch_sched_delay=0
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[1]} CPUs=1 RealMemory=2000
NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[2]} CPUs=1 RealMemory=2000
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def until(condition, seconds=60.0, every=0.05):
    """Wait; what the condition gave."""
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(every)
    return found


class Children:
    """Processes that are ended in reverse order."""

    def __init__(self, log):
        self.log, self.running = log, []

    def start(self, *command, **env):
        with (self.log / f"{len(self.running)}-{Path(command[0]).name}.log").open("w") as log:
            child = subprocess.Popen(
                [str(part) for part in command],
                cwd=ROOT,
                env={**os.environ, **env},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.running.append(child)
        return child

    def stop(self, patience=10.0):
        for child in reversed(self.running):
            if child.poll() is None:
                child.terminate()
        for child in reversed(self.running):
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.wait(patience)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
            child.wait()


class DaskCluster(NamedTuple):
    file: Path  # which workers and clients find the scheduler by
    scheduler: subprocess.Popen


class Slurm:
    """A SLURM of two nodes with one core each."""

    def __init__(self, folder):
        self.folder = folder
        self.env = {**os.environ, "SLURM_CONF": str(folder / "slurm.conf")}

    def __call__(self, *command, **env):
        """The output of a SLURM command."""
        done = subprocess.run(
            [str(part) for part in command],
            cwd=ROOT,
            env={**self.env, **env},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def jobs(self, *what):
        """The lines of the queue."""
        return self("squeue", "-h", "-r", *what).splitlines()

    def wait(self, job, seconds=180.0):
        """Wait until a job has left the queue."""
        until(lambda: not [line for line in self.jobs("-o", "%F") if line.strip() == str(job)], seconds, 0.3)


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for opened in sockets:
        opened.bind(("127.0.0.1", 0))
    ports = [opened.getsockname()[1] for opened in sockets]
    for opened in sockets:
        opened.close()
    return ports
