"""Figures that the paper does not have: proven from pixels, and off unless they are named."""

import numpy as np
import pytest
from illusion_samples import draw_illusion

from afterimage.contract.finding import load_suite
from afterimage.errors import AfterimageError
from afterimage.suites.illusions.names import GRID_FIGURES, ILLUSIONS, LATER
from afterimage.suites.illusions.observer import measure

FEATURES = {"poggendorff": "stroke_alignment", "oppel_kundt": "gap_width"}
#: What is measured at difference 0, and the fake's, each with its tolerance.
EXACT = {"poggendorff": (0.5, 40, 0.7), "oppel_kundt": (1e-6, 20, 0.3)}


def drawing(figure, variant="A", strength=1.0, difference=0.0, shift=(0, 0)):
    parameters = {"strength": strength, "difference": difference, "variant": variant}
    return draw_illusion(figure, {**parameters, "shift": list(shift)})


def coloured(pixels):
    """The pixels of a target's full colour."""
    return (pixels.max(axis=2).astype(int) - pixels.min(axis=2)) > 110


@pytest.mark.parametrize("figure", LATER)
@pytest.mark.parametrize("variant", ["A", "B"])
@pytest.mark.parametrize("strength", [0.0, 0.5, 1.0])
def test_genuine_figures_are_equal_and_fakes_differ_as_stated(figure, variant, strength):
    neutral, fake, tolerance = EXACT[figure]
    genuine = measure(drawing(figure, variant, strength).pixels, FEATURES[figure])
    assert genuine.value <= neutral
    found = measure(drawing(figure, variant, strength, 1.0).pixels, FEATURES[figure])
    assert found.value == pytest.approx(fake, abs=tolerance)
    first = {"poggendorff": {"A": "high", "B": "low"}, "oppel_kundt": {"A": "left", "B": "right"}}
    assert found.direction == first[figure][variant]
    if figure == "poggendorff":
        assert max(genuine.parts["angle_deg"], found.parts["angle_deg"]) <= 0.1


@pytest.mark.parametrize("figure", LATER)
@pytest.mark.parametrize("difference", [0.0, -0.125, 1.0])
def test_the_inducer_changes_no_pixel_of_a_target(figure, difference):
    with_inducer, without = (
        drawing(figure, strength=s, difference=difference).pixels for s in (1.0, 0.0)
    )
    solid = coloured(without)
    assert solid.sum() > 1000
    assert (with_inducer[solid] == without[solid]).all()
    # A target's edge may lie on the inducer's, and is blended with it there.
    assert coloured(with_inducer).sum() >= solid.sum()


@pytest.mark.parametrize("figure", LATER)
@pytest.mark.parametrize("shift", [(-6, -6), (6, 6)])
def test_nothing_is_cut_off_at_any_shift(figure, shift):
    for difference in (-1.0, 1.0):
        pixels = drawing(figure, difference=difference, shift=shift).pixels
        border = np.concatenate([pixels[:8].reshape(-1, 3), pixels[-8:].reshape(-1, 3)])
        assert (border == 255).all()
        assert (pixels[:, :8] == 255).all()


def test_variant_b_is_the_flip_or_the_mirror_image_in_blue():
    for figure, turn in (("poggendorff", np.flipud), ("oppel_kundt", np.fliplr)):
        a, b = (drawing(figure, variant, 1.0, 0.5).pixels for variant in "AB")
        # Red and blue are not equally strong, so their blended edges are not either.
        assert (coloured(turn(a)) ^ coloured(b)).sum() < 0.1 * coloured(b).sum()
        assert b[coloured(b)].mean(axis=0).argmax() == 2
        ink = (turn(a).max(axis=2) < 60) == (b.max(axis=2) < 60)
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


def test_no_existing_place_moves_and_the_paper_s_figures_stay_the_paper_s():
    assert GRID_FIGURES[: len(ILLUSIONS)] == ILLUSIONS
    settings = load_suite("illusion_strength").settings()
    assert not set(LATER) & set(settings.illusions)
    assert not set(LATER) & set(load_suite("illusion_vqa").settings().illusions)
