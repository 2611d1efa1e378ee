"""What the configuration has to bring together: files for a source, a source for a strategy."""

from importlib.util import find_spec
from pathlib import Path

from afterimage.contract.paper import Data
from afterimage.errors import Faults, config_path, fault
from afterimage.files.hub_lock import HubSet, fetched_files, locked_hashes
from afterimage.suites.pope.extraction import by_transformer
from afterimage.suites.pope.files import ENDINGS, ImageFolder, read_questions, read_relabellings
from afterimage.suites.pope.names import (
    BLOG,
    COCO,
    HUB,
    QUESTIONS,
    SEGMENTATION,
    STRATEGIES,
    asks_files,
    possible_variants,
    variants_of,
)
from afterimage.suites.pope.paper import SINGLE_WORD
from afterimage.suites.pope.settings import Settings

# Which question files a study reads: those that it names, or the hub's. Standard library only.

_WHERE = config_path("suites.pope.source")
_FILES = {name: f"Full/{name}-*.parquet" for name in STRATEGIES}
#: The official questions with COCO's images; one file for each strategy.
OFFICIAL = HubSet("lmms-lab/POPE", tuple(_FILES.values()))


def question_files(settings: Settings) -> dict[str, str]:
    """Return the question files that are read, by strategy, in the order of the strategies.

    Raises:
        AfterimageError: They are the hub's and were not fetched.
    """
    if settings.source != HUB:
        return {name: settings.questions[name] for name in STRATEGIES if name in settings.questions}
    fetched_files(OFFICIAL, _WHERE, "pope")
    found = {}
    for name in STRATEGIES:
        if name in settings.strategies:
            own = OFFICIAL._replace(patterns=(_FILES[name],))
            (found[name],) = fetched_files(own, _WHERE, "pope").values()
    return found


def question_hashes(settings: Settings) -> dict[str, str]:
    """Return the SHA-256 of the hub's files, by path there; nothing for a user's own, whose dates say enough."""
    return locked_hashes(OFFICIAL) if settings.source == HUB else {}


def data(settings: Settings) -> dict[str, Data]:
    """Return what is known of the question files by strategy, alone and with the line of LLaVA's runs."""
    if not asks_files(settings):
        return {}
    found = {}
    for name, path in question_files(settings).items():
        own = OFFICIAL._replace(patterns=(_FILES[name],))
        files = locked_hashes(own) if settings.source == HUB else {}
        told = Data(files, questions=read_questions(path).sha256)
        for suffix, part in ((None, name), (SINGLE_WORD, f"{name}/{SINGLE_WORD}")):
            asked = settings.suffix == suffix
            found[part] = told if asked else told._replace(other=_other_words(suffix))
    return found


def _other_words(suffix: str | None) -> str:
    return f"other words than the paper's: it asks with the suffix {suffix or 'none'} (config key 'suites.pope.suffix')"


# What the configuration has to bring together: files for a source, a source for a variant, words for a language.
#
# Checked whenever a study is planned. Standard library only.

_PACKAGES = {"tagger": "textblob", "spacy": "spacy", "jieba": "jieba"}
_WHERE_COCO = (
    "COCO's annotations (annotations_trainval2014.zip, of which POPE used instances_val2014.json and "
    "captions_val2014.json) come from the dataset's own site"
)
_WHERE_LABELS = (
    "RePOPE's label files (coco_repope_random.json ...) are in the repository of arXiv 2504.15707"
)
_WHERE_QUESTIONS = "the official question files (coco_pope_random.json ...) are in output/coco of POPE's repository"


def require_consistent(settings: Settings) -> None:
    """Check that the settings fit together and that what they name is there.

    Raises:
        AfterimageError: The first fault, with the key, what is wrong and what to do.
    """
    _require_source(settings)
    _require_relabelling(settings)
    _require_variants(settings)
    _require_words(settings)


