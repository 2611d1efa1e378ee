"""Images that files name and that are not there: named and counted before anything starts, the rest asked about.

Public reports: haotian-liu/LLaVA#806 (the folder of POPE's pictures is not there) and AgMMU/AgMMU#5 (a published set
lacks some of its pictures).
"""

import json
from pathlib import Path

import pytest
from drawn_suites import run_to_items
from reader_studies import READER_STUDIES
from studies import plain_study

from afterimage.commands.cli import main
from afterimage.errors import AfterimageError
from afterimage.files.csv_rows import read_rows
from afterimage.files.parquet import write_records
from afterimage.files.records import GRADE
from afterimage.files.stimulus import Inputs
from afterimage.planning.missing_images import named_as_missing
from afterimage.planning.plan import Plan
from afterimage.stages.all_stages import spec_of
from afterimage.stages.images import remove_images
from afterimage.stages.recorded import match_recorded_answers
from afterimage.stages.tables import make_table
from afterimage.suites.illusionbench.folder import read as read_folder
from afterimage.suites.texture.dataset import dataset_source, load_dataset
from afterimage.suites.texture.forms import shown_objects

#: Form of data to one picture of it, below its folder, and to how many of its items are about another one.
ONE = {
    "pope_questions": ("val/val_2.jpg", 18),
    "pope_coco": ("val/val_2.jpg", None),
    "pope_segmentation": ("val/val_2.jpg", None),
    "hallusionbench": ("hallusion_bench/VD/0_0.png", 6),
    "illusionvqa": ("comprehension/EVAL/a2.jpg", 5),
    "illusionbench_folder": ("a.png", None),
    "texture_folder": ("im00.jpg", None),
}


@pytest.fixture
def written(root, monkeypatch, tmp_path):
    """Write others' data of a form, and take some of its pictures away."""
    monkeypatch.chdir(root)

    def write(form, *gone):
        suites = READER_STUDIES[form](tmp_path / "data")
        for name in gone:
            (tmp_path / "data" / name).unlink()
        return suites

    return write


@pytest.fixture
def planned(root, tmp_path):
    return lambda suites: Plan(
        plain_study(suites=suites, models=["chance"], results_folder=str(tmp_path / "results")),
        root,
    )


def pictures_below(folder):
    return [path for path in folder.rglob("*") if path.suffix in (".jpg", ".png")]


@pytest.mark.parametrize("form", ONE)
def test_a_picture_that_is_not_there_is_named_and_the_rest_is_asked(
    form, written, planned, tmp_path
):
    gone, left = ONE[form]
    whole = run_to_items(planned(written(form)), tmp_path)
    plan = planned(written(form, gone))
    (said,) = named_as_missing(plan.missing_thoroughly())
    assert gone in said
    assert "1 of the" in said
    items = run_to_items(plan, tmp_path)
    assert 0 < len(items) < len(whole)
    assert set(items) < set(whole)
    assert left is None or len(items) == left


def drawings(plan):
    (suite,) = plan.suites
    return {
        figure: spec_of(plan, "draw_figure", suite=suite, figure=figure)
        for figure in plan.figures[suite]
    }


@pytest.mark.parametrize(
    "form", [form for form in ONE if form.startswith(("h", "illusionvqa", "t"))]
)
def test_what_is_there_keeps_its_place_when_the_picture_comes(form, written, planned):
    plan = planned(written(form, ONE[form][0]))
    (suite,) = plan.suites
    ids = {figure: plan.studied[suite].stimulus_ids(figure) for figure in plan.figures[suite]}
    shards, drawn = plan.shards(suite, "chance"), drawings(plan)
    later = planned(written(form))
    assert {figure: later.studied[suite].stimulus_ids(figure) for figure in ids} == ids
    assert later.shards(suite, "chance") == shards
    assert len([name for name, spec in drawings(later).items() if spec != drawn[name]]) == 1


@pytest.mark.parametrize("form", ONE)
def test_where_none_is_there_one_sentence_says_so_before_anything_starts(
    form, written, planned, tmp_path
):
    suites = written(form)
    for path in pictures_below(tmp_path / "data"):
        path.unlink()
    with pytest.raises(AfterimageError) as caught:
        planned(suites)
    said = str(caught.value)
    assert said.count("\n") == 0
    assert said.startswith(f"config: suites.{next(iter(suites))}")
    assert "none of the" in said or "holds no picture" in said


