"""Rows that came back are joined with the tasks that they answer; the rest is reported."""

import json
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from afterimage.contract.task import Answer
from afterimage.errors import AfterimageError
from afterimage.files.human_responses import in_lines
from afterimage.files.row_ids import require_one_spelling
from afterimage.files.written_values import (
    AmbiguousNumberError,
    WrittenTime,
    read_times,
    whole_number_in,
)
from afterimage.people.forms.returned_files import CutOffRow, ReturnedRow

#: Columns of the report of rows that were not counted, or were changed.
REPORT_COLUMNS = {
    "kind": "`blank_answer`, `cut_off_answer`, `duplicate_answer`, `contradictory_answer`, `stale_answer`, "
    "`unreadable_answer`, `impossible_time` or `ambiguous_time`",
    "form": "the form",
    "annotator_id": "whose answers",
    "file": "in which file",
    "count": "how many",
    "lines": 'line numbers, at most ten, then "and N more"',
    "detail": "what was found",
}

_OF_TRIALS = ("session", "order", "milliseconds", "shown", "px_per_mm", "distance_cm")
_LONGEST_TIME = 60
_LONG_AGO = datetime.min.replace(tzinfo=UTC)


class Field(NamedTuple):
    """One field of the tasks that were put, with all that an answer to it is judged by.

    Attributes:
        task: Its task, schema FORM_TASK without images.
        content: The field's entry in the task's content.
        place: Its rank among all fields of the form.
    """

    task: Mapping[str, Any]
    content: Mapping[str, Any]
    place: int


class Given(NamedTuple):
    """One answer that counts.

    Attributes:
        field: What it answers.
        value: The suite's own id of the option, or the text.
        moment: When it was given, in UTC; None if unknown.
    """

    field: Field
    value: str
    row: ReturnedRow
    moment: datetime | None = None


#: Kind, form, annotator, file and words of what is reported, to its lines.
_Events = dict[tuple[str, str, str, str, str], list[int]]


class Joined(NamedTuple):
    """What counts, and what does not.

    Attributes:
        given: Answers that count, attention checks among them, by annotator and then in the form's order.
        report: Rows with the columns ``REPORT_COLUMNS``.
    """

    given: list[Given]
    report: list[dict[str, object]]


def join(tasks: Iterable[Mapping[str, Any]], rows: Sequence[ReturnedRow]) -> Joined:
    """Join rows with tasks.

    Not counted, and reported: blank answers (missing, not zero), answers that name no option, rows whose
    task shows something else now (stale), and of several answers of one person to one field all but the
    latest: by the time they were given if all say it, else by line; in a session, those to one trial. Of
    different ones in several files without times, or with times that cannot be read or are ambiguous, none counts.

    Args:
        tasks: The tasks as they are now, schema FORM_TASK; images may be left out.

    Raises:
        AfterimageError: A row is of another form, or of a task or field that its page never had; or two annotators'
            names differ in case alone, or as 7 and 7.0 do.
    """
    fields = _fields(tasks)
    known = _Known(fields)
    events: _Events = {}
    candidates: dict[tuple[str, str, tuple[str, int]], list[Given]] = {}
    blank: list[ReturnedRow] = []
    _require_known(known, [row for row in rows if not isinstance(row, CutOffRow)])
    times = _times(rows)
    for row, time in zip(rows, times, strict=True):
        if isinstance(row, CutOffRow):
            message = "the file ends inside this row: not counted"
            _report(events, "cut_off_answer", known.forms.get(row.form_id, ""), row, message)
            continue
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
                _report_time(events, form, row, time)
                given = Given(field, value, row, time.moment)
                whose = (row.annotator_id, row.field_id, row.trial)
                candidates.setdefault(whose, []).append(given)
                continue
            fault = (
                "unreadable_answer",
                f"{_name(field)}: '{row.answer}' names none of its options",
            )
        _report(events, fault[0], form, row, fault[1])
    for row in blank:
        # Whoever saved a page half done and again at the end left nothing out.
        if (row.annotator_id, row.field_id, row.trial) not in candidates:
            _report(events, "blank_answer", known.forms[row.form_id], row, "no answer: missing")
    latest = (_latest(answers, events) for answers in candidates.values())
    counted = [given for given in latest if given is not None]
    counted.sort(key=lambda given: (given.row.annotator_id, *given.row.trial, given.field.place))
    return Joined(counted, _rows(events))


def _rows(events: Mapping[tuple[str, str, str, str, str], list[int]]) -> list[dict[str, object]]:
    report = [
        {
            **dict(zip(("kind", "form", "annotator_id", "file", "detail"), key, strict=True)),
            "count": len(lines),
            "lines": in_lines(lines),
        }
        for key, lines in events.items()
    ]
    report.sort(key=lambda row: (row["kind"], row["form"], row["file"], row["annotator_id"]))
    return report


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
            answered_at=_iso(entry.moment),
            trial=_trial(entry.row),
        )
        for entry in given
        if not entry.field.task["attention"]
    ]


def _trial(row: ReturnedRow) -> dict[str, str]:
    values: dict[str, str] = row._asdict()
    return {name: values[name] for name in _OF_TRIALS} if row.session else {}


