"""The suite's own format: what can be used is, what cannot is left out with its reason, and a broken file stops."""

import csv
import json
from dataclasses import replace

import numpy as np
import pytest
from illusionbench_rows import depends, drawing, items_of, planned, settings, specs, told
from PIL import Image

from afterimage.errors import AfterimageError
from afterimage.files.csv_rows import write_csv
from afterimage.suites.illusionbench import folder as folder_of
from afterimage.suites.illusionbench import observer, sources
from afterimage.suites.illusionbench.annotations import reasons

GOLDEN = "In this picture, a street is shown. There is no visual illusion in the image."
IMAGES = [
    {"image_id": "a-1", "file": "a.png", "category": "real_scene", "difficulty": "easy"},
    {"image_id": "b_2", "file": "b.jpg", "category": "no_illusion", "difficulty": "hard"},
]
STATEMENTS = [
    dict(zip(("item_id", "image_id", "statement", "gold", "about"), row, strict=True))
    for row in (
        ("t1", "a-1", "A {x} is shown.", True, "semantic"),
        ("t2", "a-1", "There is an illusion.", False, "presence"),
        ("t3", "b_2", "It is dark.", False, "semantic"),
    )
]
CHOICES = [
    {
        "item_id": "m1",
        "image_id": "a-1",
        "question": "What?",
        "options": ["one", "two", "three", "four"],
        "gold_index": 2,
        "about": "content",
    }
]
GOLDENS = [
    {"image_id": "a-1", "description": GOLDEN, "has_illusion": False, "cause": ""},
    {"image_id": "b_2", "description": GOLDEN, "has_illusion": False, "cause": ""},
]
PARTS = {"images": IMAGES, "statements": STATEMENTS, "choices": CHOICES, "goldens": GOLDENS}
CHOICE = ("multiple_choice", "m1")


@pytest.fixture
def folder(tmp_path):
    """Write a data set, with some of its parts replaced."""

    def write(images=IMAGES, statements=STATEMENTS, choices=CHOICES, goldens=GOLDENS):
        filled = [dict.fromkeys(folder_of._COLUMNS, "") | row for row in images]
        write_csv(tmp_path / "images.csv", filled, folder_of._COLUMNS)
        for name, rows in (("tf", statements), ("mcq", choices), ("golden", goldens)):
            lines = "".join(f"{json.dumps(row)}\n" for row in rows)
            (tmp_path / f"{name}.jsonl").write_text(lines)
        pixels = np.zeros((80, 100, 3), dtype=np.uint8)
        Image.fromarray(pixels).save(tmp_path / "a.png")
        Image.fromarray(pixels + 200).save(tmp_path / "b.jpg", exif=_turned())
        return settings(source="folder", folder=str(tmp_path))

    return write


def _turned():
    exif = Image.Exif()
    exif[0x0112] = 6  # taken with the camera on its side
    return exif


def changed(part, change):
    """A part of the data set whose first row is another."""
    first, *others = PARTS[part]
    return {part: [{**first, **change}, *others]}


def excluded(chosen):
    return {(row.kind, row.row_id): row.reason for row in sources.read(chosen).exclusions}


def test_figures_are_the_categories_that_occur(folder):
    suite = planned(folder())
    assert list(suite.figures) == ["real_scene", "no_illusion"]
    assert suite.stimulus_ids("real_scene") == ("a-1",)


def test_images_that_are_added_move_no_other(folder):
    few = planned(folder())
    before = {name: figure.position for name, figure in few.figures.items()}
    many = planned(folder(images=[*IMAGES, {**IMAGES[0], "image_id": "c"}]))
    assert {name: many.figures[name].position for name in before} == before
    assert len(set(before.values())) == len(before)


