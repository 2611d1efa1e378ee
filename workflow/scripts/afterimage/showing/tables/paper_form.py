"""A table as its paper prints it (:class:`declaration.PaperForm`): the declared rows and columns, numbers alone.

Models have their printed names and the paper's order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING

from afterimage.note import joined
from afterimage.showing.looks import split_mark
from afterimage.showing.tables.baselines import MEASURED, REFERENCE
from afterimage.showing.tables.columns import (
    NOT_AVAILABLE,
    Column,
    Printed,
    Row,
    as_cell,
    is_missing,
    percent,
    rounded,
    value_of,
)
from afterimage.showing.tables.declaration import PaperForm, Settings, Table
from afterimage.showing.tables.layout import Head, LaidRow, Layout, in_language, lay_out, lines_of

if TYPE_CHECKING:
    import pandas as pd


def percent_alone(header: str, value: str, k: str, n: str = "n", decimals: int = 1) -> Printed:
    """Return a column of percentages, exact where there are counts.

    Args:
        value: The frame's column with the percentage.
        k: The column with the count, in rows that have one.
        n: The column with the number of which it is.
    """
    return Printed(header, partial(_percent, value, k, n, decimals))


def _percent(value: str, k: str, n: str, decimals: int, row: Row) -> str:
    if is_missing(value_of(row, k)):
        return rounded(float("nan") if is_missing(row[value]) else row[value], decimals)
    return percent(row[k], row[n], decimals)


def first_line(column: Column) -> Printed:
    """Return a column with only the first line of another's cells, without interval and counts."""

    def first(row: Row) -> str:
        cell = as_cell(column.cell(row))
        return cell.with_text(lines_of(cell)[0].text)

    return Printed(column.header, first, column.numeric)


