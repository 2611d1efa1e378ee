import pandas as pd
import pytest
from matplotlib.patches import Rectangle

from afterimage.stages.charts import draw_chart
from afterimage.suites.blindtest import charts

HOSTILE = r"_a$\nosuch{$"
TASKS = ("line_intersection", "two_circles", "circles", "subway", "mean")


def accuracy_table(models=("pixels", "ape", HOSTILE), tasks=TASKS):
    rows = [
        {
            "kind": "measured",
            "model": model,
            "row": task,
            "accuracy": 50.0 + index,
            "low": 30.0 if task == "subway" else 45.0,
            "high": 60.0,
        }
        for index, model in enumerate(models)
        for task in tasks
    ]
    rows += [
        {"kind": "reference", "model": name, "row": task, "accuracy": share}
        for name, share in (("uniform guessing", 20.0), ("always the same answer", 40.0))
        for task in tasks
    ]
    return {"blindtest": pd.DataFrame(rows)}


def distance_table(models=("pixels", HOSTILE), prompts=("p",)):
    rows = [
        {
            "kind": "measured",
            "task": "two_circles",
            "subtask": question,
            "model": model,
            "prompt": prompt,
            "factor": factor,
            "level": level,
            "accuracy": 10.0 if prompt == "all" else 80.0,
            "low": 5.0,
            "high": 90.0,
        }
        for question in ("overlapping", "touching")
        for model in models
        for prompt in prompts
        for factor, levels in (
            ("gap", ("-0.10", "-0.05", "0.00", "0.05", "0.10")),
            ("diameter", ("0.25",)),
        )
        for level in levels
    ]
    return {"blindtest_factors": pd.DataFrame(rows)}


def counts_table(answers, models=("m",)):
    """Rows from ``(task, subtask, truth, answer, n)``."""
    rows = [
        dict(zip(("task", "subtask", "truth", "answer", "n"), answer, strict=True))
        | {"model": model}
        for model in models
        for answer in answers
    ]
    return {"blindtest_counts": pd.DataFrame(rows)}


SQUARES = [
    ("nested_squares", "all", "2", "2", 31),
    ("nested_squares", "all", "3", "4", 12),
    ("nested_squares", "all", "3", "unparsed", 7),
]


def legend_texts(figure):
    (legend,) = figure.legends
    return [text.get_text() for text in legend.get_texts()]


def cell_texts(axes):
    return sorted(text.get_text() for text in axes.texts)


def tick_texts(axes):
    return [text.get_text() for text in axes.get_xticklabels()]


def test_accuracy_shows_every_model_in_order_and_then_both_baselines():
    figure = charts.draw_accuracy(accuracy_table())
    expected = ["pixels", "ape", HOSTILE, "always the same answer, the best one"]
    assert legend_texts(figure) == [*expected, "uniform guessing"]


def test_accuracy_has_one_mark_per_model_and_task_in_the_papers_order():
    figure = charts.draw_accuracy(accuracy_table(tasks=TASKS[::-1]))
    (axes,) = figure.axes
    labels = [label.replace("\n", " ") for label in tick_texts(axes)]
    assert labels == [
        "Line inter- sections",
        "Two circles",
        "Overlapping circles",
        "Subway paths",
        "Mean",
    ]
    marks = [container[0] for container in axes.containers]
    assert [list(mark.get_ydata()) for mark in marks] == [[50.0] * 5, [51.0] * 5, [52.0] * 5]


def test_all_tasks_stand_in_lines_that_fit_a_page():
    models = [f"model_{number}" for number in range(8)]
    figure = charts.draw_accuracy(accuracy_table(models, tuple(charts.TASK_TITLES)))
    assert [len(axes.get_xticks()) for axes in figure.axes] == [3, 3, 3]
    assert figure.get_figwidth() < 8
    assert legend_texts(figure)[:8] == models


def test_models_of_the_heat_maps_stand_below_each_other_from_the_fifth_on():
    models = [f"model_{number}" for number in range(6)]
    figure = charts.draw_counts(counts_table(SQUARES, models))
    assert figure.get_figwidth() < 16
    titles = [title for axes in figure.axes if (title := axes.get_title(loc="left"))]
    assert titles == models


