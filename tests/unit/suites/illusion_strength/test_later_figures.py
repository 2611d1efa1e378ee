"""Figures that the paper does not have: proven from pixels, and off unless they are named."""

import numpy as np
import pytest
from illusion_samples import draw_illusion
from scipy import ndimage

from afterimage.contract.finding import load_suite
from afterimage.errors import AfterimageError
from afterimage.suites.illusion_strength.grid import strengths
from afterimage.suites.illusions.names import GRID_FIGURES, ILLUSIONS, LATER
from afterimage.suites.illusions.observer import measure
from afterimage.suites.illusions.parametric import stepped

#: What is measured, at most how much at difference 0, and the fake's with its tolerance; what is true of it in A and B.
FIGURES = {
    "poggendorff": ("stroke_alignment", 0.5, 40, 0.7, ("high", "low")),
    "oppel_kundt": ("gap_width", 1e-6, 20, 0.3, ("left", "right")),
    "twisted_cord": ("cord_parallelism", 0.05, 3.8, 0.1, ("top", "bottom")),
    "cornsweet": ("place_lightness", 0, 15.69, 0.01, ("left", "right")),
    "surround_contrast": ("small_square_lightness", 0, 15.69, 0.01, ("left", "right")),
    "irradiation": ("square_size", 0, 20, 1e-6, ("left", "right")),
    "chubb": ("check_contrast", 0, 40, 1e-6, ("left", "right")),
    "mach_bands": ("stripe_evenness", 0, 16 / 72 * 67.2, 0.03 * 16 / 72 * 67.2, ("left", "right")),
}
#: Those whose grounds reach the border, and those without a colour, whose variant B is the mirror image exactly.
FILLED = ("surround_contrast", "irradiation", "chubb")
COLOURLESS = (*FILLED, "twisted_cord", "mach_bands")
#: Which way variant B is turned.
TURNS = dict.fromkeys(FIGURES, np.fliplr) | dict.fromkeys(
    ("poggendorff", "twisted_cord"), np.flipud
)


def drawing(figure, variant="A", strength=1.0, difference=0.0, shift=(0, 0)):
    parameters = {"strength": strength, "difference": difference, "variant": variant}
    return draw_illusion(figure, {**parameters, "shift": list(shift)})


def coloured(pixels):
    """The pixels of a target's full colour."""
    return (pixels.max(axis=2).astype(int) - pixels.min(axis=2)) > 110


def ground_of_cords(pixels):
    return (pixels == pixels[0, 0]).all(axis=2)


def marked(*boxes):
    """What lies in boxes of left, top, right and bottom, px."""

    def inside(pixels):
        mask = np.zeros(pixels.shape[:2], dtype=bool)
        for left, top, right, bottom in boxes:
            mask[top:bottom, left:right] = True
        return mask

    return inside


#: The pixels that the inducer leaves as they are: targets, or what tells them apart.
SOLID = {
    "poggendorff": coloured,
    "oppel_kundt": coloured,
    "twisted_cord": ground_of_cords,
    "cornsweet": marked((48, 144, 240, 528), (432, 144, 624, 528)),
    "surround_contrast": marked((112, 280, 224, 392), (448, 280, 560, 392)),
    # The control has the left square in black.
    "irradiation": marked((432, 264, 576, 408)),
    "chubb": marked((112, 288, 224, 384), (448, 288, 560, 384)),
    "mach_bands": marked(*((54 + 72 * k, 96, 114 + 72 * k, 576) for k in range(8))),
}


def test_every_figure_is_looked_at_here():
    assert tuple(FIGURES) == LATER


@pytest.mark.parametrize(
    ("figure", "strength"),
    [(name, s) for name in LATER for s in strengths(name, {"strengths": [0, 0.5, 1]})],
)
@pytest.mark.parametrize("variant", ["A", "B"])
def test_genuine_figures_are_equal_and_fakes_differ_as_stated(figure, variant, strength):
    feature, neutral, fake, tolerance, first = FIGURES[figure]
    genuine = measure(drawing(figure, variant, strength).pixels, feature)
    assert genuine.value <= neutral
    found = measure(drawing(figure, variant, strength, 1.0).pixels, feature)
    assert found.value == pytest.approx(fake, abs=tolerance)
    assert found.direction == first["AB".index(variant)]
    if figure == "poggendorff":
        assert max(genuine.parts["angle_deg"], found.parts["angle_deg"]) <= 0.1