def test_items_are_made_of_the_annotations(folder):
    suite = planned(folder())
    images = [
        shown for figure in suite.figures for shown in sources.READER.shown(figure, suite.settings)
    ]
    items = items_of(images, suite)
    by_id = {item["item_id"]: item for item in items}
    statement = by_id["a-1/true_false/t1/true_false"]
    assert statement["messages"][0]["parts"][1]["text"].endswith("Description: A {x} is shown.")
    assert statement["key"] == "True"
    choice = by_id["a-1/multiple_choice/m1/multiple_choice"]
    texts = {option["option_id"]: option["text"] for option in choice["options"]}
    assert texts[choice["key"]] == "three"
    assert by_id["a-1/semantic/semantic"]["key"] == GOLDEN
    assert choice["factors"]["category"] == "real_scene"
    assert choice["factors"]["about"] == "content"


def test_changed_file_of_a_category_redraws_that_category(folder):
    named = planned(folder()).sources("real_scene")
    assert [name.split("/")[-1] for name in named] == ["a.png"]


def test_corrected_question_draws_nothing_and_is_asked_anew(folder):
    before = depends(folder())
    after = depends(folder(**changed("statements", {"gold": False})))
    assert before.drawn == after.drawn
    assert before.asked["real_scene"] != after.asked["real_scene"]
    assert before.asked["no_illusion"] == after.asked["no_illusion"]


def test_corrected_size_of_an_image_is_checked_by_drawing_it_again(folder):
    before = depends(folder())
    after = depends(folder(**changed("images", {"width": "100", "height": "80"})))
    assert before.drawn["real_scene"] != after.drawn["real_scene"]
    assert before.drawn["no_illusion"] == after.drawn["no_illusion"]
    assert before.asked == after.asked


def test_picture_is_turned_as_the_camera_says_and_loses_its_metadata(folder):
    suite = planned(folder())
    (spec,) = specs(suite, "no_illusion")
    assert drawing(suite, "no_illusion", spec).pixels.shape == (100, 80, 3)


def test_size_of_a_picture_is_measured_and_compared_with_its_annotation(folder):
    suite = planned(folder(images=[{**IMAGES[0], "width": "100", "height": "81"}]))
    (spec,) = specs(suite, "real_scene")
    with pytest.raises(AfterimageError, match=r"a\.png: found 100 x 80 px; expected 100 x 81"):
        drawing(suite, "real_scene", spec)
    found = observer.size(np.zeros((80, 100, 3), np.uint8), spec.factors)
    assert (found.columns["value"], found.columns["holds"]) == ("100x80", True)


def test_broken_image_names_the_way_round_it(folder, tmp_path):
    chosen = folder()
    (tmp_path / "a.png").write_bytes(b"no image")
    suite = planned(chosen)
    (spec,) = specs(suite, "real_scene")
    with pytest.raises(AfterimageError, match=r"list 'a-1' under suites\.illusionbench\.leave_out"):
        drawing(suite, "real_scene", spec)
    left = replace(chosen, leave_out=["a-1"])
    assert list(planned(left).figures) == ["no_illusion"]
    assert excluded(left)["image", "a-1"] == "left out by the configuration"


@pytest.mark.parametrize(
    ("part", "change", "row", "reason"),
    [
        ("images", {"category": "fractal"}, ("image", "a-1"), "unknown category"),
        ("images", {"difficulty": "5"}, ("image", "a-1"), "unknown difficulty"),
        ("images", {"file": "c.png"}, ("image", "a-1"), "no image file"),
        ("choices", {"options": ["one", "two"]}, CHOICE, "not 4 options"),
        ("choices", {"options": ["one", "One.", "3", "4"]}, CHOICE, "two options are the same"),
        ("choices", {"options": ["one", " ", "3", "4"]}, CHOICE, "an option without text"),
        ("choices", {"gold_index": 4}, CHOICE, "the answer is not among the options"),
        (
            "goldens",
            {"description": "A street."},
            ("description", "a-1"),
            "no sentence on the presence of an illusion",
        ),
        (
            "goldens",
            {"has_illusion": True},
            ("description", "a-1"),
            "its sentence on the presence of an illusion says otherwise than has_illusion",
        ),
        ("statements", {"image_id": "z"}, ("true_false", "t1"), "its image is not in images.csv"),
    ],
)
def test_row_that_cannot_be_used_is_left_out_with_its_reason(folder, part, change, row, reason):
    assert excluded(folder(**changed(part, change)))[row] == reason


