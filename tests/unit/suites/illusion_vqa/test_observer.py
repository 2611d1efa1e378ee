"""The observer: what it measures in drawn figures, and what it says when there is nothing to measure."""

import ast

import numpy as np
import pytest
from illusion_samples import draw_illusion, drawn
from PIL import Image, ImageDraw

from afterimage.errors import AfterimageError
from afterimage.suites.illusion_vqa.invariants import INVARIANTS
from afterimage.suites.illusions.names import ILLUSIONS, VARIANTS
from afterimage.suites.illusions.observer import FEATURES, measure

RED, BLUE, BLACK, WHITE = (214, 39, 40), (31, 95, 180), (0, 0, 0), (255, 255, 255)

FEATURE = {figure: INVARIANTS[figure].feature for figure in ILLUSIONS}

# Left and right, or top and bottom, are part of these features.
SIDED = ("triangle_bisection", "munker", "saturation_constancy", "lightness_constancy")

# What the fake of either variant differs by (docs/illusion_figures.md, section 5), and a tolerance.
FAKES = {
    "cafe_wall": (3.77, 3.77, 0.01),
    "zoellner": (5.0, 5.0, 0.02),
    "mueller_lyer": (20.0, 20.0, 0.01),
    "fick": (20.0, 20.0, 0.1),
    "hering": (18.0, 18.0, 0.1),
    "orbison": (14.0, 14.0, 0.05),
    "ebbinghaus": (20.83, 20.83, 0.02),
    "jastrow": (31.8, 31.8, 0.05),
    "delboeuf": (20.0, 20.0, 0.02),
    "munker": (20.0, 15.4, 0.05),
    "triangle_bisection": (24.6, 24.6, 0.05),
    "sander": (19.2, 19.2, 0.05),
    "saturation_constancy": (9.85, 8.96, 0.05),
    "lightness_constancy": (15.9, 15.9, 0.05),
    "ponzo": (20.0, 20.0, 0.01),
}


def canvas(paint, background=WHITE, size=400):
    """Draw at four times the size and average, so that edges are covered in part."""
    image = Image.new("RGB", (4 * size, 4 * size), background)
    paint(ImageDraw.Draw(image))
    return np.asarray(image.reduce(4))


def bar(brush, x0, y0, x1, y1, colour):
    brush.rectangle((4 * x0, 4 * y0, 4 * x1 - 1, 4 * y1 - 1), fill=colour)


def disc(brush, x, y, diameter, colour):
    left, top = 4 * (x - diameter / 2), 4 * (y - diameter / 2)
    brush.ellipse((left, top, left + 4 * diameter - 1, top + 4 * diameter - 1), fill=colour)


def resized(pixels, size):
    return np.asarray(Image.fromarray(pixels).resize((size, size), Image.Resampling.BICUBIC))


@pytest.mark.parametrize("figure", FAKES)
@pytest.mark.parametrize("condition", ["fake", "control_fake"])
def test_fakes_measure_what_is_stated_of_them(figure, condition):
    *expected, tolerance = FAKES[figure]
    found = [measure(drawn(figure, variant, condition), FEATURE[figure]) for variant in VARIANTS]
    assert [measurement.value for measurement in found] == pytest.approx(expected, abs=tolerance)


@pytest.mark.parametrize("figure", ["mueller_lyer", "ebbinghaus", "delboeuf", "sander", "ponzo"])
@pytest.mark.parametrize("condition", ["genuine", "fake"])
def test_inducers_leave_no_trace_in_the_measured_sizes(figure, condition):
    with_inducer = measure(drawn(figure, "A", condition), FEATURE[figure])
    control = measure(drawn(figure, "A", f"control_{condition}"), FEATURE[figure])
    for name, size in control.parts.items():
        assert with_inducer.parts[name] == pytest.approx(size, abs=0.05)


