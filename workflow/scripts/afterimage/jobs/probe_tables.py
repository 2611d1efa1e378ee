"""Tables over all suites that ask a question more than once: without its image, with options in other orders, again."""

import os
from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

import pandas as pd

from afterimage.errors import AfterimageError
from afterimage.files.attempts import Unfinished
from afterimage.files.csv_rows import write_csv
from afterimage.files.parquet import read_records, read_table
from afterimage.files.records import ITEM, RESPONSE
from afterimage.grading.language.claims import stance
from afterimage.grading.readers.yes_no_uncertain import UNCERTAIN
from afterimage.items.option_order import PROBE, is_probe, probed_id
from afterimage.jobs.running import Files
from afterimage.jobs.tables import read_grades
from afterimage.jobs.unfinished import unfinished_grades, without
from afterimage.showing.study.robustness import ORDERS, REPEATS, ROBUSTNESS, unseeing, unseeing_rows
from afterimage.showing.study.without_image import CLAIMS, CLEAN, KNOWLEDGE, PROBES, SHOWN
from afterimage.showing.tables.baselines import MEASURED, REFERENCE
from afterimage.showing.tables.compute import as_frame, frame_of
from afterimage.showing.tables.table_files import write_table
from afterimage.showing.tables.values import OUTCOMES, with_outcomes

# ---- right answers with and without the image ----


def make_knowledge(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, beside: Mapping[str, Any]
) -> None:
    """Count right answers with and without the image per suite and model, and write that as each of ``outputs``.

    Only questions count that were asked without the image, too, and only those that a parser reads as right or wrong.

    Args:
        spec: ``confidence`` of the intervals.
        inputs: ``grades``, files of all models for the suites that ask without image.
        outputs: Form (csv, markdown, latex, html, json) to file.
        beside: Nothing.

    Raises:
        AfterimageError: No suite asks without image.
    """
    if not inputs["grades"]:
        raise AfterimageError(
            "table knowledge_all: no suite of this study asks its questions without images; expected text_only or "
            "blank among the probes of one (suites.<suite>.probes)."
        )
    unfinished = unfinished_grades(inputs["grades"])
    rows: dict[str, list[pd.DataFrame]] = {}
    items: dict[str, pd.DataFrame] = {}
    # One at a time: a study's grades may be millions.
    for path in inputs["grades"]:
        answers = _shown(without(read_grades([path], with_probes=True), unfinished))
        for suite, own in answers.groupby("suite", sort=False):
            made = frame_of(KNOWLEDGE, own, spec)
            rows.setdefault(suite, []).append(made[made["kind"] == MEASURED])
            known = pd.concat([items.get(suite), own[own["shown"] != ""]])
            items[suite] = known.drop_duplicates("item_id")
    for suite, asked in items.items():
        made = frame_of(KNOWLEDGE, asked, spec)
        rows[suite].append(made[made["kind"] == REFERENCE])
    frames = [frame for of_suite in rows.values() for frame in of_suite]
    made = pd.concat(frames or [as_frame([], KNOWLEDGE.csv)], ignore_index=True)
    write_table(KNOWLEDGE, made, outputs, spec, None, unfinished)


def _shown(grades: pd.DataFrame) -> pd.DataFrame:
    """Return one model's readable answers with what was ``shown``: "" where a question was not asked both ways."""
    if PROBE not in grades:
        return grades.iloc[:0].assign(shown="")
    readable = grades[(grades["decided_by"] == "parser") & grades["score"].isna()]
    is_own, is_probe = readable[PROBE].isna(), readable[PROBE].isin(SHOWN)
    probed = [
        probed_id(item, probe) if asked else None
        for item, probe, asked in zip(readable["item_id"], readable[PROBE], is_probe, strict=True)
    ]
    asked_of = pd.Series(probed, index=readable.index)
    # A judge or people may have decided on the answer with the image; it is then no longer beside the others.
    beside = is_probe & asked_of.isin(readable["item_id"][is_own])
    shown = readable[PROBE].where(beside, "")
    return readable.assign(
        shown=shown.mask(is_own & readable["item_id"].isin(asked_of[is_probe]), "image")
    )


# ---- who claims to see what was not shown ----

_OWN_ITEM = ["item", "repeat"]


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
    asked, unfinished = _asked_for_claims(inputs, "claims")
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
    asked, unfinished = _asked_for_claims(inputs, "claims_clean")
    needless = _answerable_blind(asked, spec["marking"])
    marks = [
        {"suite": suite, "item_id": item, "models": " ".join(models)}
        for (suite, item), models in needless.items()
    ]
    write_csv(outputs["marks"], marks, ("suite", "item_id", "models"))
    forms = {form: path for form, path in outputs.items() if form != "marks"}
    frame = _marked(asked[asked[PROBE] == ""], asked, spec["marking"])
    write_table(CLEAN, frame_of(CLEAN, frame, spec), forms, spec, None, unfinished)


def _asked_for_claims(inputs: Files, table: str) -> tuple[pd.DataFrame, list[Unfinished]]:
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
    with_image = grades.loc[probes == "", [*_OWN_ITEM, "correct"]]
    blind = grades[probes.isin(PROBES)].merge(with_image, on=_OWN_ITEM, suffixes=("", "_image"))
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
            **{name: kept[name] for name in ("suite", "model", "probe", *_OWN_ITEM)},
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


# ---- how robust answers are ----

_ORDER = "order"
_FIRST = "order0"
_OF_ANSWER = ("suite", "model", "kind", "stimulus_id", "question_id", "way", "correct", *OUTCOMES)
#: What is kept of a question, once for all models; the first four name one asking of it.
_OF_ITEM = (
    *("suite", "kind", "question_id", "way"),
    *("item_id", "stimulus_id", "offered", "is_listed", "key"),
)


