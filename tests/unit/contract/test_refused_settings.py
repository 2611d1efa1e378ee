"""A suite's bad settings and broken prompt files are refused in one sentence: ``tests/data/refused_settings.yaml``."""

from pathlib import Path

import pytest

from afterimage.errors import AfterimageError
from afterimage.files.yaml import read_yaml
from afterimage.planning.plan import Plan

CASES = read_yaml(Path(__file__).parents[2] / "data" / "refused_settings.yaml")


def cases(kind):
    return [
        pytest.param(suite, case, id=f"{suite}: {case['says']}")
        for suite, listed in CASES[kind].items()
        for case in listed
    ]


@pytest.mark.parametrize(("suite", "case"), cases("settings"))
def test_bad_settings_are_refused_in_one_sentence(suite, case, root, monkeypatch):
    monkeypatch.chdir(root)
    with pytest.raises(AfterimageError, match=rf"suites\.{suite}.*{case['says']}") as refused:
        Plan({"models": ["chance"], "suites": {suite: case["settings"]}}, root)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(("suite", "case"), cases("prompts"))
def test_a_broken_prompt_file_is_refused(suite, case, root, tmp_path, monkeypatch):
    monkeypatch.chdir(root)
    text = (root / f"resources/prompts/{suite}.yaml").read_text(encoding="utf-8")
    assert case["replace"] in text
    file = tmp_path / "broken.yaml"
    file.write_text(text.replace(case["replace"], case["by"], 1), encoding="utf-8")
    with pytest.raises(AfterimageError, match=case["says"]) as refused:
        Plan({"models": ["chance"], "suites": {suite: {"prompt_file": str(file)}}}, root)
    assert str(file) in str(refused.value)


@pytest.mark.parametrize("suite", CASES["settings"])
def test_a_prompt_file_that_is_not_there_is_named(suite, root, monkeypatch):
    monkeypatch.chdir(root)
    with pytest.raises(AfterimageError, match=r"^nowhere\.yaml: no such file") as refused:
        Plan({"models": ["chance"], "suites": {suite: {"prompt_file": "nowhere.yaml"}}}, root)
    assert "\n" not in str(refused.value)
