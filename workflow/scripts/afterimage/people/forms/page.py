"""A form as a page and as a sheet."""

import base64
import hashlib
import io
import json
import struct
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import jinja2
from markupsafe import Markup

from afterimage.contract.task import Session, Slot, Text
from afterimage.errors import AfterimageError
from afterimage.files.csv_rows import write_rows
from afterimage.items.form_texts import fill

#: The columns of the file that a page saves, one row per field.
COLUMNS = (
    *("form_id", "page", "page_checksum", "task_id", "task_checksum", "field_id", "order"),
    *("language", "annotator_id", "answer", "answered_at", "shown"),
)

#: Further columns of what a session saves, one row per trial: which session it was, how long it took, and the screen.
SESSION_COLUMNS = (*COLUMNS, "session", "milliseconds", "px_per_mm", "distance_cm")

#: Cells whose answers tell nearly as much as the best one's are drawn from, so that the next picture is unpredictable:
#: in nats of the entropy that is left.
TOLERANCE = 0.01
#: The widest that a picture is shown.
WIDEST_MM = 200

# Texts of the script; all other texts are in the page in all languages.
_SCRIPT_WORDS = (
    *("code_missing", "code_unusable", "downloaded", "kept", "not_kept", "picture"),
    *("picture_of_several", "progress", "restart_confirm", "task"),
    *("unanswered", "unanswered_task"),
)
_SESSION_WORDS = (
    *(
        "begin_trials",
        "code_missing",
        "code_unusable",
        "distance",
        "distance_unknown",
        "downloaded",
    ),
    *("kept", "not_kept", "not_sent", "picture", "practice", "practice_how", "progress_trials"),
    *("restart_confirm", "right", "sending", "sent", "trials_how", "wrong"),
)


class Design(NamedTuple):
    """The files that give a page its form: template, style and script, as text."""

    template: str
    style: str
    script: str


def render_page(tasks: Sequence[Mapping[str, Any]], spec: Mapping[str, Any], design: Design) -> str:
    """Return the page of some tasks as HTML.

    Of each task it holds what people see, opaque ids and checksums; not the suite's own ids, the
    options expected in attention checks, or which tasks those are.

    Args:
        tasks: The tasks of one page in their order, schema FORM_TASK.
        spec: What :func:`stages.forms.page_spec` returned.
    """
    languages = list(spec["languages"])
    words = _filling(spec["page"], languages)
    return _rendered(
        tasks,
        spec,
        design,
        data=_data(tasks, languages, spec["page"], _titles(spec)),
        tasks=[_task(task, len(tasks), languages, words) for task in tasks],
    )


def render_session(
    tasks: Sequence[Mapping[str, Any]], session: Session, spec: Mapping[str, Any], design: Design
) -> str:
    """Return the page of a session as HTML: all of its pictures, and what places its trials.

    Unlike other pages it has to hold what a picture is worth: which answer would be right, and which tasks are checks.

    Args:
        tasks: The tasks of one page, schema FORM_TASK.
        session: What the form says of them.
        spec: What :func:`stages.forms.session_spec` returned.
    """
    settings = spec["session"]
    post_to = settings["post_to"] or ""
    data = {
        **_known(tasks, list(spec["languages"]), spec["page"], _titles(spec), _SESSION_WORDS),
        "columns": SESSION_COLUMNS,
        "degrees": session.degrees,
        "exposure_ms": session.exposure_ms,
        "post_to": post_to,
        "practice": settings["practice"]
        if any(slot.practice for slot in session.slots.values())
        else 0,
        "tasks": [_trial_task(task, session.slots.get(task["own_id"])) for task in tasks],
        "tolerance": TOLERANCE,
        "tracks": [
            {"first": _rounded(track.first), "prior": list(track.prior)} for track in session.tracks
        ],
        "trials": _trials(session, settings["trials"]) + sum(task["attention"] for task in tasks),
        "widest_mm": WIDEST_MM,
    }
    parts = urlsplit(post_to)
    connect = f"{parts.scheme}://{parts.netloc}" if post_to else ""
    return _rendered(
        tasks, spec, design, data=data, tasks=[], trials=data["trials"], connect=connect
    )


