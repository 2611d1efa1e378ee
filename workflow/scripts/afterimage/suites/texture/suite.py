"""Texture words as one value: drawn materials, or the images of a user's folder."""

from dataclasses import dataclass
from pathlib import Path

from afterimage.contract.design import EditionSettings, fresh
from afterimage.contract.front import Front, Score
from afterimage.contract.settings import prompts_in_use, setting
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
    Suite,
    prompts_alone,
)
from afterimage.errors import config_path, fault, unknown_name
from afterimage.files.yaml import Checked, read_prompts, require
from afterimage.items import recognition_form
from afterimage.suites.texture import photographs
from afterimage.suites.texture.columns import CLASSIFIED, IMAGES, JUDGEMENTS, OBJECTS, read_rows
from afterimage.suites.texture.dataset import (
    dataset_source,
    files_of,
    load_dataset,
    people_files,
    rules,
    table_settings,
)
from afterimage.suites.texture.materials import MAX_COPIES, all_images, figure_names, images_of

# What the columns of the suite's tables mean, for the data dictionary.

MEANINGS = {
    "kind": "`measured`, `reference` (random, best position), `human` (mean over annotators), `annotator` or "
    "`paper` (as printed)",
    "annotators": "people whose answers or votes count",
    "choose_*_n": "items with so many options, times repeats",
    "choose_*_k": "right answers to them",
    "choose_*_accuracy": "100 k / n; `human`: mean over annotators of each one's accuracy",
    "choose_*_p_value": "exact two-sided binomial test against guessing",
    "choose_*_unparsed_k": "answers that could not be read; they count as wrong",
    "choose_*_cut_off_k": "of these, replies that ended before an answer",
    "choose_*_refused_k": "of the unparsed answers, those that were refused or withheld",
    "choose_*_digit_only_k": "answers that are a number and nothing else",
    "choose_*_digit_only_right_k": "right ones of these",
    "choose_*_always": "of the best position, which it is",
    "choose_*_answer_*": "how often this place was chosen",
    "choices": "number of options",
    "gold_word": "the right word",
    "chosen": "the chosen word, `unparsed` where there is none",
    "right": "whether it is the right one",
    "total": "answers to questions with this right word, or of this model",
    "words_from": "whose words the item has: `human` or `simulated`",
    "yes_no": "equation (1), percent; empty while `yes_no_state` is `awaited` or `incomplete`",
    "yes_no_state": "`complete`, `incomplete`, `awaited`, or `no words` (0)",
    "yes_no_partial": "the same over what has been judged",
    "yes_no_valid_only": "the same over valid answers",
    "yes_k": "words that were accepted",
    "judged_words": "words that were judged",
    "items_judged": "items that each annotator judged",
    "without_words": "answers without a word",
    "rejected_words": "words that all annotators rejected",
    "items_with_rejected": "items with such a word",
    "items_all_rejected": "items of which all words are",
    "hits": "words that people wrote too",
    "valid": "answers of valid form",
    "agreement": "equation (2), percent, over valid answers",
    "agreement_all": "the same with invalid answers as 0",
    "chance_same_category": "the same score with words about other objects of the category",
    "chance_any": "the same with words about any other objects",
    "median_human_words": "people's different words about an object, median",
    "agreement_synonyms": "agreement with synonyms merged; empty without a table of them",
    "invalid_*": "answers of invalid form, by reason",
    "score": "the score of the generation task",
    "models": "models that have it and an accuracy with five options",
    "over": "their names; reference responders are left out",
    "rho": "Spearman's rank correlation of the two over models",
    "reason": "why there is none",
    "origin": "`natural` (written about the object), `random` (about another) or `all`",
    "votes_from": "`human` or `simulated`",
    "words": "words shown",
    "complete": "those with enough votes",
    "positive_k": "those accepted, of the complete ones",
    "positive": "100 positive_k / complete",
    "incomplete": "words with too few votes",
    "extra_votes": "votes beyond those that count",
    "kappa": "Fleiss' kappa over complete words",
    "alpha": "Krippendorff's alpha over all",
    "careless_annotators": "annotators who give one answer to more than 95 % of the words",
    "item_id": "the question",
    "k": "number of options",
    "image_id": "the image",
    "object_id": "the object",
    "option_*": "the word at this place",
    "gold_index": "the right word's place, from 0",
    "neg_origin_*": "where the wrong word at this place comes from",
    "seed": "what the words and their order were drawn with",
    "pair_id": "the verification task",
    "w*": "its words",
    "origin*": "where each comes from",
    "source_triple*": "which triple it was taken from",
    "thing": "a drawn material, or `all`",
    "people": "different people who answered",
    "taken_for": "people's other answers, each with how often it was given",
}


