"""The same question with its options in another order.

Works on an item of any suite: the places of the options are found in the words of its last turn. What stands around
them, labels included, stays where it is; only the options' texts change places.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice, pairwise, permutations
from typing import Any

from afterimage.contract.readings import LISTED_ANSWERS

#: Those in which an option's id is the label before it: ids keep their positions, texts move.
_LABELLED_BY_ID = ("numbered_option", "roman")
_TEXT = "text"


def reordered(item: Mapping[str, Any], order: int) -> dict[str, Any] | None:
    """Return an item with its options in another order.

    Args:
        order: From 1; which order, as :func:`orders` counts them.

    Returns:
        The item with other words, options and, where ids are labels, another key; None if it offers no options,
        where they cannot be found in its last turn, or where there are not as many orders.
    """
    if item["answer_type"] not in LISTED_ANSWERS:
        return None
    texts = [option["text"] for option in item["options"]]
    names = [option["option_id"] for option in item["options"]]
    order_of_texts = next(islice(orders(len(texts)), order - 1, None), None)
    question = _question_part(item)
    if order_of_texts is None or question is None:
        return None
    spans = find_options(question["text"], texts, names)
    if spans is None:
        return None
    moved = [texts[index] for index in order_of_texts]
    key = item["key"]
    if item["answer_type"] in _LABELLED_BY_ID:
        key = names[order_of_texts.index(names.index(key))]
    else:
        names = [names[index] for index in order_of_texts]
    words = {**question, "text": _with_texts(question["text"], spans, moved)}
    return {
        **item,
        "messages": _with_part(item["messages"], question, words),
        "options": [
            {"option_id": name, "text": text} for name, text in zip(names, moved, strict=True)
        ],
        "key": key,
    }


def orders(count: int) -> Iterator[tuple[int, ...]]:
    """Yield every other order of ``count`` options, each as the former positions of the options.

    Rotations come first, then rotations of the reverse: after ``count`` - 1 orders, each option has been at each
    place once, after twice ``count`` - 1 twice; the rest follow in the order of their numbers.
    """
    natural = tuple(range(count))
    balanced = [
        way[shift:] + way[:shift]
        for way in (natural, natural[::-1])
        for shift in range(max(count, 1))
    ]
    seen = {natural}
    for permutation in chain(balanced, permutations(natural)):
        if permutation not in seen:
            seen.add(permutation)
            yield permutation


def find_options(
    words: str, texts: Sequence[str], labels: Sequence[str] = ()
) -> list[tuple[int, int]] | None:
    """Return the spans of the options in a question: begin and end of each, in their order.

    They are in one column or in one line, the last ones in the text that fit, each a separate word, and the text
    parts them is the same each time, labels apart.

    Args:
        labels: Possible labels before each of them.

    Returns:
        None if they cannot be found so, or where there are fewer than two different ones.
    """
    if len(texts) < 2 or len(set(texts)) < len(texts) or not all(texts):
        return None
    end = len(words)
    spans: list[tuple[int, int]] = []
    for text in reversed(texts):
        begin = _last_by_itself(words, text, end)
        if begin is None:
            return None
        spans.insert(0, (begin, begin + len(text)))
        end = begin
    return spans if _evenly_parted(words, spans, labels) else None


def _last_by_itself(words: str, text: str, end: int) -> int | None:
    begin = words.rfind(text, 0, end)
    while begin >= 0:
        before = words[begin - 1 : begin]
        after = words[begin + len(text) : begin + len(text) + 1]
        if not (_runs_on(before, text[0]) or _runs_on(text[-1], after)):
            return begin
        begin = words.rfind(text, 0, begin + len(text) - 1)
    return None


def _runs_on(left: str, right: str) -> bool:
    """Tell whether a word goes on from one character to the next."""
    return left.isalnum() and right.isalnum()


def _evenly_parted(words: str, spans: Sequence[tuple[int, int]], labels: Sequence[str]) -> bool:
    """Tell whether the options are a list: the same text precedes each, the first included, except labels.

    The first one counts because two options have one gap between them, which is always like itself, whatever the
    sentence that happens to name them both.
    """
    gaps = [words[end:begin] for (_, end), (begin, _) in pairwise(spans)]
    parted = {_without_label(gap, number, labels) for number, gap in enumerate(gaps, start=1)}
    if len(parted) != 1 or not all(parted):
        return False
    (label,) = parted
    before = words[: spans[0][0]]
    return any(
        _without_label(before[-length:], 0, labels) == label
        for length in range(len(label), max(map(len, gaps)) + max(map(len, (*labels, "A"))) + 1)
    )


def _without_label(gap: str, number: int, labels: Sequence[str]) -> str:
    for label in (*labels[number : number + 1], chr(ord("a") + number), chr(ord("A") + number)):
        if label in gap:
            return gap.replace(label, "", 1)
    return gap


def _question_part(item: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the last part of the last turn that is a text."""
    parts = item["messages"][-1]["parts"]
    return next((part for part in reversed(parts) if part["type"] == _TEXT), None)


def _with_texts(words: str, spans: Sequence[tuple[int, int]], texts: Sequence[str]) -> str:
    pieces, before = [], 0
    for (begin, end), text in zip(spans, texts, strict=True):
        pieces += [words[before:begin], text]
        before = end
    return "".join([*pieces, words[before:]])


def _with_part(
    messages: Sequence[Mapping[str, Any]], old: Mapping[str, Any], new: Mapping[str, Any]
) -> list[Mapping[str, Any]]:
    *earlier, last = messages
    return [*earlier, {**last, "parts": [new if part is old else part for part in last["parts"]]}]
