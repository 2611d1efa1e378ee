"""IllusionBench+ as one value."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from afterimage.contract.design import edition_seed, fresh
from afterimage.contract.front import Front, Score
from afterimage.contract.parts import name_of, resolve
from afterimage.contract.stimulus import Json
from afterimage.contract.suite import (
    Chart,
    Examples,
    Figure,
    Form,
    Judge,
    Missing,
    People,
    QuestionInputs,
    Sheet,
    SideFile,
    Suite,
)
from afterimage.errors import config_path, fault, unknown_name
from afterimage.files.hub_lock import when_hub
from afterimage.files.paths import RESULTS
from afterimage.suites.illusionbench.annotations import NO_FILE, reasons
from afterimage.suites.illusionbench.names import (
    CATEGORIES,
    DESCRIPTIONS,
    DIFFICULTIES,
    DRAWN_FIGURES,
    GEOMETRIC,
    ILLUSION,
    MULTIPLE_CHOICE,
    PLATES,
    PROMPT_OF,
    SCENES,
    STEP_BY_STEP,
    TRUE_FALSE,
)
from afterimage.suites.illusionbench.settings import Settings, load_prompts, select
from afterimage.suites.illusionbench.sources import HUB, SETTINGS, read

# What the columns of the suite's tables mean, for the data dictionary; those of the paper's tables have many alike.

_SCORE = "accuracy or FP / (FP + FN), 0 to 1, or mean score, 0 to 2, of "

MEANINGS = {
    **dict.fromkeys(CATEGORIES, f"{_SCORE}this category"),
    **dict.fromkeys(DIFFICULTIES, f"{_SCORE}this difficulty"),
    **dict.fromkeys(DESCRIPTIONS, "mean score of this type of description, 0 to 2"),
    "all": "the same of all",
    "images_*": "of these the images of this difficulty",
    "instances": "questions, each once",
    "statements": "of these the statements that are true or false",
    "choices": "of these the multiple-choice questions, whatever orders of options they were asked in",
    "descriptions": "of these the ones that are answered in free words",
    "false_k": "statements that are false",
    "false_share": "100 false_k / statements",
    "goldens": "images with a golden description",
    "golden_words": "mean number of its words, parted by white space",
    "question_type": "the type of description",
    "*_low": "lower bound of its interval, clusters are images; of changes by bootstrap over images",
    "*_high": "upper bound of the same",
    "*_n": "answers, or descriptions with a score",
    "*_k": "right answers",
    "*_unparsed_k": "answers that could not be read; they count as wrong",
    "*_cut_off_k": "of these, replies that ended before an answer",
    "*_refused_k": "of the unparsed answers, those that were refused or withheld",
    "*_answer": "of a constant answer or place the best one in this column",
    "*_sd": "standard deviation between samples (ddof 1)",
    "*_asked": "descriptions asked for",
    "*_missing": "descriptions without a score",
    "*_majority": "mean of the ratings that most rounds agree on",
    "*_unanimous": "share of the scored descriptions about which all rounds agree, 0 to 1",
    "*_fp_k": "answered true where false is right",
    "*_fn_k": "answered false where true is right",
    "*_negatives_n": "questions whose key is false",
    "*_positives_n": "questions whose key is true",
    "*_fp_rate": "fp_k / negatives_n",
    "*_fn_rate": "fn_k / positives_n",
    "*_other_k": "wrong answers that are neither: unparsed, or read as the key though the verdict is wrong",
    "flagged_memory_k": "second steps whose first step was left blank or refused",
    "*_semantic": "mean semantic score of the images whose illusion score is high, mid or low and that have all three",
    "*_step_by_step": "mean step-by-step score of the same images",
    "*_change": "change from the first to the second of these means, as printed, percent",
    "numeral": "the numeral of an option",
    "chosen_k": "answers that chose it",
    "chosen": "100 chosen_k / n",
    "key_n": "questions with this key",
    "right_k": "of these, right ones",
    "accuracy": "100 right_k / key_n",
    "orders_n": "orders of options per question",
    "questions_n": "questions",
    "same_k": "questions of which every order got the same option; empty with one order",
    "chart": "`perception` or `description`",
    "series": "`T/F`, `Mul`, `Sem` or `Illu`",
    "axis": "`P1` to `P5`, `D1` to `D5`",
    "judge": "who judged any of the answers, a reference judge marked as one; empty where nobody did",
    "value": "accuracy, 0 to 1, or mean score, 0 to 2",
}


_HERE = "afterimage.suites.illusionbench"
#: The categories whose descriptions the paper shows.
_DESCRIBED = ("real_scene", "trap")
#: Positions reserved for each category of a user's images, so that additions to one move none of another.
_POSITIONS_PER_CATEGORY = 100_000


def _drawn_figure(name: str, design: str, position: int) -> Figure:
    return Figure(
        name,
        f"{_HERE}.designs:{design}",
        f"{_HERE}.drawing:draw_{name}",
        measure=f"{_HERE}.observer:drawn",
        position=position,
    )


_DRAWN = (
    _drawn_figure(GEOMETRIC, "FIGURES_AND_TRAPS", 0),
    _drawn_figure(SCENES, "PLAIN_SCENES", 100),
    _drawn_figure(PLATES, "COLOUR_PLATES", 200),
)
_USER_FIGURES = tuple(
    Figure(
        category,
        f"{_HERE}.sources:READER",
        f"{_HERE}.drawing:draw_pictures",
        measure=f"{_HERE}.observer:size",
        position=number * _POSITIONS_PER_CATEGORY,
    )
    for number, category in enumerate(CATEGORIES, start=1)
)

_ANSWER_TYPES = {TRUE_FALSE: "true_false", MULTIPLE_CHOICE: "roman"}


def figures(settings: Settings) -> tuple[Figure, ...]:
    """Return the drawn figures, or the categories that a user's images have."""
    if settings.is_drawn:
        return _DRAWN
    dataset = read(settings)
    return tuple(figure for figure in _USER_FIGURES if dataset.of_category(figure.name))


