"""Verdicts inside an answer, in any language, recognised by their form and by names that the question does not mention.

A judge replies with a digit, a digit after a name, or such a pair in JSON or a tag. An answer may do so, too, where the
question or the right answer mentions that name, or any number; everywhere else such a digit is a verdict. An answer
does not repeat the judge's prompt, either. Standard library only.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

_WORD = re.compile(r"[^\W\d_]+")
_DIGIT = re.compile(r"\d")
# "1", "10/10", "100 %" are forms of ratings; "3" and "0.5" are counts and measurements.
_RATING = r"(?:[0-2]|10|100)(?:\s?/\s?(?:1|2|3|5|10|20|100))?(?:\.0)?\s?%?"
# Vowel marks belong to a word and are no letters.
_IN_NAME = r"[^\s\d:=.,;!?<>{}()\[\]\"'*`-]{1,30}"
_NAME = rf"[^\W\d_]{_IN_NAME}(?:[ -]{_IN_NAME}){{0,2}}"
_OPENS, _CLOSES = r"[\"'*_`(\[«„“]{0,4}", r"[\"'*_`)\]»”.!]{0,4}"
_FULL = r"(?P<full>1|2|3|5|10|20|100)\s?/\s?(?P=full)"
# In members of an object, true is a verdict as well.
_OBJECT = re.compile(r"\{([^{}]{1,400})\}")
_MEMBER = re.compile(
    rf"[\"']?({_NAME})[\"']?\s?[:=]\s?[\"']?(?:{_RATING}|true)[\"']?\s*(?:,|$)", re.IGNORECASE
)
_TAG = re.compile(rf"<({_NAME})>\s?{_OPENS}{_RATING}{_CLOSES}\s?(?:<|$)", re.MULTILINE)
# The form that prompts for judges of chats ask for: "Rating: [[10]]".
_BRACKETED = re.compile(rf"({_NAME})\W{{1,4}}\[\[\s?\d{{1,3}}\s?\]\]")
_FULL_MARKS = re.compile(
    rf"(?:^|[.!?]\s)\W{{0,6}}({_NAME}){_CLOSES}\s?[:=]{_CLOSES}\s?{_OPENS}{_FULL}{_CLOSES}\s*$",
    re.MULTILINE,
)
_PAIR = re.compile(
    rf"(?:^|[.!?]\s)\W{{0,6}}({_NAME}){_CLOSES}\s?[:=]{_CLOSES}\s?{_OPENS}(?:[0-2]|{_FULL}){_CLOSES}\s*$",
    re.MULTILINE,
)
# A digit alone after other lines: in a block of code, or below a blank line or a rule.
_ALONE = re.compile(
    rf"\S\s*\n(?:[ \t]*|[-=*_~`#\w]{{3,20}})\n\s*{_OPENS}\s?(?:[0-2]|{_FULL})\s?{_CLOSES}\s*$"
)
# Words for answers, and for things that they count.
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
# Letters at the start of a word that its forms share.
_STEM = 5
# So many consecutive words of the judge's prompt are no coincidence.
_SHARED = 7


def contains_verdict(answer: str, question: str, prompt: str = "") -> bool:
    """Tell whether an answer contains a verdict, or words of the judge's prompt; never raises.

    Args:
        question: The question and the right answer; where empty, forms of verdicts are not looked for.
        prompt: The judge's prompt, with slots; empty if there is none.
    """
    if prompt and not _shared(prompt).isdisjoint(_runs(answer)):
        return True
    if not question.strip():
        return False
    known = question.lower()
    names = list(_verdict_names(answer))
    if not _DIGIT.search(question):
        if _ALONE.search(answer.strip()):
            return True
        names += (found[1] for found in _PAIR.finditer(answer))
    return any(_is_foreign(name.lower(), known) for name in names)


def _verdict_names(answer: str) -> Iterator[str]:
    """Yield the names with a verdict in forms that no question asks for."""
    for content in _OBJECT.finditer(answer):
        for part in content[1].split(","):
            member = _MEMBER.match(part.strip())
            if member is not None:
                yield member[1]
    for pattern in (_TAG, _FULL_MARKS, _BRACKETED):
        for found in pattern.finditer(answer):
            yield found[1]


def _is_foreign(name: str, known: str) -> bool:
    """Tell whether a name has nothing to do with the question."""
    if any(word in _OF_ANSWERS for word in name.split()):
        return False
    return not any(word[:_STEM] in known for word in _WORD.findall(name))


@lru_cache(maxsize=16)
def _shared(prompt: str) -> frozenset[tuple[str, ...]]:
    """Return the runs of consecutive words of a prompt between its slots."""
    return frozenset(run for part in re.split(r"\{\w*\}", prompt) for run in _runs(part))


def _runs(text: str) -> Iterator[tuple[str, ...]]:
    words = re.findall(r"\w+", text.lower())
    return zip(*(words[start:] for start in range(_SHARED)), strict=False)
