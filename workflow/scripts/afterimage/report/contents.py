"""The contents of the pages of a suite and of a study, as plain values (docs/report.md)."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow.compute as pc

from afterimage.contract.probes import without_probes
from afterimage.files.attempts import Unfinished
from afterimage.files.csv_rows import read_rows
from afterimage.files.parquet import read_records, read_table
from afterimage.files.records import ITEM
from afterimage.files.stimulus import read_images
from afterimage.ledger.cells import Files as Sources
from afterimage.ledger.published import read_numbers
from afterimage.note import Note
from afterimage.report.front import front_rows, with_marks
from afterimage.report.gallery import gallery, question_text
from afterimage.report.overview import (
    answered_on,
    empty_parts,
    empty_tables,
    first_screen,
    has_cost,
    missing,
    not_run,
    not_run_here,
    sentence,
)
from afterimage.report.page_entries import (
    caption_texts,
    figure_entries,
    published_by_table,
    table_entry,
    thumbnail,
)
from afterimage.report.provenance import answer_rows, answered_by_rows, code_rows, settings_rows
from afterimage.showing.answers import unfinished_grades
from afterimage.showing.language import words_of
from afterimage.showing.pilot import pilot_note

_SAMPLE_SIDE = 480
_RECORDED, _RESPONDER = "recorded", "responder"
# The role of a model that answers, and does not judge.
_ANSWERER_ROLE = "model"


def suite_contents(
    spec: Mapping[str, Any],
    files: Mapping[str, Any],
    root: Path,
    threads: int = 1,
    study: Sequence[str] = (),
) -> dict[str, Any]:
    """Return all that the page of a suite shows, as plain values."""
    responses = dict(zip(spec["models"], files["responses"], strict=True))
    grades = dict(zip(spec["models"], files["grades"], strict=True))
    numbers = read_numbers(files["published"])
    results = Path(files["tables"][0]).parents[1]
    sources = Sources(files["sources"], results)
    published = published_by_table(numbers, spec["ledger"], sources)
    captions = caption_texts(
        [*files["captions"], *files["figure_captions"]], words_of(spec, "captions").texts
    )
    tables, kinds = _by_name(files["tables"]), dict(spec["kinds"])
    shown_first = front_rows(spec["front"], tables, kinds, in_percent=False)
    return {
        "front": with_marks(shown_first),
        "first_figure": spec["chart_first"],
        "study": spec["study"],
        "unfinished": _unfinished_models(files["grades"], spec["about"]["title"]),
        "suite": spec["suite"],
        **_about(spec["about"]),
        "other_pages": _links(spec["pages"], current=spec["suite"]),
        "tables": [
            table_entry(name, shown, path, captions.get(name, ""), published.get(name, ()), study)
            for path, shown in zip(files["tables"], files["readers_tables"], strict=True)
            for name in [Path(path).stem]
        ],
        "figures": figure_entries(files["figures"], files["screens"], captions),
        "gallery": gallery(spec["gallery"], files["shards"], responses, grades, threads),
        "prompts": _prompts(files["shards"]),
        "provenance": [
            _section(
                "Code", code_rows(root, spec["items_code"], spec["table_codes"]), in_words=True
            ),
            _section("Models", answered_by_rows(answer_rows(responses))),
            _section("Suite", _suite_rows(spec)),
            _section("Settings of the suite", settings_rows(spec["settings"])),
            _section("Statistics", settings_rows(spec["statistics"])),
            _packages(spec),
        ],
        "not_run": not_run(row for rows in published.values() for row in rows),
    }


def overview_contents(
    spec: Mapping[str, Any], files: Mapping[str, Any], root: Path, study: Sequence[str] = ()
) -> dict[str, Any]:
    """Return all that the first page shows, as plain values."""
    kinds, models = dict(spec["kinds"]), spec["models"]
    answers = _answers(spec["suites"], kinds, files["responses"])
    suites = list(_suites(spec, files, answers))
    tables = _by_name(files["fronts"])
    fronts = {suite: front_rows(spec["fronts"][suite], tables, kinds) for suite in spec["suites"]}
    numbers, costs = read_rows(files["numbers"]), read_rows(files["cost"])
    costly = has_cost(costs)
    captions = caption_texts(files["captions"], words_of(spec, "captions").texts)
    titles = {suite: about["title"] for suite, about in spec["about"].items()}
    versions = [[suite, about.get("version", "")] for suite, about in spec["about"].items()]
    cost = Path(files["cost"]).stem
    others = [path for path in files["readers_tables"] if costly or Path(path).stem != cost]
    named = _read_tables([*files["suites_tables"], *others])
    return {
        "study": spec["study"],
        "pilot": pilot_note(spec["pilot"]) if "pilot" in spec else "",
        "unfinished": _unfinished_in(spec["fronts"], named, titles),
        "sentence": sentence(kinds, suites),
        "answered": answered_on(row["written"] for rows in answers.values() for row in rows),
        "first": first_screen(suites, fronts),
        "missing": [
            *missing(fronts, kinds, spec["unable"], titles),
            *empty_tables(named, spec["awaited"]),
            *empty_parts(named),
        ],
        "suites": suites,
        "models": [
            {**_model(model, answers), **({"cost": _cost(costs, model["name"])} if costly else {})}
            for model in models
        ],
        "numbers": _number_counts(numbers, kinds),
        "tables": [
            table_entry(name, shown, path, captions.get(name, ""), study=study)
            for path, shown in zip(files["tables"], files["readers_tables"], strict=True)
            for name in [Path(path).stem]
            if costly or name != cost
        ],
        "figures": figure_entries(files["figures"], files["screens"], captions),
        "provenance": [
            _section("Code", code_rows(root), in_words=True),
            _section("Versions of the suites", versions),
            _section("Statistics", settings_rows(spec["statistics"])),
            _packages(spec),
        ],
        "not_run": not_run_here(numbers, spec["papers"], titles)
        if _number_counts(numbers, kinds)
        else [],
    }


def _suites(
    spec: Mapping[str, Any],
    files: Mapping[str, Any],
    answers: Mapping[str, Sequence[Mapping[str, Any]]],
) -> Iterator[dict[str, Any]]:
    for suite, sample in zip(spec["suites"], files["samples"], strict=True):
        yield {
            "suite": suite,
            **_about(spec["about"][suite]),
            "href": f"{suite}.html",
            "items": _item_count(files["shards"], suite),
            "answers": sum(row["answers"] for row in answers[suite]),
            "sample": thumbnail(next(read_images(sample))[1], _SAMPLE_SIDE)["thumbnail"],
        }


def _about(about: Mapping[str, Any]) -> dict[str, Any]:
    """Return a suite's description, with the note about a pilot."""
    return {**about, "pilot": pilot_note(about["pilot"])} if "pilot" in about else dict(about)


