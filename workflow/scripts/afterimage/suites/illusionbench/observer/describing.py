"""Saying what was seen, in the observer's own words."""

from afterimage.suites.illusionbench.observer.seen import Seen

NO_ILLUSION = "There is no visual illusion in the image."

#: What a figure shows, what it is about, and what makes it deceptive.
_FIGURES = {
    "zoellner": (
        "several long red lines run side by side, each crossed by short oblique black strokes",
        "the long lines",
        "the oblique strokes make parallel lines look tilted",
    ),
    "vertical_horizontal": (
        "a blue vertical line stands on a red horizontal line",
        "the two lines",
        "an upright line that divides another looks longer than it is",
    ),
    "hermann_grid": (
        "black squares stand in rows and columns with light streets between them",
        "the crossings and the streets",
        "contrast with the black squares makes dark spots appear at the crossings",
    ),
    "mueller_lyer": (
        "there are two red horizontal lines, one above the other, with black fins at their ends",
        "the two red lines",
        "fins that point outward make a line look longer than fins that point inward",
    ),
    "ebbinghaus": (
        "there are two orange discs, the left one among large and the right one among small grey circles",
        "the two orange discs",
        "a disc looks larger among small circles than among large ones",
    ),
    "ponzo": (
        "two blue horizontal bars lie between two black lines that converge upward",
        "the two blue bars",
        "converging lines suggest depth, so that the upper bar looks longer",
    ),
    "simultaneous_contrast": (
        "there is a small grey square on dark ground on the left and one on light ground on the right",
        "the two small squares",
        "a square looks lighter on dark ground than on light ground",
    ),
}
_SAME = {
    "zoellner": "{} are parallel",
    "hermann_grid": "{} are equally light",
    "ebbinghaus": "{} are of the same size",
    "simultaneous_contrast": "{} have the same shade of grey",
}
_DIFFERENT = {
    "zoellner": "{} really come closer together at their ends",
    "hermann_grid": "darker grey dots are really drawn at the crossings",
    "ebbinghaus": "the {direction} one really is larger",
    "simultaneous_contrast": "the {direction} one really is lighter",
}


def content(seen: Seen) -> str:
    """Describe what an image shows."""
    if seen.kind == "plain_scene":
        return f"In this picture, {seen.facts['listed']} stand side by side on a floor in front of a wall."
    if seen.kind == "colour_plate":
        return (
            "In this picture, a round plate is filled with many coloured dots. Dots of one hue among dots of another "
            f"form the digit {seen.facts['digit']}."
        )
    shown, _, _ = _FIGURES[seen.kind]
    return f"In this picture, {shown}. {_measured(seen)}."


def illusion(seen: Seen) -> str:
    """Say whether an image holds a visual illusion, and what causes it."""
    if seen.kind not in _FIGURES:
        return NO_ILLUSION
    _, _, cause = _FIGURES[seen.kind]
    if seen.facts["relation"] == "same":
        return (
            f"There is a visual illusion in the image: {cause}. In fact, {_measured(seen, False)}."
        )
    return (
        f"There is a visual illusion in the image. It recalls a figure in which {cause}; here, however, "
        f"{_measured(seen, False)}."
    )


def _measured(seen: Seen, starts: bool = True) -> str:
    _, targets, _ = _FIGURES[seen.kind]
    direction = seen.facts["relation"]
    if direction == "same":
        sentence = _SAME.get(seen.kind, "{} are equally long").format(targets)
    else:
        form = _DIFFERENT.get(seen.kind, "the {direction} one really is longer")
        sentence = form.format(targets, direction=direction)
    return sentence[0].upper() + sentence[1:] if starts else sentence
