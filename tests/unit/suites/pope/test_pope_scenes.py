"""The drawn scenes: as specified, the same for ever, and told in COCO's words."""

import itertools
import json

import numpy as np
import pytest
from pope_material import (
    SEED,
    caption_of,
    english,
    items_of,
    lexicon,
    nested_scenes,
    pope_texts,
    scenes,
    settings,
    write_annotations,
)

from afterimage.drawing.canvas import Canvas
from afterimage.drawing.polygons import Region
from afterimage.errors import AfterimageError
from afterimage.suites.pope import design, side_files
from afterimage.suites.pope.extraction.by_lexicon import extract
from afterimage.suites.pope.scene import (
    CLASSES,
    COLOURS,
    PAPERS,
    SIDE_PX,
    Placed,
    Scene,
    draw_scene,
    silhouette,
)


def classes_of(scene):
    return {placed.name for placed in scene.objects}


class TestDesign:
    def test_there_are_30_scenes_of_3_to_5_classes_with_1_to_3_instances_in_one_colour(self):
        assert len(scenes()) == 30
        for scene in scenes(300):
            assert 3 <= len(classes_of(scene)) <= 5
            for name in classes_of(scene):
                members = [placed for placed in scene.objects if placed.name == name]
                assert 1 <= len(members) <= 3
                assert len({placed.colour for placed in members}) == 1

    def test_boxes_do_not_overlap_lie_in_the_image_and_take_at_least_4_percent_each(self):
        for scene in scenes(300):
            for placed in scene.objects:
                left, top, width, height = placed.bbox
                assert placed.area_fraction >= 0.04
                assert min(left, top) >= 4
                assert max(left + width, top + height) <= SIDE_PX - 4
            boxes = np.array([placed.bbox for placed in scene.objects])
            low, high = boxes[:, None, :2], boxes[:, None, :2] + boxes[:, None, 2:]
            apart = ((low >= high.swapaxes(0, 1)) | (low.swapaxes(0, 1) >= high)).any(axis=2)
            assert (apart | np.eye(len(boxes), dtype=bool)).all()

    def test_two_classes_of_each_scene_stand_there_once(self):
        for scene in scenes(300):
            names = [placed.name for placed in scene.objects]
            assert sum(names.count(name) == 1 for name in set(names)) >= 2

    def test_trees_are_frequent_and_moons_rare(self):
        many = scenes(300)
        trees = sum("tree" in classes_of(scene) for scene in many) / 300
        moons = sum("moon" in classes_of(scene) for scene in many) / 300
        assert trees == pytest.approx(0.6, abs=0.07)
        assert moons == pytest.approx(0.05, abs=0.03)
        assert sum("tree" in classes_of(scene) for scene in scenes()) in range(16, 21)

    def test_planted_pairs_occur_together(self):
        many = scenes(300)
        assert all("boat" in classes_of(scene) for scene in many if "moon" in classes_of(scene))
        cars = [scene for scene in many if "car" in classes_of(scene)]
        assert sum("house" in classes_of(scene) for scene in cars) / len(cars) > 0.6

    def test_all_16_classes_occur_so_that_three_are_always_left_to_deny(self):
        assert set().union(*map(classes_of, scenes())) == set(CLASSES)
        assert len(CLASSES) == 16
        assert set(CLASSES) == set(pope_texts()["lexicon"]["categories"])

    def test_more_scenes_change_none_and_another_seed_changes_all(self):
        assert scenes(40)[:30] == scenes()
        assert nested_scenes(20)[:10] == nested_scenes()
        assert not set(scenes(seed=SEED + 1)) & set(scenes())

    def test_too_few_scenes_for_negatives_are_one_sentence(self, monkeypatch):
        monkeypatch.setattr(design, "_WEIGHTS", {"house": 1.0, "car": 1.0, "ball": 1.0, "cup": 1.0})
        with pytest.raises(AfterimageError, match=r"suites.pope.scenes: 5 scenes hold \d classes"):
            design.scenes(5, SEED)

    def test_in_nested_scenes_one_thing_lies_in_the_opening_of_a_box_and_others_beside_it(self):
        for scene in nested_scenes(100):
            box, inner, *outside = scene.objects
            assert box.name == "box"
            assert len(outside) in (2, 3)
            assert len(classes_of(scene)) == len(scene.objects)
            left, top, side, _ = box.bbox
            x, y, width, height = inner.bbox
            assert x >= left + 0.09 * side + 6
            assert y >= top + 0.42 * side + 6
            assert x + width <= left + 0.67 * side - 6
            assert y + height <= top + 0.95 * side - 6
            for placed in outside:
                assert (
                    placed.bbox[0] >= left + side
                    or placed.bbox[1] >= top + side
                    or placed.bbox[0] + placed.bbox[2] <= left
                    or placed.bbox[1] + placed.bbox[3] <= top
                )


