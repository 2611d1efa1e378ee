"""The words of tables, charts and pages in the study's language (config key ``language``).

The code says everything in English. What is said instead in another language is data, one file per language in
``resources/words``: English on the left, with slots for what changes. What no file knows stays English, and so does
what is a name: of models, suites, prompts, factors, files and keys. CSV files are the same in every language.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from afterimage.errors import config_key
from afterimage.files.paths import ROOT
from afterimage.files.yaml import read_yaml_mapping

#: The language of the code.
ENGLISH = "en"
FOLDER = ROOT / "resources" / "words"

_SLOT = re.compile(r"\{(\w+)\}")
# A slot whose name is n, or n with a figure, holds a number; the others hold words of one sentence, which are looked up
# as well.
_NUMBER = re.compile(r"n\d*")
_ANY_NUMBER, _ANY_WORDS = r"[-+]?\d[\d,]*(?:\.\d+)?(?:e-?\d+)?", r"(?:(?!\. ).)+?"


class Words:
    """What is said instead of English.

    Attributes:
        language: Its code.
        texts: English to the other language, with slots.
    """

    def __init__(self, language: str, texts: Mapping[str, str]) -> None:
        """Take English texts, with slots such as ``{name}``, and what is said instead, with the same slots."""
        self.language = language
        self.texts = dict(texts)
        # What fixes most letters comes first: it says more of the text that it fits.
        self._open = [
            (key.partition("{")[0], _expression(key), said)
            for key, said in sorted(texts.items(), key=lambda text: -len(_SLOT.sub("", text[0])))
            if _SLOT.search(key)
        ]

    def __bool__(self) -> bool:
        """Tell whether anything is said otherwise than in English."""
        return bool(self.texts)

    def said(self, text: str) -> str:
        """Return a text in the language: as a whole, or else sentence by sentence; English where it is not known."""
        if not self:
            return text
        words = " ".join(text.split())
        known = self._known(words)
        if known is not None:
            return known
        if ". " not in words:
            return text
        sentences = list(self._sentences(words.split(". ")))
        # Of the other language some sentences end in a full stop that needs no blank.
        return "".join(
            one if one.endswith("。") or one is sentences[-1] else f"{one} " for one in sentences
        )

    def _sentences(self, parts: list[str]) -> Iterator[str]:
        """Yield what is said for as many sentences together as are known, from the left."""
        ended = [f"{part}." for part in parts[:-1]] + parts[-1:]
        first = 0
        while first < len(ended):
            for last in range(len(ended), first, -1):
                known = self._known(" ".join(ended[first:last]))
                if known is not None:
                    break
            else:
                known, last = ended[first], first + 1
            yield known
            first = last

    def _known(self, text: str) -> str | None:
        if text in self.texts:
            return self.texts[text]
        for start, expression, said in self._open:
            if text.startswith(start) and (found := expression.fullmatch(text)):
                slots = found.groupdict()
                return said.format(
                    **{
                        name: value if _NUMBER.fullmatch(name) else self.said(value)
                        for name, value in slots.items()
                    }
                )
        return None


def _expression(key: str) -> re.Pattern[str]:
    """Return the expression of a text with slots."""
    pieces = _SLOT.split(key)
    return re.compile(
        "".join(
            re.escape(piece)
            if place % 2 == 0
            else f"(?P<{piece}>{_ANY_NUMBER if _NUMBER.fullmatch(piece) else _ANY_WORDS})"
            for place, piece in enumerate(pieces)
        )
    )


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