def _require_source(settings: Settings) -> None:
    source = settings.source
    if source == COCO and settings.instances is None and settings.captions is None:
        raise fault(
            config_path("suites.pope"),
            f"source 'coco' needs the key 'instances', 'captions' or both; {_WHERE_COCO}.",
        )
    if source == SEGMENTATION and settings.segmentation is None:
        raise fault(
            config_path("suites.pope"),
            "source 'segmentation' needs the key 'segmentation', a file with the objects of "
            'each image ({"image": "a.jpg", "objects": ["person", "kite"]}).',
        )
    if source == QUESTIONS and not settings.questions:
        raise fault(
            config_path("suites.pope"),
            f"source 'questions' needs files under the key 'questions'; {_WHERE_QUESTIONS}.",
        )
    if source == HUB:
        _require_no_files(settings)
        named = {}
    elif source == QUESTIONS:
        named = {f"questions.{name}": path for name, path in settings.questions.items()}
    else:
        keys = {COCO: ("instances", "captions"), SEGMENTATION: ("segmentation",)}.get(source, ())
        named = {name: settings[name] for name in keys if settings[name] is not None}
    origin = {COCO: f"; {_WHERE_COCO}", QUESTIONS: f"; {_WHERE_QUESTIONS}"}.get(source, "")
    faults = Faults()
    for key, path in named.items():
        if not Path(path).is_file():
            faults.add(
                fault(config_path(f"suites.pope.{key}"), f"file '{path}' does not exist{origin}.")
            )
    if settings.image_folder is not None and not Path(settings.image_folder).is_dir():
        faults.add(
            fault(
                config_path("suites.pope.image_folder"),
                f"folder '{settings.image_folder}' does not exist; expected the "
                "images that the files name, or null to count them all as missing.",
            )
        )
    if source == QUESTIONS and settings.strategies != list(STRATEGIES):
        for name in settings.strategies:
            if name not in settings.questions:
                faults.add(
                    fault(
                        config_path("suites.pope.strategies"),
                        f"'{name}' has no file below 'questions'; expected the key "
                        f"'questions.{name}'{origin}.",
                    )
                )
    faults.raise_any()
    wanted = settings.ground_truth
    for name in ("instances", "captions"):
        if source == COCO and wanted in (name, "union") and settings[name] is None:
            raise fault(
                config_path("suites.pope.ground_truth"),
                f"'{wanted}' needs the key '{name}', which is not set.",
            )


def _require_no_files(settings: Settings) -> None:
    for key in ("questions", "image_folder"):
        if settings[key]:
            raise fault(
                config_path(f"suites.pope.{key}"),
                "source 'hub' brings its own; expected none, or source 'questions'.",
            )
    for path in question_files(settings).values():
        read_questions(path)


def require_pictures(folder: str) -> None:
    """Require any picture in a folder: which ones are asked about is known only when all files are read.

    Raises:
        AfterimageError: There is none.
    """
    if not any(place.lower().endswith(ENDINGS) for place in ImageFolder(folder).places()):
        raise fault(
            config_path("suites.pope.image_folder"),
            f"folder '{folder}' holds no picture; expected the images that the files "
            "name, or null to count them all as missing.",
        )


def _require_relabelling(settings: Settings) -> None:
    for strategy, path in settings.relabel.items():
        key = config_path(f"suites.pope.relabel.{strategy}")
        if not asks_files(settings):
            raise fault(
                key,
                f"labels of source '{settings.source}' are not corrected; expected source 'questions' or 'hub'.",
            )
        if strategy not in question_files(settings):
            raise fault(
                key, f"no questions of this strategy; expected the key 'questions.{strategy}'."
            )
        if not Path(path).is_file():
            raise fault(key, f"file '{path}' does not exist; {_WHERE_LABELS}.")
    if settings.relabel:
        read_relabellings(settings.relabel, question_files(settings))


def _require_variants(settings: Settings) -> None:
    possible = possible_variants(settings)
    for variant in settings.variants or ():
        if variant not in possible:
            raise fault(
                config_path("suites.pope.variants"),
                f"'{variant}' cannot be made from source '{settings.source}'; "
                f"expected of: {', '.join(possible)} (pope_blog needs captions, pope_extended drawn scenes).",
            )
    blog = settings.blog
    if (
        BLOG in variants_of(settings)
        and blog["caption_source"] == "model"
        and not blog["allow_model_captions"]
    ):
        raise fault(
            config_path("suites.pope.blog.caption_source"),
            "captions by a model are no ground truth; set "
            "blog.allow_model_captions: true to take them all the same, and every table will say so.",
        )


def _require_words(settings: Settings) -> None:
    if settings.extraction == by_transformer.NAME:
        by_transformer.require(settings.transformer)
    package = _PACKAGES.get(settings.extraction)
    if package is not None and find_spec(package) is None:
        raise fault(
            config_path("suites.pope.extraction"),
            f"'{settings.extraction}' needs the package '{package}', which is not "
            "installed; install it or take 'lexicon', which needs none.",
        )
