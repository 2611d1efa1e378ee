"""The four classes of an answered image, and how often they occur.

Both questions about an image are judged together (paper, section 4): the
image is in one of four classes. A unit is one image as one model answered it with one prompt in one
repeat.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial

import numpy as np
import pandas as pd

from afterimage.errors import AfterimageError
from afterimage.files.csv_rows import read_frame
from afterimage.showing.tables.baselines import (
    CONSTANT,
    GUESSING,
    MEASURED,
    POSITION,
    Answered,
    PerKind,
    Reference,
    measured,
    option_at,
    option_positions,
)
from afterimage.showing.tables.declaration import Settings
from afterimage.showing.tables.values import (
    OUTCOMES,
    Bounds,
    Count,
    Distinct,
    Group,
    Percent,
    Value,
    Worked,
    answers,
    outcomes,
    require_columns,
    with_outcomes,
)
from afterimage.suites.illusions.names import LATER, QUESTIONS, VARIANTS

#: In the paper's order. The key is (actual question correct, apparent question correct).
CLASS_OF = {
    (True, True): "both_correct",
    (False, True): "apparent_only",
    (True, False): "actual_only",
    (False, False): "both_wrong",
}
CLASSES = tuple(CLASS_OF.values())

_UNIT = ["model", "prompt", "repeat", "stimulus_id"]
_TWIN = ["model", "prompt", "repeat", "figure", "variant"]
_FACTORS = ["figure", "variant", "condition", "human_subset", "option_count"]
#: The option that the inducer suggests and the one that says that there is no difference, which baselines choose.
_ROLES = ("illusory", "neutral")
_OF_BOTH = {"keys": "key", "offered": "offered"}


def classified(grades: pd.DataFrame) -> pd.DataFrame:
    """Put each unit into its class.

    Args:
        grades: One row per graded answer: the columns of schema GRADE with the factors as columns
            of their own (variant, condition, human_subset, option_count).

    Returns:
        One row per unit, in the order of first appearance: model, prompt, repeat, stimulus_id,
        figure, variant, condition, human_subset (bool), option_count (int), cell (one of CLASSES),
        unparsed (bool: at least one of the two answers could not be read), cut_off and refused (the same); item_id;
        keys and offered (pairs: of the actual and of the apparent question), illusory and neutral where they are known.

    Raises:
        AfterimageError: A column is missing, a question is unknown, or a unit lacks one of its two
            questions or has one of them twice.
    """
    require_columns(grades, (*_UNIT, *_FACTORS, "question", "correct", "outcome"))
    _require_both_questions(grades)
    graded = with_outcomes(grades)
    units = (
        graded.groupby(_UNIT, sort=False)
        .agg(
            dict.fromkeys([*_FACTORS, *(name for name in _ROLES if name in grades)], "first")
            | dict.fromkeys(OUTCOMES, "any")
        )
        .reset_index()
    )
    units["item_id"] = units["stimulus_id"] + "/" + units["prompt"]
    by_question = {
        question: answers.set_index(_UNIT).reindex(pd.MultiIndex.from_frame(units[_UNIT]))
        for question, answers in grades.groupby("question")
    }
    correct = {question: answers["correct"] for question, answers in by_question.items()}
    for name, column in _OF_BOTH.items():
        if column in grades:
            pairs = (by_question[question][column] for question in ("actual", "apparent"))
            units[name] = list(zip(*pairs, strict=True))
    units["human_subset"] = units["human_subset"].astype(str).str.lower() == "true"
    units["option_count"] = units["option_count"].astype(int)
    units["cell"] = [
        CLASS_OF[bool(actual), bool(apparent)]
        for actual, apparent in zip(correct["actual"], correct["apparent"], strict=True)
    ]
    return units


#: The model and the prompt of rows with the answers of the study's own people.
PEOPLE = "people"


def counted_units(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Return classified units, people's modal answers among them."""
    units = classified(grades)
    if "people" in settings and len(units):
        units = pd.concat([units, _people(settings["people"])], ignore_index=True)
    return units


_ALWAYS = (CONSTANT, POSITION)


def _share(name: str) -> PerKind:
    counted = dict.fromkeys((MEASURED, *_ALWAYS), Percent(name, f"{name}_k"))
    return PerKind({**counted, GUESSING: Worked((name,), partial(_guessed, name))})


