"""How fast answers are recorded and found again, against plain files and dicts measured in the same run.

    python benchmarks/journal.py [--answers 200000] [--folder .]

Recording: answers per second through the journal (key, JSON, checksum, one write each, brought to the disk by its
thread), against the same lines, already made, written to a plain file with a flush after each.
Looking up: keys worked out and replies taken from a loaded index, against `dict.get` of the same keys, already made.
Loading: lines per second, with every answer wanted and with those of one shard, against reading the lines of the
same file. Memory (Linux): peak of a process that loads the index, less that of one that loads none of its answers.
Times are of the wall clock, medians over the repeats; everything runs on one core.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from tabulate import tabulate

from afterimage.contract.model import ModelEntry
from afterimage.models.interface import Reply
from afterimage.models.journaling.entries import answerer_of
from afterimage.models.journaling.lookup import load_index
from afterimage.models.journaling.writing import Journalist

ANSWERER = answerer_of(
    ModelEntry(
        "m", "openai", "org/model-7b", "0123456789abcdef", {"temperature": 0, "max_tokens": 512}
    )
)
#: About two sentences, as models answer.
TEXT = "Looking at the figure, the two circles in the middle are of the same size. Answer: same. "
SHARD = 500


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--answers", type=int, default=200_000)
    options.add_argument("--repeats", type=int, default=3)
    options.add_argument(
        "--folder", type=Path, help="where to write; the system's temporary folder by default"
    )
    options.add_argument("--load", nargs=2, help=argparse.SUPPRESS)
    chosen = options.parse_args()
    if chosen.load:
        print(peak_after_loading(Path(chosen.load[0]), int(chosen.load[1])))
        return
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    with tempfile.TemporaryDirectory(dir=chosen.folder) as folder:
        measure(Path(folder), chosen.answers, chosen.repeats)


def measure(folder: Path, count: int, repeats: int) -> None:
    hashes = request_hashes(count)
    replies = [Reply(0, f"{TEXT}{number}", "stop", 0, 812, 24, 0.731) for number in range(count)]
    rows = []

    runs = iter(range(repeats))
    recording = rate(count, repeats, lambda: record(folder / f"run_{next(runs)}", hashes, replies))
    (file,) = (folder / "run_0").glob("*.jsonl")
    lines = file.read_bytes().splitlines(keepends=True)[1:]
    plain = rate(count, repeats, lambda: write_plainly(folder / "plain", lines))
    rows.append(("appends", recording, "write + flush of the same lines", plain, 20_000))

    keys = ANSWERER.keys()
    wanted = [keys.key(request, 0) for request in hashes]
    index = load_index(folder / "run_0", ANSWERER, dict.fromkeys(wanted, 0))

    def look_up() -> None:
        for request in hashes:
            if index.answers.get(keys.key(request, 0)) is None:
                sys.exit("an answer is missing")

    def look_up_in_dict() -> None:
        for key in wanted:
            if index.answers.get(key) is None:
                sys.exit("an answer is missing")

    looking, in_dict = rate(count, repeats, look_up), rate(count, repeats, look_up_in_dict)
    rows.append(("look-ups, key made", looking, "dict.get of made keys", in_dict, 200_000))
    reading = rate(count, repeats, lambda: sum(1 for _ in file.open("rb")))
    for name, chosen in (("all wanted", wanted), (f"{SHARD} wanted", wanted[:SHARD])):
        loading = rate(
            count,
            repeats,
            lambda c=chosen: load_index(folder / "run_0", ANSWERER, dict.fromkeys(c, 0)),
        )
        rows.append((f"lines loaded, {name}", loading, "reading the lines", reading, None))

    table = [
        (
            name,
            f"{value:,.0f}",
            baseline,
            f"{other:,.0f}",
            f"{value / other:.3f}",
            goal and f"{goal:,}",
        )
        for name, value, baseline, other, goal in rows
    ]
    headers = ("per second", "journal", "baseline", "baseline's", "ratio", "goal")
    print(f"{count:,} answers of {len(lines[0])} bytes, one core\n")
    print(tabulate(table, headers=headers, tablefmt="github", disable_numparse=True))
    none, shard, all_of_them = (peak(folder / "run_0", number) for number in (0, SHARD, count))
    print(
        f"\nmemory: {(all_of_them - none) / count * 1e6 / 2**20:,.0f} MiB per million answers wanted; "
        f"{(shard - none) / 2**20:,.1f} MiB for a shard of {SHARD} among {count:,}"
    )


def request_hashes(count: int) -> list[str]:
    return [sha256(b"%d" % number).hexdigest() for number in range(count)]


def record(folder: Path, hashes: list[str], replies: list[Reply]) -> None:
    with Journalist(folder, ANSWERER) as journalist:
        for request, reply in zip(hashes, replies, strict=True):
            journalist.record(request, reply)


def write_plainly(path: Path, lines: list[bytes]) -> None:
    with path.open("wb") as file:
        for line in lines:
            file.write(line)
            file.flush()


def rate(count: int, repeats: int, action: Callable[[], object]) -> float:
    """How often per second, median over the repeats."""
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        action()
        seconds.append(time.perf_counter() - start)
    return count / statistics.median(seconds)


def peak(folder: Path, wanted: int) -> int:
    """Peak memory, in bytes, of a process that loads the first so many answers."""
    finished = subprocess.run(
        [sys.executable, __file__, "--load", str(folder), str(wanted)],
        capture_output=True,
        text=True,
        check=True,
    )
    return int(finished.stdout)


def peak_after_loading(folder: Path, wanted: int) -> int:
    keys = ANSWERER.keys()
    numbers = {keys.key(request, 0): 0 for request in request_hashes(wanted)}
    index = load_index(folder, ANSWERER, numbers)
    if len(index.answers) != wanted:
        sys.exit("answers are missing")
    # Not ru_maxrss, which a process inherits from the one that started it.
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024


if __name__ == "__main__":
    main()
