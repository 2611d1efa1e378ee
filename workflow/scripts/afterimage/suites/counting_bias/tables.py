"""Tables: accuracy and bias, what a subtitle costs, and whether the thing is identified."""

from collections.abc import Iterator
from typing import Any

import pandas as pd

from afterimage.showing.tables.accuracy import UNPARSED
from afterimage.showing.tables.baselines import (
    ALWAYS,
    BASELINE_NOTE,
    BASELINES,
    GUESSING,
    MEASURED,
    YES_OR_NO,
    YES_OR_NO_NOTE,
    PerKind,
    accuracy_beside_baselines,
    answerer,
    measured,
    without_bounds,
)
from afterimage.showing.tables.bounds import difference_bounds, interval_note, test_note
from afterimage.showing.tables.columns import Number, PValue, Share, Text, whole
from afterimage.showing.tables.declaration import By, Settings, Table
from afterimage.showing.tables.pairs import Corrected, Differing, Matched, pairs_table
from afterimage.showing.tables.values import (
    Bounds,
    Count,
    Distinct,
    Given,
    Group,
    Percent,
    Worked,
    answers,
    outcomes,
    right,
)
from afterimage.suites.counting_bias.tasks import FAMILIAR, IDENTIFY

#: In the column "alteration": one more and one less together.
ALTERED = "altered"
#: The task of the rows over all tasks.
ALL = "all"
#: The clusters of all intervals: a model that knows a flag or board knows it on all of its images.
CLUSTERS = "subject"


