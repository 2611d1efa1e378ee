"""The images of a set, found and looked at before any job: cheap, so no image is decoded."""

import os
import unicodedata
from difflib import get_close_matches
from pathlib import Path

from afterimage.errors import AfterimageError, Faults, fault
from afterimage.files.row_ids import RowIds, name_text
from afterimage.suites.images.csv_rows import IMAGE, IMAGE_ENDINGS, SETS_KEY
from afterimage.suites.images.dataset import image_path, questions_file, read_set

# How a file of each kind begins, and its last bytes.
_KINDS = {b"\x89PNG\r\n\x1a\n": b"IEND\xaeB`\x82", b"\xff\xd8\xff": b"\xff\xd9"}
# A picture of one pixel tracks readers; it shows nothing.
_MIN_SIDE = 2
_OTHER_ENDINGS = (
    *(".gif", ".webp", ".bmp", ".tif", ".tiff", ".heic", ".heif", ".avif", ".jp2", ".jxl", ".svg"),
    *(".pdf", ".psd", ".raw", ".ico"),
)


def require_images(name: str, folder: str, unnamed: str) -> None:
    """Check a set's file, that every image that it names is a PNG or JPEG in the folder, and that no other is there.

    Args:
        name: The set.
        folder: Its folder.
        unnamed: ``refuse``, or ``ignore`` for images that no row names.

    Raises:
        AfterimageError: Each fault in a line that names file, line and column.
    """
    root = Path(folder).expanduser()
    if set(str(root)) & set("{}"):
        raise fault(
            SETS_KEY.below(f".{name}"), f"found '{folder}'; expected a path without braces."
        )
    read = read_set(name, folder)
    present = {
        unicodedata.normalize("NFC", path): path for path in sorted(_files_in(root, IMAGE_ENDINGS))
    }
    where = questions_file(name, folder)
    faults = Faults()
    for sentence in read.faults:
        faults.add(AfterimageError(sentence))
    names = RowIds[str]("image", name_text)
    for image, line in read.named.items():
        place = f"{where}, line {line}, column '{IMAGE}'"
        with faults.noted():
            _require_image(place, root, image, present)
            # Where file names have no case they are one file, and the later picture is both.
            names.add(image, image, place)
    strays = set(present) - set(read.named)
    # Beside a file that is missing, a stray is most likely the one that is meant.
    if strays and unnamed == "refuse" and not faults.sentences:
        first = min(strays)
        more = f" and {len(strays) - 1} more" if len(strays) > 1 else ""
        faults.add(
            AfterimageError(
                f"{where}, column '{IMAGE}': no row names '{first}'{more}, which the folder holds; expected every "
                "image in a row (or `unnamed_images: ignore` in the configuration)."
            )
        )
    if unnamed == "refuse":
        for other in sorted(_files_in(root, _OTHER_ENDINGS) - set(read.named)):
            faults.add(
                AfterimageError(
                    f"{root.as_posix()}/{other}: found a file of a kind that is not read; expected PNG or JPEG "
                    "(or `unnamed_images: ignore` in the configuration)."
                )
            )
    faults.raise_any()


def _require_image(place: str, root: Path, image: str, present: dict[str, str]) -> None:
    path = Path(image_path(str(root), image))
    if not path.is_file():
        near = get_close_matches(image, present, n=1, cutoff=0.7)
        hint = f" (is '{near[0]}' meant?)" if near else ""
        raise fault(
            place,
            f"found '{image}', and no such file is in the folder; expected a PNG or JPEG{hint}.",
        )
    if not path.resolve().is_relative_to(root.resolve()):
        raise fault(
            place,
            f"found '{image}', a link that leads out of the folder; expected a file inside it.",
        )
    # Late: only who has images of their own waits for Pillow.
    from afterimage.files.opened_image import opened_image

    where = f"{place}: '{image}'"
    _require_whole(path, where, f"{place}: found '{image}', which")
    with opened_image(path, where) as opened:
        width, height = opened.size
    if min(width, height) < _MIN_SIDE:
        raise fault(
            where,
            f"found {width} x {height} pixels; expected at least {_MIN_SIDE} x {_MIN_SIDE}.",
        )


def _require_whole(path: Path, where: str, found: str) -> None:
    """Check that a file is a whole PNG or JPEG: by its first and last bytes, or, where these do not tell, decoded."""
    with path.open("rb") as file:
        start = file.read(max(map(len, _KINDS)))
        end = next((last for first, last in _KINDS.items() if start.startswith(first)), None)
        if end is None:
            raise AfterimageError(f"{found} is neither PNG nor JPEG; expected one of the two.")
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - len(end)))
        if file.read() == end:
            return
    # Decoding loads numpy, which most folders do not need.
    from afterimage.files.opened_image import UnreadableImageError
    from afterimage.files.photograph import decode_photograph

    try:
        # A download that broke off has no end; a camera's film or an editor's notes may stand behind it.
        decode_photograph(path.read_bytes(), where)
    except UnreadableImageError as error:
        how = "ends in the middle" if error.is_cut_off else f"is {error.what}"
        raise AfterimageError(f"{found} {how}; expected the whole file.") from None


def _files_in(root: Path, endings: tuple[str, ...]) -> set[str]:
    """Return the paths of all files below a folder that end so, with slashes; hidden ones are passed over."""
    found = set()
    for place, folders, files in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith((".", "__MACOSX"))]
        for name in files:
            if name.lower().endswith(endings) and not name.startswith("."):
                found.add((Path(place) / name).relative_to(root).as_posix())
    return found
