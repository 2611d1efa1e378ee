"""Finds and covers a key in a server's texts: whole, in part, spaced out, shortened with dots, or encoded.

Only letters and digits are compared, in lower case, so that line breaks, spaces, dots and dashes between them hide
nothing. Escape sequences are decoded, whether they encode the whole key or only special characters. A part of a few
characters is no secret, nor is the common prefix of a provider's keys (``sk-proj-``).
"""

import codecs
import math
import re
import sys
import unicodedata
from base64 import a85encode, b32encode, b32hexencode, b64encode, b85encode
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

#: Replaces a key.
COVER = "[key]"
#: Sequences of at least this many letters and digits of a key are covered.
MINIMUM = 8
# Shorter keys and words are dummies for servers that check no key; answers may contain them.
_SHORTEST_KEY = 6
# Any eight characters of a key contain a whole block of this size.
_BLOCK = 4
_OTHERS = re.compile("[^0-9A-Za-z]+")
_PREFIX = re.compile(r"(?:[A-Za-z]{2,8}[-_]){1,3}(?:api\d\d-)?")
# Formats of bytes as numbers in a row.
_NUMBERS = ("{:d}", "{:03o}")
# The same in bits, and bits per character; any text of bits contains a few of them in a row.
_BITS = (("{:08b}", 8), ("{:07b}", 7))
# ZeroMQ's alphabet of base85 for Python's.
_Z85 = bytes.maketrans(
    b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~",
    b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#",
)
# A character by its number, escaped once or more often: in addresses, mail, C, JSON, Python, JavaScript, shells, pages.
_ESCAPED = re.compile(
    r"(?:%(?:25)*+|=|(?<!\\)\\++x|\b0x)([0-9A-F]{2})"
    r"|(?:(?<!\\)\\++|%)(?-i:u)([0-9A-F]{4})|(?<!\\)\\++u\{0*+([0-9A-F]{1,6})\}|(?<!\\)\\++(?-i:U)([0-9A-F]{8})"
    r"|(?<!\\)\\++([0-7]{3})|&(?:amp;)*+#0*+([0-9]{1,7});?|&(?:amp;)*+#x0*+([0-9A-F]{1,6});?"
    r"|\b0o([0-7]{1,3})\b|\b0b([01]{1,8})\b"
    # Escapes of anything but letters and digits.
    r"|&(?:amp;)*+(?:[a-z]{2,31};)?+|(?<!\\)\\++[nrt]",
    re.IGNORECASE,
)
# Bases of the numbers in its groups.
_BASES = (16, 16, 16, 16, 8, 10, 16, 8, 2)
_SHORTENED = re.compile(r"[*.#_xX\u00b7\u2022]{3,}+|\u2026++")
_SHOWN_BEFORE, _SHOWN_BEHIND, _MAX_SHOWN, _MAX_SPACES = 2, 3, 40, 20


@dataclass(frozen=True)
class _Form:
    """A form of the key: its letters and digits, the length of the public prefix, and the size of blocks to find."""

    letters: str
    public: int = 0
    block: int = _BLOCK


class _Unescaped:
    """A text with decoded escapes, and the spans of its parts in the original text."""

    def __init__(self, escaped: str) -> None:
        parts, self._begins, self._spans, at, length = [], [], [], 0, 0
        for found in _ESCAPED.finditer(escaped):
            parts += [escaped[at : found.start()], _character(found)]
            length += found.start() - at + 1
            self._begins.append(length - 1)
            self._spans.append(found.span())
            at = found.end()
        self.text = "".join([*parts, escaped[at:]]) if parts else ""

    def source(self, start: int, end: int) -> tuple[int, int]:
        """Return the span in the original text of a part of :attr:`text`."""
        return self._source_span(start)[0], self._source_span(end - 1)[1]

    def _source_span(self, at: int) -> tuple[int, int]:
        before = bisect_right(self._begins, at) - 1
        if before < 0:
            return at, at + 1
        behind = at - self._begins[before]
        begin, end = self._spans[before]
        return (end + behind - 1, end + behind) if behind else (begin, end)


