"""The illusions over a grid of inducer strengths and true differences, as one value."""

from collections.abc import Sequence
from dataclasses import dataclass

from afterimage.contract.adaptive import AdaptiveSettings
from afterimage.contract.design import EditionSettings, fresh
from afterimage.contract.front import Front, Score
from afterimage.contract.settings import prompts_in_use, setting
from afterimage.contract.stimulus import Json
from afterimage.contract.suite import Chart, Figure, People, QuestionInputs, Sheet, Suite
from afterimage.errors import config_path, fault
from afterimage.suites.illusion_strength.grid import (
    DESIGN,
    NO_GUIDE,
    differences,
    first_position,
    strengths,
)
from afterimage.suites.illusion_strength.questions import (
    GUIDE,
    YES_NO,
    apparent_words,
    asks_directions,
    asks_yes_no,
    load_prompts,
    select,
)
from afterimage.suites.illusions.names import (
    GRID_FIGURES,
    ILLUSIONS,
    VARIANTS,
    drawn_by,
    require_illusion,
)
from afterimage.suites.thresholds.asking_people import ASK_PEOPLE, PEOPLE_MEANINGS, about_people

MEANINGS = {
    **PEOPLE_MEANINGS,
    "condition": "what a page of people's was about: the illusion",
    "track": "strength of the inducer; `magnitude`: point of equality without it minus that with it",
    "trials": "answers about truly different targets, attention checks and practice apart",
    "trials_right_k": "of these, those that agree with the true difference, which an inducer hides",
    "guide": "whether the images have an aid drawn over them: `no` or `yes`",
    "illusion": "the illusion; `all` for the mean over those with a magnitude",
    "strength": "of the inducer, as a fraction of the genuine figure's",
    "difference": "true difference of the targets, as a fraction of the fake figure's, as it was to be drawn"
    "; of pairs of models first minus second, percentage points",
    "realised": "the same as it was drawn, mean over the cell",
    "kind": "`control` (no inducer), `equal` (no difference), `congruent` or `conflict`",
    "first": "answers that the first target has more; of pairs of models the first one",
    "neutral": "answers that the two are the same",
    "second": "answers that the second target has more; of pairs of models the second one",
    "unparsed": "answers that could not be read; they are in no fit",
    "cut_off": "of these, replies that ended before an answer",
    "refused": "of the unparsed answers, those that were refused or withheld",
    "no_pse": "why `pse` is empty: `no answers`, `flat`, `inverted`, `not crossed`",
    "slope": "of the fitted curve, 1 / sigma",
    "pse": "point of subjective equality: the difference at which first and second are equally likely",
    "magnitude": "the illusion's: pse without inducer minus pse",
    "*_bootstrap_low": "lower bound of the same by the counted-out bootstrap over replicates",
    "*_bootstrap_high": "upper bound of the same",
    "slope_low": "lower bound of the jackknife over replicates",
    "pse_low": "the same; at -1 or 1: at least that far",
    "magnitude_low": "the same; of `all` from a bootstrap over illusions",
    "location": "fitted: pse / sigma",
    "criterion": "fitted: c / sigma",
    "c": "half the width of the differences that are called the same",
    "lapse": "share of answers that do not depend on the image",
    "replicates": "variants and places, the clusters of the intervals",
    "neutral_*_k": "answers that the two are the same, at the full difference and this strength or its opposite",
    "neutral_*_n": "answers to the same images; of the actual question, at strengths above 0",
    "knowledge_both": "knowledge index: share of `the same` with the inducer minus without, -1 to 1",
    "knowledge_congruent": "the same where difference and inducer have one direction",
    "knowledge_conflict": "the same where they have opposite directions",
    "reversed_prompt": "the prompt that asks the other way about the same images; empty where none was asked",
    "inducer": "which perturbed images with an inducer: `congruent`, `conflict` or `both`",
    "n_original": "answers about images with inducer and equal targets",
    "n_perturbed": "with inducer and truly different targets",
    "n_control_*": "the same without inducer",
    "original": "percent right of `n_original`",
    "original_k": "right answers of `n_original`; unread ones are wrong",
    "perturbed": "percent right of `n_perturbed`",
    "perturbed_k": "right answers of `n_perturbed`",
    "illusion_drop": "`original` minus `perturbed`, points; bounds by the jackknife over replicates",
    "control_drop": "the same without inducer",
    "excess_drop": "`illusion_drop` minus `control_drop`",
    "multiplier": "R of VI-Probe: `illusion_drop` / (`control_drop` + 0.1 points)",
    "no_multiplier": "why it is empty: `control drop includes 0`, `control drop has no interval`",
    "pairs": "images with the inducer asked about both ways",
    "pfc_k": "pairs in which both answers say the same of the image",
    "pfa_k": "of these both right",
    "cbw_k": "of these both wrong",
    "tfi_k": "pairs with the same word to both questions",
    "unread_pair_k": "pairs with an unread answer, which are none of the others",
    "pfc": "percent of pairs in which both answers say the same of the image",
    "pfa": "of these both right, percent of pairs",
    "cbw": "of these both wrong, percent of pairs",
    "tfi": "percent of pairs with the same word to both questions",
    "unread_pair": "percent of pairs with an unread answer",
    "control_*": "the same of images without inducer",
    "right_k": "right answers to yes-or-no questions",
    "illusions": "illusions behind a row `all`",
    "illusions_with_magnitude": "those of them that have a magnitude",
}

# ---- The suite as one value ----

