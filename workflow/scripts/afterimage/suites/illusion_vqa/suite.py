"""Genuine, fake and control illusion VQA as one value: the illusions by four conditions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from afterimage.contract.design import EditionSettings, fresh
from afterimage.contract.front import Front, Score
from afterimage.contract.settings import prompts_in_use, setting
from afterimage.contract.stimulus import Json
from afterimage.contract.suite import (
    Chart,
    Examples,
    Figure,
    Filter,
    Form,
    People,
    QuestionInputs,
    Sheet,
    Suite,
)
from afterimage.errors import config_path, fault
from afterimage.files.paths import RESULTS
from afterimage.suites.illusion_vqa.images import genuine_ids, is_representative, stimulus_ids
from afterimage.suites.illusion_vqa.prompt_file import choices, load_prompts, render, select
from afterimage.suites.illusions.names import (
    GRID_FIGURES,
    ILLUSIONS,
    QUESTIONS,
    VARIANTS,
    drawn_by,
    require_illusion,
)
from afterimage.suites.illusions.variants import MAX_PAIRS, variation

_HERE = "afterimage.suites.illusion_vqa"
#: The value of ``human_filter.responses`` that stands for what comes back from the pages.
FROM_FORMS = "forms"


@dataclass(frozen=True)
class Settings(EditionSettings):
    """Which illusions, how questions are asked, and who decides which of them count."""

    illusions: list[str] = setting(
        list(ILLUSIONS),
        "The illusions to draw; by default the paper's 15 (the human filter then drops Ponzo, as the paper did). Those "
        "that the paper does not have can be added; they count in rows of their own.",
        minItems=1,
        uniqueItems=True,
        items={"type": "string", "enum": list(GRID_FIGURES)},
    )
    scale: int = setting(
        1,
        "Pairs of variants of every illusion: the paper's two and, above 1, further drawings of the same design with "
        "other sizes, places, colours and strengths. 9 find a difference of 10 points between two models.",
        minimum=1,
        maximum=MAX_PAIRS,
    )
    prompt_file: str = setting("resources/prompts/illusion_vqa.yaml", "Questions and prompts.")
    prompts: list[str] = prompts_in_use(
        ["zero_shot"], "Ids of the prompts to ask with, out of the prompt file."
    )
    few_shot_examples: int = setting(
        4, "Examples before each question, for prompts that use examples.", minimum=1, maximum=13
    )
    human_filter: Mapping[str, Any] = setting(
        {},
        "Whose answers decide which illusions count.",
        additionalProperties=False,
        properties={
            "responses": {
                "description": "CSV of raw answers (participant_id,image_id,question,option_id), or forms for what "
                "comes back from the pages; without it the paper's own decision.",
                "type": ["string", "null"],
                "default": None,
            },
            "least_answers": {
                "description": "With forms, people decide once every question that decides has this many answers; "
                "until then the paper does.",
                "type": "integer",
                "minimum": 1,
                "default": 1,
            },
            "participants": {
                "description": "Ids of all who were asked, so that those who answered nothing are noticed.",
                "type": "array",
                "uniqueItems": True,
                "items": {"type": "string"},
                "default": [],
            },
            "synthetic": {
                "description": "The answers were simulated; every table says so.",
                "type": "boolean",
                "default": False,
            },
            "paper_drops": {
                "description": "What the paper itself excluded, used while there are no answers.",
                "type": "array",
                "uniqueItems": True,
                "items": {"type": "string", "enum": list(ILLUSIONS)},
                "default": ["ponzo"],
            },
        },
    )


def figure_named(name: str, scale: int = 1) -> Figure:
    """Return an illusion with ``scale`` pairs of variants.

    Raises:
        AfterimageError: There is no such illusion.
    """
    require_illusion(name)
    return Figure(
        name,
        design=f"{_HERE}.images",
        draw=drawn_by(name),
        measure=f"{_HERE}.invariants:MEASURES.{name}",
        measure_seen=f"{_HERE}.invariants:SEEN_MEASURES.{name}",
        position=GRID_FIGURES.index(name) * len(stimulus_ids(name, scale)),
    )


def figures(settings: Settings) -> tuple[Figure, ...]:
    """Return the configured illusions in the paper's order, then those that it does not have."""
    return tuple(
        figure_named(name, settings.scale) for name in GRID_FIGURES if name in settings.illusions
    )