class _Known:
    """What exists: forms, tasks and pages, by their opaque ids."""

    def __init__(self, fields: Mapping[tuple[str, str], Field]) -> None:
        tasks = [field.task for field in fields.values()]
        self.forms: dict[str, str] = {task["form_id"]: task["form"] for task in tasks}
        self.own_ids: dict[str, str] = {task["task_id"]: task["own_id"] for task in tasks}
        self.pages = {task["page_checksum"] for task in tasks}
        self.fields = frozenset(fields)


def _fields(tasks: Iterable[Mapping[str, Any]]) -> dict[tuple[str, str], Field]:
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


def _value(content: Mapping[str, Any], answer: str) -> str | None:
    """Return the own id of the option that an answer names, or the text that was written."""
    if content["kind"] == "entry":
        return unicodedata.normalize("NFC", answer)
    by_id: dict[str, str] = {option["option_id"]: option["own_id"] for option in content["options"]}
    if answer in by_id:
        return by_id[answer]
    wanted = _plain(answer)
    for names in (
        lambda option: [option["code"]],
        lambda option: option["text"].values(),
        # A sheet lists "1 = the text"; people may copy all of it.
        lambda option: [f"{option['code']} = {text}" for text in option["text"].values()],
    ):
        found: set[str] = {
            option["own_id"]
            for option in content["options"]
            if wanted in {_plain(name) for name in names(option)}
        }
        if len(found) == 1:
            return found.pop()
    return _numbered_option(content["options"], answer)


def _numbered_option(options: Sequence[Mapping[str, Any]], answer: str) -> str | None:
    """Return the own id of the option whose number, or whose text as a number, an answer is, however it was written."""
    wanted = _number(answer)
    for names in (lambda option: [option["code"]], lambda option: option["text"].values()):
        found: set[str] = {
            option["own_id"]
            for option in options
            if wanted is not None and wanted in map(_number, names(option))
        }
        if len(found) == 1:
            return found.pop()
    return None


def _number(text: str) -> int | None:
    try:
        return whole_number_in(text)
    except AmbiguousNumberError:
        return None


def _times(rows: Sequence[ReturnedRow]) -> list[WrittenTime]:
    """Return when each answer was given; all times of a file decide the order of day and month."""
    by_file: dict[str, list[str]] = {}
    for row in rows:
        by_file.setdefault(row.file, []).append(row.answered_at)
    read = {file: iter(read_times(texts)) for file, texts in by_file.items()}
    return [next(read[row.file]) for row in rows]


def _report_time(events: _Events, form: str, row: ReturnedRow, time: WrittenTime) -> None:
    if not row.answered_at or time.moment is not None:
        return
    written = f"'{row.answered_at[:_LONGEST_TIME]}'"
    if time.either:
        days = " or ".join(f"{moment.day} {moment:%B %Y}" for moment in time.either)
        message = f"{written} is {days}: counted, as answered at no known time"
        _report(events, "ambiguous_time", form, row, message)
    else:
        message = f"{written} is no time: counted, as answered at no known time"
        _report(events, "impossible_time", form, row, message)


def _latest(given: list[Given], events: _Events) -> Given | None:
    """Return the answer in force of several, None if undecidable; report the others."""
    if len(given) == 1:
        return given[0]
    if not _are_in_order(given):
        _report_contradiction(given, events)
        return None
    in_order = sorted(
        given,
        key=lambda answer: (
            (answer.moment if _all_known(given) else None) or _LONG_AGO,
            *(answer.row.file, answer.row.line),
        ),
    )
    last = in_order[-1]
    for entry in in_order[:-1]:
        same = entry.value == last.value
        message = (
            "given again, the same"
            if same
            else f"'{entry.value}', later '{last.value}', which stands"
        )
        _report(
            events,
            "duplicate_answer",
            entry.field.task["form"],
            entry.row,
            f"{_name(entry.field)}: {message}",
        )
    return last


def _all_known(given: Iterable[Given]) -> bool:
    return all(answer.moment is not None for answer in given)


def _are_in_order(given: Sequence[Given]) -> bool:
    """Tell whether it is known which of several answers is the latest, or all are the same."""
    last = max((answer.moment for answer in given if answer.moment is not None), default=None)
    latest = [answer for answer in given if answer.moment == last] if _all_known(given) else given
    if len({answer.value for answer in latest}) == 1:
        return True
    # Who answers twice in one file does so from top to bottom.
    unread = any(answer.row.answered_at and answer.moment is None for answer in latest)
    return len({answer.row.file for answer in latest}) == 1 and not unread


def _report_contradiction(given: Sequence[Given], events: _Events) -> None:
    for entry in given:
        other = next((answer for answer in given if answer.value != entry.value), entry)
        message = (
            f"'{entry.value}' here, '{other.value}' in {other.row.file}, line {other.row.line}, and no time tells "
            "which is later: none counts"
        )
        form = entry.field.task["form"]
        _report(events, "contradictory_answer", form, entry.row, f"{_name(entry.field)}: {message}")


def _report(events: _Events, kind: str, form: str, row: ReturnedRow, detail: str) -> None:
    events.setdefault((kind, form, row.annotator_id, row.file, detail), []).append(row.line)


def _name(field: Field) -> str:
    return f"task '{field.task['own_id']}', field '{field.content['own_id']}'"


def _plain(text: str) -> str:
    folded = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    return folded.rstrip(".。")


def _iso(moment: datetime | None) -> str:
    return "" if moment is None else moment.isoformat(timespec="seconds").replace("+00:00", "Z")
