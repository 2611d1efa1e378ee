"""A reader's table described by a function, for tables that are not declared yet."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import pandas as pd

from afterimage.showing.columns import Column, Difference, Number, PValue, Share, Text
from afterimage.showing.declaration import Best, Span, Table
from afterimage.showing.table_files import write_table

__all__ = ["Difference", "Layout", "Number", "PValue", "Share", "Span", "Text", "write_described"]


@dataclass(frozen=True)
class Layout:
    """A reader's table; the fields are those of :class:`declaration.Table`."""

    title: str
    columns: tuple[Column, ...]
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    reference_rows: tuple[Mapping[str, str], ...] = ()
    csv_formats: Mapping[str, str] = field(default_factory=dict)
    split_by: str | None = None
    group_by: str | None = None
    spans: tuple[Span, ...] = ()
    contested: Mapping[str, str] = field(default_factory=dict)
    contest: Callable[[Mapping], bool] | None = None
    condensed: Callable[[pd.DataFrame], pd.DataFrame] | None = None

    def declared(self) -> Table:
        """Return it as a declaration whose rows are there already."""
        return Table(
            "",
            self.title,
            rows=(),
            columns=self.columns,
            notes=(lambda grades, settings: self.notes,),
            warnings=(lambda grades, settings: self.warnings,),
            references=lambda grades, settings: self.reference_rows,
            readers=self.condensed,
            best=Best(self.contested, self.contest),
            group_by=self.group_by,
            split_by=self.split_by,
            spans=self.spans,
            csv_formats=self.csv_formats,
        )


def write_described(
    frame: pd.DataFrame, paths: Mapping[str, str | os.PathLike[str]], layout: Layout
) -> None:
    """Write a table as each of the wanted files."""
    write_table(layout.declared(), frame, paths, frame, {})
