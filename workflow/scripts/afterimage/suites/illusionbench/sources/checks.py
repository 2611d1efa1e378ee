"""What every row of a data set must be, whatever it was read from; a fault is a reason to leave the row out."""

import hashlib
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from afterimage.suites.illusionbench.annotations import Exclusion, Picture
from afterimage.suites.illusionbench.names import NUMERALS

#: The sentence that every golden description holds: "There is (no) visual illusion in the image."
_PRESENCE = re.compile(
    r"\bthere\s+(?:is|are|isn't|aren't)\s+(?P<no>no\s+|not\s+)?(?:any\s+|an?\s+)?(?:visual\s+|optical\s+)?illusions?\b",
    re.IGNORECASE,
)
_NEGATED = re.compile(r"\bthere\s+(?:isn't|aren't)\b", re.IGNORECASE)


def claims_illusion(description: str) -> bool | None:
    """Tell what the presence sentence of a golden description says; None without one."""
    found = _PRESENCE.search(description.replace("’", "'"))
    if found is None:
        return None
    return not (found["no"] or _NEGATED.match(found[0]))


def choice_fault(options: Sequence[str], gold_index: int | None) -> str | None:
    """Return what is wrong with a multiple-choice question, if anything is."""
    if len(options) != len(NUMERALS):
        return f"not {len(NUMERALS)} options"
    if any(not plain(option) for option in options):
        return "an option without text"
    if len({plain(option) for option in options}) != len(options):
        return "two options are the same"
    if gold_index is None or not 0 <= gold_index < len(options):
        return "the answer is not among the options"
    return None


def plain(text: str) -> str:
    """Fold case and spaces and take off signs at the ends, to compare an answer with an option."""
    return re.sub(r"^[\W_]+|[\W_]+$", "", " ".join(text.casefold().split()))


def about_statement(text: str) -> str:
    """Tell a statement about the presence of an illusion from one about the content."""
    return "presence" if re.search(r"\billusions?\b", text, re.IGNORECASE) else "semantic"


def about_choice(text: str) -> str:
    """Tell a question for the cause of an illusion from one about the content."""
    asks = r"\b(?:why|cause[sd]?|reasons?|because|illusions?)\b"
    return "cause" if re.search(asks, text, re.IGNORECASE) else "content"


def kept(
    pictures: Iterable[Picture], leave_out: Iterable[str]
) -> tuple[list[Picture], list[Exclusion]]:
    """Part pictures that are used from those that the configuration leaves out or that nothing is asked about."""
    unwanted = set(leave_out)
    chosen, excluded = [], []
    for picture in pictures:
        if picture.image_id in unwanted:
            reason = "left out by the configuration"
        elif not (picture.statements or picture.choices or picture.golden):
            reason = "no usable question"
        else:
            chosen.append(picture)
            continue
        excluded.append(Exclusion("image", picture.image_id, picture.image_id, reason))
    return chosen, excluded


def version(files: Iterable[str | Path]) -> str:
    """Return twelve hexadecimal digits over the content of files, in order."""
    digest = hashlib.sha256()
    for file in files:
        digest.update(hashlib.sha256(Path(file).read_bytes()).digest())
    return digest.hexdigest()[:12]


def short_hash(text: str) -> str:
    """Return eight hexadecimal digits that stand for a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:8]
