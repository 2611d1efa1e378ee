"""The suite's part of ``config.yaml``, and checks that its files, variants and words fit together.

Checked whenever a study is planned. Standard library only.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from afterimage.contract.design import EditionSettings
from afterimage.contract.paper import Data
from afterimage.contract.settings import key, prompts_in_use, setting, some_of
from afterimage.errors import AfterimageError, Faults, config_path, fault
from afterimage.files.hub_lock import HubSet, fetched_files, locked_hashes
from afterimage.suites.pope.extraction import by_transformer, require_package
from afterimage.suites.pope.files import ENDINGS, ImageFolder, read_questions, read_relabellings
from afterimage.suites.pope.names import (
    BLOG,
    BLOG_STRATEGIES,
    COCO,
    DRAWN,
    EXTENDED_EN,
    EXTENDED_ZH,
    HUB,
    QUESTIONS,
    SEGMENTATION,
    SOURCES,
    STRATEGIES,
    VARIANTS,
    asks_files,
    possible_variants,
    variants_of,
)
from afterimage.suites.pope.paper import SINGLE_WORD

_ANSWER_RULES = (
    *("strict", "official", "contains_label", "exact", "word"),
    *("seed_exact", "seed_section7"),
)


_BLOG = {
    "strategies": key(
        list(BLOG_STRATEGIES),
        "C asks for an object of the description, R for any object, A for one with a changed attribute.",
        **some_of(BLOG_STRATEGIES),
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
        **some_of(VARIANTS),
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
        list(STRATEGIES), "How absent objects are chosen.", **some_of(STRATEGIES)
    )
    prompts: list[str] = prompts_in_use(["is_there"], "Ids of templates in the prompt file.")
    extended_prompts: list[str] = setting(
        [EXTENDED_EN],
        "In which wordings pope_extended is asked: extended is English, extended_zh Chinese.",
        **some_of((EXTENDED_EN, EXTENDED_ZH)),
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
        return self.source == DRAWN


# ---- which files a study reads: those that it names, or the hub's ----

_FILES = {name: f"Full/{name}-*.parquet" for name in STRATEGIES}
#: The official questions with COCO's images; one file for each strategy.
OFFICIAL = HubSet("lmms-lab/POPE", tuple(_FILES.values()))
#: The settings that name the files of a source.
_NAMED = {COCO: ("instances", "captions"), SEGMENTATION: ("segmentation",)}


def named_files(settings: Settings) -> dict[str, str]:
    """Return the files that the settings name for a source, by the key of each."""
    if settings.source == QUESTIONS:
        return {f"questions.{name}": path for name, path in settings.questions.items()}
    keys = _NAMED.get(settings.source, ())
    return {name: settings[name] for name in keys if settings[name] is not None}


def question_files(settings: Settings) -> dict[str, str]:
    """Return the question files that are read, by strategy, in the order of the strategies.

    Raises:
        AfterimageError: They are the hub's and were not fetched.
    """
    if settings.source != HUB:
        return {name: settings.questions[name] for name in STRATEGIES if name in settings.questions}
    where = config_path("suites.pope.source")
    fetched_files(OFFICIAL, where, "pope")
    files = {}
    for name in STRATEGIES:
        if name in settings.strategies:
            (files[name],) = fetched_files(_of_hub(name), where, "pope").values()
    return files


def _of_hub(strategy: str) -> HubSet:
    return OFFICIAL._replace(patterns=(_FILES[strategy],))


def question_hashes(settings: Settings) -> dict[str, str]:
    """Return the SHA-256 of the hub's files, by path there; nothing for a user's own, whose dates say enough."""
    return locked_hashes(OFFICIAL) if settings.source == HUB else {}


def data(settings: Settings) -> dict[str, Data]:
    """Return what is known of the question files by strategy, alone and with the line of LLaVA's runs."""
    if not asks_files(settings):
        return {}
    parts = {}
    for name, path in question_files(settings).items():
        files = locked_hashes(_of_hub(name)) if settings.source == HUB else {}
        known = Data(files, questions=read_questions(path).sha256)
        for suffix, part in ((None, name), (SINGLE_WORD, f"{name}/{SINGLE_WORD}")):
            is_asked = settings.suffix == suffix
            parts[part] = known if is_asked else known._replace(other=_other_words(suffix))
    return parts


def _other_words(suffix: str | None) -> str:
    return f"other words than the paper's: it asks with the suffix {suffix or 'none'} (config key 'suites.pope.suffix')"


# ---- checks that the settings fit together ----

