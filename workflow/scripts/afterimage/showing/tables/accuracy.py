"""Accuracy: the columns of unread answers, and the table of a suite that declares none.

The counts are those of ``values.outcomes``. The CSV has three columns. Readers get one, with how many of the unread
answers were cut off and how many refused on a line below: two more columns beside every share would push wide tables
off the page. Where nothing is unread, both are 0 and the line is left out."""

from dataclasses import dataclass

from afterimage.note import Note
from afterimage.showing.tables.baselines import (
    BASELINE_NOTE,
    BASELINES,
    accuracy_beside_baselines,
    answerer,
    beaten_by_position,
)
from afterimage.showing.tables.bounds import interval_note
from afterimage.showing.tables.columns import (
    Column,
    Row,
    Share,
    Text,
    as_cell,
    is_missing,
    value_of,
    whole,
)
from afterimage.showing.tables.declaration import By, Table
from afterimage.showing.tables.values import OUTCOMES, outcomes

#: The columns of the counts, for tables whose rows are made by a function.
OUTCOME_COUNTS = tuple(count.name for count in outcomes())


@dataclass(frozen=True)
class Unread:
    """A count or share of unread answers and, where there are any, how many of them were cut off and refused.

    Attributes:
        counted: Prints the unread answers.
        names: The frame's columns with the three counts, in the order of :data:`values.OUTCOMES`.
    """

    counted: Text | Share
    names: tuple[str, ...]

    @property
    def header(self) -> str:
        return self.counted.header

    @property
    def numeric(self) -> bool:
        return self.counted.numeric

    def cell(self, row: Row) -> str:
        unparsed, cut_off, refused = (value_of(row, name) for name in self.names)
        if is_missing(unparsed):
            return ""
        printed = self.counted.cell(row)
        if not unparsed:
            return printed
        return as_cell(printed).with_text(
            Note(
                "{printed}\n({cut_off} cut off, {refused} refused)",
                printed=printed,
                cut_off=int(cut_off),
                refused=int(refused),
            )
        )


def _names(prefix: str, end: str) -> tuple[str, ...]:
    return tuple(f"{prefix}{name}{end}" for name in OUTCOMES)


def unparsed(prefix: str = "", header: str = "Unparsed", end: str = "_k") -> Column:
    """Return how many answers could not be read; empty if the row has no answers, as that of a baseline.

    Args:
        prefix: What the names of the row's columns begin with.
        end: What the names of the row's columns end with.
    """
    names = _names(prefix, end)
    return Unread(whole(header, names[0]), names)


#: The same as columns of a table.
UNPARSED = (unparsed(),)


def unparsed_share(
    prefix: str = "", decimals: int = 1, n: str = "n", end: str = "_k"
) -> tuple[Column, ...]:
    """Return the same as a share of all answers.

    Args:
        prefix: What the names of the row's columns begin with.
        n: The column with the number of all answers, behind the prefix.
        end: What the names of the other columns end with.
    """
    names = _names(prefix, end)
    return (Unread(Share("Unparsed", names[0], f"{prefix}{n}", decimals=decimals), names),)


def accuracy_table(name: str, title: str) -> Table:
    """Declare a table of accuracies per figure, prompt and model.

    Args:
        title: What it shows; it may have slots for the table's settings.

    Returns:
        The table; ``correct_k`` of ``n`` answers are right, ``unparsed_k`` could not be read and count as wrong;
        ``accuracy`` is in percent with bounds, ``images`` their clusters.
    """
    return Table(
        name,
        title,
        rows=(By("model", references=BASELINES), By(("figure", "prompt"))),
        csv=(
            *("kind", "model", "prompt", "figure"),
            *accuracy_beside_baselines(),
            "answer",
        ),
        columns=(
            Text("Figure", "figure"),
            Text("Prompt", "prompt"),
            answerer(),
            Share("Accuracy", "correct_k", low="low", high="high", value="accuracy"),
            *UNPARSED,
        ),
        notes=(
            "Percent (right / answers); an answer that could not be read is unparsed and counts as wrong.",
            interval_note("images"),
            BASELINE_NOTE,
        ),
        findings=(beaten_by_position(same=("figure", "prompt")),),
    )


#: Of a suite that names no table; planning tells the suite's title.
TABLE = accuracy_table("accuracy", "{title}: accuracy")
