"""Names that all parts of the suite share, and facts about a drawn image as one factor. Standard library only."""

from collections.abc import Mapping, Sequence

#: Categories of images, in the order of the paper's columns P1 to P5.
CATEGORIES = ("classical", "real_scene", "no_illusion", "ishihara", "trap")
#: Whether an image is labelled as holding an illusion (paper, appendix A-A1): trap images are, Ishihara images are not.
HAS_ILLUSION = {
    "classical": True,
    "real_scene": True,
    "no_illusion": False,
    "ishihara": False,
    "trap": True,
}
#: Difficulty belongs to an image; its questions inherit it.
DIFFICULTIES = ("easy", "neutral", "hard")

#: Kinds of question, in the order in which they are asked about an image.
TRUE_FALSE, MULTIPLE_CHOICE = "true_false", "multiple_choice"
SEMANTIC, ILLUSION, STEP_BY_STEP = "semantic", "illusion", "step_by_step"
#: The first step, where it is asked anew and not taken over from the illusion description.
STEP_ONE = "step_one"
QUESTIONS = (TRUE_FALSE, MULTIPLE_CHOICE, SEMANTIC, ILLUSION, STEP_BY_STEP)
#: The three that are answered in free words and scored 0, 1 or 2, in the order of the paper's tables.
DESCRIPTIONS = (SEMANTIC, ILLUSION, STEP_BY_STEP)

#: The judge's prompt for the answers of each kind.
PROMPT_OF = {
    TRUE_FALSE: "true_or_false",
    MULTIPLE_CHOICE: "multiple_choice",
    SEMANTIC: "semantic_content",
    STEP_BY_STEP: "semantic_content",
    ILLUSION: "visual_illusion",
}

#: Where images come from.
SOURCES = ("drawn", "folder", "release", "hub")
#: What one job draws of the suite's own set.
GEOMETRIC, SCENES, PLATES = "geometric", "plain_scenes", "colour_plates"
DRAWN_FIGURES = (GEOMETRIC, SCENES, PLATES)
#: The classical figures.
KINDS = (
    *("zoellner", "vertical_horizontal", "hermann_grid", "mueller_lyer", "ebbinghaus"),
    *("ponzo", "simultaneous_contrast"),
)

#: Numerals of the options, in the order in which these are shown.
NUMERALS = ("I", "II", "III", "IV")


def format_facts(facts: Mapping[str, str]) -> str:
    return ";".join(f"{name}={value}" for name, value in sorted(facts.items()))


def parse_facts(facts: str) -> dict[str, str]:
    """Parse the text of :func:`format_facts`."""
    return dict(part.split("=", 1) for part in facts.split(";")) if facts else {}


def listed(names: Sequence[str]) -> str:
    """Return the things of a scene as words name them: ``a red circle, a blue square and a green triangle``."""
    *first, last = (f"a {name}" for name in names)
    return f"{', '.join(first)} and {last}"
