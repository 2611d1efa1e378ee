"""Published images against fresh ones: the grades of two runs of one study that differ in the setting ``edition``.

Items of the same id are of one cell of the design: they are paired, clustered and tested as in ``pairs_<suite>``.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from afterimage.contract.parts import resolve
from afterimage.errors import AfterimageError
from afterimage.files.parquet import read_about, read_records
from afterimage.files.records import ITEM
from afterimage.jobs.running import Files
from afterimage.jobs.tables import read_grades
from afterimage.jobs.unfinished import unfinished_grades, without
from afterimage.showing.run_pairs import ComparedPairs, Difference, differences
from afterimage.showing.study.twins import TABLE as TWINS
from afterimage.showing.study.twins import frame_of_twins
from afterimage.showing.table_files import write_table

_COLUMNS = ("item_id", "messages", "images.list.element.pixels_sha256")


class Edition(NamedTuple):
    """A run's answers to one edition of a suite.

    Attributes:
        shards: Its files of items.
        grades: Model to its file of grades.
    """

    shards: Sequence[str | os.PathLike[str]]
    grades: Mapping[str, str | os.PathLike[str]]


def make_twins(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, beside: Mapping[str, Any]
) -> None:
    """Compare two editions of each suite, and write that as each of ``outputs``.

    Args:
        spec: ``confidence`` of the intervals; ``suites``, name to ``part``, the table of all pairs of its models, and
            ``told``, what that has to know.
        inputs: ``grades`` and ``shards`` of this study, ``public_grades`` and ``public_shards`` of the other run.
        outputs: Form (csv, markdown, latex, html, json) to file.
        beside: Nothing.

    Raises:
        AfterimageError: The study is compared with no other edition.
    """
    if not spec["suites"]:
        raise AfterimageError(
            "table twins: this study is compared with no other edition; expected twins: the results of one "
            "(docs/statistics.md#twins)."
        )
    found: list[Difference] = []
    left_out: list[str] = []
    for suite, own in spec["suites"].items():
        fresh, public = (
            Edition(
                [path for path in inputs[f"{side}shards"] if Path(path).parent.name == suite],
                {
                    Path(path).stem: path
                    for path in inputs[f"{side}grades"]
                    if Path(path).parent.name == suite
                },
            )
            for side in ("", "public_")
        )
        pairs = resolve(own["part"]), own["told"]
        rows, sentences = twins_of(suite, pairs, public, fresh, spec["confidence"])
        found.extend(rows)
        left_out.extend(sentences)
    frame = frame_of_twins(found, spec["confidence"])
    unfinished = unfinished_grades([*inputs["grades"], *inputs["public_grades"]])
    table = replace(TWINS, notes=(*TWINS.notes, lambda grades, settings: left_out))
    write_table(table, without(frame, unfinished), outputs, spec, None, unfinished)


def twins_of(
    suite: str, pairs: ComparedPairs, public: Edition, fresh: Edition, confidence: float
) -> tuple[list[Difference], list[str]]:
    """Compare two editions of a suite, each model for itself.

    Args:
        suite: The suite's name.
        pairs: The table that compares its models pair by pair, and what it has to know of the suite.
        public: The published edition.
        fresh: Another one.
        confidence: Coverage of the intervals.

    Returns:
        A difference per model and part, public minus fresh; sentences on what could not be compared.
    """
    left_out: list[str] = []
    versions = [_version(edition.shards) for edition in (public, fresh)]
    if versions[0] != versions[1]:
        words = f"version {versions[0]} of the public edition, {versions[1]} of the other"
        return [], [f"{suite}: {words}; not compared."]
    shown = [_asked(edition.shards, "images") for edition in (public, fresh)]
    both = shown[0].keys() & shown[1].keys()
    twins = {item for item in both if shown[0][item] != shown[1][item]}
    if len(twins) < len(both):
        left_out.append(
            f"{suite}: {len(both) - len(twins)} items show the same pixels in both, so they are no twins; not compared."
        )
    said = [_asked(edition.shards, "messages") for edition in (public, fresh)]
    if reworded := sum(said[0][item] != said[1][item] for item in twins):
        left_out.append(
            f"{suite}: {reworded} twins differ in words, too; expected only where a question names what is on its "
            "image."
        )
    found: list[Difference] = []
    for model in (name for name in public.grades if name in fresh.grades):
        new, published = (read_grades([edition.grades[model]]) for edition in (fresh, public))
        no_twins = {*new["item_id"], *published["item_id"]} - twins
        # The second minus the first is here public minus fresh.
        rows = list(differences(suite, model, pairs, new, published, no_twins, confidence))
        if twins and not rows:
            left_out.append(f"{suite}, {model}: no answers, right or wrong, to twins.")
        found.extend(rows)
    return found, left_out


def _asked(shards: Iterable[str | os.PathLike[str]], what: str) -> dict[str, str]:
    """Return what each item shows or says: hashes of its pixels in order, or its messages."""
    return {
        item["item_id"]: repr(item[what])
        for shard in shards
        for item in read_records(shard, ITEM, _COLUMNS, batch_size=1024)
    }


def _version(shards: Sequence[str | os.PathLike[str]]) -> str | None:
    return read_about(shards[0], ITEM).get("suite_version") if shards else None