_WHERE_COCO = (
    "COCO's annotations (annotations_trainval2014.zip, of which POPE used instances_val2014.json and "
    "captions_val2014.json) come from the dataset's own site"
)
_WHERE_LABELS = (
    "RePOPE's label files (coco_repope_random.json ...) are in the repository of arXiv 2504.15707"
)
_WHERE_QUESTIONS = "the official question files (coco_pope_random.json ...) are in output/coco of POPE's repository"
_ORIGINS = {COCO: f"; {_WHERE_COCO}", QUESTIONS: f"; {_WHERE_QUESTIONS}"}
_IMAGES = "; expected the images that the files name, or null to count them all as missing."
_LACKING = {
    COCO: f"source 'coco' needs the key 'instances', 'captions' or both; {_WHERE_COCO}.",
    SEGMENTATION: "source 'segmentation' needs the key 'segmentation', a file with the objects of each image "
    '({"image": "a.jpg", "objects": ["person", "kite"]}).',
    QUESTIONS: f"source 'questions' needs files under the key 'questions'; {_WHERE_QUESTIONS}.",
}


def require_consistent(settings: Settings) -> None:
    """Check that the settings fit together and that what they name is there.

    Raises:
        AfterimageError: The first fault, with the key, what is wrong and what to do.
    """
    _require_source(settings)
    _require_relabelling(settings)
    _require_variants(settings)
    if settings.extraction == by_transformer.NAME:
        by_transformer.require(settings.transformer)
    else:
        require_package(settings.extraction)


def _fault(key: str, sentence: str) -> AfterimageError:
    return fault(config_path(f"suites.pope{key}"), sentence)


def _require_source(settings: Settings) -> None:
    source, named = settings.source, named_files(settings)
    if source in _LACKING and not named:
        raise _fault("", _LACKING[source])
    if source == HUB:
        _require_no_files(settings)
    origin, folder, faults = _ORIGINS.get(source, ""), settings.image_folder, Faults()
    for name, path in named.items():
        if not Path(path).is_file():
            faults.add(_fault(f".{name}", f"file '{path}' does not exist{origin}."))
    if folder is not None and not Path(folder).is_dir():
        faults.add(_fault(".image_folder", f"folder '{folder}' does not exist{_IMAGES}"))
    if source == QUESTIONS and settings.strategies != list(STRATEGIES):
        for name in settings.strategies:
            if name not in settings.questions:
                sentence = f"'{name}' has no file below 'questions'; expected the key 'questions.{name}'{origin}."
                faults.add(_fault(".strategies", sentence))
    faults.raise_any()
    wanted = settings.ground_truth
    for name in _NAMED[COCO]:
        if source == COCO and wanted in (name, "union") and settings[name] is None:
            raise _fault(".ground_truth", f"'{wanted}' needs the key '{name}', which is not set.")


def _require_no_files(settings: Settings) -> None:
    for name in ("questions", "image_folder"):
        if settings[name]:
            raise _fault(
                f".{name}", "source 'hub' brings its own; expected none, or source 'questions'."
            )
    for path in question_files(settings).values():
        read_questions(path)


def require_pictures(folder: str) -> None:
    """Require any picture in a folder: which ones are asked about is known only when all files are read.

    Raises:
        AfterimageError: There is none.
    """
    if not any(path.lower().endswith(ENDINGS) for path in ImageFolder(folder).paths()):
        raise _fault(".image_folder", f"folder '{folder}' holds no picture{_IMAGES}")


def _require_relabelling(settings: Settings) -> None:
    for strategy, path in settings.relabel.items():
        key = f".relabel.{strategy}"
        if not asks_files(settings):
            sentence = f"labels of source '{settings.source}' are not corrected; expected source 'questions' or 'hub'."
            raise _fault(key, sentence)
        if strategy not in question_files(settings):
            raise _fault(
                key, f"no questions of this strategy; expected the key 'questions.{strategy}'."
            )
        if not Path(path).is_file():
            raise _fault(key, f"file '{path}' does not exist; {_WHERE_LABELS}.")
    if settings.relabel:
        read_relabellings(settings.relabel, question_files(settings))


def _require_variants(settings: Settings) -> None:
    possible, blog = possible_variants(settings), settings.blog
    for variant in settings.variants or ():
        if variant not in possible:
            raise _fault(
                ".variants",
                f"'{variant}' cannot be made from source '{settings.source}'; "
                f"expected of: {', '.join(possible)} (pope_blog needs captions, pope_extended drawn scenes).",
            )
    by_model = blog["caption_source"] == "model" and not blog["allow_model_captions"]
    if BLOG in variants_of(settings) and by_model:
        raise _fault(
            ".blog.caption_source",
            "captions by a model are no ground truth; set blog.allow_model_captions: true to take them all the same, "
            "and every table will say so.",
        )
