"""A model without all or any answers: how what is missing is marked, and the sentence that says so.

Standard library only: planning, tables, the ledger and the report all use it.
"""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

#: What a request without answer has in the column ``outcome`` of its grade; its ``correct`` is empty.
FAILED = "failed"
#: With this the ``finish_reason`` of a response without answer begins; its ``text`` is empty, not blank.
FAILED_BECAUSE = f"{FAILED}: "
#: The column that a table as CSV has where a model is not finished: empty in all rows but that model's.
NOT_FINISHED = "not_finished"

#: What files of items and grades without rows say of themselves in their metadata: why nothing is asked.
WHY_NOTHING = "why_nothing"
#: What files of items say of the questions that nobody is asked because an image cannot be decoded, as a JSON list of
#: ``item_id``, ``stimulus_id``, ``prompt``, ``question``, ``factors`` and ``messages``; others' answers may be theirs.
UNREADABLE_ITEMS = "unreadable_items"

# How backends begin the reason of what they did not ask any more.
_NOT_ASKED = "not asked: "
# Servers say much; what it is about comes first.
_LONGEST_REASON = 190


#: What :attr:`Unfinished.state` can be: answers are missing and will be asked for again; every reply is empty; the
#: suite has no question in this study.
NOT_ALL, NOTHING_ANSWERED, NOTHING_ASKED = "not finished", "nothing answered", "nothing asked"


class Unfinished(NamedTuple):
    """A model that has not answered all of a suite, or has nothing to answer there: no table shows its numbers.

    Attributes:
        suite: The suite.
        model: The model's name in the study.
        asked: Answers that the suite needs of it.
        failed: Those that are missing.
        reason: Why most of them are.
        state: One of :data:`NOT_ALL`, :data:`NOTHING_ANSWERED` and :data:`NOTHING_ASKED`.
    """

    suite: str
    model: str
    asked: int
    failed: int
    reason: str
    state: str = NOT_ALL

    @property
    def sentence(self) -> str:
        """Say it: ``not finished: 196 of 224 answered, HTTP status 401: ...``."""
        if self.state == NOTHING_ASKED:
            return f"{self.state}: {self.reason}"
        return (
            f"{self.state}: {self.asked - self.failed:,} of {self.asked:,} answered, {self.reason}"
        )


def most_common(reasons: Iterable[str]) -> str:
    """Return the reason that most failures have, on one line and not too long; "" of none.

    Of a request that was not asked since another had failed, the reason is that one's.
    """
    counted = Counter(reason.removeprefix(_NOT_ASKED) for reason in reasons).most_common(1)
    reason = " ".join(counted[0][0].split()) if counted else ""
    return reason if len(reason) <= _LONGEST_REASON else f"{reason[:_LONGEST_REASON]}..."
