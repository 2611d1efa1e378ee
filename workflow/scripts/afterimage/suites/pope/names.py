"""Names of the suite's parts: variants, strategies, sources, figures. Standard library only."""

from collections.abc import Mapping

from afterimage.errors import unknown_name

#: The benchmark proper, the blog's account of it, and the questions that the blog wishes for.
POPE, BLOG, EXTENDED = "pope", "pope_blog", "pope_extended"
VARIANTS = (POPE, BLOG, EXTENDED)

#: How the paper chooses objects that are not in the image.
STRATEGIES = ("random", "popular", "adversarial")
#: The blog's three: an object of the description, any object, an object with a changed attribute.
BLOG_STRATEGIES = ("C", "R", "A")
#: What the extended variant asks about.
KINDS = ("colour", "count", "left_of", "above", "inside", "larger_than", "similar")

#: Where images and questions come from.
DRAWN, COCO, SEGMENTATION, QUESTIONS = "drawn", "coco", "segmentation", "questions"
SOURCES = (DRAWN, COCO, SEGMENTATION, QUESTIONS)

#: A figure is what one job makes: the drawn scenes, those with things in boxes, or the images of a source of files.
SCENES, NESTED = "scenes", "nested"
FIGURES = (SCENES, NESTED, COCO, SEGMENTATION, QUESTIONS)
#: Where each figure's stimuli begin, so that more of one kind move none of another. The few nested scenes come first
#: (there are at most 100): then one shard of usual size holds all that is drawn.
FIRST_POSITIONS = {NESTED: 0, SCENES: 100, COCO: 200_000, SEGMENTATION: 400_000, QUESTIONS: 600_000}

#: The folder of what describes the drawn scenes, and the files in it.
ANNOTATIONS = "results/stimuli/pope/annotations"
SCENE_FILE, NESTED_FILE = "scenes.jsonl", "nested.jsonl"
INSTANCES_FILE, CAPTIONS_FILE = "instances.json", "captions.json"
ANNOTATION_FILES = (SCENE_FILE, INSTANCES_FILE, CAPTIONS_FILE, NESTED_FILE)

#: The folder of the sampled questions in the official form.
QUESTION_FOLDER = "results/questions/pope"
FREQUENCY_FILE, COMPANION_FILE = "ground_truth_objects.json", "co_occur.json"


def annotation_path(name: str) -> str:
    """Return the path of one of :data:`ANNOTATION_FILES`."""
    return f"{ANNOTATIONS}/{name}"


def require_figure(figure: str) -> None:
    """Check that a figure is one of the suite's.

    Raises:
        AfterimageError: It is not; the nearest name is suggested.
    """
    if figure not in FIGURES:
        raise unknown_name("figure", figure, FIGURES, "suite 'pope'")


def variants_of(settings: Mapping) -> tuple[str, ...]:
    """Return the variants that are asked: those of the settings, else all that the source allows."""
    chosen = settings["variants"]
    return (
        possible_variants(settings) if chosen is None else tuple(v for v in VARIANTS if v in chosen)
    )


def possible_variants(settings: Mapping) -> tuple[str, ...]:
    """Return the variants that a source allows: the blog's needs descriptions, the extended one exact keys."""
    if settings["source"] == DRAWN:
        return VARIANTS
    if settings["source"] == COCO and settings["captions"] is not None:
        return (POPE, BLOG)
    return (POPE,)


def stimulus_id(figure: str, number: int) -> str:
    """Return the id of a figure's stimulus, numbers from 0."""
    return f"{figure}_{number:05d}"
