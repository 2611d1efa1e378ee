"""What every suite has to keep, whatever it is about."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from seen_images import study_suite

from afterimage.contract.finding import load_suite, suite_names, table_names
from afterimage.contract.parts import module_of, resolve
from afterimage.contract.settings import schema_of
from afterimage.errors import AfterimageError
from afterimage.files.yaml import read_yaml
from afterimage.fingerprints.reach import Reach
from afterimage.fingerprints.scripts import Scripts
from afterimage.ledger.published import read_numbers
from afterimage.planning.papers import PUBLISHED, read_papers
from afterimage.planning.schemas import completed

SCHEMAS = Path(__file__).resolve().parents[3] / "workflow" / "schemas"
#: Suites that need files of the user's.
OF_FILES = ("hallusionbench", "shahgir_illusionvqa", "images")
DRAWN = [name for name in suite_names() if name not in OF_FILES]


@pytest.fixture(scope="module")
def sources(root):
    return Scripts(root / "workflow" / "scripts")


def test_the_suites_are_found_by_name():
    assert set(suite_names()) >= {
        *("blindtest", "contrast", "counting_bias", "hallusionbench", "hidden_digits"),
        *("illusion_strength", "illusion_vqa", "illusionbench", "images", "pope", "search"),
        *("shahgir_illusionvqa", "texture", "tunnel_vision"),
    }


def test_an_unknown_suite_gets_the_nearest_name():
    with pytest.raises(
        AfterimageError, match=r"unknown suite 'blindtst': did you mean 'blindtest'"
    ):
        load_suite("blindtst")


@pytest.mark.parametrize("name", suite_names())
def test_it_says_what_it_is(name):
    suite = load_suite(name)
    assert suite.title
    assert suite.description
    assert "\n" not in suite.description


@pytest.mark.parametrize("name", suite_names())
def test_every_part_that_it_names_is_a_module(name, sources):
    suite = load_suite(name)
    parts = [suite.questions, suite.observer, suite.textbook]
    parts += [table.part for table in suite.tables] + [chart.part for chart in suite.charts]
    parts += [*suite.probe_tables]
    parts += [part for part in (suite.rescore, suite.paper) if part is not None]
    if suite.judge is not None:
        parts.append(suite.judge.part)
    if suite.decide is not None:
        parts.append(suite.decide.part)
    for part in parts:
        assert sources.module_file(module_of(part)) is not None, part


@pytest.mark.parametrize("name", suite_names())
def test_its_paper_s_numbers_stand_in_its_own_tables(name, root):
    suite = load_suite(name)
    papers = read_papers(root / PUBLISHED)
    files = [
        root / PUBLISHED / f"{paper}.csv" for paper in papers if papers[paper]["suite"] == name
    ]
    assert (suite.paper is None) == (not files)
    if suite.paper is None:
        return
    paper = import_module(suite.paper)
    numbers = read_numbers(files)
    assert numbers
    cells = [cell for number in numbers if (cell := paper.cell(number)) is not None]
    # That of the judge is made beside a suite's own, where people have scored what a judge did.
    judged = {f"{name}_judge_validation"} if suite.judge is not None else set()
    assert {cell.table for cell in cells} <= {*table_names(name, suite), *judged}
    sizes = [size for number in numbers if (size := paper.size(number)) is not None]
    assert {size.suite for size in sizes} <= {name}
    assert all(cell is None or cell.model for cell in map(paper.recorded, numbers))
    settings = completed({}, schema_of(suite.settings, name, ""), name)
    assert all(paper.missing(settings).values())


@pytest.mark.parametrize("name", DRAWN)
def test_ids_are_the_stimuli_s_and_places_never_overlap(name):
    suite = study_suite(name, {})
    places = [
        figure.position + offset
        for name, figure in suite.figures.items()
        for offset, _ in enumerate(suite.stimulus_ids(name))
    ]
    ids = [stimulus for _, stimulus in suite.positions]
    assert len(set(places)) == len(places) > 0
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("name", DRAWN)
def test_a_chart_shows_tables_and_a_sheet_stimuli(name):
    suite = study_suite(name, {})
    tables = {*suite.tables, *suite.probe_tables}
    for chart in suite.charts.values():
        assert set(chart.tables) <= tables
    stimuli = set(suite.positions)
    for columns, shown in suite.sheets.values():
        assert columns > 0
        assert set(shown) <= stimuli


@pytest.mark.parametrize("name", DRAWN)
def test_its_answer_types_are_graders(name, sources):
    types = study_suite(name, {}).answer_types
    assert types
    for answer_type in types:
        assert sources.module_file(f"afterimage.grading.readers.{answer_type}") is not None


#: Suites with settings under which there are more images.
DRAWINGS = [
    *((name, {}) for name in DRAWN),
    ("blindtest", {"scale": 2, "controls": True}),
    ("blindtest", {"scale": 2, "release": "final"}),
    ("contrast", {"pattern": "noise", "prompts": ["seen"]}),
    ("illusion_vqa", {"scale": 3}),
    ("texture", {"scale": 2}),
]


@pytest.mark.parametrize(("name", "settings"), DRAWINGS)
def test_specs_are_listed_as_they_are_named_and_no_two_are_alike(name, settings):
    suite = study_suite(name, settings)
    for figure, own in suite.figures.items():
        specs = list(resolve(own.design).specs(figure, suite.drawing_spec(figure)["settings"]))
        assert [spec.stimulus_id for spec in specs] == list(suite.stimulus_ids(figure)), figure
        assert len({str(spec.parameters) for spec in specs}) == len(specs), figure
        assert all(isinstance(value, str) for spec in specs for value in spec.factors.values())


#: What stands beside an item of each suite, as far as the textbook needs it.
BESIDE = {"item_id": "x", "figure": "ebbinghaus", "question": "size", "options": [("no", "No")]}
_STRENGTH = {"strength": "1", "neutral": "same", "first": "left", "second": "same"}
_ILLUSION = {"neutral": "same", "illusory": "left", "inducer": "present"}
_SIDES = [("left", "The left one."), ("same", "Both are the same.")]
#: Suite, what stands beside an item that the textbook cannot answer, and what is said of it.
UNANSWERED = [
    ("blindtest", {"question": "sizes"}, "unknown question 'sizes'"),
    ("pope", {"question": "colours"}, "unknown question 'colours'"),
    (
        "pope",
        {"question": "existence", "options": [], "factors": {"object": "tree", "frequent": "no"}},
        "item 'x' does not offer 'no'",
    ),
    (
        "illusion_strength",
        {"question": "seen", "options": _SIDES, "factors": _STRENGTH},
        "unknown question",
    ),
    (
        "illusion_strength",
        {"question": "actual", "options": [], "factors": _STRENGTH},
        "is not offered",
    ),
    (
        "illusion_vqa",
        {"question": "aparent", "options": _SIDES, "factors": _ILLUSION},
        "unknown question 'aparent'",
    ),
    (
        *(
            "illusion_vqa",
            {
                "question": "apparent",
                "options": _SIDES,
                "factors": {**_ILLUSION, "illusory": "upper"},
            },
        ),
        "option 'upper' of figure 'ebbinghaus'",
    ),
    *(
        (name, {"options": [], "factors": {}}, "item 'x' offers no answers")
        for name in (
            "blindtest",
            "contrast",
            "hidden_digits",
            "illusionbench",
            "search",
            "texture",
            "tunnel_vision",
        )
    ),
]


@pytest.mark.parametrize("name", DRAWN)
def test_the_textbook_refuses_an_unknown_rule(name):
    with pytest.raises(AfterimageError, match="unknown rule 'gate': did you mean 'gated'"):
        resolve(load_suite(name).textbook)({**BESIDE, "factors": _STRENGTH}, "gate")


@pytest.mark.parametrize(("name", "beside", "said"), UNANSWERED)
def test_what_the_textbook_cannot_answer_is_an_error(name, beside, said):
    with pytest.raises(AfterimageError, match=said):
        resolve(load_suite(name).textbook)({**BESIDE, **beside}, "cued")


@pytest.mark.parametrize("name", suite_names())
def test_no_job_imports_the_suite_s_value(name, sources):
    suite = load_suite(name)
    parts = {suite.questions, suite.observer, suite.textbook}
    parts |= {table.part for table in suite.tables} | {chart.part for chart in suite.charts}
    if name in DRAWN:
        for figure in study_suite(name, {}).figures.values():
            designs = {figure.design} if isinstance(figure.design, str) else set()
            parts |= designs | {figure.draw, figure.measure}
    for part in parts:
        reached = Reach(sources).files([part])
        assert not [file for file in reached if file.endswith("/suite.py") and "suites/" in file], (
            part
        )


@pytest.mark.parametrize("name", suite_names())
def test_the_schema_for_readers_is_that_of_the_settings(name):
    suite = load_suite(name)
    written = read_yaml(SCHEMAS / "suites" / f"{name}.schema.yaml")
    expected = schema_of(suite.settings, name, suite.description)
    assert written == expected, (
        f"workflow/schemas/suites/{name}.schema.yaml does not say what suites/{name}/suite.py does; "
        "`make schemas` writes it anew"
    )


def test_planning_any_suite_imports_nothing_slow(scripts):
    program = (
        f"import sys; sys.path.insert(0, {str(scripts)!r})\n"
        "from afterimage.contract.finding import load_suite, suite_names\n"
        "from afterimage.contract.model import load_backend\n"
        "from afterimage.planning import plan\n"
        "for name in suite_names(): load_suite(name)\n"
        "for name in ('chance', 'pixels', 'textbook', 'recorded', 'openai_compatible', 'served', 'transformers'):\n"
        "    load_backend(name)\n"
        "slow = {'numpy', 'pandas', 'pyarrow', 'PIL', 'scipy', 'torch', 'openai', 'httpx'}\n"
        "print(sorted(slow & set(sys.modules)))"
    )
    finished = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert finished.stdout.strip() == "[]"


def test_nothing_is_found_by_trying_names(scripts):
    """Suites, figures, tables and backends are asked for fields, never for attributes that they may have."""
    package = scripts / "afterimage"
    looked = [
        *package.glob("planning/*.py"),
        *package.glob("contract/*.py"),
        *package.glob("stages/*.py"),
    ]
    looked += [
        package / "commands/cli.py",
        package / "models/asking.py",
        *package.glob("models/*.py"),
    ]
    # What weights.py asks is an answer of the hub.
    found = [
        path.name
        for path in looked
        if path.name != "weights.py" and {"getattr(", "hasattr("} & _calls(path)
    ]
    assert found == []


def _calls(path: Path) -> set[str]:
    text = path.read_text(encoding="utf-8")
    return {call for call in ("getattr(", "hasattr(") if call in text}