def words(settings: Settings) -> Json:
    prompts = load_prompts(settings.prompt_file)
    select(prompts, settings.prompts, settings.illusions)
    _require_kept(settings)
    return prompts


def _require_kept(settings: Settings) -> None:
    """Require an illusion that counts, where that is known before people have answered."""
    decided = settings.human_filter
    if decided["responses"] is None and set(settings.illusions) <= set(decided["paper_drops"]):
        raise fault(
            config_path("suites.illusion_vqa.illusions"),
            f"found {', '.join(settings.illusions)}, which the paper's own "
            "decision leaves out, so that nothing would be asked; expected another illusion beside it, or "
            "human_filter.responses: people's answers, or human_filter.paper_drops: [].",
        )


def shows_examples(words: Json, settings: Settings) -> bool:
    """Tell whether a prompt in use puts examples from other figures before the question."""
    return any(words["prompts"][prompt]["examples"] for prompt in settings.prompts)


def question_inputs(
    words: Json, settings: Settings, figures: Sequence[str], people: People
) -> QuestionInputs:
    chosen: dict[str, Any] = {"prompts": list(settings.prompts)}
    if shows_examples(words, settings):
        chosen["few_shot_examples"] = settings.few_shot_examples
        figures = settings.illusions
    return QuestionInputs(
        select(words, settings.prompts, figures, settings.scale, _edition(settings)), chosen
    )


def probe_words(words: Json, settings: Settings, figures: Sequence[str]) -> dict[str, str]:
    """Return the text before a question about each of these figures when its image is not shown.

    Keys are figures, and in other languages than English figure and prompt.
    """
    texts = {figure: words["text_only"].get(figure) for figure in sorted(figures)}
    for prompt in settings.prompts:
        language = words["prompts"][prompt].get("language")
        if language is not None:
            in_language = words["languages"][language]["text_only"]
            texts |= {
                f"{figure}/{prompt}": in_language.get(figure, "") for figure in sorted(figures)
            }
    return {name: text for name, text in texts.items() if text is not None}


def shown_on_sheet(settings: Settings) -> list[tuple[str, str]]:
    """Return the stimuli of the paper's two variants, row by row, as pairs of figure and stimulus id."""
    return [
        (figure.name, name) for figure in figures(settings) for name in stimulus_ids(figure.name)
    ]


def further_on_sheet(settings: Settings) -> list[tuple[str, str]]:
    """Return genuine images of the first further variants, likewise; none where there are none."""
    return [
        (figure.name, name)
        for figure in figures(settings)
        for name in genuine_ids(figure.name, settings.scale)[:_SHEET_COLUMNS]
    ]


def filter_spec(
    words: Json, settings: Settings, figures: Sequence[str], people: People
) -> dict[str, Any]:
    """Return the input of the human filter: possible and intended answers, the rule for no data."""
    chosen = settings.human_filter
    from_people = people_responses(settings, people) is not None
    # Answers from pages come in gradually.
    waits = from_people and chosen["responses"] == FROM_FORMS
    return {
        "choices": choices(words, figures, settings.scale),
        "figures": list(figures),
        "participants": sorted(chosen["participants"]) if from_people else [],
        "paper_drops": [] if from_people and not waits else sorted(chosen["paper_drops"]),
        "synthetic": from_people and chosen["synthetic"],
        "wait_for": chosen["least_answers"] if waits else 0,
    }


