"""Digits hidden in dots as one value."""

from dataclasses import dataclass

from afterimage.contract.adaptive import AdaptiveSettings
from afterimage.contract.design import EditionSettings, edition_seed
from afterimage.contract.front import Front, Score
from afterimage.contract.settings import prompts_in_use, setting
from afterimage.contract.stimulus import Json
from afterimage.contract.suite import Chart, Figure, Sheet, Suite, prompts_alone
from afterimage.files.yaml import Checked, read_prompts
from afterimage.suites.hidden_digits.design import (
    AXES,
    BLURRED,
    BLURS,
    DESIGN,
    SHARP,
    STEPS,
    first_position,
)
from afterimage.suites.thresholds.asking_people import ASK_PEOPLE, PEOPLE_MEANINGS, about_people

_HERE = "afterimage.suites.hidden_digits"
#: The table of people's thresholds.
PEOPLE = "hidden_digits_people"


@dataclass(frozen=True)
class Settings(AdaptiveSettings, EditionSettings):
    axes: list[str] = setting(
        list(AXES),
        "Along what the dots of the digit differ from the others.",
        minItems=1,
        uniqueItems=True,
        items={"type": "string", "enum": list(AXES)},
    )
    blur: bool = setting(True, "Whether every image is also shown blurred.")
    seed: int = setting(20250604, "Of the places and the lightness of the dots.", minimum=0)
    ask_people: bool = ASK_PEOPLE
    prompt_file: str = setting("resources/prompts/hidden_digits.yaml", "Prompts.")
    prompts: list[str] = prompts_in_use(
        ["which"], "Ids out of the prompt file.", items={"type": "string"}
    )


def figures(settings: Settings) -> tuple[Figure, ...]:
    return tuple(
        Figure(
            axis,
            design=f"{_HERE}.design",
            draw=f"{_HERE}.drawing:draw",
            measure=f"{_HERE}.seeing:measure",
            position=first_position(axis),
        )
        for axis in AXES
        if axis in settings.axes
    )


def words(settings: Settings) -> Json:
    prompt_file = read_prompts(settings, "hidden_digits", _check)
    prompts = {
        name: {"answer_type": "choice", **entry} for name, entry in prompt_file["prompts"].items()
    }
    return {"prompts": prompts}


def _check(name: str, entry: Checked) -> None:
    entry.keys(("text",))
    entry["text"].template(("options",), ("options",))


def drawing(figure: str, settings: Settings) -> Json:
    return {"seed": edition_seed(settings, "hidden_digits"), "blur": settings.blur}


def shown_on_sheet(settings: Settings) -> list[tuple[str, str]]:
    """Return a row per axis and blur: one plate at each difference."""
    return [
        (axis, DESIGN.name.format(figure=axis, blur=blur, level=level, side="first", plate="52p"))
        for axis in AXES
        if axis in settings.axes
        for blur in (BLURS if settings.blur else BLURS[:1])
        for level in range(STEPS.count + 1)
    ]


def front(settings: Settings) -> Front:
    labels = {"red_green": "Red and green", "light": "Light"}
    scores = tuple(
        Score(
            labels[axis] if blur == SHARP else f"{labels[axis]}, blurred",
            "hidden_digits",
            where={"prompt": settings.prompts[0], "axis": axis, "blur": blur},
        )
        for axis in AXES
        if axis in settings.axes
        for blur in BLURS
        if blur != BLURRED or settings.blur
    )
    return Front(scores, main=scores[0].label)


_MEANINGS = {
    **PEOPLE_MEANINGS,
    "condition": "axis and blur",
    "axis": "along what the dots of the digit differ from the others: `red_green` or `light`",
    "blur": "`sharp`, or `blurred` by 6 px",
    "n": "answers about images with a difference",
    "right_k": "right answers about images with a difference",
    "guess_n": "answers about images without any difference",
    "guess_k": "of these, those that name the digit that the dots would form; about half",
    "slope": "of the fitted curve, 1 / sigma, per unit of t (t = 1: 64 CIEDE2000, each sixth half the difference)",
    "slope_low": "lower bound of the jackknife over the eight plates",
    "side_bias": "t at which both digits are named equally often, negative where the first one is named readily; -1 or "
    "1: nearly always the same one",
    "criterion": "empty: no prompt offers that nothing is hidden",
    "lapse": "share of answers that do not depend on the image, the same in all rows of a model and prompt",
    "no_threshold": "why there is none: `flat`, `inverted`, `below 2 CIEDE2000`, `above 64 CIEDE2000`, `no answers`",
    "threshold": "difference in CIEDE2000 at which three of four digits are named correctly, excluding lapses",
    "threshold_low": "lower bound, also where the estimate lies beyond what was shown; at 2 or 64: at least that far",
    "blur_gain": "right answers about blurred images minus those about the same ones sharp, percentage points",
    "difference_left": "share of the shown difference between dots that the model's own image processor leaves; of "
    "models that run here, about sharp images",
    "threshold_left": "threshold in the difference that is left, CIEDE2000",
}

SUITE = Suite(
    "Digits hidden in dots",
    figures,
    f"{_HERE}.questions",
    description="How different must dots be in colour for the digit that they form to be named, sharp and blurred?",
    settings=Settings,
    words=words,
    drawing=drawing,
    question_inputs=prompts_alone,
    observer=f"{_HERE}.seeing:answer",
    textbook=f"{_HERE}.questions:answer",
    tables=(f"{_HERE}.tables:HIDDEN_DIGITS", f"{_HERE}.tables:HIDDEN_DIGITS_PEOPLE"),
    **about_people("hidden_digits", f"{_HERE}.questions"),
    graded_tables=(f"{_HERE}.tables:HIDDEN_DIGITS_GRADED",),
    graded_charts=(
        Chart("hidden_digits_graded", ("hidden_digits_graded",), f"{_HERE}.charts:draw_graded"),
    ),
    table_reads={"hidden_digits": "seen"},
    front=front,
    adaptive=f"{_HERE}.tables",
    charts=(Chart("hidden_digits", ("hidden_digits",), f"{_HERE}.charts:draw", also=(PEOPLE,)),),
    sheets=(Sheet("hidden_digits_stimuli", STEPS.count + 1, shown_on_sheet),),
    strata=("side",),
    meanings=_MEANINGS,
)
