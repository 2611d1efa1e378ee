"""Answers that were given elsewhere: a file of answers, or the sample log of another harness (docs/recorded.md).

What the file holds was matched to the suite's items beforehand (``matching.py``), once for all inference jobs; a job
looks its items up in the result.
"""

from collections.abc import Iterable, Iterator

from afterimage.contract.model import Backend, ModelEntry
from afterimage.models.interface import Answer, Failure, Reply, Request


def load(entry: ModelEntry, part: None = None) -> Answer:
    """Return what looks answers up.

    Args:
        entry: The model; ``answers`` is the Parquet file of matched ones.
    """
    # What takes long to import is imported only when something is asked.
    from afterimage.contract.scores import from_json
    from afterimage.files.parquet import read_records
    from afterimage.files.records import RECORDED_ANSWER

    def answer(requests: Iterable[Request]) -> Iterator[Reply | Failure]:
        asked = {
            (request.beside["item_id"], repeat): request.number
            for request in requests
            for repeat in request.repeats
        }
        for row in read_records(entry.answers, RECORDED_ANSWER):
            number = asked.pop((row["item_id"], row["repeat"]), None)
            if number is not None:
                yield Reply(
                    number,
                    row["text"],
                    row["finish_reason"],
                    row["repeat"],
                    row["prompt_tokens"],
                    row["completion_tokens"],
                    row["latency_seconds"],
                    scores=from_json(row["scores"]),
                )
        for number in dict.fromkeys(asked.values()):
            yield Failure(number, "the recorded answers hold none for this item")

    return answer


# An answer is found by its item's id.
BACKEND = Backend(load, journaled=False, at_once=True, reads_beside=True)