def _trials(session: Session, each: int) -> int:
    """Return how many pictures count: so many for each curve, and of those in a fixed order no more than there are."""
    counts = 0
    for number, track in enumerate(session.tracks):
        listed = [slot for slot in session.slots.values() if slot.track == number]
        counts += each if track.first else min(each, sum(not slot.practice for slot in listed))
    return counts


def _trial_task(task: Mapping[str, Any], slot: Slot | None) -> dict[str, Any]:
    """Return a task of a session as its script needs it; options by their opaque ids."""
    content = json.loads(task["content"])
    (field,) = content["fields"]
    opaque = {option["own_id"]: option["option_id"] for option in field["options"]}
    fields = {"track": None, "cell": None, "first": "", "key": "", "practice": False}
    if slot is not None:
        fields = slot._asdict() | {
            name: opaque.get(named, "")
            for name, named in (("first", slot.first), ("key", slot.key))
        }
    return {
        **fields,
        **_image(task["images"][0]),
        "checksums": dict(task["task_checksums"]),
        "field": field["field_id"],
        "id": task["task_id"],
        "options": [
            {"id": option["option_id"], "text": option["text"]} for option in field["options"]
        ],
        "text": field["text"],
    }


def _rounded(table: Sequence[Sequence[float]]) -> list[list[float]]:
    return [[float(f"{chance:.6g}") for chance in row] for row in table]


def _titles(spec: Mapping[str, Any]) -> dict[str, str]:
    return {code: spec["about"][code]["title"] for code in spec["languages"]}


def _filling(
    page: Mapping[str, Mapping[str, Any]], languages: Sequence[str]
) -> Callable[..., list[dict[str, Any]]]:
    def words(key: str, **values: str) -> list[dict[str, Any]]:
        return _variants(
            {code: fill(page[code][key], code, **values) for code in languages}, languages
        )

    return words


def _rendered(
    rows: Sequence[Mapping[str, Any]], spec: Mapping[str, Any], design: Design, **shown: Any
) -> str:
    languages = list(spec["languages"])
    page, about = spec["page"], spec["about"]
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined)
    title = _titles(spec)
    style = design.style + _language_rules(languages)
    words = _filling(page, languages)
    plain = {key: words(key) for key in page[languages[0]] if "{" not in page[languages[0]][key]}
    return environment.from_string(design.template).render(
        instructions=[
            _variants(dict(zip(languages, paragraph, strict=True)), languages)
            for paragraph in _paragraphs(about, languages)
        ],
        language_names={code: page[code]["language"] for code in languages},
        languages=languages,
        page={**plain, "page_name": words("page_name", page=rows[0]["page"])},
        plain_title=title[languages[0]],
        script=Markup(design.script),
        script_hash=_hash(design.script),
        style=Markup(style),
        style_hash=_hash(style),
        title=_variants(title, languages),
        **{"connect": "", "trials": 0, **shown},
    )


def _task(
    task: Mapping[str, Any], number: int, languages: Sequence[str], words: Callable[..., Any]
) -> dict[str, Any]:
    content = json.loads(task["content"])
    position = str(task["order"])
    several = len(task["images"]) > 1
    return {
        "count": words("task", number=position, all=str(number)),
        "fields": [_field(field, languages) for field in content["fields"]],
        "heading": _variants(content["heading"], languages),
        "id": task["task_id"],
        "images": [
            {
                "alt": (
                    words("picture_of_several", number=position, index=str(index))
                    if several
                    else words("picture", number=position)
                ),
                **_image(image),
            }
            for index, image in enumerate(task["images"], 1)
        ],
        "number": task["order"],
        "passages": [
            {name: _variants(passage[name], languages) for name in ("heading", "text")}
            for passage in content["passages"]
        ],
    }


