"""Tunnel vision as one value."""

from dataclasses import dataclass

from afterimage.contract.front import Front, Score
from afterimage.contract.settings import SuiteSettings, prompts_in_use, setting
from afterimage.contract.stimulus import Json
from afterimage.contract.suite import Chart, Figure, Sheet, Suite
from afterimage.suites.tunnel_vision import bank
from afterimage.suites.tunnel_vision.meanings import MEANINGS
from afterimage.suites.tunnel_vision.names import CONTEXTS, CROSSINGS, DISPLACEMENTS, HOPS, TASKS

_HERE = "afterimage.suites.tunnel_vision"
#: Position of each task's first image: it stays whichever tasks are configured.
_PLACES = {"follow": 0, "trace": 176, "same_object": 356}


@dataclass(frozen=True)
class Settings(SuiteSettings):
    """Which tasks, and how is asked."""

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
    """Return the configured tasks in order."""
    return tuple(
        Figure(
            task,
            design=f"{_HERE}.designs.{task}",
            draw=f"{_HERE}.figures.{task}",
            measure=f"{_HERE}.observer.{task}",
            place=_PLACES[task],
        )
        for task in TASKS
        if task in settings.tasks
    )


def drawing(figure: str, settings: Settings) -> Json:
    """Return the settings that bear on drawing."""
    return {"seed": settings.seed}


def shown_on_sheet(settings: Settings) -> list[tuple[str, str]]:
    """Return what the sheet shows: of each task some images, each with its control."""
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
    """Return what is read first: accuracy by task."""
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


SUITE = Suite(
    "Tunnel vision",
    figures,
    f"{_HERE}.questions",
    description="Is sight carried from place to place: along labels, along a wire, from one object to the next?",
    settings=Settings,
    words=bank.words,
    drawing=drawing,
    asking=bank.asking,
    answer_types=("choice",),
    observer=f"{_HERE}.observer",
    textbook=f"{_HERE}.textbook",
    tables=(f"{_HERE}.tables.tunnel_vision",),
    front=front,
    charts=(Chart("tunnel_vision", ("tunnel_vision",), f"{_HERE}.charts.tunnel_vision"),),
    sheets=(Sheet("tunnel_vision_stimuli", 8, shown_on_sheet),),
    meanings=MEANINGS,
)
