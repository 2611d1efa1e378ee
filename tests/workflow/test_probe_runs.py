"""Whole runs with probes: the suites' own tables stay byte for byte, and what is shown is what is said."""

import pandas as pd
import pytest
from loopback_api import LoopbackApi, completion
from workspace import SMALL_STUDY, Workspace

from afterimage.files.parquet import read_records
from afterimage.files.records import ITEM

PROBES = {"text_only": True, "blank": True}
ILLUSIONS = {"illusions": ["fick", "ebbinghaus"], "prompts": ["zero_shot"]}
POPE = {"scenes": 6, "nested_scenes": 2}
TABLES = ("genuine_vqa", "fake_vqa", "control_vqa", "illusion_vqa_tests", "pope", "pope_blog")
KINDS = ("csv", "md", "tex", "html")
OWN = [f"results/tables/{name}.{kind}" for name in TABLES for kind in KINDS]


def study(probes):
    """Two suites, with or without probes in both."""
    added = {"probes": probes} if probes else {}
    suites = {"illusion_vqa": {**ILLUSIONS, **added}, "pope": {**POPE, **added}}
    return {**SMALL_STUDY, "models": ["textbook_cued", "pixels"], "suites": suites}


@pytest.fixture(scope="module")
def finished(root, tmp_path_factory):
    """A study that was run without probes and then with them, and its own tables before and after."""
    workspace = Workspace(root, tmp_path_factory.mktemp("probes") / "study", study(None))
    workspace.run(*OWN)
    before = {name: (workspace.folder / name).read_bytes() for name in OWN}
    workspace.configure(study(PROBES))
    workspace.run(*OWN, "results/tables/knowledge.csv", "results/tables/knowledge_all.csv")
    after = {name: (workspace.folder / name).read_bytes() for name in OWN}
    return workspace, before, after


def items(workspace, suite):
    """All items of a suite."""
    shards = sorted((workspace.folder / "results/items" / suite).glob("*.parquet"))
    return [row for shard in shards for row in read_records(shard, ITEM)]


def test_the_suites_own_tables_are_the_same_to_the_byte_with_probes_and_without(finished):
    _, before, after = finished
    assert len(before) == 24
    assert before == after


@pytest.mark.parametrize("suite", ["illusion_vqa", "pope"])
def test_every_item_has_both_probes_and_the_suites_items_are_what_they_were(finished, suite):
    rows = items(finished[0], suite)
    own = [row for row in rows if "probe" not in row["factors"]]
    assert len(rows) == 3 * len(own)
    by_id = {row["item_id"]: row for row in rows}
    for row in own:
        text_only, blank = (by_id[f"{row['item_id']}~{probe}"] for probe in PROBES)
        assert not text_only["images"]
        assert [shown["png"] for shown in blank["images"]] != [row["images"][0]["png"]]
        assert text_only["key"] == blank["key"] == row["key"]


def test_the_textbook_does_not_look_and_the_observer_cannot_tell(finished):
    frame = pd.read_csv(finished[0].folder / "results/tables/knowledge.csv")
    frame = frame[(frame["subset"] == "all") & frame["condition"].isin(["genuine", "fake"])]
    counts = frame.set_index(["model", "shown", "condition"])
    for condition, cell in (("genuine", "both_correct_k"), ("fake", "apparent_only_k")):
        for shown in ("image", "text_only", "blank"):
            assert counts.loc[("textbook_cued", shown, condition), cell] == 4
        for shown in ("text_only", "blank"):
            assert counts.loc[("pixels", shown, condition), "unparsed_k"] == 4
        assert counts.loc[("pixels", "image", condition), "unparsed_k"] == 0


def test_every_suite_that_asks_without_image_is_in_the_table_over_all(finished):
    frame = pd.read_csv(finished[0].folder / "results/tables/knowledge_all.csv")
    assert sorted(frame["suite"].unique()) == ["illusion_vqa", "pope"]
    pixels = frame[frame["model"] == "pixels"].set_index("suite")
    assert pixels.loc["pope", "image_k"] == pixels.loc["pope", "image_n"] > 0
    assert (pixels["image_n"] == pixels["text_only_n"]).all()
    assert pixels.loc["illusion_vqa", "text_only_unparsed_k"] == 32


def test_a_hosted_model_gets_no_image_and_is_asked_the_same_words_once(root, tmp_path, monkeypatch):
    monkeypatch.setenv("LOOPBACK_KEY", "sk-test")
    table = "results/tables/knowledge.csv"
    with LoopbackApi(
        lambda call: completion(call.text.split("Options:\n")[1].split("\n")[0])
    ) as api:
        hosted = {
            "backend": "openai_compatible",
            "model_id": "some-model",
            "settings": {"base_url": api.url, "api_key_env": "LOOPBACK_KEY", "max_tokens": 20},
            "client": {"concurrency": 4},
        }
        suites = {"illusion_vqa": {**ILLUSIONS, "probes": PROBES}}
        asked = {"models": ["hosted"], "own_models": {"hosted": hosted}, "suites": suites}
        workspace = Workspace(root, tmp_path / "study", {**SMALL_STUDY, **asked})
        workspace.run(table)
        once = len(api.calls)
        contents = [call.body["messages"][-1]["content"] for call in api.calls]
        (workspace.folder / table).unlink()
        for folder in ("items", "responses", "grades"):
            for path in (workspace.folder / "results" / folder).rglob("*.parquet"):
                path.unlink()
        workspace.run(table)
        assert len(api.calls) == once
    in_words = [parts for parts in contents if isinstance(parts, str) or not _images(parts)]
    said = {parts if isinstance(parts, str) else parts[0]["text"] for parts in in_words}
    # Two questions about Fick, whose variants differ in no word, and two about each variant of Ebbinghaus.
    assert len(in_words) == len(said) == 2 + 4
    assert all("No image is shown; answer from what you know" in words for words in said)
    # 16 images with two questions each, the words alone, and one white image with the same six questions.
    assert once == 32 + 6 + 6


def _images(parts):
    return [part for part in parts if part["type"] == "image_url"]
