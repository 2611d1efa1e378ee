"""Chinese captions: jieba cuts them into words, the user's table of names is the lexicon (optional)."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from afterimage.suites.pope.language import LONGEST
from afterimage.suites.pope.record import Mention

NAME = "jieba"
MODULE = PACKAGE = "jieba"

_DENYING = ("没有", "沒有", "无", "無", "不存在", "不是")
_CLAUSE_ENDS = set("。,、;!?,;!?但")
# Between an attribute and its noun, cut off as a word or not.
_LINK = "的"


def load() -> Callable[[str], Iterable[str]]:
    """Return jieba's cutter: from a text to its words."""
    import jieba

    cut: Callable[[str], Iterable[str]] = jieba.cut
    return cut


def extract(
    text: str,
    names: Mapping[str, str],
    attributes: Mapping[str, str],
    cut: Callable[[str], Iterable[str]],
) -> list[Mention]:
    """Return the mentions of a Chinese caption.

    Args:
        names: Chinese name to category.
        attributes: Chinese word to attribute of ``english.yaml``, with or without the linking 的.
        cut: Cuts the text into words that together are the text.
    """
    attributes = {word.removesuffix(_LINK): value for word, value in attributes.items()}
    words = list(cut(text))
    starts = [sum(map(len, words[:number])) for number in range(len(words))]
    mentions, denied, number = [], False, 0
    while number < len(words):
        if words[number] in _CLAUSE_ENDS:
            denied = False
        elif words[number] in _DENYING:
            denied = True
        length = _longest(words, number, names)
        if length and not denied:
            name = "".join(words[number : number + length])
            start = starts[number]
            described = _attributes(words, number, attributes)
            end = start + len(name)
            mentions.append(Mention(name, start, end, name, names[name], described, NAME))
        number += length or 1
    return mentions


def _longest(words: Sequence[str], number: int, names: Mapping[str, str]) -> int:
    for length in range(LONGEST, 0, -1):
        if "".join(words[number : number + length]) in names:
            return min(length, len(words) - number)
    return 0


def _attributes(
    words: Sequence[str], number: int, attributes: Mapping[str, str]
) -> tuple[str, ...]:
    values: list[str] = []
    for word in reversed(words[:number]):
        if word == _LINK:
            continue
        value = attributes.get(word.removesuffix(_LINK))
        if value is None:
            break
        values.insert(0, value)
    return tuple(values)
