"""The colour and marker of each model and yardstick, in charts and on pages alike.

Standard library only. A look follows from the name alone, not from its position in a study, so that a model looks the
same in every study. Its colour always does; of two names of a study (:func:`study_of`) that would share both colour and
marker, the later one by name gets the next free marker. Yardsticks, who are no models, are grey.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from hashlib import sha256
from typing import NamedTuple

#: Of models, on a light background and on a dark one (:func:`finished_figure.on_dark`); markers distinguish what
#: colours do not for the colour-blind.
HUES = (
    ("#0173b2", "#439ee0"),
    ("#b87503", "#b87504"),
    ("#029e73", "#029e73"),
    ("#d55e00", "#d45d00"),
    ("#c25fae", "#bc5aa8"),
    ("#3d9bd1", "#2487bc"),
    ("#8c5a2b", "#c38d5f"),
    ("#6a4fb3", "#a087f1"),
    ("#7d8012", "#919530"),
    ("#a3123f", "#fc6d87"),
)
#: Of yardsticks.
GREY = ("#666666", "#9b9b9b")
#: All of them by the number that a :class:`Look` has; the last is :data:`GREY`.
COLOURS = (*HUES, GREY)
#: matplotlib's name of each marker to its outline around 0, 0 as a path of SVG.
MARKERS = {
    "o": "M-3.4,0a3.4,3.4 0 1,0 6.8,0a3.4,3.4 0 1,0 -6.8,0z",
    "s": "M-3,-3H3V3H-3z",
    "^": "M0,-4L3.8,2.8H-3.8z",
    "D": "M0,-4.2L4.2,0L0,4.2L-4.2,0z",
    "v": "M0,4L3.8,-2.8H-3.8z",
    "p": "M0,-3.8L3.6,-1.2L2.2,3.1H-2.2L-3.6,-1.2z",
    "<": "M-4,0L2.8,3.8V-3.8z",
    ">": "M4,0L-2.8,3.8V-3.8z",
    "P": "M-1.2,-3.6H1.2V-1.2H3.6V1.2H1.2V3.6H-1.2V1.2H-3.6V-1.2H-1.2z",
    "X": "M-3.4,-1.8L-1.8,-3.4L0,-1.6L1.8,-3.4L3.4,-1.8L1.6,0L3.4,1.8L1.8,3.4L0,1.6L-1.8,3.4L-3.4,1.8L-1.6,0z",
    "h": "M0,-3.8L3.3,-1.9V1.9L0,3.8L-3.3,1.9V-1.9z",
    "d": "M0,-4.4L2.7,0L0,4.4L-2.7,0z",
}
_STROKES = ("-", "--", "-.", ":")
#: Kinds with hollow markers: not answered in the study itself.
_HOLLOW = ("recorded", "people", "paper")
_YARDSTICKS = ("responder", "people", "baseline")
# The responders of the registry, whose kind is known without a study.
_RESPONDERS = {
    "chance": "o",
    "textbook_cued": "s",
    "textbook_gated": "D",
    "pixels": "^",
    "describer_faultless": "v",
    "describer_good": "<",
    "describer_poor": ">",
}
_PEOPLE = ("Human", "people (paper)")
_MARK_OF_RECORDED = " (recorded)"
#: Suffix of names of a paper's models; their kind, here and in tables; and the charts' note about them.
MARK_OF_PAPER, PAPER = " (paper)", "paper"
_MARKS = {"recorded": _MARK_OF_RECORDED, PAPER: MARK_OF_PAPER}
PAPER_NOTE = "(paper): on the paper's own images, as printed there"
# Chosen so that no two names of the registry and of the papers share a look.
_SALT = "55065"

_STUDY: ContextVar[tuple[tuple[str, str], ...]] = ContextVar("study", default=())


class Look(NamedTuple):
    """How a model or yardstick is shown.

    Attributes:
        colour: Index in :data:`COLOURS`.
        marker: A key of :data:`MARKERS`.
        hollow: Whether markers are outlines: for what was recorded or printed elsewhere, and people.
    """

    colour: int
    marker: str
    stroke: str
    hollow: bool


@contextmanager
def study_of(kinds: Mapping[str, str]) -> Iterator[None]:
    """Keep looks distinct among all names of a study, each with its kind: ``model``, ``recorded`` or ``responder``."""
    token = _STUDY.set(tuple(kinds.items()))
    try:
        yield
    finally:
        _STUDY.reset(token)


def looks_of(names: Sequence[str], kinds: Mapping[str, str] | None = None) -> dict[str, Look]:
    """Return the look of each of ``names``, in their order.

    Args:
        names: Names to show; the study's own models need not all be among them.
        kinds: Name to its group on the report's first page, where known.
    """
    studied = dict(_STUDY.get())
    known = {name: kind_of(name) for name in names} | studied | dict(kinds or {})
    # Those of the study first, so that other names do not change their looks.
    first, others = sorted(studied), sorted(set(names) - set(studied))
    looks: dict[str, Look] = {}
    for name in (*first, *others):
        looks[name] = _distinguish(_look(name, known[name]), looks)
    return {name: looks[name] for name in names}


def kind_of(name: str) -> str:
    """Return the kind of row that a name stands for."""
    if name in _RESPONDERS:
        return "responder"
    if name in _PEOPLE:
        return "people"
    return next((kind for kind, mark in _MARKS.items() if name.endswith(mark)), "model")


def split_mark(name: str) -> tuple[str, str]:
    """Return a name without its mark of a recorded or a paper's row, and the mark, empty if there is none."""
    mark = next((mark for mark in _MARKS.values() if name.endswith(mark)), "")
    return name.removesuffix(mark), mark


def _look(name: str, kind: str) -> Look:
    number = int.from_bytes(sha256(f"{_SALT}{name}".encode()).digest()[:8], "big")
    number, hue = divmod(number, len(HUES))
    number, marker_index = divmod(number, len(MARKERS))
    colour = len(HUES) if kind in _YARDSTICKS else hue
    marker = _RESPONDERS.get(name, list(MARKERS)[marker_index])
    return Look(colour, marker, _STROKES[number % len(_STROKES)], kind in _HOLLOW)


def _distinguish(look: Look, taken: Mapping[str, Look]) -> Look:
    """Return the look with the next marker that is free in its colour; unchanged where there is none."""
    used = {other.marker for other in taken.values() if other.colour == look.colour}
    names = list(MARKERS)
    start = names.index(look.marker)
    free = [name for name in (*names[start:], *names[:start]) if name not in used]
    return look._replace(marker=free[0]) if free else look