def figure_named(name: str) -> Figure:
    """Return a figure, for one image of it: the observer finds out by itself what is on an image."""
    for figure in (*_DRAWN, *_USER_FIGURES):
        if figure.name == name:
            return replace(figure, measure=f"{_HERE}.observer:drawn")
    raise unknown_name("figure", name, (*DRAWN_FIGURES, *CATEGORIES), "suite 'illusionbench'")


def missing(settings: Settings, thoroughly: bool) -> Missing:
    if settings.is_drawn:
        return Missing()
    dataset = read(settings)
    names = [exclusion.detail for exclusion in dataset.exclusions if exclusion.reason == NO_FILE]
    return Missing(tuple(names), len(names) + len(dataset.pictures))


def words(settings: Settings) -> Json:
    """Read and check the prompt file and, where the settings name one, the user's data set."""
    prompts = load_prompts(settings.prompt_file)
    select(prompts, settings, DRAWN_FIGURES)
    if not settings.is_drawn:
        read(settings)
    return prompts


def drawing(figure: str, settings: Settings) -> Json:
    """Return the settings that affect images: the seed, or the paths of a user's images."""
    if figure == GEOMETRIC:
        return fresh(settings, "illusionbench")
    if figure in DRAWN_FIGURES:
        return {"seed": edition_seed(settings, "illusionbench")}
    return {name: settings[name] for name in SETTINGS}


def question_inputs(
    words: Json, settings: Settings, figures: Sequence[str], people: People
) -> QuestionInputs:
    names = ["questions", "shuffle_seed", "shuffle_rounds"]
    if STEP_BY_STEP in settings.questions:
        names += ["memory_mode", "reuse_step1"]
    return QuestionInputs(
        select(words, settings, figures), {name: settings[name] for name in names}
    )


