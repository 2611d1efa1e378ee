"""Circles: gaps exactly as labelled, decidable from the pixels at every size (task 2)."""

from functools import cache

import blindtest_samples as samples
import numpy as np
import pytest
from scipy import ndimage


@cache
def specs():
    return samples.specs("two_circles", 0)


def of(**factors):
    return [s for s in specs() if all(s.factors[name] == v for name, v in factors.items())]


def draw(spec):
    return samples.draw("two_circles", spec.parameters)


def pieces(ink):
    return ndimage.label(ink, np.ones((3, 3)))[1]


class TestGeometry:
    def test_discs_are_equal_and_their_gap_is_the_label(self):
        for spec in of(canvas="384x385") + of(canvas="1155", orientation="diagonal_1"):
            drawing = draw(spec)
            blue, magenta = (
                np.array(drawing.realised[f"{n}_centre_px"]) for n in ("blue", "magenta")
            )
            diameter = drawing.realised["diameter_px"]
            gap = np.linalg.norm(blue - magenta) - diameter
            assert gap / diameter == pytest.approx(float(spec.factors["gap"]), abs=1e-4)
            assert diameter == pytest.approx(
                spec.parameters["side_px"] / spec.parameters["diameter_divisor"], abs=1e-3
            )

    @pytest.mark.parametrize("orientation", ["horizontal", "vertical"])
    def test_tangent_discs_side_by_side_meet_in_exactly_one_point(self, orientation):
        for spec in of(gap="0.00", orientation=orientation):
            assert draw(spec).realised["gap_px"] == 0

    def test_blue_stands_where_the_orientation_says(self):
        signs = {
            "horizontal": (1, 0),
            "vertical": (0, -1),
            "diagonal_1": (1, 1),
            "diagonal_2": (1, -1),
        }
        for orientation, expected in signs.items():
            realised = draw(of(orientation=orientation)[0]).realised
            step = np.subtract(realised["magenta_centre_px"], realised["blue_centre_px"])
            assert tuple(np.sign(np.round(step, 6))) == expected

    def test_canvases_have_the_sizes_of_the_saved_originals(self):
        shapes = {draw(spec).pixels.shape for spec in of(gap="0.00", diameter="0.25")}
        assert shapes == {(385, 384, 3), (770, 769, 3), (1155, 1155, 3)}

    def test_truth_depends_on_the_gap_alone(self):
        truths = {}
        for spec in specs():
            truths.setdefault(float(spec.factors["gap"]), set()).add(spec.factors["truth"])
        for gap, found in truths.items():
            overlap, touch = ("Yes" if holds else "No" for holds in (gap < 0, gap <= 0))
            assert found == {f"overlap={overlap};touch={touch}"}


class TestPixels:
    @pytest.mark.parametrize("canvas", ["384x385", "769x770", "1155"])
    def test_touching_discs_are_one_piece_of_ink_and_others_two(self, canvas):
        critical = ("-0.05", "0.00", "0.05")
        for spec in of(canvas=canvas):
            if spec.factors["gap"] not in critical or spec.factors["diameter"] == "0.20":
                continue
            dark = draw(spec).pixels.min(axis=-1)
            expected = 2 if spec.factors["gap"] == "0.05" else 1
            assert pieces(dark < 255) == expected
            assert pieces(dark < 128) == expected

    def test_all_gaps_at_the_smallest_size(self):
        for spec in of(canvas="384x385"):
            expected = 1 if float(spec.factors["gap"]) <= 0 else 2
            assert pieces(draw(spec).pixels.min(axis=-1) < 255) == expected

    def test_disjoint_discs_have_a_white_line_between_them(self):
        for orientation, axis in (("horizontal", 0), ("vertical", 1)):
            for spec in of(gap="0.05", orientation=orientation, canvas="384x385"):
                lines = (draw(spec).pixels == 255).all(axis=-1).all(axis=axis)
                inked = np.flatnonzero(~lines)
                assert lines[inked[0] : inked[-1]].any()

    def test_overlapping_discs_hide_a_part_of_the_blue_one(self):
        for spec in of(canvas="384x385", diameter="0.14"):
            image = draw(spec).pixels
            blue, magenta = (
                (image == np.array(colour)).all(axis=-1).sum()
                for colour in ((0, 117, 255), (234, 0, 255))
            )
            if float(spec.factors["gap"]) < 0:
                assert blue < magenta - 20
            else:
                assert abs(int(blue) - int(magenta)) <= 12

    def test_copies_keep_the_pair_on_the_canvas(self):
        for spec in samples.specs("two_circles_copy001", 3)[::7]:
            image = samples.draw("two_circles_copy001", spec.parameters).pixels
            border = (image[0], image[-1], image[:, 0], image[:, -1])
            assert all((line == 255).all() for line in border)
