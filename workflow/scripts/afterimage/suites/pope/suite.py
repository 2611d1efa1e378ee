"""POPE as one value: drawn scenes, photographs of a dataset, or official question files, asked about in three ways."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from afterimage.contract.front import Front, Score
from afterimage.contract.stimulus import Json
from afterimage.contract.suite import (
    Asked,
    Chart,
    Examples,
    Figure,
    Form,
    Missing,
    Sheet,
    SideFile,
    Suite,
    Words,
)
from afterimage.errors import AfterimageError, unknown_name
from afterimage.files.hub_lock import when_hub
from afterimage.items import recognition_form
from afterimage.suites.pope.bank import load_bank, question_words
from afterimage.suites.pope.extraction import by_transformer, token_classifier
from afterimage.suites.pope.figures.scenes import COUNT, ids
from afterimage.suites.pope.meanings import MEANINGS
from afterimage.suites.pope.names import (
    ANNOTATION_FILES,
    BLOG,
    COCO,
    COMPANION_FILE,
    DRAWN,
    EXTENDED,
    FIGURES,
    FIRST_POSITIONS,
    FREQUENCY_FILE,
    HUB,
    NESTED,
    POPE,
    QUESTION_FOLDER,
    QUESTIONS,
    RECOGNITION_TABLE,
    RECORDS,
    RELABELLED,
    SCENES,
    SEGMENTATION,
    STRATEGIES,
    VARIANTS,
    asks_files,
    variants_of,
)
from afterimage.suites.pope.question_sets import (
    OFFICIAL,
    data,
    question_files,
    question_hashes,
)
from afterimage.suites.pope.readers.image_folder import ImageFolder
from afterimage.suites.pope.readers.question_files import read_questions
from afterimage.suites.pope.readers.relabelling import read_relabellings
from afterimage.suites.pope.requirements import require_consistent, require_pictures
from afterimage.suites.pope.settings import Settings

_HERE = "afterimage.suites.pope"
_MOST_SHOWN = 60


def figures(settings: Settings) -> tuple[Figure, ...]:
    """Return the drawn scenes, those with things in boxes where these are asked about, or the images of a source."""
    if asks_files(settings):
        return (
            _figure(
                QUESTIONS, "afterimage.drawing.parquet_image:draw" if settings.source == HUB else ""
            ),
        )
    if settings.source != DRAWN:
        return (_figure(settings.source),)
    asked = (SCENES, NESTED) if EXTENDED in variants_of(settings) else (SCENES,)
    return tuple(_figure(name) for name in asked)


def figure_named(name: str) -> Figure:
    """Return a figure of drawn scenes, whatever the settings."""
    if name not in FIGURES:
        raise unknown_name("figure", name, FIGURES, "suite 'pope'")
    if name not in COUNT:
        raise AfterimageError(
            f"figure '{name}' holds photographs, which cannot be measured; expected {' or '.join(COUNT)}."
        )
    return _figure(name)


def _figure(name: str, draw: str = "") -> Figure:
    place = FIRST_POSITIONS[name]
    if name in COUNT:
        module = f"{_HERE}.figures.scenes"
        return Figure(name, module, module, f"{_HERE}.measuring:scene", place)
    design = "released:READER" if name == QUESTIONS else "photographs"
    measure = f"{_HERE}.measuring:photograph"
    figure = Figure(name, f"{_HERE}.figures.{design}", measure=measure, place=place)
    return replace(figure, draw=draw) if draw else figure


def words(settings: Settings) -> Words:
    """Read and check the data files, and check that the settings fit together and that what they name is there."""
    require_consistent(settings)
    return load_bank(settings)


def drawing(figure: str, settings: Settings) -> Json:
    """Return the settings that bear on a figure's images."""
    told = {"dataset": dataset(settings)}
    if figure in COUNT:
        count = COUNT[figure]
        named = NESTED if figure == NESTED else told["dataset"]
        return {"dataset": named, count: settings[count], "seed": settings.seed}
    told["image_folder"] = settings.image_folder
    if figure == QUESTIONS:
        hashes = question_hashes(settings)
        told |= {"sha256": hashes} if hashes else {}
        return told | {"questions": question_files(settings)}
    return told | {"image_names": _image_names(settings.image_folder), "records": RECORDS}


def sources(figure: str, settings: Settings) -> list[str]:
    """Return the files that a figure's images are made from; those of question files their Reader knows."""
    return [] if figure in COUNT else [RECORDS]


