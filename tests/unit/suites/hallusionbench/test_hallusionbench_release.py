"""What the release asks, row by row."""

import json

from release_samples import hallusionbench_question, write_hallusionbench

from afterimage.suites.hallusionbench import dataset

WORDS = {"prompts": {"plain": {"text": "{question}"}}}
SETTINGS = {"prompts": ["plain"]}


def test_a_row_that_asks_what_another_asked_is_asked_too(tmp_path):
    write_hallusionbench(tmp_path)
    path = tmp_path / dataset.LABELS
    rows = json.loads(path.read_text())
    path.write_text(json.dumps([*rows, hallusionbench_question("VD", "0", "1", "0")]))
    (figure,) = (name for name in dataset.figures(str(tmp_path)) if name.startswith("VD"))
    shown = dataset.shown(figure, {"folder": str(tmp_path)})
    asked = list(dataset.questions(shown, WORDS, SETTINGS, shown))
    assert len(asked) == 3
    assert [question.question for question in asked] == ["0", "1", "1"]
    assert [question.question_id for question in asked] == ["0/plain", "1/plain", "1_2/plain"]
