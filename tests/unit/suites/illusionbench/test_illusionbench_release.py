"""The official release: every quirk of it is read, or left out with its reason."""

import hashlib
import io
import json
import zipfile
from pathlib import Path

import hub_samples
import numpy as np
import pytest
from illusionbench_rows import depends, drawing, planned, settings, specs
from PIL import Image

from afterimage.errors import AfterimageError
from afterimage.files.hub_lock import Locked, link_of, write_lock
from afterimage.suites.illusionbench import sources
from afterimage.suites.illusionbench.release import gold_index, split_options

CATEGORIES = {"A": "classical", "B": "real_scene", "C": "no_illusion", "D": "ishihara", "E": "trap"}
WITH = "In this picture, a stair is shown. There is visual illusion in the image. The reason for visual illusions is x."
CHOICE = "Which is longer?\ni. the left\nii. the right\niii. both\niv. none"


def entry(name, category="B", level=1, description=WITH, questions=()):
    return {
        "image_property": {
            "image_name": name,
            "Category": category,
            "Difficult Level": level,
            "Description": description,
        },
        "qa_data": [
            {"Question": text, "Question Type": kind, "Correct Answer": answer}
            for kind, text, answer in questions
        ],
    }


def png(side=64):
    buffer = io.BytesIO()
    Image.fromarray(np.zeros((side, side, 3), dtype=np.uint8)).save(buffer, "PNG")
    return buffer.getvalue()


ENTRIES = [
    entry(
        "stairs.png",
        questions=[
            ("TF", "There is an illusion.", "True"),
            ("tf", "The stairs are wet.", "false"),
            ("TF", "The stairs lead up.", "maybe"),
            ("select", CHOICE, "ii. the right"),
            ("Select", CHOICE, "iii)"),
            ("select", "What is seen? i) a dog ii) a cat iii) a cow iv) a bee", "a cow"),
            ("select", "What is seen? (i) a dog (ii) a cat (iii) a cow (iv) a bee", "(iv) a bee."),
            ("select", CHOICE, "ii. the left"),
            ("select", CHOICE, "the middle"),
            ("select", "Which? i. a ii. b iii. c", "i. a"),
            ("select", "i. a ii. b iii. c iv. d", "i. a"),
            ("select", "Which? a, b, c or d", "a"),
            ("select", "Which? i. a ii. b iii. b iv. d", "i. a"),
            ("select", CHOICE, None),
            ("essay", "Describe it.", ""),
        ],
    ),
    entry("no ending", "A", 0, questions=[("TF", "It is black.", "True")]),
    entry("gone.png", questions=[("TF", "It is there.", "True")]),
    entry("stairs.png", questions=[("TF", "Again.", "True")]),
    entry("two.png", questions=[("TF", "Twice.", "True")]),
    entry("Ünusual näme (1).png", "E", 2, "A picture.", [("TF", "It is black.", "False")]),
    entry("empty.png", "D", 2, ""),
]
FILES = {
    "IllusionDataset/stairs.png": png(),
    "IllusionDataset/no ending.png": png(),
    "IllusionDataset/a/two.png": png(),
    "IllusionDataset/b/two.png": png(),
    "IllusionDataset/Ünusual näme (1).png": png(),
    "IllusionDataset/empty.png": png(),
    "IllusionDataset/unannotated.png": png(),
    "IllusionDataset/._stairs.png": b"macOS",
    "__MACOSX/IllusionDataset/._two.png": b"macOS",
    "IllusionDataset/.DS_Store": b"macOS",
}


HUB_FILES = {"annotations": "Image_properties.json", "images": "IllusionDataset.zip"}


