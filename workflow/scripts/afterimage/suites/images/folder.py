"""Checks the images of a set before any job; cheaply, so images are decoded only where their last bytes are odd."""

import os
import unicodedata
from difflib import get_close_matches
from pathlib import Path

from afterimage.errors import AfterimageError, Faults, fault
from afterimage.files.row_ids import RowIds, name_text
from afterimage.suites.images.csv_rows import IMAGE, IMAGE_ENDINGS, SETS_KEY
from afterimage.suites.images.dataset import image_path, questions_file, read_set

# First and last bytes of each kind of file.
_KINDS = {b"\x89PNG\r\n\x1a\n": b"IEND\xaeB`\x82", b"\xff\xd8\xff": b"\xff\xd9"}
# A picture of one pixel is a tracking pixel.
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
        location = f"{where}, line {line}, column '{IMAGE}'"
        with faults.noted():
            _require_image(location, root, image, present)
            # On file systems that ignore case they are one file, and the later picture overwrites the earlier.
            names.add(image, image, location)
    strays = set(present) - set(read.named)
    # Where a file is missing, a stray one is most likely the file that was meant.
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


def _require_image(location: str, root: Path, image: str, present: dict[str, str]) -> None:
    path = Path(image_path(str(root), image))
    if not path.is_file():
        near = get_close_matches(image, present, n=1, cutoff=0.7)
        hint = f" (is '{near[0]}' meant?)" if near else ""
        raise fault(
            location,
            f"found '{image}', and no such file is in the folder; expected a PNG or JPEG{hint}.",
        )
    if not path.resolve().is_relative_to(root.resolve()):
        raise fault(
            location,
            f"found '{image}', a link that leads out of the folder; expected a file inside it.",
        )
    # Imported here: only studies with own images have to wait for Pillow.
    from afterimage.files.opened_image import opened_image

    where = f"{location}: '{image}'"
    _require_whole(path, where, f"{location}: found '{image}', which")
    with opened_image(path, where) as opened:
        width, height = opened.size
    if min(width, height) < _MIN_SIDE:
        raise fault(
            where,
            f"found {width} x {height} pixels; expected at least {_MIN_SIDE} x {_MIN_SIDE}.",
        )


def _require_whole(path: Path, where: str, found: str) -> None:
    """Check that a file is a complete PNG or JPEG, by its first and last bytes; if the last ones differ, decode it."""
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
        # An incomplete download has no end marker; a camera or an editor may have appended data to a complete file.
        decode_photograph(path.read_bytes(), where)
    except UnreadableImageError as error:
        how = "ends in the middle" if error.is_cut_off else f"is {error.what}"
        raise AfterimageError(f"{found} {how}; expected the whole file.") from None


def _files_in(root: Path, endings: tuple[str, ...]) -> set[str]:
    """Return the paths of all files below a folder with these endings, with slashes; hidden ones are skipped."""
    found = set()
    for directory, folders, files in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith((".", "__MACOSX"))]
        for name in files:
            if name.lower().endswith(endings) and not name.startswith("."):
                found.add((Path(directory) / name).relative_to(root).as_posix())
    return found
