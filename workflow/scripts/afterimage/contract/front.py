"""A suite's headline scores, as data: its main score, and the paper's table with models as rows.

Standard library only. Code that shows a study in one line or on one page (the report, a summary at the end of a run, a
comparison of two studies) reads these columns of the suite's tables and needs to know nothing else of the suite.

**The rule for a main score**: no blind baseline reaches more than :data:`MAX_BLIND_SCORE`
percent of it, neither with one answer to every question nor with one place of the options. A condition in which one
answer is always right is a score to show, and no main score: :attr:`Front.main` then names several, of which the lowest
counts.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

#: Percent of a main score that may be had without looking, by constant answers, positions or guessing.
MAX_BLIND_SCORE = 60
#: Percent of a model's answers that may be unread, cut off, refused or missing before its score is marked.
MAX_UNREAD = 2


@dataclass(frozen=True)
class Score:
    """A score of each model: a column of a table's CSV, and its rows.

    Attributes:
        label: The header of its column: a task or a condition.
        table: The table.
        value: The column of the score.
        low: The column of its lower bound.
        high: The column of its upper bound.
        where: Columns and their values in the rows of this score.
        n: The column that counts the answers behind it.
        unread: The column that counts those of them that could not be read; those of answers that were cut off and
            refused have ``cut_off`` and ``refused`` in place of its ``unparsed``.
        missing: The column that counts the answers that are not there; none by default.
        counted_where: The same as ``where`` for the rows of the counts, which are summed; None for the same rows.
    """

    label: str
    table: str
    value: str = "accuracy"
    low: str = "low"
    high: str = "high"
    where: Mapping[str, str] = field(default_factory=dict)
    n: str = "n"
    unread: str = "unparsed_k"
    missing: str = ""
    counted_where: Mapping[str, str] | None = None


@dataclass(frozen=True)
class Front:
    """The scores that are read first.

    Attributes:
        scores: From left to right, as in the paper's table.
        main: The label of the suite's main score, by default the last; of several labels the lowest score.
        measure: What all of them are.
        top: The greatest possible score; shown as 100 %.
        chart: The chart that is looked at first; the suite's first by default.
        beside: The label of a score shown next to the main one, smaller; none by default.
    """

    scores: tuple[Score, ...]
    main: str | tuple[str, ...] = ""
    measure: str = "accuracy"
    top: float = 100
    chart: str = ""
    beside: str = ""

    @property
    def main_scores(self) -> tuple[Score, ...]:
        """The scores whose lowest is the suite's main score; mostly one."""
        labels = (self.main,) if isinstance(self.main, str) else self.main
        named = tuple(score for score in self.scores if score.label in labels)
        return named or self.scores[-1:]

    @property
    def main_label(self) -> str:
        """What the main score is called."""
        labels = [score.label for score in self.main_scores]
        if len(labels) == 1:
            return labels[0]
        rest = [label[0].lower() + label[1:] for label in labels]
        return f"Lowest of {', '.join(rest[:-1])} and {rest[-1]}"

    def as_values(self, main_only: bool = False) -> dict[str, Any]:
        """Return all of it as plain values.

        Args:
            main_only: Whether only the main score is shown, with the one next to it.

        Returns:
            ``scores`` (of each the fields of :class:`Score`), ``shown`` (labels of those that have a column of their
            own), ``main`` (labels), ``main_label``, ``measure``, ``top``, ``beside`` and ``most_unread`` (percent).
        """
        main = [score.label for score in self.main_scores]
        behind = {*main, self.beside}
        scores = [each for each in self.scores if not main_only or each.label in behind]
        shown = [each.label for each in scores]
        if main_only:
            shown = main if len(main) == 1 else []
        return {
            "scores": [asdict(score) for score in scores],
            "shown": shown,
            "main": main,
            "main_label": self.main_label,
            "measure": self.measure,
            "top": self.top,
            "beside": self.beside,
            "most_unread": MAX_UNREAD,
        }
