"""Bad input to the transformers backend: one sentence each, before anything expensive."""

import json
import os
import shutil
import subprocess
import sys
import threading
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from tiny_checkpoints import require_transformers
from vlm_requests import SCHEMA, entry_for

from afterimage.errors import AfterimageError, model_settings
from afterimage.models.transformers import load
from afterimage.planning.schemas import completed, read_schema

pytestmark = pytest.mark.torch

COMMIT = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture
def installed():
    require_transformers()


@pytest.fixture
def no_model(monkeypatch):
    """Whoever loads weights fails the test."""
    require_transformers()
    import transformers

    def refuse(*_, **__):
        raise AssertionError("weights were loaded")

    monkeypatch.setattr(transformers.AutoModelForImageTextToText, "from_pretrained", refuse)


def sentence_of(entry):
    with pytest.raises(AfterimageError) as raised:
        load(entry, "any")
    sentence = str(raised.value)
    assert "\n" not in sentence
    return sentence


def test_a_chat_template_that_shows_one_image_where_requests_show_two(no_model, tiny_llava):
    first = "{% if messages[0]['content'][0]['type'] == 'image' %}<image>{% endif %}hello"
    entry = entry_for(tiny_llava, chat_template=first)
    sentence = sentence_of(replace(entry, images=2))
    assert (
        "requests show 2 images, and its chat template shows 1; expected a model that" in sentence
    )


@pytest.mark.parametrize("package", ["torch", "transformers"])
def test_a_missing_package_is_named_with_the_command_that_installs_it(package, monkeypatch):
    from afterimage.models import transformers as backend

    # Whatever is installed here, this one package is missing.
    monkeypatch.setattr(backend, "find_spec", lambda name: None if name == package else backend)
    sentence = sentence_of(entry_for("anything"))
    assert f"of which {package} cannot be found; run `" in sentence
    assert "pip install '.[transformers]'` in the environment" in sentence


def test_a_folder_that_is_not_there_or_holds_no_checkpoint(no_model, tmp_path):
    assert "no such folder" in sentence_of(entry_for(tmp_path / "missing"))
    assert "no such folder" in sentence_of(entry_for("../missing"))
    assert "the folder has no config.json" in sentence_of(entry_for(tmp_path))


def test_a_model_without_eyes(no_model, tiny_language_model):
    assert "a model of type 'llama', which takes no images" in sentence_of(
        entry_for(tiny_language_model)
    )


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ({"model_type": "llava_7"}, "its code is not in transformers"),
        (
            {"model_type": "eye", "auto_map": {"AutoConfig": "configuration_eye.EyeConfig"}},
            "Code from a repository is never run",
        ),
        ("{", "its config.json cannot be used"),
        ({"model_type": "llava", "text_config": 7}, "its config.json cannot be used"),
    ],
)
def test_a_config_that_cannot_be_used(no_model, tmp_path, config, expected):
    text = config if isinstance(config, str) else json.dumps(config)
    (tmp_path / "config.json").write_text(text)
    marker = tmp_path / "ran"
    (tmp_path / "configuration_eye.py").write_text(f"open({str(marker)!r}, 'w')\n")
    assert expected in sentence_of(entry_for(tmp_path))
    assert not marker.exists()


def damaged(folder, target, *gone, **changed):
    copy = shutil.copytree(folder, target)
    for name in gone:
        (copy / name).unlink()
    for name, change in changed.items():
        file = copy / f"{name}.json"
        file.write_text(json.dumps(change(json.loads(file.read_text()))))
    return copy


def test_a_checkpoint_without_a_chat_template(no_model, tiny_llava, tmp_path):
    copy = damaged(tiny_llava, tmp_path / "copy", "chat_template.jinja")
    assert "it has no chat template" in sentence_of(entry_for(copy))


def test_a_chat_template_that_leaves_images_out_or_is_broken(no_model, tiny_llava):
    blind = "{% for message in messages %}{{ message['content'][1]['text'] }}{% endfor %}"
    assert "its chat template leaves images out" in sentence_of(
        entry_for(tiny_llava, chat_template=blind)
    )
    assert "its chat template cannot be used" in sentence_of(
        entry_for(tiny_llava, chat_template="{% for %}")
    )