@pytest.mark.parametrize("figure", LATER)
@pytest.mark.parametrize("difference", [0.0, -0.125, 1.0])
def test_the_inducer_changes_no_pixel_of_a_target(figure, difference):
    with_inducer, without = (
        drawing(figure, strength=s, difference=difference).pixels for s in (1.0, 0.0)
    )
    solid = SOLID[figure](without)
    assert solid.sum() > 1000
    changed = np.abs(with_inducer[solid].astype(int) - without[solid])
    # What a slanting cord hardly touches rounds to the ground in grey and not in black or white.
    assert changed.max() <= (4 if figure == "twisted_cord" else 0)
    # A target's edge may lie on the inducer's, and is blended with it there.
    assert SOLID[figure](with_inducer).sum() >= 0.999 * solid.sum()


@pytest.mark.parametrize("figure", [name for name in LATER if name not in FILLED])
@pytest.mark.parametrize("shift", [(-6, -6), (6, 6)])
def test_nothing_is_cut_off_at_any_shift(figure, shift):
    for difference in (-1.0, 1.0):
        pixels = drawing(figure, difference=difference, shift=shift).pixels
        border = np.concatenate([pixels[:8].reshape(-1, 3), pixels[-8:].reshape(-1, 3)])
        assert (border == pixels[0, 0]).all()
        assert (pixels[:, :8] == pixels[0, 0]).all()


@pytest.mark.parametrize("figure", LATER)
def test_variant_b_is_the_flip_or_the_mirror_image_with_targets_in_blue(figure):
    a, b = (drawing(figure, variant, 1.0, 0.5).pixels for variant in "AB")
    turned = TURNS[figure](a)
    if figure in COLOURLESS:
        assert (turned == b).all()
        return
    # Red and blue are not equally strong, so their blended edges are not either.
    assert (coloured(turned) ^ coloured(b)).sum() < 0.1 * coloured(b).sum()
    assert b[coloured(b)].mean(axis=0).argmax() == 2
    ink = (turned.max(axis=2) < 60) == (b.max(axis=2) < 60)
    assert ink.mean() > 0.999


@pytest.mark.parametrize(("strength", "left", "right"), [(1, 9, 0), (0.5, 4, 0), (-1, 0, 9)])
def test_the_filling_is_evenly_spaced_on_the_side_of_the_sign(strength, left, right):
    pixels = drawing("oppel_kundt", strength=strength).pixels
    row = pixels[336].max(axis=1) < 30
    starts = np.flatnonzero(row & ~np.roll(row, 1))
    assert ((starts < 336).sum(), (starts > 336).sum()) == (left, right)
    if left == 9:
        assert set(np.diff(starts)) == {24}


def test_a_bar_has_no_opposite_and_half_its_strength_is_half_its_contrast():
    with pytest.raises(AfterimageError, match="poggendorff: strength is -1, expected 0 to 1"):
        drawing("poggendorff", strength=-1.0)
    levels = [drawing("poggendorff", strength=s).pixels[336, 330, 0] for s in (0.0, 0.5, 1.0)]
    assert [int(level) for level in levels] == [255, 232, 208]


@pytest.mark.parametrize("strength", [1.0, -1.0, 0.5])
def test_strands_lean_by_20_degrees_and_the_cords_against_each_other(strength):
    pixels = drawing("twisted_cord", strength=strength).pixels
    levels = pixels[100:560, :, 1].astype(float)
    found = []
    for left in (216, 436):
        down, across = np.gradient(ndimage.gaussian_filter(levels[:, left : left + 20], 1.5))
        inner = (slice(4, -4), slice(4, -4))
        down, across = down[inner], across[inner]
        # The strands run along the weaker axis of the structure tensor.
        slope = 0.5 * np.arctan2(2 * (across * down).sum(), (across**2 - down**2).sum())
        found.append(np.degrees(slope))
    assert found == pytest.approx([np.sign(strength) * 20, -np.sign(strength) * 20], abs=1)
    dark, light = levels.min(), pixels[100:560, 216:236].max()
    assert (dark, light) == {1.0: (1, 255), 0.5: (65, 192)}[abs(strength)]


def test_greys_are_exactly_as_far_apart_as_asked_at_every_step_of_the_grid():
    for eighths in range(-8, 9):
        first, second = stepped(eighths / 8)
        assert first - second == 5 * eighths
        assert abs(first + second - 256) <= 1


