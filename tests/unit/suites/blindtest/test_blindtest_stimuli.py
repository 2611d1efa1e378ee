"""The suite's own stimuli: the pixels they always had, which show what their keys say; a wrong key is found."""

import json
from pathlib import Path

import numpy as np
import pytest
from blindtest_samples import design_of, draw, measure, specs

from afterimage.contract.stimulus import StimulusSpec
from afterimage.errors import AfterimageError
from afterimage.files.png import decode_png, encode_png, pixels_sha256
from afterimage.stages.measurements import findings
from afterimage.suites.blindtest.names import RELEASED_TWICE, TASKS, figure_name, parse_figure

GOLDEN = json.loads((Path(__file__).parent / "golden_blindtest_pixels.json").read_text())


def drawings(figure):
    """The stimuli of a figure that the golden list names, drawn."""
    for spec in specs(figure):
        if spec.stimulus_id in GOLDEN[figure]:
            yield spec.stimulus_id, draw(figure, spec.parameters)


class TestGoldenPixels:
    def test_the_golden_list_samples_every_task_release_and_copy(self):
        figures = [parse_figure(figure) for figure in GOLDEN]
        assert {figure.task for figure in figures} == set(TASKS)
        assert {figure.release for figure in figures} == {"v1", "final", "both"}
        assert {figure.task for figure in figures if figure.copy} == set(TASKS)
        for figure, hashes in GOLDEN.items():
            assert set(hashes) <= set(design_of(figure).ids(figure, {}))
        assert sum(map(len, GOLDEN.values())) >= 60

    @pytest.mark.parametrize("figure", GOLDEN)
    def test_pixels_equal_the_golden_list_after_a_trip_through_png(self, figure):
        found = {
            name: pixels_sha256(decode_png(encode_png(drawing.pixels)))
            for name, drawing in drawings(figure)
        }
        assert found == GOLDEN[figure]

    @pytest.mark.parametrize("task", TASKS)
    def test_two_drawings_are_equal_and_their_records_plain_json(self, task):
        for spec in specs(task)[:2]:
            first, second = (draw(task, spec.parameters) for _ in range(2))
            assert np.array_equal(first.pixels, second.pixels)
            assert json.loads(json.dumps(first.realised)) == first.realised
            assert json.loads(json.dumps(spec.parameters)) == spec.parameters


# ---- What they measure ----


#: A few stimuli of each figure, the first and the last cells of the design among them.
SAMPLED = 7
FIGURES = [
    *TASKS,
    *(figure_name(task, "final") for task in RELEASED_TWICE),
    *(figure_name(task, "v1", copy=3) for task in TASKS),
]


def sample(figure: str) -> list[StimulusSpec]:
    listed = specs(figure)
    return [listed[index] for index in np.linspace(0, len(listed) - 1, SAMPLED).astype(int)]


@pytest.fixture(scope="module")
def drawn() -> tuple[StimulusSpec, np.ndarray]:
    spec = specs("two_circles")[0]
    return spec, draw("two_circles", spec.parameters).pixels


@pytest.mark.parametrize("figure", FIGURES)
def test_stimuli_of_every_task_release_and_copy_measure_their_key(figure):
    for spec in sample(figure):
        pixels = draw(figure, spec.parameters).pixels
        assert measure(figure, pixels, spec.factors) == spec.factors["truth"]


def test_a_key_is_compared_with_what_is_found(drawn):
    spec, pixels = drawn
    wrong = spec.factors | {"truth": "overlap=No;touch=No"}
    (found,) = findings(measure("two_circles", pixels, wrong), wrong)
    assert found.stops and not found.holds
    assert (found.value, found.remark) == ("overlap=Yes;touch=Yes", "found overlap=Yes;touch=Yes")
    assert found.expected == "overlap=No;touch=No"


def test_an_image_that_shows_nothing_is_no_stimulus(drawn):
    spec, pixels = drawn
    with pytest.raises(AfterimageError, match="looked for two discs and found an"):
        measure("two_circles", np.full_like(pixels, 255), spec.factors)


def test_a_circled_letter_at_another_place_of_the_word_is_found_although_it_is_the_same_letter():
    figure = "circled_letter"
    word = "Acknowledgement"
    indices = [index for index, letter in enumerate(word) if letter == "e"]
    spec = next(
        spec
        for spec in specs(figure)
        if spec.factors["word"] == word and spec.factors["letter_index"] == str(indices[0])
    )
    pixels = draw(figure, spec.parameters).pixels
    wrong = spec.factors | {"letter_index": str(indices[1])}
    assert measure(figure, pixels, spec.factors) == "e"
    found = measure(figure, pixels, wrong)
    assert found.stops and not found.holds
    assert (found.value, found.expected) == ("e", "e")
    assert found.remark == f"found e at place {indices[0]} of {word}"
    assert measure(figure, pixels, {}) == "e"


def test_a_release_and_a_copy_are_measured_as_their_task(drawn):
    _, pixels = drawn
    assert measure("two_circles", pixels, {}) == measure("two_circles_copy004", pixels, {})
