"""Settings, items and graded answers for the tests of the suite illusionbench."""

import json
from pathlib import Path

import pandas as pd

from afterimage.planning.configuration import completed, read_schema
from afterimage.suites.illusionbench import planning, questions, stimuli
from afterimage.suites.illusionbench.names import DRAWN_FIGURES

ROOT = Path(__file__).resolve().parents[4]
SCHEMA = ROOT / "workflow" / "schemas" / "suites" / "illusionbench.schema.yaml"
PROMPTS = ROOT / "resources" / "prompts" / "illusionbench.yaml"
STATISTICS = {"confidence": 0.95, "resamples": 50, "seed": 1}


def settings(**changes):
    """The suite's settings, complete."""
    given = {"prompt_file": str(PROMPTS), **changes}
    return completed(given, read_schema(SCHEMA), "suites.illusionbench")


def table_settings(**changes):
    """What a table gets: few resamples, and what the suite tells its tables."""
    own = planning.table_settings(settings())["illusionbench"]
    return {**STATISTICS, "illusionbench": {**own, "model_groups": [], **changes}}


def drawn():
    """The drawn set: stimulus records (schema STIMULUS, as far as questions read it) and pixels."""
    chosen = settings()
    records, pixels = [], {}
    for figure in DRAWN_FIGURES:
        for spec in stimuli.specs(figure, planning.drawing_spec(figure, chosen)):
            drawing = stimuli.draw(figure, spec.parameters)
            pixels[spec.stimulus_id] = drawing.pixels
            nominal = {"nominal": spec.parameters, "realised": drawing.realised}
            records.append(
                {
                    "stimulus_id": spec.stimulus_id,
                    "figure": figure,
                    "factors": spec.factors,
                    "parameters": json.dumps(nominal),
                    "pixels_sha256": spec.stimulus_id,
                }
            )
    return records, pixels


def items_of(records, figures=DRAWN_FIGURES, **changes):
    """All items about stimuli."""
    chosen = settings(**changes)
    spec = planning.question_spec(planning.load_prompts(chosen), chosen, list(figures))
    return list(
        questions.questions(records, spec["bank"], spec["settings"], lambda row: b"png", records)
    )


def words_of(item):
    """The words of an item's last message."""
    return "\n".join(
        part["text"] for part in item["messages"][-1]["parts"] if part["type"] == "text"
    )


def answer_row(model, question, image, number=0, **changes):
    """A graded answer as a table gets it, right by default."""
    row = {
        "item_id": f"{image}/{question}/{number}",
        "model": model,
        "repeat": 0,
        "stimulus_id": image,
        "prompt": question,
        "question": question,
        "key": "True",
        "answer": "True",
        "outcome": "exact",
        "reason": "",
        "correct": True,
        "score": float("nan"),
        "readings": {},
        "decided_by": "parser",
        "category": "classical",
        "difficulty": "easy",
        "shuffle_round": None,
        "permutation": None,
    }
    return row | changes


def counted(model, question, right, asked, **changes):
    """As many answers as asked, of which some are right, three about each image."""
    return [
        answer_row(model, question, f"image{place // 3}", place, correct=place < right, **changes)
        for place in range(asked)
    ]


def scored(model, question, scores, **changes):
    """One description per score; None for one without."""
    return [
        answer_row(
            model,
            question,
            f"image{place}",
            correct=False,
            outcome="unparsed",
            answer=None,
            score=float("nan") if score is None else float(score),
            **changes,
        )
        for place, score in enumerate(scores)
    ]


def whole_scores(total, count):
    """Scores 0, 1, 2 of a given sum."""
    return [2] * (total // 2) + [1] * (total % 2) + [0] * (count - total // 2 - total % 2)


def frame(*rows):
    """Rows as a frame, lists flattened."""
    return pd.DataFrame([row for part in rows for row in part])
