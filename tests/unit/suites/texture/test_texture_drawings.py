"""The drawings carry the properties that their words name, and the observer finds them in the pixels alone."""

from itertools import product

import numpy as np
import pytest
from PIL import Image
from texture_samples import items, settings, specs_of, study_suite, text_of, write_folder

from afterimage.errors import AfterimageError
from afterimage.files.png import encode_png
from afterimage.grading.readers import numbered_option, word_list
from afterimage.seeing import surfaces
from afterimage.suites.texture import photographs, seeing
from afterimage.suites.texture.drawing import draw
from afterimage.suites.texture.materials import (
    HUES,
    MATERIALS,
    SHAPES,
    all_images,
    images_of,
    material,
)

SEED = 20250310
#: The ground alone.
SQUARES = np.repeat(
    np.kron(np.indices((16, 16)).sum(axis=0) % 2, np.ones((16, 16)))[..., None], 3, axis=2
).astype(np.uint8)


@pytest.fixture(scope="module")
def drawn():
    return {image.image_id: draw(image.image_id, SEED).pixels for image in all_images()}


@pytest.fixture(scope="module")
def found(drawn):
    return {name: surfaces.measure_properties(pixels) for name, pixels in drawn.items()}


def everywhere(found, first, other, property_name):
    """Compare two materials in every shape and hue."""
    return [
        (
            getattr(found[f"{first}_{shape}_{hue}"], property_name),
            getattr(found[f"{other}_{shape}_{hue}"], property_name),
        )
        for shape, hue in product(SHAPES, HUES)
    ]


class TestProperties:
    def test_glossy_has_highlights_and_matte_has_none(self, found):
        for glossy, matte in everywhere(found, "glossy", "matte", "highlight_percent"):
            assert glossy > 0.2 and matte == 0

    def test_rough_changes_much_more_from_pixel_to_pixel_than_matte(self, found):
        for rough, matte in everywhere(found, "rough", "matte", "gradient"):
            assert rough > 5 * matte

    def test_a_checkerboard_is_seen_through_transparent_and_not_through_glossy(self, found):
        for transparent, glossy in everywhere(found, "transparent", "glossy", "checker"):
            assert transparent > 0.9 and glossy < 0.1

    def test_metallic_has_steep_bands_without_grooves(self, found):
        for metallic, matte in everywhere(found, "metallic", "matte", "steepest"):
            assert metallic > 3 * matte
        assert all(m < 0.05 for m, _ in everywhere(found, "metallic", "matte", "groove_share"))

    def test_hairs_stand_out_from_fluffy_and_from_nothing_else(self, found):
        for name, properties in found.items():
            assert (properties.raggedness > 3) == name.startswith("fluffy")

    def test_wet_has_many_small_highlights_and_glossy_has_not(self, found):
        for wet, glossy in everywhere(found, "wet", "glossy", "spots"):
            assert wet >= 30 and glossy == 0

    def test_cracked_has_grooves_as_rough_has_but_hardly_any_colour(self, found):
        for cracked, rough in everywhere(found, "cracked", "rough", "groove_share"):
            assert min(cracked, rough) > 0.1
        for cracked, rough in everywhere(found, "cracked", "rough", "saturation"):
            assert cracked < rough / 2

    def test_woven_and_grainy_are_regular_and_only_woven_along_both_axes(self, found):
        for woven, grainy in everywhere(found, "woven", "grainy", "pattern_percent"):
            assert min(woven, grainy) > 2
        for woven, grainy in everywhere(found, "woven", "grainy", "crossing"):
            assert woven > 0.8 and grainy < 0.3
        others = {known.name for known in MATERIALS} - {"woven", "grainy"}
        assert all(
            properties.pattern_percent < 0.5
            for name, properties in found.items()
            if name.split("_")[0] in others
        )

    def test_hue_and_shape_are_crossed_with_material(self):
        images = list(images_of("materials"))
        assert len(images) == 40
        shown = {(image.material, image.layout.shape, image.hue) for image in images}
        assert shown == set(product([known.name for known in MATERIALS], SHAPES, HUES))

    def test_both_hues_of_a_material_look_alike_without_their_colour(self, drawn):
        for known in MATERIALS:
            if known.name in ("rough", "fluffy", "wet", "cracked", "grainy", "woven"):
                # Places are drawn by lot for each image.
                continue
            warm, cool = (drawn[f"{known.name}_sphere_{hue}"].mean(axis=2) for hue in HUES)
            assert np.corrcoef(warm.ravel(), cool.ravel())[0, 1] > 0.9


