"""Where a study has a number: a file, a row of it, and columns. Standard library only; read whenever a plan is made."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Place:
    """A cell of one of the study's tables.

    Attributes:
        table: The table, ``results/tables/<table>.csv``.
        value: The column of the value.
        rows: Column to value: which rows may hold it; the first that has a value counts.
        k: The column of the count; "" for none.
        n: The columns whose sum is the denominator; none for no denominator.
        low: The column of the lower bound; "" for none.
        high: The same for the upper bound.
        factor: By what value and bounds are multiplied to be in the published unit.
        times: By what the denominator is multiplied.
        model: A row that is no model of the study, such as people's; "" for the study's model.
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

    @property
    def file(self) -> str:
        """The file that holds it."""
        return f"results/tables/{self.table}.csv"


@dataclass(frozen=True)
class Size:
    """A number of things drawn: different values of one column of the suite's measurements.

    Attributes:
        suite: The suite, ``results/stimuli/<suite>/measured.csv``.
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
        measured = f"results/stimuli/{self.suite}/measured.csv"
        return (measured, f"results/human/{self.suite}_decisions.csv") if self.kept else (measured,)
