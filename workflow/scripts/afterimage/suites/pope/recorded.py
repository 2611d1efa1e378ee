"""Recorded answers to official questions, joined to these by id and compared."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from afterimage.errors import AfterimageError, fault, model_entry
from afterimage.files.recorded_rows import ending, json_line_files, read_json_lines
from afterimage.files.recorded_value import text_of
from afterimage.grading.readers.presence import official
from afterimage.grading.reasoning import graded_text
from afterimage.suites.pope.files import (
    Question,
    QuestionFile,
    label_of,
    question_key,
    read_questions,
    strategy_of,
)
from afterimage.suites.pope.names import STRATEGIES

# Files of recorded answers, one per line.
#
# Such files are written over hours and by several hands: a line may be cut off or lack what it should say. What is
# readable counts; what is left out is named in a remark.

_MODEL_SUFFIXES = ("_responses", "_answers")
_EXPECTED = (
    'answers of the form {"split": "random", "question_id": 1, "image": "a.jpg", '
    '"text": "Is there a cat in the image?", "label": "yes", "response": "Yes"}, one per line, in files *.jsonl or '
    "*.jsonl.gz"
)


class Answer(NamedTuple):
    """One recorded answer.

    Attributes:
        question_id: As text.
        response: The answer without reasoning and marks of its format.
        image: File name of the image; empty if the record does not say.
        text: The question; empty if the record does not say.
        label: "yes" or "no"; empty if the record does not say.
    """

    question_id: str
    response: str
    image: str
    text: str
    label: str


def read_answers(folder: str | Path) -> tuple[dict[str, dict[str, list[Answer]]], list[str]]:
    """Read all files of answers in a folder; other files are not looked at.

    A model's name is the key ``model`` of its lines, or else its file's name without ``_responses``; a line's split is
    its key ``split``, or else what the file's name tells.

    Returns:
        Model to split to answers, in the order of the lines; and remarks about what was left out.

    Raises:
        AfterimageError: There is no such folder, or it holds no answer.
    """
    by_model: dict[str, dict[str, list[Answer]]] = {}
    remarks: list[str] = []
    for path in json_line_files(folder, "one with recorded answers"):
        for model, split, answer in _answers(path, remarks):
            by_model.setdefault(model, {}).setdefault(split, []).append(answer)
    if not by_model:
        raise AfterimageError(f"{folder}: no file of answers; expected {_EXPECTED}.")
    return by_model, remarks


def holds_answers(path: Path) -> bool:
    """Tell whether a file holds recorded answers and not questions."""
    if ending(path) != ".jsonl":
        return False
    return any("response" in row.values for row in read_json_lines(path, torn=[]))


def _answers(path: Path, remarks: list[str]) -> Iterator[tuple[str, str, Answer]]:
    """Yield model, split and answer of each readable line of a file; a file without any answer yields nothing."""
    torn: list[str] = []
    rows = list(read_json_lines(path, torn))
    if not any("response" in row.values and "question_id" in row.values for row in rows):
        return
    if torn:
        remarks.append(f"{path.name}: {len(torn)} unreadable, the first {torn[0]}; left out.")
    named = strategy_of(path.name)
    faults = []
    for _, where, row in rows:
        split = row.get("split", named and named[0])
        split = split.strip().lower() if isinstance(split, str) else ""
        identity, response = question_key(row.get("question_id")), _response(row)
        if identity is None or not split or response is None:
            faults.append(where)
            continue
        model = row.get("model")
        model = model if isinstance(model, str) and model else _model_of(path)
        image, text = (_text(row.get(key)) for key in ("image", "text"))
        label = label_of(row.get("label")) or ""
        yield model, split, Answer(identity, graded_text(response), image, text, label)
    if faults:
        remarks.append(
            f"{path.name}: {len(faults)} lines without question_id, split or response, the first {faults[0]}; "
            "left out."
        )


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _response(row: Mapping[str, Any]) -> str | None:
    """Return the answer of a line; None if it has none, or something that is no text."""
    try:
        return text_of(row.get("response"), "response")
    except AfterimageError:
        return None


def _model_of(path: Path) -> str:
    name = path.name.removesuffix(".gz").removesuffix(".jsonl")
    for suffix in _MODEL_SUFFIXES:
        name = name.removesuffix(suffix)
    return name


# Recorded answers to official questions, joined to these by id and compared with their words, never by line.
#
# The official script pairs lines and does not notice when one is missing. Here answers may come in any order, be
# missing or occur twice; whatever does not count is named in a remark.


class Split(NamedTuple):
    """One model's answers to one strategy's questions.

    Attributes:
        answers: Those that count, each question once, in the order of the questions.
        n_questions: How many were asked; None if that cannot be known.
        questions: The question file that they were joined to; None without one.
        remarks: What was left out or does not agree, in sentences.
    """

    answers: tuple[Answer, ...]
    n_questions: int | None
    questions: QuestionFile | None
    remarks: tuple[str, ...]


class Recorded(NamedTuple):
    """All answers of a folder.

    Attributes:
        models: Model to split to answers, both in order.
        remarks: What concerns no single split.
    """

    models: Mapping[str, Mapping[str, Split]]
    remarks: tuple[str, ...]


def read_recorded(folder: str | Path, questions: str | Path | None = None) -> Recorded:
    """Read all answers of a folder and join them to their questions.

    Args:
        folder: Holds files of answers, see :func:`read_answers`.
        questions: A folder with question files, such as ``coco_pope_random.json``. Of several releases in it, each
            model's answers are joined to the one whose words and images they agree with most.

    Raises:
        AfterimageError: A folder does not exist, holds no answers or no question files, or a model's answers belong to
            none of the question files.
    """
    by_model, remarks = read_answers(folder)
    releases = {} if questions is None else _releases(questions)
    models = {model: _joined(model, splits, releases) for model, splits in sorted(by_model.items())}
    return Recorded(models, tuple(remarks))


def _releases(folder: str | Path) -> dict[str, dict[str, QuestionFile]]:
    """Return the question files of a folder: set (what the names share) to split to file."""
    if not Path(folder).is_dir():
        raise AfterimageError(f"{folder}: no such folder; expected one with question files.")
    releases: dict[str, dict[str, QuestionFile]] = {}
    for path in sorted(Path(folder).iterdir(), key=lambda path: (len(path.name), path.name)):
        named = strategy_of(path.name)
        if named is not None and path.is_file() and not holds_answers(path):
            releases.setdefault(named[1], {})[named[0]] = read_questions(path)
    if not releases:
        raise AfterimageError(
            f"{folder}: no question file; expected names such as coco_pope_random.json or coco_pope_popular.json.gz."
        )
    return releases


def _joined(
    model: str,
    splits: Mapping[str, Sequence[Answer]],
    releases: Mapping[str, Mapping[str, QuestionFile]],
) -> dict[str, Split]:
    release = _release_of(model, splits, releases)
    names = [*STRATEGIES, *sorted({*splits, *release} - {*STRATEGIES})]
    return {
        name: _split(splits.get(name, ()), release.get(name))
        for name in names
        if name in splits or name in release
    }


def _release_of(
    model: str,
    splits: Mapping[str, Sequence[Answer]],
    releases: Mapping[str, Mapping[str, QuestionFile]],
) -> Mapping[str, QuestionFile]:
    """Return the set of question files that a model's answers agree with most."""
    if not releases:
        return {}
    agreeing = {
        name: sum(
            _agreeing(answers, files[split]) for split, answers in splits.items() if split in files
        )
        for name, files in releases.items()
    }
    best = max(agreeing, key=lambda name: agreeing[name])
    if not agreeing[best]:
        total = sum(map(len, splits.values()))
        raise fault(
            model_entry(model),
            f"none of its {total} answers belongs to a question of {', '.join(sorted(releases))}; "
            "expected the files of the questions that it was asked (question_id, image and text are compared).",
        )
    return releases[best]