class _Offered(NamedTuple):
    """What an item offers: each option's place in the item, and in the item that it was made from."""

    places: Mapping[str, int]
    own_places: Mapping[str, int]


def make_robustness(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, beside: Mapping[str, Any]
) -> None:
    """Compare the answers to each question per suite and model, and write that as each of ``outputs``.

    Args:
        spec: ``confidence``, ``resamples`` and ``seed`` of the intervals.
        inputs: ``grades``, files of all models for the suites that ask a question more than once; ``shards``, the item
            files of these suites.
        outputs: Form (csv, markdown, latex, html, json) to file.
        beside: Nothing.

    Raises:
        AfterimageError: No question is asked more than once.
    """
    if not inputs["grades"]:
        raise AfterimageError(
            "table robustness: no question of this study is asked more than once; expected option_orders among the "
            "probes of a suite (suites.<suite>.probes), or a model with settings.repeats above 1."
        )
    offered = _offered(inputs["shards"])
    unfinished = unfinished_grades(inputs["grades"])
    parts: list[pd.DataFrame] = []
    items: list[pd.DataFrame] = []
    # One at a time: a study's grades may be millions.
    for path in inputs["grades"]:
        asked = _asked_often(without(read_grades([path], with_probes=True), unfinished))
        parts.append(frame_of(ROBUSTNESS, _told(asked, offered), spec))
        items = [pd.concat([*items, asked[list(_OF_ITEM)]]).drop_duplicates(list(_OF_ITEM[:4]))]
    told = (_told(answers, offered) for answers in unseeing(items[0]))
    frame = pd.concat([*parts, *unseeing_rows(items[0], told, spec)], ignore_index=True)
    suites = list(dict.fromkeys(frame["suite"]))
    frame = frame.sort_values("suite", key=lambda names: names.map(suites.index), kind="stable")
    write_table(ROBUSTNESS, frame.reset_index(drop=True), outputs, spec, None, unfinished)


def _offered(shards: Iterable[str | os.PathLike[str]]) -> dict[str, _Offered]:
    """Return what each item with options offers."""
    columns = ("item_id", "options", "factors")
    texts: dict[str, list[tuple[str, str]]] = {}
    probed: dict[str, str] = {}
    for shard in shards:
        for row in read_records(shard, ITEM, columns, batch_size=1024):
            name = row["item_id"]
            texts[name] = [(option["option_id"], option["text"]) for option in row["options"]]
            if is_probe(row):
                probed[name] = probed_id(name, row["factors"][PROBE])
    found = {}
    for name, options in texts.items():
        own = {text: place for place, (_, text) in enumerate(texts[probed.get(name, name)])}
        found[name] = _Offered(
            {option: place for place, (option, _) in enumerate(options)},
            {option: own[text] for option, text in options},
        )
    return found


def _asked_often(grades: pd.DataFrame) -> pd.DataFrame:
    """Return one model's answers to questions that were asked in other orders, and again."""
    if PROBE not in grades:
        grades = grades.assign(**{PROBE: None})
    grades = with_outcomes(grades)
    both = [_orders(grades).assign(kind=ORDERS), _repeats(grades).assign(kind=REPEATS)]
    return pd.concat(both, ignore_index=True)


def _told(asked: pd.DataFrame, offered: Mapping[str, _Offered]) -> pd.DataFrame:
    """Return what each answer said, whatever stood where, and where the option that it chose stood."""
    chosen = [_place(row, offered) for row in asked.itertuples()]
    return asked[list(_OF_ANSWER)].assign(
        said=pd.Series([_identity(row, offered) for row in asked.itertuples()], dtype=object),
        place=pd.Series([place for place, _ in chosen], dtype=float),
        places=pd.Series([places for _, places in chosen], dtype=float),
    )


def _orders(part: pd.DataFrame) -> pd.DataFrame:
    """Return the first answers to questions that were asked in other orders, with ``question_id`` and ``way``."""
    first = part[part["repeat"] == 0]
    own, ordered = first[first[PROBE].isna()], first[_is_order(first[PROBE])]
    probed = [
        probed_id(item, probe)
        for item, probe in zip(ordered["item_id"], ordered[PROBE], strict=True)
    ]
    own = own[own["item_id"].isin(probed)]
    return pd.concat(
        [
            own.assign(question_id=own["item_id"], way=_FIRST),
            ordered.assign(question_id=probed, way=ordered[PROBE]),
        ]
    )


def _is_order(probes: pd.Series) -> pd.Series:
    return probes.astype("string").str.startswith(_ORDER).fillna(False).astype(bool)


def _repeats(part: pd.DataFrame) -> pd.DataFrame:
    """Return all answers to questions that were asked several times in the same words."""
    own = part[part[PROBE].isna()]
    several = own.groupby("item_id")["repeat"].transform("count") > 1
    own = own[several]
    return own.assign(question_id=own["item_id"], way=own["repeat"])


def _identity(row: Any, offered: Mapping[str, _Offered]) -> str | None:
    """Return what was answered, whatever stood where: an option by its place in the question as it was asked first."""
    if row.answer is None or pd.isna(row.answer):
        return None
    places = offered[row.item_id].own_places if row.item_id in offered else {}
    return str(places.get(row.answer, row.answer))


def _place(row: Any, offered: Mapping[str, _Offered]) -> tuple[int | None, int | None]:
    """Return the place of the option that was chosen, and how many places there were."""
    # Asked again in the same words, what stands first stands first each time: nothing to learn.
    if row.kind == REPEATS or row.answer is None or pd.isna(row.answer):
        return None, None
    places = offered[row.item_id].places
    return places.get(row.answer), len(places)
