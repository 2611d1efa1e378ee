"""Whether an answer without an image claims to have seen one, hedges, or denies it.

After "Mirage: the illusion of visual understanding" (arXiv 2603.21687), where a mirage is an answer that describes what
was not shown, without doubt and without marking an assumption. The words are those of refusals, and two more lists, all
in ``resources/answers/cues.yaml``.
"""

from typing import Literal

from afterimage.grading.language.evidence import refuses
from afterimage.grading.language.reply_text import prepared
from afterimage.grading.language.words import cue

Stance = Literal["claims", "hedges", "denies", "unread"]
#: In the order of a table's columns.
STANCES: tuple[Stance, ...] = ("claims", "hedges", "denies", "unread")


def stance(text: str, answered: bool) -> Stance:
    """Return an answer's stance towards the image.

    Args:
        answered: Whether its grader reads an answer in it.

    Returns:
        ``denies``: no answer, but a statement that there is no image, nothing or an empty one, or that it cannot see.
        ``hedges``: an answer that is marked as a guess or an assumption, or that would need the image. ``claims``: an
        answer without such a mark. ``unread``: neither an answer nor a denial.
    """
    reply = prepared(text)
    denied = refuses(reply) or cue("nothing_shown").search(reply) is not None
    if not answered:
        return "denies" if denied else "unread"
    return "hedges" if denied or cue("hedge").search(reply) else "claims"
