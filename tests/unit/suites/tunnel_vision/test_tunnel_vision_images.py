"""What is drawn, what the pixels say of it, what is asked, and who answers without a model."""

from itertools import pairwise

import numpy as np
import pytest
from PIL import Image as Pillow
from seen_images import images_of
from tunnel_vision_answers import asked as every_question
from tunnel_vision_answers import specs_of

from afterimage.contract.parts import resolve
from afterimage.errors import AfterimageError
from afterimage.stages.measurements import measurer
from afterimage.suites.tunnel_vision.suite import _FIRST_POSITIONS, Settings, figures
from afterimage.suites.tunnel_vision.tasks import (
    COLOURS,
    CONTROL,
    CROSSINGS,
    TASK,
    TASKS,
    objects,
    ring,
    wires,
)

HERE = "afterimage.suites.tunnel_vision"
#: The first three shapes of the first board.
FIRST = [("grey", "triangle"), ("red", "circle"), ("red", "triangle")]
NUMBER = {"follow": 176, "trace": 180, "same_object": 200}
#: How small an image can be and still tell, px.
MIN_PX = {"follow": 224, "trace": 336, "same_object": 672}


def measured(task, pixels, factors):
    """What is measured of an image, row by row; raises where it is not what was drawn."""
    own = measurer(
        {"suite": "tunnel_vision", "figure": task, "measure": f"{HERE}.seeing:measure_{task}"}
    )
    own.measure({"stimulus_id": "it", "figure": task, "factors": factors}, pixels)
    own.require([])


@pytest.fixture(scope="module")
def drawn():
    """Some images of each task: specification and pixels."""
    images = images_of("tunnel_vision")
    return {
        task: [(image.spec, image.pixels) for image in images if image.figure == task]
        for task in TASKS
    }


@pytest.fixture(scope="module")
def asked(root):
    return every_question(root)


class TestDesign:
    def test_places_follow_from_how_many_images_there_are(self):
        starts = np.cumsum([0, *NUMBER.values()])[:-1]
        assert [_FIRST_POSITIONS[task] for task in TASKS] == list(starts)
        assert [figure.position for figure in figures(Settings())] == list(starts)


class TestFollow:
    def test_labels_make_one_ring_of_sixteen_different_shapes(self):
        for spec in specs_of("follow"):
            cells = spec.parameters["cells"]
            following = {tuple(shape): label for shape, label in cells}
            assert len(following) == 16
            if spec.factors["context"] == TASK:
                at, seen = cells[0][0], []
                while at not in seen:
                    seen.append(at)
                    at = following[tuple(at)]
                assert len(seen) == 16
            else:
                assert not any(following.values())

    def test_a_control_is_its_board_without_labels(self):
        boards = {}
        for spec in specs_of("follow"):
            board = (spec.factors["level"], spec.factors["group"])
            boards.setdefault(board, []).append([shape for shape, _ in spec.parameters["cells"]])
        assert len(boards) == 88
        assert all(task == control for task, control in boards.values())

    @pytest.mark.parametrize("hops", [1, 2, 4, 8])
    def test_every_colour_ends_two_chains_and_the_most_frequent_one_as_often(self, hops):
        ends, frequent = [], []
        for board in range(22):
            order, colour = ring(hops, board, 7)
            ends.append(order[hops][0])
            frequent.append(colour)
            colours = [name for name, _ in order]
            assert max({*colours}, key=colours.count) == colour
            assert colours.count(colour) == 4
            assert {colours.count(other) for other in COLOURS if other != colour} == {1, 2}
        assert {ends.count(name) for name in COLOURS} == {2}
        assert {frequent.count(name) for name in COLOURS} == {2}
        assert sum(end == colour for end, colour in zip(ends, frequent, strict=True)) == 2

    def test_another_seed_makes_other_boards_and_the_first_is_kept_for_good(self):
        assert ring(4, 3, 1) != ring(4, 3, 2)
        order, frequent = ring(1, 0, 20250718)
        assert (order[:3], frequent) == (FIRST, "red")

    def test_a_label_that_leads_elsewhere_is_found(self, drawn):
        spec, _ = next(one for one in drawn["follow"] if one[0].factors["context"] == TASK)
        start = tuple(spec.factors["start"].split())
        cells = [
            [shape, ("pink", "cross") if tuple(shape) == start else label]
            for shape, label in spec.parameters["cells"]
        ]
        wrong = resolve(f"{HERE}.drawing:draw_follow")(cells).pixels
        with pytest.raises(AfterimageError, match=r"it\.png: found .* > pink cross"):
            measured("follow", wrong, spec.factors)


