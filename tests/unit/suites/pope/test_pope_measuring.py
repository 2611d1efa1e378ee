"""A scene that does not show what its annotations say stops the workflow; a photograph proves nothing."""

import json

import numpy as np
import pytest
from pope_material import drawn, settings, suite_of

from afterimage.contract.finding import load_suite
from afterimage.contract.parts import resolve
from afterimage.drawing.photograph import draw as draw_photograph
from afterimage.errors import AfterimageError
from afterimage.jobs.measurements import measurer

SUITE = load_suite("pope")


@pytest.fixture(scope="module")
def stimuli():
    """The drawn figures' stimuli with their pixels."""
    return drawn(settings())


def measured(figure, *images):
    """Rows of ``measured.csv`` for triples of id, factors and pixels; raises as the drawing job does."""
    own = suite_of(settings()).figures.get(figure) or SUITE.figures(settings(source=figure))[0]
    measuring = measurer({"suite": "pope", "figure": figure, "measure": own.measure})
    rows = [
        row
        for name, factors, pixels in images
        for row in measuring.measure(
            {"stimulus_id": name, "figure": figure, "factors": factors}, pixels
        )
    ]
    try:
        measuring.require(rows)
    except AfterimageError as error:
        return rows, str(error)
    return rows, ""


class TestViolations:
    def rows(self, stimuli, times=1, pixels=None, **changes):
        spec, own = stimuli["scenes"][0]
        one = ("first", spec.factors | changes, own if pixels is None else pixels)
        return measured("scenes", *[one] * times)

    def test_a_wrong_key_stops_and_names_what_is_seen(self, stimuli):
        _, fault = self.rows(stimuli, truth="9 red ball")
        assert fault.startswith("first.png: found ")
        assert fault.endswith(", expected 9 red ball.")

    def test_an_object_in_another_place_is_named(self, stimuli):
        boxes = json.loads(stimuli["scenes"][0][0].factors["boxes"])
        boxes[0][1] += 9
        (row,), fault = self.rows(stimuli, boxes=json.dumps(boxes))
        assert row["holds"] is False
        assert f"found the {boxes[0][0]} at" in row["remark"]
        assert row["remark"] in fault

    def test_an_image_of_something_else_is_a_violation_and_not_a_crash(self, stimuli):
        (row,), fault = self.rows(stimuli, pixels=np.full((384, 384, 3), 200, np.uint8))
        assert (row["holds"], row["value"]) == (False, "")
        assert fault

    def test_all_violations_are_counted(self, stimuli):
        assert "2 more images differ" in self.rows(stimuli, times=3, truth="x")[1]


def test_a_photograph_holds_and_a_missing_one_is_named():
    images = (
        ("a", {"image": "present"}, np.zeros((10, 20, 3), np.uint8)),
        ("b", {"image": "missing"}, draw_photograph(None).pixels),
    )
    (there, gone), fault = measured("coco", *images)
    assert (there["value"], there["holds"]) == ("photograph", True)
    assert (gone["value"], gone["holds"]) == ("image_missing", True)
    assert fault == ""


def test_unknown_figures_and_photographs_cannot_be_measured_by_hand():
    with pytest.raises(AfterimageError, match=r"unknown figure 'scene'.*'scenes'"):
        SUITE.figure_named("scene")
    with pytest.raises(AfterimageError, match="holds photographs"):
        SUITE.figure_named("coco")


def test_an_image_measures_alike_by_hand(stimuli):
    spec, pixels = stimuli["nested"][0]
    by_hand = resolve(SUITE.figure_named("nested").measure)(pixels, {})
    assert by_hand.value == spec.factors["truth"]
