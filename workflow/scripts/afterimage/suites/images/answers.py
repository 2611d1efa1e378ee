"""The right answers of a row: of which kind they are, and how replies are compared with them. Read as the CSV is."""

from collections.abc import Sequence
from difflib import get_close_matches

from afterimage.files.written_numbers import AmbiguousNumberError, whole_number_in
from afterimage.grading.choice import normalise
from afterimage.suites.images.csv_rows import Row, cell_fault, shown_cell
from afterimage.suites.images.names import (
    ANSWER,
    ANSWER_TYPE,
    ANSWER_TYPES,
    CHOICE,
    TEXT,
    WHOLE_NUMBER,
    YES_NO,
)

_YES_NO = ("yes", "no")
# As many digits as a question may ask for.
_LARGEST_NUMBER = 10**15 - 1


def answer_type(path: str, row: Row, options: tuple[str, ...], answers: tuple[str, ...]) -> str:
    """Return how the answers of a row are read: as it says itself, or as they look.

    Raises:
        AfterimageError: It says something else than there can be, or its number is two.
    """
    forced = row.cells.get(ANSWER_TYPE, "")
    if forced and forced not in ANSWER_TYPES:
        raise cell_fault(
            path, row, ANSWER_TYPE, shown_cell(forced), f"one of {', '.join(ANSWER_TYPES)}"
        )
    if forced and (forced == CHOICE) != bool(options):
        found = f"'{forced}' beside {len(options) or 'no'} options"
        raise cell_fault(
            path, row, ANSWER_TYPE, found, f"'{CHOICE}' where there are options, and only there"
        )
    if forced or options:
        return forced or CHOICE
    if len(answers) == 1 and answers[0].lower() in _YES_NO:
        return YES_NO
    if len(answers) == 1 and _whole_number(path, row, answers[0]) is not None:
        return WHOLE_NUMBER
    return TEXT


def _whole_number(path: str, row: Row, answer: str) -> int | None:
    """Return the whole number from 0 that a cell holds, as a spreadsheet may have written it; None where it is none."""
    try:
        number = whole_number_in(answer)
    except AmbiguousNumberError as error:
        expected = f"digits alone, or answer_type '{TEXT}'"
        raise cell_fault(path, row, ANSWER, str(error), expected) from None
    return number if number is not None and 0 <= number <= _LARGEST_NUMBER else None


def checked_answers(
    path: str, row: Row, kind: str, options: tuple[str, ...], answers: tuple[str, ...]
) -> tuple[str, ...]:
    """Return the right answers of a row as replies are compared with them.

    Raises:
        AfterimageError: They are none of this kind.
    """
    found = shown_cell(row.cells[ANSWER])
    if kind == CHOICE:
        if len(answers) == 1 and answers[0] not in options:
            answers = _same_number(answers[0], options)
        if answers[0] not in options or len(answers) > 1:
            near = get_close_matches(answers[0], options, n=1, cutoff=0.6)
            hint = f" (is '{near[0]}' meant?)" if near and near[0] not in answers else ""
            raise cell_fault(path, row, ANSWER, found, f"one of the options, to the letter{hint}")
        return answers
    if kind == YES_NO:
        if len(answers) > 1 or answers[0].lower() not in _YES_NO:
            raise cell_fault(path, row, ANSWER, found, "yes or no")
        return (answers[0].capitalize(),)
    if kind == WHOLE_NUMBER:
        number = _whole_number(path, row, answers[0]) if len(answers) == 1 else None
        if number is None:
            raise cell_fault(path, row, ANSWER, found, "one whole number in digits")
        return (str(number),)
    if not all(map(normalise, answers)):
        raise cell_fault(path, row, ANSWER, found, "texts with a letter or sign in them")
    return answers


def _same_number(answer: str, options: Sequence[str]) -> tuple[str, ...]:
    """Return the one option that is the same whole number as an answer, or the answer as it stands."""
    try:
        number = whole_number_in(answer)
        same = [
            option for option in options if number is not None and number == whole_number_in(option)
        ]
    except AmbiguousNumberError:
        same = []
    return (same[0] if len(same) == 1 else answer,)
