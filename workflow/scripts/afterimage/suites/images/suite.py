"""Own images as one value: a folder with pictures and a CSV of questions is a set."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from afterimage.contract.front import Front, Score
from afterimage.contract.settings import SuiteSettings, prompts_in_use, setting
from afterimage.contract.stimulus import Json
from afterimage.contract.suite import Chart, Figure, People, Sheet, Suite, prompts_alone
from afterimage.errors import AfterimageError, Faults, fault
from afterimage.files.hub_lock import locked_hashes
from afterimage.files.yaml import read_prompts
from afterimage.suites.images import hub
from afterimage.suites.images.csv_rows import MAX_SETS, OPTIONS, POSITIONS_PER_SET, SETS_KEY
from afterimage.suites.images.dataset import Named, dataset, images, questions_file
from afterimage.suites.images.folder import require_images
from afterimage.suites.images.questions import LETTERS, check_prompt, grader, is_lettered

_HERE = "afterimage.suites.images"
#: The most images on the contact sheet.
_MAX_SHOWN = 60


@dataclass(frozen=True)
class Settings(SuiteSettings):
    sets: Mapping[str, Any] = setting(
        description="Name of each set, to the folder with its questions.csv and its images, or to a set of the hub.",
        additionalProperties=hub.SCHEMA,
        minProperties=1,
        propertyNames={
            "description": "a set's name of letters, digits and '_', a letter first.",
            "pattern": "^[A-Za-z][A-Za-z0-9_]{0,39}$",
        },
    )
    unnamed_images: str = setting(
        "refuse",
        "Whether images in a folder that no row names are refused, or ignored.",
        enum=["refuse", "ignore"],
    )
    prompts: list[str] = prompts_in_use(
        ["direct"], "Ids of prompts in the prompt file; every question is asked with each."
    )
    prompt_file: str = setting(
        "resources/prompts/images.yaml", "Prompts; the file explains its form."
    )


def figures(settings: Settings) -> tuple[Figure, ...]:
    """Return the sets by name: one job decodes each, and images added to one do not move those of another."""
    return tuple(
        Figure(
            name,
            f"{_HERE}.dataset:READER",
            _drawer(settings, name),
            position=number * POSITIONS_PER_SET,
        )
        for number, name in enumerate(sorted(settings.sets))
    )


def _drawer(settings: Settings, name: str) -> str:
    draw = "draw" if isinstance(settings.sets[name], str) else "draw_from_parquet"
    return f"afterimage.drawing.photograph:{draw}"


def drawing(figure: str, settings: Settings) -> Json:
    named = settings.sets[figure]
    parameters = {"sets": {figure: named}}
    return (
        parameters
        if isinstance(named, str)
        else {**parameters, "sha256": locked_hashes(hub.hub_set(named))}
    )


def words(settings: Settings) -> Json:
    """Read and check the prompt file, every set's questions and that its images are there."""
    prompt_file = read_prompts(settings, "images", check_prompt)
    sets = settings.sets
    if len(sets) > MAX_SETS:
        raise fault(SETS_KEY, f"found {len(sets)} sets; expected at most {MAX_SETS} in one study.")
    lettered = [
        prompt for prompt in settings.prompts if is_lettered(prompt_file["prompts"][prompt])
    ]
    faults = Faults()
    for name, folder in sets.items():
        with faults.noted():
            if isinstance(folder, str):
                require_images(name, folder, settings.unnamed_images)
            else:
                dataset(name, folder)
            if lettered:
                _require_letters(name, folder, lettered[0])
    faults.raise_any()
    return prompt_file


def answer_types(words: Json, settings: Settings) -> list[str]:
    kinds = {
        question.answer_type
        for name, folder in settings.sets.items()
        for question in dataset(name, folder).questions
    }
    wordings = [words["prompts"][name] for name in settings.prompts]
    return sorted({grader(wording, kind) for wording in wordings for kind in kinds})


def table_settings(table: str, settings: Settings, people: People) -> Json:
    """Return the factors of each set, in the order of the file's columns, for the table that shows them."""
    if table != "images":
        return {}
    sets = settings.sets.items()
    return {"factors": {name: list(dataset(name, folder).factors) for name, folder in sets}}


def shown_on_sheet(settings: Settings) -> list[tuple[str, str]]:
    limit = max(1, _MAX_SHOWN // len(settings.sets))
    return [
        (name, stimulus)
        for name, folder in sorted(settings.sets.items())
        for stimulus in list(images(name, folder))[:limit]
    ]


def _require_letters(name: str, folder: Named, prompt: str) -> None:
    for question in dataset(name, folder).questions:
        if len(question.options) > len(LETTERS):
            path = Path(questions_file(name, folder))
            raise AfterimageError(
                f"{path}, line {question.line}, column '{OPTIONS}': found {len(question.options)} options; expected at "
                f"most {len(LETTERS)} for the prompt '{prompt}', whose options bear letters."
            )


def front(settings: Settings) -> Front:
    return Front(
        tuple(
            Score(name, "images", where={"set": name, "factor": "overall"})
            for name in sorted(settings.sets)
        )
    )


_MEANINGS = {
    "set": "the folder of images",
    "factor": "a column of `questions.csv`, the type of answer, or `overall`",
    "n": "answers, or questions that two models have in common",
    "difference": "of the accuracies, first minus second, percentage points",
    "low": "lower bound of the interval of the accuracy, percent, or of the difference",
}

SUITE = Suite(
    "Own images",
    figures,
    f"{_HERE}.questions",
    description="Images of your own - a folder with pictures and a questions.csv is a set (docs/data.md).",
    settings=Settings,
    words=words,
    drawing=drawing,
    question_inputs=prompts_alone,
    answer_types=answer_types,
    tables=tuple(f"{_HERE}.tables:{name}" for name in ("IMAGES", "IMAGES_PAIRED")),
    pairs=f"{_HERE}.tables:PAIRS",
    table_settings=table_settings,
    front=front,
    charts=(Chart("images_accuracy", ("images",), f"{_HERE}.charts:draw"),),
    sheets=(Sheet("images_stimuli", 4, shown_on_sheet),),
    meanings=_MEANINGS,
    hub=hub.sets_of,
)
