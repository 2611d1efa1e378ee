"""How fast one checkpoint answers through a server of the backend `served`, beside the backend `transformers`.

    python benchmarks/served_transformers.py [--model tiny_llava | FOLDER] [--images 24] [--questions 2]
    python benchmarks/served_transformers.py --gpu --model FOLDER -- --dtype bfloat16 --continuous-batching

The server is `transformers serve` (`pip install '.[transformers,serving]'`), asked by so many requests at once as the
backend has in a batch; what stands behind `--` goes to it. In the same run, alternately, after one warm-up of each:

  served   requests with PNG bytes in, replies out, over HTTP; the server runs already
  loaded   the same requests through the backend `transformers`; the model is in memory already

The ratio above 1 says how many times faster the loaded model is; times are the fastest of the repeats, by the wall
clock. Without --gpu both run on the CPU.
"""

import argparse
import shutil
import sys
import tempfile
import time
from pathlib import Path

import torch
import transformers
from local_models import ROOT, TINY, made_requests, written
from tabulate import tabulate

from afterimage.contract.model import ModelEntry
from afterimage.models import served
from afterimage.models import transformers as loaded
from afterimage.models.interface import Answer, Failure, Request
from afterimage.planning.schemas import completed, read_schema

CONCURRENCY = 8


def main() -> None:
    chosen = options()
    program = shutil.which("transformers", path=Path(sys.executable).parent)
    if program is None:
        sys.exit(
            "the program `transformers` is not beside this Python; expected `pip install '.[transformers,serving]'`."
        )
    if chosen.gpu and not torch.cuda.is_available():
        sys.exit("--gpu: there is no GPU here; without it both run on the CPU.")
    device = "cuda" if chosen.gpu else "cpu"
    with tempfile.TemporaryDirectory() as scratch:
        folder = (
            str(written(chosen.model.removeprefix("tiny_"), Path(scratch)))
            if chosen.model in TINY
            else chosen.model
        )
        command = [
            program,
            "serve",
            "{model}",
            "--host",
            "{host}",
            "--port",
            "{port}",
            "--device",
            device,
        ]
        ways = {
            "served": served.load(
                entry(
                    "served",
                    folder,
                    {"max_tokens": chosen.new_tokens, "command": command + chosen.server},
                )
            ),
            "loaded": loaded.load(
                entry(
                    "transformers",
                    folder,
                    {
                        "max_new_tokens": chosen.new_tokens,
                        "batch_size": CONCURRENCY,
                        "device_map": device,
                    },
                )
            ),
        }
        requests = made_requests(chosen.images, chosen.questions)
        answers, times = {}, {way: [] for way in ways}
        for repeat in range(chosen.repeats + 1):
            for way, answer in ways.items():
                seconds, answers[way] = asked(answer, requests)
                if repeat:
                    times[way].append(seconds)
    best = {way: min(found) for way, found in times.items()}
    same = sum(map(str.__eq__, answers["served"], answers["loaded"]))
    print(
        f"{device}, torch {torch.__version__}, transformers {transformers.__version__}, {CONCURRENCY} at once"
    )
    print(
        f"{chosen.images} images, {chosen.questions} questions each, {chosen.new_tokens} tokens\n"
    )
    row = (
        Path(folder).name,
        *(f"{best[way]:.3f}" for way in ways),
        *(f"{len(requests) / best[way]:.1f}" for way in ways),
        f"{best['served'] / best['loaded']:.2f}",
        f"{same}/{len(requests)}",
    )
    headers = (
        "model",
        "served s",
        "loaded s",
        "served answers/s",
        "loaded answers/s",
        "served / loaded",
        "same answers",
    )
    print(tabulate([row], headers=headers, tablefmt="github", disable_numparse=True))


def options() -> argparse.Namespace:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--gpu", action="store_true", help="run both on the GPU")
    options.add_argument(
        "--model",
        default=TINY[0],
        help=f"a folder with a checkpoint, or one of {', '.join(TINY[:2])}",
    )
    options.add_argument("--images", type=int, default=24)
    options.add_argument("--questions", type=int, default=2)
    options.add_argument("--new-tokens", type=int, default=16)
    options.add_argument("--repeats", type=int, default=3)
    options.add_argument("server", nargs="*", help="further options of the server, behind --")
    return options.parse_args()


def entry(backend: str, folder: str, settings: dict) -> ModelEntry:
    """A complete entry of the registry for a checkpoint in a folder."""
    schema = read_schema(ROOT / f"workflow/schemas/backends/{backend}.schema.yaml")
    about = {}
    if backend == "served":
        about = {
            "client": {"concurrency": CONCURRENCY},
            "serve": {"health": "/health", "start_timeout": 1800, "log": tempfile.gettempdir()},
        }
    return ModelEntry(
        backend, backend, folder, settings=completed(settings, schema, "settings"), **about
    )


def asked(answer: Answer, requests: list[Request]) -> tuple[float, list[str]]:
    """Return how long all answers took, in seconds, and their texts in the order of the requests."""
    started = time.perf_counter()
    outcomes = sorted(answer(iter(requests)), key=lambda outcome: outcome.number)
    seconds = time.perf_counter() - started
    for outcome in outcomes:
        if isinstance(outcome, Failure):
            sys.exit(outcome.reason)
    return seconds, [outcome.text for outcome in outcomes]


if __name__ == "__main__":
    main()
