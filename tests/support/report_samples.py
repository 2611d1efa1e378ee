"""Contents of report pages, made up: tables, figures and a gallery of any size."""

import base64
import io

import numpy as np
from PIL import Image

from afterimage.report.front import GROUPS, with_marks
from afterimage.report.front import cell as cell_of
from afterimage.report.overview import answered_on, first_screen, sentence

MODELS = ("chance", "pixels", "gpt-4o-2024-08-06", "llava-1.5-7b")
OUTCOMES = ("right", "wrong", "unparsed", "not_graded")
OPTIONS = ("The left one.", "The right one.", "They are the same size.")
FIGURES = ("ebbinghaus", "fick", "mueller_lyer", "ponzo")


def picture(seed: int, side: int = 96) -> str:
    """Return discs of some size as a data URL."""
    rng = np.random.default_rng(seed)
    rows, columns = np.mgrid[:side, :side]
    pixels = np.full((side, side, 3), 255, dtype=np.uint8)
    for centre in (0.28, 0.72):
        radius = side * rng.uniform(0.08, 0.2)
        disc = (rows - side / 2) ** 2 + (columns - centre * side) ** 2 <= radius**2
        pixels[disc] = rng.integers(0, 200, 3)
    stored = io.BytesIO()
    Image.fromarray(pixels).save(stored, "PNG")
    return f"data:image/png;base64,{base64.b64encode(stored.getvalue()).decode()}"


def cell(text: str, sort: float | str | None = None, below: str = "", style: str = "") -> dict:
    lines = [{"text": text, "style": style}, *([{"text": below, "style": ""}] if below else [])]
    return {"text": " ".join(line["text"] for line in lines), "lines": lines, "sort": sort}


def table(name: str = "fake_vqa") -> dict:
    """Return a table with two groups, an undefined value, a reference row and published numbers."""

    def row(model: str, share: float | None, group: str = "", is_reference: bool = False) -> dict:
        value = (
            cell("–")
            if share is None
            else cell(f"{share:.1f} %", share, f"{share - 4:.1f} to {share + 4:.1f}")
        )
        cells = [cell(model, model), value, cell("43 / 112", 43)]
        return {"cells": cells, "group": group, "is_reference": is_reference}

    def number(row: str, verdict: str, status: str = "measured", misprint: str = "") -> dict:
        return {
            "row": row,
            "column": "Accuracy",
            "printed": "38.0",
            "here": "38.4" if verdict else "",
            "interval": "29.9 to 47.6" if verdict else "",
            "status": status,
            "verdict": verdict,
            "difference": "0.4 [-9.1, 9.9]" if verdict else "",
            "misprint": misprint,
            "reason": "" if verdict else f"{row} is not in the study",
            "source": "Illusions, Table 3",
        }

    return {
        "name": name,
        "title": "Genuine illusions",
        "caption": "How often each model sees what people see.\n\nShares of items with Wilson's 95 % intervals.",
        "columns": [
            {"label": "Model", "is_numeric": False},
            {"label": "Accuracy", "is_numeric": True},
            {"label": "k / n", "is_numeric": True},
        ],
        "spans": [{"label": "", "columns": 1}, {"label": "All items", "columns": 2}],
        "rows": [
            row("pixels", 100.0, "Reference responders"),
            row("chance", 9.5),
            row("llava-1.5-7b", 38.4, "Models"),
            row("gpt-4o", None),
            row("claude", 71.4),
            row("People", 62.0, "", True),
        ],
        "notes": ["A reply that cannot be read counts as wrong."],
        "warnings": [],
        "published": [
            number("llava-1.5-7b", "consistent"),
            number("gpt-4o", "differs", misprint="no share of 112 items is 38.0; 38.4 fits"),
            number("claude", "", "not_run"),
        ],
        "csv": "model,k,n\npixels,112,112\nchance,43,112\n",
        "file": f"results/tables/{name}.csv",
        "command": f"snakemake --cores 8 results/tables/{name}.csv",
    }


