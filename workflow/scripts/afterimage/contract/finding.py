"""Finding a suite by its name and checking its value once; every fault is one sentence."""

import inspect
from collections.abc import Callable, Iterable
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from types import FunctionType, ModuleType
from typing import Any

from afterimage.contract.front import Front
from afterimage.contract.installed import BUILT_IN, installed_suites
from afterimage.contract.parts import module_of, name_in, with_name
from afterimage.contract.question import SingleQuestion
from afterimage.contract.settings import SuiteSettings
from afterimage.contract.suite import (
    Chart,
    Examples,
    FieldError,
    Figure,
    NamedTable,
    Sheet,
    Suite,
)
from afterimage.errors import RENAMED_SUITES, AfterimageError, fault, nearest, unknown_name

#: What a part is called in a module of its own, where not as the field.
_ROLES = {"observer": "answer", "textbook": "answer", "describer": "describe"}
_FIELDS = ("questions", "observer", "textbook", "describer")
#: The tables of probabilities of every suite with options.
GRADED = "afterimage.showing.study.graded:GRADED"
CALIBRATION = "afterimage.showing.study.graded:CALIBRATION"
#: The table of a suite that names none, and of one that says nothing of its own about pairs of models.
ACCURACY, PAIRS = "afterimage.showing.tables.accuracy", "afterimage.showing.tables.pairs:PAIRS"


# Tables keep their names where a suite gets another: papers' sources cite them.
_IN_TABLES = {new: old for old, new in RENAMED_SUITES.items()}


def graded_table(suite: str) -> str:
    """Return the name of a suite's table of probabilities, made where a model of the study has any."""
    return f"graded_{_IN_TABLES.get(suite, suite)}"


def calibration_table(suite: str) -> str:
    """Return the name of a suite's table and chart of calibration, made where :func:`graded_table` is."""
    return f"calibration_{_IN_TABLES.get(suite, suite)}"


def pairs_table(suite: str) -> str:
    """Return the name of the table that compares a suite's models pair by pair; every suite has it."""
    return f"pairs_{_IN_TABLES.get(suite, suite)}"


class Naming:
    """Names the parts of one suite.

    In a one-file suite a part may be any value: a job imports the file. A folder suite's parts are in modules of
    their own, since no job imports its ``suite.py``.
    """

    def __init__(self, name: str, module: ModuleType, is_module: bool) -> None:
        """Remember the suite's name and the module that holds its value."""
        self._name = name
        self._module = module
        self._is_module = is_module
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
        return tuple(
            self._figure(figure, f"figures.{index}") for index, figure in enumerate(figures)
        )

    def _found(self, find: Callable[[str], Figure] | None) -> Callable[[str], Figure] | None:
        return None if find is None else lambda name: self._figure(find(name))

    def _figure(self, figure: Figure, path: str | None = None) -> Figure:
        roles = {
            "design": "DESIGN",
            "draw": "draw",
            "measure": "measure",
            "measure_seen": "measure_seen",
        }
        return replace(
            figure,
            **{
                field: self._reference(vars(figure)[field], path and f"{path}.{field}", role)
                for field, role in roles.items()
            },
        )

    def _charts(self, field: str, charts: tuple[Chart, ...]) -> tuple[Chart, ...]:
        return tuple(
            replace(chart, part=self._reference(chart.part, f"{field}.{index}.part", "draw"))
            for index, chart in enumerate(charts)
        )

    def _tables(self, suite: Suite) -> tuple[NamedTable, ...]:
        """Return the suite's own tables, or one of accuracies, and the one of all pairs of models."""
        tables = [self._table(table, index) for index, table in enumerate(suite.tables)]
        part = self._reference(suite.pairs, "pairs", "PAIRS")
        pairs = NamedTable(pairs_table(self._name), part, suite.title if part == PAIRS else "")
        return (*(tables or [NamedTable(self._name, ACCURACY, suite.title)]), pairs)

    def _table(self, table: Any, index: int) -> NamedTable:
        if isinstance(table, str):
            return NamedTable(name_in(table), table)
        return NamedTable(
            table.name, self._reference(table, f"tables.{index}", "TABLE"), table.title
        )

    def _reference(self, part: Any, path: str | None, role: str) -> Any:
        """Return where a job finds a part: its name, or the ``path`` to it from SUITE."""
        if part is None:
            return None
        if isinstance(part, str):
            return with_name(part, role)
        module = self._module.__name__
        if isinstance(part, FunctionType) and part.__module__ != module:
            return f"{part.__module__}:{part.__qualname__}"
        if not self._is_module:
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
        return f"{module}:{named or f'SUITE.{path}'}"