def missing(settings: Settings, thoroughly: bool) -> Missing:
    """Return the images that files name and that the folder lacks; without a folder, all are meant to be missing.

    Which images are drawn out of COCO or a list of objects follows from what is known of all, so that takes a while.

    Raises:
        AfterimageError: The folder holds no picture at all.
    """
    if settings.image_folder is None or settings.source in (DRAWN, HUB):
        return Missing()
    if settings.source == QUESTIONS:
        files = question_files(settings).values()
        names = [one.image for path in files for one in read_questions(path).questions]
    elif thoroughly:
        from afterimage.suites.pope.side_files.records import drawn_images

        spec = _records(load_bank(settings), settings).spec
        names = [record.file_name for record in drawn_images(spec)]
    else:
        require_pictures(settings.image_folder)
        return Missing()
    folder, named = ImageFolder(settings.image_folder), list(dict.fromkeys(names))
    absent = [name for name in named if folder.find(name) is None]
    return Missing(tuple(f"{settings.image_folder}/{name}" for name in absent), len(named))


def asking(bank: Words, settings: Settings, figures: Sequence[str]) -> Asked:
    """Return the words and settings that all questions are made of: frequencies are those of all images."""
    asked = {
        "dataset": dataset(settings),
        "source": QUESTIONS if asks_files(settings) else settings.source,
        "variants": list(variants_of(settings)),
        "prompts": list(settings.prompts),
        "grammar": settings.grammar,
        "suffix": settings.suffix,
        **_sampling(settings),
    }
    if not asks_files(settings):
        asked["records"] = RECORDS
    if settings.relabel:
        asked["corrected"] = {
            "relabel": settings.relabel,
            "questions": question_files(settings),
        }
    if EXTENDED in asked["variants"]:
        asked["extended_prompts"] = list(settings.extended_prompts)
    if BLOG in asked["variants"]:
        told = ("strategies", "r_exclude_present", "object_language", "caption_source")
        asked["blog"] = {name: settings.blog[name] for name in told}
    return Asked(question_words(bank, settings), asked)


def item_files(settings: Settings) -> list[str]:
    """Return the file with what is known of the images, of which question files know nothing; or corrected labels."""
    return list(settings.relabel.values()) if asks_files(settings) else [RECORDS]


def answer_types(bank: Words, settings: Settings) -> list[str]:
    """Return the graders that the variants need."""
    asked = variants_of(settings)
    wanted = {"presence": {POPE, EXTENDED} & {*asked}, "presence_blog": {BLOG} & {*asked}}
    return [name for name, variants in wanted.items() if variants]


def table_settings(table: str, settings: Settings) -> Json:
    """Return what a table has to know: the rule of the blog's accuracy and whose captions; which question files."""
    told: dict[str, Any] = {}
    if table == BLOG:
        told = {name: settings.blog[name] for name in ("answer_rule", "caption_source")}
    if table == POPE and asks_files(settings):
        read = {name: read_questions(path) for name, path in question_files(settings).items()}
        told["files"] = {
            name: {
                "dataset": dataset(settings),
                "questions": len(file.questions),
                "sha256": file.sha256,
                "version": file.version,
                **({"repeated": file.repeated} if file.repeated else {}),
            }
            for name, file in read.items()
        }
    if table == RECOGNITION_TABLE:
        (told[recognition_form.RESULT],) = recognition_form.answered(settings)
    if table == RELABELLED:
        found = read_relabellings(settings.relabel, question_files(settings))
        told["labels"] = {
            name: {"sha256": one.sha256, "unasked": one.unasked, "version": one.version}
            for name, one in found.items()
        }
    return {"pope": told}


def forms(settings: Settings) -> tuple[Form, ...]:
    """Return the page on which people say what the silhouettes show, where it is asked for; photographs need none."""
    if settings.source != DRAWN or not settings.ask_recognition:
        return ()
    return (recognition_form.form(f"{_HERE}.forms.recognition", RECOGNITION_TABLE),)


def side_files(settings: Settings) -> list[SideFile]:
    """Return what is known of the images, and the sampled questions in the official form."""
    if asks_files(settings):
        return []
    bank = load_bank(settings)
    found = [_records(bank, settings)]
    if POPE in variants_of(settings):
        names = [f"{strategy}.json" for strategy in settings.strategies]
        spec = {
            "figure": SCENES if settings.source == DRAWN else settings.source,
            "dataset": dataset(settings),
            "english": bank["english"],
            "chinese": bank["chinese"],
            "grammar": settings.grammar,
            "template": bank["templates"][settings.prompts[0]],
            **_sampling(settings),
        }
        outputs = [f"{QUESTION_FOLDER}/{name}" for name in (*names, FREQUENCY_FILE, COMPANION_FILE)]
        part = f"{_HERE}.side_files.questions:write"
        found.append(SideFile("questions", part, outputs, [RECORDS], spec))
    return found


