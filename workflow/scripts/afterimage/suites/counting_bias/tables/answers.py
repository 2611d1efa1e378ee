"""The counting answers as the tables read them, and how they are parted."""

from collections.abc import Iterator

import pandas as pd

from afterimage.showing.declaration import Settings
from afterimage.suites.counting_bias.names import IDENTIFY

#: In the column "alteration": one more and one less together.
ALTERED = "altered"
#: What all subjects of a task are parted by, from outside in, and the level that holds all tasks.
ALL = "all"
#: The clusters of all intervals: what is known of a flag or board is known of all its images.
CLUSTERS = "subject"


def counted(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Return the answers to counting questions with what kind of wrong each is.

    Returns:
        The answers with ``biased`` (the usual number, though it is wrong), ``off_by_one`` (another number next to the
        true one) and ``other`` (any other number), as truths.
    """
    answers = grades[grades["question"] != IDENTIFY]
    said = pd.to_numeric(answers["answer"].where(answers["outcome"] != "unparsed"), errors="coerce")
    true, usual = (pd.to_numeric(answers[name]) for name in ("key", "usual"))
    biased = (said == usual) & (usual != true)
    off_by_one = ((said - true).abs() == 1) & ~biased
    other = said.notna() & (said != true) & ~biased & ~off_by_one
    return answers.assign(biased=biased, off_by_one=off_by_one, other=other)


def by_alteration(answers: pd.DataFrame, settings: Settings) -> Iterator[tuple[dict, pd.DataFrame]]:
    """Part answers by the alteration, and pool -1 and 1."""
    for alteration in ("-1", "0", "1"):
        yield {"alteration": alteration}, answers[answers["alteration"] == alteration]
    yield {"alteration": ALTERED}, answers[answers["alteration"] != "0"]
