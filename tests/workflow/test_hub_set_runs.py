"""The benchmarks themselves: fetched from a loopback hub, asked about, and in their tables."""

import hashlib
import json
import os
import subprocess
import sys

import hub_samples
import pandas as pd
import pyarrow as pa
import pytest
import yaml
from loopback_hub import LoopbackHub
from workspace import said

pytest.importorskip("huggingface_hub", reason="huggingface_hub is not installed")

COMMIT = "a" * 40
COMMAND = "import sys; from afterimage.commands.cli import main; sys.exit(main())"


def afterimage(workspace, *words, hub=None, **environment):
    """Run a command in the workspace, online with a hub's address."""
    own = {**os.environ, **environment}
    own.pop("HF_HUB_OFFLINE", None)
    if hub is None:
        own["HF_HUB_OFFLINE"] = "1"
    else:
        own["HF_ENDPOINT"] = hub.url
    return subprocess.run(
        [sys.executable, "-c", COMMAND, *words],
        cwd=workspace.folder,
        env={**own, "PYTHONPATH": str(workspace.folder / "workflow/scripts")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def hub_with(repository, files):
    return LoopbackHub(repository, {COMMIT: files}, kind="datasets", card={"license": "mit"})


def test_from_fetch_to_the_table_of_pope(workspace, monkeypatch, tmp_path):
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub"))
    workspace.configure({"models": ["chance"], "suites": {"pope": {"source": "hub"}}})
    # Before the fetch: the command, from check, plan and run.
    for told in (
        said(afterimage(workspace, "check")),
        said(afterimage(workspace, "plan")),
        said(workspace.snakemake("items")),
    ):
        assert "data set 'lmms-lab/POPE' was not fetched" in told
        assert "fetch pope` once" in told
    with hub_with("lmms-lab/POPE", hub_samples.pope_files()) as hub:
        fetched = afterimage(workspace, "fetch", hub=hub)
    assert fetched.returncode == 0, fetched.stdout
    assert "lmms-lab/POPE: 3 files" in fetched.stdout
    assert "licence: mit" in fetched.stdout
    workspace.run("results/tables/pope.csv")
    table = pd.read_csv(workspace.folder / "results/tables/pope.csv")
    rows = table[table["strategy"].ne("mean") & table["model"].eq("chance")]
    assert set(rows["strategy"]) == {"random", "popular", "adversarial"}
    assert set(rows["dataset"]) == {"coco"}
    assert (rows["n"] == 18).all()
    assert (rows["image_missing"] == 0).all()
    images = pd.read_parquet(workspace.folder / "results/stimuli/pope/questions/stimuli.parquet")
    assert len(images) == 3
    assert workspace.planned("results/tables/pope.csv") == {}


def test_the_target_data_fetches_what_a_study_needs_that_cannot_be_planned_yet(
    workspace, monkeypatch, tmp_path
):
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    workspace.configure({"models": ["chance"], "suites": {"pope": {"source": "hub"}}})
    output = " ".join(workspace.snakemake("data").stdout.split())
    assert "cannot be fetched while HF_HUB_OFFLINE is set" in output
    assert "input nor output: data" in " ".join(workspace.snakemake("data", "-n").stdout.split())
    with hub_with("lmms-lab/POPE", hub_samples.pope_files()) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.url)
        monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
        assert not hub.fetched
        workspace.run("data")
        assert len(hub.fetched) == 3
        workspace.run("data")
        assert len(hub.fetched) == 3
    assert workspace.planned("results/tables/pope.csv")


def test_a_renamed_column_is_one_sentence_before_anything_is_drawn(
    workspace, monkeypatch, tmp_path
):
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub"))
    rows = hub_samples.pope_rows(hub_samples.pope_questions("random"), "random")
    renamed = [{("gold" if key == "answer" else key): row[key] for key in row} for row in rows]
    files = {name: hub_samples.parquet(renamed) for name in hub_samples.pope_files()}
    workspace.configure({"models": ["chance"], "suites": {"pope": {"source": "hub"}}})
    with hub_with("lmms-lab/POPE", files) as hub:
        assert afterimage(workspace, "fetch", "pope", hub=hub).returncode == 0
    checked = said(afterimage(workspace, "check"))
    assert "expected also 'answer' (was it renamed?)" in checked
    assert "Traceback" not in checked


def test_an_image_that_is_cut_off_is_named_and_stops_nobody(workspace, monkeypatch, tmp_path):
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub"))
    cut = {"bytes": hub_samples.picture(1)[:-40], "path": None}
    files = {}
    for strategy in ("random", "popular", "adversarial"):
        rows = hub_samples.pope_rows(hub_samples.pope_questions(strategy), strategy)
        rows = [
            {**row, "image": cut if row["image"] == hub_samples.image(1) else row["image"]}
            for row in rows
        ]
        files[f"Full/{strategy}-00000-of-00001.parquet"] = hub_samples.parquet(rows)
    theirs = [
        {"image": cut if n == 2 else hub_samples.image(n), "question": "Yes?", "answer": "yes"}
        for n in range(4)
    ]
    suites = {"pope": {"source": "hub"}, "images": {"sets": {"theirs": {"hub": "lab/set"}}}}
    # Others answered about the image, too: their copy was whole.
    by_suite = {"pope": [], "images": [f"theirs_{n:05d}/0/direct" for n in range(4)]}
    for suite, names in by_suite.items():
        lines = (f"{json.dumps({'item_id': name, 'text': 'Yes'})}\n" for name in names)
        (workspace.folder / f"{suite}.jsonl").write_text("".join(lines))
    recorded = {"file": "{suite}.jsonl", "missing": "empty"}
    own = {"them": {"backend": "recorded", "model_id": "them-1", "settings": recorded}}
    workspace.configure({"models": ["chance", "them"], "own_models": own, "suites": suites})
    with hub_with("lmms-lab/POPE", files) as hub:
        assert afterimage(workspace, "fetch", "pope", hub=hub).returncode == 0
    content = hub_samples.parquet(theirs)
    with hub_with("lab/set", {"data/test-00000-of-00001.parquet": content}) as hub:
        assert afterimage(workspace, "fetch", "lab/set", hub=hub).returncode == 0
    workspace.run("results/tables/pope.csv", "results/tables/images.csv")
    tables = workspace.folder / "results/tables"
    pope = pd.read_csv(tables / "pope.csv")
    rows = pope[pope["model"].eq("chance") & pope["strategy"].ne("mean")]
    assert set(zip(rows["n_questions"], rows["n"], rows["image_missing"], strict=True)) == {
        (18, 12, 6)
    }
    assert "1 of 3 images cannot be read" in (tables / "pope.md").read_text()
    images = pd.read_csv(tables / "images.csv")
    overall = images[images["factor"].eq("overall")].set_index("model")
    assert overall["n"][["chance", "them"]].tolist() == [3, 3]
    log = workspace.folder / "results/logs/match_recorded_answers/images/them.log"
    unread = "1 answer about images that cannot be read, the first for 'theirs_00002/0/direct'"
    assert f"left out: {unread}" in log.read_text()
    note = (tables / "images.md").read_text()
    assert "1 of 4 images cannot be read, and nothing was asked about them: " in note
    assert "test-00000-of-00001.parquet, row 2, column 'image'" in note
    # An answer to no question is none about that image.
    with (workspace.folder / "images.jsonl").open("a") as answers:
        answers.write(json.dumps({"item_id": "theirs_00009/0/direct", "text": "Yes"}))
    finished = workspace.snakemake("results/tables/images.csv")
    assert finished.returncode != 0
    assert (
        "found 1 answer without an item, the first for 'theirs_00009/0/direct'" in log.read_text()
    )


def test_any_set_of_the_hub_is_a_set_of_images(workspace, monkeypatch, tmp_path):
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub"))
    rows = [
        {
            "images": [hub_samples.image(n % 2), hub_samples.image(2)],
            "q": f"Is it {n}?",
            "answer": ("yes", "no")[n % 2],
        }
        for n in range(6)
    ]
    named = {"hub": "lab/set", "columns": {"image": "images", "question": "q"}}
    workspace.configure({"models": ["chance"], "suites": {"images": {"sets": {"theirs": named}}}})
    output = said(afterimage(workspace, "check"))
    assert "sets.theirs" in output
    assert "fetch lab/set` once" in output
    content = hub_samples.parquet(rows, {"images": pa.list_(hub_samples.IMAGE)})
    with hub_with("lab/set", {"data/test-00000-of-00001.parquet": content}) as hub:
        assert afterimage(workspace, "fetch", hub=hub).returncode == 0
    workspace.run("results/tables/images.csv")
    table = pd.read_csv(workspace.folder / "results/tables/images.csv")
    (overall,) = table[table["factor"].eq("overall") & table["model"].eq("chance")].to_dict(
        "records"
    )
    assert (overall["set"], overall["n"]) == ("theirs", 6)
    stimuli = pd.read_parquet(workspace.folder / "results/stimuli/images/theirs/stimuli.parquet")
    pixels = list(stimuli["pixels_sha256"])
    (items,) = (workspace.folder / "results/items/images").glob("*.parquet")
    shown = [
        [image["pixels_sha256"] for image in images] for images in pd.read_parquet(items)["images"]
    ]
    # The order of rows: the first image's questions, then those of the third.
    assert shown == [[pixels[0], pixels[1]]] * 3 + [[pixels[2], pixels[1]]] * 3


def test_blindtests_own_images_stand_beside_the_drawn_ones(workspace, monkeypatch, tmp_path):
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub"))
    blindtest = {"images": "authors", "tasks": ["nested_squares", "grid"]}
    workspace.configure({"models": ["chance"], "suites": {"blindtest": blindtest}})
    with hub_with("XAI/vlmsareblind", hub_samples.blindtest_files()) as hub:
        assert afterimage(workspace, "fetch", hub=hub).returncode == 0
    workspace.run("results/tables/blindtest.csv")
    table = pd.read_csv(workspace.folder / "results/tables/blindtest.csv")
    rows = table[table["model"].str.startswith("chance")].set_index(["kind", "model", "row"])["n"]
    # The authors' row has its own questions and none of the others'.
    assert dict(rows["measured", "chance"]) == {"nested_squares": 120, "grid": 528, "mean": 648}
    theirs = {"nested_squares": 2, "grid": 2, "mean": 4}
    assert dict(rows["authors", "chance (authors' images)"]) == theirs


def test_the_official_study_goes_from_the_hub_to_the_tables_of_all_five(
    root, workspace, monkeypatch, tmp_path
):
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub"))
    study = yaml.safe_load((root / "studies" / "official.yaml").read_text())
    # As few are drawn as can be, and the letter of the release is filled in.
    study["suites"]["blindtest"]["tasks"] = ["nested_squares"]
    # A responder passes for a model of whom the paper prints numbers.
    study["models"].append("instructblip")
    entry = {"backend": "chance", "model_id": "instructblip", "settings": {"seed": 5}}
    study["own_models"] = {"instructblip": entry}
    workspace.configure(study)
    own, *others = (
        LoopbackHub(name, {COMMIT: files}, kind="datasets")
        for name, files in hub_samples.official_sets(tmp_path).items()
    )
    own.beside = tuple(others)
    with own as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.url)
        monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
        workspace.run("data")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    assert len(json.loads((workspace.folder / "data.lock.json").read_text())) == 6
    output = said(afterimage(workspace, "check"))
    assert "categories" in output
    assert "'7'" in output
    study["suites"]["illusionbench"]["release"]["categories"] = {"7": "classical"}
    workspace.configure(study)
    tables = {
        name: f"results/official/tables/{name}.csv"
        for name in ("pope", "hallusionbench", "illusionvqa", "blindtest", "illusionbench_tf")
    }
    workspace.run(*tables.values(), "results/official/numbers.csv")
    for path in tables.values():
        table = pd.read_csv(workspace.folder / path)
        assert table["model"].str.startswith("chance").any()
    numbers = pd.read_csv(workspace.folder / "results/official/numbers.csv").set_index("paper")
    # These small sets are others than the papers' in number and by hash, whoever answers.
    assert set(numbers.loc[["pope_2023", "hallusionbench", "illusionvqa"], "status"]) <= {
        *("not_run", "other_images")
    }
    asked = numbers.loc[["pope_2023"]].query("model == 'instructblip' and subset == 'random'")
    assert asked["status"].eq("other_images").all() and len(asked) == 5
    assert asked["reason"].str.contains("pope.csv has 18 in the column n, the paper 3000").all()


