"""Training pictures: targets on a plain ground and nothing else, and none that a suite shows."""

from dataclasses import replace

import numpy as np
import pytest
from illusion_samples import draw_illusion, specs_of
from PIL import Image
from scipy import ndimage

from afterimage.sprout.kinds import COMPARED, KINDS, NAMED, draw
from afterimage.sprout.picture import FIRST, NEITHER, SECOND, mirrored, new_case
from afterimage.sprout.recipe import RECIPES, Pictures, training_pictures
from afterimage.suites.illusions.names import ILLUSIONS

LARGE = 336
SAMPLES = 5
#: How many separate things stand on the ground: the targets; a rectangle and its dot.
THINGS = {kind: {2} for kind in KINDS} | {
    # Two lines that meet in a V are one thing.
    "lengths_oblique": {1, 2},
    "bends_of_squares": {1},
    "letters": {1},
    "counts": set(range(1, 10)),
}
#: Colours besides the ground's: one or two targets; two greys with a dot each; a black rectangle with a dot.
MAX_COLOURS = {"lightness": 3}
#: Pixels of a colour that are no edge.
MIN_COLOUR_COUNT = 12


def large(kind, seed):
    random = np.random.default_rng([seed, list(KINDS).index(kind)])
    return KINDS[kind](new_case(random, (0.6, 2.5)), LARGE)


def things(pixels):
    """How many connected things there are on the ground."""
    ground = pixels[0, 0].astype(int)
    differs = np.abs(pixels.astype(int) - ground).max(axis=2) > 12
    return ndimage.label(differs, np.ones((3, 3)))


def plain_colours(pixels):
    """The colours of pixels whose neighbours have the same: no edge, where colours mix."""
    codes = pixels.astype(np.int32) @ [65536, 256, 1]
    same = (codes[:-1, :-1] == codes[1:, :-1]) & (codes[:-1, :-1] == codes[:-1, 1:])
    colours, number = np.unique(codes[:-1, :-1][same], return_counts=True)
    return set(colours[number > MIN_COLOUR_COUNT].tolist())


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "yellowness"])
def test_the_targets_stand_alone_on_a_plain_ground(kind):
    for seed in range(SAMPLES):
        pixels = large(kind, seed).pixels
        assert things(pixels)[1] in THINGS[kind], seed
        colours = plain_colours(pixels)
        assert pixels[0, 0].astype(np.int32) @ [65536, 256, 1] in colours
        assert len(colours) - 1 <= MAX_COLOURS.get(kind, 2), seed


def test_striped_targets_are_two_discs_with_bare_ground_between_their_stripes():
    """An inducer of this figure would be stripes of other colours between those of the targets."""
    for seed in range(SAMPLES):
        picture = large("yellowness", seed)
        labels, count = things(picture.pixels)
        boxes = ndimage.find_objects(labels)
        assert count >= 2
        # Nothing crosses the middle, and each half has as much as the other.
        middles = [(box[1].start + box[1].stop) / 2 for box in boxes]
        halves = sorted(middles)[: count // 2], sorted(middles)[count // 2 :]
        assert count % 2 == 0
        assert max(halves[0]) - min(halves[0]) < 4 < LARGE / 4 < halves[1][0] - halves[0][-1]
        assert len(plain_colours(picture.pixels)) <= 3


def test_every_kind_has_a_ground_of_one_colour_along_its_rim():
    for kind in KINDS:
        for seed in range(SAMPLES):
            pixels = large(kind, seed).pixels
            rim = np.concatenate([pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]])
            assert (rim == rim[0]).all(), (kind, seed)


def test_no_training_picture_is_a_stimulus_of_the_suites():
    """Of the controls; all other stimuli have an inducer, and no training picture has one."""
    recipe = RECIPES["seedling"]
    side = recipe.network.side
    shown = set()
    for figure in ILLUSIONS:
        for spec in specs_of(figure):
            if not spec.factors["condition"].startswith("control"):
                continue
            pixels = draw_illusion(figure, spec.parameters).pixels
            reduced = Image.fromarray(pixels).resize((side, side), Image.Resampling.BICUBIC)
            shown.add(np.asarray(reduced).tobytes())
    assert len(shown) == 4 * len(ILLUSIONS)
    for picture in training_pictures(recipe):
        for along in (picture, mirrored(picture, 0), mirrored(picture, 1)):
            assert along.pixels.tobytes() not in shown


