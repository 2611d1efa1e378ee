"""Judgements as columns, for the tables of suites whose answers are judged."""

from collections.abc import Iterator, Mapping

import pandas as pd

from afterimage.contract.model import ANSWERED_BY, by_others
from afterimage.contract.readings import (
    ABSTAINED,
    AGGREGATION,
    CORRECT_GRADER,
    CORRECT_JUDGE,
    CORRECT_REVIEW,
    INJECTION_SUSPECT,
    JUDGE,
    JUDGE_PROMPT,
    JUDGE_PROMPT_SET,
    READING,
    REFERENCE_JUDGE,
    SCORE_MAJORITY,
    UNDECIDED,
    VOTES,
)
from afterimage.note import Note, joined

_TRUTH = {"true": True, "false": False, UNDECIDED: False}
#: Follows the name of a reference judge.
_REFERENCE_MARK = " (reference judge)"
_NAMES = (JUDGE, JUDGE_PROMPT_SET, JUDGE_PROMPT, AGGREGATION)


def with_judgements(grades: pd.DataFrame) -> pd.DataFrame:
    """Return graded answers with the verdicts of parser, judge and people as columns.

    Args:
        grades: Rows of schema GRADE as a table gets them; ``readings`` holds mappings.

    Returns:
        A copy with additional columns:
        ``correct_grader`` (the parser), ``correct_judge`` (False also where undecided), ``correct_review``:
        boolean, missing where parser, judge or people did not decide on this answer;
        ``correct_final``: the final verdict, as ``correct``;
        ``undecided``, ``injection_suspect``: boolean, False without a judge;
        ``unanimous``: boolean: whether all rounds that count agree; missing without a judge, and where half or more of
        them abstain;
        ``rounds``, ``abstained``: how many rounds there were and in how many the judge abstained; 0 without a judge;
        ``score_majority``: the rating that most rounds agree on; NaN if there is none;
        ``judge``, ``judge_prompt_set``: names, missing without a judge;
        ``judge_prompt``, ``aggregation``: the judge's prompt for the answer, and "majority" or "mean"; missing for
        answers that no judge decides.
    """
    readings = grades["readings"]
    columns = {
        name: pd.array([_TRUTH.get(reading.get(name)) for reading in readings], dtype="boolean")
        for name in (CORRECT_GRADER, CORRECT_JUDGE, CORRECT_REVIEW)
    }
    votes = [reading[VOTES].split() if VOTES in reading else [] for reading in readings]
    columns |= {
        "correct_final": grades["correct"].astype(bool),
        UNDECIDED: [reading.get(CORRECT_JUDGE) == UNDECIDED for reading in readings],
        INJECTION_SUSPECT: [reading.get(INJECTION_SUSPECT) == "true" for reading in readings],
        "unanimous": pd.array(list(map(_unanimous, votes)), dtype="boolean"),
        "rounds": list(map(len, votes)),
        "abstained": [ballots.count(ABSTAINED) for ballots in votes],
        SCORE_MAJORITY: [float(reading.get(SCORE_MAJORITY) or "nan") for reading in readings],
    }
    columns |= {name: [reading.get(name) for reading in readings] for name in _NAMES}
    return grades.assign(**columns)


#: Who decided, by whether people have reviewed: without a judge, and with one.
_BY_PARSER = {
    False: "No judge: answers are graded by the parser alone.",
    True: "No judge: answers are graded by the parser alone; decided by people: {reviewed}.",
}
_BY_JUDGE = {
    False: "Judged by {judges}; what the judge did not see, by the parser.",
    True: "Judged by {judges}; what the judge did not see, by the parser; decided by people: "
    "{reviewed}.",
}
_READ_BY_BOTH = (
    "Of the {answers} answers that the suite's reader left unread, {judges} read {judged}, people decided {decided}; "
    "{unread} stay unread."
)
_READ_BY_PEOPLE = (
    "Of the {answers} answers that the suite's reader left unread, people decided {decided}; "
    "{unread} stay unread."
)


