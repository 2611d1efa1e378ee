"""The suite's own format: one folder with ``images.csv``, ``tf.jsonl``, ``mcq.jsonl`` and ``golden.jsonl``.

A file that does not follow the format is a fault and stops; a row that cannot be used is left out with the reason.
"""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from afterimage.errors import AfterimageError, config_path, fault
from afterimage.files.csv_rows import read_peoples_rows
from afterimage.files.external_text import read_text_file
from afterimage.files.json_files import json_object
from afterimage.files.paths import inner_path
from afterimage.files.row_ids import RowIds, name_text
from afterimage.suites.illusionbench import annotations
from afterimage.suites.illusionbench.annotations import (
    NO_FILE,
    Choice,
    Dataset,
    Exclusion,
    Picture,
    Statement,
)
from afterimage.suites.illusionbench.names import CATEGORIES, DIFFICULTIES

IMAGES, STATEMENTS, CHOICES, GOLDEN = "images.csv", "tf.jsonl", "mcq.jsonl", "golden.jsonl"
_FILES = (IMAGES, STATEMENTS, CHOICES, GOLDEN)
_COLUMNS = (
    *("image_id", "file", "category", "difficulty"),
    *("width", "height", "source", "licence"),
)
_WHERE = config_path("suites.illusionbench.folder")
#: The type that a row of one of the files is read as.
_Made = TypeVar("_Made")


def files(settings: Mapping[str, Any]) -> list[str]:
    """Return the files of the annotations.

    Raises:
        AfterimageError: One of them is not there.
    """
    folder = settings["folder"]
    if folder is None:
        raise fault(
            _WHERE,
            f"found nothing; expected the folder that holds {', '.join(_FILES)} and the images "
            "(docs/illusionbench.md says what stands in them).",
        )
    paths = [Path(folder) / name for name in _FILES]
    for path in paths:
        if not path.is_file():
            raise fault(
                _WHERE,
                f"file '{path}' does not exist; expected {', '.join(_FILES)} and the images in this folder "
                "(docs/illusionbench.md says what stands in them).",
            )
    return [str(path) for path in paths]


def read(settings: Mapping[str, Any]) -> Dataset:
    """Read the folder.

    Raises:
        AfterimageError: A file does not follow the format; the file and the line are named.
    """
    paths = files(settings)
    exclusions: list[Exclusion] = []
    pictures = _pictures(Path(settings["folder"]), exclusions)
    statements = _by_image(paths[1], pictures, exclusions, "true_false", _statement)
    choices = _by_image(paths[2], pictures, exclusions, "multiple_choice", _choice)
    goldens = _by_image(paths[3], pictures, exclusions, "description", _golden)
    complete = (
        picture._replace(
            statements=tuple(statements.get(name, ())),
            choices=tuple(choices.get(name, ())),
            golden=next(iter(goldens.get(name, ())), None),
        )
        for name, picture in pictures.items()
        if picture is not None
    )
    chosen, unused = annotations.split_usable(complete, settings["leave_out"])
    return Dataset(tuple(chosen), (*exclusions, *unused), tuple(paths), annotations.version(paths))


def image_file(settings: Mapping[str, Any], picture: Picture) -> str:
    return str(Path(settings["folder"]) / picture.file)


def _pictures(folder: Path, exclusions: list[Exclusion]) -> dict[str, Picture | None]:
    """Return every image that is named, None for those that are left out."""
    path = folder / IMAGES
    pictures: dict[str, Picture | None] = {}
    names = RowIds[int]("image_id", name_text)
    for line, row in read_peoples_rows(path, _COLUMNS, "annotations"):
        name = row["image_id"]
        if not name or not all(
            sign.isascii() and (sign.isalnum() or sign in "._-") for sign in name
        ):
            raise AfterimageError(
                f"{path}, line {line}: image_id {name!r} is not usable in file names; expected ASCII letters, "
                "digits, '.', '_' and '-'."
            )
        names.add(name, line, f"{path}, line {line}")
        if row["file"]:
            inner_path(row["file"], f"{path}, line {line}")
        reason = _image_fault(folder, row)
        if reason:
            exclusions.append(Exclusion("image", name, name, *reason))
        pictures[name] = None if reason else _picture(path, line, row)
    return pictures