#: Task to the placeholders of its prompts, each of which occurs once; how its answer is read; whether it lists options.
_TASKS: dict[str, tuple[tuple[str, ...], str, bool]] = {
    "classification": (("object", "options"), "numbered_option", True),
    "generation": (("object",), "word_list", False),
}
# Full-width spaces at the ends of a text are the paper's, other blanks are a slip.
_BLANKS = " \t\r\n"

_HERE = "afterimage.suites.texture"
_RECOGNITION_TABLE = "texture_recognition"


@dataclass(frozen=True)
class Settings(EditionSettings):
    """Whose images and words, how items are made of them, and how questions are asked."""

    data: str | None = setting(
        None,
        "Folder with images.csv, objects.csv and what has been collected so far; without one, the drawn materials.",
    )
    image_folder: str | None = setting(
        None, "Folder that the files in images.csv lie in, if it is not the folder of the data."
    )
    scale: int = setting(
        1,
        "Copies of the drawn materials, each of another size and drawn anew; what is asked already stays as it is. 9 "
        "give the paper's 335 questions and 107 objects.",
        minimum=1,
        maximum=MAX_COPIES,
    )
    area_limit: float = setting(
        0.15,
        "Objects that take up this share of their image or less are dropped.",
        minimum=0,
        maximum=1,
    )
    area_mode: str = setting(
        "mask_union",
        "Which rows of objects.csv count - all instances together, the largest one, or the box.",
        enum=["mask_union", "mask_largest", "bbox"],
    )
    votes_per_word: int = setting(
        5, "Annotators per word; words with fewer votes are incomplete.", minimum=1
    )
    accepting_votes: int = setting(4, "Votes that make a word right.", minimum=1)
    neg_max_votes: int = setting(
        1,
        "Accepting votes that a word of the same task may have and still be offered as wrong.",
        minimum=0,
    )
    choices: list[int] = setting(
        [2, 5],
        "Numbers of options.",
        minItems=1,
        uniqueItems=True,
        items={"type": "integer", "enum": [2, 5]},
    )
    classification_items: int | None = setting(
        335,
        "The most questions of each number of options, as in the paper; null for all that the words allow.",
        minimum=1,
    )
    generation_items: int | None = setting(
        107, "The most objects to be described, as in the paper; null for all.", minimum=1
    )
    human_words: str = setting(
        "all",
        "Words that models' words are compared with - all that people wrote, or those that annotators accepted.",
        enum=["all", "verified"],
    )
    judges: int = setting(
        3,
        "People who have to judge every word of a model before its yes/no score is printed.",
        minimum=1,
    )
    seed: int = setting(
        20250310, "Chooses words, their order, and what is drawn by lot.", minimum=0
    )
    ask_recognition: bool = setting(
        False,
        "Write a page on which people say what the drawn materials look like; table texture_recognition.",
    )
    prompt_file: str = setting("resources/prompts/texture.yaml", "Prompts.")
    prompts: list[str] = prompts_in_use(
        ["texture_cls_fig2", "texture_gen_fig3"],
        "Ids of the prompts to ask with, out of the prompt file.",
    )
    classified: str | None = setting(
        None,
        "CSV with people's answers to the questions, for the row Human; beside what comes back from the pages.",
    )
    judgements: str | None = setting(
        None,
        "CSV with people's yes or no to models' words, for the yes/no score; beside what comes back from the pages.",
    )

    @property
    def is_drawn(self) -> bool:
        return self.data is None


def figures(settings: Settings) -> tuple[Figure, ...]:
    """Return the drawn materials, or hundreds of the user's photographs."""
    if settings.data is None:
        return tuple(drawn_figure(name) for name in figure_names(settings.scale))
    part = f"{_HERE}.photographs"
    return tuple(
        Figure(name, part, draw=part, measure=part, position=position)
        for name, position in photographs.figure_positions(settings).items()
    )


