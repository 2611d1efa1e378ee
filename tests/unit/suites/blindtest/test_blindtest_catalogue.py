"""Names, counts and positions; what changes which stimulus."""

from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from afterimage.errors import AfterimageError
from afterimage.planning.configuration import completed, read_schema
from afterimage.planning.fingerprint import closure
from afterimage.planning.scripts import Scripts
from afterimage.suites.blindtest import catalogue, factors, names, planning, stimuli
from afterimage.suites.blindtest.designs import line_intersection, olympic_shapes, subway

ROOT = Path(__file__).resolve().parents[4]
SCHEMA = ROOT / "workflow" / "schemas" / "suites" / "blindtest.schema.yaml"
SEED = {"seed": 20240709}
ALL_FIGURES = [
    names.figure_name(task, release, copy)
    for task in names.TASKS
    for release in (names.RELEASES if task in names.RELEASED_TWICE else ("v1",))
    for copy in (0, 1)
]


def settings(**changes):
    return completed(changes, read_schema(SCHEMA), "suites.blindtest")


@cache
def specs_of(figure, seed=20240709):
    return stimuli.specs(figure, {"seed": seed})


def ids_of(figures):
    return [name for figure in figures for name in catalogue.stimulus_ids(figure)]


class TestCounts:
    def test_the_suite_has_the_papers_2754_images_by_default(self):
        figures = catalogue.figures(settings())
        counts = {figure: len(catalogue.stimulus_ids(figure)) for figure in figures}
        assert counts == {
            "line_intersection": 150,
            "two_circles": 672,
            "circled_letter": 1248,
            "olympic_shapes": 120,
            "nested_squares": 120,
            "grid": 264,
            "subway": 180,
        }
        assert sum(counts.values()) == 2754

    def test_one_line_of_the_configuration_gives_the_later_release(self):
        figures = catalogue.figures(settings(release="final"))
        assert len(catalogue.stimulus_ids("line_intersection_final")) == 1800
        assert len(catalogue.stimulus_ids("olympic_shapes_final")) == 480
        assert set(figures) - set(catalogue.figures(settings())) == {
            "line_intersection_final",
            "olympic_shapes_final",
        }

    def test_each_row_of_the_papers_tables_has_its_images(self):
        shapes = [cell.factors["subtask"] for cell in olympic_shapes.cells("v1")]
        later = [cell.factors["subtask"] for cell in olympic_shapes.cells("final")]
        widths = [cell.factors["subtask"] for cell in line_intersection.cells("v1")]
        assert (shapes.count("circles"), shapes.count("pentagons")) == (60, 60)
        assert (later.count("circles"), later.count("pentagons")) == (240, 240)
        assert {widths.count(f"thickness_{width}") for width in (2, 3, 4)} == {50}

    @pytest.mark.parametrize("shape", ["circles", "pentagons"])
    def test_no_size_of_a_shape_gives_its_number_away(self, shape):
        numbers = {}
        for cell in olympic_shapes.cells("final"):
            if cell.factors["subtask"] == shape:
                numbers.setdefault(cell.factors["size"], []).append(cell.factors["count"])
        counted = [{n: found.count(n) for n in found} for found in numbers.values()]
        assert counted == [dict.fromkeys(("5", "6", "7", "8", "9"), 24)] * 2

    def test_maps_give_the_originals_numbers_of_questions_and_answers(self):
        counts, pooled = [], []
        for count, maps in subway.JOINED.items():
            assert len(maps) == 15
            assert all(sum(joined) == count for joined in maps)
            answers = [number for joined in maps for number in joined for _ in range(2) if number]
            counts.append(len(answers))
            pooled += answers
        assert counts == [30, 44, 60]
        assert [pooled.count(number) for number in (1, 2, 3)] == [92, 38, 4]

    def test_maps_favour_no_pair_of_stations(self):
        ways = [
            sum(bool(j[way]) for maps in subway.JOINED.values() for j in maps) for way in (0, 1, 2)
        ]
        assert max(ways) - min(ways) <= 1


class TestNames:
    def test_tasks_are_those_of_the_factors_in_the_papers_order(self):
        assert names.TASKS == factors.TASKS

    @pytest.mark.parametrize("figure", ALL_FIGURES)
    def test_a_figures_name_says_what_it_is(self, figure):
        task, release, copy = names.parse_figure(figure)
        assert names.figure_name(task, "final" if release == "final" else "v1", copy) == figure

    @pytest.mark.parametrize(
        "name",
        ["subways", "subway_final", "grid_copy1", "grid_copy001_final", "line_intersection_v1"],
    )
    def test_what_is_no_figure_is_refused(self, name):
        with pytest.raises(AfterimageError, match=f"unknown figure '{name}'"):
            names.parse_figure(name)

    @pytest.mark.slow
    @pytest.mark.parametrize("figure", ALL_FIGURES)
    def test_specifications_follow_the_catalogue(self, figure):
        specs = specs_of(figure)
        assert tuple(spec.stimulus_id for spec in specs) == catalogue.stimulus_ids(figure)
        for spec in specs:
            assert all(isinstance(value, str) for value in spec.factors.values())

    @pytest.mark.parametrize("figure", ALL_FIGURES)
    def test_no_two_stimuli_have_the_same_parameters(self, figure):
        parameters = [str(spec.parameters) for spec in specs_of(figure)]
        assert len(set(parameters)) == len(parameters)


