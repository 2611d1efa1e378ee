"""Visual search as one value."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from afterimage.contract.adaptive import AdaptiveSettings
from afterimage.contract.design import EditionSettings, edition_seed
from afterimage.contract.front import Front, Score
from afterimage.contract.settings import prompts_in_use, setting
from afterimage.contract.stimulus import Json
from afterimage.contract.suite import Chart, Figure, People, QuestionInputs, Sheet, Suite
from afterimage.errors import config_path
from afterimage.files.yaml import Checked, read_checked, require, require_each
from afterimage.suites.search.design import (
    ABSENT,
    CONDITIONS,
    DESIGN,
    PRESENT,
    QUADRANTS,
    QUESTIONS,
    first_position,
)
from afterimage.suites.thresholds.asking_people import ASK_PEOPLE, PEOPLE_MEANINGS, about_people

_HERE = "afterimage.suites.search"
#: The table of people's sensitivity.
PEOPLE = "search_people"
#: Question to the grader that reads its answers.
_ANSWER_TYPES = dict(zip(QUESTIONS, ("yes_no", "choice"), strict=True))


@dataclass(frozen=True)
class Settings(AdaptiveSettings, EditionSettings):
    conditions: list[str] = setting(
        list(CONDITIONS),
        "What tells the target from the other items; binding is told from sight by the first three together.",
        minItems=1,
        uniqueItems=True,
        items={"type": "string", "enum": list(CONDITIONS)},
    )
    set_sizes: list[int] = setting(
        [4, 8, 16, 32, 48],
        "Numbers of items, the target among them, even; slopes need two, what binding costs needs 32.",
        minItems=1,
        uniqueItems=True,
        items={"type": "integer", "minimum": 2, "maximum": 64, "multipleOf": 2},
    )
    seed: int = setting(20241105, "Chooses the places of the items.", minimum=0)
    ask_people: bool = ASK_PEOPLE
    exposure_ms: int = setting(
        200,
        "For how long people see a picture, ms, to a frame of their screen; 0: until they answer.",
        minimum=0,
        maximum=10_000,
    )
    prompt_file: str = setting("resources/prompts/search.yaml", "Prompts.")
    prompts: list[str] = prompts_in_use(
        ["present", "quadrant"],
        "Ids out of the prompt file; d' needs a prompt that asks whether the target is present.",
        items={"type": "string"},
    )


def figures(settings: Settings) -> tuple[Figure, ...]:
    return tuple(
        Figure(
            condition,
            design=f"{_HERE}.design:DESIGN",
            draw=f"{_HERE}.drawing:draw",
            measure=f"{_HERE}.seeing:measure",
            position=first_position(condition, settings),
        )
        for condition in CONDITIONS
        if condition in settings.conditions
    )


def drawing(figure: str, settings: Settings) -> Json:
    return {
        "seed": edition_seed(settings, "search"),
        "set_sizes": sorted(settings.set_sizes),
    }


def words(settings: Settings) -> Json:
    """Read and check the prompt file.

    Returns:
        ``targets`` (condition to the target's name) and ``prompts`` (id to ``question``, ``answer_type``, ``text`` and,
        for questions about the quadrant, ``options``: quadrant to its words).
    """
    prompt_file = read_checked(settings.prompt_file, "the YAML file of prompts")
    prompt_file.keys(("targets", "prompts"))
    targets = prompt_file["targets"].lines(CONDITIONS)
    prompts = {name: _checked(entry) for name, entry in prompt_file["prompts"].entries("prompt")}
    require_each(settings.prompts, "prompt", prompts, config_path("suites.search.prompts"))
    return {"targets": targets, "prompts": prompts}


def _checked(entry: Checked) -> dict[str, Any]:
    entry.keys(("question", "text"), optional=("options",))
    question = entry["question"].text()
    require(question, "question", QUESTIONS, entry["question"].where)
    prompt = {"question": question, "answer_type": _ANSWER_TYPES[question]}
    if question == "present":
        entry.keys(("question", "text"))
        return {**prompt, "text": entry["text"].template(("target",), ("target",))}
    entry.keys(("question", "text", "options"))
    options, slots = entry["options"].lines(QUADRANTS), ("target", "options")
    return {**prompt, "text": entry["text"].template(slots, slots), "options": options}


def question_inputs(
    words: Json, settings: Settings, figures: Sequence[str], people: People
) -> QuestionInputs:
    prompts = list(settings.prompts)
    chosen = {name: words["prompts"][name] for name in prompts}
    named = {name: words["targets"][name] for name in sorted(figures)}
    return QuestionInputs({"prompts": chosen, "targets": named}, {"prompts": prompts})


def shown_on_sheet(settings: Settings) -> list[tuple[str, str]]:
    """Return a row per condition: at each set size, one image with target and one without."""
    return [
        (figure, DESIGN.name.format(figure=figure, set_size=size, presence=presence, replicate=3))
        for figure in CONDITIONS
        if figure in settings.conditions
        for size in sorted(settings.set_sizes)[-5:]
        for presence in (PRESENT, ABSENT)
    ]


def front(settings: Settings) -> Front:
    shown = {"prompt": settings.prompts[0], "set_size": "all"}
    labels = [name for name in CONDITIONS if name in settings.conditions]
    scores = tuple(
        Score(label.capitalize(), "search", where={**shown, "condition": label}) for label in labels
    )
    return Front(scores, main="Conjunction" if "conjunction" in labels else "")


_MEANINGS = {
    **PEOPLE_MEANINGS,
    "track": "number of items",
    "no_d_prime": "why there is none: `flat`, answers that depend on no target",
    "condition": "`colour`, `shape`, `conjunction` of both, or `configuration` (T among L)",
    "set_size": "items on the image, the target among them; `all` for all set sizes",
    "layouts": "different places of items; each is shown with and without target",
    "hit_n": "answers that were read, to images with a target; empty where places were asked for",
    "hit_k": "of these, yes",
    "false_alarm_n": "answers that were read, to images without a target",
    "false_alarm_k": "of these, yes",
    "yes_share": "percent of the answers that were read that said yes",
    "d_prime": "z(hits) - z(false alarms), each rate (k + 0.5) / (n + 1); in rows of one set size",
    "bias": "-(z(hits) + z(false alarms)) / 2; negative where yes is said readily",
    "d_per_doubling": "change of d' when the number of items doubles; in rows `all`",
    "points_per_item": "change of accuracy with one more item, percentage points; in rows `all`",
    "binding_cost": (
        "mean d' of colour and shape minus that of conjunction, at 32 items; in row `all` of "
        "conjunction"
    ),
    "*_low": "lower bound of the interval; of d', slopes and costs by the jackknife over four groups of layouts",
    "tokens_median": "median of the reasoning tokens of an answer, where the server counts them",
}

SUITE = Suite(
    "Visual search",
    figures,
    f"{_HERE}.questions",
    description="Is the odd item there, among how many, and do two features have to be bound to find it?",
    settings=Settings,
    words=words,
    drawing=drawing,
    question_inputs=question_inputs,
    observer=f"{_HERE}.seeing:answer",
    textbook=f"{_HERE}.questions:answer",
    tables=(f"{_HERE}.tables:SEARCH", f"{_HERE}.tables:{PEOPLE.upper()}"),
    **about_people(
        "search",
        f"{_HERE}.questions",
        lambda words, settings, people: {"exposure_ms": settings.exposure_ms},
    ),
    graded_tables=(f"{_HERE}.tables:SEARCH_GRADED",),
    graded_charts=(Chart("search_graded", ("search_graded",), f"{_HERE}.charts:draw_graded"),),
    pairs=f"{_HERE}.tables:PAIRS",
    table_reads={"search": "responses"},
    front=front,
    adaptive=f"{_HERE}.tables",
    charts=(Chart("search", ("search",), f"{_HERE}.charts:draw", also=(PEOPLE,)),),
    sheets=(Sheet("search_stimuli", 10, shown_on_sheet),),
    strata=("presence",),
    meanings=_MEANINGS,
)