class TestArea:
    def test_the_share_of_the_pixels_is_the_share_in_the_table(self, drawn, found):
        for image in all_images():
            share = image.layout.area_fraction
            if image.material == "fluffy":
                assert share < found[image.image_id].area_fraction < share + 0.1
            else:
                assert found[image.image_id].area_fraction == share

    def test_the_images_at_the_limit_are_exact(self, found):
        shares = [found[f"area_limit_{n}"].area_fraction for n in ("0100", "0150", "0151")]
        assert shares == [0.1, 0.15, 0.151]

    def test_images_are_256_px_wide_and_never_touch_their_border(self, drawn):
        for name, pixels in drawn.items():
            assert pixels.shape in ((256, 256, 3), (250, 256, 3)) and pixels.dtype == np.uint8
            mask = surfaces.find_object(pixels)
            assert not (mask[0].any() or mask[-1].any() or mask[:, 0].any() or mask[:, -1].any()), (
                name
            )


class TestObserver:
    def test_it_recognises_every_image_that_is_drawn(self, found):
        for image in all_images():
            assert seeing.name_material(found[image.image_id]) == image.material

    @pytest.mark.parametrize("name", ["rough", "fluffy", "wet", "cracked", "woven", "grainy"])
    def test_it_recognises_other_draws_too(self, name):
        for layout in ("sphere_warm", "tile_cool"):
            assert seeing.material_of(draw(f"{name}_{layout}", seed=1).pixels) == name

    def test_it_answers_every_question_right_in_the_form_asked_for(self, drawn):
        shown = {image.image_id: image.material for image in all_images()}
        for item in items():
            reply = seeing.answer(drawn[item["stimulus_id"]], text_of(item))
            options = [(option["option_id"], option["text"]) for option in item["options"]]
            if item["question"] == "describe":
                words = word_list.words_of(word_list.parse(reply).answer)
                known = material(shown[item["stimulus_id"]])
                assert words[:2] == known.gold and words[2] in known.compatible
            else:
                parsed = numbered_option.parse(reply, options)
                assert (parsed.answer, parsed.outcome) == (item["key"], "exact")

    def test_of_a_photograph_it_says_that_it_has_no_idea(self):
        pixels = np.random.default_rng(1).integers(0, 255, (200, 300, 3), dtype=np.uint8)
        text = text_of(items()[1])
        assert seeing.answer(pixels, text) == "わかりません"
        with pytest.raises(AfterimageError, match="no neutral ground"):
            seeing.material_of(pixels)

    def test_of_a_thing_on_white_paper_it_has_no_idea_either(self):
        pixels = np.full((200, 300, 3), 255, dtype=np.uint8)
        pixels[50:150, 50:250] = (200, 90, 40)
        assert seeing.answer(pixels, text_of(items()[1])) == "わかりません"

    def test_without_a_fitting_option_it_says_that_it_has_no_idea(self, drawn):
        text = text_of(items()[0])
        head = text[: text.rindex("　　0:")]
        reply = seeing.answer(drawn["matte_tile_warm"], f"{head}　　0: 甘い　　1: 辛い")
        assert reply == "わかりません"

    def test_a_question_of_another_kind_is_refused(self, drawn):
        with pytest.raises(
            AfterimageError, match="neither offers numbered words nor asks for three"
        ):
            seeing.answer(drawn["matte_tile_warm"], "How many lines are there?")

    @pytest.mark.parametrize(
        ("array", "message"),
        [
            (np.zeros((256, 256), dtype=np.uint8), "must be a uint8 array"),
            (np.zeros((256, 256, 3)), "must be a uint8 array"),
            (np.zeros((32, 256, 3), dtype=np.uint8), "at least 64 px a side"),
            (np.zeros((256, 256, 3), dtype=np.uint8), "no neutral ground of two tones"),
            (SQUARES, "nothing on its ground"),
        ],
    )
    def test_what_is_no_such_image_is_refused(self, array, message):
        with pytest.raises(AfterimageError, match=message):
            seeing.material_of(array)


