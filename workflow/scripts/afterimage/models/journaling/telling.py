"""What is said of a look into a journal: lines that were passed over, answers that do not count."""

import logging
from collections.abc import Iterator

from afterimage.models.journaling.lookup import Index


def told(index: Index, model_id: str) -> Iterator[tuple[int, str]]:
    """Yield sentences about what was found, each with how loud it is to be said.

    Args:
        index: What was found.
        model_id: The model that is asked.
    """
    if index.refused:
        yield (
            logging.INFO,
            f"{len(index.refused)} requests have answers of another model than {model_id} alone or too, which are "
            "refused",
        )
    if index.of_other_weights:
        yield (
            logging.INFO,
            f"{index.of_other_weights} answers came from other weights than lie in {model_id} now, so they are asked "
            "again",
        )
    if index.failures:
        yield (
            logging.INFO,
            f"{index.failures} recorded answers are errors of the server that an earlier version took for answers, so "
            "their requests are asked again",
        )
    for fault in index.faults:
        # Every kill may tear a line off; damage is another matter.
        yield logging.INFO if fault.is_usual else logging.WARNING, str(fault)
