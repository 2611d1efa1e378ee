"""Loading a model, and the reason where it cannot be asked any more."""

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
        part: The reference to the suite's part that answers, for responders that use one.
        content: The hash of its folder of weights, where it has one.

    Raises:
        AfterimageError: It cannot be loaded; the message has the study's name of the model, since a backend may know it
            by another.
    """
    resolved = None if part is None else resolve(part)
    try:
        answer: Answer = backend.load(replace(entry, content=content), resolved)
        return answer
    except AfterimageError as error:
        name = f"model '{entry.name}'"
        if name in str(error):
            raise
        raise AfterimageError(f"{name}: {error}") from None


def breakdown_reason(error: BaseException) -> str:
    """Return why a model cannot be asked any more: a user error's message, of other errors the type; log them."""
    if isinstance(error, AfterimageError):
        logger.error("%s", error)
        return str(error)
    logger.exception("unexpected error of the backend")
    return f"unexpected error ({type(error).__name__}; the job's log has it)"
