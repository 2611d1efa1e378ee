"""Where a job finds each part of a suite: values are replaced by names that ``parts.resolve`` follows."""

from collections.abc import Callable
from dataclasses import replace
from types import FunctionType, ModuleType
from typing import Any

from afterimage.contract.parts import name_in, with_name
from afterimage.contract.question import SingleQuestion
from afterimage.contract.suite import Chart, Figure, NamedTable, Suite
from afterimage.errors import AfterimageError

#: What a part is called in a module of its own, where not as the field.
_ROLES = {"observer": "answer", "textbook": "answer", "describer": "describe"}
_FIELDS = ("questions", "observer", "textbook", "describer")
#: The table of a suite that names none, and of one that says nothing of its own about pairs of models.
#: The tables of probabilities of every suite with options.
GRADED = "afterimage.showing.study.graded:GRADED"
CALIBRATION = "afterimage.showing.study.graded:CALIBRATION"
ACCURACY, PAIRS = "afterimage.showing.accuracy", "afterimage.showing.model_pairs:PAIRS"


def graded_table(suite: str) -> str:
    """Return the name of a suite's table of probabilities, made where a model of the study has any."""
    return f"graded_{suite}"


def calibration_table(suite: str) -> str:
    """Return the name of a suite's table and chart of calibration, likewise."""
    return f"calibration_{suite}"


def pairs_table(suite: str) -> str:
    """Return the name of the table that compares a suite's models pair by pair; every suite has it."""
    return f"pairs_{suite}"


class Naming:
    """Names the parts of one suite.

    In a suite of one file a part may be any value: a job imports the file. A folder suite's parts stand in modules of
    their own, since no job imports its ``suite.py``.
    """

    def __init__(self, name: str, module: ModuleType, in_one_file: bool) -> None:
        """Remember the suite's name and the module that holds its value."""
        self._name = name
        self._module = module
        self._in_one_file = in_one_file
        self._values: list[str] = []

    def named(self, suite: Suite) -> Suite:
        """Return the suite with every part by name.

        Raises:
            AfterimageError: A part has no name that a job could follow.
        """
        parts: dict[str, Any] = {
            field: self._reference(vars(suite)[field], field, _ROLES.get(field, field))
            for field in _FIELDS
        }
        judge, questions = suite.judge, suite.questions
        if isinstance(questions, SingleQuestion) and suite.answer_types is None:
            parts["answer_types"] = (questions.answer_type,)
        named = replace(
            suite,
            **parts,
            figures=self._figures(suite.figures),
            figure_named=self._found(suite.figure_named),
            tables=self._tables(suite),
            charts=self._charts("charts", suite.charts),
            graded_charts=self._charts("graded_charts", suite.graded_charts),
            judge=judge
            and replace(
                judge,
                part=self._reference(judge.part, "judge.part", "fields"),
                reference=self._reference(judge.reference, "judge.reference", "deserved"),
            ),
        )
        if self._values:
            raise self._no_name(", ".join(self._values))
        return named

    def _no_name(self, values: str) -> AfterimageError:
        return AfterimageError(
            f"suite '{self._name}': values in suite.py: {values}; expected of each the name of a module of its own, "
            "since no job imports suite.py."
        )

    def _figures(self, figures: Any) -> Any:
        if callable(figures):
            return lambda settings: tuple(map(self._figure, figures(settings)))
        return tuple(self._figure(one, f"figures.{place}") for place, one in enumerate(figures))

    def _found(self, find: Callable[[str], Figure] | None) -> Callable[[str], Figure] | None:
        return None if find is None else lambda name: self._figure(find(name))

    def _figure(self, figure: Figure, place: str | None = None) -> Figure:
        roles = {
            "design": "DESIGN",
            "draw": "draw",
            "measure": "measure",
            "measure_seen": "measure_seen",
        }
        return replace(
            figure,
            **{
                field: self._reference(vars(figure)[field], place and f"{place}.{field}", role)
                for field, role in roles.items()
            },
        )

    def _charts(self, field: str, charts: tuple[Chart, ...]) -> tuple[Chart, ...]:
        return tuple(
            replace(one, part=self._reference(one.part, f"{field}.{place}.part", "draw"))
            for place, one in enumerate(charts)
        )

    def _tables(self, suite: Suite) -> tuple[NamedTable, ...]:
        """Return the suite's own tables, or one of accuracies, and the one of all pairs of models."""
        own = [self._table(one, place) for place, one in enumerate(suite.tables)]
        part = self._reference(suite.pairs, "pairs", "PAIRS")
        pairs = NamedTable(pairs_table(self._name), part, suite.title if part == PAIRS else "")
        return (*(own or [NamedTable(self._name, ACCURACY, suite.title)]), pairs)

    def _table(self, table: Any, place: int) -> NamedTable:
        if isinstance(table, str):
            return NamedTable(name_in(table), table)
        return NamedTable(
            table.name, self._reference(table, f"tables.{place}", "TABLE"), table.title
        )

    def _reference(self, part: Any, path: str | None, role: str) -> Any:
        """Return where a job finds a part: its name, or the ``path`` to it from SUITE."""
        if part is None:
            return None
        if isinstance(part, str):
            return with_name(part, role)
        own = self._module.__name__
        if isinstance(part, FunctionType) and part.__module__ != own:
            return f"{part.__module__}:{part.__qualname__}"
        if not self._in_one_file:
            if path is None:
                raise self._no_name(role)
            # All of a suite's are said at once.
            self._values.append(path)
            return None
        named = next((name for name, value in vars(self._module).items() if value is part), None)
        if named is None and path is None:
            raise AfterimageError(
                f"suite '{self._name}': the {role} of a figure that depends on the settings has no name; expected a "
                "function or a value that stands in the file under a name."
            )
        return f"{own}:{named or f'SUITE.{path}'}"
