"""Rows that came back are joined with the tasks that they answer; the rest is reported."""

import json
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from afterimage.contract.task import Answer
from afterimage.errors import AfterimageError
from afterimage.files.human_responses import in_lines
from afterimage.files.row_ids import require_one_spelling
from afterimage.people.forms.returned import ReturnedRow

#: Columns of the report of rows that were not counted, or not as they stand.
REPORT_COLUMNS = {
    "kind": "`blank_answer`, `duplicate_answer`, `stale_answer`, `unreadable_answer` or `impossible_time`",
    "form": "the form",
    "annotator_id": "whose answers",
    "file": "in which file",
    "count": "how many",
    "lines": 'line numbers, at most ten, then "and N more"',
    "detail": "what was found",
}

_LONGEST_TIME = 60
# How spreadsheets write a time, beside ISO 8601.
_TIMES = ("%Y/%m/%d %H:%M:%S", "%Y/%m/%d %H:%M", "%m/%d/%Y %H:%M", "%d.%m.%Y %H:%M")


class Field(NamedTuple):
    """One field of the tasks that were put, with all that an answer to it is judged by.

    Attributes:
        task: Its task, schema FORM_TASK without images.
        content: The field's entry in the task's content.
        place: Its rank among all fields of the form.
    """

    task: Mapping
    content: Mapping
    place: int


class Given(NamedTuple):
    """One answer that counts: the field, the suite's own id of the option or the text, and the row."""

    field: Field
    value: str
    row: ReturnedRow


class Joined(NamedTuple):
    """What counts, and what does not.

    Attributes:
        given: Answers that count, attention checks among them, by annotator and then in the form's order.
        report: Rows with the columns ``REPORT_COLUMNS``.
    """

    given: list[Given]
    report: list[dict[str, object]]


def join(tasks: Iterable[Mapping], rows: Sequence[ReturnedRow]) -> Joined:
    """Join rows with tasks.

    Not counted, and reported: blank answers (missing, not zero), answers that name no option, rows whose
    task shows something else now (stale), and of several answers of one person to one field all but the
    latest: by the time they were given if all say it, else by file and line.

    Args:
        tasks: The tasks as they are now, schema FORM_TASK; images may be left out.
        rows: The rows of all files.

    Raises:
        AfterimageError: A row is of another form, or of a task or field that its page never had; or two annotators'
            names differ in case alone, or as 7 and 7.0 do.
    """
    fields = _fields(tasks)
    known = _Known(fields)
    events: dict[tuple[str, str, str, str, str], list[int]] = {}
    candidates: dict[tuple[str, str], list[Given]] = {}
    blank: list[ReturnedRow] = []
    _require_known(known, rows)
    for row in rows:
        field = fields.get((row.task_id, row.field_id))
        form = known.forms[row.form_id]
        if field is None or row.task_checksum not in field.task["task_checksums"].values():
            what = known.own_ids.get(row.task_id, "a task that is no longer put")
            fault = ("stale_answer", f"{what}: what was shown has changed since")
        elif not row.answer:
            blank.append(row)
            continue
        else:
            value = _value(field.content, row.answer)
            if value is not None:
                if row.answered_at and _time(row.answered_at) is None:
                    said = f"'{row.answered_at[:_LONGEST_TIME]}' is no time: counted, as answered at no known time"
                    _report(events, "impossible_time", form, row, said)
                given = Given(field, value, row)
                candidates.setdefault((row.annotator_id, row.field_id), []).append(given)
                continue
            fault = (
                "unreadable_answer",
                f"{_name(field)}: '{row.answer}' names none of its options",
            )
        _report(events, fault[0], form, row, fault[1])
    for row in blank:
        # Whoever saved a page half done and again at the end left nothing out.
        if (row.annotator_id, row.field_id) not in candidates:
            _report(events, "blank_answer", known.forms[row.form_id], row, "no answer: missing")
    counted = [_latest(answers, events) for answers in candidates.values()]
    counted.sort(key=lambda given: (given.row.annotator_id, given.field.place))
    report = [
        {
            **dict(zip(("kind", "form", "annotator_id", "file", "detail"), key, strict=True)),
            "count": len(lines),
            "lines": in_lines(lines),
        }
        for key, lines in events.items()
    ]
    report.sort(key=lambda row: (row["kind"], row["form"], row["file"], row["annotator_id"]))
    return Joined(counted, report)


def answers(given: Iterable[Given]) -> list[Answer]:
    """Return answers in the suite's own names, without attention checks."""
    return [
        Answer(
            annotator_id=entry.row.annotator_id,
            form=entry.field.task["form"],
            task_id=entry.field.task["own_id"],
            field_id=entry.field.content["own_id"],
            value=entry.value,
            about=dict(entry.field.task["about"]),
            form_id=entry.field.task["form_id"],
            answered_at=_iso(entry.row.answered_at),
        )
        for entry in given
        if not entry.field.task["attention"]
    ]


