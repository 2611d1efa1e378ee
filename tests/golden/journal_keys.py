"""Keys under which answers to fixed requests stand in the journal, for one entry of each journaled backend."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

from afterimage.contract.model import ModelEntry, load_backend
from afterimage.models.interface import Image, Message, Request
from afterimage.models.journaling.entries import answerer_of

# The one place of the golden tests that knows where the package keeps what.
from afterimage.planning.configuration import load_study

#: Entries out of config/models.yaml, and one of a user's own with more settings.
MODELS = ("gpt-4o-2024-11-20", "qwen2-vl-7b-instruct", "idefics2-8b-chatty", "qwen-vl-chat", "own")
OWN = {
    "backend": "openai_compatible",
    "model_id": "some-model",
    "revision": "2026-01-01",
    "settings": {
        "base_url": "http://127.0.0.1:48271/v1",
        "api_key_env": "SOME_KEY",
        "temperature": 0.7,
        "max_tokens": 64,
        "repeats": 3,
        "extra_body": {"top_k": 1.0},
    },
}


def _image(shade: int) -> Image:
    """Return an image whose pixels are two of one shade; its bytes do not count."""
    return Image(b"png", hashlib.sha256(bytes([shade] * 6)).hexdigest())


REQUESTS = {
    "text and image": (Message("user", (_image(7), "Which line is longer?")),),
    "conversation": (
        Message("system", ("Answer in 日本語.",)),
        Message("user", (_image(7), "First?", _image(9))),
        Message("assistant", ("Yes.",)),
        Message("user", ("And now?",)),
    ),
    "judge": (Message("user", ("The correct answer is A. The answer is B. 1 or 0?",)),),
}


def journal_keys(root: Path) -> list[str]:
    """Return a line for each model, request and repeat."""
    study = load_study(
        {"models": list(MODELS), "own_models": {"own": OWN}, "suites": {"pope": {}}},
        root / "workflow" / "schemas",
    )
    return sorted(
        f"{model}, {name}, repeat {repeat}: {key}"
        for model in MODELS
        for name, repeat, key in _keys(study.models[model])
    )


def _keys(entry: ModelEntry) -> Iterator[tuple[str, int, str]]:
    neutral = load_backend(entry.backend).neutral_settings
    keys = answerer_of(entry, (*neutral, "repeats")).keys()
    for name, messages in REQUESTS.items():
        for repeat in (0, 1):
            yield name, repeat, keys.key(Request(0, messages).sha256, repeat)
