"""Adapters: merged or not they answer alike, another one is another model, and one that does not fit is refused."""

import json
import logging
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest
from loopback_hub import LoopbackHub
from tiny_checkpoints import require_transformers, write_adapter
from vlm_requests import asking, entry_for, mixed_requests, noise, texts

from afterimage.contract.model import Backend, ModelEntry
from afterimage.errors import AfterimageError
from afterimage.models import transformers as backend
from afterimage.models.asking import Asking
from afterimage.models.interface import Message, Reply, Request
from afterimage.models.journaling.entries import answerer_of
from afterimage.models.progress import Progress
from afterimage.models.weights import (
    find_adapter,
    known_content,
    present_contents,
    repositories_of,
    repository_of,
)

REQUEST = Request(0, (Message("user", ("Which line is longer?",)),))
NAMES = ("adapter_config.json", "adapter_model.safetensors")


@pytest.fixture(scope="module")
def adapter(tiny_llava, tmp_path_factory):
    return write_adapter(tiny_llava, tmp_path_factory.mktemp("adapters") / "one")


@pytest.fixture
def copy(adapter, tmp_path):
    """An adapter that may be changed."""
    return Path(shutil.copytree(adapter, tmp_path / "copy"))


@pytest.fixture
def no_weights(monkeypatch):
    """Whoever loads a checkpoint's weights fails the test."""
    require_transformers()
    import transformers

    def refuse(*_, **__):
        raise AssertionError("weights were loaded")

    monkeypatch.setattr(transformers.AutoModelForImageTextToText, "from_pretrained", refuse)


def entry_with(checkpoint, adapter, merged=False, **settings):
    return entry_for(checkpoint, adapter=str(adapter), merge_adapter=merged, **settings)


def answers(entry, requests=None):
    return texts(backend.load(entry)(iter(requests or mixed_requests())))


def sentence_of(entry):
    with pytest.raises(AfterimageError) as raised:
        backend.load(entry)
    assert "\n" not in str(raised.value)
    return str(raised.value)


# ---- what it answers ----


@pytest.mark.parametrize("name", ["tiny_llava", "tiny_llava_next", "tiny_qwen2_vl"])
@pytest.mark.parametrize("config", [{}, {"use_dora": True}], ids=["lora", "dora"])
def test_in_float32_merged_and_unmerged_answer_alike_and_otherwise_than_the_checkpoint(
    name, config, tmp_path, request
):
    checkpoint = request.getfixturevalue(name)
    own = write_adapter(checkpoint, tmp_path / "adapter", **config)
    both = (answers(entry_with(checkpoint, own, is_merged)) for is_merged in (False, True))
    beside, merged = both
    assert beside == merged
    plain = answers(entry_for(checkpoint))
    assert beside.keys() == plain.keys()
    assert sum(beside[each] != plain[each] for each in plain) >= len(plain) - 2


def test_answers_are_those_of_the_librarys_own_loop(tiny_qwen2_vl, tmp_path):
    """Through peft's own wrapper, one request at a time, as anybody would write it."""
    own = write_adapter(tiny_qwen2_vl, tmp_path / "adapter")
    import peft
    import torch
    import transformers

    from afterimage.models.transformers.checkpoint import find_checkpoint
    from afterimage.models.transformers.images import open_picture
    from afterimage.models.transformers.processing import load_processor

    base = transformers.AutoModelForImageTextToText.from_pretrained(tiny_qwen2_vl)
    model = peft.PeftModel.from_pretrained(base, str(own)).eval()
    entry = entry_with(tiny_qwen2_vl, own)
    processor = load_processor(find_checkpoint(entry), base.config, entry.settings)
    image = noise(0)
    given = answers(entry, [asking(0, image, "What?")])
    content = [{"type": "image", "image": open_picture(image)}, {"type": "text", "text": "What?"}]
    inputs = processor.apply_chat_template(
        [{"role": "user", "content": content}],
        add_generation_prompt=True,
        tokenize=True,
        return_dict=True,
        return_tensors="pt",
    )
    with torch.inference_mode():
        tokens = model.generate(**inputs, max_new_tokens=8, do_sample=False)
    said = processor.decode(tokens[0, inputs["input_ids"].shape[1] :], skip_special_tokens=True)
    assert given[0, 0] == said


