"""Answers without the image: how many are right, and how many claim to see what was not shown."""

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial

import pandas as pd

from afterimage.contract.probes import PROBE, probed_id
from afterimage.contract.readings import UNCERTAIN
from afterimage.files.parquet import read_records, read_table
from afterimage.files.records import ITEM, RESPONSE
from afterimage.showing.tables.accuracy import unparsed_share
from afterimage.showing.tables.baselines import (
    BASELINE_NOTE,
    BASELINES,
    CONSTANT,
    POSITION,
    answerer,
    measured,
    right_or_expected,
)
from afterimage.showing.tables.bounds import interval_note, matched
from afterimage.showing.tables.columns import Number, Printed, PValue, Row, Share, Text, whole
from afterimage.showing.tables.declaration import By, Settings, Table
from afterimage.showing.tables.pairs import Corrected
from afterimage.showing.tables.values import (
    Bounds,
    Count,
    Group,
    Percent,
    Value,
    Worked,
    answers,
    outcomes,
    right,
    within,
)

# ---- right answers ----

#: What was shown: the image itself, and the two probes.
SHOWN = ("image", "text_only", "blank")
_HEADERS = {"image": "Image", "text_only": "Text only", "blank": "Blank image"}


def _is_shown(shown: str, answers: pd.DataFrame) -> pd.Series:
    return answers["shown"] == shown


#: One row per suite and model, and baseline rows; for each kind of image the numbers of answers, right and unread ones,
#: and accuracy in percent with bounds.
_KNOWLEDGE_CSV: tuple[str | Value, ...] = (
    *("kind", "suite", "model"),
    *(
        value
        for shown in SHOWN
        for value in within(
            f"{shown}_",
            partial(_is_shown, shown),
            (
                answers(),
                *measured(right("k"), also=(CONSTANT, POSITION)),
                *measured(*outcomes()),
                right_or_expected("k"),
                *measured(Bounds("accuracy_low", "accuracy_high")),
            ),
        )
    ),
    "answer",
)


KNOWLEDGE = Table(
    "knowledge_all",
    "Right answers with the image, without it, and with a blank one",
    rows=(By("suite"), By("model", references=BASELINES)),
    csv=_KNOWLEDGE_CSV,
    columns=(
        answerer(),
        *(
            column
            for shown in SHOWN
            for column in (
                Share(
                    _HEADERS[shown],
                    f"{shown}_k",
                    f"{shown}_n",
                    f"{shown}_accuracy_low",
                    f"{shown}_accuracy_high",
                    value=f"{shown}_accuracy",
                ),
                *unparsed_share(f"{shown}_"),
            )
        ),
    ),
    group_by="suite",
    notes=(
        interval_note("images", "Cells: percent (k/n), and below"),
        "Each answer is scored against the key of the item whose image is left out.",
        "Unparsed: of the answers in the column to its left.",
        BASELINE_NOTE,
        "Only items that were asked both ways and whose answers a parser reads as right or wrong. Unparsed answers "
        "count as wrong: a model that says that it sees no image is among them.",
    ),
)


# ---- claims ----

#: The probes that are read, in order, and readers' words for them.
PROBES = {
    "silent": "no image, nothing said",
    "guess": "no image, told to guess",
    "say_missing": "no image, told to say so",
    "blank": "a white image",
}
#: Over all suites, or all types of answers.
ALL = "all"
_NAN = float("nan")
_IMAGE = "image_id"
_DIFFERENCE = ("silent_minus_guess", "silent_minus_guess_low", "silent_minus_guess_high", "p")

_LESS, _P = Number("", *_DIFFERENCE[:3], optional=True), PValue("", "p_holm")


def _silent_only(column: Number | PValue, row: Row) -> str:
    """Print a cell in rows of the probe ``silent`` only."""
    return column.cell(row) if row["probe"] == "silent" else ""


def _suites(
    answers: pd.DataFrame, settings: Settings
) -> Iterator[tuple[dict[str, str], pd.DataFrame]]:
    suites = list(answers.groupby("suite", sort=False))
    for suite, part in suites:
        yield {"suite": suite}, part
    if len(suites) > 1:
        yield {"suite": ALL}, answers


def _types(
    answers: pd.DataFrame, settings: Settings
) -> Iterator[tuple[dict[str, str], pd.DataFrame]]:
    """Split answers by answer type, after all together: a type that allows nothing but an option forces claims."""
    yield {"answer_type": ALL}, answers
    types = list(answers.groupby("answer_type", sort=False))
    for name, part in types if len(types) > 1 else ():
        yield {"answer_type": name}, part


def _kept_without_image(group: Group) -> tuple[float, float, float]:
    """Return a guess's accuracy, and the share of the accuracy, and of that above a guess, that is kept."""
    guess = 100 * float(group.answers["guess"].mean()) if len(group.answers) else _NAN
    without, with_image = group.row["accuracy"], group.row["accuracy_image"]
    score = without / with_image if with_image else _NAN
    # Undefined where it is not certain that the image helps.
    above = _NAN
    if group.row["accuracy_image_low"] > guess:
        above = (without - guess) / (with_image - guess)
    return guess, score, above


