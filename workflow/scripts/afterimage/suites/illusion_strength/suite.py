"""The illusions over a grid of inducer strengths and true differences, as one value."""

from collections.abc import Sequence
from dataclasses import dataclass

from afterimage.contract.front import Front, Score
from afterimage.contract.settings import SuiteSettings, prompts_in_use, setting
from afterimage.contract.stimulus import Json
from afterimage.contract.suite import Asked, Chart, Figure, Sheet, Suite
from afterimage.errors import AfterimageError
from afterimage.suites.illusion_strength.bank import load_bank, select
from afterimage.suites.illusion_strength.grid import (
    DESIGN,
    NO_GUIDE,
    differences,
    first_position,
    strengths,
)
from afterimage.suites.illusion_strength.meanings import MEANINGS
from afterimage.suites.illusion_strength.names import GUIDE, YES_NO, asks_directions, asks_yes_no
from afterimage.suites.illusions.names import (
    FIGURES,
    GRID_FIGURES,
    ILLUSIONS,
    VARIANTS,
    require_illusion,
)

_HERE = "afterimage.suites.illusion_strength"
_AIDS = "afterimage.suites.illusions.guides:DRAWS"
_LEVELS = {
    "minItems": 1,
    "uniqueItems": True,
    "items": {"type": "number", "minimum": -1, "maximum": 1},
}
_TABLES = ("illusion_strength", "illusion_strength_cells")
#: The tables of yes-or-no questions.
_YES_NO_TABLES = ("perceive_recall", "perceive_recall_dose")
#: Strengths and differences that a row of the contact sheet shows: the ends of the grid and its middle.
_SHOWN_LEVELS = 3

_SCORES = {
    "Different, with inducer": "perturbed",
    "Equal, with inducer": "original",
    "Different, no inducer": "control_perturbed",
    "Equal, no inducer": "control_original",
}


@dataclass(frozen=True)
class Settings(SuiteSettings):
    """Which illusions at which levels, and how is asked."""

    illusions: list[str] = setting(
        [name for name in ILLUSIONS if name != "ponzo"],
        "The illusions to draw; by default the 14 that the paper kept. ponzo can be added, and those that the paper "
        "does not have.",
        minItems=1,
        uniqueItems=True,
        items={"type": "string", "enum": list(GRID_FIGURES)},
    )
    strengths: list[float] = setting(
        [-1, -0.5, 0, 0.5, 1],
        "Strengths of the inducer as fractions of the genuine figure's; negative ones reverse it, 0 removes it. "
        "orbison, poggendorff and mach_bands take those from 0 on, irradiation and mach_bands whole ones alone.",
        **_LEVELS,
    )
    differences: list[float] = setting(
        [-1, -0.75, -0.5, -0.25, -0.125, 0, 0.125, 0.25, 0.5, 0.75, 1],
        "True differences as fractions of the fake figure's; one of a strength's sign agrees with the illusion.",
        **_LEVELS,
    )
    guides: bool = setting(
        False,
        "Every image a second time with an aid: the first target's measure, laid at the second. Those are asked about "
        "with same, same_look and different alone.",
    )
    prompt_file: str = setting("resources/prompts/illusion_strength.yaml", "Questions and prompts.")
    prompts: list[str] = prompts_in_use(
        ["directional"],
        "Ids of the prompts to ask with, out of the prompt file; forced_choice has no neutral option; same, same_look "
        "and different are answered yes or no, for the table perceive_recall.",
    )


def figure_named(name: str, place: int = 0, guides: bool = False) -> Figure:
    """Return an illusion, with aids or without.

    Raises:
        AfterimageError: There is no such illusion.
    """
    require_illusion(name)
    return Figure(
        name,
        design=f"{_HERE}.grid",
        draw=f"{_AIDS}.{name}" if guides else f"{FIGURES}.{name}",
        measure=f"{_HERE}.invariants:MEASURES.{name}",
        place=place,
    )


def figures(settings: Settings) -> tuple[Figure, ...]:
    """Return the configured illusions in the paper's order."""
    return tuple(
        figure_named(name, first_position(name, settings), settings.guides)
        for name in GRID_FIGURES
        if name in settings.illusions
    )