def gallery(
    count: int = 60,
    pictures: int = 24,
    replies: tuple[str, ...] = (),
    models: tuple[str, ...] = MODELS,
) -> dict:
    """Return a gallery of so many items; the extra replies are the fourth model's to the first items."""
    rng = np.random.default_rng(7)
    texts: dict[str, int] = {}

    def place(text: str) -> int:
        return texts.setdefault(text, len(texts))

    items = []
    for number in range(count):
        figure = number % len(FIGURES)
        key = int(rng.integers(len(OPTIONS)))
        answers: list[list[int] | None] = []
        for model in range(len(models)):
            given = int(rng.integers(len(OPTIONS)))
            if model == 1:
                given = key
            reply, reading = f"I look at picture {number}. {OPTIONS[given]}", OPTIONS[given]
            outcome = int(given != key)
            if model == 3:
                if number < len(replies):
                    outcome, reply, reading = 2, replies[number], ""
                elif number % 10 == 9:
                    answers.append(None)
                    continue
            answers.append([outcome, place(reply), place(reading)])
        question = (
            f"Look at picture {number} of the figure called {FIGURES[figure]}. Which of the two discs is larger?\n"
            + "\n".join(
                f"{letter}. {option}" for letter, option in zip("ABC", OPTIONS, strict=True)
            )
        )
        items.append(
            {
                "id": f"{FIGURES[figure]}-{number:05d}",
                "image": [number % pictures] if number % 7 else [number % pictures, 0],
                "question": place(question),
                "key": place(OPTIONS[key]),
                "briefs": [
                    [place(option), place(f"{letter}: {option}")]
                    for letter, option in zip("ABC", OPTIONS, strict=True)
                ],
                "factors": [figure, number % 3 - 1],
                "answers": answers,
            }
        )
    return {
        "total_items": count,
        "shown_items": count,
        "left_out": "",
        "models": list(models),
        "factors": [
            {"name": "figure", "values": list(FIGURES)},
            {"name": "inner_size", "values": ["small", "large"]},
        ],
        "outcomes": list(OUTCOMES),
        "images": [
            {"thumbnail": picture(seed), "full": picture(seed, 512), "width": 512, "height": 512}
            for seed in range(pictures)
        ],
        "items": items,
        "texts": list(texts),
    }


def empty_gallery() -> dict:
    """Return the gallery of a suite of which nothing has been asked."""
    return {**gallery(0, 0), "models": [], "factors": []}


def suite(**changes: object) -> dict:
    """Return the contents of a suite's page, with some of them replaced."""
    return {
        "study": "Afterimage",
        "suite": "illusion_vqa",
        "title": "Illusions",
        "description": "Fourteen geometric and brightness illusions, asked about in several ways.",
        "other_pages": [
            {"title": "Overview", "href": "index.html"},
            {"title": "Blind test", "href": "blindtest.html"},
        ],
        "first_figure": "illusion_vqa",
        "front": front(),
        "tables": [table(), {**table("control_vqa"), "title": "Controls", "published": []}],
        "figures": [
            {
                "name": "illusion_vqa",
                "lead": "Accuracy.",
                "caption": "Share of right answers.",
                "png": picture(99, 320),
                "file": "results/figures/illusion_vqa.png",
            }
        ],
        "gallery": gallery(),
        "prompts": [{"id": "illusion_vqa/actual", "text": "Which one is larger?\n{question}"}],
        "provenance": [
            {"heading": "Code", "rows": [["version", "0.1.0"]], "in_words": True},
            {"heading": "Statistics", "rows": [["seed", "20"]], "in_words": False},
        ],
        "not_run": [{"what": "gpt-4o", "why": "no key for its server"}],
        **changes,
    }