def _agreeing(answers: Iterable[Answer], file: QuestionFile) -> int:
    by_id = {question.question_id: question for question in file.questions}
    return sum(_belongs(answer, by_id.get(answer.question_id)) for answer in answers)


def _belongs(answer: Answer, question: Question | None) -> bool:
    """Tell whether an answer was given to a question: what both say of image and words must be the same."""
    if question is None:
        return False
    return answer.image in ("", question.image) and answer.text in ("", question.text)


def _difference(answer: Answer, question: Question) -> str:
    """Say how an answer's question differs from the one with its id: in words, else in its image."""
    if answer.text not in ("", question.text):
        return f"'{answer.text}' is not '{question.text}'"
    return f"image '{answer.image}' is not '{question.image}'"


def _split(answers: Sequence[Answer], file: QuestionFile | None) -> Split:
    return _without_questions(answers) if file is None else _with_questions(answers, file)


def _without_questions(answers: Sequence[Answer]) -> Split:
    remarks: list[str] = []
    labelled = [answer for answer in answers if answer.label]
    left_out = len(answers) - len(labelled)
    _remark(remarks, left_out, "answers have no label and no question file gives one; left out")
    counted = sorted(_each_once(labelled, remarks), key=_order)
    n_questions = _asked_by_ids(counted)
    missing = 0 if n_questions is None else n_questions - len(counted)
    _remark(
        remarks,
        missing,
        "answers are missing up to the highest question_id; the question files would tell whether more are",
    )
    return Split(tuple(counted), n_questions, None, tuple(remarks))


