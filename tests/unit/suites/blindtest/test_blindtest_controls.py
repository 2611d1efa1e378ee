"""What the page's argument rests on: drawn, proven from pixels, asked, and shown beside the tasks."""

import blindtest_samples as samples
import numpy as np
import pandas as pd
import pytest

from afterimage.errors import AfterimageError
from afterimage.showing.tables.compute import frame_of
from afterimage.suites.blindtest import questions
from afterimage.suites.blindtest.names import CONTROLS, OUTLINES, TASKS, WORDS
from afterimage.suites.blindtest.recorded import COLUMN
from afterimage.suites.blindtest.seeing import answer, measure
from afterimage.suites.blindtest.suite import POSITIONS_PER_COPY
from afterimage.suites.blindtest.tables import BLINDTEST_CONTROLS

COPIES = [*CONTROLS, *(f"{control}_copy003" for control in CONTROLS)]
STATISTICS = {"confidence": 0.95, "resamples": 200, "seed": 1}


def drawn(figure, step=1):
    """Every so many stimuli of a figure with their pixels."""
    for spec in samples.specs(figure)[::step]:
        yield spec, samples.draw(figure, spec.parameters).pixels


def test_they_are_drawn_only_where_asked_for_and_move_nothing():
    plain, more = samples.study_suite(), samples.study_suite(controls=True)
    assert list(more.figures) == [*plain.figures, *CONTROLS]
    counts = {control: len(samples.design_of(control).ids(control, {})) for control in CONTROLS}
    assert counts == {"plain_string": 24, "plain_shape": 27, "shapes_apart": 120}
    positions = {name: figure.position for name, figure in more.figures.items()}
    assert all(positions[name] == figure.position for name, figure in plain.figures.items())
    last = positions["shapes_apart"] + counts["shapes_apart"]
    assert positions["plain_string"] > 6000 and last < POSITIONS_PER_COPY


def test_copies_of_the_set_have_copies_of_the_controls():
    assert "shapes_apart_copy001" in samples.study_suite(controls=True, scale=2).figures


@pytest.mark.parametrize("figure", COPIES)
def test_pixels_show_what_the_key_says(figure):
    for spec, pixels in drawn(figure, step=4 if "apart" in figure else 1):
        assert samples.measure(figure, pixels, spec.factors) == spec.factors["truth"]


def test_a_plain_string_is_the_text_of_the_circled_letter_without_its_oval():
    name = {"word": WORDS[0], "font": "OpenSans", "padding": "50"}

    def first(figure):
        return next(
            samples.draw(figure, spec.parameters).pixels
            for spec in samples.specs(figure)
            if name.items() <= spec.factors.items()
        )

    plain, circled = first("plain_string"), first("circled_letter")
    differs = (plain != circled).any(axis=2)
    # What differs is red in the one, or red over black, and lies in the first letter's oval.
    columns = np.flatnonzero(differs.any(axis=0))
    assert 0 < np.ptp(columns) < 512 / len(WORDS[0]) * 1.5
    assert measure(plain, "plain_string") == WORDS[0]
    with pytest.raises(AfterimageError, match="found colour"):
        measure(circled, "plain_string")


def test_overlapping_shapes_are_no_shapes_apart():
    spec, pixels = next(iter(drawn("olympic_shapes")))
    with pytest.raises(AfterimageError, match="touch"):
        measure(np.concatenate([pixels, next(drawn("shapes_apart"))[1]]), "shapes_apart")
    assert measure(pixels, "shapes_apart") != spec.factors["truth"]


def test_a_filled_disc_is_no_outline_and_two_outlines_are_not_one():
    y, x = np.mgrid[:200, :200]
    disc = np.where(((x - 100) ** 2 + (y - 100) ** 2 < 60**2)[..., None], (255, 0, 0), 255)
    with pytest.raises(AfterimageError, match="looked for the outline"):
        measure(disc.astype(np.uint8), "plain_shape")
    _, pixels = next(iter(drawn("plain_shape")))
    with pytest.raises(AfterimageError, match="found 2"):
        measure(np.concatenate([pixels, pixels]), "plain_shape")