class Scrubber:
    """Covers one key in texts."""

    def __init__(self, key: str | None) -> None:
        key = key or ""
        is_word = key.isalpha() and key in (key.lower(), key.upper(), key.title())
        self._key = "" if is_word or len(key) < _SHORTEST_KEY else key
        self._forms = tuple(_forms(self._key)) if self._key else ()
        self._minimum = min(MINIMUM, max(len(_letters(self._key)) - 2, _BLOCK))

    def __call__(self, text: str) -> str:
        if not self._key:
            return text
        text = text.replace(self._key, COVER)
        text = self._without_shortened(text)
        read = _Unescaped(text)
        escaped = (read.source(*span) for span in self._spans(read.text))
        return _replaced(text, sorted([*self._spans(text), *escaped]))

    def _without_shortened(self, text: str) -> str:
        """Cover shortened keys: beginning and end with dots or stars between them."""
        found = []
        for gap in _SHORTENED.finditer(text):
            # Spaces around the dots are handled here, since a pattern that begins with spaces takes hours for a text of
            # spaces only.
            before = text[max(gap.start() - _MAX_SHOWN - _MAX_SPACES, 0) : gap.start()]
            behind = text[gap.end() : gap.end() + _MAX_SHOWN + _MAX_SPACES]
            start, end = gap.start(), gap.end()
            start -= len(before) - len(before := before.rstrip())
            end += len(behind) - len(behind := behind.lstrip())
            sizes = range(_MAX_SHOWN, 0, -1)
            first = next((n for n in sizes if before.endswith(self._key[:n])), 0)
            last = next((n for n in sizes if behind.startswith(self._key[-n:])), 0)
            if first >= _SHOWN_BEFORE and last >= _SHOWN_BEHIND:
                found.append((start - first, end + last))
        return _replaced(text, found)

    def _spans(self, text: str) -> list[tuple[int, int]]:
        """Return the spans of parts of any form in a text."""
        letters = _letters(text)
        spans = [span for form in self._forms for span in self._matches(form, letters)]
        if not spans:
            return []
        positions = [match.start() for match in re.finditer("[0-9A-Za-z]", _plain(text))]
        return [(positions[start], positions[end - 1] + 1) for start, end in spans]

    def _matches(self, form: _Form, letters: str) -> Iterator[tuple[int, int]]:
        """Yield the spans of parts of one form among a text's letters and digits."""
        whole, size = form.letters, form.block
        minimum = max(self._minimum, size)
        for block_start in range(0, len(whole) - size + 1, size):
            block = whole[block_start : block_start + size]
            found = letters.find(block)
            while found >= 0:
                start, end, key_start, key_end = (
                    found,
                    found + size,
                    block_start,
                    block_start + size,
                )
                while start and key_start and letters[start - 1] == whole[key_start - 1]:
                    start, key_start = start - 1, key_start - 1
                while (
                    end < len(letters) and key_end < len(whole) and letters[end] == whole[key_end]
                ):
                    end, key_end = end + 1, key_end + 1
                if end - start >= minimum and key_end > form.public:
                    yield start, end
                found = letters.find(block, found + 1)


def _forms(key: str) -> Iterator[_Form]:
    prefix = _PREFIX.match(key)
    public = len(_letters(prefix[0])) if prefix and len(key) - prefix.end() >= MINIMUM else 0
    yield _Form(_letters(key), public)
    yield _Form(_letters(key[::-1]))
    yield _Form(_letters(codecs.encode(key, "rot13")), public)
    for number in _NUMBERS:
        yield _Form("".join(number.format(ord(letter)) for letter in key))
    for number, bits in _BITS:
        yield _Form("".join(number.format(ord(letter)) for letter in key), block=4 * bits)
    # As Windows encodes text; an encoding twice is one of the first one's.
    wide, twice = key.encode("utf-16-le"), (b64encode(key.encode()), key.encode().hex().encode())
    wholes = (key.encode(), key[::-1].encode(), *twice, wide)
    for whole in wholes:
        # "3100, 3200" may be two letters of a wide key, or two numbers.
        yield _Form(whole.hex(), block=8 * _BLOCK if whole is wide else _BLOCK)
    for encode, octets, signs, whole in (
        *((b64encode, 3, 4, encoded_key) for encoded_key in wholes),
        *((encode, 5, 8, wholes[0]) for encode in (b32encode, b32hexencode)),
    ):
        for shift in range(octets):
            encoded = encode(b"\0" * shift + whole).decode("ascii").rstrip("=")
            # Characters at both ends depend on the text around the key.
            yield _Form(_letters(encoded[math.ceil(shift * signs / octets) : -1]))
    for in_fives in (b85encode, a85encode, _z85encode):
        for shift in range(4):
            whole = b"\0" * shift + key.encode()
            encoded = in_fives(whole).decode("ascii")
            yield _Form(_letters(encoded[5 * bool(shift) : len(whole) // 4 * 5]))


def _z85encode(whole: bytes) -> bytes:
    return b85encode(whole).translate(_Z85)


def _character(escape: re.Match[str]) -> str:
    if escape.lastindex is None:
        return "-"
    number = int(escape[escape.lastindex], _BASES[escape.lastindex - 1])
    return chr(number) if number <= sys.maxunicode else "-"


def _letters(text: str) -> str:
    return _OTHERS.sub("", _plain(text)).lower()


def _plain(text: str) -> str:
    """Return a text with letters and digits of other widths and weights as plain ones, one for one."""
    if text.isascii():
        return text
    plain = {sign: unicodedata.normalize("NFKC", sign) for sign in set(text)}
    return "".join(plain[sign] if len(plain[sign]) == 1 else sign for sign in text)


def _replaced(text: str, spans: list[tuple[int, int]]) -> str:
    """Cover spans of a text, sorted by their beginnings; they may overlap."""
    if not spans:
        return text
    parts, done = [], 0
    for start, end in spans:
        if start >= done:
            parts += [text[done:start], COVER]
        done = max(done, end)
    return "".join([*parts, text[done:]])
