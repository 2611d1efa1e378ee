"""The data set of the suite as it is read, and the checks of its rows.

Standard library only; the Snakefile reads a user's data set whenever it is parsed.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from afterimage.suites.illusionbench.names import NUMERALS


class Statement(NamedTuple):
    """A true-or-false question; ``about`` is ``semantic`` or ``presence``."""

    item_id: str
    text: str
    gold: bool
    about: str


class Choice(NamedTuple):
    """A multiple-choice question with its four options; ``about`` is ``content`` or ``cause``."""

    item_id: str
    text: str
    options: tuple[str, ...]
    gold_index: int
    about: str


class ImageQuestions(NamedTuple):
    """All that is asked about an image.

    Attributes:
        choices: Multiple-choice questions, options in the order of the prompt file or of the annotations.
        golden: The golden description; None if there is none that can be used.
    """

    statements: tuple[Statement, ...]
    choices: tuple[Choice, ...]
    golden: str | None


class Picture(NamedTuple):
    """An image and all that is asked about it.

    Attributes:
        image_id: Its name, usable in file names.
        file: Its path, or its name inside an archive.
        category: One of :data:`names.CATEGORIES`.
        difficulty: One of :data:`names.DIFFICULTIES`.
        golden: The golden description; None if there is none that can be used.
        size_px: Width and height, where the annotations state them.
    """

    image_id: str
    file: str
    category: str
    difficulty: str
    statements: tuple[Statement, ...] = ()
    choices: tuple[Choice, ...] = ()
    golden: str | None = None
    size_px: tuple[int, int] | None = None


#: The reason of an exclusion: an image is annotated and not there.
NO_FILE = "no image file"


class Exclusion(NamedTuple):
    """A row of the data that is not used.

    Attributes:
        kind: ``image``, ``true_false``, ``multiple_choice``, ``description`` or ``file``.
        row_id: Its name.
        image_id: The image that it belongs to; empty for files without annotation.
        reason: Why, in words that are the same for all rows with this fault.
        detail: What was found.
    """

    kind: str
    row_id: str
    image_id: str
    reason: str
    detail: str = ""


class Dataset(NamedTuple):
    """A data set as read.

    Attributes:
        pictures: In the order of the annotations.
        exclusions: What was left out, in the order in which it was met.
        files: The files of the annotations (and the archive of images).
        version: Twelve hexadecimal digits over the annotations.
    """

    pictures: tuple[Picture, ...]
    exclusions: tuple[Exclusion, ...]
    files: tuple[str, ...]
    version: str

    def of_category(self, category: str) -> tuple[Picture, ...]:
        return tuple(picture for picture in self.pictures if picture.category == category)


def reasons(exclusions: Sequence[Exclusion]) -> dict[str, int]:
    """Count exclusions by kind and reason, sorted."""
    counts = Counter(f"{exclusion.kind}: {exclusion.reason}" for exclusion in exclusions)
    return dict(sorted(counts.items()))


# The checks of every row, whatever it was read from; a row with a fault is left out.

#: The sentence that every golden description holds: "There is (no) visual illusion in the image."
_PRESENCE = re.compile(
    r"\bthere\s+(?:is|are|isn't|aren't)\s+(?P<no>no\s+|not\s+)?(?:any\s+|an?\s+)?(?:visual\s+|optical\s+)?illusions?\b",
    re.IGNORECASE,
)
_NEGATED = re.compile(r"\bthere\s+(?:isn't|aren't)\b", re.IGNORECASE)


def claims_illusion(description: str) -> bool | None:
    """Tell what the presence sentence of a golden description says; None without one."""
    match = _PRESENCE.search(description.replace("’", "'"))
    if match is None:
        return None
    return not (match["no"] or _NEGATED.match(match[0]))


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
    """Fold case and spaces and strip punctuation, to compare an answer with an option."""
    return re.sub(r"^[\W_]+|[\W_]+$", "", " ".join(text.casefold().split()))


def about_statement(text: str) -> str:
    """Tell a statement about the presence of an illusion from one about the content."""
    return "presence" if re.search(r"\billusions?\b", text, re.IGNORECASE) else "semantic"


def about_choice(text: str) -> str:
    """Tell a question for the cause of an illusion from one about the content."""
    asks = r"\b(?:why|cause[sd]?|reasons?|because|illusions?)\b"
    return "cause" if re.search(asks, text, re.IGNORECASE) else "content"


def split_usable(
    pictures: Iterable[Picture], leave_out: Iterable[str]
) -> tuple[list[Picture], list[Exclusion]]:
    """Separate pictures that are used from those that the configuration leaves out or that have no question."""
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
