"""How long a run takes beside the work that its jobs do, a rerun with nothing to do, and how both grow.

Run:  .venv/bin/python benchmarks/workflow.py [--scales 1 10 100] [--cores 2]

In a copy of the workflow in a temporary folder. Baselines, measured in the same call:
  run         the sum of the jobs' own times (interpreter start included), from Snakemake's records; beside it when the
              first table was there, and the CPU time of everything, user and system
  no-op       `snakemake -n` of a workflow with one empty rule
Scales multiply the items by asking each question with 1, 10, 100 prompts; the images stay the same. At scales above
1 the observer that measures pixels is left out (it takes 20 ms an item and would measure itself).
"""

import argparse
import json
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pandas as pd
import yaml
from tabulate import tabulate

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ("Snakefile", "config.yaml", "config", "envs", "profiles", "resources", "workflow")
FAST_MODELS = ["chance", "textbook_cued", "textbook_gated"]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--scales", type=int, nargs="+", default=[1, 10, 100])
    options.add_argument("--cores", type=int, default=2)
    options.add_argument(
        "--repeats", type=int, default=3, help="of the reruns; medians are printed"
    )
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        empty = empty_workflow(Path(folder) / "empty", chosen.repeats)
        rows = [("as configured", *measured(Path(folder) / "as_is", None, chosen, empty))]
        for scale in chosen.scales:
            rows.append(
                (f"{scale}x items", *measured(Path(folder) / f"{scale}x", scale, chosen, empty))
            )
    headers = (
        "study",
        "items",
        "jobs",
        "run s",
        "first table s",
        "CPU s",
        "jobs' own s",
        "run / own",
        "no-op s",
        "no-op minus empty s",
        "largest job MiB",
    )
    print(f"empty workflow, snakemake -n: {empty:.2f} s; {chosen.cores} cores\n")
    print(tabulate(rows, headers=headers, tablefmt="github", floatfmt=".2f"))


def measured(folder: Path, scale: int | None, options: argparse.Namespace, empty: float) -> tuple:
    copy_workflow(folder)
    if scale is not None:
        multiply_items(folder, scale)
    started, used = time.time(), children_cpu()
    run = timed(folder, "--cores", str(options.cores))
    cpu = children_cpu() - used
    tables = (folder / "results/tables").glob("*.csv")
    first_table = min(table.stat().st_mtime for table in tables) - started
    workflow_seconds, jobs = own_work(folder)
    again = [timed(folder, "--cores", str(options.cores)) for _ in range(options.repeats)]
    no_op = statistics.median(again)
    return (
        item_count(folder),
        jobs,
        run,
        first_table,
        cpu,
        workflow_seconds,
        run / workflow_seconds,
        no_op,
        no_op - empty,
        largest_job(folder),
    )


def copy_workflow(folder: Path) -> None:
    folder.mkdir()
    for name in SOURCES:
        source = ROOT / name
        copy = shutil.copytree if source.is_dir() else shutil.copy
        copy(source, folder / name)


def multiply_items(folder: Path, scale: int) -> None:
    """Ask each question with ``scale`` prompts of the same text and different ids."""
    prompts = folder / "resources/prompts/illusion_vqa.yaml"
    bank = yaml.safe_load(prompts.read_text(encoding="utf-8"))
    names = [f"repeat_{number:03d}" for number in range(scale)]
    bank["prompts"] = dict.fromkeys(names, bank["prompts"]["zero_shot"])
    prompts.write_text(yaml.safe_dump(bank, sort_keys=False), encoding="utf-8")
    study = {
        "models": FAST_MODELS,
        "suites": {"illusion_vqa": {"prompts": names}},
        "statistics": {"resamples": 1000},
    }
    (folder / "config.yaml").write_text(yaml.safe_dump(study), encoding="utf-8")


def empty_workflow(folder: Path, repeats: int) -> float:
    folder.mkdir()
    (folder / "Snakefile").write_text("rule all:\n    output: touch('done')\n", encoding="utf-8")
    return statistics.median(timed(folder, "--dry-run") for _ in range(repeats))


def timed(folder: Path, *arguments: str) -> float:
    start = time.perf_counter()
    finished = subprocess.run(
        [sys.executable, "-m", "snakemake", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    if finished.returncode:
        sys.exit(finished.stdout + finished.stderr)
    return time.perf_counter() - start


def children_cpu() -> float:
    """CPU seconds of all processes that were started here and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def own_work(folder: Path) -> tuple[float, int]:
    """Sum the jobs' times from Snakemake's records: one record per output, one log file per job."""
    jobs: dict[tuple, float] = {}
    for path in (folder / ".snakemake" / "metadata").rglob("*"):
        if path.is_file():
            record = json.loads(path.read_text(encoding="utf-8"))
            job = (record["rule"], *record["log"])
            jobs[job] = max(jobs.get(job, 0.0), record["endtime"] - record["starttime"])
    return sum(jobs.values()), len(jobs)


def item_count(folder: Path) -> int:
    import pyarrow.parquet as pq

    return sum(
        pq.read_metadata(path).num_rows for path in (folder / "results/items").rglob("*.parquet")
    )


def largest_job(folder: Path) -> float:
    """The largest resident set of an inference job, MiB (Snakemake's own measurement)."""
    tables = [
        pd.read_csv(path, sep="\t") for path in (folder / "results/benchmarks").rglob("*.tsv")
    ]
    return float(pd.to_numeric(pd.concat(tables)["max_rss"], errors="coerce").max())


if __name__ == "__main__":
    main()