def answer_types(words: Json, settings: Settings) -> list[str]:
    return sorted({_ANSWER_TYPES.get(kind, "description") for kind in settings.questions})


def table_settings(table: str, settings: Settings, people: People) -> Json:
    """Return what tables need: whose verdicts, the order of the models, which data, what was left out."""
    if settings.is_drawn:
        images = len(shown_on_sheet(settings))
        data = {"exclusions": {}, "images": images, "seed": settings.seed, "version": ""}
    else:
        dataset = read(settings)
        data = {
            "exclusions": reasons(dataset.exclusions),
            "images": len(dataset.pictures),
            "seed": 0,
            "version": dataset.version,
        }
    values = {
        "decided_by": settings.decided_by,
        "source": "release" if settings.source == "hub" else settings.source,
        # A list, since the order of headings counts and that of keys does not.
        "model_groups": [
            [heading, list(models)] for heading, models in settings.model_groups.items()
        ],
        **data,
        "human_vqa": human_answers(settings, people),
    }
    return {"illusionbench": values}


def table_files(settings: Settings, people: People) -> list[str]:
    """Return the files that tables read beside the grades: people's answers, where there are any."""
    path = human_answers(settings, people)
    return [] if path is None else [path]


def human_answers(settings: Settings, people: People) -> str | None:
    """Return the file with people's answers to the questions: the configured one, or what pages have brought back.

    Raises:
        AfterimageError: The configured file does not exist.
    """
    path: str | None = settings.human_vqa
    if path is None:
        return people.get("vqa")
    if not Path(path).is_file():
        raise fault(config_path("suites.illusionbench.human_vqa"), f"file '{path}' does not exist.")
    return path


def uncounted(settings: Settings) -> dict[str, str]:
    """Return the answers from pages that a configured file replaces, with how to make them count."""
    if settings.human_vqa is None:
        return {}
    return {"vqa": f"human_vqa is {settings.human_vqa}; set it to null"}


def _describes(settings: Settings, people: People) -> bool:
    """Tell whether real scenes or traps are described, as in the paper's figures 6 and 7."""
    names = [figure.name for figure in figures(settings)]
    shown = GEOMETRIC in names if settings.is_drawn else not set(names).isdisjoint(_DESCRIBED)
    return shown and ILLUSION in settings.questions


def _chooses(settings: Settings, people: People) -> bool:
    """Tell whether anything is asked that the page of examples shows: statements, or questions with options."""
    if TRUE_FALSE not in settings.questions:
        return False
    pictures = () if settings.is_drawn else read(settings).pictures
    return settings.is_drawn or any(
        picture.statements or (picture.choices and MULTIPLE_CHOICE in settings.questions)
        for picture in pictures
    )


def shown_on_sheet(settings: Settings) -> list[tuple[str, str]]:
    """Return what the contact sheet shows: the drawn set; of a user's images, whose sizes differ, nothing."""
    if not settings.is_drawn:
        return []
    return [
        (figure.name, stimulus_id)
        for figure in _DRAWN
        for stimulus_id in resolve(name_of(figure.design)).ids(figure.name, settings)
    ]


def side_files(settings: Settings) -> tuple[SideFile, ...]:
    """Return the list of what was left out of a user's data, and why."""
    drawn = settings.is_drawn
    return (
        SideFile(
            "exclusions",
            f"{_HERE}.sources:write",
            outputs=[f"{RESULTS}/stimuli/illusionbench/exclusions.csv"],
            inputs=[] if drawn else list(read(settings).files),
            spec={name: settings[name] for name in (("source",) if drawn else SETTINGS)},
        ),
    )


def _sample(words: Json, settings: Settings, people: People) -> Json:
    return {name: settings.pages[name] for name in ("images", "seed")}


def _sample_and_models(words: Json, settings: Settings, people: People) -> Json:
    return {**_sample(words, settings, people), "models": list(settings.pages["models"])}


