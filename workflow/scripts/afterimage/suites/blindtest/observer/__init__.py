"""An observer of BlindTest's figures that has nothing but the pixels.

It measures what defines a figure: strokes fitted to coverage, rims of discs, connected outlines, lines
from edge to edge, coloured paths from end to end. It knows no parameters of a drawing, and no module
of it imports drawing code, so that it is as right on the original authors' images as on this suite's
own. It proves that the stimuli show what their keys say, and it is the ideal observer among the
reference responders.
"""

import re
from collections.abc import Mapping
from itertools import combinations

from afterimage.errors import AfterimageError, unknown_name
from afterimage.seeing.image import Image, once, require_rgb, require_white_paper
from afterimage.suites.blindtest.observer import controls, tasks

_MEASURES = {
    "line_intersection": tasks.measure_lines,
    "two_circles": tasks.measure_circles,
    "circled_letter": tasks.measure_letter,
    "olympic_shapes": tasks.measure_shapes,
    "nested_squares": tasks.measure_squares,
    "grid": tasks.measure_grid,
    "subway": tasks.measure_paths,
    "plain_string": controls.measure_string,
    "plain_shape": controls.measure_shape,
    "shapes_apart": controls.measure_apart,
}
#: What can be measured, in the order of the paper, then the controls.
TASKS = tuple(_MEASURES)

# What a question must say to set a task; the first that fits counts, so that "two circles" that
# touch are not a number of circles, nor lines that touch two circles.
_TASKS: Mapping[str, str] = {
    "subway": r"\b(?:paths?|routes?|caminos|rutas)\b.*\b(?:from|de) (?:station )?(?P<first>[a-d]) (?:to|a) "
    r"(?:station )?(?P<second>[a-d])\b",
    "grid": r"\b(?:rows and columns|filas y columnas)\b",
    "two_circles": r"\b(?:two circles|dos círculos)\b.*\b(?P<relation>touch|overlap|tocan|superponen)",
    "plain_string": r"\b(?:text in the image|texto aparece en la imagen)\b",
    "plain_shape": r"\b(?:which shape|qué figura)\b",
    "circled_letter": r"\b(?:letter|character|letra|personaje)\b.*\b(?:circled|highlighted|oval|círculo|óvalo)\b",
    "nested_squares": r"\b(?:how many|number of|count|cuántos|cuenta)\b.*\b(?:squares|cuadrados)\b",
    "olympic_shapes": r"\b(?:how many|number of|count|cuántos|cuenta)\b.*\b(?:circles|pentagons|círculos|pentágonos)\b",
    "line_intersection": r"\blines?\b.*\b(?:intersect|cross|touch|meet)|\bline intersections?\b|\bcruzan\b.*\blíneas\b",
}
_IN_BRACES = r"\b(?:curly brackets|entre llaves)\b"
_AS_PAIR = r"\bpair \(row, ?column\)|\bpar \(fila, ?columna\)"
# What is asked about two circles in other languages, by what is measured.
_RELATIONS = {"tocan": "touch", "superponen": "overlap"}
# What plain shapes are called in a Spanish answer.
_IN_SPANISH = {"circle": "círculo", "square": "cuadrado", "triangle": "triángulo"}


def measure(image: Image, task: str) -> str:
    """Measure what a task asks about from an image's pixels.

    Args:
        image: uint8 RGB, shape (height, width, 3), at least 64 px a side.
        task: One of ``TASKS``.

    Returns:
        A count (``2``), ``overlap=No;touch=Yes``, a lower-case letter (``e``), rows x columns
        (``5x6``) or ``AB=0;AC=1;AD=0;BC=0;BD=1;CD=0``.

    Raises:
        AfterimageError: The task is unknown, the array is no RGB image, or the image does not show
            what the task is about.
    """
    if task not in _MEASURES:
        raise unknown_name("task", task, TASKS)
    require_rgb(image)
    return _measured(image, task)


def answer(image: Image, text: str) -> str:
    """Answer a request as the ideal observer, in the form that it asks for.

    Args:
        image: uint8 RGB, shape (height, width, 3).
        text: The question, in any of the wordings of the two releases.

    Raises:
        AfterimageError: The question sets none of the tasks, or the image does not show what it is
            about.
    """
    task, _ = task_of_question(text)
    return phrase(text, measure(image, task))


@once
def _measured(image: Image, task: str) -> str:
    require_white_paper(image)
    return _MEASURES[task](image)


def task_of_question(text: str) -> tuple[str, re.Match]:
    """Return the task that a question sets, and the match with what it names.

    Raises:
        AfterimageError: It sets none of the tasks.
    """
    question = " ".join(text.lower().split())
    for task, pattern in _TASKS.items():
        match = re.search(pattern, question)
        if match:
            return task, match
    raise AfterimageError(
        f"the question '{text.strip()}' sets none of the tasks {', '.join(sorted(_TASKS))}."
    )


def phrase(text: str, value: str) -> str:
    """Put a measured value into the form that a question asks for.

    Args:
        text: The question.
        value: What was measured for its task.

    Returns:
        E.g. ``{2}``, ``2``, ``Yes``, ``The letter "e"``, ``rows={5} columns={6}`` or ``(5,6)``.

    Raises:
        AfterimageError: The question sets no task, or asks for the way from a station to itself.
    """
    task, match = task_of_question(text)
    if task == "two_circles":
        relation = match["relation"]
        return _entries(value)[_RELATIONS.get(relation, relation)]
    if task == "circled_letter":
        return f'The letter "{value}"'
    if task == "plain_shape":
        return value if match[0] == "which shape" else _IN_SPANISH[value]
    in_braces = re.search(_IN_BRACES, text.lower())
    if task == "grid":
        rows, columns = value.split("x")
        if re.search(_AS_PAIR, text.lower()):
            return f"({rows},{columns})"
        return f"rows={{{rows}}} columns={{{columns}}}"
    count = _paths(value, match) if task == "subway" else value
    return f"{{{count}}}" if in_braces else count


def _paths(value: str, match: re.Match) -> str:
    """Return the number of paths between the two stations that a question names."""
    pair = "".join(sorted((match["first"] + match["second"]).upper()))
    known = ["".join(stations) for stations in combinations("ABCD", 2)]
    if pair not in known:
        raise AfterimageError(
            f"the question asks for paths from {pair[0]} to {pair[1]}: expected two different stations."
        )
    return _entries(value)[pair]


def _entries(value: str) -> dict[str, str]:
    """Take ``name=value;name=value`` apart."""
    return dict(entry.split("=") for entry in value.split(";"))
