"""Fetching weights: resumed, pinned to a commit, and checked byte by byte."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from loopback_hub import LoopbackHub

from afterimage.errors import AfterimageError
from afterimage.files.hub import RepositoryFile
from afterimage.stages.fetching import chosen_files, fetch_named

pytest.importorskip("huggingface_hub", reason="huggingface_hub is not installed")

OLD, NEW = "a" * 40, "b" * 40
REPOSITORY = "some-lab/some-model"


def content(seed, size):
    return np.random.default_rng(seed).bytes(size)


FILES = {
    "config.json": b'{"model_type": "llava"}',
    "model-00001-of-00002.safetensors": content(1, 300_000),
    "model-00002-of-00002.safetensors": content(2, 200_000),
    "model.safetensors.index.json": b"{}" * 700,
    "pytorch_model.bin": content(3, 5_000),
    "original/consolidated.00.pth": content(4, 5_000),
    "README.md": b"about",
}
FETCHED = {name for name in FILES if name.endswith((".json", ".safetensors"))}


@pytest.fixture(autouse=True)
def online(monkeypatch):
    """Tests of models on this machine forbid the network for the whole process; here the loopback one is wanted."""
    from huggingface_hub import constants

    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)


@pytest.fixture
def hub():
    older = {**FILES, "config.json": b'{"model_type": "older"}'}
    with LoopbackHub(REPOSITORY, {OLD: older, NEW: FILES}) as running:
        yield running


@pytest.fixture
def fetch(hub, tmp_path):
    def fetching(revision=None, model_id=REPOSITORY):
        receipt = tmp_path / "receipt.json"
        fetch_named(
            {"model_id": model_id, "revision": revision}, receipt, hub.url, tmp_path / "cache"
        )
        return json.loads(receipt.read_text())

    return fetching


def found(tmp_path, revision):
    """What a job without network finds in the cache."""
    from huggingface_hub import hf_hub_download

    cached = {"cache_dir": tmp_path / "cache", "local_files_only": True}
    paths = [hf_hub_download(REPOSITORY, name, revision=revision, **cached) for name in FETCHED]
    return {name: Path(path).read_bytes() for name, path in zip(FETCHED, paths, strict=True)}


def test_a_job_without_network_finds_what_was_fetched(fetch, tmp_path):
    receipt = fetch()
    assert found(tmp_path, revision=None) == {name: FILES[name] for name in FETCHED}
    assert receipt["commit"] == NEW
    assert set(receipt["files"]) == FETCHED
    assert receipt["bytes"] == sum(len(FILES[name]) for name in FETCHED)
    assert not list((tmp_path / "cache").rglob("*.part"))


def test_weights_in_other_forms_are_left_where_they_are(fetch, hub):
    fetch()
    assert {name for name, _ in hub.fetched} == FETCHED


def test_a_pinned_commit_is_fetched_whatever_the_branch_has_become(fetch, hub, tmp_path):
    assert fetch(OLD)["commit"] == OLD
    assert found(tmp_path, OLD)["config.json"] == b'{"model_type": "older"}'
    hub.fetched.clear()
    # What both commits share is there already.
    assert fetch(NEW)["commit"] == NEW
    assert {name for name, _ in hub.fetched} == {"config.json"}


def test_fetching_again_fetches_nothing_and_checks_everything(fetch, hub, tmp_path):
    first = fetch()
    hub.fetched.clear()
    assert fetch() == first
    assert hub.fetched == []
    (blob,) = (tmp_path / "cache").rglob(
        first["files"]["model-00002-of-00002.safetensors"]["sha256"]
    )
    damaged = bytearray(blob.read_bytes())
    damaged[1000] ^= 1
    blob.write_bytes(damaged)
    fetch()
    assert hub.fetched == [("model-00002-of-00002.safetensors", 0)]
    assert (
        found(tmp_path, None)["model-00002-of-00002.safetensors"]
        == (FILES["model-00002-of-00002.safetensors"])
    )


def test_a_connection_that_breaks_is_taken_up_where_it_broke(fetch, hub, monkeypatch, tmp_path):
    monkeypatch.setattr(time, "sleep", lambda seconds: None)
    name = "model-00001-of-00002.safetensors"
    hub.cut[name] = [70_000, 0, 0, 100_000]
    fetch()
    starts = [start for path, start in hub.fetched if path == name]
    assert starts == [0, 70_000, 70_000, 70_000, 170_000]
    assert found(tmp_path, None)[name] == FILES[name]


FETCH = """
import sys
from afterimage.stages.fetching import fetch_named
fetch_named({"model_id": sys.argv[1], "revision": None}, sys.argv[2], sys.argv[3], sys.argv[4])
"""


def test_after_kill_9_a_file_goes_on_where_it_ended(fetch, hub, scripts, tmp_path):
    hub.seconds_per_chunk = 1
    process = subprocess.Popen(
        [sys.executable, "-c", FETCH, REPOSITORY, tmp_path / "r", hub.url, tmp_path / "cache"],
        env={**os.environ, "PYTHONPATH": str(scripts)},
    )
    name = "model-00001-of-00002.safetensors"
    blob = hub.blob(name, FILES[name])
    deadline = time.monotonic() + 240
    while not (
        parts := [path for path in tmp_path.rglob(f"{blob}.part") if path.stat().st_size > 65_536]
    ):
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.02)
    process.kill()
    process.wait()
    have = parts[0].stat().st_size
    assert have < len(FILES[name])
    hub.fetched.clear()
    hub.seconds_per_chunk = 0
    fetch()
    assert [start for path, start in hub.fetched if path == name] == [have]
    assert found(tmp_path, None)[name] == FILES[name]


def test_what_is_not_as_announced_is_refused_and_removed(fetch, hub, tmp_path):
    hub.announced["model-00001-of-00002.safetensors"] = "0" * 64
    with pytest.raises(AfterimageError, match="is not as the hub announced it") as caught:
        fetch()
    assert "model-00001-of-00002.safetensors" in str(caught.value)
    assert not list(tmp_path.rglob("0" * 64 + "*"))
    assert not (tmp_path / "receipt.json").exists()


def test_a_hash_that_is_none_names_no_file(fetch, hub, tmp_path):
    hub.announced["config.json"] = "../../elsewhere"
    with pytest.raises(AfterimageError, match=r"config\.json: the hub gives '\.\./\.\./elsewhere'"):
        fetch()
    assert not list(tmp_path.rglob("elsewhere*"))


@pytest.mark.parametrize(
    ("revision", "model_id", "sentence"),
    [
        (None, "some-lab/other", "no repository that the hub shows you"),
        ("c" * 40, REPOSITORY, "no such branch, tag or commit"),
        (None, "not an id", "no such folder, and no repository id"),
    ],
)
def test_what_the_hub_does_not_have_is_one_sentence(fetch, revision, model_id, sentence):
    with pytest.raises(AfterimageError, match=sentence) as caught:
        fetch(revision, model_id)
    assert f"model_id '{model_id}'" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_gated_repository_says_who_can_open_it(fetch, hub):
    hub.gated = True
    with pytest.raises(AfterimageError, match="its owner has to grant access first"):
        fetch()


def test_a_hub_that_cannot_be_reached_is_one_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr(time, "sleep", lambda seconds: None)
    with pytest.raises(AfterimageError, match="cannot be fetched") as caught:
        fetch_named(
            {"model_id": REPOSITORY, "revision": None},
            tmp_path / "r",
            "http://127.0.0.1:9",
            tmp_path / "cache",
        )
    assert "\n" not in str(caught.value)


def test_a_repository_without_weights_is_one_sentence(hub, fetch):
    hub.commits[NEW] = {"config.json": b"{}", "weights.gguf": b"x" * 2000}
    with pytest.raises(AfterimageError, match="holds no weights that can be read safely"):
        fetch()


@pytest.mark.parametrize(
    ("there", "chosen"),
    [
        (
            ["model.safetensors", "consolidated.safetensors", "model.fp16.safetensors"],
            {"model.safetensors"},
        ),
        (["adapter.safetensors", "pytorch_model.bin"], {"adapter.safetensors"}),
        (
            [
                "pytorch_model-00001-of-00002.bin",
                "pytorch_model-00002-of-00002.bin",
                "optimizer.bin",
            ],
            set(),
        ),
        (
            ["additional_chat_templates/tool.jinja", "onnx/config.json"],
            {"additional_chat_templates/tool.jinja"},
        ),
    ],
)
def test_of_several_forms_of_the_same_weights_one_is_chosen(there, chosen):
    files = [RepositoryFile(name, 1, None, name) for name in there]
    assert {file.path for file in chosen_files(files)} == chosen
