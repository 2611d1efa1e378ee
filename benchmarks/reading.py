"""How well and how fast answers are read.

    python benchmarks/reading.py                      milliseconds per kilobyte, the slowest text of each reader
    python benchmarks/reading.py --words 500          so many words of the lists, each over and over to 10 KB of UTF-8
    python benchmarks/reading.py --accuracy           shares misread and lost, from the labelled cases
    python benchmarks/reading.py --accuracy --reference FOLDER [--write docs/reading.md]

Cases: tests/data/reading_cases.jsonl. The folder of recorded real answers holds blindtest, hallusionbench and
illusionvqa as their authors publish them (docs/blindtest.md and so on); nothing of it is written but counts.
``--words`` prints, for every reader, alone and with a question, the slowest word: in milliseconds of the processor, the
best of five, and in yardsticks (finding the words of 10 KB of English five times) of the same moments; 0 measures all
words, in hours. ``--write`` puts the sums and the recorded answers' table between the two marks of a document.
"""

import argparse
import gzip
import json
import random
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path

from tabulate import tabulate

from afterimage.grading.readers import lettered_choice, yes_no_uncertain
from afterimage.statistics.intervals import wilson_interval
from afterimage.suites.blindtest.outcomes import read_answers
from afterimage.suites.shahgir_illusionvqa.rescore import read_recorded

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "support"))

from listed_words import JOINTS, repeated, words  # noqa: E402
from reading_cases import cases, read  # noqa: E402
from reading_effort import (  # noqa: E402
    ASKED,
    OPTIONS,
    READERS,
    SLOWEST,
    forget,
    seconds,
    texts,
    yardstick,
)

TEN_MS = 0.010
KILOBYTES = (10, 100, 1024)
BEGIN, END = "<!-- made by benchmarks/reading.py -->", "<!-- end -->"
HEADER = ("read by", "answers", "misread", "95 % interval", "lost", "95 % interval")


def shares(name: str, pairs: Iterable[tuple[str | None, str | None]]) -> tuple:
    """Return a row: of (what a person reads, what the reader reads), how many differ and how many are not read."""
    pairs = list(pairs)
    misread = sum(found is not None and found != wanted for wanted, found in pairs)
    lost = sum(found is None and wanted is not None for wanted, found in pairs)
    return (name, len(pairs), *_share(misread, len(pairs)), *_share(lost, len(pairs)))


def of_cases(in_detail: bool) -> Iterator[tuple]:
    """Yield a row for each reader and each part, if wanted, and one for all."""
    pairs = [(case, (case.reads, read(case)[0])) for case in cases()]
    for reader in sorted({case.reader for case, _ in pairs if in_detail}):
        yield shares(f"`{reader}`", (pair for case, pair in pairs if case.reader == reader))
    for part in sorted({case.part for case, _ in pairs if in_detail}):
        yield shares(f"part {part}", (pair for case, pair in pairs if case.part == part))
    yield shares("all labelled cases", (pair for _, pair in pairs))


def of_reference(folder: Path) -> Iterator[tuple]:
    """Yield a row for each set of recorded answers, against their authors' extraction or people's check."""
    answers = read_answers(folder / "blindtest")
    for task, of_task in answers[answers["authors_extraction"] != ""].groupby("task"):
        wanted = of_task["authors_extraction"].str.lower().replace("not_found", None)
        parsed = of_task["parsed"].where(of_task["parsed"].notna(), None)
        yield shares(f"{task}: authors' extraction", zip(wanted, parsed, strict=True))
    yield shares("illusionvqa: letter or text of the authors", _illusionvqa(folder / "illusionvqa"))


def _illusionvqa(folder: Path) -> Iterator[tuple[str | None, str | None]]:
    for run in read_recorded(folder).runs:
        for answer in run.answers:
            response, item = answer.response, answer.item
            texts_of = [index for index, text in enumerate(item.options) if text == response]
            if len(texts_of) == 1:
                options = [(str(index), text) for index, text in enumerate(item.options)]
                yield str(texts_of[0]), lettered_choice.parse(response, options).answer


def people(folder: Path) -> list[tuple]:
    """Return how often reading and people agree on whether an answer is right, and what each makes of the whole."""
    agree = right = checked = n = 0
    for path in sorted((folder / "hallusionbench").glob("gpt4v_*.jsonl.gz")):
        for line in gzip.decompress(path.read_bytes()).decode("utf-8").splitlines():
            row = json.loads(line)
            unseen = row["category"] == "VS" and row["figure_id"] == "0"
            answer = yes_no_uncertain.parse_with_question(
                row["response"], (), row["question"]
            ).answer
            is_right = answer == {"1": "Yes", "0": "No"}[row["gt_answer"]]
            is_right = is_right or (unseen and answer == "Uncertain")
            is_checked = row["human_check"] == "1" or (unseen and row["human_check"] == "2")
            agree, right, checked = (
                agree + (is_right == is_checked),
                right + is_right,
                checked + is_checked,
            )
            n += 1
    return [
        ("reading and people agree", n, *_share(agree, n)),
        ("right as read", n, *_share(right, n)),
        ("right as people judged", n, *_share(checked, n)),
    ]


