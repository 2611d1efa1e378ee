"""Graded answers as the suite's tables need them, and the tables of choosing (paper, table 1)."""

import json
import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pandas as pd

from afterimage.note import Note
from afterimage.showing.tables.accuracy import unparsed
from afterimage.showing.tables.baselines import IN_WORDS, POSITION, beaten_by_position, one_position
from afterimage.showing.tables.bounds import coverage_of, share_bounds, test_note
from afterimage.showing.tables.columns import (
    NOT_AVAILABLE,
    Difference,
    Printed,
    PValue,
    Row,
    Share,
    Text,
    bounds_text,
    is_missing,
    percent,
    rounded,
    whole,
)
from afterimage.showing.tables.compute import as_frame
from afterimage.showing.tables.declaration import Best, By, PaperForm, Settings, Table
from afterimage.showing.tables.pairs import (
    Corrected,
    Differing,
    Matched,
    Pairs,
    both,
    neither,
    only_first,
    only_second,
    pairs_table,
)
from afterimage.showing.tables.paper_form import percent_alone
from afterimage.showing.tables.values import (
    Bounds,
    Count,
    Distinct,
    Given,
    Group,
    Percent,
    Value,
    Worked,
    answers,
    confused,
    outcomes,
    right,
    within,
    worked,
)
from afterimage.suites.texture.materials import glossed
from afterimage.suites.texture.scores import People, read_classified

# Graded answers as the tables need them, also where nothing has been asked yet.

#: Sizes of classification items, as tables name them.
SIZES = (2, 5)

_FACTORS = ("item", "category", "choices", "gold_word", "options", "human_words", "words_from")


def of_task(grades: pd.DataFrame, task: str) -> pd.DataFrame:
    """Return the answers to one task, ``classification`` or ``generation``; none where nothing was asked."""
    # Without items there are no factors either.
    graded = grades[grades["task"] == task] if "task" in grades else grades.iloc[:0]
    missing = [name for name in _FACTORS if name not in graded]
    return graded.assign(**{name: pd.Series(dtype=str) for name in missing})


def by_model(answers: pd.DataFrame) -> Iterator[tuple[str, str, pd.DataFrame]]:
    """Yield model, prompt and their answers, in the order of the configuration."""
    for (model, prompt), group in answers.groupby(["model", "prompt"], sort=False):
        yield str(model), str(prompt), group


def data_notes(task: str) -> Callable[[pd.DataFrame, Settings], Iterator[str]]:
    """Return notes on where the words of a task came from; simulated ones are marked."""

    def notes(grades: pd.DataFrame, settings: Settings) -> Iterator[str]:
        answers = of_task(grades, task)
        if not len(answers):
            yield "Nothing was asked: the words have not been collected or verified yet."
            return
        sources = set(answers["words_from"].unique())
        if "simulated" in sources:
            yield (
                "The words and votes behind the right answers are simulated (drawn materials), not people's."
            )
        if "file" in sources:
            yield "Items of items_cls.csv are taken as they are."

    return notes


