"""POPE as one value: drawn scenes, photographs of a data set, or official question files, asked about in three ways."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from afterimage.contract.design import edition_seed
from afterimage.contract.front import Front, Score
from afterimage.contract.stimulus import Json
from afterimage.contract.suite import (
    Chart,
    Examples,
    Figure,
    Form,
    Missing,
    People,
    QuestionInputs,
    Sheet,
    SideFile,
    Suite,
    Words,
)
from afterimage.errors import AfterimageError, unknown_name
from afterimage.files.hub_lock import when_hub
from afterimage.items import recognition_form
from afterimage.suites.pope.extraction import by_transformer
from afterimage.suites.pope.figures import COUNT, scene_ids
from afterimage.suites.pope.files import ImageFolder, read_questions, read_relabellings
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
    asks_files,
    variants_of,
)
from afterimage.suites.pope.prompt_file import load_texts, question_words
from afterimage.suites.pope.settings import (
    OFFICIAL,
    Settings,
    data,
    named_files,
    question_files,
    question_hashes,
    require_consistent,
    require_pictures,
)

# What the columns of the suite's tables mean, for the data dictionary.

MEANINGS = {
    "shown": "`image`; `blank`, a white one; or `none`",
    "area": "area below the ROC curve, 0 to 1",
    "yes_mean": "mean probability of yes, percent",
    "threshold": "probability of yes above which half of the answers lie; of a curve, from which on yes is counted",
    "f1_half": "F1 where half of the answers are yes, percent",
    "d_prime": "d' of the mean probabilities of yes",
    "criterion": "criterion of these; below 0 where yes is said readily",
    "hit_k": "answers that are yes where yes is right",
    "present_n": "answers where yes is right",
    "false_alarm_k": "answers that are yes where no is right",
    "absent_n": "answers where no is right",
    "variant": "`pope`, `pope_blog` or `pope_extended`",
    "dataset": "the images' source",
    "strategy": "how absent objects are chosen; `mean`: unweighted over the strategies, its F1 is often printed as one "
    "POPE score",
    "asked_about": "attribute or relation; `mean` as above",
    "kind": "`measured`, or `reference` for a guess, always yes and always no",
    "images": "images with answers",
    "n_questions": "questions there are",
    "image_missing": "of these not asked for want of the image",
    "no_negative_left": "pairs that could not be sampled",
    "keys_yes": "questions whose key is yes",
    "weak_gold_k": "questions whose key is not certain",
    "gold_conflict_k": "questions whose key other knowledge of the image contradicts",
    "tp": "said yes rightly, by the official rule",
    "fp": "said yes wrongly",
    "tn": "said no rightly",
    "fn": "said no wrongly",
    "unparsed_k": "answers that the strict rule cannot read; they count as wrong there",
    "cut_off_k": "of these, replies that ended before an answer",
    "refused_k": "of those that the strict rule cannot read, refused or withheld ones",
    "accuracy": "percent right, by the official rule; of `pope_blog` by `answer_rule`",
    "precision": "100 tp / (tp + fp)",
    "recall": "100 tp / questions whose key is yes",
    "f1": "harmonic mean of precision and recall, percent",
    "yes_ratio": "percent answered yes",
    "*_low": "lower bound of its interval, clusters are images; of a mean of F1 by bootstrap over them",
    "*_high": "upper bound of the same",
    "strict_accuracy": "percent right, by the strict rule",
    "strict_f1": "F1 by the strict rule",
    "rules_differ": "whether the two accuracies are more than a point apart",
    "*_accuracy": "percent right, by the rule of this name",
    "answer_rule": "the rule behind `accuracy`",
    "accuracy_without_conflicts": "accuracy without the questions of `gold_conflict_k`",
    "skipped": "what was not asked, and why",
    "extraction": "how objects were found in captions: `lexicon`, `tagger`, `spacy`, `jieba` or `transformer`",
    "caption_source": "who wrote the captions: `human` or `model`",
    "n_relabelled": "answers to questions that the relabelling kept or flipped",
    "removed": "answers to questions that it left out as ambiguous",
    "flipped_to_no": "answers to questions whose label it changed from yes to no",
    "flipped_to_yes": "and from no to yes",
    "*_relabelled": "the same by the corrected labels, without the removed questions",
    "f1_change": "F1 by the corrected labels minus by the old ones, points; bounds from images resampled once for both",
    "answered_as_old_label_k": "answers to flipped questions that agree with the old label",
    "rank": "place among the models by F1, 1 the highest; bounds by the same resamples",
    "rank_change": "places gained by the corrected labels; bounds by the same resamples",
    "repope_f1": "F1 by the rule of RePOPE's own script, for comparison",
    "thing": "a drawn class, or `all`",
    "people": "different people who answered",
    "taken_for": "people's other answers, each with how often it was given",
    "best": "columns in which the row is the highest of its block",
}


_HERE = "afterimage.suites.pope"
_MADE = f"{_HERE}.figures"
_MAX_SHOWN = 60


def figures(settings: Settings) -> tuple[Figure, ...]:
    """Return the drawn scenes, those with things in boxes where these are asked about, or the images of a source."""
    if asks_files(settings):
        draw = "afterimage.drawing.photograph:draw_from_parquet" if settings.source == HUB else ""
        return (_figure(QUESTIONS, draw),)
    if settings.source != DRAWN:
        return (_figure(settings.source),)
    names = (SCENES, NESTED) if EXTENDED in variants_of(settings) else (SCENES,)
    return tuple(_figure(name) for name in names)


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
    position = FIRST_POSITIONS[name]
    if name in COUNT:
        design, draw = f"{_MADE}:DRAWN_SCENES", f"{_MADE}:draw"
        return Figure(name, design, draw, f"{_HERE}.seeing:scene", position)
    design = f"{_MADE}:{'RELEASED' if name == QUESTIONS else 'PHOTOGRAPHS'}"
    figure = Figure(name, design, measure=f"{_HERE}.seeing:photograph", position=position)
    return replace(figure, draw=draw) if draw else figure


def words(settings: Settings) -> Words:
    """Read and check the data files, and check that the settings fit together and that what they name is there."""
    require_consistent(settings)
    return load_texts(settings)


def drawing(figure: str, settings: Settings) -> Json:
    parameters: dict[str, Any] = {"dataset": dataset(settings)}
    if figure in COUNT:
        count = COUNT[figure]
        named = NESTED if figure == NESTED else parameters["dataset"]
        return {"dataset": named, count: settings[count], "seed": edition_seed(settings, "pope")}
    parameters["image_folder"] = settings.image_folder
    if figure == QUESTIONS:
        hashes = question_hashes(settings)
        parameters |= {"sha256": hashes} if hashes else {}
        return parameters | {"questions": question_files(settings)}
    return parameters | {"image_names": _image_names(settings.image_folder), "records": RECORDS}


def sources(figure: str, settings: Settings) -> list[str]:
    """Return the files that a figure's images are made from; those of question files their Reader knows."""
    return [] if figure in COUNT else [RECORDS]