_MISSING = {
    "title": "has no title; expected one line",
    "figures": "has no figures; expected at least one Figure",
    "questions": "asks nothing; expected the part questions",
}
_HELD = {"charts": Chart, "graded_charts": Chart, "sheets": Sheet, "pages": Examples}
#: Parts with what they take, and how many that are.
_PARTS = {
    "questions": ("the images of a shard, words, settings and all images", 4),
    "observer": ("pixels and text", 2),
    "textbook": ("what stands beside a request and the rule", 2),
    "describer": ("what stands beside a request, its text and whether an error is made", 3),
}
#: Modules with several functions, which have to be named.
_MODULES = ("rescore", "recorded", "adaptive", "paper")
_CALLED = (
    *("words", "drawing", "question_inputs", "table_settings", "table_files", "item_files"),
    *("sources", "side_files", "forms", "probe_words", "figure_named"),
)


def suite_names() -> list[str]:
    """Return the names of all suites: files and folders with a ``suite.py``, here and in other packages."""
    names = (
        path.stem
        for path in BUILT_IN.iterdir()
        if (path.suffix == ".py" and path.stem != "__init__") or (path / "suite.py").is_file()
    )
    return sorted([*names, *installed_suites()])


def load_suite(name: str) -> Suite:
    """Return a suite, checked, each of its parts by name.

    Raises:
        AfterimageError: There is no such suite, or its value is not what it should be.
    """
    if name not in suite_names():
        raise unknown_name("suite", name, suite_names())
    is_module = not installed_suites().get(name, BUILT_IN / name).is_dir()
    module = _imported(name, f"afterimage.suites.{name}" + ("" if is_module else ".suite"))
    suite = vars(module).get("SUITE")
    if not isinstance(suite, Suite):
        raise AfterimageError(
            f"suite '{name}': {module.__name__} holds no SUITE; expected SUITE = Suite(...)."
        )
    _check(name, suite)
    return Naming(name, module, is_module).named(suite)


def _imported(name: str, module: str) -> ModuleType:
    try:
        return import_module(module)
    except FieldError as error:
        raise _wrong_field(name, error) from error


def _wrong_field(name: str, error: FieldError) -> AfterimageError:
    """Return the sentence for a value with a field too many or too few."""
    where = f"suite '{name}'" + ("" if error.kind is Suite else f": {error.kind.__name__}")
    if error.unknown:
        near = nearest(error.unknown, error.known)
        hint = f"nearest: {near}" if near else f"expected one of: {', '.join(error.known)}"
        return fault(where, f"no field '{error.unknown}'; {hint}.")
    reason = _MISSING.get(error.missing, f"lacks the field '{error.missing}'")
    return AfterimageError(f"{where} {reason}.")