def _silent_minus_guess(group: Group) -> tuple[float, float, float, float]:
    """Compare the probe ``silent`` with ``guess`` on the same items, in rows of the first."""
    if group.row["probe"] != "silent":
        return (_NAN,) * 4
    same = ["suite", "item", "repeat"]
    guesses = group.above.loc[group.above["probe"] == "guess", [*same, "correct"]]
    both = group.answers.merge(guesses, on=same, suffixes=("", "_guess"))
    if both.empty:
        return (_NAN,) * 4
    found = matched(both["correct"], both["correct_guess"], both[_IMAGE], group.settings)
    return 100 * found.estimate, 100 * found.low, 100 * found.high, found.p


CLAIMS = Table(
    "claims",
    "Who claims to see what was not shown",
    rows=(_suites, By("model"), _types, By("probe", first=tuple(PROBES))),
    csv=(
        *("suite", "model", "answer_type", "probe"),
        answers(),
        Count("claims_k", ("stance", "claims")),
        Percent("claims", "claims_k"),
        Bounds("claims_low", "claims_high", ("stance", "claims"), _IMAGE),
        *(Count(f"{name}_k", ("stance", name)) for name in ("hedges", "denies", "unread")),
        right("right_k"),
        Percent("accuracy", "right_k"),
        Count("image_k", "correct_image"),
        Percent("accuracy_image", "image_k"),
        Bounds("accuracy_image_low", "accuracy_image_high", "correct_image", _IMAGE),
        Worked(("guessing", "mirage_score", "kept_above_chance"), _kept_without_image),
        Worked(_DIFFERENCE, _silent_minus_guess),
        Corrected(),
        Count("answerable_blind_k", "answerable_blind"),
    ),
    columns=(
        Text("Model", "model"),
        Text("Answers", "answer_type", if_several=True),
        Text("Shown", "probe", PROBES),
        Share("Claims", "claims_k", low="claims_low", high="claims_high"),
        whole("Hedges", "hedges_k"),
        whole("Denies", "denies_k"),
        whole("Unread", "unread_k"),
        Share("Right", "right_k"),
        Share("With\nimage", "image_k"),
        Number("Mirage\nscore", "mirage_score", decimals=2),
        Number("Kept above\nchance", "kept_above_chance", decimals=2),
        Printed("Silent less\nguess", lambda row: _silent_only(_LESS, row)),
        Printed("p, corrected", lambda row: _silent_only(_P, row)),
    ),
    notes=(
        "Claims: answers as if the image had been seen. Hedges: answers that are marked as a guess or an assumption, "
        "or would need the image. Denies: no answer, but that no image, nothing or an empty one is there. Unread: "
        "neither. Told to guess, hedging is what was asked, and claims are no mirages.",
        interval_note("images"),
        "Mirage score: accuracy without the image over that with it, same items. Kept above chance: both less what a "
        "guess among the options earns; n/a where the interval with the image reaches down to a guess. Silent less "
        "guess: percentage points, same items; p: the signs of whole images flipped, corrected by Holm's method for "
        "all rows.",
        "Read by rules, which were right on 136 of 148 made-up answers that they were not written on, and on 31 of 43 "
        "of a model without image before they were mended on these (docs/claims.md). An answer format that allows "
        "nothing but an option forces claims.",
    ),
    group_by="suite",
    csv_formats={"p": "%.6g", "p_holm": "%.6g"},
)

CLEAN = Table(
    "claims_clean",
    "Accuracy without the items that some model answers rightly without image",
    rows=(By(("suite", "model")),),
    csv=(
        *("suite", "model"),
        answers(),
        right("right_k"),
        Percent("accuracy", "right_k"),
        Bounds("low", "high", clusters=_IMAGE),
        Count("answerable_blind_k", "answerable_blind"),
        Count("clean_n", lambda answers: ~answers["answerable_blind"]),
        Count("clean_k", lambda answers: answers["correct"] & ~answers["answerable_blind"]),
        Percent("clean_accuracy", "clean_k", "clean_n"),
        Bounds(
            "clean_low",
            "clean_high",
            clusters=_IMAGE,
            among=lambda answers: ~answers["answerable_blind"],
        ),
    ),
    columns=(
        Text("Model", "model"),
        Share("All items", "right_k", low="low", high="high"),
        whole("Answerable\nblind", "answerable_blind_k"),
        Share("Clean items", "clean_k", "clean_n", "clean_low", "clean_high"),
    ),
    notes=(
        "Accuracies with the image. Answerable blind: items that a model of the study answers "
        "rightly without the image or about a white one; all models are compared on the others. "
        "Reference responders mark none, unless the study has no other models.",
        interval_note("images"),
    ),
    group_by="suite",
)


