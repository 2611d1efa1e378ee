"""The folder of a dataset's images: where the image lies that a file names, however people have laid it out.

Standard library only: the Snakefile imports this module whenever it is parsed.
"""

import os
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path, PurePosixPath

from afterimage.errors import AfterimageError

#: How names of images end.
ENDINGS = (".jpg", ".jpeg", ".png", ".webp", ".bmp")


class ImageFolder:
    """A folder with images in it or in folders of it, such as ``val2014`` and ``train2014``."""

    def __init__(self, folder: str | None) -> None:
        """Look at nothing yet; None for no folder."""
        self._folder = None if folder is None else Path(folder)

    def find(self, named: str) -> str | None:
        """Return the path of an image; None where there is none.

        It lies where its name says or, whatever folder and ending the name has or lacks, in this folder or in one of
        its folders.

        Raises:
            AfterimageError: Several files have its name.
        """
        if self._folder is None or not self._folder.is_dir():
            return None
        # Some lists name files with a leading slash.
        path = self._folder / named.lstrip("/")
        if path.is_file():
            return str(path)
        name = PurePosixPath(named).name
        wanted = [name] if name.lower().endswith(ENDINGS) else [name + end for end in ENDINGS]
        found = [place for one in wanted for place in self._places.get(one, ())]
        if len(found) > 1:
            raise AfterimageError(
                f"{self._folder}: image '{named}' may be '{found[0]}' or '{found[1]}'; expected one file of this name."
            )
        return str(self._folder / found[0]) if found else None

    @cached_property
    def _places(self) -> dict[str, list[str]]:
        """Name of each file to its places."""
        places: dict[str, list[str]] = {}
        for place in self.places():
            places.setdefault(PurePosixPath(place).name, []).append(place)
        return places

    def places(self) -> Iterator[str]:
        """Yield the path of each file in the folder and its folders, below the folder and with slashes, sorted."""
        if self._folder is None:
            return
        for entry in _entries(self._folder):
            if entry.is_dir():
                yield from (f"{entry.name}/{one.name}" for one in _entries(entry) if one.is_file())
            else:
                yield entry.name


def _entries(folder: Path | os.DirEntry[str]) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        return sorted(
            (one for one in entries if not one.name.startswith(".")), key=lambda one: one.name
        )
