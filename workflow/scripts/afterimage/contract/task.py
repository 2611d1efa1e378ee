"""What a suite's form is made of: tasks with pictures, passages and fields; and the answers that come back.

A form is a module, a suite's ``forms.py`` or ``questions.py``, or a class in it where a suite has several kinds, with

* ``COLUMNS``: the columns of the file that its answers become;
* ``tasks(inputs, settings, texts)``: yields :class:`Task`;
* ``rows(answers)``: yields one dict with ``COLUMNS`` per row, from a list of :class:`Answer` in the order of
  annotator, task and field (blank, stale and superseded answers and attention checks are not among them);
* for a form of sessions, ``session(tasks, settings)``: returns a :class:`Session`, from :class:`Shown` tasks of a page;
* optionally ``attention(tasks, number, texts)``: yields ``number`` tasks whose answers are known
  (``expected`` set); without it instructed ones are made from the tasks' own questions.

Ids in a task are the suite's own and never reach a page: people see, and send back, opaque ids only.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

#: A text by language code. With one language only it is shown as it is in every language; the code ""
#: means an unknown language, as of a model's answer.
Text = Mapping[str, str]


def literal(text: str, language: str = "") -> Text:
    """Return a text that is the same in every language, for example a model's answer."""
    return {language: text}


@dataclass(frozen=True)
class Option:
    """One possible answer of a choice.

    Attributes:
        id: The suite's own name for it; this is what comes back.
        text: What people read.
        code: What may be typed into a spreadsheet instead of the text; by default the option's place, from 1.
    """

    id: str
    text: Text
    code: str | None = None


@dataclass(frozen=True)
class Choice:
    """A question with exactly one answer.

    Attributes:
        id: The suite's own name for the field, unique in its task.
        text: The question, or the word or statement that is judged.
        options: At least two, with different ids and codes.
        layout: ``"list"``, one below the other, or ``"row"``, side by side: for short options, such as a
            two-way choice about each of several words, or a rating.
        shuffle: Whether the options' order is drawn for each task.
        level: ``"nominal"``, or ``"ordinal"`` where the options are steps of a scale, for agreement.
        optional: Whether a task without this answer counts as answered.
    """

    id: str
    text: Text
    options: tuple[Option, ...]
    layout: str = "list"
    shuffle: bool = False
    level: str = "nominal"
    optional: bool = False


@dataclass(frozen=True)
class Entry:
    """A line that people write themselves. Several of them make a list of words.

    Attributes:
        id: The suite's own name for the field, unique in its task.
        text: The label.
        most: The greatest number of characters.
        optional: Whether a task without this answer counts as answered.
    """

    id: str
    text: Text
    most: int = 100
    optional: bool = False


@dataclass(frozen=True)
class Passage:
    """Text shown with the pictures: a description, a question with its right answer.

    Attributes:
        heading: What it is; may be empty.
        text: Shown literally, line breaks kept.
    """

    heading: Text
    text: Text


@dataclass(frozen=True)
class Task:
    """What is shown at once, and the fields to fill in.

    Attributes:
        id: The suite's own name, unique in the form; answers to it stay valid as long as the task keeps it
            and shows the same.
        fields: At least one.
        images: PNG files' bytes, pixels alone; metadata are refused.
        heading: What the task is about, for example an object's name; may be empty.
        passages: What to read, in this order.
        group: Tasks of one group are kept apart on the page, for example twins of one figure.
        page: Tasks with the same value share one page, without others; if empty, pages are filled evenly.
        shuffle_fields: Whether the order of the fields is drawn for each task.
        about: Metadata that the form's ``rows`` needs with the answer; never shown.
        expected: For an attention check, the option that each field asks for, by the fields' and the
            options' own ids; a task with expectations is no task of the study.
    """

    id: str
    fields: tuple[Choice | Entry, ...]
    images: tuple[bytes, ...] = ()
    heading: Text = field(default_factory=dict)
    passages: tuple[Passage, ...] = ()
    group: str = ""
    page: str = ""
    shuffle_fields: bool = False
    about: Mapping[str, str] = field(default_factory=dict)
    expected: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Answer:
    """One person's answer to one field, mapped back to the suite's own names.

    Attributes:
        annotator_id: The code that the person chose.
        form: The form's name.
        task_id: The task's own id.
        field_id: The field's own id.
        value: The chosen option's own id, or the text that was written; never empty.
        about: The task's ``about``.
        form_id: The opaque id of the form.
        answered_at: When it was given, ISO 8601 in UTC, or empty if the sheet does not say.
        trial: Of an answer in a session: ``session`` (one run of a page), ``order`` (the trial's number in it),
            ``milliseconds`` that it took, ``shown`` (the picture's size on the screen), ``px_per_mm`` of the screen and
            ``distance_cm`` that was asked for, both empty if the screen was not measured. Else empty.
    """

    annotator_id: str
    form: str
    task_id: str
    field_id: str
    value: str
    about: Mapping[str, str] = field(default_factory=dict)
    form_id: str = ""
    answered_at: str = ""
    trial: Mapping[str, str] = field(default_factory=dict)


# ---- sessions: pages that choose each trial by the answers before it ----


class Slot(NamedTuple):
    """The slot of a task in a session.

    Attributes:
        track: Number of its track.
        cell: Number of its cell in the track; tasks of one cell take turns.
        first: Id of the option that counts as the first answer.
        key: Id of the right option; empty if there is none.
        practice: Whether it is easy enough for practice.
    """

    track: int
    cell: int
    first: str
    key: str
    practice: bool


class Track(NamedTuple):
    """One psychometric curve that trials are placed on.

    Attributes:
        prior: Prior probability of each combination of an observer's parameters.
        first: For each cell, the probability of the first answer under each combination. Without any, the track's tasks
            are shown in order.
    """

    prior: Sequence[float]
    first: Sequence[Sequence[float]]


@dataclass(frozen=True)
class Session:
    """What a page needs to place trials.

    Attributes:
        tracks: They take turns.
        slots: Task id to its slot; attention checks have none.
        degrees: Visual angle of a picture's width, degrees.
        exposure_ms: How long a picture is shown; 0: until it is answered.
    """

    tracks: tuple[Track, ...]
    slots: Mapping[str, Slot]
    degrees: float
    exposure_ms: int = 0


class Shown(NamedTuple):
    """A task of a page: its id and its form's metadata about it."""

    id: str
    about: Mapping[str, str]