def _guessed(name: str, group: Group) -> tuple[Fraction]:
    return (100 * guessing_baseline(group.answers["option_count"])[name],)


def _people(path: str) -> pd.DataFrame:
    """Return one unit per image that people were shown; none until they have answered everything."""
    answers = read_frame(path, dtype=str)
    right = answers[["actual", "apparent"]] == "true"
    return answers[["stimulus_id", "figure", "variant", "condition"]].assign(
        model=PEOPLE,
        prompt=PEOPLE,
        repeat=0,
        human_subset=True,
        **dict.fromkeys(OUTCOMES, False),
        cell=[CLASS_OF[each] for each in right.itertuples(index=False, name=None)],
    )


#: The largest unit whose answers can be alike: both variants of an illusion, with and without inducer.
ILLUSION = "figure"
#: What is counted of units: how many are in each class, in percent with bounds, of how many illusions, and how many
#: have at least one answer that could not be read (they are counted in the classes too, as wrong). Without units,
#: shares are undefined. Baselines have no intervals, a guess has no counts.
COUNTED: tuple[str | Value, ...] = (
    answers(),
    *measured(*(Count(f"{name}_k", ("cell", name)) for name in CLASSES), also=_ALWAYS),
    *measured(*outcomes(counted=True)),
    *(_share(name) for name in CLASSES),
    *measured(
        *(Bounds(f"{name}_low", f"{name}_high", ("cell", name), ILLUSION) for name in CLASSES)
    ),
    *measured(Distinct("illusions", ILLUSION)),
    "answer",
)


#: The subset of the illusions that the paper does not have, and which no other subset holds.
OF_NO_PAPER = "later"
#: The subset of all variants of the paper's illusions, where there are more than the paper's two; no other has them.
SCALED = "scaled"


def with_further(subsets: Sequence[str], units: pd.DataFrame) -> list[str]:
    """Return the subsets, and where a study has variants or illusions that the paper does not have, theirs."""
    has = {SCALED: has_further(units), OF_NO_PAPER: units["figure"].isin(LATER).any()}
    return [*subsets, *(name for name, is_there in has.items() if is_there)]


def has_further(units: pd.DataFrame) -> bool:
    """Tell whether the paper's illusions have more than two variants."""
    return bool((~units["figure"].isin(LATER) & ~units["variant"].isin(VARIANTS)).any())


