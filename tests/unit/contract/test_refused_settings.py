"""A suite's bad settings and broken prompt files are refused in one sentence: ``tests/data/refused_settings.yaml``."""

from copy import deepcopy
from functools import cache
from pathlib import Path

import pytest
import yaml

from afterimage.contract.finding import load_suite
from afterimage.errors import AfterimageError
from afterimage.files.yaml import read_yaml
from afterimage.planning.plan import Plan

CASES = read_yaml(Path(__file__).parents[2] / "data" / "refused_settings.yaml")
#: What no prompt file can be, and what is said of it.
UNREADABLE = [
    (b"preambles: [", r"line \d: not valid YAML"),
    (b"\xff\xfe\xfa", "not UTF-8"),
    (b"layout: \xff", "not UTF-8"),
    (b"", "found nothing; expected a mapping"),
    (b"- a\n", "expected a mapping"),
    (b"? [a, b]\n: c\n", "unknown key|not valid YAML"),
    (
        b"layout: one\npreambles:\n  actual: a\n  actual: b\n",
        "line 4: .*'actual' occurs here for the second time",
    ),
]


def cases(kind):
    return [
        pytest.param(suite, case, id=f"{suite}: {case['says']}")
        for suite, listed in CASES[kind].items()
        for case in listed
    ]


def changed(path, case):
    """The text of a file with the edit of a case."""
    text = path.read_text(encoding="utf-8")
    if "replace" in case:
        assert case["replace"] in text
        return text.replace(case["replace"], case["by"], 1)
    content = deepcopy(_shipped(path))
    for key, value in case.get("set", {}).items():
        place, last = _place(content, key)
        place[last] = value
    if "drop" in case:
        place, last = _place(content, case["drop"])
        del place[last]
    return yaml.safe_dump(content, allow_unicode=True, sort_keys=False)


_shipped = cache(read_yaml)


def _place(content, key):
    *steps, last = (int(step) if step.isdigit() else step for step in key.split("."))
    for step in steps:
        content = content[step]
    return content, last


@pytest.mark.parametrize(("suite", "case"), cases("settings"))
def test_bad_settings_are_refused_in_one_sentence(suite, case, root, monkeypatch):
    monkeypatch.chdir(root)
    with pytest.raises(AfterimageError, match=rf"suites\.{suite}.*{case['says']}") as refused:
        Plan({"models": ["chance"], "suites": {suite: case["settings"]}}, root)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(("suite", "case"), cases("prompts"))
def test_a_broken_prompt_file_is_refused(suite, case, root, tmp_path, monkeypatch):
    monkeypatch.chdir(root)
    setting = case.get("file", "prompt_file")
    shipped = case.get("shipped") or getattr(load_suite(suite).settings(), setting)
    file = tmp_path / "broken.yaml"
    file.write_text(changed(root / shipped, case), encoding="utf-8")
    settings = {**case.get("settings", {}), setting: str(file)}
    with pytest.raises(AfterimageError, match=case["says"]) as refused:
        Plan({"models": ["chance"], "suites": {suite: settings}}, root)
    assert str(file) in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("suite", CASES["prompts"])
@pytest.mark.parametrize(("content", "says"), UNREADABLE)
def test_unreadable_content_is_one_sentence(suite, content, says, root, tmp_path, monkeypatch):
    monkeypatch.chdir(root)
    file = tmp_path / "broken.yaml"
    file.write_bytes(content)
    with pytest.raises(AfterimageError, match=says) as refused:
        Plan({"models": ["chance"], "suites": {suite: {"prompt_file": str(file)}}}, root)
    assert str(refused.value).startswith(str(file))
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("suite", CASES["prompts"])
def test_a_prompt_file_that_is_not_there_is_named(suite, root, monkeypatch):
    monkeypatch.chdir(root)
    with pytest.raises(AfterimageError, match=r"^nowhere\.yaml: no such file") as refused:
        Plan({"models": ["chance"], "suites": {suite: {"prompt_file": "nowhere.yaml"}}}, root)
    assert "\n" not in str(refused.value)
