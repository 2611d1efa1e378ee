"""Every fault of the catalogue strikes one attempt of one request, and does what is promised of it and no more."""

from collections import Counter

import pytest
from fault_catalogue import AGAIN, ANSWER, FAILS, FAULTS, STOPS
from faulty_model import asked
from loopback_api import completion

from afterimage.models.journaling.files import Entry, entries_in, journal_files

COUNT = 3
STRUCK = "Question 1"


def test_there_are_at_least_eighty_faults_of_every_kind():
    kinds = Counter(fault.promise for fault in FAULTS.values())
    assert len(FAULTS) >= 80
    assert kinds.keys() == {AGAIN, FAILS, STOPS, ANSWER}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_does_what_is_promised_of_it_and_no_more(name, tmp_path):
    fault = FAULTS[name]
    left = [fault]

    def react(call):
        text = f"answer to {call.text}"
        return left.pop().react(text) if left and call.text == STRUCK else completion(text)

    options = {"concurrency": 1, "retries": 2, "timeout_seconds": 3}
    first, api = asked(react, tmp_path, COUNT, **options)
    expected = {n: f"answer to Question {n}" for n in range(COUNT)}
    if fault.text is not None:
        expected[1] = fault.text
    failed = {AGAIN: set(), ANSWER: set(), FAILS: {1}, STOPS: {1, 2}}[fault.promise]
    assert first.failures.keys() == failed
    assert texts(first) == {n: text for n, text in expected.items() if n not in failed}
    again, later = asked(react, tmp_path, COUNT, api.port, **options)
    assert texts(again) == expected
    # The next run asks what failed, and nothing else.
    assert {call.text for call in later.calls} == {f"Question {n}" for n in failed}
    folder = tmp_path / "journal" / "hosted"
    entries = [entry for file in journal_files(folder) for entry in entries_in(file)]
    assert all(isinstance(entry, Entry) for entry in entries)
    assert len(entries) == COUNT


def texts(asking):
    return {number: replies[0].text for number, replies in asking.replies.items()}
