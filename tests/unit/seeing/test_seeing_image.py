"""What is asked of an image before it is measured, and what is remembered of a measurement."""

import numpy as np
import pytest

from afterimage.errors import AfterimageError
from afterimage.seeing.image import once, require_rgb, widened, window_of


def blank(value=0, shape=(70, 80, 3)):
    return np.full(shape, value, np.uint8)


class TestRequireRgb:
    @pytest.mark.parametrize(
        ("image", "found"),
        [
            (np.zeros((70, 80), np.uint8), r"found uint8 \(70, 80\)"),
            (np.zeros((70, 80, 4), np.uint8), r"found uint8 \(70, 80, 4\)"),
            (np.zeros((2, 70, 80, 3), np.uint8), r"found uint8 \(2, 70, 80, 3\)"),
            (np.zeros((70, 80, 3)), r"found float64 \(70, 80, 3\)"),
            ([[0, 0, 0]], "found a list"),
            (None, "found a NoneType"),
        ],
    )
    def test_only_8_bit_rgb_arrays_are_images(self, image, found):
        with pytest.raises(AfterimageError, match=f"an image must be a uint8 array .* {found}"):
            require_rgb(image)

    @pytest.mark.parametrize("shape", [(63, 80, 3), (80, 63, 3)])
    def test_an_image_needs_a_least_side_which_the_caller_may_raise(self, shape):
        require_rgb(blank(shape=(64, 64, 3)))
        height, width, _ = shape
        with pytest.raises(AfterimageError, match=f"least 64 px a side .* {width} x {height}"):
            require_rgb(blank(shape=shape))
        with pytest.raises(AfterimageError, match=r"least 128 px a side .* found 100 x 127"):
            require_rgb(blank(shape=(127, 100, 3)), 128)


class TestOnce:
    def counted(self):
        calls = []

        @once
        def largest(image, *arguments):
            calls.append(arguments)
            if image.max() == 255:
                raise AfterimageError("looked for ink and found none.")
            return int(image.max()), arguments

        return largest, calls

    def test_equal_pixels_with_equal_arguments_are_measured_once(self):
        largest, calls = self.counted()
        assert largest(blank(3), "a") == largest(blank(3).copy(), "a") == (3, ("a",))
        assert calls == [("a",)]

    def test_other_pixels_another_shape_or_other_arguments_are_measured_anew(self):
        largest, calls = self.counted()
        one_pixel_more = blank(3)
        one_pixel_more[-1, -1, -1] = 4
        assert largest(blank(3)) == (3, ())
        assert largest(one_pixel_more) == (4, ())
        assert largest(blank(3, (80, 70, 3))) == (3, ())
        assert largest(blank(3), "b") == (3, ("b",))
        assert len(calls) == 4

    def test_a_part_of_an_array_and_its_copy_are_the_same_image(self):
        largest, calls = self.counted()
        wide = np.hstack([blank(1), blank(2)])
        assert largest(wide[:, :80]) == largest(blank(1)) == (1, ())
        assert len(calls) == 1

    def test_that_nothing_was_found_is_remembered_with_its_reason(self):
        largest, calls = self.counted()
        for _ in range(2):
            with pytest.raises(AfterimageError, match=r"^looked for ink and found none\.$"):
                largest(blank(255))
        assert len(calls) == 1

    def test_the_last_four_images_are_remembered_and_no_more(self):
        largest, calls = self.counted()
        for level in (1, 2, 3, 4, 1, 2, 3, 4):
            largest(blank(level))
        assert len(calls) == 4
        largest(blank(5))
        largest(blank(1))
        assert len(calls) == 6

    def test_two_functions_remember_apart(self):
        largest, _ = self.counted()
        other, calls = self.counted()
        assert largest(blank(7)) == other(blank(7))
        assert len(calls) == 1


class TestWindows:
    def test_the_smallest_window_holds_all_marked_pixels(self):
        mask = np.zeros((9, 12), bool)
        mask[2, 7] = mask[5, 3] = True
        assert window_of(mask, "nothing.") == (slice(2, 6), slice(3, 8))

    def test_an_empty_mask_has_no_window_and_the_caller_says_why(self):
        with pytest.raises(AfterimageError, match=r"^looked for a dog and found none\.$"):
            window_of(np.zeros((9, 12), bool), "looked for a dog and found none.")

    def test_a_margin_ends_at_the_upper_and_left_edge(self):
        assert widened((slice(1, 4), slice(9, 10)), 3) == (slice(0, 7), slice(6, 13))
