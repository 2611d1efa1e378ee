"""From a judge's replies to votes, from votes to verdicts, and grades with the verdicts of a judge and of people.

A grade's column ``correct`` is the final verdict: people's where they were asked, else the judge's, else the parser's;
``decided_by`` says whose it is, and ``score`` is the mean of the rounds where a prompt rates. The verdicts of all three
are in ``readings``, under the names of :mod:`afterimage.contract.readings`;
:mod:`afterimage.showing.tables.judgement_columns` makes columns of them.
"""

import hashlib
import json
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from afterimage.contract.readings import (
    ABSTAINED,
    AGGREGATION,
    ANSWER_SHA,
    CORRECT_GRADER,
    CORRECT_JUDGE,
    CORRECT_REVIEW,
    INJECTION_SUSPECT,
    JUDGE,
    JUDGE_PROMPT,
    JUDGE_PROMPT_SET,
    READING,
    REFERENCE_JUDGE,
    SCORE_MAJORITY,
    UNDECIDED,
    VOTES,
    Ending,
    JudgeFields,
    ending_of,
)
from afterimage.errors import AfterimageError
from afterimage.files.attempts import FAILED, FAILED_BECAUSE
from afterimage.files.records import answer_of
from afterimage.grading.parsed import JUDGED, NOT_JUDGED

# ---- whether there is an answer to judge, and its identity ----

_DIGITS = 16


def can_be_judged(response: Mapping[str, Any]) -> bool:
    """Tell whether there is anything to judge: an answer that is neither blank nor withheld."""
    is_withheld = ending_of(response["finish_reason"]) is Ending.WITHHELD
    return bool(answer_of(response).strip()) and not is_withheld


def answer_sha(response: Mapping[str, Any], item: Mapping[str, Any]) -> str:
    """Return sixteen hexadecimal digits that change with the answer, what was asked, and the right answer.

    A verdict holds for exactly this: the same words after an image was redrawn, or under another key, are another
    answer.
    """
    content = [response["request_sha256"], item["key"], response["text"]]
    return hashlib.sha256(json.dumps(content, ensure_ascii=False).encode()).hexdigest()[:_DIGITS]


# ---- from replies to votes, and from votes to verdicts ----


def counted(reply: str, values: Collection[int]) -> int | None:
    """Return the vote in a judge's reply, or None if the reply does not count.

    A reply counts when it holds exactly one digit, after compatibility normalisation (NFKC), and that is one of the
    values; words around it do not matter: "1", "**1**", "2: No conflict." count, "1 or 2", "10", "yes" do not.

    Args:
        values: The digits that the prompt asks for.
    """
    # Other scripts' digits count as well, so that a second digit never goes unnoticed.
    digits = [sign for sign in unicodedata.normalize("NFKC", reply) if sign.isdigit()]
    if len(digits) != 1 or not digits[0].isascii():
        return None
    value = int(digits[0])
    return value if value in values else None


