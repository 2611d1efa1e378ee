"""Making items: each stimulus of a shard becomes the questions that are asked about it."""

import os
from collections.abc import Iterable, Mapping
from importlib import import_module
from pathlib import Path

from afterimage.errors import AfterimageError
from afterimage.files.item import ITEM
from afterimage.files.parquet import read_records, write_records
from afterimage.files.png import check_png, decode_png, pixels_sha256, png_sha256
from afterimage.files.stimulus import STIMULUS
from afterimage.people.decisions import kept_figures


def make_items(
    suite: str,
    bank: Mapping,
    settings: Mapping,
    stimulus_ids: Iterable[str],
    stimuli: Iterable[str | os.PathLike],
    decisions: str | os.PathLike | None,
    output: str | os.PathLike,
    probes: Mapping | None = None,
) -> int:
    """Write all items of one shard and return their number.

    Args:
        suite: The suite's name.
        bank: The part of the suite's question bank that this shard uses.
        settings: Settings of the suite that bear on questions.
        stimulus_ids: The shard's stimuli; those that people's decisions exclude give no items.
        stimuli: Stimulus records of all figures that the shard needs, examples included.
        decisions: CSV with people's decision for each figure; None where nobody decides and all count.
        output: The Parquet file to write, schema ITEM.
        probes: What is asked beside the suite's own questions (docs/knowledge.md); None for nothing.
    """
    kept = None if decisions is None else kept_figures(decisions)
    shard = set(stimulus_ids)
    available = [
        row
        for path in stimuli
        for row in _with_folder(read_records(path, STIMULUS), Path(path).parent)
        if kept is None or row["figure"] in kept
    ]
    asked = [row for row in available if row["stimulus_id"] in shard]
    questions = import_module(f"afterimage.suites.{suite}.questions")
    rows = questions.questions(asked, bank, settings, read_checked_png, examples=available)
    if probes is not None:
        # By name: without probes, the code of probes is no part of the job.
        rows = import_module("afterimage.items.deriving").with_probes(rows, probes)
    return write_records(output, rows, ITEM, batch_size=64)


def read_checked_png(row: Mapping) -> bytes:
    """Read a stimulus' PNG bytes after checking that its pixels are still the recorded ones.

    The file as it was drawn needs no decoding; one that was packed anew, with the same pixels, is decoded and stands.
    """
    path = Path(row["folder"]) / row["image"]
    if not path.is_file():
        raise AfterimageError(f"{path}: no such file; expected the stimulus {row['stimulus_id']}.")
    data = path.read_bytes()
    check_png(data, str(path))
    if png_sha256(data) == row["png_sha256"]:
        return data
    if pixels_sha256(decode_png(data, str(path))) != row["pixels_sha256"]:
        raise AfterimageError(
            f"{path}: its pixels are not those that were drawn and recorded; delete it and run again."
        )
    return data


def _with_folder(rows: Iterable[dict], folder: Path) -> Iterable[dict]:
    for row in rows:
        yield {**row, "folder": str(folder)}
