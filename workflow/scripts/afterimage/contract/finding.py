"""Finding a suite by its name and checking its value once; every fault is one sentence."""

import inspect
import re
from collections.abc import Iterable
from dataclasses import fields
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from afterimage.contract.front import Front
from afterimage.contract.installed import OWN, installed_suites
from afterimage.contract.naming import Naming, pairs_table
from afterimage.contract.parts import module_of, name_in
from afterimage.contract.settings import SuiteSettings
from afterimage.contract.suite import Chart, Examples, Figure, Filter, Judge, Sheet, Suite
from afterimage.errors import AfterimageError, fault, nearest, unknown_name

_MISSING = {
    "title": "has no title; expected one line",
    "figures": "has no figures; expected at least one Figure",
    "questions": "asks nothing; expected the part questions",
}
_CLASSES = {kind.__name__: kind for kind in (Suite, Figure, Chart, Sheet, Examples, Filter, Judge)}
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
    *("words", "drawing", "asking", "table_settings", "table_files", "item_files"),
    *("sources", "side_files", "forms", "probe_words", "figure_named"),
)


def suite_names() -> list[str]:
    """Return the names of all suites: files and folders with a ``suite.py``, here and in other packages."""
    own = (
        path.stem
        for path in OWN.iterdir()
        if (path.suffix == ".py" and path.stem != "__init__") or (path / "suite.py").is_file()
    )
    return sorted([*own, *installed_suites()])


def load_suite(name: str) -> Suite:
    """Return a suite, checked, each of its parts by name.

    Raises:
        AfterimageError: There is no such suite, or its value is not what it should be.
    """
    if name not in suite_names():
        raise unknown_name("suite", name, suite_names())
    in_one_file = not installed_suites().get(name, OWN / name).is_dir()
    module = _imported(name, f"afterimage.suites.{name}" + ("" if in_one_file else ".suite"))
    suite = vars(module).get("SUITE")
    if not isinstance(suite, Suite):
        raise AfterimageError(
            f"suite '{name}': {module.__name__} holds no SUITE; expected SUITE = Suite(...)."
        )
    _check(name, suite)
    return Naming(name, module, in_one_file).named(suite)


def _imported(name: str, module: str) -> ModuleType:
    try:
        return import_module(module)
    except TypeError as error:
        raise _wrong_field(name, error) from error


def _wrong_field(name: str, error: TypeError) -> Exception:
    """Return the sentence for a value with a field too many or too few; any other error as it is."""
    found = re.match(rf"({'|'.join(_CLASSES)})\.__init__\(\) (.*)", str(error))
    if found is None:
        return error
    where = f"suite '{name}'" + ("" if found[1] == "Suite" else f": {found[1]}")
    if unexpected := re.search(r"unexpected keyword argument '(\w+)'", found[2]):
        known = [one.name for one in fields(_CLASSES[found[1]])]
        near = nearest(unexpected[1], known)
        hint = f"nearest: {near}" if near else f"expected one of: {', '.join(known)}"
        return fault(where, f"no field '{unexpected[1]}'; {hint}.")
    if missing := re.search(r"missing .* argument.*?: '(\w+)'", found[2]):
        reason = _MISSING.get(missing[1], f"lacks the field '{missing[1]}'")
        return AfterimageError(f"{where} {reason}.")
    return error


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
            _require_different(name, field, [one.name for one in held[field]])
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
            raise _holds(name, f"tables_when, '{table}'", when, "a function of the settings")
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
    own = [name_in(table) if isinstance(table, str) else table.name for table in suite.tables]
    others = [name_in(table) for table in (*suite.probe_tables, *suite.graded_tables)]
    return [*(own or [name]), *others]


def _require_all(name: str, field: str, values: Iterable[object], kind: type) -> None:
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise _holds(name, field, values, f"a tuple of {kind.__name__}")
    for value in values:
        if not isinstance(value, kind):
            raise AfterimageError(
                f"suite '{name}': {field} holds a {type(value).__name__}; expected {kind.__name__}."
            )


def _require_different(name: str, field: str, names: list[str]) -> None:
    for one in names:
        if names.count(one) > 1:
            raise AfterimageError(
                f"suite '{name}': two {field} are named '{one}'; names are file names."
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