class TestDrawing:
    @pytest.mark.parametrize("name", CLASSES)
    def test_a_class_fills_its_box_in_one_colour_and_is_one_piece(self, name):
        from scipy import ndimage

        aspect = silhouette(name).aspect
        width = 200 * min(1, aspect)
        scene = Scene("x.png", "grey", (Placed(name, "red", (50, 60, width, width / aspect)),))
        ink = (draw_scene(scene) != PAPERS["grey"]).any(axis=2)
        rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
        assert columns[0] == 50
        assert rows[0] == 60
        assert columns[-1] + 1 == pytest.approx(50 + width, abs=1)
        assert rows[-1] + 1 == pytest.approx(60 + width / aspect, abs=1)
        assert ndimage.label(ink, np.ones((3, 3)))[1] == 1

    def test_no_paper_is_near_a_colour_of_an_object_and_orange_is_left_out(self):
        assert "orange" not in COLOURS
        assert len(COLOURS) == 8
        for paper in PAPERS.values():
            for colour in COLOURS.values():
                assert np.linalg.norm(np.subtract(paper, colour)) > 60

    def test_look_alikes_are_measured_and_not_felt(self):
        shapes = {name: filled(name) for name in CLASSES}
        similar = pope_texts()["lexicon"]["similar"]
        assert set(similar) == set(CLASSES)
        for name, others in similar.items():
            assert set(others) == set(CLASSES) - {name}
            overlaps = [
                (shapes[name] & shapes[other]).sum() / (shapes[name] | shapes[other]).sum()
                for other in others
            ]
            # Neighbours may be equal to a pixel's width.
            assert all(a >= b - 0.002 for a, b in itertools.pairwise(overlaps)), name


def filled(name):
    """A class's shape, with a box of one area for all, about one centre."""
    shape = silhouette(name)
    width = 200 * np.sqrt(shape.aspect)
    size = np.array([width, width / shape.aspect])
    canvas = Canvas((0, 0, 0), 400, 400)
    for outline, is_ink in shape.parts:
        level = 255 * is_ink
        canvas.paint(Region([outline * size + (400 - size) / 2]), (level, level, level))
    return canvas.pixels()[..., 0] > 127


class TestCaptions:
    def test_a_caption_names_all_objects_in_plain_words(self):
        placed = [Placed("ball", "red", (0,) * 4)] * 2
        placed += [Placed("car", "blue", (0,) * 4), Placed("umbrella", "green", (0,) * 4)]
        assert caption_of(Scene("x", "grey", tuple(placed))) == (
            "There are two red balls, a blue car and a green umbrella."
        )

    def test_names_without_a_singular_take_no_article(self):
        placed = (Placed("scissors", "red", (0,) * 4), Placed("cup", "blue", (0,) * 4))
        assert caption_of(Scene("x", "grey", placed)) == "There are red scissors and a blue cup."
        assert (
            caption_of(Scene("x", "grey", placed[::-1])) == "There is a blue cup and red scissors."
        )

    def test_the_extraction_finds_in_a_caption_exactly_what_was_drawn(self):
        for scene in scenes(100):
            found = extract(caption_of(scene), lexicon("drawn"), english())
            colours = {mention.category: mention.attributes[-1] for mention in found}
            assert colours == {placed.name: placed.colour for placed in scene.objects}
            for mention in found:
                count = sum(placed.name == mention.category for placed in scene.objects)
                counted = {1: (), 2: ("two",), 3: ("three",)}[count]
                assert mention.attributes[:-1] == counted


class TestAnnotations:
    def test_a_scene_survives_being_written_down(self):
        for scene in (*scenes(), *nested_scenes()):
            assert Scene.from_json(json.loads(json.dumps(scene.as_json()))) == scene

    def test_a_line_holds_what_one_needs_to_draw_it(self):
        line = json.loads(side_files.scene_lines(scenes()).split("\n")[0])
        assert {"image", "width", "height", "objects"} <= set(line)
        assert set(line["objects"][0]) == {"name", "colour", "count", "bbox", "area_fraction"}

    def test_the_files_are_read_by_cocos_reader_and_union_and_instances_agree(
        self, tmp_path, monkeypatch
    ):
        monkeypatch.chdir(tmp_path)
        write_annotations()
        by_mode = {}
        for mode in ("instances", "captions", "union", None):
            items = items_of(settings(ground_truth=mode, variants=["pope"]))
            by_mode[mode] = sorted((item["item_id"], item["key"]) for item in items)
            assert len(items) == 30 * 18
        assert by_mode["instances"] == by_mode["union"] == by_mode[None] == by_mode["captions"]

    def test_strategies_choose_different_negatives_for_at_least_half_of_the_images(
        self, tmp_path, monkeypatch
    ):
        monkeypatch.chdir(tmp_path)
        items = items_of(write_annotations(variants=["pope"]))
        negatives = {}
        for item in items:
            if item["key"] == "no":
                key = (item["stimulus_id"], item["factors"]["strategy"])
                negatives.setdefault(key, set()).add(item["factors"]["object"])
        images = {image for image, _ in negatives}
        for first, second in (
            ("random", "popular"),
            ("random", "adversarial"),
            ("popular", "adversarial"),
        ):
            differing = sum(negatives[image, first] != negatives[image, second] for image in images)
            assert differing >= len(images) / 2, (first, second)