ELSEWHERE = "https://git.example.org/lab/answers"


def git_server(monkeypatch, folder, content):
    """Serve a file of answers under an address of Git's."""
    (folder / "runs").mkdir(parents=True)
    (folder / "runs/images.jsonl").write_bytes(content)
    settings = {f"url.file://{folder}.insteadOf": ELSEWHERE, "user.name": "lab"}
    settings["user.email"] = "lab@example.org"
    monkeypatch.setenv("GIT_CONFIG_COUNT", str(len(settings)))
    for index, (key, value) in enumerate(settings.items()):
        monkeypatch.setenv(f"GIT_CONFIG_KEY_{index}", key)
        monkeypatch.setenv(f"GIT_CONFIG_VALUE_{index}", value)
    for words in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "--message", "answers"]):
        subprocess.run(["git", "-C", folder, *words], check=True)


def test_answers_that_somebody_publishes_stand_beside_ones_own(workspace, monkeypatch, tmp_path):
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub"))
    rows = [
        {"image": hub_samples.image(n), "question": f"Is it {n}?", "answer": ("yes", "no")[n % 2]}
        for n in range(4)
    ]
    # The last one is wrong.
    published = [
        {"id": f"theirs_{n:05d}/0/direct", "text": ("Yes", "No", "Yes", "Yes")[n]} for n in range(4)
    ]
    answers = "".join(f"{json.dumps(one)}\n" for one in published).encode()
    files = {"data/test-00000-of-00001.parquet": hub_samples.parquet(rows)}
    settings = {"hub": "lab/answers", "file": "runs/{suite}.jsonl", "item_id": "{id}"}
    study = {
        "models": ["chance", "them", "elsewhere"],
        "own_models": {
            "them": {"backend": "recorded", "model_id": "them-1", "settings": settings},
            "elsewhere": {
                "backend": "recorded",
                "model_id": "them-2",
                "settings": {**settings, "hub": ELSEWHERE},
            },
        },
        "suites": {"images": {"sets": {"theirs": {"hub": "lab/set"}}}},
    }
    workspace.configure(study)
    git_server(monkeypatch, tmp_path / "server", answers)
    own = hub_with("lab/set", files)
    own.beside = (hub_with("lab/answers", {"runs/images.jsonl": answers}),)
    with own as hub:
        assert afterimage(workspace, "fetch", "lab/set", hub=hub).returncode == 0
        output = said(afterimage(workspace, "check"))
        assert "model 'them': settings: key 'hub': data set 'lab/answers' was not fetched" in output
        assert f"key 'hub': data set '{ELSEWHERE}' was not fetched" in output
        fetched = afterimage(workspace, "fetch", "lab/answers", ELSEWHERE, hub=hub)
        assert fetched.returncode == 0, fetched.stdout
    locked = json.loads((workspace.folder / "data.lock.json").read_text())["lab/answers"]
    assert locked["files"]["runs/images.jsonl"]["sha256"] == hashlib.sha256(answers).hexdigest()
    workspace.run("results/tables/images.csv")
    table = pd.read_csv(workspace.folder / "results/tables/images.csv")
    overall = table[table["factor"].eq("overall")].set_index("model")
    for name in ("them", "elsewhere"):
        assert overall.loc[name, ["n", "accuracy"]].tolist() == [4, 75]
