"""The contact sheet: every stimulus of a suite on one page, one row per figure."""

import os
from collections.abc import Sequence

from afterimage.files.png import read_png
from afterimage.files.whole import atomic_path
from afterimage.showing.contact_sheet import compose


def draw_contact_sheet(
    images: Sequence[str | os.PathLike], sheet: str | os.PathLike, columns: int
) -> None:
    """Read all images, one at a time, and write the sheet as PNG."""
    page = compose(images, read_png, columns)
    with atomic_path(sheet) as temporary:
        page.save(temporary, format="PNG")
