"""The plan of the grid: what it depends on, and that one suite's figures may be drawn by another's modules."""

import pytest
from studies import plain_study

from afterimage.planning.plan import Plan
from afterimage.stages.all_stages import code_of, spec_of

SUITE = "illusion_strength"


@pytest.fixture
def planned(root, monkeypatch):
    """Make a plan of the plain study with the suite switched on by one line."""
    monkeypatch.chdir(root)

    def make(settings=None, **changes):
        suites = {**plain_study()["suites"], SUITE: settings}
        return Plan(plain_study(suites=suites, **changes), root)

    return make


def test_one_line_switches_it_on_with_14_illusions_and_2992_images(planned):
    plan = planned()
    assert "ponzo" not in plan.figures[SUITE]
    assert len(plan.figures[SUITE]) == 14
    assert (
        sum(len(plan.studied[SUITE].stimulus_ids(figure)) for figure in plan.figures[SUITE]) == 2992
    )


def test_a_drawing_depends_on_the_other_suites_module_of_its_figure_alone(planned):
    plan = planned()
    figures = plan.figures[SUITE]
    code = {code_of(plan, "draw_figure", suite=SUITE, figure=figure) for figure in figures}
    assert len(code) == len(figures)
    assert not code & {
        code_of(plan, "draw_figure", suite="illusion_vqa", figure=figure) for figure in figures
    }


def test_leaving_an_illusion_out_moves_no_other(planned):
    whole = planned(shard_size=220)
    part = planned({"illusions": ["fick", "ponzo"]}, shard_size=220)
    assert part.shards(SUITE, "chance") == ["000660-000879", "003080-003299"]
    assert spec_of(part, "make_items", suite=SUITE, shard="000660-000879") == spec_of(
        whole, "make_items", suite=SUITE, shard="000660-000879"
    )


def test_charts_are_those_of_the_configured_illusions(planned):
    plan = planned({"illusions": ["fick", "ponzo"]})
    charts = {chart for chart, suite in plan.charts.items() if suite == SUITE}
    assert charts == {
        "illusion_strength",
        "illusion_strength_fick",
        "illusion_strength_ponzo",
    }
    assert "illusion_vqa" in plan.charts
