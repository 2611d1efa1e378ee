"""HallusionBench's own scores: question, figure and pair accuracy, easy and hard, and the leaning towards yes.

Guan et al. 2024, section 4. Answers are read by a parser here, not by people; who wants a judgement of the explanations
needs a judge. One row per model, prompt and metric: ``k`` of ``n``, percent with bounds, how many of the answers behind
it could not be read, and how many ``sets`` of pictures are behind it.
"""

from collections.abc import Iterator, Mapping

import pandas as pd

from afterimage.showing.baselines import YES_OR_NO_NOTE
from afterimage.showing.bounds import share_bounds
from afterimage.showing.columns import Share, Text
from afterimage.showing.composed import PerKind, measured
from afterimage.showing.compute import parts
from afterimage.showing.declaration import By, Settings, Table
from afterimage.showing.interval_notes import interval_note
from afterimage.showing.model_pairs import pairs_table
from afterimage.showing.outcomes import UNPARSED
from afterimage.showing.references import ALWAYS, GUESSING, MEASURED, REFERENCE
from afterimage.showing.values import Given, Group, Percent, Worked, outcomes
from afterimage.suites.hallusionbench.metrics import counted_correct, guessed, scores, sets_of

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


def _metrics(grades: pd.DataFrame, settings: Settings) -> Iterator[tuple[dict, pd.DataFrame]]:
    """Count every score of each model and prompt, then of who does not look: of questions, figures or pairs."""
    for names, answers in parts(By(("prompt", "model")), grades, settings):
        yield from _scored({**names, "kind": MEASURED}, answers)
    for names, answers in parts(By("prompt"), grades, settings):
        items = answers.drop_duplicates("item_id").reset_index(drop=True)
        reference = {**names, "kind": REFERENCE}
        for metric, share, n in guessed(items):
            known = {"metric": metric, "n": n, "share": share}
            yield {**reference, "model": GUESSING, **known}, items
        for name, said in ALWAYS.items():
            told = items.assign(answer=said, correct=items["key"] == said)
            yield from _scored({**reference, "model": name}, told)


def _scored(
    names: Mapping[str, object], answers: pd.DataFrame
) -> Iterator[tuple[dict, pd.DataFrame]]:
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


TABLE = Table(
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
        "Read by a parser, not judged by people: docs/free_text.md.",
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