@pytest.mark.parametrize("figure", ILLUSIONS)
def test_mirroring_an_image_changes_the_side_and_not_the_value(figure):
    pixels = drawn(figure, "A", "fake")
    before = measure(pixels, FEATURE[figure])
    after = measure(np.ascontiguousarray(pixels[:, ::-1]), FEATURE[figure])
    swapped = {"left": "right", "right": "left"}
    assert after.value == pytest.approx(before.value, abs=0.001)
    assert after.direction == swapped.get(before.direction, before.direction)
    assert after.leaning == swapped.get(before.leaning, before.leaning)


@pytest.mark.parametrize("figure", ["triangle_bisection", "ponzo", "mueller_lyer"])
def test_turning_an_image_upside_down_changes_the_direction(figure):
    swapped = {"top": "bottom", "upper": "lower"}
    pixels = drawn(figure, "A", "fake")
    before = measure(pixels, FEATURE[figure])
    after = measure(np.ascontiguousarray(pixels[::-1]), FEATURE[figure])
    assert after.direction == swapped[before.direction]


@pytest.mark.parametrize("figure", [name for name in FEATURE if name not in SIDED])
def test_transposing_an_image_keeps_what_does_not_depend_on_the_side(figure):
    pixels = drawn(figure, "B", "fake")
    turned = np.ascontiguousarray(np.transpose(pixels, (1, 0, 2)))
    assert measure(turned, FEATURE[figure]).value == pytest.approx(
        measure(pixels, FEATURE[figure]).value, abs=0.001
    )


def test_known_shapes_are_measured_to_a_hundredth_of_a_pixel():
    def paint(brush):
        bar(brush, 50, 100, 250, 106, RED)
        bar(brush, 50, 200, 230.5, 206, RED)

    found = measure(canvas(paint), "line_length")
    assert found.parts["upper_length_px"] == pytest.approx(200, abs=0.01)
    assert found.parts["lower_length_px"] == pytest.approx(180.5, abs=0.01)
    assert (found.direction, found.unit) == ("upper", "percent")


def test_diameters_come_from_coverage_and_not_from_pixel_counts():
    def paint(brush):
        disc(brush, 100, 200, 80, BLUE)
        disc(brush, 300, 200, 81, BLUE)

    found = measure(canvas(paint), "circle_size")
    assert found.parts["left_diameter_px"] == pytest.approx(80, abs=0.05)
    assert found.parts["right_diameter_px"] == pytest.approx(81, abs=0.05)
    # Leaning tells the side of a difference that is too small to be reported.
    assert (found.direction, found.leaning) == ("same", "right")


@pytest.mark.parametrize("ink", [BLACK, (127, 127, 127), (80, 80, 80)])
def test_gray_ink_that_touches_a_target_changes_no_length(ink):
    def paint(brush):
        for y in (100, 300):
            bar(brush, 30, y - 20, 100, y + 26, ink)
            bar(brush, 99.5, y, 300.25, y + 6, RED)
        bar(brush, 300.25, 80, 340, 130, ink)

    assert measure(canvas(paint), "line_length").value < 0.01


def test_red_and_blue_that_meet_in_a_pixel_each_keep_their_share():
    def paint(brush):
        bar(brush, 50, 200, 200.5, 206, RED)
        bar(brush, 200.5, 200, 350, 206, BLUE)

    parts = measure(canvas(paint), "coloured_line_length").parts
    assert parts["red_length_px"] == pytest.approx(150.5, abs=0.02)
    assert parts["blue_length_px"] == pytest.approx(149.5, abs=0.02)


def test_each_side_of_an_outline_is_measured_for_itself():
    def paint(brush):
        corners = [(80, 80), (320, 80), (320, 320), (80, 320)]
        position = np.linspace(-1, 1, 81)
        lower = [(200 - 120 * t, 320 - 8 * (1 - t**2)) for t in position]
        points = [*corners[:3], *lower, corners[0]]
        brush.line([(4 * x, 4 * y) for x, y in points], fill=BLUE, width=20, joint="curve")

    parts = measure(canvas(paint), "side_straightness").parts
    assert parts["lower_sagitta_px"] == pytest.approx(8, abs=0.3)
    for side in ("upper", "left", "right"):
        assert parts[f"{side}_sagitta_px"] == pytest.approx(0, abs=0.3)


