"""What is kept of a study's results: small tables and rows of the ledger as they are, of all else a line each."""

import csv
import hashlib
import io
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pyarrow.parquet as pq

#: A table with more than this is kept as digests.
MAX_ROWS, MAX_BYTES = 300, 80_000
#: The ledger has a row for each number of the papers, of which few are of one suite; this column says the study's.
LEDGER, ITS_VALUES = "numbers.csv", "value"
#: Enough of a hash to tell two columns or figures apart.
SHORT = 16
ITEM = ("item_id", "stimulus_id", "figure", "prompt", "question", "answer_type", "key")
RESPONSE = ("item_id", "repeat", "text", "finish_reason", "model_id", "settings", "request_sha256")
GRADE = (
    *("item_id", "model", "repeat", "key", "answer", "outcome", "reason", "correct", "score"),
    "decided_by",
)


def tables(results: Path) -> dict[str, str]:
    """Return the tables that are kept as they are: path below the results to text."""
    kept = {path: _parted(path)[0] for path in _files(results) if path.suffix == ".csv"}
    return {path.relative_to(results).as_posix(): text for path, text in kept.items() if text}


def digest(results: Path, suite: str) -> list[str]:
    """Return the lines that describe the other results of a study of one suite, sorted."""
    lines = [
        *_described(results),
        *_stimuli(results / "stimuli" / suite),
        *_items(results / "items" / suite, results / "responses" / suite / "chance.parquet"),
        *_rows_of_models(results / "responses" / suite, "responses", RESPONSE),
        *_rows_of_models(results / "grades" / suite, "grades", GRADE),
    ]
    return sorted(lines)


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _hash_of(rows: Iterable[Sequence[object]]) -> str:
    """Return the hash of rows in any order."""
    return _sha256("\n".join(sorted(json.dumps(row, ensure_ascii=False) for row in rows)).encode())


def _files(results: Path) -> list[Path]:
    """Return the files of text for the public."""
    patterns = ("tables/*", "numbers.*", "human/*.csv", "stimuli/*/*.csv", "questions/*/*")
    return sorted(path for pattern in patterns for path in results.glob(pattern))


def _parted(path: Path) -> tuple[str, str]:
    """Return what is kept of a table as it is, and what as digests."""
    content = path.read_bytes()
    text = content.decode()
    header, *rows = csv.reader(io.StringIO(text, newline=""))
    if len(content) <= MAX_BYTES and len(rows) <= MAX_ROWS:
        return text, ""
    if path.name != LEDGER:
        return "", text
    index = header.index(ITS_VALUES)
    with_values = [row for row in rows if row[index]]
    return _written(header, with_values), _written(header, [row for row in rows if not row[index]])


def _written(header: list[str], rows: list[list[str]]) -> str:
    file = io.StringIO(newline="")
    csv.writer(file, lineterminator="\n").writerows([header, *rows] if rows else [])
    return file.getvalue()


def _described(results: Path) -> Iterator[str]:
    """Describe CSV that is not kept as it is, as a whole and by column; Markdown, LaTeX and JSON as a whole."""
    for path in _files(results):
        name = path.relative_to(results).as_posix()
        if path.suffix == ".csv":
            yield from _csv(name, _parted(path)[1])
        elif path.suffix != ".html":
            yield f"{name}: sha256 {_sha256(path.read_bytes())}"


def _csv(name: str, text: str) -> Iterator[str]:
    if not text:
        return
    header, *rows = csv.reader(io.StringIO(text, newline=""))
    yield f"{name}: sha256 {_sha256(text.encode())}, {len(rows)} rows"
    for index, column in enumerate(header):
        cells = "\n".join(row[index] for row in rows)
        yield f"{name} / {index:02d} {column}: {_sha256(cells.encode())[:SHORT]}"


def _stimuli(folder: Path) -> Iterator[str]:
    """Describe the images of each figure by their pixels, and their places."""
    for path in sorted(folder.glob("*/stimuli.parquet")):
        rows = _read(path, ("stimulus_id", "width_px", "height_px", "pixels_sha256"))
        numbered = [[index, *row] for index, row in enumerate(rows)]
        yield f"pixels of {path.parent.name}: {_hash_of(numbered)}, {len(rows)} images"


def _items(folder: Path, responses: Path) -> Iterator[str]:
    """Describe the items of each shard, which is named by the places of its images, by prompt."""
    requests = dict(_read(responses, ("item_id", "request_sha256")))
    for path in sorted(folder.glob("*.parquet")):
        rows = _read(path, (*ITEM, "options"))
        by_prompt = defaultdict(list)
        for *item, options in rows:
            listed = [[option["option_id"], option["text"]] for option in options]
            row = [*item, listed, requests[item[0]]]
            by_prompt[item[ITEM.index("prompt")]].append(row)
        for prompt, group in by_prompt.items():
            yield f"items {path.stem} by {prompt}: {_hash_of(group)}, {len(group)} items"


def _rows_of_models(folder: Path, what: str, columns: Sequence[str]) -> Iterator[str]:
    for path in sorted(folder.glob("*.parquet")):
        rows = _read(path, columns)
        yield f"{what} of {path.stem}: {_hash_of(rows)}, {len(rows)} rows"


def _read(path: Path, columns: Sequence[str]) -> list[tuple]:
    table = pq.read_table(path, columns=list(columns))
    return list(zip(*(table.column(name).to_pylist() for name in columns), strict=True))
