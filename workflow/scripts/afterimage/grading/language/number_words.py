"""Numbers in words, in English and other languages.

Others are counted things in Japanese and Chinese, and a few European words: data, ``resources/answers/numbers.yaml``.
"""

import re
from collections.abc import Mapping
from functools import cache, lru_cache

from afterimage.grading.language.words import load

_UNITS = tuple(
    re.findall(
        r"\w+",
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen",
    )
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")

_VALUES = (
    {word: value for value, word in enumerate(_UNITS)}
    | {word: 10 * tens for tens, word in enumerate(_TENS, start=2)}
    | {"half a dozen": 6, "a dozen": 12}
)

#: Matches the longest number word in lower case, without word boundaries.
PATTERN = (
    rf"(?:(?:{'|'.join(_TENS)})[- ](?:{'|'.join(_UNITS[1:10])})"
    rf"|{'|'.join(sorted(_VALUES, key=len, reverse=True))})"
)


def value_of(word: str) -> int:
    """Return the value of a word that :data:`PATTERN` matches, in lower case."""
    return (
        _VALUES[word] if word in _VALUES else sum(_VALUES[part] for part in re.split("[- ]", word))
    )


# ---- outside English ----

_DIGIT_BEFORE_ASIAN = re.compile(r"(?<=[0-9])(?=[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])")
# "两条线相交一次", "2本の線の交点は1つ": how many lines there are is no answer.
_SUBJECT = re.compile(
    r"(?:这|那|この|その)?[0-9两兩二三]\s?(?:条|條|个|個|本の?|つの)[^\s、,。0-9]{0,4}?(?:线|線|圆|円)"
    r"(?=[^。\n]{0,12}(?:相交|交叉|交点|交わ|交差|接触|重な|重叠))"
)
_ASIAN_BEFORE_DIGIT = re.compile(r"(?<=[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])(?=[0-9])")


def in_digits(reply: str) -> str:
    """Return a plain, lower-case reply with other languages' number words in digits, separated from their counters.

    Phrases for one or none without a number word ("una vez", "no se cruzan") become English.
    """
    for pattern, english in _phrases():
        reply = pattern.sub(english, reply)
    reply = _words().sub(lambda found: f" {_values()[found[0]]} ", reply)
    if reply.isascii():
        return reply
    reply = _SUBJECT.sub("", reply)
    reply = _counted().sub(lambda found: f" {_asian(found[1])} {found[2]}", reply)
    return _ASIAN_BEFORE_DIGIT.sub(" ", _DIGIT_BEFORE_ASIAN.sub(" ", reply))


@lru_cache(maxsize=1024)
def _asian(number: str) -> int:
    """Return the value of a Chinese number up to ninety-nine."""
    digits: Mapping[str, int] = load("numbers")["asian"]
    tens, ten, units = number.rpartition("十")
    value = digits.get(units, 0)
    return value + (10 * digits.get(tens, 1) if ten else 0)


@cache
def _values() -> dict[str, int]:
    spelled = load("numbers")["words"]
    return {word: value for words in spelled.values() for word, value in words.items()}


@cache
def _phrases() -> list[tuple[re.Pattern[str], str]]:
    phrases = load("numbers")["phrases"]
    return [
        (re.compile(rf"\b(?:{phrase['said']})(?!\w)"), phrase["as"])
        for of_language in phrases.values()
        for phrase in of_language
    ]


@cache
def _words() -> re.Pattern[str]:
    return re.compile(
        rf"(?<![\w-])(?:{'|'.join(sorted(_values(), key=len, reverse=True))})(?![\w-])"
    )


@cache
def _counted() -> re.Pattern[str]:
    data = load("numbers")
    digits = "".join(data["asian"])
    return re.compile(rf"([{digits}十]{{1,3}})({'|'.join(data['counters'])}|(?=\s*[。.]?$))")