def words(settings: Settings) -> Json:
    """Read and check the prompt file that the settings name, and the grid that they ask for.

    Raises:
        AfterimageError: The prompt file, a prompt or a level is not what it should be.
    """
    bank = load_bank(settings.prompt_file)
    if settings.guides and not asks_yes_no(settings):
        raise AfterimageError(
            f"config: suites.illusion_strength.guides: found true with the prompts {', '.join(settings.prompts)}, "
            f"which are not asked about images with an aid; expected one of {', '.join(YES_NO)} among them, or false."
        )
    select(bank, settings.prompts, settings.illusions)
    for figure in settings.illusions:
        names = DESIGN.ids(figure, settings)
        if not names:
            raise AfterimageError(
                f"config: suites.illusion_strength.strengths: found none that '{figure}' can have; expected at least "
                "one of 0 and 1, or illusions without it."
            )
        if len(set(names)) != len(names):
            raise AfterimageError(
                "config: suites.illusion_strength: two levels agree in their first six digits; expected levels that "
                "names can tell apart."
            )
    return bank


def drawing(figure: str, settings: Settings) -> Json:
    """Return the settings that bear on drawing: the levels of the grid."""
    return {
        "differences": list(differences(settings)),
        "strengths": list(strengths(figure, settings)),
        # Only where they are drawn: what is drawn without them stays what it was.
        **({"guides": True} if settings.guides else {}),
    }


def asking(words: Json, settings: Settings, figures: Sequence[str]) -> Asked:
    """Return the words and settings that questions about these figures are made of."""
    prompts = list(settings.prompts)
    return Asked(select(words, prompts, figures), {"prompts": prompts})


def shown_on_sheet(settings: Settings) -> list[tuple[str, str]]:
    """Return what the sheet shows as pairs of figure and stimulus id, one row per illusion.

    A row holds variant A at the ends and the middle of the configured strengths and, within each, of the differences.
    """
    return [
        (
            figure,
            DESIGN.name.format(
                figure=figure,
                variant=VARIANTS[0],
                strength=s,
                difference=d,
                shift="a",
                guide=NO_GUIDE,
            ),
        )
        for figure in GRID_FIGURES
        if figure in settings.illusions
        for s in _shown(strengths(figure, settings))
        for d in _shown(differences(settings))
    ]


def _shown(levels: Sequence[float]) -> list[float]:
    """Return the first, the middle and the last level; of fewer than three, one more than once."""
    last = len(levels) - 1
    return [levels[round(step * last / (_SHOWN_LEVELS - 1))] for step in range(_SHOWN_LEVELS)]


def front(settings: Settings) -> Front:
    """Return what is read first: where no directions are asked, how consistent and right the answers are."""
    table, _ = _TABLES if asks_directions(settings) else _YES_NO_TABLES
    if table in _TABLES:
        return Front((Score(SUITE.title, table),))
    rows = {"prompt": settings.prompts[0], GUIDE: "no", "illusion": "all", "inducer": "both"}
    return Front(
        tuple(
            Score(label, table, name, f"{name}_low", f"{name}_high", rows, unread="unparsed")
            for label, name in _SCORES.items()
        ),
        # Always yes, or always no, is right about all that differ, and about nothing that is equal.
        main=tuple(_SCORES)[:2],
    )


def _chart_of(figure: str) -> Chart:
    return Chart(
        f"illusion_strength_{figure}",
        tuple(reversed(_TABLES)),
        f"{_HERE}.charts.illusion",
        when=lambda settings: figure in settings.illusions and asks_directions(settings),
        named=True,
    )


SUITE = Suite(
    "Illusion strength",
    figures,
    f"{_HERE}.questions",
    description="The illusions over a grid of inducer strengths and true differences.",
    settings=Settings,
    words=words,
    drawing=drawing,
    asking=asking,
    observer=f"{_HERE}.observer",
    textbook=f"{_HERE}.textbook",
    tables=tuple(f"{_HERE}.tables.{name}" for name in (*_TABLES, *_YES_NO_TABLES)),
    pairs=f"{_HERE}.tables.illusion_strength",
    tables_when=dict.fromkeys(_TABLES, asks_directions)
    | dict.fromkeys(_YES_NO_TABLES, asks_yes_no),
    front=front,
    charts=(
        Chart(
            "illusion_strength",
            tuple(reversed(_TABLES)),
            f"{_HERE}.charts.illusion_strength",
            asks_directions,
        ),
        Chart("perceive_recall", _YES_NO_TABLES, f"{_HERE}.charts.perceive_recall", asks_yes_no),
        *map(_chart_of, GRID_FIGURES),
    ),
    sheets=(Sheet("illusion_strength_grid", _SHOWN_LEVELS**2, shown_on_sheet),),
    figure_named=figure_named,
    paper=f"{_HERE}.paper",
    meanings=MEANINGS,
)
