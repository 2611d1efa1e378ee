"""A relabelling of a question file, such as RePOPE's: corrected labels, ambiguous questions left out.

The files have POPE's own form. They come without a licence, so users bring them; a hash says which they are.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from afterimage.errors import fault
from afterimage.suites.pope.readers.question_files import (
    FIRST_RELEASE,
    QuestionFile,
    read_questions,
)

#: What a relabelling does with a question.
KEPT, FLIPPED, REMOVED = FATES = ("kept", "flipped", "removed")
#: Beginnings of the SHA-256 of the files coco_repope_*.json of the repository of RePOPE (arXiv 2504.15707).
_VERSIONS = {
    "f464fcaf60b24ce2": "RePOPE, random",
    "57832b055bae5fd6": "RePOPE, popular",
    "8c346dbb060bf422": "RePOPE, adversarial",
}
# The first release of POPE spelled it so before some objects.
_MISSPELT = re.compile(r"\bimange\b")

#: Image and words of a question.
Asked = tuple[str, str]


class Relabelling(NamedTuple):
    """One strategy's relabelling.

    Attributes:
        sha256: Hash of the unpacked file.
        version: Which file it is, as far as the hash tells; "unknown version" else.
        labels: Image and words to the new label, "yes" or "no".
        unasked: Questions of it that the question file lacks; only the first release may lack some.
    """

    sha256: str
    version: str
    labels: Mapping[Asked, str]
    unasked: int

    def fate(self, image: str, text: str, label: str) -> str:
        """Return what becomes of a question with its old label: one of :data:`FATES`."""
        new = self.labels.get(_asked(image, text))
        if new is None:
            return REMOVED
        return KEPT if new == label else FLIPPED


def read_relabelling(path: str | Path, questions: QuestionFile) -> Relabelling:
    """Read a relabelling and join it to its questions by image and words.

    Raises:
        AfterimageError: The file is not of POPE's form, asks something twice or with another id or other words, or asks
            what the question file does not.
    """
    file = read_questions(path)
    old = {_asked(one.image, one.text): one for one in questions.questions}
    ids = {one.question_id: one for one in questions.questions}
    first = questions.version == FIRST_RELEASE
    labels: dict[Asked, str] = {}
    unasked = 0
    for one in file.questions:
        name, place = _asked(one.image, one.text), f"{path}: question_id {one.question_id}"
        if name in labels:
            raise fault(
                place,
                f"'{one.text}' about {one.image} stands there for the second time; expected each once.",
            )
        labels[name] = one.label
        if name in old and (first or old[name].question_id == one.question_id):
            continue
        if name in old:
            raise fault(
                place,
                f"'{one.text}' about {one.image} has question_id {old[name].question_id} in "
                f"{questions.path}; expected the same ids.",
            )
        if first:
            unasked += 1
            continue
        same = ids.get(one.question_id)
        asked = f"'{same.text}' about {same.image}" if same else "no question with this id"
        raise fault(
            place,
            f"'{one.text}' about {one.image} is not asked: {questions.path} has {asked}; expected a "
            "relabelling of these questions.",
        )
    version = _VERSIONS.get(file.sha256[:16], "unknown version")
    return Relabelling(file.sha256, version, labels, unasked)


def read_relabellings(
    relabel: Mapping[str, str], questions: Mapping[str, str]
) -> dict[str, Relabelling]:
    """Return the relabelling of each strategy that has one; both arguments map strategies to files."""
    return {
        strategy: read_relabelling(relabel[strategy], read_questions(path))
        for strategy, path in questions.items()
        if strategy in relabel
    }


def _asked(image: str, text: str) -> Asked:
    return image, _MISSPELT.sub("image", text)
