"""Every stimulus keeps its invariant, and every invariant notices a sabotaged stimulus."""

import numpy as np
import pytest
from illusion_samples import draw_illusion, drawn
from PIL import Image
from scipy import ndimage

from afterimage.errors import AfterimageError
from afterimage.stages.measurements import measured_row, measurer
from afterimage.suites.illusion_vqa.images import CONDITIONS
from afterimage.suites.illusion_vqa.invariants import (
    INVARIANTS,
    KNOWN_AFTER_RESIZING,
    RESIZED_PX,
    check,
    judged,
    measure_illusion,
    measure_stimulus,
    measure_value,
)
from afterimage.suites.illusion_vqa.suite import figure_named
from afterimage.suites.illusions.names import GRID_FIGURES, ILLUSIONS, VARIANTS

EVERY_STIMULUS = [
    (figure, variant, condition)
    for figure in ILLUSIONS
    for variant in VARIANTS
    for condition in CONDITIONS
]


def drawn_with(figure, difference, variant="A", strength=1.0):
    parameters = {"strength": strength, "difference": difference, "variant": variant}
    return draw_illusion(figure, parameters).pixels


def verdict(figure, variant, condition, pixels):
    return check(figure, condition, variant, measure_illusion(figure, pixels))


def noticed(figure, variant, condition, pixels):
    """Tell whether an image fails its invariant, or cannot be measured at all."""
    try:
        return not verdict(figure, variant, condition, pixels).holds
    except AfterimageError:
        return True


def rows_of(figure, variant, condition, pixels=None):
    pixels = drawn(figure, variant, condition) if pixels is None else pixels
    stimulus_id = f"{figure}_{variant}_{condition}"
    record = {"stimulus_id": stimulus_id, "figure": figure}
    factors = {"condition": condition, "variant": variant}
    return [
        measured_row(record, measured, pixels)
        for measured in measure_stimulus(figure, pixels, factors)
    ]


def measure_job(figure, pixels_of):
    """Measure images as the job does, by variant and condition; return the rows of measured.csv."""
    measuring = measurer({"measure": figure_named(figure).measure})
    rows = []
    for (variant, condition), pixels in pixels_of.items():
        factors = {"variant": variant, "condition": condition}
        name = f"{figure}_{variant}_{condition}"
        record = {"stimulus_id": name, "figure": figure, "factors": factors}
        rows += measuring.measure(record, pixels)
    measuring.require(rows)
    return rows


@pytest.mark.parametrize(("figure", "variant", "condition"), EVERY_STIMULUS)
def test_every_stimulus_keeps_its_invariant(figure, variant, condition):
    found = verdict(figure, variant, condition, drawn(figure, variant, condition))
    assert found.holds, f"{found.found}; expected {found.limit}"


def test_illusory_options_are_those_of_the_prompt_file(root):
    from afterimage.suites.illusion_vqa.prompt_file import load_prompts

    prompt_file = load_prompts(root / "resources" / "prompts" / "illusion_vqa.yaml")
    assert set(INVARIANTS) == set(GRID_FIGURES)
    for figure, invariant in INVARIANTS.items():
        wordings = prompt_file["figures"][figure]["wordings"]
        assert dict(invariant.illusory) == wordings["default"]["illusory"]
        for variant, option in wordings.get("directional", {"illusory": {}})["illusory"].items():
            assert invariant.leaning[variant] == option


# ---- sabotage by drawing another difference ----


# Fractions of the fake difference that a drawing error could leave in a genuine image.
LEAKS = dict.fromkeys(ILLUSIONS, 0.05) | {
    **dict.fromkeys(("mueller_lyer", "fick", "ponzo"), 0.1),
    "jastrow": 0.03,
}
# And that a fake could lack.
SHARES = dict.fromkeys(ILLUSIONS, 0.95) | {
    **dict.fromkeys(("mueller_lyer", "fick", "lightness_constancy", "ponzo"), 0.9),
    "munker": 0.6,
    "saturation_constancy": 0.75,
}


