"""A completion whose ``id`` came before: a second copy of another request's answer, sent in place of this one's.

A connection carries one request (``connection.py``), so no copy is read from there. What lies behind a provider's
address may still mix answers up, and then the id is the only sign of it. Not every server's ids are one: some send
none or always the same, some draw from a few hundred (Ollama), so short ids are believed only together with the body.
"""

import hashlib
import logging
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from afterimage.models.openai_compatible.replies import NoAnswerError

logger = logging.getLogger(__name__)

#: A server's ids of at least this length do not come twice by chance.
LONG_ID = 16
# A copy comes soon after what it is a copy of.
_IDS = 10_000
_BODIES_OF_AN_ID = 8


class Copies:
    """The ids of the completions that a model has sent so far; for one thread."""

    def __init__(self) -> None:
        """Remember none yet."""
        # The id to the first question that got it and to hashes of bodies with it; the oldest are forgotten, so that
        # memory stays flat.
        self._bodies: OrderedDict[str, tuple[int, tuple[bytes, ...]]] = OrderedDict()
        self._doubted: tuple[int, int] | None = None
        self._is_constant = False

    def require_first(self, question: tuple[int, int], completion: Any, body: bytes) -> None:
        """Take note of a completion.

        Args:
            question: Number of the request, and which of its repeats.
            completion: The parsed body.
            body: As it came, or anything that differs where two completions do.

        Raises:
            NoAnswerError: It is a copy of one that came before.
        """
        name = completion.get("id") if isinstance(completion, Mapping) else None
        if not isinstance(name, str) or not name or self._is_constant:
            return
        digest = hashlib.sha256(body).digest()[:8]
        first, bodies = self._bodies.pop(name, (question[0], ()))
        is_copy = bool(bodies) and self._is_copy(question, name, digest in bodies)
        self._bodies[name] = first, (*bodies, digest)[-_BODIES_OF_AN_ID:]
        if len(self._bodies) > _IDS:
            self._bodies.popitem(last=False)
        if is_copy:
            if first != question[0]:
                logger.warning(
                    "one completion came as the answer to requests %d and %d; the second is asked again, and whose it "
                    "was the server alone knows",
                    first,
                    question[0],
                )
            raise NoAnswerError(f"the id '{name[:100]}' came before, with another answer")

    def _is_copy(self, question: tuple[int, int], name: str, is_same: bool) -> bool:
        is_long = len(name) >= LONG_ID
        # The id in question is taken out: with nothing left, the server has sent no other.
        if self._bodies:
            return is_long or is_same
        if not (is_long and is_same):
            return False
        # Its first answer once more, or one id for all and two equal answers: asking again tells which.
        self._is_constant = self._doubted == question
        self._doubted = question
        return not self._is_constant