def _records(bank: Words, settings: Settings) -> SideFile:
    """Return what writes down what is known of the images: of drawn scenes with their annotations."""
    source = settings.source
    files = {COCO: ("instances", "captions"), SEGMENTATION: ("segmentation",)}.get(source, ())
    told = list(files)
    spec = {"figure": source, "dataset": dataset(settings)}
    if source == DRAWN:
        told += [*COUNT.values(), "seed"]
    else:
        told += ["images", "min_objects", "seed"]
    if source != SEGMENTATION:
        told += ["extraction", "spacy_model", "ground_truth"]
        spec |= {name: bank[name] for name in ("lexicon", "english")}
        spec["chinese"] = bank["chinese"] if settings.extraction == "jieba" else {}
    inputs = [settings[name] for name in files if settings[name] is not None]
    if source != SEGMENTATION and settings.extraction == by_transformer.NAME:
        told.append("transformer")
        # Other weights in the same folder may find other objects.
        inputs += token_classifier.content_files(settings.transformer)
    spec |= {name: settings[name] for name in told}
    if source == DRAWN:
        part = f"{_HERE}.side_files.annotations:write"
        return SideFile("annotations", part, ANNOTATION_FILES, inputs, spec)
    return SideFile("records", f"{_HERE}.side_files.records:write", [RECORDS], inputs, spec)


def dataset(settings: Settings) -> str:
    """Return the dataset's name: it stands in tables and seeds."""
    default = {DRAWN: "scenes", HUB: COCO}.get(settings.source, settings.source)
    return settings.dataset or default


def _sampling(settings: Settings) -> Json:
    return {name: settings[name] for name in ("strategies", "pairs", "min_objects", "seed")}


def _image_names(folder: str | None) -> str:
    """Return a hash of the names in the folder of images, so that a file that is added is found."""
    return hashlib.sha256("\n".join(ImageFolder(folder).places()).encode()).hexdigest()


def _corrected(settings: Settings) -> bool:
    return bool(settings.relabel)


def _sheet(figure: str, columns: int) -> Sheet:
    def first(settings: Settings) -> list[tuple[str, str]]:
        asked = {one.name for one in figures(settings)}
        names = ids(figure, settings)[:_MOST_SHOWN] if figure in asked else ()
        return [(figure, name) for name in names]

    return Sheet(f"pope_{figure}", columns, first)


_OFFICIAL, _STRICT = (
    tuple(f"{name}{end}" for end in ("", "_low", "_high"))
    for name in ("accuracy", "strict_accuracy")
)


def _score(
    label: str, columns: tuple[str, ...], strategy: str, **counted: Mapping[str, str]
) -> Score:
    return Score(label, POPE, *columns, {"strategy": strategy}, missing="image_missing", **counted)


SUITE = Suite(
    "POPE",
    figures,
    f"{_HERE}.questions",
    description="Is an object in the picture; the benchmark POPE, a blog's account of it, and attributes and relations "
    "on drawn scenes.",
    settings=Settings,
    words=words,
    drawing=drawing,
    asking=asking,
    answer_types=answer_types,
    # Popular objects are those of all images.
    examples=True,
    observer=f"{_HERE}.observer",
    textbook=f"{_HERE}.textbook",
    tables=tuple(f"{_HERE}.tables.{name}" for name in (*VARIANTS, RELABELLED, RECOGNITION_TABLE)),
    printed=(POPE, BLOG),
    graded_tables=tuple(f"{_HERE}.tables.{name}" for name in ("pope_roc", "pope_roc_curve")),
    graded_charts=(Chart("pope_roc", ("pope_roc_curve",), f"{_HERE}.charts.pope_roc"),),
    pairs=f"{_HERE}.tables.pope",
    tables_when={
        RELABELLED: _corrected,
        RECOGNITION_TABLE: lambda settings: bool(recognition_form.answered(settings)),
    },
    table_files=recognition_form.answered,
    forms=forms,
    table_settings=table_settings,
    front=Front(
        (
            *(_score(name.title(), _STRICT, name) for name in STRATEGIES),
            # Rows of means have no counts of their own.
            _score("Mean", _STRICT, "mean", counted_where={}),
            _score("Official rule", _OFFICIAL, "mean", counted_where={}),
        ),
        main="Mean",
        measure="accuracy by the strict rule",
        chart=POPE,
        beside="Official rule",
    ),
    charts=(
        Chart(POPE, (POPE,), f"{_HERE}.charts.{POPE}"),
        *(Chart(name, (name,), f"{_HERE}.charts.groups:{name}") for name in (BLOG, EXTENDED)),
        Chart(RELABELLED, (RELABELLED,), f"{_HERE}.charts.{RELABELLED}", _corrected),
    ),
    sheets=(_sheet(SCENES, 6), _sheet(NESTED, 5)),
    pages=(Examples("pope_examples", cards=f"{_HERE}.pages"),),
    item_files=item_files,
    sources=sources,
    missing=missing,
    side_files=side_files,
    figure_named=figure_named,
    rescore=f"{_HERE}.rescore",
    paper=f"{_HERE}.paper",
    meanings=MEANINGS,
    hub=when_hub(OFFICIAL),
    data=data,
)
