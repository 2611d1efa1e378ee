"""How fast the backend `transformers` answers, against plain loops around `model.generate` over the same items.

    python benchmarks/inference_transformers.py [--images 48] [--questions 2] [--batch-sizes 1 8] [--threads 1]
    python benchmarks/inference_transformers.py --questions 6 --model qwen2_vl_narrow --model llava_next_narrow
    python benchmarks/inference_transformers.py --gpu [--model qwen2_vl_7b] [--images 96] [--questions 6]
    python benchmarks/inference_transformers.py --model FOLDER      (any checkpoint, such as that of sprout)

Items are stimuli of `illusion_vqa` with up to six questions each, one after the other. In the same run, alternately:

  generate    `model.generate` over batches of tensors that were all prepared beforehand: nothing but the model
  plain loop  decode, preprocess, generate, one batch after the other, as one would write it
  each anew   the backend, with vision tower and whole prompt gone through for each question; pixels prepared once
  backend     requests with PNG bytes in, replies out; image and what stands before its end gone through once

Ratios above 1 mean that the backend is faster; times are the fastest of the repeats, by the wall clock. *First answer*
is the time from the start of the backend, its model loaded and nothing asked yet, to its first answer.

Models: tiny (tests/support/tiny_checkpoints.py; 16 to 64 tokens an image); narrow (as many tokens an image as the
published ones, few layers of little width); of the 7B class with random weights in bfloat16, made from their
configurations. With --gpu: those of the 7B class, and also how busy the GPU was (nvidia-smi) and the share of
the time in which no batch was on it. --layers N cuts these down. Nothing is fetched.
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
from unittest.mock import patch

import torch
import transformers
from local_models import LARGE, NARROW, QUESTIONS, TINY, Subject, entry_of, made, made_requests
from tabulate import tabulate

from afterimage.models.interface import Failure, Request
from afterimage.models.transformers import generation
from afterimage.models.transformers.images import open_picture
from afterimage.models.transformers.processing import conversation, prepare

HEADERS = (
    "model",
    "batch",
    "generate s",
    "plain loop s",
    "each anew s",
    "backend s",
    "generate / backend",
    "plain loop / backend",
    "each anew / backend",
    "CPU s, in this order",
    "images/s",
    "first answer s",
    "same answers as plain loop",
    "as each anew",
    "outside the device",
    "GPU busy",
)


def main() -> None:
    chosen = options()
    if chosen.gpu and not torch.cuda.is_available() and not chosen.layers:
        sys.exit(
            "--gpu: there is no GPU here; --model qwen2_vl_narrow goes the same way on the CPU."
        )
    if chosen.threads:
        torch.set_num_threads(chosen.threads)
    transformers.utils.logging.disable_progress_bar()
    transformers.utils.logging.set_verbosity_error()
    logging.getLogger("afterimage").setLevel(logging.ERROR)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name in chosen.model or (LARGE if chosen.gpu else TINY):
            subject = made(name, Path(folder), chosen.layers)
            for batch_size in chosen.batch_sizes:
                rows.append((Path(name).name, *measured(subject, batch_size, chosen)))
            # The next one needs the room.
            del subject
    where = torch.cuda.get_device_name() if torch.cuda.is_available() else "CPU"
    print(
        f"{where}, {torch.get_num_threads()} threads, torch {torch.__version__}, "
        f"transformers {transformers.__version__}"
    )
    print(
        f"{chosen.images} images, {chosen.questions} questions each, {chosen.new_tokens} tokens\n"
    )
    print(tabulate(rows, headers=HEADERS, tablefmt="github", disable_numparse=True))


def options() -> argparse.Namespace:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--gpu", action="store_true", help="measure models of the 7B class")
    options.add_argument(
        "--model",
        action="append",
        help=f"a folder with a checkpoint, or one of {', '.join([*TINY, *NARROW, *LARGE])}",
    )
    options.add_argument("--images", type=int, default=48)
    options.add_argument("--questions", type=int, default=2, choices=range(1, len(QUESTIONS) + 1))
    options.add_argument("--batch-sizes", type=int, nargs="+", default=[1, 8])
    options.add_argument("--new-tokens", type=int, default=16)
    options.add_argument("--repeats", type=int, default=3)
    options.add_argument("--threads", type=int, help="of torch; all cores by default")
    options.add_argument(
        "--layers", type=int, help="cut a model of the 7B class down to so many layers"
    )
    return options.parse_args()


def measured(subject: Subject, batch_size: int, options: argparse.Namespace) -> tuple:
    requests = made_requests(options.images, options.questions)
    settings = entry_of(Path(), batch_size=batch_size, max_new_tokens=options.new_tokens).settings
    groups = [requests[start : start + batch_size] for start in range(0, len(requests), batch_size)]
    processor = subject.new_processor()
    beforehand = [prepared(processor, group) for group in groups]
    first = First()
    # One warm-up of each, outside of the measurement.
    ways = {
        "generate": lambda: [generate(subject.model, inputs, options) for inputs in beforehand],
        "plain loop": lambda: plain_loop(subject.model, processor, groups, options),
        "each anew": lambda: each_anew(subject, settings, requests),
        "backend": lambda: through_backend(subject, settings, requests, first),
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
    same = {
        way: sum(map(str.__eq__, answers[way], answers["backend"]))
        for way in ("plain loop", "each anew")
    }
    return (
        batch_size,
        *(f"{best[way]:.3f}" for way in ways),
        *(f"{best[way] / best['backend']:.2f}" for way in list(ways)[:-1]),
        ", ".join(f"{min(found):.2f}" for found in cpu_times.values()),
        f"{options.images / best['backend']:.1f}",
        f"{min(first.seconds):.3f}",
        *(f"{number}/{len(requests)}" for number in same.values()),
        f"{watched.outside:.0%}",
        watched.busy,
    )


@dataclasses.dataclass
class First:
    """How long each run of the backend took to its first answer, in seconds."""

    seconds: list[float] = dataclasses.field(default_factory=list)


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


def each_anew(subject: Subject, settings: dict, requests: list[Request]) -> list[str]:
    """The backend without what it keeps of an image for later questions about it."""
    with patch.object(generation, "shared_features", lambda *_, **__: None):
        return through_backend(subject, settings, requests, First())


def through_backend(
    subject: Subject, settings: dict, requests: list[Request], first: First
) -> list[str]:
    # Nothing is remembered from an earlier repeat.
    processor = subject.new_processor()
    started = time.perf_counter()
    answer = generation.answering(subject.model, processor, settings, "none")
    outcomes = []
    for outcome in answer(iter(requests)):
        if not outcomes:
            first.seconds.append(time.perf_counter() - started)
        outcomes.append(outcome)
    for outcome in outcomes:
        if isinstance(outcome, Failure):
            sys.exit(outcome.reason)
    return [outcome.text for outcome in sorted(outcomes, key=lambda each: each.number)]


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
