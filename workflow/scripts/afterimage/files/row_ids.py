"""Rows of others' files by the ids that join them: each id once, and one id however it is written.

Among them COCO's annotations: images, categories and what is annotated.

Standard library only: the Snakefile reads others' files whenever it is parsed.
"""

import logging
import math
import re
import unicodedata
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, Generic, NamedTuple, TypeVar

from afterimage.errors import AfterimageError, fault
from afterimage.files.json_files import read_lists

_Content = TypeVar("_Content")
# A whole number, as people, pandas and spreadsheets write it.
_WHOLE = re.compile(r"(-?)0*([0-9]+)(?:\.0+)?")
_LONGEST_SHOWN = 100


def id_text(value: object) -> str | None:
    """Return an id as text: ``7``, ``7.0``, ``"7"``, ``"007"`` and ``" 7 "`` are one id; None for what is no id."""
    if type(value) is int:
        return str(value)
    if isinstance(value, float) and math.isfinite(value) and value == int(value):
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int | str):
        return None
    text = unicodedata.normalize("NFKC", str(value)).strip()
    whole = _WHOLE.fullmatch(text)
    if whole is None:
        return text or None
    return f"{whole[1]}{whole[2]}" if whole[2].strip("0") else "0"


def name_text(value: object) -> str | None:
    """Return a name as it is compared, with composed letters; None for what is no name."""
    text = unicodedata.normalize("NFC", value).strip() if isinstance(value, str) else ""
    return text or None


def without_case(text: str) -> str:
    """Return one text for all names that differ in case alone."""
    return text.casefold()


def without_folder(text: str) -> str:
    """Return one text for all paths that differ in case or folder alone."""
    return PurePosixPath(text.replace("\\", "/")).name.casefold()


def without_writing(text: str) -> str:
    """Return one text for all names that differ in case, blanks or signs without width alone, or as ``7.0`` from 7."""
    shown = "".join(sign for sign in text if unicodedata.category(sign) != "Cf")
    return " ".join((id_text(shown) or shown).split()).casefold()


def require_one_spelling(what: str, named: Iterable[tuple[str, str]]) -> None:
    """Check that repeated names are spelled the same each time, so that none counts as two.

    Args:
        what: What the names are called, such as ``annotator_id``.
        named: Each name and its place, for the message.

    Raises:
        AfterimageError: Two names differ in case alone, or as ``7`` and ``7.0`` do; both places are named.
    """
    names = RowIds[None](what, name_text, without_writing)
    for name, location in named:
        if name.strip():
            names.add(name, None, location)


class _Row(NamedTuple):
    written: object
    location: str
    content: object


class RowIds(Mapping[str, _Content], Generic[_Content]):
    """Rows by an id, from one file or several; an id that occurs twice is a fault that names both places.

    A row that repeats another in all that counts is taken once.

    Attributes:
        repeated: How many rows repeated another.
    """

    def __init__(
        self,
        what: str,
        read: Callable[[object], str | None] = id_text,
        alike: Callable[[str], Hashable] = without_case,
    ) -> None:
        """Start with none.

        Args:
            what: What the ids are called in messages, such as ``image id``.
            read: Converts a value of the file to text, :func:`id_text` or :func:`name_text`.
            alike: What two ids may not have in common, :func:`without_case` or :func:`without_folder`.
        """
        self.repeated = 0
        self._what, self._read, self._alike = what, read, alike
        self._rows: dict[str, _Row] = {}
        self._spellings: dict[Hashable, str] = {}

    def __getitem__(self, key: str) -> _Content:
        return self._rows[key].content  # type: ignore[return-value]

    def __iter__(self) -> Iterator[str]:
        """Yield the ids as texts, in the order of the rows."""
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, written: object, content: _Content, location: str) -> str:
        """Add a row and return its id as text.

        Args:
            written: The id as written in the file.
            content: The row, or what counts of it.
            location: File and entry or line, for messages.

        Raises:
            AfterimageError: It is no id, another row has it, or one whose id differs in case (or folder) alone.
        """
        text = self._text(written, location)
        known = self._rows.get(text)
        if known is None:
            spelling = self._spellings.setdefault(self._alike(text), text)
            if spelling != text:
                raise self._alike_error(written, location, self._rows[spelling])
            self._rows[text] = _Row(written, location, content)
        elif known.content != content:
            ways = {_shown(known): None, _shown(written): None}
            how = f" (written {' and '.join(ways)})" if len(ways) > 1 else ""
            raise fault(
                location,
                f"{self._what} {text if _WHOLE.fullmatch(text) else repr(text)}{how} occurs here for the "
                f"second time, first in {known.location}; expected each once.",
            )
        else:
            self.repeated += 1
        return text

    def find(self, written: object, location: str) -> str | None:
        """Return, as text, the id that an entry refers to; None if no row has it.

        Args:
            written: The id as the entry has it.
            location: File and entry, for messages.

        Raises:
            AfterimageError: It is no id, or differs in case (or folder) alone from that of a row.
        """
        text = self._text(written, location)
        if text in self._rows:
            return text
        spelling = self._spellings.get(self._alike(text))
        if spelling is not None:
            raise self._alike_error(written, location, self._rows[spelling])
        return None

    def _text(self, written: object, location: str) -> str:
        text = self._read(written)
        if text is None:
            raise fault(
                location,
                f"found {self._what} {_shown(written)}; expected "
                f"{'a whole number or a text' if self._read is id_text else 'a text'}.",
            )
        return text

    def _alike_error(self, written: object, location: str, other: _Row) -> AfterimageError:
        first, second = (str(self._read(written_id)) for written_id in (written, other.written))
        if first.casefold() == second.casefold():
            how = "case"
        elif id_text(first) == id_text(second) or without_writing(first) == without_writing(second):
            how = "the way it is written"
        else:
            how = "its folder"
        return fault(
            location,
            f"{self._what} {_shown(written)} differs from {_shown(other)} ({other.location}) in {how} alone; "
            "expected one spelling of one thing, and names that differ in more for two.",
        )


