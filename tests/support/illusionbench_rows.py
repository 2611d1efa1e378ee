"""Settings, items and graded answers for the tests of the suite illusionbench."""

from pathlib import Path
from typing import NamedTuple

import pandas as pd

from afterimage.contract.finding import load_suite
from afterimage.contract.parts import resolve, with_name
from afterimage.contract.settings import schema_of
from afterimage.contract.stimulus import Shown
from afterimage.planning.schemas import completed
from afterimage.planning.suites import StudySuite
from afterimage.stages.items import item_row
from afterimage.suites.illusionbench.questions import questions
from afterimage.suites.illusionbench.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
PROMPTS = ROOT / "resources" / "prompts" / "illusionbench.yaml"
STATISTICS = {"confidence": 0.95, "resamples": 50, "seed": 1}


def settings(**changes):
    """The suite's settings, complete."""
    given = {"prompt_file": str(PROMPTS), **changes}
    return Settings(
        **completed(given, schema_of(Settings, "illusionbench", ""), "suites.illusionbench")
    )


def planned(chosen=None):
    """The suite as a study asks for it."""
    return StudySuite("illusionbench", load_suite("illusionbench"), chosen or settings())


def declared(table):
    """The declaration of one of the suite's tables."""
    return resolve(with_name(planned().table(table).part, "TABLE"))


def told(chosen):
    """What the suite tells its tables."""
    return planned(chosen).table_settings("illusionbench_tf")["illusionbench"]


class Depends(NamedTuple):
    """What images and questions depend on, by figure."""

    drawn: dict
    asked: dict


def depends(chosen):
    """Read a user's data as it is now."""
    suite = planned(chosen)
    figures = list(suite.figures)
    drawn = {figure: suite.drawing_spec(figure) for figure in figures}
    return Depends(drawn, suite.question_spec(figures, figures)["read"])


def specs(suite, figure):
    """The stimuli of a figure, before they are drawn."""
    spec = suite.drawing_spec(figure)
    return list(resolve(spec["design"]).specs(figure, spec["settings"]))


def drawing(suite, figure, spec):
    """A stimulus, drawn."""
    return resolve(suite.drawing_spec(figure)["draw"])(**spec.parameters)


def table_settings(**changes):
    """What a table gets: few resamples, and what the suite tells its tables."""
    return {**STATISTICS, "illusionbench": {**told(settings()), "model_groups": [], **changes}}


def drawn():
    """The drawn set as questions see it, and its pixels."""
    suite = planned()
    images, pixels = [], {}
    for figure in suite.figures:
        for spec in specs(suite, figure):
            pixels[spec.stimulus_id] = drawing(suite, figure, spec).pixels
            images.append(Shown(spec.stimulus_id, factors=spec.factors, figure=figure))
    return images, pixels


def items_of(images, suite=None, **changes):
    """All items about images."""
    suite = suite or planned(settings(**changes))
    figures = list(dict.fromkeys(shown.figure for shown in images))
    inputs = suite.suite.question_inputs(suite.words, suite.settings, figures, {})
    return [
        item_row(question, "illusionbench", lambda name: {"pixels_sha256": name, "png": b"png"})
        for question in questions(images, *inputs, images)
    ]


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
        "reasoning_given": False,
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


def counted(model, question, right, n, **changes):
    """As many answers as asked, of which some are right, three about each image."""
    return [
        answer_row(model, question, f"image{index // 3}", index, correct=index < right, **changes)
        for index in range(n)
    ]


def scored(model, question, scores, **changes):
    """One description per score; None for one without."""
    return [
        answer_row(
            model,
            question,
            f"image{index}",
            correct=False,
            outcome="unparsed",
            answer=None,
            score=float("nan") if score is None else float(score),
            **changes,
        )
        for index, score in enumerate(scores)
    ]


def whole_scores(total, count):
    """Scores 0, 1, 2 of a given sum."""
    return [2] * (total // 2) + [1] * (total % 2) + [0] * (count - total // 2 - total % 2)


def frame(*rows):
    """Rows as a frame, lists flattened."""
    return pd.DataFrame([row for part in rows for row in part])
