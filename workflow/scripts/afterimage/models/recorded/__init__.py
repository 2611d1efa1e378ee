"""Answers that were recorded elsewhere: a file of answers, or the sample log of another harness (docs/recorded.md).

The file's answers were matched with the suite's items beforehand (``matching.py``), once for all inference jobs; a job
looks up its items in the result.
"""

from collections.abc import Iterable, Iterator

from afterimage.contract.model import Backend, ModelEntry
from afterimage.models.interface import Answer, Failure, Reply, Request


def load(entry: ModelEntry, part: None = None) -> Answer:
    """Return the function that looks up answers.

    Args:
        entry: The model; ``answers`` is the Parquet file of matched ones.
    """
    # Slow imports wait until something is asked.
    from afterimage.contract.scores import from_json
    from afterimage.files.parquet import read_records
    from afterimage.files.records import RECORDED_ANSWER

    def answer(requests: Iterable[Request]) -> Iterator[Reply | Failure]:
        numbers = {
            (request.metadata["item_id"], repeat): request.number
            for request in requests
            for repeat in request.repeats
        }
        for row in read_records(entry.answers, RECORDED_ANSWER):
            number = numbers.pop((row["item_id"], row["repeat"]), None)
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
        for number in dict.fromkeys(numbers.values()):
            yield Failure(number, "the recorded answers hold none for this item")

    return answer


# An answer is found by its item's id.
BACKEND = Backend(load, journaled=False, at_once=True, reads_metadata=True)
