"""What stands below every table: the data, the judge, the words, whose verdicts, what was left out, the intervals."""

from collections.abc import Callable, Iterator, Mapping

import pandas as pd

from afterimage.showing.declaration import Settings
from afterimage.showing.interval_notes import interval_note
from afterimage.showing.judgement_columns import judge_note
from afterimage.suites.illusionbench.names import DESCRIPTIONS
from afterimage.suites.illusionbench.tables.columns import REFERENCE_NAMES

_DATA = {
    "drawn": "the set drawn here (seed {seed}), {images} images; no real scenes, which cannot be drawn",
    "folder": "a user's folder (annotations {version}), {images} images",
    "release": "the official release (annotations {version}), {images} images; its scores are not the paper's",
}


def about(*questions: str, bounded: bool = True) -> Callable[..., Iterator[str]]:
    """Return the notes that every table has: data, prompts and judge, what was left out, intervals, repeats.

    Args:
        questions: The kinds of question that the table is about.
        bounded: Whether the table has intervals of shares or means.
    """

    def notes(grades: pd.DataFrame, settings: Settings) -> Iterator[str]:
        chosen = settings["illusionbench"]
        used = grades[grades["question"].isin(questions)]
        prompts = ", ".join(dict.fromkeys(used["prompt"])) or "none asked"
        yield f"Data: {_DATA[chosen['source']].format(**chosen)}."
        yield f"Prompts: {prompts}. {judge_note(used)}"
        yield _excluded(chosen["exclusions"])
        if bounded:
            yield interval_note("images", "In brackets").format(
                coverage=f"{100 * settings['confidence']:.10g} %"
            )
        repeats = used["repeat"].nunique() if "repeat" in used else 1
        if repeats > 1:
            yield f"Answers of {repeats} repeats are pooled."

    return notes


def score_notes(grades: pd.DataFrame, settings: Settings) -> Iterator[str]:
    """Return what has to be said about scores: where they come from, and how many descriptions have one."""
    asked = grades["question"].isin(DESCRIPTIONS) & ~grades["model"].isin(REFERENCE_NAMES)
    scored = int(grades[asked]["score"].notna().sum())
    if scored:
        yield (
            f"Scores from 0 to 2 by the judge, mean of its rounds; {scored} of {asked.sum()} descriptions have one."
        )
    else:
        yield (
            "No description has a score, so n is 0: the configuration names no judge (key 'judge'), or only reference "
            "responders were asked, whose descriptions no judge sees."
        )


def _excluded(exclusions: Mapping[str, int]) -> str:
    if not exclusions:
        return "Left out: nothing."
    listed = "; ".join(f"{reason} ({count})" for reason, count in exclusions.items())
    return (
        f"Left out before any model was asked, {sum(exclusions.values())} rows "
        f"(<results>/stimuli/illusionbench/exclusions.csv): {listed}."
    )