def judge_note(grades: pd.DataFrame) -> str:
    """Return the sentence for a table's notes that says who decided."""
    deciders = grades["decided_by"].value_counts()
    reviewed = int(deciders.get("review", 0))
    judges = _judges(grades)
    templates = _BY_PARSER if judges is None else _BY_JUDGE
    sentence = Note(templates[reviewed > 0], judges=judges, reviewed=reviewed)
    return joined([sentence, *_suspects_note(grades)])


def unread_note(grades: pd.DataFrame) -> str | None:
    """Return the note on who read the answers that a suite's own reader left unread; None if nobody else was to.

    Args:
        grades: Rows of schema GRADE as a table gets them; those of others have no ``readings``.
    """
    readings = grades["readings"]
    unread = grades[
        [
            isinstance(reading, Mapping) and reading.get(AGGREGATION) == READING
            for reading in readings
        ]
    ]
    if unread.empty:
        return None
    deciders = unread["decided_by"].value_counts()
    judges = _judges(unread)
    sentence = Note(
        _READ_BY_PEOPLE if judges is None else _READ_BY_BOTH,
        answers=len(unread),
        judges=judges,
        judged=deciders.get("judge", 0),
        decided=deciders.get("review", 0),
        unread=int((unread["outcome"] == "unparsed").sum()),
    )
    return joined([sentence, *_suspects_note(unread)])


def _suspects_note(grades: pd.DataFrame) -> Iterator[str]:
    """Yield the note about judged answers that look like instructions to the judge, where there are any."""
    judged = [VOTES in reading for reading in grades["readings"]]
    suspect = [reading.get(INJECTION_SUSPECT) == "true" for reading in grades["readings"]]
    if not any(suspect):
        return
    counted = int((grades["decided_by"][suspect] == "judge").sum())
    yield Note(
        "Of {judged} judged answers {suspect} read like instructions to the judge; its "
        "verdict on {counted} of them counts.",
        judged=sum(judged),
        suspect=sum(suspect),
        counted=counted,
    )


def other_models_note(grades: pd.DataFrame) -> str | None:
    """Return the note on other models that answered in place of those that were asked; None for none.

    Args:
        grades: Rows of schema GRADE as a table gets them; those of others have no ``readings``.
    """
    counts: dict[str, dict[str, int]] = {}
    for model, reading in zip(grades["model"], grades["readings"], strict=True):
        if isinstance(reading, Mapping) and (name := reading.get(ANSWERED_BY)):
            names = counts.setdefault(model, {})
            names[name] = names.get(name, 0) + 1
    return by_others(counts) or None


def judges_of(grades: pd.DataFrame) -> str:
    """Return the judges of these answers, reference judges marked; empty for none."""
    judged = (
        reading
        for reading in grades["readings"]
        if isinstance(reading, Mapping) and JUDGE in reading
    )
    return " and ".join(
        sorted(
            {f"{reading[JUDGE]}{_REFERENCE_MARK * is_by_reference(reading)}" for reading in judged}
        )
    )


def _judges(grades: pd.DataFrame) -> Note | None:
    """Return the judges with prompts and rounds; None for none."""
    named = {
        judge: judge for judge in map(_judge_and_rounds, grades["readings"]) if judge is not None
    }
    return joined([named[judge] for judge in sorted(named)], " and ") if named else None


def _judge_and_rounds(reading: Mapping[str, str]) -> Note | None:
    if JUDGE not in reading:
        return None
    return Note(
        "{judge} (reference judge; prompts '{set}', {rounds} rounds)"
        if is_by_reference(reading)
        else "{judge} (prompts '{set}', {rounds} rounds)",
        judge=reading[JUDGE],
        set=reading[JUDGE_PROMPT_SET],
        rounds=len(reading[VOTES].split()),
    )


def is_by_reference(reading: Mapping[str, str]) -> bool:
    """Tell whether the verdict on an answer, by its ``readings``, is a reference judge's."""
    return reading.get(REFERENCE_JUDGE) == "true"


def _unanimous(votes: list[str]) -> bool | None:
    counted = [vote for vote in votes if vote != ABSTAINED]
    if not votes or len(counted) < len(votes) // 2 + 1:
        return None
    return len(set(counted)) == 1
