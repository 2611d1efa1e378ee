"""The figures from their pixels: rules, pitfalls, both axes (docs/illusion_figures.md, sections 2 to 4)."""

import json
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from illusion_samples import draw_illusion, specs_of
from scipy import ndimage

from afterimage.drawing.canvas import flipped, mirrored
from afterimage.drawing.colour import BLUE, RED
from afterimage.errors import AfterimageError
from afterimage.files.png import decode_png, encode_png, pixels_sha256
from afterimage.fingerprints.reach import Reach
from afterimage.fingerprints.scripts import Scripts
from afterimage.suites.illusion_vqa.images import stimulus_ids
from afterimage.suites.illusion_vqa.suite import figure_named
from afterimage.suites.illusions.names import GRID_FIGURES, ILLUSIONS, VARIANTS, drawn_by

GOLDEN = json.loads((Path(__file__).parent / "golden_pixels.json").read_text())
FULL_BLEED = ("munker", "saturation_constancy", "lightness_constancy")
CORNERS = [(s, d) for s in (-1.0, -0.5, 0.5, 1.0) for d in (-1.0, 1.0)]
STRENGTHS = (-1.0, -0.5, 0.0, 0.5, 1.0)
DIFFERENCES = (-1.0, -0.75, -0.5, -0.25, -0.125, 0.0, 0.125, 0.25, 0.5, 0.75, 1.0)
SHIFTS_PX = ((-6, -6), (6, 6))


def drawing(figure, strength, difference, variant="A", shift=(0, 0)):
    return draw_illusion(
        figure,
        {"strength": strength, "difference": difference, "variant": variant, "shift": list(shift)},
    )


def pixels(*arguments, **keywords):
    return drawing(*arguments, **keywords).pixels


@pytest.fixture(scope="module")
def images():
    """All 120 stimuli, drawn once."""
    return {
        spec.stimulus_id: draw_illusion(figure, spec.parameters).pixels
        for figure in ILLUSIONS
        for spec in specs_of(figure)
    }


def exactly(image, colour):
    return (image == np.array(colour, dtype=np.uint8)).all(axis=-1)


def chromatic(image):
    """Pixels that are not neutral: a target has a visible share in them."""
    return np.ptp(image.astype(int), axis=-1) > 0


def differing(first, second):
    return (first != second).any(axis=-1)


def margin_is_empty(image, width):
    strips = (image[:width], image[-width:], image[:, :width], image[:, -width:])
    return all((strip == image[0, 0]).all() for strip in strips)


def exchange_colours(image):
    out = image.copy()
    out[exactly(image, RED)], out[exactly(image, BLUE)] = BLUE, RED
    return out


class TestCatalogue:
    def test_names_and_parameters_are_checked(self):
        with pytest.raises(AfterimageError, match="unknown illusion 'zollner': did you mean 'zoe"):
            figure_named("zollner")
        with pytest.raises(AfterimageError, match="fick: strength is 2, expected -1 to 1"):
            draw_illusion("fick", {"strength": 2, "difference": 0, "variant": "A"})
        with pytest.raises(AfterimageError, match="unknown variant 'C'"):
            draw_illusion("fick", {"strength": 1, "difference": 0, "variant": "C"})

    def test_no_figure_reaches_anything_of_another(self, scripts):
        reach = Reach(Scripts(scripts))
        figures = [reach.closure(reach.begin(drawn_by(figure))) for figure in GRID_FIGURES]
        reached = [
            {node for node in nodes if node.file.startswith("afterimage/suites/illusions/figures/")}
            for nodes in figures
        ]
        assert all(reached)
        assert sum(map(len, reached)) == len(set().union(*reached))

    def test_the_human_subset_has_17_pairs(self):
        genuine = [
            spec.factors["human_subset"]
            for figure in ILLUSIONS
            for spec in specs_of(figure)
            if spec.factors["condition"] == "genuine"
        ]
        assert (genuine.count("true"), genuine.count("false")) == (17, 13)

    def test_conditions_are_the_ends_of_the_two_axes(self):
        axes = {
            spec.factors["condition"]: (spec.parameters["strength"], spec.parameters["difference"])
            for spec in specs_of("sander")
        }
        assert axes == {
            "genuine": (1, 0),
            "fake": (1, 1),
            "control_genuine": (0, 0),
            "control_fake": (0, 1),
        }

    def test_inducers_are_absent_from_controls_alone(self):
        inducers = {s.factors["condition"]: s.factors["inducer"] for s in specs_of("ponzo")}
        assert inducers == {
            "genuine": "present",
            "fake": "present",
            "control_genuine": "absent",
            "control_fake": "absent",
        }