def missing(settings: Settings, thoroughly: bool) -> Missing:
    """Return the images that files name and that the folder lacks; none without a folder, where images are left out on
    purpose.

    Which images are drawn out of COCO or a list of objects follows from what is known of all, so that takes a while.

    Raises:
        AfterimageError: The folder holds no picture at all.
    """
    if settings.image_folder is None or settings.source in (DRAWN, HUB):
        return Missing()
    if settings.source == QUESTIONS:
        files = question_files(settings).values()
        names = [question.image for path in files for question in read_questions(path).questions]
    elif thoroughly:
        from afterimage.suites.pope.side_files import drawn_images

        spec = _records(load_texts(settings), settings).spec
        names = [record.file_name for record in drawn_images(spec)]
    else:
        require_pictures(settings.image_folder)
        return Missing()
    folder, named = ImageFolder(settings.image_folder), list(dict.fromkeys(names))
    absent = [name for name in named if folder.find(name) is None]
    return Missing(tuple(f"{settings.image_folder}/{name}" for name in absent), len(named))


def question_inputs(
    data: Words, settings: Settings, figures: Sequence[str], people: People
) -> QuestionInputs:
    """Return the words and settings that all questions are made of: frequencies are those of all images."""
    parameters = {
        "dataset": dataset(settings),
        "source": QUESTIONS if asks_files(settings) else settings.source,
        "variants": list(variants_of(settings)),
        "prompts": list(settings.prompts),
        "grammar": settings.grammar,
        "suffix": settings.suffix,
        **_sampling(settings),
    }
    if not asks_files(settings):
        parameters["records"] = RECORDS
    if settings.relabel:
        parameters["corrected"] = {
            "relabel": settings.relabel,
            "questions": question_files(settings),
        }
    if EXTENDED in parameters["variants"]:
        parameters["extended_prompts"] = list(settings.extended_prompts)
    if BLOG in parameters["variants"]:
        names = ("strategies", "r_exclude_present", "object_language", "caption_source")
        parameters["blog"] = {name: settings.blog[name] for name in names}
    return QuestionInputs(question_words(data, settings), parameters)