def in_subset(chosen: pd.DataFrame, subset: str, units: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of ``chosen`` that belong to ``subset``.

    Args:
        chosen: Classified units.
        subset: "all", two variants of the paper's illusions, as in the paper; "scaled", all of their variants;
            "later", the illusions that it does not have; "conditional", of "all" the units whose genuine twin (same
            illusion, variant, prompt and repeat) the same model answered both-correct (paper, section 4.2); or
            "human_16", the images that people were shown (16 without Ponzo).
        units: All classified units, in which genuine twins are looked up.
    """
    is_later = chosen["figure"].isin(LATER)
    if subset == OF_NO_PAPER:
        return chosen[is_later]
    chosen = chosen[~is_later]
    if subset == SCALED:
        return chosen
    chosen = chosen[chosen["variant"].isin(VARIANTS)]
    if subset == "all":
        return chosen
    if subset == "human_16":
        return chosen[chosen["human_subset"]]
    if subset == "conditional":
        return chosen[_twin_is_both_correct(chosen, units)]
    raise ValueError(
        f"expected the subset all, scaled, conditional, human_16 or later, found {subset!r}"
    )


def guessing_baseline(option_counts: Iterable[int]) -> dict[str, Fraction]:
    """Return the expected share of each class for independent guesses over the options.

    Args:
        option_counts: Number of options of each image; both of its questions offer as many.

    Returns:
        Class -> exact share between 0 and 1; empty for no images.
    """
    right = [Fraction(1, int(count)) for count in option_counts]
    if not right:
        return {}
    chances = {
        "both_correct": [p * p for p in right],
        "apparent_only": [(1 - p) * p for p in right],
        "actual_only": [p * (1 - p) for p in right],
        "both_wrong": [(1 - p) ** 2 for p in right],
    }
    return {name: sum(chances[name], Fraction(0)) / len(right) for name in CLASSES}


def _twin_is_both_correct(chosen: pd.DataFrame, units: pd.DataFrame) -> np.ndarray:
    genuine = units[units["condition"] == "genuine"]
    cell_of_twin = dict(
        zip(genuine[_TWIN].itertuples(index=False, name=None), genuine["cell"], strict=True)
    )
    result = []
    for stimulus_id, twin in zip(
        chosen["stimulus_id"], chosen[_TWIN].itertuples(index=False, name=None), strict=True
    ):
        if twin not in cell_of_twin:
            raise AfterimageError(
                f"grades of model '{twin[0]}': stimulus {stimulus_id} has no genuine twin "
                f"with prompt '{twin[1]}' in repeat {twin[2]}; expected grades of all conditions."
            )
        result.append(cell_of_twin[twin] == "both_correct")
    return np.array(result, dtype=bool)


def _require_both_questions(grades: pd.DataFrame) -> None:
    unknown = grades[~grades["question"].isin(QUESTIONS)]
    if len(unknown):
        first = unknown.iloc[0]
        raise AfterimageError(
            f"grades of model '{first['model']}': unknown question '{first['question']}' "
            f"about stimulus {first['stimulus_id']}; expected one of: {', '.join(QUESTIONS)}."
        )
    times = grades.groupby([*_UNIT, "question"], sort=False).size().unstack(fill_value=0)
    for question in QUESTIONS:
        counts = times.get(question, pd.Series(0, index=times.index))
        wrong = counts[counts != 1]
        if len(wrong):
            model, prompt, repeat, stimulus_id = wrong.index[0]
            raise AfterimageError(
                f"grades of model '{model}': {wrong.iloc[0]} answers to the {question} question "
                f"about stimulus {stimulus_id} (prompt '{prompt}', repeat {repeat}); expected 1."
            )


# Answers to both questions without seeing the image: the scores of a guess, of one role and of one position.
#
# Options differ between figures, so that a constant answer is defined by its role: the option that the figure suggests,
# or the one that says that there is no difference. Both questions get the same; the best is the one that is right in
# both most often in the row.

#: Role to its name for readers.
_ROLES_OF_OPTIONS = {"illusory": "the illusory option", "neutral": "no difference"}


def _guess(units: pd.DataFrame) -> Answered:
    return ({}, units) if len(units) else None


def _same_role(units: pd.DataFrame) -> Answered:
    roles = {words: units[role] for role, words in _ROLES_OF_OPTIONS.items() if role in units}
    return _best(
        units,
        {words: [(option, option) for option in options] for words, options in roles.items()},
    )


def _same_position(units: pd.DataFrame) -> Answered:
    if not len(units) or "offered" not in units:
        return None
    offered = [options for both in units["offered"] for options in both]
    return _best(
        units,
        {
            name: [
                tuple(option_at(position, options) for options in both) for both in units["offered"]
            ]
            for name, position in option_positions(offered).items()
        },
    )


def _best(
    units: pd.DataFrame, replies_of: Mapping[str, Sequence[tuple[str | None, ...]]]
) -> Answered:
    """Return the answers that are right to both questions most often, with their name."""
    if not len(units) or not replies_of or "keys" not in units:
        return None
    cells = {name: list(_cells(units, answers)) for name, answers in replies_of.items()}
    best = max(cells, key=lambda name: cells[name].count("both_correct"))
    return {"answer": best}, units.assign(cell=cells[best])


def _cells(units: pd.DataFrame, answers: Sequence[tuple[str | None, ...]]) -> Iterable[str]:
    for replies, keys in zip(answers, units["keys"], strict=True):
        actual, apparent = (answer == key for answer, key in zip(replies, keys, strict=True))
        yield CLASS_OF[actual, apparent]


#: The rows below the models'.
UNSEEING = (
    Reference(GUESSING, _guess),
    Reference(CONSTANT, _same_role),
    Reference(POSITION, _same_position),
)
NAMES = tuple(reference.name for reference in UNSEEING)
NOTE = (
    "Uniform guessing: expected shares for independent guesses over the options of each image. Best constant answer: "
    "the option that the figure suggests, or the one that says that there is no difference, to both questions; best "
    "position: always the first, the second, ... or the last option; whichever has most images both correct in the "
    "row, in parentheses."
)
