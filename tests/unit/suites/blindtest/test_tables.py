from fractions import Fraction
from itertools import product

import pandas as pd
import pytest
from blindtest_samples import graded
from table_forms import csv_text, html_text, json_text, latex_text, layout_of, markdown_text

from afterimage.errors import AfterimageError
from afterimage.showing.tables.compute import frame_of, natural_order
from afterimage.statistics.intervals import wilson_interval
from afterimage.suites.blindtest import tables, tables_factors
from afterimage.suites.blindtest.accuracy import AVERAGE, CONSTANT, GUESSING, TASK_TABLES
from afterimage.suites.blindtest.names import (
    ANSWER_TYPES,
    CONTROLS,
    FACTORS,
    TASKS,
    answer_set,
)
from afterimage.suites.blindtest.paper import TABLES, printed

SETTINGS = {
    "confidence": 0.95,
    "resamples": 200,
    "seed": 7,
    "human_source": None,
    "synthetic_humans": False,
}
DECLARED = {
    **TASK_TABLES,
    "blindtest": tables.BLINDTEST,
    "blindtest_factors": tables_factors.BLINDTEST_FACTORS,
}


def grade(task, subtask, key, right, number, **more):
    return graded(task, subtask, key, key if right else "other", number, **more)


def answers(task, subtask, keys, right, **common):
    """One answer per key, the first ``right`` of them correct."""
    return [
        grade(task, subtask, key, number < right, number, **common)
        for number, key in enumerate(keys)
    ]


def table(name, rows):
    return frame_of(DECLARED[name], pd.DataFrame(rows), SETTINGS)


def cell(frame, model, row):
    chosen = frame[(frame["model"] == model) & (frame["row"] == row)]
    assert len(chosen) == 1
    return chosen.iloc[0]


def complete(model="m"):
    return [
        *answers("line_intersection", "thickness_2", "0112", 2, model=model, line_width="2"),
        *answers("two_circles", "overlapping", ["No", "Yes"], 1, model=model, gap="-0.05"),
        *answers("two_circles", "touching", ["No", "No"], 2, model=model, gap="0.10"),
        *answers("circled_letter", "Acknowledgement", "eek", 1, model=model, letter_index="4"),
        *answers("olympic_shapes", "circles", "56789", 3, model=model, count="5"),
        *answers("olympic_shapes", "pentagons", "56789", 1, model=model, count="5"),
        *answers("nested_squares", "depth_2", "22", 2, model=model, depth="2"),
        *answers("nested_squares", "depth_3", "33", 0, model=model, depth="3"),
        *answers("grid", "blank", ["3x3", "3x4"], 1, model=model, rows="3"),
        *answers("grid", "text", ["3x3", "3x4"], 2, model=model, rows="3"),
        *answers("subway", "paths_1", "11", 1, model=model, path_count="1"),
        *answers("subway", "paths_2", "1212", 3, model=model, path_count="2"),
    ]


def test_pooled_average_weighs_rows_by_their_answers():
    rows = [*answers("subway", "paths_1", "11", 2), *answers("subway", "paths_2", "111222", 1)]
    average = cell(table("blindtest_paths", rows), "m", AVERAGE)
    assert (average["k"], average["n"], average["averaging"]) == (3, 8, "pooled")
    assert average["accuracy"] == 37.5


def test_average_of_words_is_the_plain_mean_of_rows_of_different_size():
    rows = [
        *answers("circled_letter", "Acknowledgement", "ackn", 4),
        *answers("circled_letter", "Subdermatoglyphic", "su", 0),
    ]
    average = cell(table("blindtest_letters", rows), "m", AVERAGE)
    assert (average["k"], average["n"]) == (4, 6)
    assert average["accuracy"] == 50.0
    assert average["low"] < 50.0 < average["high"]


def test_cell_pools_both_prompts_and_names_them():
    rows = [
        *answers("line_intersection", "thickness_2", "01", 2, prompt="a"),
        *answers("line_intersection", "thickness_2", "01", 1, prompt="b"),
    ]
    pooled = cell(table("blindtest_lines", rows), "m", "thickness_2")
    assert (pooled["k"], pooled["n"], pooled["prompts"]) == (3, 4, "a + b")


def test_depths_of_nested_squares_are_one_row():
    rows = [
        *answers("nested_squares", "depth_2", "22", 1),
        *answers("nested_squares", "depth_5", "55", 2),
    ]
    frame = table("blindtest_squares", rows)
    assert list(frame.loc[frame["kind"] == "measured", "row"]) == ["squares"]
    assert cell(frame, "m", "squares")["k"] == 3


