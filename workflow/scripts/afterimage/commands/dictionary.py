"""The data dictionary's tables of columns: ``python -m afterimage.commands.dictionary`` writes them anew.

In ``docs/data_dictionary.md`` they are between ``<!-- columns: NAME -->`` and ``<!-- end -->``. They come from where
a column is declared: the Arrow schemas of ``files/``, the columns of CSV files, and the tables of suites and studies.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path

import pyarrow as pa

from afterimage.contract.finding import load_suite, suite_names
from afterimage.contract.paper import SOURCE
from afterimage.contract.parts import name_in, resolve, with_name
from afterimage.contract.suite import NamedTable
from afterimage.files.human_responses import DECISION_COLUMNS
from afterimage.files.parquet import TEXTS, meaning_of
from afterimage.files.records import (
    ANSWER,
    GRADE,
    ITEM,
    JOURNALED_ANSWER,
    RECORDED_ANSWER,
    RESPONSE,
    VOTE,
)
from afterimage.files.stimulus import FORM_TASK, STIMULUS
from afterimage.grading.human_answers import IGNORED_COLUMNS
from afterimage.ledger.entries import COLUMNS
from afterimage.ledger.published import read_numbers
from afterimage.people import review
from afterimage.people.forms.joining import REPORT_COLUMNS
from afterimage.people.forms.quality import AGREEMENT_COLUMNS, ANNOTATOR_COLUMNS
from afterimage.planning.papers import PUBLISHED, read_papers
from afterimage.showing.study import (
    agreement,
    cost,
    graded,
    judges_and_people,
    robustness,
    thinking,
    twins,
    without_image,
)
from afterimage.showing.tables.declaration import Table
from afterimage.showing.tables.meanings import OF_STUDY, SHARED, explained
from afterimage.suites.contrast.tables import ADAPTIVE_TABLE
from afterimage.suites.illusion_vqa.human_filter import (
    ILLUSION_COLUMNS,
    IMAGE_COLUMNS,
    PEOPLE_COLUMNS,
)

#: From this file.
_ROOT = Path(__file__).parents[4]
DOCUMENT = _ROOT / "docs" / "data_dictionary.md"
_BLOCK = re.compile(r"(<!-- columns: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
#: Tables of no suite.
STUDY_TABLES = (
    *(
        cost.TABLE,
        without_image.KNOWLEDGE,
        without_image.CLAIMS,
        without_image.CLEAN,
        robustness.ROBUSTNESS,
        thinking.TABLE,
        twins.TABLE,
        robustness.BATCH_AGREEMENT,
    ),
    *(graded.GRADED, graded.CALIBRATION),
    # The same columns in every suite that can be asked adaptively.
    ADAPTIVE_TABLE,
    *(
        agreement.AGREEMENT,
        agreement.ROUNDS,
        judges_and_people.VALIDATION,
        judges_and_people.REVIEW,
    ),
)


def of_schema(schema: pa.Schema) -> str:
    """Return the columns of a Parquet file with their types."""
    return _rows(
        ("column", "type", "meaning"),
        ((field.name, _type_in_words(field.type), meaning_of(field)) for field in schema),
    )


def of_csv(columns: Mapping[str, str]) -> str:
    """Return the columns of a CSV file."""
    return _rows(("column", "meaning"), columns.items())


def of_tables(tables: Iterable[Table], meanings: Mapping[str, str]) -> str:
    """Return the columns of tables, those with the same ones together, and what their own meanings say."""
    alike: dict[tuple[str, ...], list[str]] = {}
    for table in tables:
        explanations = [explained(column, meanings) or (column,) for column in table.csv_names]
        names = tuple(dict.fromkeys(name for name, *_ in explanations))
        alike.setdefault(names, []).append(table.name)
    listed = [f"* {_listed(titles)}: {_listed(names)}\n" for names, titles in alike.items()]
    return "".join(listed) + (f"\n{of_csv(meanings)}" if meanings else "")


def suite_tables(name: str) -> list[Table]:
    """Return the declarations of a suite's tables, those about probes and probabilities included."""
    suite = load_suite(name)
    parts = {table.name: table.part for table in suite.tables if isinstance(table, NamedTable)}
    parts |= {name_in(part): part for part in (*suite.probe_tables, *suite.graded_tables)}
    return [replace(resolve(with_name(part, "TABLE")), name=name) for name, part in parts.items()]


