"""What probabilities of options cost, and how many items a point of subjective equality takes with them.

    python benchmarks/graded.py speed [--model resources/models/sprout] [--model qwen2_vl_narrow] [--images 24]
    python benchmarks/graded.py pse --items FOLDER [--model resources/models/sprout] [--seeds 3] [--picture FILE]

`speed`: the backend `transformers` answers the same requests one by one, alternately with one generated token, with
four options scored (`scores: options`; sentences, and words), and with 16 tokens generated with and without
`scores: first_token`; CPU time of the process, medians over the repeats, of the ratios within each repeat.

`pse`: of the images of `illusion_strength` without an inducer (FOLDER is `results/<study>/items/illusion_strength`),
each item answered once at temperature 1 with so many seeds, against probabilities of one answer each: of all items,
and of one eighth of them: every eighth difference in all replicates, eight times with another beginning. One eighth of
a grid of 88 differences is as fine as the suite's own, of 352 four times as fine.
"""

import argparse
import logging
import statistics
import tempfile
import time
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd
import torch
from local_models import entry_of, made, made_requests
from tabulate import tabulate

from afterimage.files.parquet import read_records
from afterimage.files.records import ITEM
from afterimage.grading.probabilities import graded
from afterimage.grading.readers.choice import parse
from afterimage.models.interface import Image, Message, Request
from afterimage.models.transformers import generation, load
from afterimage.showing.tables.weighted import by_probability
from afterimage.suites.illusion_strength.psychometrics import given_answers, strength_rows

OPTIONS = ("The left one.", "The right one.", "Both are the same.", "There is none.")
WORDS = ("left", "right", "both", "none")
WAYS = {
    "one token": ({"max_new_tokens": 1}, ()),
    "options": ({"scores": "options"}, OPTIONS),
    "options of a word": ({"scores": "options"}, WORDS),
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
    options.add_argument("--seeds", type=int, default=3)
    options.add_argument("--picture", type=Path, help="draw the points of equality into this file")
    return options.parse_args()


def speed(name: str, folder: Path, chosen: argparse.Namespace) -> None:
    """Print CPU time of each way, and the two ratios."""
    subject = made(name, folder, None)
    requests = made_requests(chosen.images, 2)
    answers = {
        way: generation.answering(
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
            requests_with_options = [replace(request, options=texts) for request in requests]
            started = time.process_time()
            replies = list(answers[way](requests_with_options))
            seconds[way].append(time.process_time() - started)
            assert len(replies) == len(requests)
    # The first round warms up.
    taken = {way: times[1:] for way, times in seconds.items()}
    print(f"{name}: {len(requests)} requests, one by one, 1 thread, torch {torch.__version__}")
    for way, times in taken.items():
        print(f"  {way}: {1000 * statistics.median(times) / len(requests):.1f} ms of CPU a request")
    pairs = (("options", "one token"), ("options of a word", "one token"))
    for first, second in (*pairs, ("first_token", "16 tokens")):
        ratios = [mine / its for mine, its in zip(taken[first], taken[second], strict=True)]
        between = f"{min(ratios):.2f} to {max(ratios):.2f}"
        print(f"  {first} / {second}: {statistics.median(ratios):.2f} ({between})")


def equality(name: str, chosen: argparse.Namespace) -> None:
    """Print points of equality from draws and from probabilities, illusion by illusion."""
    items = [
        item
        for file in sorted(chosen.items.glob("*.parquet"))
        for item in read_records(file, ITEM)
        if item["question"] == "actual" and item["factors"]["strength"] == "0"
    ]
    stated = by_probability(stated_rows(name, items))
    rank = stated.groupby("figure")["difference"].transform(
        lambda own: own.astype(float).rank(method="dense")
    )
    drawn = [points(drawn_rows(name, items, seed)) for seed in range(chosen.seeds)]
    whole = points(stated)
    eighths = [points(stated[rank.astype(int) % EIGHTH == one]) for one in range(EIGHTH)]
    rows = []
    for figure, point in whole.items():
        sampled = [one[figure] for one in drawn]
        some = [one[figure] for one in eighths]
        apart = [abs(each - statistics.mean(sampled)) for each in some]
        spread = max(sampled) - min(sampled)
        rows.append(
            (figure, statistics.mean(sampled), spread, point, statistics.median(apart), max(apart))
        )
    headers = ("illusion", "sampled, all items", "between seeds", "probabilities, all items")
    headers += ("median |eighth - sampled|", "greatest")
    print(f"{name}: {len(items)} items, {chosen.seeds} seeds of sampling")
    print(tabulate(rows, headers=headers, floatfmt=".4f", tablefmt="github"))
    if chosen.picture:
        draw(rows, drawn, eighths, chosen.picture)


def draw(rows: list[tuple], drawn: list[dict], eighths: list[dict], path: Path) -> None:
    """Draw the points of equality, each of the sampled ones and of the eighths."""
    figure, axes = plt.subplots(figsize=(7, 0.5 * len(rows) + 1.2), layout="constrained")
    for height, (name, *_) in enumerate(reversed(rows)):
        marks = (
            ([one[name] for one in drawn], 0.15, "s", "#666666", "sampled, all items, one seed"),
            ([one[name] for one in eighths], -0.15, "o", "#0072b2", "probabilities, one eighth"),
        )
        for values, shift, marker, colour, label in marks:
            axes.plot(
                *(values, [height + shift] * len(values)),
                **{"marker": marker, "color": colour, "linestyle": "", "markersize": 5},
                label=label if not height else None,
            )
    axes.set_yticks(range(len(rows)), [name.replace("_", " ") for name, *_ in reversed(rows)])
    axes.set_xlabel("point of subjective equality, in differences of the fake")
    figure.legend(loc="outside upper center", ncols=2, frameon=False)
    figure.savefig(path, dpi=150)


def points(rows: pd.DataFrame) -> dict[str, float]:
    """Return the point of equality by illusion; NaN where there is none."""
    answers = given_answers(rows)
    return {
        figure: row["pse"]
        for figure, part in answers.groupby("illusion", sort=False)
        for row in strength_rows(part, SETTINGS)
    }


def drawn_rows(name: str, items: list[dict], seed: int) -> pd.DataFrame:
    settings = {"temperature": 1, "seed": seed, "batch_size": 128, "max_new_tokens": 24}
    rows = []
    for reply in load(entry_of(Path(name), **settings))(requests_of(items, (0,))):
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
    values = {name: item[name] for name in ("item_id", "figure", "prompt", "question", "key")}
    return {"model": "m", "reason": "", **values, **item["factors"]}


if __name__ == "__main__":
    main()
