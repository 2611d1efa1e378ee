"""The option that bare measurements imply: "left: 40 px, right: 52 px", where the question is which one is bigger.

Only where two options are named in turn with one length each, in one unit and of one thing, and nothing is denied.
Lengths that differ by less than a twentieth, and are not equal, imply nothing: whether the reply would call them equal
is unknown.
"""

import re
from functools import cache

from afterimage.grading.language.evidence import asserted_text, has_illusion, has_negation
from afterimage.grading.language.known_options import Options
from afterimage.grading.language.option_words import NEITHER
from afterimage.grading.language.words import Words, expression, listed, load

#: Least difference, as a part of the longer length.
MIN_DIFFERENCE = 0.05
# "Between 40 and 52 px", "40 x 52 px": more than one number belongs to the unit.
_OPEN = re.compile(r"[0-9]\s*(?:or|to|by|and|x|×|-|—|~|/)\s*$")


def by_measure(text: str, known: Options) -> str | None:
    """Return the id of the option that two measurements imply; None if they imply none.

    Args:
        known: The options; they compare sizes, lengths or distances.
    """
    if known.larger_number is None:
        return None
    text = asserted_text(text)
    # Most replies have no two lengths, so these are checked first.
    lengths = list(_length().finditer(text))
    if len(lengths) != 2:
        return None
    elsewhere = {found[0] for found in _elsewhere(known.larger_number).finditer(text)} - known.words
    if elsewhere or has_negation(text) or has_illusion(text):
        return None
    # Names and lengths in order, without immediate repetitions of a name.
    found: list[re.Match[str]] = []
    for match in sorted((*known.names.finditer(text), *lengths), key=lambda match: match.start()):
        if not found or match.lastgroup == "unit" or match.lastgroup != found[-1].lastgroup:
            found.append(match)
    names = [match for match in found if match.lastgroup != "unit"]
    alternate = len(names) == 2 and [found[0], found[2]] in (names, lengths)
    if not alternate or len({match["unit"] for match in lengths}) > 1:
        return None
    if len({found[0] for found in _things().finditer(text)}) > 1 or any(
        _OPEN.search(text[: m.start()]) for m in lengths
    ):
        return None
    compared = [known.named(name) for name in names]
    if compared[0] == compared[1] or not all(option.compares for option in compared):
        return None
    first, second = (float(match["number"].replace(",", ".")) for match in lengths)
    if first == second:
        same = [option.option_id for option in known.options if option.concept in NEITHER]
        return same[0] if len(same) == 1 else None
    if abs(first - second) < MIN_DIFFERENCE * max(first, second):
        return None
    return compared[(first > second) != (known.larger_number == "more")].option_id


@cache
def _length() -> re.Pattern[str]:
    units = expression(load("options")["measures"]["units"], before="")
    return re.compile(rf"(?P<number>(?<![0-9.,])[0-9]+(?:[.,][0-9]+)?)\s?(?P<unit>{units})")


@cache
def _things() -> Words:
    return listed("options", "measures", "things")


@cache
def _elsewhere(larger_number: str) -> Words:
    return listed("options", "measures", "not_of", larger_number)
