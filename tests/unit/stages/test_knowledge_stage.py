"""What models get right without the image, over suites: the same items both ways, parsed answers only."""

import pandas as pd
import pytest
from probed_grades import grade

from afterimage.errors import AfterimageError
from afterimage.files.parquet import write_records
from afterimage.files.records import GRADE
from afterimage.showing.answers import read_grades
from afterimage.stages.probe_tables import make_knowledge


@pytest.fixture
def made(tmp_path):
    """Write each list of grades to a file, make the table and read its CSV."""

    def make(*files):
        paths = [tmp_path / f"{number}.parquet" for number in range(len(files))]
        for path, rows in zip(paths, files, strict=True):
            write_records(path, rows, GRADE)
        outputs = {form: tmp_path / f"k.{form}" for form in ("csv", "markdown", "latex", "html")}
        make_knowledge({"confidence": 0.95}, {"grades": paths}, outputs, {})
        return pd.read_csv(outputs["csv"])

    return make


def asked(number, correct, without, **changes):
    outcome = changes.pop("outcome", "exact")
    return [
        grade(f"i{number}", correct, **changes),
        grade(f"i{number}", without, "text_only", outcome=outcome, **changes),
    ]


def test_right_answers_are_counted_with_and_without_the_image(made):
    rows = [*asked(1, True, False), *asked(2, True, True), *asked(3, False, False)]
    row = made(rows).iloc[0]
    assert (row["image_k"], row["image_n"]) == (2, 3)
    assert (row["text_only_k"], row["text_only_n"]) == (1, 3)
    assert (row["blank_k"], row["blank_n"]) == (0, 0)
    assert row["image_accuracy"] == pytest.approx(66.6667)
    assert row["text_only_accuracy_low"] == pytest.approx(6.1492)
    assert pd.isna(row["blank_accuracy"])


def test_questions_that_were_not_asked_without_image_do_not_count(made):
    row = made([*asked(1, True, False), grade("i2", True)]).iloc[0]
    assert (row["image_k"], row["image_n"]) == (1, 1)


def test_what_a_judge_decided_or_what_earns_points_does_not_count(made):
    judged = [grade("j", True, decided_by="judge"), grade("j", False, "text_only")]
    scored = asked(9, True, True, score=0.5)
    row = made([*asked(1, True, False), *judged, *scored]).iloc[0]
    assert (row["image_n"], row["text_only_n"]) == (1, 1)


def test_unread_answers_are_wrong_and_counted(made):
    row = made(asked(1, True, False, outcome="unparsed")).iloc[0]
    assert (row["text_only_k"], row["text_only_unparsed_k"], row["image_unparsed_k"]) == (0, 1, 0)
    assert (row["text_only_refused_k"], row["text_only_cut_off_k"]) == (1, 0)


def test_each_suite_and_model_has_its_row(made):
    frame = made(
        asked(1, True, False),
        asked(1, True, False, model="other"),
        asked(1, True, False, suite="second"),
    )
    frame = frame[frame["kind"] == "measured"]
    names = list(zip(frame["suite"], frame["model"], strict=True))
    assert names == [("some_suite", "a_model"), ("some_suite", "other"), ("second", "a_model")]


def test_who_does_not_look_stands_below_the_models_of_each_suite(made):
    """The first option is right of all three items, and "a" of two of them: nobody needs the image."""
    listed = {"offered": ["a", "b"], "is_listed": True}
    rows = [
        *asked(1, True, False, **listed),
        *asked(2, True, True, **listed),
        *asked(3, False, False, **listed | {"key": "b", "offered": ["b", "a"]}),
    ]
    frame = made(
        rows, [row | {"model": "other"} for row in rows[:4]], asked(1, True, True, suite="second")
    )
    first = frame[frame["suite"] == "some_suite"].set_index("model")
    assert list(first["kind"]) == ["measured"] * 2 + ["reference"] * 3
    for shown in ("image", "text_only"):
        assert first.loc["uniform guessing", f"{shown}_accuracy"] == 50
        assert first.loc["uniform guessing", f"{shown}_n"] == 3
        assert pd.isna(first.loc["best constant answer", f"{shown}_accuracy_low"])
        assert first.loc["best constant answer", f"{shown}_k"] == 2
        assert first.loc["best position", f"{shown}_accuracy"] == 100
    assert list(first["answer"].dropna()) == ["a", "first"]
    assert list(frame[frame["suite"] == "second"]["model"]) == ["a_model", "best constant answer"]


def test_without_such_a_suite_the_table_is_one_sentence(made):
    with pytest.raises(AfterimageError, match="no suite of this study asks its questions without"):
        made()


def test_tables_of_a_suite_read_its_own_rows_as_if_there_were_no_probes(tmp_path):
    plain, probed = tmp_path / "plain", tmp_path / "probed"
    write_records(plain, [grade("i1", True), grade("i2", False)], GRADE)
    write_records(probed, [*asked(1, True, False), *asked(2, False, True)], GRADE)
    pd.testing.assert_frame_equal(read_grades([plain]), read_grades([probed]))
    both = read_grades([probed], with_probes=True)
    assert list(both["probe"].fillna("")) == ["", "text_only", "", "text_only"]
