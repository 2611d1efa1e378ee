"""Requests to tiny vision-language models, and entries that name them."""

import hashlib
from pathlib import Path

import numpy as np

from afterimage.contract.model import ModelEntry
from afterimage.files.png import encode_png
from afterimage.models.interface import Image, Message, Request
from afterimage.planning.schemas import completed, read_schema

SCHEMA = Path(__file__).resolve().parents[2] / "workflow/schemas/backends/transformers.schema.yaml"
QUESTIONS = ("Which line is longer?", "Are both circles of the same size? Answer yes or no.")


def entry_for(folder, **settings):
    """A complete entry for a checkpoint; answers of 8 tokens unless it says otherwise."""
    complete = completed({"max_new_tokens": 8, **settings}, read_schema(SCHEMA), "settings")
    return ModelEntry("local", "transformers", str(folder), settings=complete)


def noise(seed, width=120, height=90):
    """An image like no other, as a request carries it."""
    pixels = np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)
    return image_of(pixels)


def image_of(pixels):
    """An array as a request carries it."""
    return Image(encode_png(pixels), hashlib.sha256(pixels.tobytes()).hexdigest())


def asking(number, *parts, repeats=(0,)):
    """A request of one turn."""
    return Request(number, (Message("user", parts),), repeats=repeats)


def mixed_requests():
    """Images of three sizes, each asked about twice; one request without an image and one with two."""
    images = [noise(0), noise(1), noise(2, 200, 60), noise(3, 60, 200), noise(4, 200, 60)]
    asked = [(image, question) for image in images for question in QUESTIONS]
    asked += [("What is the capital of France?",), (images[0], "and", images[2], "differ how?")]
    return [asking(number, *parts) for number, parts in enumerate(asked)]


def texts(replies):
    """Request and repeat to text."""
    return {(reply.number, reply.repeat): reply.text for reply in replies}