def drawn_figure(name: str) -> Figure:
    """Return a figure of drawn materials.

    Raises:
        AfterimageError: There is none of this name; the nearest is suggested.
    """
    if name not in figure_names(MAX_COPIES):
        raise unknown_name("figure", name, figure_names(MAX_COPIES), "texture")
    images = enumerate(all_images(MAX_COPIES))
    position = next(position for position, image in images if image.figure == name)
    return Figure(
        name,
        f"{_HERE}.materials:DESIGN",
        draw=f"{_HERE}.drawing:draw",
        measure=f"{_HERE}.seeing:measure",
        position=position,
    )


def words(settings: Settings) -> Json:
    """Read and check the prompt file and all files of the user's, before any job runs."""
    if settings.accepting_votes > settings.votes_per_word:
        raise fault(
            config_path("suites.texture.accepting_votes"),
            f"found {settings.accepting_votes} of {settings.votes_per_word} "
            "votes; expected at most 'votes_per_word', or no word is ever right.",
        )
    prompts: dict[str, Json] = {}
    read_prompts(
        settings, "texture", lambda name, entry: prompts.update({name: _checked_prompt(entry)})
    )
    if settings.data is not None and settings.scale > 1:
        raise fault(
            config_path("suites.texture.scale"),
            f"found {settings.scale} beside 'data'; expected 1, since only drawn "
            "materials have copies.",
        )
    if settings.data is not None:
        _check_folder(Path(settings.data))
        load_dataset(dataset_source(settings, {}))
    for key, table in (("classified", CLASSIFIED), ("judgements", JUDGEMENTS)):
        if settings[key] is not None:
            read_rows(settings[key], table)
    return {"prompts": prompts}


def _checked_prompt(entry: Checked) -> dict[str, str]:
    """Return a prompt: ``task``, ``answer_type``, ``option``, ``separator`` and ``text``, of generation two empty."""
    # Notes for readers, on what the paper says and how it was reconstructed, stay with the template.
    notes, lists = ("extracted", "reconstruction"), ("option", "separator")
    entry.keys(("task", "text"), optional=(*notes, *lists))
    task = entry["task"].text()
    require(task, "task", _TASKS, entry["task"].where)
    placeholders, answer_type, listing = _TASKS[task]
    entry.keys(("task", "text", *(lists if listing else ())), optional=notes)
    return {
        "answer_type": answer_type,
        "option": _template(entry["option"], ("number", "word")) if listing else "",
        "separator": entry["separator"].text(_BLANKS) if listing else "",
        "task": task,
        "text": _template(entry["text"], placeholders),
    }


def _template(entry: Checked, placeholders: tuple[str, ...]) -> str:
    return entry.template(placeholders, required=placeholders, blanks=_BLANKS)


def _check_folder(folder: Path) -> None:
    for table in (IMAGES, OBJECTS):
        if not (folder / table.file).is_file():
            raise fault(
                config_path("suites.texture.data"),
                f"folder '{folder}' holds no {table.file}; expected it and "
                f"{'objects.csv' if table is IMAGES else 'images.csv'} (docs/texture.md).",
            )


def drawing(figure: str, settings: Settings) -> Json:
    """Return what determines a figure's images: the seed of drawn ones, files and sizes of photographs."""
    if settings.data is None:
        return {"seed": settings.seed, **fresh(settings, "texture")}
    return photographs.drawing(figure, settings)


def sources(figure: str, settings: Settings) -> list[str]:
    """Return the user's image files that a figure is made from; none where it is drawn."""
    return [image["file"] for image in drawing(figure, settings).get("images", ())]


def missing(settings: Settings, thoroughly: bool) -> Missing:
    return Missing() if settings.data is None else photographs.missing(settings)


def question_inputs(
    words: Json, settings: Settings, figures: object, people: People
) -> QuestionInputs:
    """Return the words and settings that questions are made of; the tables they name are inputs of their own."""
    prompts = prompts_alone(words, settings, (), people)
    source = {"dataset": dataset_source(settings, people), "rules": rules(settings)}
    return QuestionInputs(prompts.words, {**prompts.settings, **source})


def table_files(settings: Settings, people: People) -> list[str]:
    """Return the files that tables read beside the grades: the data, and people's answers."""
    answers = [people_files(kind, settings, people) for kind in ("classified", "judgements")]
    files = [*files_of(dataset_source(settings, people)), *answers[0], *answers[1]]
    return [*files, *recognition_form.answered(settings, people)]


def _table_settings(table: str, settings: Settings, people: People) -> Json:
    """Return what a table needs; the table of recognition needs its answers alone."""
    if table == _RECOGNITION_TABLE:
        (path,) = recognition_form.answered(settings, people)
        return {"texture": {recognition_form.RESULT: path}}
    return table_settings(table, settings, people)


