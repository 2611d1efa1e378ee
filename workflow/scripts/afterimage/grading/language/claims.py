"""What an answer without an image says of having seen one: it denies it, hedges, or claims.

After "Mirage: the illusion of visual understanding" (arXiv 2603.21687), where a mirage is an answer that describes what
was not there without doubt and without marking an assumption. The words are those by which readers know a refusal, and
two lists more, all in ``resources/answers/cues.yaml``.
"""

from typing import Literal

from afterimage.grading.language.evidence import refuses
from afterimage.grading.language.reply_text import prepared
from afterimage.grading.language.words import cue

Stance = Literal["claims", "hedges", "denies", "unread"]
#: In the order of a table's columns.
STANCES: tuple[Stance, ...] = ("claims", "hedges", "denies", "unread")


def stance(text: str, answered: bool) -> Stance:
    """Return what an answer says of having seen the image.

    Args:
        answered: Whether its grader reads an answer in it.

    Returns:
        ``denies``: no answer, but that no image, nothing or an empty one is there, or that it cannot see. ``hedges``:
        an answer, and that it is a guess, an assumption, or would need the image. ``claims``: an answer and nothing
        of the kind. ``unread``: neither an answer nor a denial.
    """
    reply = prepared(text)
    denied = refuses(reply) or cue("nothing_shown").search(reply) is not None
    if not answered:
        return "denies" if denied else "unread"
    return "hedges" if denied or cue("hedge").search(reply) else "claims"
