"""A number counts as measured where hashes say that images and questions are the paper's, and not else."""

import csv
import gzip
import hashlib
import json
from itertools import product
from pathlib import Path

import hub_samples
import pytest
from release_samples import write_hallusionbench

from afterimage.contract.paper import Data, content_sha256
from afterimage.errors import AfterimageError
from afterimage.files.hub_lock import Locked, link_of, write_lock
from afterimage.ledger.cells import Files
from afterimage.ledger.entries import entries
from afterimage.ledger.releases import Evidence, Release, evidence, read_releases, weakest
from afterimage.planning import papers as planning
from afterimage.planning.configuration import load_study
from afterimage.planning.papers import Ledger
from afterimage.suites.blindtest import authors
from afterimage.suites.hallusionbench.dataset import questions_sha256
from afterimage.suites.pope.files import _QUESTION_FILES_VERSIONS

COMMIT = "a" * 40
A, B, C = ("abc"[ref] * 64 for ref in range(3))


def release(sha256, file="it"):
    return Release("https://example.org/lab/set", "dd2a28d", file, sha256)


@pytest.mark.parametrize(
    ("data", "known", "state", "said"),
    [
        (Data({"x": A, "y": B}), {"both": [release(A), release(B)]}, "proven", ""),
        # One file of several is another.
        (Data({"x": A, "y": C}), {"both": [release(A), release(B)]}, "unproven", "no hash says"),
        (Data(content=A), {"both": [release(A)]}, "proven", ""),
        (
            Data({"x": C}, questions=A),
            {"both": [release(B)], "questions": [release(A, "q.json")]},
            "same_questions",
            "q.json of https://example.org/lab/set at dd2a28d",
        ),
        (Data(questions=B), {"questions": [release(A)]}, "other_images", "bbbbbbbbbbbbbbbb"),
        (Data(questions=B), {"both": [], "questions": []}, "unproven", "no hash says"),
        (Data({}), {"both": [release(A)]}, "unproven", "no hash says"),
        (Data({"x": A}, other="asks in Dutch"), {"both": [release(A)]}, "other_images", "Dutch"),
    ],
)
def test_what_hashes_say(data, known, state, said):
    found = evidence(data, known)
    assert found.state == state
    assert said in found.said and bool(said) == bool(found.said)


def test_several_parts_are_as_sure_as_the_least_sure_one():
    states = ["proven", "same_questions", "unproven", "other_images"]
    for count in range(1, 5):
        assert weakest(map(Evidence, reversed(states[:count]))).state == states[count - 1]
    assert weakest([]).state == "proven"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("pope_2023: {random: {images: []}}", "pope_2023, random: found 'images' with"),
        ("pope_2023: {random: {both: [{sha256: a}]}}", "expected both or questions with a list of"),
        ("pope_2023: {random: []}", r"pope_2023, random: found \[\]; expected a mapping"),
    ],
)
def test_a_file_of_hashes_that_is_not_as_expected_is_one_sentence(tmp_path, text, sentence):
    path = tmp_path / "releases.yaml"
    path.write_text(text)
    with pytest.raises(AfterimageError, match=sentence):
        read_releases(path)


# ---- the hashes that come with the code ----


@pytest.fixture
def shipped(root):
    return read_releases(root / "resources/published/releases.yaml")


def hashes(shipped, paper, part, kind):
    return {one.sha256 for one in shipped[paper][part].get(kind, ())}


def test_the_question_files_of_pope_are_those_that_the_suite_knows(shipped):
    found = {
        one
        for paper in ("pope_2023", "llava_1_5", "repope")
        for part in shipped[paper]
        for one in hashes(shipped, paper, part, "questions")
    }
    assert found == set(_QUESTION_FILES_VERSIONS)