def crossings(first, second):
    """How often two wires meet, from their corners alone: upright runs of one and level runs of the other."""

    def runs(wire, vertical):
        return [(a, b) for a, b in pairwise(wire) if (a[0] == b[0]) == vertical]

    met = 0
    for upright, level in ((first, second), (second, first)):
        for (x, top), (_, bottom) in runs(upright, True):
            for (left, y), (right, _) in runs(level, False):
                met += min(top, bottom) < y < max(top, bottom) and left < x < right
    return met


class TestTrace:
    @pytest.mark.parametrize("number", CROSSINGS)
    def test_the_asked_wire_is_crossed_as_often_as_said_and_no_two_touch(self, number):
        for panel in range(18):
            asked, *others = wires(number, panel, 5)
            assert len(others) == 5
            assert sum(crossings(asked, other) for other in others) == number
            # No two corners or runs share a place but where wires cross.
            corners = [tuple(corner) for wire in (asked, *others) for corner in wire[1:-1]]
            assert len({*corners}) == len(corners)

    def test_every_colour_is_the_end_as_often_and_controls_are_the_asked_wire_alone(self):
        specs = specs_of("trace")
        for number in CROSSINGS:
            ends = [spec.factors["end"] for spec in specs if spec.factors["level"] == str(number)]
            assert {ends.count(colour) for colour in {*ends}} == {6}
            assert len({*ends}) == 6
        for task, control in zip(specs[::2], specs[1::2], strict=True):
            assert control.parameters == {**task.parameters, "alone": True}

    def test_a_wire_that_ends_elsewhere_is_found(self, drawn):
        spec, _ = drawn["trace"][0]
        colours = spec.parameters["colours"]
        swapped = {**spec.parameters, "colours": colours[::-1]}
        wrong = resolve(f"{HERE}.drawing:draw_trace")(**swapped).pixels
        with pytest.raises(AfterimageError, match=rf"it\.png: found 6 wires, {colours[-1]}, "):
            measured("trace", wrong, spec.factors)


class TestSameObject:
    def test_one_part_is_moved_along_its_side_by_as_much_as_said(self):
        for spec in specs_of("same_object"):
            above, left, right = spec.parameters["objects"]
            by = int(spec.factors["level"])
            differing = {"left": left, "right": right}.get(spec.factors["side"], right)
            same = left if differing is right else right
            assert same == above
            apart = [abs(a[2] - b[2]) for a, b in zip(above, differing, strict=True)]
            assert sorted(apart) == [0, 0, 0, by]
            assert all(abs(part[2]) <= 40 for part in differing)

    def test_a_moved_part_alone_does_not_tell_that_it_was_moved(self):
        """Places of moved parts are spread as those of parts before they are moved."""
        before, after = [], []
        for number in range(2000):
            own, other = objects(32, str(number))
            position = next(at for at in range(4) if own[at] != other[at])
            before.append(abs(own[position][2]))
            after.append(abs(other[position][2]))
        assert np.mean(before) == pytest.approx(np.mean(after), abs=1)

    def test_a_part_that_lies_elsewhere_is_found(self, drawn):
        spec, _ = next(one for one in drawn["same_object"] if one[0].factors["context"] == CONTROL)
        above, left, right = spec.parameters["objects"]
        colour, form, along = right[0]
        moved = [[colour, form, along + (3 if along < 0 else -3)], *right[1:]]
        wrong = resolve(f"{HERE}.drawing:draw_same_object")([above, left, moved]).pixels
        with pytest.raises(AfterimageError, match=r"it\.png: found right 3 px"):
            measured("same_object", wrong, spec.factors)


class TestPixels:
    @pytest.mark.parametrize("task", TASKS)
    def test_every_image_still_shows_it_when_it_is_smaller(self, task, drawn):
        measure = resolve(f"{HERE}.seeing:measure_{task}")
        for spec, pixels in drawn[task]:
            size = (MIN_PX[task],) * 2
            small = Pillow.fromarray(pixels).resize(size, Pillow.Resampling.BICUBIC)
            assert measure(np.asarray(small), spec.factors) == spec.factors["truth"]


class TestAsked:
    def test_controls_are_asked_in_the_same_words(self, asked):
        texts = {}
        for question in asked:
            if question.shown.figure == "follow":
                name = question.shown.stimulus_id.rsplit("_", 1)[0]
                texts.setdefault(name, []).append(question.turns[0].parts[1])
        assert len(texts) == 88
        assert all(first == second for first, second in texts.values())
        assert "Start at the large grey triangle and take 1 step, " in texts["follow_1_00"][0]
        assert " and take 8 steps, " in texts["follow_8_21"][0]

    def test_where_only_sides_can_be_named_true_copies_are_not_asked_about(self, asked):
        number = {"follow": 0, "trace": 0, "which": 0, "three": 0}
        for question in asked:
            number[question.prompt] += 1
            assert question.prompt != "which" or question.key in ("left", "right")
        assert number == {"follow": 176, "trace": 180, "which": 160, "three": 200}
