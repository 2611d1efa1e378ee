"""POPE's official question files as a whole, and as people have them: other layouts, names, endings and keys.

Public reports: haotian-liu/LLaVA#806 (where val2014 has to lie), haotian-liu/LLaVA#626 and TRI-ML/vlm-evaluation#15
(releases of 2,910 and 3,000 questions).
"""

import csv
import gzip
import json
import os
import random
from pathlib import Path

import pytest
from hub_samples import parquet
from PIL import Image
from workspace import Workspace

from afterimage.errors import AfterimageError
from afterimage.suites.pope.figures import released
from afterimage.suites.pope.files import ImageFolder, read_questions

STRATEGIES = ("random", "popular", "adversarial")
REFERENCE = Path(os.environ.get("AFTERIMAGE_REFERENCE", "-"), "reference", "pope")
OFFICIAL = pytest.mark.skipif(
    not REFERENCE.is_dir(),
    reason="the environment variable AFTERIMAGE_REFERENCE is not set; expected the folder that holds reference/pope/",
)
NAMES = [f"COCO_val2014_{number:012d}.jpg" for number in (42, 73, 139)]


def draw(path, seed=0):
    """A small picture of its own colours."""
    path.parent.mkdir(parents=True, exist_ok=True)
    picture = Image.new("RGB", (4, 3))
    picture.putdata([(seed * 7 % 256, index * 20, seed % 256) for index in range(12)])
    picture.resize((40, 30)).save(path)


def rows_about(names, absent="unicorn"):
    """Two questions about each image, in the official form."""
    return [
        {
            "question_id": 2 * number + index + 1,
            "image": name,
            "text": f"Is there a {what} in the image?",
            "label": label,
        }
        for number, name in enumerate(names)
        for index, (what, label) in enumerate((("dining table", "yes"), (absent, "no")))
    ]


def lines(rows):
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def settings_of(folder, texts, image_folder="val2014"):
    """Write question files and return the settings that the images are read with."""
    paths = {}
    for strategy, text in texts.items():
        paths[strategy] = str(folder / f"coco_pope_{strategy}.json")
        Path(paths[strategy]).write_text(text, encoding="utf-8")
    return {"questions": paths, "dataset": "coco", "image_folder": str(folder / image_folder)}


