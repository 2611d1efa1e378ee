"""How fast recorded answers are graded, and in how much memory, against a plain comparison of the same rows.

    python benchmarks/grading.py [--answers 1000000] [--folder .]

Items of several answer types are answered many times over (repeats), in a mix of replies as models give them: an option
alone, in a sentence, with Markdown, several lines of reasoning, none at all. Measured, each in a process of its own:

* read, grade, write: `grade_model`, from the file of responses to the file of grades;
* read, compare: the same file read row by row, `text.lower() == key.lower()` instead of a grader, nothing written;
* grade and compare, in memory: the same rows already read, without files.

Peak memory (Linux) of `grade_model` for a tenth of the answers and for all of them tells whether it is flat.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path

from tabulate import tabulate

from afterimage.files.parquet import read_records, write_records
from afterimage.files.records import ITEM, RESPONSE
from afterimage.grading.grade import grade_responses
from afterimage.stages.grades import grade_model

ITEMS = 10_000
SHORT = 30
CIRCLES = (("left", "The left circle is larger."), ("right", "The right circle is larger."))
SAME = ("same", "The two circles are the same size.")
OPEN = ()
#: Answer type, options, key, and how models reply.
KINDS = (
    (
        "choice",
        (*CIRCLES, SAME),
        "same",
        (
            "The two circles are the same size.",
            "**The left circle is larger.**",
            "Looking closely at both of them, I would say that the two circles are the same size.",
            "the right circle is larger",
            "I cannot tell.",
        ),
    ),
    (
        "yes_no",
        OPEN,
        "Yes",
        ("Yes", "No.", "Yes, the two lines touch at one point.", "They do not touch.", ""),
    ),
    (
        "integer",
        OPEN,
        "3",
        (
            "3",
            "There are **3** points.",
            "The lines cross at 3 points.\n\n1. On the left\n2. In the middle\n3. On the right",
            "Three",
            "I count 2 on the left and 1 on the right, so the total is 3.",
        ),
    ),
    (
        "lettered_choice",
        (*CIRCLES, SAME),
        "same",
        ("c", "C. The two circles are the same size.", "The answer is (a).", "b)", "Hard to say"),
    ),
)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--answers", type=int, default=1_000_000)
    options.add_argument(
        "--folder", type=Path, help="where to write; the temporary folder by default"
    )
    options.add_argument("--measure", nargs=3, help=argparse.SUPPRESS)
    chosen = options.parse_args()
    if chosen.answers < 10 * ITEMS:
        options.error(
            f"--answers: expected at least {10 * ITEMS}, a tenth of which answers each item"
        )
    if chosen.measure:
        what, responses, items = chosen.measure
        print(*MEASURED[what](Path(responses), Path(items)))
        return
    with tempfile.TemporaryDirectory(dir=chosen.folder) as folder:
        compare_all(Path(folder), chosen.answers)


def compare_all(folder: Path, count: int) -> None:
    items = folder / "items.parquet"
    write_records(items, make_items(), ITEM)
    files = {}
    for number in (count // 10, count):
        files[number] = folder / f"responses_{number}.parquet"
        write_records(files[number], make_responses(number), RESPONSE, batch_size=10_000)
    found = {what: measure(what, files[count], items) for what in MEASURED}
    _, tenth = measure("read, grade, write", files[count // 10], items)
    rows = []
    for what, baseline in (
        ("read, grade, write", "read, compare"),
        ("grade, in memory", "compare, in memory"),
    ):
        slow, fast = found[what][0], found[baseline][0]
        rows.append(
            (what, f"{count / slow:,.0f}", baseline, f"{count / fast:,.0f}", f"{slow / fast:.1f}")
        )
    headers = ("", "answers/s", "baseline", "answers/s", "times slower")
    print(f"{count:,} answers to {ITEMS:,} items, one process\n")
    print(tabulate(rows, headers=headers, tablefmt="github", disable_numparse=True))
    whole = found["read, grade, write"][1]
    print(
        f"\npeak memory of read, grade, write: {tenth / 2**20:,.0f} MiB for {count // 10:,} answers, "
        f"{whole / 2**20:,.0f} MiB for {count:,}"
    )


def measure(what: str, responses: Path, items: Path) -> tuple[float, int]:
    """Seconds, and the peak memory of the process in bytes."""
    finished = subprocess.run(
        [sys.executable, __file__, "--measure", what, str(responses), str(items)],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ,
    )
    seconds, peak = finished.stdout.split()
    return float(seconds), int(peak)


def read_grade_write(responses: Path, items: Path) -> tuple[float, int]:
    start = time.perf_counter()
    grades = {"grades": responses.with_name("grades.parquet")}
    grade_model({}, {"responses": responses, "shards": [items]}, grades, {})
    return time.perf_counter() - start, peak_memory()


def read_compare(responses: Path, items: Path) -> tuple[float, int]:
    start = time.perf_counter()
    keys = {item["item_id"]: item["key"] for item in read_records(items, ITEM, ["item_id", "key"])}
    right = 0
    for row in read_records(responses, RESPONSE):
        right += row["text"].lower() == keys[row["item_id"]].lower()
    return time.perf_counter() - start, peak_memory()


def grade_in_memory(responses: Path, items: Path) -> tuple[float, int]:
    asked, rows = list(read_records(items, ITEM)), list(read_records(responses, RESPONSE))
    start = time.perf_counter()
    for _ in grade_responses(rows, asked):
        pass
    return time.perf_counter() - start, peak_memory()


def compare_in_memory(responses: Path, items: Path) -> tuple[float, int]:
    keys = {item["item_id"]: item["key"] for item in read_records(items, ITEM)}
    rows = list(read_records(responses, RESPONSE))
    start = time.perf_counter()
    for row in rows:
        _ = row["text"].lower() == keys[row["item_id"]].lower()
    return time.perf_counter() - start, peak_memory()


MEASURED = {
    "read, grade, write": read_grade_write,
    "read, compare": read_compare,
    "grade, in memory": grade_in_memory,
    "compare, in memory": compare_in_memory,
}


def make_items() -> Iterator[dict]:
    for number, (answer_type, offered, key, _) in enumerate(islice(cycle(KINDS), ITEMS)):
        yield {
            "item_id": f"item_{number}",
            "suite": "benchmark",
            "stimulus_id": f"stimulus_{number // 2}",
            "figure": "figure",
            "prompt": "zero_shot",
            "question": "actual",
            "messages": [],
            "images": [],
            "answer_type": answer_type,
            "options": [{"option_id": option, "text": text} for option, text in offered],
            "key": key,
            "factors": {"condition": "fake", "variant": "A", "neutral": "same"},
        }


def make_responses(count: int) -> Iterator[dict]:
    for number in range(count):
        replies = KINDS[number % ITEMS % len(KINDS)][3]
        repeat = number // ITEMS
        text = replies[(number // len(KINDS) + repeat) % len(replies)]
        if len(text) > SHORT:
            # Longer answers are never twice the same.
            text = f"In picture {number}, as far as I can see: {text}"
        yield {
            "item_id": f"item_{number % ITEMS}",
            "suite": "benchmark",
            "model": "model",
            "repeat": repeat,
            "text": text,
            "reasoning": None,
            "answer_text": text,
            "finish_reason": "stop",
            "backend": "openai_compatible",
            "model_id": "model-7b",
            "revision": None,
            "settings": "{}",
            "request_sha256": f"{number % ITEMS:064x}",
            "prompt_tokens": 812,
            "completion_tokens": 24,
            "reasoning_tokens": None,
            "latency_seconds": 0.731,
        }


def peak_memory() -> int:
    # Not ru_maxrss, which a process inherits from the one that started it.
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024


if __name__ == "__main__":
    main()
