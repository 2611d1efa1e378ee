"""What probabilities of options cost, and how many items a point of subjective equality takes with them.

    python benchmarks/graded.py speed [--model resources/models/sprout] [--model qwen2_vl_narrow] [--images 24]
    python benchmarks/graded.py pse --items FOLDER [--model resources/models/sprout] [--draws 64]

`speed`: the backend `transformers` answers the same requests one by one, alternately with one generated token, with
four options scored (`scores: options`), and with 16 tokens generated with and without `scores: first_token`; the
fastest of the repeats, by the clock.

`pse`: of the images of `illusion_strength` without an inducer (FOLDER is `results/<study>/items/illusion_strength`),
each item answered so many times at temperature 1, against probabilities of one answer each: of all items, and of one
eighth of them, every eighth by difference and replicate, eight times with another beginning.
"""

import argparse
import logging
import statistics
import tempfile
import time
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from local_models import entry_of, made, made_requests
from tabulate import tabulate

from afterimage.files.item import ITEM
from afterimage.files.parquet import read_records
from afterimage.grading.choice import parse
from afterimage.grading.probabilities import graded
from afterimage.models.interface import Image, Message, Request
from afterimage.models.transformers import answering, load
from afterimage.showing.weighted import by_probability
from afterimage.suites.illusion_strength.psychometrics import given_answers, strength_rows

OPTIONS = ("The left one.", "The right one.", "Both are the same.", "There is none.")
WAYS = {
    "one token": ({"max_new_tokens": 1}, ()),
    "options": ({"scores": "options"}, OPTIONS),
    "16 tokens": ({"max_new_tokens": 16}, ()),
    "first_token": ({"max_new_tokens": 16, "scores": "first_token"}, ()),
}
EIGHTH = 8
SETTINGS = {"confidence": 0.95, "resamples": 100, "seed": 1}


def main() -> None:
    chosen = options()
    torch.set_num_threads(1)
    logging.getLogger("afterimage").setLevel(logging.ERROR)
    with tempfile.TemporaryDirectory() as folder:
        for name in chosen.model or ("resources/models/sprout",):
            if chosen.what == "speed":
                speed(name, Path(folder), chosen)
            else:
                equality(name, chosen)


def options() -> argparse.Namespace:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("what", choices=("speed", "pse"))
    options.add_argument("--model", action="append", help="a folder, or one of local_models.py")
    options.add_argument("--images", type=int, default=24)
    options.add_argument("--repeats", type=int, default=5)
    options.add_argument("--items", type=Path, help="folder of items of illusion_strength")
    options.add_argument("--draws", type=int, default=64)
    return options.parse_args()


def speed(name: str, folder: Path, chosen: argparse.Namespace) -> None:
    """Print seconds of each way, and the two ratios."""
    subject = made(name, folder, None)
    requests = made_requests(chosen.images, 2)
    answers = {
        way: answering.answering(
            subject.model,
            subject.new_processor(),
            entry_of(folder, batch_size=1, **settings).settings,
            "none",
        )
        for way, (settings, _) in WAYS.items()
    }
    seconds: dict[str, list[float]] = {way: [] for way in WAYS}
    for _ in range(chosen.repeats + 1):
        for way, (_, texts) in WAYS.items():
            asked = [replace(request, options=texts) for request in requests]
            started = time.perf_counter()
            replies = list(answers[way](asked))
            seconds[way].append(time.perf_counter() - started)
            assert len(replies) == len(requests)
    # The first round warms up.
    best = {way: min(taken[1:]) for way, taken in seconds.items()}
    print(f"{name}: {len(requests)} requests, one by one, 1 thread, torch {torch.__version__}")
    for way, least in best.items():
        print(f"  {way}: {1000 * least / len(requests):.1f} ms a request")
    print(f"  options / one token: {best['options'] / best['one token']:.2f}")
    print(f"  first_token / 16 tokens: {best['first_token'] / best['16 tokens']:.3f}")


def equality(name: str, chosen: argparse.Namespace) -> None:
    """Print points of equality from draws and from probabilities, illusion by illusion."""
    items = [
        item
        for file in sorted(chosen.items.glob("*.parquet"))
        for item in read_records(file, ITEM)
        if item["question"] == "actual" and item["factors"]["strength"] == "0"
    ]
    drawn, stated = drawn_rows(name, items, chosen.draws), stated_rows(name, items)
    every, whole = points(drawn), points(by_probability(stated))
    place = stated.groupby("figure")["difference"].transform(lambda own: own.rank(method="dense"))
    turn = stated["replicate"].map(
        {one: at for at, one in enumerate(sorted({*stated["replicate"]}))}
    )
    phase = (place.astype(int) + 2 * turn) % EIGHTH
    eighths = [points(by_probability(stated[phase == one])) for one in range(EIGHTH)]
    rows = []
    for figure, sampled in every.items():
        some = [part[figure] - sampled for part in eighths if np.isfinite(part.get(figure, np.nan))]
        rows.append(
            (figure, sampled, whole[figure] - sampled)
            + (
                (len(some), statistics.median(map(abs, some)), max(map(abs, some)))
                if some
                else (0, None, None)
            )
        )
    headers = ("illusion", "PSE, sampled", "all - sampled", "eighths with a PSE")
    headers += ("median |eighth - sampled|", "greatest")
    print(f"{name}: {len(items)} items, {chosen.draws} draws each")
    print(tabulate(rows, headers=headers, floatfmt=".3f", tablefmt="github"))


def points(rows: pd.DataFrame) -> dict[str, float]:
    """Return the point of equality by illusion; NaN where there is none."""
    answers = given_answers(rows)
    return {
        figure: row["pse"]
        for figure, part in answers.groupby("illusion", sort=False)
        for row in strength_rows(part, SETTINGS)
    }


def drawn_rows(name: str, items: list[dict], draws: int) -> pd.DataFrame:
    settings = {"temperature": 1, "repeats": draws, "batch_size": 128, "max_new_tokens": 24}
    rows = []
    for reply in load(entry_of(Path(name), **settings))(requests_of(items, tuple(range(draws)))):
        item = items[reply.number]
        read = parse(reply.text, offered(item)).answer
        rows.append(
            {**columns(item), "answer": read, "outcome": "contained" if read else "unparsed"}
        )
    return pd.DataFrame(rows)


def stated_rows(name: str, items: list[dict]) -> pd.DataFrame:
    rows = []
    for reply in load(entry_of(Path(name), scores="options"))(requests_of(items, (0,), True)):
        item = items[reply.number]
        shares = graded(reply.scores, offered(item), "choice").probabilities
        rows.append({**columns(item), "option_probabilities": shares})
    return pd.DataFrame(rows)


def requests_of(
    items: list[dict], repeats: tuple[int, ...], with_options: bool = False
) -> Iterable[Request]:
    for number, item in enumerate(items):
        image = Image(item["images"][0]["png"], item["images"][0]["pixels_sha256"])
        parts = tuple(
            image if part["type"] == "image" else part["text"]
            for part in item["messages"][0]["parts"]
        )
        texts = tuple(text for _, text in offered(item)) if with_options else ()
        yield Request(number, (Message("user", parts),), None, repeats, texts)


def offered(item: dict) -> list[tuple[str, str]]:
    return [(option["option_id"], option["text"]) for option in item["options"]]


def columns(item: dict) -> dict:
    own = {name: item[name] for name in ("item_id", "figure", "prompt", "question", "key")}
    return {"model": "m", "reason": "", **own, **item["factors"]}


if __name__ == "__main__":
    main()
