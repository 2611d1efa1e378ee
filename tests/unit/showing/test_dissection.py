"""A number under every choice that asks nobody again."""

import pandas as pd
import pytest

from afterimage.contract.finding import load_suite
from afterimage.contract.parts import resolve, with_name
from afterimage.errors import AfterimageError
from afterimage.grading.readers import presence_blog
from afterimage.showing.charts import dissection_shown
from afterimage.showing.tables.columns import Text
from afterimage.showing.tables.declaration import By, Table
from afterimage.showing.tables.dissection import dissect, prints_as
from afterimage.showing.tables.values import Worked, answers, right
from afterimage.suites.blindtest.recorded import grades as recorded_grades
from afterimage.suites.pope.metrics import SCORES
from afterimage.suites.pope.scores import OFFICIAL, scored

SETTINGS = {"confidence": 0.95, "resamples": 100, "seed": 1}
PLAIN = Table(
    "plain",
    "Plain",
    rows=(By("model"),),
    csv=(
        "model",
        answers(),
        right(),
        Worked(
            ("accuracy",),
            lambda group: (100 * group.answers["correct"].astype(float).mean(),),
            kind="number",
        ),
    ),
    columns=(Text("Model", "model"),),
)


def graded(model, prompt, verdicts, outcome="exact", **columns):
    return pd.DataFrame(
        {
            "model": model,
            "prompt": prompt,
            "key": "yes",
            "answer": ["yes" if verdict else "no" for verdict in verdicts],
            "correct": list(verdicts),
            "outcome": outcome,
            "repeat": 0,
            "item_id": [f"{prompt}/{index}" for index in range(len(verdicts))],
            **columns,
        }
    )


def found(result):
    return {str(one.choices[0]): one.value for one in result.single}


MINE = pd.concat(
    [
        graded("mine", "a", [True, True, False, False], size=["big", "small", "big", "small"]),
        graded("mine", "b", [True, True, True, False], size=["big", "small", "big", "small"]),
        graded("mine", "b", [False, False], outcome="unparsed", size=["big", "small"]),
        graded("yours", "a", [False] * 4, size=["big", "small", "big", "small"]),
        graded("yours", "b", [True] * 6, size=["big", "small"] * 3),
    ],
    ignore_index=True,
)


def test_each_choice_moves_the_number_as_the_table_would():
    result = dissect(PLAIN, MINE, SETTINGS, "mine", "accuracy")
    assert (result.base.value, result.base.k, result.base.n) == ("50.0000", "5", "10")
    assert found(result) == {
        "mixed up: a of yours": "30.0000",
        "mixed up: b of yours": "80.0000",
        "unread: left out": "62.5000",
        "prompt: a alone": "50.0000",
        "prompt: b alone": "50.0000",
        "subset: size big": "60.0000",
        "subset: size small": "40.0000",
        "interval: independent answers": "50.0000",
        "interval: 90 %": "50.0000",
        "interval: 99 %": "50.0000",
    }
    distances = [abs(float(one.value) - 50) for one in result.single]
    assert distances == sorted(distances, reverse=True)


def test_the_smallest_set_of_choices_is_found_and_no_larger_one():
    one = dissect(PLAIN, MINE, SETTINGS, "mine", "accuracy", "62.5")
    assert [([str(choice) for choice in this.choices], how) for this, how in one.matches] == [
        (["unread: left out"], "rounded")
    ]
    # Three of four of prompt b, of which two more could not be read.
    two = dissect(PLAIN, MINE, SETTINGS, "mine", "accuracy", "75.0")
    assert ["unread: left out", "prompt: b alone"] in [
        [str(choice) for choice in this.choices] for this, _ in two.matches
    ]
    assert {len(this.choices) for this, _ in two.matches} == {2}
    none = dissect(PLAIN, MINE, SETTINGS, "mine", "accuracy", "61.8")
    assert (none.matches, none.tried) == ((), 3)
    assert f"No set prints 61.8: {none.sets} sets of up to 3 choices" in dissection_shown.verdict(
        none
    )
    base = dissect(PLAIN, MINE, SETTINGS, "mine", "accuracy", "50")
    assert [this.choices for this, _ in base.matches] == [()]


@pytest.mark.parametrize(
    ("value", "printed", "how"),
    [
        ("26.5151", "26.52", "rounded"),
        ("26.5151", "26.51", "cut off"),
        ("26.5151", "26.5", "rounded"),
        ("-0.4900", "-0.4", "cut off"),
        ("26.5151", "26.53", ""),
    ],
)
def test_a_number_prints_rounded_or_cut_off(value, printed, how):
    assert prints_as(value, printed) == how


