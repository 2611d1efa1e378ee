"""COCO's annotations become the suite's images and objects."""

import csv
import itertools
import json
from pathlib import Path

import pytest

from afterimage.commands.cli import main
from afterimage.suites.texture.coco import read_names
from afterimage.suites.texture.photographs import figure_positions, images_of

IDS = itertools.count(900)
NAMES = Path("resources/lexicons/coco_ja.csv")


def box(left, top, width, height):
    """A rectangle as a polygon."""
    right, bottom = left + width, top + height
    return [[left, top, right, top, right, bottom, left, bottom]]


def image(number, name, **more):
    return {"id": number, "file_name": name, "width": 100, "height": 80, **more}


def annotation(image_id, category, segmentation, **more):
    return {
        "id": next(IDS),
        "image_id": image_id,
        "category_id": category,
        "segmentation": segmentation,
        **more,
    }


def coco(annotations, images=None):
    return {
        "licenses": [{"id": 4, "name": "Attribution License"}],
        "images": images or [image(7, "000000000007.jpg", license=4, coco_url="http://x/7.jpg")],
        "categories": [{"id": 17, "name": "cat"}, {"id": 88, "name": "teddy bear"}],
        "annotations": annotations,
    }


@pytest.fixture
def converted(tmp_path, root, monkeypatch):
    """Run the command on annotations; return the rows of both files."""
    monkeypatch.chdir(root)

    def convert(content, *options):
        source, folder = tmp_path / "instances.json", tmp_path / "textures"
        source.write_text(json.dumps(content), encoding="utf-8")
        assert main(["coco", str(source), str(folder), *options]) == 0
        return [
            list(csv.DictReader((folder / name).open(encoding="utf-8", newline="")))
            for name in ("images.csv", "objects.csv")
        ]

    return convert


def areas(rows):
    return {(row["object_id"], row["area_mode"]): float(row["area_fraction"]) for row in rows}


def test_two_overlapping_instances_are_one_object_measured_in_three_ways(converted):
    cats = [
        annotation(7, 17, box(0, 0, 40, 40)),
        annotation(7, 17, box(20, 0, 40, 40)),
    ]
    images, objects = converted(coco(cats))
    assert images == [
        {
            "image_id": "000000000007",
            "file": "000000000007.jpg",
            "width": "100",
            "height": "80",
            "source": "http://x/7.jpg",
            "licence": "Attribution License",
        }
    ]
    assert areas(objects) == {
        ("cat", "mask_union"): 60 * 40 / 8000,
        ("cat", "mask_largest"): 40 * 40 / 8000,
        ("cat", "bbox"): 40 * 40 / 8000,
    }
    assert {(row["object_ja"], row["category"]) for row in objects} == {("猫", "cat")}


@pytest.mark.parametrize(("height", "kept"), [(15 * 0.8, 0), (16 * 0.8, 1)])
def test_exactly_15_percent_is_too_small(converted, height, kept):
    # The whole width; a pixel belongs to the mask if its centre does: 12 or 13 of 80 lines.
    small = annotation(7, 17, box(0, 0, 100, height))
    large = annotation(7, 88, box(0, 40, 100, 40))
    _, objects = converted(coco([small, large]))
    found = {row["object_id"] for row in objects}
    assert found == ({"cat", "teddy_bear"} if kept else {"teddy_bear"})


def test_images_without_a_large_object_and_crowds_are_left_out(converted):
    images = [image(1, "a.jpg"), image(2, "b.jpg"), image(3, "c.jpg")]
    crowd = {"size": [80, 100], "counts": [0, 8000]}
    given = [
        annotation(1, 17, box(0, 0, 10, 10)),
        annotation(2, 17, crowd, iscrowd=1),
        annotation(3, 17, {"size": [80, 100], "counts": [4000, 4000]}, iscrowd=0),
    ]
    rows, objects = converted(coco(given, images))
    assert [row["image_id"] for row in rows] == ["c"]
    # Run lengths go down the columns: the right half.
    assert areas(objects) == dict.fromkeys(
        [("cat", mode) for mode in ("mask_union", "mask_largest", "bbox")], 0.5
    )


def test_a_box_is_larger_than_the_mask_within_it(converted):
    triangle = [[0, 0, 100, 0, 0, 80]]
    _, objects = converted(coco([annotation(7, 17, triangle)]))
    found = areas(objects)
    assert found["cat", "mask_union"] == pytest.approx(0.5, abs=0.01)
    assert found["cat", "bbox"] > 0.95


def test_the_suite_reads_what_was_made(converted, tmp_path):
    converted(coco([annotation(7, 17, box(0, 0, 50, 80))]))
    settings = {
        "data": str(tmp_path / "textures"),
        "image_folder": "coco",
        "area_limit": 0.15,
        "area_mode": "mask_union",
    }
    (figure,) = figure_positions(settings)
    assert images_of(figure, settings) == [
        {"image_id": "000000000007", "file": "coco/000000000007.jpg", "size": [100, 80]}
    ]


def test_names_are_the_users_and_one_without_a_name_is_left_out(converted, tmp_path):
    names = tmp_path / "names.csv"
    names.write_text("category,object_ja\ncat,ねこ\nteddy bear,\n", encoding="utf-8")
    both = [annotation(7, 17, box(0, 0, 50, 80)), annotation(7, 88, box(50, 0, 50, 80))]
    _, objects = converted(coco(both), "--names", str(names))
    assert {row["object_ja"] for row in objects} == {"ねこ"}


def test_every_category_of_coco_has_a_japanese_name(root):
    names = read_names(root / NAMES)
    assert len(names) == 80
    assert all(names.values())


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ([], "it has no list 'images'"),
        (coco([annotation(7, 99, box(0, 0, 99, 79))]), "belongs to category 99, which"),
        (
            coco([{"id": 3, "image_id": 7, "category_id": 17}]),
            "annotations, entry 0: expected an object with the keys",
        ),
        (coco([annotation(7, 17, {"counts": "abc"})]), "found a mask that is neither"),
        (coco([annotation(7, 17, box(0, 0, 9, 9))]), "no object takes up more than 0.15"),
    ],
)
def test_a_file_of_another_kind_is_one_sentence(
    content, sentence, tmp_path, root, monkeypatch, capsys
):
    monkeypatch.chdir(root)
    source = tmp_path / "instances.json"
    source.write_text(json.dumps(content), encoding="utf-8")
    assert main(["coco", str(source), str(tmp_path / "out")]) == 1
    error = capsys.readouterr().err
    assert sentence in error
    assert error.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_what_is_there_is_not_overwritten(converted, tmp_path, capsys):
    converted(coco([annotation(7, 17, box(0, 0, 50, 80))]))
    again = [str(tmp_path / "instances.json"), str(tmp_path / "textures")]
    assert main(["coco", *again]) == 1
    assert "images.csv: there is such a file" in capsys.readouterr().err