def test_the_observer_answers_each_control_from_its_image_and_question():
    items = samples.items_of(CONTROLS, controls=True)
    wanted = {item["stimulus_id"]: item for item in items}
    for control in CONTROLS:
        for spec, pixels in drawn(control, step=9):
            item = wanted[spec.stimulus_id]
            (text,) = (part["text"] for part in item["messages"][-1]["parts"] if part["text"])
            assert answer(pixels, text).strip("{}") == item["key"]


def test_they_are_asked_in_their_own_prompts_and_shapes_in_those_of_the_overlapping():
    items = pd.DataFrame(samples.items_of(CONTROLS, controls=True))
    prompts = items.groupby("figure")["prompt"].agg(set).to_dict()
    assert prompts == {
        "plain_string": {"string_read"},
        "plain_shape": {"shape_which"},
        "shapes_apart": {"shapes_howmany", "shapes_count"},
    }
    assert set(items[items["figure"] == "plain_shape"]["key"]) == set(OUTLINES)
    assert set(items[items["figure"] == "plain_string"]["key"]) == set(WORDS)
    loaded = questions.load_prompts(samples.PROMPTS)
    assert list(questions.prompts_in_use(loaded, samples.settings())) == list(TASKS)


def test_another_prompt_file_has_to_have_their_prompts():
    loaded = questions.load_prompts(samples.PROMPTS) | {"controls": {}}
    with pytest.raises(AfterimageError, match="key 'controls' is missing"):
        questions.prompts_in_use(loaded, samples.settings(controls=True))
    assert questions.prompts_in_use(loaded, samples.settings())


def test_a_study_has_the_table_and_the_sheet_only_where_they_are_drawn():
    plain, more = samples.study_suite(), samples.study_suite(controls=True)
    assert {"blindtest_controls"} == {*more.tables} - {*plain.tables}
    assert {"blindtest_controls_sheet"} == {*more.sheets} - {*plain.sheets}


# ---- the table ----


def graded(task, subtask, right, of, **more):
    answers = (subtask if number < right else "x" for number in range(of))
    return [
        samples.graded(
            *(task, subtask, subtask, answer, number),
            stimulus_id=f"{subtask}_{number}",
            base_figure=f"f{number}",
            offered=[subtask, "x"],
            **more,
        )
        for number, answer in enumerate(answers)
    ]


def table(*answers):
    return frame_of(
        BLINDTEST_CONTROLS, pd.DataFrame([row for rows in answers for row in rows]), STATISTICS
    )


def test_each_control_stands_beside_its_own_task():
    first, second, _ = WORDS
    found = table(
        graded("plain_string", first, 4, 4),
        graded("circled_letter", first, 3, 10),
        graded("circled_letter", second, 10, 10),
        graded("plain_shape", "circle", 1, 2),
        graded("grid", "blank", 9, 9),
    )
    rows = found[found["model"] == "m"].set_index("row")
    string, circle = rows.loc[first], rows.loc["circle"]
    assert (string["k"], string["n"], string["task_k"], string["task_n"]) == (4, 4, 3, 10)
    assert (circle["k"], circle["n"], circle["task_k"], circle["task_n"]) == (1, 2, 13, 20)
    assert string["accuracy"] == 100 and string["task_accuracy"] == 30
    assert string["low"] < 100 and string["task_low"] < 30 < string["task_high"]
    guess = found[(found["model"] == "uniform guessing") & (found["row"] == first)].iloc[0]
    assert guess["accuracy"] == guess["task_accuracy"] == 50 and pd.isna(guess["k"])
    assert guess["kind"] == "reference" and list(rows["kind"]) == ["measured"] * 2


def test_recorded_answers_and_models_without_controls_have_no_row():
    word = WORDS[0]
    found = table(
        graded("plain_string", word, 1, 2, **{COLUMN: False}),
        graded("circled_letter", word, 1, 2, **{COLUMN: False}),
        graded("circled_letter", word, 2, 2, model="theirs (recorded)", **{COLUMN: True}),
    )
    assert set(found["model"]) == {"m", "uniform guessing"}


def test_a_study_without_the_task_shows_the_control_alone():
    found = table(graded("shapes_apart", "circles", 1, 2))
    row = found[found["model"] == "m"].iloc[0]
    assert (row["n"], row["task_n"]) == (2, 0) and pd.isna(row["task_accuracy"])
