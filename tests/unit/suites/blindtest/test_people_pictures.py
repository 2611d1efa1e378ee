"""What people are shown and asked in sessions about BlindTest."""

import numpy as np
import pandas as pd
import pytest

from afterimage.contract.parts import resolve
from afterimage.contract.task import Answer, Shown
from afterimage.files.png import encode_png
from afterimage.files.stimulus import Inputs
from afterimage.items.form_texts import Texts, form_texts
from afterimage.people.forms.page import _trials
from afterimage.showing.tables.compute import frame_of
from afterimage.suites.blindtest import forms
from afterimage.suites.blindtest.suite import Settings, figures
from afterimage.suites.blindtest.tables import BLINDTEST_PEOPLE
from afterimage.suites.contrast.tables import CONTRAST_PEOPLE
from afterimage.suites.thresholds import people

PNG = encode_png(np.zeros((2, 2, 3), dtype=np.uint8))


@pytest.fixture(scope="module")
def records():
    """The paper's set as it is listed, without its pixels, and a further copy of it."""
    found = []
    for figure in figures(Settings(scale=2)):
        for spec in resolve(figure.design).specs(
            figure.name, {"seed": 1, "squares_per_width": False}
        ):
            found.append(
                {"stimulus_id": spec.stimulus_id, "figure": figure.name, "factors": spec.factors}
            )
    return found


@pytest.fixture(scope="module")
def listed(root, records):
    texts = Texts(form_texts(root / "resources/forms", ["en", "ja"], "blindtest", "threshold"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(forms, "shown_stimuli", lambda inputs: ((record, PNG) for record in records))
        return list(forms.tasks(Inputs(), {}, texts))


def test_each_task_has_a_page_of_forty_pictures_and_six_to_practise_with(listed):
    pages = pd.Series([task.page for task in listed]).value_counts()
    rows = ["line_intersection", "two_circles", "circled_letter", "circles", "pentagons"]
    assert set(pages.index) == {*rows, "nested_squares", "grid", "subway"}
    assert set(pages) == {forms.TRIALS + forms.PRACTICE_TRIALS}
    assert len({task.id for task in listed}) == len(listed)
    assert not [task for task in listed if "copy" in task.id]


def test_the_right_answer_is_among_those_offered_in_both_languages(listed):
    for task in listed:
        (field,) = task.fields
        assert task.about["key"] in [option.id for option in field.options]
        assert set(field.text) == {"en", "ja"} and "{" not in field.text["en"] + field.text["ja"]
    (paths,) = {len(task.fields[0].options) for task in listed if task.page == "subway"}
    assert paths == 3
    questions = {task.fields[0].text["en"] for task in listed if task.page == "two_circles"}
    assert questions == {"Do the two circles overlap?", "Do the two circles touch each other?"}


def test_trials_are_put_in_the_order_in_which_they_are_listed(listed):
    shown = [Shown(task.id, task.about) for task in listed if task.page == "grid"]
    session = forms.session(shown, {})
    assert [track.first for track in session.tracks] == [()]
    assert sum(slot.practice for slot in session.slots.values()) == forms.PRACTICE_TRIALS
    assert [_trials(session, each) for each in (10, 40, 60)] == [10, 40, 40]


def test_right_answers_are_counted_for_each_person(tmp_path):
    given = []
    for person, right in (("ann", 36), ("bob", 20)):
        for number in range(40):
            about = {
                "condition": "grid",
                "track": "",
                "cell": people.TRIAL,
                "first": "3x3",
                "key": "3x3",
            }
            about |= {"stimulus_id": f"x{number}", "width_px": "500"}
            fields = {"session": person, "order": str(number), "milliseconds": "900"}
            fields |= {"shown": "250x250 @2", "px_per_mm": "", "distance_cm": ""}
            answer = "3x3" if number < right else "3x4"
            given.append(Answer(person, "threshold", "x", "answer", answer, about, "f", "", fields))
    path = tmp_path / "trials.csv"
    pd.DataFrame(people.rows(given), columns=people.COLUMNS).to_csv(path, index=False)
    fields = {"confidence": 0.95, "resamples": 100, "seed": 1, "blindtest": {"trials": str(path)}}
    found = frame_of(BLINDTEST_PEOPLE, pd.DataFrame(), fields).set_index("person")
    assert found.loc["ann", "accuracy"] == 90 and found.loc["ann", "trials_right_k"] == 36
    # Wilson's interval of 36 of 40.
    assert found.loc["ann", "accuracy_low"] == pytest.approx(76.95, abs=0.01)
    assert found.loc["all", "accuracy"] == 70 and found.loc["all", "people"] == 2


@pytest.mark.parametrize(
    ("table", "said"), [(BLINDTEST_PEOPLE, "over pictures"), (CONTRAST_PEOPLE, "QUEST+")]
)
def test_the_note_says_of_what_kind_a_persons_interval_is(table, said):
    (note,) = [note for note in table.notes if str(note).startswith("A person's interval")]
    assert said in note