class _Known:
    """What exists: forms, tasks and pages, by their opaque ids."""

    def __init__(self, fields: Mapping[tuple[str, str], Field]) -> None:
        tasks = [field.task for field in fields.values()]
        self.forms: dict[str, str] = {task["form_id"]: task["form"] for task in tasks}
        self.own_ids: dict[str, str] = {task["task_id"]: task["own_id"] for task in tasks}
        self.pages = {task["page_checksum"] for task in tasks}
        self.fields = frozenset(fields)


def _fields(tasks: Iterable[Mapping]) -> dict[tuple[str, str], Field]:
    fields: dict[tuple[str, str], Field] = {}
    for task in tasks:
        for content in json.loads(task["content"])["fields"]:
            fields[task["task_id"], content["field_id"]] = Field(task, content, len(fields))
    return fields


def _require_known(known: _Known, rows: Sequence[ReturnedRow]) -> None:
    require_one_spelling(
        "annotator_id", ((row.annotator_id, f"{row.file}: line {row.line}") for row in rows)
    )
    faults: dict[tuple[str, str], list[int]] = {}
    for row in rows:
        # A page that has changed since may have had tasks that are gone; a page as it is now has not, and
        # a row that does not say which page it is from proves nothing.
        current = row.page_checksum in known.pages or not row.page_checksum
        if row.form_id not in known.forms:
            fault = f"unknown form '{row.form_id}'"
        elif current and row.task_id not in known.own_ids:
            fault = f"unknown task '{row.task_id}'"
        elif current and (row.task_id, row.field_id) not in known.fields:
            fault = f"unknown field '{row.field_id}'"
        else:
            continue
        faults.setdefault((row.file, fault), []).append(row.line)
    if faults:
        (file, _), _ = next(iter(faults.items()))
        listed = [
            f"{fault} in {in_lines(lines)}"
            for (name, fault), lines in faults.items()
            if name == file
        ]
        rest = f"; and {len(listed) - 3} more" if len(listed) > 3 else ""
        raise AfterimageError(
            f"{file}: {'; '.join(listed[:3])}{rest}: not of this study's pages as they are in "
            "human/tasks of its results; expected the file of one of them."
        )


def _value(content: Mapping, answer: str) -> str | None:
    """Return the own id of the option that an answer names, or the text that was written."""
    if content["kind"] == "entry":
        return unicodedata.normalize("NFC", answer)
    by_id = {option["option_id"]: option["own_id"] for option in content["options"]}
    if answer in by_id:
        return by_id[answer]
    wanted = _plain(answer)
    for names in (
        lambda option: [option["code"]],
        lambda option: option["text"].values(),
        # A sheet lists "1 = the text"; somebody may copy all of it.
        lambda option: [f"{option['code']} = {text}" for text in option["text"].values()],
    ):
        found = {
            option["own_id"]
            for option in content["options"]
            if wanted in {_plain(name) for name in names(option)}
        }
        if len(found) == 1:
            return found.pop()
    return None


def _latest(given: list[Given], events: dict) -> Given:
    """Return the answer that stands of several; report the others."""
    if len(given) == 1:
        return given[0]
    times = [_time(entry.row.answered_at) for entry in given]
    order = sorted(
        range(len(given)),
        key=lambda index: (
            times[index] if None not in times else datetime.min.replace(tzinfo=UTC),
            given[index].row.file,
            given[index].row.line,
        ),
    )
    last = given[order[-1]]
    for index in order[:-1]:
        entry = given[index]
        same = entry.value == last.value
        said = (
            "given again, the same"
            if same
            else f"'{entry.value}', later '{last.value}', which stands"
        )
        _report(
            events,
            "duplicate_answer",
            entry.field.task["form"],
            entry.row,
            f"{_name(entry.field)}: {said}",
        )
    return last


def _report(events: dict, kind: str, form: str, row: ReturnedRow, detail: str) -> None:
    events.setdefault((kind, form, row.annotator_id, row.file, detail), []).append(row.line)


def _name(field: Field) -> str:
    return f"task '{field.task['own_id']}', field '{field.content['own_id']}'"


def _plain(text: str) -> str:
    folded = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    return folded.rstrip(".。")


def _time(text: str) -> datetime | None:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        for form in _TIMES:
            try:
                found = datetime.strptime(text, form)
            except ValueError:
                continue
            break
        else:
            return None
    try:
        return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
    except OverflowError:
        # The first or last hours of the calendar, in another zone.
        return None


def _iso(text: str) -> str:
    found = _time(text)
    if found is None:
        return ""
    return found.isoformat(timespec="seconds").replace("+00:00", "Z")
