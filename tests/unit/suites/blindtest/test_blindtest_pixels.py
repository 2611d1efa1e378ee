"""Pixels of a sample of all tasks, release final and further copies included, hash by hash."""

import json
from pathlib import Path

import blindtest_samples as samples
import numpy as np
import pytest

from afterimage.files.png import decode_png, encode_png, pixels_sha256
from afterimage.suites.blindtest import names

GOLDEN = json.loads((Path(__file__).parent / "golden_blindtest_pixels.json").read_text())


def drawings(figure):
    """The stimuli of a figure that the golden list names, drawn."""
    for spec in samples.specs(figure):
        if spec.stimulus_id in GOLDEN[figure]:
            yield spec.stimulus_id, samples.draw(figure, spec.parameters)


class TestGoldenPixels:
    def test_the_golden_list_samples_every_task_release_and_copy(self):
        figures = [names.parse_figure(figure) for figure in GOLDEN]
        assert {figure.task for figure in figures} == set(names.TASKS)
        assert {figure.release for figure in figures} == {"v1", "final", "both"}
        assert {figure.task for figure in figures if figure.copy} == set(names.TASKS)
        for figure, hashes in GOLDEN.items():
            assert set(hashes) <= set(samples.design_of(figure).ids(figure, {}))
        assert sum(map(len, GOLDEN.values())) >= 60

    @pytest.mark.parametrize("figure", GOLDEN)
    def test_pixels_equal_the_golden_list_after_a_trip_through_png(self, figure):
        found = {
            name: pixels_sha256(decode_png(encode_png(drawing.pixels)))
            for name, drawing in drawings(figure)
        }
        assert found == GOLDEN[figure]

    @pytest.mark.parametrize("task", names.TASKS)
    def test_two_drawings_are_equal_and_their_records_plain_json(self, task):
        for spec in samples.specs(task)[:2]:
            first, second = (samples.draw(task, spec.parameters) for _ in range(2))
            assert np.array_equal(first.pixels, second.pixels)
            assert json.loads(json.dumps(first.realised)) == first.realised
            assert json.loads(json.dumps(spec.parameters)) == spec.parameters
