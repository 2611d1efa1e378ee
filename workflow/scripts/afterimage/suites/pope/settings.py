"""The suite's part of ``config.yaml``."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from afterimage.contract.design import EditionSettings
from afterimage.contract.settings import key, prompts_in_use, setting
from afterimage.suites.pope.names import (
    BLOG_STRATEGIES,
    DRAWN,
    EXTENDED_EN,
    EXTENDED_ZH,
    SOURCES,
    STRATEGIES,
    VARIANTS,
)

_ANSWER_RULES = (
    *("strict", "official", "contains_label", "exact", "word"),
    *("seed_exact", "seed_section7"),
)


def _some_of(names: tuple[str, ...]) -> dict[str, Any]:
    items = {"type": "string", "enum": list(names)}
    return {"minItems": 1, "uniqueItems": True, "items": items}


_BLOG = {
    "strategies": key(
        list(BLOG_STRATEGIES),
        "C asks for an object of the description, R for any object, A for one with a changed attribute.",
        **_some_of(BLOG_STRATEGIES),
    ),
    "r_exclude_present": key(
        True,
        "Whether R leaves out what is in the image; false is the blog's own way, and marks the wrong keys.",
    ),
    "object_language": key(
        "zh",
        "The language of the object in the Chinese question; source is the blog's own way, which mixes two languages.",
        enum=["source", "zh"],
    ),
    "answer_rule": key(
        "strict",
        "Which rule of reading the accuracy follows; seed_exact and seed_section7 are those of the blog's code.",
        enum=list(_ANSWER_RULES),
    ),
    "caption_source": key("human", "Who wrote the captions.", enum=["human", "model"]),
    "allow_model_captions": key(
        False, "Take a model's captions for the truth all the same; every table is then marked."
    ),
}

_TRANSFORMER = {
    "checkpoint": key("", "A folder as save_pretrained writes it, or a repository of the hub."),
    "revision": key("", "Of a repository: its commit, 40 digits."),
    "labels": key(
        [],
        "Labels that mark objects, without B- and I-; by default those of nouns (NOUN, PROPN, NN, NNS, NNP, NNPS).",
        items={"type": "string", "minLength": 1},
        uniqueItems=True,
    ),
}


@dataclass(frozen=True)
class Settings(EditionSettings):
    """Where images and questions come from, what is asked about them and in which words."""

    source: str = setting(
        "drawn",
        "Where images and questions come from; drawn needs no files, hub reads the official questions "
        "with their images (`afterimage fetch pope`), the others read the files that are named below.",
        enum=list(SOURCES),
    )
    variants: list[str] | None = setting(
        None,
        "Which of pope, pope_blog and pope_extended are asked; all that the source allows by default (the blog's needs "
        "captions, the extended one drawn scenes).",
        **_some_of(VARIANTS),
    )
    scenes: int = setting(
        30, "Drawn scenes; more of them change none of the others.", minimum=3, maximum=10_000
    )
    nested_scenes: int = setting(
        10,
        "Drawn scenes in which something lies in a box, for questions about inside.",
        minimum=1,
        maximum=100,
    )
    seed: int = setting(
        20230526, "Chooses scenes, images and sampled objects, each for itself.", minimum=0
    )
    dataset: str | None = setting(
        None,
        "Name of the dataset in tables and seeds; the source's name by default (scenes for drawn ones).",
        minLength=1,
    )
    instances: str | None = setting(
        None, "COCO's instance annotations, for source coco (a path; .gz is read too)."
    )
    captions: str | None = setting(None, "COCO's captions, for source coco.")
    segmentation: str | None = setting(
        None,
        "A list of the objects in each image, JSON lines or an array, for source segmentation.",
    )
    questions: Mapping[str, str] = setting(
        {},
        "Official question files by strategy, for source questions.",
        properties={name: {"type": "string"} for name in STRATEGIES},
        additionalProperties=False,
    )
    relabel: Mapping[str, str] = setting(
        {},
        "Label files by strategy that correct those of questions, such as RePOPE's (coco_repope_random.json ...): the "
        "same answers are graded by both.",
        properties={name: {"type": "string"} for name in STRATEGIES},
        additionalProperties=False,
    )
    image_folder: str | None = setting(
        None,
        "The folder of the images that these files name; an image that is not there is not asked about and counted as "
        "image_missing.",
    )
    images: int = setting(
        500, "Images to draw out of coco or segmentation (the paper's img_num).", minimum=1
    )
    min_objects: int = setting(
        3,
        "Objects that an image's list needs to be drawn; the paper's words say more than 3, its code at least 3.",
        minimum=1,
    )
    pairs: int = setting(
        3,
        "Objects in the image, and objects not in it, that are asked about per image (the paper's sample_num).",
        minimum=1,
    )
    ground_truth: str | None = setting(
        None,
        "Whose objects count for COCO; all that is given by default, which for both is the union, as the authors have "
        "it.",
        enum=["instances", "captions", "union", None],
    )
    strategies: list[str] = setting(
        list(STRATEGIES), "How absent objects are chosen.", **_some_of(STRATEGIES)
    )
    prompts: list[str] = prompts_in_use(["is_there"], "Ids of templates in the prompt file.")
    extended_prompts: list[str] = setting(
        [EXTENDED_EN],
        "In which wordings pope_extended is asked: extended is English, extended_zh Chinese.",
        **_some_of((EXTENDED_EN, EXTENDED_ZH)),
    )
    grammar: str = setting(
        "official",
        'official asks "Is there a skis in the image?", as the released files do; natural asks "Are there any skis in '
        'the image?".',
        enum=["official", "natural"],
    )
    suffix: str | None = setting(
        None,
        "Id of a suffix in the prompt file, put behind every English question; none by default.",
    )
    extraction: str = setting(
        "lexicon",
        "How objects are found in captions; lexicon needs no further package.",
        enum=["lexicon", "tagger", "spacy", "jieba", "transformer"],
    )
    spacy_model: str = setting(
        "en_core_web_sm", "spaCy's language model, for the extraction spacy.", minLength=1
    )
    transformer: Mapping[str, Any] = setting(
        {},
        "The checkpoint for token classification, for the extraction transformer.",
        properties=_TRANSFORMER,
        additionalProperties=False,
    )
    name_table: str = setting(
        "resources/lexicons/chinese.yaml",
        "Chinese names, attributes and measure words, for Chinese questions and the extraction jieba.",
    )
    blog: Mapping[str, Any] = setting(
        {}, "The blog's variant.", properties=_BLOG, additionalProperties=False
    )
    ask_recognition: bool = setting(
        False,
        "Write a page on which people say what the drawn silhouettes show; table pope_recognition.",
    )
    prompt_file: str = setting("resources/prompts/pope.yaml", "Prompts.")
    lexicon_file: str | None = setting(
        None,
        "Names of the categories; that of the drawn classes or of COCO by default, as the source needs.",
    )
    english_file: str = setting(
        "resources/lexicons/english.yaml", "Plurals, articles and attributes."
    )

    @property
    def is_drawn(self) -> bool:
        """Tell whether scenes are drawn."""
        return self.source == DRAWN
