"""Numbers and ids that passed through a spreadsheet or a data frame are the numbers and ids that they were.

Public report: pandas-dev/pandas issue 28335, whole numbers that become 1.0 beside an empty cell.
"""

import pytest
from form_samples import answered, as_csv, choice_task, fields_of, listed

from afterimage.errors import AfterimageError
from afterimage.files.csv_rows import read_peoples_rows
from afterimage.files.human_responses import read_responses
from afterimage.files.written_values import (
    AmbiguousNumberError,
    whole_number_in,
    without_point_zero,
)
from afterimage.grading.readers import integer
from afterimage.people.forms.joining import join
from afterimage.people.forms.returned_files import read_returned
from afterimage.people.review import REVIEW_COLUMNS, read_reviews
from afterimage.showing.study.judges_and_people import HUMAN_COLUMNS, read_human_scores
from afterimage.suites.images.dataset import dataset
from afterimage.suites.texture import columns as texture
from afterimage.suites.texture.columns import read_rows as read_texture


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("3", 3),
        ("3.0", 3),
        ("3,0", 3),
        ("3.", None),
        ("3.00", 3),
        (" 3 ", 3),
        ("\u00a03\u00a0", 3),
        ("３", 3),
        ("３．０", 3),
        ("٣", 3),
        ("+3", 3),
        ("-3", -3),
        ("−3", -3),
        ("007", 7),
        ("3E+00", 3),
        ("1e3", 1000),
        ("1,2E+05", 120_000),
        ("1.5e1", 15),
        ("1.5", None),
        ("0.5", None),
        ("5e-1", None),
        ("1 234", 1234),
        ("1\u202f234", 1234),
        ("1'234", 1234),
        ("1’234", 1234),
        ("1,234", 1234),
        ("1.234.567", 1_234_567),
        ("1,234,567", 1_234_567),
        ("12,34", None),
        ("1,234.5", None),
        ("0,000", 0),
        ("three", None),
        ("", None),
        ("1e99", None),
        ("9" * 400, None),
        ("2026-03-04", None),
        ("1/2", None),
        ("²", 2),
    ],
)
def test_the_whole_number_of_a_cell(text, number):
    assert whole_number_in(text) == number


@pytest.mark.parametrize("text", ["1,000", "1.000", "12.000", "-1,000"])
def test_a_number_that_is_two_is_none(text):
    with pytest.raises(AmbiguousNumberError, match="in some countries"):
        whole_number_in(text)


@pytest.mark.parametrize(
    ("cell", "name"),
    [("12.0", "12"), ("12,0", "12"), ("007", "007"), ("1.000", "1.000"), ("v1.0", "v1.0"), ("1.05", "1.05")],
)  # fmt: skip
def test_a_name_loses_only_what_a_frame_has_put_behind_it(cell, name):
    assert without_point_zero(cell) == name


@pytest.fixture
def tasks():
    return listed([choice_task("a")])


@pytest.mark.parametrize(
    "written", ["1", "1.0", "1,0", "１", "1.", " 1 ", "1\u00a0", '="1"', "1E+00", "01", "1.00"]
)
def test_the_number_of_an_option_in_a_sheet(tmp_path, tasks, written):
    path = tmp_path / "a.csv"
    path.write_text(as_csv(answered(tasks, lambda row, field: written)), newline="")
    (given,) = join(tasks, read_returned(path)).given
    (field,) = fields_of(tasks[0])
    assert given.value == next(
        option["own_id"] for option in field["options"] if option["code"] == "1"
    )


@pytest.mark.parametrize("written", ["1.5", "1,000", "9.0", "1.0.0", "1-1"])
def test_a_number_of_no_option_is_unreadable(tmp_path, tasks, written):
    path = tmp_path / "a.csv"
    path.write_text(as_csv(answered(tasks, lambda row, field: written)), newline="")
    found = join(tasks, read_returned(path))
    assert not found.given and found.report[0]["kind"] == "unreadable_answer"


def test_a_participant_s_number_is_the_same_in_every_file(tmp_path, tasks):
    for name, person in (("a.csv", "12"), ("b.csv", "12.0"), ("c.csv", "１２")):
        given = answered(tasks, lambda row, field: "1", annotator=person)
        (tmp_path / name).write_text(as_csv(given), newline="")
    rows = [row for path in sorted(tmp_path.glob("*.csv")) for row in read_returned(path)]
    assert {row.annotator_id for row in rows} == {"12"}
    (tmp_path / "r.csv").write_text("participant_id,image_id,question,option_id\n12.0,i,q,2.0\n")
    (response,) = read_responses(tmp_path / "r.csv")
    assert (response.participant_id, response.option_id) == ("12", "2")


def own_images(folder, *rows):
    folder.mkdir(exist_ok=True)
    path = folder / "questions.csv"
    path.write_text("\n".join(["image,question,options,answer,answer_type", *rows]) + "\n")
    return dataset("set", str(folder)).questions


@pytest.mark.parametrize("cell", ["3", "3.0", '"3,0"', "3E+00", "３", '="3"', "'3.0"])
def test_a_key_in_questions_csv_is_its_number(tmp_path, cell):
    (asked,) = own_images(tmp_path / "s", f"a.png,How many?,,{cell},")
    if cell == "'3.0":
        # An apostrophe before a number guards nothing; it was typed.
        assert asked.answers == ("'3.0",)
        return
    assert (asked.answer_type, asked.answers) == ("whole_number", ("3",))
    assert integer.parse("There are 3 discs.", []).answer == asked.answers[0]


def test_keys_of_thousands_options_and_texts(tmp_path):
    many, one_of, version, plate = own_images(
        tmp_path / "s",
        'a.png,How many?,,"1,234",',
        "a.png,Which?,1|2|3,2.0,",
        "a.png,Which version?,,3.0,text",
        "a.png,Which plate?,,007,text",
    )
    assert many.answers == ("1234",)
    assert (one_of.answer_type, one_of.answers) == ("choice", ("2",))
    assert version.answers == ("3.0",) and plate.answers == ("007",)
    with pytest.raises(AfterimageError, match="line 2, column 'answer': found '1,000', which is 1"):
        own_images(tmp_path / "t", 'a.png,How many?,,"1,000",')


def test_reviews_scores_ids_and_tables(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(f"{','.join(REVIEW_COLUMNS)}\nm,i,a,1.0,7.0\nm,i,b,0.0,7\n")
    assert [(one.correct, one.reviewer) for one in read_reviews([path])] == [
        (True, "7"),
        (False, "7"),
    ]
    path.write_text(f"{';'.join(HUMAN_COLUMNS)}\n12.0;A;q;1.0;2.0\n")
    scores = read_human_scores(path, {"A": "m"})
    assert scores.iloc[0].to_dict() == {
        **{"image_id": "12", "question_type": "q", "evaluator": "1", "score": 2, "model": "m"}
    }
    path.write_text("recorded,item_id\n3.0,item\n")
    assert next(read_peoples_rows(path, ["recorded", "item_id"], "ids"))[1]["recorded"] == "3"
    header = ",".join(column.name for column in texture.OBJECTS.columns)
    path.write_text(f'{header}\n139.0,7.0,球,,"0,25",bbox\n')
    (row,) = read_texture(path, texture.OBJECTS)
    assert (row["image_id"], row["object_id"], row["area_fraction"]) == ("139", "7", 0.25)
    header = ",".join(column.name for column in texture.VOTES.columns)
    path.write_text(f"{header}\n1.0,硬い,1,1.0,human,,\n")
    (row,) = read_texture(path, texture.VOTES)
    assert (row["pair_id"], row["vote"]) == ("1", True)