def test_what_is_true_follows_from_the_difference_and_survives_mirrors():
    for kind in COMPARED:
        for seed in range(SAMPLES):
            picture = draw(kind, np.random.default_rng(seed), 56, (0.6, 2.5))
            size = picture.difference
            assert picture.category == (NEITHER if size == 0 else FIRST if size > 0 else SECOND)
            for axis, swaps in ((0, picture.upright), (1, picture.sideways)):
                twin = mirrored(picture, axis)
                assert twin.difference == (-size if swaps else size)
                again = mirrored(twin, axis)
                assert (again.pixels == picture.pixels).all()
                assert again.words == picture.words
                assert again.category == picture.category
                np.testing.assert_allclose(again.places, picture.places)


def test_as_many_things_stand_on_the_ground_as_the_name_says():
    names = set()
    for seed in range(40):
        picture = large("counts", seed)
        assert picture.names[picture.category] == str(things(picture.pixels)[1])
        names.add(picture.names[picture.category])
        mirror = mirrored(picture, 1)
        assert mirror.category == picture.category
        assert (mirror.pixels == picture.pixels[:, ::-1]).all()
    assert names == set("123456789")


def test_a_letter_has_as_many_holes_as_its_name_and_is_never_mirrored():
    holes = dict.fromkeys("ADOPQR", 1) | {"B": 2}
    seen = set()
    for seed in range(80):
        picture = large("letters", seed)
        name = picture.names[picture.category]
        ground = picture.pixels[0, 0].astype(int)
        empty = np.abs(picture.pixels.astype(int) - ground).max(axis=2) <= 12
        # The ground and the holes, not the few pixels that a sharp corner shuts in.
        areas = np.bincount(ndimage.label(empty)[0].ravel())[1:]
        assert (areas > 40).sum() - 1 == holes.get(name, 0), name
        assert mirrored(picture, 0) is mirrored(picture, 1) is picture
        seen.add(name)
    assert len(seen) > 20


def test_what_is_named_is_compared_with_nothing():
    for kind in NAMED:
        for seed in range(SAMPLES):
            picture = draw(kind, np.random.default_rng(seed), 56, (0.6, 2.5))
            assert picture.difference == 0
            assert 0 <= picture.category < len(picture.names)
            assert not (picture.upright or picture.sideways)


def test_the_larger_target_is_larger_in_the_pixels():
    """What is true of sizes and lengths, read from the pixels alone."""
    for kind in ("discs_and_squares", "arches", "lengths_beside"):
        for seed in range(SAMPLES):
            picture = large(kind, seed)
            labels, count = things(picture.pixels)
            assert count == 2
            boxes = sorted(ndimage.find_objects(labels), key=lambda box: box[1].start)
            along = 1 if kind == "arches" else 0
            first, second = (box[along].stop - box[along].start for box in boxes)
            if picture.difference:
                assert (first - second) * picture.difference > 0, (kind, seed)
            assert (abs(first - second) <= 1) == (picture.difference == 0), (kind, seed)


@pytest.mark.parametrize("kind", sorted(set(COMPARED) - {"bends", "bends_of_squares", "halves"}))
def test_the_places_that_are_learned_are_those_of_the_targets_in_the_pixels(kind):
    """But for bowed lines and a dot between two things, whose places are none of a thing's own pixels."""
    for seed in range(SAMPLES):
        picture = large(kind, seed)
        labels, _ = things(picture.pixels)
        for x, y, *_ in picture.places.reshape(-1, 4):
            column, row = (round(float(at + 1) / 2 * LARGE) for at in (x, y))
            assert labels[row - 3 : row + 4, column - 3 : column + 4].any(), seed


def test_a_picture_is_the_same_whenever_it_is_drawn():
    few = replace(RECIPES["seedling"], pictures=Pictures(number=40))
    once, again = (training_pictures(few) for _ in range(2))
    assert all((one.pixels == two.pixels).all() for one, two in zip(once, again, strict=True))
    assert [one.words for one in once] == [two.words for two in again]
