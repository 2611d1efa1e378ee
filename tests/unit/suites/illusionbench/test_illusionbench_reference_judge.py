"""Tables of scores that a reference judge gave: they say so, and say whom it does not see."""

import pytest
from illusionbench_rows import declared, frame, scored, table_settings
from table_forms import layout_of, markdown_text

from afterimage.showing.tables.compute import frame_of

TABLES = [
    declared(name)
    for name in (
        "illusionbench_description",
        "illusionbench_description_detail",
        "illusionbench_step_by_step",
    )
]
HEADING = "Reference responders (reference judge)"
RESPONDERS = {"responders": ("theirs",)}
JUDGED = {"judge": "facts", "judge_prompt_set": "paper", "votes": "2 2 2"}
BY_REFERENCE = {"decided_by": "judge", "readings": JUDGED | {"reference_judge": "true"}}
BY_MODEL = {"decided_by": "judge", "readings": JUDGED}


def described(model, score, **changes):
    return [
        row
        for question in ("semantic", "illusion", "step_by_step")
        for row in scored(model, question, [score] * 3, **changes)
    ]


def made(table, grades, **changes):
    settings = table_settings() | RESPONDERS | changes
    found = frame_of(table, grades, settings)
    return found, markdown_text(found, layout_of(table, grades, settings))


@pytest.mark.parametrize("table", TABLES)
def test_rows_say_that_a_reference_judge_scored_them_and_models_stand_apart(table):
    grades = frame(
        described("theirs", 2, **BY_REFERENCE),
        described("chance", 1, **BY_REFERENCE),
        described("model", None),
    )
    found, text = made(table, grades, reference_judge=True)
    groups = dict(zip(found["model"], found["group"], strict=True))
    assert groups == {"model": "Other models", "theirs": HEADING, "chance": HEADING}
    assert "by the reference judge" in text
    assert "18 of 27 descriptions have one" in text
    assert "facts (reference judge; prompts 'paper', 3 rounds)" in text


@pytest.mark.parametrize("table", TABLES)
def test_what_another_judge_scored_is_not_said_to_be_a_reference_judges(table):
    grades = frame(described("theirs", 2, **BY_MODEL), described("model", 1, **BY_MODEL))
    found, text = made(table, grades)
    assert set(found["group"]) == {"Other models", "Reference responders"}
    assert "reference judge" not in text
    assert "18 of 18 descriptions have one" in text


@pytest.mark.parametrize("table", TABLES)
def test_a_table_without_scores_says_so_on_the_first_page(table):
    grades = frame(described("model", None))
    settings = table_settings() | RESPONDERS
    assert "names no judge" in layout_of(table, grades, settings).empty
    assert layout_of(table, frame(described("model", 1, **BY_MODEL)), settings).empty == ""


def test_scores_of_one_kind_of_description_leave_the_step_by_step_table_empty():
    grades = frame(scored("model", "semantic", [1] * 3, **BY_MODEL))
    laid = layout_of(TABLES[2], grades, table_settings() | RESPONDERS)
    assert laid.empty == "no model has scores of all three descriptions of an image"


@pytest.mark.parametrize(
    ("by_reference", "sentence"),
    [(True, "the reference judge sees reference responders'"), (False, "names no judge")],
)
def test_why_no_description_has_a_score(by_reference, sentence):
    grades = frame(described("model", None), described("chance", None))
    _, text = made(TABLES[0], grades, reference_judge=by_reference)
    assert (
        f"No description has a score, so n is 0: {'' if by_reference else 'the configuration '}{sentence}"
        in text
    )