def front(models: tuple[str, ...] = MODELS, columns: int = 3, seed: int = 3) -> dict:
    """Return scores of each model, of one recorded elsewhere, of people and of who does not look."""
    rng = np.random.default_rng(seed)
    kinds = {"chance": "responder", "pixels": "responder"}
    everybody = [
        *((name, kinds.get(name, "model")) for name in models),
        ("GPT-4o (recorded)", "recorded"),
        ("Human", "people"),
        ("uniform guessing", "baseline"),
    ]

    def one(kind: str) -> dict | None:
        if kind == "recorded" and rng.random() < 0.5:
            return None
        value = float(rng.uniform(20, 95))
        exact = kind == "baseline"
        return cell_of(value, *((None, None) if exact else (value - 4, value + 4)))

    rows = [
        {"name": name, "kind": kind, "cells": [one(kind) for _ in range(columns)]}
        for name, kind in everybody
    ]
    return with_marks(
        {
            "measure": "accuracy",
            "columns": [
                {"label": f"Task {index + 1}", "is_main": index == columns - 1}
                for index in range(columns)
            ],
            "rows": sorted(rows, key=lambda row: list(GROUPS).index(row["kind"])),
            "awaited": [],
            "most_unread": 2,
            "unit": "percent",
        }
    )


def no_front() -> dict:
    """Return the scores of a suite of which no table has any."""
    return {
        "measure": "accuracy",
        "columns": [],
        "rows": [],
        "groups": [],
        "awaited": [],
        "is_marked": False,
        "most_unread": 2,
        "unit": "percent",
    }


def overview(**changes: object) -> dict:
    """Return the contents of the overview, with some of them replaced."""
    one = {
        "suite": "illusion_vqa",
        "title": "illusion_vqa",
        "description": "Genuine, fake and control illusion VQA.",
        "href": "illusion_vqa.html",
        "items": 1120,
        "answers": 4480,
        "sample": picture(5),
    }
    suites = [
        one,
        {**one, "suite": "pope", "title": "pope", "href": "pope.html", "sample": None},
        {**one, "suite": "blindtest", "title": "blindtest", "href": "blindtest.html"},
    ]
    kinds = {name: "responder" if name in ("chance", "pixels") else "model" for name in MODELS}
    fronts = {suite["suite"]: front(columns=1) for suite in suites}
    return {
        "study": "Afterimage",
        "sentence": sentence(kinds, suites),
        "answered": answered_on(["2026-11-20", "2026-11-22"]),
        "first": first_screen(suites, fronts),
        "missing": [{"what": "gpt-4o on pope", "why": "none of its answers has a score yet"}],
        "suites": suites,
        "models": [
            {
                "name": name,
                "backend": "reference",
                "model_id": f"organisation/{name}",
                "revision": None,
                "settings": "temperature 0, 512 tokens",
                "answers": 4480,
                "cost": None,
            }
            for name in MODELS
        ],
        "numbers": {
            "measured": 240,
            "recorded": 1100,
            "not_run": 1904,
            "not_a_result": 60,
            "consistent": 1088,
            "differs": 252,
            "total": 1340,
        },
        "tables": [{**table("cost"), "title": "Cost", "published": []}],
        "figures": [],
        "provenance": [{"heading": "Code", "rows": [["version", "0.1.0"]], "in_words": True}],
        "not_run": [{"what": "gpt-4o", "why": "no key for its server"}],
        **changes,
    }


#: Fourteen, with names as long as they are.
MANY = tuple(f"provider-model-{number}b-instruct" for number in range(1, 15))


def suite_of_many_models() -> dict:
    """Return the page of a suite that fourteen models were asked, their answers made up."""
    rows = [
        {"cells": [cell(name, name), cell("50.0 %", 50, "41.0 to 59.0"), cell("56 / 112", 56)]}
        for name in MANY
    ]
    whole = table()
    whole["rows"] = [{**row, "group": "", "is_reference": False} for row in rows]
    return suite(front=front(MANY, columns=7), gallery=gallery(models=MANY), tables=[whole])


def many_models() -> dict:
    """Return the overview of fourteen models on five suites, their scores made up."""
    suites = [
        {**suite, "suite": name, "title": name, "href": f"{name}.html"}
        for suite in overview()["suites"][:1]
        for name in ("illusion_vqa", "blindtest", "texture", "illusionbench", "pope")
    ]
    fronts = {
        suite["suite"]: front(MANY, columns=1, seed=index) for index, suite in enumerate(suites)
    }
    kinds = dict.fromkeys(MANY, "model")
    return overview(
        sentence=sentence(kinds, suites), suites=suites, first=first_screen(suites, fronts)
    )
