"""Tables of the four classes: what is counted, what readers see, and the rows it is compared with."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import pandas as pd

from afterimage.note import Note
from afterimage.showing.tables.accuracy import unparsed_share
from afterimage.showing.tables.baselines import answerer, beaten_by_position
from afterimage.showing.tables.bounds import interval_note
from afterimage.showing.tables.columns import Share, Text, rounded, whole
from afterimage.showing.tables.declaration import By, PaperForm, Settings, Table, TableNote
from afterimage.showing.tables.paper_form import PEOPLE_KIND, models_alone, percent_alone
from afterimage.suites.illusion_vqa.four_cells import (
    CLASSES,
    COUNTED,
    NAMES,
    NOTE,
    OF_NO_PAPER,
    PEOPLE,
    SCALED,
    UNSEEING,
    counted_units,
    has_further,
    in_subset,
    with_further,
)

HEADERS = {
    "both_correct": "Both correct",
    "apparent_only": "Apparent only",
    "actual_only": "Actual only",
    "both_wrong": "Both wrong",
}
CONDITIONS = {
    "genuine": "genuine",
    "fake": "fake",
    "control_genuine": "control of\ngenuine",
    "control_fake": "control of\nfake",
}
SUBSETS = {
    "all": "all images",
    "conditional": "genuine twin\nboth correct",
    "human_16": "representative\nimages",
    SCALED: "all variants",
    OF_NO_PAPER: "illusions not\nin the paper",
}
#: The name of the first of these where there are further variants.
_TWO_VARIANTS = "two variants,\nas in the paper"

#: Quoted, not measured here: the modal answers of 52 people (paper, tables 2, 3 and 6), as counts
#: out of 16 images.
PAPER_HUMANS = {
    "genuine": {"both_correct": 10, "apparent_only": 6, "actual_only": 0, "both_wrong": 0},
    "fake": {"both_correct": 16, "apparent_only": 0, "actual_only": 0, "both_wrong": 0},
}
_PAPER_HUMANS_N = 16


#: The shares of the four classes, and of units that could not be read.
SHARES = (
    *(
        Share(HEADERS[name], f"{name}_k", "n", f"{name}_low", f"{name}_high", value=name)
        for name in CLASSES
    ),
    *unparsed_share(),
)
PROMPT = Text("Prompt", "prompt", if_several=True)
_SIZES = (whole("n", "n"), whole("Illusions", "illusions", optional=True))
_MEANINGS = (
    "Both correct: actual and apparent question right; apparent only: the actual question wrong; actual only: "
    "the apparent question wrong.",
    "Unparsed: images with at least one answer that names no option or several; such an answer counts as "
    "wrong.",
    "Representative images: those that correspond to the 17 pairs that the paper showed to "
    "people (16 without Ponzo); the paper does not list them, the choice is ours.",
)


def four_cell_table(
    name: str,
    title: str,
    conditions: tuple[str, ...],
    subsets: tuple[str, ...],
    *notes: TableNote,
    paper: PaperForm | None = None,
    side_by_side: bool = False,
) -> Table:
    """Declare a table of the four classes per model, prompt, condition and subset.

    Args:
        conditions: The conditions to show, in the order of the rows.
        subsets: The subsets to show, in the order of the rows; see :func:`four_cells.in_subset`.
        notes: What belongs to this table alone.
        paper: How the paper prints it.
        side_by_side: Whether conditions are read side by side, on printed pages too.
    """
    several = len(conditions) > 1
    return Table(
        name,
        title,
        of=counted_units,
        rows=(
            By("model", references=UNSEEING),
            By("prompt"),
            partial(_cells, conditions, subsets),
        ),
        csv=("kind", "model", "prompt", "condition", "subset", *COUNTED),
        columns=(
            answerer(),
            PROMPT,
            *([Text("Condition", "condition", CONDITIONS)] if several else []),
            Text("Images", "subset_words"),
            *_SIZES,
            *SHARES,
        ),
        notes=(
            *notes,
            _cells_note,
            interval_note("illusions, all variants of one together"),
            *_MEANINGS,
            NOTE,
            _variants_note,
            *_people_notes(conditions),
            prompt_note,
            HUMAN_NOTE,
        ),
        warnings=(human_warnings,),
        findings=(beaten_by_position("both_correct", ("prompt", "condition", "subset")),),
        references=partial(_people, conditions),
        readers=with_subset_words,
        split_by=None if side_by_side else "Condition",
        paper=paper,
    )


def _cells(
    conditions: Sequence[str],
    subsets: Sequence[str],
    of_prompt: pd.DataFrame,
    settings: Settings,
) -> Iterator[tuple[dict[str, Any], pd.DataFrame]]:
    for condition in conditions:
        of_condition = of_prompt[of_prompt["condition"] == condition]
        for subset in _available_subsets(of_prompt, with_further(subsets, of_prompt)):
            chosen = in_subset(of_condition, subset, of_prompt)
            yield {"condition": condition, "subset": subset}, chosen


def models_side_by_side(caption: str, condition: str) -> PaperForm:
    """Declare the form of the paper's tables 2, 3 and 6: classes below each other, models and people side by side."""
    return PaperForm(
        caption,
        (Text("Model", "model"), *_ALONE),
        partial(_with_people, condition),
        "Percent of images; humans: modal answers about the images that people were shown.",
        swapped=True,
    )