def _of_all_suites() -> str:
    return "\n".join(
        f"### {name}\n\n{of_tables(suite_tables(name), load_suite(name).meanings)}"
        for name in suite_names()
    )


def _of_the_study() -> str:
    return "\n".join(of_tables([table], OF_STUDY[table.name]) for table in STUDY_TABLES)


def _of_papers() -> str:
    """Return the papers, how many numbers each prints, and how many of these were seen in it."""
    rows, total, seen = [], 0, 0
    for name, paper in read_papers(_ROOT / PUBLISHED).items():
        numbers = read_numbers([_ROOT / PUBLISHED / f"{name}.csv"])
        from_source = sum(number.seen == SOURCE for number in numbers)
        rows.append((name, str(len(numbers)), str(from_source), paper["source"]))
        total, seen = total + len(numbers), seen + from_source
    rows.append(("all", str(total), str(seen), f"{len(rows)} papers"))
    return _rows(("paper", "numbers", "seen in the source", "source"), rows)


#: The blocks of the document by name.
BLOCKS: Mapping[str, Callable[[], str]] = {
    "stimulus": lambda: of_schema(STIMULUS),
    "item": lambda: of_schema(ITEM),
    "response": lambda: of_schema(RESPONSE),
    "grade": lambda: of_schema(GRADE),
    "answer": lambda: of_schema(ANSWER),
    "vote": lambda: of_schema(VOTE),
    "form_task": lambda: of_schema(FORM_TASK),
    "recorded_answer": lambda: of_schema(RECORDED_ANSWER),
    "journaled_answer": lambda: of_schema(JOURNALED_ANSWER),
    "human_figures": lambda: of_csv(ILLUSION_COLUMNS),
    "human_images": lambda: of_csv(IMAGE_COLUMNS),
    "human_people": lambda: of_csv(PEOPLE_COLUMNS),
    "human_decisions": lambda: of_csv(DECISION_COLUMNS),
    "human_ignored": lambda: of_csv(IGNORED_COLUMNS),
    "answers_report": lambda: of_csv(REPORT_COLUMNS),
    "answers_annotators": lambda: of_csv(ANNOTATOR_COLUMNS),
    "answers_agreement": lambda: of_csv(AGREEMENT_COLUMNS),
    "review_queue": lambda: of_csv(review.QUEUE_COLUMNS),
    "review_ignored": lambda: of_csv(review.IGNORED_COLUMNS),
    "disagreements": lambda: of_csv(agreement.DISAGREEMENT_COLUMNS),
    "numbers": lambda: of_csv(COLUMNS),
    "papers": _of_papers,
    "shared": lambda: of_csv(SHARED),
    "suites": _of_all_suites,
    "study": _of_the_study,
}


def filled(text: str) -> str:
    """Return the document with every block made anew."""
    return _BLOCK.sub(lambda block: f"{block[1]}{BLOCKS[block[2]]()}{block[3]}", text)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _rows(header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head, *cells = [list(header), *map(list, rows)]
    lines = [head, ["---"] * len(head)]
    lines += [
        [f"`{name}`", *(text.replace("|", "\\|") for text in others)] for name, *others in cells
    ]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _type_in_words(kind: pa.DataType) -> str:
    if pa.types.is_map(kind) or kind == TEXTS:
        return "texts by name"
    if pa.types.is_list(kind):
        return "list"
    if pa.types.is_struct(kind):
        return " and ".join(field.name for field in kind)
    words = {pa.string(): "text", pa.bool_(): "true or false", pa.float64(): "number"}
    if pa.types.is_integer(kind):
        return "integer"
    return "time" if pa.types.is_timestamp(kind) else words[kind]


if __name__ == "__main__":
    DOCUMENT.write_text(filled(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
