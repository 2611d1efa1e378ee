"""Answers that people review: the queue and its files.

People look again at what was judged automatically: the queue, and what comes back.

The paper's procedure (Zhang et al., arXiv 2501.00848) looks at answers that were judged wrong, and at nothing else, so
that it can only raise scores; a share of the right ones may be looked at as well.
"""

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from afterimage.contract.readings import (
    ANSWER_SHA,
    CORRECT_JUDGE,
    JUDGE_PROMPT,
    UNDECIDED,
    VOTES,
    JudgeFields,
    is_queued,
    is_reviewable,
)
from afterimage.errors import AfterimageError
from afterimage.files.csv_rows import PeoplesRow, peoples_rows, separator_of
from afterimage.files.external_text import read_text_file
from afterimage.files.human_responses import in_lines
from afterimage.files.records import answer_of
from afterimage.files.written_values import without_point_zero
from afterimage.grading.judge.judgements import reviewed_grade, truth

#: Columns that a file must have; others are passed over.
REVIEW_COLUMNS = ("model", "item_id", "answer_sha", "human_correct", "reviewer")

_NEITHER = "human_correct is none of 1, 0, true, false or blank"
_TRUTH = {"1": True, "true": True, "0": False, "false": False, "": None}


class Review(NamedTuple):
    """One row.

    Attributes:
        line: Where the row begins in it.
        item_id: What it answers.
        answer_sha: Which answer it is.
        correct: What the reviewer says; None if nothing was said.
        is_whole: False of the last row of a file that was cut off in it, which decides nothing.
    """

    file: str
    line: int
    model: str
    item_id: str
    answer_sha: str
    correct: bool | None
    reviewer: str
    is_whole: bool = True

    def as_ignored(self, reason: str) -> dict[str, Any]:
        """Return it as a row of the list of decisions that were not applied."""
        values = self._asdict()
        spelled = {True: "true", False: "false", None: ""}[values.pop("correct")]
        del values["is_whole"]
        return {**values, "human_correct": spelled, "reason": reason}


def read_reviews(paths: Iterable[str | os.PathLike[str]]) -> list[Review]:
    """Read files of reviews: a queue with ``human_correct`` and ``reviewer`` filled in, wherever something was decided.

    Args:
        paths: CSV files in UTF-8; separated by commas or, as spreadsheets of some countries write, semicolons.

    Raises:
        AfterimageError: A file is missing, is no such table, says something else than true (1), false (0) or nothing in
            ``human_correct``, or does not say who decided.
    """
    return [review for path in paths for review in _read(Path(path))]


def _read(path: Path) -> list[Review]:
    text = read_text_file(path, "a CSV file of reviews")
    rows = peoples_rows(text, separator_of(text))
    try:
        return _reviews(path, rows)
    except ValueError as error:
        raise AfterimageError(f"{path}: is not CSV: {error}.") from None


def _reviews(path: Path, rows: Iterator[PeoplesRow]) -> list[Review]:
    header = next(rows, PeoplesRow(1, [])).cells
    missing = [name for name in REVIEW_COLUMNS if name not in header]
    if missing:
        raise AfterimageError(
            f"{path}: column '{missing[0]}' is missing; expected at least the columns {', '.join(REVIEW_COLUMNS)}."
        )
    reviews: list[Review] = []
    faults: dict[str, list[int]] = {}
    for row in rows:
        given = dict(zip_longest(header, row.cells[: len(header)], fillvalue=""))
        cells = {name: without_point_zero(given[name]) for name in REVIEW_COLUMNS}
        verdict = cells.pop("human_correct").lower()
        who = cells["model"], cells["item_id"], cells["answer_sha"]
        if not row.is_whole and (len(row.cells) < len(header) or header[-1] in REVIEW_COLUMNS):
            reviews.append(Review(path.as_posix(), row.line, *who, None, cells["reviewer"], False))
        elif verdict not in _TRUTH:
            faults.setdefault(_NEITHER, []).append(row.line)
        elif verdict and not all(cells.values()):
            blank = next(name for name, cell in cells.items() if not cell)
            faults.setdefault(f"{blank} is blank where something was decided", []).append(row.line)
        elif any(row.cells):
            reviews.append(
                Review(path.as_posix(), row.line, *who, _TRUTH[verdict], cells["reviewer"])
            )
    if faults:
        listed = "; ".join(f"{fault} in {in_lines(lines)}" for fault, lines in faults.items())
        raise AfterimageError(f"{path}: malformed reviews: {listed}.")
    return reviews


# ---- queue ----

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
    correct: bool
    reviewers: str


#: Item id and hash of an answer to what was decided about it.
Decisions = dict[tuple[str, str], Decision]


def queue_rows(
    grades: Iterable[Mapping[str, Any]],
    responses: Iterable[Mapping[str, Any]],
    items: Mapping[str, Mapping[str, Any]],
    fields: Callable[[Mapping[str, Any], Mapping[str, Any]], JudgeFields | None],
    right_share: float,
    images: str = "results/stimuli",
) -> Iterator[dict[str, Any]]:
    """Yield the answers of one model that people are to look at, each once however often it was given.

    Args:
        grades: Automatic grades, rows of schema GRADE.
        responses: The rows of schema RESPONSE that they grade, in the same order.
        items: Item id to the item, without images.
        fields: The suite's function ``judging.fields``.
        right_share: The share of right answers that is looked at as well.

    Returns:
        Rows with the columns QUEUE_COLUMNS, with ``human_correct`` and what follows from it blank. Answers that are
        blank or were withheld are not among them: they cannot be right.
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
        judged = fields(items[grade["item_id"]], response)
        # What the grade says was or would be put before a judge.
        assert judged is not None
        shown = judged.fields
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
    grades: Iterable[Mapping[str, Any]], reviews: Iterable[Review], right_share: float
) -> tuple[Decisions, list[dict[str, Any]]]:
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
    known: dict[str, dict[str, Mapping[str, Any]]] = {}
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
    for answer, given_reviews in given.items():
        if len({review.correct for review in given_reviews}) > 1:
            people = len({review.reviewer for review in given_reviews})
            reason = "the reviewers disagree" if people > 1 else "the reviewer says both"
            ignored += [review.as_ignored(reason) for review in given_reviews]
        else:
            reviewers = ", ".join(sorted({review.reviewer for review in given_reviews}))
            agreed[answer] = Decision(given_reviews[0].correct is True, reviewers)
    return agreed, ignored


def with_decisions(
    grades: Iterable[Mapping[str, Any]], decided: Decisions
) -> Iterator[dict[str, Any]]:
    """Yield one model's grades with people's decisions in them."""
    for grade in grades:
        answer = (grade["item_id"], grade["readings"].get(ANSWER_SHA))
        decision = decided.get(answer) if is_reviewable(grade) else None
        if decision is None:
            yield dict(grade)
        else:
            yield reviewed_grade(grade, decision.correct, decision.reviewers)


def of_unknown_models(reviews: Iterable[Review], models: Collection[str]) -> list[dict[str, Any]]:
    """Return the reviews of models that are not in the study, as rows that are not applied."""
    return [
        review.as_ignored("no such model in this study")
        for review in reviews
        if (review.correct is not None or not review.is_whole) and review.model not in models
    ]


def _reason_to_ignore(
    review: Review, answers: Mapping[str, Mapping[str, Any]] | None, right_share: float
) -> str:
    if answers is None:
        return "no such item"
    grade = answers.get(review.answer_sha)
    if grade is None:
        return "stale: the answer, the image, the question or the key has changed since"
    if not is_queued(grade, right_share):
        return "judged right, and not among the right ones that people look at"
    return ""