class TestMeasuring:
    def found(self, drawn, name="glossy_tile_warm", **factors):
        image = next(candidate for candidate in all_images() if candidate.image_id == name)
        expected = {
            "material": image.material,
            "area_fraction": f"{image.layout.area_fraction:.6f}",
        }
        return seeing.measure(drawn[name], {**expected, **factors})

    def test_stimuli_of_every_material_and_size_hold(self, drawn):
        images = [image for image in all_images() if image.hue == "warm"]
        found = [self.found(drawn, image.image_id) for image in images]
        assert all(measured.holds for measured in found)
        assert [measured.value for measured in found] == [image.material for image in images]

    def test_another_material_than_the_words_say_stops_the_workflow(self, drawn):
        found = self.found(drawn, material="matte")
        assert found.stops and not found.holds
        assert (found.remark, found.expected) == ("found the material glossy", "matte")
        assert found.columns["remark"] == "found the material glossy, expected matte"

    @pytest.mark.parametrize("share", ["0.390610", "0.390640"])
    def test_another_share_than_the_table_says_stops_the_workflow(self, drawn, share):
        found = self.found(drawn, area_fraction=share)
        assert found.stops and not found.holds
        assert found.remark == "the object takes up 0.390625 of the image"
        assert found.expected == share

    def test_an_image_without_an_object_stops_the_workflow(self, drawn):
        found = self.found({"glossy_tile_warm": SQUARES})
        assert found.stops and not found.holds
        assert "nothing on its ground" in found.remark
        assert found.columns["remark"] == found.remark

    def test_of_an_image_that_is_in_no_study_the_material_is_named(self, drawn):
        assert seeing.measure(drawn["wet_tile_cool"], {}).value == "wet"
        with pytest.raises(AfterimageError, match="nothing on its ground"):
            seeing.measure(SQUARES, {})

    @pytest.mark.parametrize(("size", "fits"), [("40x30", True), ("30x40", True), ("40x31", False)])
    def test_a_photograph_has_to_have_its_size(self, size, fits):
        found = photographs.measure(np.zeros((30, 40, 3), dtype=np.uint8), {"size": size})
        assert (found.holds, found.stops) == (fits, True)

    def test_photographs_have_the_columns_of_drawn_materials(self, drawn):
        photograph = photographs.measure(np.zeros((30, 40, 3), dtype=np.uint8), {"size": "40x30"})
        assert list(photograph.columns) == list(self.found(drawn).columns)


class TestStimuli:
    def test_the_same_seed_gives_the_same_pixels_and_another_others(self):
        parameters = specs_of(study_suite(settings(seed=1)), "materials")[8].parameters
        first, again = (draw(**parameters).pixels for _ in range(2))
        other = draw(**{**parameters, "seed": 2}).pixels
        assert (first == again).all() and (first != other).any()

    def test_photographs_are_decoded_as_rgb_of_their_size(self, tmp_path):
        folder = write_folder(tmp_path / "d", 3)
        for name in ("im00", "im01", "im02"):
            Image.new("L", (40, 30), 128).save(tmp_path / "d" / f"{name}.jpg")
        specs = specs_of(study_suite(settings(data=folder)), "photographs_0000")
        assert [spec.stimulus_id for spec in specs] == ["im00", "im01", "im02"]
        pixels = photographs.draw(**specs[0].parameters).pixels
        assert pixels.shape == (30, 40, 3)
        assert encode_png(pixels)

    def test_a_photograph_that_its_camera_turned_stands_upright(self, tmp_path):
        exif = Image.Exif()
        exif[0x0112] = 6
        Image.new("RGB", (40, 30)).save(tmp_path / "a.jpg", exif=exif)
        pixels = photographs.draw(str(tmp_path / "a.jpg"), [40, 30]).pixels
        assert pixels.shape == (40, 30, 3)

    @pytest.mark.parametrize(
        ("content", "size", "message"),
        [
            (None, [40, 30], "no such file; expected the image that images.csv names"),
            (b"no image", [40, 30], "not a readable image"),
            ("picture", [40, 31], r"is 40 x 30 px; images\.csv says 40 x 31"),
        ],
    )
    def test_a_photograph_that_cannot_be_used_is_named(self, tmp_path, content, size, message):
        path = tmp_path / "a.png"
        if content == "picture":
            Image.new("RGB", (40, 30)).save(path)
        elif content:
            path.write_bytes(content)
        with pytest.raises(AfterimageError, match=message):
            photographs.draw(str(path), size)
