"""Suites whose images a user downloads: from the authors' own files to their tables."""

import json

import pandas as pd
import pytest
from release_samples import picture, write_hallusionbench, write_illusionvqa
from workspace import Workspace

from afterimage.files.parquet import read_records
from afterimage.files.records import ITEM


def asked(work, suite):
    """All items that a run has made."""
    shards = sorted((work.folder / "results" / "items" / suite).glob("*.parquet"))
    return [item for shard in shards for item in read_records(shard, ITEM)]


@pytest.fixture
def illusionvqa(root, tmp_path):
    write_illusionvqa(tmp_path / "data" / "illusionVQA")
    suite = {
        "folder": str(tmp_path / "data" / "illusionVQA"),
        "subsets": ["comprehension"],
        "prompts": ["zero_shot", "four_shot_reasoning"],
    }
    # As others publish them: by the image's name and the question.
    said = [
        {"image": "a1.jpg", "question": "What is it not?", "vlm_answer": "b"},
        {"image": "a1.jpg", "question": "what {options} is it?", "vlm_answer": "c"},
        {"image": "a2.jpg", "question": "What {options} is it?", "vlm_answer": "b. A dog."},
    ]
    answers = tmp_path / "answers.jsonl"
    answers.write_text("".join(f"{json.dumps(one)}\n" for one in said))
    theirs = {
        "file": str(answers),
        "item_id": "{image}/zero_shot",
        "item_name": "{file}/{prompt}",
        "columns": {"text": "vlm_answer", "prompt": "question"},
        "missing": "empty",
    }
    study = {
        "models": ["chance", "pixels", "theirs"],
        "own_models": {"theirs": {"backend": "recorded", "model_id": "x", "settings": theirs}},
        "suites": {"shahgir_illusionvqa": suite},
    }
    return Workspace(root, tmp_path / "work", study)


def test_illusionvqa_runs_from_the_authors_archive_to_its_table(illusionvqa):
    illusionvqa.run("results/tables/illusionvqa.csv")
    table = pd.read_csv(illusionvqa.folder / "results/tables/illusionvqa.csv")
    own = table[(table["model"] == "chance") & (table["category"] == "total")]
    assert own[["prompt", "n", "unparsed_k", "images"]].to_numpy().tolist() == [
        ["zero_shot", 3, 0, 2],
        ["four_shot_reasoning", 3, 0, 2],
    ]
    # Nobody has told it how to measure photographs: no row is no score of 0.
    assert "pixels" not in set(table["model"])
    assert set(table["category"]) == {"size", "misc", "total"}

    theirs = table[(table["model"] == "theirs") & (table["prompt"] == "zero_shot")]
    right = theirs.set_index("category")["correct_k"]
    assert right[["size", "misc", "total"]].to_list() == [0, 2, 2]

    items = {item["item_id"]: item for item in asked(illusionvqa, "shahgir_illusionvqa")}
    zero = items["comprehension_0000/0/zero_shot"]
    texts = [part["text"] for part in zero["messages"][0]["parts"]]
    assert texts[1:] == [
        "Image 1: What {options} is it?\na. A cat.\nb. A dog.\nc. A fox.",
        None,
        "Answer 1: ",
    ]
    few = items["comprehension_0000/0/four_shot_reasoning"]
    texts = [part["text"] for part in few["messages"][0]["parts"]]
    assert texts[1:3] == ["Image 1: ", None]
    assert texts[5:8] == ["Reasoning: It has whiskers.", "Answer: a", "Now you try it."]
    assert texts[-1] == "Reasoning: "
    assert len(few["images"]) == 2


@pytest.mark.parametrize("suite", ["shahgir_illusionvqa", "hallusionbench"])
def test_without_the_data_one_sentence_says_what_to_download_and_where_to_put_it(
    root, tmp_path, suite
):
    work = Workspace(root, tmp_path / "work", {"models": ["chance"], "suites": {suite: {}}})
    finished = work.snakemake(f"results/grades/{suite}/chance.parquet")
    assert finished.returncode != 0
    assert f"config: suites.{suite}.folder: found nothing; expected the folder" in finished.stdout
    assert "Traceback" not in finished.stdout


def test_hallusionbench_runs_from_the_authors_release_to_its_scores(root, tmp_path):
    data = tmp_path / "data"
    write_hallusionbench(data)
    work = Workspace(
        root,
        tmp_path / "work",
        {"models": ["chance", "pixels"], "suites": {"hallusionbench": {"folder": str(data)}}},
    )
    work.run("results/tables/hallusionbench.csv")
    table = pd.read_csv(work.folder / "results/tables/hallusionbench.csv")
    own = table[table["model"] == "chance"].set_index("metric")["n"]
    sizes = {"question": 5, "figure": 3, "pair": 3, "easy": 3, "hard": 1}
    assert own[list(sizes)].to_dict() == sizes
    # Nobody has told it how to measure photographs: no row is no score of 0.
    assert "pixels" not in set(table["model"])
    blind = [item for item in asked(work, "hallusionbench") if not item["images"]]
    assert [item["item_id"] for item in blind] == ["VS_chart_0_0/0/plain"]

    # A corrected key draws nothing.
    labels = data / "HallusionBench.json"
    rows = json.loads(labels.read_text())
    rows[-1]["gt_answer"] = "1"
    labels.write_text(json.dumps(rows))
    planned = work.planned("results/tables/hallusionbench.csv")
    assert "Making the table hallusionbench" in planned
    assert not [job for job in planned if job.startswith("Drawing")]

    # A picture that changes is made anew, with what depends on it, and nothing else.
    picture(data / "hallusion_bench/VS/0_2.png", "red")
    planned = work.planned("results/tables/hallusionbench.csv")
    assert "Drawing the stimuli of VS_chart (hallusionbench)" in planned
    assert "Drawing the stimuli of VD_chart (hallusionbench)" not in planned