def classified(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    return of_task(grades, "classification")


def by_size(
    answers: pd.DataFrame, settings: Settings
) -> Iterator[tuple[dict[str, int], pd.DataFrame]]:
    """Group classified answers by the number of options."""
    for size in SIZES:
        yield {"choices": size}, answers[answers["choices"] == str(size)]


# Choosing the word that fits: the paper's table 1.
#
# Rows "Random", "Human" (mean over annotators of each one's accuracy; empty while nobody has answered), one for each
# annotator, and one for each model and prompt; ``kind`` tells them apart. For each number of options N, columns
# ``choose_N_*``: ``n`` items (times repeats), ``k`` right ones, ``accuracy`` in percent with its bounds ``low`` and
# ``high``; ``p_value``, exact two-sided binomial test against 1/N; ``unparsed_k`` answers that could not be read
# (wrong); ``digit_only_k`` answers that are a number and nothing else, ``digit_only_right_k`` right ones of them;
# ``answer_0`` and so on, how often each position was chosen.

RANDOM, HUMAN = "Random", "Human"
_DECIMALS = 2
#: Positions of options in the largest items.
_POSITIONS = range(SIZES[-1])


def _strict(group: pd.DataFrame) -> pd.Series:
    return group["readings"].map(lambda readings: readings["strict_digit"])


def guessed(size: int, group: Group) -> tuple[float]:
    """Return the exact two-sided p value of a share against guessing among so many options."""
    from scipy.stats import binomtest

    k, n = group.row["k"], group.row["n"]
    return (binomtest(k, n, 1 / size).pvalue if n else math.nan,)


def _of_size(size: int) -> tuple[str | Value, ...]:
    """Return the columns of the questions with so many options."""
    return (
        *within(
            f"choose_{size}_",
            lambda group: group["choices"] == str(size),
            (
                *(answers(), right("k"), Percent("accuracy", "k"), Bounds("low", "high")),
                Worked(("p_value",), partial(guessed, size)),
                *outcomes(),
                Count("digit_only_k", lambda group: _strict(group) != ""),
                Count("digit_only_right_k", lambda group: _strict(group) == group["key"]),
                *(
                    Count(f"answer_{position}", ("answer", str(position)))
                    for position in range(size)
                ),
            ),
        ),
        *(f"choose_{size}_answer_{position}" for position in _POSITIONS[size:]),
        f"choose_{size}_always",
    )


_CSV = (
    *("kind", "model", "prompt"),
    Given("annotators"),
    *(value for size in SIZES for value in _of_size(size)),
)


# A function: people's answers come from files of their own, and their mean is over annotators who answered.
def _rows(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    graded = classified(grades, settings)
    measured = [
        worked(_CSV, group, settings, {"kind": "measured", "model": model, "prompt": prompt})
        for model, prompt, group in by_model(graded)
    ]
    people = _human_rows(_people(graded, settings), graded, settings)
    return as_frame([_random(), *_constant_position(graded), *people, *measured], _CSV)


def _accuracy(size: int, row: Row) -> str:
    """Print percent as the paper does, with counts and interval: ``81.19 (272/335)``, ``[76.7, 85.0]``."""
    value, k = (row[f"choose_{size}_{part}"] for part in ("accuracy", "k"))
    if is_missing(value):
        return "awaited" if row["kind"] == "human" and size == SIZES[-1] else NOT_AVAILABLE
    if is_missing(k):
        return rounded(value, _DECIMALS)
    n = int(row[f"choose_{size}_n"])
    printed = percent(int(k), n, _DECIMALS)
    share = f"{printed} ({int(k)}/{n})"
    if row["kind"] == "reference":
        option = row[f"choose_{size}_always"]
        return printed.with_text(Note("{share}, {place}", share=share, place=option))
    bounds = bounds_text(row, f"choose_{size}_low", f"choose_{size}_high", 1)
    return printed.with_text(f"{share}{bounds}")


def _random() -> dict[str, Any]:
    shares = {f"choose_{size}_accuracy": 100 / size for size in SIZES}
    return {"kind": "reference", "model": RANDOM, "prompt": "", **shares}


def _constant_position(graded: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the row of always choosing one position, the best one for each number of options."""
    row: dict[str, Any] = {"kind": "reference", "model": POSITION, "prompt": ""}
    for size in SIZES:
        items = graded[graded["choices"] == str(size)].drop_duplicates("item_id")
        answered = one_position(items)
        if answered is not None:
            row_names, graded_items = answered
            n, k = len(items), int(graded_items["correct"].sum())
            values = {"n": n, "k": k, "accuracy": 100 * k / n, "always": row_names["answer"]}
            row |= {f"choose_{size}_{part}": value for part, value in values.items()}
    return [row] if len(row) > 3 else []


def _people(answers: pd.DataFrame, settings: Settings) -> People:
    return read_classified(settings["texture"]["classified"], set(answers["item"]))


def _human_rows(people: People, answers: pd.DataFrame, settings: Settings) -> list[dict[str, Any]]:
    items = answers.drop_duplicates("item").set_index("item")
    right: dict[str, dict[int, list[bool]]] = {}
    for (item,), options in people.answers.items():
        size, key = int(items.loc[item, "choices"]), int(items.loc[item, "key"])
        for name, option in options.items():
            right.setdefault(name, {}).setdefault(size, []).append(option == key)
    mean: dict[str, Any] = {"kind": "human", "model": HUMAN, "prompt": "", "annotators": len(right)}
    rows = []
    for name in sorted(right):
        row: dict[str, Any] = {"kind": "annotator", "model": f"{HUMAN}: {name}", "prompt": ""}
        for size, correct in right[name].items():
            n, k = len(correct), sum(correct)
            # One answer about each image.
            low, high = share_bounds(correct, range(n), settings)
            values = {"n": n, "k": k, "accuracy": 100 * k / n, "low": low, "high": high}
            row |= {f"choose_{size}_{part}": value for part, value in values.items()}
        rows.append(row)
    for size in SIZES:
        single = [row[f"choose_{size}_accuracy"] for row in rows if f"choose_{size}_n" in row]
        if single:
            mean[f"choose_{size}_accuracy"] = math.fsum(single) / len(single)
    return [mean, *rows]


def _notes(grades: pd.DataFrame, settings: Settings) -> Iterator[str]:
    answers = classified(grades, settings)
    people = _people(answers, settings)
    counts = answers.drop_duplicates("item")["choices"].value_counts()
    two, five = (counts.get(str(size), 0) for size in SIZES)
    yield from (
        Note(
            "Accuracy (正解率) in percent (right/items) and Wilson {coverage} interval; items: "
            "{two} with 2 options, {five} with 5 options (the paper: 335 each). Bold: the best "
            "model.",
            coverage=coverage_of(settings),
            two=two,
            five=five,
        ),
        "Uniform guessing: one of the options at random. Best position: always the place that is right most often.",
        "p: exact two-sided binomial test against guessing; not adjusted for the number of tests.",
        "Unparsed: answers that name no option or several; they count as wrong. Digit alone: answers that are the "
        "number of an option and nothing else, as the prompt asks.",
    )
    if people.answers:
        yield "Human: mean over annotators of each one's accuracy; below it each annotator, over the items answered."
    elif len(answers):
        yield "Human: awaited; people have not answered yet (pages <results>/human/forms/texture/classify-*.html)."
    for count, template in (
        (people.simulated, "{n} simulated answers are left out of the row Human."),
        (people.unknown, "{n} of people's answers are about no item of this run and are left out."),
        (
            people.repeated,
            "{n} of people's answers are replaced by later ones of the same annotator.",
        ),
    ):
        if count:
            yield Note(template, n=count)
    repeats = answers["repeat"].nunique()
    if repeats > 1:
        yield Note(
            "Answers of {repeats} repeats are pooled as if they were independent.", repeats=repeats
        )


def _as_in_paper(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of a guess, of people once they have answered, and of models."""
    answered = frame[[f"choose_{size}_accuracy" for size in SIZES]].notna().any(axis=1)
    is_human = (frame["kind"] == "human") & answered
    return frame[(frame["model"] == RANDOM) | is_human | (frame["kind"] == "measured")]


TEXTURE_CLASSIFICATION = Table(
    "texture_classification",
    "Texture, classification: choosing the word that fits (paper, table 1)",
    rows=_rows,
    csv=_CSV,
    columns=(
        Text("Model", "model", IN_WORDS),
        Text("Prompt", "prompt", if_several=True),
        *(
            column
            for size in SIZES
            for column in (
                Printed(f"{size} options", partial(_accuracy, size)),
                PValue(f"p ({size})", f"choose_{size}_p_value"),
                unparsed(f"choose_{size}_", f"Unparsed ({size})"),
                whole(f"Digit alone ({size})", f"choose_{size}_digit_only_k", optional=True),
            )
        ),
    ),
    notes=(_notes, data_notes("classification")),
    findings=tuple(
        beaten_by_position(f"choose_{size}_accuracy", (), f" with {size} options") for size in SIZES
    ),
    best=Best(
        {f"{size} options": f"choose_{size}_accuracy" for size in SIZES},
        among=lambda row: row["kind"] == "measured",
    ),
    csv_formats={f"choose_{size}_p_value": "%.6g" for size in SIZES},
    paper=PaperForm(
        "Classification of texture: accuracy with two and with five options (table 1 of Matsuda et al.).",
        (
            Text("Model", "model"),
            *(
                percent_alone(
                    f"{size} options",
                    f"choose_{size}_accuracy",
                    f"choose_{size}_k",
                    f"choose_{size}_n",
                    _DECIMALS,
                )
                for size in SIZES
            ),
        ),
        _as_in_paper,
        "Percent; human: mean of the annotators' accuracies.",
    ),
)

PAIRS = pairs_table(
    "pairs_texture",
    "Texture, classification: models compared on the same questions",
    classified,
    by=("choices",),
)


# Is one model better than another? Pairs of models on the same questions.
#
# One row per number of options, prompt and pair of models: ``n`` questions (times repeats), how many were right in
# both, the first alone, the second alone and neither; the difference in percentage points with bounds, and p values
# from flipping the signs of images.

TEXTURE_TESTS = Table(
    "texture_tests",
    "Texture, classification: models against each other, question by question",
    of=classified,
    rows=(by_size, By("prompt"), Pairs("model", same=("item", "repeat", "stimulus_id"))),
    csv=(
        *("choices", "prompt", "first", "second"),
        answers(),
        *(Count("both_k", both), Count("only_first_k", only_first)),
        *(Count("only_second_k", only_second), Count("neither_k", neither)),
        Matched("stimulus_id", p="p_value"),
        *(Distinct("images", "stimulus_id"), Differing("stimulus_id", "differing_images")),
        Corrected("p_holm", "p_value"),
    ),
    columns=(
        whole("Options", "choices"),
        Text("Prompt", "prompt", if_several=True),
        Text("First", "first"),
        Text("Second", "second"),
        whole("n", "n"),
        Difference(
            "Difference",
            "only_first_k",
            "only_second_k",
            low="difference_low",
            high="difference_high",
            decimals=2,
        ),
        whole("First\nalone", "only_first_k"),
        whole("Second\nalone", "only_second_k"),
        PValue("p", "p_value", "differing_images"),
        PValue("p, corrected", "p_holm", "differing_images"),
    ),
    notes=(
        "Difference of the accuracies in percentage points, first minus second; below it its {coverage} interval, "
        "Tango's on what the pairs are worth.",
        test_note("images"),
        data_notes("classification"),
    ),
    split_by="Options",
    csv_formats={"p_value": "%.6g", "p_holm": "%.6g"},
)


# Which word was chosen instead of which: right word by chosen word, for every model.
#
# One row per number of options, model, right word and chosen word ("unparsed" where none was): ``n`` such answers out
# of ``total`` to questions with this right word, and ``share``, their ratio in percent; prompts are pooled.

#: In the column "chosen": the answer names no option or several.
UNPARSED = "unparsed"


def _with_chosen_word(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    graded = classified(grades, settings)
    chosen = [
        json.loads(options)[int(answer)] if isinstance(answer, str) else UNPARSED
        for options, answer in zip(graded["options"], graded["answer"], strict=True)
    ]
    return graded.assign(chosen=chosen)


def _most_often(
    answers: pd.DataFrame, settings: Settings
) -> Iterator[tuple[dict[str, Any], pd.DataFrame]]:
    """Group the answers where one word is right by the word that was chosen, the most frequent first."""
    for word in answers["chosen"].value_counts().index:
        right = word == answers["gold_word"].iloc[0]
        yield {"chosen": word, "right": right}, answers[answers["chosen"] == word]


TEXTURE_WORDS = Table(
    "texture_words",
    "Texture, classification: what was chosen where each word is right",
    of=_with_chosen_word,
    rows=(by_size, By(("model", "gold_word")), _most_often),
    csv=(
        *("choices", "model", "gold_word", "chosen", "right"),
        *confused(),
    ),
    columns=(
        whole("Options", "choices"),
        Text("Model", "model"),
        Text("Right word", "gold_word", glossed),
        Text("Chosen", "chosen", glossed),
        Share("Share", "n", "total"),
    ),
    notes=(
        "Percent of all answers to questions with this right word (answers/all). unparsed: no option, or several.",
        data_notes("classification"),
    ),
    split_by="Options",
)
