"""A user's questions as items: what a model is shown, and what an answer is read against."""

from dataclasses import replace
from pathlib import Path

import pytest
from picture_folders import HEADER, make_set

from afterimage.contract.finding import load_suite
from afterimage.drawing.photograph import draw
from afterimage.errors import AfterimageError
from afterimage.files.parquet import read_about
from afterimage.files.png import encode_png
from afterimage.files.records import ITEM
from afterimage.grading.grade import grade
from afterimage.planning.suites import StudySuite
from afterimage.stages.items import item_row, make_items
from afterimage.suites.images.dataset import READER
from afterimage.suites.images.questions import CANNOT_TELL, questions
from afterimage.suites.images.suite import SUITE

ROOT = Path(__file__).resolve().parents[4]
ROWS = (
    r"a.png,Which {question}?,{options}|a \| b,a \| b",
    "a.png,Is it?,,yes",
    "b.jpg,How many?,,12",
    "b.jpg,Who?,,Ann|Anna",
    "b.jpg,Where?,,Rome",
)


def settings(folder, *rows, prompts=("direct",), **options):
    path = make_set(folder, *rows, **{"images": ("a.png", "b.jpg"), **options})
    return SUITE.settings(
        sets={"mine": path},
        prompts=list(prompts),
        prompt_file=str(ROOT / "resources" / "prompts" / "images.yaml"),
    )


def planned(chosen):
    return StudySuite("images", load_suite("images"), chosen)


def picture(name):
    return {"pixels_sha256": name, "png": b"png"}


def items(chosen):
    words = SUITE.words(chosen)
    images = READER.shown("mine", chosen)
    asked = SUITE.question_inputs(words, chosen, ["mine"], {})
    made = (
        item_row(one, "images", lambda name: {"pixels_sha256": name, "png": b"png"})
        for one in questions(images, *asked, images)
    )
    return {item["item_id"]: item for item in made}


def said(item):
    return item["messages"][0]["parts"][1]["text"]


def graded(item, text):
    response = {"item_id": item["item_id"], "suite": "images", "model": "m", "repeat": 0}
    return grade({**response, "text": text}, item)


def test_options_stand_one_a_line_and_braces_of_the_user_stay_as_they_are(tmp_path):
    item = items(settings(tmp_path, *ROWS))["mine_00000/0/direct"]
    assert said(item) == (
        "Which {question}?\nAnswer with exactly one of these options and nothing else:\n{options}\na | b"
    )
    assert item["messages"][0]["parts"][0]["type"] == "image"


def test_a_prompt_with_letters_is_read_by_letters(tmp_path):
    item = items(settings(tmp_path, *ROWS, prompts=["lettered"]))["mine_00000/0/lettered"]
    assert "A. {options}\nB. a | b\n" in said(item)
    assert graded(item, "B")["correct"]
    assert not graded(item, "A")["correct"]


@pytest.mark.parametrize(
    ("name", "right", "wrong", "unread"),
    [
        ("mine_00000/0/direct", "a | b.", "{options}", "neither"),
        ("mine_00000/1/direct", "Yes.", "No", "perhaps"),
        ("mine_00001/0/direct", "twelve", "11", "some"),
        ("mine_00001/1/direct", "anna", "Bob", "It is Ann"),
    ],
)
def test_every_type_of_answer_is_right_wrong_or_unread(tmp_path, name, right, wrong, unread):
    item = items(settings(tmp_path, *ROWS))[name]
    assert graded(item, right)["correct"]
    grades = [graded(item, text) for text in (wrong, unread)]
    assert [(row["correct"], row["outcome"] == "unparsed") for row in grades] == [
        (False, False),
        (False, True),
    ]


def test_a_guess_earns_what_is_said_of_it(tmp_path):
    made = items(settings(tmp_path, *ROWS)).values()
    assert {
        item["question"] + item["factors"]["answer_type"]: item["factors"]["guessing"]
        for item in made
    } == {
        "0choice": "0.500000",
        "1yes_no": "0.500000",
        # 0 to 9, and 12.
        "0whole_number": f"{1 / 11:.6f}",
        # The right one, the other question's, and declining.
        "1text": f"{1 / 3:.6f}",
        "2text": f"{1 / 3:.6f}",
    }
    for item in made:
        options = [option["option_id"] for option in item["options"]]
        assert options.count(item["key"]) / len(options) == pytest.approx(
            float(item["factors"]["guessing"]), abs=1e-6
        )


