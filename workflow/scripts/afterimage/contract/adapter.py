"""A Suite made of a package that is not one value yet: ``catalogue.py``, ``planning.py`` and modules by convention.

It goes with the last such package.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import yaml

from afterimage.contract.design import Listed
from afterimage.contract.stimulus import Json
from afterimage.contract.suite import (
    Asked,
    Chart,
    Examples,
    Figure,
    Filter,
    Form,
    Judge,
    NamedTable,
    Sheet,
    SideFile,
    Suite,
    Words,
)

_SUITES = Path(__file__).parent.parent / "suites"
_SCHEMAS = Path(__file__).parents[3] / "schemas" / "suites"


def adapted(name: str) -> Suite:
    """Return the value of a suite by convention."""
    catalogue = import_module(f"afterimage.suites.{name}.catalogue")
    planning = import_module(f"afterimage.suites.{name}.planning")
    about = yaml.safe_load((_SCHEMAS / f"{name}.schema.yaml").read_text(encoding="utf-8"))
    here = f"afterimage.suites.{name}"
    return Suite(
        title=about["title"],
        description=about["description"],
        adapted_from=name,
        figures=lambda settings: tuple(
            _figure(here, catalogue, figure, settings) for figure in catalogue.figures(settings)
        ),
        questions=f"{here}.questions:questions",
        words=planning.load_prompts,
        drawing=planning.drawing_spec,
        asking=partial(_asking, planning),
        answer_types=planning.answer_types,
        examples=planning.needs_examples,
        observer=f"{here}.observer:answer",
        textbook=f"{here}.textbook:answer",
        tables=tuple(NamedTable(table, f"{here}.tables.{table}") for table in catalogue.TABLES),
        probe_tables={
            f"{here}.tables.{table}": kinds
            for table, kinds in _of(catalogue, "PROBE_TABLES", {}).items()
        },
        table_settings=partial(_table_settings, planning),
        table_files=_of(planning, "table_files", _none),
        charts=tuple(
            _chart(here, catalogue, chart, tables) for chart, tables in catalogue.CHARTS.items()
        ),
        sheets=tuple(
            Sheet(sheet, columns, partial(catalogue.contact_sheet, sheet))
            for sheet, columns in catalogue.CONTACT_SHEETS.items()
        ),
        pages=tuple(Examples(page, panels) for page, panels in catalogue.EXAMPLES.items()),
        item_files=_of(planning, "item_files", _none),
        sources=_of(planning, "sources", lambda figure, settings: []),
        side_files=partial(_side_files, here, planning),
        decide=_filter(here, planning) if catalogue.HUMAN_FILTER else None,
        forms=partial(_forms, here, planning),
        judge=_judge(here) if _has(name, "judging") else None,
        probe_words=_of(planning, "probe_words", None),
        rescore=f"{here}.rescore" if _has(name, "rescore") else None,
    )


def _of(module: ModuleType, name: str, default: Any) -> Any:
    return vars(module).get(name, default)


def _none(settings: Json) -> list[str]:
    return []


def _has(suite: str, module: str) -> bool:
    base = _SUITES / suite / module
    return base.with_suffix(".py").is_file() or (base / "__init__.py").is_file()


def _figure(here: str, catalogue: ModuleType, figure: str, settings: Json) -> Figure:
    drawer = _of(catalogue, "FIGURES_OF", here.rpartition(".")[2])
    return Figure(
        figure,
        design=Listed(catalogue.stimulus_ids, _drawn_by_jobs_alone),
        draw=f"afterimage.suites.{drawer}.figures.{catalogue.drawing_module(figure)}",
        measure=f"{here}.invariants:measure_stimulus",
        place=catalogue.first_position(figure, settings),
    )


def _drawn_by_jobs_alone(figure: str, settings: Json) -> list[Any]:
    raise NotImplementedError("what an adapted suite draws stands in its module stimuli")


def _asking(planning: ModuleType, words: Words, settings: Json, figures: Sequence[str]) -> Asked:
    asked = planning.question_spec(words, settings, figures)
    return Asked(asked["bank"], asked["settings"])


def _table_settings(planning: ModuleType, table: str, settings: Json) -> Json:
    if "settings_of_table" in vars(planning):
        return planning.settings_of_table(table, settings)
    return _of(planning, "table_settings", lambda settings: {})(settings)


def _chart(here: str, catalogue: ModuleType, chart: str, tables: tuple[str, ...]) -> Chart:
    module = _of(catalogue, "chart_module", lambda name: name)(chart)
    wanted = _of(catalogue, "has_chart", lambda name, settings: True)
    return Chart(
        chart,
        tables,
        part=f"{here}.charts.{module}:draw",
        when=partial(wanted, chart),
        named=module != chart,
    )


def _side_files(here: str, planning: ModuleType, settings: Json) -> tuple[SideFile, ...]:
    named: Callable[[Json], Mapping[str, Json]] = _of(planning, "side_files", lambda settings: {})
    return tuple(
        SideFile(name, f"{here}.side_files.{name}:write", **files)
        for name, files in named(settings).items()
    )


def _filter(here: str, planning: ModuleType) -> Filter:
    return Filter(
        part=f"{here}.human_filter",
        responses=planning.people_responses,
        spec=planning.filter_spec,
    )


def _forms(here: str, planning: ModuleType, settings: Json) -> tuple[Form, ...]:
    listed: Callable[[Json], Mapping[str, Json]] = _of(planning, "forms", lambda settings: {})
    files = _of(planning, "form_files", lambda form, settings: [])
    spec = _of(planning, "form_spec", lambda form, words, settings: {})
    return tuple(
        Form(
            name,
            result=entry["result"],
            part=f"{here}.forms.{name}",
            inputs=tuple(entry["inputs"]),
            files=partial(files, name),
            spec=partial(spec, name),
            attention=_declares(here, name, "attention"),
        )
        for name, entry in listed(settings).items()
    )


def _declares(here: str, form: str, function: str) -> bool:
    path = _SUITES / here.rpartition(".")[2] / "forms" / f"{form}.py"
    return f"\ndef {function}(" in path.read_text(encoding="utf-8")


def _judge(here: str) -> Judge:
    module = import_module(f"{here}.judging")
    return Judge(tuple(module.PROMPTS), f"{here}.judging:fields")
