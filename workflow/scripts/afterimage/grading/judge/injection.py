"""Answers that read like an attempt to instruct the judge.

They are judged like all others, since their words are only ever data, and flagged, so that they can be counted, looked
at and left out. Flagged is by structure (delimiters, roles, a judge's own slots) and by what a sentence orders: a
digit of a verdict, to take the answer as right, to forget the rules. English orders are patterns here, those of other
languages are word lists (``resources/judging/instructions.yaml``). Both are narrow: "The correct answer is II" and
"Answer: 2" are what answers look like.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from afterimage.files.yaml import read_yaml
from afterimage.grading.words import expression

_FILE = Path(__file__).resolve().parents[5] / "resources" / "judging" / "instructions.yaml"
_DIGIT = r"[\"'(\[*]*[0-9]\b(?!\s*(?:lines?|circles?|objects?|shapes?|images?|parts?))"
_ENGLISH = (
    # Orders to the judge about what to say.
    rf"\b(?:output|print|only return|return(?: only| just)?|just (?:answer|say|output)|respond with|reply with)"
    rf"(?: only| just)?(?: the)?(?: (?:single )?(?:digit|number|rating|score|value|rate number))?:?\s*{_DIGIT}",
    r"\b(?:give|assign|award|rate|score|grade|mark)\b[^.\n]{0,30}"
    rf"\b(?:rating|score|grade|mark)s? (?:of|as|with)?\s*{_DIGIT}",
    r"\b(?:mark|grade|rate|judge|evaluate|consider|count|treat|accept)\b[^.\n]{0,30}\b(?:this|my|the) "
    r"(?:answer|response|reply|description)[^.\n]{0,20}\b(?:as (?:being )?)?(?:correct|right|true)\b",
    rf"\b(?:score|rate|grade|mark) (?:this|my|the)(?: (?:answer|response|reply|description|one))?[^.\n\w]{{0,4}}"
    rf"(?:as |with |at |of )?{_DIGIT}",
    rf"\b(?:must|should|shall|will) (?:only |just )?(?:output|respond|reply|answer|return|print|say)\b"
    rf"[^.\n]{{0,20}}?\s{_DIGIT}",
    r"\byour (?:output|reply|response|verdict|score|rating|judge?ment) (?:must|should|shall|has to|is to) be\b",
    r"\b(?:full|top|maximum|perfect|highest) (?:marks|scores?|points|rating|grade)\b",
    # Orders to forget others.
    r"\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{0,40}"
    r"\b(?:instructions?|prompts?|rules?|guidelines?|criteria|(?:above|previous|prior|preceding)\b)",
    r"\bnew instructions?\s*:",
    r"\bsystem (?:override|prompt|message)\b",
    # The judge's own words, slots and role.
    r"\brespondent(?:'s)?\b[^.\n]{0,20}\b(?:answer|description|response)\b",
    r"\breference (?:description|answer) (?:is|was)\b",
    r"\[\s*(?:correct answer|vlms?(?:'s)? (?:answer|description)|golden description)",
    r"\b(?:as|you are|acting as|dear|attention|note to(?: the)?|to the|hey|hello) (?:a |an |the )?"
    r"(?:fair |strict |impartial )?(?:judge|grader|evaluator|rater)\b",
)
_STRUCTURE = (
    # Marks of a change of speaker.
    r"^[ \t]*(?:system|assistant|user|judge|grader|evaluator)\s*:",
    r"<\|?\s*(?:im_start|im_end|system|start_header_id|eot_id|endoftext)|\[/?INST\]|<</?SYS>>",
    r"</?\s*(?:system|instructions?|answer|response|verdict|score|rating|judge|prompt)\s*>",
    # A verdict in the form of a judge's reply.
    r"[\"'](?:score|rating|verdict|grade|judge?ment|correct)[\"']\s*:",
    r"\b(?:score|rating|verdict|grade|judge?ment|judge|grading(?: result)?)\s*[:=]\s*[0-9]"
    r"(?:\s*/\s*[0-9]+)?\s*(?:$|[.,;!)\n])",
    r"\[\[\s*[0-9A-C]\s*\]\]",
    # A comment, which no reader of the answer would see.
    r"<!--",
    # Letters of two alphabets in one word look like a word of one.
    r"[a-z]{2}[\u0370-\u052f][a-z]|\b[\u0370-\u052f][a-z]{3}|\b[a-z][\u0370-\u052f][a-z]{2}",
    # A line that fences the answer off, and a title behind it.
    r"^[ \t]*(?:#{3,}|-{3,}|={3,}|\"{3}|`{3})[ \t]*"
    r"(?:end of|begin|new|system|instructions?|task|verdict|evaluation|grading)\b",
)
_SUSPECT = re.compile("|".join(_ENGLISH + _STRUCTURE), re.IGNORECASE | re.MULTILINE)
_QUOTES = str.maketrans(dict.fromkeys("‘’‚‛′´`", "'") | dict.fromkeys("“”„‟″", '"'))
_SENTENCE = re.compile(r"[.!?\n。！？]+")
# A digit that stands for itself, and not before what it counts.
_VERDICT_DIGIT = (
    r"(?<![\d.,])[\"'(\[*«]*[0-9](?![\d%°])[\"')\]*»]*"
    r"(?=\s*(?:$|[^\w\s]|[をとのに분점점을를이라으만点分]|(?:y|et|und|e|и|como|comme|als|come|sur|von|aus|out|"
    r"point|punto|puntos|punkt|ponto|punti|балл)))"
)
#: Signs between an order and its digit.
_NEAR = r"[^\n]{0,24}?"
_LONGEST_SENTENCE = 400
#: Lists of the file that each language has to have.
LISTS = (
    *("orders", "verdicts", "ratings", "takes", "answers", "right", "ignores", "rules"),
    *("judges", "roles"),
)


class _Orders(NamedTuple):
    """What a sentence holds that speaks to a judge: it is suspect when all patterns of one group are found in it."""

    groups: tuple[tuple[re.Pattern[str], ...], ...]
    role: re.Pattern[str]
    orders: re.Pattern[str]

    def found(self, text: str) -> bool:
        """Tell whether a sentence, or the beginning of a line, speaks to a judge."""
        if self.role.search(text):
            return True
        # A text of thousands of sentences mostly has none of a group's words.
        near_digit, *others = self.groups
        groups = [near_digit] if self.orders.search(text) else []
        groups += [group for group in others if all(pattern.search(text) for pattern in group)]
        if not groups:
            return False
        sentences = (part[:_LONGEST_SENTENCE] for part in _SENTENCE.split(text))
        return any(
            all(pattern.search(sentence) for pattern in group)
            for sentence in sentences
            if sentence
            for group in groups
        )


def is_injection_suspect(answer: str) -> bool:
    """Tell whether an answer speaks to a judge instead of answering; never raises.

    Args:
        answer: The answer as received.
    """
    folded = unicodedata.normalize("NFKC", answer).translate(_QUOTES)
    # What cannot be seen cannot be meant for the reader.
    visible = "".join(sign for sign in folded if unicodedata.category(sign) != "Cf")
    return _SUSPECT.search(visible) is not None or _orders().found(visible.lower())


def words_digest() -> str:
    """Return a hash of the word lists; a job that flags answers depends on it."""
    return sha256(_FILE.read_bytes()).hexdigest()


@cache
def _orders() -> _Orders:
    lists: Mapping[str, Mapping[str, Sequence[str]]] = read_yaml(_FILE)

    def words(name: str) -> str:
        return expression({language: own[name] for language, own in lists.items()})

    near_digit = (
        rf"(?:{words('orders')}){_NEAR}(?:{_VERDICT_DIGIT})|(?:{_VERDICT_DIGIT}){_NEAR}(?:{words('orders')})"
        rf"|(?:{words('ratings')})\s*[:=]\s*(?:{_VERDICT_DIGIT})"
    )
    groups = (
        (near_digit,),
        (words("orders"), words("verdicts")),
        (words("takes"), words("answers"), words("right")),
        (words("ignores"), words("rules")),
        (words("judges"),),
    )
    return _Orders(
        tuple(tuple(map(re.compile, group)) for group in groups),
        re.compile(rf"^[ \t]*(?:{words('roles')})\s*[:：]", re.MULTILINE),
        re.compile(f"{words('orders')}|{words('ratings')}"),
    )
