"""A paper's printed numbers, and their cells in a study's tables. Standard library only; imported during planning."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from afterimage.files.paths import RESULTS

#: Where a number was seen: in the paper itself or its files, in another's account of it, or in a plot without digits.
SOURCE, SECOND_HAND, READ_OFF_PLOT = SEEN = ("source", "second_hand", "read_off_plot")
#: In place of a printed model: a fact about the paper.
NONE = "none"


class Number(NamedTuple):
    """One printed number.

    Attributes:
        paper: The paper, the name of its file.
        table: "table2", "task1", or "text" for running text.
        model: The model as the table spells it, in our notation; "none" for facts, "random", "human".
        subset: Which column or part.
        metric: What is measured.
        published: The printed digits.
        unit: percent, points, fraction, ratio, score_0_2 or count.
        denominator: Over how many it is; "" if unknown.
        attainable_k: A count that prints as the value; "" for none.
        attainable: How sure denominator and count are.
        misprint: What is impossible about it and what fits; "" for nothing.
        seen: Where it was seen, one of SEEN; only what was seen in its source is compared.
        note: What else is known of it; "" for nothing.
    """

    paper: str
    table: str
    model: str
    subset: str
    metric: str
    published: str
    unit: str
    denominator: str
    attainable_k: str
    attainable: str
    misprint: str
    seen: str = SOURCE
    note: str = ""

    @property
    def name(self) -> str:
        """Its name, as part of a path."""
        return "/".join(self[:5])

    @property
    def is_result(self) -> bool:
        """Whether it belongs to a table of results; table 1 of IllusionBench+ compares sizes of data sets."""
        fact = self.model == NONE or self.table == "text"
        return not fact and self[:2] != ("illusionbench_plus", "table1")


@dataclass(frozen=True)
class CellRef:
    """A cell of one of the study's tables.

    Attributes:
        table: The table, ``tables/<table>.csv`` of the results.
        value: The column of the value.
        rows: Column to value: which rows may hold it; the first that has a value counts.
        k: The column of the count; "" for none.
        n: The columns whose sum is the denominator; none for no denominator.
        low: The column of the lower bound; "" for none.
        high: The same for the upper bound.
        factor: By what value and bounds are multiplied to be in the published unit.
        times: By what the denominator is multiplied.
        model: A row that is no model of the study, such as people's; "" for the study's model.
        named_in: The column with the row's name.
        models: Printed names of models that the study must all have; where ``model`` is "", their names in the
            study, sorted and joined by " + ", are the row's.
        is_count: Whether it is counted in the paper's data, so that no answer is behind it: it prints the same or not.
        needs: What it takes, where the table is made of more than models' answers.
        deviation: The column of the scores' standard deviation; "" for shares.
        asked: Column to how many questions or images the paper asked about there, all of them: a study that asked about
            other numbers has other ones. Repeats of all are a multiple of each. None if unknown.
        asked_in: Another table that has these columns, in its model's first row; "" for the row itself.
        digits: The column of the value as the paper prints it, where the table has one.
        reproduced: Of rescored recorded answers, the column that says whether they print as published; "" for none.
        reason: The column that says why not.
        data: The parts of the suite's data (:class:`Data`) that it is about, where these are others' files; none for
            what is drawn after the paper.
        mark: Stands behind the model's name in the row.
        original: The same cell about the paper's own images, for what is drawn after them: taken if
            these are proven to be the paper's.
    """

    table: str
    value: str
    rows: Mapping[str, str] = field(default_factory=dict)
    k: str = ""
    n: tuple[str, ...] = ()
    low: str = ""
    high: str = ""
    factor: float = 1.0
    times: int = 1
    model: str = ""
    named_in: str = "model"
    models: tuple[str, ...] = ()
    is_count: bool = False
    needs: str = ""
    deviation: str = ""
    asked: Mapping[str, int] = field(default_factory=dict)
    asked_in: str = ""
    digits: str = ""
    reproduced: str = ""
    reason: str = ""
    data: tuple[str, ...] = ()
    mark: str = ""
    original: "CellRef | None" = None

    @property
    def file(self) -> str:
        """The file that holds it."""
        return f"{RESULTS}/tables/{self.table}.csv"

    @property
    def asked_file(self) -> str:
        """The file that tells how many were asked about."""
        return f"{RESULTS}/tables/{self.asked_in or self.table}.csv"


@dataclass(frozen=True)
class Size:
    """A number of things drawn: different values of one column of the suite's measurements.

    Attributes:
        suite: The suite, ``stimuli/<suite>/measured.csv`` of the results.
        column: Whose different values are counted.
        matching: Column to regular expression, which has to match the whole cell.
        kept: Whether only figures count that the human filter keeps.
        table: A table that cannot be compared if the stimuli are not the paper's; then their number cannot either.
    """

    suite: str
    column: str = "stimulus_id"
    matching: Mapping[str, str] = field(default_factory=dict)
    kept: bool = False
    table: str = ""

    @property
    def files(self) -> tuple[str, ...]:
        """The files that are read."""
        measured = f"{RESULTS}/stimuli/{self.suite}/measured.csv"
        return (
            (measured, f"{RESULTS}/human/{self.suite}_decisions.csv") if self.kept else (measured,)
        )


class Data(NamedTuple):
    """What is known of others' images and questions that a suite asks about; "" or nothing for what is not.

    Attributes:
        files: Path to SHA-256 of the fetched files that hold both, as the lock file has them.
        content: SHA-256 of both together, where it is worked out from what they hold (:func:`content_sha256`).
        questions: That of the questions alone: of their file, or worked out.
        other: Why they are not the paper's, where the settings tell.
    """

    files: Mapping[str, str] = {}
    content: str = ""
    questions: str = ""
    other: str = ""


def content_sha256(rows: Iterable[Sequence[str]]) -> str:
    """Return a SHA-256 of rows of texts, whatever their order and the white space in them.

    Of each row a JSON array in UTF-8, the lines sorted, each ended by a newline.
    """
    lines = sorted(
        json.dumps([" ".join(text.split()) for text in row], ensure_ascii=False) for row in rows
    )
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()


def nowhere(number: Number) -> None:
    """Return None: for what a paper has none of, ``recorded = nowhere``."""


def nobody(number: Number) -> tuple[CellRef, ...]:
    """Return (): for a paper whose numbers no table shows, ``quoted = nobody``."""
    return ()


class Paper(Protocol):
    """What a suite says about its paper's printed numbers: a module with these functions (field ``paper`` of Suite)."""

    def cell(self, number: Number) -> CellRef | None:
        """Return the same cell of the study; None if no table has it."""

    def recorded(self, number: Number) -> CellRef | None:
        """Return its cell in tables of rescored recorded answers; None if there is none."""

    def quoted(self, number: Number) -> tuple[CellRef, ...]:
        """Return the cells of tables that show it in a row of the paper's own model; () for none."""

    def size(self, number: Number) -> Size | None:
        """Return how a printed size is counted here; None if it is not."""

    def missing(self, settings: Mapping[str, Any]) -> Mapping[str, str]:
        """Return tables whose images or questions are others than the paper's with these settings, and why."""
