"""Releases and recorded answers that others made: nothing leads out of its folder, everything else is one sentence."""

import json

import pytest
from PIL import Image
from release_samples import write_hallusionbench, write_illusionvqa
from studies import plain_study

from afterimage.errors import AfterimageError
from afterimage.files.json_files import read_json_list
from afterimage.files.recorded_rows import read_json_lines
from afterimage.files.yaml import read_yaml
from afterimage.models.recorded.harnesses import read_inspect_ai
from afterimage.planning.plan import Plan
from afterimage.planning.yaml_positions import PositionedFile
from afterimage.suites.hallusionbench import dataset as hallusionbench
from afterimage.suites.images.folder import require_images
from afterimage.suites.shahgir_illusionvqa import dataset

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
        dataset.questions(str(tmp_path), "comprehension")
    assert str(told.value).isprintable()
    assert "expected a path that stays inside its folder" in str(told.value)


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


def test_a_models_name_may_have_a_hundred_letters(root, monkeypatch):
    monkeypatch.chdir(root)
    name = "x" * 100
    plan = Plan(plain_study(models=[name], own_models={name: {"backend": "chance"}}), root)
    assert list(plan.models) == [name]


@pytest.mark.parametrize(
    "name", ["", "x" * 101, "x" * 300, "<b>", "a/b", "..", "\x1b[2J", "a\ud800", "\u00e4" * 60]
)
def test_a_models_name_that_is_no_file_name_is_one_sentence(name, root, monkeypatch):
    monkeypatch.chdir(root)
    study = plain_study(models=[name], own_models={name: {"backend": "chance"}})
    with pytest.raises(AfterimageError, match="is not usable in file names") as told:
        Plan(study, root)
    assert str(told.value).isprintable()
    assert len(str(told.value)) < 300


@pytest.mark.parametrize(
    ("header", "row", "column"),
    [
        *((",colour", f"a.png,What?,,x,{level}", "colour") for level in ("\x1b[2J", "y" * 3000)),
        (",colour", 'a.png,What?,,x,"red\nblue"', "colour"),
        (",colour", "a.png,What?,,x,red\u202e", "colour"),
        (f",{'c' * 3000}", "a.png,What?,,x,1", "c" * 77),
        *(("", f"{name}.png,What?,,x", "image") for name in ("a" * 3000, "\u00e4" * 200, "a\x07")),
        ("", f"{'d' * 200}/" * 30 + "a.png,What?,,x", "image"),
    ],
    ids=range(9),
)
def test_names_and_levels_of_ones_own_pictures_are_what_a_table_can_show(
    tmp_path, header, row, column
):
    Image.new("RGB", (4, 4)).save(tmp_path / "a.png")
    (tmp_path / "questions.csv").write_text(f"image,question,options,answer{header}\n{row}\n")
    with pytest.raises(AfterimageError, match=f"column '{column}.*expected .*control char") as told:
        require_images("set", str(tmp_path), "ignore")
    assert len(str(told.value)) < 500 and str(told.value).isprintable()


def test_a_picture_in_a_table_s_ideographic_blank_is_fine(tmp_path):
    Image.new("RGB", (4, 4)).save(tmp_path / "a.png")
    (tmp_path / "questions.csv").write_text(
        "image,question,options,answer,colour\na.png,What?,,x,赤\u3000い\n"
    )
    require_images("set", str(tmp_path), "ignore")


@pytest.mark.parametrize(
    "pair", [("Gpt", "gpt"), ("caf\u00e9", "cafe\u0301"), ("stra\u00dfe", "STRASSE")]
)
def test_models_that_are_one_file_elsewhere_are_one_sentence(pair, root, monkeypatch):
    monkeypatch.chdir(root)
    study = plain_study(
        models=list(pair), own_models={name: {"backend": "chance"} for name in pair}
    )
    with pytest.raises(AfterimageError, match="differ in capitals or composed letters alone"):
        Plan(study, root)


@pytest.mark.parametrize(
    "text", ["a: &x [1, *x]", "a: &x {b: *x}", "a: &x\n- {b: [*x]}", "a: &x {b: &y {c: *x}, d: *y}"]
)
def test_yaml_that_holds_itself_is_one_sentence(text, tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text(text)
    for read in (read_yaml, lambda path: PositionedFile(path, "--configfile")):
        with pytest.raises(AfterimageError, match=r"a\.yaml: key 'a.*' holds itself"):
            read(path)


def test_yaml_with_an_alias_in_several_places_is_fine(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text("a: &x {b: 1}\nc: [*x, *x]\n")
    assert read_yaml(path) == {"a": {"b": 1}, "c": [{"b": 1}, {"b": 1}]}
