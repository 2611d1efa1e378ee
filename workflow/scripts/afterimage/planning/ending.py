"""What is said when a run ends: which answers are missing, and which files of answers were never written."""

from collections.abc import Mapping
from pathlib import Path

from afterimage.files.attempts import last_attempt
from afterimage.files.unfinished import most_common

#: The path of a file of answers to the model and the suite that they are of.
Answers = Mapping[str, tuple[str, str]]


def missing_answers(answers: Answers) -> str:
    """Return which models have not answered everything, and how to go on; "" where nothing is missing.

    Args:
        answers: The files that the study needs.
    """
    reasons: dict[tuple[str, str], list[str]] = {}
    for path, whose in answers.items():
        attempt = last_attempt(path)
        if attempt.failed and Path(path).is_file():
            reasons.setdefault(whose, []).extend([attempt.reason] * attempt.failed)
    said = "; ".join(
        f"{model} on {suite}: {len(failed):,} without answer ({most_common(failed)})"
        for (model, suite), failed in reasons.items()
    )
    return said and (
        f"not finished: {said}. Tables and report show the other models and say so; what was answered is kept. The "
        "same command asks only what is missing."
    )


def missing_files(answers: Answers) -> str:
    """Return which models' answers have no file, since a job was ended or stopped; "" where all have one.

    Args:
        answers: The files that the study needs.
    """
    absent: dict[tuple[str, str], int] = {}
    for path, whose in answers.items():
        if not Path(path).is_file():
            absent[whose] = absent.get(whose, 0) + 1
    said = ", ".join(f"{model} on {suite}" for model, suite in absent)
    return said and (
        f"No file of answers yet of: {said}. Its job was ended, stopped with an error or never started; the tables and "
        "pages that need it wait, and older ones are of an earlier run. What was answered is in the journal; the same "
        "command goes on."
    )
