"""What batches of each form are asked, and how their answers are read, as their documents say."""

import base64
import json

import pytest
from batch_asking import ask
from faulty_model import SETTINGS, request
from loopback_api import completion
from loopback_batches import FileDesk
from loopback_other_batches import GeminiDesk, MessageDesk

from afterimage.models.interface import Image, Message
from afterimage.models.openai_compatible import batch_api
from afterimage.models.openai_compatible.batch_anthropic import messages_params
from afterimage.models.openai_compatible.batch_gemini import generation_of
from afterimage.models.openai_compatible.messages import chat_body
from afterimage.models.openai_compatible.options import batch_form_of

# Width and height stand where every PNG has them.
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (100).to_bytes(4) * 2 + b"\x08\x02" + bytes(40)
CONVERSATION = (
    Message("system", ("Be brief.",)),
    Message("user", (Image(PNG, "0" * 64), "What?")),
    Message("assistant", ("A line.",)),
    Message("user", ("Sure?",)),
)
ASKED = {**SETTINGS, "temperature": 0.5, "top_p": 0.9, "seed": 3, "image_detail": "high"}


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    monkeypatch.setattr(batch_api, "FIRST_WAIT_SECONDS", 0.01)


def replied(desk, folder, *said):
    """Ask as many questions as there are things said; return the replies."""
    desk.said = lambda question: said[int(question.split()[-1])]
    asking, _ = ask(desk, folder, len(said))
    assert asking.failures == {}
    return [asking.replies[number][0] for number in range(len(said))]


def test_the_form_goes_by_the_address():
    assert batch_form_of("https://api.anthropic.com/v1") == "anthropic"
    assert batch_form_of("https://generativelanguage.googleapis.com/v1beta/openai") == "gemini"
    assert batch_form_of(None) == batch_form_of("http://127.0.0.1:9/v1") == "openai"
    # A name within another host's is no such host.
    assert batch_form_of("https://api.anthropic.com.example/v1") == "openai"


# ---- what is asked ----


def test_what_openai_is_asked_has_the_form_of_chat_completions(tmp_path):
    desk = FileDesk()
    ask(desk, tmp_path, 20)
    (upload,) = desk.uploads
    ids = [line["custom_id"] for line in upload]
    assert ids == [f"{request(number).sha256}-0" for number in range(20)]
    body = upload[7]["body"]
    assert (body["model"], body["temperature"], body["max_tokens"]) == ("some-model", 0, 50)
    assert body["messages"] == [{"role": "user", "content": "Question 7"}]


def test_what_anthropic_is_asked_has_the_form_of_messages():
    settings = {**ASKED, "extra_body": {"thinking": {"type": "enabled", "budget_tokens": 1024}}}
    assert messages_params(chat_body("m", CONVERSATION, settings)) == {
        **{"model": "m", "max_tokens": 50, "temperature": 0.5, "top_p": 0.9},
        "thinking": {"type": "enabled", "budget_tokens": 1024},
        "system": "Be brief.",
        "messages": [
            {
                "role": "user",
                "content": [
                    {
                        "type": "image",
                        "source": {
                            "type": "base64",
                            "media_type": "image/png",
                            "data": base64.b64encode(PNG).decode(),
                        },
                    },
                    {"type": "text", "text": "What?"},
                ],
            },
            {"role": "assistant", "content": "A line."},
            {"role": "user", "content": "Sure?"},
        ],
    }


@pytest.mark.parametrize(
    ("extra", "thinking"),
    [
        ({}, {}),
        ({"reasoning_effort": "low"}, {"thinkingConfig": {"thinkingLevel": "low"}}),
        ({"reasoning_effort": "none"}, {"thinkingConfig": {"thinkingBudget": 0}}),
        (
            {"extra_body": {"google": {"thinking_config": {"thinking_budget": 99}}}},
            {"thinkingConfig": {"thinking_budget": 99}},
        ),
    ],
)
def test_what_gemini_is_asked_has_the_form_of_its_own(extra, thinking):
    settings = {**ASKED, "extra_body": extra}
    data = {"mimeType": "image/png", "data": base64.b64encode(PNG).decode()}
    assert generation_of(chat_body("m", CONVERSATION, settings, repeat=1)) == {
        "systemInstruction": {"parts": [{"text": "Be brief."}]},
        "contents": [
            {"role": "user", "parts": [{"inlineData": data}, {"text": "What?"}]},
            {"role": "model", "parts": [{"text": "A line."}]},
            {"role": "user", "parts": [{"text": "Sure?"}]},
        ],
        "generationConfig": {
            **{"temperature": 0.5, "topP": 0.9, "seed": 4, "maxOutputTokens": 50},
            **thinking,
        },
    }


# ---- how answers are read ----


def test_refused_empty_and_truncated_answers_of_openai_are_answers(tmp_path):
    said = [
        completion(None, refusal="I cannot.", name="1"),
        completion("", name="2"),
        completion("The left", "length", name="3"),
        completion(None, "content_filter", name="4"),
    ]
    replies = replied(FileDesk(), tmp_path, *(json.loads(one.body) for one in said))
    assert [(reply.text, reply.finish_reason) for reply in replies] == [
        ("I cannot.", "refusal"),
        ("", "stop"),
        ("The left", "length"),
        ("", "content_filter"),
    ]


def test_thoughts_endings_and_the_cache_are_read_as_anthropic_says_them(tmp_path):
    desk = MessageDesk()
    usage = {
        **{"input_tokens": 10, "cache_read_input_tokens": 300, "cache_creation_input_tokens": 90},
        "output_tokens": 7,
    }
    thought = {"type": "thinking", "thinking": "Lines.", "signature": "s"}
    texts = [{"type": "text", "text": text} for text in ("The ", "left")]
    first, second = replied(
        desk,
        tmp_path,
        {**desk.saying("x", "max_tokens", usage), "content": [thought, *texts]},
        {**desk.saying("y", "refusal"), "content": []},
    )
    assert (first.text, first.finish_reason) == ("The left", "max_tokens")
    assert first.reasoning == "Lines."
    # With what the cache had of the prompt.
    assert (first.prompt_tokens, first.completion_tokens) == (400, 7)
    assert (first.cached_tokens, first.cache_written_tokens) == (300, 90)
    assert (second.text, second.finish_reason) == ("", "refusal")


def test_thoughts_endings_and_filters_are_read_as_gemini_says_them(tmp_path):
    desk = GeminiDesk()
    usage = {"promptTokenCount": 400, "candidatesTokenCount": 5, "thoughtsTokenCount": 60}
    usage["cachedContentTokenCount"] = 256
    thinking = desk.saying("x", "MAX_TOKENS", usage)
    parts = thinking["candidates"][0]["content"]["parts"]
    parts[:] = [{"text": "Lines.", "thought": True}, {"text": "The left"}]
    blocked = {
        "promptFeedback": {"blockReason": "SAFETY"},
        "usageMetadata": {"promptTokenCount": 9},
    }
    withheld = {"candidates": [{"finishReason": "RECITATION"}], "usageMetadata": {}}
    first, *others = replied(desk, tmp_path, thinking, blocked, withheld)
    assert (first.text, first.finish_reason) == ("The left", "MAX_TOKENS")
    assert first.reasoning == "Lines."
    assert (first.completion_tokens, first.reasoning_tokens) == (65, 60)
    assert (first.prompt_tokens, first.cached_tokens) == (400, 256)
    assert [(other.text, other.finish_reason) for other in others] == [
        ("", "SAFETY"),
        ("", "RECITATION"),
    ]
