"""Weights are fetched by a rule of their own, so that jobs without network find them."""

import json
import subprocess
import sys

import pytest
from loopback_hub import LoopbackHub
from workspace import SMALL_STUDY

pytest.importorskip("huggingface_hub", reason="huggingface_hub is not installed")

REPOSITORY = "some-lab/some-model"
OLD, NEW = "a" * 40, "b" * 40
FILES = {"config.json": b"{}", "model.safetensors": bytes(range(256)) * 100}
ADAPTER = {
    "adapter_config.json": b"{}",
    "adapter_model.safetensors": bytes(range(256)) * 100,
    "optimizer.pt": b"what training needs",
}

FIND = """
import sys
from afterimage.contract.model import ModelEntry
from afterimage.models.transformers.checkpoint import find_checkpoint
print(find_checkpoint(ModelEntry("m", "transformers", sys.argv[1])).commit)
"""


@pytest.fixture(autouse=True)
def online(monkeypatch):
    """Tests of models on this machine forbid the network for the whole process; here the loopback one is wanted."""
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)


def study(workspace, revision, settings=None):
    both = {"backend": "transformers", "settings": settings or {}}
    own = {
        "pinned": {**both, "model_id": REPOSITORY, "revision": revision},
        "here": {**both, "model_id": "checkpoint"},
    }
    models = ["chance", "pinned", "here"]
    workspace.configure({**SMALL_STUDY, "models": models, "own_models": own})


def test_weights_are_fetched_once_per_revision_and_found_without_network(
    workspace, monkeypatch, scripts, tmp_path
):
    (workspace.folder / "checkpoint").mkdir()
    receipt = workspace.folder / "results/weights/pinned.json"
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub"))
    with LoopbackHub(REPOSITORY, {OLD: FILES, NEW: FILES}) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.url)
        study(workspace, None)
        workspace.run("weights")
        assert json.loads(receipt.read_text())["commit"] == NEW
        # A folder on this machine needs no fetching.
        assert [path.name for path in receipt.parent.iterdir()] == ["pinned.json"]
        assert workspace.planned("weights") == {}

        study(workspace, OLD)
        assert list(workspace.planned("weights")) == ["Fetching the weights of pinned"]
        workspace.run("weights")
        assert json.loads(receipt.read_text())["commit"] == OLD

    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("PYTHONPATH", str(scripts))
    found = subprocess.run(
        [sys.executable, "-c", FIND, REPOSITORY], capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == NEW


def test_adapters_are_fetched_as_checkpoints_are(workspace, monkeypatch, tmp_path):
    (workspace.folder / "checkpoint").mkdir()
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub"))
    lora = LoopbackHub("some-lab/lora", {OLD: ADAPTER, NEW: ADAPTER})
    with lora, LoopbackHub(REPOSITORY, {NEW: FILES}, beside=(lora,)) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.url)
        study(workspace, NEW, {"adapter": f"some-lab/lora@{OLD}"})
        workspace.run("weights")
        receipts = {
            name: json.loads((workspace.folder / f"results/weights/{name}.json").read_text())
            for name in ("pinned", "here")
        }
        study(workspace, NEW, {"adapter": f"some-lab/lora@{NEW}"})
        assert len(workspace.planned("weights")) == 2
    assert receipts["pinned"]["commit"] == NEW
    assert receipts["here"].keys() == {"adapter"}
    for receipt in receipts.values():
        assert receipt["adapter"]["commit"] == OLD
        assert set(receipt["adapter"]["files"]) == set(ADAPTER) - {"optimizer.pt"}


def test_a_fetch_that_fails_is_one_sentence(workspace, monkeypatch, tmp_path):
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub"))
    with LoopbackHub("some-lab/other", {NEW: FILES}) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.url)
        study(workspace, None)
        failed = workspace.snakemake("weights")
    assert failed.returncode != 0
    assert "Traceback" not in failed.stdout
    assert (
        f"ERROR: model_id '{REPOSITORY}' at revision 'main': no repository that the hub shows you."
        in failed.stdout
    )
