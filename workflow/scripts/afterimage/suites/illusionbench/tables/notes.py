"""What stands below every table: the data, the judge, the words, whose verdicts, what was left out, the intervals."""

from collections.abc import Mapping, Sequence

import pandas as pd

from afterimage.grading.judge.columns import judge_note
from afterimage.suites.illusionbench.tables.grouping import HUMAN, REFERENCE_NAMES

_DATA = {
    "drawn": "the set drawn here (seed {seed}), {images} images; no real scenes, which cannot be drawn",
    "folder": "a user's folder (annotations {version}), {images} images",
    "release": "the official release (annotations {version}), {images} images; its scores are not the paper's",
}
_DECIDED = {
    "parser": "Right or wrong: by the parser.",
    "judge": "Right or wrong: by the judge; answers that no judge saw are left out.",
    "final": "Right or wrong: the final verdict, people's where they reviewed an answer, else the judge's, else the "
    "parser's.",
}


def notes(
    grades: pd.DataFrame,
    questions: Sequence[str],
    settings: Mapping,
    own: Sequence[str] = (),
    resampled: bool = True,
) -> tuple[str, ...]:
    """Return the notes of a table.

    Args:
        grades: Graded answers of all models.
        questions: The kinds of question that the table is about.
        settings: "confidence", "resamples", "seed" and ``illusionbench``.
        own: The table's own notes; they come first.
        resampled: Whether the table has intervals from resampling.
    """
    chosen = settings["illusionbench"]
    used = grades[grades["question"].isin(questions)]
    prompts = ", ".join(dict.fromkeys(used["prompt"])) or "none asked"
    interval = (
        f"In brackets: {100 * settings['confidence']:.10g} % percentile interval, bootstrap over images "
        f"({settings['resamples']} resamples, seed {settings['seed']})."
    )
    return (
        *own,
        f"Data: {_DATA[chosen['source']].format(**chosen)}.",
        f"Prompts: {prompts}. {judge_note(used)}",
        _excluded(chosen["exclusions"]),
        *([interval] if resampled else []),
        *_repeats(used),
    )


def accuracy_notes(grades: pd.DataFrame, question: str, settings: Mapping) -> tuple[str, ...]:
    """Return the notes of a table of accuracy."""
    own = [
        "Right answers out of all, micro over questions. Answers that could not be read are wrong and counted in the "
        "CSV.",
        _DECIDED[settings["illusionbench"]["decided_by"]],
        "Bold: the best model of the column; reference responders and people do not compete.",
    ]
    if settings["illusionbench"].get("human_vqa") is not None:
        own.append(f"{HUMAN}: mean of the people's accuracies; n is the number of their answers.")
    return notes(grades, (question,), settings, own)


def score_notes(grades: pd.DataFrame, questions: Sequence[str], settings: Mapping) -> list[str]:
    """Return what has to be said about scores: where they come from, and how many descriptions have one."""
    used = grades[grades["question"].isin(questions) & ~grades["model"].isin(REFERENCE_NAMES)]
    scored = int(used["score"].notna().sum())
    said = [
        f"Scores from 0 to 2 by the judge, mean of its rounds; {scored} of {len(used)} descriptions have one."
    ]
    if not scored:
        said = [
            "No description has a score, so n is 0: the configuration names no judge (key 'judge'), or only reference "
            "responders were asked, whose descriptions no judge sees."
        ]
    return said


def _excluded(exclusions: Mapping[str, int]) -> str:
    if not exclusions:
        return "Left out: nothing."
    listed = "; ".join(f"{reason} ({count})" for reason, count in exclusions.items())
    return (
        f"Left out before any model was asked, {sum(exclusions.values())} rows "
        f"(results/stimuli/illusionbench/exclusions.csv): {listed}."
    )


def _repeats(used: pd.DataFrame) -> tuple[str, ...]:
    count = used["repeat"].nunique() if "repeat" in used else 1
    return (f"Answers of {count} repeats are pooled.",) if count > 1 else ()
