"""How fast the backend `transformers` answers, against plain loops around `model.generate` over the same items.

    python benchmarks/inference_transformers.py [--images 48] [--batch-sizes 1 8] [--new-tokens 16] [--threads 1]
    python benchmarks/inference_transformers.py --gpu [--model qwen2_vl_7b] [--images 96]

Items are stimuli of `illusion_vqa` with two questions each, in the workflow's order. In the same run, alternately:

  generate    `model.generate` over batches of tensors that were all prepared beforehand: nothing but the model
  plain loop  decode, preprocess, generate, one batch after the other, as one would write it
  backend     requests with PNG bytes in, replies out

Ratios above 1 mean that the backend is faster; times are the fastest of the repeats, by the wall clock. What the
backend gains comes from preprocessing in the background and from preprocessing and encoding each image once.

Without --gpu: tiny models with random weights on the CPU (tests/tiny_checkpoints.py). With --gpu: a model of the 7B
class with random weights in bfloat16, made from its configuration; then also images per second, how busy the GPU was
(nvidia-smi), and the share of the time in which no batch was on it. --layers N cuts the model down, so that this can
be tried on a CPU.
"""

import argparse
import dataclasses
import functools
import logging
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import torch
import transformers
from tabulate import tabulate

from afterimage.contract.model import ModelEntry
from afterimage.contract.parts import resolve
from afterimage.files.png import encode_png, pixels_sha256
from afterimage.models.interface import Failure, Image, Message, Request
from afterimage.models.transformers.answering import answering
from afterimage.models.transformers.checkpoint import (
    find_checkpoint,
    require_vision_language_model,
)
from afterimage.models.transformers.pictures import open_picture
from afterimage.models.transformers.processing import conversation, load_processor, prepare
from afterimage.models.transformers.weights import load_model
from afterimage.planning.configuration import completed, read_schema
from afterimage.suites.illusion_vqa.images import DESIGN
from afterimage.suites.illusions.names import FIGURES, ILLUSIONS

ROOT = Path(__file__).resolve().parents[1]
SCHEMA = ROOT / "workflow/schemas/backends/transformers.schema.yaml"
QUESTIONS = (
    "Question: Which of the two is larger?\nOptions:\nThe left one\nThe right one\nBoth are of the same size",
    "Question: Which of the two looks larger at first sight, whatever they are?\nOptions:\nLeft\nRight\nNeither",
)
TINY = ("tiny_llava", "tiny_llava_next", "tiny_qwen2_vl")
LARGE = ("qwen2_vl_7b", "llava_next_7b")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--gpu", action="store_true", help="measure models of the 7B class")
    options.add_argument("--model", choices=[*TINY, *LARGE], action="append")
    options.add_argument("--images", type=int, default=48)
    options.add_argument("--batch-sizes", type=int, nargs="+", default=[1, 8])
    options.add_argument("--new-tokens", type=int, default=16)
    options.add_argument("--repeats", type=int, default=3)
    options.add_argument("--threads", type=int, help="of torch; all cores by default")
    options.add_argument("--layers", type=int, help="cut a large model down to so many layers")
    chosen = options.parse_args()
    if chosen.gpu and not torch.cuda.is_available() and not chosen.layers:
        options.error("--gpu needs a GPU, or --layers 1 to try it on the CPU")
    if chosen.threads:
        torch.set_num_threads(chosen.threads)
    transformers.utils.logging.disable_progress_bar()
    transformers.utils.logging.set_verbosity_error()
    logging.getLogger("afterimage").setLevel(logging.ERROR)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name in chosen.model or ([LARGE[0]] if chosen.gpu else TINY):
            subject = made(name, Path(folder), chosen.layers)
            for batch_size in chosen.batch_sizes:
                rows.append((name, *measured(subject, batch_size, chosen)))
    headers = (
        "model",
        "batch",
        "generate s",
        "plain loop s",
        "backend s",
        "generate / backend",
        "plain loop / backend",
        "CPU s, in this order",
        "images/s",
        "same answers",
        "outside the device",
        "GPU busy",
    )
    where = torch.cuda.get_device_name() if torch.cuda.is_available() else "CPU"
    print(f"{where}, {torch.get_num_threads()} threads, torch {torch.__version__}")
    print(f"{chosen.images} images, {len(QUESTIONS)} questions each, {chosen.new_tokens} tokens\n")
    print(tabulate(rows, headers=headers, tablefmt="github", disable_numparse=True))


@dataclasses.dataclass
class Subject:
    """A model on its device, and a function that makes a fresh processor for it."""

    model: object
    new_processor: Callable[[], object]


