"""HallusionBench's scores, as its authors compute them (Guan et al. 2024, section 4), and their table.

Models' answers and recorded ones that people judged enter alike: as rows with ``category`` VS or VD, ``subcategory``,
``set_id``, ``figure_id``, ``question_id``, ``visual_input``, ``image_shown``, ``key`` and ``answer`` (Yes, No,
Uncertain, or missing), and whether it is ``correct``; ``repeat`` where a question was asked several times. Answers are
read by a parser here, not by people; who wants a judgement of the explanations needs a judge.

One row per model, prompt and metric: ``k`` of ``n``, percent with bounds, how many of the answers behind it could not
be read, and how many ``sets`` of pictures are behind it.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import pandas as pd

from afterimage.showing.tables.accuracy import UNPARSED
from afterimage.showing.tables.baselines import (
    ALWAYS,
    GUESSING,
    MEASURED,
    REFERENCE,
    YES_OR_NO_NOTE,
    PerKind,
    measured,
)
from afterimage.showing.tables.bounds import interval_note, share_bounds
from afterimage.showing.tables.columns import Share, Text
from afterimage.showing.tables.compute import parts
from afterimage.showing.tables.declaration import By, Settings, Table
from afterimage.showing.tables.pairs import pairs_table
from afterimage.showing.tables.values import Given, Group, Percent, Worked, outcomes

_FIGURE = ["category", "subcategory", "set_id", "figure_id"]
_PAIR = ["category", "subcategory", "set_id", "question_id"]
_SET = ["category", "subcategory", "set_id"]


class Score(NamedTuple):
    """A metric of questions, figures or pairs.

    Attributes:
        metric: Its name.
        correct: How many count as right.
        n: Of how many.
        units: Whether each of them is right, indexed by its set, because answers about a picture and its edited copies
            may depend on each other. None if only the counts are known.
    """

    metric: str
    correct: int
    n: int
    units: pd.Series | None = None


def unseen(answers: pd.DataFrame) -> pd.Series:
    """Tell which questions came without their image."""
    return (answers["category"] == "VS") & (answers["image_shown"] == "no")


def sets_of(units: pd.DataFrame) -> pd.Series:
    """Return the set of each question, figure or pair: a picture and its edited copies."""
    parts = [units[name].astype(str) for name in _SET]
    return parts[0] + "/" + parts[1] + "/" + parts[2]


def counted_correct(answers: pd.DataFrame) -> pd.Series:
    """Tell which answers count as right: the key, or ``Uncertain`` where the image was not shown."""
    return answers["correct"] | (unseen(answers) & (answers["answer"] == "Uncertain"))


def edited(answers: pd.DataFrame) -> pd.Series:
    """Tell which questions are about an edited image; they are the hard ones."""
    return answers["visual_input"] == "2"


def questions_right(metric: str, answers: pd.DataFrame) -> Score:
    return _share(metric, counted_correct(answers), answers)


def figures_right(metric: str, answers: pd.DataFrame) -> Score:
    """Count the figures whose questions are all right; questions without their image are left out."""
    return _all_right(metric, answers[~unseen(answers)], _FIGURE)


def pairs_right(metric: str, answers: pd.DataFrame) -> Score:
    """Count the questions that are right about all of their figures."""
    return _all_right(metric, answers, _PAIR)


def scores(answers: pd.DataFrame) -> Iterator[tuple[Score, pd.DataFrame]]:
    """Yield every score of one model and prompt, with the answers behind it."""
    hard = edited(answers)
    yield questions_right("question", answers), answers
    yield figures_right("figure", answers), answers[~unseen(answers)]
    yield pairs_right("pair", answers), answers
    yield pairs_right("easy", answers[~hard]), answers[~hard]
    yield pairs_right("hard", answers[hard]), answers[hard]
    for score in _leanings(answers):
        yield score, answers


def guessed(answers: pd.DataFrame) -> Iterator[tuple[str, float, int]]:
    """Yield each metric of right answers with its expected value for guesses, 0 to 1, and its number of units.

    Args:
        answers: Every question once; a guess never leaves one open.
    """
    right = pd.Series(0.5, index=answers.index)
    hard, unshown = edited(answers), unseen(answers)
    for metric, subset, keys in (
        ("question", answers, None),
        ("figure", answers[~unshown], _FIGURE),
        ("pair", answers, _PAIR),
        ("easy", answers[~hard], _PAIR),
        ("hard", answers[hard], _PAIR),
    ):
        expected = right[subset.index]
        units = expected if keys is None else expected.groupby([subset[key] for key in keys]).prod()
        yield metric, float(units.mean()), len(units)


def _leanings(answers: pd.DataFrame) -> Iterator[Score]:
    says_yes, is_yes = answers["answer"] == "Yes", answers["key"] == "Yes"
    read = answers["answer"].isin(("Yes", "No"))
    wrong = read & (says_yes != is_yes)
    yield _share("yes_share", says_yes[read], answers[read])
    yield _share("gold_yes_share", is_yes[read], answers[read])
    yield _share("fp_ratio", says_yes[wrong], answers[wrong])


def _share(metric: str, right: pd.Series, units: pd.DataFrame) -> Score:
    by_set = pd.Series(right.to_numpy(), sets_of(units).to_numpy(), dtype=bool)
    return Score(metric, int(right.sum()), len(right), by_set)


def _all_right(metric: str, answers: pd.DataFrame, keys: list[str]) -> Score:
    repeat = ["repeat"] if "repeat" in answers else []
    right = counted_correct(answers).groupby([answers[key] for key in [*repeat, *keys]]).all()
    return _share(metric, right, right.index.to_frame(index=False))


# ---- hallusionbench ----

_WORDS = {
    "question": "All questions",
    "figure": "Figures, all questions right",
    "pair": "Pairs, all figures right",
    "easy": "Easy pairs (original or no image)",
    "hard": "Hard pairs (edited image)",
    "yes_share": "Answered yes",
    "gold_yes_share": "Yes is right",
    "fp_ratio": "Wrong yes among wrong answers",
}


def _metrics(
    grades: pd.DataFrame, settings: Settings
) -> Iterator[tuple[dict[str, Any], pd.DataFrame]]:
    """Compute every score of each model and prompt, then of the baselines, which ignore the image."""
    for names, answers in parts(By(("prompt", "model")), grades, settings):
        yield from _score_rows({**names, "kind": MEASURED}, answers)
    for names, answers in parts(By("prompt"), grades, settings):
        items = answers.drop_duplicates("item_id").reset_index(drop=True)
        reference = {**names, "kind": REFERENCE}
        for metric, share, n in guessed(items):
            known = {"metric": metric, "n": n, "share": share}
            yield {**reference, "model": GUESSING, **known}, items
        for name, constant in ALWAYS.items():
            constant_answers = items.assign(answer=constant, correct=items["key"] == constant)
            yield from _score_rows({**reference, "model": name}, constant_answers)


def _score_rows(
    names: Mapping[str, object], answers: pd.DataFrame
) -> Iterator[tuple[dict[str, Any], pd.DataFrame]]:
    for score, behind in scores(answers):
        counted = {"metric": score.metric, "k": score.correct, "n": score.n, "units": score.units}
        yield {**names, **counted}, behind


def _expected(group: Group) -> tuple[float]:
    return (100 * group.row["share"],)


def _bounds(group: Group) -> tuple[float, float]:
    units = group.row["units"]
    return share_bounds(units, units.index, group.settings)


def _sets(group: Group) -> tuple[int]:
    return (group.row["units"].index.nunique(),)


HALLUSIONBENCH = Table(
    "hallusionbench",
    "HallusionBench: language hallucination and visual illusion",
    rows=(_metrics,),
    csv=(
        *("kind", "model", "prompt", "metric", Given("k"), "n"),
        PerKind(
            {
                **dict.fromkeys((MEASURED, *ALWAYS), Percent("value", "k")),
                GUESSING: Worked(("value",), _expected),
            }
        ),
        *measured(Worked(("low", "high"), _bounds)),
        *measured(*outcomes()),
        *measured(Worked(("sets",), _sets, "whole"), also=ALWAYS),
    ),
    columns=(
        Text("Model", "model"),
        Text("Prompt", "prompt"),
        Text("Score", "metric", words=_WORDS),
        Share("Percent", "k", low="low", high="high", decimals=2, value="value"),
        *UNPARSED,
    ),
    notes=(
        "A figure counts when all its questions are answered right, a pair when one question is about all its figures. "
        "Figures that are asked about without their image are left out of the figures.",
        "Without an image, an answer that leaves the question open is right, as the authors count it. Any other answer "
        "that says neither yes nor no is unparsed and wrong.",
        "Read by a parser, not judged by people: docs/recorded.md.",
        YES_OR_NO_NOTE,
        interval_note("sets, a picture with its edited ones"),
    ),
)


def _compared(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    return grades.assign(correct=counted_correct(grades), pictures=sets_of(grades))


PAIRS = pairs_table(
    "pairs_hallusionbench",
    "HallusionBench: models compared on the same questions",
    _compared,
    by=("category",),
    cluster="pictures",
    clusters="sets, a picture with its edited ones",
)
