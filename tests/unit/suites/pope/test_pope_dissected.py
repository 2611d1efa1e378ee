"""POPE's scores of recorded answers under each rule of reading."""

import pandas as pd
import pytest

from afterimage.grading.readers import presence_blog
from afterimage.showing.tables.declaration import By, Table
from afterimage.showing.tables.dissection import dissect
from afterimage.showing.tables.values import Worked, answers
from afterimage.suites.pope.metrics import SCORES
from afterimage.suites.pope.recorded import read_recorded
from afterimage.suites.pope.rescore import SETTINGS, graded
from afterimage.suites.pope.scores import OFFICIAL, scored

TABLE = Table(
    "recorded",
    "Recorded answers",
    rows=(By("model"), By("split")),
    csv=(
        *("model", "split"),
        answers(),
        Worked(
            SCORES,
            lambda group: tuple(scored(OFFICIAL, group.answers, SETTINGS)[name] for name in SCORES),
            kind="number",
        ),
    ),
)


@pytest.mark.parametrize(
    ("split", "printed"), [("random", "87.1"), ("popular", "86.2"), ("adversarial", "84.5")]
)
def test_llavas_answers_are_one_word_so_that_no_rule_moves_what_was_printed(
    split, printed, reference
):
    ((model, splits),) = read_recorded(reference / "pope", None).models.items()
    grades = graded(splits[split])
    strict = [readings["strict"] for readings in grades["readings"]]
    grades = grades.assign(
        **{"model": model, "split": split, "prompt": "word", "repeat": 0, "answer": strict},
        outcome="exact",
        correct=[effect == key for effect, key in zip(strict, grades["key"], strict=True)],
    )
    result = dissect(TABLE, grades, SETTINGS, f"{model}/{split}", "f1", printed)
    ((match, how),) = result.matches
    assert (match.choices, how) == ((), "rounded")
    rules = {effect.choices[0].name for effect in result.single if effect.choices[0].kind == "rule"}
    assert rules == set(presence_blog.RULES) - {OFFICIAL}
    assert {effect.value for effect in result.single if effect.choices[0].kind == "rule"} == {
        result.base.value
    }
    wordy = pd.DataFrame(
        {
            **{"model": model, "split": split, "prompt": "word", "repeat": 0, "answer": "yes"},
            **{"outcome": "exact", "correct": True, "key": grades["key"]},
            "image_id": grades["image_id"],
            "readings": [
                presence_blog.parse(f"{key}, I think; the picture is not clear.").readings
                for key in grades["key"]
            ],
        }
    )
    moved = dissect(TABLE, wordy, SETTINGS, f"{model}/{split}", "accuracy")
    assert moved.single[0].choices[0].kind == "rule"
    assert moved.single[0].value != moved.base.value