def test_blindtests_images_and_prompts_are_those_of_the_recorded_outcomes(shipped, root):
    folder = root / "resources/recorded/blindtest"
    with gzip.open(folder / "stimuli.csv.gz", "rt", encoding="utf-8") as file:
        stimuli = [row for row in csv.DictReader(file) if row["release"] == "both"]
    with (folder / "prompts.csv").open(encoding="utf-8", newline="") as file:
        prompts = [row for row in csv.DictReader(file) if row["release"] == "both"]
    assert set(shipped["blindtest"]) == {"two_circles", "circled_letter", "grid"}
    for task in shipped["blindtest"]:
        images = {row["git_blob"] for row in stimuli if row["task"] == task}
        asked = [row["prompt_text"] for row in prompts if row["task"] == task]
        assert hashes(shipped, "blindtest", task, "both") == {
            content_sha256(product(images, asked))
        }


def lines(path):
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def test_hallusionbenchs_questions_are_those_of_its_recorded_answers(shipped, reference, tmp_path):
    found = set()
    for name in ("gpt4v_269", "sample_254"):
        rows = lines(reference / "hallusionbench" / f"{name}.jsonl.gz")
        # Which image stands for a figure is no part of the question.
        told = [
            {**row, "filename": None if row["visual_input"] == "0" else f"{row['set_id']}.png"}
            for row in rows
        ]
        folder = tmp_path / name
        folder.mkdir()
        (folder / "HallusionBench.json").write_text(json.dumps(told))
        found.add(questions_sha256(str(folder)))
    assert found == hashes(shipped, "hallusionbench", "questions", "questions")


def test_illusionvqas_questions_are_those_of_its_recorded_answers(shipped, reference):
    items = lines(reference / "illusionvqa" / "items.jsonl.gz")
    for subset in ("comprehension", "soft_localization"):
        rows = [
            (item["question"], *item["options"], str(item["gold_index"]))
            for item in items
            if item["subset"] == subset
        ]
        assert hashes(shipped, "illusionvqa", subset, "questions") == {content_sha256(rows)}


# ---- a study ----


@pytest.fixture
def study_in(root, monkeypatch, tmp_path):
    """A ledger of a study in a folder of its own, where these hashes are known."""

    def make(suites, known, printed_model, tables, **own):
        monkeypatch.chdir(tmp_path)
        (tmp_path / "config").mkdir(exist_ok=True)
        for name in ("config/models.yaml", "resources"):
            if not (tmp_path / name).exists():
                (tmp_path / name).symlink_to(root / name)
        entry = {"backend": "chance", "settings": {"seed": 0}, "model_id": printed_model, **own}
        study = load_study(
            {"models": ["mine"], "own_models": {"mine": entry}, "suites": suites},
            root / "workflow" / "schemas",
        )
        monkeypatch.setattr(planning, "read_releases", lambda path: known)
        return Ledger(study, tables, root)

    return make


def write_table(path, row):
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    with Path(path).open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, row)
        writer.writeheader()
        writer.writerow(row)


def named(ledger, name, path):
    (entry,) = entries(
        [ledger.number(name)],
        ledger.numbers,
        {"confidence": 0.95, "papers": ledger.states},
        Files([path]),
    )
    return entry


