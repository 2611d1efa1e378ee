"""What stands below every table: the data, the judge, the words, whose verdicts, what was left out, the intervals."""

from collections.abc import Callable, Iterator, Mapping

import pandas as pd

from afterimage.contract.readings import JUDGE
from afterimage.note import Note
from afterimage.showing.bounds import interval_note
from afterimage.showing.declaration import Settings
from afterimage.showing.judgement_columns import is_by_reference, judge_note
from afterimage.suites.illusionbench.cells import is_reference
from afterimage.suites.illusionbench.names import DESCRIPTIONS

_DATA = {
    "drawn": "Data: the set drawn here (seed {seed}), {images} images; no real scenes, which cannot be drawn.",
    "folder": "Data: a user's folder (annotations {version}), {images} images.",
    "release": "Data: the official release (annotations {version}), {images} images; its scores are not the paper's.",
}

#: Why no description has a score, without a reference judge and with one.
_NOT_JUDGED = (
    "the configuration names no judge (key 'judge'), or only reference responders were asked, whose descriptions no "
    "judge sees"
)
#: Where scores come from, of a reference judge and of another.
_BY_REFERENCE = (
    "Scores from 0 to 2 by the reference judge, from the drawn images' own facts, mean of its rounds; {scored} of "
    "{described} descriptions have one. It sees reference responders, whose words it knows, and nobody else: another "
    "judge takes its place by the key 'judge.model'."
)
_BY_JUDGE = "Scores from 0 to 2 by the judge, mean of its rounds; {scored} of {described} descriptions have one."
_NOT_KNOWN = (
    "the reference judge sees reference responders' descriptions of drawn images and nothing else"
)


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
        yield Note(_DATA[chosen["source"]], **chosen)
        yield Note("Prompts: {prompts}. {used}", prompts=prompts, used=judge_note(used))
        yield _excluded(chosen["exclusions"])
        if bounded:
            coverage = f"{100 * settings['confidence']:.10g} %"
            yield interval_note("images", "In brackets", coverage)
        repeats = used["repeat"].nunique() if "repeat" in used else 1
        if repeats > 1:
            yield Note("Answers of {repeats} repeats are pooled.", repeats=repeats)

    return notes


def without_scores(grades: pd.DataFrame, settings: Settings) -> Iterator[str]:
    """Say why no description has a score, where none has."""
    if grades.loc[grades["question"].isin(DESCRIPTIONS), "score"].isna().all():
        yield _NOT_KNOWN if settings.get("reference_judge") else _NOT_JUDGED


def score_notes(grades: pd.DataFrame, settings: Settings) -> Iterator[str]:
    """Return what has to be said about scores: where they come from, and how many descriptions have one."""
    described = grades[grades["question"].isin(DESCRIPTIONS)]
    seen = described["readings"].map(lambda said: JUDGE in said).astype(bool)
    by_reference = described["readings"].map(is_by_reference).astype(bool)
    models = described["model"].map(lambda name: not is_reference(name, settings)).astype(bool)
    own, scored = described[seen | models], described["score"].notna()
    if why := next(without_scores(grades, settings), ""):
        yield Note("No description has a score, so n is 0: {why}.", why=why)
        return
    yield Note(
        _BY_REFERENCE if by_reference.any() else _BY_JUDGE, scored=scored.sum(), described=len(own)
    )


def _excluded(exclusions: Mapping[str, int]) -> str:
    if not exclusions:
        return "Left out: nothing."
    listed = "; ".join(f"{reason} ({count})" for reason, count in exclusions.items())
    return Note(
        "Left out before any model was asked, {exclusions} rows "
        "(<results>/stimuli/illusionbench/exclusions.csv): {listed}.",
        exclusions=sum(exclusions.values()),
        listed=listed,
    )
