"""The suite's own stimuli show what their keys say, and a key that is wrong is found."""

import numpy as np
import pytest

from afterimage.errors import AfterimageError
from afterimage.suites.blindtest import stimuli
from afterimage.suites.blindtest.invariants import (
    measure_stimulus,
    measure_value,
    require_figure,
    require_native,
)
from afterimage.suites.blindtest.names import RELEASED_TWICE, TASKS, figure_name

SEED = 20240709
#: A few stimuli of each figure, the first and the last cells of the design among them.
SAMPLED = 7
FIGURES = [
    *TASKS,
    *(figure_name(task, "final") for task in RELEASED_TWICE),
    *(figure_name(task, "v1", copy=3) for task in TASKS),
]


def sample(figure: str) -> list[stimuli.StimulusSpec]:
    specs = stimuli.specs(figure, {"seed": SEED})
    return [specs[index] for index in np.linspace(0, len(specs) - 1, SAMPLED).astype(int)]


@pytest.fixture(scope="module")
def drawn() -> tuple[stimuli.StimulusSpec, np.ndarray]:
    spec = stimuli.specs("two_circles", {"seed": SEED})[0]
    return spec, stimuli.draw("two_circles", spec.parameters).pixels


@pytest.mark.slow
@pytest.mark.parametrize("figure", FIGURES)
def test_stimuli_of_every_task_release_and_copy_measure_their_key(figure):
    rows = []
    for spec in sample(figure):
        pixels = stimuli.draw(figure, spec.parameters).pixels
        rows += measure_stimulus(figure, spec.stimulus_id, spec.factors, pixels)
    assert [row["value"] for row in rows] == [spec.factors["truth"] for spec in sample(figure)]
    require_native(rows)


def test_a_wrong_key_stops_and_names_image_value_and_key(drawn):
    spec, pixels = drawn
    wrong = spec.factors | {"truth": "overlap=No;touch=No"}
    rows = measure_stimulus("two_circles", spec.stimulus_id, wrong, pixels)
    with pytest.raises(AfterimageError) as error:
        require_native(rows)
    assert str(error.value) == (
        f"{spec.stimulus_id}.png: found overlap=Yes;touch=Yes, "
        "expected the key overlap=No;touch=No."
    )


def test_all_images_with_a_wrong_key_are_counted(drawn):
    spec, pixels = drawn
    wrong = spec.factors | {"truth": "overlap=No;touch=No"}
    rows = [
        row
        for name in ("first", "second", "third")
        for row in measure_stimulus("two_circles", name, wrong, pixels)
    ]
    with pytest.raises(AfterimageError, match=r"^first\.png: .* \(2 more images differ"):
        require_native(rows)


def test_an_image_that_shows_nothing_is_a_violation_and_not_a_crash(drawn):
    spec, pixels = drawn
    rows = measure_stimulus("two_circles", "blank", spec.factors, np.full_like(pixels, 255))
    assert [(row["value"], row["holds"]) for row in rows] == [("", False)]
    with pytest.raises(AfterimageError, match=r"blank\.png: looked for two discs and found an"):
        require_native(rows)


def test_a_stimulus_without_a_key_is_an_error(drawn):
    _, pixels = drawn
    with pytest.raises(AfterimageError, match="found no factor 'truth'"):
        measure_stimulus("two_circles", "keyless", {}, pixels)


def test_a_circled_letter_at_another_place_of_the_word_is_found_although_it_is_the_same_letter():
    figure = "circled_letter"
    specs = stimuli.specs(figure, {"seed": SEED})
    word = "Acknowledgement"
    places = [index for index, letter in enumerate(word) if letter == "e"]
    spec = next(
        spec
        for spec in specs
        if spec.factors["word"] == word and spec.factors["letter_index"] == str(places[0])
    )
    pixels = stimuli.draw(figure, spec.parameters).pixels
    wrong = spec.factors | {"letter_index": str(places[1])}
    assert measure_stimulus(figure, spec.stimulus_id, spec.factors, pixels)[0]["holds"]
    row = measure_stimulus(figure, spec.stimulus_id, wrong, pixels)[0]
    assert not row["holds"]
    assert row["remark"] == f"found e at place {places[0]} of {word}"


@pytest.mark.parametrize("task", TASKS)
def test_every_task_is_a_figure(task):
    require_figure(task)


def test_an_unknown_figure_is_an_error_that_suggests_the_nearest():
    with pytest.raises(AfterimageError, match="did you mean 'two_circles'"):
        require_figure("two_circle")


def test_a_release_and_a_copy_are_measured_as_their_task(drawn):
    _, pixels = drawn
    assert measure_value("two_circles", pixels) == measure_value("two_circles_copy004", pixels)
