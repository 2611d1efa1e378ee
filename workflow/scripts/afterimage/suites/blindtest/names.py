"""Names of figures, a figure being what one job draws: a task in one release, one copy of it.

``line_intersection`` is the paper's own size of a task; ``line_intersection_final`` its later, larger release;
``line_intersection_authors`` the authors' own images; ``line_intersection_copy007`` another set of the same design with
other figures. Standard library only.
"""

import re
from typing import NamedTuple

from afterimage.errors import unknown_name

#: In the order of the paper.
TASKS = (
    *("line_intersection", "two_circles", "circled_letter", "olympic_shapes", "nested_squares"),
    *("grid", "subway"),
)
#: What the page rests its argument on, of which it prints no number: its models read each string and name a plain shape
#: (task 3), and count shapes that lie apart (task 4).
CONTROLS = ("plain_string", "plain_shape", "shapes_apart")
#: The strings in which letters are circled.
WORDS = ("Acknowledgement", "Subdermatoglyphic", "tHyUiKaRbNqWeOpXcZvM")
#: The plain shapes.
OUTLINES = ("circle", "square", "triangle")
#: Tasks whose stimuli changed between the releases; the others are the same in both.
RELEASED_TWICE = ("line_intersection", "olympic_shapes")
RELEASES = ("v1", "final")
#: The release of the authors' own images, as the hub has them.
AUTHORS = "authors"
#: Stands behind the name of a model of the study where it was asked about the authors' images.
MARK_OF_AUTHORS = " (authors' images)"
#: Rows of the summary's CSV, and what the paper's columns are called.
SUMMARY = {
    "line_intersection": "Lines",
    "two_circles": "Circles",
    "circled_letter": "Letters",
    "circles": "Shapes: circles",
    "pentagons": "Shapes: pentagons",
    "nested_squares": "Squares",
    "grid": "Grids",
    "subway": "Paths",
    "mean": "Mean",
}

_FORM = re.compile(rf"({'|'.join((*TASKS, *CONTROLS))})(_final|_authors)?(?:_copy(\d{{3}}))?")


class Figure(NamedTuple):
    """What a figure's name says: the task, its release ("v1", "final", "both", "authors"), the copy's number."""

    task: str
    release: str
    copy: int


def figure_name(task: str, release: str, copy: int = 0) -> str:
    """Return the name of a task's figure in a release of the suite, ``v1`` or ``final``, or of ``authors``."""
    if release == AUTHORS:
        return f"{task}_{AUTHORS}"
    later = "_final" if release == "final" and task in RELEASED_TWICE else ""
    return f"{task}{later}" + (f"_copy{copy:03d}" if copy else "")


def parse_figure(name: str) -> Figure:
    """Take a figure's name apart.

    Raises:
        AfterimageError: It is not the name of a figure of this suite.
    """
    found = _FORM.fullmatch(name)
    if not found or (found[2] == "_final" and found[1] not in RELEASED_TWICE):
        raise unknown_name("figure", name, (*TASKS, *CONTROLS), "suite 'blindtest'")
    task = found[1]
    if found[2] == f"_{AUTHORS}":
        return Figure(task, AUTHORS, 0)
    release = "both" if task not in RELEASED_TWICE else "final" if found[2] else "v1"
    return Figure(task, release, int(found[3] or 0))
