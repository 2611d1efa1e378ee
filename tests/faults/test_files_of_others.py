"""Releases and recorded answers that others made: nothing leads out of its folder, everything else is one sentence."""

import json

import pytest
from release_samples import write_hallusionbench, write_illusionvqa
from studies import plain_study

from afterimage.errors import AfterimageError
from afterimage.files.json_list import read_json_list
from afterimage.files.recorded_rows import read_json_lines
from afterimage.models.recorded.inspect_ai import read_inspect_ai
from afterimage.planning.plan import Plan
from afterimage.suites.hallusionbench import dataset as hallusionbench
from afterimage.suites.illusionvqa import dataset as illusionvqa

OUTSIDE = [
    "../secret.png",
    "/etc/secret.png",
    "a/../../secret.png",
    ".",
    "..",
    "a\\..\\b.png",
    "a\x00",
]
OUTSIDE += ["x" * 2000, "\x1b[2J.png"]
DEEP = "[" * 100_000 + "]" * 100_000


def changed(path, **fields):
    """Change the first entry of a file of labels."""
    rows = json.loads(path.read_text())
    rows[0].update(fields)
    path.write_text(json.dumps(rows))


@pytest.mark.parametrize("name", [*OUTSIDE, "", " ", 7, ["a.png"]])
def test_illusionvqa_names_no_image_outside_its_folder(name, tmp_path):
    write_illusionvqa(tmp_path)
    labels = next(tmp_path.glob("comprehension/eval_labels.json"))
    changed(labels, image=name)
    with pytest.raises(AfterimageError, match="entry 0: found the image") as told:
        illusionvqa.questions(str(tmp_path), "comprehension")
    assert str(told.value).isprintable()
    assert "expected a path that stays inside the release's folder" in str(told.value)


@pytest.mark.parametrize("name", OUTSIDE)
def test_hallusionbench_names_no_image_outside_its_folder(name, tmp_path):
    write_hallusionbench(tmp_path)
    changed(tmp_path / "HallusionBench.json", filename=name)
    with pytest.raises(AfterimageError, match="entry 0: found the image"):
        hallusionbench.figures(str(tmp_path))


def test_deep_json_is_one_sentence(tmp_path):
    path = tmp_path / "deep.json"
    path.write_text(DEEP)
    with pytest.raises(AfterimageError, match="nested too deeply"):
        read_json_list(path, "questions")


def test_deep_json_in_recorded_answers_is_one_sentence(tmp_path):
    path = tmp_path / "answers.jsonl"
    path.write_text(f'{{"item_id": "a", "answer": {DEEP}}}\n')
    with pytest.raises(AfterimageError, match="nested too deeply"):
        list(read_json_lines(path))
    log = tmp_path / "log.json"
    log.write_text(DEEP)
    with pytest.raises(AfterimageError, match="nested too deeply"):
        list(read_inspect_ai(log, "{id}"))


@pytest.mark.parametrize(
    "name", ["", "x" * 300, "<b>", "a/b", "..", "\x1b[2J", "a\ud800", "\u00e4" * 60]
)
def test_a_models_name_that_is_no_file_name_is_one_sentence(name, root, monkeypatch):
    monkeypatch.chdir(root)
    study = plain_study(models=[name], own_models={name: {"backend": "chance"}})
    with pytest.raises(AfterimageError, match="is not usable in file names") as told:
        Plan(study, root)
    assert str(told.value).isprintable()
    assert len(str(told.value)) < 300
