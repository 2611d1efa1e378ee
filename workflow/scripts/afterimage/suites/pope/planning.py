"""What the workflow has to know before any job runs: which settings, words and files bear on which stage.

Each function returns plain values made to be Snakemake parameters: a stage reruns exactly when its own change. The
Snakefile imports this module whenever it is parsed; besides the standard library it needs YAML only.
"""

import hashlib
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

from afterimage.errors import AfterimageError
from afterimage.suites.pope.bank import load_bank, question_words
from afterimage.suites.pope.names import (
    ANNOTATION_FILES,
    BLOG,
    CAPTIONS_FILE,
    COCO,
    COMPANION_FILE,
    DRAWN,
    EXTENDED,
    FREQUENCY_FILE,
    INSTANCES_FILE,
    NESTED,
    NESTED_FILE,
    POPE,
    QUESTION_FOLDER,
    QUESTIONS,
    SCENE_FILE,
    SCENES,
    SEGMENTATION,
    STRATEGIES,
    annotation_path,
    possible_variants,
    variants_of,
)
from afterimage.suites.pope.readers.question_files import read_questions

_PACKAGES = {"tagger": "textblob", "spacy": "spacy", "jieba": "jieba"}
_WHERE_COCO = (
    "COCO's annotations (annotations_trainval2014.zip, of which POPE used instances_val2014.json and "
    "captions_val2014.json) come from the dataset's own site"
)
_WHERE_QUESTIONS = "the official question files (coco_pope_random.json ...) are in output/coco of POPE's repository"


def load_prompts(settings: Mapping) -> dict:
    """Read and check the data files, and check that the settings fit together and that what they name is there."""
    _require_source(settings)
    _require_variants(settings)
    _require_words(settings)
    return load_bank(settings)


def sources(figure: str, settings: Mapping) -> list[str]:
    """Return the files that a figure's stimuli are made from."""
    if figure == SCENES:
        return [annotation_path(name) for name in (SCENE_FILE, INSTANCES_FILE, CAPTIONS_FILE)]
    if figure == NESTED:
        return [annotation_path(NESTED_FILE)]
    if figure == QUESTIONS:
        return list(question_files(settings).values())
    names = ("segmentation",) if figure == SEGMENTATION else ("instances", "captions")
    return [settings[name] for name in names if settings[name] is not None]


def drawing_spec(figure: str, settings: Mapping) -> dict:
    """Return the settings that bear on a figure's stimuli."""
    if figure == NESTED:
        return {"nested_scenes": settings["nested_scenes"]}
    bank = load_bank(settings)
    spec = {"dataset": dataset(settings), "source": settings["source"]}
    if figure == QUESTIONS:
        return spec | {"questions": question_files(settings), **_images(settings)}
    if figure != SEGMENTATION:
        spec |= {name: settings[name] for name in ("extraction", "spacy_model", "ground_truth")}
        spec |= {name: bank[name] for name in ("lexicon", "english")}
        spec["chinese"] = bank["chinese"] if settings["extraction"] == "jieba" else {}
    if figure == SCENES:
        return spec | {"scenes": settings["scenes"]}
    files = {name: settings[name] for name in ("instances", "captions", "segmentation")}
    sampled = {name: settings[name] for name in ("images", "min_objects", "seed")}
    return spec | files | sampled | _images(settings)


def question_spec(bank: Mapping, settings: Mapping, figures: Sequence[str]) -> dict:
    """Return the words and settings that all questions are made of: frequencies are those of all images."""
    asked = {
        "dataset": dataset(settings),
        "source": settings["source"],
        "variants": list(variants_of(settings)),
        "prompts": list(settings["prompts"]),
        "grammar": settings["grammar"],
        "suffix": settings["suffix"],
        "ground_truth": settings["ground_truth"],
        **_sampling(settings),
    }
    if BLOG in asked["variants"]:
        asked["blog"] = {
            name: settings["blog"][name]
            for name in ("strategies", "r_exclude_present", "object_language", "caption_source")
        }
    return {"bank": question_words(bank, settings), "settings": asked}


def needs_examples(bank: Mapping, settings: Mapping) -> bool:
    """Tell whether a shard's items depend on other stimuli than its own: popular objects are those of all images."""
    return True


def answer_types(bank: Mapping, settings: Mapping) -> list[str]:
    """Return the graders that the variants need, by module name."""
    asked = variants_of(settings)
    wanted = {"presence": {POPE, EXTENDED} & {*asked}, "presence_blog": {BLOG} & {*asked}}
    return [name for name, variants in wanted.items() if variants]


def settings_of_table(table: str, settings: Mapping) -> dict:
    """Return what a table has to know: the rule of the blog's accuracy and whose captions; which question files."""
    told: dict = {}
    if table == BLOG:
        told = {name: settings["blog"][name] for name in ("answer_rule", "caption_source")}
    if table == POPE and settings["source"] == QUESTIONS:
        read = {name: read_questions(path) for name, path in question_files(settings).items()}
        told["files"] = {
            name: {
                "dataset": dataset(settings),
                "questions": len(file.questions),
                "sha256": file.sha256,
                "version": file.version,
            }
            for name, file in read.items()
        }
    return {"pope": told}


