"""What several tests of the suite pope need: settings, data files, the drawn scenes, stub answerers."""

import copy
import json
from functools import cache
from pathlib import Path

import pandas as pd

from afterimage.grading import presence, presence_blog
from afterimage.planning.configuration import completed, read_schema
from afterimage.suites.pope import planning, questions, stimuli
from afterimage.suites.pope.bank import load_bank
from afterimage.suites.pope.drawn import annotations, design
from afterimage.suites.pope.language.english import English
from afterimage.suites.pope.language.lexicon import Lexicon
from afterimage.suites.pope.side_files import annotations as annotation_files

ROOT = Path(__file__).resolve().parents[4]
SCHEMA = ROOT / "workflow" / "schemas" / "suites" / "pope.schema.yaml"
SEED = 20230526
STATISTICS = {"confidence": 0.95, "resamples": 300, "seed": 1}


def settings(**changes):
    """Complete settings, with the data files where the repository has them."""
    made = completed(copy.deepcopy(changes), read_schema(SCHEMA), "suites.pope")
    for name in ("prompt_file", "english_file"):
        made[name] = str(ROOT / made[name])
    if made["lexicon_file"] is None:
        file = "scenes.yaml" if made["source"] == "drawn" else "coco.yaml"
        made["lexicon_file"] = str(ROOT / "resources" / "lexicons" / file)
    return made


@cache
def bank(source="drawn"):
    return load_bank(settings(source=source))


@cache
def english():
    return English.from_data(bank()["english"])


@cache
def lexicon(source="coco"):
    return Lexicon.from_data(bank(source)["lexicon"])


@cache
def scenes(count=30, seed=SEED):
    return tuple(design.scenes(count, seed))


@cache
def nested_scenes(count=10, seed=SEED):
    return tuple(design.nested_scenes(count, seed))


def caption_of(scene):
    return annotations.caption(scene.objects, english())


def write_annotations(**changes):
    """Write the drawn scenes' annotations below the working directory, as their rule does."""
    made = settings(**changes)
    files = planning.side_files(made)["annotations"]
    annotation_files.write(files["spec"], files["inputs"], files["outputs"])
    return made


def rows_of(made):
    """Stimulus records of all figures, without images."""
    figures = {"drawn": ("scenes", "nested")}.get(made["source"], (made["source"],))
    return [
        {
            "stimulus_id": spec.stimulus_id,
            "figure": figure,
            "pixels_sha256": spec.stimulus_id,
            "parameters": json.dumps({"nominal": spec.parameters, "realised": {}}),
            "factors": spec.factors,
        }
        for figure in figures
        for spec in stimuli.specs(figure, planning.drawing_spec(figure, made))
    ]


def items_of(made, rows=None):
    """Items of all stimuli, whose image bytes are only their name."""
    rows = rows_of(made) if rows is None else rows
    spec = planning.question_spec(load_bank(made), made, [])
    found = questions.questions(
        rows, spec["bank"], spec["settings"], lambda row: row["stimulus_id"].encode(), examples=rows
    )
    return list(found)


def graded(items, **answerers):
    """Grades of stub answerers, as tables get them: name to a function from item to answer."""
    rows = []
    for model, answer in answerers.items():
        for item in items:
            grader = presence_blog if item["answer_type"] == "presence_blog" else presence
            text = answer(item)
            parsed = grader.parse(text)
            rows.append(
                {
                    **{
                        name: item[name]
                        for name in ("item_id", "stimulus_id", "figure", "prompt", "key")
                    },
                    "question": item["question"],
                    "model": model,
                    "repeat": 0,
                    "answer": parsed.answer,
                    "outcome": parsed.outcome,
                    "correct": parsed.answer == item["key"],
                    "readings": dict(parsed.readings),
                    **item["factors"],
                }
            )
    return pd.DataFrame(rows)


def told(**changes):
    """The settings of a table, of whichever table."""
    made = settings(**changes)
    known = [planning.settings_of_table(name, made)["pope"] for name in ("pope", "pope_blog")]
    return {**STATISTICS, "pope": {**known[0], **known[1]}}


def oracle(item):
    return {one["option_id"]: one["text"] for one in item["options"]}[item["key"]]


def always_yes(item):
    return "Yes"


def always_no(item):
    return "No"
