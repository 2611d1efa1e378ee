"""The words in which answers are given: data, ``resources/answers``, made into regular expressions.

The files list expressions by language. A language that is written with spaces gets word boundaries around each of them.
A language that stands in any list must say how it denies (``resources/answers/denials``), or the list does not load.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from afterimage.errors import fault
from afterimage.files.yaml import read_yaml
from afterimage.grading.first_signs import ahead

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


@cache
def cue(name: str) -> re.Pattern:
    """Return the expression of one kind of cue of ``cues.yaml``."""
    return re.compile(expression(load("cues")[name]))


def _alternatives(words: Iterable[str]) -> str:
    longer_first = sorted(words, key=len, reverse=True)
    return f"{ahead(longer_first)}(?:{'|'.join(longer_first)})"