def test_in_bfloat16_merging_rounds_so_it_is_part_of_the_key(tiny_llava, adapter):
    import torch

    def logits(is_merged):
        from afterimage.models.transformers.checkpoint import (
            find_checkpoint,
            require_vision_language_model,
        )
        from afterimage.models.transformers.weights import adapted, load_model

        entry = entry_with(tiny_llava, adapter, is_merged, dtype="bfloat16")
        found = find_checkpoint(entry)
        model = load_model(found, require_vision_language_model(found), entry.settings)
        with torch.inference_mode():
            model = adapted(model, find_adapter(entry), is_merged)
            return model(input_ids=torch.arange(5, 25)[None]).logits.float()

    assert not torch.equal(logits(False), logits(True))
    beside, merged = (answerer_of(entry_with("x", "y", is_merged)) for is_merged in (False, True))
    assert beside != merged


def test_the_version_says_checkpoint_and_adapter(tiny_llava, adapter, tmp_path):
    entry = entry_with(tiny_llava, adapter)
    contents = present_contents(entry, backend.BACKEND, answerer_of(entry), tmp_path)
    (reply,) = backend.load(replace(entry, content=contents[0]))([asking(0, noise(0), "What?")])
    assert reply.revision.startswith(f"{contents[0]}+Llava")


# ---- whose answers count ----


def who(adapter, **settings):
    return answerer_of(entry_for("base", adapter=str(adapter), **settings))


def test_another_adapter_is_another_model():
    plain = answerer_of(entry_for("base"))
    assert len({plain, who("one"), who("two"), who("org/one"), who("org/one@v2")}) == 5
    # Entries of before keep the keys of their answers.
    assert "adapter" not in plain.settings


class Study:
    """A model that answers by what lies in its two folders, and its journal."""

    def __init__(self, folder):
        self.folder, self.journal, self.loads = folder, folder / "journal", 0
        for name in ("base", "lora"):
            (folder / name).mkdir()
        (folder / "base/model.safetensors").write_text("base")
        (folder / "lora/adapter_config.json").write_text("{}")
        self.train("once")

    def train(self, text):
        (self.folder / "lora/adapter_model.safetensors").write_text(text)

    def entry(self, base=None, revision=None):
        settings = {"adapter": str(self.folder / "lora")}
        return ModelEntry("m", "adapted", base or str(self.folder / "base"), revision, settings)

    def ask(self, *entry):
        with Asking(self.entry(*entry), None, self.journal, Progress()) as asking:
            asking.ask({0: REQUEST.sha256}, {0: (0,)}, lambda missing: iter([REQUEST]))
        return asking.replies[0][0].text

    def load(self, entry, part):
        self.loads += 1
        text, version = f"answer {self.loads}", f"{entry.content}+{'c' * 40}+Processor"
        return lambda requests: (
            Reply(request.number, text, revision=version) for request in requests
        )


@pytest.fixture
def study(tmp_path, monkeypatch):
    study = Study(tmp_path)
    module = ModuleType("afterimage.models.adapted")
    module.BACKEND = Backend(study.load, weights_in_folder=True)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    return study


@pytest.mark.parametrize("base", [None, "organisation/name"])
def test_an_adapter_that_was_trained_on_is_asked_anew_and_an_earlier_one_finds_its_answers(
    study, base
):
    assert study.ask(base) == study.ask(base) == "answer 1"
    study.train("twice")
    assert study.ask(base) == "answer 2"
    study.train("once")
    (study.folder / "lora/optimizer.pt").write_text("what training needs")
    assert study.ask(base) == "answer 1"


def test_another_checkpoint_below_the_adapter_is_asked_anew(study):
    study.ask()
    known = known_content(study.entry(), study.journal / "m")
    (study.folder / "base/model.safetensors").write_text("another")
    assert study.ask() == "answer 2"
    assert known_content(study.entry(), study.journal / "m") != known


@pytest.mark.parametrize("gone", ["base", "lora"])
def test_answers_stand_where_a_folder_is_gone(study, gone):
    study.ask()
    known = known_content(study.entry(), study.journal / "m")
    (study.folder / gone).rename(study.folder / "elsewhere")
    assert study.ask() == "answer 1"
    assert known_content(study.entry(), study.journal / "m") == known