@pytest.mark.parametrize("name", ["enable_thinkin", "add_generation_prompt"])
def test_a_variable_that_the_chat_template_does_not_leave_to_the_user(no_model, tiny_llava, name):
    sentence = sentence_of(entry_for(tiny_llava, chat_template_kwargs={name: True}))
    assert f"setting 'chat_template_kwargs': found '{name}'" in sentence


def test_a_checkpoint_without_a_processor(no_model, tiny_llava, tmp_path):
    copy = damaged(tiny_llava, tmp_path / "copy", "processor_config.json")
    sentence = sentence_of(entry_for(copy))
    assert "its processor" in sentence


def test_weights_that_are_missing_or_not_there_at_all(installed, tiny_llava, tmp_path):
    import safetensors.torch

    copy = damaged(tiny_llava, tmp_path / "copy")
    weights = safetensors.torch.load_file(copy / "model.safetensors")
    gone = sorted(name for name in weights if "multi_modal_projector" in name)
    for name in gone:
        del weights[name]
    safetensors.torch.save_file(weights, copy / "model.safetensors", metadata={"format": "pt"})
    sentence = sentence_of(entry_for(copy))
    assert f"its files lack the weights 'model.{gone[0].removeprefix('model.')}'" in sentence
    assert f"and {len(gone) - 1} others" in sentence
    (copy / "model.safetensors").unlink()
    assert "the model cannot be loaded" in sentence_of(entry_for(copy))


def test_weights_that_do_not_fit_on_the_gpus(no_model, tiny_llava, monkeypatch):
    import torch

    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    monkeypatch.setattr(torch.cuda, "mem_get_info", lambda device: (2**19, 2**34))
    sentence = sentence_of(entry_for(tiny_llava))
    assert "its weights take 0.0 GiB, and 0.0 GiB are free on 2 GPU(s)" in sentence
    with pytest.raises(AssertionError, match="weights were loaded"):
        load(entry_for(tiny_llava, dtype="bfloat16"), "any")
    with pytest.raises(AssertionError, match="weights were loaded"):
        load(entry_for(tiny_llava, device_map="cpu"), "any")


def test_the_memory_of_weights_is_worked_out_without_reading_them(installed, tiny_qwen2_vl):
    import transformers

    from afterimage.models.transformers.checkpoint import weight_bytes

    config = transformers.AutoConfig.from_pretrained(tiny_qwen2_vl)
    model = transformers.AutoModelForImageTextToText.from_pretrained(tiny_qwen2_vl)
    count = model.num_parameters()
    assert weight_bytes(config, "auto", None) == 4 * count
    assert weight_bytes(config, "float16", None) == 2 * count
    assert count / 2 < weight_bytes(config, "float16", "4bit") < count
    published = transformers.Qwen2VLConfig(
        text_config={
            "vocab_size": 152064,
            "hidden_size": 3584,
            "intermediate_size": 18944,
            "num_hidden_layers": 28,
            "num_attention_heads": 28,
            "num_key_value_heads": 4,
        }
    )
    # Qwen2-VL 7B has 8.29 billion parameters.
    assert weight_bytes(published, "bfloat16", None) == pytest.approx(2 * 8.29e9, rel=0.01)


@pytest.mark.parametrize("folder", ["tiny_llava", "tiny_qwen2_vl"])
def test_an_argument_that_the_processor_does_not_know(no_model, folder, request):
    folder = request.getfixturevalue(folder)
    sentence = sentence_of(entry_for(folder, processor={"do_center_crp": False}))
    assert "setting 'processor': unknown key 'do_center_crp': did you mean 'do_center_crop'" in (
        sentence
    )


def test_quantisation_without_its_package(no_model, tiny_llava, monkeypatch):
    from afterimage.models.transformers import weights

    monkeypatch.setattr(weights, "find_spec", lambda name: None)
    sentence = sentence_of(entry_for(tiny_llava, quantization="4bit"))
    assert "'4bit' needs the package bitsandbytes" in sentence


def test_greedy_repeats():
    with pytest.raises(AfterimageError) as raised:
        completed({"repeats": 3}, read_schema(SCHEMA), model_settings("x"))
    assert str(raised.value) == (
        "model 'x': settings: key 'repeats': found 3; expected: 1 with a temperature of 0, at which all repeats are "
        "the same."
    )


