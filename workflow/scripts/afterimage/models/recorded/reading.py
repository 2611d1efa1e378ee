"""The answers of a recorded file, whatever its format."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from afterimage.errors import AfterimageError, unknown_name
from afterimage.files.recorded_rows import ending
from afterimage.models.recorded.answer import RecordedAnswer
from afterimage.models.recorded.inspect_ai import is_log, read_inspect_ai
from afterimage.models.recorded.lmms_eval import read_lmms_eval
from afterimage.models.recorded.tables import read_table
from afterimage.models.recorded.vlmevalkit import read_vlmevalkit

_BY_ENDING = {
    ".jsonl": "jsonl",
    ".csv": "csv",
    ".parquet": "parquet",
    ".eval": "inspect_ai",
    ".json": "inspect_ai",
    ".xlsx": "xlsx",
}
_TEMPLATES = {
    "lmms_eval": "{doc_id}",
    "lm_eval": "{doc_id}",
    "inspect_ai": "{id}",
    "vlmevalkit": "{index}",
}


def read_answers(path: str | Path, settings: Mapping[str, Any]) -> Iterator[RecordedAnswer]:
    """Yield the answers of a file, in its order.

    Args:
        path: The file.
        settings: The backend's settings, complete.

    Raises:
        AfterimageError: The file is missing or not what the settings say, or a record lacks a field.
    """
    file = Path(path)
    if not file.is_file():
        raise AfterimageError(f"{path}: no such file; expected recorded answers.")
    kind = settings["format"]
    if kind == "auto":
        if ending(file) not in _BY_ENDING:
            raise unknown_name("ending", ending(file), _BY_ENDING, f"{path}: setting 'format'")
        kind = _BY_ENDING[ending(file)]
        if ending(file) == ".json" and not is_log(file):
            kind = "jsonl"
    template = settings["item_id"] or _TEMPLATES.get(kind, "{item_id}")
    if kind in ("lmms_eval", "lm_eval"):
        return read_lmms_eval(file, template)
    if kind == "inspect_ai":
        return read_inspect_ai(file, template)
    if kind == "vlmevalkit":
        return read_vlmevalkit(file, template)
    return read_table(file, kind, template, settings["columns"])