def test_shapes_have_no_average_because_the_paper_prints_none():
    rows = [
        *answers("olympic_shapes", "circles", "56", 1),
        *answers("olympic_shapes", "pentagons", "56", 1),
    ]
    assert AVERAGE not in set(table("blindtest_shapes", rows)["row"])


def test_rows_follow_the_paper_and_others_come_after_in_natural_order():
    rows = [
        *answers("line_intersection", "thickness_10", "01", 1),
        *answers("line_intersection", "thickness_9", "01", 1),
        *answers("line_intersection", "thickness_4", "01", 1),
        *answers("line_intersection", "thickness_2", "01", 1),
    ]
    frame = table("blindtest_lines", rows)
    assert list(frame.loc[frame["model"] == "m", "row"]) == [
        "thickness_2",
        "thickness_4",
        "thickness_9",
        "thickness_10",
        AVERAGE,
    ]


def test_unparsed_answers_are_counted_and_stay_in_the_denominator():
    rows = answers("two_circles", "touching", ["Yes", "No"], 1)
    rows.append(grade("two_circles", "touching", "No", False, 9, outcome="unparsed"))
    touching = cell(table("blindtest_circles", rows), "m", "touching")
    assert (touching["unparsed_k"], touching["refused_k"], touching["cut_off_k"]) == (1, 1, 0)
    assert (touching["unparsed_k"], touching["k"], touching["n"]) == (1, 1, 3)


def test_the_interval_is_that_of_the_figures_when_their_renderings_agree():
    rows = [
        grade(
            "line_intersection",
            "thickness_2",
            "1",
            figure < 5,
            10 * figure + copy,
            base_figure=str(figure),
        )
        for figure, copy in product(range(10), range(10))
    ]
    row = cell(table("blindtest_lines", rows), "m", "thickness_2")
    assert row["clusters"] == 10
    low, high = wilson_interval(5, 10)
    assert (row["low"], row["high"]) == pytest.approx((100 * low, 100 * high))


def test_the_clusters_of_tasks_whose_figures_are_a_grid_of_parameters_are_images():
    row = cell(
        table("blindtest_circles", answers("two_circles", "touching", ["No"] * 4, 2)),
        "m",
        "touching",
    )
    assert row["clusters"] == 4
    low, high = wilson_interval(2, 4)
    assert (row["low"], row["high"]) == pytest.approx((100 * low, 100 * high))


def test_constant_answer_is_found_from_the_keys_and_counts_items_once():
    keys = ["No", "No", "No", "Yes"]
    rows = [
        *answers("two_circles", "overlapping", keys, 0, model="first"),
        *answers("two_circles", "overlapping", keys, 4, model="second"),
    ]
    constant = cell(table("blindtest_circles", rows), CONSTANT, "overlapping")
    assert (constant["answer"], constant["k"], constant["n"]) == ("No", 3, 4)
    assert constant["accuracy"] == 75.0


def test_constant_average_is_one_answer_for_the_whole_table():
    rows = [
        *answers("two_circles", "overlapping", ["Yes"] * 3 + ["No"], 0),
        *answers("two_circles", "touching", ["No"] * 4, 0),
    ]
    frame = table("blindtest_circles", rows)
    assert cell(frame, CONSTANT, "overlapping")["answer"] == "Yes"
    average = cell(frame, CONSTANT, AVERAGE)
    assert (average["answer"], average["k"], average["n"]) == ("No", 5, 8)


@pytest.mark.parametrize(
    ("task", "subtask", "keys", "size"),
    [
        ("line_intersection", "thickness_2", "1", 3),
        ("two_circles", "touching", ["No"], 2),
        ("circled_letter", "Acknowledgement", "e", 12),
        ("circled_letter", "Subdermatoglyphic", "s", 17),
        ("circled_letter", "tHyUiKaRbNqWeOpXcZvM", "t", 20),
        ("olympic_shapes", "circles", "5", 5),
        ("nested_squares", "depth_2", "2", 4),
        ("grid", "blank", ["10x10"], 22),
        ("subway", "paths_3", "13", 3),
        ("subway", "paths_3", "013", 4),
    ],
)
def test_guessing_is_over_all_possible_answers_not_over_those_that_occur(task, subtask, keys, size):
    assert len(answer_set(task, subtask, set(keys))) == size


