"""The list of a form's tasks: checked, dealt to pages, with opaque ids and checksums."""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from afterimage.contract.task import Choice, Entry, Task, Text
from afterimage.errors import fault
from afterimage.files.png import check_png
from afterimage.items.form_texts import Texts
from afterimage.people.forms.tasks import (
    checks_per_page,
    checksum,
    instructed_checks,
    opaque_id,
    pages_of,
)

_LAYOUTS = ("list", "row")
_LEVELS = ("nominal", "ordinal")


def list_tasks(
    form: Any, inputs: object, spec: Mapping[str, Any], salt: str
) -> Iterator[dict[str, Any]]:
    """Yield the tasks of a form, schema FORM_TASK, page by page.

    Args:
        form: The form's part, as :mod:`afterimage.contract.task` describes it.
        inputs: What its tasks are made from, :class:`afterimage.files.stimulus.Inputs`.
        spec: What :func:`stages.forms.tasks_spec` returned.

    Raises:
        AfterimageError: A task is not what :mod:`afterimage.contract.task` describes.
    """
    texts = Texts(spec["texts"])
    names = (spec["suite"], spec["form"])
    tasks = list(form.tasks(inputs, spec["settings"], texts))
    _check(tasks, "/".join(names))

    def rank(name: str) -> str:
        return opaque_id(salt, *names, "order", name)

    dealt = pages_of(tasks, spec["batch_size"], rank)
    number = len(dealt) * checks_per_page(len(tasks), len(dealt), spec["attention"])
    drawn = sorted(tasks, key=lambda task: rank(task.id))
    if any(task.page for task in tasks):
        # A check is made of a task of its own page.
        drawn = [task for tier in zip_longest(*dealt) for task in tier if task is not None]
    checks = list(
        form.attention(drawn, number, texts)
        if spec["own_attention"]
        else instructed_checks(drawn, number, spec["instructed"], rank)
    )
    _check([*tasks, *checks], "/".join(names))
    for page, members in enumerate(_pages(dealt, checks, rank), 1):
        rows = [
            _row(task, names, salt, f"{page:02d}", order, list(spec["texts"]))
            for order, task in enumerate(members, 1)
        ]
        shown = json.dumps([[row["task_id"], row["task_checksums"]] for row in rows])
        yield from ({**row, "page_checksum": checksum(shown)} for row in rows)


def _pages(
    dealt: Sequence[Sequence[Task]], checks: Sequence[Task], rank: Callable[[str], str]
) -> Iterator[list[Task]]:
    for page, members in enumerate(dealt):
        ordered = list(members)
        for task in checks[page :: len(dealt)]:
            # Anywhere but at the very start, where attention has not waned.
            index = 1 + int(hashlib.sha256(rank(task.id).encode()).hexdigest(), 16) % len(ordered)
            ordered.insert(index, task)
        yield ordered


def _row(
    task: Task, names: tuple[str, str], salt: str, page: str, order: int, languages: Sequence[str]
) -> dict[str, Any]:
    content = _content(task, names, salt)
    return {
        "suite": names[0],
        "form": names[1],
        "page": page,
        "order": order,
        "form_id": opaque_id(salt, *names),
        "task_id": opaque_id(salt, *names, "task", task.id),
        "own_id": task.id,
        "attention": bool(task.expected),
        "task_checksums": {code: _shown_checksum(task, content, code) for code in languages},
        "images": list(task.images),
        "content": json.dumps(content, ensure_ascii=False, sort_keys=True),
        "about": dict(task.about),
    }


def _content(task: Task, names: tuple[str, str], salt: str) -> dict[str, Any]:
    """Return heading, passages and fields as plain values, in the order shown."""
    fields: list[dict[str, Any]] = []
    for field in task.fields:
        path = (*names, "field", task.id, field.id)
        entry = {
            "field_id": opaque_id(salt, *path),
            "optional": field.optional,
            "own_id": field.id,
            "text": dict(field.text),
        }
        if isinstance(field, Entry):
            fields.append({**entry, "kind": "entry", "most": field.most})
            continue
        options: list[dict[str, Any]] = [
            {
                "code": option.code,
                "option_id": opaque_id(salt, *path, option.id),
                "own_id": option.id,
                "text": dict(option.text),
            }
            for option in field.options
        ]
        if field.shuffle:
            options.sort(key=lambda option: option["option_id"])
        for number, option in enumerate(options, 1):
            option["code"] = option["code"] or str(number)
        fields.append(
            {
                **entry,
                "expected": task.expected.get(field.id),
                "kind": "choice",
                "layout": field.layout,
                "level": field.level,
                "options": options,
            }
        )
    if task.shuffle_fields:
        fields.sort(key=lambda field: field["field_id"])
    passages = [
        {"heading": dict(passage.heading), "text": dict(passage.text)} for passage in task.passages
    ]
    return {"fields": fields, "heading": dict(task.heading), "passages": passages}


def _shown_checksum(task: Task, content: Mapping[str, Any], language: str) -> str:
    """Sum up what the task shows in one language; ids, settings of the layout and other languages are not in it."""

    def said(text: Text) -> str:
        return text.get(language, next(iter(text.values()), ""))

    shown = [
        [hashlib.sha256(image).hexdigest() for image in task.images],
        said(content["heading"]),
        [[said(passage["heading"]), said(passage["text"])] for passage in content["passages"]],
        [
            [said(field["text"]), [said(option["text"]) for option in field.get("options", ())]]
            for field in content["fields"]
        ],
    ]
    return checksum(json.dumps(shown, ensure_ascii=False))


def _check(tasks: Iterable[Task], where: str) -> None:
    known = set()
    for task in tasks:
        location = f"form {where}, task '{task.id}'"
        if task.id in known:
            raise fault(location, "occurs twice; expected tasks with different ids.")
        known.add(task.id)
        _different([field.id for field in task.fields], location, "fields")
        if not task.fields:
            raise fault(location, "has no field; expected at least one.")
        for image in task.images:
            check_png(image, location)
        for field in task.fields:
            if isinstance(field, Choice):
                _check_choice(field, task.expected.get(field.id), f"{location}, field '{field.id}'")


def _check_choice(field: Choice, expected: str | None, location: str) -> None:
    ids = [option.id for option in field.options]
    if len(ids) < 2:
        raise fault(location, f"has {len(ids)} options; expected at least two.")
    _different(ids, location, "options")
    codes = [option.code for option in field.options if option.code is not None]
    _different(codes, location, "codes of options")
    if codes and len(codes) < len(ids):
        raise fault(
            location, f"{len(codes)} of {len(ids)} options have a code; expected all or none."
        )
    for name, value, valid in (
        ("layout", field.layout, _LAYOUTS),
        ("level", field.level, _LEVELS),
        ("expected option", expected if expected is not None else ids[0], ids),
    ):
        if value not in valid:
            raise fault(location, f"{name} is '{value}'; expected one of {', '.join(valid)}.")


def _different(names: Sequence[str], location: str, what: str) -> None:
    if len(set(names)) != len(names):
        raise fault(location, f"has {what} with the same name; expected different ones.")
