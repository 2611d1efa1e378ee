"""Getting a model ready, and what is said where it cannot be asked on."""

import logging
from dataclasses import replace

from afterimage.contract.model import Backend, ModelEntry
from afterimage.contract.parts import resolve
from afterimage.errors import AfterimageError
from afterimage.models.interface import Answer

logger = logging.getLogger(__name__)


def loaded(backend: Backend, entry: ModelEntry, part: str | None, content: str | None) -> Answer:
    """Load a model.

    Args:
        part: Where the part of the suite is that answers, for responders that take their answers from it.
        content: The hash of its folder of weights, where it has one.

    Raises:
        AfterimageError: It cannot be loaded; said with the name that stands in the study, since a backend may know the
            model by another.
    """
    own = None if part is None else resolve(part)
    try:
        answer: Answer = backend.load(replace(entry, content=content), own)
        return answer
    except AfterimageError as error:
        name = f"model '{entry.name}'"
        if name in str(error):
            raise
        raise AfterimageError(f"{name}: {error}") from None


def said_of(error: BaseException) -> str:
    """Return why a model could not be asked on: a user's error as it is, of any other its kind; the log has all."""
    if isinstance(error, AfterimageError):
        logger.error("%s", error)
        return str(error)
    logger.exception("unexpected error of the backend")
    return f"unexpected error ({type(error).__name__}; the job's log has it)"