def test_impossible_key_is_refused():
    with pytest.raises(AfterimageError, match="the key '3' is no possible answer"):
        table("blindtest_lines", answers("line_intersection", "thickness_2", "13", 1))


def test_mixed_releases_are_refused():
    rows = answers("line_intersection", "thickness_2", "01", 1)
    rows[0]["release"] = "final"
    with pytest.raises(AfterimageError, match="releases final, v1"):
        table("blindtest_lines", rows)


def test_missing_column_is_named():
    rows = pd.DataFrame(complete()).drop(columns="subtask")
    with pytest.raises(AfterimageError, match="column 'subtask' is missing"):
        frame_of(TASK_TABLES["blindtest_lines"], rows, SETTINGS)


def test_digits_are_cut_off_or_rounded_as_the_paper_does():
    share = Fraction(479, 672)
    assert (printed(share, cuts=True), printed(share, cuts=False)) == ("71.27", "71.28")
    assert printed(Fraction(1), cuts=True) == "100.00"
    assert printed(Fraction(29, 100), cuts=True) == "29.00"


def test_summary_mean_is_over_eight_columns_with_circles_and_pentagons_apart():
    frame = frame_of(tables.BLINDTEST, pd.DataFrame(complete()), SETTINGS)
    accuracy = frame[frame["model"] == "m"].set_index("row")["accuracy"]
    assert list(accuracy.index) == [
        "line_intersection",
        "two_circles",
        "circled_letter",
        "circles",
        "pentagons",
        "nested_squares",
        "grid",
        "subway",
        "mean",
    ]
    assert accuracy["mean"] == pytest.approx(accuracy.drop("mean").mean())


def test_summary_has_both_baselines_and_their_means():
    frame = frame_of(tables.BLINDTEST, pd.DataFrame(complete()), SETTINGS)
    assert cell(frame, GUESSING, "two_circles")["accuracy"] == 50.0
    constants = frame[frame["model"] == CONSTANT].set_index("row")["accuracy"]
    assert constants["mean"] == pytest.approx(constants.drop("mean").mean())


def test_summary_counts_a_model_that_answered_some_tasks_over_those():
    rows = [*complete("all"), *answers("subway", "paths_1", "11", 1, model="some")]
    frame = frame_of(tables.BLINDTEST, pd.DataFrame(rows), SETTINGS)
    assert list(frame.loc[frame["model"] == "some", "row"]) == ["subway", "mean"]


def test_factors_split_by_prompt_and_pool_over_prompts():
    rows = [
        *answers("line_intersection", "thickness_2", "01", 2, prompt="a", line_width="2"),
        *answers("line_intersection", "thickness_4", "01", 0, prompt="b", line_width="4"),
    ]
    frame = table("blindtest_factors", rows)
    measured = frame[frame["kind"] == "measured"]
    widths = measured[(measured["factor"] == "line_width") & (measured["prompt"] == "all")]
    assert list(zip(widths["level"], widths["k"], widths["n"], strict=True)) == [
        ("2", 2, 2),
        ("4", 0, 2),
    ]
    prompts = measured[measured["factor"] == "prompt"]
    assert list(zip(prompts["level"], prompts["accuracy"], strict=True)) == [
        ("a", 100.0),
        ("b", 0.0),
    ]


def test_every_level_of_a_factor_has_who_does_not_look():
    frame = table("blindtest_factors", [*complete("a"), *complete("b")])
    rows = ["task", "subtask", "prompt", "factor", "level"]
    measured = frame[frame["model"] == "a"].set_index(rows)
    guesses = frame[frame["model"] == GUESSING].set_index(rows)
    assert len(guesses) == len(measured) and guesses.index.equals(measured.index)
    assert (guesses["n"] == measured["n"]).all() and guesses["k"].isna().all()
    # Three, two, eleven letters of "acknowledgement" that differ, five, four, 22, three possible answers.
    chance = guesses["accuracy"].groupby(level="task").first()
    assert chance["two_circles"] == 50 and chance["nested_squares"] == 25
    assert chance["circled_letter"] == pytest.approx(100 / len(set("acknowledgement")))
    constant = frame[frame["model"] == CONSTANT].set_index(rows)
    lines = constant.loc[("line_intersection", "all", "p", "line_width", "2")]
    assert (lines["answer"], lines["k"], lines["n"], lines["accuracy"]) == ("1", 2, 4, 50)
    # Of two nested squares only "2" is right: there is nothing to choose.
    assert not len(constant.query("factor == 'depth' or factor == 'key'"))


