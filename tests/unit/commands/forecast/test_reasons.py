"""Which models think before they answer, and what a plan assumes of them."""

import pytest

from afterimage.commands.forecast.answers import REASONING_TOKENS, thinks
from afterimage.commands.forecast.command import model_notes
from afterimage.commands.forecast.counting import Forecast, Tokens
from afterimage.contract.model import ModelEntry


def entry(name="m", **settings):
    return ModelEntry(name, "openai_compatible", name, settings=settings)


@pytest.mark.parametrize(
    "settings",
    [
        {"extra_body": {"reasoning_effort": "high"}},
        {"extra_body": {"reasoning": {"effort": "low"}}},
        {"extra_body": {"reasoning": {"enabled": True}}},
        {"extra_body": {"thinking": {"type": "enabled", "budget_tokens": 2000}}},
        {"extra_body": {"enable_thinking": True}},
        {"extra_body": {"thinking_budget": 1024}},
        {"extra_body": {"google": {"thinking_config": {"thinking_budget": 512}}}},
        {"extra_body": {"chat_template_kwargs": {"thinking": True}}},
        {"chat_template_kwargs": {"enable_thinking": True}},
        {"reasoning": {"open": "<mull>", "close": "</mull>"}},
    ],
)
def test_settings_say_that_it_thinks(settings):
    assert thinks(entry(**settings))


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"reasoning": False},
        {"extra_body": {"reasoning_effort": "none"}},
        {"extra_body": {"thinking": {"type": "disabled"}}},
        {"extra_body": {"enable_thinking": False}},
        {"extra_body": {"thinking_budget": 0}},
        {"extra_body": {"top_k": 3, "metadata": {"think": "no"}}},
        {"chat_template_kwargs": {"enable_thinking": False}},
    ],
)
def test_settings_say_that_it_does_not(settings):
    assert not thinks(entry(**settings))
    if settings.get("extra_body") and "top_k" not in settings["extra_body"]:
        # What is told to a model that would think counts.
        assert not thinks(entry("o3-mini", **settings))


@pytest.mark.parametrize(
    "name",
    [
        "o1",
        "openai/o3-mini",
        "o4-mini-2025-04-16",
        "gpt-5",
        "gpt-6-luna",
        "gemini-2.5-pro",
        "gemini-3.8-flash",
        "Qwen/QwQ-32B",
        "Qwen3-VL-8B-Thinking",
        "deepseek-reasoner",
        "deepseek-ai/DeepSeek-R1",
        "Magistral-Small",
    ],
)
def test_names_of_models_that_think(name):
    assert thinks(entry(name))


@pytest.mark.parametrize(
    "name",
    [
        "gpt-4o-2024-11-20",
        "gpt-4.1",
        "claude-sonnet-5.5",
        "gemini-1.5-pro",
        "qwen3-vl-8b",
        "llava-v1.5-7b",
        "gemma-4-e4b",
        "phi-3.5-vision",
        "sprout",
    ],
)
def test_names_of_models_that_do_not(name):
    assert not thinks(entry(name))


def test_the_plan_says_what_it_assumes_of_reasoning():
    own = [Forecast("s", "o3", requests=10, left=Tokens(0, 10 * (100 + REASONING_TOKENS)))]
    (note,) = model_notes(entry("o3"), own, 100)
    assert "of an answer assumed: 1100 (--answer-tokens and 1,000 of reasoning" in note
    bounded = [Forecast("s", "o3", requests=10, left=Tokens(0, 10 * 500))]
    (note,) = model_notes(entry("o3"), bounded, 100)
    assert "of an answer assumed: 500 (the most that its settings allow)" in note