class Verdict(NamedTuple):
    """The votes of one judge's rounds on one answer.

    Attributes:
        values: The vote of each round, with "reading" the answer that it read ("" for nothing); None if the judge
            abstained, that is, no reply of the round counted.
        aggregation: "majority", "mean" or "reading".
        injection_suspect: Whether the answer looks like an attempt to instruct the judge.
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
        """The value on which enough rounds agree; None if there is none: the judge is undecided."""
        votes = Counter(self.counted).most_common(1)
        return votes[0][0] if votes and votes[0][1] >= self.needed else None

    @property
    def mean(self) -> float | None:
        """Mean of the rounds that count; None if these are too few."""
        counted = self.counted
        return sum(counted) / len(counted) if len(counted) >= self.needed else None

    @property
    def unanimous(self) -> bool | None:
        """Whether all rounds that count agree; None if these are too few."""
        counted = self.counted
        return len(set(counted)) == 1 if len(counted) >= self.needed else None


def verdicts(
    votes: Iterable[Mapping[str, Any]], by_reference: bool = False
) -> dict[tuple[str, int], Verdict]:
    """Return the verdict on each answer of one model.

    Args:
        votes: Rows of schema VOTE of one model and one judge, in any order; those without text are skipped.

    Returns:
        Item id and repeat of the answer to its verdict.
    """
    rounds: dict[tuple[str, int], dict[int, tuple[int, Any]]] = {}
    about: dict[tuple[str, int], Mapping[str, Any]] = {}
    for vote in votes:
        if _is_missing(vote):
            continue
        answer = (vote["item_id"], vote["repeat"])
        last = rounds.setdefault(answer, {})
        about[answer] = vote
        if vote["attempt"] >= last.get(vote["round"], (-1, None))[0]:
            vote_value = vote["read_as" if vote["aggregation"] == READING else "value"]
            last[vote["round"]] = (vote["attempt"], vote_value)
    return {
        answer: Verdict(
            tuple(value for _, (_, value) in sorted(given.items())),
            **{name: about[answer][name] for name in Verdict._fields[1:-1]},
            by_reference=by_reference,
        )
        for answer, given in rounds.items()
    }


def unjudged(votes: Iterable[Mapping[str, Any]]) -> dict[tuple[str, int], str]:
    """Return the answers without a verdict of the judge, and why, from the same rows."""
    return {
        (vote["item_id"], vote["repeat"]): vote["finish_reason"]
        for vote in votes
        if _is_missing(vote)
    }


def _is_missing(vote: Mapping[str, Any]) -> bool:
    return vote.get("text", "") is None


# ---- grades with the verdicts of a judge and of people ----

# In "votes": the answer settles on nothing.
_NOTHING = "none"


def truth(value: bool) -> str:
    """Return a boolean in the form of ``readings``."""
    return "true" if value else "false"


def judged_grades(
    grades: Iterable[Mapping[str, Any]],
    responses: Iterable[Mapping[str, Any]],
    items: Mapping[str, Mapping[str, Any]],
    fields: Callable[[Mapping[str, Any], Mapping[str, Any]], JudgeFields | None],
    aggregations: Mapping[str, str],
    verdicts: Mapping[tuple[str, int], Verdict],
    unjudged: Mapping[tuple[str, int], str] = MappingProxyType({}),
    leave_out_suspects: bool = False,
) -> Iterator[dict[str, Any]]:
    """Yield the parser's grades of one model with the judge's verdicts in them.

    Args:
        grades: Rows of schema GRADE from the parser.
        responses: Their rows of schema RESPONSE, in the same order.
        fields: The suite's function ``judging.fields``.
        aggregations: Prompt id to "majority", "mean" or "reading".
        unjudged: Item id and repeat to why the judge's verdict is missing; such an answer is not graded.
        leave_out_suspects: For an answer that looks like instructions to the judge, keep the parser's grade, and no
            rating.

    Raises:
        AfterimageError: A verdict is about another answer than the graded one.
    """
    unused = set(verdicts)
    remaining = iter(responses)
    for grade in grades:
        answer = (grade["item_id"], grade["repeat"])
        # The grader skips responses without an item, and reports them at the end.
        response = next(row for row in remaining if (row["item_id"], row["repeat"]) == answer)
        item = items[grade["item_id"]]
        if answer in unjudged:
            grade = _not_judged(grade, unjudged[answer])
        judge_fields = None if grade["outcome"] == FAILED else fields(item, response)
        if judge_fields is None:
            yield dict(grade)
            continue
        identity = answer_sha(response, item)
        unused.discard(answer)
        verdict = verdicts.get(answer)
        if verdict is not None and verdict.answer_sha != identity:
            raise _wrong_answer(grade)
        marked = _marked(
            grade, response, judge_fields.prompt, aggregations[judge_fields.prompt], identity
        )
        if verdict is None:
            yield marked
        elif leave_out_suspects and verdict.injection_suspect:
            yield _without_verdict(marked, verdict)
        else:
            yield (_with_reading if verdict.aggregation == READING else _with_verdict)(
                marked, verdict
            )
    if unused:
        item_id, repeat = min(unused)
        raise AfterimageError(
            f"votes: {len(unused)} answers were judged that nobody gave, the first to item '{item_id}' in repeat "
            f"{repeat}; delete the votes and run again."
        )


def _marked(
    grade: Mapping[str, Any],
    response: Mapping[str, Any],
    prompt: str,
    aggregation: str,
    identity: str,
) -> dict[str, Any]:
    """Return a grade that says what its answer is or would be put before a judge as."""
    readings = {**grade["readings"], JUDGE_PROMPT: prompt, AGGREGATION: aggregation}
    if can_be_judged(response):
        readings[ANSWER_SHA] = identity
    if aggregation == "majority":
        # Nothing is right or wrong about an answer that is rated.
        readings[CORRECT_GRADER] = truth(grade["correct"])
    return {**grade, "readings": readings}


def reviewed_grade(grade: Mapping[str, Any], correct: bool, reviewers: str) -> dict[str, Any]:
    """Return a grade with people's decision."""
    decision = "right" if correct else "wrong"
    decided = {**grade}
    if grade["readings"].get(AGGREGATION) == READING:
        decided |= {"answer": _decided_answer(grade, correct), "outcome": "contained"}
    return {
        **decided,
        "correct": correct,
        "decided_by": "review",
        "reason": f"{grade['reason']}; review by {reviewers}: {decision}",
        "readings": {**grade["readings"], CORRECT_REVIEW: truth(correct)},
    }