def made(name: str, folder: Path, layers: int | None) -> Subject:
    if name in LARGE:
        return large(name, folder, layers)
    return tiny(name.removeprefix("tiny_"), folder)


def written(architecture: str, folder: Path) -> Path:
    """Write a tiny checkpoint with the tests' own function."""
    sys.path.insert(0, str(ROOT / "tests"))
    import tiny_checkpoints

    write = getattr(tiny_checkpoints, f"write_tiny_{architecture}")
    return write(folder / architecture)


def tiny(architecture: str, folder: Path) -> Subject:
    """A tiny model with random weights, as the tests use it."""
    entry = entry_of(written(architecture, folder))
    checkpoint = find_checkpoint(entry)
    config = require_vision_language_model(checkpoint)
    model = load_model(checkpoint, config, entry.settings)
    return Subject(model, lambda: load_processor(checkpoint, config, entry.settings))


def large(name: str, folder: Path, layers: int | None) -> Subject:
    """A model of the 7B class, random weights in bfloat16; processor and images as in the published one."""
    small = name.removesuffix("_7b")
    entry = entry_of(written(small, folder))
    checkpoint = find_checkpoint(entry)
    tiny_config = require_vision_language_model(checkpoint)

    def new_processor() -> object:
        processor = load_processor(checkpoint, tiny_config, entry.settings)
        # The tokenizer of bytes stays; its images would be tiny.
        processor.image_processor = type(processor.image_processor)(
            **({} if small == "qwen2_vl" else TILES)
        )
        if small == "llava_next":
            processor.patch_size = 14
        return processor

    config = LARGE_CONFIGS[name](tiny_config, layers)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    with torch.device(device):
        torch.manual_seed(20250101)
        model = transformers.AutoModelForImageTextToText.from_config(config, dtype=torch.bfloat16)
    print(f"{name}: {model.num_parameters() / 1e9:.2f} billion parameters on {device}")
    return Subject(model.eval(), new_processor)


GRIDS = [[336, 672], [672, 336], [672, 672], [1008, 336], [336, 1008]]
TILES = {
    "image_grid_pinpoints": GRIDS,
    "size": {"shortest_edge": 336},
    "crop_size": {"height": 336, "width": 336},
}


def qwen2_vl_7b(tiny_config, layers: int | None):
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


def llava_next_7b(tiny_config, layers: int | None):
    """The shape of LLaVA-NeXT with Mistral 7B and the CLIP tower of 336 px."""
    vision = transformers.CLIPVisionConfig(
        hidden_size=1024,
        intermediate_size=4096,
        projection_dim=768,
        num_hidden_layers=layers + 1 if layers else 24,
        num_attention_heads=16,
        image_size=336,
        patch_size=14,
    )
    text = transformers.MistralConfig(
        vocab_size=32064,
        num_hidden_layers=layers or 32,
        sliding_window=None,
        **token_ids(tiny_config),
    )
    return transformers.LlavaNextConfig(
        vision_config=vision,
        text_config=text,
        image_token_index=tiny_config.image_token_id,
        image_grid_pinpoints=GRIDS,
    )


LARGE_CONFIGS = {"qwen2_vl_7b": qwen2_vl_7b, "llava_next_7b": llava_next_7b}


def token_ids(tiny_config) -> dict:
    text = tiny_config.get_text_config()
    return {name: getattr(text, name) for name in ("bos_token_id", "eos_token_id", "pad_token_id")}


def entry_of(folder: Path, **settings) -> ModelEntry:
    complete = completed(settings, read_schema(SCHEMA), "settings")
    return ModelEntry("m", "transformers", str(folder), settings=complete)


def measured(subject: Subject, batch_size: int, options: argparse.Namespace) -> tuple:
    requests = made_requests(options.images)
    settings = entry_of(Path(), batch_size=batch_size, max_new_tokens=options.new_tokens).settings
    groups = [requests[start : start + batch_size] for start in range(0, len(requests), batch_size)]
    processor = subject.new_processor()
    beforehand = [prepared(processor, group) for group in groups]
    # One warm-up of each, outside of the measurement.
    ways = {
        "generate": lambda: [generate(subject.model, inputs, options) for inputs in beforehand],
        "plain loop": lambda: plain_loop(subject.model, processor, groups, options),
        "backend": lambda: through_backend(subject, settings, requests),
    }
    times = {way: [] for way in ways}
    cpu_times = {way: [] for way in ways}
    answers, watched = {}, Watched(subject.model)
    for repeat in range(options.repeats + 1):
        for way, run in ways.items():
            watching = watched if way == "backend" else Watched(None)
            with watching.measuring():
                started, cpu_started = time.perf_counter(), time.process_time()
                answers[way] = run()
                seconds = time.perf_counter() - started
                cpu_seconds = time.process_time() - cpu_started
            if repeat:
                times[way].append(seconds)
                cpu_times[way].append(cpu_seconds)
                watching.note(seconds)
    best = {way: min(found) for way, found in times.items()}
    same = sum(
        one == other for one, other in zip(answers["plain loop"], answers["backend"], strict=True)
    )
    return (
        batch_size,
        *(f"{best[way]:.3f}" for way in ways),
        f"{best['generate'] / best['backend']:.2f}",
        f"{best['plain loop'] / best['backend']:.2f}",
        ", ".join(f"{min(found):.2f}" for found in cpu_times.values()),
        f"{options.images / best['backend']:.1f}",
        f"{same}/{len(requests)}",
        f"{watched.outside:.0%}",
        watched.busy,
    )


