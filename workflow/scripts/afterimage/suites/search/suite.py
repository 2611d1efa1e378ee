"""Visual search as one value."""

from dataclasses import dataclass

from afterimage.contract.front import Front, Score
from afterimage.contract.settings import SuiteSettings, prompts_in_use, setting
from afterimage.contract.stimulus import Json
from afterimage.contract.suite import Chart, Figure, Sheet, Suite
from afterimage.suites.search import bank
from afterimage.suites.search.meanings import MEANINGS
from afterimage.suites.search.names import ABSENT, CONDITIONS, PRESENT
from afterimage.suites.search.places import DESIGN, first_position

_HERE = "afterimage.suites.search"


@dataclass(frozen=True)
class Settings(SuiteSettings):
    """Which conditions with how many items, and how is asked."""

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
    prompt_file: str = setting("resources/prompts/search.yaml", "Prompts.")
    prompts: list[str] = prompts_in_use(
        ["present", "quadrant"],
        "Ids out of the prompt file; d' needs a prompt that asks whether the target is present.",
        items={"type": "string"},
    )


def figures(settings: Settings) -> tuple[Figure, ...]:
    """Return the configured conditions in their order."""
    return tuple(
        Figure(
            condition,
            design=f"{_HERE}.places",
            draw=f"{_HERE}.picture",
            measure=f"{_HERE}.measuring",
            place=first_position(condition, settings),
        )
        for condition in CONDITIONS
        if condition in settings.conditions
    )


def drawing(figure: str, settings: Settings) -> Json:
    """Return the settings that bear on drawing."""
    return {"seed": settings.seed, "set_sizes": sorted(settings.set_sizes)}


def shown_on_sheet(settings: Settings) -> list[tuple[str, str]]:
    """Return what the sheet shows, one row per condition: at each set size, one image with target and one without."""
    return [
        (figure, DESIGN.name.format(figure=figure, set_size=size, presence=presence, replicate=3))
        for figure in CONDITIONS
        if figure in settings.conditions
        for size in sorted(settings.set_sizes)[-5:]
        for presence in (PRESENT, ABSENT)
    ]


def front(settings: Settings) -> Front:
    """Return what is read first: accuracy by condition, of the first prompt."""
    shown = {"prompt": settings.prompts[0], "set_size": "all"}
    labels = [name for name in CONDITIONS if name in settings.conditions]
    scores = tuple(
        Score(label.capitalize(), "search", where={**shown, "condition": label}) for label in labels
    )
    return Front(scores, main="Conjunction" if "conjunction" in labels else "")


SUITE = Suite(
    "Visual search",
    figures,
    f"{_HERE}.questions",
    description="Is the odd item there, among how many, and do two features have to be bound to find it?",
    settings=Settings,
    words=bank.words,
    drawing=drawing,
    asking=bank.asking,
    observer=f"{_HERE}.observer",
    textbook=f"{_HERE}.textbook",
    tables=(f"{_HERE}.tables.search",),
    pairs=f"{_HERE}.tables.search",
    table_reads={"search": "responses"},
    front=front,
    charts=(Chart("search", ("search",), f"{_HERE}.charts.search"),),
    sheets=(Sheet("search_stimuli", 10, shown_on_sheet),),
    strata=("presence",),
    meanings=MEANINGS,
)