_HERE = "afterimage.suites.illusion_strength"
_AIDS = "afterimage.suites.illusions.guides:DRAWS"
_LEVELS = {
    "minItems": 1,
    "uniqueItems": True,
    "items": {"type": "number", "minimum": -1, "maximum": 1},
}
_TABLES = ("illusion_strength", "illusion_strength_cells")
#: The table on probabilities.
GRADED = "illusion_strength_graded"
#: The table of people's results.
PEOPLE = "illusion_strength_people"
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
class Settings(AdaptiveSettings, EditionSettings):
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
    ask_people: bool = ASK_PEOPLE
    prompt_file: str = setting("resources/prompts/illusion_strength.yaml", "Questions and prompts.")
    prompts: list[str] = prompts_in_use(
        ["directional"],
        "Ids of the prompts to ask with, out of the prompt file; forced_choice has no neutral option; same, same_look "
        "and different are answered yes or no, for the table perceive_recall.",
    )


def figure_named(name: str, position: int = 0, guides: bool = False) -> Figure:
    require_illusion(name)
    return Figure(
        name,
        design=f"{_HERE}.grid",
        draw=f"{_AIDS}.{name}" if guides else drawn_by(name),
        measure=f"{_HERE}.seeing:MEASURES.{name}",
        position=position,
    )


def figures(settings: Settings) -> tuple[Figure, ...]:
    return tuple(
        figure_named(name, first_position(name, settings), settings.guides)
        for name in GRID_FIGURES
        if name in settings.illusions
    )


def words(settings: Settings) -> Json:
    """Read and check the prompt file, and the grid that the settings ask for."""
    prompts = load_prompts(settings.prompt_file)
    if settings.guides and not asks_yes_no(settings):
        raise fault(
            config_path("suites.illusion_strength.guides"),
            f"found true with the prompts {', '.join(settings.prompts)}, "
            f"which are not asked about images with an aid; expected one of {', '.join(YES_NO)} among them, or false.",
        )
    select(prompts, settings.prompts, settings.illusions)
    for figure in settings.illusions:
        names = DESIGN.ids(figure, settings)
        if not names:
            raise fault(
                config_path("suites.illusion_strength.strengths"),
                f"found none that '{figure}' can have; expected at least "
                "one of 0 and 1, or illusions without it.",
            )
        if len(set(names)) != len(names):
            raise fault(
                config_path("suites.illusion_strength"),
                "two levels agree in their first six digits; expected levels that "
                "names can tell apart.",
            )
    return prompts


def drawing(figure: str, settings: Settings) -> Json:
    return {
        "differences": list(differences(settings)),
        "strengths": list(strengths(figure, settings)),
        # Only where they are drawn, so that images without them do not change.
        **({"guides": True} if settings.guides else {}),
        **fresh(settings, "illusion_strength"),
    }


def question_inputs(
    words: Json, settings: Settings, figures: Sequence[str], people: People
) -> QuestionInputs:
    prompts = list(settings.prompts)
    return QuestionInputs(select(words, prompts, figures), {"prompts": prompts})


def shown_on_sheet(settings: Settings) -> list[tuple[str, str]]:
    """Return the images of the contact sheet as pairs of figure and stimulus id, one row per illusion.

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
    """Return the first, the middle and the last level; with fewer than three, some are repeated."""
    last = len(levels) - 1
    return [levels[round(step * last / (_SHOWN_LEVELS - 1))] for step in range(_SHOWN_LEVELS)]


def _asking_people(words: Json, settings: Settings, people: People) -> Json:
    """Return the questions to people, and the strongest inducer as factors name it."""
    return {
        "figures": apparent_words(words, settings.illusions),
        "strength": f"{max(settings.strengths):g}",
    }


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
        f"{_HERE}.charts:draw_illusion",
        also=(PEOPLE,),
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
    question_inputs=question_inputs,
    observer=f"{_HERE}.seeing:answer",
    textbook=f"{_HERE}.questions:answer",
    tables=(
        *(f"{_HERE}.tables:{name.upper()}" for name in _TABLES),
        *(f"{_HERE}.tables_yes_no:{name.upper()}" for name in _YES_NO_TABLES),
        f"{_HERE}.tables:{PEOPLE.upper()}",
    ),
    pairs=f"{_HERE}.tables:PAIRS",
    graded_tables=(f"{_HERE}.tables_graded:{GRADED.upper()}",),
    graded_charts=(Chart(GRADED, (GRADED,), f"{_HERE}.charts:draw_graded", asks_directions),),
    **about_people(
        "illusion_strength",
        f"{_HERE}.forms",
        _asking_people,
        dict.fromkeys((*_TABLES, GRADED), lambda settings, people: asks_directions(settings))
        | dict.fromkeys(_YES_NO_TABLES, lambda settings, people: asks_yes_no(settings)),
    ),
    front=front,
    adaptive=f"{_HERE}.tables",
    charts=(
        Chart(
            "illusion_strength",
            tuple(reversed(_TABLES)),
            f"{_HERE}.charts:draw_summary",
            asks_directions,
            also=(PEOPLE,),
        ),
        Chart(
            "perceive_recall", _YES_NO_TABLES, f"{_HERE}.charts:draw_perceive_recall", asks_yes_no
        ),
        *map(_chart_of, GRID_FIGURES),
    ),
    sheets=(Sheet("illusion_strength_grid", _SHOWN_LEVELS**2, shown_on_sheet),),
    figure_named=figure_named,
    paper=f"{_HERE}.paper",
    meanings=MEANINGS,
)