def _wrong_answer(grade: Mapping[str, Any]) -> AfterimageError:
    return AfterimageError(
        f"votes: those about repeat {grade['repeat']} of item '{grade['item_id']}' judge another answer than the one "
        f"that '{grade['model']}' gave; delete the votes and run again."
    )


def _not_judged(grade: Mapping[str, Any], why: str) -> dict[str, Any]:
    reason = f"{FAILED_BECAUSE}judge: {why.removeprefix(FAILED_BECAUSE)}"
    return {**grade, "outcome": FAILED, "reason": reason, "correct": None}


def _decided_answer(grade: Mapping[str, Any], correct: bool) -> str | None:
    """Return the answer that people found in an unread one: the key or, of two options, the other."""
    if correct:
        return str(grade["key"])
    others = [option for option in grade["offered"] if option != grade["key"]]
    return others[0] if len(others) == 1 else None


def _votes(grade: Mapping[str, Any], verdict: Verdict, words: Iterable[str]) -> dict[str, Any]:
    return {
        **grade["readings"],
        VOTES: " ".join(words),
        JUDGE: verdict.judge,
        JUDGE_PROMPT_SET: verdict.prompt_set,
        INJECTION_SUSPECT: truth(verdict.injection_suspect),
        **({REFERENCE_JUDGE: truth(True)} if verdict.by_reference else {}),
    }


def _with_reading(grade: Mapping[str, Any], verdict: Verdict) -> dict[str, Any]:
    """Return a grade with the answer that the judge read, if any."""
    words = [
        ABSTAINED if value is None else value.replace(" ", "_") or _NOTHING
        for value in verdict.values
    ]
    readings = _votes(grade, verdict, words)
    if not verdict.majority:
        result = UNDECIDED if verdict.majority is None else "settles on no answer"
        reason = f"{grade['reason']}; judge: {result} (votes {readings[VOTES]})"
        return {**grade, "reason": reason, "readings": readings}
    return {
        **grade,
        "answer": verdict.majority,
        "outcome": "contained",
        "correct": verdict.majority == grade["key"],
        "decided_by": "judge",
        "reason": f"read by the judge (votes {readings[VOTES]}), left unread as {grade['reason']}",
        "readings": readings,
    }


def _without_verdict(grade: Mapping[str, Any], verdict: Verdict) -> dict[str, Any]:
    """Return the parser's grade, with the votes that do not count."""
    words = [ABSTAINED if value is None else str(value) for value in verdict.values]
    readings = _votes(grade, verdict, words)
    why = (
        f"left out, since the answer reads like instructions to the judge (votes {readings[VOTES]})"
    )
    return {**grade, "reason": f"{grade['reason']}; judge: {why}", "readings": readings}


def _with_verdict(grade: Mapping[str, Any], verdict: Verdict) -> dict[str, Any]:
    readings = _votes(
        grade, verdict, [ABSTAINED if value is None else str(value) for value in verdict.values]
    )
    votes = readings[VOTES]
    decided = {**grade, "decided_by": "judge", "readings": readings}
    if verdict.aggregation == "mean":
        readings[SCORE_MAJORITY] = "" if verdict.majority is None else str(verdict.majority)
        result = (
            "too few rounds gave a rating" if verdict.mean is None else f"mean {verdict.mean:g}"
        )
        outcome = NOT_JUDGED if verdict.mean is None else JUDGED
        reason = f"judge: {result} (votes {votes})"
        return {**decided, "outcome": outcome, "score": verdict.mean, "reason": reason}
    majority = verdict.majority
    readings[CORRECT_JUDGE] = UNDECIDED if majority is None else truth(majority == 1)
    result = {None: UNDECIDED, 0: "wrong", 1: "right"}[majority]
    return {
        **decided,
        "correct": majority == 1,
        "reason": f"{grade['reason']}; judge: {result} (votes {votes})",
    }
