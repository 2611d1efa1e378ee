"""The words in which answers are given: data, ``resources/answers``, made into regular expressions.

The files list expressions by language. A language that is written with spaces gets word boundaries around each of them.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from afterimage.files.yaml import read_yaml

FOLDER = Path(__file__).resolve().parents[4] / "resources" / "answers"
#: Languages that are written without spaces, or join particles to their words; and signs that are no words.
_UNSPACED = ("ja", "zh", "ko", "signs")
# An expression that begins with a sign of such a language.
_BEGINS_JOINED = re.compile(r"(?:\(\?(?:<[!=][^)]*\)|:))*[^\x00-\x7f]")
# No word before; a quote may open there, an apostrophe not.
_LEFT = r"\b(?=\w)(?<!-)(?<!\w')"


@cache
def load(name: str) -> Mapping[str, Any]:
    """Return one of the files by its name without ending."""
    return read_yaml(FOLDER / f"{name}.yaml")


def digest() -> str:
    """Return a hash of all files; a job that reads answers depends on it."""
    files = sorted(FOLDER.glob("*.yaml"))
    return sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


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
        parts.append(rf"{before}(?:{_alternatives(spaced)})(?!\w|'\w)")
    # One look ahead instead of one at each word: most replies have no sign of these languages.
    for guard, words in (("(?=[^\x00-\x7f])", True), ("", False)):
        own = [word for word in joined if (_BEGINS_JOINED.match(word) is not None) == words]
        if own:
            parts.append(f"{guard}(?:{_alternatives(own)})")
    return "|".join(parts)


@cache
def cue(name: str) -> re.Pattern:
    """Return the expression of one kind of cue of ``cues.yaml``."""
    return re.compile(expression(load("cues")[name]))


def _alternatives(words: Iterable[str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))
