"""Stimuli and items of the suite blindtest, one figure or all, without a study."""

from pathlib import Path

from afterimage.contract.finding import load_suite
from afterimage.contract.parts import resolve
from afterimage.contract.stimulus import Shown
from afterimage.planning.schemas import completed, read_schema
from afterimage.planning.suites import StudySuite
from afterimage.stages.items import item_row
from afterimage.suites.blindtest import questions
from afterimage.suites.blindtest.names import parse_figure

ROOT = Path(__file__).resolve().parents[2]
PROMPTS = ROOT / "resources" / "prompts" / "blindtest.yaml"
SCHEMA = ROOT / "workflow" / "schemas" / "suites" / "blindtest.schema.yaml"
SEED = 20240709


def settings(**changes):
    """Return the suite's settings with their defaults."""
    chosen = {"prompt_file": str(PROMPTS), **changes}
    complete = completed(chosen, read_schema(SCHEMA), "suites.blindtest")
    return load_suite("blindtest").settings(**complete)


def study_suite(**changes):
    """Return the suite as a study with these settings asks for it."""
    return StudySuite("blindtest", load_suite("blindtest"), settings(**changes))


def design_of(figure):
    """Return the design of a figure's task."""
    return resolve(f"afterimage.suites.blindtest.designs:{parse_figure(figure).task.upper()}")


def specs_in_turn(figure, seed=SEED, squares_per_width=False):
    """Yield the stimuli of a figure: the first few are soon there."""
    chosen = {"seed": seed, "squares_per_width": squares_per_width}
    yield from design_of(figure).specs(figure, chosen)


def specs(figure, seed=SEED, squares_per_width=False):
    """Return the stimuli of a figure."""
    return list(specs_in_turn(figure, seed, squares_per_width))


def draw(figure, parameters):
    """Draw a stimulus of a figure."""
    return resolve(design_of(figure).drawn).draw(**parameters)


def measure(figure, pixels, factors):
    """Measure a stimulus of a figure by its part."""
    return resolve(load_suite("blindtest").figure_named(figure).measure)(pixels, factors)


def items_of(figures=None, **changes):
    """Return all items of some figures, with empty images."""
    suite = study_suite(**changes)
    asked = tuple(figures or suite.figures)
    spec = suite.question_spec(asked, asked)
    images = [
        Shown(one.stimulus_id, factors=one.factors, figure=figure)
        for figure in asked
        for one in specs(figure, suite.drawing_spec(figure)["settings"]["seed"])
    ]
    picture = {"pixels_sha256": "", "png": b"png"}
    made = questions.questions(images, spec["bank"], spec["settings"], images)
    return [item_row(question, "blindtest", lambda name: picture) for question in made]


def graded(task, subtask, key, answer, number, model="m", prompt="p", outcome="exact", **more):
    """Return one graded answer, factors as columns; it is right where it is the key."""
    return {
        "item_id": f"{task}/{subtask}/{number}/{prompt}",
        "suite": "blindtest",
        "model": model,
        "repeat": 0,
        "stimulus_id": f"{task}_{subtask}_{number}",
        "figure": task,
        "prompt": prompt,
        "question": subtask,
        "key": key,
        "answer": answer,
        "outcome": outcome,
        "reason": "refused: no" if outcome == "unparsed" else "",
        "correct": answer == key,
        "task": task,
        "subtask": subtask,
        "release": "v1",
        "base_figure": str(number),
        "canvas": "384",
        **more,
    }
