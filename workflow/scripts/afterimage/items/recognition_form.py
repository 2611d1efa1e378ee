"""The form about what is recognised, for a suite as it is planned; its tasks and rows are in ``recognition.py``."""

from afterimage.contract.suite import Form, People, Settings

#: Of the form, of its result, and of the setting of a table that holds the result's file.
RESULT = "recognition"


def form(part: str, table: str) -> Form:
    """Return the form whose tasks a module makes of a suite's stimuli, and whose answers a table shows."""
    return Form(RESULT, RESULT, part, ("stimuli",), table=table)


def answered(settings: Settings, people: People) -> list[str]:
    """Return the file of recognition answers, once anybody has answered."""
    found = people.get(RESULT)
    return [] if found is None else [found]


def has_answered(settings: Settings, people: People) -> bool:
    return bool(answered(settings, people))