def test_models_that_answered_elsewhere_stand_below_with_what_is_known_and_it_says_so():
    paths = [("subway", "all", "1", "1", 9)]
    tables = [
        counts_table(SQUARES + paths, ["m1", "m2"]),
        counts_table(SQUARES, ["late (recorded)"]),
    ]
    frame = pd.concat([table["blindtest_counts"] for table in tables])
    figure = charts.draw_counts({"blindtest_counts": frame})
    rows = [axes.get_ylabel() for axes in figure.axes if axes.get_ylabel()]
    assert rows == [
        f"true number of\n{name}" for name in ("nested squares", "paths", "nested squares")
    ]
    drawn = [axes for axes in figure.axes if axes.get_xlabel() == "answer"]
    assert len(drawn) == 5
    texts = [text for axes in figure.axes for text in cell_texts(axes) if "recorded" in text]
    assert texts == [
        "(recorded): only answers whose words are public; a task without any has no row"
    ]


def test_accuracy_bars_are_the_tables_intervals():
    figure = charts.draw_accuracy(accuracy_table(models=("m",)))
    (bars,) = figure.axes[0].containers[0][2]
    lows_highs = [(segment[0][1], segment[1][1]) for segment in bars.get_segments()]
    assert lows_highs == [(45, 60), (45, 60), (45, 60), (30, 60), (45, 60)]


def test_accuracy_draws_both_baselines_across_each_task():
    figure = charts.draw_accuracy(accuracy_table(models=("m",)))
    segments = [line for line in figure.axes[0].lines if len(line.get_xdata()) == 2]
    levels = [line.get_ydata()[0] for line in segments if line.get_ydata()[0] > 1]
    assert sorted(levels) == [20.0] * 5 + [40.0] * 5


def test_distance_has_a_panel_per_model_and_a_broken_line_per_question():
    figure = charts.draw_distance(distance_table())
    assert [axes.get_title("left") for axes in figure.axes] == ["pixels", HOSTILE]
    questions = list(charts.CIRCLE_TITLES.values())
    assert legend_texts(figure) == [
        *questions,
        '"Yes" is right to both questions',
        '"Yes" is right to "touch" alone',
        "uniform guessing",
    ]
    broken = [[-0.10, -0.05], [0.0, 0.05, 0.10], [-0.10, -0.05, 0.0], [0.05, 0.10]]
    for axes in figure.axes:
        lines = [line for line in axes.lines if line.get_marker() != "None"]
        for line, gaps in zip(lines, broken, strict=True):
            assert line.get_xdata() == pytest.approx(gaps, abs=0.01)


def test_distance_pools_the_prompts_where_there_are_several():
    figure = charts.draw_distance(distance_table(models=("m",), prompts=("all", "p", "q")))
    shown = [line for line in figure.axes[0].lines if line.get_marker() != "None"]
    assert {value for line in shown for value in line.get_ydata()} == {10.0}


def test_counts_have_a_row_of_panels_per_task_and_a_column_per_model():
    rows = [*SQUARES, ("olympic_shapes", "circles", "5", "5", 1), ("subway", "all", "1", "1", 1)]
    figure = charts.draw_counts(counts_table(rows, models=("zebra", HOSTILE)))
    panels = [axes for axes in figure.axes if axes.get_subplotspec() and axes.get_xticklabels()]
    panels = panels[: 3 * 2]
    assert [axes.get_title("left") for axes in panels[:2]] == ["zebra", HOSTILE]
    rows_of_panels = [axes.get_ylabel() for axes in panels[::2]]
    assert rows_of_panels == [
        f"true number of\n{name}" for name in ("circles", "nested squares", "paths")
    ]


