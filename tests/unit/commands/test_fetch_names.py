"""What the command fetch takes: suites, repositories, and of a study's own the files that it reads."""

import re

import pytest
import yaml

from afterimage.commands.data import _sets_named, suite_sets
from afterimage.errors import AfterimageError
from afterimage.files.hub_lock import HubSet
from afterimage.stages.fetching import sets_of


def test_each_suite_of_the_documentation_is_fetched_by_its_name(root):
    page = (root / "docs" / "data.md").read_text(encoding="utf-8")
    named = re.findall(r"^\| [^|]+ \| `\.venv/bin/afterimage fetch (\w+)`", page, re.M)
    assert sorted(named) == sorted(suite_sets())
    assert len(named) == 5


def test_a_study_names_benchmarks_sets_of_images_and_answers_of_others():
    settings = {"hub": "lab/answers", "file": "{suite}.jsonl", "revision": "v1"}
    study = {
        "models": ["chance", "them"],
        "own_models": {"them": {"backend": "recorded", "settings": settings}, "unused": None},
        "suites": {
            "pope": {"source": "drawn"},
            "images": {"sets": {"mine": "folder", "theirs": {"hub": "lab/set"}}},
        },
    }
    assert sets_of(study) == [
        HubSet("lab/set", ("*test-*.parquet",)),
        HubSet("lab/answers", ("pope.jsonl",), "v1"),
        HubSet("lab/answers", ("images.jsonl",), "v1"),
    ]


def test_answers_of_others_are_found_in_the_registry_too(tmp_path):
    registry = tmp_path / "models.yaml"
    settings = {"hub": "lab/answers", "file": "all.jsonl"}
    entries = {"them": {"backend": "recorded", "settings": settings}, "others": {"settings": {}}}
    registry.write_text(yaml.safe_dump(entries))
    study = {"models": ["them"], "model_registry": str(registry), "suites": {"pope": {}}}
    assert sets_of(study) == [HubSet("lab/answers", ("all.jsonl",))]
    registry.unlink()
    with pytest.raises(AfterimageError, match=r"'model_registry': file '.*' does not exist"):
        sets_of(study)


def test_of_a_repository_that_the_study_reads_its_files_are_fetched(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    own = HubSet("lab/answers", ("a.jsonl",))
    assert _sets_named("lab/answers", {}, [own]) == [own]
    assert _sets_named("lab/other", {}, [own]) == [HubSet("lab/other", ("*.parquet",))]
    elsewhere = HubSet("https://git.example.org/lab/answers", ("runs/a.jsonl",))
    assert _sets_named(elsewhere.repository, {}, [own, elsewhere]) == [elsewhere]
    with pytest.raises(AfterimageError, match="did you mean 'pope'"):
        _sets_named("popes", {"pope": []}, [])
