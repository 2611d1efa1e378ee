"""The contact sheet: every image once, reduced by a whole factor, told apart by its label."""

import numpy as np
import pytest
from PIL import Image

from afterimage.showing.charts.contact_sheet import _font, _wrapped, compose, distinguishing_names

COLOURS = {
    "folder/one_a": (255, 0, 0),
    "folder/one_b": (0, 255, 0),
    "folder/one_c": (0, 0, 255),
    "other/one_d": (9, 99, 200),
}


def read(path):
    return np.full((336, 672, 3), COLOURS[str(path)], dtype=np.uint8)


def test_every_image_is_there_once_at_a_quarter_of_its_size():
    pixels = np.asarray(compose(list(COLOURS), read, columns=2))
    for colour in COLOURS.values():
        assert (pixels == colour).all(axis=-1).sum() == (672 // 4) * (336 // 4)


def test_small_images_are_reduced_less():
    sheet = compose(
        ["folder/one_a"], lambda path: np.zeros((200, 384, 3), dtype=np.uint8), columns=1
    )
    assert (np.asarray(sheet) == 0).all(axis=-1).sum() >= 192 * 100


def test_images_of_different_sizes_do_not_overlap():
    sizes = {"f/wide": (100, 900), "f/tall": (800, 200), "f/small": (30, 20)}
    colours = dict(zip(sizes, ((255, 0, 0), (0, 255, 0), (0, 0, 255)), strict=True))

    def read(path):
        return np.full((*sizes[str(path)], 3), colours[str(path)], dtype=np.uint8)

    pixels = np.asarray(compose(list(sizes), read, columns=3))
    boxes = []
    for name, (height, width) in sizes.items():
        rows, columns = np.nonzero((pixels == colours[name]).all(axis=-1))
        boxes.append((columns.min(), columns.max()))
        shown = (rows.max() - rows.min() + 1, columns.max() - columns.min() + 1)
        assert shown[0] * width == pytest.approx(shown[1] * height, rel=0.03)
    assert boxes[0][1] < boxes[1][0] < boxes[1][1] < boxes[2][0]


def test_names_keep_what_tells_them_apart():
    names = ["A_genuine_s672", "B_control_genuine_s672"]
    assert distinguishing_names(names) == ["A", "B control"]
    assert distinguishing_names(["A_genuine"]) == ["A genuine"]


def test_a_long_label_does_not_run_into_its_neighbour():
    images = [f"f/{letter}{'w' * 60}" for letter in "ab"]
    sheet = compose(images, lambda path: np.full((672, 672, 3), 255, dtype=np.uint8), columns=2)
    labels = np.asarray(sheet.crop((0, 0, sheet.width, 12 + 36)).convert("L"))
    gap = labels[:, 12 + 168 : 12 + 168 + 6]
    assert (gap == gap[0, 0]).all()


def test_the_same_images_give_the_same_page():
    first, second = (compose(list(COLOURS), read, columns=2) for _ in range(2))
    assert first.tobytes() == second.tobytes()


def test_no_images_are_refused():
    with pytest.raises(ValueError, match="at least one image"):
        compose([], read, columns=2)


def test_the_page_is_plain_rgb():
    assert isinstance(compose(list(COLOURS), read, columns=4), Image.Image)
    assert compose(list(COLOURS), read, columns=4).mode == "RGB"


@pytest.mark.parametrize(
    "caption",
    [
        "a few words that are longer than an image is wide, whatever the font",
        "short",
        "",
        f"one {'m' * 90} word",
    ],
)
def test_every_word_of_a_caption_is_shown(caption):
    lines = _wrapped(caption, 168)
    assert "".join("".join(lines).split()) == "".join(caption.split())
    assert all(_font(12).getlength(line) <= 168 for line in lines)


def test_a_figure_that_the_filter_drops_is_marked_and_no_other():
    plain = np.asarray(compose(list(COLOURS), read, columns=2))
    marked = np.asarray(compose(list(COLOURS), read, columns=2, left_out={"other"}))
    rows = np.nonzero((plain != marked).any(axis=(1, 2)))[0]
    # "other" stands in the second row alone.
    assert plain.shape == marked.shape
    assert rows.size and rows.min() > plain.shape[0] // 2
