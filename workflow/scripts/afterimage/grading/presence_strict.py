"""Whether a reply says that something is present: three-valued, in English and Chinese.

Order of the rules: a leading yes or no decides; else the last "the answer is ..."; else sentences that
deny or affirm existence ("there is no", "does not contain", "there are"), if all of them agree. What
hedges ("I cannot see a car", "there might be") says neither.
"""

import re
from typing import NamedTuple

from afterimage.grading.reply_text import plain

# Longest first: "不存在" holds "存在".
_CHINESE = {
    "不存在": "no",
    "没有": "no",
    "沒有": "no",
    "不是": "no",
    "不": "no",
    "否": "no",
    "是的": "yes",
    "存在": "yes",
    "是": "yes",
    "有": "yes",
}
_CHINESE_ANSWER = "|".join(sorted(_CHINESE, key=len, reverse=True))
# They begin like an answer and are none: whether, not sure, do not know, cannot, possibly, not only ...
_CHINESE_OTHER = (
    "是否|是不是|有没有|有沒有|存不存在|不太?(?:确定|確定|清楚|好说|好說)|不知道|不能|不一定|不仅|不僅|不但|不过|不過|"
    "有可能|(?:没有|沒有)(?:办法|辦法|提供|图|圖|足够|足夠)|所有|只有|无法|無法|可能|也许|也許|如果"
)

_LIST_MARK = re.compile(r"^(?:[-*\u2022>\s]+|\(?[0-9a-z][.)]\s+)")
_TAG = re.compile(r"</?[a-z]\w*>")
_WRAPPING = "\"'`.,;:!()[]{}<>*_ \n\t。,、「」『』"
# "No idea" and "no doubt" answer nothing, nor does a reply that there is no image to look at.
_NO_ANSWER = (
    r"no\s+(?:doubt|idea|way\s+to|information|answer|"
    r"(?:image|picture|photo|photograph)s?\b(?:\s+\w+){0,3}\s+(?:provided|attached|available|uploaded|given))"
)
_CHOICE = r"(?:yes|no)\s*(?:/|\bor\b|\band\b)\s*(?:yes|no)\b"
_LEADING = re.compile(
    rf"(?P<other>{_NO_ANSWER}|{_CHOICE}|{_CHINESE_OTHER})"
    rf"|(?P<english>yes|no)(?![\w'-])|(?P<chinese>{_CHINESE_ANSWER})"
)
_ANSWER_IS = re.compile(
    r"\banswer(?:\s+to\s+[^.?!\n]{1,80}?)?\s*(?:is|would\s+be|:|=)[\s:]*(?:that\s+)?[\"'`(\[{*]*\s*"
    rf"(?!{_CHOICE})(?P<english>yes|no)(?![\w'-])"
    rf"|(?:答案|回答)(?:应该是|應該是|应为|應為|是|为|為|:)[\s:\"'「『]*(?P<chinese>{_CHINESE_ANSWER})"
)

_SENTENCE = re.compile(r"[^.!?;。\n]+[.!?;。]?")
_HEDGE = re.compile(
    r"\b(?:cannot|can\s?not|can't|could|couldn't|unable|unsure|unclear|uncertain|not\s+sure|not\s+certain|"
    r"may|maybe|might|possibly|perhaps|probably|if|whether|difficult|hard\s+to|impossible|assum\w+)\b"
    rf"|{_CHINESE_OTHER}"
)
_BE = r"(?:'s|\s+is|\s+are|\s+was|\s+were)"
_HAVE = r"(?:contain|show|include|have|feature|depict|display)"
_SEEN = r"(?:present|visible|shown|depicted|included|there|in\s+(?:the|this)\s+(?:image|picture|photo|scene)\b)"
_DENIED = re.compile(
    rf"\bthere{_BE}?\s*(?:n't|\s+not)\b"
    r"|\bthere\s+(?:does|do)(?:n't|\s+not)\b"
    rf"|\bthere(?:{_BE}|\s+(?:appears?|seems?)\s+to\s+be)(?:\s+\w+ly)?\s+(?:no|zero|neither)\b"
    r"(?!\s+(?:doubt|question|way|need))"
    r"|\b(?:is|are)(?:n't|\s+not)\s+any\b"
    rf"|\b(?:does|do)(?:n't|\s+not)\s+(?:\w+ly\s+)?(?:(?:appear|seem)\s+to\s+)?{_HAVE}\b"
    rf"|\b(?:{_HAVE}s?|has)\s+no\b"
    rf"|\b(?:is|are)(?:n't|\s+not)\s+(?:\w+ly\s+)?{_SEEN}"
    rf"|\bno\s+(?:\w+\s+){{1,4}}(?:is|are)\s+(?:\w+ly\s+)?{_SEEN}"
    r"|不存在|没有|沒有|不包含|不含"
)
_AFFIRMED = re.compile(
    rf"\bthere{_BE}\b(?!\s+(?:no|not)\b)"
    r"|\b(?:contains?|does\s+(?:contain|include|show))\b"
    rf"|\b(?:is|are)\s+(?:\w+ly\s+)?{_SEEN}"
    r"|存在|包含|有"
)


class Reading(NamedTuple):
    """What the strict rule makes of a reply.

    Attributes:
        answer: "yes", "no", or "" where the reply says neither.
        whole: Whether the reply is the answer and nothing else.
        reason: Why, in words for a reader of the grades.
    """

    answer: str
    whole: bool
    reason: str


def strict(text: str) -> Reading:
    """Read a reply as "yes", "no" or neither; never raises, whatever the reply."""
    reply = _TAG.sub(" ", plain(text).casefold()).strip()
    if not reply:
        return Reading("", False, "the reply is empty")
    opening = _without_marks(reply)
    found = _LEADING.match(opening)
    if found and not found["other"]:
        rest = opening[found.end() :].strip(_WRAPPING)
        return Reading(_value(found), not rest, "it begins with the answer")
    concluded = list(_ANSWER_IS.finditer(reply))
    if concluded:
        return Reading(_value(concluded[-1]), False, "the last answer that it announces")
    return _existence(reply)


def _existence(reply: str) -> Reading:
    said = set()
    for sentence in _SENTENCE.findall(reply):
        if sentence.endswith("?") or _HEDGE.search(sentence):
            continue
        if _DENIED.search(sentence):
            said.add("no")
        if _AFFIRMED.search(_DENIED.sub(" ", sentence)):
            said.add("yes")
    if len(said) == 1:
        (answer,) = said
        verb = "affirms" if answer == "yes" else "denies"
        return Reading(answer, False, f"it {verb} existence")
    if said:
        return Reading("", False, "it both affirms and denies existence")
    return Reading("", False, "it neither affirms nor denies existence")


def _without_marks(reply: str) -> str:
    """Remove list numbers, bullets and quotes from the beginning."""
    while (shorter := _LIST_MARK.sub("", reply.lstrip(_WRAPPING))) != reply:
        reply = shorter
    return reply


def _value(found: re.Match) -> str:
    return found["english"] or _CHINESE[found["chinese"]]
