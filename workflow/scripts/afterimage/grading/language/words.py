"""The words in which answers are given: data, ``resources/answers``, made into regular expressions.

The files list expressions by language. Languages that are written with spaces get word boundaries around each. Every
language in a list needs a file of denials (``resources/answers/denials``), or the list does not load.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from hashlib import sha256
from itertools import chain
from pathlib import Path
from sys import maxsize
from typing import Any

from afterimage.errors import fault
from afterimage.files.yaml import read_yaml_mapping

FOLDER = Path(__file__).resolve().parents[5] / "resources" / "answers"
#: Languages that are written without spaces, or join particles to their words; and "signs", which are no words.
_UNSPACED = ("ja", "zh", "ko", "th", "signs")
# An expression that begins with a character of such a language.
_BEGINS_JOINED = re.compile(r"(?:\(\?(?:<[!=][^)]*\)|:))*[^\x00-\x7f]")
# A key of a list that names a language; "no" is an answer.
_LANGUAGE = re.compile(r"(?!no$)[a-z]{2}")
# A file of denials must have at least one of these.
_DENYING = ("before", "behind", "prefix")
# No word character right before, nor an apostrophe; an opening quote may be there.
_LEFT = r"\b(?=\w)(?<!-)(?<!\w')"


@cache
def load(name: str) -> Mapping[str, Any]:
    """Return one of the files by its name without ending.

    Raises:
        AfterimageError: It has words of a language that has no denials.
    """
    data = read_yaml_mapping(FOLDER / f"{name}.yaml", "the word lists")
    require_denials(data, f"{FOLDER / name}.yaml")
    return data


@cache
def denials(language: str) -> Mapping[str, Any]:
    """Return a language's denials, empty without a file; keys as in ``language/denial.py``."""
    path = FOLDER / "denials" / f"{language}.yaml"
    return read_yaml_mapping(path, "the word lists") if path.is_file() else {}


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
        before: Left boundary of words in languages with spaces.
    """
    spaced: list[str] = []
    joined: list[str] = []
    for language, words in by_language.items():
        (joined if language in _UNSPACED else spaced).extend(words)
    parts = []
    if spaced:
        parts.append(rf"{before}{_any_of(spaced)}(?!\w|'\w)")
    # Words that begin with a character of these languages come first, behind one lookahead.
    for guard, is_guarded in (("(?=[^\x00-\x7f])", True), ("", False)):
        group = [word for word in joined if (_BEGINS_JOINED.match(word) is not None) == is_guarded]
        if group:
            parts.append(guard + _any_of(group))
    return "|".join(parts)


class Words:
    """Words of all languages as one pattern; texts without a required part of any word are not searched.

    Attributes:
        pattern: All words as one expression.
        match: Matches a word at a position of a text.
        fullmatch: Matches a text that is a word.
    """

    def __init__(self, by_language: Mapping[str, Iterable[str]], before: str = _LEFT) -> None:
        """Compile the words; arguments as of :func:`expression`."""
        self._compiled = re.compile(expression(by_language, before))
        self._needed = tuple(needed(chain.from_iterable(by_language.values())))
        self.pattern = self._compiled.pattern
        self.match, self.fullmatch = self._compiled.match, self._compiled.fullmatch

    def search(self, text: str, start: int = 0, end: int = maxsize) -> re.Match[str] | None:
        if self._needed and not any(map(text.__contains__, self._needed)):
            return None
        return self._compiled.search(text, start, end)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        if self._needed and not any(map(text.__contains__, self._needed)):
            return iter(())
        return self._compiled.finditer(text)

    def sub(self, instead: str | Callable[[re.Match[str]], str], text: str) -> str:
        return self._compiled.sub(instead, text) if self.search(text) else text


@cache
def listed(name: str, *keys: str | int) -> Words:
    """Return the words of one of the files under some nested keys."""
    found: Any = load(name)
    for key in keys:
        found = found[key]
    return Words(found)


@cache
def cue(name: str) -> Words:
    """Return the words of one kind of cue of ``cues.yaml``."""
    return listed("cues", name)


def _any_of(words: Iterable[str]) -> str:
    longer_first = sorted(words, key=len, reverse=True)
    return f"{ahead(longer_first)}(?:{'|'.join(longer_first)})"


def is_refusal(reply: str) -> bool:
    """Tell whether a reply, NFKC-normalised, refuses to answer, by Japanese or English words that mean nothing else."""
    return cue("refusal_alone").search(reply.replace("’", "'").lower()) is not None


# ---- first characters of the words of a list: one lookahead instead of an attempt at each word ----

# Zero-width parts: a lookaround without groups, a boundary.
_LOOK = re.compile(r"\(\?<?[=!][^()]*\)|\\b|\^")
_SIGN = re.compile(r"\\[dsw]|\\[^\w\s]|[^\\()\[\]{}.*+?|^$]")
_CLASS = re.compile(r"\[(?!\^)((?:\\.|[^\]\\])+)\]")
GROUP = "(?:"
_NOTHING = ""
ATOMIC = re.compile(r"\[\^?\]?(?:\\.|[^\]\\])*\]|\\.")
MAY_BE_MISSING = re.compile(r"(?:[?*]|\{0?,\d*\})[?+]?")
# Characters with a special meaning in a class.
_SPECIAL = re.compile(r"([\[\]^\\&~|-])")


def ahead(words: Iterable[str]) -> str:
    """Return a lookahead for the first character of any of the words; empty if one may begin with anything.

    Args:
        words: Parts of regular expressions.
    """
    found: set[str] = set()
    for word in words:
        signs = _first_signs(word)
        if signs is None or _NOTHING in signs:
            return ""
        found |= signs
    return f"(?=[{''.join(sorted(found))}])" if found else ""


def _first_signs(part: str) -> set[str] | None:
    """Return a part's first characters, as content of a class, with ``_NOTHING`` if it may be empty; None: unknown."""
    found: set[str] = set()
    for alternative in alternatives(part):
        signs = _sequence(alternative)
        if signs is None:
            return None
        found |= signs
    return found


