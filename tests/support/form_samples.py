"""A form of no suite, with every kind of field, and what is needed to list, write and read it in tests."""

import csv
import io
import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from afterimage.contract.task import Choice, Entry, Option, Passage, Task, literal
from afterimage.files.png import encode_png
from afterimage.items.form_texts import page_texts
from afterimage.people.forms.page import Design, render_page
from afterimage.people.forms.task_list import list_tasks

FORMS = Path(__file__).resolve().parents[2] / "resources" / "forms"
SALT = "5a" * 32
LANGUAGES = ["en", "ja"]
ABOUT = {
    "en": {"title": "Surfaces", "instructions": ["Look at each picture.", "Answer."]},
    "ja": {"title": "表面", "instructions": ["画像を見てください。", "答えてください。"]},
}
YES_OR_NO = (
    Option("accepted", {"en": "suitable", "ja": "適切"}, code="1"),
    Option("rejected", {"en": "not suitable", "ja": "不適切"}, code="0"),
)
SCALE = tuple(
    Option(f"score_{step}", {"en": english, "ja": japanese}, code=str(step))
    for step, (english, japanese) in enumerate(
        [("wrong", "誤り"), ("partly right", "一部正しい"), ("right", "正しい")]
    )
)


def png(shade: int, side: int = 24) -> bytes:
    """Return a grey square as PNG."""
    return encode_png(np.full((side, side, 3), shade, dtype=np.uint8))


def choice_task(name: str, shade: int = 128, **other) -> Task:
    """Return a task with one picture and one choice among three."""
    options = tuple(
        Option(side, {"en": f"The {side} one.", "ja": f"{side}の方。"})
        for side in ("left", "right", "same")
    )
    question = {"en": "Which one is larger?", "ja": "どちらが大きいですか。"}
    return Task(
        id=name,
        fields=(Choice("larger", question, options),),
        images=(png(shade),),
        about={"image_id": name},
        **other,
    )


def words_task(name: str) -> Task:
    """Return a task with five words to accept or reject."""
    words = ("つやつや", "ざらざら", "ふわふわ", "甘い", "重い")
    return Task(
        id=name,
        fields=tuple(Choice(word, literal(word, "ja"), YES_OR_NO, layout="row") for word in words),
        images=(png(90),),
        heading={"en": "Object: ball", "ja": "物体：球"},
        shuffle_fields=True,
    )


def writing_task(name: str) -> Task:
    """Return a task with two lines to write, one of them optional."""
    return Task(
        id=name,
        fields=(
            Entry("word_1", {"en": "First word", "ja": "表現1"}),
            Entry("word_2", {"en": "Second word", "ja": "表現2"}, optional=True),
        ),
        images=(png(60),),
    )


def rating_task(name: str, answer: str = "A glossy ball.") -> Task:
    """Return a task with a description to rate and a note, and nothing to look at but text."""
    return Task(
        id=name,
        fields=(
            Choice(
                "score",
                {"en": "How right?", "ja": "どの程度正しいですか。"},
                SCALE,
                level="ordinal",
            ),
            Entry("own_remark", {"en": "Remark", "ja": "備考"}, optional=True),
        ),
        passages=(
            Passage({"en": "Reference", "ja": "正解"}, literal("A ball.", "en")),
            Passage({"en": "Description", "ja": "説明"}, literal(answer)),
        ),
    )


def form_module(tasks, **other) -> SimpleNamespace:
    """Return a form's module with these tasks; its rows are all that an answer tells."""

    def rows(answers):
        for answer in answers:
            yield {
                "annotator_id": answer.annotator_id,
                "task": answer.task_id,
                "field": answer.field_id,
                "value": answer.value,
            }

    return SimpleNamespace(
        COLUMNS=("annotator_id", "task", "field", "value"),
        tasks=lambda inputs, settings, texts: list(tasks),
        rows=rows,
        **other,
    )


def tasks_spec(**other) -> dict:
    """Return what the plan hands to the listing of tasks."""
    return {
        "attention": 0,
        "batch_size": 30,
        "form": "verify",
        "instructed": {code: page_texts(FORMS, LANGUAGES)[code]["attention"] for code in LANGUAGES},
        "own_attention": False,
        "part": "surfaces.verify",
        "settings": {},
        "suite": "surfaces",
        "texts": {code: dict(about) for code, about in ABOUT.items()},
        **other,
    }


def page_spec(languages=LANGUAGES) -> dict:
    """Return what the plan hands to the writing of a page."""
    return {"about": ABOUT, "languages": list(languages), "page": page_texts(FORMS, languages)}


def design() -> Design:
    """Return template, style and script."""
    template, style, shared, script = (
        (FORMS / name).read_text(encoding="utf-8")
        for name in ("page.html.j2", "page.css", "shared.js", "page.js")
    )
    return Design(template, style, f"{shared}\n{script}")


def listed(tasks, salt: str = SALT, module_other: dict | None = None, **spec) -> list[dict]:
    """List tasks: rows of the schema FORM_TASK."""
    own = module_other or {}
    spec = tasks_spec(own_attention="attention" in own, **spec)
    return list(list_tasks(form_module(tasks, **own), None, spec, salt))


def rendered(rows, languages=LANGUAGES) -> str:
    """Write a page of listed tasks."""
    return render_page(rows, page_spec(languages), design())


def fields_of(row) -> list[dict]:
    """Return the fields of a listed task."""
    return json.loads(row["content"])["fields"]


def answered(rows, answer, annotator="p1", **other) -> list[dict]:
    """Return the rows of the file that a page saves, ``answer(task row, field)`` deciding each answer."""
    return [
        {
            "form_id": row["form_id"],
            "page": row["page"],
            "page_checksum": row["page_checksum"],
            "task_id": row["task_id"],
            "task_checksum": row["task_checksums"]["en"],
            "field_id": field["field_id"],
            "order": str(row["order"]),
            "language": "en",
            "annotator_id": annotator,
            "answer": answer(row, field),
            "answered_at": "2025-06-01T10:00:00.000Z",
            "shown": "",
            **other,
        }
        for row in rows
        for field in fields_of(row)
    ]


def as_csv(rows, separator=",", line_end="\r\n") -> str:
    """Write rows as CSV."""
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(rows[0]), delimiter=separator, lineterminator=line_end)
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()
