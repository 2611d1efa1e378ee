"""Whether an object is said to be present: the strict rule decides, and six rules stand side by side.

Of Li et al., "Evaluating Object Hallucination in Large Vision-Language Models" (arXiv 2305.10355) and
the evaluations that took its questions over; see :mod:`afterimage.grading.presence_rules`.
"""

from collections.abc import Sequence

from afterimage.grading.parsed import Parsed, unread
from afterimage.grading.presence_rules import contains_label, exact, official, repope, word
from afterimage.grading.presence_strict import strict

#: Names of the rules whose readings each grade holds.
RULES = ("official", "contains_label", "exact", "word", "repope", "strict")


def parse(text: str, options: Sequence[tuple[str, str]] = ()) -> Parsed:
    """Read a reply as "yes" or "no" without its question; never raises, whatever the reply.

    Args:
        text: The reply as received.
        options: Not used: the question is open.

    Returns:
        The strict rule's answer with outcome "exact" (the reply is the answer) or "contained", or
        None with outcome "unparsed"; ``readings`` holds what each of :data:`RULES` reads.
    """
    return parse_asked(text, options, "")


def parse_asked(text: str, options: Sequence[tuple[str, str]], asked: str) -> Parsed:
    """Read a reply as :func:`parse` does, with the question at hand for the strict rule."""
    reading = strict(text, asked)
    readings = {
        "official": official(text),
        "contains_label": contains_label(text),
        "exact": exact(text),
        "word": word(text),
        "repope": repope(text),
        "strict": reading.answer,
    }
    if not reading.answer:
        return unread(reading.code, reading.reason)._replace(readings=readings)
    outcome = "exact" if reading.whole else "contained"
    return Parsed(reading.answer, outcome, reading.reason, readings)
