"""What a suite's value says of the sessions in which people find their own thresholds. Standard library only."""

from collections.abc import Callable, Mapping
from typing import Any

from afterimage.contract.settings import setting
from afterimage.contract.stimulus import Json
from afterimage.contract.suite import Form, People, Settings, Words

#: The setting that asks for them.
ASK_PEOPLE = setting(
    False, "Pages on which people find their own thresholds, one a condition (docs/human_forms.md)."
)
#: The form, its result, and how tables know the result's file.
FORM, RESULT = "threshold", "trials"

PEOPLE_MEANINGS = {
    "track": "the curve of a condition that has several; empty where it has one",
    "person": "who answered; `all`: the median of all people, and in the place of bounds their quartiles",
    "people": "how many have a threshold",
    "trials": "answers about pictures that have a right one, attention checks and practice apart",
    "trials_right_k": "right answers of these",
    "milliseconds": "that an answer took, median",
    "image_mm": "width of the picture on the screen, measured by a card; empty where the screen was not measured",
    "pixel_scale": "device pixels to each pixel of the picture; below 1 it was shown smaller than it is",
    "distance_cm": "distance from the screen that was asked for",
}


def sessions(
    settings: Settings,
    part: str,
    table: str,
    spec: Callable[[Words, Settings, People], Json] = lambda words, settings, people: {},
) -> tuple[Form, ...]:
    """Return the form of the module ``part`` whose pages are sessions, where it is asked for.

    Its table is made as soon as somebody has answered.
    """
    if not settings.ask_people:
        return ()
    return (Form(FORM, RESULT, part, ("stimuli",), spec=spec, session=True, table=table),)


def about_people(
    suite: str,
    part: str,
    spec: Callable[[Words, Settings, People], Json] = lambda words, settings, people: {},
    tables_when: Mapping[str, Callable[[Settings, People], bool]] | None = None,
) -> dict[str, Any]:
    """Return the fields of a ``Suite`` for its sessions; their table is ``<suite>_people``.

    Args:
        suite: Its name.
        part: The module of the form.
        spec: As of a :class:`Form`.
        tables_when: Conditions of other tables of the suite.
    """
    table = f"{suite}_people"
    return {
        "forms": lambda settings: sessions(settings, part, table, spec),
        "tables_when": {**(tables_when or {}), table: has_answered},
        "table_files": answered,
        "table_settings": people_table_settings(suite, table),
    }


def answered(settings: Settings, people: People) -> list[str]:
    """Return the file with people's trials; none before anybody has answered."""
    found = people.get(RESULT)
    return [] if found is None else [found]


def has_answered(settings: Settings, people: People) -> bool:
    return bool(answered(settings, people))


def people_table_settings(suite: str, table: str) -> Callable[[str, Settings, People], Json]:
    """Return a suite's ``table_settings``: its table of people gets the file of their trials, other tables nothing."""
    return lambda name, settings, people: {suite: {RESULT: people[RESULT]}} if name == table else {}
