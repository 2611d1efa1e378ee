"""What a start costs: where nothing is to be done, of large draws' plans, and of jobs, here and on a cluster's node.

Run:  .venv/bin/python benchmarks/start.py [--repeats 3] [--studies default nine] [--scales 1 10 100]
      .venv/bin/python benchmarks/start.py --jobs      (of jobs alone)

In copies of the workflow in a temporary folder. The baseline, measured in the same call, is `snakemake -n` of a
workflow with one empty rule; medians are printed. No study is run: its files are made empty and Snakemake is told to
take them as they are (`--touch`), which is the same work for a start with nothing to do. CPU is user and system time,
so that other work on the machine hardly matters.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import yaml
from tabulate import tabulate
from workflow import ROOT, copy_workflow

sys.path.insert(0, str(ROOT / "tests" / "support"))
from release_samples import write_hallusionbench, write_illusionvqa

from afterimage.stages.all_stages import STAGES

SNAKEMAKE = [sys.executable, "-m", "snakemake"]
#: What is planned without Snakemake: everything that its rules ask for, once.
PLANNING = """
import yaml
from pathlib import Path
from afterimage.stages.inference import client_of_shard
from afterimage.stages.items import shard_figures
from afterimage.planning.plan import Plan
from afterimage.stages.all_stages import code_of, spec_of
plan = Plan(yaml.safe_load(Path("config.yaml").read_text()), Path.cwd(), Path(".snakemake/afterimage"))
for suite, figures in plan.figures.items():
    for figure in figures:
        drawn = {"suite": suite, "figure": figure}
        code_of(plan, "draw_figure", **drawn), spec_of(plan, "draw_figure", **drawn)
    for model in plan.models:
        code_of(plan, "run_model", suite=suite, model=model), spec_of(plan, "run_model", suite=suite, model=model)
        for shard in plan.shards(suite, model):
            code_of(plan, "make_items", suite=suite), spec_of(plan, "make_items", suite=suite, shard=shard)
            shard_figures(plan, suite, shard), client_of_shard(plan, suite, model, shard)
    spec_of(plan, "make_suite_page", suite=suite)
for table in plan.tables:
    code_of(plan, "make_table", table=table), spec_of(plan, "make_table", table=table)
