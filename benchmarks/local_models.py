"""Models and requests for the benchmarks of local models: random weights, and stimuli with questions."""

import dataclasses
import sys
from collections.abc import Callable
from pathlib import Path

import torch
import transformers

from afterimage.contract.model import ModelEntry
from afterimage.contract.parts import resolve
from afterimage.files.png import encode_png, pixels_sha256
from afterimage.models.interface import Image, Message, Request
from afterimage.models.transformers.checkpoint import (
    find_checkpoint,
    require_vision_language_model,
)
from afterimage.models.transformers.processing import load_processor
from afterimage.models.transformers.weights import load_model
from afterimage.planning.schemas import completed, read_schema
from afterimage.suites.illusion_vqa.images import DESIGN
from afterimage.suites.illusions.names import ILLUSIONS, drawn_by

ROOT = Path(__file__).resolve().parents[1]
SCHEMA = ROOT / "workflow/schemas/backends/transformers.schema.yaml"
#: As many as POPE asks about an image.
QUESTIONS = (
    "Question: Which of the two is larger?\nOptions:\nThe left one\nThe right one\nBoth are of the same size",
    "Question: Which of the two looks larger at first sight, whatever they are?\nOptions:\nLeft\nRight\nNeither",
    "Question: Is there a circle in the image?\nOptions:\nYes\nNo",
    "Question: How many lines are there in the image? Answer with a number.",
    "Question: Are the two lines parallel?\nOptions:\nYes\nNo, they come closer on the left\nNo, on the right",
    "Question: Is there a red square in the image?\nOptions:\nYes\nNo",
)
TINY = ("tiny_llava", "tiny_llava_next", "tiny_qwen2_vl")
NARROW = ("qwen2_vl_narrow", "llava_next_narrow")
LARGE = ("qwen2_vl_7b", "llava_next_7b")


@dataclasses.dataclass
class Subject:
    """A model on its device, and a function that makes a fresh processor for it."""

    model: object
    new_processor: Callable[[], object]


def made(name: str, folder: Path, layers: int | None) -> Subject:
    """Return one of the named models, written to or made beside ``folder``, or that of a folder with a checkpoint."""
    if name in (*NARROW, *LARGE):
        return from_configuration(name, folder, layers)
    if name in TINY:
        return loaded(written(name.removeprefix("tiny_"), folder))
    return loaded(Path(name))


def written(architecture: str, folder: Path) -> Path:
    """Write a tiny checkpoint with the tests' own function."""
    sys.path.insert(0, str(ROOT / "tests" / "support"))
    import tiny_checkpoints

    write = getattr(tiny_checkpoints, f"write_tiny_{architecture}")
    return write(folder / architecture)


def loaded(folder: Path) -> Subject:
    """The model of a checkpoint, such as a tiny one with random weights, as the tests use it."""
    entry = entry_of(folder)
    checkpoint = find_checkpoint(entry)
    config = require_vision_language_model(checkpoint)
    model = load_model(checkpoint, config, entry.settings)
    return Subject(model, lambda: load_processor(checkpoint, config, entry.settings))


def from_configuration(name: str, folder: Path, layers: int | None) -> Subject:
    """A model with random weights made from its configuration; processor and images as in the published one.

    Of the 7B class in bfloat16; or, narrow, with the same tokens for an image and few layers of little width.
    """
    architecture, _, size = name.rpartition("_")
    entry = entry_of(written(architecture, folder))
    checkpoint = find_checkpoint(entry)
    tiny_config = require_vision_language_model(checkpoint)

    def new_processor() -> object:
        processor = load_processor(checkpoint, tiny_config, entry.settings)
        # The tokenizer of bytes stays; its images would be tiny.
        processor.image_processor = type(processor.image_processor)(
            **({} if architecture == "qwen2_vl" else TILES)
        )
        if architecture == "llava_next":
            processor.patch_size = 14
        return processor

    is_narrow = size == "narrow"
    config = CONFIGURATIONS[architecture](tiny_config, layers, is_narrow)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    dtype = torch.float32 if is_narrow else torch.bfloat16
    with torch.device(device):
        torch.manual_seed(20250101)
        model = transformers.AutoModelForImageTextToText.from_config(config, dtype=dtype)
    print(f"{name}: {model.num_parameters() / 1e6:,.0f} million parameters in {dtype} on {device}")
    return Subject(model.eval(), new_processor)