def _answers(
    suites: Sequence[str], kinds: Mapping[str, str], responses: Sequence[str]
) -> dict[str, list[dict[str, Any]]]:
    """Return suite to its rows of :func:`answer_rows`, from ``responses``: suite by suite, one file per model."""
    files = iter(responses)
    return {suite: answer_rows({model: next(files) for model in kinds}) for suite in suites}


def _unfinished_in(
    fronts: Mapping[str, Any], tables: Mapping[str, Any], titles: Mapping[str, str]
) -> list[Note]:
    """Return a sentence for each unfinished model in the tables of main scores."""
    return [
        _not_finished(Unfinished(**fields), titles[suite])
        for suite, front in fronts.items()
        for fields in tables[front["scores"][0]["table"]].get("unfinished", ())
    ]


def _unfinished_models(grades: Iterable[str], title: str) -> list[Note]:
    """Return a sentence for each model that has not answered all of the suite with that title."""
    return [_not_finished(model, title) for model in unfinished_grades(grades)]


def _not_finished(model: Unfinished, title: str) -> Note:
    return Note(
        "{model} on {suite} {sentence}", model=model.model, suite=title, sentence=model.sentence
    )


def _suite_rows(spec: Mapping[str, Any]) -> list[list[str]]:
    return [["Name in config.yaml", spec["suite"]], ["Version", spec["about"].get("version", "")]]


