"""Efforts: entries of one family, what each asks for in the request, and what cannot be asked for."""

import json

import pytest

from afterimage.errors import AfterimageError
from afterimage.files.yaml import read_yaml
from afterimage.models.interface import Message, Request
from afterimage.models.journaling.entries import answerer_of
from afterimage.models.openai_compatible.messages import chat_json
from afterimage.planning.configuration import load_study
from afterimage.planning.plan import Plan
from afterimage.stages.all_stages import spec_of
from afterimage.stages.study_tables import thinking_models

ASKED = Request(0, (Message("user", ("Which is longer?",)),))
#: What each effort of the registry's models becomes in the body of a request, as the providers document it.
SAID = {
    ("gpt-6-luna", "none"): {"reasoning_effort": "none"},
    ("gpt-6-luna", "low"): {"reasoning_effort": "low"},
    ("gpt-6-luna", "medium"): {"reasoning_effort": "medium"},
    ("gpt-6-luna", "high"): {"reasoning_effort": "high"},
    ("claude-sonnet-5.5", "none"): {"thinking": {"type": "between_tools"}},
    ("claude-sonnet-5.5", "high"): {"thinking": {"type": "adaptive"}},
    ("claude-haiku-4.5-20251001", "none"): {"thinking": {"type": "disabled"}},
    ("claude-haiku-4.5-20251001", 2048): {"thinking": {"type": "enabled", "budget_tokens": 2048}},
    ("gemini-3.8-flash", "low"): {"reasoning_effort": "low"},
    ("gemini-3.8-flash", "medium"): {"reasoning_effort": "medium"},
    ("gemini-3.8-flash", "high"): {"reasoning_effort": "high"},
    ("qwen3.7-plus", "none"): {"enable_thinking": False},
    ("qwen3.7-plus", "high"): {"enable_thinking": True},
    ("qwen3.7-plus", 512): {"enable_thinking": True, "thinking_budget": 512},
    ("qwen3.5-9b-vllm", "none"): {"chat_template_kwargs": {"enable_thinking": False}},
    ("qwen3.5-9b-vllm", "high"): {"chat_template_kwargs": {"enable_thinking": True}},
    ("qwen3.5-9b-vllm", 1000): {
        "chat_template_kwargs": {"enable_thinking": True},
        "thinking_token_budget": 1000,
    },
}


@pytest.fixture
def study(root, tmp_path, monkeypatch):
    """Load a study with these entries of the user's own, all of them asked."""
    monkeypatch.chdir(tmp_path)

    def config(own, models=None):
        return {
            "models": list(own if models is None else models),
            "own_models": own,
            "model_registry": str(root / "config/models.yaml"),
            "suites": {"illusion_vqa": {}},
        }

    def load(own, models=None):
        return load_study(config(own, models), root / "workflow/schemas").models

    load.config = config
    return load


def body_of(entry):
    return json.loads(chat_json(entry.model_id, ASKED, entry.settings, 0))


@pytest.mark.parametrize(("family", "effort"), SAID, ids=str)
def test_an_effort_is_part_of_the_request_and_of_the_key(family, effort, study):
    models = study({"it": {"family": family, "effort": effort}}, [family, "it"])
    plain, own = body_of(models[family]), body_of(models["it"])
    said = SAID[family, effort]
    assert own == {**plain, **said}
    assert models["it"].model_id == models[family].model_id
    assert (models["it"].family, models["it"].effort) == (family, effort)
    if own != plain:
        assert answerer_of(models["it"]) != answerer_of(models[family])


def test_every_effort_of_the_registry_is_among_those_tried(root):
    registry = read_yaml(root / "config/models.yaml")
    for name, entry in registry.items():
        tried = {effort for family, effort in SAID if family == name}
        levels = set(entry.get("efforts", ()))
        if entry["backend"] != "transformers":
            has_budget = any(isinstance(effort, int) for effort in tried)
            assert levels == {e for e in tried if isinstance(e, str)} | (
                {"budget"} if has_budget else set()
            )


@pytest.mark.parametrize("family", ["qwen3.5-9b", "gemma-4-e4b"])
def test_a_chat_template_is_told_to_think_or_not(family, study):
    models = study(
        {"off": {"family": family, "effort": "none"}, "on": {"family": family, "effort": "high"}}
    )
    for name, thinks in (("off", False), ("on", True)):
        assert models[name].settings["chat_template_kwargs"] == {"enable_thinking": thinks}
        assert models[name].backend == "transformers"


def test_an_entry_takes_over_what_it_does_not_say(study):
    own = {
        "it": {
            "family": "claude-haiku-4.5-20251001",
            "effort": 4096,
            "settings": {"max_tokens": 8000},
            "client": {"concurrency": 2},
        }
    }
    entry = study(own, ["claude-haiku-4.5-20251001", "it"])["it"]
    assert entry.settings["base_url"] == "https://api.anthropic.com/v1"
    assert entry.settings["max_tokens"] == 8000
    assert entry.client == {
        "concurrency": 2,
        "price_per_million_input": 1,
        "price_per_million_output": 5,
    }


