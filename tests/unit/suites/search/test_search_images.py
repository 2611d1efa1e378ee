"""What is drawn, what is measured on it, what is asked about it, and who answers without a model."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from PIL import Image as Pillow
from seen_images import asked_about, images_of

from afterimage.errors import AfterimageError
from afterimage.stages.measurements import measurer
from afterimage.suites.search.design import CONDITIONS, DESIGN, ITEMS, PRESENT
from afterimage.suites.search.drawing import GREEN
from afterimage.suites.search.seeing import measure
from afterimage.suites.search.suite import Settings

SETTINGS = Settings()
#: Where the first image has what.
FIRST_ITEMS = [
    ["red disc", 143, 295, 2],
    ["green disc", 378, 612, 3],
    ["green disc", 213, 384, 2],
    ["green disc", 295, 66, 2],
]
MEASURE = "afterimage.suites.search.seeing:measure"


@pytest.fixture(scope="module")
def images():
    return images_of("search")


def items_by(condition, **wanted):
    """The items of every image whose factors are these."""
    return [
        (spec.factors, spec.parameters["items"])
        for spec in DESIGN.specs(condition, SETTINGS)
        if all(spec.factors[name] == value for name, value in wanted.items())
    ]


class TestDesign:
    @pytest.mark.parametrize("condition", CONDITIONS)
    def test_twins_share_places_and_differ_in_the_target_alone(self, condition):
        absent = {own["layout"]: items for own, items in items_by(condition, presence="absent")}
        replaced = []
        for own, items in items_by(condition, presence=PRESENT):
            (first, *others), (twin, *same) = items, absent[own["layout"]]
            assert first[0] == ITEMS[condition][0]
            assert first[1:] == twin[1:]
            assert others == same
            replaced.append((own["quadrant"], own["group"], twin[0]))
        # Each kind of distractor makes way as often, in each quadrant and in each group.
        for place in (0, 1):
            kinds = [(names[place], names[2]) for names in replaced]
            assert len({kinds.count(name) for name in kinds}) == 1

    @pytest.mark.parametrize("condition", CONDITIONS)
    def test_items_are_distinct_apart_and_as_many_as_said(self, condition):
        for own, items in items_by(condition):
            assert len(items) == int(own["set_size"])
            assert all(
                max(abs(x - a), abs(y - b)) >= 40 + 8
                for (_, x, y, _), (_, a, b, _) in combinations(items, 2)
            )
            assert all(20 <= at <= 672 - 20 for _, x, y, _ in items for at in (x, y))

    def test_distractors_of_a_conjunction_share_the_places_half_and_half(self):
        for own, items in items_by("conjunction", presence="absent"):
            kinds = [kind for kind, *_ in items]
            assert kinds.count("red square") == kinds.count("green disc") == len(items) / 2, own

    def test_each_group_has_the_target_in_each_quadrant_once(self):
        for size in ("4", "48"):
            found = [
                (own["group"], own["quadrant"])
                for own, _ in items_by("shape", set_size=size, presence=PRESENT)
            ]
            assert len(set(found)) == len(found) == 16

    def test_another_seed_draws_other_places(self):
        other = next(iter(DESIGN.specs("colour", replace(SETTINGS, seed=1))))
        assert other != next(iter(DESIGN.specs("colour", SETTINGS)))
        # Kept for good: a change would draw every image anew.
        first = next(iter(DESIGN.specs("colour", SETTINGS))).parameters["items"]
        assert first == FIRST_ITEMS


class TestMeasured:
    def test_a_wrong_drawing_stops_the_workflow(self, images):
        _, spec, _, pixels = next(image for image in images if image.figure == "conjunction")
        swapped = np.where(pixels == GREEN, [214, 39, 40], pixels).astype(np.uint8)
        judge = measurer({"suite": "search", "figure": "conjunction", "measure": MEASURE})
        record = {"stimulus_id": "it", "figure": "conjunction", "factors": spec.factors}
        judge.measure(record, swapped)
        with pytest.raises(AfterimageError, match=r"it\.png: found 4 items, target upper"):
            judge.require([])

    @pytest.mark.parametrize("condition", CONDITIONS)
    def test_it_is_still_seen_at_a_third_of_the_size(self, condition, images):
        for _, spec, _, pixels in [image for image in images if image.figure == condition][-4:]:
            small = Pillow.fromarray(pixels).resize((224, 224), Pillow.Resampling.BICUBIC)
            found = measure(np.asarray(small), spec.factors)
            assert found == spec.factors["truth"]

    def test_red_and_green_are_as_light_as_each_other(self):
        lightness = []
        for colour in ((0xD6, 0x27, 0x28), tuple(GREEN)):
            coded = np.array(colour) / 255
            linear = np.where(coded <= 0.04045, coded / 12.92, ((coded + 0.055) / 1.055) ** 2.4)
            luminance = float(linear @ [0.2126, 0.7152, 0.0722])
            lightness.append(116 * luminance ** (1 / 3) - 16)
        assert lightness == pytest.approx([46.8, 46.9], abs=0.06)


@pytest.fixture(scope="module")
def asked(images):
    return asked_about("search", images)


class TestAsked:
    def test_where_it_is_is_asked_about_images_that_have_one(self, asked):
        count = dict.fromkeys(("present", "quadrant"), 0)
        for question, _ in asked:
            count[question.prompt] += 1
            assert question.prompt == "present" or question.shown.factors["quadrant"]
        assert count == {"present": 160, "quadrant": 80}

    def test_words_are_those_of_the_file_and_nothing_is_said_of_popping_out(self, asked):
        texts = {question.turns[0].parts[1] for question, _ in asked}
        assert "Is there a red circle in this image? Answer yes or no." in texts
        assert "Is there a letter T in this image? Answer yes or no." in texts
        assert len(texts) == 4
        assert not [text for text in texts if "pop" in text or "odd" in text]
