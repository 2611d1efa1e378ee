"""The report: a study's files become pages that need no other file (docs/report.md)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow.compute as pc

from afterimage.contract.open_answers import OPEN_ANSWERS
from afterimage.files.csv_rows import read_rows
from afterimage.files.grade import GRADE
from afterimage.files.item import ITEM
from afterimage.files.parquet import read_records, read_table
from afterimage.files.root import ROOT
from afterimage.files.stimulus import read_images
from afterimage.files.whole import write_text
from afterimage.items.rows import without_probes
from afterimage.jobs.running import Files
from afterimage.jobs.unfinished import unfinished_grades
from afterimage.ledger.cells import Files as Sources
from afterimage.ledger.published import read_numbers
from afterimage.report.gallery import gallery, question_text
from afterimage.report.page import overview_page, suite_page
from afterimage.report.provenance import (
    answer_rows,
    answered_by_rows,
    code_rows,
    settings_rows,
)
from afterimage.report.published_rows import published_by_table
from afterimage.report.table_entries import caption_texts, table_entry
from afterimage.report.thumbnails import data_url, thumbnail

_SAMPLE_SIDE = 480
_NO_RUN = "not run"
# What a model was asked for, beside judging.
_ASKED = "model"


def write_suite_page(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, beside: Mapping[str, Any]
) -> None:
    """Write the page of one suite.

    Args:
        spec: As :func:`planning.report.suite_page_spec` returns it.
        inputs: ``tables`` (CSV), ``readers_tables`` (JSON), ``captions`` (named after them),
            ``figures``, ``figure_captions``, ``shards``, ``responses``, ``grades``, ``published``,
            ``sources``, ``templates``.
        outputs: ``page``.
        beside: ``threads``, how many pictures are made at a time.
    """
    contents = suite_contents(spec, inputs, ROOT, beside["threads"])
    write_text(outputs["page"], suite_page(contents, _templates(inputs)))


def suite_contents(
    spec: Mapping[str, Any], files: Files, root: Path, threads: int = 1
) -> dict[str, Any]:
    """Return all that the page of a suite shows, as plain values."""
    responses = dict(zip(spec["models"], files["responses"], strict=True))
    grades = dict(zip(spec["models"], files["grades"], strict=True))
    numbers = read_numbers(files["published"])
    results = Path(files["tables"][0]).parents[1]
    sources = Sources(files["sources"], results)
    published = published_by_table(numbers, spec["ledger"], sources)
    captions = caption_texts([*files["captions"], *files["figure_captions"]])
    return {
        "study": spec["study"],
        "unfinished": _missing(files["grades"]),
        "suite": spec["suite"],
        **spec["about"],
        "other_pages": _links(spec["pages"], but=spec["suite"]),
        "tables": [
            table_entry(name, shown, path, captions.get(name, ""), published.get(name, ()))
            for path, shown in zip(files["tables"], files["readers_tables"], strict=True)
            for name in [Path(path).stem]
        ],
        "figures": [_figure(path, captions) for path in files["figures"]],
        "gallery": gallery(spec["gallery"], files["shards"], responses, grades, threads),
        "prompts": _prompts(files["shards"]),
        "provenance": [
            _section("Code", code_rows(root, spec["fingerprints"])),
            _section("Models", answered_by_rows(answer_rows(responses))),
            _section("Suite", [["Version", spec["about"].get("version", "")]]),
            _section("Settings of the suite", settings_rows(spec["settings"])),
            _section("Statistics", settings_rows(spec["statistics"])),
            _section("Packages", settings_rows(spec["packages"])),
        ],
        "not_run": _not_run(row for rows in published.values() for row in rows),
    }


def write_overview(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, beside: Mapping[str, Any]
) -> None:
    """Write the report's first page.

    Args:
        spec: As :func:`planning.report.overview_spec` returns it.
        inputs: ``tables`` (CSV), ``readers_tables``, ``captions``, ``cost``, ``numbers``, ``samples``
            (the stimuli of a figure of each suite), ``shards``, ``responses`` and ``grades`` (suite by suite, model by
            model), ``templates``.
        outputs: ``page``.
        beside: Nothing.
    """
    contents = overview_contents(spec, inputs, ROOT)
    write_text(outputs["page"], overview_page(contents, _templates(inputs)))


def overview_contents(spec: Mapping[str, Any], files: Files, root: Path) -> dict[str, Any]:
    """Return all that the first page shows, as plain values."""
    models = [model["name"] for model in spec["models"]]
    of_suites = {
        suite: {
            kind: dict(zip(models, files[kind][start : start + len(models)], strict=True))
            for kind in ("responses", "grades")
        }
        for number, suite in enumerate(spec["suites"])
        for start in [number * len(models)]
    }
    answers = {suite: answer_rows(of_suite["responses"]) for suite, of_suite in of_suites.items()}
    numbers = read_rows(files["numbers"])
    captions = caption_texts(files["captions"])
    return {
        "study": spec["study"],
        "unfinished": _missing(files["grades"]),
        "suites": [
            {
                "suite": suite,
                **spec["about"][suite],
                "href": f"{suite}.html",
                "answers": sum(row["answers"] for row in answers[suite]),
                **_summary(
                    {
                        model: path
                        for model, path in of_suites[suite]["grades"].items()
                        if model not in spec["unable"][suite]
                    },
                    _answer_types(files["shards"], suite),
                ),
                "sample": thumbnail(next(read_images(sample))[1], _SAMPLE_SIDE)["thumbnail"],
            }
            for suite, sample in zip(spec["suites"], files["samples"], strict=True)
        ],
        "models": [
            {**_model(model, answers), "cost": _cost(files["cost"], model["name"])}
            for model in spec["models"]
        ],
        "numbers": _number_counts(numbers),
        "tables": [
            table_entry(Path(path).stem, shown, path, captions.get(Path(path).stem, ""))
            for path, shown in zip(files["tables"], files["readers_tables"], strict=True)
        ],
        "provenance": [
            _section("Code", code_rows(root, {})),
            _section(
                "Versions of the suites",
                [[suite, own.get("version", "")] for suite, own in spec["about"].items()],
            ),
            _section("Statistics", settings_rows(spec["statistics"])),
            _section("Packages", settings_rows(spec["packages"])),
        ],
        "not_run": _not_run(
            {"status": row["status"].replace("_", " "), "reason": row["reason"]} for row in numbers
        ),
    }


def _missing(grades: Iterable[str]) -> list[str]:
    """Return a sentence for each model that has not answered everything."""
    return [f"{one.model} on {one.suite} {one.sentence}" for one in unfinished_grades(grades)]


def _links(suites: Sequence[str], but: str) -> list[dict[str, Any]]:
    pages = [{"title": "Overview", "href": "index.html"}]
    return [*pages, *({"title": name, "href": f"{name}.html"} for name in suites if name != but)]


def _figure(path: str, captions: Mapping[str, str]) -> dict[str, Any]:
    return {
        "title": Path(path).stem.replace("_", " "),
        "caption": captions.get(Path(path).stem, ""),
        "png": data_url("image/png", Path(path).read_bytes()),
        "file": path,
    }


def _section(heading: str, rows: list[list[str]]) -> dict[str, Any]:
    return {"heading": heading, "rows": rows}


def _prompts(shards: Sequence[str]) -> list[dict[str, Any]]:
    """Return each prompt's id with the words of the first item that is asked in it."""
    found: dict[str, str] = {}
    for shard in shards:
        asked = read_table(shard, ITEM, ("prompt",))["prompt"]
        for name in pc.unique(asked).to_pylist():
            if name not in found:
                rows = without_probes(read_records(shard, ITEM, ("prompt", "messages", "factors")))
                found[name] = next(question_text(row) for row in rows if row["prompt"] == name)
    return [{"id": name, "text": text} for name, text in found.items()]


