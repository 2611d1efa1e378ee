"""Whether an object is said to be present: the strict rule decides, and six rules stand side by side.

Of Li et al., "Evaluating Object Hallucination in Large Vision-Language Models" (arXiv 2305.10355) and
the evaluations that took its questions over.
"""

import re
from collections.abc import Sequence

from afterimage.grading.parsed import Outcome, Parsed, unread
from afterimage.grading.readers.presence_strict import Reading, strict

#: Names of the rules whose readings each grade holds.
RULES = ("official", "contains_label", "exact", "word", "repope", "strict")

_STOPS = (".", "。", "!", "\N{FULLWIDTH EXCLAMATION MARK}")


def parse(text: str, options: Sequence[tuple[str, str]] = ()) -> Parsed:
    """Read a reply as "yes" or "no" without its question; never raises, whatever the reply.

    Args:
        options: (option id, text) of the two answers, in the question's language.

    Returns:
        The strict rule's answer with outcome "exact" (the reply is the answer) or "contained", or
        None with outcome "unparsed"; ``readings`` holds what each of :data:`RULES` reads.
    """
    return parse_with_question(text, options, "")


def parse_with_question(text: str, options: Sequence[tuple[str, str]], question: str) -> Parsed:
    """Read a reply as :func:`parse` does, with the question at hand for the strict rule."""
    reading = strict(text, question)
    english = _in_english(text, reading, options)
    readings = {
        "official": official(english),
        "contains_label": contains_label(english),
        "exact": exact(english if reading.whole else text),
        "word": word(english),
        "repope": repope(english),
        "strict": reading.answer,
    }
    if not reading.answer:
        return unread(reading.code, reading.reason)._replace(readings=readings)
    outcome: Outcome = "exact" if reading.whole else "contained"
    return Parsed(reading.answer, outcome, reading.reason, readings=readings)


def _in_english(text: str, reading: Reading, options: Sequence[tuple[str, str]]) -> str:
    """Return what the published rules are given, which know English alone: to them every 否 would be a yes.

    Of a question with answers in another language, the yes or no that the strict rule reads, with its full stop.
    """
    if not reading.answer or all(option.isascii() for _, option in options):
        return text
    return f"{reading.answer}{'.' if text.rstrip().endswith(_STOPS) else ''}"


# ---- Five rules by which published evaluations read ----
#
# Each rule takes the reply as received and knows nothing of the key, so that its reading can be stored beside the
# answer and counted later. They are crude on purpose: numbers in print rest on them.

#: What a rule can read. "both" occurs under ``contains_label`` alone, which looks for whichever word
#: the key calls for and is satisfied by either.
YES, NO, BOTH, UNPARSED = "yes", "no", "both", ""

_DENYING_TOKENS = {"No", "no", "not"}
_WORD = re.compile(r"(?<![^\W_])(?:yes|no)(?![^\W_])")


def official(text: str) -> str:
    """Read as the evaluation script of POPE's repository does: there are two outcomes only.

    The text before the first full stop, commas removed, is split at single spaces; a token that is
    exactly "No", "no" or "not" makes it a no, everything else is a yes (an empty reply included).
    """
    tokens = text.split(".")[0].replace(",", "").split(" ")
    return NO if _DENYING_TOKENS.intersection(tokens) else YES


def contains_label(text: str) -> str:
    """Read as VCD's script does: which of the letters "yes" and "no" occur, anywhere in the text.

    That script counts a reply as right where the key occurs in it; "both" is right whatever the key.
    """
    lowered = text.lower()
    found = ("yes" in lowered, "no" in lowered)
    return {(True, True): BOTH, (True, False): YES, (False, True): NO}.get(found, UNPARSED)


def repope(text: str) -> str:
    """Read as RePOPE's script does (arXiv 2504.15707): a yes where "yes" occurs anywhere, else a no where "no" does.

    "I see no eyes" is a yes.
    """
    lowered = text.lower()
    return YES if "yes" in lowered else NO if "no" in lowered else UNPARSED


def exact(text: str) -> str:
    """Read as lmms-eval does: the whole reply, stripped and in lower case, is the word."""
    word = text.strip().lower()
    return word if word in (YES, NO) else UNPARSED


def word(text: str) -> str:
    """Read as VLMEvalKit does: the one of the words "yes" and "no" that occurs without the other."""
    words = set(_WORD.findall(text.lower()))
    stated = [answer for answer in (YES, NO) if answer in words]
    return stated[0] if len(stated) == 1 else UNPARSED
