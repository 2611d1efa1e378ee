"""A user's folder and CSV: what is read, and the one sentence for each fault."""

import unicodedata

import pytest
from picture_folders import HEADER, make_set

from afterimage.contract.design import questions_digest
from afterimage.errors import AfterimageError
from afterimage.suites.images.csv_rows import cell_texts
from afterimage.suites.images.dataset import READER, dataset, images
from afterimage.suites.images.folder import require_images


def read(folder, *rows, **options):
    return dataset("mine", make_set(folder, *rows, **options)).questions


def refused(folder, *rows, unnamed="refuse", **options):
    """Return the sentence with which a set is refused."""
    path = make_set(folder, *rows, **options)
    with pytest.raises(AfterimageError) as error:
        require_images("mine", path, unnamed)
    sentence = str(error.value)
    assert "\n" not in sentence
    assert "expected" in sentence
    return sentence.replace(f"{path}/", "")


ROW = "a.png,What?,x|y,x"


def test_all_faults_of_rows_and_of_the_images_that_they_name_are_told_together(tmp_path):
    rows = (
        "a.png,What?,x|y,z",
        "A.png,What?,x|y,neither",
        "b.png,,x|y,x",
        "../c.png,What?,x,x",
        "b.png,What?,x|y,y",
    )
    folder = make_set(tmp_path / "mine", *rows, images=("a.png", "b.png"))
    (tmp_path / "mine/b.png").write_bytes(b"GIF89a")
    with pytest.raises(AfterimageError) as error:
        require_images("mine", folder, "refuse")
    places = [
        sentence.split(": ")[0].removeprefix(f"{folder}/questions.csv, ")
        for sentence in str(error.value).splitlines()
    ]
    assert places == [
        "line 2, column 'answer'",
        "line 3, column 'answer'",
        "line 4, column 'question'",
        "line 5, column 'image'",
        "line 5, column 'options'",
        "line 3, column 'image'",
        "line 4, column 'image'",
    ]


def test_a_bar_separates_options_and_an_escaped_bar_does_not():
    assert cell_texts(r"a|b \| c | d\\|\alpha") == ("a", "b | c", "d\\", r"\alpha")
    assert cell_texts("  ") == ()


@pytest.mark.parametrize(
    ("answer", "kind", "read_as"),
    [
        ("Yes", "yes_no", ("Yes",)),
        ("no", "yes_no", ("No",)),
        ("007", "whole_number", ("7",)),
        ("3.5", "text", ("3.5",)),
        ("-2", "text", ("-2",)),
        ("Paris|the city of Paris", "text", ("Paris", "the city of Paris")),
        ("yes|yeah", "text", ("yes", "yeah")),
    ],
)
def test_a_free_answer_says_by_itself_how_it_is_read(tmp_path, answer, kind, read_as):
    (question,) = read(tmp_path, f"a.png,What?,,{answer}")
    assert (question.answer_type, question.answers) == (kind, read_as)


def test_the_column_answer_type_overrules_what_the_answer_looks_like(tmp_path):
    header = f"{HEADER},answer_type"
    (question,) = read(tmp_path, "a.png,Which digit?,,007,text", header=header)
    assert (question.answer_type, question.answers) == ("text", ("007",))
    fault = refused(tmp_path / "b", "a.png,Which?,,a few,whole_number", header=header)
    assert "line 2, column 'answer': found 'a few'; expected one whole number" in fault
    fault = refused(tmp_path / "c", "a.png,Which?,x|y,x,text", header=header)
    assert "column 'answer_type': found 'text' beside 2 options" in fault
    fault = refused(tmp_path / "d", "a.png,Which?,x|y,x,number", header=header)
    assert "found 'number'; expected one of choice, yes_no, whole_number, text" in fault


def test_further_columns_are_factors_and_empty_cells_give_none(tmp_path):
    rows = ("a.png,What?,,1,big,", "b.png,What?,,1,,dark")
    path = make_set(tmp_path, *rows, header=f"{HEADER},size,明るさ", images=("a.png", "b.png"))
    read_set = dataset("mine", path)
    assert read_set.factors == ("size", "明るさ")
    assert [question.factors for question in read_set.questions] == [
        {"size": "big"},
        {"明るさ": "dark"},
    ]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_a_byte_order_mark_changes_nothing(tmp_path, encoding):
    (question,) = read(tmp_path, "a.png,何色?,赤|青,赤", encoding=encoding)
    assert (question.text, question.options) == ("何色?", ("赤", "青"))


def test_how_a_file_is_saved_changes_no_digest_and_what_it_asks_does(tmp_path):
    plain = make_set(tmp_path / "plain", ROW)
    marked = make_set(tmp_path / "marked", "", ROW, encoding="utf-8-sig")
    other = make_set(tmp_path / "other", "a.png,What?,x|y,y")
    first, second, third = (
        questions_digest(READER.shown("mine", {"sets": {"mine": folder}}))
        for folder in (plain, marked, other)
    )
    assert first == second != third


