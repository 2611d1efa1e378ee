"""What making the items of a suite costs beside reading and writing the same files.

Run:  .venv/bin/python benchmarks/items.py [--suite blindtest] [--study FOLDER] [--repeats 3]

The images are those of a finished study (its folder holds `results/stimuli`; without one, the suite is drawn in a copy
of the workflow first). CPU seconds of this process, imports apart. Baseline, measured in the same run: the items just
made are read and written again, without a look at what they hold.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import yaml
from workflow import ROOT, copy_workflow

sys.path.insert(0, str(ROOT / "workflow" / "scripts"))
from afterimage.files.parquet import merge_records
from afterimage.files.records import ITEM
from afterimage.planning.plan import Plan
from afterimage.stages.all_stages import spec_of
from afterimage.stages.items import make_items, shard_figures


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--suite", default="blindtest")
    options.add_argument("--study", type=Path, help="a folder with a finished study")
    options.add_argument("--repeats", type=int, default=3)
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        # Paths in what a job depends on begin in the study's folder.
        os.chdir(chosen.study or drawn(Path(name) / "study", chosen.suite))
        study = yaml.safe_load(Path("config.yaml").read_text(encoding="utf-8"))
        plan = Plan(study, Path.cwd(), Path(name) / "fingerprints")
        made: list[Path] = []

        def make() -> None:
            made[:] = made_items(plan, chosen.suite, Path.cwd(), Path(name) / "items")

        def copy() -> None:
            for path in made:
                merge_records(path.with_suffix(".copy"), [path], ITEM)

        make()
        own, again = (median_cpu(step, chosen.repeats) for step in (make, copy))
        count = sum(merge_records(path.with_suffix(".copy"), [path], ITEM) for path in made)
    print(f"{chosen.suite}: {count} items in {len(made)} shards")
    print(
        f"made: {own:.2f} s of CPU; read and written again: {again:.2f} s; ratio {own / again:.2f}"
    )


def drawn(folder: Path, suite: str) -> Path:
    """Draw a suite in a copy of the workflow."""
    copy_workflow(folder)
    study = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
    suite_study = {**study, "suites": {suite: study["suites"].get(suite, {})}}
    (folder / "config.yaml").write_text(yaml.safe_dump(suite_study), encoding="utf-8")
    # The first items need all that the suite makes of its images.
    plan = Plan(suite_study, folder, folder / "fingerprints")
    shard = plan.shards(suite, next(iter(plan.models)))[0]
    command = [sys.executable, "-m", "snakemake", "--cores", "2", "--", "stimuli"]
    command.append(f"results/items/{suite}/{shard}.parquet")
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return folder


def made_items(plan: Plan, suite: str, folder: Path, target: Path) -> list[Path]:
    """Make all items of a suite; return their files."""
    target.mkdir(exist_ok=True)
    paths = []
    for shard in plan.shards(suite, next(iter(plan.models))):
        figures = shard_figures(plan, suite, shard)
        stimuli = [folder / f"results/stimuli/{suite}/{name}/stimuli.parquet" for name in figures]
        paths.append(target / f"{shard}.parquet")
        spec = spec_of(plan, "make_items", suite=suite, shard=shard)
        make_items(spec, {"stimuli": stimuli, "decisions": []}, {"shard": paths[-1]}, {})
    return paths


def median_cpu(step: Callable[[], None], repeats: int) -> float:
    costs = []
    for _ in range(repeats):
        start = time.process_time()
        step()
        costs.append(time.process_time() - start)
    return statistics.median(costs)


if __name__ == "__main__":
    main()