@pytest.mark.parametrize("figure", ILLUSIONS)
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_genuine_image_with_a_small_true_difference_is_noticed(figure, variant):
    leak = LEAKS[figure]
    for strength, difference, condition in (
        (1.0, -leak, "genuine"),
        (0.0, leak, "control_genuine"),
    ):
        pixels = drawn_with(figure, difference, variant, strength)
        assert not verdict(figure, variant, condition, pixels).holds


@pytest.mark.parametrize("figure", ILLUSIONS)
def test_a_fake_with_too_small_a_difference_is_noticed(figure):
    pixels = drawn_with(figure, SHARES[figure])
    assert not verdict(figure, "A", "fake", pixels).holds


@pytest.mark.parametrize("figure", ILLUSIONS)
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_fake_against_the_illusion_is_noticed(figure, variant):
    found = verdict(figure, variant, "fake", drawn_with(figure, -1.0, variant))
    assert not found.holds
    wanted = INVARIANTS[figure].illusory[variant]
    assert f"direction {wanted}" in found.limit


# ---- sabotage of finished pixels ----


def coloured(pixels):
    """Mark chromatic pixels; the targets, where inducers are gray."""
    levels = pixels.astype(int)
    return levels.max(axis=2) - levels.min(axis=2) > 60


def largest(mask, number=2):
    """Return the masks of the largest connected targets, from top left to bottom right."""
    labels, found = ndimage.label(mask, structure=np.ones((3, 3)))
    sizes = ndimage.sum_labels(mask, labels, np.arange(1, found + 1))
    chosen = 1 + np.argsort(-sizes)[:number]
    parts = [labels == label for label in chosen]
    return sorted(parts, key=lambda part: np.add(*ndimage.center_of_mass(part)))


def box(mask):
    rows, columns = np.nonzero(mask)
    return rows.min(), rows.max() + 1, columns.min(), columns.max() + 1


def red(pixels):
    return coloured(pixels) & (pixels[..., 0] > pixels[..., 2])


def lengthened(pixels, mask, by=2):
    """Append pixels to the right or the upper end of a bar."""
    top, bottom, left, right = box(mask)
    result = pixels.copy()
    if right - left > bottom - top:
        result[top:bottom, right : right + by] = pixels[top:bottom, right - 1 : right]
    else:
        result[top - by : top, left:right] = pixels[top : top + 1, left:right]
    return result


def shifted_columns(pixels, mask, shift_of):
    """Move each column of a target's rows down by ``shift_of(-1..1)`` px, with a fraction."""
    top, bottom, left, right = box(mask)
    band = slice(top - 4, bottom + 4)
    result = pixels.copy()
    for column in range(left, right):
        down = shift_of(2 * (column + 0.5 - left) / (right - left) - 1)
        strip = pixels[band, column].astype(float)
        moved = ndimage.shift(strip, (down, 0), order=1, mode="nearest")
        result[band, column] = np.floor(moved + 0.5)
    return result


def grown(pixels, mask):
    """Add a rim of one pixel to a target."""
    result = pixels.copy()
    result[ndimage.binary_dilation(mask)] = pixels[ndimage.binary_erosion(mask, iterations=3)][0]
    return result


def one_line_tilted(pixels):
    # 0.3 deg over 608 or 544 px.
    return shifted_columns(pixels, largest(coloured(pixels))[1], lambda t: 1.5 * t)


def one_line_bent(pixels):
    return shifted_columns(pixels, largest(coloured(pixels))[0], lambda t: t**2 - 1)


def one_side_bent(pixels):
    mask = coloured(pixels)
    top, _, left, right = box(mask)
    side = np.zeros_like(mask)
    side[top : top + 5, left + 8 : right - 8] = True
    return shifted_columns(pixels, side, lambda t: t**2 - 1)


def upper_bar_lengthened(pixels):
    return lengthened(pixels, largest(coloured(pixels))[0])


def red_bar_lengthened(pixels):
    return lengthened(pixels, red(pixels))