def test_a_text_with_several_right_spellings_is_named_by_its_first(tmp_path):
    item = items(settings(tmp_path, *ROWS))["mine_00001/1/direct"]
    texts = {option["option_id"]: option["text"] for option in item["options"]}
    assert (item["key"], texts[item["key"]]) == ("Ann", "Ann")


def test_right_answers_of_other_questions_in_other_words_are_no_wrong_answers(tmp_path):
    rows = ("a.png,Who?,,Ann|Anna", "a.png,Whose?,,anna.", "b.jpg,Where?,,Rome")
    item = items(settings(tmp_path, *rows))["mine_00000/0/direct"]
    wrong = {option["text"] for option in item["options"] if option["option_id"] != item["key"]}
    assert wrong == {"Rome", CANNOT_TELL}


def test_a_row_that_is_added_renames_no_item(tmp_path):
    before = items(settings(tmp_path / "a", *ROWS))
    more = (*ROWS[:2], "a.png,Anything else?,,no", *ROWS[2:])
    after = items(settings(tmp_path / "b", *more))
    assert {name: said(item) for name, item in before.items()}.items() <= {
        name: said(item) for name, item in after.items()
    }.items()


def test_questions_that_change_while_a_run_is_going_on_stop_it(tmp_path):
    chosen = settings(tmp_path, *ROWS)
    spec = planned(chosen).question_spec(["mine"], ["mine"]) | {"suite": "images", "stimuli": []}
    spec["version"] = "5"
    make_items(spec, {"stimuli": [], "decisions": []}, {"shard": tmp_path / "items.parquet"}, {})
    assert read_about(tmp_path / "items.parquet", ITEM) == {"suite_version": "5"}
    make_set(tmp_path, *ROWS[:-1], images=())
    with pytest.raises(AfterimageError, match="has changed since this run began"):
        make_items(
            spec, {"stimuli": [], "decisions": []}, {"shard": tmp_path / "items.parquet"}, {}
        )


def test_only_the_graders_that_are_needed_are_named(tmp_path):
    chosen = settings(tmp_path, *ROWS, prompts=["direct", "lettered"])
    assert planned(chosen).answer_types == [
        *("choice", "integer", "lettered_choice", "short_text", "yes_no"),
    ]
    only = settings(tmp_path / "only", "a.png,What?,,1", images=("a.png",))
    assert planned(only).answer_types == ["integer"]


def test_more_options_than_letters_are_refused_where_a_prompt_has_letters(tmp_path):
    many = f"a.png,Which?,{'|'.join(map(str, range(30)))},3"
    chosen = settings(tmp_path, many, images=("a.png",), prompts=["lettered"])
    with pytest.raises(AfterimageError, match="found 30 options; expected at most 26"):
        planned(chosen)
    planned(replace(chosen, prompts=["direct"]))


def test_a_prompt_file_of_ones_own_is_checked(tmp_path):
    chosen = settings(tmp_path / "set", *ROWS)
    own = tmp_path / "own.yaml"
    words = (ROOT / "resources" / "prompts" / "images.yaml").read_text()
    own.write_text(words.replace("{question}\\nAnswer with yes", "Answer with yes"))
    with pytest.raises(AfterimageError, match=r"direct.yes_no': placeholder \{question\} occurs 0"):
        planned(replace(chosen, prompt_file=str(own)))
    with pytest.raises(AfterimageError, match="unknown prompt 'dirct': did you mean 'direct'"):
        planned(replace(chosen, prompts=["dirct"]))


def test_what_is_asked_bears_on_no_image_and_factors_on_no_drawing(tmp_path):
    one = settings(tmp_path, "a.png,What?,,1,big", header=f"{HEADER},size", images=("a.png",))
    before = planned(one).drawing_spec("mine")
    make_set(tmp_path, "a.png,Why?,,2", images=())
    assert planned(one).drawing_spec("mine") == before


def test_images_become_the_pixels_that_are_seen_without_metadata(tmp_path):
    chosen = settings(tmp_path, *ROWS)
    specs = list(READER.specs("mine", chosen))
    assert [spec.factors["file"] for spec in specs] == ["a.png", "b.jpg"]
    drawings = [draw(**spec.parameters).pixels for spec in specs]
    assert [drawing.shape for drawing in drawings] == [(12, 20, 3), (12, 21, 3)]
    assert encode_png(drawings[1]).startswith(b"\x89PNG")


def test_sets_keep_their_places_when_others_grow():
    sets = SUITE.settings(sets={"one": "x", "two": "y"})
    assert [figure.position for figure in SUITE.figures(sets)] == [0, 20_000]
