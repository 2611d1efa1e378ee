"""What the columns of the human filter's files mean."""

from afterimage.files.decisions import DECISION_COLUMNS

#: One row per illusion; column to its meaning.
ILLUSION_COLUMNS = {
    **DECISION_COLUMNS,
    "reason": "why, in words; every failing image and question is named",
    "participants": "people with at least one counted answer on its representative images; empty, as all that "
    "follows, while nobody was asked",
    "images_judged": "representative images with at least one counted answer",
    "images_confirmed": "representative images whose deciding questions are all confirmed",
    "agreement": "mean share (0 to 1) of the modal answer over all answered questions on the representative images",
    "modes": "mode, count and n per image and question; `none` for a tie",
}
#: One row per image and question; the same.
IMAGE_COLUMNS = {
    "figure": "the illusion",
    "stimulus_id": "the image",
    "question": "`actual` or `apparent`",
    "n": "counted answers",
    "mode": "modal option id; empty for a tie or no answers",
    "mode_count": "answers for the mode (for each of the options, in a tie)",
    "agreement": "mode_count / n; empty if n is 0",
    "intended": "option that should be the mode",
    "decides": "`true` if the decision rests on this row: a representative image, and not the actual question "
    "of a genuine one",
    "confirmed": "`true` if the mode is unique and intended",
    "reason": "in words",
}

#: What people said of each representative image of an illusion that counts; column to its meaning.
PEOPLE_COLUMNS = {
    "figure": "the illusion",
    "variant": "`A` or `B`",
    "condition": "genuine, fake, or the control of one of them",
    "stimulus_id": "the image",
    "actual": "`true` if the modal answer to the actual question is right; a tie is not",
    "apparent": "the same of the apparent question",
}