def test_an_own_entry_may_ask_as_another_does(study):
    address = {"base_url": "http://127.0.0.1:1/v1", "max_tokens": 100}
    own = {
        "it": {
            "backend": "openai_compatible",
            "settings": address,
            "efforts": "gpt-6-luna",
            "effort": "low",
        }
    }
    assert body_of(study(own)["it"])["reasoning_effort"] == "low"


GEMINI = {
    "backend": "openai_compatible",
    "settings": {"base_url": "http://127.0.0.1:1/v1", "max_tokens": 4000},
    "efforts": {
        "budget": {
            "least": 128,
            "most": 32768,
            "settings": {
                "extra_body": {
                    "extra_body": {"google": {"thinking_config": {"thinking_budget": "{budget}"}}}
                }
            },
        }
    },
}


def test_a_budget_stands_where_the_entry_says_at_any_depth(study):
    entry = study({"gemini": GEMINI, "it": {"family": "gemini", "effort": 256}})["it"]
    assert body_of(entry)["extra_body"] == {"google": {"thinking_config": {"thinking_budget": 256}}}


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        (
            {"family": "gpt-6-luna", "effort": 2000},
            r"model 'it': key 'effort': found 2000, which this model cannot be asked for; expected none or low or",
        ),
        (
            {"family": "gemini-3.8-flash", "effort": "none"},
            r"key 'effort': found 'none', which this model cannot be asked for; expected low or medium or high",
        ),
        (
            {"family": "claude-sonnet-5.5", "effort": "low"},
            r"found 'low', which this model cannot be asked for; expected none or high",
        ),
        (
            {"family": "gpt-4o-2024-11-20", "effort": "low"},
            r"found 'low', and nothing says how this model is asked to think so much; expected key 'efforts'",
        ),
        ({"backend": "chance", "effort": "high"}, r"nothing says how this model is asked to think"),
        (
            {"family": "claude-haiku-4.5-20251001", "effort": 500},
            r"found a budget of 500 tokens; expected at least 1024",
        ),
        (
            {"family": "claude-haiku-4.5-20251001", "effort": 20000},
            r"found a budget of 20000 tokens, and an answer has at most 16384, its thoughts included",
        ),
        ({"family": "gemini", "effort": 40000}, r"expected 128 to 32768"),
        (
            {"family": "gpt-6-lunar"},
            r"key 'family': unknown model 'gpt-6-lunar': did you mean 'gpt-6-luna'",
        ),
        ({"family": "low"}, r"'low' is itself of the family 'gpt-6-luna'; name that"),
        (
            {"backend": "openai_compatible", "efforts": "sprout", "effort": "low"},
            r"key 'efforts': unknown model with efforts 'sprout'",
        ),
        (
            {
                "family": "gpt-6-luna",
                "effort": "low",
                "settings": {"extra_body": {"reasoning_effort": "high"}},
            },
            r"settings.extra_body.reasoning_effort: found 'high', but effort 'low' is asked for by 'low'",
        ),
        ({"family": "gpt-6-luna", "effort": "lots"}, r"effort"),
        ({"family": "gpt-6-luna", "effort": 0}, r"effort"),
        ({"family": "gpt-6-luna", "effort": True}, r"effort"),
        (
            {"family": "gpt-6-luna", "effort": "low", "efforts": {"low": {"thinks": "a lot"}}},
            r"unknown key 'thinks'",
        ),
    ],
)
def test_what_cannot_be_asked_for_is_refused_before_anything_is_made(entry, sentence, study):
    own = {
        "it": entry,
        "low": {"family": "gpt-6-luna", "effort": "low"},
        "gemini": GEMINI,
    }
    with pytest.raises(AfterimageError, match=sentence) as caught:
        study(own, ["it"])
    assert "\n" not in str(caught.value)


def test_the_table_is_made_where_a_family_has_several_efforts(root, study):
    low = {"family": "gpt-6-luna", "effort": "low"}
    config = study.config({"low": low}, ["chance", "low", "gpt-6-luna", "gemini-3.8-flash"])
    plan = Plan(config, root)
    assert thinking_models(plan) == ["low", "gpt-6-luna"]
    told = spec_of(plan, "make_thinking")["models"]
    assert told["low"] == {
        "effort": "low",
        "family": "gpt-6-luna",
        "prices": [0.1, 0.5],
        "currency": "USD",
        "mode": "online",
    }
    assert told["gpt-6-luna"]["effort"] is None
    assert thinking_models(Plan(study.config({"low": low}, ["chance", "low"]), root)) == []
