"""The registry: every model that the papers name is there, and what cannot be asked says why."""

import csv
import json
import re
from pathlib import Path

import pytest

from afterimage.commands.forecast.contents import RULES
from afterimage.errors import AfterimageError
from afterimage.files.yaml import read_yaml
from afterimage.models.interface import Image, Message, Request
from afterimage.models.openai_compatible.messages import chat_json
from afterimage.models.transformers.processing import conversation, opening_of, prepare
from afterimage.planning.configuration import load_study
from afterimage.planning.schemas import completed, read_schema

#: Rows of the papers' tables that are no models.
NO_MODELS = {"human", "none", "random"}
#: What the papers call a model, where the registry has it under another name: two versions of GPT-4o.
VERSIONS = {"gpt-4o": ("gpt-4o-2024-05-13", "gpt-4o-2024-11-20")}
NAMED = {
    "illusion_vqa": "claude-3.5-sonnet gpt-4o llava-next-72b llava-next-110b",
    "pope": "blip",
    "texture": "gpt-4o idefics2-8b-chatty llama-3.2-11b-vision-instruct llava-next-mistral-7b llava-onevision-7b "
    "llava-v1.5-7b qwen2-vl-7b-instruct",
    "illusionbench_plus": "cogvlm-17b deepseek-vl-7b-chat gemini-1.5-pro gpt-4o gpt-4v internlm-xcomposer2-vl-7b "
    "llava-next-llama3-8b llava-v1.5-7b llava-v1.5-13b mplug-owl2-7b qwen-vl-chat qwen-vl-max qwen-vl-plus",
    "blindtest": "claude-3-sonnet claude-3.5-sonnet gemini-1.5-pro gpt-4o",
}
OF_ILLUSIONBENCH = ("gpt-4o-2024-05-13", "gpt-4v", "gemini-1.5-pro", "qwen-vl-max", "qwen-vl-plus")
REPOSITORY = re.compile(r"[\w-]+/[\w.-]+")


#: The model that comes with the workflow: a folder, and small.
OWN = "sprout"


@pytest.fixture(scope="module")
def registry(root):
    return read_yaml(root / "config/models.yaml")


@pytest.fixture
def study(root, tmp_path, monkeypatch):
    """Load a study with these models, in a folder of its own."""
    monkeypatch.chdir(tmp_path)

    def load(*models, **changes):
        config = {
            "models": list(models),
            "model_registry": str(root / "config/models.yaml"),
            "suites": {"illusion_vqa": {}},
            **changes,
        }
        return load_study(config, root / "workflow/schemas")

    return load


@pytest.mark.parametrize("paper", NAMED)
def test_every_model_that_a_paper_names_has_an_entry(registry, paper):
    for name in NAMED[paper].split():
        for entry in VERSIONS.get(name, (name,)):
            assert entry in registry


def test_the_papers_models_are_those_of_their_published_numbers(published):
    with (published / "published_numbers.csv").open() as lines:
        rows = list(csv.DictReader(lines))
    assert len(rows) > 1000
    for paper, names in NAMED.items():
        found = {row["model"] for row in rows if row["paper"] == paper} - NO_MODELS
        # The article on POPE prints no results; it names its model in its example.
        assert found == (set() if paper == "pope" else set(names.split()))


def test_every_entry_follows_the_schema_of_its_backend(registry, root, study):
    schemas = root / "workflow/schemas"
    for name, entry in registry.items():
        whole = completed(entry, read_schema(schemas / "models.schema.yaml"), name)
        backend = read_schema(schemas / f"backends/{whole['backend']}.schema.yaml")
        completed(whole["settings"], backend, name)
        assert (root / "workflow/scripts/afterimage/models" / whole["backend"]).exists() or (
            root / f"workflow/scripts/afterimage/models/{whole['backend']}.py"
        ).exists()
    available = [name for name, entry in registry.items() if "unavailable" not in entry]
    assert list(study(*available).models) == available


def test_the_model_that_comes_with_the_workflow_is_found_from_any_folder(root, study):
    folder = study(OWN).models[OWN].model_id
    assert Path(folder) == root / "resources/models/sprout"
    assert (Path(folder) / "config.json").is_file()


def test_choosing_what_cannot_be_asked_is_one_sentence_with_the_reason(registry, study):
    gone = {name: entry for name, entry in registry.items() if "unavailable" in entry}
    assert len(gone) >= 7
    for name, entry in gone.items():
        with pytest.raises(AfterimageError) as caught:
            study(name)
        sentence = str(caught.value)
        assert sentence.startswith(f"config key 'models[0]': model '{name}' cannot be asked: ")
        assert entry["unavailable"].strip() in sentence
        assert entry.get("replaced_by", "") in sentence
        assert "\n" not in sentence


def test_answers_that_were_recorded_while_it_could_be_asked_stay_good(study, tmp_path):
    (tmp_path / "journal/gemini-1.5-pro").mkdir(parents=True)
    assert study("gemini-1.5-pro").models
    with pytest.raises(AfterimageError, match=r"'gemini-1\.5-pro' cannot be asked"):
        study("gemini-1.5-pro", journal="another")


def test_a_successor_is_in_the_registry_and_the_last_one_can_be_asked(registry):
    for name, entry in registry.items():
        seen = [name]
        while "replaced_by" in registry[seen[-1]]:
            seen.append(registry[seen[-1]]["replaced_by"])
            assert seen[-1] in registry
            assert len(seen) < 5
        assert len(seen) == 1 or "unavailable" not in registry[seen[-1]]
        assert (
            "unavailable" not in entry or entry["backend"] != "openai_compatible" or len(seen) > 1
        )


