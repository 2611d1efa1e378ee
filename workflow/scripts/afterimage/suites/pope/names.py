"""Names of the suite's parts: variants, strategies, sources, figures. Standard library only."""

from afterimage.contract.stimulus import Json
from afterimage.files.paths import RESULTS

#: The benchmark proper, the blog's account of it, and the questions that the blog wishes for.
POPE, BLOG, EXTENDED = "pope", "pope_blog", "pope_extended"
#: The table of the benchmark proper beside a relabelling of it.
RELABELLED = "pope_relabelled"
#: The table of what people say that the silhouettes show.
RECOGNITION_TABLE = "pope_recognition"
VARIANTS = (POPE, BLOG, EXTENDED)
#: Ids of the extended variant's wordings: keys of the prompt file, English and Chinese.
EXTENDED_EN, EXTENDED_ZH = "extended", "extended_zh"

#: How the paper chooses objects that are not in the image.
STRATEGIES = ("random", "popular", "adversarial")
#: The blog's three: an object of the description, any object, an object with a changed attribute.
BLOG_STRATEGIES = ("C", "R", "A")
#: What the extended variant asks about.
KINDS = ("colour", "count", "left_of", "above", "inside", "larger_than", "similar")

#: Where images and questions come from.
DRAWN, COCO, SEGMENTATION, QUESTIONS = "drawn", "coco", "segmentation", "questions"
#: The official questions with their images, as the hub has them; read as question files are.
HUB = "hub"
SOURCES = (DRAWN, COCO, SEGMENTATION, QUESTIONS, HUB)

#: A figure is what one job makes: the drawn scenes, those with things in boxes, or the images of a source of files.
SCENES, NESTED = "scenes", "nested"
FIGURES = (SCENES, NESTED, COCO, SEGMENTATION, QUESTIONS)
#: Where each figure's stimuli begin, so that more of one kind move none of another. The few nested scenes come first
#: (there are at most 100): then one shard of usual size holds all that is drawn.
FIRST_POSITIONS = {NESTED: 0, SCENES: 100, COCO: 200_000, SEGMENTATION: 400_000, QUESTIONS: 600_000}

#: The folder of the images' records.
ANNOTATIONS = f"{RESULTS}/stimuli/pope/annotations"
#: The file of all images that are asked about, drawn or of a dataset, with what is known of each.
RECORDS = f"{ANNOTATIONS}/records.jsonl"
#: The files that describe the drawn scenes.
ANNOTATION_FILES = (
    *(f"{ANNOTATIONS}/scenes.jsonl", f"{ANNOTATIONS}/instances.json"),
    *(f"{ANNOTATIONS}/captions.json", f"{ANNOTATIONS}/nested.jsonl", RECORDS),
)
#: The drawn scenes' ids in COCO's form, which begin elsewhere than at 0, as COCO's do.
FIRST_IMAGE_ID = 1001

#: The folder of the sampled questions in the official form.
QUESTION_FOLDER = f"{RESULTS}/questions/pope"
FREQUENCY_FILE, COMPANION_FILE = "ground_truth_objects.json", "co_occur.json"


def variants_of(settings: Json) -> tuple[str, ...]:
    """Return the variants that are asked: those of the settings, else all that the source allows."""
    chosen = settings["variants"]
    return (
        possible_variants(settings) if chosen is None else tuple(v for v in VARIANTS if v in chosen)
    )


def asks_files(settings: Json) -> bool:
    """Tell whether questions come from official files, the user's or the hub's, instead of sampling."""
    return settings["source"] in (QUESTIONS, HUB)


def possible_variants(settings: Json) -> tuple[str, ...]:
    """Return the variants that a source allows: the blog's needs descriptions, the extended one exact keys."""
    if settings["source"] == DRAWN:
        return VARIANTS
    if settings["source"] == COCO and settings["captions"] is not None:
        return (POPE, BLOG)
    return (POPE,)


def stimulus_id(figure: str, number: int) -> str:
    """Return the id of a figure's stimulus, numbers from 0."""
    return f"{figure}_{number:05d}"


def image_id_of_scene(figure: str, number: int) -> str:
    """Return the id of a drawn scene in its dataset; nested ones are in no file of COCO's form."""
    if figure == SCENES:
        return str(FIRST_IMAGE_ID + number)
    return f"{stimulus_id(figure, number)}.png"