@pytest.mark.parametrize("form", ["pope_coco", "pope_segmentation"])
def test_a_folder_of_other_pictures_is_found_by_check(form, written, planned, tmp_path):
    suites = written(form)
    for path in pictures_below(tmp_path / "data"):
        path.rename(path.with_name(f"other_{path.name}"))
    plan = planned(suites)
    with pytest.raises(AfterimageError, match=r"suites\.pope: none of the 4 images"):
        plan.missing_thoroughly()
    assert run_to_items(plan, tmp_path) == []


def test_a_file_of_the_archive_that_is_not_there_is_named(written, planned, tmp_path):
    suites = written("illusionbench_release")
    path = tmp_path / "data" / "Image_properties.json"
    entries = json.loads(path.read_text())
    more = json.loads(json.dumps(entries[0]))
    more["image_property"]["image_name"] = "gone.png"
    path.write_text(json.dumps([*entries, more]))
    plan = planned(suites)
    (said,) = named_as_missing(plan.missing_thoroughly())
    assert "1 of the 3 images" in said
    assert "gone.png" in said


@pytest.mark.parametrize(
    ("form", "file"),
    [
        ("pope_questions", "coco_pope_popular.json"),
        ("pope_coco", "instances.json"),
        ("pope_segmentation", "segmentation.json"),
        ("hallusionbench", "HallusionBench.json"),
        ("illusionvqa", "sofloc/eval_labels.json"),
        ("illusionbench_folder", "mcq.jsonl"),
        ("illusionbench_release", "Image_properties.json"),
        ("illusionbench_release", "IllusionDataset.zip"),
        ("own_images", "ants/questions.csv"),
        ("texture_folder", "objects.csv"),
    ],
)
def test_a_file_of_questions_that_is_not_there_is_one_sentence(form, file, written, planned):
    with pytest.raises(AfterimageError) as caught:
        planned(written(form, file))
    assert str(caught.value).count("\n") == 0
    assert Path(file).name in str(caught.value)


def test_all_rows_of_ones_own_set_that_name_no_picture_are_told_together(written, planned):
    with pytest.raises(AfterimageError) as caught:
        planned(written("own_images", "ants/one.png", "zebras/two.png"))
    said = str(caught.value).splitlines()
    assert len(said) == 2
    assert "one.png" in said[0]
    assert "two.png" in said[1]


def test_examples_that_are_not_there_are_not_shown(written, planned, tmp_path):
    suites = written("illusionvqa", "comprehension/FEW_SHOTS/a3.jpg")
    suites["shahgir_illusionvqa"]["prompts"] = ["four_shot"]
    plan = planned(suites)
    assert "a3.jpg" in next(named_as_missing(plan.missing_thoroughly()))
    assert len(run_to_items(plan, tmp_path)) == 6


def test_tables_count_what_is_missing(written, planned, tmp_path):
    plan = planned(written("hallusionbench", ONE["hallusionbench"][0]))
    spec = spec_of(plan, "make_table", table="hallusionbench")
    grades = tmp_path / "grades" / "hallusionbench" / "chance.parquet"
    grades.parent.mkdir(parents=True)
    write_records(grades, [], GRADE)
    outputs = {
        form: tmp_path / "tables" / f"t.{form}" for form in ("csv", "markdown", "latex", "json")
    }
    given = {"grades": [grades], "decisions": []}
    make_table(spec, given, outputs, {})
    told = "1 of the 3 images that its files name is not there and was not asked about"
    for form in ("markdown", "latex", "json"):
        assert told in " ".join(outputs[form].read_text().split())
    assert read_rows(outputs["csv"])
    whole = planned(READER_STUDIES["hallusionbench"](tmp_path / "data"))
    assert "missing" not in spec_of(whole, "make_table", table="hallusionbench")


def test_check_names_them_and_ends_well(written, tmp_path, capsys, root):
    suites = written("hallusionbench", ONE["hallusionbench"][0])
    file = tmp_path / "study.yaml"
    file.write_text(json.dumps(plain_study(suites=suites, models=["chance"])))
    assert main(["check", "--configfile", str(file)]) == 0
    output = capsys.readouterr().out
    assert "suites.hallusionbench: 1 of the 3 images" in output
    assert ONE["hallusionbench"][0] in output


