"""Making items: each stimulus of a shard becomes the questions that are asked about it."""

import os
from collections.abc import Iterable, Mapping
from importlib import import_module

from afterimage.errors import AfterimageError
from afterimage.files.item import ITEM
from afterimage.files.parquet import write_records
from afterimage.files.stimulus import StimulusImages, read_stimuli
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

    Raises:
        AfterimageError: A stimulus is missing, or its image is not the one that was drawn.
    """
    kept = None if decisions is None else kept_figures(decisions)
    shard = set(stimulus_ids)
    stimuli = list(stimuli)
    drawn = [row for path in stimuli for row in read_stimuli(path)]
    missing = shard - {row["stimulus_id"] for row in drawn}
    if missing:
        raise AfterimageError(
            f"{', '.join(map(str, stimuli))}: no stimulus '{min(missing)}'; delete it and run again."
        )
    available = [row for row in drawn if kept is None or row["figure"] in kept]
    asked = [row for row in available if row["stimulus_id"] in shard]
    questions = import_module(f"afterimage.suites.{suite}.questions")
    rows = questions.questions(asked, bank, settings, StimulusImages().png, examples=available)
    if probes is not None:
        # By name: without probes, the code of probes is no part of the job.
        rows = import_module("afterimage.items.deriving").with_probes(rows, probes)
    return write_records(output, rows, ITEM, batch_size=64)
