"""An observer of BlindTest's figures that has nothing but the pixels.

It measures what defines a figure: strokes fitted to coverage, rims of discs, connected outlines, lines
from edge to edge, coloured paths from end to end. It knows no parameters of a drawing, and no module
of it imports drawing code, so that it is as right on the original authors' images as on this suite's
own. It proves that the stimuli show what their keys say, and it is the ideal observer among the
reference responders.
"""

from afterimage.errors import unknown_name
from afterimage.seeing.image import Image, once, require_rgb
from afterimage.seeing.ink import require_white_paper
from afterimage.suites.blindtest.observer import tasks
from afterimage.suites.blindtest.observer.questions import phrase, task_of_question

__all__ = ["TASKS", "answer", "measure"]

_MEASURES = {
    "line_intersection": tasks.measure_lines,
    "two_circles": tasks.measure_circles,
    "circled_letter": tasks.measure_letter,
    "olympic_shapes": tasks.measure_shapes,
    "nested_squares": tasks.measure_squares,
    "grid": tasks.measure_grid,
    "subway": tasks.measure_paths,
}
#: What can be measured, in the order of the paper.
TASKS = tuple(_MEASURES)


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
    require_white_paper(image)
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
    return _MEASURES[task](image)
