"""A scene that does not show what its annotations say stops the workflow; a photograph proves nothing."""

import numpy as np
import pytest
from pope_material import rows_of, write_annotations

from afterimage.errors import AfterimageError
from afterimage.suites.pope import planning, stimuli
from afterimage.suites.pope.figures.photographs import PLACEHOLDER
from afterimage.suites.pope.invariants import (
    measure_stimulus,
    measure_value,
    require_figure,
    require_native,
)


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    """All specifications of the drawn figures, with their pixels."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("study"))
        made = write_annotations()
        return {
            figure: [
                (spec, stimuli.draw(figure, spec.parameters).pixels)
                for spec in stimuli.specs(figure, planning.drawing_spec(figure, made))
            ]
            for figure in ("scenes", "nested")
        }


@pytest.mark.parametrize("figure", ["scenes", "nested"])
def test_every_scene_measures_what_its_annotations_say(drawn, figure):
    for spec, pixels in drawn[figure]:
        (row,) = measure_stimulus(figure, spec.stimulus_id, spec.factors, pixels)
        assert row["value"] == row["expected"] == spec.factors["truth"]
        assert row["holds"] is True
        assert row["remark"] == ""
        require_native([row])


class TestViolations:
    def row(self, drawn, pixels=None, **changes):
        spec, own = drawn["scenes"][0]
        return measure_stimulus(
            "scenes", "first", spec.factors | changes, own if pixels is None else pixels
        )[0]

    def test_a_wrong_key_stops_and_names_what_is_seen(self, drawn):
        row = self.row(drawn, truth="9 red ball")
        with pytest.raises(AfterimageError, match=r"^first\.png: found .*, expected 9 red ball\.$"):
            require_native([row])

    def test_an_object_in_another_place_is_named(self, drawn):
        spec, _ = drawn["scenes"][0]
        import json

        boxes = json.loads(spec.factors["boxes"])
        boxes[0][1] += 9
        row = self.row(drawn, boxes=json.dumps(boxes))
        assert row["holds"] is False
        assert f"found the {boxes[0][0]} at" in row["remark"]

    def test_an_image_of_something_else_is_a_violation_and_not_a_crash(self, drawn):
        row = self.row(drawn, pixels=np.full((384, 384, 3), 200, np.uint8))
        assert (row["holds"], row["value"]) == (False, "")

    def test_all_violations_are_counted(self, drawn):
        rows = [self.row(drawn, truth="x")] * 3
        with pytest.raises(AfterimageError, match="2 more images differ"):
            require_native(rows)


def test_a_photograph_holds_and_a_missing_one_is_named():
    pixels = np.zeros((10, 20, 3), np.uint8)
    (there,) = measure_stimulus("coco", "a", {"image": "present"}, pixels)
    (gone,) = measure_stimulus("coco", "b", {"image": "missing"}, PLACEHOLDER)
    assert (there["value"], there["holds"]) == ("photograph", True)
    assert (gone["value"], gone["holds"]) == ("image_missing", True)
    require_native([there, gone])


def test_unknown_figures_and_photographs_cannot_be_measured_by_hand():
    with pytest.raises(AfterimageError, match=r"unknown figure 'scene'.*'scenes'"):
        require_figure("scene")
    with pytest.raises(AfterimageError, match="holds photographs"):
        measure_value("coco", PLACEHOLDER)


def test_an_image_measures_alike_by_hand(drawn):
    spec, pixels = drawn["nested"][0]
    assert measure_value("nested", pixels) == spec.factors["truth"]


def test_rows_carry_plain_json(drawn, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = rows_of(write_annotations())
    assert len(rows) == 40
    assert all(isinstance(value, str) for row in rows for value in row["factors"].values())
