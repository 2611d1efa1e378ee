"""The words of tables, charts and pages in the study's language (config key ``language``).

The code is written in English. Translations are data, one file per language in ``resources/words``: it maps each
English text, or template of a :class:`~afterimage.note.Note`, to its translation. A text without a translation stays
English, and so do names of models, suites, prompts, factors, files and keys. CSV files are the same in every language.
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
    """Translations of English texts into one language.

    Attributes:
        texts: English text to its translation, with the same slots.
    """

    def __init__(self, language: str, texts: Mapping[str, str]) -> None:
        """Take English texts, with slots such as ``{name}``, and their translations."""
        self.language = language
        self.texts = dict(texts)

    def __bool__(self) -> bool:
        """Tell whether there is any translation."""
        return bool(self.texts)

    def translate(self, text: str) -> str:
        """Return the translation, or the text where there is none; slots of a note are translated one by one."""
        if not self:
            return text
        known = self.texts.get(" ".join(text.split()))
        if known is not None:
            return known
        if not (isinstance(text, Note) and text.slots):
            return text
        template = self.texts.get(" ".join(text.template.split()), text.template)
        slots = {
            name: self.translate(value) if isinstance(value, str) else value
            for name, value in text.slots.items()
        }
        # No space follows this full stop.
        return template.format(**slots).replace("。 ", "。")


def languages() -> list[str]:
    """Return the codes of all languages that a study may have, English first."""
    return [ENGLISH, *sorted(path.stem for path in FOLDER.glob("*.yaml"))]


def depends(language: str) -> dict[str, str]:
    """Return the language and its translations, for the job's fingerprint; nothing for English."""
    if language == ENGLISH:
        return {}
    return {"language": language, "words": sha256(_path(language).read_bytes()).hexdigest()}


def words_of(spec: Mapping[str, Any], *parts: str) -> Words:
    """Return the translations for the language that a job's spec names.

    Args:
        spec: "language" is absent for English.
        parts: Parts of the file: "texts", "cells" (what may be alone in a cell of a table), "examples",
            "scripts", "captions".
    """
    return _words(spec.get("language", ENGLISH), parts)


@cache
def _words(language: str, parts: tuple[str, ...]) -> Words:
    if language == ENGLISH:
        return Words(language, {})
    read = read_yaml_mapping(_path(language), config_key("language"))
    return Words(language, {key: text for part in parts for key, text in read[part].items()})


def _path(language: str) -> Path:
    return FOLDER / f"{language}.yaml"