def one_disc_grown(pixels):
    return grown(pixels, largest(coloured(pixels))[0])


def red_figure_grown(pixels):
    return grown(pixels, red(pixels))


def end_of_red_diagonal_erased(pixels):
    _, _, left, _ = box(red(pixels))
    result = pixels.copy()
    result[:, : left + 4][red(pixels)[:, : left + 4]] = 255
    return result


def dot_lowered(pixels):
    top, bottom, left, right = box(coloured(pixels))
    result = pixels.copy()
    window = (slice(top - 6, bottom + 6), slice(left - 6, right + 6))
    result[window] = np.roll(pixels[window], 3, axis=0)
    return result


def _munker_bars(pixels):
    return (pixels == (0xE0, 0x3C, 0x46)).all(axis=2)


def left_bars_recoloured(pixels):
    result = pixels.copy()
    bars = _munker_bars(pixels)
    bars[:, 336:] = False
    result[bars] = (0xE0, 0x3D, 0x46)
    return result


def one_bar_recoloured(pixels):
    result = pixels.copy()
    bars = _munker_bars(pixels)
    bars[:, 336:] = False
    bars[: np.nonzero(bars)[0].min() + 80] = False
    first = np.nonzero(bars)[0].min()
    bars[first + 8 :] = False
    result[bars] = (0xE0, 0x46, 0x46)
    return result


def one_bar_painted_over(pixels):
    result = pixels.copy()
    bars = _munker_bars(pixels)
    bars[:, 336:] = False
    middle = np.nonzero(bars.any(axis=1))[0]
    middle = middle[np.argmin(abs(middle - 336))]
    result[middle - 7 : middle + 8][bars[middle - 7 : middle + 8]] = (0x28, 0x46, 0xE6)
    return result


def left_square_recoloured(pixels):
    result = pixels.copy()
    result[280:392, 112:224] += 1
    return result


def part_of_left_square_recoloured(pixels):
    result = pixels.copy()
    result[280:290, 112:224, 0] += 1
    return result


def left_gray_lightened(pixels):
    result = pixels.copy()
    square = (pixels == 0x78).all(axis=2)
    square[:252] = square[336:] = False
    square[:, :168] = square[:, 252:] = False
    result[square] = 0x79
    return result


@pytest.mark.parametrize("condition", ["genuine", "control_genuine"])
@pytest.mark.parametrize(
    ("figure", "sabotage"),
    [
        ("mueller_lyer", upper_bar_lengthened),
        ("fick", red_bar_lengthened),
        ("ebbinghaus", one_disc_grown),
        ("jastrow", red_figure_grown),
        ("delboeuf", one_disc_grown),
        ("munker", left_bars_recoloured),
        ("munker", one_bar_recoloured),
        ("munker", one_bar_painted_over),
        ("triangle_bisection", dot_lowered),
        ("sander", end_of_red_diagonal_erased),
        ("saturation_constancy", left_square_recoloured),
        ("saturation_constancy", part_of_left_square_recoloured),
        ("lightness_constancy", left_gray_lightened),
        ("ponzo", upper_bar_lengthened),
    ],
)
def test_a_genuine_image_with_edited_pixels_is_noticed(figure, sabotage, condition):
    pixels = drawn(figure, "A", condition)
    edited = sabotage(pixels)
    assert (edited != pixels).any()
    assert noticed(figure, "A", condition, edited)


@pytest.mark.parametrize(
    ("figure", "variant", "sabotage"),
    [
        ("cafe_wall", "A", one_line_tilted),
        ("cafe_wall", "B", one_line_tilted),
        ("zoellner", "A", one_line_tilted),
        ("hering", "B", one_line_bent),
        ("orbison", "A", one_side_bent),
    ],
)
def test_a_line_that_is_tilted_or_bent_by_a_pixel_is_noticed(figure, variant, sabotage):
    pixels = drawn(figure, variant, "control_genuine")
    assert verdict(figure, variant, "control_genuine", pixels).holds
    assert not verdict(figure, variant, "control_genuine", sabotage(pixels)).holds


