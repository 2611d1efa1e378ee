"""What must survive the removal of results: answers that were paid for, and what people did."""

from pathlib import Path

from afterimage.errors import AfterimageError


def outside_results(folder: str, results: str, key: str) -> str:
    """Return a folder of the study that lies outside its results.

    Raises:
        AfterimageError: It lies below them, or one of both is a file, naming the key that asks for it.
    """
    for name, path in ((key, folder), ("results_folder", results)):
        if Path(path).is_file():
            raise AfterimageError(f"config key '{name}': '{path}' is a file; expected a folder.")
    if Path(results).resolve() in (Path(folder).resolve(), *Path(folder).resolve().parents):
        raise AfterimageError(
            f"config key '{key}': found '{folder}', which is below {results}; expected a folder outside of it, "
            "since results may be removed at any time."
        )
    return folder