_FORMS = {
    form.name: form
    for form in (
        Form("vqa", "vqa", f"{_HERE}.forms:Vqa", ("stimuli", "items"), spec=_sample),
        Form(
            "description_scores",
            "description_scores",
            f"{_HERE}.forms:DescriptionScores",
            ("stimuli", "items", "responses"),
            spec=_sample_and_models,
        ),
        Form(
            "review",
            "review",
            f"{_HERE}.forms:Review",
            ("stimuli", "files"),
            files=lambda settings, people: [f"{RESULTS}/review/illusionbench/queue.csv"],
        ),
    )
}


#: True or false by category, and multiple choice over all of them.
_SHOWN_FIRST = (
    *((name.capitalize().replace("_", " "), "tf", name) for name in CATEGORIES),
    ("T/F", "tf", "all"),
    ("Multiple choice", "mcq", "all"),
)


SUITE = Suite(
    "IllusionBench+",
    figures,
    f"{_HERE}.questions",
    description="IllusionBench+: classical figures, real scenes, plain images, colour plates and traps.",
    settings=Settings,
    words=words,
    drawing=drawing,
    question_inputs=question_inputs,
    answer_types=answer_types,
    observer=f"{_HERE}.observer:answer",
    textbook=f"{_HERE}.questions:answer",
    describer=f"{_HERE}.observer:describe",
    tables=(
        f"{_HERE}.tables:TABLES.illusionbench_tf",
        f"{_HERE}.tables:TABLES.illusionbench_mcq",
        f"{_HERE}.tables_descriptions:TABLES.illusionbench_description",
        f"{_HERE}.tables_descriptions:ILLUSIONBENCH_STEP_BY_STEP",
        f"{_HERE}.tables:ILLUSIONBENCH_FP_RATIO",
        f"{_HERE}.tables_descriptions:TABLES.illusionbench_description_detail",
        *(f"{_HERE}.tables_data:ILLUSIONBENCH_{name}" for name in ("NUMERALS", "RADAR", "DATA")),
    ),
    printed=tuple(
        f"illusionbench_{name}"
        for name in (
            *("data", "tf", "mcq", "description", "step_by_step", "fp_ratio"),
            "description_detail",
        )
    ),
    pairs=f"{_HERE}.tables:PAIRS",
    table_settings=table_settings,
    table_files=table_files,
    front=Front(
        tuple(
            Score(
                label,
                f"illusionbench_{table}",
                column,
                f"{column}_low",
                f"{column}_high",
                n=f"{column}_n",
                unread=f"{column}_unparsed_k",
            )
            for label, table, column in _SHOWN_FIRST
        ),
        main="T/F",
        top=1,
    ),
    charts=(
        Chart("illusionbench_radar", ("illusionbench_radar",), f"{_HERE}.charts:draw_radar"),
        Chart("illusionbench_data", ("illusionbench_data",), f"{_HERE}.charts:draw_data"),
    ),
    sheets=(Sheet("illusionbench_stimuli", 7, shown_on_sheet),),
    pages=(
        Examples(
            "illusionbench_examples",
            (
                *({"question": TRUE_FALSE, "category": name} for name in CATEGORIES),
                {"question": MULTIPLE_CHOICE},
            ),
            when=_chooses,
        ),
        Examples(
            "illusionbench_descriptions", when=_describes, cards=f"{_HERE}.charts:descriptions"
        ),
        Examples("illusionbench_categories", cards=f"{_HERE}.charts:categories"),
        Examples("illusionbench_image", cards=f"{_HERE}.charts:image"),
    ),
    missing=missing,
    side_files=side_files,
    forms=lambda settings: [_FORMS[name] for name in settings.pages["forms"]],
    uncounted=uncounted,
    judge=Judge(
        tuple(dict.fromkeys(PROMPT_OF.values())),
        f"{_HERE}.judging",
        reference=f"{_HERE}.judging",
        has_facts=lambda settings: settings.is_drawn,
    ),
    figure_named=figure_named,
    paper=f"{_HERE}.paper",
    meanings=MEANINGS,
    hub=when_hub(HUB),
)