NARROW_TEXT = {
    "vocab_size": 512,
    "hidden_size": 256,
    "intermediate_size": 768,
    "num_hidden_layers": 4,
}
GRIDS = [[336, 672], [672, 336], [672, 672], [1008, 336], [336, 1008]]
TILES = {
    "image_grid_pinpoints": GRIDS,
    "size": {"shortest_edge": 336},
    "crop_size": {"height": 336, "width": 336},
}


def qwen2_vl(tiny_config, layers: int | None, is_narrow: bool):
    """The shape of Qwen2-VL 7B; ids of tokens are those of the tokenizer of bytes."""
    text = {
        "vocab_size": 152064,
        "hidden_size": 3584,
        "intermediate_size": 18944,
        "num_hidden_layers": layers or 28,
        "num_attention_heads": 28,
        "num_key_value_heads": 4,
        "rope_parameters": {
            "rope_type": "default",
            "rope_theta": 1e6,
            "mrope_section": [16, 24, 24],
        },
    }
    vision = {"depth": layers or 32}
    if is_narrow:
        text |= {**NARROW_TEXT, "num_attention_heads": 2, "num_key_value_heads": 2}
        vision |= {"depth": 4, "embed_dim": 128, "num_heads": 2, "hidden_size": 256}
    return transformers.Qwen2VLConfig(
        text_config={**text, **token_ids(tiny_config)},
        vision_config=vision,
        **{
            name: getattr(tiny_config, name)
            for name in (
                "image_token_id",
                "video_token_id",
                "vision_start_token_id",
                "vision_end_token_id",
            )
        },
    )


def llava_next(tiny_config, layers: int | None, is_narrow: bool):
    """The shape of LLaVA-NeXT with Mistral 7B and the CLIP tower of 336 px."""
    vision = {
        "hidden_size": 1024,
        "intermediate_size": 4096,
        "projection_dim": 768,
        "num_hidden_layers": layers + 1 if layers else 24,
        "num_attention_heads": 16,
    }
    text = {"vocab_size": 32064, "num_hidden_layers": layers or 32, "sliding_window": None}
    if is_narrow:
        text |= {**NARROW_TEXT, "num_attention_heads": 4, "num_key_value_heads": 4}
        vision |= {
            "hidden_size": 128,
            "intermediate_size": 512,
            "num_hidden_layers": 4,
            "num_attention_heads": 2,
        }
    return transformers.LlavaNextConfig(
        vision_config=transformers.CLIPVisionConfig(**vision, image_size=336, patch_size=14),
        text_config=transformers.MistralConfig(**text, **token_ids(tiny_config)),
        image_token_index=tiny_config.image_token_id,
        image_grid_pinpoints=GRIDS,
    )


CONFIGURATIONS = {"qwen2_vl": qwen2_vl, "llava_next": llava_next}


def token_ids(tiny_config) -> dict:
    text = tiny_config.get_text_config()
    return {name: getattr(text, name) for name in ("bos_token_id", "eos_token_id", "pad_token_id")}


def entry_of(folder: Path, **settings) -> ModelEntry:
    complete = completed(settings, read_schema(SCHEMA), "settings")
    return ModelEntry("m", "transformers", str(folder), settings=complete)


def made_requests(count: int, questions: int) -> list[Request]:
    """Stimuli of illusion_vqa, each asked about so many times, one question after the other."""
    images = []
    for figure in ILLUSIONS:
        draw = resolve(drawn_by(figure))
        for spec in DESIGN.specs(figure, {}):
            if len(images) == count:
                break
            pixels = draw(**spec.parameters).pixels
            images.append(Image(encode_png(pixels), pixels_sha256(pixels)))
    while len(images) < count:
        # Further ones differ in one corner, so that none is known already.
        pixels = draw(**spec.parameters).pixels.copy()
        pixels[0, 0] = (len(images) % 256, len(images) // 256, 0)
        images.append(Image(encode_png(pixels), pixels_sha256(pixels)))
    parts_of = [(image, question) for image in images for question in QUESTIONS[:questions]]
    return [Request(number, (Message("user", parts),)) for number, parts in enumerate(parts_of)]
