"""The named cells of all tables, for manuscripts: docs/paper.md."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from afterimage.files.csv_rows import read_rows
from afterimage.files.whole import write_text
from afterimage.jobs.running import Files
from afterimage.showing.cited_cells import cited_table
from afterimage.showing.cited_files import values_json, values_latex


def write_values(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, beside: Mapping[str, Any]
) -> None:
    """Write every cell of every table by its name, for LaTeX, Typst and Markdown.

    Args:
        spec: ``pages``, table to the report's page that shows it; what judges did stands on none.
        inputs: ``tables`` (CSV), ``latex`` and ``typst`` (one file each: the macros, which come with the workflow).
        outputs: ``json``, ``latex``, ``typst``.
        beside: Nothing.
    """
    tables = [
        cited_table(name, spec["pages"].get(name, ""), read_rows(path))
        for path in inputs["tables"]
        for name in [Path(path).stem]
    ]
    macros = Path(*inputs["latex"]).read_text(encoding="utf-8")
    texts = {
        "json": values_json(tables),
        "latex": values_latex(tables, macros),
        "typst": Path(*inputs["typst"]).read_text(encoding="utf-8"),
    }
    for form, text in texts.items():
        write_text(outputs[form], text)
