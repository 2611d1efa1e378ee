"""Tables and answers of the suite texture, small enough to be reckoned by hand."""

import csv
from pathlib import Path

import pandas as pd

from afterimage.contract.finding import load_suite
from afterimage.contract.parts import resolve
from afterimage.contract.stimulus import Shown
from afterimage.grading.grade import grade
from afterimage.planning.schemas import completed, read_schema
from afterimage.planning.suites import StudySuite
from afterimage.stages.items import item_row
from afterimage.suites.texture import columns, dataset, questions
from afterimage.suites.texture.dataset import load_dataset

ROOT = Path(__file__).resolve().parents[2]
PROMPTS = ROOT / "resources" / "prompts" / "texture.yaml"
SCHEMA = ROOT / "workflow" / "schemas" / "suites" / "texture.schema.yaml"
STATISTICS = {"confidence": 0.95, "resamples": 200, "seed": 1}
#: All tables of graded answers; what people recognise is read from their answers alone.
TABLES = {
    table.name: resolve(table.part)
    for table in load_suite("texture").tables
    if table.name != "texture_recognition"
}
#: Of four words about each object, no two objects share one.
WORDS = tuple(f"{first}{second}" for first in "赤青白黒丸角" for second in "い甘辛硬柔軽重古新高低")


def settings(**changes):
    """Return the suite's settings with their defaults."""
    chosen = completed({"prompt_file": str(PROMPTS), **changes}, read_schema(SCHEMA), "texture")
    return load_suite("texture").settings(**chosen)


def study_suite(chosen):
    """Return the suite as a study with these settings asks for it."""
    return StudySuite("texture", load_suite("texture"), chosen)


def specs_of(suite, figure):
    """Return the stimuli of a figure."""
    drawing = suite.drawing_spec(figure)
    return list(resolve(drawing["design"]).specs(figure, drawing["settings"]))


def write_csv(path, table, rows, encoding="utf-8", delimiter=","):
    """Write rows as one of the suite's tables; missing values are empty."""
    names = [column.name for column in table.columns]
    with Path(path).open("w", newline="", encoding=encoding) as file:
        writer = csv.DictWriter(file, names, restval="", delimiter=delimiter)
        writer.writeheader()
        writer.writerows(rows)


def object_words(number):
    """Return the four words that were written about an object."""
    return WORDS[4 * number : 4 * number + 4]


def write_folder(folder, objects=6, areas=None, votes=None):
    """Write a folder of data: an image and a row per object, four words about each, and votes if wanted.

    Args:
        folder: Where to.
        objects: How many.
        areas: Share of the image by object's number; 0.5 by default.
        votes: Maps a row of pairs.csv and a word's number (1 to 5) to how many of five accept it.
    """
    folder.mkdir(exist_ok=True)
    names = [f"im{number:02d}" for number in range(objects)]
    write_csv(
        folder / "images.csv",
        columns.IMAGES,
        [{"image_id": n, "file": f"{n}.jpg", "width": 40, "height": 30} for n in names],
    )
    write_csv(
        folder / "objects.csv",
        columns.OBJECTS,
        [
            {
                "image_id": name,
                "object_id": "o",
                "object_ja": "猫" if number % 2 else "橋",
                "category": "cat" if number % 2 else "bridge",
                "area_fraction": (areas or {}).get(number, 0.5),
                "area_mode": "mask_union",
            }
            for number, name in enumerate(names)
        ],
    )
    write_csv(
        folder / "triples.csv",
        columns.TRIPLES,
        [
            {
                "triple_id": f"{name}-{index}",
                "image_id": name,
                "object_id": "o",
                "word": word,
                "worker_id": f"w{index}",
                "collected_at": f"2025-01-01T00:00:0{index}",
            }
            for number, name in enumerate(names)
            for index, word in enumerate(object_words(number))
        ],
    )
    if votes is not None:
        write_votes(folder, votes)
    return str(folder)


def write_votes(folder, votes):
    """Write five people's votes on every word of every task."""
    pairs = load_dataset(dataset.dataset_source(settings(data=str(folder)), {})).pairs
    rows = [
        {
            "pair_id": pair["pair_id"],
            "word": pair[f"w{number}"],
            "annotator_id": f"a{person}",
            "vote": int(person < votes(pair, number)),
            "source": "human",
            "answered_at": f"2025-02-01T00:00:0{person}",
        }
        for pair in pairs
        for number in range(1, 6)
        for person in range(5)
    ]
    write_csv(Path(folder) / "votes.csv", columns.VOTES, rows)


def natural_accepted(pair, number):
    """Accept natural words, reject random ones."""
    return 5 if pair[f"origin{number}"] == "natural" else 0


def items(**changes):
    """Return all items, with empty images."""
    suite = study_suite(settings(**changes))
    spec = suite.question_spec(tuple(suite.figures), tuple(suite.figures))
    images = [
        Shown(image_spec.stimulus_id, factors=image_spec.factors, figure=figure)
        for figure in suite.figures
        for image_spec in specs_of(suite, figure)
    ]
    found = questions.questions(images, spec["bank"], spec["settings"], images)
    picture = {"pixels_sha256": "", "png": b"png"}
    return [item_row(question, "texture", lambda name: picture) for question in found]


def text_of(item):
    """Return the words of an item's request."""
    return item["messages"][0]["parts"][1]["text"]


def grades(items, replies, repeats=1):
    """Grade models' replies to items as the workflow does, factors as columns.

    Args:
        items: Items.
        replies: Model to a function of an item that returns the reply.
        repeats: How often each is given.
    """
    rows = []
    for model, reply in replies.items():
        for item in items:
            for repeat in range(repeats):
                response = {
                    "item_id": item["item_id"],
                    "suite": "texture",
                    "model": model,
                    "repeat": repeat,
                    "text": reply(item),
                }
                row = grade(response, item)
                rows.append({**row, **row.pop("factors")})
    return pd.DataFrame(rows)


def table_settings(**changes):
    """Return what tables get as settings."""
    return {**STATISTICS, **dataset.table_settings("texture_items", settings(**changes), {})}