@pytest.mark.parametrize("strength", [1.0, -0.5])
def test_ramps_rise_to_the_edge_and_leave_the_plateaus_flat(strength):
    row = drawing("cornsweet", strength=strength, difference=-0.25).pixels[200, 48:624, 0]
    left, right = row[:288].astype(int), row[288:].astype(int)
    assert set(left[:192]) == {123}
    assert set(right[96:]) == {133}
    assert left[-1] - 123 == pytest.approx(48 * strength, abs=1)
    assert right[0] - 133 == pytest.approx(-48 * strength, abs=1)
    assert (np.sign(strength) * np.diff(left) >= 0).all()


@pytest.mark.parametrize(
    ("figure", "strength", "expected"),
    [
        ("irradiation", 0.5, "strength is 0.5, expected -1, 0 or 1"),
        ("mach_bands", 0.5, "strength is 0.5, expected 0 or 1"),
        ("mach_bands", -1.0, "strength is -1, expected 0 or 1"),
    ],
)
def test_an_inducer_that_is_there_or_not_has_no_half(figure, strength, expected):
    with pytest.raises(AfterimageError, match=expected):
        drawing(figure, strength=strength)
    assert strength not in strengths(figure, {"strengths": [strength, 0]})


def test_no_square_has_the_grey_of_its_ground():
    settings = {"strengths": [-0.4, -0.39, 0, 0.1, 0.39, 0.4, 1]}
    assert strengths("surround_contrast", settings) == (-0.4, 0, 0.4, 1)
    feature = FIGURES["surround_contrast"][0]
    for difference in (-1.0, 0.0, 1.0):
        pixels = drawing("surround_contrast", "A", 0.4, difference).pixels
        assert measure(pixels, feature).value == pytest.approx(15.7 * abs(difference), abs=0.5)


@pytest.mark.parametrize(("strength", "grounds"), [(1, (0, 1)), (-1, (1, 0)), (0, (1, 1))])
def test_the_squares_have_their_grounds_polarity_reversed(strength, grounds):
    pixels = drawing("irradiation", strength=float(strength), difference=0.5).pixels[336, :, 0]
    left, right = grounds
    assert [pixels[column] for column in (20, 168, 504, 650)] == [
        255 * level for level in (left, 1 - left, 1 - right, right)
    ]
    assert (pixels[:336] != pixels[0]).sum() == 168
    assert (pixels[336:] != pixels[-1]).sum() == 152


def test_both_discs_have_the_same_checks_and_as_many_light_as_dark_ones():
    control = drawing("chubb", strength=0.0).pixels[8::16, 8::16, 0].astype(int)
    left, right = control[:, :21], control[:, 21:]
    assert (left == right).all()
    assert set(np.unique(left)) == {88, 128, 168}
    assert abs((left == 168).sum() - (left == 88).sum()) <= 1
    assert (left != 128).sum() == pytest.approx(np.pi * 5**2, abs=4)
    for strength, side in ((1.0, slice(21, None)), (-1.0, slice(None, 21))):
        checks = drawing("chubb", strength=strength).pixels[8::16, 8::16, 0]
        ground = checks[:, side][control[:, side] == 128]
        assert set(ground) == {16, 240}
        assert (checks[control != 128] == control[control != 128]).all()
    assert (drawing("chubb").pixels[::16, ::16] == drawing("chubb").pixels[15::16, 15::16]).all()


def test_stripes_rise_by_24_levels_and_each_falls_by_16_where_it_really_does():
    row = drawing("mach_bands").pixels[300, 48:624, 0].reshape(8, 72)
    assert [set(stripe) for stripe in row] == [{level} for level in range(60, 229, 24)]
    fake = drawing("mach_bands", difference=1.0).pixels[300, 48:624, 0].reshape(8, 72).astype(int)
    slopes = np.polyfit(np.arange(72), fake.T, 1)[0]
    assert slopes == pytest.approx(np.full(8, -16 / 72), rel=0.03)
    assert fake.mean(axis=1) == pytest.approx(row.mean(axis=1), abs=0.1)
    apart = drawing("mach_bands", strength=0.0).pixels[300, 48:624, 0].reshape(8, 72)
    assert (apart[:, 6:66] == row[:, 6:66]).all()
    assert set(apart[:, :6].ravel()) | set(apart[:, 66:].ravel()) == {255}


def test_no_existing_place_moves_and_the_paper_s_figures_stay_the_paper_s():
    assert GRID_FIGURES[: len(ILLUSIONS)] == ILLUSIONS
    for name in ("illusion_strength", "illusion_vqa"):
        assert not set(LATER) & set(load_suite(name).settings().illusions)