def _shown(written: object) -> str:
    value = written.written if isinstance(written, _Row) else written
    shown = ascii(value) if isinstance(value, bytes) else repr(value)
    return shown if len(shown) <= _LONGEST_SHOWN else f"{shown[:_LONGEST_SHOWN]}..."


logger = logging.getLogger(__name__)

_IMAGES, _CATEGORIES, _ANNOTATIONS = "images", "categories", "annotations"


class Annotation(NamedTuple):
    """One annotation: the id of its image, the name of its category (empty in captions), and its entry."""

    image: str
    category: str
    entry: Mapping[str, Any]


class Coco(NamedTuple):
    """A file of annotations.

    Attributes:
        images: Image id, as text, to its entry, in the file's order.
        categories: The names of all categories, each once, in the file's order; none in captions.
        annotations: In the file's order.
    """

    content: Mapping[str, Any]
    images: Mapping[str, Mapping[str, Any]]
    categories: tuple[str, ...]
    annotations: tuple[Annotation, ...]


def read_coco(
    path: str | Path, expected: str, lists: Mapping[str, Sequence[str]], noun: str = "annotation"
) -> Coco:
    """Read a file of annotations and join its lists.

    Ids may be numbers or texts of digits, here one and there the other. An entry that repeats another in full counts
    once, with a warning.

    Args:
        path: The file, packed or not.
        expected: What it should be, for errors.
        lists: Its lists, and the keys of their entries; ``categories`` may be left out.
        noun: What its annotations are called in errors.

    Raises:
        AfterimageError: The file is missing, lacks a key, two entries have one id, two images one file name, or an
            annotation belongs to no image or category.
    """
    content = read_lists(path, expected, lists)
    images, annotations = _images(content, path), RowIds[Mapping[str, Any]](f"{noun} id")
    categories = _categories(content, path) if _CATEGORIES in lists else None
    joined = []
    for location, entry in _located(content, _ANNOTATIONS, path):
        if _repeats(annotations, entry, location):
            continue
        image = images.find(entry["image_id"], location)
        category = None if categories is None else categories.find(entry["category_id"], location)
        if image is None or (category is None and categories is not None):
            key = "image" if image is None else "category"
            raise AfterimageError(
                f"{path}: {noun} {entry.get('id')} belongs to {key} {entry[f'{key}_id']}, which the file does not "
                f"hold; expected {expected}."
            )
        name = "" if categories is None or category is None else categories[category]
        joined.append(Annotation(image, name, entry))
    names = () if categories is None else tuple(dict.fromkeys(categories.values()))
    repeated = images.repeated + annotations.repeated
    if repeated:
        logger.warning("%s: %d entries repeat another in full; each counts once", path, repeated)
    return Coco(content, images, names, tuple(joined))


def _images(content: Mapping[str, Any], path: str | Path) -> RowIds[Mapping[str, Any]]:
    images = RowIds[Mapping[str, Any]]("image id")
    files = RowIds[str]("file name", name_text, without_folder)
    for location, entry in _located(content, _IMAGES, path):
        files.add(entry["file_name"], images.add(entry["id"], entry, location), location)
    return images


def _repeats(known: RowIds[Mapping[str, Any]], entry: Mapping[str, Any], location: str) -> bool:
    """Note an annotation, and tell whether it repeats another; without an id none does."""
    before = known.repeated
    if entry.get("id") is not None:
        known.add(entry["id"], entry, location)
    return known.repeated > before


def _categories(content: Mapping[str, Any], path: str | Path) -> RowIds[str]:
    """Return the names of categories by id; several may have one name, which is then one category."""
    found, names = RowIds[str]("category id"), RowIds[None]("category name", name_text)
    for location, entry in _located(content, _CATEGORIES, path):
        found.add(entry["id"], names.add(entry["name"], None, location), location)
    return found


def _located(
    content: Mapping[str, Any], name: str, path: str | Path
) -> list[tuple[str, Mapping[str, Any]]]:
    return [
        (f"{path}: {name}, entry {number}", entry)
        for number, entry in enumerate(content.get(name) or ())
    ]
