"""A real SLURM cluster on this machine: controller, one node with GPU slots, authentication of its own.

Nothing is mocked, and nothing outside its folder is touched: no service, key, hosts entry or device of the machine.
"""

import os
import secrets
import shutil
import signal
import socket
import subprocess
import time
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "srun", "squeue", "scancel", "scontrol")
#: States of a job that has not ended.
LIVING = ("PENDING", "CONFIGURING", "RUNNING", "COMPLETING")
_SECONDS_TO_START = 180
# The daemons are in a folder that a user's search path need not have.
_SEARCH_PATH = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/sbin"])

_CONFIGURATION = """\
ClusterName=afterimage
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
MailProg=/bin/true
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
GresTypes=gpu
ReturnToService=2
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=1
KillWait=3
# By default squeue forgets a job five minutes after its end, and tests look at all of them when the last has ended.
MinJobAge=10000
NodeName=node NodeHostname={host} NodeAddr=127.0.0.1 Port={node_port} CPUs={gpus} RealMemory=20000 Gres=gpu:{gpus}
PartitionName=only Nodes=node Default=YES
"""


def missing() -> str | None:
    """Say what a cluster on this machine lacks; None where it can be started."""
    absent = [name for name in PROGRAMS if _found(name) is None]
    if absent:
        return f"SLURM is not installed (missing: {', '.join(absent)}; Debian: slurm-wlm and munge)"
    if find_spec("snakemake_executor_plugin_slurm") is None:
        return "Snakemake's executor plug-in for SLURM is not installed"
    if os.geteuid() != 0:
        return "only root can start SLURM's daemons"
    return None


@dataclass(frozen=True)
class Job:
    """A job as squeue shows it."""

    job_id: str
    state: str
    comment: str
    memory: str
    gpus: str
    time_limit: str


class SlurmCluster:
    """The cluster; a context manager, stopped with all its jobs at the end.

    Attributes:
        environment: What its commands, and Snakemake, have to find in their environment.
    """

    def __init__(self, folder: Path, gpus: int = 2) -> None:
        self._folder = folder
        self._gpus = gpus
        self._daemons: list[subprocess.Popen] = []
        self.environment = {
            **{key: text for key, text in os.environ.items() if not key.startswith("SLURM_")},
            "SLURM_CONF": str(folder / "slurm.conf"),
            "PATH": os.pathsep.join([str(folder / "bin"), _SEARCH_PATH]),
        }

    def __enter__(self) -> "SlurmCluster":
        self._configure()
        try:
            self._start_munge()
            self._start("slurmctld", "-D", "-f", self.environment["SLURM_CONF"])
            self._start("slurmd", "-D", "-f", self.environment["SLURM_CONF"], "-N", "node")
            self._await(lambda: self.run("sinfo", "-h", "-o", "%T").strip() == "idle")
        except BaseException:
            self._stop()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.run("scancel", "--full", "--user", "root")
            self._await(lambda: not [job for job in self.jobs() if job.state in LIVING])
        finally:
            self._stop()

    def run(self, *command: str) -> str:
        """Run one of SLURM's commands and return what it prints."""
        return subprocess.run(
            command, env=self.environment, capture_output=True, text=True, check=True, timeout=180
        ).stdout

    def jobs(self) -> list[Job]:
        """Return all jobs, in the order in which they were submitted."""
        lines = self.run("squeue", "--states=all", "-h", "--sort=i", "-o", "%i|%T|%k|%m|%b|%l")
        return [Job(*line.split("|")) for line in lines.splitlines()]

    def processes(self, job: Job) -> list[int]:
        """Return the ids of a running job's processes."""
        lines = self.run("scontrol", "listpids", job.job_id).splitlines()[1:]
        # Processes that have ended already are listed as -1.
        return [pid for line in lines if (pid := int(line.split()[0])) > 0]

    def _configure(self) -> None:
        for name in ("bin", "state", "spool"):
            (self._folder / name).mkdir(parents=True)
        # The plug-in takes most of SLURM's variables out of a job's environment, and srun would look for /etc/slurm.
        srun = self._folder / "bin" / "srun"
        srun.write_text(
            f"#!/bin/sh\nSLURM_CONF='{self._folder}/slurm.conf' exec '{_found('srun')}' \"$@\"\n"
        )
        srun.chmod(0o755)
        with socket.socket() as first, socket.socket() as second:
            first.bind(("127.0.0.1", 0))
            second.bind(("127.0.0.1", 0))
            ports = [sock.getsockname()[1] for sock in (first, second)]
        text = _CONFIGURATION.format(
            folder=self._folder,
            host=socket.gethostname().partition(".")[0],
            controller_port=ports[0],
            node_port=ports[1],
            gpus=self._gpus,
        )
        (self._folder / "slurm.conf").write_text(text)
        # SLURM wants a device for each GPU; one that exists everywhere will do, since nothing is computed on it.
        for number in range(self._gpus):
            (self._folder / f"nvidia{number}").symlink_to("/dev/null")
        devices = f"{self._folder}/nvidia[0-{self._gpus - 1}]"
        (self._folder / "gres.conf").write_text(f"Name=gpu File={devices}\n")
        key = self._folder / "munge.key"
        key.touch(mode=0o600)
        key.write_bytes(secrets.token_bytes(1024))

    def _start_munge(self) -> None:
        files = {
            option: f"--{option}={self._folder}/munge.{option.partition('-')[0]}"
            for option in ("key-file", "socket", "pid-file", "log-file", "seed-file")
        }
        # --force: the folder above may be closed to other users, who have no business here.
        self._start("munged", "--foreground", "--force", *files.values())
        self._await((self._folder / "munge.socket").exists)

    def _start(self, program: str, *arguments: str) -> None:
        with (self._folder / f"{program}.out").open("wb") as output:
            daemon = subprocess.Popen(
                [_found(program), *arguments],
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                # Of its own session, so that an interrupt of the tests reaches it through here alone.
                start_new_session=True,
            )
        self._daemons.append(daemon)

    def _await(self, condition) -> None:
        deadline = time.monotonic() + _SECONDS_TO_START
        while True:
            try:
                if condition():
                    return
                reason = "no answer as expected"
            except subprocess.CalledProcessError as error:
                # The controller does not answer at once.
                reason = error.stderr
            ended = [daemon.args[0] for daemon in self._daemons if daemon.poll() is not None]
            if ended or time.monotonic() > deadline:
                raise RuntimeError(
                    f"the cluster does not run ({reason}; ended: {ended})\n{self._said()}"
                )
            time.sleep(0.1)

    def _said(self) -> str:
        outputs = sorted(self._folder.glob("*.out"))
        return "\n".join(f"{path.name}:\n{path.read_text()[-1500:]}" for path in outputs)

    def _stop(self) -> None:
        for daemon in reversed(self._daemons):
            daemon.send_signal(signal.SIGTERM)
            try:
                daemon.wait(timeout=60)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()


def _found(program: str) -> str | None:
    return shutil.which(program, path=_SEARCH_PATH)
