"""Options with labels (letters, Roman numerals, numbers): which label a reply gives as its answer.

Evidence in the order of ``readers/choice.py``: an announced final answer, the last line, the text after a retraction,
the label at the start of the reply, the one label that the reply states; then the options' own words. Each reader knows
its labels' form; this module knows the contexts in which they count.
"""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from afterimage.contract.readings import AMBIGUOUS, OFF_TOPIC, REFUSED
from afterimage.grading.language.denial import Stance, stance
from afterimage.grading.language.evidence import (
    after_second_look,
    after_take_back,
    clauses,
    conclusions,
    final_answers,
    has_negation,
    is_set_against,
    last_line,
    refuses,
    without_wrong,
)
from afterimage.grading.language.reply_text import sentences
from afterimage.grading.parsed import Ambiguity, Parsed, unread
from afterimage.grading.readers import choice

_BRACKETS = re.compile(r"[()\[\]\"「」『』]")
_LEAD = " \t\n\"'`([{<*#>-•"
_KINDS = (
    r"(?:option|choice|answer|letter|number|numeral|alternative|candidate|selection|"
    r"statement|item|no\.|#|选项|選択肢)(?!s\b)"
)


class Labels(NamedTuple):
    """The form of labels.

    Attributes:
        pattern: Matches a label, in lower case, without boundaries.
        option_index: Index of a label's option; None for what is no label, -1 for a label that no option has.
        is_word: Tells whether a label, given what follows it, may be a word of the sentence: "a cat", "i think".
    """

    pattern: str
    option_index: Callable[[str], int | None]
    is_word: Callable[[str, str], bool]


def read(reply: str, options: Sequence[tuple[str, str]], labels: Labels) -> Parsed:
    """Read a prepared reply that is not empty as one of the options.

    Args:
        options: (option id, option text) in the order of their labels.
        labels: The form of the labels.
    """
    taken_back = after_take_back(reply)
    if taken_back is not None:
        return _after_retraction(taken_back[1], options, labels)
    for segment in final_answers(reply):
        parsed = _announced(segment, options, labels, "the announced answer")
        if parsed is not None:
            return parsed
    if "\n" in reply and not _is_list(reply, labels):
        parsed = _alone(last_line(reply), options, labels)
        if parsed is not None:
            return parsed
    second = after_second_look(reply)
    if second:
        parsed = _stated_label(second, options, labels)
        if parsed is not None and parsed.answer is not None:
            return parsed
    return _body(reply, options, labels)


def _body(reply: str, options: Sequence[tuple[str, str]], labels: Labels) -> Parsed:
    if re.fullmatch(rf"\W*{labels.pattern}(?:\s*[,/&]\s*{labels.pattern})+\W*", reply):
        return unread(AMBIGUOUS, "the reply gives several labels", Ambiguity.SEVERAL)
    listed = _is_list(reply, labels)
    reply = _without_list(reply, labels) if listed else _without_survey(reply, labels)
    parsed = None if listed else _leading(reply, options, labels)
    if parsed is not None:
        return parsed
    parsed = _stated_label(reply, options, labels)
    if parsed is not None:
        return parsed
    by_text = choice.parse(reply, options) if reply.strip() else None
    if by_text is not None and by_text.answer is not None:
        return by_text._replace(outcome="contained") if listed else by_text
    if refuses(reply):
        return unread(REFUSED, "the reply gives no answer")
    if listed:
        return unread(AMBIGUOUS, "the reply repeats the options and chooses none")
    return by_text or unread(OFF_TOPIC, "the reply names no option")


def _after_retraction(text: str, options: Sequence[tuple[str, str]], labels: Labels) -> Parsed:
    parsed = read(text, options, labels) if text.strip() else None
    if parsed is None or parsed.answer is None:
        by_text = choice.parse(text, options)
        if by_text.answer is not None:
            return by_text._replace(outcome="contained")
        return unread(AMBIGUOUS, "the reply takes back what it said and names no other option")
    return parsed


def _announced(
    text: str, options: Sequence[tuple[str, str]], labels: Labels, why: str
) -> Parsed | None:
    """Read a label at the start of a text, with or without its option's words."""
    parsed = _leading(text, options, labels)
    if parsed is not None:
        return parsed._replace(why=why) if parsed.answer is not None else parsed
    parsed = _stated_label(text, options, labels)
    if parsed is not None:
        return parsed
    line = text.split("\n", 1)[0]
    by_text = choice.parse(line, options) if line.strip() else None
    if by_text is not None and by_text.answer is not None:
        return by_text._replace(outcome="contained", why=why)
    return None


def _alone(line: str, options: Sequence[tuple[str, str]], labels: Labels) -> Parsed | None:
    found = re.fullmatch(
        rf"(?:{_KINDS}\s*:?\s*)?({labels.pattern})", line.strip(_LEAD + ".,;:!)]}>*")
    )
    return found and _labelled_option(found[1], options, labels, "the last line is a label")


