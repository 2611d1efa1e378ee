"""Folders of pictures with a CSV, as a user would make them."""

from pathlib import Path

from PIL import Image

HEADER = "image,question,options,answer"


def make_set(
    folder: Path, *rows: str, header: str = HEADER, images=("a.png",), encoding="utf-8"
) -> str:
    """Write a set's CSV and its images, each of another colour; returns the folder's path."""
    folder.mkdir(parents=True, exist_ok=True)
    for index, name in enumerate(images):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        form = "PNG" if path.suffix.lower() == ".png" else "JPEG"
        Image.new("RGB", (20 + index, 12), (40 * index % 256, 90, 90)).save(path, form)
    (folder / "questions.csv").write_bytes("\r\n".join([header, *rows, ""]).encode(encoding))
    return str(folder)