def shown_of(grades: pd.DataFrame) -> pd.DataFrame:
    """Return one model's readable answers with the column ``shown``, "" for questions that were not asked both ways."""
    if PROBE not in grades:
        return grades.iloc[:0].assign(shown="")
    readable = grades[(grades["decided_by"] == "parser") & grades["score"].isna()]
    is_original, is_probe = readable[PROBE].isna(), readable[PROBE].isin(SHOWN)
    probed = [
        probed_id(item, probe) if is_probed else None
        for item, probe, is_probed in zip(
            readable["item_id"], readable[PROBE], is_probe, strict=True
        )
    ]
    probed_items = pd.Series(probed, index=readable.index)
    # The answer with the image is missing here where a judge or people decided on it.
    has_original = is_probe & probed_items.isin(readable["item_id"][is_original])
    shown = readable[PROBE].where(has_original, "")
    return readable.assign(
        shown=shown.mask(is_original & readable["item_id"].isin(probed_items[is_probe]), "image")
    )


_ITEM_AND_REPEAT = ["item", "repeat"]


def answer_types(shards: Iterable[str | os.PathLike[str]]) -> dict[str, str]:
    columns = ("item_id", "answer_type")
    return {
        row["item_id"]: row["answer_type"]
        for shard in shards
        for row in read_records(shard, ITEM, columns, batch_size=1024)
    }


def both_ways(
    grades: pd.DataFrame,
    responses: str | os.PathLike[str],
    types: Mapping[str, str],
    stance: Callable[[str, bool], str],
) -> pd.DataFrame:
    """Return one model's answers to items that were asked both ways, without answers that earn points.

    Args:
        grades: Schema GRADE, probes among them.
        responses: The model's file, schema RESPONSE.
        types: Item id to answer type.
        stance: From a text, and whether an answer was read in it, to its stance towards the image.
    """
    if PROBE not in grades:
        grades = grades.assign(**{PROBE: None})
    grades = grades[grades["score"].isna()]
    probes = grades[PROBE].where(grades[PROBE].notna(), "")
    grades = grades.assign(probe=probes, item=_original_items(grades["item_id"], probes))
    with_image = grades.loc[probes == "", [*_ITEM_AND_REPEAT, "correct"]]
    blind = grades[probes.isin(PROBES)].merge(
        with_image, on=_ITEM_AND_REPEAT, suffixes=("", "_image")
    )
    blind = blind.merge(_texts(responses), on=["item_id", "repeat"], how="left")
    # An answer that leaves the question open is no answer here, even where that is right.
    answered = (blind["outcome"] != "unparsed") & (blind["answer"] != UNCERTAIN)
    stances = [
        stance(text, is_answered)
        for text, is_answered in zip(blind["reply"].fillna(""), answered, strict=True)
    ]
    originals = grades[(probes == "") & grades["item"].isin(blind["item"])]
    rows = pd.concat([originals, blind.assign(stance=stances)], ignore_index=True)
    return pd.DataFrame(
        {
            **{name: rows[name] for name in ("suite", "model", "probe", *_ITEM_AND_REPEAT)},
            # Different suites may have images of the same name.
            "image_id": rows["suite"] + "/" + rows["stimulus_id"],
            "answer_type": [types.get(item, "") for item in rows["item"]],
            "stance": rows.get("stance"),
            "correct": rows["correct"].fillna(False).astype(bool),
            "correct_image": rows["correct_image"].fillna(False).astype(bool),
            "guess": [
                list(offered).count(key) / len(offered) if len(offered) else float("nan")
                for offered, key in zip(rows["offered"], rows["key"], strict=True)
            ],
        }
    )


def _original_items(items: Iterable[str], probes: Iterable[str]) -> list[str]:
    return [
        probed_id(item, probe) if probe else item for item, probe in zip(items, probes, strict=True)
    ]


def _texts(responses: str | os.PathLike[str]) -> pd.DataFrame:
    columns = ("item_id", "repeat", "text", "answer_text")
    read = read_table(responses, RESPONSE, columns).to_pandas()
    replies = read["answer_text"].where(read["answer_text"].notna(), read["text"])
    texts: pd.DataFrame = read[["item_id", "repeat"]].assign(reply=replies)
    return texts


def marked(answers: pd.DataFrame, probed: pd.DataFrame, marking: Collection[str]) -> pd.DataFrame:
    """Mark the items that one of the marking models answers rightly without image, ``answerable_blind``."""
    answerable = answerable_blind(probed, marking)
    marks = [item in answerable for item in zip(answers["suite"], answers["item"], strict=True)]
    return answers.assign(answerable_blind=pd.Series(marks, answers.index, bool))


def answerable_blind(
    answers: pd.DataFrame, marking: Collection[str]
) -> dict[tuple[str, str], list[str]]:
    """Return the items that some of the marking models answer rightly without image, with these models."""
    right = answers[(answers[PROBE] != "") & answers["correct"] & answers["model"].isin(marking)]
    found: dict[tuple[str, str], dict[str, None]] = {}
    for suite, item, model in zip(right["suite"], right["item"], right["model"], strict=True):
        found.setdefault((suite, item), {})[model] = None
    return {key: list(models) for key, models in found.items()}