def _leading(text: str, options: Sequence[tuple[str, str]], labels: Labels) -> Parsed | None:
    """Read the label at the start of a text; it conflicts with another option's words after it."""
    stripped = text.lstrip(_LEAD)
    found = re.match(
        rf"(?:{_KINDS}\s*:?\s*[\"'(\[]*)?({labels.pattern})(?![\w'’-]|\.\s?e\.)([\"'`)\]}}>*]*\s*[.):,;=—>-]*)[\"'\s*]*",
        stripped,
    )
    if found is None or labels.option_index(found[1]) is None:
        return None
    words = stripped[found.end() :].split("\n", 1)[0]
    marked = found[2].strip() or not words or text[: len(text) - len(stripped)].strip()
    if re.match(
        r"(?:or|and|/|,|か|または|と|や|或|和)\s*\W*" + labels.pattern + r"(?![\w'])", words
    ) or re.match(rf"\s*[/~]\s*{labels.pattern}(?![\w'])", stripped[found.end(1) :]):
        return None
    if not marked and found[0].strip() == found[1] and labels.is_word(found[1], words):
        return None
    lettered = _labelled_option(found[1], options, labels, "the label that the reply begins with")
    if not found[2].strip() and has_negation(re.split(r"[.,;]", words)[0]):
        # "Option a is wrong, because ..."
        return None
    by_words = choice.parse(words, options) if words.strip(" .") else None
    if lettered is None or lettered.answer is None or by_words is None or by_words.answer is None:
        return lettered
    if by_words.answer != lettered.answer and by_words.outcome == "exact":
        why = f"conflict: the label {found[1]} beside another option's words"
        return unread(AMBIGUOUS, why, Ambiguity.CONFLICT)
    return lettered


def _without_survey(reply: str, labels: Labels) -> str:
    """Remove comments on several labels in turn: "II looks right. III looks wrong. But both are ..."."""
    begins = re.compile(
        rf"[{re.escape(_LEAD)}]*(?:option )?({labels.pattern})(?::| (looks?|seems?|appears?)\b)"
    )
    spans = [(begins.match(reply[start:end]), start, end) for start, end in sentences(reply)]
    surveyed = [
        (begun[1], start, end)
        for begun, start, end in spans
        if begun and (begun[2] or not has_negation(reply[start:end]))
    ]
    if len({label for label, _, _ in surveyed}) < 2:
        return reply
    for _, start, end in reversed(surveyed):
        reply = reply[:start] + reply[end:]
    return reply


def _stated_label(text: str, options: Sequence[tuple[str, str]], labels: Labels) -> Parsed | None:
    """Read the one label that a text states as the answer; None if it states none."""
    found = _stated_labels(text, labels)
    if len(set(found)) > 1:
        found = _stated_labels(conclusions(text), labels)
        if len(set(found)) != 1:
            return unread(AMBIGUOUS, "the reply names several labels", Ambiguity.SEVERAL)
    return (
        _labelled_option(found[0], options, labels, "the one label that the reply says")
        if found
        else None
    )


def _stated_labels(text: str, labels: Labels) -> list[str]:
    marked = re.compile(
        rf"{_KINDS}\s*[\"'(\[*]*({labels.pattern})(?![\w'’-])"
        rf"|[(\[\"'「『]({labels.pattern})[)\]\"'」』]"
        rf"|(?<![\w'-])({labels.pattern})(?=\s+(?:is|would be|seems|looks|must be) (?:the )?(?:\w+ )?"
        r"(?:correct|right|best|answer|choice|option|one|true|most)"
        r"|\s+(?:best |most \w+ |correctly |accurately )?(?:describes|matches|fits|represents)\b)"
        rf"|(?<![\w'-])({labels.pattern})(?=[.)]\s|[.)]*\s*$|\s+(?:or|and|vs)\s|\s*/|番|が|です|を)"
    )
    both = re.compile(
        rf"(?<![\w'-])({labels.pattern})[)\]\"']*\s+(?:or|and|or maybe)\s+[(\[\"']*({labels.pattern})(?![\w'-])"
    )
    stated: list[str] = []
    text = without_wrong(text)
    parts = clauses(text)
    # "Not (b)": a bracket separates clauses, but not a denial from what it denies.
    flat = _BRACKETS.sub(" ", text)
    # A mere impression counts unless something later contradicts it.
    against = max((clause.start for clause in parts if is_set_against(clause)), default=-1)
    for clause in parts:
        if clause.is_open or clause.first_look or has_negation(clause.text):
            continue
        if clause.looks and clause.start < against:
            continue
        for pair in both.finditer(clause.text):
            stated.extend(
                label for label in pair.groups() if labels.option_index(label) is not None
            )
        for found in marked.finditer(clause.text):
            label = next(filter(None, found.groups()))
            behind = clause.text[found.end() :]
            weak = found[1] is None and found[2] is None and found[3] is None
            # "The answer I think is III", but "option a is it".
            may_be_word = weak or label == "i"
            if labels.option_index(label) is None or (
                may_be_word and labels.is_word(label, behind)
            ):
                continue
            start = text.find(clause.text, clause.start) + found.start(found.lastindex or 0)
            if stance(flat, start, start + len(label)) in (Stance.DENIED, Stance.OPEN):
                continue
            stated.append(label)
    return stated


def _labelled_option(
    label: str, options: Sequence[tuple[str, str]], labels: Labels, why: str
) -> Parsed | None:
    index = labels.option_index(label)
    if index is None:
        return None
    if not 0 <= index < len(options):
        whole = choice.exact(label, options)
        if whole is not None:
            return whole._replace(outcome="contained") if whole.answer is not None else whole
        return unread(OFF_TOPIC, f"no option bears the label {label}")
    return Parsed(options[index][0], "contained", why)


def _list_lines(reply: str, labels: Labels) -> list[tuple[str, str]]:
    """Return (line, label) of the lines that begin with a label and words."""
    begins = re.compile(rf"\W*(?:option )?({labels.pattern})\s*[.):]+\W*\s+\S")
    return [
        (line, found[1]) for line in reply.split("\n") if (found := begins.match(line)) is not None
    ]


def _is_list(reply: str, labels: Labels) -> bool:
    """Tell whether a reply lists two or more options, each on its own line."""
    return len({label for _, label in _list_lines(reply, labels)}) >= 2


def _without_list(reply: str, labels: Labels) -> str:
    listed = {line for line, _ in _list_lines(reply, labels)}
    return "\n".join(line for line in reply.split("\n") if line not in listed)