def side_files(settings: Mapping) -> dict[str, dict]:
    """Return the files that the suite makes beside stimuli, items and tables, by the name of their writer.

    Returns:
        Name of a module of ``side_files/`` to ``inputs`` and ``outputs`` (paths), and ``spec`` (plain values).
    """
    files: dict[str, dict] = {}
    if settings["source"] == DRAWN:
        files["annotations"] = {
            "inputs": [],
            "outputs": [annotation_path(name) for name in ANNOTATION_FILES],
            "spec": {
                **{name: settings[name] for name in ("scenes", "nested_scenes", "seed")},
                "english": load_bank(settings)["english"],
            },
        }
    if settings["source"] != QUESTIONS and POPE in variants_of(settings):
        figure = SCENES if settings["source"] == DRAWN else settings["source"]
        names = [f"{strategy}.json" for strategy in settings["strategies"]]
        bank = load_bank(settings)
        files["questions"] = {
            "inputs": [f"results/stimuli/pope/{figure}/stimuli.parquet"],
            "outputs": [
                f"{QUESTION_FOLDER}/{name}" for name in (*names, FREQUENCY_FILE, COMPANION_FILE)
            ],
            "spec": {
                "dataset": dataset(settings),
                "english": bank["english"],
                "grammar": settings["grammar"],
                "template": bank["templates"][settings["prompts"][0]],
                **_sampling(settings),
            },
        }
    return files


def dataset(settings: Mapping) -> str:
    """Return the dataset's name: it stands in tables and seeds."""
    default = "scenes" if settings["source"] == DRAWN else settings["source"]
    return settings["dataset"] or default


def question_files(settings: Mapping) -> dict[str, str]:
    """Return the question files that are read, by strategy, in the order of the strategies."""
    return {
        name: settings["questions"][name] for name in STRATEGIES if name in settings["questions"]
    }


def _sampling(settings: Mapping) -> dict:
    return {name: settings[name] for name in ("strategies", "pairs", "min_objects", "seed")}


def _images(settings: Mapping) -> dict:
    """Return the folder of images and a hash of the names in it, so that a file that is added is found."""
    folder = settings["image_folder"]
    names = sorted(path.name for path in Path(folder).iterdir()) if folder is not None else []
    listed = hashlib.sha256("\n".join(names).encode()).hexdigest()
    return {"image_folder": folder, "image_names": listed}


def _require_source(settings: Mapping) -> None:
    source = settings["source"]
    if source == COCO and settings["instances"] is None and settings["captions"] is None:
        raise AfterimageError(
            "config: suites.pope: source 'coco' needs the key 'instances', 'captions' or both; "
            f"{_WHERE_COCO}."
        )
    if source == SEGMENTATION and settings["segmentation"] is None:
        raise AfterimageError(
            "config: suites.pope: source 'segmentation' needs the key 'segmentation', a file with the objects of "
            'each image ({"image": "a.jpg", "objects": ["person", "kite"]}).'
        )
    if source == QUESTIONS and not settings["questions"]:
        raise AfterimageError(
            f"config: suites.pope: source 'questions' needs files under the key 'questions'; {_WHERE_QUESTIONS}."
        )
    if source == QUESTIONS:
        named = {f"questions.{name}": path for name, path in settings["questions"].items()}
    else:
        keys = {COCO: ("instances", "captions"), SEGMENTATION: ("segmentation",)}.get(source, ())
        named = {name: settings[name] for name in keys if settings[name] is not None}
    origin = {COCO: f"; {_WHERE_COCO}", QUESTIONS: f"; {_WHERE_QUESTIONS}"}.get(source, "")
    for key, path in named.items():
        if not Path(path).is_file():
            raise AfterimageError(
                f"config: suites.pope.{key}: file '{path}' does not exist{origin}."
            )
    if settings["image_folder"] is not None and not Path(settings["image_folder"]).is_dir():
        raise AfterimageError(
            f"config: suites.pope.image_folder: folder '{settings['image_folder']}' does not exist; expected the "
            "images that the files name, or null to count them all as missing."
        )
    wanted = settings["ground_truth"]
    for name in ("instances", "captions"):
        if source == COCO and wanted in (name, "union") and settings[name] is None:
            raise AfterimageError(
                f"config: suites.pope.ground_truth: '{wanted}' needs the key '{name}', which is not set."
            )


def _require_variants(settings: Mapping) -> None:
    possible = possible_variants(settings)
    for variant in settings["variants"] or ():
        if variant not in possible:
            raise AfterimageError(
                f"config: suites.pope.variants: '{variant}' cannot be made from source '{settings['source']}'; "
                f"expected of: {', '.join(possible)} (pope_blog needs captions, pope_extended drawn scenes)."
            )
    blog = settings["blog"]
    if (
        BLOG in variants_of(settings)
        and blog["caption_source"] == "model"
        and not blog["allow_model_captions"]
    ):
        raise AfterimageError(
            "config: suites.pope.blog.caption_source: captions by a model are no ground truth; set "
            "blog.allow_model_captions: true to take them all the same, and every table will say so."
        )


def _require_words(settings: Mapping) -> None:
    package = _PACKAGES.get(settings["extraction"])
    if package is not None and find_spec(package) is None:
        raise AfterimageError(
            f"config: suites.pope.extraction: '{settings['extraction']}' needs the package '{package}', which is not "
            "installed; install it or take 'lexicon', which needs none."
        )
    needs_table = settings["blog"]["object_language"] == "zh" or settings["extraction"] == "jieba"
    if needs_table and settings["name_table"] is None:
        raise AfterimageError(
            "config: suites.pope.name_table: Chinese names are asked for and no table is named; expected a YAML file "
            "with lines such as 'dog: 狗' and 'red: 红色的'."
        )
