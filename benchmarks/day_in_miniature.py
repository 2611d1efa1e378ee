"""A day-long run in miniature: what faults and kills cost three hosted models, in answers lost and paid for twice.

    python benchmarks/day_in_miniature.py [--wordings 30] [--faults 0.05] [--kill-seconds 20] [--slurm]

Three models are asked 224 questions in so many wordings (30: 20,160 requests) of a server on loopback, which meets a
share of the calls with one of the faults of tests/support/fault_catalogue.py, chosen at random, and writes a response
that nobody asked for beside as many others. While models are asked, every so many seconds something is killed with
SIGKILL, in turn: Snakemake, whose jobs go on without it; one job; Snakemake with all its jobs. The run
is started again at once, until it is finished. Then the same study runs without faults and kills, and is compared:

    lost              answers that the run with faults does not have, or has otherwise
    asked twice       sound answers beyond the first of each request, each of them paid for
    in flight         the most that may have been under way at the kills: what may be asked twice
    tables            those that differ, byte by byte

With --slurm, jobs run on a SLURM cluster of one node, which this starts and stops (tests/support/slurm_cluster.py says
what it needs).
"""

import argparse
import os
import signal
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from tabulate import tabulate

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "support"))
sys.path.insert(0, str(ROOT / "workflow" / "scripts"))

from fault_catalogue import FAULTS  # noqa: E402
from long_run import (  # noqa: E402
    PASSING,
    HostedStudy,
    Outcome,
    Provider,
    Run,
    compared,
    every_seconds,
)
from slurm_cluster import SlurmCluster, missing  # noqa: E402

CONCURRENCY = 8
#: On both kinds of machine.
JOBS_AT_ONCE = 2
SECONDS_PER_ANSWER = 0.02
# The times suit jobs of seconds; see profiles/slurm/profile.yaml.
SLURM = (
    *("--workflow-profile", "profiles/slurm", "--slurm-no-account", "--latency-wait", "10"),
    *("--default-resources", "slurm_partition=only"),
    *("--slurm-init-seconds-before-status-checks", "5", "--seconds-between-status-checks", "5"),
)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--wordings", type=int, default=30)
    options.add_argument("--shard-size", type=int, default=28, help="images per job and model")
    options.add_argument("--faults", type=float, default=0.05)
    options.add_argument("--kill-seconds", type=float, default=20)
    options.add_argument("--slurm", action="store_true")
    options.add_argument("--folder", type=Path, help="where to write")
    chosen = options.parse_args()
    provider = Provider(chosen.faults, SECONDS_PER_ANSWER)
    due = every_seconds(provider, chosen.kill_seconds)
    with tempfile.TemporaryDirectory(dir=chosen.folder) as name:
        folder = Path(name)
        if not chosen.slurm:
            report(measured(folder, Run(is_due=due), provider, chosen))
            return
        if reason := missing():
            sys.exit(reason)
        with SlurmCluster(folder / "slurm", gpus=JOBS_AT_ONCE) as cluster:
            run = Run(
                arguments=SLURM,
                environment=cluster.environment,
                is_due=due,
                kill_job=killing_on(cluster),
            )
            report(measured(folder, run, provider, chosen))


def measured(folder: Path, run: Run, provider: Provider, chosen: argparse.Namespace) -> Outcome:
    def make(folder: Path, url: str) -> HostedStudy:
        return HostedStudy(
            ROOT, folder, url, chosen.wordings, CONCURRENCY, shard_size=chosen.shard_size
        )

    return compared(make, folder, run, Run(), provider, JOBS_AT_ONCE * CONCURRENCY)


def killing_on(cluster: SlurmCluster) -> Callable[[], bool]:
    """Return what kills all processes of one running job of the cluster."""

    def kill() -> bool:
        running = [job for job in cluster.jobs() if job.state == "RUNNING"]
        for process in cluster.processes(running[0]) if running else ():
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        return bool(running)

    return kill


def report(found: Outcome) -> None:
    kills = ", ".join(f"{count} {what}" for what, count in found.kills.items())
    rows = [
        ("requests", found.requests),
        ("kinds of faults", f"{len(PASSING)} of {len(FAULTS)} (the others change an answer)"),
        ("calls that met a fault", found.struck),
        ("kills", f"{sum(found.kills.values())} ({kills})"),
        ("starts of Snakemake", found.starts),
        ("lost", found.lost),
        ("asked twice", found.repeated),
        ("in flight at kills, at most", found.in_flight),
        ("waits for another job's answers", found.waited),
        ("tables", f"{found.tables}, {len(found.differing)} differ"),
        ("seconds", round(found.seconds)),
    ]
    print(tabulate(rows, headers=("", "found"), tablefmt="github"))
    for name in found.differing:
        print(f"differs: {name}")
    if found.lost or found.differing or found.repeated > found.in_flight:
        sys.exit("not as promised")


if __name__ == "__main__":
    main()
