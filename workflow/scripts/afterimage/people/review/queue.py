"""People look again at what was judged automatically: the queue, and what comes back.

The paper's procedure (Zhang et al., arXiv 2501.00848) looks at answers that were judged wrong, and at nothing else, so
that it can only raise scores; a share of the right ones may be looked at as well.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from afterimage.contract.judge_fields import JudgeFields
from afterimage.contract.readings import (
    ANSWER_SHA,
    CORRECT_JUDGE,
    JUDGE_PROMPT,
    UNDECIDED,
    VOTES,
    is_queued,
    is_reviewable,
)
from afterimage.grading.judge.judgements import reviewed_grade, truth
from afterimage.grading.reasoning import answer_of
from afterimage.people.review.files import Review

#: Columns of the queue: what a file of decisions must hold, then what a person needs to decide.
QUEUE_COLUMNS = {
    "model": "who gave the answer",
    "item_id": "the item",
    "question_type": "the type of question",
    "answer_sha": "which answer it is",
    "auto_correct": "the automatic verdict",
    "human_correct": "to be filled in: the person's verdict",
    "reviewer": "to be filled in: who",
    "reviewed_at": "when",
    "note": "whatever has to be said",
    "undecided": "whether the rounds are divided",
    "votes": "the vote of each round",
    "stimulus_id": "the image",
    "image": "its file",
    "question": "what was asked",
    "gold": "the right answer",
    "answer": "the answer",
}
#: Columns of the list of decisions that were not applied.
IGNORED_COLUMNS = {
    "file": "the file of decisions",
    "line": "the line in it",
    "model": "whose answer",
    "item_id": "the item",
    "answer_sha": "which answer was decided about",
    "human_correct": "the decision",
    "reviewer": "whose it is",
    "reason": "why it was not applied",
}


class Decision(NamedTuple):
    """What people decided about one answer, and who they are."""

    correct: bool
    reviewers: str


#: Item id and hash of an answer to what was decided about it.
Decisions = dict[tuple[str, str], Decision]


def queue_rows(
    grades: Iterable[Mapping],
    responses: Iterable[Mapping],
    items: Mapping[str, Mapping],
    fields: Callable[[Mapping, Mapping], JudgeFields | None],
    right_share: float,
    images: str = "results/stimuli",
) -> Iterator[dict]:
    """Yield the answers of one model that people are to look at, each once however often it was given.

    Args:
        grades: Automatic grades, rows of schema GRADE.
        responses: The rows of schema RESPONSE that they grade, in the same order.
        items: Item id to the item, without images.
        fields: The suite's function ``judging.fields``.
        right_share: The share of right answers that is looked at as well.
        images: The folder of the images.

    Returns:
        Rows with the columns QUEUE_COLUMNS, with ``human_correct`` and what follows from it blank. Answers that are
        blank or were withheld are not among them: nobody can find them right.
    """
    seen = set()
    for grade, response in zip(grades, responses, strict=True):
        if not is_reviewable(grade):
            continue
        readings = grade["readings"]
        answer = (grade["item_id"], readings[ANSWER_SHA])
        if answer in seen or not is_queued(grade, right_share):
            continue
        seen.add(answer)
        shown = fields(items[grade["item_id"]], response).fields
        yield {
            "model": grade["model"],
            "item_id": grade["item_id"],
            "question_type": readings[JUDGE_PROMPT],
            "answer_sha": readings[ANSWER_SHA],
            "auto_correct": truth(grade["correct"]),
            "human_correct": "",
            "reviewer": "",
            "reviewed_at": "",
            "note": "",
            "undecided": truth(readings.get(CORRECT_JUDGE) == UNDECIDED),
            "votes": readings.get(VOTES, ""),
            "stimulus_id": grade["stimulus_id"],
            "image": f"{images}/{grade['suite']}/{grade['figure']}/{grade['stimulus_id']}.png",
            "question": shown.get("question", ""),
            "gold": shown.get("gold", ""),
            "answer": answer_of(response),
        }


def decisions(
    grades: Iterable[Mapping], reviews: Iterable[Review], right_share: float
) -> tuple[Decisions, list[dict]]:
    """Return what people decided about one model's answers, and the rows that are not applied.

    A decision counts for the very answer that was looked at, if it is one that people look at, and all who looked
    at it agree.

    Args:
        grades: The model's automatic grades.
        reviews: The model's reviews; blank ones may be among them.
        right_share: The share of right answers that is looked at as well.

    Returns:
        The decisions, and a row with the columns IGNORED_COLUMNS for each review that is not applied, with the reason.
    """
    known: dict[str, dict[str, Mapping]] = {}
    for grade in grades:
        if is_reviewable(grade):
            known.setdefault(grade["item_id"], {})[grade["readings"][ANSWER_SHA]] = grade
    given: dict[tuple[str, str], list[Review]] = {}
    ignored = []
    for review in reviews:
        if not review.is_whole:
            ignored.append(review.as_ignored("the file ends inside this row"))
        if review.correct is None:
            continue
        reason = _reason_to_ignore(review, known.get(review.item_id), right_share)
        if reason:
            ignored.append(review.as_ignored(reason))
        else:
            given.setdefault((review.item_id, review.answer_sha), []).append(review)
    agreed: Decisions = {}
    for answer, own in given.items():
        if len({review.correct for review in own}) > 1:
            people = len({review.reviewer for review in own})
            reason = "the reviewers disagree" if people > 1 else "the reviewer says both"
            ignored += [review.as_ignored(reason) for review in own]
        else:
            reviewers = ", ".join(sorted({review.reviewer for review in own}))
            agreed[answer] = Decision(own[0].correct, reviewers)
    return agreed, ignored


def with_decisions(grades: Iterable[Mapping], decided: Decisions) -> Iterator[dict]:
    """Yield one model's grades with people's decisions in them."""
    for grade in grades:
        answer = (grade["item_id"], grade["readings"].get(ANSWER_SHA))
        decision = decided.get(answer) if is_reviewable(grade) else None
        if decision is None:
            yield dict(grade)
        else:
            yield reviewed_grade(grade, decision.correct, decision.reviewers)


def of_unknown_models(reviews: Iterable[Review], models: Collection[str]) -> list[dict]:
    """Return the reviews of models that are not in the study, as rows that are not applied."""
    return [
        review.as_ignored("no such model in this study")
        for review in reviews
        if (review.correct is not None or not review.is_whole) and review.model not in models
    ]


def _reason_to_ignore(
    review: Review, answers: Mapping[str, Mapping] | None, right_share: float
) -> str:
    if answers is None:
        return "no such item"
    grade = answers.get(review.answer_sha)
    if grade is None:
        return "stale: the answer, the image, the question or the key has changed since"
    if not is_queued(grade, right_share):
        return "judged right, and not among the right ones that people look at"
    return ""