def beside_controls(caption: str, words: Mapping[str, str]) -> PaperForm:
    """Declare the form of the paper's tables 4 and 5: of each model, an illusion beside its control.

    Args:
        words: Condition to the heading of its column.
    """
    return PaperForm(
        caption,
        (Text("VQA", "condition", words), *_ALONE),
        _as_in_paper,
        "Percent of images.",
        swapped=True,
        group_by="model",
    )


_ALONE = tuple(percent_alone(HEADERS[name], name, f"{name}_k") for name in CLASSES)
#: The paper's name of people.
_HUMANS = "Humans"


def _as_in_paper(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the models' rows over two variants of each illusion."""
    rows = models_alone(frame)
    return rows[(rows["subset"] == "all") & (rows["model"] != PEOPLE)]


def _with_people(condition: str, frame: pd.DataFrame) -> pd.DataFrame:
    """Return the models' rows, followed by the study's people or, without any, those of the paper."""
    of_study = frame[frame["model"] == PEOPLE].assign(model=_HUMANS)
    if of_study.empty:
        counts = PAPER_HUMANS[condition]
        row: dict[str, Any] = {"model": f"{_HUMANS} (paper)", "n": _PAPER_HUMANS_N}
        of_study = pd.DataFrame([row | {f"{name}_k": k for name, k in counts.items()}])
    people = of_study.assign(kind=PEOPLE_KIND, prompt="")
    return pd.concat([_as_in_paper(frame), people], ignore_index=True)


def with_subset_words(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows with a name of their images for readers, ``subset_words``."""
    words = SUBSETS | ({"all": _TWO_VARIANTS} if frame["subset"].eq(SCALED).any() else {})
    return frame.assign(subset_words=frame["subset"].map(words))


#: The source of the decision on which illusions count.
HUMAN_NOTE = "Which illusions count (human filter): {human_source}."
_PEOPLE_NOTE = (
    "People (paper): quoted from the paper, not measured here; modal answers of 52 people to other drawings of the "
    "same illusions."
)


def _available_subsets(units: pd.DataFrame, subsets: Sequence[str]) -> Sequence[str]:
    """Return the subsets that a row can have: people saw the representative images alone."""
    if units["model"].eq(PEOPLE).any():
        return ["human_16"]
    if units["model"].isin(NAMES).any():
        # Which images the conditional ones are depends on the model.
        return [subset for subset in subsets if subset != "conditional"]
    return subsets


def _people_notes(conditions: Sequence[str]) -> list[TableNote]:
    quoted = any(name in PAPER_HUMANS for name in conditions)
    return [_study_people_note, *([_PEOPLE_NOTE] if quoted else [])]


def _study_people_note(grades: pd.DataFrame, settings: Settings) -> Iterator[str]:
    if "people" in settings:
        yield (
            f"{PEOPLE}: modal answers of the people whom this study asked, once they have answered everything about "
            "the representative images; a tie is not right."
        )


def _variants_note(grades: pd.DataFrame, settings: Settings) -> Iterator[str]:
    if has_further(grades):
        yield (
            "All variants: further drawings of the same illusions as well. Nobody judged these; they count where the "
            "illusion does."
        )


def human_warnings(grades: pd.DataFrame, settings: Settings) -> Iterator[str]:
    """Yield the sentence that marks every table whose human filter rests on simulated people."""
    if settings["synthetic_humans"]:
        yield "Synthetic human data: the human filter rests on simulated participants."


#: Reference responders that answer alike wherever the inducer is there.
_TEXTBOOKS = ("textbook_cued", "textbook_gated")


def textbook_note(grades: pd.DataFrame, settings: Settings) -> Iterator[str]:
    """Say why two rows are the same in a table whose images all have the inducer."""
    if set(_TEXTBOOKS) <= set(grades["model"]):
        yield (
            f"{' and '.join(_TEXTBOOKS)} are identical by construction: they differ only where the inducer is absent, "
            "and here it is always present."
        )


def prompt_note(grades: pd.DataFrame, settings: Settings) -> Iterator[str]:
    """Name the prompt where there is only one, and so no column of prompts."""
    prompts = list(grades["prompt"].unique())
    if len(prompts) == 1:
        yield Note("Prompt: {prompts}.", prompts=prompts[0])


def _cells_note(grades: pd.DataFrame, settings: Settings) -> Iterator[str]:
    repeats = grades["repeat"].nunique()
    unit = "images" if repeats == 1 else f"images times {repeats} repeats"
    yield Note(
        "Cells: percent (k/n); n counts {unit}. Percent are rounded half up, so a row may "
        "sum to 99.9 or 100.1.",
        unit=unit,
    )


def _people(
    conditions: tuple[str, ...], grades: pd.DataFrame, settings: Settings
) -> Iterator[dict[str, str]]:
    several = len(conditions) > 1
    for condition in conditions:
        if condition in PAPER_HUMANS:
            counts = PAPER_HUMANS[condition]
            yield {
                "Model": "people (paper)",
                **({"Condition": CONDITIONS[condition]} if several else {}),
                "Images": SUBSETS["human_16"],
                "n": rounded(_PAPER_HUMANS_N, 0),
            } | {
                HEADERS[name]: Share("", name, n="n").cell({name: k, "n": _PAPER_HUMANS_N})
                for name, k in counts.items()
            }


GENUINE_VQA = four_cell_table(
    "genuine_vqa",
    "Genuine illusions: how often a model answers the actual and the apparent question right",
    ("genuine",),
    ("all", "human_16"),
    "Compare with the paper's table 2 (models over 28 images, people over 16).",
    textbook_note,
    paper=models_side_by_side(
        "Genuine illusions: right answers to both questions, one or none (table 2 of Shinozaki et al.).",
        "genuine",
    ),
)


FAKE_VQA = four_cell_table(
    "fake_vqa",
    "Fake illusions: the inducer is there, and the difference that it feigns is there as well",
    ("fake",),
    ("all", "conditional", "human_16"),
    "Compare a model's first row with the paper's tables 3 and 6: their printed shares "
    "are over all 28 fakes.",
    "Genuine twin both correct: only fakes whose genuine twin the same model answered "
    "right on both questions (the paper's section 4.2); n/a where there is none.",
    textbook_note,
    paper=models_side_by_side(
        "Fake illusions: right answers to both questions, one or none (tables 3 and 6 of Shinozaki et al.).",
        "fake",
    ),
)


CONTROL_VQA = four_cell_table(
    "control_vqa",
    "Controls: genuine and fake figures with the inducer removed",
    ("control_genuine", "control_fake"),
    ("all", "conditional", "human_16"),
    "Compare a model's first row of each condition with the paper's tables 4 (control of genuine) and 5 "
    "(control of fake); the caption of table 5 calls its columns genuine, but its numbers "
    "are those of fakes.",
    "Genuine twin both correct: only controls whose genuine twin the same model answered "
    "right on both questions; n/a where there is none.",
)


GENUINE_BESIDE_CONTROL = four_cell_table(
    "genuine_beside_control",
    "Genuine illusions and the same figures without the inducer",
    ("genuine", "control_genuine"),
    ("all",),
    "Compare with the paper's table 4, which prints GPT-4o alone, over 28 images each.",
    paper=beside_controls(
        "Genuine illusions and their controls: right answers to both questions, one or none (table 4 "
        "of Shinozaki et al.).",
        {"genuine": "Genuine illusion", "control_genuine": "Control"},
    ),
    side_by_side=True,
)


FAKE_BESIDE_CONTROL = four_cell_table(
    "fake_beside_control",
    "Fake illusions and the same figures without the inducer",
    ("fake", "control_fake"),
    ("all",),
    "Compare with the paper's table 5, which prints GPT-4o alone, over 28 images each.",
    paper=beside_controls(
        "Fake illusions and their controls: right answers to both questions, one or none (table 5 of "
        "Shinozaki et al.).",
        {"fake": "Fake illusion", "control_fake": "Control"},
    ),
    side_by_side=True,
)