def test_ids_count_images_in_the_order_of_their_first_rows(tmp_path):
    rows = ("b.png,What?,,1", "a.png,What?,,2", "./b.png,Why?,,3")
    path = make_set(tmp_path, *rows, images=("a.png", "b.png"))
    named = {
        name: [question.text for question in asked] for name, asked in images("mine", path).items()
    }
    assert named == {"mine_00000": ["What?", "Why?"], "mine_00001": ["What?"]}


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_a_name_is_found_however_its_characters_are_composed(tmp_path, form):
    name = "絵 が/ガラス é.jpeg"
    path = make_set(
        tmp_path,
        f"{unicodedata.normalize(form, name)},What?,,1",
        images=(unicodedata.normalize("NFD" if form == "NFC" else "NFC", name),),
    )
    require_images("mine", path, "refuse")


@pytest.mark.parametrize(
    ("header", "row", "sentence"),
    [
        (
            "image;question;options;answer",
            "a.png;What?;;x",
            "questions.csv, line 1: found columns separated by semicolons; expected commas",
        ),
        ("image\tquestion\toptions\tanswer", "", "found columns separated by tabs"),
        ("Image,question,options,answer", ROW, "expected also 'image' (is 'Image' meant?)"),
        ("image,question,options,answer,answer", f"{ROW},", "column 'answer': found twice"),
        ("image,question,options,answer,", f"{ROW},", "column 5 has no name"),
        ("image,question,options,answer,model", f"{ROW},", "column 'model': the tables have"),
        (HEADER, "a.png,What, then?,x|y,x", "line 2: found 5 cells; expected 4"),
        (HEADER, 'a.png,"What?,x|y,x', "the row in line 2 is not CSV"),
        (HEADER, "a.png,,x|y,x", "line 2, column 'question': found nothing; expected a text"),
        (HEADER, "a.png,What?,x|y,", "line 2, column 'answer': found nothing"),
        (HEADER, "a.png,What?,x,x", "column 'options': found 'x'; expected 2 to 50 options"),
        (HEADER, "a.png,What?,x|,x", "expected a text on both sides of each |"),
        (HEADER, "a.png,What?,Cat|cat.,Cat", "'cat.', which reads the same as 'Cat'"),
        (HEADER, "a.png,What?,cat|dog,Dog", "found 'Dog'; expected one of the options, to the"),
        (HEADER, "a.png,What?,cat|dog,cat|dog", "found 'cat|dog'; expected one of the options"),
        (HEADER, "/etc/a.png,What?,,x", "found '/etc/a.png'; expected a path that stays inside"),
        (HEADER, "b/../../a.png,What?,,x", "expected a path that stays inside the set's folder"),
        (HEADER, "{a}.png,What?,,x", "expected a file name without braces"),
        (HEADER, "b.png,What?,,x", "line 2, column 'image': found 'b.png', and no such file"),
        (HEADER, "", "found no questions"),
    ],
)
def test_each_fault_is_one_sentence_with_file_line_and_column(tmp_path, header, row, sentence):
    fault = refused(tmp_path, row, header=header)
    assert "questions.csv" in fault
    assert sentence in fault


def test_the_line_of_a_fault_counts_the_lines_inside_quoted_cells(tmp_path):
    fault = refused(tmp_path, 'a.png,"What\r\nis it?",,x', "", "a.png,Why?,x|y,z")
    assert "line 5, column 'answer': found 'z'" in fault


def test_a_question_that_stands_twice_is_refused_with_both_lines(tmp_path):
    fault = refused(tmp_path, ROW, "a.png,Why?,,x", ROW)
    assert "line 4" in fault
    assert "found what line 2 asks already" in fault


def test_a_file_in_another_encoding_is_refused_with_the_line(tmp_path):
    fault = refused(tmp_path, ROW, "a.png,何色?,赤|青,赤", encoding="shift_jis")
    assert "line 3, byte 7: found the byte 0x89, which is not UTF-8" in fault


def test_a_file_that_only_bears_the_name_of_an_image_is_refused(tmp_path):
    make_set(tmp_path, ROW)
    (tmp_path / "a.png").write_text("no picture")
    with pytest.raises(AfterimageError, match=r"found 'a\.png', which is neither PNG nor JPEG"):
        require_images("mine", str(tmp_path), "refuse")


def test_an_image_that_no_row_names_is_refused_unless_that_is_wanted(tmp_path):
    shown = ("a.png", "more/b.jpg", "more/c.jpg", ".thumbnails/d.png")
    fault = refused(tmp_path, ROW, images=shown)
    assert "no row names 'more/b.jpg' and 1 more, which the folder holds" in fault
    require_images("mine", str(tmp_path), "ignore")


def test_a_link_out_of_the_folder_is_refused(tmp_path):
    make_set(tmp_path / "elsewhere", ROW)
    folder = make_set(tmp_path / "mine", ROW, images=())
    (tmp_path / "mine" / "a.png").symlink_to(tmp_path / "elsewhere" / "a.png")
    with pytest.raises(AfterimageError, match="a link that leads out of the folder"):
        require_images("mine", folder, "refuse")


def test_a_missing_folder_and_a_missing_file_name_the_key(tmp_path):
    with pytest.raises(AfterimageError, match=r"suites\.images\.sets\.mine: folder '.*' does not"):
        dataset("mine", str(tmp_path / "none"))
    with pytest.raises(AfterimageError, match=r"holds no questions\.csv"):
        dataset("mine", str(tmp_path))