def fetched(repository, files):
    """Files as a fetch leaves them, with the lock file; returns their hashes."""
    hub_samples.write_set(link_of(repository), files)
    told = {
        name: {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        for name, content in files.items()
    }
    write_lock({repository: Locked(COMMIT, "mit", "2026-11-27", told)})
    return {name: one["sha256"] for name, one in told.items()}


POPE = "results/tables/pope.csv"
POPE_ROW = {
    **{"variant": "pope", "dataset": "coco", "prompt": "as_released", "strategy": "random"},
    **{"kind": "measured", "model": "mine", "n": "3000", "accuracy": "88.0000"},
    **{"accuracy_low": "86.8", "accuracy_high": "89.1"},
}
ACCURACY = "pope_2023/table3/instructblip/random/accuracy"


@pytest.mark.parametrize(
    ("kind", "status", "verdict", "reason"),
    [
        ("both", "measured", "consistent", ""),
        ("questions", "same_questions", "consistent", "that the images are is not proven"),
        ("nothing", "unproven", "consistent", "no hash says that they and their images"),
        ("others", "other_images", "", "other questions than the paper's: their SHA-256"),
    ],
)
def test_pope_of_the_hub_is_measured_where_the_locks_files_are_the_papers(
    study_in, tmp_path, monkeypatch, kind, status, verdict, reason
):
    monkeypatch.chdir(tmp_path)
    locked = fetched("lmms-lab/POPE", hub_samples.pope_files())
    official = "".join(
        f"{json.dumps(one)}\n" for one in hub_samples.pope_questions("random")
    ).encode()
    known = {
        "both": {"both": [release(locked["Full/random-00000-of-00001.parquet"])]},
        "questions": {"questions": [release(hashlib.sha256(official).hexdigest())]},
        "nothing": {"both": [], "questions": []},
        "others": {"both": [release(A)], "questions": [release(B)]},
    }[kind]
    suites = {"pope": {"source": "hub"}}
    ledger = study_in(suites, {"pope_2023": {"random": known}}, "instructblip", ["pope"])
    write_table(POPE, POPE_ROW)
    entry = named(ledger, ACCURACY, POPE)
    assert (entry["status"], entry["verdict"], entry["value"]) == (status, verdict, "88.0000")
    assert reason in entry["reason"] and bool(reason) == bool(entry["reason"])
    # Fewer questions are other ones, whatever their hash is.
    write_table(POPE, {**POPE_ROW, "n": "2994"})
    fewer = named(ledger, ACCURACY, POPE)
    assert (fewer["status"], fewer["verdict"]) == ("other_images", "")


def test_the_official_questions_in_the_hubs_form_are_known(
    study_in, shipped, reference, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    picture = hub_samples.image(0)
    rows = [
        {
            **{"question_id": str(one["question_id"]), "question": one["text"]},
            **{"answer": one["label"], "image_source": one["image"].removesuffix(".jpg")},
            "image": picture,
        }
        for one in lines(reference / "pope" / "coco_pope_random.json.gz")
    ]
    suites = {"pope": {"source": "hub", "strategies": ["random"]}}

    def entry():
        own = {"Full/random-00000-of-00001.parquet": hub_samples.parquet(rows)}
        fetched("lmms-lab/POPE", hub_samples.pope_files() | own)
        write_table(POPE, POPE_ROW)
        return named(study_in(suites, shipped, "instructblip", ["pope"]), ACCURACY, POPE)

    found = entry()
    assert (found["status"], found["verdict"]) == ("same_questions", "consistent")
    assert "output/coco/coco_pope_random.json" in found["reason"]
    # One word more, and they are others.
    rows[7]["question"] += " Look."
    assert entry()["status"] == "other_images"


def test_numbers_of_llava_are_about_questions_with_its_line(study_in, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    fetched("lmms-lab/POPE", hub_samples.pope_files())
    row = {**POPE_ROW, "n": "2910", "f1": "87.0", "f1_low": "86.0", "f1_high": "88.0"}
    name = "llava_1_5/pope/llava-v1.5-13b/random/f1"
    for suffix, status in (("single_word", "unproven"), (None, "other_images")):
        suites = {"pope": {"source": "hub", "suffix": suffix}}
        ledger = study_in(suites, {}, "llava-v1.5-13b", ["pope"])
        write_table(POPE, row)
        entry = named(ledger, name, POPE)
        assert entry["status"] == status
        assert ("suffix single_word" in entry["reason"]) == (suffix is None)


def test_a_study_of_drawn_scenes_says_where_the_official_questions_come_from(study_in):
    ledger = study_in({"pope": {}}, {}, "instructblip", ["pope"])
    write_table(POPE, POPE_ROW)
    entry = named(ledger, ACCURACY, POPE)
    assert (entry["status"], entry["verdict"]) == ("other_images", "")
    assert "suites.pope.source" in entry["reason"]


def test_todays_hallusionbench_is_not_compared_with_the_269_questions(study_in, tmp_path):
    write_hallusionbench(tmp_path / "release")
    suites = {"hallusionbench": {"folder": "release"}}
    ledger = study_in(suites, {}, "gpt-4v", ["hallusionbench"])
    path = "results/tables/hallusionbench.csv"
    row = {"kind": "measured", "model": "mine", "prompt": "plain", "metric": "question"}
    row |= {"k": "700", "n": "1129", "value": "62.0", "low": "58.0", "high": "66.0"}
    write_table(path, row)
    name = "hallusionbench/readme_2023_11_06/gpt-4v/all/question_accuracy"
    entry = named(ledger, name, path)
    assert (entry["status"], entry["verdict"]) == ("other_images", "")
    assert "has 1129 in the column n, the paper 269" in entry["reason"]
    write_table(path, {**row, "k": "170", "n": "269"})
    own = questions_sha256("release")
    known = {"hallusionbench": {"questions": {"questions": [release(own)]}}}
    ledger = study_in(suites, known, "gpt-4v", ["hallusionbench"])
    assert named(ledger, name, path)["status"] == "same_questions"
    elsewhere = name.replace("question_accuracy", "x").replace("11_06", "10_28")
    unlike = elsewhere.replace("/x", "/pair_accuracy_over_questions")
    assert named(ledger, unlike, path)["reason"] == "no table of a study has it"


def test_people_who_answered_illusionvqa_are_replayed_by_an_entry_of_ones_own(
    study_in, root, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    labels = [
        {
            "image": f"{n}.jpg",
            "question": f"Is it {n}?",
            "options": ["Yes.", "No."],
            "answer": "No.",
            "category": "color",
        }
        for n in range(3)
    ]
    files = hub_samples.illusionvqa_files(labels, labels)
    locked = fetched("csebuetnlp/illusionVQA-Comprehension", files)
    rows = [(f"Is it {n}?", "Yes.", "No.", "1") for n in range(3)]
    questions = {"questions": [release(content_sha256(rows))]}
    tests = {"both": [release(locked["data/test-00000-of-00001.parquet"])]}
    suites = {"shahgir_illusionvqa": {"source": "hub", "subsets": ["comprehension"]}}
    path = "results/tables/illusionvqa.csv"
    row = {"kind": "measured", "model": "mine", "prompt": "zero_shot", "subset": "comprehension"}
    row |= {"category": "total", "correct_k": "390", "n": "435", "accuracy": "89.6552"}
    write_table(path, row | {"low": "86.4", "high": "92.2"})
    name = "illusionvqa/comprehension/{}/total/{}"
    replayed = {"backend": "recorded", "settings": {"file": "answers.jsonl"}}
    for known, status in ((questions, "same_questions"), (tests, "measured")):
        told = {"illusionvqa": {"comprehension": known}}
        ledger = study_in(suites, told, "people", ["illusionvqa"], **replayed)
        assert named(ledger, name.format("human", "accuracy"), path)["status"] == "recorded"
        for model in ("people", "gemini-1.5-flash"):
            ledger = study_in(suites, told, model, ["illusionvqa"])
            missing = named(ledger, name.format("human", "accuracy"), path)
            assert (missing["status"], missing["value"]) == ("not_run", "")
            assert "an entry people of the backend recorded" in missing["reason"]
        model = named(ledger, name.format("gemini-1.5-flash", "accuracy_zero_shot"), path)
        assert model["status"] == status


def test_blindtests_own_images_are_taken_where_they_are_proven(study_in, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    fetched("XAI/vlmsareblind", hub_samples.blindtest_files())
    content = authors.data()["two_circles"].content
    path = "results/tables/blindtest_circles.csv"
    columns = {"k": "480", "n": "672", "low": "67.0", "high": "75.0", "row": "overlapping"}
    drawn = {"kind": "measured", "model": "mine", "accuracy": "70.0000", **columns}
    theirs = {**drawn, "kind": "authors", "model": "mine (authors' images)", "accuracy": "71.4286"}
    Path(path).parent.mkdir(parents=True)
    with Path(path).open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, drawn)
        writer.writeheader()
        writer.writerows([drawn, theirs])
    suites = {"blindtest": {"images": "authors"}}
    name = "blindtest/task2/gpt-4o/overlapping/accuracy"
    known = {"blindtest": {"two_circles": {"both": [release(content)]}}}
    for told, model in ((known, theirs["model"]), ({}, "mine")):
        ledger = study_in(suites, told, "gpt-4o-2024-05-13", ["blindtest_circles"])
        entry = named(ledger, name, path)
        assert (entry["status"], entry["measured_model"]) == ("measured", model)