def _image_fault(folder: Path, row: Mapping[str, str]) -> tuple[str, str] | None:
    if row["category"] not in CATEGORIES:
        return "unknown category", row["category"]
    if row["difficulty"] not in DIFFICULTIES:
        return "unknown difficulty", row["difficulty"]
    if not row["file"] or not (folder / row["file"]).is_file():
        return NO_FILE, row["file"]
    return None


def _picture(path: Path, line: int, row: Mapping[str, str]) -> Picture:
    size = (row["width"], row["height"])
    if any(size) and not all(part.isdigit() for part in size):
        raise AfterimageError(
            f"{path}, line {line}: found width {size[0]!r} and height {size[1]!r}; expected whole numbers, or neither."
        )
    size_px = (int(size[0]), int(size[1])) if all(size) else None
    return Picture(
        row["image_id"], row["file"], row["category"], row["difficulty"], size_px=size_px
    )


def _by_image(
    path: str,
    pictures: Mapping[str, Picture | None],
    exclusions: list[Exclusion],
    kind: str,
    make: Callable[[Mapping[str, Any], str], _Made | Exclusion],
) -> dict[str, list[_Made]]:
    rows: dict[str, list[_Made]] = {}
    key = "image_id" if kind == "description" else "item_id"
    names, images = RowIds[int](key, name_text), RowIds[None]("image_id", name_text)
    for picture in pictures:
        images.add(picture, None, IMAGES)
    for line, row in _json_rows(path):
        where = f"{path}, line {line}"
        image, name = _text(row, "image_id", where), _text(row, key, where)
        names.add(name, line, where)
        images.find(image, where)
        made = make(row, where)
        if image not in pictures:
            exclusions.append(Exclusion(kind, name, image, f"its image is not in {IMAGES}"))
        elif pictures[image] is None:
            exclusions.append(Exclusion(kind, name, image, "its image is left out"))
        elif isinstance(made, Exclusion):
            exclusions.append(made)
        else:
            rows.setdefault(image, []).append(made)
    return rows


def _statement(row: Mapping[str, Any], where: str) -> Statement:
    gold = row.get("gold")
    if not isinstance(gold, bool):
        raise fault(where, f"found gold {gold!r}; expected true or false.")
    about = _about(row, ("semantic", "presence"), where)
    return Statement(row["item_id"], _text(row, "statement", where), gold, about)


def _choice(row: Mapping[str, Any], where: str) -> Choice | Exclusion:
    options, gold = row.get("options"), row.get("gold_index")
    if not isinstance(options, list) or not all(isinstance(option, str) for option in options):
        raise fault(where, f"found options {options!r}; expected a list of texts.")
    if isinstance(gold, bool) or not isinstance(gold, int):
        raise fault(where, f"found gold_index {gold!r}; expected a whole number from 0.")
    about = _about(row, ("content", "cause"), where)
    question = _text(row, "question", where)
    reason = annotations.choice_fault(options, gold)
    if reason:
        detail = f"gold_index {gold} of {len(options)} options"
        return Exclusion("multiple_choice", row["item_id"], row["image_id"], reason, detail)
    return Choice(row["item_id"], question, tuple(options), gold, about)


def _golden(row: Mapping[str, Any], where: str) -> str | Exclusion:
    description = _text(row, "description", where)
    has_illusion = row.get("has_illusion")
    if not isinstance(has_illusion, bool):
        raise fault(where, f"found has_illusion {has_illusion!r}; expected true or false.")
    claimed = annotations.claims_illusion(description)
    if claimed is None:
        reason = "no sentence on the presence of an illusion"
    elif claimed != has_illusion:
        reason = "its sentence on the presence of an illusion says otherwise than has_illusion"
    else:
        return description
    return Exclusion("description", row["image_id"], row["image_id"], reason)


def _about(row: Mapping[str, Any], valid: tuple[str, ...], where: str) -> str:
    about = row.get("about")
    if not isinstance(about, str) or about not in valid:
        raise fault(where, f"found about {about!r}; expected {' or '.join(valid)}.")
    return about


def _text(row: Mapping[str, Any], key: str, where: str) -> str:
    value = row.get(key)
    if not isinstance(value, str) or not value.strip():
        raise fault(where, f"found {key} {value!r}; expected a text.")
    return value


def _json_rows(path: str) -> Iterator[tuple[int, dict[str, Any]]]:
    lines = read_text_file(path, "JSON lines", "save it with the encoding UTF-8").split("\n")
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield number, json_object(line, number, path)
