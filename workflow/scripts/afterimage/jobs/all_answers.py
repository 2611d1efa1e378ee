"""All answers of a study in one file, a row each, with question, options, reading and verdict."""

from collections.abc import Iterator, Mapping
from itertools import zip_longest
from pathlib import Path
from typing import Any

from afterimage.errors import AfterimageError
from afterimage.files.answer import ANSWER
from afterimage.files.grade import GRADE
from afterimage.files.item import ITEM
from afterimage.files.parquet import read_records, write_records
from afterimage.files.response import RESPONSE
from afterimage.items.rows import PROBE
from afterimage.jobs.running import Files

# Rows at a time: they are small, and a file of a million in small groups has a large table of contents.
_ROWS = 4096
_ASKED = ("item_id", "messages", "answer_type", "options")
_SAME = ("item_id", "repeat")


def make_all_answers(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, beside: Mapping[str, Any]
) -> int:
    """Write every answer of every model with what was asked and what became of it; returns their number.

    Memory holds the words of one suite's questions and a few thousand answers.

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
    rows = _rows(spec["suites"], inputs)
    return write_records(outputs["answers"], rows, ANSWER, batch_size=_ROWS)


def _rows(versions: Mapping[str, str], inputs: Files) -> Iterator[dict[str, Any]]:
    suite, asked = "", {}
    for responses, grades in zip(inputs["responses"], inputs["grades"], strict=True):
        own = Path(grades).parent.name
        if own != suite:
            suite, asked = own, _questions(inputs["shards"], own)
        pairs = zip_longest(
            read_records(responses, RESPONSE, batch_size=_ROWS),
            read_records(grades, GRADE, batch_size=_ROWS),
        )
        for response, grade in pairs:
            if not response or not grade or any(response[name] != grade[name] for name in _SAME):
                raise AfterimageError(
                    f"{grades}: does not grade the answers of {responses} one by one; delete it and run again."
                )
            known = {**response, **grade, **asked[grade["item_id"]]}
            yield {
                **{name: known[name] for name in ANSWER.names if name in known},
                "suite_version": versions[suite],
                "probe": grade["factors"].get(PROBE),
                "reply": response["text"],
                "reading": grade["answer"],
            }


def _questions(shards: list[str], suite: str) -> dict[str, dict[str, Any]]:
    """Return what each item of a suite asks."""
    return {
        item["item_id"]: {
            "question_text": words_of(item["messages"]),
            "options": item["options"],
            "answer_type": item["answer_type"],
        }
        for shard in shards
        if Path(shard).parent.name == suite
        for item in read_records(shard, ITEM, _ASKED, batch_size=1024)
    }


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