class TestGrowth:
    def test_positions_are_taken_once_and_do_not_overlap(self):
        taken = [
            position
            for figure in ALL_FIGURES
            for position in range(
                catalogue.first_position(figure),
                catalogue.first_position(figure) + len(catalogue.stimulus_ids(figure)),
            )
        ]
        assert len(set(taken)) == len(taken)
        assert max(taken) == catalogue.POSITIONS_PER_COPY + 5033

    def test_a_hundred_copies_fit_into_six_digits(self):
        last = catalogue.figures(settings(scale=100, release="final"))[-1]
        position = catalogue.first_position(last) + len(catalogue.stimulus_ids(last))
        assert position <= 1_000_000

    def test_more_copies_leave_the_names_before_them_alone(self):
        few, many = (catalogue.figures(settings(scale=scale)) for scale in (2, 5))
        assert many[: len(few)] == few
        assert len(many) == 35
        assert len(set(ids_of(many))) == 5 * 2754

    def test_one_more_base_figure_changes_no_other(self, monkeypatch):
        before = stimuli.specs("line_intersection", SEED)
        monkeypatch.setattr(line_intersection, "_V1_FIGURES", 51)
        after = stimuli.specs("line_intersection", SEED)
        assert after[: len(before)] == before
        assert len(after) == len(before) + 3

    @pytest.mark.parametrize("task", names.TASKS)
    def test_another_copy_has_other_pictures(self, task):
        first, second = (specs_of(figure)[0].parameters for figure in (task, f"{task}_copy001"))
        assert first != second
        assert (stimuli.draw(task, first).pixels != stimuli.draw(task, second).pixels).any()

    @pytest.mark.slow
    @pytest.mark.parametrize("task", names.TASKS)
    def test_the_seed_reaches_the_drawing_exactly_where_it_can_change_it(self, task):
        for figure in (task, f"{task}_copy001"):
            specs = [
                planning.drawing_spec(figure, settings(seed=seed)) for seed in (20240709, 20240710)
            ]
            drawn = [[s.parameters for s in specs_of(figure, spec["seed"])] for spec in specs]
            assert (specs[0] == specs[1]) == (drawn[0] == drawn[1])

    def test_no_other_setting_bears_on_drawing(self):
        plain = planning.drawing_spec("grid", settings())
        changed = settings(scale=3, release="final", tasks=["grid"], subway_unconnected=True)
        assert planning.drawing_spec("grid", changed) == plain


class TestModules:
    @pytest.mark.parametrize("task", names.TASKS)
    def test_the_tracked_code_of_a_task_holds_its_own_drawing_and_design_alone(self, task):
        suite = "afterimage/suites/blindtest"
        sources = [f"{suite}/stimuli.py", f"{suite}/figures/{task}.py"]
        tracked = closure(Scripts(ROOT / "workflow" / "scripts"), sources)
        for folder in ("figures", "designs"):
            found = {Path(name).stem for name in tracked if f"{suite}/{folder}/" in name}
            assert found & set(names.TASKS) == {task}
        assert not any("observer" in name or "factors" in name for name in tracked)

    @pytest.mark.parametrize("figure", ALL_FIGURES)
    def test_a_figure_is_drawn_by_the_module_of_its_task(self, figure):
        name = catalogue.drawing_module(figure)
        assert import_module(f"afterimage.suites.blindtest.figures.{name}").draw


class TestContactSheets:
    @pytest.mark.parametrize("release", names.RELEASES)
    @pytest.mark.parametrize("sheet", catalogue.CONTACT_SHEETS)
    def test_a_sheet_shows_images_of_one_size_that_are_drawn(self, sheet, release):
        chosen = settings(release=release)
        shown = catalogue.contact_sheet(sheet, chosen)
        known = {name: figure for figure in catalogue.figures(chosen) for name in ids_of([figure])}
        assert shown
        assert all(known[name] == figure for figure, name in shown)
        specs = {s.stimulus_id: s for s in specs_of(shown[0][0])}
        assert len({specs[name].factors["canvas"] for _, name in shown}) == 1

    def test_a_task_that_is_not_drawn_has_an_empty_sheet(self):
        assert catalogue.contact_sheet("blindtest_grid", settings(tasks=["subway"])) == []


class TestModulesThatAreNamed:
    @pytest.mark.parametrize("table", catalogue.TABLES)
    def test_every_table_has_its_module(self, table):
        assert import_module(f"afterimage.suites.blindtest.tables.{table}").TABLE.name == table

    @pytest.mark.parametrize("chart", catalogue.CHARTS)
    def test_every_chart_has_its_module_and_shows_tables_of_the_suite(self, chart):
        assert import_module(f"afterimage.suites.blindtest.charts.{chart}").draw
        assert set(catalogue.CHARTS[chart]) <= set(catalogue.TABLES)
