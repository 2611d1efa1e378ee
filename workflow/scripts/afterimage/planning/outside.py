"""What must survive the removal of results: answers that were paid for, and what people did."""

import os
from pathlib import Path

from afterimage.errors import AfterimageError
from afterimage.files.folder import require_folder


def outside_results(folder: str, results: str, key: str) -> str:
    """Return a folder of the study that lies outside its results.

    Raises:
        AfterimageError: It lies below them, one of both cannot be a folder, or the results are around the working
            folder, naming the key that asks for it.
    """
    for name, path in ((key, folder), ("results_folder", results)):
        require_folder(path, f"config key '{name}'")
    if _is_below(".", results):
        raise AfterimageError(
            f"config key 'results_folder': found '{results}', in which this folder lies; expected a folder for the "
            "results alone, since they may be removed at any time."
        )
    if _is_below(folder, results):
        raise AfterimageError(
            f"config key '{key}': found '{folder}', which is below {results}; expected a folder outside of it, "
            "since results may be removed at any time."
        )
    return folder


def _is_below(folder: str, results: str) -> bool:
    inside = Path(os.path.realpath(folder))
    return Path(os.path.realpath(results)) in (inside, *inside.parents)
