"""The page on parsing says what the parsers do on the recorded answers."""

import os
from pathlib import Path

import pandas as pd
import pytest

from afterimage.suites.blindtest.outcomes import agreement, read_answers

HEADER = "task,stimulus_id,prompt_id,model,answer,truth,authors_extraction,authors_scored_correct\n"


@pytest.fixture(scope="module")
def reference() -> Path:
    """The folder of recorded answers."""
    if "AFTERIMAGE_REFERENCE" not in os.environ:
        pytest.skip(
            "the environment variable AFTERIMAGE_REFERENCE is not set; expected the folder that "
            "holds reference/blindtest/"
        )
    return Path(os.environ["AFTERIMAGE_REFERENCE"]) / "reference" / "blindtest"


@pytest.fixture
def invented(tmp_path):
    (tmp_path / "raw_answers.csv").write_text(
        HEADER
        + 'nested_squares,a,p,m,"Two squares: one in the other.",2,1,0\n'
        + "nested_squares,b,p,m,3 or 4 squares,4,3,0\n"
        + 'circled_letter,c,q,m,"The letter ""K"".",k,,\n'
        + "circled_letter,d,q,m,Two of them: We,e,NOT_FOUND,0\n",
        encoding="utf-8",
    )
    return tmp_path


def disagreements(folder: Path) -> pd.DataFrame:
    """Return the answers that the parser reads differently: another verdict, or another extraction at the same one."""
    answers = read_answers(folder)
    verdict = answers["authors_right"].notna() & (answers["right"] != answers["authors_right"])
    extraction = (answers["authors_extraction"] != "") & ~answers["same_extraction"]
    chosen = answers[verdict | extraction]
    return chosen.assign(differs=verdict[chosen.index].map({True: "verdict", False: "extraction"}))


def page_table(root: Path, first: str) -> pd.DataFrame:
    """Read the table of the page whose header has the column ``first``."""
    lines = (root / "docs" / "blindtest.md").read_text(encoding="utf-8").splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("|") and first in line)
    rows = []
    for line in lines[start:]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return pd.DataFrame(rows[2:], columns=rows[0])


def test_agreement_on_the_page_is_what_the_parsers_reach(reference, root):
    measured = agreement(reference).astype(str)
    assert page_table(root, "same_verdict").equals(measured)


def test_every_disagreement_is_in_one_category_of_the_page(reference, root):
    page = page_table(root, "what happened").rename(
        columns={"verdict differs": "verdict", "only the extraction": "extraction"}
    )
    counted = (
        page.astype({"verdict": int, "extraction": int})
        .groupby(["task", "model"])[["extraction", "verdict"]]
        .sum()
    )
    found = (
        disagreements(reference).groupby(["task", "model", "differs"]).size().unstack(fill_value=0)
    )
    pd.testing.assert_frame_equal(
        counted, found[["extraction", "verdict"]], check_names=False, check_dtype=False
    )
    assert set(page["whose"]) <= {"theirs", "ours", "undecidable"}


def test_no_recorded_answer_of_three_words_or_more_is_copied_into_the_page(reference, root):
    text = (root / "docs" / "blindtest.md").read_text(encoding="utf-8")
    answers = {answer.strip() for answer in read_answers(reference)["answer"]}
    assert not [answer for answer in answers if len(answer.split()) > 2 and answer in text]


def test_only_a_few_recorded_answers_stay_unparsed(reference):
    answers = read_answers(reference)
    unparsed = answers[answers["parsed"].isna()]
    assert len(answers) == 2995
    assert len(unparsed) == 11
    assert not unparsed["authors_right"].eq(True).any()


def test_answers_of_the_crossing_prompts_are_all_read_as_small_counts(reference):
    answers = read_answers(reference)
    prose = answers[answers["prompt_id"].isin(["line_v1_cross", "line_v1_intersect"])]
    assert len(prose) == 154
    assert set(prose["parsed"]) == {"0", "1", "2", "3"}


def test_verdict_and_extraction_are_compared_apart(invented):
    frame = disagreements(invented)
    assert list(zip(frame["stimulus_id"], frame["differs"], strict=True)) == [
        ("a", "verdict"),
        ("b", "extraction"),
    ]


def test_answer_without_recorded_verdict_is_parsed_but_not_scored(invented):
    letters = agreement(invented).set_index("task").loc["circled_letter"]
    assert (letters["answers"], letters["right"], letters["scored"]) == (2, 1, 1)


def test_answer_that_neither_side_could_read_agrees(invented):
    letters = agreement(invented).set_index("task").loc["circled_letter"]
    assert (letters["unparsed"], letters["extracted"], letters["same_extraction"]) == (1, 1, 1)