class TestPixels:
    def test_the_golden_list_names_all_120_stimuli(self):
        ids = [name for figure in ILLUSIONS for name in stimulus_ids(figure)]
        assert list(GOLDEN) == ids

    @pytest.mark.parametrize("figure", ILLUSIONS)
    def test_pixels_equal_the_golden_list_after_a_trip_through_png(self, figure, images):
        found = {
            name: pixels_sha256(decode_png(encode_png(images[name])))
            for name in stimulus_ids(figure)
        }
        assert found == {name: GOLDEN[name] for name in found}

    @pytest.mark.parametrize("figure", ILLUSIONS)
    def test_two_renders_are_equal(self, figure, images):
        for spec in specs_of(figure):
            again = draw_illusion(figure, spec.parameters).pixels
            assert np.array_equal(again, images[spec.stimulus_id])

    def test_all_images_are_672_px_rgb_and_distinct(self, images):
        for image in images.values():
            assert image.shape == (672, 672, 3)
            assert image.dtype == np.uint8
        assert len(set(GOLDEN.values())) == 120

    @pytest.mark.parametrize("figure", [f for f in ILLUSIONS if f not in FULL_BLEED])
    def test_no_ink_lies_within_4_px_of_the_border_at_any_jitter(self, figure, images):
        jitter_px = max(abs(step) for shift in SHIFTS_PX for step in shift)
        for name in stimulus_ids(figure):
            assert margin_is_empty(images[name], 4 + jitter_px)


class TestTargets:
    """Rules 3.4 and 3.6 to 3.8."""

    @pytest.mark.parametrize("variant", VARIANTS)
    @pytest.mark.parametrize("figure", [f for f in ILLUSIONS if f not in ("fick", "jastrow")])
    @pytest.mark.parametrize("twin", ["genuine", "fake"])
    def test_removing_the_inducer_leaves_solid_target_pixels_in_place(
        self, figure, variant, twin, images
    ):
        with_inducer = images[f"{figure}_{variant}_{twin}"]
        control = images[f"{figure}_{variant}_control_{twin}"]
        solid = solid_target(figure, control)
        assert solid.sum() > 300
        assert np.array_equal(with_inducer[solid], control[solid])

    @pytest.mark.parametrize("variant", VARIANTS)
    @pytest.mark.parametrize(
        "figure",
        [
            "hering",
            "orbison",
            "ebbinghaus",
            "delboeuf",
            "munker",
            "triangle_bisection",
            "saturation_constancy",
            "lightness_constancy",
            "ponzo",
        ],
    )
    def test_the_fake_changes_no_inducer_pixel_outside_the_targets(self, figure, variant, images):
        changed = differing(
            images[f"{figure}_{variant}_genuine"], images[f"{figure}_{variant}_fake"]
        )
        targets = np.zeros_like(changed)
        for twin in ("genuine", "fake"):
            control = images[f"{figure}_{variant}_control_{twin}"]
            targets |= any_target(figure, control)
        # A target's outermost sliver can be too thin to show on white and yet show on a ray.
        reach = ndimage.binary_dilation(targets)
        assert changed.any()
        assert not (changed & ~reach).any()

    @pytest.mark.parametrize("variant", VARIANTS)
    @pytest.mark.parametrize(("figure", "apart"), [("ebbinghaus", 314), ("delboeuf", 294)])
    def test_equal_discs_are_the_same_raster(self, figure, apart, variant, images):
        image = images[f"{figure}_{variant}_control_genuine"]
        columns = np.flatnonzero(chromatic(image).any(axis=0))
        middle = (columns[0] + columns[-1]) // 2
        left, right = image.copy(), image.copy()
        left[:, middle:], right[:, :middle] = 255, 255
        assert np.array_equal(left[:, :-apart], right[:, apart:])

    @pytest.mark.parametrize("variant", VARIANTS)
    def test_equal_arcs_are_the_same_raster(self, variant, images):
        image = images[f"jastrow_{variant}_genuine"]
        red, blue = exactly(image, RED), exactly(image, BLUE)
        assert np.array_equal(red[:-116], blue[116:])

    @pytest.mark.parametrize("variant", VARIANTS)
    @pytest.mark.parametrize("figure", ["sander", "jastrow"])
    def test_equal_targets_of_two_colours_are_mirror_images(self, figure, variant, images):
        image = images[f"{figure}_{variant}_control_genuine"]
        red, blue = exactly(image, RED), exactly(image, BLUE)
        box = np.flatnonzero((red | blue).any(axis=0))
        pair = slice(box[0], box[-1] + 1)
        assert np.array_equal(red[:, pair], blue[:, pair][:, ::-1])

    def test_the_palette_is_exact(self, images):
        for figure in ("cafe_wall", "zoellner", "hering", "orbison", "ebbinghaus", "delboeuf"):
            for variant, colour in (("A", RED), ("B", BLUE)):
                assert exactly(images[f"{figure}_{variant}_genuine"], colour).sum() > 1000
        for figure in ("fick", "jastrow", "sander"):
            for variant in VARIANTS:
                image = images[f"{figure}_{variant}_genuine"]
                assert exactly(image, RED).sum() > 1000
                assert exactly(image, BLUE).sum() > 1000