def counted(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Add boolean columns that classify wrong answers to counting questions.

    ``biased``: the usual number, though it is wrong; ``off_by_one``: another number next to the true one; ``other``:
    any other number.
    """
    answers = grades[grades["question"] != IDENTIFY]
    named = pd.to_numeric(
        answers["answer"].where(answers["outcome"] != "unparsed"), errors="coerce"
    )
    true, usual = (pd.to_numeric(answers[name]) for name in ("key", "usual"))
    biased = (named == usual) & (usual != true)
    off_by_one = ((named - true).abs() == 1) & ~biased
    other = named.notna() & (named != true) & ~biased & ~off_by_one
    return answers.assign(biased=biased, off_by_one=off_by_one, other=other)


def by_alteration(
    answers: pd.DataFrame, settings: Settings
) -> Iterator[tuple[dict[str, Any], pd.DataFrame]]:
    """Split answers by the alteration, and pool -1 and 1."""
    for alteration in ("-1", "0", "1"):
        yield {"alteration": alteration}, answers[answers["alteration"] == alteration]
    yield {"alteration": ALTERED}, answers[answers["alteration"] != "0"]


# ---- counting bias ----

_NAN = float("nan")


def _biased(group: Group) -> tuple[int | None]:
    """Count answers that name the usual number; None if that is the true one."""
    return (None if group.row["alteration"] == "0" else int(group.answers["biased"].sum()),)


def _bias_rate(group: Group) -> tuple[float, float, float]:
    if group.row["alteration"] == "0" or not len(group.answers):
        return _NAN, _NAN, _NAN
    low, high = Bounds("low", "high", "biased", CLUSTERS).of(group)
    return 100 * group.row["biased_k"] / group.row["n"], low, high


COUNTING_BIAS = Table(
    "counting_bias",
    "Counting what is usual, changed by one",
    of=counted,
    rows=(
        By("prompt"),
        By("task", total=ALL),
        By("context"),
        by_alteration,
        By("model", references=BASELINES),
    ),
    csv=(
        *("kind", "model", "prompt", "task", "context", "alteration"),
        *accuracy_beside_baselines("right_k", CLUSTERS, "subjects"),
        *measured(
            Worked(("biased_k",), _biased, "whole"),
            Worked(("bias_rate", "bias_rate_low", "bias_rate_high"), _bias_rate),
            Count("off_by_one_k", "off_by_one"),
            Count("other_k", "other"),
        ),
        "answer",
    ),
    columns=(
        Text("Task", "task"),
        Text("Prompt", "prompt", if_several=True),
        Text("Image", "context"),
        Text("More than\nusual", "alteration", numeric=True),
        answerer(),
        Share("Right", "right_k", low="low", high="high", value="accuracy"),
        Number(
            "The usual\nnumber, %", "bias_rate", "bias_rate_low", "bias_rate_high", optional=True
        ),
        whole("Off by\none", "off_by_one_k", optional=True),
        whole("Other", "other_k", optional=True),
        *UNPARSED,
    ),
    notes=(
        "Right: the true number. The usual number: of all answers, where it is not the true one. With off by one, "
        "other and unparsed they add up to all answers.",
        "Familiar: the flag, board or grid. Plain: as many bands, stars or lines of the same size at the same places, "
        "without what names the subject. Alone: the asked cell of a grid without the others. Altered: one more and one "
        "less together.",
        interval_note("flags, boards or grids"),
        BASELINE_NOTE,
    ),
    split_by="Task",
)

PAIRS = pairs_table(
    "pairs_counting_bias",
    "Models compared on the same counting questions",
    by=("task",),
    cluster="subject",
    clusters="flags, boards or grids",
)


# ---- counting bias costs ----

#: What a familiar image and its twin have in common.
_SAME = ["figure", "twin_id", "question", "repeat"]


def _with_twin_id(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Add ``twin_id``, the stimulus id without the context, which an image and its twin share."""
    answers = counted(grades, settings)
    ids = zip(answers["stimulus_id"], answers["context"], strict=True)
    return answers.assign(twin_id=[name.replace(f"_{context}_", "_") for name, context in ids])


def _pairs(
    answers: pd.DataFrame, settings: Settings
) -> Iterator[tuple[dict[str, Any], pd.DataFrame]]:
    """Pair altered familiar images with their twins; the row also has the cost of the alteration."""
    altered = answers[answers["alteration"] != "0"]
    familiar = altered["context"] == FAMILIAR
    twins = altered.loc[~familiar, [*_SAME, "correct"]]
    pairs = altered[familiar].merge(twins, on=_SAME, suffixes=("_familiar", "_twin"))
    pairs = pairs.assign(first=pairs["correct_twin"], second=pairs["correct_familiar"])
    yield _alteration_cost(answers[answers["context"] == FAMILIAR], settings), pairs


def _alteration_cost(familiar: pd.DataFrame, settings: Settings) -> dict[str, float]:
    usual = familiar["alteration"] == "0"
    sides = [
        familiar[chosen].groupby("subject")["correct"].agg(["sum", "size"])
        for chosen in (usual, ~usual)
    ]
    subjects = sides[0].index.union(sides[1].index)
    totals = [side.reindex(subjects, fill_value=0) for side in sides]
    right = [(int(side["sum"].sum()), int(side["size"].sum())) for side in totals]
    known: dict[str, float] = {"as_usual_k": right[0][0], "as_usual_n": right[0][1]}
    if not all(n for _, n in right):
        return known
    before, after = ((side["sum"].to_numpy(), side["size"].to_numpy()) for side in totals)
    low, high = difference_bounds(before, after, settings, shared=True)
    cost = right[0][0] / right[0][1] - right[1][0] / right[1][1]
    names = ("alteration_cost", "alteration_cost_low", "alteration_cost_high")
    return {**known, **dict(zip(names, (100 * cost, 100 * low, 100 * high), strict=True))}


COUNTING_BIAS_COSTS = Table(
    "counting_bias_costs",
    "What an unusual number costs, and how much of that is not counting",
    of=_with_twin_id,
    rows=(By("prompt"), By("task", total=ALL), By("model"), _pairs),
    csv=(
        *("model", "prompt", "task"),
        Given("as_usual_k"),
        Given("as_usual_n"),
        *(Given(f"alteration_cost{end}", "number") for end in ("", "_low", "_high")),
        Count("pairs"),
        Count("twin_k", "first"),
        Count("familiar_k", "second"),
        Distinct("subjects", CLUSTERS),
        Differing(CLUSTERS, "differing_subjects"),
        Matched(CLUSTERS, "context_cost", "context_cost_low", "context_cost_high"),
        Corrected(),
    ),
    columns=(
        Text("Task", "task"),
        Text("Prompt", "prompt", if_several=True),
        Text("Model", "model"),
        Share("Familiar,\nas usual", "as_usual_k", "as_usual_n"),
        Share("Familiar,\naltered", "familiar_k", "pairs"),
        Share("Twin,\naltered", "twin_k", "pairs"),
        Number(
            "Alteration\ncost", "alteration_cost", "alteration_cost_low", "alteration_cost_high"
        ),
        Number("Context\ncost", "context_cost", "context_cost_low", "context_cost_high"),
        whole("Subjects", "subjects"),
        PValue("p", "p", "differing_subjects"),
        PValue("p, corrected", "p_holm", "differing_subjects"),
    ),
    notes=(
        "Percentage points. Alteration cost: right on familiar images as usual less right on altered ones. Context "
        "cost: right on altered twins less right on the same alterations of familiar images, pair by pair: the part of "
        "the failure that is not counting.",
        "Brackets: {coverage}; of the alteration cost from the bounds of both shares (Newcombe), of the context cost "
        "Tango's on what the pairs are worth; clusters: flags, boards or grids.",
        test_note("flags, boards or grids"),
    ),
    csv_formats={"p": "%.6g", "p_holm": "%.6g"},
)


# ---- identification ----


def _identify_answers(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    answers = grades[grades["question"] == IDENTIFY]
    return answers.assign(answer=answers["answer"].where(answers["outcome"] != "unparsed"))


def _is_yes(answers: pd.DataFrame) -> pd.Series:
    return answers["answer"].astype(str).str.lower() == "yes"


def _guessed(group: Group) -> tuple[float]:
    """Return the expected percentage of yes among guesses, which is that of right guesses."""
    return (100 * float(group.answers["correct"].astype(float).mean()),)


IDENTIFICATION = Table(
    "identification",
    "Taken for the usual flag or board, as it is and with one more or less",
    of=_identify_answers,
    rows=(By("task", total=ALL), by_alteration, By("model", references=YES_OR_NO)),
    csv=(
        *("model", "task", "alteration"),
        answers(),
        *measured(Count("yes_k", _is_yes), also=ALWAYS),
        PerKind(
            {
                **dict.fromkeys((MEASURED, *ALWAYS), Percent("yes", "yes_k")),
                GUESSING: Worked(("yes",), _guessed),
            }
        ),
        *measured(Bounds("yes_low", "yes_high", _is_yes, CLUSTERS)),
        *measured(right("right_k"), also=ALWAYS),
        *measured(*outcomes()),
        Distinct("subjects", CLUSTERS),
    ),
    columns=(
        Text("Task", "task"),
        Text("More than\nusual", "alteration", numeric=True),
        Text("Model", "model"),
        without_bounds(Share("Yes", "yes_k", low="yes_low", high="yes_high"), "yes"),
        Share("Right", "right_k", value="yes"),
        *UNPARSED,
    ),
    notes=(
        "Yes: of all answers. Right: yes where everything is as usual, no where something is not.",
        YES_OR_NO_NOTE,
        interval_note("flags or boards"),
    ),
)