def _about_objects(name: str, result: str, *kinds: str) -> Form:
    """Return a page about objects, made from some kinds of table."""
    return Form(
        name,
        result,
        f"{_HERE}.forms:{name.capitalize()}",
        ("stimuli", "files"),
        files=lambda settings, people: files_of(dataset_source(settings, people, kinds)),
        spec=lambda words, settings, people: {"dataset": dataset_source(settings, people, kinds)},
        attention=name == "verify",
    )


#: People who write words see none, and those who judge words see nobody's judgement.
FORMS = (
    _about_objects("collect", "triples", "objects"),
    _about_objects("verify", "votes", "objects", "triples", "pairs"),
    Form("classify", "classified", f"{_HERE}.forms:Classify", ("items",)),
    Form("judge", "judgements", f"{_HERE}.forms:Judge", ("items", "responses")),
)


def forms(settings: Settings) -> tuple[Form, ...]:
    """Return the pages; that about what the drawn materials look like where it is asked for."""
    if settings.data is not None or not settings.ask_recognition:
        return FORMS
    return (*FORMS, recognition_form.form(f"{_HERE}.forms:Recognition", _RECOGNITION_TABLE))


def shown_on_sheet(settings: Settings) -> list[tuple[str, str]]:
    """Return the drawn materials, row by row, as pairs of figure and stimulus id; photographs are not ours to show."""
    if settings.data is not None:
        return []
    figures = figure_names(settings.scale)
    return [(figure, image.image_id) for figure in figures for image in images_of(figure)]


SUITE = Suite(
    "Texture",
    figures,
    f"{_HERE}.questions",
    description="Texture words (質感) - choosing among two or five, and writing three (docs/texture.md).",
    settings=Settings,
    words=words,
    drawing=drawing,
    question_inputs=question_inputs,
    observer=f"{_HERE}.seeing:answer",
    textbook=f"{_HERE}.questions:answer",
    tables=(
        f"{_HERE}.tables:TEXTURE_CLASSIFICATION",
        f"{_HERE}.tables_written:TEXTURE_GENERATION",
        f"{_HERE}.tables_people:TEXTURE_REJECTED",
        f"{_HERE}.tables:TEXTURE_TESTS",
        f"{_HERE}.tables_written:TEXTURE_CORRELATION",
        f"{_HERE}.tables:TEXTURE_WORDS",
        f"{_HERE}.tables_people:TEXTURE_VOTES",
        f"{_HERE}.tables_people:TEXTURE_PAIRS",
        f"{_HERE}.tables_people:TEXTURE_ITEMS",
        f"{_HERE}.tables_people:TEXTURE_RECOGNITION",
    ),
    printed=("texture_classification", "texture_generation"),
    pairs=f"{_HERE}.tables:PAIRS",
    table_settings=_table_settings,
    tables_when={_RECOGNITION_TABLE: recognition_form.has_answered},
    table_files=table_files,
    front=Front(
        tuple(
            Score(
                f"{size} options",
                "texture_classification",
                f"choose_{size}_accuracy",
                f"choose_{size}_low",
                f"choose_{size}_high",
                n=f"choose_{size}_n",
                unread=f"choose_{size}_unparsed_k",
            )
            for size in (2, 5)
        )
    ),
    charts=(
        Chart("texture_accuracy", ("texture_classification",), f"{_HERE}.charts:draw_accuracy"),
        Chart("texture_by_word", ("texture_words",), f"{_HERE}.charts:draw_by_word"),
        Chart(
            "texture_scatter",
            ("texture_classification", "texture_generation", "texture_correlation"),
            f"{_HERE}.charts:draw_scatter",
        ),
    ),
    pages=(
        Examples("texture_in_common", (), chosen=f"{_HERE}.charts:chosen_in_common"),
        Examples(
            "texture_unnatural",
            (),
            # People's answers come in when models have been asked.
            when=lambda settings, people: bool(people_files("judgements", settings, people)),
            chosen=f"{_HERE}.charts:chosen_rejected",
        ),
    ),
    sheets=(Sheet("texture_stimuli", 8, shown_on_sheet),),
    item_files=lambda settings, people: files_of(dataset_source(settings, people)),
    sources=sources,
    missing=missing,
    forms=forms,
    figure_named=drawn_figure,
    paper=f"{_HERE}.paper",
    meanings=MEANINGS,
)