MIRRORED, UPSIDE_DOWN, EXCHANGED = np.s_[:, ::-1], np.s_[::-1], np.s_[..., ::-1]


@pytest.mark.parametrize(
    ("figure", "variant", "turned"),
    [
        ("cafe_wall", "A", MIRRORED),
        ("zoellner", "A", MIRRORED),
        ("mueller_lyer", "B", MIRRORED),
        ("ebbinghaus", "A", MIRRORED),
        ("delboeuf", "B", MIRRORED),
        ("munker", "A", MIRRORED),
        ("saturation_constancy", "B", MIRRORED),
        ("lightness_constancy", "A", MIRRORED),
        *((figure, "A", UPSIDE_DOWN) for figure in ("mueller_lyer", "triangle_bisection", "ponzo")),
        *((figure, "A", EXCHANGED) for figure in ("fick", "jastrow", "sander")),
    ],
)
def test_a_fake_the_other_way_round_or_in_exchanged_colours_contradicts_its_illusion(
    figure, variant, turned
):
    found = verdict(
        figure, variant, "fake", np.ascontiguousarray(drawn(figure, variant, "fake")[turned])
    )
    assert not found.holds
    assert found.found.startswith("direction ")


@pytest.mark.parametrize(
    ("figure", "sabotage"),
    [
        ("mueller_lyer", upper_bar_lengthened),
        ("ponzo", upper_bar_lengthened),
        ("ebbinghaus", one_disc_grown),
        ("delboeuf", one_disc_grown),
        ("jastrow", red_figure_grown),
        ("triangle_bisection", dot_lowered),
        ("munker", one_bar_painted_over),
    ],
)
def test_a_fake_with_edited_pixels_is_noticed(figure, sabotage):
    pixels = drawn(figure, "A", "fake")
    if figure == "munker":
        pixels = pixels.copy()
        pixels[(pixels == (0xE0, 0x5A, 0x34)).all(axis=2)] = (0xE0, 0x3C, 0x46)
        edited = sabotage(pixels)
        edited[(edited == (0xE0, 0x3C, 0x46)).all(axis=2)] = (0xE0, 0x5A, 0x34)
    else:
        edited = sabotage(sabotage(pixels))
    assert (edited != pixels).any()
    assert noticed(figure, "A", "fake", edited)


def test_a_fake_with_one_straight_side_is_noticed():
    pixels = drawn("orbison", "A", "control_fake").copy()
    straight = drawn("orbison", "A", "control_genuine")
    pixels[:190, 190:482] = straight[:190, 190:482]
    found = verdict("orbison", "A", "control_fake", pixels)
    assert not found.holds
    assert "least inward sagitta" in found.found


# ---- rows, limits by size, and the check at native size ----


def test_rows_hold_every_size_native_first():
    rows = rows_of("ebbinghaus", "A", "fake")
    assert [row["size_px"] for row in rows] == [672, *RESIZED_PX]
    assert list(rows[0]) == [
        "stimulus_id",
        "figure",
        "condition",
        "size_px",
        "value",
        "unit",
        "direction",
        "limit",
        "holds",
        "remark",
    ]
    assert rows[0]["value"] == pytest.approx(20.83, abs=0.01)
    assert (rows[0]["direction"], rows[0]["unit"]) == ("left", "percent")
    assert all(row["holds"] and not row["remark"] for row in rows)


@pytest.mark.parametrize("figure", [name for name in ILLUSIONS if name != "munker"])
def test_resizing_keeps_all_but_munker_within_their_limits(figure):
    for variant, condition in (("A", "genuine"), ("B", "fake")):
        rows = rows_of(figure, variant, condition)
        assert all(row["holds"] for row in rows)


@pytest.mark.parametrize("variant", VARIANTS)
def test_munker_becomes_a_physical_difference_at_224_px_and_is_flagged(variant):
    rows = {row["size_px"]: row for row in rows_of("munker", variant, "genuine")}
    assert all(rows[size]["holds"] and rows[size]["value"] < 0.1 for size in (672, 512, 448, 384))
    assert not rows[224]["holds"]
    assert rows[224]["value"] > 1
    assert KNOWN_AFTER_RESIZING["munker", 224] in rows[224]["remark"]


