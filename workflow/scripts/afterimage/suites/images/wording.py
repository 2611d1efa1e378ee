"""The prompt file: read, checked, and what of it decides how answers are read."""

from collections.abc import Mapping

from afterimage.files.yaml import Checked
from afterimage.suites.images.names import CHOICE, TEXT, WHOLE_NUMBER, YES_NO

#: Letters that options can bear.
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_OPTION = "option"


def check_prompt(name: str, entry: Checked) -> None:
    """Check a prompt of the file.

    Raises:
        AfterimageError: A key or a placeholder is not what it should be.
    """
    entry.keys((CHOICE, _OPTION, YES_NO, WHOLE_NUMBER, TEXT))
    entry[CHOICE].template(("question", "options"), required=("question", "options"))
    entry[_OPTION].template(("letter", "text"), required=("text",))
    for free in (YES_NO, WHOLE_NUMBER, TEXT):
        entry[free].template(("question",), required=("question",))


def is_lettered(words: Mapping) -> bool:
    """Tell whether a prompt's options bear letters."""
    return "{letter}" in words[_OPTION]


def grader(words: Mapping, answer_type: str) -> str:
    """Return the module of ``grading/`` that reads answers of a type to a prompt."""
    if answer_type == CHOICE:
        return "lettered_choice" if is_lettered(words) else "choice"
    return {YES_NO: "yes_no", WHOLE_NUMBER: "integer", TEXT: "short_text"}[answer_type]


def asked(words: Mapping, answer_type: str, question: str, options: tuple[str, ...]) -> str:
    """Return what a model is asked; what a question or an option says is never taken for a placeholder."""
    if answer_type != CHOICE:
        return words[answer_type].format(question=question)
    lines = [
        words[_OPTION].format(letter=LETTERS[place] if is_lettered(words) else "", text=text)
        for place, text in enumerate(options)
    ]
    return words[CHOICE].format(question=question, options="\n".join(lines))