def _sequence(part: str) -> set[str] | None:
    found: set[str] = set()
    position = 0
    while position < len(part):
        look = _LOOK.match(part, position)
        if look is not None:
            position = look.end()
            continue
        signs, position = _atom(part, position)
        if signs is None:
            return None
        found |= signs - {_NOTHING}
        missing = MAY_BE_MISSING.match(part, position)
        if missing is None and _NOTHING not in signs:
            return found
        position = missing.end() if missing else position
    return found | {_NOTHING}


def _atom(part: str, position: int) -> tuple[set[str] | None, int]:
    """Return the first characters of the atom at a position, and its end."""
    if part.startswith(GROUP, position):
        end = closing(part, position)
        return _first_signs(part[position + len(GROUP) : end]), end + 1
    match = _CLASS.match(part, position)
    if match is not None:
        return {match[1]}, match.end()
    sign = _SIGN.match(part, position)
    if sign is None:
        return None, position
    return {sign[0] if len(sign[0]) > 1 else _SPECIAL.sub(r"\\\1", sign[0])}, sign.end()


def alternatives(part: str) -> Iterator[str]:
    """Yield the alternatives of a part of a regular expression."""
    begin = 0
    for position, sign, depth in _walk(part):
        if sign == "|" and depth == 0:
            yield part[begin:position]
            begin = position + 1
    yield part[begin:]


def closing(part: str, begin: int) -> int:
    """Return the end of the group that begins at a position."""
    return next(
        position for position, sign, depth in _walk(part, begin) if sign == ")" and depth == 0
    )


def _walk(part: str, begin: int = 0) -> Iterator[tuple[int, str, int]]:
    """Yield position, character and depth of groups of each character outside classes; brackets are outside."""
    depth, position = 0, begin
    while position < len(part):
        match = ATOMIC.match(part, position)
        if match is not None:
            position = match.end()
            continue
        depth -= part[position] == ")"
        yield position, part[position], depth
        depth += part[position] == "("
        position += 1


# ---- parts that a text must contain if it contains a word of a list: checked before a search ----

_LOOK_AROUND = re.compile(r"\(\?<?[=!]")
_EDGE = re.compile(r"\\[bB]|[\^$]")
_REPEATED = re.compile(r"(?:[*+?]|\{\d*,?\d*\})[?+]?")
_LITERAL = re.compile(r"\\?(?=[^\w\\])(.)|\w", re.DOTALL)
_ANY = "."


def needed(words: Iterable[str]) -> frozenset[str]:
    """Return parts of which every text with one of the words contains at least one; empty if unknown.

    Args:
        words: Parts of regular expressions.
    """
    found: set[str] = set()
    for alternative in alternatives("|".join(words)):
        # The longest are the rarest.
        parts = max(_needed_parts(alternative), key=_length, default=frozenset())
        if not parts:
            return frozenset()
        found |= parts
    return frozenset(part for part in found if not any(other in part for other in found - {part}))


def _length(parts: frozenset[str]) -> tuple[int, int]:
    return min(map(len, parts), default=0), -len(parts)


def _needed_parts(sequence: str) -> Iterator[frozenset[str]]:
    """Yield, for each obligatory piece of a sequence, the parts of which it contains one."""
    run = ""
    for atom, is_sure, is_repeated in _atoms(sequence):
        literal = None if atom == _ANY else _LITERAL.fullmatch(atom)
        if literal is not None and is_sure:
            run += literal[1] or literal[0]
        if run and (literal is None or is_repeated):
            yield frozenset([run])
            run = ""
        if atom.startswith(GROUP) and is_sure:
            yield needed([atom[len(GROUP) : -1]])
    if run:
        yield frozenset([run])


def _atoms(sequence: str) -> Iterator[tuple[str, bool, bool]]:
    """Yield each atom of a sequence, whether it is obligatory, and whether it may repeat."""
    position = 0
    while position < len(sequence):
        if _LOOK_AROUND.match(sequence, position):
            position = closing(sequence, position) + 1
            continue
        edge = _EDGE.match(sequence, position)
        if edge is not None:
            position = edge.end()
            continue
        match = ATOMIC.match(sequence, position)
        end = (
            closing(sequence, position) + 1
            if sequence[position] == "("
            else match.end()
            if match
            else position + 1
        )
        repeated = _REPEATED.match(sequence, end)
        yield (
            sequence[position:end],
            MAY_BE_MISSING.match(sequence, end) is None,
            repeated is not None,
        )
        position = repeated.end() if repeated else end