def test_factors_never_pool_two_different_questions():
    frame = table("blindtest_factors", complete())
    circles = frame[(frame["task"] == "two_circles") & (frame["factor"] == "gap")]
    assert set(circles["subtask"]) == {"overlapping", "touching"}


def test_every_count_of_a_factor_adds_up_to_all_answers():
    rows = complete()
    frame = table("blindtest_factors", rows)
    frame = frame[frame["kind"] == "measured"]
    for task in TASKS:
        keys = frame[
            (frame["task"] == task) & (frame["factor"] == "key") & (frame["prompt"] == "p")
        ]
        assert keys["n"].sum() == sum(row["task"] == task for row in rows)


def test_levels_are_in_numeric_order():
    levels = ["0.10", "-0.15", "10", "9", "0.00", "-0.05"]
    assert sorted(levels, key=natural_order) == ["-0.15", "-0.05", "0.00", "0.10", "9", "10"]


@pytest.mark.parametrize("name", DECLARED)
def test_every_table_is_written_in_all_forms(name):
    grades = pd.DataFrame(complete())
    frame, layout = (
        frame_of(DECLARED[name], grades, SETTINGS),
        layout_of(DECLARED[name], grades, SETTINGS),
    )
    assert len(csv_text(frame, layout).splitlines()) == len(frame) + 1
    for text in (markdown_text, latex_text, html_text, json_text):
        assert layout.title.split(":")[0] in text(frame, layout)


def test_readers_see_digits_as_printed_with_counts_and_interval():
    grades = pd.DataFrame(answers("two_circles", "touching", ["No"] * 3, 2))
    text = markdown_text(None, layout_of(TASK_TABLES["blindtest_circles"], grades, SETTINGS))
    assert "66.66 (2/3) [20.8, 93.9]" in text
    assert "cut off as in the paper" in text


@pytest.mark.parametrize(
    ("prompts", "note"),
    [("a", "Each cell is of one prompt."), ("ab", "Each cell pools 2 prompts.")],
)
def test_readers_are_told_how_many_prompts_a_cell_pools(prompts, note):
    grades = pd.DataFrame(
        row
        for prompt in prompts
        for row in answers("two_circles", "touching", ["No"] * 3, 2, prompt=prompt)
    )
    layout = layout_of(TASK_TABLES["blindtest_circles"], grades, SETTINGS)
    assert note in layout.notes


def test_readers_see_a_row_for_each_model_and_a_column_for_each_row_of_the_csv_as_in_the_paper():
    grades = pd.DataFrame(
        [
            *answers("two_circles", "touching", ["No"] * 3, 2),
            *answers("two_circles", "overlapping", ["Yes", "No"], 1),
            *answers("two_circles", "touching", ["No"] * 3, 3, model="other"),
        ]
    )
    layout = layout_of(TASK_TABLES["blindtest_circles"], grades, SETTINGS)
    headers = [head.header for head in layout.columns]
    assert headers == ["Model", "overlapping", "touching", "Average", "Unparsed"]
    rows = {row.cells[0]: row.cells[1:] for row in layout.rows}
    assert list(rows) == ["m", "other", GUESSING, CONSTANT]
    # The average holds the answers of the others: nothing is counted twice.
    assert rows["m"][3] == "0"
    assert rows["m"][0].startswith("50.00 (1/2)")
    assert rows["other"][0] == ""
    assert rows[CONSTANT][1].endswith('"No"')
    assert rows[GUESSING][3] == ""


def test_plain_mean_is_shown_without_pooled_counts():
    grades = pd.DataFrame(
        [
            *answers("circled_letter", "Acknowledgement", "ackn", 4),
            *answers("circled_letter", "Subdermatoglyphic", "su", 0),
        ]
    )
    text = markdown_text(None, layout_of(TASK_TABLES["blindtest_letters"], grades, SETTINGS))
    assert "(4/6)" not in text


def test_table_of_a_task_nobody_answered_is_empty():
    assert table("blindtest_paths", answers("two_circles", "touching", ["No"], 1)).empty


def test_every_task_has_a_table_factors_and_an_answer_form():
    assert [paper_table.task for paper_table in TABLES] == list(TASKS)
    assert set(FACTORS) == set(ANSWER_TYPES) == {*TASKS, *CONTROLS}