def models_alone(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of a frame without reference rows."""
    return frame[frame["kind"] != REFERENCE]


#: Papers print this for a missing number.
_NONE = "\N{EN DASH}"
#: Kinds of rows in papers that are no models'.
PEOPLE_KIND = "human"
_NO_MODEL = (PEOPLE_KIND, REFERENCE)
_NO_MODELS = "Reference responders; the study has no model."


def lay_out_for_paper(
    table: Table,
    frame: pd.DataFrame,
    grades: pd.DataFrame,
    settings: Settings,
    warnings: Sequence[str] = (),
) -> Layout:
    """Print every cell of a table in its paper's form and the study's language.

    Args:
        table: A declaration with the field ``paper``.
        settings: The table's: "names" has pairs of a model's name and its name in print, in the paper's order;
            "responders" names reference responders.
        warnings: Sentences above everything, without names of config keys.

    Raises:
        AfterimageError: A column is not in the frame.
    """
    form = table.paper
    assert form is not None
    rows, without_models = frame, False
    if not frame.empty:
        rows, without_models = _drop_responders(form.rows(frame), settings)
        rows = _in_paper_order(_with_printed_names(rows, settings), form, settings)
        # The best cell is chosen by name, so yardsticks need their printed names.
        is_yardstick = rows["own_name"].isin(list(settings.get("yardsticks", ())))
        settings = {**settings, "yardsticks": list(rows.loc[is_yardstick, "model"])}
    note = joined([form.note, _NO_MODELS]) if without_models else form.note
    declared = replace(
        table,
        title=form.caption,
        columns=form.columns,
        notes=(note,),
        findings=(),
        warnings=(),
        references=None,
        readers=None,
        best=form.best,
        group_by=form.group_by,
        split_by=None,
        spans=form.spans,
    )
    layout = replace(
        _without_numbers(lay_out(declared, rows, grades, settings)),
        warnings=tuple(warnings),
    )
    # Before headers become cells, which have other translations.
    layout = in_language(layout, settings)
    if form.swapped:
        layout = _swapped(layout)
    if form.named_once:
        layout = replace(layout, rows=tuple(_without_repeated_names(layout.rows)))
    return replace(layout, label=f"tab:{table.name}")


def _drop_responders(rows: pd.DataFrame, settings: Settings) -> tuple[pd.DataFrame, bool]:
    """Return the rows without reference responders, unless no model has a row, and whether that is so."""
    is_responder = rows["model"].isin(list(settings.get("responders", ())))
    if (is_responder | _kinds(rows).isin(_NO_MODEL)).all():
        return rows, bool(is_responder.any())
    return rows[~is_responder], False


def _kinds(rows: pd.DataFrame) -> pd.Series:
    import pandas as pd

    return rows.get("kind", pd.Series(MEASURED, index=rows.index))


def _with_printed_names(rows: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Return the rows with models' printed names, and prompts behind them where there are several.

    Models whose printed names would be the same keep their own.
    """
    import pandas as pd

    names: Mapping[str, str] = dict(settings.get("names", ()))
    models = list(dict.fromkeys(rows["model"]))
    printed = [_printed_name(name, names) for name in models]
    shown = {
        name: print_name if printed.count(print_name) == 1 else name
        for name, print_name in zip(models, printed, strict=True)
    }
    named = rows.assign(own_name=rows["model"], model=rows["model"].map(shown))
    prompts = rows.get("prompt", pd.Series("", index=rows.index)).fillna("")
    used = prompts[(prompts != "") & (prompts != rows["model"])]
    if used.nunique() > 1:
        suffixes = [f", {prompt.replace('_', ' ')}" if prompt else "" for prompt in prompts]
        named = named.assign(model=named["model"] + suffixes)
    return named


def _printed_name(name: str, names: Mapping[str, str]) -> str:
    base, mark = split_mark(name)
    return f"{names.get(base, base)}{mark}"


def _in_paper_order(rows: pd.DataFrame, form: PaperForm, settings: Settings) -> pd.DataFrame:
    """Return the rows in the paper's order of models, its own first; rows of a group stay together.

    Rows that are no models' stay before or after the models'.
    """
    import pandas as pd

    order = {name: position for position, (name, _) in enumerate(settings.get("names", ()))}
    ranks = [
        order.get(name, order.get(split_mark(name)[0], len(order))) for name in rows["own_name"]
    ]
    is_other = _kinds(rows).isin(_NO_MODEL)
    first = is_other & ((~is_other).cumsum() == 0)
    rows = rows.assign(rank=pd.Series(ranks, rows.index).mask(first, -1))
    rows = rows.sort_values("rank", kind="stable")
    if form.group_by is None:
        return rows
    groups = list(dict.fromkeys(rows[form.group_by]))
    group_ranks = rows[form.group_by].map(groups.index)
    return rows.assign(rank=group_ranks).sort_values("rank", kind="stable")


def _without_numbers(layout: Layout) -> Layout:
    """Return the table with a dash for each missing number."""
    rows = tuple(
        replace(row, cells=tuple(_NONE if cell == NOT_AVAILABLE else cell for cell in row.cells))
        for row in layout.rows
    )
    return replace(layout, rows=rows)


def _swapped(layout: Layout) -> Layout:
    """Return the table transposed, group by group, with the same columns for all groups."""
    first, *others = layout.columns
    blocks = [
        (group, [row.cells for row in rows])
        for group, rows in groupby(layout.rows, key=lambda row: row.group)
    ]
    names = list(dict.fromkeys(cells[0] for _, block in blocks for cells in block))
    rows = [
        LaidRow((head.header, *(_cell_of(name, index, block) for name in names)), group)
        for group, block in blocks
        for index, head in enumerate(others, start=1)
    ]
    return replace(
        layout,
        columns=(
            replace(first, numeric=False),
            *(Head(name.replace(" (", "\n("), True) for name in names),
        ),
        rows=tuple(rows),
    )


def _cell_of(name: str, index: int, block: Sequence[Sequence[str]]) -> str:
    return next((cells[index] for cells in block if cells[0] == name), _NONE)


def _without_repeated_names(rows: Sequence[LaidRow]) -> list[LaidRow]:
    found, before = [], None
    for row in rows:
        name = (row.group, row.cells[0])
        found.append(replace(row, cells=("", *row.cells[1:])) if name == before else row)
        before = name
    return found