def people_responses(settings: Settings, people: People) -> str | None:
    """Return the file of people's answers; None if the paper's own decision stands.

    While nothing has come back from the pages, the paper's own decision stands as well.
    """
    path: str | None = settings.human_filter["responses"]
    if path == FROM_FORMS:
        path = people.get("responses")
    return path


def uncounted(settings: Settings) -> dict[str, str]:
    """Return the answers from pages that decide nothing, with how to let them decide."""
    if settings.human_filter["responses"] is not None:
        return {}
    return {"responses": f"human_filter.responses is null; set it to {FROM_FORMS}"}


def forms(settings: Settings) -> tuple[Form, ...]:
    """Return the pages for people; none where their answers come from a file of the user's."""
    if settings.human_filter["responses"] not in (None, FROM_FORMS):
        return ()
    part = f"{_HERE}.forms"
    return tuple(
        Form(name, "responses", part, ("stimuli",), spec=partial(form_spec, name))
        for name in QUESTIONS
    )


def form_spec(question: str, words: Json, settings: Settings, people: People) -> dict[str, Any]:
    """Return a page's questions about each representative image, in the words that models are asked in."""
    figures: dict[str, dict[str, Any]] = {}
    for figure in sorted(settings.illusions):
        for variant in VARIANTS:
            if is_representative(figure, variant):
                wording = variation(figure, variant, _edition(settings)).wording
                stem, options = render(words, figure, wording, question)
                values = dict(words["figures"][figure]["values"][wording[-1]])
                entry = {"options": options, "stem": stem, "values": values}
                figures.setdefault(figure, {})[variant] = entry
    return {"figures": figures, "question": question}


def drawing(figure: str, settings: Settings) -> Json:
    """Return the settings that affect an illusion's images; none in the public edition without further variants."""
    further = {"scale": settings.scale} if settings.scale > 1 else {}
    return {**further, **fresh(settings, "illusion_vqa")}


def _edition(settings: Settings) -> int | None:
    edition: int | None = fresh(settings, "illusion_vqa").get("fresh")
    return edition


def front(settings: Settings) -> Front:
    """Return what is read first: the conditions one by one, over all variants of the paper's illusions."""
    subset = "scaled" if settings.scale > 1 else "all"
    shares = ("both_correct", "both_correct_low", "both_correct_high")
    return Front(
        tuple(
            Score(label, table, *shares, where={"condition": condition, "subset": subset})
            for label, table, condition in _SHOWN_FIRST
        ),
        # Always the option that a figure suggests is right about every fake, and about no genuine illusion.
        main=("Genuine", "Fake"),
        measure="both questions right",
    )


_SHEET_COLUMNS = 8
_OF_CONDITIONS = ("genuine_vqa", "fake_vqa", "control_vqa")
#: The paper's tables 4 and 5.
_BESIDE_CONTROLS = ("genuine_beside_control", "fake_beside_control")
_VARIANT_PAIRS = "pairs_illusion_vqa_variants"

#: People's answers, once they are complete; empty until then.
_PEOPLE = f"{RESULTS}/human/illusion_vqa_people.csv"


def table_settings(table: str, settings: Settings, people: People) -> Json:
    shows_people = table in (*_OF_CONDITIONS, *_BESIDE_CONTROLS)
    return {"people": _PEOPLE} if shows_people and table_files(settings, people) else {}


def table_files(settings: Settings, people: People) -> list[str]:
    """Return the files that tables read besides the grades: people's answers, where they were asked."""
    return [] if people_responses(settings, people) is None else [_PEOPLE]


#: The paper's figure 2 shows answers to a fake of Ebbinghaus' figure; beside it stands the study's first illusion.
_FAKES = tuple(
    {"condition": "fake", "question": question, **figure}
    for figure in ({"figure": "ebbinghaus"}, {})
    for question in ("actual", "apparent")
)


