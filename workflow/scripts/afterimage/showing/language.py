"""The words of tables, charts and pages in the study's language (config key ``language``).

The code says everything in English. What is said instead in another language is data, one file per language in
``resources/words``: to each English text, or template of a :class:`~afterimage.note.Note`, the other language's. What
no file knows stays English, and so does what is a name: of models, suites, prompts, factors, files and keys. CSV files
are the same in every language.
"""

from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from afterimage.errors import config_key
from afterimage.files.paths import ROOT
from afterimage.files.yaml import read_yaml_mapping
from afterimage.note import Note

#: The language of the code.
ENGLISH = "en"
FOLDER = ROOT / "resources" / "words"


class Words:
    """What is said instead of English.

    Attributes:
        texts: English to the other language, both with the same slots.
    """

    def __init__(self, language: str, texts: Mapping[str, str]) -> None:
        """Take English texts, with slots such as ``{name}``, and what is said instead, with the same slots."""
        self.language = language
        self.texts = dict(texts)

    def __bool__(self) -> bool:
        """Tell whether anything is said otherwise than in English."""
        return bool(self.texts)

    def said(self, text: str) -> str:
        """Return a text in the language, and English where it is not known; of a note, each slot by itself."""
        if not self:
            return text
        known = self.texts.get(" ".join(text.split()))
        if known is not None:
            return known
        if not (isinstance(text, Note) and text.slots):
            return text
        template = self.texts.get(" ".join(text.template.split()), text.template)
        slots = {
            name: self.said(value) if isinstance(value, str) else value
            for name, value in text.slots.items()
        }
        # A sentence that ends in this full stop has no blank behind it.
        return template.format(**slots).replace("。 ", "。")


def languages() -> list[str]:
    """Return the codes of all languages that a study may have, English first."""
    return [ENGLISH, *sorted(path.stem for path in FOLDER.glob("*.yaml"))]


def depends(language: str) -> dict[str, str]:
    """Return what a job's result depends on that says something to readers: nothing where that is English."""
    if language == ENGLISH:
        return {}
    return {"language": language, "words": sha256(_path(language).read_bytes()).hexdigest()}


def words_of(spec: Mapping[str, Any], *parts: str) -> Words:
    """Return the words of the language that a job's values name.

    Args:
        spec: With "language", or without it for English.
        parts: Parts of the file: "texts", "cells" (what may stand alone in a cell of a table), "examples",
            "scripts", "captions".
    """
    return _words(spec.get("language", ENGLISH), parts)


@cache
def _words(language: str, parts: tuple[str, ...]) -> Words:
    if language == ENGLISH:
        return Words(language, {})
    read = read_yaml_mapping(_path(language), config_key("language"))
    return Words(language, {key: said for part in parts for key, said in read[part].items()})


def _path(language: str) -> Path:
    return FOLDER / f"{language}.yaml"