def _check(name: str, suite: Suite) -> None:
    held = vars(suite)
    if not isinstance(suite.version, str) or not suite.version.strip():
        raise AfterimageError(
            f"suite '{name}': version is {suite.version!r}; expected a text, such as '1'."
        )
    for field, reason in _MISSING.items():
        if not held[field]:
            raise AfterimageError(f"suite '{name}' {reason}.")
    if not isinstance(suite.settings, type) or not issubclass(suite.settings, SuiteSettings):
        raise _holds(name, "settings", suite.settings, "a dataclass below SuiteSettings")
    kinds = _HELD if callable(suite.figures) else {"figures": Figure, **_HELD}
    for field, kind in kinds.items():
        if held[field] is not None:
            _require_all(name, field, held[field], kind)
            _require_different(name, field, [part.name for part in held[field]])
    for field in _CALLED:
        if held[field] is not None and not callable(held[field]):
            raise _holds(name, field, held[field], "a function")
    for field, (taken, number) in _PARTS.items():
        _require_part(name, field, held[field], taken, number)
    for field in _MODULES:
        if held[field] is not None and not isinstance(held[field], str):
            raise _holds(name, field, held[field], "the name of a module")
        _require_part(name, field, held[field], "", 0)
    tables = [*table_names(name, suite), pairs_table(name)]
    _require_different(name, "tables", tables)
    for field in ("tables_when", "table_reads", "printed"):
        for table in held[field]:
            if table not in tables:
                raise unknown_name("table", table, tables, f"suite '{name}': {field}")
    for read in suite.table_reads.values():
        if read not in ("responses", "seen"):
            raise unknown_name("file", read, ("responses", "seen"), f"suite '{name}': table_reads")
    for table, when in suite.tables_when.items():
        if not callable(when):
            raise _holds(
                name, f"tables_when, '{table}'", when, "a function of settings and people's answers"
            )
    for chart in (*suite.charts, *suite.graded_charts):
        for table in chart.tables:
            if table not in tables:
                raise unknown_name("table", table, tables, f"suite '{name}': chart '{chart.name}'")
    if isinstance(suite.front, Front):
        _check_front(name, suite, suite.front, tables)
    elif suite.front is not None and not callable(suite.front):
        raise _holds(name, "front", suite.front, "a Front or a function of the settings")


def _check_front(name: str, suite: Suite, front: Front, tables: list[str]) -> None:
    for score in front.scores:
        if score.table not in tables:
            raise unknown_name("table", score.table, tables, f"suite '{name}': front")
    labels = [score.label for score in front.scores]
    main = (front.main,) if isinstance(front.main, str) else front.main
    for label in filter(None, (*main, front.beside)):
        if label not in labels:
            raise AfterimageError(
                f"suite '{name}': front: no score '{label}'; expected one of: {', '.join(labels)}."
            )
    charts = [chart.name for chart in suite.charts]
    if front.chart and front.chart not in charts:
        raise unknown_name("chart", front.chart, charts, f"suite '{name}': front")


def table_names(name: str, suite: Suite) -> list[str]:
    """Return the names of a suite's tables: its own, or one of its name, and those about probes and probabilities."""
    names = [name_in(table) if isinstance(table, str) else table.name for table in suite.tables]
    others = [name_in(table) for table in (*suite.probe_tables, *suite.graded_tables)]
    return [*(names or [name]), *others]


def _require_all(name: str, field: str, values: Iterable[object], kind: type) -> None:
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise _holds(name, field, values, f"a tuple of {kind.__name__}")
    for value in values:
        if not isinstance(value, kind):
            raise AfterimageError(
                f"suite '{name}': {field} holds a {type(value).__name__}; expected {kind.__name__}."
            )


def _require_different(name: str, field: str, names: list[str]) -> None:
    for candidate in names:
        if names.count(candidate) > 1:
            raise AfterimageError(
                f"suite '{name}': two {field} are named '{candidate}'; names are file names."
            )


def _require_part(name: str, field: str, part: object, taken: str, number: int) -> None:
    if part is None:
        return
    if isinstance(part, str):
        if not _is_module(module_of(part)):
            raise AfterimageError(
                f"suite '{name}': {field} names '{module_of(part)}'; expected an existing module."
            )
    elif not callable(part):
        raise _holds(name, field, part, "a function or the name of a module")
    else:
        count = len(inspect.signature(part).parameters)
        if count != number:
            arguments = f"{count} argument{'' if count == 1 else 's'}"
            raise AfterimageError(f"suite '{name}': {field} takes {arguments}; expected {taken}.")


def _is_module(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ImportError:
        return False


def _holds(name: str, field: str, value: object, expected: str) -> AfterimageError:
    return AfterimageError(
        f"suite '{name}': {field} is a {type(value).__name__}; expected {expected}."
    )