class TestCards:
    """What single cards prescribe or warn of."""

    @pytest.mark.parametrize("variant", VARIANTS)
    @pytest.mark.parametrize(("strength", "difference"), CORNERS)
    def test_jastrow_arcs_stay_12_px_apart(self, strength, difference, variant):
        image = pixels("jastrow", strength, difference, variant).astype(int)
        red, blue = image[..., 0] > image[..., 2], image[..., 2] > image[..., 0]
        between_centres = ndimage.distance_transform_edt(~red)[blue].min()
        assert between_centres - 1 >= 12

    @pytest.mark.parametrize("variant", VARIANTS)
    def test_jastrow_keeps_28_px_between_the_crowns(self, variant):
        for difference in (-1.0, 0.0, 1.0):
            column = pixels("jastrow", 1.0, difference, variant)[:, 336]
            inked = np.flatnonzero((column != 255).any(axis=-1))
            assert np.diff(inked).max() - 1 == pytest.approx(28, abs=1)

    def test_jastrow_arcs_keep_their_area_at_every_strength(self):
        areas = []
        for strength in (0.5, 1.0, -1.0):
            image = pixels("jastrow", strength, 0.0)
            areas.append(exactly(image, RED).sum())
        assert max(areas) / min(areas) < 1.01

    def test_veiled_tiles_have_the_cards_colours(self, images):
        image = images["saturation_constancy_A_genuine"]
        codes = ["9C8382", "9E8F7A", "9D987A", "889582", "7A928F", "7F8E9B", "8C8598", "9A8392"]
        veiled = {tuple(bytes.fromhex(code)) for code in codes} | {(0xB2, 0x6D, 0x68)}
        assert set(map(tuple, image[:, :336].reshape(-1, 3).tolist())) == veiled

    @pytest.mark.parametrize(
        ("name", "left", "right"),
        [
            ("saturation_constancy_A_genuine", "B26D68", "B26D68"),
            ("saturation_constancy_A_fake", "BD615B", "A67875"),
            ("saturation_constancy_B_genuine", "799F69", "799F69"),
            ("saturation_constancy_B_fake", "819A76", "72A45B"),
            ("munker_A_genuine", "E03C46", "E03C46"),
            ("munker_A_fake", "E05A34", "D72D5A"),
            ("munker_B_genuine", "3CA05A", "3CA05A"),
            ("munker_B_fake", "2D9B78", "5AA03C"),
        ],
    )
    def test_colour_targets_have_the_cards_colours(self, name, left, right, images):
        # Rows 320 and 328 begin an even and an odd stripe of Munker's figure.
        image = images[name]
        for x, code in ((180, left), (492, right)):
            expected = tuple(bytes.fromhex(code))
            assert expected in {tuple(image[y, x].tolist()) for y in (324, 332)}

    def test_halves_of_the_mosaic_are_mirror_images_in_the_same_palette(self, images):
        image = images["saturation_constancy_A_genuine"]
        tiles = image[28::56, 28::56].astype(int)
        pairs = {
            (tuple(a.tolist()), tuple(b.tolist()))
            for row in tiles
            for a, b in zip(row[:6], row[::-1][:6], strict=True)
        }
        assert len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs}) == 9

    def test_shaded_checks_have_the_cards_levels(self, images):
        image = images["lightness_constancy_A_genuine"][..., 0]
        assert {image[42, 42], image[42, 126]} == {231, 120}
        assert {image[42, 630], image[42, 546]} == {120, 59}

    @pytest.mark.parametrize(("difference", "levels"), [(0, (120, 120)), (1, (100, 140))])
    def test_marked_squares_have_the_cards_levels(self, difference, levels):
        image = pixels("lightness_constancy", 1.0, difference)
        assert (image[260, 180, 0], image[260, 430, 0]) == levels

    def test_no_shaded_level_hangs_on_a_last_bit(self):
        dark = ((120 / 255 + 0.055) / 1.055) ** 2.4
        for start, width in ((252, 168), (224, 224)):
            for ratio in (0.235, round(0.235**0.5, 6)):
                u = np.clip((np.arange(672) + 0.5 - start) / width, 0, 1)
                light = dark * (1 - (1 - ratio) * u * u * (3 - 2 * u))
                for reflected in (light, light / 0.235):
                    coded = 255 * (1.055 * reflected ** (1 / 2.4) - 0.055)
                    assert np.abs(coded % 1 - 0.5).min() > 1e-6

    @pytest.mark.parametrize(("strength", "rays"), [(1.0, 72), (0.5, 36)])
    def test_hering_strength_is_the_number_of_rays(self, strength, rays):
        image = pixels("hering", strength, 0.0)
        angle = np.radians(np.arange(0, 360, 0.05))
        x = (336 + 300 * np.cos(angle)).astype(int)
        y = (336 + 300 * np.sin(angle)).astype(int)
        dark = image[y, x].max(axis=-1) < 128
        assert (dark & ~np.roll(dark, 1)).sum() == rays

    def test_the_wundt_field_crosses_a_line_where_the_hering_field_does(self):
        hering, wundt = pixels("hering", 1.0, 0.0), pixels("hering", -1.0, 0.0)
        centres = []
        for image in (hering, wundt):
            ink = 255.0 - image[236:436, 272].mean(axis=-1)
            runs, count = ndimage.label(ink > 128)
            centres.append(ndimage.center_of_mass(ink, runs, range(1, count + 1)))
        # Four px outside the line's middle both kinds of ray are within 4 px * slope of the crossing.
        assert len(centres[0]) == len(centres[1])

    def test_the_hub_of_the_rays_is_empty(self, images):
        y, x = np.mgrid[:672, :672] + 0.5 - 336
        hub = np.hypot(x, y) < 21
        for variant in VARIANTS:
            assert (images[f"hering_{variant}_genuine"][hub] == 255).all()

    def test_orbison_has_no_opposite_field(self):
        with pytest.raises(AfterimageError, match=r"orbison: strength is -0.5, expected 0 to 1"):
            drawing("orbison", -0.5, 0.0)

    def test_fick_bars_do_not_overlap_at_the_junction(self, images):
        for variant in VARIANTS:
            image = images[f"fick_{variant}_genuine"]
            assert exactly(image, RED).sum() == exactly(image, BLUE).sum() == 360 * 6

    def test_ebbinghaus_inducers_follow_the_logarithm_of_their_ratio(self):
        image = pixels("ebbinghaus", 0.5, 0.0)
        share = (255.0 - image[..., 0]) / 128 * ~chromatic(image)
        blobs, count = ndimage.label(share > 0)
        areas = np.sort(ndimage.sum(share, blobs, range(1, count + 1)))[-14:]
        small, large = np.sqrt(areas[:8].mean()), np.sqrt(areas[8:].mean())
        assert np.log(large / small) == pytest.approx(np.log(116 / 28) / 2, abs=0.01)

    def test_delboeuf_rings_follow_the_logarithm_of_their_ratio(self):
        realised = drawing("delboeuf", 0.5, 0.0).realised
        ratio = realised["wide_ring_diameter_px"] / realised["close_ring_diameter_px"]
        assert np.log(ratio) == pytest.approx(np.log(2) / 2)

    def test_sander_diagonals_do_not_move_with_the_slant(self):
        full, half = pixels("sander", 1.0, 0.5), pixels("sander", 0.5, 0.5)
        assert np.array_equal(exactly(full, RED), exactly(half, RED))
        assert np.array_equal(exactly(full, BLUE), exactly(half, BLUE))

    def test_cafe_wall_rows_shift_by_half_a_tile(self, images):
        image = images["cafe_wall_A_genuine"][..., 0]
        even, odd = np.diff(image[64].astype(int)), np.diff(image[132].astype(int))
        assert 95 in np.flatnonzero(even < 0)
        assert 127 in np.flatnonzero(odd < 0)

    def test_mueller_lyer_fins_keep_their_length_when_they_turn(self):
        tall, flat = pixels("mueller_lyer", 0.5, 0.0), pixels("mueller_lyer", 1.0, 0.0)
        for image, height in ((tall, 2 * np.sqrt(84**2 - 34.4**2)), (flat, 2 * 48.2)):
            rows = np.flatnonzero((image[:336] != 255).any(axis=(1, 2)))
            assert rows[-1] - rows[0] + 1 == pytest.approx(height, abs=6)


