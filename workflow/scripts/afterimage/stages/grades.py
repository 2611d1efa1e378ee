"""Grading: a model's raw responses become judged answers; and all answers of a study in one file."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from afterimage.contract.probes import PROBE
from afterimage.errors import AfterimageError
from afterimage.files.attempts import WHY_NOTHING
from afterimage.grading.language.words import digest
from afterimage.stages.stage import Stage, each_suite

if TYPE_CHECKING:
    import pyarrow as pa

    from afterimage.planning.plan import Plan
    from afterimage.stages.running import Files
    from afterimage.stages.stage import Names


logger = logging.getLogger(__name__)


# ---- grades ----


def graders(plan: Plan, at: Names) -> list[str]:
    """Return the modules that read a suite's answers."""
    return [f"afterimage.grading.readers.{name}" for name in plan.studied[at.suite].answer_types]


def grades_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return what a model's grades depend on, its answers apart."""
    adaptive = {"adaptive": True} if at.suite in plan.adaptive else {}
    return {"answer_words": digest(), **adaptive}


# Rows at a time: they are small, and a file of a million in small groups has a large table of contents.
_ROWS = 4096


# A line in the log after so many answers, or after a twentieth of them where that is more.
_ANSWERS_BETWEEN_LINES = 1000


def grade_model(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, resources: Mapping[str, Any]
) -> int:
    """Grade all responses of one model to one suite and return their number.

    Args:
        spec: ``adaptive``, where items were chosen one after the other, so that most have no answer.
        inputs: ``responses``, the model's merged ones, schema RESPONSE; ``shards``, the item files that were asked,
            schema ITEM.
        outputs: ``grades``, the Parquet file to write, schema GRADE.
    """
    from pyarrow.parquet import read_metadata

    from afterimage.files.parquet import read_records, write_records
    from afterimage.files.records import GRADE, ITEM, RESPONSE
    from afterimage.grading.grade import grade_responses

    items = (
        item
        for shard in inputs["shards"]
        for item in read_records(shard, ITEM, columns=_columns(shard))
    )
    total = read_metadata(inputs["responses"]).num_rows
    answers = _told(read_records(inputs["responses"], RESPONSE, batch_size=_ROWS), total)
    about = {} if total else why_nothing(inputs["shards"])
    return write_records(
        outputs["grades"],
        grade_responses(answers, items, complete=not spec.get("adaptive")),
        GRADE,
        batch_size=_ROWS,
        about=about,
    )


def why_nothing(shards: Iterable[str]) -> dict[str, str]:
    """Return what a file of no grades says of itself: why its items are none; {} if no file of items says it."""
    from afterimage.files.parquet import read_about
    from afterimage.files.records import ITEM

    known = (read_about(shard, ITEM).get(WHY_NOTHING) for shard in shards)
    why = next(filter(None, known), None)
    return {} if why is None else {WHY_NOTHING: why}


