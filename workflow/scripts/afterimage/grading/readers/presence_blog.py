"""Whether an object is said to be present, with the two rules of the blog's own code beside the five.

Those two are as crude as the blog has them: ``seed_exact`` wants the bare word "yes" or "no" (case
apart), ``seed_section7`` takes "yes", "是的" and "true" for yes and all else, refusals included, for no.
"""

from collections.abc import Sequence

from afterimage.grading.parsed import Parsed
from afterimage.grading.readers import presence

#: Names of the rules whose readings each grade holds.
RULES = (*presence.RULES, "seed_exact", "seed_section7")

_YES_IN_SECTION_7 = ("yes", "是的", "true")


def parse(text: str, options: Sequence[tuple[str, str]] = ()) -> Parsed:
    """Read a reply as :func:`afterimage.grading.readers.presence.parse` does, with two more readings."""
    return parse_with_question(text, options, "")


def parse_with_question(text: str, options: Sequence[tuple[str, str]], question: str) -> Parsed:
    parsed = presence.parse_with_question(text, options, question)
    lowered = text.lower()
    seed = {
        "seed_exact": lowered if lowered in ("yes", "no") else "",
        "seed_section7": "yes" if lowered in _YES_IN_SECTION_7 else "no",
    }
    return parsed._replace(readings={**parsed.readings, **seed})