#: Condition by condition, over all images (the paper's tables 2, 3 and 6).
_SHOWN_FIRST = (
    ("Genuine", "genuine_vqa", "genuine"),
    ("Fake", "fake_vqa", "fake"),
    ("Control of genuine", "control_vqa", "control_genuine"),
    ("Control of fake", "control_vqa", "control_fake"),
)


_MEANINGS = {
    "condition": "`genuine`, `fake`, `control_genuine`, `control_fake`",
    "shown": "`image`, `text_only` (no image) or `blank` (an empty one)",
    "subset": "`all`: two variants of the paper's illusions; `scaled`: all of their variants; `later`: the illusions "
    "that it does not have; `conditional`: images whose genuine twin the same model answered both-correct (paper, "
    "section 4.2); `human_16`: the representative images",
    "n": "images (times repeats) in the row, or pairs of them: the denominator of everything in it",
    "both_correct_k": "images of which both questions are answered right",
    "apparent_only_k": "images of which only the apparent one is",
    "actual_only_k": "images of which only the actual one is",
    "both_wrong_k": "images of which neither is; the four sum to n",
    "unparsed_k": "images with at least one of the two answers unparsed; they are in the four classes too",
    "cut_off_k": "images with at least one answer that was cut off",
    "refused_k": "images with at least one answer that was refused",
    "both_correct": "100 both_correct_k / n; empty for n = 0",
    "apparent_only": "the same for apparent only",
    "actual_only": "the same for actual only",
    "both_wrong": "the same for both wrong",
    "comparison": "`fake against control_fake` or `genuine against control_genuine`: both-correct images of the first, "
    "of the second",
    "first": "share of both-correct images on the first side, percent; of pairs of models the first one",
    "second": "the same on the second side; of pairs of models the second one",
    "clusters": "illusions",
    "illusions": "illusions behind the row: the clusters of its intervals",
    "p_holm": "corrected by Holm's method, together with all tests of the comparison; of pairs of models of the table",
}

SUITE = Suite(
    "Illusion VQA",
    figures,
    f"{_HERE}.questions",
    description="Genuine, fake and control illusion VQA.",
    strata=("condition",),
    settings=Settings,
    words=words,
    drawing=drawing,
    question_inputs=question_inputs,
    examples=shows_examples,
    observer="afterimage.suites.illusions.observer",
    textbook=f"{_HERE}.questions:answer",
    tables=(
        *(f"{_HERE}.tables:{name.upper()}" for name in (*_OF_CONDITIONS, *_BESIDE_CONTROLS)),
        f"{_HERE}.tables_tests:ILLUSION_VQA_TESTS",
        f"{_HERE}.tables_tests:{_VARIANT_PAIRS.upper()}",
    ),
    printed=(*_OF_CONDITIONS[:2], *_BESIDE_CONTROLS),
    tables_when={_VARIANT_PAIRS: lambda settings, people: settings.scale > 1},
    pairs=f"{_HERE}.tables_tests:PAIRS",
    table_settings=table_settings,
    table_files=table_files,
    probe_tables={f"{_HERE}.tables_tests:KNOWLEDGE": ("text_only", "blank")},
    front=front,
    charts=(Chart("illusion_vqa", _OF_CONDITIONS, f"{_HERE}.charts"),),
    sheets=(
        Sheet("illusion_stimuli", _SHEET_COLUMNS, shown_on_sheet),
        Sheet("illusion_variants", _SHEET_COLUMNS, further_on_sheet),
    ),
    pages=(
        Examples("illusion_vqa_fake", _FAKES, title="Fake illusions: what was answered"),
        Examples("illusion_vqa_question", cards=f"{_HERE}.charts:question"),
        Examples("illusion_vqa_illusions", cards=f"{_HERE}.charts:illusions"),
    ),
    decide=Filter(f"{_HERE}.human_filter", people_responses, filter_spec),
    forms=forms,
    uncounted=uncounted,
    probe_words=probe_words,
    figure_named=figure_named,
    paper=f"{_HERE}.paper",
    meanings=_MEANINGS,
)
