"""Whether what a study asks about is what a paper asked about, by hashes: proven, the questions alone, or unknown."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from afterimage.contract.paper import Data
from afterimage.errors import AfterimageError
from afterimage.files.yaml import read_yaml_mapping

#: The known hashes, in addition to the printed numbers.
RELEASES_FILE = "releases.yaml"
#: Images and questions are the paper's; the questions are; nothing is known; they are known to be others.
PROVEN, SAME_QUESTIONS, UNPROVEN, OTHER = (
    "proven",
    "same_questions",
    "unproven",
    "other_images",
)
#: From what is sure to what is known to be otherwise: several parts are as sure as the last of them.
_ORDER = (PROVEN, SAME_QUESTIONS, UNPROVEN, OTHER)
#: What a hash is of: files or content with images and questions, or questions alone.
_BOTH, _QUESTIONS = KINDS = ("both", "questions")
_SHOWN_DIGITS = 16


class Release(NamedTuple):
    """What authors released, by one hash.

    Attributes:
        file: Which file, or what of its content.
    """

    repository: str
    revision: str
    file: str
    sha256: str


class Evidence(NamedTuple):
    """How sure it is that images and questions are a paper's: one of the states above, and why no more is, in words."""

    state: str
    said: str = ""


#: Evidence for a part without any statement.
NOTHING_KNOWN = Evidence(
    UNPROVEN,
    "as many questions as in the paper, but no hash says that they and their images are the paper's",
)
#: Paper, part of its data, kind of hash, releases.
Releases = Mapping[str, Mapping[str, Mapping[str, Sequence[Release]]]]


def read_releases(path: Path) -> Releases:
    """Read the known hashes.

    Raises:
        AfterimageError: An entry is not as expected.
    """
    return {
        paper: {
            part: _read(kinds, f"{path}: {paper}, {part}")
            for part, kinds in _mapping(parts, f"{path}: {paper}").items()
        }
        for paper, parts in read_yaml_mapping(path, "the published numbers").items()
    }


def _mapping(found: object, where: str) -> Mapping[str, Any]:
    if not isinstance(found, Mapping):
        raise AfterimageError(f"{where}: found {found!r}; expected a mapping.")
    return found


def _read(kinds: object, where: str) -> dict[str, tuple[Release, ...]]:
    found: dict[str, tuple[Release, ...]] = {}
    for kind, releases in _mapping(kinds, where).items():
        sound = isinstance(releases, list) and all(
            isinstance(release, Mapping) and {*release} == {*Release._fields}
            for release in releases
        )
        if kind not in KINDS or not sound:
            raise AfterimageError(
                f"{where}: found '{kind}' with {releases!r:.80}; expected {' or '.join(KINDS)} with a list of "
                f"{', '.join(Release._fields)}."
            )
        found[kind] = tuple(
            Release(**{key: str(release[key]) for key in release}) for release in releases
        )
    return found


def evidence(data: Data, known: Mapping[str, Sequence[Release]]) -> Evidence:
    """Return how sure it is that a part of a study's data is the paper's.

    Args:
        data: What the study asks about.
        known: The hashes of the paper's own, by kind.
    """
    if data.other:
        return Evidence(OTHER, data.other)
    both = {release.sha256 for release in known.get(_BOTH, ())}
    if data.content in both or (data.files and both.issuperset(data.files.values())):
        return Evidence(PROVEN)
    questions = {release.sha256: release for release in known.get(_QUESTIONS, ())}
    if data.questions in questions:
        release = questions[data.questions]
        return Evidence(
            SAME_QUESTIONS,
            f"the questions are those of the authors' release (SHA-256 {release.sha256[:_SHOWN_DIGITS]}..., "
            f"{release.file} of {release.repository} at {release.revision}); that the images are is not proven",
        )
    if questions and data.questions:
        return Evidence(
            OTHER,
            "other questions than the paper's: their SHA-256 is "
            f"{data.questions[:_SHOWN_DIGITS]}..., that of the authors' release "
            f"{' or '.join(f'{release[:_SHOWN_DIGITS]}...' for release in questions)}",
        )
    return NOTHING_KNOWN


def weakest(found: Iterable[Evidence]) -> Evidence:
    """Return what is known of several parts together: as sure as the least sure one."""
    return max(
        found, key=lambda evidence_of: _ORDER.index(evidence_of.state), default=Evidence(PROVEN)
    )
