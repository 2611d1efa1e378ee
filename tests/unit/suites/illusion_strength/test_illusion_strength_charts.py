"""Charts of the illusions: drawn from the CSV tables alone, one module for all illusions."""

import pandas as pd
import pytest
from strength_answers import Perceiver, answers_of, generator, textbook_cued
from table_forms import write_table

from afterimage.contract.finding import load_suite
from afterimage.showing.tables.compute import frame_of
from afterimage.stages.charts import draw_chart
from afterimage.suites.illusion_strength import charts
from afterimage.suites.illusion_strength.suite import SUITE
from afterimage.suites.illusion_strength.tables import ILLUSION_STRENGTH, ILLUSION_STRENGTH_CELLS

SETTINGS = {"confidence": 0.95, "resamples": 100, "seed": 3}


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """CSV files of two observers."""
    folder = tmp_path_factory.mktemp("tables")
    grades = pd.concat(
        [
            answers_of(Perceiver(generator(1)), "eye_of_$person"),
            answers_of(textbook_cued, "book"),
        ],
        ignore_index=True,
    )
    paths = []
    for declared, name in (
        (ILLUSION_STRENGTH, "illusion_strength"),
        (ILLUSION_STRENGTH_CELLS, "illusion_strength_cells"),
    ):
        paths.append(folder / f"{name}.csv")
        write_table(
            frame_of(declared, grades, SETTINGS),
            {"csv": paths[-1]},
            declared,
            grades,
            SETTINGS,
        )
    return paths


def frames(tables):
    return {path.stem: pd.read_csv(path) for path in tables}


def texts(figure):
    return [text.get_text() for axes in figure.axes for text in axes.texts]


def test_a_panel_per_model_and_question_says_where_there_is_no_equality(tables):
    figure = charts.draw_illusion(frames(tables), "illusion_strength_mueller_lyer")
    assert len(figure.axes) == 4
    assert [axes.get_title(loc="left") for axes in figure.axes[::2]] == ["eye_of_$person", "book"]
    eye, book = figure.axes[0], figure.axes[3]
    assert not [text for text in eye.texts if "no PSE" in text.get_text()]
    assert len([text for text in book.texts if text.get_text() == "no PSE: flat"]) == 5


def test_points_are_the_share_of_first_with_neutral_counted_half(tables):
    read = frames(tables)
    figure = charts.draw_illusion(read, "illusion_strength_mueller_lyer")
    cells = read["illusion_strength_cells"]
    cells_of_panel = cells[
        (cells["model"] == "eye_of_$person")
        & (cells["question"] == "actual")
        & (cells["strength"] == 0)
    ]
    expected = (
        (cells_of_panel["first"] + cells_of_panel["neutral"] / 2) / cells_of_panel["n"]
    ).tolist()
    drawn = [list(line.get_ydata()) for line in figure.axes[0].lines]
    assert expected in drawn


def test_curves_are_those_of_the_fit():
    fit = pd.Series({"slope": 4.0, "location": 1.2, "criterion": 0.4, "lapse": 0.1})
    assert charts._curve(fit, pd.Series([0.3]).to_numpy()) == pytest.approx(0.5)
    assert charts._curve(fit, pd.Series([9.0]).to_numpy()) == pytest.approx(0.95)


def test_the_summary_has_magnitudes_for_both_questions_and_the_knowledge_index(tables):
    figure = charts.draw_summary(frames(tables))
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    assert titles == ["Magnitude, actual", "Magnitude, apparent", "Knowledge index"]


def test_all_illusions_share_one_function_and_the_summary_has_its_own(tables, tmp_path):
    listed = {chart.name: chart for chart in load_suite("illusion_strength").charts}
    for chart in ("illusion_strength", "illusion_strength_mueller_lyer"):
        outputs = [tmp_path / f"{chart}.png", tmp_path / f"{chart}.pdf"]
        chart_spec = listed[chart]
        spec = {"part": chart_spec.part, **({"chart": chart} if chart_spec.named else {})}
        draw_chart(spec, {"tables": tables}, {path.suffix: path for path in outputs}, {})
        assert all(output.stat().st_size > 5000 for output in outputs)
    module = "afterimage.suites.illusion_strength.charts"
    assert {chart.part for chart in listed.values()} == {
        f"{module}:draw_illusion",
        f"{module}:draw_summary",
        f"{module}:draw_perceive_recall",
    }


def test_a_study_has_charts_of_its_own_illusions_alone():
    settings = SUITE.settings(illusions=["fick"])
    having = [chart.name for chart in SUITE.charts if chart.when(settings)]
    assert having == ["illusion_strength", "illusion_strength_fick"]
