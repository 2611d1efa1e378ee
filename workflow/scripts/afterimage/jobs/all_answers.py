"""All answers of a study in one file, a row each, with question, options, reading and verdict."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from afterimage.errors import AfterimageError
from afterimage.files.parquet import TEXTS, read_records, read_table, write_tables
from afterimage.files.records import ANSWER, GRADE, ITEM, RESPONSE
from afterimage.items.option_order import PROBE
from afterimage.jobs.running import Files

_ASKED = ("item_id", "messages", "answer_type", "options")
_SAME = ["item_id", "repeat"]


def make_all_answers(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, beside: Mapping[str, Any]
) -> int:
    """Write every answer of every model with what was asked and what became of it; returns their number.

    Memory holds the words of one suite's questions and one model's answers to it.

    Args:
        spec: ``suites``: the name of each suite to its version.
        inputs: ``responses`` and ``grades``, files of schemas RESPONSE and GRADE, one per suite and model in the same
            order, each suite's together; ``shards``, the items of all suites, schema ITEM, below folders that bear
            their suites' names.
        outputs: ``answers``, the Parquet file to write, schema ANSWER.
        beside: Nothing.

    Raises:
        AfterimageError: The grades are not those of the responses.
    """
    return write_tables(outputs["answers"], _tables(spec["suites"], inputs), ANSWER)


def _tables(versions: Mapping[str, str], inputs: Files) -> Iterator[pa.Table]:
    """Yield the answers of one model to one suite after another, columns as in ANSWER."""
    suite = ""
    for responses, grades in zip(inputs["responses"], inputs["grades"], strict=True):
        if Path(grades).parent.name != suite:
            suite = Path(grades).parent.name
            asked = _questions(inputs["shards"], suite)
            places = {name: place for place, name in enumerate(asked["item_id"].to_pylist())}
        given, graded = read_table(responses, RESPONSE), read_table(grades, GRADE)
        if not given.select(_SAME).equals(graded.select(_SAME)):
            raise AfterimageError(
                f"{grades}: does not grade the answers of {responses} one by one; delete it and run again."
            )
        # Of no answers, a list without a type would be one of nulls.
        taken = pa.array((places[name] for name in graded["item_id"].to_pylist()), pa.int64())
        own = asked.take(taken)
        factors = graded["factors"].combine_chunks()
        columns = {
            **{name: given[name] for name in given.column_names},
            **{name: graded[name] for name in graded.column_names},
            **{name: own[name] for name in own.column_names},
            "suite_version": pa.array([versions[suite]] * len(graded), pa.string()),
            "probe": pc.map_lookup(factors, PROBE, "first"),
            "factors": _texts(factors),
            "option_probabilities": _listed(graded["option_probabilities"]),
            "reply": given["text"],
            "reading": graded["answer"],
        }
        yield pa.table([columns[name] for name in ANSWER.names], schema=ANSWER)


def _listed(probabilities: pa.ChunkedArray) -> pa.Array:
    """Return a column of maps as one of lists; what is empty stays so."""
    rows = (
        None if row is None else [{"option_id": name, "probability": share} for name, share in row]
        for row in probabilities.to_pylist()
    )
    return pa.array(rows, ANSWER.field("option_probabilities").type)


def _questions(shards: list[str], suite: str) -> pa.Table:
    """Return what each item of a suite asks."""
    rows = [
        {
            "item_id": item["item_id"],
            "question_text": words_of(item["messages"]),
            "options": item["options"],
            "answer_type": item["answer_type"],
        }
        for shard in shards
        if Path(shard).parent.name == suite
        for item in read_records(shard, ITEM, _ASKED, batch_size=1024)
    ]
    names = ("item_id", "question_text", "options", "answer_type")
    return pa.Table.from_pylist(rows, schema=pa.schema([ANSWER.field(name) for name in names]))


def _texts(factors: pa.MapArray) -> pa.Array:
    """Return a column of maps as one of TEXTS."""
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