def test_counts_print_the_number_of_answers_and_frame_the_right_ones():
    figure = charts.draw_counts(counts_table(SQUARES))
    axes = figure.axes[0]
    assert cell_texts(axes) == ["12", "31", "7"]
    assert tick_texts(axes) == ["2", "3", "4", "not\nread"]
    frames = [patch.get_xy() for patch in axes.patches if isinstance(patch, Rectangle)]
    assert frames == [(0, 0), (1, 1)]
    unread = next(text for text in axes.texts if text.get_text() == "7")
    assert unread.get_position()[0] > 3.5


def test_counts_shade_by_share_of_the_answers_to_that_true_number():
    figure = charts.draw_counts(counts_table(SQUARES))
    numbers, unread = figure.axes[0].collections
    assert numbers.get_array().tolist() == [[100, 0, 0], [0, 0, pytest.approx(100 * 12 / 19)]]
    assert unread.get_array().tolist() == [[0], [pytest.approx(100 * 7 / 19)]]


@pytest.mark.parametrize("answer", ["9", "1000000", "9" * 5000])
def test_counts_far_above_the_true_ones_share_a_column(answer):
    rows = [*SQUARES, ("nested_squares", "all", "3", answer, 5)]
    axes = charts.draw_counts(counts_table(rows)).axes[0]
    assert tick_texts(axes) == ["2", "3", "4", "more", "not\nread"]
    assert "5" in cell_texts(axes)


def test_counts_far_below_the_true_ones_share_a_column():
    rows = [
        ("olympic_shapes", "circles", "7", "7", 1),
        ("olympic_shapes", "circles", "7", "0", 2),
        ("olympic_shapes", "circles", "7", "4", 3),
    ]
    axes = charts.draw_counts(counts_table(rows)).axes[0]
    assert tick_texts(axes) == ["fewer", "7", "not\nread"]
    assert cell_texts(axes) == ["1", "5"]


def test_counts_say_where_a_model_was_not_asked():
    tables = counts_table(SQUARES, models=("asked",))
    other = counts_table([("subway", "all", "1", "1", 1)], models=("other",))
    frame = pd.concat([tables["blindtest_counts"], other["blindtest_counts"]])
    figure = charts.draw_counts({"blindtest_counts": frame})
    assert [("no answers" in cell_texts(axes)) for axes in figure.axes[:4]] == [
        False,
        True,
        True,
        False,
    ]


CHARTS = [
    ("accuracy", accuracy_table),
    ("distance", distance_table),
    ("counts", lambda: counts_table(SQUARES, models=("pixels", HOSTILE))),
]


@pytest.mark.parametrize(("chart", "tables"), CHARTS, ids=[name for name, _ in CHARTS])
def test_charts_from_csv_give_the_same_bytes_twice_and_take_names_literally(
    chart, tables, tmp_path
):
    # A model's name that were read as a formula would end the drawing.
    paths = []
    for name, frame in tables().items():
        paths.append(tmp_path / f"{name}.csv")
        frame.to_csv(paths[-1], index=False)
    drawn = []
    for attempt in "ab":
        outputs = [tmp_path / f"{attempt}.png", tmp_path / f"{attempt}.pdf"]
        spec = {"part": f"afterimage.suites.blindtest.charts:draw_{chart}"}
        draw_chart(spec, {"tables": paths}, {path.suffix: path for path in outputs}, {})
        drawn.append([output.read_bytes() for output in outputs])
    assert drawn[0] == drawn[1]
    assert drawn[0][0].startswith(b"\x89PNG")
    assert drawn[0][1].startswith(b"%PDF")


@pytest.mark.parametrize(("chart", "tables"), CHARTS, ids=[name for name, _ in CHARTS])
def test_charts_of_a_study_without_their_tasks_are_still_drawn(chart, tables, tmp_path):
    ((name, frame),) = tables().items()
    frame.iloc[:0].to_csv(tmp_path / f"{name}.csv", index=False)
    spec = {"part": f"afterimage.suites.blindtest.charts:draw_{chart}"}
    draw_chart(spec, {"tables": [tmp_path / f"{name}.csv"]}, {"png": tmp_path / "empty.png"}, {})
    assert (tmp_path / "empty.png").stat().st_size > 0
