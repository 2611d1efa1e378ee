"""The sheet: the tasks of a page as a CSV file to fill in with a spreadsheet, for whoever cannot use the page."""

import io
import json
from collections.abc import Mapping, Sequence
from typing import Any

from afterimage.contract.task import Text
from afterimage.files.csv_rows import write_rows
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


def render_sheet(tasks: Sequence[Mapping[str, Any]], language: str) -> str:
    """Return a CSV text, one row per field, that a spreadsheet opens as it is meant.

    It begins with a byte order mark, without which Excel does not take it for UTF-8. The pictures are on
    the page: ``order`` is the number of the task there.
    """
    text = io.StringIO(newline="")
    rows = []
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
            rows.append(row)
    write_rows(text, rows, SHEET_COLUMNS, line_end="\r\n")
    return "\ufeff" + text.getvalue()


def _in(text: Text, language: str) -> str:
    return text.get(language, next(iter(text.values()), ""))
