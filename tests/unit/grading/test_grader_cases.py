"""Readers read replies as a person does: ``tests/data/grader_cases.yaml``, a group of cases for each claim."""

from importlib import import_module
from pathlib import Path

import pytest

from afterimage.files.yaml import read_yaml
from afterimage.grading.readers import choice

DATA = read_yaml(Path(__file__).parents[2] / "data" / "grader_cases.yaml")
#: How the reason of a case is compared with the one that is given.
AGREES = {
    "whole": lambda parsed, reason: parsed.reason == reason,
    "code": lambda parsed, reason: parsed.code == reason,
    "end": lambda parsed, reason: parsed.reason.endswith(reason),
    "part": lambda parsed, reason: reason in (parsed.reason or ""),
}


def named(group, reply, answer, *rest):
    """Return a case; behind its answer stand what the group's readings read, then a reason."""
    names = group.get("readings", group.get("some_readings", []))
    reasons = rest[len(names) :]
    assert len(reasons) == 1 or not (reasons or "reasons" in group), reply
    readings = dict(zip(names, rest[: len(names)], strict=True))
    offered = f" ({group['options']})" if "options" in group else ""
    label = f"{group['reader']}{offered}: {group['claim']}: {reply!r}"
    return pytest.param(group, reply, answer, readings, *(reasons or [""]), id=label)


def options_of(group):
    return [tuple(option) for option in DATA["options"].get(group.get("options"), ())]


def read(group, reply):
    reader = import_module(f"afterimage.grading.readers.{group['reader']}")
    if "question" in group:
        return reader.parse_with_question(reply, options_of(group), group["question"])
    return reader.parse(reply, options_of(group))


CASES = [named(group, *case) for group in DATA["groups"] for case in group["cases"]]


@pytest.mark.parametrize(("group", "reply", "answer", "readings", "reason"), CASES)
def test_a_reply_is_read_as_its_group_claims(group, reply, answer, readings, reason):
    parsed = read(group, reply)
    assert parsed.answer == answer
    assert parsed.outcome == group.get("outcome", parsed.outcome)
    assert AGREES[group.get("reasons", "part")](parsed, reason)
    assert {name: parsed.readings[name] for name in readings} == readings
    if "readings" in group:
        assert list(parsed.readings) == list(readings)
    assert parsed.reason or answer is not None


def test_each_case_has_a_name_of_its_own():
    assert len({case.id for case in CASES}) == len(CASES)


def test_answer_does_not_depend_on_the_order_of_options():
    groups = [
        group
        for group in DATA["groups"]
        if group["reader"] == "choice" and group.get("outcome") in ("exact", "contained")
    ]
    assert sum(len(group["cases"]) for group in groups) >= 48
    for group in groups:
        for reply, answer, *_ in group["cases"]:
            assert choice.parse(reply, options_of(group)[::-1]).answer == answer, reply
