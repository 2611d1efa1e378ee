"""Contrast thresholds as one value."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from afterimage.contract.adaptive import AdaptiveSettings
from afterimage.contract.design import EditionSettings, fresh
from afterimage.contract.front import Front, Score
from afterimage.contract.settings import prompts_in_use, setting
from afterimage.contract.stimulus import Json
from afterimage.contract.suite import Chart, Figure, People, QuestionInputs, Sheet, Suite
from afterimage.errors import config_path
from afterimage.files.yaml import Checked, read_checked, require, require_each
from afterimage.suites.contrast.design import (
    BLANK,
    DESIGN,
    FREQUENCIES,
    GRATING,
    MANY_BLANKS,
    NONE,
    PATTERNS,
    QUESTIONS,
    REPLICATES,
    SEEN,
    SIDES,
    THREE,
    WHERE,
    blanks,
    figure_of,
    first_position,
)
from afterimage.suites.thresholds.asking_people import ASK_PEOPLE, PEOPLE_MEANINGS, about_people

_HERE = "afterimage.suites.contrast"
#: The table of people's thresholds.
PEOPLE = "contrast_people"
#: The options that a question has.
_OPTIONS = {WHERE: SIDES, THREE: (*SIDES, NONE)}
#: Levels of contrast that the sheet shows.
_SHOWN_LEVELS = (1, 2, 3, 4, 5, 6, 8)


@dataclass(frozen=True)
class Settings(AdaptiveSettings, EditionSettings):
    frequencies: list[int] = setting(
        list(FREQUENCIES),
        "Spatial frequencies of the patterns, cycles per image width.",
        minItems=1,
        uniqueItems=True,
        items={"type": "integer", "enum": list(FREQUENCIES)},
    )
    pattern: str = setting(
        GRATING,
        "What is shown: a grating, or noise of one octave with its root mean square (the paper's way).",
        enum=list(PATTERNS),
    )
    blanks: int | None = setting(
        None,
        "Images without a pattern; by default 4, or 64 where the prompt `seen` needs them to count false alarms.",
        minimum=1,
        maximum=MANY_BLANKS,
    )
    seed: int = setting(20250814, "Of the dither, and of noise as a pattern.", minimum=0)
    ask_people: bool = ASK_PEOPLE
    prompt_file: str = setting("resources/prompts/contrast.yaml", "Prompts.")
    prompts: list[str] = prompts_in_use(
        ["where", "three"],
        "Ids out of the prompt file: where (which half), three (or no pattern), seen (yes or no, the paper's way).",
        items={"type": "string"},
    )


def figures(settings: Settings) -> tuple[Figure, ...]:
    patterns = [
        figure_of(frequency) for frequency in FREQUENCIES if frequency in settings.frequencies
    ]
    return tuple(
        Figure(
            name,
            design=f"{_HERE}.design:{'BLANKS' if name == BLANK else 'DESIGN'}",
            draw=f"{_HERE}.drawing:draw",
            measure=f"{_HERE}.seeing:measure",
            position=first_position(name),
        )
        for name in (BLANK, *patterns)
    )


def drawing(figure: str, settings: Settings) -> Json:
    drawn = {"seed": settings.seed, "pattern": settings.pattern, **fresh(settings, "contrast")}
    return {**drawn, "blanks": blanks(settings)} if figure == BLANK else drawn


def words(settings: Settings) -> Json:
    """Read and check the prompt file.

    Returns:
        ``patterns``: the name of each, required where a prompt mentions it. ``prompts``: id to ``question``,
        ``answer_type``, ``text`` and, except for ``seen``, ``options`` (id to words).
    """
    prompt_file = read_checked(settings.prompt_file, "the YAML file of prompts")
    prompt_file.keys(("prompts",), optional=("patterns",))
    prompts = {name: _checked(entry) for name, entry in prompt_file["prompts"].entries("prompt")}
    if any("{pattern}" in prompt["text"] for prompt in prompts.values()):
        prompt_file.keys(("prompts", "patterns"))
    patterns = prompt_file["patterns"].lines(PATTERNS) if "patterns" in prompt_file.value else {}
    require_each(settings.prompts, "prompt", prompts, config_path("suites.contrast.prompts"))
    return {"patterns": patterns, "prompts": prompts}


def _checked(entry: Checked) -> dict[str, Any]:
    entry.keys(("question", "text"), optional=("options",))
    question = entry["question"].text()
    require(question, "question", QUESTIONS, entry["question"].where)
    if question == SEEN:
        entry.keys(("question", "text"))
        text = entry["text"].template(("pattern",))
        return {"question": question, "answer_type": "yes_no", "text": text}
    entry.keys(("question", "text", "options"))
    options = entry["options"].lines(_OPTIONS[question])
    text = entry["text"].template(("options", "pattern"), ("options",))
    return {"question": question, "answer_type": "choice", "text": text, "options": options}


def question_inputs(
    words: Json, settings: Settings, figures: Sequence[str], people: People
) -> QuestionInputs:
    prompts = list(settings.prompts)
    chosen = {name: words["prompts"][name] for name in prompts}
    pattern = words["patterns"].get(settings.pattern, "")
    return QuestionInputs({"prompts": chosen, "pattern": pattern}, {"prompts": prompts})


def shown_on_sheet(settings: Settings) -> list[tuple[str, str]]:
    """Return a row per frequency: levels of contrast, on the left."""
    replicate = [*REPLICATES[settings.pattern]][2]
    return [
        (name, DESIGN.name.format(figure=name, level=level, side="left", replicate=replicate))
        for frequency in FREQUENCIES
        if frequency in settings.frequencies
        for name in [figure_of(frequency)]
        for level in _SHOWN_LEVELS
    ]


def front(settings: Settings) -> Front:
    scores = tuple(
        Score(
            f"{frequency} cycles",
            "contrast",
            where={"prompt": settings.prompts[0], "frequency_cycles": str(frequency)},
        )
        for frequency in FREQUENCIES
        if frequency in settings.frequencies
    )
    middle = "32 cycles"
    return Front(scores, main=middle if middle in [score.label for score in scores] else "")


_MEANINGS = {
    **PEOPLE_MEANINGS,
    "frequency_cycles": "spatial frequency, cycles per image width",
    "cycles_per_degree": "the same for a person at 60 cm, a pixel being 0.25 mm",
    "right_k": "right answers about images with a pattern",
    "n": "answers about images with a pattern",
    "blank_n": "answers that were read, about images without a pattern; they count for every frequency",
    "false_alarm_k": "of these, those that say a pattern is there",
    "slope": "of the fitted curve, 1 / sigma, per unit of t (t = 1: 64 %, each eighth half the contrast)",
    "slope_low": "lower bound of the jackknife over the four replicates",
    "side_bias": "t at which left and right are named equally often; -1 or 1: nearly always one side",
    "criterion": "contrast below which no pattern is said to be there, percent; of prompts that offer it",
    "lapse": "share of answers that do not depend on the image, the same at every frequency",
    "no_threshold": "why there is none: `flat`, `inverted`, `below 0.5 %`, `above 64 %`, `no answers`, `yes or no`",
    "threshold": "contrast in percent at which three of four sides are named correctly, excluding lapses",
    "condition": "what a page of people's was about: cycles per image width",
    "threshold_low": "lower bound, also where the estimate lies beyond what was shown; at 0.5 or 64: at least that far",
    "sensitivity": "100 / threshold",
    "contrast_left": "share of the shown contrast that the model's own image processor leaves; of models that run here",
    "threshold_left": "threshold in the contrast that is left, percent",
}

SUITE = Suite(
    "Contrast thresholds",
    figures,
    f"{_HERE}.questions",
    description="How weak may a pattern be, at each spatial frequency, for its side to be named?",
    settings=Settings,
    words=words,
    drawing=drawing,
    question_inputs=question_inputs,
    observer=f"{_HERE}.seeing:answer",
    textbook=f"{_HERE}.questions:answer",
    tables=(f"{_HERE}.tables:CONTRAST", f"{_HERE}.tables:CONTRAST_PEOPLE"),
    **about_people(
        "contrast",
        f"{_HERE}.questions",
        lambda words, settings, people: {"pattern": settings.pattern},
    ),
    graded_tables=(f"{_HERE}.tables:CONTRAST_GRADED",),
    graded_charts=(Chart("contrast_graded", ("contrast_graded",), f"{_HERE}.charts:draw_graded"),),
    table_reads={"contrast": "seen"},
    front=front,
    adaptive=f"{_HERE}.tables",
    charts=(Chart("contrast", ("contrast",), f"{_HERE}.charts:draw", also=(PEOPLE,)),),
    sheets=(Sheet("contrast_stimuli", len(_SHOWN_LEVELS), shown_on_sheet),),
    strata=("side",),
    meanings=_MEANINGS,
)