def item_files(settings: Settings, people: People) -> list[str]:
    """Return the file with what is known of the images; of question files, the corrected labels."""
    return list(settings.relabel.values()) if asks_files(settings) else [RECORDS]


def answer_types(data: Words, settings: Settings) -> list[str]:
    chosen = variants_of(settings)
    wanted = {"presence": {POPE, EXTENDED} & {*chosen}, "presence_blog": {BLOG} & {*chosen}}
    return [name for name, variants in wanted.items() if variants]


def table_settings(table: str, settings: Settings, people: People) -> Json:
    """Return what a table needs: the rule of the blog's accuracy and the source of its captions; the question files."""
    values: dict[str, Any] = {}
    if table == BLOG:
        values = {name: settings.blog[name] for name in ("answer_rule", "caption_source")}
    if table == POPE and asks_files(settings):
        read = {name: read_questions(path) for name, path in question_files(settings).items()}
        values["files"] = {
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
        (values[recognition_form.RESULT],) = recognition_form.answered(settings, people)
    if table == RELABELLED:
        relabellings = read_relabellings(settings.relabel, question_files(settings))
        values["labels"] = {
            name: {
                "sha256": relabelling.sha256,
                "unasked": relabelling.unasked,
                "version": relabelling.version,
            }
            for name, relabelling in relabellings.items()
        }
    return {"pope": values}


def forms(settings: Settings) -> tuple[Form, ...]:
    """Return the page on which people say what the silhouettes show, where it is asked for; photographs need none."""
    if settings.source != DRAWN or not settings.ask_recognition:
        return ()
    return (recognition_form.form(f"{_HERE}.forms", RECOGNITION_TABLE),)


def side_files(settings: Settings) -> list[SideFile]:
    """Return the jobs that write the images' records and the sampled questions in the official form."""
    if asks_files(settings):
        return []
    data = load_texts(settings)
    files = [_records(data, settings)]
    if POPE in variants_of(settings):
        names = [f"{strategy}.json" for strategy in settings.strategies]
        spec = {
            "figure": SCENES if settings.source == DRAWN else settings.source,
            "dataset": dataset(settings),
            "english": data["english"],
            "chinese": data["chinese"],
            "grammar": settings.grammar,
            "template": data["templates"][settings.prompts[0]],
            **_sampling(settings),
        }
        outputs = [f"{QUESTION_FOLDER}/{name}" for name in (*names, FREQUENCY_FILE, COMPANION_FILE)]
        part = f"{_HERE}.side_files:write_questions"
        files.append(SideFile("questions", part, outputs, [RECORDS], spec))
    return files


def _records(data: Words, settings: Settings) -> SideFile:
    """Return the job that writes what is known of the images; of drawn scenes, their annotations as well."""
    source = settings.source
    keys = {COCO: ["instances", "captions"], SEGMENTATION: ["segmentation"]}.get(source, [])
    spec: dict[str, Any] = {"figure": source, "dataset": dataset(settings)}
    if source == DRAWN:
        keys += COUNT.values()
        spec["seed"] = edition_seed(settings, "pope")
    else:
        keys += ["images", "min_objects", "seed"]
    if source != SEGMENTATION:
        keys += ["extraction", "spacy_model", "ground_truth"]
        spec |= {name: data[name] for name in ("lexicon", "english")}
        spec["chinese"] = data["chinese"] if settings.extraction == "jieba" else {}
    inputs = list(named_files(settings).values())
    if source != SEGMENTATION and settings.extraction == by_transformer.NAME:
        keys.append("transformer")
        # Other weights in the same folder may find other objects.
        inputs += by_transformer.content_files(settings.transformer)
    spec |= {name: settings[name] for name in keys}
    if source == DRAWN:
        part = f"{_HERE}.side_files:write_annotations"
        return SideFile("annotations", part, ANNOTATION_FILES, inputs, spec)
    return SideFile("records", f"{_HERE}.side_files:write_records", [RECORDS], inputs, spec)


def dataset(settings: Settings) -> str:
    """Return the dataset's name: it stands in tables and seeds."""
    default = {DRAWN: "scenes", HUB: COCO}.get(settings.source, settings.source)
    return settings.dataset or default


def _sampling(settings: Settings) -> Json:
    return {name: settings[name] for name in ("strategies", "pairs", "min_objects", "seed")}


def _image_names(folder: str | None) -> str:
    """Return a hash of the names in the folder of images, so that a file that is added is found."""
    return hashlib.sha256("\n".join(ImageFolder(folder).paths()).encode()).hexdigest()


def _corrected(settings: Settings) -> bool:
    return bool(settings.relabel)


def _sheet(figure: str, columns: int) -> Sheet:
    def first(settings: Settings) -> list[tuple[str, str]]:
        drawn = {made.name for made in figures(settings)}
        names = scene_ids(figure, settings)[:_MAX_SHOWN] if figure in drawn else ()
        return [(figure, name) for name in names]

    return Sheet(f"pope_{figure}", columns, first)


_OFFICIAL = ("accuracy", "accuracy_low", "accuracy_high")
_STRICT = ("strict_accuracy", "strict_accuracy_low", "strict_accuracy_high")


def _score(
    label: str, columns: tuple[str, str, str], where: str, counted: Mapping[str, str] | None = None
) -> Score:
    rows, missing = {"strategy": where}, "image_missing"
    return Score(label, POPE, *columns, rows, missing=missing, counted_where=counted)


SUITE = Suite(
    "POPE",
    figures,
    f"{_HERE}.questions",
    description="Is an object in the picture; the benchmark POPE, a blog's account of it, and attributes and relations "
    "on drawn scenes.",
    settings=Settings,
    words=words,
    drawing=drawing,
    question_inputs=question_inputs,
    answer_types=answer_types,
    # Popular objects are those of all images.
    examples=True,
    observer=f"{_HERE}.seeing:answer",
    textbook=f"{_HERE}.questions:answer",
    tables=(
        f"{_HERE}.tables:POPE",
        f"{_HERE}.tables_blog:POPE_BLOG",
        f"{_HERE}.tables:POPE_EXTENDED",
        f"{_HERE}.relabelled:POPE_RELABELLED",
        f"{_HERE}.tables:POPE_RECOGNITION",
    ),
    printed=(POPE, BLOG),
    graded_tables=(f"{_HERE}.roc:POPE_ROC", f"{_HERE}.roc:POPE_ROC_CURVE"),
    graded_charts=(Chart("pope_roc", ("pope_roc_curve",), f"{_HERE}.roc:draw"),),
    pairs=f"{_HERE}.tables:PAIRS",
    tables_when={
        RELABELLED: lambda settings, people: _corrected(settings),
        RECOGNITION_TABLE: recognition_form.has_answered,
    },
    table_files=recognition_form.answered,
    forms=forms,
    table_settings=table_settings,
    front=Front(
        (
            *(_score(name.title(), _STRICT, name) for name in STRATEGIES),
            # Rows of means have no counts of their own.
            _score("Mean", _STRICT, "mean", counted={}),
            _score("Official rule", _OFFICIAL, "mean", counted={}),
        ),
        main="Mean",
        measure="accuracy by the strict rule",
        chart=POPE,
        beside="Official rule",
    ),
    charts=(
        Chart(POPE, (POPE,), f"{_HERE}.charts:pope"),
        *(Chart(name, (name,), f"{_HERE}.charts:{name}") for name in (BLOG, EXTENDED)),
        Chart(RELABELLED, (RELABELLED,), f"{_HERE}.charts:pope_relabelled", _corrected),
    ),
    sheets=(_sheet(SCENES, 6), _sheet(NESTED, 5)),
    pages=(Examples("pope_examples", cards=f"{_HERE}.charts:cards"),),
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
