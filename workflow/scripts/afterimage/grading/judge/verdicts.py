"""Votes to verdicts."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from afterimage.contract.readings import READING


class Verdict(NamedTuple):
    """What the rounds of one judge say about one answer.

    Attributes:
        values: The vote of each round, of a reading what it says that the answer says ("" for nothing); None where the
            judge abstained, that is, no reply of the round counted.
        aggregation: "majority", "mean" or "reading".
        prompt: Id of the prompt.
        prompt_set: Name of its set.
        judge: The judge's name in the study.
        answer_sha: Which answer it was.
        injection_suspect: Whether the answer reads like an attempt to instruct the judge.
        by_reference: Whether the judge is a reference judge.
    """

    values: tuple[Any, ...]
    aggregation: str
    prompt: str
    prompt_set: str
    judge: str
    answer_sha: str
    injection_suspect: bool
    by_reference: bool = False

    @property
    def counted(self) -> tuple[Any, ...]:
        """The votes of the rounds that count."""
        return tuple(value for value in self.values if value is not None)

    @property
    def needed(self) -> int:
        """More than half of the rounds: three of five."""
        return len(self.values) // 2 + 1

    @property
    def majority(self) -> Any | None:
        """The value that enough rounds agree on; None where there is none: the judge is undecided."""
        votes = Counter(self.counted).most_common(1)
        return votes[0][0] if votes and votes[0][1] >= self.needed else None

    @property
    def mean(self) -> float | None:
        """Mean of the rounds that count; None where these are too few: the score is missing."""
        counted = self.counted
        return sum(counted) / len(counted) if len(counted) >= self.needed else None

    @property
    def unanimous(self) -> bool | None:
        """Whether all rounds that count say the same; None where these are too few to tell."""
        counted = self.counted
        return len(set(counted)) == 1 if len(counted) >= self.needed else None


def verdicts(
    votes: Iterable[Mapping], by_reference: bool = False
) -> dict[tuple[str, int], Verdict]:
    """Return the verdict on each answer of one model.

    Args:
        votes: Rows of schema VOTE of one model and one judge, in any order; those without text are passed over.
        by_reference: Whether the judge is a reference judge.

    Returns:
        Item id and repeat of the answer to its verdict.
    """
    rounds: dict[tuple[str, int], dict[int, tuple[int, Any]]] = {}
    about: dict[tuple[str, int], Mapping] = {}
    for vote in votes:
        if _is_missing(vote):
            continue
        answer = (vote["item_id"], vote["repeat"])
        last = rounds.setdefault(answer, {})
        about[answer] = vote
        if vote["attempt"] >= last.get(vote["round"], (-1, None))[0]:
            said = vote["read_as" if vote["aggregation"] == READING else "value"]
            last[vote["round"]] = (vote["attempt"], said)
    return {
        answer: Verdict(
            tuple(value for _, (_, value) in sorted(given.items())),
            *(about[answer][name] for name in Verdict._fields[1:-1]),
            by_reference,
        )
        for answer, given in rounds.items()
    }


def unjudged(votes: Iterable[Mapping]) -> dict[tuple[str, int], str]:
    """Return the answers of which the judge's verdict is missing, and why; the same rows."""
    return {
        (vote["item_id"], vote["repeat"]): vote["finish_reason"]
        for vote in votes
        if _is_missing(vote)
    }


def _is_missing(vote: Mapping) -> bool:
    return vote.get("text", "") is None
