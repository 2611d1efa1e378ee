"""People's answers to the questions: each person is graded like a model."""

import logging

import pandas as pd

from afterimage.errors import AfterimageError, unknown_name
from afterimage.files.csv_rows import read_peoples_rows
from afterimage.files.row_ids import require_one_spelling
from afterimage.grading import roman, true_false
from afterimage.suites.illusionbench.names import MULTIPLE_CHOICE, NUMERALS, TRUE_FALSE
from afterimage.suites.illusionbench.tables.columns import asked

logger = logging.getLogger(__name__)

_COLUMNS = ("evaluator", "item_id", "answer")
_OF_ITEM = ["stimulus_id", "category", "difficulty"]
_GRADERS = {TRUE_FALSE: true_false, MULTIPLE_CHOICE: roman}
#: People answer with the numeral that they saw beside an option.
_OPTIONS = [(numeral, numeral) for numeral in NUMERALS]


def human_rows(grades: pd.DataFrame, question: str, file: str | None) -> pd.DataFrame | None:
    """Grade people's answers to one kind of question.

    Args:
        grades: Graded answers of the models: what each item is about, and its key.
        question: ``true_false`` or ``multiple_choice``.
        file: Path of a CSV with ``evaluator``, ``item_id`` and ``answer`` ("True", "II"); None without people.

    Returns:
        One row per answer: ``evaluator``, ``stimulus_id``, ``category``, ``difficulty``, ``outcome``, ``reason``,
        ``right`` (0.0 or 1.0); blank answers are left out. None without people.

    Raises:
        AfterimageError: The file is not such a table, names an item that is not asked, or has two answers to one.
    """
    if file is None:
        return None
    items = asked(grades, question).drop_duplicates("item_id").set_index("item_id")
    known = set(grades["item_id"])
    rows = []
    answers = list(read_peoples_rows(file, _COLUMNS, "people's answers"))
    require_one_spelling(
        "evaluator", ((cells["evaluator"], f"{file}, line {line}") for line, cells in answers)
    )
    for line, cells in answers:
        if cells["item_id"] not in known:
            raise unknown_name("item", cells["item_id"], known, f"{file}, line {line}")
        if cells["item_id"] in items.index and cells["answer"]:
            item = items.loc[cells["item_id"]]
            parsed = _GRADERS[question].parse(cells["answer"], _OPTIONS)
            rows.append(
                {
                    "evaluator": cells["evaluator"],
                    "item_id": cells["item_id"],
                    **item[_OF_ITEM],
                    "outcome": parsed.outcome,
                    "reason": parsed.reason,
                    "right": float(parsed.answer == item["key"]),
                }
            )
    names = ["evaluator", "item_id", *_OF_ITEM, "outcome", "reason", "right"]
    frame = pd.DataFrame(rows, columns=names)
    once = frame.drop_duplicates()
    if len(once) < len(frame):
        logger.warning(
            "%s: %d answers given again, the same, counted once", file, len(frame) - len(once)
        )
    frame = once.reset_index(drop=True)
    twice = frame[frame.duplicated(["evaluator", "item_id"])]
    if len(twice):
        first = twice.iloc[0]
        raise AfterimageError(
            f"{file}: '{first['evaluator']}' answered item '{first['item_id']}' twice and differently; expected one "
            "answer."
        )
    return frame
