"""Contrast thresholds as one value."""

from dataclasses import dataclass

from afterimage.contract.front import Front, Score
from afterimage.contract.settings import SuiteSettings, prompts_in_use, setting
from afterimage.contract.stimulus import Json
from afterimage.contract.suite import Chart, Figure, Sheet, Suite
from afterimage.suites.contrast import bank
from afterimage.suites.contrast.design import DESIGN, blanks, figure_of, first_position
from afterimage.suites.contrast.meanings import MEANINGS
from afterimage.suites.contrast.names import (
    BLANK,
    FREQUENCIES,
    GRATING,
    MANY_BLANKS,
    PATTERNS,
    REPLICATES,
)

_HERE = "afterimage.suites.contrast"
#: Levels of contrast that the sheet shows.
_SHOWN_LEVELS = (1, 2, 3, 4, 5, 6, 8)


@dataclass(frozen=True)
class Settings(SuiteSettings):
    """Which spatial frequencies, and how is asked."""

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
    prompt_file: str = setting("resources/prompts/contrast.yaml", "Prompts.")
    prompts: list[str] = prompts_in_use(
        ["where", "three"],
        "Ids out of the prompt file: where (which half), three (or no pattern), seen (yes or no, the paper's way).",
        items={"type": "string"},
    )


def figures(settings: Settings) -> tuple[Figure, ...]:
    """Return images without a pattern and those of each frequency."""
    patterns = [figure_of(one) for one in FREQUENCIES if one in settings.frequencies]
    return tuple(
        Figure(
            name,
            design=f"{_HERE}.design:{'BLANKS' if name == BLANK else 'DESIGN'}",
            draw=f"{_HERE}.picture",
            measure=f"{_HERE}.measuring",
            place=first_position(name),
        )
        for name in (BLANK, *patterns)
    )


def drawing(figure: str, settings: Settings) -> Json:
    """Return the settings that bear on drawing."""
    drawn = {"seed": settings.seed, "pattern": settings.pattern}
    return {**drawn, "blanks": blanks(settings)} if figure == BLANK else drawn


def shown_on_sheet(settings: Settings) -> list[tuple[str, str]]:
    """Return what the sheet shows, one row per frequency: levels of contrast, on the left."""
    replicate = [*REPLICATES[settings.pattern]][2]
    return [
        (name, DESIGN.name.format(figure=name, level=level, side="left", replicate=replicate))
        for frequency in FREQUENCIES
        if frequency in settings.frequencies
        for name in [figure_of(frequency)]
        for level in _SHOWN_LEVELS
    ]


def front(settings: Settings) -> Front:
    """Return what is read first: right answers by frequency, of the first prompt."""
    scores = tuple(
        Score(
            f"{one} cycles",
            "contrast",
            where={"prompt": settings.prompts[0], "frequency_cycles": str(one)},
        )
        for one in FREQUENCIES
        if one in settings.frequencies
    )
    middle = "32 cycles"
    return Front(scores, main=middle if middle in [one.label for one in scores] else "")


SUITE = Suite(
    "Contrast thresholds",
    figures,
    f"{_HERE}.questions",
    description="How weak may a pattern be, at each spatial frequency, for its side to be named?",
    settings=Settings,
    words=bank.words,
    drawing=drawing,
    asking=bank.asking,
    observer=f"{_HERE}.observer",
    textbook=f"{_HERE}.textbook",
    tables=(f"{_HERE}.tables.contrast",),
    table_reads={"contrast": "seen"},
    front=front,
    charts=(Chart("contrast", ("contrast",), f"{_HERE}.charts.contrast"),),
    sheets=(Sheet("contrast_stimuli", len(_SHOWN_LEVELS), shown_on_sheet),),
    strata=("side",),
    meanings=MEANINGS,
)