@pytest.mark.parametrize("wanted", [["popular"], ["random", "adversarial"]])
def test_a_split_without_a_file_is_named(wanted, written, planned):
    suites = written("pope_questions")
    for name in ("popular", "adversarial"):
        del suites["pope"]["questions"][name]
    assert planned(suites).suites
    suites["pope"]["strategies"] = wanted
    with pytest.raises(
        AfterimageError, match=f"suites.pope.strategies: '{wanted[-1]}' has no file"
    ):
        planned(suites)


def test_many_names_are_cut_short(written, planned):
    names = [f"val/val_{number}.jpg" for number in range(3)]
    plan = planned(written("pope_questions", *names))
    (said,) = named_as_missing(plan.missing_thoroughly())
    assert "3 of the 4 images that its files name are not there and were not asked about" in said
    assert all(name in said for name in names)


def test_people_are_not_shown_what_is_not_there(written, planned, tmp_path):
    plan = planned(written("texture_folder", "im00.jpg"))
    run_to_items(plan, tmp_path)
    (stimuli,) = tmp_path.glob("texture_photographs_*.parquet")
    dataset = load_dataset(dataset_source(plan.suites["texture"], {}, ("objects",)))
    shown = [key[0] for key, _, _ in shown_objects(Inputs(stimuli=(str(stimuli),)), dataset)]
    assert shown == [f"im{number:02d}" for number in range(1, 6)]


@pytest.mark.parametrize("gone", [[], [ONE["hallusionbench"][0]]], ids=["whole", "with a hole"])
def test_recorded_answers_about_what_is_not_there_are_left_out(gone, written, root, tmp_path):
    """Answers of others are about the whole release; without a hole an answer too many stays a fault."""
    known = run_to_items(planned_with_recorded(written("hallusionbench"), root, tmp_path), tmp_path)
    plan = planned_with_recorded(written("hallusionbench", *gone), root, tmp_path)
    more = [] if gone else ["no item/plain"]
    answers = [json.dumps({"item_id": name, "answer": "Yes"}) for name in [*known, *more]]
    (tmp_path / "answers.jsonl").write_text("\n".join(answers))
    items = run_to_items(plan, tmp_path)
    inputs = {
        "recorded": [str(tmp_path / "answers.jsonl")],
        "ids": [],
        "shards": list(tmp_path.glob("*_items.parquet")),
        "stimuli": [],
    }
    spec = spec_of(plan, "match_recorded_answers", suite="hallusionbench", model="theirs")
    outputs = {"answers": tmp_path / "matched.parquet"}
    if not gone:
        with pytest.raises(AfterimageError, match="1 answer without an item"):
            match_recorded_answers(spec, inputs, outputs, {})
        return
    assert match_recorded_answers(spec, inputs, outputs, {}) == len(items) < len(known)


def planned_with_recorded(suites, root, folder):
    settings = {"file": str(folder / "answers.jsonl"), "columns": {"text": "answer"}}
    entry = {"backend": "recorded", "model_id": "x", "settings": settings}
    (folder / "answers.jsonl").touch()
    named = {"models": ["chance", "theirs"], "own_models": {"theirs": entry}}
    return Plan(plain_study(suites=suites, results_folder=str(folder / "results"), **named), root)


@pytest.mark.parametrize("name", ["../secret.png", "/etc/secret.png", "x/../../secret.png"])
def test_a_picture_outside_its_folder_is_refused(tmp_path, name):
    folder = tmp_path / "data"
    READER_STUDIES["illusionbench_folder"](folder)
    table = folder / "images.csv"
    header, first, *rest = table.read_text().splitlines()
    cells = dict(zip(header.split(","), first.split(","), strict=True)) | {"file": name}
    table.write_text("\n".join([header, ",".join(cells.values()), *rest]) + "\n")
    with pytest.raises(
        AfterimageError, match=r"images\.csv, line 2: found the image .* its folder"
    ):
        read_folder({"folder": str(folder), "leave_out": []})


def test_pictures_behind_links_are_not_removed(tmp_path):
    ours, theirs = tmp_path / "figure", tmp_path / "theirs"
    for folder in (ours, theirs):
        folder.mkdir()
        (folder / "a.png").write_bytes(b"x")
    (ours / "b.png").symlink_to(theirs / "a.png")
    (ours / "c.png").mkdir()
    (tmp_path / "link").symlink_to(theirs)
    remove_images(tmp_path / "link")
    remove_images(ours)
    assert (theirs / "a.png").exists()
    assert sorted(path.name for path in ours.iterdir()) == ["b.png", "c.png"]
