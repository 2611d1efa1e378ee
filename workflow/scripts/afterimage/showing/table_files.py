"""One table, several files: everything as CSV; what readers see as Markdown, LaTeX, HTML and JSON; its paper's form."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pandas as pd

from afterimage.contract.results_folder import with_folder
from afterimage.errors import unknown_name
from afterimage.files.attempts import Unfinished
from afterimage.files.csv_rows import frame_text
from afterimage.files.whole import write_text
from afterimage.showing.as_json import json_text
from afterimage.showing.columns import rounded
from afterimage.showing.declaration import Settings, Table
from afterimage.showing.html import html_text
from afterimage.showing.latex import latex_text
from afterimage.showing.layout import Layout, lay_out
from afterimage.showing.markdown import markdown_text
from afterimage.showing.paper_layout import lay_out_for_paper
from afterimage.showing.said_layout import in_language
from afterimage.showing.unfinished import warnings_of, with_csv_rows, with_rows

_CSV_DECIMALS = 4
# A header alone looks as if something had been lost.
_NO_ROWS = "This table has no rows: the study has no answer that it could show."
# Why a table of unfinished models has no number.
_UNFINISHED = "no model has answered everything yet"

#: What readers see, by the name of the form.
_FORMS: dict[str, Callable[[Layout], str]] = {
    "markdown": markdown_text,
    "latex": latex_text,
    "html": html_text,
    "json": json_text,
}
#: The same of the form in which a table's paper prints it.
_PAPER_FORMS: dict[str, Callable[[Layout], str]] = {
    "paper_markdown": markdown_text,
    "paper_latex": latex_text,
}


def write_table(
    table: Table,
    frame: pd.DataFrame,
    paths: Mapping[str, str | os.PathLike[str]],
    settings: Settings,
    grades: pd.DataFrame | None = None,
    unfinished: Sequence[Unfinished] = (),
    quoted: pd.DataFrame | None = None,
) -> None:
    """Write a table as each of the wanted files; nothing is written unless all can be rendered.

    Args:
        table: The declaration.
        frame: The whole table, one row per line of the CSV, as :func:`compute.frame_of` returned it.
        paths: Where to write "csv", "markdown", "latex", "html" and "json", or some of these; of a table with the field
            ``paper`` also "paper_markdown" and "paper_latex".
        settings: The table's settings.
        grades: What the frame was made from, for notes that look at it; the frame itself where None.
        unfinished: Models that have not answered everything, whose numbers are not in the frame.
        quoted: Rows that others printed, with the columns of the frame.

    Raises:
        AfterimageError: A form is unknown, or the declaration does not fit the frame.
    """
    made_from = frame if grades is None else grades
    layout = lay_out(table, frame, made_from, settings, quoted)
    # Tables lie in a folder of their own below the results.
    folder = Path(next(iter(paths.values()))).parent.parent.as_posix()
    pilot = tuple(filter(None, [settings.get("pilot")]))
    silent = (_NO_ROWS,) if frame.empty and not unfinished else ()
    layout = replace(layout, warnings=(*pilot, *silent, *layout.warnings))
    layouts: dict[str, Layout] = {}
    if table.paper is not None:
        # What is missing is no row of the paper's.
        warnings = (*layout.warnings, *warnings_of(unfinished))
        printed = lay_out_for_paper(table, frame, made_from, settings, warnings)
        layouts |= dict.fromkeys(_PAPER_FORMS, printed)
    if pilot:
        # A CSV has no caption that could say so.
        frame = frame.assign(pilot=pilot[0])
    layout = replace(
        layout,
        notes=tuple(with_folder(note, folder) for note in layout.notes),
        empty=_UNFINISHED if layout.empty and unfinished else with_folder(layout.empty, folder),
    )
    layouts |= dict.fromkeys(_FORMS, with_rows(layout, unfinished, table.group_by))
    texts = {}
    for form in paths:
        if form == "csv":
            texts[form] = csv_text(frame, table.csv_formats, unfinished, quoted)
        elif form in layouts:
            said = in_language(layouts[form], settings)
            texts[form] = (_FORMS | _PAPER_FORMS)[form](said)
        else:
            raise unknown_name("form of a table", form, ["csv", *layouts])
    for form, text in texts.items():
        write_text(paths[form], text)


def csv_text(
    frame: pd.DataFrame,
    formats: Mapping[str, str] | None = None,
    unfinished: Sequence[Unfinished] = (),
    quoted: pd.DataFrame | None = None,
) -> str:
    """Return the whole frame as CSV; undefined values are empty.

    Args:
        frame: The table.
        formats: printf formats of float columns; the others have four decimals.
        unfinished: Models that get a row without numbers.
        quoted: Rows that others printed, which come last.
    """
    printed = frame.copy()
    others = frame.iloc[:0] if quoted is None else quoted.copy()
    for name in frame.select_dtypes("float"):
        template = (formats or {}).get(name)
        number = _csv_number if template is None else template.__mod__
        printed[name] = frame[name].map(number, na_action="ignore")
        others[name] = others[name].map(number, na_action="ignore")
    if len(others):
        # As objects, so that whole numbers stay whole beside empty cells.
        printed = pd.concat([printed.astype(object), others], ignore_index=True)
    return frame_text(with_csv_rows(printed, unfinished))


def _csv_number(value: float) -> str:
    return rounded(value, _CSV_DECIMALS)