@pytest.fixture
def release(tmp_path):
    """Write a release and return the settings that read it."""

    def write(entries=ENTRIES, files=FILES, **changes):
        (tmp_path / "Image_properties.json").write_text(json.dumps(entries))
        with zipfile.ZipFile(tmp_path / "IllusionDataset.zip", "w") as archive:
            for name, content in files.items():
                archive.writestr(name, content)
        options = {
            "annotations": str(tmp_path / "Image_properties.json"),
            "images": str(tmp_path / "IllusionDataset.zip"),
            "categories": CATEGORIES,
        }
        return settings(source="release", release={**options, **changes})

    return write


def excluded(chosen):
    return {(row.kind, row.row_id): row.reason for row in sources.read(chosen).exclusions}


def test_the_release_from_the_hub_is_the_release(release, tmp_path, monkeypatch):
    own_files = release()
    content = {
        name: Path(own_files["release"][key]).read_bytes() for key, name in HUB_FILES.items()
    }
    monkeypatch.chdir(tmp_path)
    of_hub = settings(
        source="hub", release={**own_files["release"], "annotations": "", "images": ""}
    )
    with pytest.raises(AfterimageError, match=r"was not fetched.*fetch illusionbench` once"):
        sources.read(of_hub)
    hub_samples.write_set(link_of(sources.HUB.repository), content)
    held = {
        name: {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
        for name, data in content.items()
    }
    write_lock({sources.HUB.repository: Locked("a" * 40, "", "2026-11-26", held)})
    assert sources.read(of_hub).pictures == sources.read(own_files).pictures
    for category in CATEGORIES.values():
        ours, theirs = sources.shown(category, of_hub), sources.shown(category, own_files)
        # One picture each, wherever it lies.
        assert [picture._replace(file="") for picture in ours] == [
            picture._replace(file="") for picture in theirs
        ]


def test_letters_and_numbers_are_translated_by_the_tables(release):
    by_id = {picture.image_id: picture for picture in sources.read(release()).pictures}
    assert {
        name: (shown_picture.category, shown_picture.difficulty)
        for name, shown_picture in by_id.items()
    } == {
        "stairs": ("real_scene", "neutral"),
        "no_ending": ("classical", "easy"),
        "_nusual_n_me_1_": ("trap", "hard"),
    }


def test_letter_that_the_table_lacks_stops_and_shows_what_occurs(release):
    with pytest.raises(AfterimageError) as caught:
        sources.read(release(categories={"A": "classical"}))
    message = str(caught.value)
    assert "release.categories: says nothing about Category 'B'" in message
    assert "'A': 1, 'B': 4, 'D': 1, 'E': 1 images; the paper has classical 164" in message


def test_type_of_question_is_read_in_any_case(release):
    stairs = sources.read(release()).pictures[0]
    assert [
        (statement.text, statement.gold, statement.about) for statement in stairs.statements
    ] == [
        ("There is an illusion.", True, "presence"),
        ("The stairs are wet.", False, "semantic"),
    ]


def test_answers_are_read_as_numeral_with_text_numeral_or_text(release):
    stairs = sources.read(release()).pictures[0]
    right = [choice.options[choice.gold_index].rstrip(".") for choice in stairs.choices]
    assert right == ["the right", "both", "a cow", "a bee"]
    assert stairs.choices[0].text == "Which is longer?"


def test_what_cannot_be_read_without_guessing_is_left_out(release):
    found = excluded(release())
    assert {key: reason for key, reason in found.items() if key[1].startswith("stairs-")} == {
        ("true_false", "stairs-3"): "the answer is neither true nor false",
        ("multiple_choice", "stairs-8"): "numeral and text of the answer disagree",
        ("multiple_choice", "stairs-9"): "the answer is not among the options",
        ("multiple_choice", "stairs-10"): "not 4 options",
        ("multiple_choice", "stairs-11"): "no question before the options",
        ("multiple_choice", "stairs-12"): "no options in the text",
        ("multiple_choice", "stairs-13"): "two options are the same",
        ("multiple_choice", "stairs-14"): "no answer",
        ("question", "stairs-15"): "unknown type of question",
    }


def test_images_without_file_and_files_without_annotation_are_listed(release):
    found = excluded(release())
    assert found["image", "gone"] == "no image file"
    assert found["image", "two"] == "several image files of this name"
    assert found["file", "IllusionDataset/unannotated.png"] == "a file without annotation"
    assert "annotated a second time" in found.values()
    assert found["image", "empty"] == "no usable question"
    assert found["description", "_nusual_n_me_1_"] == "no sentence on the presence of an illusion"
    assert found["description", "empty"] == "no description"


def test_what_macos_adds_is_not_mentioned(release):
    assert not any("._" in name or "MACOSX" in name for _, name in excluded(release()))


def test_pictures_are_read_from_the_archive(release):
    chosen = release()
    suite = planned(chosen)
    assert list(suite.figures) == ["classical", "real_scene", "trap"]
    (spec,) = specs(suite, "trap")
    assert drawing(suite, "trap", spec).pixels.shape == (64, 64, 3)
    assert suite.sources("trap") == [chosen["release"]["images"]]


def test_changed_question_of_the_release_redraws_nothing(release):
    before = depends(release())
    (stairs, *rest) = ENTRIES
    questions = [
        {**stairs["qa_data"][1], "Question": "The stairs are dry."},
        *stairs["qa_data"][2:],
    ]
    after = depends(release(entries=[{**stairs, "qa_data": questions}, *rest]))
    assert before.drawn == after.drawn
    assert {name for name in after.asked if before.asked[name] != after.asked[name]} == {
        "real_scene"
    }


def test_missing_release_says_what_to_download_and_where_to_put_it():
    with pytest.raises(AfterimageError) as caught:
        planned(settings(source="release"))
    message = str(caught.value)
    assert "file 'data/illusionbench/Image_properties.json' does not exist" in message
    assert "MingZhangSJTU/IllusionBench and put them there" in message


def test_half_an_archive_is_one_sentence(release, tmp_path):
    chosen = release()
    (tmp_path / "IllusionDataset.zip").write_bytes(b"PK half")
    with pytest.raises(
        AfterimageError,
        match=r"is not a ZIP archive; expected IllusionDataset\.zip, downloaded whole",
    ):
        sources.read(chosen)


@pytest.mark.parametrize("content", ["[", "{}", "[]", '[{"image_property": {}}]'])
def test_annotations_of_another_form_are_one_sentence(release, tmp_path, content):
    chosen = release()
    (tmp_path / "Image_properties.json").write_text(content)
    with pytest.raises(AfterimageError, match=r"Image_properties\.json"):
        sources.read(chosen)


@pytest.mark.parametrize(
    ("text", "stem", "options"),
    [
        ("Which? i. a ii. b iii. c iv. d", "Which?", ["a", "b", "c", "d"]),
        ("Which? I) a II) b III) c IV) d", "Which?", ["a", "b", "c", "d"]),
        (
            "Part i. of the stair: i. a ii. b iii. c iv. d",
            "Part i. of the stair:",
            ["a", "b", "c", "d"],
        ),
        (
            "Which one is vi.sible? i. a; ii. b; iii. c; iv. d;",
            "Which one is vi.sible?",
            ["a", "b", "c", "d"],
        ),
        ("Which? i. a iii. c ii. b iv. d", "Which?", ["a iii. c", "b iv. d"]),
        ("Which?", "Which?", []),
        ("i. only one", "i. only one", []),
    ],
)
def test_options_are_the_longest_run_of_numerals_from_i(text, stem, options):
    assert split_options(text) == (stem, options)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("ii. b", 1),
        ("ii)", 1),
        ("ii", 1),
        ("B.", 1),
        ("iv: d", 3),
        ("ii. c", "numeral and text of the answer disagree"),
        ("v. e", "the answer is not among the options"),
        ("e", "the answer is not among the options"),
        ("", "no answer"),
    ],
)
def test_numeral_and_text_of_an_answer_must_agree(answer, expected):
    assert gold_index(answer, ["a", "b", "c", "d"]) == expected