def _field(field: Mapping[str, Any], languages: Sequence[str]) -> dict[str, Any]:
    shown = {
        "id": field["field_id"],
        "kind": field["kind"],
        "optional": field["optional"],
        "text": _variants(field["text"], languages),
    }
    if field["kind"] == "entry":
        return {**shown, "most": field["most"]}
    options = [
        {"id": option["option_id"], "text": _variants(option["text"], languages)}
        for option in field["options"]
    ]
    return {**shown, "layout": field["layout"], "options": options}


def _image(png: bytes) -> dict[str, Any]:
    # The header of a PNG file begins with its size; a page keeps the place before the picture is decoded.
    width, height = struct.unpack(">II", png[16:24])
    source = f"data:image/png;base64,{base64.b64encode(png).decode()}"
    return {"height": height, "source": source, "width": width}


def _data(
    tasks: Sequence[Mapping[str, Any]],
    languages: Sequence[str],
    page: Mapping[str, Mapping[str, Any]],
    title: Mapping[str, str],
) -> dict[str, Any]:
    return {
        **_known(tasks, languages, page, title, _SCRIPT_WORDS),
        "columns": COLUMNS,
        "tasks": [
            {
                "checksums": task["task_checksums"],
                "fields": [
                    {"id": field["field_id"], "optional": field["optional"]}
                    for field in json.loads(task["content"])["fields"]
                ],
                "id": task["task_id"],
            }
            for task in tasks
        ],
    }


def _known(
    tasks: Sequence[Mapping[str, Any]],
    languages: Sequence[str],
    page: Mapping[str, Mapping[str, Any]],
    title: Mapping[str, str],
    keys: Sequence[str],
) -> dict[str, Any]:
    """Return what every page's script has to know: which page it is, and the words that it says itself."""
    first = tasks[0]
    return {
        "form_id": first["form_id"],
        "languages": languages,
        "page": first["page"],
        "page_checksum": first["page_checksum"],
        "words": {
            code: {**{key: page[code][key] for key in keys}, "title": title[code]}
            for code in languages
        },
    }


def _variants(text: Text, languages: Sequence[str]) -> list[dict[str, Any]]:
    """Return a text in the forms in which a page shows it, each with the languages that it is shown in.

    A text that is the same for all languages has an empty list there; a language without the text
    gets the first form that exists, marked as what it is.
    """
    if not text:
        return []
    available = {code: text[code] for code in languages if code in text}
    if not available:
        code, value = next(iter(text.items()))
        return [{"code": code, "languages": [], "literal": True, "text": value}]
    fallback = next(iter(available))
    shown_in = {
        code: [
            other
            for other in languages
            if other == code or (code == fallback and other not in available)
        ]
        for code in available
    }
    return [
        {
            "code": code,
            "languages": shown_in[code] if len(available) > 1 else [],
            "literal": False,
            "text": value,
        }
        for code, value in available.items()
    ]


def _paragraphs(
    about: Mapping[str, Mapping[str, Any]], languages: Sequence[str]
) -> list[tuple[str, ...]]:
    columns = [about[code]["instructions"] for code in languages]
    if len({len(column) for column in columns}) > 1:
        counts = ", ".join(
            f"{code} {len(column)}" for code, column in zip(languages, columns, strict=True)
        )
        raise AfterimageError(
            f"instructions of the form '{about[languages[0]]['title']}': numbers of paragraphs differ ({counts}); "
            "expected as many in every language."
        )
    return list(zip(*columns, strict=True))


def _language_rules(languages: Sequence[str]) -> str:
    return "".join(
        f'html[data-language="{code}"] .t:not(.in-{code}) {{ display: none; }}\n'
        for code in languages
    )


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


# ---- sheet ----

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
