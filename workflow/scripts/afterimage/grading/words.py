"""The words in which answers are given: data, ``resources/answers``, made into regular expressions.

The files list expressions by language. A language that is written with spaces gets word boundaries around each of them.
A language that stands in any list must say how it denies (``resources/answers/denials``), or the list does not load.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, reduce
from hashlib import sha256
from itertools import chain
from operator import getitem
from pathlib import Path
from sys import maxsize
from typing import Any

from afterimage.errors import fault
from afterimage.files.yaml import read_yaml
from afterimage.grading.first_signs import ahead
from afterimage.grading.needed import needed

FOLDER = Path(__file__).resolve().parents[4] / "resources" / "answers"
#: Languages that are written without spaces, or join particles to their words; and signs that are no words.
_UNSPACED = ("ja", "zh", "ko", "th", "signs")
# An expression that begins with a sign of such a language.
_BEGINS_JOINED = re.compile(r"(?:\(\?(?:<[!=][^)]*\)|:))*[^\x00-\x7f]")
# A key of a list that names a language; "no" is an answer.
_LANGUAGE = re.compile(r"(?!no$)[a-z]{2}")
# What a file of denials must have at least one of.
_DENYING = ("before", "behind", "prefix")
# No word before; a quote may open there, an apostrophe not.
_LEFT = r"\b(?=\w)(?<!-)(?<!\w')"


@cache
def load(name: str) -> Mapping[str, Any]:
    """Return one of the files by its name without ending.

    Raises:
        AfterimageError: It has words of a language that has no denials.
    """
    data = read_yaml(FOLDER / f"{name}.yaml")
    require_denials(data, f"{FOLDER / name}.yaml")
    return data


@cache
def denials(language: str) -> Mapping[str, Any]:
    """Return how a language denies, empty where nothing says so; keys as in :mod:`afterimage.grading.denial`."""
    path = FOLDER / "denials" / f"{language}.yaml"
    return read_yaml(path) if path.is_file() else {}


def require_denials(data: Any, where: str) -> None:
    """Raise where lists hold words of a language that has no denials.

    Args:
        data: Lists of words by language, in mappings of any depth.
        where: The file, for the error.
    """
    for language in sorted(set(_languages(data))):
        if not any(denials(language).get(key) for key in _DENYING):
            raise fault(
                where,
                f"has words in the language '{language}', of which nothing says how it denies; expected "
                f"{FOLDER / 'denials' / language}.yaml with words under one of: {', '.join(_DENYING)}.",
            )


def digest() -> str:
    """Return a hash of all files; a job that reads answers depends on it."""
    files = sorted(FOLDER.rglob("*.yaml"))
    return sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


def _languages(data: Any) -> Iterator[str]:
    if isinstance(data, Mapping):
        for key, value in data.items():
            if isinstance(value, list | dict) and _LANGUAGE.fullmatch(str(key)):
                yield key
            yield from _languages(value)
    elif isinstance(data, list):
        for value in data:
            yield from _languages(value)


def expression(by_language: Mapping[str, Iterable[str]], before: str = _LEFT) -> str:
    """Return one regular expression for the words of all languages, longer ones first where they begin alike.

    Args:
        by_language: Language to expressions.
        before: What bounds a word on its left where words are written apart.
    """
    spaced, joined = [], []
    for language, words in by_language.items():
        (joined if language in _UNSPACED else spaced).extend(words)
    parts = []
    if spaced:
        parts.append(rf"{before}{_alternatives(spaced)}(?!\w|'\w)")
    # Words that begin with a sign of these languages come first, and begin with nothing else.
    for guard, is_own in (("(?=[^\x00-\x7f])", True), ("", False)):
        own = [word for word in joined if (_BEGINS_JOINED.match(word) is not None) == is_own]
        if own:
            parts.append(guard + _alternatives(own))
    return "|".join(parts)


class Words:
    """Words of all languages, looked for like a pattern, where a text holds a part of one of them.

    Attributes:
        pattern: All as one expression.
        match: Returns the word that stands at a place of a text.
        fullmatch: Returns the word that a text is.
    """

    def __init__(self, by_language: Mapping[str, Iterable[str]], before: str = _LEFT) -> None:
        """Compile the words; arguments as of :func:`expression`."""
        self._compiled = re.compile(expression(by_language, before))
        self._needed = tuple(needed(chain.from_iterable(by_language.values())))
        self.pattern = self._compiled.pattern
        self.match, self.fullmatch = self._compiled.match, self._compiled.fullmatch

    def search(self, text: str, start: int = 0, end: int = maxsize) -> re.Match | None:
        """Return the first of the words."""
        if self._needed and not any(map(text.__contains__, self._needed)):
            return None
        return self._compiled.search(text, start, end)

    def finditer(self, text: str) -> Iterator[re.Match]:
        """Return all of the words in their order."""
        if self._needed and not any(map(text.__contains__, self._needed)):
            return iter(())
        return self._compiled.finditer(text)

    def sub(self, instead: str | Callable[[re.Match], str], text: str) -> str:
        """Return the text with something else instead of the words."""
        return self._compiled.sub(instead, text) if self.search(text) else text


@cache
def listed(name: str, *keys: str | int) -> Words:
    """Return the words that stand in one of the files under some keys, one within the other."""
    return Words(reduce(getitem, keys, load(name)))


@cache
def cue(name: str) -> Words:
    """Return the words of one kind of cue of ``cues.yaml``."""
    return listed("cues", name)


def _alternatives(words: Iterable[str]) -> str:
    longer_first = sorted(words, key=len, reverse=True)
    return f"{ahead(longer_first)}(?:{'|'.join(longer_first)})"
