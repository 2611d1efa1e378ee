"""Tables of tests, of pairs of models, and of what models know without the image."""

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import pandas as pd

from afterimage.contract.probes import PROBE
from afterimage.errors import AfterimageError
from afterimage.note import Note
from afterimage.showing.tables.bounds import interval_note, test_note
from afterimage.showing.tables.columns import Difference, PValue, Row, Share, Text, whole
from afterimage.showing.tables.declaration import By, Settings, Table
from afterimage.showing.tables.pairs import (
    Corrected,
    Differing,
    Matched,
    both,
    neither,
    only_first,
    only_second,
    pairs_table,
)
from afterimage.showing.tables.values import Bounds, Count, Distinct, Mean, answers
from afterimage.statistics.detectable import DISCORDANCE, smallest_matched
from afterimage.suites.illusion_vqa.four_cells import (
    COUNTED,
    ILLUSION,
    NOTE,
    OF_NO_PAPER,
    SCALED,
    UNSEEING,
    classified,
    counted_units,
    has_further,
    in_subset,
    with_further,
)
from afterimage.suites.illusion_vqa.images import CONDITIONS
from afterimage.suites.illusion_vqa.tables import (
    HUMAN_NOTE,
    PROMPT,
    SHARES,
    human_warnings,
    prompt_note,
    with_subset_words,
)
from afterimage.suites.illusions.names import LATER, VARIANTS

# Does removing the inducer change the answer? Images against their controls, pair by pair.
#
# One row per model, prompt, comparison and subset: n pairs (an image and its control in one repeat); how many were
# both-correct in the first alone, the second alone, both, neither; the shares first and second in percent, and their
# difference (first minus second, percentage points), with bounds; the number of illusions, whose variants are not
# independent, and of those in which the two sides differ; the p value of flipping the signs of illusions, and the same
# corrected together with all tests of the comparison. Without pairs everything undefined is empty.


class _Comparison(NamedTuple):
    first: str
    second: str
    subsets: tuple[str, ...]

    @property
    def name(self) -> str:
        return f"{self.first} against {self.second}"


# The genuine comparison has no "conditional" subset: that one selects pairs by the outcome under
# test.
_COMPARISONS = (
    _Comparison("fake", "control_fake", ("all", "conditional", "human_16")),
    _Comparison("genuine", "control_genuine", ("all", "human_16")),
)
_PAIR = ["repeat", "figure", "variant"]


