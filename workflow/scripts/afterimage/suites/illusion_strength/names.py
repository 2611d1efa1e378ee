"""Names of the yes-or-no prompts, from which the tables of perceiving and recalling are made. Standard library only."""

from collections.abc import Mapping

from afterimage.suites.illusions.names import QUESTIONS

#: Whether the targets are the same; the same with a sentence before it that asks to look; whether they differ.
SAME, SAME_LOOK, DIFFERENT = YES_NO = ("same", "same_look", "different")
#: Those of which yes says that nothing differs.
FORWARD = (SAME, SAME_LOOK)
#: The factor that says what yes would mean: that the targets are the same, or that they are different.
ASKS = "asks"
#: The factor of images drawn twice: whether an aid is drawn over the figure, "yes" or "no".
GUIDE = "guide"
#: The one question that they ask.
ACTUAL = QUESTIONS[0]
#: How the grader of such answers names them.
YES, NO = "Yes", "No"


def asks_yes_no(settings: Mapping) -> bool:
    """Tell whether a study asks yes-or-no questions."""
    return any(prompt in YES_NO for prompt in settings["prompts"])


def asks_directions(settings: Mapping) -> bool:
    """Tell whether a study asks which target has more."""
    return any(prompt not in YES_NO for prompt in settings["prompts"])
