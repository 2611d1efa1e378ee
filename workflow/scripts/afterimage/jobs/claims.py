"""Who claims to see what was not shown, from the raw answers and grades of the suites that ask without images."""

import os
from collections.abc import Collection, Iterable, Mapping
from typing import Any

import pandas as pd

from afterimage.errors import AfterimageError
from afterimage.files.attempts import Unfinished
from afterimage.files.csv_rows import write_csv
from afterimage.files.parquet import read_records, read_table
from afterimage.files.records import ITEM, RESPONSE
from afterimage.grading.claims import stance
from afterimage.grading.yes_no_uncertain import UNCERTAIN
from afterimage.items.option_order import PROBE, probed_id
from afterimage.jobs.running import Files
from afterimage.jobs.tables import read_grades
from afterimage.jobs.unfinished import unfinished_grades, without
from afterimage.showing.compute import frame_of
from afterimage.showing.study.claims import CLEAN, PROBES
from afterimage.showing.study.claims import TABLE as CLAIMS
from afterimage.showing.table_files import write_table

_ITEM = ["item", "repeat"]


def make_claims(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, beside: Mapping[str, Any]
) -> None:
    """Read what answers without images say of having seen them, and write the table as each of ``outputs``.

    Args:
        spec: ``confidence`` of the intervals; ``marking``, the models that mark what needs no image.
        inputs: ``grades`` and ``responses``, files of all models for the suites that ask so, in one order; ``shards``,
            the item files of these suites.
        outputs: Form (csv, markdown, latex, html, json) to file.
        beside: Nothing.

    Raises:
        AfterimageError: No suite asks without image.
    """
    asked, unfinished = _asked(inputs, "claims")
    frame = _marked(asked[asked[PROBE].isin(PROBES)], asked, spec["marking"])
    write_table(CLAIMS, frame_of(CLAIMS, frame, spec), outputs, spec, None, unfinished)


def make_clean(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, beside: Mapping[str, Any]
) -> None:
    """Count right answers with the image, with and without the items that need none; as :func:`make_claims`.

    Args:
        spec: As there.
        inputs: As there.
        outputs: As there, and ``marks``: a CSV file of these items, and of the models that answer each without image.
        beside: Nothing.
    """
    asked, unfinished = _asked(inputs, "claims_clean")
    needless = _answerable_blind(asked, spec["marking"])
    marks = [
        {"suite": suite, "item_id": item, "models": " ".join(models)}
        for (suite, item), models in needless.items()
    ]
    write_csv(outputs["marks"], marks, ("suite", "item_id", "models"))
    forms = {form: path for form, path in outputs.items() if form != "marks"}
    frame = _marked(asked[asked[PROBE] == ""], asked, spec["marking"])
    write_table(CLEAN, frame_of(CLEAN, frame, spec), forms, spec, None, unfinished)


def _asked(inputs: Files, table: str) -> tuple[pd.DataFrame, list[Unfinished]]:
    """Return all answers to items that were asked both ways; the column ``probe`` is empty where it was with image."""
    if not inputs["grades"]:
        raise AfterimageError(
            f"table {table}: no suite of this study asks its questions without images so that claims could be read; "
            "expected silent, guess, say_missing or blank among the probes of one (suites.<suite>.probes)."
        )
    types = _answer_types(inputs["shards"])
    unfinished = unfinished_grades(inputs["grades"])
    # One model at a time: a study's answers may be millions, of which a few short columns are kept.
    parts = [
        _both_ways(without(read_grades([grades], with_probes=True), unfinished), responses, types)
        for grades, responses in zip(inputs["grades"], inputs["responses"], strict=True)
    ]
    return pd.concat(parts, ignore_index=True), unfinished


def _answer_types(shards: Iterable[str | os.PathLike[str]]) -> dict[str, str]:
    columns = ("item_id", "answer_type")
    return {
        row["item_id"]: row["answer_type"]
        for shard in shards
        for row in read_records(shard, ITEM, columns, batch_size=1024)
    }


def _both_ways(
    grades: pd.DataFrame, responses: str | os.PathLike[str], types: Mapping[str, str]
) -> pd.DataFrame:
    """Return one model's answers to items that were asked both ways; what earns points is neither right nor wrong."""
    if PROBE not in grades:
        grades = grades.assign(**{PROBE: None})
    grades = grades[grades["score"].isna()]
    probes = grades[PROBE].where(grades[PROBE].notna(), "")
    grades = grades.assign(probe=probes, item=_own_ids(grades["item_id"], probes))
    with_image = grades.loc[probes == "", [*_ITEM, "correct"]]
    blind = grades[probes.isin(PROBES)].merge(with_image, on=_ITEM, suffixes=("", "_image"))
    blind = blind.merge(_texts(responses), on=["item_id", "repeat"], how="left")
    # To leave a question open is to give no answer, also where that is right.
    answered = (blind["outcome"] != "unparsed") & (blind["answer"] != UNCERTAIN)
    said = [
        stance(text, is_answered)
        for text, is_answered in zip(blind["said"].fillna(""), answered, strict=True)
    ]
    own = grades[(probes == "") & grades["item"].isin(blind["item"])]
    kept = pd.concat([own, blind.assign(stance=said)], ignore_index=True)
    return pd.DataFrame(
        {
            **{name: kept[name] for name in ("suite", "model", "probe", *_ITEM)},
            # Different suites may call an image alike.
            "image_id": kept["suite"] + "/" + kept["stimulus_id"],
            "answer_type": [types.get(item, "") for item in kept["item"]],
            "stance": kept.get("stance"),
            "correct": kept["correct"].fillna(False).astype(bool),
            "correct_image": kept["correct_image"].fillna(False).astype(bool),
            "guess": [
                list(offered).count(key) / len(offered) if len(offered) else float("nan")
                for offered, key in zip(kept["offered"], kept["key"], strict=True)
            ],
        }
    )


def _own_ids(items: Iterable[str], probes: Iterable[str]) -> list[str]:
    return [
        probed_id(item, probe) if probe else item for item, probe in zip(items, probes, strict=True)
    ]


def _texts(responses: str | os.PathLike[str]) -> pd.DataFrame:
    columns = ("item_id", "repeat", "text", "answer_text")
    read = read_table(responses, RESPONSE, columns).to_pandas()
    said = read["answer_text"].where(read["answer_text"].notna(), read["text"])
    texts: pd.DataFrame = read[["item_id", "repeat"]].assign(said=said)
    return texts


def _marked(answers: pd.DataFrame, asked: pd.DataFrame, marking: Collection[str]) -> pd.DataFrame:
    """Mark the items that one of these models answers rightly without image, ``answerable_blind``."""
    needless = _answerable_blind(asked, marking)
    marks = [named in needless for named in zip(answers["suite"], answers["item"], strict=True)]
    return answers.assign(answerable_blind=pd.Series(marks, answers.index, bool))


def _answerable_blind(
    asked: pd.DataFrame, marking: Collection[str]
) -> dict[tuple[str, str], list[str]]:
    """Return the items that some of these models answer rightly without image, with these models."""
    right = asked[(asked[PROBE] != "") & asked["correct"] & asked["model"].isin(marking)]
    found: dict[tuple[str, str], dict[str, None]] = {}
    for suite, item, model in zip(right["suite"], right["item"], right["model"], strict=True):
        found.setdefault((suite, item), {})[model] = None
    return {named: list(models) for named, models in found.items()}
