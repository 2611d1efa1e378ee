"""Tables for tests: declared in a line, worked out, laid out and rendered."""

from afterimage.showing.tables import latex, renderers, table_files
from afterimage.showing.tables.compute import frame_of
from afterimage.showing.tables.declaration import Best, Table
from afterimage.showing.tables.layout import Layout, lay_out


def described(
    title, columns, notes=(), warnings=(), reference_rows=(), contested=None, contest=None, **fields
):
    """Declare a reader's table of a frame that is there already; notes are taken as they are."""
    return Table(
        "described",
        title.replace("{", "{{").replace("}", "}}"),
        rows=(),
        columns=tuple(columns),
        notes=(lambda grades, settings: notes,),
        warnings=(lambda grades, settings: warnings,),
        references=lambda grades, settings: reference_rows,
        best=None if contested is None else Best(contested, contest),
        **fields,
    )


def laid_out(frame, table, grades=None, settings=None):
    """Lay out a frame that was made from grades; what is laid out already stays as it is."""
    if isinstance(table, Layout):
        return table
    return lay_out(table, frame, frame if grades is None else grades, settings or {})


def layout_of(table, grades, settings):
    """Lay out what is made from grades."""
    return lay_out(table, frame_of(table, grades, settings), grades, settings)


def worked_out(table, grades, settings):
    """Work out what is made from grades, and lay it out."""
    return frame_of(table, grades, settings), layout_of(table, grades, settings)


def model_rows(table, grades, settings):
    """Work out a table and return the rows of models, without those of reference below them."""
    frame = frame_of(table, grades, settings)
    return frame[frame["kind"] == "measured"] if "kind" in frame else frame


def notes_of(table, grades, settings):
    """Return the notes below what is made from grades."""
    return layout_of(table, grades, settings).notes


def references_of(table, grades, settings):
    """Return the rows of reference, each as header -> cell, without their empty cells."""
    layout = layout_of(table, grades, settings)
    headers = [column.header for column in layout.columns]
    return [
        {header: cell for header, cell in zip(headers, row, strict=True) if cell}
        for row in layout.references
    ]


def reader_rows(*shown):
    """Return the printed cells."""
    return [list(row.cells) for row in laid_out(*shown).rows]


def csv_text(frame, table=None, *made_from):
    formats = {} if table is None or isinstance(table, Layout) else table.csv_formats
    return table_files.csv_text(frame, formats)


def markdown_text(*shown):
    return renderers.markdown_text(laid_out(*shown))


def latex_text(*shown):
    return latex.latex_text(laid_out(*shown))


def html_text(*shown):
    return renderers.html_text(laid_out(*shown))


def json_text(*shown):
    return renderers.json_text(laid_out(*shown))


FORMS = (csv_text, markdown_text, latex_text, html_text, json_text)


def write_table(frame, paths, table, grades=None, settings=None):
    """Write a frame as each of the wanted files."""
    table_files.write_table(table, frame, paths, settings or {}, grades)
