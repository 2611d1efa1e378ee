"""Understanding each prompt of the suite, and answering in the form it asks for."""

from pathlib import Path

import numpy as np
import pytest

from afterimage.errors import AfterimageError
from afterimage.files.yaml import read_yaml
from afterimage.grading.readers import choice, integer, letter, rows_columns, short_text, yes_no
from afterimage.suites.blindtest import seeing
from afterimage.suites.blindtest.seeing import TASKS, answer, measure, phrase, task_of_question

BANK = Path(__file__).resolve().parents[4] / "resources" / "prompts" / "blindtest.yaml"
PROMPTS = read_yaml(BANK)["prompts"]
SLOTS = {"{shapes}": "pentagons", "{station1}": "C", "{station2}": "A"}
#: For each task a measured value, the grader of its answers and what it must read.
CASES = {
    "line_intersection": ("2", integer, "2"),
    "two_circles": ("overlap=No;touch=Yes", yes_no, {"overlap": "No", "touch": "Yes"}),
    "circled_letter": ("e", letter, "e"),
    "olympic_shapes": ("7", integer, "7"),
    "nested_squares": ("4", integer, "4"),
    "grid": ("5x6", rows_columns, "5x6"),
    "plain_string": ("tHyUiKaRbNqWeOpXcZvM", short_text, "tHyUiKaRbNqWeOpXcZvM"),
    "plain_shape": ("triangle", choice, "triangle"),
    "subway": ("AB=0;AC=3;AD=1;BC=2;BD=0;CD=0", integer, "3"),
}


def wording(prompt: str) -> str:
    text = PROMPTS[prompt]["text"]
    for slot, filling in SLOTS.items():
        text = text.replace(slot, filling)
    return text


@pytest.mark.parametrize("prompt", PROMPTS)
def test_each_prompt_of_the_suite_sets_its_own_task(prompt):
    assert task_of_question(wording(prompt))[0] == PROMPTS[prompt]["task"]


@pytest.mark.parametrize("prompt", PROMPTS)
def test_the_reply_to_each_prompt_is_read_as_the_measured_answer(prompt):
    value, grader, expected = CASES[PROMPTS[prompt]["task"]]
    if isinstance(expected, dict):
        expected = expected[PROMPTS[prompt]["question"]]
    reply = phrase(wording(prompt), value)
    said = PROMPTS[prompt].get("options", {}).get(value, value)
    options = [(value, said)] if grader in (choice, short_text) else []
    assert str(grader.parse(reply, options).answer).lower() == expected.lower()


@pytest.mark.parametrize(
    ("prompt", "reply"),
    [
        ("line_v1_intersect", "2"),
        ("line_final_count", "{2}"),
        ("circles_touch", "Yes"),
        ("circles_overlap", "No"),
        ("letter_circled", 'The letter "e"'),
        ("shapes_howmany", "7"),
        ("shapes_count", "{7}"),
        ("nested_count_plain", "4"),
        ("grid_count", "rows={5} columns={6}"),
        ("grid_howmany", "(5,6)"),
        ("subway_count", "{3}"),
    ],
)
def test_replies_have_the_form_that_the_prompt_asks_for(prompt, reply):
    assert phrase(wording(prompt), CASES[PROMPTS[prompt]["task"]][0]) == reply


@pytest.mark.parametrize(("stations", "count"), [("B to C", 2), ("C to B", 2), ("D to A", 1)])
def test_the_order_in_which_stations_are_named_does_not_matter(stations, count):
    text = f"How many single-colored paths go from {stations}? Answer in curly brackets, e.g. {{3}}"
    assert phrase(text, CASES["subway"][0]) == f"{{{count}}}"


def test_paths_from_a_station_to_itself_are_an_error():
    with pytest.raises(AfterimageError, match="expected two different stations"):
        phrase("How many single-colored paths go from A to A?", CASES["subway"][0])


@pytest.mark.parametrize(
    "text",
    ["What colour is the sky?", "Which line is longer?", "Are the two triangles overlapping?", ""],
)
def test_a_question_that_sets_no_task_is_an_error(text):
    with pytest.raises(AfterimageError, match="sets none of the tasks"):
        answer(np.full((100, 100, 3), 255, dtype=np.uint8), text)


def test_an_unknown_task_is_an_error_that_suggests_the_nearest():
    with pytest.raises(AfterimageError, match="did you mean 'subway'"):
        measure(np.full((100, 100, 3), 255, dtype=np.uint8), "subways")


@pytest.mark.parametrize("task", TASKS)
def test_an_empty_image_shows_no_task(task):
    with pytest.raises(AfterimageError, match=r"looked for .* and found"):
        measure(np.full((100, 100, 3), 255, dtype=np.uint8), task)


@pytest.mark.parametrize("task", TASKS)
def test_a_black_image_shows_no_task(task):
    with pytest.raises(AfterimageError, match="figure on white and found 0% of the image white"):
        measure(np.zeros((100, 100, 3), dtype=np.uint8), task)


@pytest.mark.parametrize(
    "image",
    [
        np.zeros((100, 100), dtype=np.uint8),
        np.zeros((100, 100, 4), dtype=np.uint8),
        np.zeros((100, 100, 3)),
        np.zeros((20, 100, 3), dtype=np.uint8),
    ],
    ids=["gray", "alpha", "float", "small"],
)
def test_an_array_that_is_no_image_is_an_error(image):
    with pytest.raises(AfterimageError, match="an image"):
        measure(image, "grid")


def test_two_prompts_about_one_image_measure_it_once(monkeypatch):
    measured = []
    monkeypatch.setitem(
        seeing._MEASURES, "grid", lambda image: measured.append(image.shape) or "5x6"
    )
    image = np.full((101, 103, 3), 250, dtype=np.uint8)
    assert answer(image, wording("grid_count")) == "rows={5} columns={6}"
    assert answer(image.copy(), wording("grid_howmany")) == "(5,6)"
    assert measured == [(101, 103, 3)]
    assert answer(image + 1, wording("grid_howmany")) == "(5,6)"
    assert len(measured) == 2