def _links(pages: Sequence[Sequence[str]], current: str) -> list[dict[str, str]]:
    """Return links to the overview and to ``pages`` (suites and their titles), except to the current page."""
    every = [("index", "Overview"), *pages]
    return [{"title": title, "href": f"{name}.html"} for name, title in every if name != current]


def _section(heading: str, rows: list[list[str]], in_words: bool = False) -> dict[str, Any]:
    """Return a section of the provenance; only sections ``in_words`` are translated."""
    return {"heading": heading, "rows": rows, "in_words": in_words, "is_folded": False}


def _packages(spec: Mapping[str, Any]) -> dict[str, Any]:
    """Return the pinned packages, collapsed at first."""
    return {**_section("Packages", settings_rows(spec["packages"])), "is_folded": True}


def _prompts(shards: Sequence[str]) -> list[dict[str, Any]]:
    """Return each prompt's id with the question text of its first item."""
    found: dict[str, str] = {}
    for shard in shards:
        prompts = read_table(shard, ITEM, ("prompt",))["prompt"]
        for name in pc.unique(prompts).to_pylist():
            if name not in found:
                rows = without_probes(read_records(shard, ITEM, ("prompt", "messages", "factors")))
                found[name] = next(question_text(row) for row in rows if row["prompt"] == name)
    return [{"id": name, "text": text} for name, text in found.items()]


def _item_count(shards: Sequence[str], suite: str) -> int:
    """Return the number of items of a suite, without probes."""
    return len(
        {
            row["item_id"]
            for shard in shards
            if Path(shard).parent.name == suite
            for row in without_probes(
                read_records(shard, ITEM, ("item_id", "factors"), batch_size=1024)
            )
        }
    )


def _read_tables(paths: Iterable[str]) -> dict[str, Any]:
    return {
        name: json.loads(Path(path).read_text(encoding="utf-8"))
        for name, path in _by_name(paths).items()
    }


def _by_name(paths: Iterable[str]) -> dict[str, str]:
    return {Path(path).stem: path for path in paths}


def _model(model: Mapping[str, Any], answers: Mapping[str, list[dict[str, Any]]]) -> dict[str, Any]:
    model_rows = [row for rows in answers.values() for row in rows if row["model"] == model["name"]]
    return {
        **model,
        "settings": "; ".join(
            f"{name}: {value}" for name, value in settings_rows(model["settings"])
        ),
        "answers": sum(row["answers"] for row in model_rows),
    }


def _cost(rows: Sequence[Mapping[str, str]], model: str) -> str | None:
    """Return the cost of all answers of a model, in the currency of its prices; None if a price is unknown."""
    costs = [
        (row["cost"], row["currency"])
        for row in rows
        if (row["model"], row["role"]) == (model, _ANSWERER_ROLE)
    ]
    if not costs or not all(cost for cost, _ in costs):
        return None
    return f"{sum(float(cost) for cost, _ in costs):.2f} {costs[0][1]}".rstrip()


def _number_counts(rows: Sequence[Mapping[str, str]], kinds: Mapping[str, str]) -> dict[str, Any]:
    """Count the ledger's rows; {} for a study without models and without recorded answers of the papers'."""
    counts = Counter(row["status"] for row in rows)
    if set(kinds.values()) <= {_RESPONDER} and not counts[_RECORDED]:
        return {}
    verdicts = Counter(
        row["verdict"] for row in rows if row["verdict"] and row["status"] != "not_a_result"
    )
    return {**counts, **verdicts, "total": verdicts.total()}