"""

#: A job that takes next to no time, and how Snakemake is started for it on a node of a cluster.
SHORT = "write_pope_questions"
ON_NODE = [
    "--mode",
    "remote",
    "--target-jobs",
    f"{SHORT}:",
    "--allowed-rules",
    SHORT,
    "--force",
    "--nolock",
    "--no-hooks",
]
#: Rules that are named otherwise than their stage.
STAGE_OF = {
    "make_printed_table": "make_table",
    "run_at_once": "run_model",
    "run_responder": "run_model",
    SHORT: "write_side_files",
    "write_pope_annotations": "write_side_files",
    "write_illusionbench_exclusions": "write_side_files",
}
#: What a job imports before its own module: of Snakemake (the lines that it puts before a script), and of the package.
PREAMBLE = "from snakemake.logging import logger; from snakemake.iocontainers import Snakemake"
FRAME = f"{PREAMBLE}; import afterimage.stages.running"
#: What a start on a node does before Snakemake looks at a rule.
PLANNED = """
import yaml
from pathlib import Path
from afterimage.planning.checking import planned
config = yaml.safe_load(Path("config.yaml").read_text())
planned(config, ["config.yaml"], {}, Path.cwd(), Path(".snakemake/afterimage"))
"""


class Cost(NamedTuple):
    """What one process took."""

    cpu: float  # seconds, user and system
    peak: float  # MiB


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--repeats", type=int, default=3)
    options.add_argument("--studies", nargs="*", default=["default", "nine"])
    options.add_argument("--scales", type=int, nargs="*", default=[1, 10, 100])
    options.add_argument("--shard-sizes", type=int, nargs="*", default=[400, 2000])
    options.add_argument("--jobs", action="store_true", help="what jobs' starts cost, alone")
    chosen = options.parse_args()
    if chosen.jobs:
        with tempfile.TemporaryDirectory() as name:
            show_starts_of_jobs(Path(name), chosen.repeats)
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        empty = empty_workflow(folder / "empty", chosen.repeats)
        rows = [("empty workflow, snakemake -n", *empty, 0.0, 1.0)]

        def add(what: str, cost: Cost) -> None:
            rows.append((what, *cost, cost.cpu - empty.cpu, cost.cpu / empty.cpu))
            print(f"{what}: {cost.cpu:.2f} s, {cost.peak:.0f} MiB", file=sys.stderr)

        for study in chosen.studies:
            copy_workflow(folder / study)
            change_study(folder / study, nine_suites(folder) if study == "nine" else {})
            pretend_finished(folder / study)
            add(f"{study}: nothing to do", median(folder / study, "--dry-run", chosen.repeats))
        copy_workflow(folder / "draw")
        for scale in chosen.scales:
            for size in chosen.shard_sizes:
                draw = {"suites": {"blindtest": {"scale": scale}}, "shard_size": size}
                change_study(folder / "draw", draw)
                measured([sys.executable, "-c", PLANNING], folder / "draw")
                what = f"{scale * 2754} images, {size} a shard"
                add(f"{what}: planned", measured([sys.executable, "-c", PLANNING], folder / "draw"))
            dry_run = [*SNAKEMAKE, "stimuli", "--dry-run", "--quiet"]
            add(f"{what}: snakemake -n stimuli", measured(dry_run, folder / "draw"))
    headers = ("what", "CPU s", "peak MiB", "above empty s", "times empty")
    print(
        tabulate(
            rows, headers=headers, tablefmt="github", floatfmt=("", ".2f", ".0f", ".2f", ".1f")
        )
    )


def show_starts_of_jobs(folder: Path, repeats: int) -> None:
    """Print what the jobs of a first run of the default study import, and what one costs on a node."""
    copy_workflow(folder / "default")
    counts = job_counts(folder / "default")

    def cost_of(code: str) -> float:
        command = [sys.executable, "-c", code]
        return min(measured(command, folder / "default").cpu for _ in range(repeats))

    python, preamble, frame = map(cost_of, ("pass", PREAMBLE, FRAME))
    modules: Counter[str] = Counter()
    for rule, count in counts.items():
        if rule != "all":
            modules[STAGES[STAGE_OF.get(rule, rule)].part.partition(":")[0]] += count
    costs = {module: cost_of(f"{FRAME}; import {module}") - frame for module in modules}
    number = modules.total()
    rows = [
        ("Python", number, python, number * python),
        (
            "Snakemake's lines before a script",
            number,
            preamble - python,
            number * (preamble - python),
        ),
        ("stages/running.py", number, frame - preamble, number * (frame - preamble)),
        *((name, modules[name], cost, modules[name] * cost) for name, cost in costs.items()),
    ]
    rows.sort(key=lambda row: -row[-1])
    rows.append(
        ("all", number, sum(row[-1] for row in rows) / number, sum(row[-1] for row in rows))
    )
    headers = ("start", "jobs", "CPU s of one", "of all")
    print(tabulate(rows, headers=headers, tablefmt="github", floatfmt=("", "", ".3f", ".1f")))
    empty = empty_workflow(folder / "empty", repeats).cpu
    command = [*SNAKEMAKE, "--cores", "1", *ON_NODE]
    on_node = min(measured(command, folder / "default").cpu for _ in range(repeats))
    rows = [
        (f"{SHORT} on a node", on_node),
        ("the plan in it, imports included", cost_of(PLANNED) - python),
        ("the job in it, but for its work", frame + costs["side_files"]),
        ("empty workflow, snakemake -n", empty),
    ]
    print()
    print(tabulate(rows, headers=("start", "CPU s"), tablefmt="github", floatfmt=".2f"))


def job_counts(folder: Path) -> dict[str, int]:
    """Return how many jobs of each rule a first run has."""
    counts = {}
    stats = measured_output([*SNAKEMAKE, "--dry-run"], folder).partition("Job stats:")[2]
    for line in stats.partition("\ntotal")[0].splitlines():
        words = line.split()
        if len(words) == 2 and words[1].isdigit():
            counts[words[0]] = int(words[1])
    return counts


def empty_workflow(folder: Path, repeats: int) -> Cost:
    folder.mkdir()
    (folder / "Snakefile").write_text("rule all:\n    output: touch('done')\n", encoding="utf-8")
    return median(folder, "--dry-run", repeats)


def change_study(folder: Path, changes: Mapping) -> None:
    """Change keys of the default study."""
    study = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
    (folder / "config.yaml").write_text(yaml.safe_dump({**study, **changes}), encoding="utf-8")


def nine_suites(folder: Path) -> dict:
    """Return the default study with all suites; those of downloaded images get a few of their own."""
    study = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
    write_illusionvqa(folder / "illusionVQA")
    write_hallusionbench(folder / "HallusionBench")
    more = {
        "illusion_strength": {},
        "images": {"sets": {"signs": "resources/examples/own_images"}},
        "shahgir_illusionvqa": {"folder": str(folder / "illusionVQA")},
        "hallusionbench": {"folder": str(folder / "HallusionBench")},
    }
    return {"suites": {**study["suites"], **more}}


def pretend_finished(folder: Path) -> None:
    """Make every file of a study, empty, and have Snakemake note that it is as it should be."""
    summary = subprocess.run(
        [*SNAKEMAKE, "--summary"], cwd=folder, capture_output=True, text=True, check=False
    )
    if summary.returncode:
        sys.exit(summary.stderr)
    for line in summary.stdout.splitlines()[1:]:
        path = folder / line.split("\t")[0]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    measured([*SNAKEMAKE, "--touch", "--cores", "1"], folder)
    planned = measured_output([*SNAKEMAKE, "--dry-run"], folder)
    if "Nothing to be done" not in planned:
        sys.exit(f"{folder.name}: there is something to do:\n{planned}")


def median(folder: Path, argument: str, repeats: int) -> Cost:
    costs = [measured([*SNAKEMAKE, argument], folder) for _ in range(repeats)]
    return Cost(*map(statistics.median, zip(*costs, strict=True)))


def measured(command: Sequence[str], folder: Path) -> Cost:
    """Run a command to its end; it must succeed."""
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(
            command, cwd=folder, stdout=output, stderr=output, env=_environment(folder)
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            output.seek(0)
            sys.exit(output.read())
    # Linux counts in KiB, macOS in bytes.
    unit = 2**20 if sys.platform == "darwin" else 2**10
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / unit)


def measured_output(command: Sequence[str], folder: Path) -> str:
    run = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=True, env=_environment(folder)
    )
    return run.stdout + run.stderr


def _environment(folder: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(folder / "workflow" / "scripts")}


if __name__ == "__main__":
    main()