def test_a_pinned_revision_holds_the_checkpoint_and_an_adapter_on_it(study):
    assert study.ask(None, "v1") == "answer 1"
    assert study.ask("organisation/name", "v1") == "answer 2"
    study.train("twice")
    with pytest.raises(AfterimageError, match="1 of its journaled answers came from other weights"):
        study.ask(None, "v1")
    # There it names a commit of the repository, and the adapter is no part of that.
    assert study.ask("organisation/name", "v1") == "answer 3"


# ---- what is refused ----


def test_pickled_weights_are_refused_whoever_looks_first(tiny_llava, copy, tmp_path, no_weights):
    (copy / "adapter_model.safetensors").rename(copy / "adapter_model.bin")
    entry = entry_with(tiny_llava, copy)
    expected = (
        f"adapter '{copy}': its weights are pickled (adapter_model.bin), which can run code when they are read; "
        "expected adapter_model.safetensors (save_pretrained of peft writes it)."
    )
    assert sentence_of(entry) == expected
    with pytest.raises(AfterimageError) as raised:
        present_contents(entry, backend.BACKEND, answerer_of(entry), tmp_path)
    assert str(raised.value) == expected


@pytest.mark.parametrize("name", NAMES)
def test_a_folder_that_lacks_a_file_is_refused(name, tiny_llava, copy, no_weights):
    (copy / name).unlink()
    assert f"folder '{copy}' holds no {name}; expected an adapter" in sentence_of(
        entry_with(tiny_llava, copy)
    )


def test_a_folder_that_is_not_there_is_refused(tiny_llava, no_weights):
    assert "no such folder; expected a folder with an adapter, or a repository" in sentence_of(
        entry_with(tiny_llava, "/no/such/adapter")
    )


def test_an_adapter_of_another_checkpoint_is_refused(tiny_qwen2_vl, adapter, no_weights):
    sentence = sentence_of(entry_with(tiny_qwen2_vl, adapter))
    assert (
        f"adapter '{adapter}' on model_id '{tiny_qwen2_vl}': does not fit: the model has no place for its weights"
        in (sentence)
    )


def test_weights_of_another_shape_are_refused(tiny_llava, copy, no_weights):
    configuration = json.loads((copy / NAMES[0]).read_text())
    (copy / NAMES[0]).write_text(json.dumps(configuration | {"r": 8}))
    sentence = sentence_of(entry_with(tiny_llava, copy))
    assert "does not fit (size mismatch for base_model." in sentence
    assert "torch.Size([4, 64])" in sentence


def test_an_adapter_that_lacks_weights_is_refused(tiny_llava, copy, no_weights):
    import safetensors.torch

    weights = safetensors.torch.load_file(copy / NAMES[1])
    dropped = max(weights)
    del weights[dropped]
    safetensors.torch.save_file(weights, copy / NAMES[1])
    sentence = sentence_of(entry_with(tiny_llava, copy))
    assert (
        f"it lacks the weights '{dropped.replace('.weight', '.default.weight')}' and 0 others"
        in (sentence)
    )


def test_damaged_weights_are_refused(tiny_llava, copy, no_weights):
    (copy / NAMES[1]).write_bytes((copy / NAMES[1]).read_bytes()[:-100])
    assert "does not fit (" in sentence_of(entry_with(tiny_llava, copy))


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"peft_type": "PREFIX_TUNING"}, "found 'peft_type' 'PREFIX_TUNING'; expected 'LORA'"),
        ({"alora_invocation_tokens": [1]}, "found 'alora_invocation_tokens' set"),
        ({"of_a_later_peft": 3}, "found 'of_a_later_peft' set"),
        (
            {"init_lora_weights": "pissa"},
            "found 'init_lora_weights' 'pissa', which is put on other",
        ),
        ({"target_modules": ["no_such"]}, "does not fit (Target modules {'no_such'} not found"),
    ],
)
def test_what_would_be_another_model_is_refused(changed, expected, tiny_llava, copy, no_weights):
    configuration = json.loads((copy / NAMES[0]).read_text())
    (copy / NAMES[0]).write_text(json.dumps(configuration | changed))
    assert expected in sentence_of(entry_with(tiny_llava, copy))


@pytest.mark.parametrize("text", ["{", "[]"])
def test_a_configuration_that_is_none_is_refused(text, tiny_llava, copy, no_weights):
    (copy / NAMES[0]).write_text(text)
    assert "adapter_config.json" in sentence_of(entry_with(tiny_llava, copy))


