"""The sheet: the tasks of a page as a CSV file to fill in with a spreadsheet, for whoever cannot use the page."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from typing import Any

from afterimage.contract.task import Text
from afterimage.people.forms.page import COLUMNS

#: What people read comes first, then what they fill in, then what the importer needs.
SHEET_COLUMNS = (
    "order",
    "heading",
    "to_read",
    "question",
    "answers",
    "answer",
    "annotator_id",
    *(name for name in COLUMNS if name not in ("order", "answer", "annotator_id")),
)

#: A cell that begins with one of these would be run as a formula by a spreadsheet, or lose an apostrophe.
UNPRINTABLE = ("'", "=", "+", "-", "@", "\t", "\r")


def render_sheet(tasks: Sequence[Mapping[str, Any]], language: str) -> str:
    """Return a CSV text, one row per field, that a spreadsheet opens as it is meant.

    It begins with a byte order mark, without which Excel does not take it for UTF-8. The pictures are on
    the page: ``order`` is the number of the task there.
    """
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, SHEET_COLUMNS, restval="", lineterminator="\r\n")
    writer.writeheader()
    for task in tasks:
        content = json.loads(task["content"])
        read = [
            ": ".join(filter(None, (_in(part["heading"], language), _in(part["text"], language))))
            for part in content["passages"]
        ]
        for field in content["fields"]:
            answers = [
                f"{option['code']} = {_in(option['text'], language)}"
                for option in field.get("options", ())
            ]
            row = {
                **{name: task[name] for name in ("form_id", "page", "page_checksum", "task_id")},
                "answers": "\n".join(answers),
                "field_id": field["field_id"],
                "heading": _in(content["heading"], language),
                "language": language,
                "order": str(task["order"]),
                "question": _in(field["text"], language),
                "task_checksum": task["task_checksums"][language],
                "to_read": "\n".join(read),
            }
            writer.writerow({name: guarded(cell) for name, cell in row.items()})
    return "\ufeff" + text.getvalue()


def guarded(cell: str) -> str:
    """Put an apostrophe before what a spreadsheet would run; see :func:`unguarded`."""
    return f"'{cell}" if cell.startswith(UNPRINTABLE) else cell


def unguarded(cell: str) -> str:
    """Take off the apostrophe that :func:`guarded`, or a page, put before a cell."""
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(UNPRINTABLE) else cell


def _in(text: Text, language: str) -> str:
    return text.get(language, next(iter(text.values()), ""))
