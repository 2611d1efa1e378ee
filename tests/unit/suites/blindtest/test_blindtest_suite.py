"""Names, counts and positions; what changes which stimulus."""

from functools import cache
from pathlib import Path

import pytest
from blindtest_samples import design_of, draw, specs, specs_in_turn, study_suite

from afterimage.errors import AfterimageError
from afterimage.fingerprints.reach import Reach
from afterimage.fingerprints.scripts import Scripts
from afterimage.suites.blindtest import designs, names
from afterimage.suites.blindtest.suite import POSITIONS_PER_COPY, figure_named

ROOT = Path(__file__).resolve().parents[4]
ALL_FIGURES = [
    names.figure_name(task, release, copy)
    for task in names.TASKS
    for release in (names.RELEASES if task in names.RELEASED_TWICE else ("v1",))
    for copy in (0, 1)
]


specs_of = cache(specs)


def ids_of(*figures):
    return [name for figure in figures for name in design_of(figure).ids(figure, {})]


class TestCounts:
    def test_each_row_of_the_papers_tables_has_its_images(self):
        shapes = [cell.factors["subtask"] for cell in designs.OLYMPIC_SHAPES.cells("v1")]
        later = [cell.factors["subtask"] for cell in designs.OLYMPIC_SHAPES.cells("final")]
        widths = [cell.factors["subtask"] for cell in designs.LINE_INTERSECTION.cells("v1")]
        assert (shapes.count("circles"), shapes.count("pentagons")) == (60, 60)
        assert (later.count("circles"), later.count("pentagons")) == (240, 240)
        assert {widths.count(f"thickness_{width}") for width in (2, 3, 4)} == {50}

    @pytest.mark.parametrize("shape", ["circles", "pentagons"])
    def test_no_size_of_a_shape_gives_its_number_away(self, shape):
        numbers = {}
        for cell in designs.OLYMPIC_SHAPES.cells("final"):
            if cell.factors["subtask"] == shape:
                numbers.setdefault(cell.factors["size"], []).append(cell.factors["count"])
        counted = [{n: found.count(n) for n in found} for found in numbers.values()]
        assert counted == [dict.fromkeys(("5", "6", "7", "8", "9"), 24)] * 2

    def test_maps_give_the_originals_numbers_of_questions_and_answers(self):
        counts, pooled = [], []
        for count, maps in designs.JOINED.items():
            assert len(maps) == 15
            assert all(sum(joined) == count for joined in maps)
            answers = [number for joined in maps for number in joined for _ in range(2) if number]
            counts.append(len(answers))
            pooled += answers
        assert counts == [30, 44, 60]
        assert [pooled.count(number) for number in (1, 2, 3)] == [92, 38, 4]

    def test_maps_favour_no_pair_of_stations(self):
        ways = [
            sum(bool(j[way]) for maps in designs.JOINED.values() for j in maps) for way in (0, 1, 2)
        ]
        assert max(ways) - min(ways) <= 1


class TestNames:
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


class TestGrowth:
    def test_positions_are_taken_once_and_do_not_overlap(self):
        taken = [
            position
            for figure in ALL_FIGURES
            for position in range(
                figure_named(figure).position, figure_named(figure).position + len(ids_of(figure))
            )
        ]
        assert len(set(taken)) == len(taken)
        assert max(taken) == POSITIONS_PER_COPY + 5033

    def test_a_hundred_copies_fit_into_six_digits(self):
        *_, last = study_suite(scale=100, release="final").figures.values()
        assert last.position + len(ids_of(last.name)) <= 1_000_000

    def test_more_copies_leave_the_names_before_them_alone(self):
        few, many = (list(study_suite(scale=scale).figures) for scale in (2, 5))
        assert many[: len(few)] == few
        assert len(many) == 35
        assert len(set(ids_of(*many))) == 5 * 2754

    def test_one_more_base_figure_changes_no_other(self, monkeypatch):
        before = specs("line_intersection")
        monkeypatch.setattr(designs, "_V1_FIGURES", 51)
        after = specs("line_intersection")
        assert after[: len(before)] == before
        assert len(after) == len(before) + 3

    @pytest.mark.parametrize("task", names.TASKS)
    def test_another_copy_has_other_pictures(self, task):
        figures = (task, f"{task}_copy001")
        first, second = (next(specs_in_turn(figure)).parameters for figure in figures)
        assert first != second
        assert (draw(task, first).pixels != draw(task, second).pixels).any()

    @pytest.mark.parametrize("task", names.TASKS)
    def test_the_seed_reaches_the_drawing_exactly_where_it_can_change_it(self, task):
        for figure in (task, f"{task}_copy001"):
            first, second = (
                study_suite(seed=seed, scale=2).drawing_spec(figure)
                for seed in (20240709, 20240710)
            )
            drawn = [
                [spec_drawn.parameters for spec_drawn in specs_of(figure, spec["settings"]["seed"])]
                for spec in (first, second)
            ]
            assert (first == second) == (drawn[0] == drawn[1])


@pytest.fixture(scope="module")
def reach(scripts):
    """What every definition of the package reaches."""
    return Reach(Scripts(scripts))


class TestModules:
    @pytest.mark.parametrize("task", (*names.TASKS, *names.CONTROLS))
    def test_the_tracked_code_of_a_task_holds_its_own_drawing_and_design_alone(self, task, reach):
        suite = "afterimage/suites/blindtest"
        figure = figure_named(task)
        begin = reach.begin_all(
            ["afterimage.stages.stimuli:draw_figure", figure.design, figure.draw]
        )
        tracked = reach.closure(begin)
        for part in ("figures/", "designs.py"):
            found = {node.key for node in tracked if node.file.startswith(f"{suite}/{part}")}
            values = {name.upper() for name in (*names.TASKS, *names.CONTROLS)}
            assert found & values == {task.upper()}
        assert not any(node.file == f"{suite}/seeing.py" for node in tracked)


class TestContactSheets:
    @pytest.mark.parametrize("release", names.RELEASES)
    @pytest.mark.parametrize("task", names.TASKS)
    def test_a_sheet_shows_images_of_one_size_that_are_drawn(self, task, release):
        suite = study_suite(release=release)
        _, shown = suite.sheets[f"blindtest_{task}"]
        known = {name: figure for figure in suite.figures for name in ids_of(figure)}
        assert shown
        assert all(known[name] == figure for figure, name in shown)
        specs = {s.stimulus_id: s for s in specs_of(shown[0][0])}
        assert len({specs[name].factors["canvas"] for _, name in shown}) == 1

    def test_a_task_that_is_not_drawn_has_no_sheet(self):
        assert set(study_suite(tasks=["subway"]).sheets) == {"blindtest_subway"}
