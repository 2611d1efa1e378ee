"""HallusionBench's own scores: question, figure and pair accuracy, easy and hard, and the leaning towards yes.

Guan et al. 2024, section 4. Answers are read by a parser here, not by people; who wants a judgement of the explanations
needs a judge.
"""

from collections.abc import Iterator, Mapping

import pandas as pd

from afterimage.showing.table_layout import Layout, Share, Text
from afterimage.statistics.intervals import wilson_interval

COLUMNS = ("model", "prompt", "metric", "k", "n", "value", "low", "high", "unparsed_k")
_FIGURE = ["repeat", "category", "subcategory", "set_id", "figure_id"]
_PAIR = ["repeat", "category", "subcategory", "set_id", "question_id"]
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


def table(grades: pd.DataFrame, settings: Mapping) -> pd.DataFrame:
    """Form every score of each model and prompt.

    Args:
        grades: Graded answers of all models, factors as columns.
        settings: ``confidence``.

    Returns:
        One row per model, prompt and metric: ``k`` of ``n``, percent with Wilson's bounds, and how many of the answers
        behind it could not be read.
    """
    rows = [
        (model, prompt, metric, *_share(k, n, settings), unparsed)
        for (prompt, model), group in grades.groupby(["prompt", "model"], sort=False)
        for metric, k, n, unparsed in _scores(group)
    ]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def layout(grades: pd.DataFrame, settings: Mapping) -> Layout:
    """Describe the reader's table."""
    confidence = f"{100 * settings['confidence']:g}"
    return Layout(
        title="HallusionBench: language hallucination and visual illusion",
        columns=(
            Text("Model", "model"),
            Text("Prompt", "prompt"),
            Text("Score", "metric", words=_WORDS),
            Share("Percent", "k", "n", low="low", high="high", decimals=2),
            Text("Unparsed", "unparsed_k", numeric=True),
        ),
        notes=(
            "A figure counts when all its questions are answered right, a pair when one question is about all its "
            "figures. Figures that are asked about without their image are left out of the figures.",
            "Without an image, an answer that leaves the question open is right, as the authors count it. Any other "
            "answer that says neither yes nor no is unparsed and wrong.",
            f"Read by a parser, not judged by people: docs/free_text.md. Brackets: Wilson interval, {confidence} %.",
        ),
    )


def counted_correct(group: pd.DataFrame) -> pd.Series:
    """Tell which answers count as right: the key, or leaving open a question that came without its image."""
    open_question = (group["category"] == "VS") & (group["image_shown"] == "no")
    return group["correct"] | (open_question & (group["answer"] == "Uncertain"))


def _scores(group: pd.DataFrame) -> Iterator[tuple[str, int, int, int]]:
    correct = counted_correct(group)
    unparsed = group["answer"].isna()
    shown = ~((group["category"] == "VS") & (group["image_shown"] == "no"))
    hard = group["visual_input"] == "2"
    yield "question", int(correct.sum()), len(group), int(unparsed.sum())
    for metric, chosen, keys in (
        ("figure", shown, _FIGURE),
        ("pair", correct.notna(), _PAIR),
        ("easy", ~hard, _PAIR),
        ("hard", hard, _PAIR),
    ):
        of_chosen = group[chosen]
        complete = correct[chosen].groupby([of_chosen[key] for key in keys]).all()
        yield metric, int(complete.sum()), len(complete), int(unparsed[chosen].sum())
    yield from _leanings(group, int(unparsed.sum()))


def _leanings(group: pd.DataFrame, unparsed: int) -> Iterator[tuple[str, int, int, int]]:
    says_yes, is_yes = group["answer"] == "Yes", group["key"] == "Yes"
    read = group["answer"].isin(("Yes", "No"))
    wrong_yes = int((says_yes & ~is_yes).sum())
    wrong_no = int(((group["answer"] == "No") & is_yes).sum())
    yield "yes_share", int(says_yes.sum()), int(read.sum()), unparsed
    yield "gold_yes_share", int(is_yes[read].sum()), int(read.sum()), unparsed
    yield "fp_ratio", wrong_yes, wrong_yes + wrong_no, unparsed


def _share(k: int, n: int, settings: Mapping) -> tuple:
    if not n:
        return k, n, float("nan"), float("nan"), float("nan")
    bounds = wilson_interval(k, n, settings["confidence"])
    return k, n, 100 * k / n, 100 * bounds.low, 100 * bounds.high
