"""One checkpoint, two ways: loaded by the job, and served by `transformers serve`; greedy answers are the same."""

import io
import shutil
import sys
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest
from PIL import Image as Pillow
from PIL import ImageDraw

from afterimage.contract.model import ModelEntry
from afterimage.models.interface import Image, Message, Reply, Request
from afterimage.models.served.command import checked_command
from afterimage.planning.schemas import completed, read_schema

pytestmark = pytest.mark.torch

QUESTIONS = ("Which circle is larger?\nOptions:\nleft\nright\nsame", "Is there a red square?")
TOKENS = 24


@pytest.fixture
def program():
    """The command-line program of transformers, with what serving takes."""
    for package in ("fastapi", "uvicorn"):
        pytest.importorskip(package, reason="transformers[serving] is not installed")
    found = shutil.which("transformers", path=Path(sys.executable).parent)
    if found is None:
        pytest.skip("the program transformers is not installed")
    return found


def png(number, side):
    picture = Pillow.new("RGB", (side, side), "white")
    draw = ImageDraw.Draw(picture)
    draw.ellipse((8, 8, 8 + 12 * (number + 1), 8 + 12 * (number + 1)), fill="black")
    draw.rectangle((side // 2, 20 + 9 * number, side - 12, side - 12), fill=(200, 30 * number, 40))
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    return buffer.getvalue()


def requests(side):
    images = [Image(png(number, side), f"{number:064x}") for number in range(3)]
    asked = [(image, text) for image in images for text in QUESTIONS]
    # Words alone, and a second turn about the same image.
    turns = [(Message("user", parts),) for parts in asked]
    turns.append((Message("user", ("How many sides has a square?",)),))
    turns.append(
        (
            Message("user", (images[0], QUESTIONS[0])),
            Message("assistant", ("left",)),
            Message("user", ("Are you sure?",)),
        )
    )
    return [Request(number, messages) for number, messages in enumerate(turns)]


def answers(root, entry, asked):
    schema = read_schema(root / "workflow/schemas/backends" / f"{entry.backend}.schema.yaml")
    entry = replace(entry, settings=completed(entry.settings, schema, "settings"))
    answer = import_module(f"afterimage.models.{entry.backend}").load(entry)
    outcomes = sorted(answer(asked), key=lambda outcome: outcome.number)
    assert all(isinstance(outcome, Reply) for outcome in outcomes), outcomes
    return outcomes


# Qwen2-VL is not among them: what serves it wants torchvision, of which the index has no build for the CPU.
@pytest.mark.parametrize(("checkpoint", "side"), [("tiny_llava", 112), ("tiny_llava_next", 140)])
def test_a_served_checkpoint_answers_as_the_loaded_one(
    checkpoint, side, root, tmp_path, program, request, monkeypatch
):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    folder = str(request.getfixturevalue(checkpoint))
    settings = {"max_new_tokens": TOKENS, "batch_size": 1}
    loaded = ModelEntry("loaded", "transformers", folder, settings=settings)
    command = [program, "serve", "{model}", "--host", "{host}", "--port", "{port}"]
    command += ["--device", "cpu", "--dtype", "float32"]
    served = ModelEntry(
        "served",
        "served",
        folder,
        settings={"max_tokens": TOKENS, "command": checked_command(command, "command")},
        client={"concurrency": 1},
        serve={"health": "/health", "start_timeout": 600, "log": str(tmp_path)},
    )
    of_loaded = answers(root, loaded, requests(side))
    of_served = answers(root, served, requests(side))
    assert [reply.text for reply in of_served] == [reply.text for reply in of_loaded]
    assert len({reply.text for reply in of_loaded}) >= len(QUESTIONS)
    assert [reply.completion_tokens for reply in of_served] == [
        reply.completion_tokens for reply in of_loaded
    ]
    assert [reply.prompt_tokens for reply in of_served] == [
        reply.prompt_tokens for reply in of_loaded
    ]
