"""Tunnel vision as one value."""

from collections.abc import Sequence
from dataclasses import dataclass

from afterimage.contract.design import EditionSettings, edition_seed
from afterimage.contract.front import Front, Score
from afterimage.contract.settings import prompts_in_use, setting
from afterimage.contract.stimulus import Json
from afterimage.contract.suite import Chart, Figure, People, QuestionInputs, Sheet, Suite
from afterimage.errors import config_path, fault
from afterimage.files.yaml import Checked, read_prompts, require
from afterimage.suites.tunnel_vision.tasks import (
    CONTEXTS,
    CROSSINGS,
    DISPLACEMENTS,
    HOPS,
    NONE,
    SIDES,
    TASKS,
)

_HERE = "afterimage.suites.tunnel_vision"
#: Position of each task's first image: it stays whichever tasks are configured.
_FIRST_POSITIONS = {"follow": 0, "trace": 176, "same_object": 356}

#: Slots of each task's prompts, once each.
_SLOTS = {
    "follow": ("start", "steps", "options"),
    "trace": ("options",),
    "same_object": ("options",),
}


@dataclass(frozen=True)
class Settings(EditionSettings):
    tasks: list[str] = setting(
        list(TASKS),
        "Tasks: follow (a chain of labels), trace (a wire among wires), same_object (which copy differs).",
        minItems=1,
        uniqueItems=True,
        items={"type": "string", "enum": list(TASKS)},
    )
    seed: int = setting(20250718, "Of places, chains, wires and objects.", minimum=0)
    prompt_file: str = setting("resources/prompts/tunnel_vision.yaml", "Prompts.")
    prompts: list[str] = prompts_in_use(
        ["follow", "trace", "which", "three"],
        "Ids out of the prompt file, at least one for each task.",
        items={"type": "string"},
    )


def figures(settings: Settings) -> tuple[Figure, ...]:
    return tuple(
        Figure(
            task,
            design=f"{_HERE}.tasks:{task.upper()}_DESIGN",
            draw=f"{_HERE}.drawing:draw_{task}",
            measure=f"{_HERE}.seeing:measure_{task}",
            position=_FIRST_POSITIONS[task],
        )
        for task in TASKS
        if task in settings.tasks
    )


def drawing(figure: str, settings: Settings) -> Json:
    return {"seed": edition_seed(settings, "tunnel_vision")}


def words(settings: Settings) -> Json:
    """Read and check the prompt file, and that each task has a prompt."""
    found = read_prompts(settings, "tunnel_vision", _check)
    tasks = {found["prompts"][prompt]["task"] for prompt in settings.prompts}
    for task in settings.tasks:
        if task not in tasks:
            raise fault(
                config_path("suites.tunnel_vision.prompts"),
                f"none of {', '.join(settings.prompts)} is about the task "
                f"'{task}'; expected one for each of tasks: {', '.join(settings.tasks)}.",
            )
    return found


def question_inputs(
    words: Json, settings: Settings, figures: Sequence[str], people: People
) -> QuestionInputs:
    chosen = {
        name: words["prompts"][name]
        for name in settings.prompts
        if words["prompts"][name]["task"] in figures
    }
    return QuestionInputs({"prompts": chosen}, {"prompts": list(chosen)})


def _check(name: str, entry: Checked) -> None:
    entry.keys(("task", "text"), optional=("options",))
    task = entry["task"].text()
    require(task, "task", TASKS, entry["task"].where)
    entry["text"].template(_SLOTS[task], _SLOTS[task])
    if task != "same_object":
        entry.keys(("task", "text"))
        return
    entry.keys(("task", "text", "options"))
    entry["options"].keys(SIDES, optional=(NONE,))
    for side in entry["options"].value:
        entry["options"][side].line()


def shown_on_sheet(settings: Settings) -> list[tuple[str, str]]:
    """Return some images of each task, each with its control."""
    shown = {
        "follow": [f"follow_{hops}_03_{context}" for hops in HOPS for context in CONTEXTS],
        "trace": [
            *(f"trace_{crossings:02d}_03_task" for crossings in CROSSINGS),
            *(f"trace_{crossings:02d}_03_control" for crossings in CROSSINGS[2:]),
        ],
        "same_object": [
            *(f"same_object_{by:02d}_left_00" for by in (0, *DISPLACEMENTS)),
            *(f"same_object_{by:02d}_right_00" for by in DISPLACEMENTS[3:]),
        ],
    }
    return [(task, name) for task in TASKS if task in settings.tasks for name in shown[task]]


def front(settings: Settings) -> Front:
    labels = [task for task in TASKS if task in settings.tasks]
    return Front(
        tuple(
            Score(
                label.capitalize().replace("_", " "),
                "tunnel_vision",
                where={"task": label, "level": "all"},
            )
            for label in labels
        )
    )


_MEANINGS = {
    "task": "`follow`: a chain of labels; `trace`: a wire among wires; `same_object`: which copy has a part elsewhere",
    "level": "hops of the chain, crossings of the asked wire, px of displacement; `all` for all of them",
    "control_n": "answers to controls: boards without labels, the wire alone; in rows `all` also two true copies",
    "control_k": "of these, right",
    "control": "right answers to controls in percent; empty where there is no control",
    "per_hop": "percent of single hops that are right, above guessing: a of accuracy = g + (1 - g) a^hops",
    "per_hop_low": "lower bound, by the jackknife over boards on the scale of log a",
    "slope": "of the curve fitted to left and right, 1 / sigma, per unit of t (t = 1: 32 px, each fifth half of it)",
    "side_bias": "t at which left and right are named equally often; -1 or 1: nearly always one side",
    "criterion": "displacement below which both copies are said to be the same, px; of prompts that offer it",
    "lapse": "share of answers that do not depend on the image",
    "no_threshold": "why there is none: `flat`, `inverted`, `below 2 px`, `above 32 px`, `no answers`",
    "threshold": "displacement in px at which three of four sides are named correctly, excluding lapses",
}

SUITE = Suite(
    "Tunnel vision",
    figures,
    f"{_HERE}.tasks",
    description="Is sight carried from place to place: along labels, along a wire, from one object to the next?",
    settings=Settings,
    words=words,
    drawing=drawing,
    question_inputs=question_inputs,
    answer_types=("choice",),
    observer=f"{_HERE}.seeing:answer",
    textbook=f"{_HERE}.tasks:answer",
    tables=(f"{_HERE}.tables:TUNNEL_VISION",),
    front=front,
    charts=(Chart("tunnel_vision", ("tunnel_vision",), f"{_HERE}.charts:draw"),),
    sheets=(Sheet("tunnel_vision_stimuli", 8, shown_on_sheet),),
    meanings=_MEANINGS,
)
