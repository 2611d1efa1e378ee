"""Some images of suites that draw what they show, and what is asked about them, as the jobs make them."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from afterimage.contract.finding import load_suite
from afterimage.contract.parts import resolve
from afterimage.contract.question import Question
from afterimage.contract.stimulus import Shown, StimulusSpec
from afterimage.planning.configuration import load_study
from afterimage.planning.suites import StudySuite

ROOT = Path(__file__).resolve().parents[2]


class Image(NamedTuple):
    """An image: its figure, what it was drawn from, what is known of it, and its pixels."""

    figure: str
    spec: StimulusSpec
    factors: Mapping[str, str]
    pixels: np.ndarray


class Sample(NamedTuple):
    """Some images of a suite.

    Attributes:
        suite: The suite.
        some: Tells by its place in the figure whether an image is one of them.
        settings: Those of the study.
    """

    suite: str
    some: Callable[[int, StimulusSpec], bool]
    settings: Mapping[str, Any]


def _named(*endings: str) -> Callable[[int, StimulusSpec], bool]:
    return lambda place, spec: spec.stimulus_id.endswith(endings)


def _counted(index: int, spec: StimulusSpec) -> bool:
    """One shift of flags and boards; of grids three sizes and the first cell."""
    if spec.factors["task"] != "grids":
        return spec.factors["shift"] == "a"
    return spec.factors["size"] in ("6", "9", "12") and spec.stimulus_id.split("_")[3] == "0"


def _every_17th_or_19th(index: int, spec: StimulusSpec) -> bool:
    return index % (19 if "same_object" in spec.stimulus_id else 17) == 0


_PATTERNS = {"prompts": ["where", "three", "seen"]}
SAMPLES = {
    # Each side, each orientation, the weakest and the strongest; two blanks.
    "contrast": Sample(
        "contrast",
        _named(
            *("k1_left_h0", "k1_right_v90", "k2_left_v0", "k5_right_h90", "k8_left_v90"),
            *("blank_00", "blank_01"),
        ),
        _PATTERNS,
    ),
    # The weakest, a middle and the strongest, on either side.
    "contrast_noise": Sample(
        "contrast",
        _named(*("k1_left_n1", "k4_right_n2", "k8_left_n3", "k8_right_n4", "blank_00", "blank_01")),
        {**_PATTERNS, "pattern": "noise", "frequencies": [8, 32, 128]},
    ),
    "counting_bias": Sample("counting_bias", _counted, {}),
    # Of each axis and blur none, the least, a middle and the greatest difference; plates of other pairs.
    "hidden_digits": Sample(
        "hidden_digits",
        _named("k0_first_04p", "k1_second_52p", "k1_first_63m", "k3_second_97p", "k6_first_40m"),
        {},
    ),
    # A replicate of each group: the target is once in each quadrant and replaces either kind of distractor.
    "search": Sample("search", _named("_00", "_05", "_10", "_15"), {}),
    "tunnel_vision": Sample("tunnel_vision", _every_17th_or_19th, {}),
}


def study_suite(suite: str, settings: Mapping[str, Any]) -> StudySuite:
    """Return a suite as a study with these settings asks for it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        study = load_study(
            {"models": ["chance"], "suites": {suite: settings}}, ROOT / "workflow" / "schemas"
        )
        return StudySuite(suite, load_suite(suite), study.suites[suite])


@lru_cache(maxsize=1)
def images_of(sample: str) -> list[Image]:
    """Draw the images of a sample, figure by figure; not to be changed."""
    sample_of = SAMPLES[sample]
    planned, found = study_suite(sample_of.suite, sample_of.settings), []
    for figure in planned.figures:
        spec = planned.drawing_spec(figure)
        draw = resolve(spec["draw"])
        for index, image_spec in enumerate(resolve(spec["design"]).specs(figure, spec["settings"])):
            if sample_of.some(index, image_spec):
                drawing = draw(**image_spec.parameters)
                factors = {**image_spec.factors, **drawing.factors}
                found.append(Image(figure, image_spec, factors, drawing.pixels))
    return found


def asked_about(sample: str, images: list[Image]) -> list[tuple[Question, np.ndarray]]:
    """Return every question about images, with their pixels."""
    sample_of = SAMPLES[sample]
    figures = list(dict.fromkeys(image.figure for image in images))
    spec = study_suite(sample_of.suite, sample_of.settings).question_spec(figures, figures)
    shown = [Shown(one.spec.stimulus_id, factors=one.factors, figure=one.figure) for one in images]
    pixels = {one.spec.stimulus_id: one.pixels for one in images}
    found = resolve(spec["questions"])(shown, spec["bank"], spec["settings"], shown)
    return [(question, pixels[question.shown.stimulus_id]) for question in found]


def text_of(question: Question) -> str:
    """Return what is said beside the image."""
    return "\n".join(part for part in question.turns[-1].parts if isinstance(part, str))