@pytest.mark.parametrize(
    ("setting", "value", "expected"),
    [
        ("dtype", "bfloat61", "unknown value 'bfloat61': did you mean 'bfloat16'?"),
        ("quantization", "3bit", "unknown value '3bit'"),
        ("max_new_tokens", 0, "found 0; expected at least 1"),
        ("temperature", -1, "found -1; expected at least 0"),
        ("batchsize", 4, "did you mean 'batch_size'?"),
    ],
)
def test_a_wrong_setting_is_found_when_the_study_is_planned(setting, value, expected):
    with pytest.raises(AfterimageError, match="model 'x': settings") as raised:
        completed({setting: value}, read_schema(SCHEMA), model_settings("x"))
    assert expected in str(raised.value)


FIND = """
import json, sys
from afterimage.errors import AfterimageError
from afterimage.contract.model import ModelEntry
from afterimage.models.transformers.checkpoint import find_checkpoint
for model_id, revision in json.loads(sys.argv[1]):
    try:
        found = find_checkpoint(ModelEntry("m", "transformers", model_id, revision))
        print(json.dumps([found.revision, found.source]))
    except AfterimageError as error:
        print(json.dumps(str(error)))
"""


def found_with(environment, scripts, *asked):
    """Find checkpoints in a process of its own: where the hub's cache is, is decided when it starts."""
    finished = subprocess.run(
        [sys.executable, "-c", FIND, json.dumps(asked)],
        env={**os.environ, "PYTHONPATH": str(scripts), "HF_HUB_DISABLE_TELEMETRY": "1"}
        | environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=True,
    )
    return [json.loads(line) for line in finished.stdout.splitlines()]


def test_offline_a_repository_is_found_in_the_cache_with_its_commit(
    installed, tiny_llava, tmp_path, scripts
):
    repository = tmp_path / "hub/models--me--tiny"
    shutil.copytree(tiny_llava, repository / "snapshots" / COMMIT)
    (repository / "refs").mkdir()
    (repository / "refs/main").write_text(COMMIT)
    offline = {"HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path)}
    main, exact, wrong, unknown = found_with(
        offline,
        scripts,
        ("me/tiny", None),
        ("me/tiny", COMMIT),
        ("me/tiny", "v9"),
        ("me/tin", None),
    )
    assert main == exact
    assert main[0] == main[1]["revision"] == COMMIT
    assert main[1]["trust_remote_code"] is False
    assert wrong == (
        "model_id 'me/tiny' at revision 'v9': neither a folder nor in this machine's cache of the hub, and the hub "
        "cannot be reached."
    )
    assert unknown.startswith("model_id 'me/tin': neither a folder nor in this machine's cache")


@contextmanager
def hub_that_answers(codes):
    """A hub on loopback that says for each repository what is wrong with it."""

    class Handler(BaseHTTPRequestHandler):
        def answer(self):
            code, status = next(
                (answer for name, answer in codes.items() if name in self.path), ("", 500)
            )
            self.send_response(status)
            self.send_header("X-Error-Code", code)
            self.send_header("Content-Length", "0")
            self.end_headers()

        do_GET = do_HEAD = do_POST = answer  # noqa: N815

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_online_the_hub_says_what_is_wrong(installed, tmp_path, scripts):
    codes = {
        "me/unknown": ("RepoNotFound", 404),
        "me/moved": ("RevisionNotFound", 404),
        "me/gated": ("GatedRepo", 403),
        "me/empty": ("EntryNotFound", 404),
    }
    with hub_that_answers(codes) as address:
        online = {"HF_HUB_OFFLINE": "0", "HF_HOME": str(tmp_path), "HF_ENDPOINT": address}
        unknown, moved, gated, empty = found_with(
            online, scripts, *((name, "v9" if name == "me/moved" else None) for name in codes)
        )
    assert (
        unknown
        == "model_id 'me/unknown': neither a folder nor a repository that the hub shows you."
    )
    assert moved == (
        "model_id 'me/moved' at revision 'v9': the repository has no such branch, tag or commit."
    )
    assert "its owner has to grant access first" in gated
    assert "the repository has no config.json" in empty