def _units(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    return classified(grades)


def _compared(
    of_prompt: pd.DataFrame, settings: Settings
) -> Iterator[tuple[dict[str, Any], pd.DataFrame]]:
    """Pair one model's images with their controls, comparison by comparison, and choose each subset of pairs."""
    for comparison in _COMPARISONS:
        pairs = _pairs(of_prompt, comparison, of_prompt["model"].iloc[0])
        for subset in with_further(comparison.subsets, of_prompt):
            chosen = in_subset(pairs, subset, of_prompt)
            yield {"comparison": comparison.name, "subset": subset}, chosen


def _pairs(units: pd.DataFrame, comparison: _Comparison, model: str) -> pd.DataFrame:
    first = units[units["condition"] == comparison.first]
    second = units[units["condition"] == comparison.second]
    pairs = first.merge(
        second[[*_PAIR, "cell", "stimulus_id"]],
        on=_PAIR,
        how="outer",
        suffixes=("", "_second"),
        indicator=True,
    )
    single = pairs[pairs["_merge"] != "both"]
    if len(single):
        row = single.iloc[0]
        unpaired = row["stimulus_id"] if row["_merge"] == "left_only" else row["stimulus_id_second"]
        raise AfterimageError(
            f"grades of model '{model}': stimulus {unpaired} has no partner for the comparison "
            f"{comparison.name}; expected grades of all conditions."
        )
    return pairs.assign(
        first=pairs["cell"] == "both_correct", second=pairs["cell_second"] == "both_correct"
    )


def _first_k(row: Row) -> int:
    right: int = row["both_k"] + row["only_first_k"]
    return right


def _second_k(row: Row) -> int:
    right: int = row["both_k"] + row["only_second_k"]
    return right


def _comparison_words() -> dict[str, str]:
    return {
        comparison.name: comparison.name.replace("_", " of ").replace("against ", "against\n")
        for comparison in _COMPARISONS
    }


ILLUSION_VQA_TESTS = Table(
    "illusion_vqa_tests",
    "Images against their controls: both questions right, pair by pair",
    of=_units,
    rows=(By("model"), By("prompt"), _compared),
    csv=(
        *("model", "prompt", "comparison", "subset"),
        answers(),
        *(Count("only_first_k", only_first), Count("only_second_k", only_second)),
        *(Count("both_k", both), Count("neither_k", neither)),
        *(Mean("first", "first"), Bounds("first_low", "first_high", "first", ILLUSION)),
        *(Mean("second", "second"), Bounds("second_low", "second_high", "second", ILLUSION)),
        Matched(ILLUSION, p="p_value"),
        *(Distinct("clusters", ILLUSION), Differing(ILLUSION)),
        Corrected("p_holm", "p_value", family=("comparison",)),
    ),
    columns=(
        Text("Model", "model"),
        PROMPT,
        Text("Comparison", "comparison", _comparison_words()),
        Text("Images", "subset_words"),
        Share("First", _first_k, "n", "first_low", "first_high"),
        Share("Second", _second_k, "n", "second_low", "second_high"),
        Difference("Difference", _first_k, _second_k, "n", "difference_low", "difference_high"),
        whole("First\nalone", "only_first_k"),
        whole("Second\nalone", "only_second_k"),
        PValue("p", "p_value", "differing_clusters"),
        PValue("p, corrected", "p_holm", "differing_clusters"),
    ),
    notes=(
        "An image and its control are a pair; first and second are the two sides of the comparison, in its order.",
        "Difference in percentage points: Tango's interval on the effective number of pairs.",
        interval_note("illusions, all variants of one together"),
        test_note("illusions", "all models, prompts and subsets of one comparison"),
        prompt_note,
        HUMAN_NOTE,
    ),
    warnings=(human_warnings,),
    readers=with_subset_words,
    split_by="Comparison",
    csv_formats={"p_value": "%.6g", "p_holm": "%.6g"},
)


def _both_right(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    units = classified(grades)
    units = in_subset(units, SCALED, units)
    drawing = units["figure"] + "/" + units["variant"]
    return units.assign(correct=units["cell"] == "both_correct", drawing=drawing)


def _other_illusions(grades: pd.DataFrame, settings: Settings) -> Iterator[str]:
    """Say, where there are further variants, that they tell little about other illusions."""
    if has_further(grades):
        yield (
            "More variants tell more about these illusions (pairs_illusion_vqa_variants), little about others "
            "(docs/illusion_vqa.md)."
        )


def _smallest_difference_note(grades: pd.DataFrame, settings: Settings) -> Iterator[str]:
    """Say which difference the variants can show."""
    drawings = grades[~grades["figure"].isin(LATER)][["figure", "variant"]].drop_duplicates()
    smallest = smallest_matched(len(drawings), len(drawings))
    difference = "none" if math.isnan(smallest) else f"{100 * smallest:.1f}"
    yield Note(
        "Smallest difference in one condition that {drawings} variants find with a power of "
        "80 %, in percentage points: {found}, if two models differ in {n:g} % of the images "
        "(docs/illusion_vqa.md).",
        drawings=len(drawings),
        found=difference,
        n=100 * DISCORDANCE,
    )


PAIRS = pairs_table(
    "pairs_illusion_vqa",
    "Models compared on the same images: both questions right",
    _both_right,
    by=("condition",),
    cluster=ILLUSION,
    clusters="illusions, all variants of one together",
    item="stimulus_id",
    notes=(_other_illusions,),
)
#: The same about these illusions alone: what varies is their drawing.
PAIRS_ILLUSION_VQA_VARIANTS = pairs_table(
    "pairs_illusion_vqa_variants",
    "Models compared on further drawings of the same illusions: both questions right",
    _both_right,
    by=("condition",),
    cluster="drawing",
    clusters="variants of these illusions",
    item="stimulus_id",
    notes=(_smallest_difference_note,),
)


# Which answers are knowledge? The four classes with the image, without it, and with a blank one.
#
# The columns of the other tables of the four classes and, before the condition, "shown": "image" (all four conditions),
# "text_only" or "blank" (the key of "genuine" and of "fake"). The subset "name_suffices" is the illusions that suggest
# the same option in both variants, so that no image is needed to know it.

#: What was shown; all but the image itself are probes.
IMAGE = "image"
TEXT_ONLY = "text_only"
BLANK = "blank"
#: Without an image, twins are the same question: it has the key of the genuine image and that of the fake.
_KEYS = ("genuine", "fake")
_ALL, _NAMED = "all", "name_suffices"
_SHOWN = {
    IMAGE: {
        "genuine": "genuine image",
        "fake": "fake image",
        "control_genuine": "control of genuine",
        "control_fake": "control of fake",
    },
    TEXT_ONLY: {"genuine": "text only,\nkey of genuine", "fake": "text only,\nkey of fake"},
    BLANK: {"genuine": "blank image,\nkey of genuine", "fake": "blank image,\nkey of fake"},
}
_SUBSETS = {_ALL: "all", _NAMED: "name\nsuffices", OF_NO_PAPER: "not in\nthe paper"}


def _named(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    return grades.assign(named=grades["figure"].isin(_named_figures(grades)))


def _shown(
    grades: pd.DataFrame, settings: Settings
) -> Iterator[tuple[dict[str, Any], pd.DataFrame]]:
    """Group one model's answers by what was shown, the illusions that count, and the condition or key.

    Two variants of each illusion alone: without an image the further ones ask the same.
    """
    grades = grades[grades["variant"].isin(VARIANTS)]
    for shown, part in _by_shown(grades):
        papers, later = (in_subset(part, subset, part) for subset in (_ALL, OF_NO_PAPER))
        subsets = {_ALL: papers, _NAMED: papers[papers["named"]], OF_NO_PAPER: later}
        for subset, chosen in subsets.items():
            if chosen.empty:
                # A study of a few illusions may have none of which the name suffices.
                continue
            units = counted_units(chosen, settings)
            for condition in CONDITIONS if shown == IMAGE else _KEYS:
                names = {"shown": shown, "condition": condition, "subset": subset}
                yield names, units[units["condition"] == condition]


def _by_shown(grades: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    probes = grades[PROBE]
    parts = [(IMAGE, grades[probes.isna()])]
    parts += [(shown, grades[probes == shown]) for shown in (TEXT_ONLY, BLANK)]
    return [(shown, part) for shown, part in parts if len(part)]


def _named_figures(grades: pd.DataFrame) -> list[str]:
    """Return the illusions whose illusory option is the same in both variants."""
    illusory_options = grades[["figure", "variant", "illusory"]].drop_duplicates()
    options = illusory_options.groupby("figure")["illusory"].agg(["nunique", "size"])
    return list(options.index[(options["nunique"] == 1) & (options["size"] > 1)])


def _readers_rows(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows over all illusions, and of the others those that were asked in words alone."""
    rows = frame[(frame["subset"] != _NAMED) | (frame["shown"] == TEXT_ONLY)]
    words = [
        _SHOWN[shown][condition]
        for shown, condition in zip(rows["shown"], rows["condition"], strict=True)
    ]
    return rows.assign(shown_words=words)


KNOWLEDGE = Table(
    "knowledge",
    "Which answers are knowledge: with the image, without it, with a blank one",
    of=_named,
    rows=(By("model", references=UNSEEING), By("prompt"), _shown),
    csv=("kind", "model", "prompt", "shown", "condition", "subset", *COUNTED),
    columns=(
        Text("Model", "model"),
        Text("Answer", "answer", optional=True),
        PROMPT,
        Text("Shown", "shown_words"),
        Text("Illusions", "subset", _SUBSETS),
        *SHARES,
    ),
    notes=(
        "Cells: percent (k/n). Both correct: actual and apparent question "
        "right; apparent only: the actual question wrong; actual only: the apparent question wrong. Unparsed: at least "
        "one of the two answers names no option or several; it counts as wrong.",
        interval_note("illusions, all variants of one together"),
        "Text only: the same two questions with the illusion's name and no image. Blank image: the same two questions "
        "about a white image of the same size. A genuine image and its fake twin then ask the same, once; the answer "
        "is scored against the key of the one and against the key of the other.",
        "A model that answers from what it knows has the same row with the genuine image and with the text; one that "
        "looks has not.",
        "Name suffices: the illusions that suggest the same option in both variants (of the others the name does not "
        "tell the side, so even perfect knowledge guesses there).",
        NOTE,
        prompt_note,
        HUMAN_NOTE,
    ),
    warnings=(human_warnings,),
    readers=_readers_rows,
    split_by="Model",
)
