"""Tables for tests: declared in a line, worked out, laid out and rendered."""

from afterimage.showing.declaration import Best, Table
from afterimage.showing.layout import lay_out
from afterimage.showing.table_files import write_table


def described(
    title, columns, notes=(), warnings=(), reference_rows=(), contested=None, contest=None, **fields
):
    """Declare a reader's table of a frame that is there already; notes are taken as they are."""
    return Table(
        "described",
        title,
        rows=(),
        columns=tuple(columns),
        notes=(lambda grades, settings: notes,),
        warnings=(lambda grades, settings: warnings,),
        references=lambda grades, settings: reference_rows,
        best=None if contested is None else Best(contested, contest),
        **fields,
    )


def laid_out(table, frame, grades=None, settings=None):
    """Lay out a frame, or what was made from grades."""
    return lay_out(table, frame, frame if grades is None else grades, settings or {})


def notes_of(table, grades, settings, frame=None):
    """Return the notes below a table."""
    from afterimage.showing.compute import frame_of

    frame = frame_of(table, grades, settings) if frame is None else frame
    return lay_out(table, frame, grades, settings).notes


def write_described(frame, paths, table):
    """Write a frame as each of the wanted files."""
    write_table(table, frame, paths, frame, {})
