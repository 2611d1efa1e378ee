"""How long a set of the hub takes: 9,000 questions over 500 images, planned, its images drawn and its items made.

The set is drawn here: noise, so that no image packs well, each image whole in 18 rows, 100 rows a row group. Prints the
size of the file, seconds of each step in a process of its own (those of computing, too, which other work on the machine
lengthens less), and the most memory that the process took. Ends with 1 where planning computes for 5 s, items for 20 s,
or a process takes 600 MiB.

    .venv/bin/python benchmarks/hub_data.py
"""

import hashlib
import io
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

IMAGES, QUESTIONS_EACH, SIDE = 500, 18, (230, 220)
ROWS_OF_GROUP = 100
REPOSITORY = "lab/benchmark"
LIMITS = {"plan_cpu_s": 5, "items_cpu_s": 20, "peak_MiB": 600}


def write_set(folder: Path) -> int:
    """Write the set with its lock file as a fetch leaves it; return its bytes."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq
    from PIL import Image

    from afterimage.files.hub_lock import Locked, link_of, write_lock

    path = folder / link_of(REPOSITORY) / "data" / "test-00000-of-00001.parquet"
    path.parent.mkdir(parents=True)
    kind = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
    names = ("question", "answer", "image")
    schema = pa.schema([(names[0], pa.string()), (names[1], pa.string()), (names[2], kind)])
    with pq.ParquetWriter(path, schema, use_dictionary=False) as writer:
        waiting: list[dict] = []
        for number in range(IMAGES):
            pixels = np.random.default_rng(number).integers(0, 256, (*SIDE, 3), dtype=np.uint8)
            packed = io.BytesIO()
            Image.fromarray(pixels).save(packed, "PNG")
            rows = [
                {
                    "question": f"Is there thing {index} in image {number}?",
                    "answer": ("yes", "no")[index % 2],
                    "image": {"bytes": packed.getvalue(), "path": None},
                }
                for index in range(QUESTIONS_EACH)
            ]
            waiting += rows
            if len(waiting) >= ROWS_OF_GROUP or number == IMAGES - 1:
                writer.write_table(pa.Table.from_pylist(waiting, schema=schema))
                waiting = []
    with path.open("rb") as content:
        sha256 = hashlib.file_digest(content, "sha256").hexdigest()
    held = {"data/" + path.name: {"bytes": path.stat().st_size, "sha256": sha256}}
    write_lock({REPOSITORY: Locked("a" * 40, "", "2026-11-26", held)}, folder / "data.lock.json")
    return path.stat().st_size


def step(name: str, folder: Path) -> None:
    """Take one step in the study's folder, in this process, and print what it took."""
    os.chdir(folder)
    from afterimage.files.paths import ROOT
    from afterimage.planning.plan import Plan

    study = {"models": ["chance"], "suites": {"images": {"sets": {"theirs": {"hub": REPOSITORY}}}}}
    started, computing = time.perf_counter(), time.process_time()
    plan = Plan(study, ROOT)
    suite = plan.studied["images"]
    planned, computed = time.perf_counter() - started, time.process_time() - computing
    found = {
        "plan_s": round(planned, 2),
        "plan_cpu_s": round(computed, 2),
        "images": len(suite.stimulus_ids("theirs")),
    }
    if name == "draw":
        from afterimage.stages.stimuli import draw_figure

        started = time.perf_counter()
        outputs = {"stimuli": "stimuli.parquet", "measured": "measured.csv"}
        draw_figure(suite.drawing_spec("theirs"), {}, outputs, {"threads": 2})
        found["draw_s"] = round(time.perf_counter() - started, 2)
    if name == "items":
        from afterimage.stages.items import items_spec, make_items
        from afterimage.stages.stage import Names

        started, computing = time.perf_counter(), time.process_time()
        inputs = {"stimuli": ["stimuli.parquet"], "decisions": []}
        made = [
            make_items(
                items_spec(plan, Names(suite="images", shard=shard)),
                inputs,
                {"shard": "items.parquet"},
                {},
            )
            for shard in plan.shards("images", "chance")
        ]
        found |= {
            "items": sum(made),
            "items_s": round(time.perf_counter() - started, 2),
            "items_cpu_s": round(time.process_time() - computing, 2),
        }
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found["peak_MiB"] = peak // 1024
    print(json.dumps({"step": name, **found}), flush=True)
    over = {key: found[key] for key, most in LIMITS.items() if found.get(key, 0) >= most}
    sys.exit(f"over the limit: {over}" if over else 0)


def main() -> None:
    """Write the set and take the steps, planning twice: the second time the images' hashes are kept."""
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps({"file_MB": write_set(Path(folder)) // 10**6}), flush=True)
        for name in ("plan", "plan", "draw", "items"):
            subprocess.run([sys.executable, __file__, name, folder], check=True)


if __name__ == "__main__":
    step(sys.argv[1], Path(sys.argv[2])) if len(sys.argv) > 1 else main()
