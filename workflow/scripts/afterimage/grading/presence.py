"""Whether an object is said to be present: the strict rule decides, and six rules stand side by side.

Of Li et al., "Evaluating Object Hallucination in Large Vision-Language Models" (arXiv 2305.10355) and
the evaluations that took its questions over; see :mod:`afterimage.grading.presence_rules`.
"""

from collections.abc import Sequence

from afterimage.grading.parsed import Outcome, Parsed, unread
from afterimage.grading.presence_rules import contains_label, exact, official, repope, word
from afterimage.grading.presence_strict import Reading, strict

#: Names of the rules whose readings each grade holds.
RULES = ("official", "contains_label", "exact", "word", "repope", "strict")

_STOPS = (".", "。", "!", "\N{FULLWIDTH EXCLAMATION MARK}")


def parse(text: str, options: Sequence[tuple[str, str]] = ()) -> Parsed:
    """Read a reply as "yes" or "no" without its question; never raises, whatever the reply.

    Args:
        text: The reply as received.
        options: (option id, text) of the two answers, in the question's language.

    Returns:
        The strict rule's answer with outcome "exact" (the reply is the answer) or "contained", or
        None with outcome "unparsed"; ``readings`` holds what each of :data:`RULES` reads.
    """
    return parse_asked(text, options, "")


def parse_asked(text: str, options: Sequence[tuple[str, str]], asked: str) -> Parsed:
    """Read a reply as :func:`parse` does, with the question at hand for the strict rule."""
    reading = strict(text, asked)
    said = _in_english(text, reading, options)
    readings = {
        "official": official(said),
        "contains_label": contains_label(said),
        "exact": exact(said if reading.whole else text),
        "word": word(said),
        "repope": repope(said),
        "strict": reading.answer,
    }
    if not reading.answer:
        return unread(reading.code, reading.reason)._replace(readings=readings)
    outcome: Outcome = "exact" if reading.whole else "contained"
    return Parsed(reading.answer, outcome, reading.reason, readings)


def _in_english(text: str, reading: Reading, options: Sequence[tuple[str, str]]) -> str:
    """Return what the published rules are given, which know English alone: to them every 否 would be a yes.

    Of a question with answers in another language, the yes or no that the strict rule reads, with its full stop.
    """
    if not reading.answer or all(option.isascii() for _, option in options):
        return text
    return f"{reading.answer}{'.' if text.rstrip().endswith(_STOPS) else ''}"