def test_limits_in_px_shrink_with_the_image():
    rows = {row["size_px"]: row for row in rows_of("hering", "A", "genuine")}
    assert "0.5 px" in rows[672]["limit"]
    assert "0.25 px" in rows[336]["limit"]


def test_a_violation_at_native_size_names_the_image_the_value_and_the_tolerance():
    with pytest.raises(AfterimageError) as caught:
        measure_job("ponzo", {("A", "genuine"): drawn_with("ponzo", 0.5)})
    message = str(caught.value)
    assert "ponzo_A_genuine.png" in message
    assert "length difference 10" in message
    assert "expected length difference <= 0.01 percent" in message


def test_further_violations_are_counted():
    different = drawn_with("ponzo", 0.5)
    images = {("A", "genuine"): different, ("A", "control_genuine"): different}
    images["B", "genuine"] = drawn_with("ponzo", 0.5, "B")
    with pytest.raises(AfterimageError, match="2 more images"):
        measure_job("ponzo", images)


def test_an_image_without_targets_is_a_violation_and_not_a_crash():
    blank = np.full((672, 672, 3), 255, np.uint8)
    rows = rows_of("ponzo", "A", "genuine", blank)
    assert all(np.isnan(row["value"]) and not row["holds"] for row in rows)
    with pytest.raises(AfterimageError, match=r"ponzo_A_genuine\.png: .*found none"):
        measure_job("ponzo", {("A", "genuine"): blank})


def test_a_flag_after_resizing_does_not_stop_anything():
    rows = measure_job("munker", {("A", "genuine"): drawn("munker", "A", "genuine")})
    assert [row["size_px"] for row in rows] == [672, *RESIZED_PX]
    assert rows[0]["holds"]
    assert not all(row["holds"] for row in rows)


def test_an_image_of_another_size_is_refused():
    small = np.asarray(Image.fromarray(drawn("ponzo", "A", "genuine")).resize((336, 336)))
    with pytest.raises(AfterimageError, match=r"ponzo_A_genuine\.png: found .*336"):
        measure_job("ponzo", {("A", "genuine"): small})


def test_one_number_per_image_is_its_illusions_statistic():
    assert measure_value("jastrow", drawn("jastrow", "B", "fake")) == pytest.approx(31.8, abs=0.05)
    assert measure_value("munker", drawn("munker", "A", "genuine")) == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("ponzzo", "fake", "A"), "did you mean 'ponzo'"),
        (("ponzo", "faked", "A"), "did you mean 'fake'"),
        (("ponzo", "fake", "C"), "unknown variant 'C'"),
        (("ponzo", "fake", "A", 500), "no limits for ponzo at 500 px"),
    ],
)
def test_unknown_names_are_refused(arguments, message):
    measurement = measure_illusion("ponzo", drawn("ponzo", "A", "fake"))
    figure, condition, variant, *size = arguments
    with pytest.raises(AfterimageError, match=message):
        check(figure, condition, variant, measurement, *size)


def test_an_unknown_illusion_is_answered_with_the_nearest():
    with pytest.raises(AfterimageError, match="did you mean 'ebbinghaus'"):
        figure_named("ebinghaus")


@pytest.mark.parametrize("side", [112, 560])
def test_limits_in_px_shrink_with_an_image_of_any_size(side):
    pixels = Image.fromarray(drawn("hering", "A", "fake"))
    resized = np.asarray(pixels.resize((side, side), Image.Resampling.BICUBIC))
    found = judged("hering", {"condition": "fake", "variant": "A"}, resized, 672)
    assert found["unit"] == "px" and found["value"] == pytest.approx(18 * side / 672, abs=0.5)
    assert judged("hering", {"condition": "fake", "variant": "A"}, resized, 224)["holds"]
