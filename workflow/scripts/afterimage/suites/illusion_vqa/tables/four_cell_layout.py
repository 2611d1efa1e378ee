"""What readers see of a table of the four classes, and the rows it is compared with."""

from collections.abc import Iterable, Mapping, Sequence

import pandas as pd

from afterimage.errors import AfterimageError
from afterimage.showing.rounding import percent, rounded
from afterimage.showing.table_layout import Layout, Share, Text
from afterimage.suites.illusion_vqa.tables.four_cells import CLASSES, guessing_baseline

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
}

#: Quoted, not measured here: the modal answers of 52 people (paper, tables 2, 3 and 6), as counts
#: out of 16 images.
PAPER_HUMANS = {
    "genuine": {"both_correct": 10, "apparent_only": 6, "actual_only": 0, "both_wrong": 0},
    "fake": {"both_correct": 16, "apparent_only": 0, "actual_only": 0, "both_wrong": 0},
}
_PAPER_HUMANS_N = 16


def four_cell_layout(
    grades: pd.DataFrame,
    settings: Mapping,
    title: str,
    conditions: Sequence[str],
    subsets: Sequence[str],
    notes: Iterable[str] = (),
) -> Layout:
    """Describe the reader's table: shares with their intervals, baseline, quoted people, notes.

    Args:
        grades: As in :func:`four_cells.classified`.
        settings: "confidence"; "human_source", where the decision on the illusions came from;
            "synthetic_humans", whether that decision rests on simulated people.
        title: What the table shows.
        conditions: The conditions of the table.
        subsets: The subsets of the table.
        notes: Sentences that belong to this table alone.
    """
    prompts = list(grades["prompt"].unique())
    names = [Text("Model", "model")]
    if len(prompts) > 1:
        names.append(Text("Prompt", "prompt"))
    if len(conditions) > 1:
        names.append(Text("Condition", "condition", CONDITIONS))
    names += [Text("Images", "subset", SUBSETS), Text("n", "n", numeric=True)]
    shares = [
        Share(HEADERS[name], f"{name}_k", "n", f"{name}_low", f"{name}_high") for name in CLASSES
    ]
    compared = [
        *_baseline_rows(grades, conditions, [name for name in subsets if name != "conditional"]),
        *_human_rows(conditions),
    ]
    headers = {column.header for column in names}
    return Layout(
        title=title,
        columns=(*names, *shares, Share("Unparsed", "unparsed_k")),
        notes=(*notes, *_common_notes(grades, settings, prompts, conditions)),
        warnings=human_warnings(settings),
        split_by="Condition",
        reference_rows=tuple(
            {
                header: cell
                for header, cell in row.items()
                if header in headers | {*HEADERS.values()}
            }
            for row in compared
        ),
    )


def human_notes(settings: Mapping) -> tuple[str, ...]:
    """Say where the decision on which illusions count came from."""
    return (f"Which illusions count (human filter): {settings['human_source']}.",)


def human_warnings(settings: Mapping) -> tuple[str, ...]:
    """Return the sentence that marks every table whose human filter rests on simulated people."""
    if settings["synthetic_humans"]:
        return ("Synthetic human data: the human filter rests on simulated participants.",)
    return ()


def _common_notes(
    grades: pd.DataFrame, settings: Mapping, prompts: Sequence[str], conditions: Sequence[str]
) -> list[str]:
    repeats = grades["repeat"].nunique()
    unit = "images" if repeats == 1 else f"images times {repeats} repeats, pooled as if independent"
    notes = [
        f"Cells: percent (k/n) and Wilson {coverage(settings)} interval in percent; n counts "
        f"{unit}. Percent are rounded half up, so a row may sum to 99.9 or 100.1.",
        "Both correct: actual and apparent question right; apparent only: the actual question "
        "wrong; actual only: the apparent question wrong.",
        "Unparsed: images with at least one answer that names no option or several; such an answer "
        "counts as wrong.",
        "Representative images: those that stand for the 17 pairs that the paper showed to people "
        "(16 without Ponzo); the paper does not list them, the choice is ours.",
        "Guessing: expected shares for independent uniform guesses over the options of each image.",
    ]
    if any(condition in PAPER_HUMANS for condition in conditions):
        notes.append(
            "People: quoted from the paper, not measured here; modal answers of 52 people to other "
            "drawings of the same illusions."
        )
    if len(prompts) == 1:
        notes.append(f"Prompt: {prompts[0]}.")
    return [*notes, *human_notes(settings)]


def coverage(settings: Mapping) -> str:
    """Print the coverage of the intervals, e.g. ``"95 %"``."""
    digits = f"{100 * settings['confidence']:.10g}"
    return f"{digits} %"


def _baseline_rows(
    grades: pd.DataFrame, conditions: Sequence[str], subsets: Sequence[str]
) -> Iterable[dict[str, str]]:
    stimuli = _stimuli(grades)
    for condition in conditions:
        for subset in subsets:
            chosen = stimuli[stimuli["condition"] == condition]
            if subset == "human_16":
                chosen = chosen[chosen["human_subset"].astype(str).str.lower() == "true"]
            shares = guessing_baseline(chosen["option_count"].astype(int))
            if shares:
                yield {
                    "Model": "guessing",
                    "Condition": CONDITIONS[condition],
                    "Images": SUBSETS[subset],
                    "n": str(len(chosen)),
                } | {HEADERS[name]: rounded(100 * shares[name]) for name in CLASSES}


def _stimuli(grades: pd.DataFrame) -> pd.DataFrame:
    columns = ["stimulus_id", "condition", "human_subset", "option_count"]
    stimuli = grades[columns].drop_duplicates()
    twice = stimuli[stimuli["stimulus_id"].duplicated()]
    if len(twice):
        raise AfterimageError(
            f"grades: stimulus {twice.iloc[0]['stimulus_id']} has several values of condition, "
            "human_subset or option_count; expected one of each."
        )
    return stimuli


def _human_rows(conditions: Sequence[str]) -> Iterable[dict[str, str]]:
    for condition in conditions:
        if condition in PAPER_HUMANS:
            counts = PAPER_HUMANS[condition]
            yield {
                "Model": "people (paper)",
                "Condition": CONDITIONS[condition],
                "Images": SUBSETS["human_16"],
                "n": str(_PAPER_HUMANS_N),
            } | {
                HEADERS[name]: f"{percent(k, _PAPER_HUMANS_N)} ({k}/{_PAPER_HUMANS_N})"
                for name, k in counts.items()
            }