def test_a_missing_package_is_named(tiny_llava, copy, no_weights, monkeypatch):
    from afterimage.models.transformers import weights

    monkeypatch.setattr(weights, "find_spec", lambda name: None)
    sentence = sentence_of(entry_with(tiny_llava, copy))
    assert "needs the package peft, which is not installed; run `" in sentence
    assert "[transformers,adapters]" in sentence


# ---- repositories ----


def test_what_an_adapters_name_stands_for(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert repository_of("lab/lora") == ("lab/lora", None)
    assert repository_of("lab/lora@v1.0") == ("lab/lora", "v1.0")
    assert repository_of("/data/lora") is None
    (tmp_path / "lab/lora@v1.0").mkdir(parents=True)
    assert repository_of("lab/lora@v1.0") is None


def test_what_is_fetched_of_whom(tmp_path):
    def of(model_id, **settings):
        return repositories_of(ModelEntry("m", "transformers", str(model_id), "r", settings))

    base = {"model_id": "lab/base", "revision": "r"}
    assert of("lab/base") == of("lab/base", adapter="/lora") == base
    assert of("lab/base", adapter="lab/lora") == {**base, "adapter": ["lab/lora", None]}
    assert of(tmp_path, adapter="lab/lora@v1") == {"adapter": ["lab/lora", "v1"]}
    assert of(tmp_path, adapter=str(tmp_path)) == {}


def test_an_adapter_from_the_hub_answers_like_its_folder_and_names_its_commit(
    tiny_llava, adapter, tmp_path, monkeypatch, caplog
):
    from huggingface_hub import constants

    from afterimage.stages.fetching import fetch_named

    commit = "c" * 40
    files = {name: (adapter / name).read_bytes() for name in NAMES}
    files |= {"optimizer.pt": b"x", "tokenizer.json": b"{}", "merged/model.safetensors": b"x"}
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    with LoopbackHub("lab/lora", {commit: files}) as hub:
        receipt = tmp_path / "receipt.json"
        fetch_named({"adapter": ["lab/lora", commit]}, receipt, hub.url, tmp_path / "cache")
    assert set(json.loads(receipt.read_text())["adapter"]["files"]) == set(NAMES)
    # What a job without network finds.
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
    entry = entry_with(tiny_llava, f"lab/lora@{commit}")
    found = find_adapter(entry)
    assert found.commit == commit
    (reply,) = backend.load(entry)([asking(0, noise(0), "What?")])
    assert reply.revision.split("+")[1] == commit
    assert (
        reply.text == answers(entry_with(tiny_llava, adapter), [asking(0, noise(0), "What?")])[0, 0]
    )


def test_a_repository_without_safe_weights_is_refused(tmp_path, monkeypatch):
    from huggingface_hub import constants

    from afterimage.stages.fetching import fetch_named

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    files = {"adapter_config.json": b"{}", "adapter_model.bin": b"x"}
    with (
        LoopbackHub("lab/lora", {"c" * 40: files}) as hub,
        pytest.raises(AfterimageError) as raised,
    ):
        spec = {"adapter": ["lab/lora", None]}
        fetch_named(spec, tmp_path / "receipt.json", hub.url, tmp_path / "cache")
    assert str(raised.value).startswith(
        f"adapter 'lab/lora' at commit {'c' * 40}: the repository holds no weights"
    )


@pytest.mark.parametrize(
    ("trained_on", "is_said"), [("lab/other", True), ("lab/base", False), ("/runs/base", False)]
)
def test_a_checkpoint_that_the_adapter_was_not_trained_on_is_said(
    trained_on, is_said, tiny_llava, copy, caplog
):
    import transformers

    from afterimage.models.transformers.checkpoint import Checkpoint
    from afterimage.models.transformers.weights import require_fitting
    from afterimage.models.weights import Adapter

    configuration = json.loads((copy / NAMES[0]).read_text())
    changed = {"base_model_name_or_path": trained_on}
    (copy / NAMES[0]).write_text(json.dumps(configuration | changed))
    config = transformers.AutoConfig.from_pretrained(tiny_llava)
    with caplog.at_level(logging.WARNING):
        require_fitting(
            Adapter("a", copy, None), Checkpoint("lab/base", "c" * 40, "c" * 40), config
        )
    assert ("was trained on 'lab/other'" in caplog.text) == is_said
