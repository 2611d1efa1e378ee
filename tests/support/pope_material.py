"""What several tests of the suite pope need: settings, data files, the drawn scenes, stub answerers."""

import copy
from functools import cache
from pathlib import Path

import pandas as pd

from afterimage.contract.design import Reader
from afterimage.contract.finding import load_suite
from afterimage.contract.parts import resolve
from afterimage.contract.stimulus import Shown
from afterimage.grading.readers import presence, presence_blog
from afterimage.planning.schemas import completed, read_schema
from afterimage.planning.suites import StudySuite
from afterimage.stages.items import item_row
from afterimage.suites.pope import design, side_files
from afterimage.suites.pope.language import English, Lexicon
from afterimage.suites.pope.prompt_file import load_texts
from afterimage.suites.pope.questions import questions

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = ROOT / "workflow" / "schemas" / "suites" / "pope.schema.yaml"
SEED = 20230526
STATISTICS = {"confidence": 0.95, "resamples": 300, "seed": 1}


def settings(**changes):
    """Complete settings, with the data files where the repository has them."""
    made = completed(copy.deepcopy(changes), read_schema(SCHEMA), "suites.pope")
    for name in ("prompt_file", "english_file", "name_table"):
        made[name] = str(ROOT / made[name])
    if made["lexicon_file"] is None:
        file = "scenes.yaml" if made["source"] == "drawn" else "coco.yaml"
        made["lexicon_file"] = str(ROOT / "resources" / "lexicons" / file)
    return load_suite("pope").settings(**made)


def suite_of(made):
    """The suite as a study of these settings has it."""
    return StudySuite("pope", load_suite("pope"), made)


@cache
def pope_texts(source="drawn"):
    return load_texts(settings(source=source))


@cache
def english():
    return English(**pope_texts()["english"])


@cache
def lexicon(source="coco"):
    return Lexicon.from_data(pope_texts(source)["lexicon"])


@cache
def scenes(count=30, seed=SEED):
    return tuple(design.scenes(count, seed))


@cache
def nested_scenes(count=10, seed=SEED):
    return tuple(design.nested_scenes(count, seed))


def caption_of(scene):
    return side_files.caption(scene.objects, english())


def write_annotations(**changes):
    """Write the drawn scenes' annotations below the working directory, as their rule does."""
    made = settings(**changes)
    write_records(made)
    return made


def write_records(made):
    """Write what is known of the images below the working directory, as its rule does."""
    for name, files in suite_of(made).side_files.items():
        if name in ("annotations", "records"):
            resolve(files.part)(files.spec, files.inputs, files.outputs)


def specs_of(made):
    """Figure to its stimuli as they are drawn."""
    study = suite_of(made)
    found = {}
    for figure, figure_of in study.figures.items():
        chosen = study.drawing_spec(figure)["settings"]
        found[figure] = list(resolve(figure_of.design).specs(figure, chosen))
    return found


def drawn(made):
    """Figure to its stimuli with their pixels."""
    figures = suite_of(made).figures
    return {
        figure: [(spec, resolve(figures[figure].draw)(**spec.parameters).pixels) for spec in specs]
        for figure, specs in specs_of(made).items()
    }


def images_of(made):
    """All images, as questions see them."""
    study = suite_of(made)
    asked = {}
    for figure, figure_of in study.figures.items():
        design_of = resolve(figure_of.design)
        if isinstance(design_of, Reader):
            read = design_of.shown(figure, study.drawing_spec(figure)["settings"])
            asked |= {one.stimulus_id: one.questions for one in read}
    return [
        Shown(
            spec.stimulus_id,
            factors=spec.factors,
            questions=asked.get(spec.stimulus_id, ()),
            figure=figure,
        )
        for figure, specs in specs_of(made).items()
        for spec in specs
    ]


def items_of(made, shard=None):
    """Items of the images of a shard, of all by default, whose image bytes are only their name."""
    write_records(made)
    images = images_of(made)
    spec = suite_of(made).question_spec([], [])
    found = questions(images[shard or slice(None)], spec["bank"], spec["settings"], images)
    return [item_row(question, "pope", str.encode) for question in found]


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
                    "reason": parsed.reason,
                    "correct": parsed.answer == item["key"],
                    "readings": dict(parsed.readings),
                    **item["factors"],
                }
            )
    return pd.DataFrame(rows)


def told(**changes):
    """The settings of a table, of whichever table."""
    study = suite_of(settings(**changes))
    known = [study.table_settings(name)["pope"] for name in ("pope", "pope_blog")]
    return {**STATISTICS, "pope": {**known[0], **known[1]}}


def oracle(item):
    return {option["option_id"]: option["text"] for option in item["options"]}[item["key"]]


def always_yes(item):
    return "Yes"


def always_no(item):
    return "No"