def test_questions_of_an_image_that_is_left_out_are_listed_too(folder):
    chosen = folder(**changed("images", {"category": "fractal"}))
    found = excluded(chosen)
    assert found["true_false", "t1"] == found["multiple_choice", "m1"] == "its image is left out"


def test_image_without_any_usable_question_is_left_out(folder):
    chosen = folder(statements=STATEMENTS[:2], goldens=GOLDENS[:1])
    assert excluded(chosen) == {("image", "b_2"): "no usable question"}


def test_exclusions_are_written_as_csv_and_counted_for_the_footnotes(folder, tmp_path):
    chosen = folder(**changed("choices", {"gold_index": 9}))
    files = planned(chosen).side_files["exclusions"]
    output = tmp_path / "out.csv"
    sources.write(files.spec, files.inputs, [str(output)])
    (row,) = csv.DictReader(output.open())
    assert (row["kind"], row["row_id"], row["image_id"]) == ("multiple_choice", "m1", "a-1")
    assert row["reason"] == "the answer is not among the options"
    counted = told(chosen)["exclusions"]
    assert counted == {"multiple_choice: the answer is not among the options": 1}
    assert reasons(sources.read(chosen).exclusions) == counted


def test_drawn_set_leaves_nothing_out(tmp_path):
    files = planned().side_files["exclusions"]
    output = tmp_path / "out.csv"
    sources.write(files.spec, files.inputs, [str(output)])
    assert output.read_text() == "kind,row_id,image_id,reason,detail\n"


@pytest.mark.parametrize(
    ("part", "change", "message"),
    [
        ("images", {"image_id": "b_2"}, "line 3: image_id 'b_2' occurs here for the second time"),
        ("images", {"image_id": "a/1"}, "line 2: image_id 'a/1' is not usable in file names"),
        ("images", {"width": "wide", "height": "3"}, "line 2: found width 'wide'"),
        ("statements", {"gold": "True"}, "tf.jsonl, line 1: found gold 'True'; expected true or"),
        ("statements", {"item_id": "t2"}, "line 2: item_id 't2' occurs here for the second time"),
        ("statements", {"about": "mood"}, "found about 'mood'; expected semantic or presence"),
        ("choices", {"options": "abcd"}, "mcq.jsonl, line 1: found options 'abcd'"),
        ("choices", {"gold_index": "2"}, "found gold_index '2'"),
        ("goldens", {"has_illusion": None}, "found has_illusion None"),
    ],
)
def test_file_that_does_not_follow_the_format_stops_with_its_line(folder, part, change, message):
    with pytest.raises(AfterimageError) as caught:
        sources.read(folder(**changed(part, change)))
    assert message in str(caught.value)


def test_line_that_is_no_json_stops_with_its_number(folder, tmp_path):
    chosen = folder()
    with (tmp_path / "tf.jsonl").open("a") as file:
        file.write("{not json}\n")
    with pytest.raises(AfterimageError, match=r"tf\.jsonl, line 4: not a JSON object"):
        sources.read(chosen)


def test_missing_folder_is_one_sentence():
    with pytest.raises(
        AfterimageError, match=r"illusionbench\.folder: found nothing; expected the folder"
    ):
        planned(settings(source="folder"))


def test_missing_file_is_one_sentence(tmp_path):
    with pytest.raises(
        AfterimageError, match=r"images\.csv' does not exist; expected images\.csv, tf\.jsonl"
    ):
        planned(settings(source="folder", folder=str(tmp_path)))


def test_edited_annotations_are_read_again(folder):
    first = sources.read(folder()).version
    second = sources.read(folder(statements=STATEMENTS[:2])).version
    assert first != second
