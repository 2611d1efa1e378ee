"""Verdicts that an answer brings along, in whatever language: known by their form and by what nobody asked about.

A judge replies with a digit, a digit behind a name, or such a pair in JSON or a tag. So may an answer, where the
question or what is right speaks of that name or of numbers at all; everywhere else a digit in such a place is a
verdict. Nor does an answer repeat what the judge is told. Standard library only.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

_WORD = re.compile(r"[^\W\d_]+")
_DIGIT = re.compile(r"\d")
# "1", "10/10", "100 %": what ratings look like. "3" and "0.5" are what is counted and measured.
_RATING = r"(?:[0-2]|10|100)(?:\s?/\s?(?:1|2|3|5|10|20|100))?(?:\.0)?\s?%?"
# Marks of vowels belong to a word and are no letters.
_IN_NAME = r"[^\s\d:=.,;!?<>{}()\[\]\"'*`-]{1,30}"
_NAME = rf"[^\W\d_]{_IN_NAME}(?:[ -]{_IN_NAME}){{0,2}}"
_OPENS, _CLOSES = r"[\"'*_`(\[«„“]{0,4}", r"[\"'*_`)\]»”.!]{0,4}"
_FULL = r"(?P<full>1|2|3|5|10|20|100)\s?/\s?(?P=full)"
# Members of an object: true is a verdict there, too.
_OBJECT = re.compile(r"\{([^{}]{1,400})\}")
_MEMBER = re.compile(
    rf"[\"']?({_NAME})[\"']?\s?[:=]\s?[\"']?(?:{_RATING}|true)[\"']?\s*(?:,|$)", re.IGNORECASE
)
_TAG = re.compile(rf"<({_NAME})>\s?{_OPENS}{_RATING}{_CLOSES}\s?(?:<|$)", re.MULTILINE)
# As judges of chats are told to end: "Rating: [[10]]".
_BRACKETED = re.compile(rf"({_NAME})\W{{1,4}}\[\[\s?\d{{1,3}}\s?\]\]")
_FULL_MARKS = re.compile(
    rf"(?:^|[.!?]\s)\W{{0,6}}({_NAME}){_CLOSES}\s?[:=]{_CLOSES}\s?{_OPENS}{_FULL}{_CLOSES}\s*$",
    re.MULTILINE,
)
_PAIR = re.compile(
    rf"(?:^|[.!?]\s)\W{{0,6}}({_NAME}){_CLOSES}\s?[:=]{_CLOSES}\s?{_OPENS}(?:[0-2]|{_FULL}){_CLOSES}\s*$",
    re.MULTILINE,
)
# A digit alone, behind other lines: in a block of code, or below a blank line or a rule.
_ALONE = re.compile(
    rf"\S\s*\n(?:[ \t]*|[-=*_~`#\w]{{3,20}})\n\s*{_OPENS}\s?(?:[0-2]|{_FULL})\s?{_CLOSES}\s*$"
)
# What answers call themselves, and what they count.
_OF_ANSWERS = frozenset(
    (
        *("answer", "answers", "response", "reply", "final", "choice", "option", "selection"),
        *("selected", "count", "number", "num", "total", "sum", "amount", "id", "index"),
        *("item", "question", "step", "part", "line", "row", "column", "figure", "image"),
        *("picture", "value", "confidence", "probability", "certainty", "case", "example"),
        *("respuesta", "réponse", "antwort", "resposta", "risposta", "ответ", "svar"),
        *("odpowiedź", "odpověď", "cevap", "jawaban", "válasz", "vastaus", "răspuns", "答案"),
        *("答え", "回答", "解答", "正解", "选项", "選択肢", "정답", "답", "antwoord", "الجواب"),
        *("الإجابة", "उत्तर", "trả", "відповідь", "คำตอบ", "απάντηση", "תשובה", "پاسخ", "جواب"),
        *("jibu", "jawapan", "উত্তর", "விடை", "సమాధానం", "отговор", "одговор", "vastus"),
        *("atbilde", "atsakymas", "პასუხი", "መልስ", "impendulo", "erantzuna"),
    )
)
# Letters at the beginning of a word that two forms of it share.
_STEM = 5
# So many words of the judge's prompt in a row are no chance.
_SHARED = 7


def brings_a_verdict(answer: str, asked: str, prompt: str = "") -> bool:
    """Tell whether an answer holds a verdict in a form of its own, or words of the judge's prompt; never raises.

    Args:
        asked: The question and what is right; where they are empty, no form tells.
        prompt: The judge's prompt, with slots; empty where there is none.
    """
    if prompt and not _shared(prompt).isdisjoint(_runs(answer)):
        return True
    if not asked.strip():
        return False
    known = asked.lower()
    names = list(_named(answer))
    if not _DIGIT.search(asked):
        if _ALONE.search(answer.strip()):
            return True
        names += (found[1] for found in _PAIR.finditer(answer))
    return any(_is_foreign(name.lower(), known) for name in names)


def _named(answer: str) -> Iterator[str]:
    """Yield the names that bear a verdict whatever is asked."""
    for content in _OBJECT.finditer(answer):
        for part in content[1].split(","):
            member = _MEMBER.match(part.strip())
            if member is not None:
                yield member[1]
    for pattern in (_TAG, _FULL_MARKS, _BRACKETED):
        for found in pattern.finditer(answer):
            yield found[1]


def _is_foreign(name: str, known: str) -> bool:
    """Tell whether a name is of nothing that was asked about."""
    if any(word in _OF_ANSWERS for word in name.split()):
        return False
    return not any(word[:_STEM] in known for word in _WORD.findall(name))


@lru_cache(maxsize=16)
def _shared(prompt: str) -> frozenset[tuple[str, ...]]:
    """Return the runs of words of a prompt between its slots."""
    return frozenset(run for part in re.split(r"\{\w*\}", prompt) for run in _runs(part))


def _runs(text: str) -> Iterator[tuple[str, ...]]:
    words = re.findall(r"\w+", text.lower())
    return zip(*(words[at:] for at in range(_SHARED)), strict=False)
