"""What a data set of the suite holds once it has been read: pictures with their questions, and what was left out.

Standard library only; the Snakefile reads a user's data set whenever it is parsed.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple


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
        statements: True-or-false questions.
        choices: Multiple-choice questions, options in the order of the prompt file or of the annotations.
        golden: The golden description; None where there is none that can be used.
    """

    statements: tuple[Statement, ...]
    choices: tuple[Choice, ...]
    golden: str | None


class Picture(NamedTuple):
    """An image and all that is asked about it.

    Attributes:
        image_id: Its name, usable in file names.
        file: Where it lies: a path, or the name inside an archive.
        category: One of :data:`names.CATEGORIES`.
        difficulty: One of :data:`names.DIFFICULTIES`.
        statements: True-or-false questions.
        choices: Multiple-choice questions.
        golden: The golden description; None where there is none that can be used.
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
        """Return the pictures of a category, in order."""
        return tuple(picture for picture in self.pictures if picture.category == category)


def reasons(exclusions: Sequence[Exclusion]) -> dict[str, int]:
    """Count exclusions by kind and reason, sorted."""
    counts = Counter(f"{exclusion.kind}: {exclusion.reason}" for exclusion in exclusions)
    return dict(sorted(counts.items()))
