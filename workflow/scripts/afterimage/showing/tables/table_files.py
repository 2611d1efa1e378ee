"""The files of a table: the whole table as CSV; the reader's as Markdown, LaTeX, HTML and JSON; and its paper's form.

Models that have not answered everything get a row with a sentence in place of numbers, and a warning. They get no
numbers at all, since a share of the answers before a server failed looks like any other share, and a rule that reads
empty replies makes numbers of them, too."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from textwrap import wrap

import pandas as pd

from afterimage.errors import unknown_name
from afterimage.files.attempts import (
    NOT_ALL,
    NOT_FINISHED,
    NOTHING_ANSWERED,
    NOTHING_ASKED,
    Unfinished,
)
from afterimage.files.csv_rows import frame_text
from afterimage.files.paths import with_folder, write_text
from afterimage.note import Note
from afterimage.showing.pilot import pilot_note
from afterimage.showing.tables.columns import NOT_AVAILABLE, rounded
from afterimage.showing.tables.declaration import Settings, Table
from afterimage.showing.tables.latex import latex_text
from afterimage.showing.tables.layout import LaidRow, Layout, in_language, lay_out
from afterimage.showing.tables.paper_form import lay_out_for_paper
from afterimage.showing.tables.renderers import html_text, json_text, markdown_text

# Headers of the columns that name a row.
_MODEL, _SUITE = "Model", "Suite"
# A sentence in a column of numbers; LaTeX and HTML set its lines below each other.
_LINE_LENGTH = 40


def with_rows(layout: Layout, unfinished: Sequence[Unfinished], group_by: str | None) -> Layout:
    """Return a reader's table with a row for each unfinished model, and warnings that name them.

    Args:
        group_by: The column with the headings above the table's rows.
    """
    if not unfinished:
        return layout
    rows = (
        LaidRow(_cells(layout, model), model.model if group_by == "model" else "")
        for model in unfinished
    )
    return replace(
        layout,
        rows=(*layout.rows, *rows),
        warnings=(*layout.warnings, *warnings_of(unfinished)),
        unfinished=tuple(unfinished),
    )


_NOT_COMPLETE = {
    NOT_ALL: "This table is not complete: {models} not finished, and without numbers here.",
    NOTHING_ANSWERED: "This table is not complete: {models} answered nothing, and without numbers here.",
}


def warnings_of(unfinished: Sequence[Unfinished]) -> Iterator[str]:
    for state, template in _NOT_COMPLETE.items():
        names = dict.fromkeys(model.model for model in unfinished if model.state == state)
        if names:
            yield Note(template, models=", ".join(names))
    reasons = {model.suite: model.reason for model in unfinished if model.state == NOTHING_ASKED}
    for suite, reason in reasons.items():
        yield Note("Nothing was asked in {suite}: {reason}.", suite=suite, reason=reason)


def _cells(layout: Layout, model: Unfinished) -> tuple[str, ...]:
    headers = [column.header for column in layout.columns]
    cells = [NOT_AVAILABLE] * len(headers)
    named = {
        headers.index(header): name
        for header, name in ((_MODEL, model.model), (_SUITE, model.suite))
        if header in headers
    } or {0: model.model}
    for index, name in named.items():
        cells[index] = name
    free = [index for index in range(len(headers)) if index not in named]
    sentence = model.sentence.laid_out("\n".join(wrap(model.sentence, _LINE_LENGTH)))
    if free:
        cells[free[0]] = sentence
    else:
        cells[-1] = f"{cells[-1]}\n{sentence}"
    return tuple(cells)


def with_csv_rows(printed: pd.DataFrame, unfinished: Sequence[Unfinished]) -> pd.DataFrame:
    """Return a table's CSV cells with a row for each unfinished model, and a column with the reason.

    Args:
        unfinished: Models without all answers; the table stays as it is where there are none.
    """
    if not unfinished:
        return printed
    naming = ["model", "suite"] if "suite" in printed else ["model"]
    rows = [
        {**{name: getattr(model, name) for name in naming}, NOT_FINISHED: model.sentence}
        for model in unfinished
    ]
    # As objects, so that whole numbers stay whole beside empty cells.
    return pd.concat([printed.astype(object), pd.DataFrame(rows, dtype=object)], ignore_index=True)


_CSV_DECIMALS = 4
# A header alone looks as if something had been lost.
_NO_ROWS = "This table has no rows: the study has no answer that it could show."
# Why a table of unfinished models has no number.
_UNFINISHED = "no model has answered everything yet"

#: Renderers of the reader's table, by the name of the form.
_FORMS: dict[str, Callable[[Layout], str]] = {
    "markdown": markdown_text,
    "latex": latex_text,
    "html": html_text,
    "json": json_text,
}
#: The same for the paper's form.
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
    """Write a table to some files; nothing is written unless all can be rendered.

    Args:
        frame: The whole table, one row per line of the CSV, as :func:`compute.frame_of` returned it.
        paths: Paths for "csv", "markdown", "latex", "html" and "json", or some of these; of a table with the field
            ``paper`` also "paper_markdown" and "paper_latex".
        grades: The answers of the frame, for notes that read them; the frame itself where None.
        unfinished: Models that have not answered everything, whose numbers are not in the frame.
        quoted: Rows that others printed, with the columns of the frame.

    Raises:
        AfterimageError: A form is unknown, or the declaration does not fit the frame.
    """
    made_from = frame if grades is None else grades
    layout = lay_out(table, frame, made_from, settings, quoted)
    # Tables are in a folder of their own below the results.
    folder = Path(next(iter(paths.values()))).parent.parent.as_posix()
    pilots = settings.get("pilot", ())
    without_rows = (_NO_ROWS,) if frame.empty and not unfinished else ()
    declared = (*without_rows, *layout.warnings)
    pilot = [pilot_note(pilots)] if pilots else []
    layout = replace(layout, warnings=(*pilot, *declared))
    layouts: dict[str, Layout] = {}
    if table.paper is not None:
        # Unfinished models have no row in the paper's form.
        without_key = [pilot_note(pilots, names_key=False)] if pilots else []
        warnings = (*without_key, *declared, *warnings_of(unfinished))
        printed = lay_out_for_paper(table, frame, made_from, settings, warnings)
        layouts |= dict.fromkeys(_PAPER_FORMS, printed)
    if pilots:
        # A CSV has no caption that could say so.
        frame = frame.assign(pilot=str(pilot_note(pilots)))
    if layout.empty and unfinished:
        layout = replace(layout, empty=_UNFINISHED)
    layouts |= dict.fromkeys(_FORMS, with_rows(layout, unfinished, table.group_by))
    texts = {}
    for form in paths:
        if form == "csv":
            texts[form] = csv_text(frame, table.csv_formats, unfinished, quoted)
        elif form in layouts:
            translated = _in_folder(in_language(layouts[form], settings), folder)
            texts[form] = (_FORMS | _PAPER_FORMS)[form](translated)
        else:
            raise unknown_name("form of a table", form, ["csv", *layouts])
    for form, text in texts.items():
        write_text(paths[form], text)


def _in_folder(layout: Layout, folder: str) -> Layout:
    """Fill in the name of the results folder."""
    notes = tuple(with_folder(note, folder) for note in layout.notes)
    return replace(layout, notes=notes, empty=with_folder(layout.empty, folder))


def csv_text(
    frame: pd.DataFrame,
    formats: Mapping[str, str] | None = None,
    unfinished: Sequence[Unfinished] = (),
    quoted: pd.DataFrame | None = None,
) -> str:
    """Return the whole frame as CSV; undefined values are empty.

    Args:
        formats: printf formats of float columns; the others have four decimals.
        unfinished: Models that get a row without numbers.
        quoted: Rows that others printed, which come last.
    """
    printed = frame.copy()
    quoted_rows = frame.iloc[:0] if quoted is None else quoted.copy()
    for name in frame.select_dtypes("float"):
        template = (formats or {}).get(name)
        number = _csv_number if template is None else template.__mod__
        printed[name] = frame[name].map(number, na_action="ignore")
        quoted_rows[name] = quoted_rows[name].map(number, na_action="ignore")
    if len(quoted_rows):
        # As objects, so that whole numbers stay whole beside empty cells.
        printed = pd.concat([printed.astype(object), quoted_rows], ignore_index=True)
    return frame_text(with_csv_rows(printed, unfinished))


def _csv_number(value: float) -> str:
    return rounded(value, _CSV_DECIMALS)
