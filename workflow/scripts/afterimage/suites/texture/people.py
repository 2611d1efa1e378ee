"""What people answered about items and about models' words: read, and joined to what was asked.

Only people's answers count; simulated ones never do. No file is a normal state.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from afterimage.grading.word_form import normal_form
from afterimage.suites.texture.data.columns import CLASSIFIED, JUDGEMENTS
from afterimage.suites.texture.data.reading import Row, read_people


@dataclass(frozen=True)
class People:
    """People's answers that count.

    Attributes:
        answers: What was asked to what each annotator answered.
        simulated: How many rows are simulated and do not count.
        unknown: How many rows are about nothing that was asked.
        repeated: How many rows a later one of the same annotator replaces.
    """

    answers: Mapping[tuple[str, ...], Mapping[str, object]]
    simulated: int
    unknown: int
    repeated: int


def read_classified(paths: Iterable[str], items: Collection[str]) -> People:
    """Read people's answers to classification items: item id to annotator to option, from 0.

    Raises:
        AfterimageError: A file is missing or a row is not what it should be.
    """
    rows = read_people(paths, CLASSIFIED)
    return _join(rows, lambda row: (str(row["item_id"]),), "option", {(item,) for item in items})


def read_judgements(paths: Iterable[str], asked: Collection[tuple[str, str, str]]) -> People:
    """Read people's judgements: item id, model and normal form of the word to annotator to yes.

    Args:
        paths: Files.
        asked: Item id, model and normal form of all words that models wrote.

    Raises:
        AfterimageError: A file is missing or a row is not what it should be.
    """
    rows = read_people(paths, JUDGEMENTS)
    return _join(
        rows,
        lambda row: (str(row["item_id"]), str(row["model"]), normal_form(str(row["word"]))),
        "yes",
        asked,
    )


def _join(rows: Sequence[Row], place, value: str, asked: Collection[tuple]) -> People:
    found: dict[tuple[str, ...], dict[str, object]] = {}
    simulated = unknown = repeated = 0
    for row in rows:
        if row.get("source") == "simulated":
            simulated += 1
        elif place(row) not in asked:
            unknown += 1
        elif row[value] is not None:
            said = found.setdefault(place(row), {})
            repeated += row["annotator_id"] in said
            said[str(row["annotator_id"])] = row[value]
    return People(found, simulated, unknown, repeated)