def test_an_apex_is_found_where_the_sides_meet_and_a_flat_top_where_the_ink_begins():
    genuine = measure(drawn("triangle_bisection", "A", "genuine"), "dot_position").parts
    control = measure(drawn("triangle_bisection", "A", "control_genuine"), "dot_position").parts
    assert genuine["to_top_px"] == pytest.approx(260, abs=0.05)
    assert control["to_top_px"] == pytest.approx(260, abs=0.01)


def test_a_cut_off_apex_is_a_shorter_figure():
    pixels = drawn("triangle_bisection", "A", "genuine").copy()
    pixels[:82] = 255
    assert measure(pixels, "dot_position").parts["to_top_px"] == pytest.approx(254, abs=0.1)


def test_lines_are_closer_together_on_the_side_where_they_converge():
    parts = measure(drawn("cafe_wall", "A", "fake"), "parallelism").parts
    assert parts["gap_left_px"] == pytest.approx(88, abs=0.2)
    assert parts["gap_right_px"] == pytest.approx(48, abs=0.2)


def test_bars_with_another_blue_level_are_another_colour():
    pixels = drawn("munker", "A", "genuine").copy()
    bars = (pixels == (224, 60, 70)).all(axis=2)
    bars[:, 336:] = False
    pixels[bars] = (224, 60, 71)
    found = measure(pixels, "bar_hue")
    assert found.parts["largest_channel_difference_8bit"] == 1
    assert 0 < found.value < 1


def test_tiles_of_the_mosaic_are_not_taken_for_the_large_squares():
    pixels = drawn("saturation_constancy", "A", "genuine")
    found = measure(pixels, "square_saturation", ("red",))
    assert [found.parts[f"left_{c}_8bit"] for c in ("red", "green", "blue")] == [178, 109, 104]


@pytest.mark.parametrize("size", [768, 224])
@pytest.mark.parametrize(
    ("figure", "tolerance"),
    [
        ("cafe_wall", 0.03),
        ("zoellner", 0.03),
        ("mueller_lyer", 0.5),
        ("hering", 0.3),
        ("orbison", 0.5),
        ("ebbinghaus", 0.1),
        ("triangle_bisection", 0.3),
        ("lightness_constancy", 0.1),
    ],
)
def test_values_survive_resizing(figure, tolerance, size):
    pixels = drawn(figure, "A", "fake")
    native, small = (measure(image, FEATURE[figure]) for image in (pixels, resized(pixels, size)))
    scale = 672 / size if native.unit == "px" else 1
    assert small.value * scale == pytest.approx(native.value, abs=tolerance)
    assert small.direction == native.direction


@pytest.mark.parametrize("feature", FEATURES)
def test_a_blank_image_has_no_feature(feature):
    with pytest.raises(AfterimageError, match=r"looked for .* found"):
        measure(np.full((672, 672, 3), 255, np.uint8), feature)


@pytest.mark.parametrize("feature", FEATURES)
def test_noise_has_no_feature(feature):
    noise = np.random.default_rng(7).integers(0, 256, (224, 224, 3), dtype=np.uint8)
    with pytest.raises(AfterimageError, match=r"looked for .* found"):
        measure(noise, feature)


@pytest.mark.parametrize(
    ("pixels", "feature", "hues", "message"),
    [
        ("mueller_lyer", "line_length", ("blue",), "blue line and found no blue pixel"),
        ("jastrow", "circle_size", ("red",), "looked for two red circles and found 1"),
        ("ebbinghaus", "side_straightness", ("red",), "one red four-sided outline and found 2"),
        ("sander", "coloured_line_length", ("red", "green"), "found no green pixel"),
        ("delboeuf", "bar_hue", ("green",), "two sets of green bars and found 0"),
        ("triangle_bisection", "square_saturation", ("green",), "large green squares and found 0"),
    ],
)
def test_what_is_missing_is_named(pixels, feature, hues, message):
    with pytest.raises(AfterimageError, match=message):
        measure(drawn(pixels, "A", "genuine"), feature, hues)


