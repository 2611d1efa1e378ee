"""Readers read replies as a person does: ``tests/data/grader_cases.yaml``, a group of cases for each claim."""

from importlib import import_module
from pathlib import Path

import pytest

from afterimage.files.yaml import read_yaml

DATA = read_yaml(Path(__file__).parents[2] / "data" / "grader_cases.yaml")
CASES = [
    pytest.param(group, *case, id=f"{group['reader']}: {group['claim']}: {case[0]!r}")
    for group in DATA["groups"]
    for case in ([*case, ""][:3] for case in group["cases"])
]


@pytest.mark.parametrize(("group", "reply", "answer", "reason"), CASES)
def test_a_reply_is_read_as_its_group_claims(group, reply, answer, reason):
    reader = import_module(f"afterimage.grading.{group['reader']}")
    options = [tuple(option) for option in DATA["options"].get(group.get("options"), ())]
    parsed = reader.parse(reply, options)
    assert parsed.answer == answer
    assert parsed.outcome == group.get("outcome", parsed.outcome)
    assert reason in (parsed.reason or "")
    if "reasons" in group:
        assert parsed.reason == reason
    assert parsed.reason or answer is not None