def test_a_model_behind_an_api_says_where_it_is_served_and_what_it_costs_on_which_day(registry):
    hosted = {n: e for n, e in registry.items() if e["backend"] == "openai_compatible"}
    assert len(hosted) > 10
    for name, entry in hosted.items():
        assert entry["served"], name
        priced = "price_per_million_input" in entry.get("client", {})
        assert priced == ("prices_of" in entry), name


def test_a_model_with_weights_names_a_repository_and_its_needs(registry):
    local = {n: e for n, e in registry.items() if e["backend"] in ("transformers", "served")}
    own = local.pop(OWN)
    assert "gpu" not in own["resources"]
    assert len(local) > 15
    for name, entry in local.items():
        assert REPOSITORY.fullmatch(entry["model_id"]), name
        assert entry["gpu_memory_gb"] > 1, name
        if "unavailable" not in entry:
            assert entry["resources"]["gpu"] >= 1, name
            # Weights go through main memory on their way.
            assert entry["resources"]["mem_mb"] / 1000 > entry["gpu_memory_gb"] / 1.2, name


def test_the_api_models_of_illusionbench_and_their_judge_are_sent_no_temperature(study, tmp_path):
    # Those that are gone answer from their journals.
    for name in OF_ILLUSIONBENCH:
        (tmp_path / "kept" / name).mkdir(parents=True)
    models = study(*OF_ILLUSIONBENCH, "qwen-plus", journal="kept").models
    assert {entry.backend for entry in models.values()} == {"openai_compatible"}
    assert {entry.settings["temperature"] for entry in models.values()} == {None}
    assert study("gpt-4o-2024-11-20").models["gpt-4o-2024-11-20"].settings["temperature"] == 0


def test_the_judge_of_illusionbench_can_judge(study):
    judge = study("chance", judge={"model": "qwen-plus"}).judge
    assert (judge.name, judge.rounds) == ("qwen-plus", 5)


@pytest.mark.torch
def test_the_architectures_of_the_entries_for_transformers_are_in_transformers(registry):
    names = pytest.importorskip("transformers.models.auto.modeling_auto")
    known = set(names.MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING_NAMES)
    architectures = {
        "llava-v1.5-7b": "llava",
        "llava-v1.5-13b": "llava",
        "llava-next-mistral-7b": "llava_next",
        "llava-next-llama3-8b": "llava_next",
        "llava-next-72b": "llava_next",
        "llava-next-110b": "llava_next",
        "llava-onevision-7b": "llava_onevision",
        "qwen2-vl-7b-instruct": "qwen2_vl",
        "llama-3.2-11b-vision-instruct": "mllama",
        "idefics2-8b-chatty": "idefics2",
        "deepseek-vl-7b-chat": "deepseek_vl_hybrid",
        "blip": "blip",
        "qwen3-vl-8b": "qwen3_vl",
        "qwen3.5-9b": "qwen3_5",
        "gemma-4-e4b": "gemma4",
        "internvl3.5-8b": "internvl",
        "molmo2-8b": "molmo2",
    }
    local = {n for n, e in registry.items() if e["backend"] == "transformers"}
    assert {*architectures, OWN} == local
    assert set(architectures.values()) <= known


def test_a_rule_for_image_tokens_is_one_that_there_is(registry):
    named = {e["image_tokens"] for e in registry.values() if isinstance(e.get("image_tokens"), str)}
    assert len(named) >= 4
    assert named <= set(RULES)


def test_every_entry_stands_in_the_documentation(registry, root):
    text = (root / "docs/registry.md").read_text()
    for name in registry:
        assert f"`{name}`" in text, name


#: The entries that can think before they answer by the chat template's variable, and how they are asked.
THINKING = {"qwen3.5-9b": True, "gemma-4-e4b": False}


class Processor:
    """Stands for a checkpoint's own: its template, and what it was given."""

    all_special_tokens = ()

    def __init__(self):
        self.tokenizer, self.given = self, []

    def get_added_vocab(self):
        return {}

    def apply_chat_template(self, turns, **arguments):
        self.given.append(arguments)
        return "<|assistant|>\n" + (
            "<think>\n" if arguments["enable_thinking"] else "<think>\n\n</think>\n\n"
        )


@pytest.mark.parametrize("name", THINKING)
def test_a_thinking_model_is_asked_the_way_its_entry_says(name, study, registry):
    """The variable reaches the prompt of the library and, where a server has the model, the request that is sent."""
    entry = study(name).models[name]
    asked = {"enable_thinking": THINKING[name]}
    assert entry.settings["chat_template_kwargs"] == asked
    assert ("asked to think" if THINKING[name] else "without thinking") in registry[name][
        "description"
    ]
    messages = (Message("user", (Image(b"", ""), "Which line is longer?")),)
    processor = Processor()
    prepare(
        processor, [conversation(messages, [None], None)], entry.settings["chat_template_kwargs"]
    )
    # An answer that the template begins with an open mark is reasoning until it closes.
    assert opening_of(processor, entry.settings) == ("<think>" if THINKING[name] else "")
    assert [given["enable_thinking"] for given in processor.given] == [THINKING[name]] * 2

    served = study(
        "behind",
        own_models={
            "behind": {
                "backend": "openai_compatible",
                "model_id": entry.model_id,
                "settings": {
                    "base_url": "http://127.0.0.1:1/v1",
                    "api_key_env": None,
                    "chat_template_kwargs": asked,
                },
            }
        },
    ).models["behind"]
    body = json.loads(chat_json(entry.model_id, Request(0, messages[:0]), served.settings, 0))
    assert (body["model"], body["chat_template_kwargs"]) == (entry.model_id, asked)