def _with_questions(answers: Sequence[Answer], file: QuestionFile) -> Split:
    remarks: list[str] = []
    by_id = {question.question_id: question for question in file.questions}
    known = [
        (answer, by_id[answer.question_id]) for answer in answers if answer.question_id in by_id
    ]
    matched = [(answer, question) for answer, question in known if _belongs(answer, question)]
    strangers = [pair for pair in known if not _belongs(*pair)]
    if strangers:
        answer, question = strangers[0]
        remarks.append(
            f"{len(strangers)} answers were given to other questions than those with their ids, the first to "
            f"question_id {question.question_id}: {_difference(answer, question)}; left out."
        )
    unknown = len(answers) - len(known)
    relabelled = sum(answer.label not in ("", question.label) for answer, question in matched)
    unchecked = sum(not answer.text for answer, _ in matched)
    _remark(
        remarks,
        unknown,
        "answers have a question_id that the question file does not hold; left out",
    )
    _remark(remarks, relabelled, "labels differ from the question file's, which count")
    _remark(
        remarks,
        unchecked,
        "answers do not say which question they were given to; joined by question_id alone",
    )
    completed = [
        answer._replace(image=question.image, text=question.text, label=question.label)
        for answer, question in matched
    ]
    counted = {answer.question_id: answer for answer in _each_once(completed, remarks)}
    kept = [
        counted[question.question_id]
        for question in file.questions
        if question.question_id in counted
    ]
    missing = [
        question.question_id for question in file.questions if question.question_id not in counted
    ]
    if missing:
        remarks.append(
            f"{len(missing)} of {len(file.questions)} answers are missing, the first to question_id {missing[0]}."
        )
    return Split(tuple(kept), len(file.questions), file, tuple(remarks))


def _each_once(answers: Sequence[Answer], remarks: list[str]) -> list[Answer]:
    """Return one answer per question; of a question that was answered differently, none."""
    by_id: dict[str, list[Answer]] = {}
    for answer in answers:
        by_id.setdefault(answer.question_id, []).append(answer)
    kept, contradictory, twice = [], [], 0
    for question_id, repeated in by_id.items():
        if (
            len(
                {
                    (reply.image, reply.text, reply.label, official(reply.response))
                    for reply in repeated
                }
            )
            == 1
        ):
            kept.append(repeated[0])
            twice += len(repeated) - 1
        else:
            contradictory.append(question_id)
    _remark(remarks, twice, "lines repeat an answer; it counts once")
    if contradictory:
        remarks.append(
            f"{len(contradictory)} questions have contradictory answers, the first is question_id {contradictory[0]}; "
            "none of them counts."
        )
    return kept


def _asked_by_ids(answers: Sequence[Answer]) -> int | None:
    """Return how many questions there were, as far as ids tell: official ones count from 1 without gaps."""
    if not answers or not all(answer.question_id.isdecimal() for answer in answers):
        return None
    highest = max(int(answer.question_id) for answer in answers)
    # Ids that count something else, across all splits for example, say nothing about the number of questions.
    return highest if highest <= 2 * len(answers) else None


def _order(answer: Answer) -> tuple[int, int, str]:
    is_number = answer.question_id.isdecimal()
    return (not is_number, int(answer.question_id) if is_number else 0, answer.question_id)


def _remark(remarks: list[str], count: int, what: str) -> None:
    if count:
        remarks.append(f"{count} {what}.")
