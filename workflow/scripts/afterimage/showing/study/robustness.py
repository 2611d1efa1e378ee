"""How robust answers are: the same questions with their options in other orders, and the same questions again."""

from collections.abc import Hashable, Iterator

import pandas as pd

from afterimage.showing.accuracy import OUTCOME_COUNTS, unparsed_share
from afterimage.showing.baselines import without_bounds
from afterimage.showing.bounds import interval_note, share_bounds
from afterimage.showing.columns import Number, Share, Text, whole
from afterimage.showing.declaration import By, Settings, Table
from afterimage.showing.values import OUTCOMES, Given, Value
from afterimage.statistics.agreement import likeness, spread

#: What differs between the answers to one question.
ORDERS, REPEATS = "option_orders", "repeats"
_WORDS = {ORDERS: "other orders of options", REPEATS: "asked again"}

_WHOLE = ("items", "answers", "complete_items")
_NAMES = (
    *("items", "answers_per_item", "answers", *OUTCOME_COUNTS),
    *("unanimous_k", "unanimous", "unanimous_low", "unanimous_high", "pairs_alike", "alpha"),
    *("right_k", "accuracy", "accuracy_low", "accuracy_high"),
    *("complete_items", "accuracy_least", "accuracy_greatest", "accuracy_sd"),
    *("place_n", "first_place_k", "last_place_k", "place_expected"),
)
_CSV: tuple[str | Value, ...] = (
    *("suite", "model", "kind"),
    *(
        Given(name, "whole" if name in _WHOLE or name.endswith(("_k", "_n")) else "number")
        for name in _NAMES
    ),
)


def _compared(
    answers: pd.DataFrame, settings: Settings
) -> Iterator[tuple[dict[str, object], pd.DataFrame]]:
    """Compare the answers to each question.

    Args:
        answers: Of one suite, model and kind, one row per answer to a question that was asked more than once:
            ``stimulus_id``, ``question_id``, ``way`` (which order or repeat), ``correct``; ``said``, what was answered,
            alike for the same option wherever it stood, None where it could not be read (``unparsed``,
            of these ``cut_off`` and ``refused``); and for orders ``place`` of
            the chosen option, from 0, out of ``places``.
        settings: "confidence".
    """
    given: dict[Hashable, list[str | None]] = {}
    right: dict[Hashable, dict[Hashable, bool]] = {}
    for row in answers.itertuples():
        given.setdefault(row.question_id, []).append(row.said)
        right.setdefault(row.question_id, {})[row.way] = bool(row.correct)
    alike, between = likeness(given), spread(right)
    images = dict(zip(answers["question_id"], answers["stimulus_id"], strict=True))
    several = {question: said for question, said in given.items() if len(said) > 1}
    same = [None not in said and len(set(said)) == 1 for said in several.values()]
    low, high = share_bounds(same, [images[question] for question in several], settings)
    accuracy_low, accuracy_high = share_bounds(answers["correct"], answers["stimulus_id"], settings)
    row = {
        "items": alike.items,
        "answers_per_item": alike.answers / alike.items,
        "answers": alike.answers,
        **{f"{name}_k": int(answers[name].sum()) for name in OUTCOMES},
        "unanimous_k": alike.unanimous,
        "unanimous": 100 * alike.unanimous / alike.items,
        "unanimous_low": low,
        "unanimous_high": high,
        "pairs_alike": 100 * alike.pairs_alike,
        "alpha": alike.alpha,
        "right_k": int(answers["correct"].sum()),
        "accuracy": 100 * float(answers["correct"].mean()),
        "accuracy_low": accuracy_low,
        "accuracy_high": accuracy_high,
        "complete_items": between.items,
        "accuracy_least": 100 * between.lowest,
        "accuracy_greatest": 100 * between.highest,
        "accuracy_sd": 100 * between.deviation,
        **_places(answers),
    }
    yield row, answers


def _places(answers: pd.DataFrame) -> dict[str, object]:
    """Count how often the first and the last place were chosen, and how often each would be at random."""
    chosen = answers.dropna(subset=["place"])
    return {
        "place_n": len(chosen),
        "first_place_k": int((chosen["place"] == 0).sum()),
        "last_place_k": int((chosen["place"] == chosen["places"] - 1).sum()),
        "place_expected": 100 * float((1 / chosen["places"]).mean()),
    }


TABLE = Table(
    "robustness",
    "Robustness: the same questions in other orders of their options, and again",
    rows=(By(("suite", "model", "kind")), _compared),
    csv=_CSV,
    columns=(
        Text("Model", "model"),
        Text("Asked", "kind", _WORDS),
        whole("Items", "items"),
        Number("Answers\nper item", "answers_per_item"),
        without_bounds(
            Share(
                *("Same answer\nthroughout", "unanimous_k", "items"),
                *("unanimous_low", "unanimous_high"),
            ),
            "unanimous",
        ),
        Number("Pairs\nalike", "pairs_alike"),
        Number("Alpha", "alpha", decimals=2),
        without_bounds(
            Share("Right", "right_k", "answers", "accuracy_low", "accuracy_high"), "accuracy"
        ),
        Number("Least", "accuracy_least"),
        Number("Greatest", "accuracy_greatest"),
        Number("SD", "accuracy_sd", decimals=2),
        Share("First place", "first_place_k", "place_n", value="place_expected"),
        Share("Last place", "last_place_k", "place_n", value="place_expected"),
        Number("At random", "place_expected"),
        *unparsed_share(n="answers"),
    ),
    group_by="suite",
    empty=("no question has several answers, of other orders of its options or of repeats",),
    notes=(
        "Same answer throughout: percent (k/n) of items. An unread answer is like no other.",
        interval_note("images, each with all questions about it and all of their answers"),
        "Pairs alike: percent of pairs of answers to one item that are the same, mean over items. Alpha: "
        "Krippendorff's, nominal, of the answers that were read; an option counts as the same wherever it stands.",
        "Right: all answers together.",
        "Least, greatest, SD: of the accuracies of the single orders or repeats, in percent, over the items that "
        "were asked in all of them (complete_items in the CSV).",
        "First and last place: where the chosen option stood, of the answers that were read; at random: what each "
        "would be if places did not matter.",
        "Uniform guessing: what is to be expected of who guesses each time anew. Best constant answer, best position: "
        "the option and the place, in parentheses, that are right most often. Worked out of the items, without "
        "intervals.",
    ),
)