def made_requests(count: int) -> list[Request]:
    """Stimuli of the suite, each asked about twice, one after the other."""
    images = []
    for figure in ILLUSIONS:
        draw = resolve(f"{FIGURES}.{figure}:draw")
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
    asked = [(image, question) for image in images for question in QUESTIONS]
    return [Request(number, (Message("user", parts),)) for number, parts in enumerate(asked)]


def prepared(processor: object, group: list[Request]) -> dict:
    turns = [
        conversation(request.messages, map(open_picture, request.messages[0].images), None)
        for request in group
    ]
    return prepare(processor, turns, {})


def plain_loop(model, processor, groups, options) -> list[str]:
    texts = []
    for group in groups:
        tokens = generate(model, prepared(processor, group), options)
        texts += processor.tokenizer.batch_decode(tokens, skip_special_tokens=True)
    return texts


@torch.inference_mode()
def generate(model: object, inputs: dict, options: argparse.Namespace) -> torch.Tensor:
    on_device = {
        name: value.to(model.device, model.dtype if value.is_floating_point() else None)
        for name, value in inputs.items()
    }
    tokens = model.generate(**on_device, max_new_tokens=options.new_tokens, do_sample=False)
    return tokens[:, inputs["input_ids"].shape[1] :].cpu()


def through_backend(subject: Subject, settings: dict, requests: list[Request]) -> list[str]:
    # Nothing is remembered from an earlier repeat.
    answer = answering(subject.model, subject.new_processor(), settings, "none")
    outcomes = sorted(answer(iter(requests)), key=lambda outcome: outcome.number)
    for outcome in outcomes:
        if isinstance(outcome, Failure):
            sys.exit(outcome.reason)
    return [outcome.text for outcome in outcomes]


class Watched:
    """How much of the time a model was at work, and how busy the GPU was."""

    def __init__(self, model: object | None) -> None:
        self._model = model
        self._inside = 0.0
        self._inside_all = 0.0
        self._seconds = 0.0
        self._samples: list[float] = []

    @contextmanager
    def measuring(self) -> Iterator[None]:
        self._inside = 0.0
        if self._model is None:
            yield
            return
        base = self._model.base_model
        self._model.generate = self._timed(type(self._model).generate.__get__(self._model))
        base.get_image_features = self._timed(type(base).get_image_features.__get__(base))
        over = threading.Event()
        sampler = threading.Thread(target=self._sample, args=(over,))
        if torch.cuda.is_available():
            sampler.start()
        try:
            yield
        finally:
            del self._model.generate, base.get_image_features
            over.set()
            if sampler.is_alive():
                sampler.join()

    def note(self, seconds: float) -> None:
        self._inside_all += self._inside
        self._seconds += seconds

    @property
    def outside(self) -> float:
        return 1 - self._inside_all / self._seconds

    @property
    def busy(self) -> str:
        return f"{statistics.mean(self._samples):.0f} %" if self._samples else "no GPU"

    def _timed(self, function: Callable) -> Callable:
        # Whose signature is looked at.
        @functools.wraps(function)
        def call(*arguments: object, **options: object) -> object:
            started = time.perf_counter()
            try:
                return function(*arguments, **options)
            finally:
                if torch.cuda.is_available():
                    torch.cuda.synchronize()
                self._inside += time.perf_counter() - started

        return call

    def _sample(self, over: threading.Event) -> None:
        query = ["nvidia-smi", "--query-gpu=utilization.gpu", "--format=csv,noheader,nounits"]
        while not over.wait(0.2):
            found = subprocess.run(query, capture_output=True, text=True, check=False).stdout
            if found.strip():
                self._samples.append(float(found.split()[0]))


if __name__ == "__main__":
    main()
