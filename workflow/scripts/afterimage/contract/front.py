"""What of a suite is read first, as data: its main score, and the paper's table with models as rows.

Standard library only. Whoever shows a study in one line or on one page (the report, a summary at the end of a run, a
comparison of two studies) reads these columns of the suite's tables and needs to know nothing else of the suite.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Score:
    """A score of each model: a column of a table's CSV, and the rows in which it stands.

    Attributes:
        label: What stands above its column: a task or a condition.
        table: The table.
        value: The column of the score.
        low: The column of its lower bound.
        high: The column of its upper bound.
        where: Columns and what stands in them in the rows of this score.
    """

    label: str
    table: str
    value: str = "accuracy"
    low: str = "low"
    high: str = "high"
    where: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Front:
    """The scores that are read first.

    Attributes:
        scores: From left to right, as in the paper's table.
        main: The label of the one that stands for the suite; the last by default.
        measure: What all of them are.
        top: The greatest possible score; shown as 100 %.
        chart: The chart that is looked at first; the suite's first by default.
    """

    scores: tuple[Score, ...]
    main: str = ""
    measure: str = "accuracy"
    top: float = 100
    chart: str = ""

    @property
    def main_score(self) -> Score:
        """The score that stands for the suite."""
        named = [score for score in self.scores if score.label == self.main]
        return (named or list(self.scores))[-1]