def speed() -> list[tuple]:
    """Return for each reader the slowest of all texts, in milliseconds per kilobyte."""
    rows = []
    for reader in READERS:
        parse = import_module(f"afterimage.grading.readers.{reader}").parse
        parse("a first reply, for what is read once", OPTIONS)
        worst = []
        for size in KILOBYTES:
            took = [
                (seconds(partial(parse, options=OPTIONS), text), name)
                for name, text in texts(size << 10)
            ]
            slowest, name = max(took)
            worst.append(f"{1000 * slowest / size:.3f} ({name})")
        rows.append((reader, *worst))
    return rows


def slow_words(number: int) -> list[tuple]:
    """Return for each reader the slowest of some words of the lists, joined as in ``listed_words``."""
    pieces = [word + joint for word in words() for joint in JOINTS]
    drawn = random.Random(32).sample(pieces, number) if number else pieces
    rows = []
    for name, parse in _all_readers():
        parse("a first reply, for what is read once")
        took = [
            (_best(parse, repeated(piece)), piece) for piece in dict.fromkeys((*SLOWEST, *drawn))
        ]
        (slowest, ratio), piece = max(took)
        over = sum(best > TEN_MS for (best, _), _ in took)
        rows.append(
            (name, f"{1000 * slowest:.1f}", f"{ratio:.1f}", repr(piece), f"{over} of {len(took)}")
        )
    return rows


def _all_readers() -> Iterator[tuple[str, Callable[[str], object]]]:
    for name in READERS:
        yield (
            name,
            partial(import_module(f"afterimage.grading.readers.{name}").parse, options=OPTIONS),
        )
    for name, asked in ASKED.items():
        module = import_module(f"afterimage.grading.readers.{name}")
        yield f"{name}, asked", partial(module.parse_with_question, options=OPTIONS, question=asked)


def _best(read: Callable[[str], object], text: str) -> tuple[float, float]:
    """Return seconds and yardsticks, measured again where it seems to be long."""
    best = ratio = float("inf")
    for _ in range(5):
        forget()
        before, start = yardstick(), time.process_time()
        read(text)
        took = time.process_time() - start
        best, ratio = min(best, took), min(ratio, took / max(before, yardstick()))
        if best < TEN_MS:
            break
    return best, ratio


def accuracy(reference: Path | None, in_detail: bool) -> str:
    """Return the tables in Markdown."""
    rows = [*of_cases(in_detail), *(() if reference is None else of_reference(reference))]
    parts = [_table(rows, HEADER)]
    if reference is not None and in_detail:
        columns = ("hallusionbench, GPT-4V", "answers", "share", "95 % interval")
        parts += [_table(people(reference), columns)]
    return "\n\n".join(parts)


def main() -> None:
    """Print or write what was measured."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--accuracy", action="store_true")
    parser.add_argument("--words", type=int)
    parser.add_argument("--reference", type=Path)
    parser.add_argument("--write", type=Path)
    options = parser.parse_args()
    if options.words is not None:
        header = ("reader", "ms", "yardsticks", "slowest", "over 10 ms")
        print(tabulate(slow_words(options.words), header, tablefmt="github", disable_numparse=True))
        print(f"\nyardstick: {1000 * min(yardstick() for _ in range(100)):.2f} ms")
        return
    if not options.accuracy:
        start = time.process_time()
        header = ("reader", *(f"ms/KB of {size} KB" for size in KILOBYTES))
        print(tabulate(speed(), header, tablefmt="github"))
        print(f"\n{time.process_time() - start:.0f} s of the processor in all")
        return
    made = accuracy(options.reference, in_detail=options.write is None)
    if options.write is None:
        print(made)
        return
    text = options.write.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    options.write.write_text(f"{before}{BEGIN}\n\n{made}\n\n{END}{after}", encoding="utf-8")


def _share(k: int, n: int) -> tuple[str, str]:
    low, high = wilson_interval(k, n)
    return f"{100 * k / n:.1f} % ({k})", f"{100 * low:.1f} to {100 * high:.1f} %"


def _table(rows: Iterable[tuple], header: tuple[str, ...]) -> str:
    return tabulate(list(rows), header, tablefmt="github", disable_numparse=True)


if __name__ == "__main__":
    main()