def _told(answers: Iterable[Mapping[str, Any]], total: int) -> Iterator[Mapping[str, Any]]:
    """Pass answers on and say in the log how many have been graded."""
    step = max(_ANSWERS_BETWEEN_LINES, total // 20)
    for number, answer in enumerate(answers, 1):
        yield answer
        # Whoever takes the next is done with this one.
        if number % step == 0:
            logger.info("%d of %d answers graded", number, total)


def _columns(shard: str) -> tuple[str, ...]:
    """Return the columns of a shard's items that graders read; the question only if one of them needs it."""
    from afterimage.files.parquet import columns_but, read_records
    from afterimage.files.records import ITEM
    from afterimage.grading.grade import needs_question

    types = {row["answer_type"] for row in read_records(shard, ITEM, columns=("answer_type",))}
    # Graders judge words, never pixels.
    unread = ("images",) if any(map(needs_question, types)) else ("images", "messages")
    return columns_but(ITEM, *unread)


# ---- all answers, a row each, with question, options, reading and verdict ----


def all_answers_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return the models and the suites' versions."""
    versions = {name: studied.suite.version for name, studied in plan.studied.items()}
    return {"models": list(plan.models), "suites": versions}


_OF_QUESTION = ("item_id", "messages", "answer_type", "options")


_SAME = ["item_id", "repeat"]


def make_all_answers(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, resources: Mapping[str, Any]
) -> int:
    """Write every answer of every model with its question and its grade; return their number.

    Memory holds the texts of one suite's questions and one model's answers to them.

    Args:
        spec: ``suites``: the name of each suite to its version.
        inputs: ``responses`` and ``grades``, files of schemas RESPONSE and GRADE, one per suite and model in the same
            order, grouped by suite; ``shards``, the items of all suites, schema ITEM, in folders named after their
            suites.
        outputs: ``answers``, the Parquet file to write, schema ANSWER.

    Raises:
        AfterimageError: The grades do not match the responses.
    """
    from afterimage.files.parquet import write_tables
    from afterimage.files.records import ANSWER

    return write_tables(outputs["answers"], _answer_tables(spec["suites"], inputs), ANSWER)


def _answer_tables(versions: Mapping[str, str], inputs: Files) -> Iterator[pa.Table]:
    """Yield the answers of one model to one suite after another, columns as in ANSWER."""
    import pyarrow as pa
    import pyarrow.compute as pc

    from afterimage.files.parquet import read_table
    from afterimage.files.records import ANSWER, GRADE, RESPONSE

    suite = ""
    for responses, grades in zip(inputs["responses"], inputs["grades"], strict=True):
        if Path(grades).parent.name != suite:
            suite = Path(grades).parent.name
            questions = _questions(inputs["shards"], suite)
            indices = {name: index for index, name in enumerate(questions["item_id"].to_pylist())}
        given, graded = read_table(responses, RESPONSE), read_table(grades, GRADE)
        if not given.select(_SAME).equals(graded.select(_SAME)):
            raise AfterimageError(
                f"{grades}: does not grade the answers of {responses} one by one; delete it and run again."
            )
        # Without a type, an empty list would become an array of nulls.
        taken = pa.array((indices[name] for name in graded["item_id"].to_pylist()), pa.int64())
        question_columns = questions.take(taken)
        factors = graded["factors"].combine_chunks()
        columns = {
            **{name: given[name] for name in given.column_names},
            **{name: graded[name] for name in graded.column_names},
            **{name: question_columns[name] for name in question_columns.column_names},
            "suite_version": pa.array([versions[suite]] * len(graded), pa.string()),
            "probe": pc.map_lookup(factors, PROBE, "first"),
            "factors": _texts(factors),
            "option_probabilities": _listed(graded["option_probabilities"]),
            "reply": given["text"],
            "reading": graded["answer"],
        }
        yield pa.table([columns[name] for name in ANSWER.names], schema=ANSWER)


def _listed(probabilities: pa.ChunkedArray) -> pa.Array:
    """Return a column of maps as a column of lists; empty values stay empty."""
    import pyarrow as pa

    from afterimage.files.records import ANSWER

    rows = (
        None if row is None else [{"option_id": name, "probability": share} for name, share in row]
        for row in probabilities.to_pylist()
    )
    return pa.array(rows, ANSWER.field("option_probabilities").type)


def _questions(shards: list[str], suite: str) -> pa.Table:
    """Return what each item of a suite asks."""
    import pyarrow as pa

    from afterimage.files.parquet import read_records
    from afterimage.files.records import ANSWER, ITEM

    rows = [
        {
            "item_id": item["item_id"],
            "question_text": words_of(item["messages"]),
            "options": item["options"],
            "answer_type": item["answer_type"],
        }
        for shard in shards
        if Path(shard).parent.name == suite
        for item in read_records(shard, ITEM, _OF_QUESTION, batch_size=1024)
    ]
    names = ("item_id", "question_text", "options", "answer_type")
    return pa.Table.from_pylist(rows, schema=pa.schema([ANSWER.field(name) for name in names]))


def _texts(factors: pa.MapArray) -> pa.Array:
    """Return a column of maps as one of TEXTS."""
    import pyarrow as pa

    from afterimage.files.parquet import TEXTS

    pairs = pa.StructArray.from_arrays([factors.keys, factors.items], fields=list(TEXTS.value_type))
    return pa.ListArray.from_arrays(factors.offsets, pairs, type=TEXTS)


def words_of(messages: list[dict[str, Any]]) -> str:
    """Return the words of a request: parts on lines of their own, a blank line between turns."""
    shown = {"image": "<image>", "answer": "<answer to {}>"}
    return "\n\n".join(
        "\n".join(
            shown.get(part["type"], "{}").replace("{}", part["text"] or "")
            for part in message["parts"]
        )
        for message in messages
    )


# ---- stages ----


STAGES = (
    Stage(
        "grade_responses",
        grade_model,
        "tables",
        parts=graders,
        spec=grades_spec,
        jobs=each_suite(),
    ),
    Stage("make_all_answers", make_all_answers, "tables", spec=all_answers_spec),
)
