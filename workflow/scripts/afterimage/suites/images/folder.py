"""The images of a set, found and looked at before any job: cheap, so no image is decoded. Standard library only."""

import os
import unicodedata
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path

from afterimage.errors import AfterimageError
from afterimage.suites.images.dataset import Question, images, questions_file
from afterimage.suites.images.image_files import image_path
from afterimage.suites.images.names import IMAGE, IMAGE_ENDINGS, SETS_KEY

_FIRST_BYTES = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff")


def require_images(name: str, folder: str, unnamed: str) -> None:
    """Check that every image that is asked about is a PNG or JPEG in the folder, and that no other lies there.

    Args:
        name: The set.
        folder: Its folder.
        unnamed: ``refuse``, or ``ignore`` for images that no row names.

    Raises:
        AfterimageError: One is not; file, line and column are named.
    """
    root = Path(folder).expanduser()
    if set(str(root)) & set("{}"):
        raise AfterimageError(
            f"{SETS_KEY}.{name}: found '{folder}'; expected a path without braces."
        )
    named = [asked[0] for asked in images(name, folder).values()]
    present = {unicodedata.normalize("NFC", path): path for path in sorted(_images_in(root))}
    where = questions_file(name, folder)
    for question in named:
        _require_image(where, root, question, present)
    strays = set(present) - {question.image for question in named}
    if strays and unnamed == "refuse":
        first = min(strays)
        more = f" and {len(strays) - 1} more" if len(strays) > 1 else ""
        raise AfterimageError(
            f"{where}, column '{IMAGE}': no row names '{first}'{more}, which the folder holds; expected every image in "
            "a row (or `unnamed_images: ignore` in the configuration)."
        )


def _require_image(where: str, root: Path, question: Question, present: dict[str, str]) -> None:
    path = Path(image_path(str(root), question.image))
    place = f"{where}, line {question.line}, column '{IMAGE}'"
    if not path.is_file():
        near = get_close_matches(question.image, present, n=1, cutoff=0.7)
        hint = f" (is '{near[0]}' meant?)" if near else ""
        raise AfterimageError(
            f"{place}: found '{question.image}', and no such file is in the folder; expected a PNG or JPEG{hint}."
        )
    if not path.resolve().is_relative_to(root.resolve()):
        raise AfterimageError(
            f"{place}: found '{question.image}', a link that leads out of the folder; expected a file inside it."
        )
    with path.open("rb") as file:
        start = file.read(max(map(len, _FIRST_BYTES)))
    if not start.startswith(_FIRST_BYTES):
        raise AfterimageError(
            f"{place}: found '{question.image}', which is neither PNG nor JPEG; expected one of the two."
        )


def _images_in(root: Path) -> Iterator[str]:
    """Yield the paths of all images below a folder, with slashes; hidden files and folders are passed over."""
    for place, folders, files in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith((".", "__MACOSX"))]
        for name in files:
            if name.lower().endswith(IMAGE_ENDINGS) and not name.startswith("."):
                yield (Path(place) / name).relative_to(root).as_posix()
