"""Answers that read like an attempt to instruct the judge.

They are judged like all others, since their words are only ever data, and flagged, so that a reader can look. The
patterns are narrow: "The correct answer is II" and "Answer: 2" are what answers look like.
"""

import re
import unicodedata

_DIGIT = r"[\"'(\[*]*[0-9]\b(?!\s*(?:lines?|circles?|objects?|shapes?|images?|parts?))"
_PATTERNS = (
    # Orders to the judge about what to say.
    rf"\b(?:output|print|only return|return(?: only| just)?|just (?:answer|say|output)|respond with|reply with)"
    rf"(?: only| just)?(?: the)?(?: (?:single )?(?:digit|number|rating|score|value|rate number))?:?\s*{_DIGIT}",
    r"\b(?:give|assign|award|rate|score|grade|mark)\b[^.\n]{0,30}"
    rf"\b(?:rating|score|grade|mark)s? (?:of|as|with)?\s*{_DIGIT}",
    r"\b(?:mark|grade|rate|judge|evaluate|consider|count|treat|accept)\b[^.\n]{0,30}\b(?:this|my|the) "
    r"(?:answer|response|reply|description)[^.\n]{0,20}\b(?:as (?:being )?)?(?:correct|right|true)\b",
    # Orders to forget others.
    r"\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{0,40}"
    r"\b(?:instructions?|prompts?|rules?|guidelines?|criteria|(?:above|previous|prior|preceding)\b)",
    r"\bnew instructions?\s*:",
    # The judge's own words, slots and role.
    r"\brespondent(?:'s)?\b[^.\n]{0,20}\b(?:answer|description|response)\b",
    r"\breference (?:description|answer) (?:is|was)\b",
    r"\[\s*(?:correct answer|vlms?(?:'s)? (?:answer|description)|golden description)",
    r"\b(?:as|you are|acting as|dear|attention|note to(?: the)?|to the|hey|hello) (?:a |an |the )?"
    r"(?:fair |strict |impartial )?(?:judge|grader|evaluator|rater)\b",
    # Marks of a change of speaker.
    r"^[ \t]*(?:system|assistant|user|judge|grader|evaluator)\s*:",
    r"<\|?\s*(?:im_start|im_end|system|start_header_id|eot_id|endoftext)|\[/?INST\]|<</?SYS>>",
)
_SUSPECT = re.compile("|".join(_PATTERNS), re.IGNORECASE | re.MULTILINE)
_QUOTES = str.maketrans(dict.fromkeys("‘’‚‛′´`", "'") | dict.fromkeys("“”„‟″", '"'))


def is_injection_suspect(answer: str) -> bool:
    """Tell whether an answer speaks to a judge instead of answering; never raises.

    Args:
        answer: The answer as received.
    """
    folded = unicodedata.normalize("NFKC", answer).translate(_QUOTES)
    # What cannot be seen cannot be meant for the reader.
    visible = "".join(sign for sign in folded if unicodedata.category(sign) != "Cf")
    return _SUSPECT.search(visible) is not None
