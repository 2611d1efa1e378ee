"""Small studies of others' images, one for each form of data that a suite reads: settings by name, files made here."""

import csv
import json
import zipfile

from release_samples import picture, write_hallusionbench, write_illusionvqa
from texture_samples import write_folder

_ABSENCE = "In this picture, a street is shown. There is no visual illusion in the image."
_OPTIONS = ["one", "two", "three", "four"]


def _rows(path, columns, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerows([columns, *rows])


def _lines(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))


def pope_questions(folder):
    """Write three official question files about pictures that each names first in another order."""
    pictures = [f"val_{number}.jpg" for number in range(4)]
    files = {}
    for turn, strategy in enumerate(("random", "popular", "adversarial")):
        order = pictures[turn:] + pictures[:turn]
        rows = [
            {
                "question_id": number,
                "image": name,
                "text": f"Is there a {thing} in the image?",
                "label": label,
            }
            for number, (name, thing, label) in enumerate(
                (name, thing, label)
                for name in order
                for thing, label in (("cat", "yes"), (f"{strategy} dog", "no"))
            )
        ]
        _lines(folder / f"coco_pope_{strategy}.json", rows)
        files[strategy] = str(folder / f"coco_pope_{strategy}.json")
    for name in pictures:
        picture(folder / "val" / name, "grey", "JPEG")
    return {
        "pope": {"source": "questions", "questions": files, "image_folder": str(folder / "val")}
    }


def pope_coco(folder):
    """Write instance annotations of five pictures of three things each, and the pictures."""
    things = ["apple", "ball", "cat", "dog", "egg", "fork", "glove"]
    names = [f"val_{number}.jpg" for number in range(5)]
    content = {
        "images": [{"id": number, "file_name": name} for number, name in enumerate(names)],
        "categories": [{"id": number, "name": name} for number, name in enumerate(things)],
        "annotations": [
            {"id": 10 * image + thing, "image_id": image, "category_id": (image + thing) % 7}
            for image in range(5)
            for thing in range(3)
        ],
    }
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "instances.json").write_text(json.dumps(content))
    for name in names:
        picture(folder / "val" / name, "grey", "JPEG")
    return {
        "pope": {
            "source": "coco",
            "instances": str(folder / "instances.json"),
            "image_folder": str(folder / "val"),
            "images": 4,
            "pairs": 2,
        }
    }


def pope_segmentation(folder):
    """Write a list of the objects in five pictures, and the pictures."""
    things = ["apple", "ball", "cat", "dog", "egg", "fork", "glove"]
    names = [f"val_{number}.jpg" for number in range(5)]
    _lines(
        folder / "segmentation.json",
        [
            {"image": name, "objects": [things[(index + step) % 7] for step in range(3)]}
            for index, name in enumerate(names)
        ],
    )
    for name in names:
        picture(folder / "val" / name, "grey", "JPEG")
    return {
        "pope": {
            "source": "segmentation",
            "segmentation": str(folder / "segmentation.json"),
            "image_folder": str(folder / "val"),
            "images": 4,
            "pairs": 2,
        }
    }


def own_images(folder):
    """Write two sets of a user's own pictures."""
    columns = ("image", "question", "options", "answer", "light")
    for name in ("zebras", "ants"):
        rows = [
            ("one.png", "How many are there?", "", "3", "day"),
            ("one.png", "Do they touch?", "", "yes", "day"),
            ("two.png", "Which is larger?", "left|right", "left", "night"),
        ]
        _rows(folder / name / "questions.csv", columns, rows)
        picture(folder / name / "one.png", "red")
        picture(folder / name / "two.png", "blue")
    sets = {name: str(folder / name) for name in ("zebras", "ants")}
    return {"images": {"sets": sets}}


def texture_folder(folder):
    """Write photographs with objects, words and votes."""
    folder.mkdir(parents=True, exist_ok=True)
    data = write_folder(folder, objects=6, votes=lambda pair, number: 5 if number % 2 else 0)
    for number in range(6):
        picture(folder / f"im{number:02d}.jpg", "brown", "JPEG", (40, 30))
    return {"texture": {"data": data, "choices": [2]}}


def hallusionbench(folder):
    """Write the release of HallusionBench: two categories, five questions."""
    write_hallusionbench(folder)
    return {"hallusionbench": {"folder": str(folder), "prompts": ["plain", "short"]}}


def illusionvqa(folder):
    """Write the archive of IllusionVQA."""
    write_illusionvqa(folder)
    return {"shahgir_illusionvqa": {"folder": str(folder), "prompts": ["zero_shot"]}}


def illusionbench_folder(folder):
    """Write a folder in the own form of the suite illusionbench: two categories."""
    columns = ("image_id", "file", "category", "difficulty", "width", "height", "source", "licence")
    _rows(
        folder / "images.csv",
        columns,
        [
            ("a-1", "a.png", "real_scene", "easy", "", "", "", ""),
            ("b_2", "b.jpg", "no_illusion", "hard", "", "", "", ""),
        ],
    )
    statement = {"statement": "There is an illusion.", "gold": False, "about": "presence"}
    _lines(
        folder / "tf.jsonl",
        [
            {"item_id": "t1", "image_id": "a-1", **statement},
            {"item_id": "t2", "image_id": "b_2", **statement},
        ],
    )
    choice = {"question": "What?", "options": _OPTIONS, "gold_index": 2, "about": "content"}
    _lines(folder / "mcq.jsonl", [{"item_id": "m1", "image_id": "a-1", **choice}])
    _lines(
        folder / "golden.jsonl",
        [
            {"image_id": name, "description": _ABSENCE, "has_illusion": False, "cause": ""}
            for name in ("a-1", "b_2")
        ],
    )
    picture(folder / "a.png", "black")
    picture(folder / "b.jpg", "white", "JPEG")
    return {"illusionbench": {"source": "folder", "folder": str(folder)}}


def illusionbench_release(folder):
    """Write the form of the official release of IllusionBench+: annotations, and an archive of pictures."""
    entries = [
        {
            "image_property": {
                "image_name": name,
                "Category": category,
                "Difficult Level": level,
                "Description": _ABSENCE,
            },
            "qa_data": [
                {
                    "Question": "There is an illusion.",
                    "Question Type": "TF",
                    "Correct Answer": "False",
                },
                {
                    "Question": "Which is it?\ni. the left\nii. the right\niii. both\niv. none",
                    "Question Type": "select",
                    "Correct Answer": "ii. the right",
                },
            ],
        }
        for name, category, level in (("stairs.png", "B", 0), ("rings.png", "A", 1))
    ]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "Image_properties.json").write_text(json.dumps(entries))
    with zipfile.ZipFile(folder / "IllusionDataset.zip", "w") as archive:
        for name in ("stairs.png", "rings.png"):
            picture(folder / name, "grey")
            archive.write(folder / name, f"IllusionDataset/{name}")
    release = {
        "annotations": str(folder / "Image_properties.json"),
        "images": str(folder / "IllusionDataset.zip"),
        "categories": {"A": "classical", "B": "real_scene"},
    }
    return {"illusionbench": {"source": "release", "release": release}}


#: Name of a form of data to what writes it into a folder and returns the suite's settings.
READER_STUDIES = {
    made.__name__: made
    for made in (
        *(pope_questions, pope_coco, pope_segmentation, own_images, texture_folder),
        *(hallusionbench, illusionvqa, illusionbench_folder, illusionbench_release),
    )
}