class TestParametricExtension:
    """Section 9."""

    @pytest.mark.parametrize("figure", ILLUSIONS)
    def test_every_corner_of_the_grid_stays_on_the_canvas(self, figure):
        strengths = [s for s in STRENGTHS if s >= 0 or figure != "orbison"]
        for corner in product(strengths, (-1.0, 1.0), VARIANTS):
            image = pixels(figure, *corner, shift=SHIFTS_PX[1])
            assert image.shape == (672, 672, 3)
            assert figure in FULL_BLEED or margin_is_empty(image, 4), corner

    @pytest.mark.parametrize("figure", ILLUSIONS)
    def test_every_difference_gives_another_image_and_says_what_was_realised(self, figure):
        hashes = set()
        for difference in DIFFERENCES:
            drawn = drawing(figure, 1.0, difference)
            hashes.add(pixels_sha256(drawn.pixels))
            assert json.loads(json.dumps(drawn.realised)) == drawn.realised
            realised = [v for k, v in drawn.realised.items() if "nominal" in k]
            assert np.sign(realised) == [np.sign(difference)]
        assert len(hashes) == len(DIFFERENCES)

    @pytest.mark.parametrize("figure", ILLUSIONS)
    @pytest.mark.parametrize("shift", SHIFTS_PX)
    def test_a_shift_moves_the_figure_by_whole_pixels(self, figure, shift):
        at_rest, moved = pixels(figure, 1.0, 0.5), pixels(figure, 1.0, 0.5, shift=shift)
        dx, dy = shift
        expected = np.roll(at_rest, (dy, dx), axis=(0, 1))
        assert np.array_equal(moved[8:-8, 8:-8], expected[8:-8, 8:-8])

    @pytest.mark.parametrize("variant", VARIANTS)
    @pytest.mark.parametrize("strength", [0.5, 1.0])
    @pytest.mark.parametrize(
        ("figure", "mirror"),
        [
            ("cafe_wall", mirrored),
            ("ebbinghaus", mirrored),
            ("delboeuf", mirrored),
            ("saturation_constancy", mirrored),
            ("lightness_constancy", mirrored),
            ("triangle_bisection", flipped),
            ("ponzo", flipped),
            ("munker", lambda image: image[::-1, ::-1]),
        ],
    )
    def test_reversing_both_axes_gives_the_mirror_image(self, figure, mirror, strength, variant):
        for difference in (-1.0, -0.125, 0.75):
            image = pixels(figure, strength, difference, variant)
            reverse = pixels(figure, -strength, -difference, variant)
            assert np.array_equal(mirror(image), reverse)

    @pytest.mark.parametrize("strength", [0.0, 0.5, 1.0])
    @pytest.mark.parametrize(
        ("figure", "variant", "mirror"),
        [
            ("zoellner", "A", mirrored),
            ("zoellner", "B", lambda image: image[::-1, ::-1].transpose(1, 0, 2)),
            ("mueller_lyer", "A", flipped),
            ("mueller_lyer", "B", mirrored),
        ],
    )
    def test_reversing_both_axes_mirrors_attached_inducers_too(
        self, figure, variant, mirror, strength
    ):
        for difference in (-1.0, -0.125, 0.75):
            image = pixels(figure, strength, difference, variant)
            reverse = pixels(figure, -strength, -difference, variant)
            assert np.array_equal(mirror(image), reverse)

    @pytest.mark.parametrize("variant", VARIANTS)
    @pytest.mark.parametrize(("figure", "mirror"), [("sander", mirrored), ("jastrow", flipped)])
    def test_reversing_both_axes_mirrors_and_exchanges_the_colours(self, figure, mirror, variant):
        for strength in (0.5, 1.0):
            image = pixels(figure, strength, 0.75, variant)
            reverse = pixels(figure, -strength, -0.75, variant)
            exchanged = exchange_colours(mirror(image))
            assert np.array_equal(exactly(exchanged, RED), exactly(reverse, RED))
            assert np.array_equal(exactly(exchanged, BLUE), exactly(reverse, BLUE))

    def test_negative_fick_is_turned_by_90_degrees(self):
        assert np.array_equal(np.rot90(pixels("fick", 0.5, 0.25)), pixels("fick", -0.5, 0.25))

    @pytest.mark.parametrize(
        ("figure", "axis", "targets"),
        [("mueller_lyer", 1, None), ("ponzo", 1, None), ("fick", 1, (RED, BLUE))],
    )
    def test_realised_bar_lengths_are_those_on_the_pixels(self, figure, axis, targets):
        for difference in DIFFERENCES:
            drawn = drawing(figure, 0.0, difference)
            if targets:
                masks = [exactly(drawn.pixels, colour) for colour in targets]
            else:
                solid = exactly(drawn.pixels, RED)
                masks = [solid[:336], solid[336:]]
            first, second = (int(mask.sum(axis=axis).max()) for mask in masks)
            assert first % 2 == second % 2 == 0
            measured = 200 * (first - second) / (first + second)
            realised = drawn.realised["length_difference_realised_percent"]
            assert realised == pytest.approx(measured, abs=1e-5)
            assert realised == pytest.approx(20 * difference, abs=0.7)

    @pytest.mark.parametrize("variant", VARIANTS)
    @pytest.mark.parametrize("difference", [-1.0, 0.5])
    def test_strength_zero_draws_no_inducer(self, difference, variant):
        for figure in ILLUSIONS:
            image = pixels(figure, 0.0, difference, variant)
            if figure == "lightness_constancy":
                side = 84 if variant == "A" else 112
                assert differing(image, image[0, 0]).sum() == 2 * side * side
            elif figure == "triangle_bisection":
                black = np.argwhere(exactly(image, (0, 0, 0)))
                assert [*black.min(axis=0), *black.max(axis=0)] == [76, 136, 595, 535]
            else:
                ink = (np.abs(image.astype(int) - image[0, 0]) > 2).any(axis=-1)
                assert not (ink & ~chromatic(image)).any()


def solid_target(figure, control):
    """The pixels of a control that are wholly its targets'."""
    if figure in FULL_BLEED:
        return any_target(figure, control)
    return exactly(control, RED) | exactly(control, BLUE)


def any_target(figure, control):
    """The pixels of a control that hold any share of a target."""
    if figure == "triangle_bisection":
        return chromatic(control)
    return differing(control, control[0, 0])
