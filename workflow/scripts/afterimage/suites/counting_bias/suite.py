"""Counting what is usual, changed by one, as one value."""

from collections.abc import Sequence
from dataclasses import dataclass

from afterimage.contract.front import Front, Score
from afterimage.contract.settings import SuiteSettings, prompts_in_use, setting
from afterimage.contract.stimulus import Json
from afterimage.contract.suite import Chart, Figure, Sheet, Suite
from afterimage.errors import unknown_name
from afterimage.suites.counting_bias import designs
from afterimage.suites.counting_bias.bank import asking, words
from afterimage.suites.counting_bias.meanings import MEANINGS
from afterimage.suites.counting_bias.names import BOARDS, STARS, STRIPES, TASKS

_HERE = "afterimage.suites.counting_bias"
#: Position of each task's first image; the designs have 84, 72, 96 and 168.
_PLACES = {"stripes": 0, "stars": 84, "boards": 156, "grids": 252}


@dataclass(frozen=True)
class Settings(SuiteSettings):
    """What is drawn, and how is asked."""

    tasks: list[str] = setting(
        list(TASKS),
        "The tasks to draw; all four by default.",
        minItems=1,
        uniqueItems=True,
        items={"type": "string", "enum": list(TASKS)},
    )
    identify: bool = setting(
        True, "Also ask whether a familiar flag or board is the usual one (table identification)."
    )
    seed: int = setting(1, "Chooses the cells of the grids that are asked about.", minimum=0)
    prompt_file: str = setting("resources/prompts/counting_bias.yaml", "Questions and prompts.")
    prompts: list[str] = prompts_in_use(
        ["neutral"],
        "Ids of the prompts to ask with, out of the prompt file: neutral, official (with the paper's example {9}), "
        "debiasing.",
    )


def figure_named(name: str) -> Figure:
    """Return the figure of a task.

    Raises:
        AfterimageError: There is no such task.
    """
    if name not in TASKS:
        raise unknown_name("figure", name, TASKS, "suite 'counting_bias'")
    return Figure(
        name,
        f"{_HERE}.designs:{name.upper()}_DESIGN",
        draw=f"{_HERE}.figures.{name}",
        measure=f"{_HERE}.measuring:{name}",
        place=_PLACES[name],
    )


def figures(settings: Settings) -> tuple[Figure, ...]:
    """Return the configured tasks in order."""
    return tuple(figure_named(task) for task in TASKS if task in settings.tasks)


def drawing(figure: str, settings: Settings) -> Json:
    """Return the settings that bear on drawing: the seed, for grids alone."""
    return {"seed": settings.seed} if figure == "grids" else {}


def shown_on_sheet(settings: Settings) -> Sequence[tuple[str, str]]:
    """Return what the sheet shows: of every subject each alteration, familiar and as its twin."""
    found = []
    subjects: dict[str, list[str]] = {
        "stripes": list(STRIPES),
        "stars": list(STARS),
        "boards": [f"{board}_rows" for board in BOARDS],
        "grids": ["dice_6_0", "dice_9_0", "tally_8_0", "tally_11_0"],
    }
    for task in (task for task in TASKS if task in settings.tasks):
        twin, end = ("alone", "") if task == "grids" else ("plain", "_a")
        found += [
            (task, f"{task}_{subject}_{context}_{alteration}{end}")
            for subject in subjects[task]
            for context in ("familiar", twin)
            for alteration in designs.ALTERATIONS
        ]
    return found


def _score(label: str, context: str, alteration: str) -> Score:
    where = {"task": "all", "context": context, "alteration": alteration}
    return Score(label, "counting_bias", where=where)


SUITE = Suite(
    "counting_bias",
    figures,
    f"{_HERE}.questions",
    description="Counting what is usual, changed by one: flags, boards, grids, and their unfamiliar twins.",
    settings=Settings,
    words=words,
    drawing=drawing,
    asking=asking,
    answer_types=lambda words, settings: ("integer", *(("yes_no",) if settings.identify else ())),
    observer=f"{_HERE}.observer",
    textbook=f"{_HERE}.textbook",
    tables=tuple(
        f"{_HERE}.tables.{name}"
        for name in (
            "counting_bias",
            "counting_bias_costs",
            "identification",
        )
    ),
    pairs=f"{_HERE}.tables.counting_bias",
    front=Front(
        (
            _score("Familiar, as usual", "familiar", "0"),
            _score("Plain, altered", "plain", "altered"),
            _score("Familiar, altered", "familiar", "altered"),
        )
    ),
    charts=(Chart("counting_bias", ("counting_bias",), f"{_HERE}.charts.counting_bias"),),
    sheets=(Sheet("counting_bias_stimuli", 12, shown_on_sheet),),
    figure_named=figure_named,
    paper=f"{_HERE}.paper",
    meanings=MEANINGS,
)