def test_one_circle_is_not_two():
    pixels = canvas(lambda brush: disc(brush, 100, 100, 60, RED))
    with pytest.raises(AfterimageError, match="two red circles and found 1"):
        measure(pixels, "circle_size")


def test_three_lines_are_not_two():
    def paint(brush):
        for y in (100, 200, 300):
            bar(brush, 50, y, 350, y + 6, RED)

    with pytest.raises(AfterimageError, match="two red lines and found 3"):
        measure(canvas(paint), "parallelism")


def test_a_dot_without_a_black_figure_has_no_position():
    pixels = canvas(lambda brush: disc(brush, 200, 200, 22, RED))
    with pytest.raises(AfterimageError, match="found no black ink"):
        measure(pixels, "dot_position")


def test_a_dot_outside_the_figure_is_not_between_its_ends():
    def paint(brush):
        bar(brush, 100, 100, 300, 300, BLACK)
        disc(brush, 200, 350, 22, RED)

    with pytest.raises(AfterimageError, match="found it outside"):
        measure(canvas(paint), "dot_position")


@pytest.mark.parametrize(
    "image",
    [
        np.zeros((672, 672), np.uint8),
        np.zeros((672, 672, 4), np.uint8),
        np.zeros((672, 672, 3), np.float64),
        np.zeros((32, 672, 3), np.uint8),
        [[0, 0, 0]],
    ],
)
def test_only_rgb_arrays_are_measured(image):
    with pytest.raises(AfterimageError, match="an image"):
        measure(image, "circle_size")


def test_an_unknown_feature_is_answered_with_the_nearest():
    with pytest.raises(AfterimageError, match="did you mean 'line_length'"):
        measure(drawn("ponzo", "A", "fake"), "line_lenght")


def test_an_unknown_hue_is_answered_with_the_known_ones():
    with pytest.raises(AfterimageError, match="unknown hue 'mauve'"):
        measure(drawn("ponzo", "A", "fake"), "line_length", ("mauve",))


def test_the_observer_imports_no_drawing_code_and_knows_no_illusion(scripts):
    folder = scripts / "afterimage" / "suites" / "illusions"
    allowed = (
        *("afterimage.errors", "afterimage.seeing", "afterimage.items.wording"),
        "afterimage.contract.stimulus",
        *("afterimage.suites.illusions.observer", "afterimage.suites.illusions.seeing"),
    )
    observer = (folder / f"{name}.py" for name in ("observer", "seeing", "seeing_strokes"))
    modules = [*observer, *(scripts / "afterimage" / "seeing").glob("*.py")]
    assert len(modules) > 10
    for module in modules:
        tree = ast.parse(module.read_text())
        imported = [
            name
            for node in ast.walk(tree)
            if isinstance(node, ast.Import | ast.ImportFrom)
            for name in (
                [f"{node.module}.{a.name}" for a in node.names]
                if isinstance(node, ast.ImportFrom)
                else [a.name for a in node.names]
            )
        ]
        own_modules = [name for name in imported if name.split(".")[0] == "afterimage"]
        assert all(name.startswith(allowed) for name in own_modules), module.name
        assert not {"importlib", "runpy"} & {name.split(".")[0] for name in imported}, module.name
        names = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
        assert not names & set(ILLUSIONS), module.name


@pytest.mark.parametrize("figure", [name for name in ILLUSIONS if name != "orbison"])
def test_inducers_of_the_opposite_sense_and_another_place_change_no_value(figure):
    conflict = {"strength": -0.5, "difference": 1.0, "variant": "A", "shift": (6, -5)}
    found = measure(draw_illusion(figure, conflict).pixels, FEATURE[figure])
    plain = measure(drawn(figure, "A", "fake"), FEATURE[figure])
    assert found.value == pytest.approx(plain.value, abs=0.05)
    assert (found.direction, found.leaning) == (plain.direction, plain.leaning)