@OFFICIAL
def test_the_official_files_are_kept_to_the_letter():
    for strategy in STRATEGIES:
        path = REFERENCE / f"coco_pope_{strategy}.json.gz"
        rows = [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
        read = read_questions(path)
        assert (len(read.questions), read.repeated) == (3000, 0)
        assert read.version.startswith("current release")
        assert [(question.image, question.text, question.label) for question in read.questions] == [
            (row["image"], row["text"], row["label"]) for row in rows
        ]
        texts = {question.text for question in read.questions}
        assert "Is there a dining table in the image?" in texts
    assert "Is there an traffic light in the image?" in {
        question.text
        for question in read_questions(REFERENCE / "coco_pope_random.json.gz").questions
    }


@OFFICIAL
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_hub_s_form_of_an_official_file_is_the_official_file(tmp_path, strategy):
    official = read_questions(REFERENCE / f"coco_pope_{strategy}.json.gz")
    rows = [
        {
            "id": str(number),
            "question_id": question.question_id,
            "question": question.text,
            "answer": question.label,
            "image_source": question.image.removesuffix(".jpg"),
            "category": strategy,
        }
        for number, question in enumerate(official.questions)
    ]
    path = tmp_path / f"{strategy}-00000-of-00001.parquet"
    path.write_bytes(parquet(rows))
    read = read_questions(path)
    assert (read.sha256, read.version) == (official.sha256, official.version)
    assert [question[:4] for question in read.questions] == [
        question[:4] for question in official.questions
    ]


@OFFICIAL
@pytest.mark.parametrize("order", [STRATEGIES, STRATEGIES[::-1]])
def test_the_official_files_have_500_images_whatever_their_order(tmp_path, order):
    paths = {one: str(REFERENCE / f"coco_pope_{one}.json.gz") for one in order}
    names = {one.image for one in read_questions(paths["random"]).questions}
    for number, name in enumerate(sorted(names)):
        draw(tmp_path / name, number)
    settings = {"questions": paths, "dataset": "coco", "image_folder": str(tmp_path)}
    images = released("questions", settings)
    assert (len(images), sum(len(one.questions) for one in images)) == (500, 9000)
    assert all(one.file for one in images)
    assert {
        strategy: sum(asked.strategy == strategy for one in images for asked in one.questions)
        for strategy in STRATEGIES
    } == dict.fromkeys(STRATEGIES, 3000)
    assert [asked.strategy for asked in images[0].questions] == [
        *["random"] * 6,
        *["popular"] * 6,
        *["adversarial"] * 6,
    ]


class TestForms:
    """The same questions as others write them are the same questions."""

    ROWS = rows_about(NAMES)

    @pytest.mark.parametrize(
        "text",
        [
            json.dumps(ROWS),
            json.dumps(ROWS, indent=2),
            f"\ufeff{lines(ROWS)}",
            f"\ufeff{json.dumps(ROWS)}",
            lines(ROWS).replace("\n", "\r\n"),
            lines(ROWS).replace("\n", "\n\n").rstrip(),
            lines([row | {"label": row["label"].upper()} for row in ROWS]),
            lines([row | {"label": f" {row['label'].title()} "} for row in ROWS]),
            lines([row | {"question_id": str(row["question_id"])} for row in ROWS]),
            lines([row | {"question_id": float(row["question_id"])} for row in ROWS]),
            lines([row | {"category": "random", "objects": None, "id": 3} for row in ROWS]),
            # As lmms-eval and VLMEvalKit copy them.
            lines(
                [
                    {
                        "id": str(place),
                        "question_id": str(row["question_id"]),
                        "question": row["text"],
                        "answer": row["label"].title(),
                        "image_source": row["image"],
                        "category": "popular",
                    }
                    for place, row in enumerate(ROWS)
                ]
            ),
            lines(
                [
                    {"image_source": row["image"], **row, "image": {"bytes": "...", "path": None}}
                    for row in ROWS
                ]
            ),
        ],
    )
    def test_are_read_alike(self, tmp_path, text):
        (tmp_path / "official.json").write_text(lines(self.ROWS))
        (tmp_path / "theirs.json").write_text(text, encoding="utf-8")
        official, theirs = (
            read_questions(tmp_path / f"{one}.json") for one in ("official", "theirs")
        )
        assert theirs.questions == official.questions
        assert len(official.questions) == 6

    @pytest.mark.parametrize(
        ("change", "sentence"),
        [
            ({"label": None}, "entry 2 is not as expected: found label None"),
            ({"label": "1"}, "found label '1'; expected questions of the form"),
            ({"text": " "}, "found text ' '"),
            ({"image": 42}, "found image 42"),
            ({"image": ""}, "found image ''"),
        ],
    )
    def test_what_is_no_question_is_named_with_what_was_found(self, tmp_path, change, sentence):
        path = tmp_path / "q.json"
        path.write_text(lines([self.ROWS[0], self.ROWS[1] | change]))
        with pytest.raises(AfterimageError, match=sentence):
            read_questions(path)


class TestLayouts:
    """An image is found wherever people keep it."""

    @pytest.mark.parametrize(
        ("named", "lies"),
        [
            ("{name}", "{name}"),
            ("{name}", "val2014/{name}"),
            ("val2014/{name}", "val2014/{name}"),
            ("val2014/{name}", "{name}"),
            ("coco/val2014/{name}", "{name}"),
            ("/val2014/{name}", "val2014/{name}"),
            ("/data/somewhere/{name}", "val2014/{name}"),
            ("{stem}", "{name}"),
            ("{stem}", "val2014/{name}"),
        ],
    )
    def test_images_are_found(self, tmp_path, named, lies):
        names = [named.format(name=name, stem=name[:-4]) for name in NAMES]
        for number, name in enumerate(NAMES):
            draw(tmp_path / "images" / lies.format(name=name), number)
        made = settings_of(tmp_path, {"popular": lines(rows_about(names))}, "images")
        assert [Path(one.file).name for one in released("questions", made)] == NAMES

    def test_train_and_val_beside_each_other(self, tmp_path):
        names = [*NAMES, "COCO_train2014_000000000009.jpg", "2354786.jpg"]
        for number, name in enumerate(names):
            draw(tmp_path / ("train2014" if "train" in name else "val2014") / name, number)
        made = settings_of(tmp_path, {"random": lines(rows_about(names))}, ".")
        assert all(one.factors["image"] == "present" for one in released("questions", made))

    def test_one_that_is_not_there_stops_nobody(self, tmp_path):
        for number, name in enumerate(NAMES[1:]):
            draw(tmp_path / "val2014" / name, number)
        made = settings_of(tmp_path, {"popular": lines(rows_about(NAMES))})
        assert [one.factors["image"] for one in released("questions", made)] == [
            "missing",
            "present",
            "present",
        ]

    def test_two_files_of_one_name_are_refused_and_both_named(self, tmp_path):
        for place in ("small", "val2014"):
            draw(tmp_path / place / NAMES[0])
        made = settings_of(tmp_path, {"popular": lines(rows_about(NAMES))}, ".")
        with pytest.raises(AfterimageError, match=rf"may be 'small/{NAMES[0]}' or 'val2014/"):
            released("questions", made)
        assert ImageFolder(str(tmp_path)).find(f"small/{NAMES[0]}") is not None

    def test_another_splits_name_for_an_image_is_refused(self, tmp_path):
        texts = {
            "random": lines(rows_about(NAMES)),
            "popular": lines(rows_about([f"val2014/{name}" for name in NAMES])),
        }
        with pytest.raises(AfterimageError, match="in its folder alone"):
            released("questions", settings_of(tmp_path, texts))


def run_to_table(root, folder, study):
    """Run a study to POPE's table and return its rows."""
    work = Workspace(root, folder, study)
    work.run("results/tables/pope.csv")
    text = (work.folder / "results/tables/pope.csv").read_text(encoding="utf-8")
    notes = (work.folder / "results/tables/pope.md").read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines())), notes


@OFFICIAL
def test_the_official_benchmark_runs_to_its_table(root, tmp_path):
    order = list(STRATEGIES)
    random.Random(5).shuffle(order)
    questions = {one: str(REFERENCE / f"coco_pope_{one}.json.gz") for one in order}
    images = {one.image: None for one in read_questions(questions["random"]).questions}
    for number, name in enumerate(images):
        draw(tmp_path / "coco" / "val2014" / name, number)
    pope = {"source": "questions", "questions": questions, "image_folder": str(tmp_path / "coco")}
    study = {
        "models": ["chance", "textbook_cued"],
        "suites": {"pope": pope},
        "statistics": {"resamples": 200},
    }
    rows, notes = run_to_table(root, tmp_path / "study", study)
    whole = {"n": "3000", "n_questions": "3000", "images": "500", "image_missing": "0"}
    for model in study["models"]:
        own = {row["strategy"]: row for row in rows if row["model"] == model}
        for strategy in STRATEGIES:
            assert {name: own[strategy][name] for name in whole} == whole
        assert own["mean"]["accuracy"]
    for strategy in STRATEGIES:
        assert f"{strategy}: 3000 questions, current release (since 2023-11-16)" in notes
