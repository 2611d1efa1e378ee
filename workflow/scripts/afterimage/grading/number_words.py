"""English number words, zero to ninety-nine, and the dozen."""

import re

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

#: Matches one number word in lower case, the longest that stands there; no word boundaries.
PATTERN = (
    rf"(?:(?:{'|'.join(_TENS)})[- ](?:{'|'.join(_UNITS[1:10])})"
    rf"|{'|'.join(sorted(_VALUES, key=len, reverse=True))})"
)


def value_of(word: str) -> int:
    """Return the value of a word that :data:`PATTERN` matches, in lower case."""
    return (
        _VALUES[word] if word in _VALUES else sum(_VALUES[part] for part in re.split("[- ]", word))
    )
