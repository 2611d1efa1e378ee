"""The names that the suite's modules share. Standard library only."""

from afterimage.errors import config_path

#: The file with the questions, in each set's folder.
QUESTIONS_FILE = "questions.csv"
#: The setting that names the sets, as messages name it.
SETS_KEY = config_path("suites.images.sets")

#: Columns of the file: those that it must have, and those whose names are taken. Any other is a factor.
IMAGE, QUESTION, OPTIONS, ANSWER, ANSWER_TYPE = (
    *("image", "question", "options", "answer"),
    "answer_type",
)
REQUIRED_COLUMNS = (IMAGE, QUESTION, OPTIONS, ANSWER)

#: How an answer is read. ``CHOICE`` where there are options; the others read free answers.
CHOICE, YES_NO, WHOLE_NUMBER, TEXT = "choice", "yes_no", "whole_number", "text"
ANSWER_TYPES = (CHOICE, YES_NO, WHOLE_NUMBER, TEXT)

#: Factors that the suite itself gives its items.
SET, GUESSING = "set", "guessing"
#: Columns of the graded answers; a factor of the same name could not be told from them.
TAKEN_NAMES = frozenset(
    {
        *(SET, GUESSING, "item_id", "suite", "model", "repeat", "stimulus_id", "figure", "prompt"),
        *("key", "outcome", "reason", "correct", "score", "readings", "decided_by", "factors"),
        *("offered", "is_listed"),
        *("probe", "overall"),
    }
)

#: Endings of the files that count as images in a folder.
IMAGE_ENDINGS = (".png", ".jpg", ".jpeg")
#: Positions kept for each set, and how many sets there can be.
PLACES, MOST_SETS = 20_000, 50