def test_names_that_are_not_there_are_answered_with_the_nearest():
    with pytest.raises(AfterimageError, match="unknown row 'mime': did you mean 'mine'"):
        dissect(PLAIN, MINE, SETTINGS, "mime", "accuracy")
    with pytest.raises(AfterimageError, match="unknown column 'acuracy': did you mean 'accuracy'"):
        dissect(PLAIN, MINE, SETTINGS, "mine", "acuracy")
    with pytest.raises(AfterimageError, match="'model' is 'mine'; expected a number"):
        dissect(PLAIN, MINE, SETTINGS, "mine", "model")
    with pytest.raises(AfterimageError, match="--printed: found '45,8'"):
        dissect(PLAIN, MINE, SETTINGS, "mine", "accuracy", "45,8")


@pytest.mark.parametrize(
    ("row", "printed", "mixed"),
    [("text", "45.83", 1), ("blank", "25.75", 2)],
)
def test_the_grids_of_gemini_are_its_counts_with_another_models_second_prompt(
    root, row, printed, mixed
):
    settings = SETTINGS | {"release": "v1", "tasks": ["grid"], "responders": (), "yardsticks": ()}
    grades = recorded_grades(str(root / "resources" / "recorded" / "blindtest"), settings)
    parts = {table.name: table.part for table in load_suite("blindtest").tables}
    table = resolve(with_name(parts["blindtest_grids"], "TABLE"))
    name = f"Gemini-1.5_Pro_(recorded)/grid_count_+_grid_howmany/{row}"
    result = dissect(table, grades, settings, name, "accuracy", printed)
    sets = [[str(choice) for choice in one.choices] for one, _ in result.matches]
    assert ["mixed up: grid_howmany of Claude 3 Sonnet (recorded)"] in sets
    assert len(sets) == mixed


REPLIES = {
    "Yes": "yes",
    "No.": "no",
    "Yes, there is a dog. It is not near the cat.": "yes",
    "There is a dog in the image.": "yes",
    "There is no dog, yes I am sure.": "no",
    "I cannot tell.": "no",
}


def test_pope_is_scored_anew_by_each_of_its_rules_and_as_the_tables_score_it():
    table = Table(
        "pope",
        "POPE",
        rows=(By("model"),),
        csv=(
            "model",
            answers(),
            Worked(
                SCORES[:1],
                lambda group: (scored(OFFICIAL, group.answers, SETTINGS)["accuracy"],),
                kind="number",
            ),
        ),
    )
    readings = [presence_blog.parse(text).readings for text in REPLIES]
    grades = pd.DataFrame(
        {
            "model": "llava",
            "prompt": "is_there",
            "repeat": 0,
            "key": list(REPLIES.values()),
            "answer": [one["strict"] or None for one in readings],
            "outcome": ["exact" if one["strict"] else "unparsed" for one in readings],
            "correct": [
                one["strict"] == key for one, key in zip(readings, REPLIES.values(), strict=True)
            ],
            "readings": readings,
            "image_id": [f"image {index % 3}" for index in range(len(REPLIES))],
        }
    )
    result = dissect(table, grades, SETTINGS, "llava", "accuracy")
    expected = {
        rule: f"{scored(rule, grades, SETTINGS)['accuracy']:.4f}" for rule in presence_blog.RULES
    }
    rules = {
        name.removeprefix("rule: "): value
        for name, value in found(result).items()
        if "rule" in name
    }
    assert result.base.value == expected.pop(OFFICIAL)
    assert rules == expected
    assert len({result.base.value, *rules.values()}) > 2


def test_the_table_and_the_figure_have_every_choice(tmp_path):
    result = dissect(PLAIN, MINE, SETTINGS, "mine", "accuracy", "75.0")
    dissection_shown.write(result, "plain, mine, accuracy", str(tmp_path / "mine"))
    table = pd.read_csv(tmp_path / "mine.csv")
    assert tuple(table.columns) == dissection_shown.COLUMNS
    assert list(table["choices"][:1]) == ["as the table has it"]
    assert len(table) == 1 + len(result.single) + len(result.matches)
    assert (table["prints"] == "rounded").sum() == len(result.matches)
    assert (tmp_path / "mine.png").read_bytes().startswith(b"\x89PNG")
    text = dissection_shown.as_text(result, "plain")
    assert "| unread: left out" in text and "+12.50" in text
    assert "75.0 is printed by (" in text