def _not_run(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return why printed numbers have none of this study beside them, with how many they are."""
    reasons = Counter(row["reason"] for row in rows if row["status"] == _NO_RUN)
    return [
        {"what": f"{count:,} printed number{'s' if count > 1 else ''}", "why": reason}
        for reason, count in reasons.most_common()
    ]


def _summary(grades: Mapping[str, str], types: Mapping[str, str]) -> dict[str, Any]:
    """Return the number of items and, for each model, how many of its answers are right, open ones apart."""
    rows = []
    unfinished = {one.model: one.sentence for one in unfinished_grades(grades.values())}
    for model, path in grades.items():
        if model in unfinished:
            rows.append({"model": model, "text": unfinished[model]})
            continue
        own = [row for row in _grade_rows(path) if types[row["item_id"]] not in OPEN_ANSWERS]
        right = sum(row["correct"] for row in own)
        unparsed = sum(row["answer"] is None for row in own)
        share = f" ({100 * right / len(own):.1f} %)" if own else ""
        words = f"{right:,} of {len(own):,} right{share}, {unparsed:,} unparsed"
        rows.append({"model": model, "text": words})
    return {"items": len(types), "summary_rows": rows}


def _answer_types(shards: Sequence[str], suite: str) -> dict[str, str]:
    """Return the answer type of each item of a suite, probes apart."""
    columns = ("item_id", "answer_type", "factors")
    return {
        row["item_id"]: row["answer_type"]
        for shard in shards
        if Path(shard).parent.name == suite
        for row in without_probes(read_records(shard, ITEM, columns, batch_size=1024))
    }


def _grade_rows(path: str) -> Iterator[Mapping[str, Any]]:
    columns = ("item_id", "answer", "correct", "factors")
    return without_probes(read_records(path, GRADE, columns, batch_size=4096))


def _model(model: Mapping[str, Any], answers: Mapping[str, list[dict[str, Any]]]) -> dict[str, Any]:
    own = [row for rows in answers.values() for row in rows if row["model"] == model["name"]]
    return {
        **model,
        "settings": "; ".join(
            f"{name}: {value}" for name, value in settings_rows(model["settings"])
        ),
        "answers": sum(row["answers"] for row in own),
    }


def _cost(path: str, model: str) -> str | None:
    """Return what all answers of a model cost, in the currency of its prices; None where a price is not known."""
    costs = [
        (row["cost"], row["currency"])
        for row in read_rows(path)
        if (row["model"], row["role"]) == (model, _ASKED)
    ]
    if not costs or not all(cost for cost, _ in costs):
        return None
    return f"{sum(float(cost) for cost, _ in costs):.2f} {costs[0][1]}".rstrip()


def _number_counts(rows: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    counts = Counter(row["status"] for row in rows)
    verdicts = Counter(
        row["verdict"] for row in rows if row["verdict"] and row["status"] != "not_a_result"
    )
    return {**counts, **verdicts, "total": verdicts.total()}


def _templates(files: Files) -> Path:
    return Path(files["templates"][0]).parent
