"""The suite's part of ``config.yaml``."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from afterimage.contract.design import EditionSettings
from afterimage.contract.settings import key, setting
from afterimage.suites.illusionbench.names import (
    CATEGORIES,
    DIFFICULTIES,
    ILLUSION,
    MULTIPLE_CHOICE,
    QUESTIONS,
    SEMANTIC,
    SOURCES,
    TRUE_FALSE,
)

_SEED = 20250102


_RELEASE = {
    "annotations": key("data/illusionbench/Image_properties.json", "Image_properties.json."),
    "images": key("data/illusionbench/IllusionDataset.zip", "IllusionDataset.zip."),
    "categories": key(
        {},
        "Every value of the release's Category, in quotes, to a category; the release says nowhere what they mean.",
        additionalProperties={"type": "string", "enum": list(CATEGORIES)},
    ),
    "difficulties": key(
        dict(zip("012", DIFFICULTIES, strict=True)),
        "Every value of the release's Difficult Level, in quotes, to easy, neutral or hard.",
        additionalProperties={"type": "string", "enum": list(DIFFICULTIES)},
    ),
}
_PROMPTS = {
    TRUE_FALSE: key("true_false", "True-or-false questions."),
    MULTIPLE_CHOICE: key("multiple_choice", "Multiple-choice questions."),
    SEMANTIC: key("semantic", "Description of the content."),
    ILLUSION: key("illusion", "Description of the illusion."),
}
_PAGES = {
    "forms": key(
        [],
        "Which to write: vqa (the questions), description_scores (against which the judge is validated), review "
        "(judged answers).",
        uniqueItems=True,
        items={"type": "string", "enum": ["vqa", "description_scores", "review"]},
    ),
    "images": key(
        200, "Size of the sample of images, drawn in proportion to the categories.", minimum=1
    ),
    "seed": key(0, "Draws the sample.", minimum=0),
    "models": key(
        [],
        "Models whose descriptions people score; all but the reference responders where none is named.",
        uniqueItems=True,
        items={"type": "string"},
    ),
}


def _object(description: str, properties: Mapping[str, Any]) -> Any:
    """Declare a setting of several keys, each with a default of its own."""
    return setting({}, description, additionalProperties=False, properties=properties)


@dataclass(frozen=True)
class Settings(EditionSettings):
    """Where the images come from, what is asked and how, and what the tables show."""

    source: str = setting(
        "drawn",
        "Where the images come from: drawn here, a folder in the suite's own format, the official release, or "
        "the release from the hub (`afterimage fetch illusionbench`).",
        enum=list(SOURCES),
    )
    folder: str | None = setting(
        None,
        "For source folder, the folder with images.csv, tf.jsonl, mcq.jsonl, golden.jsonl and the images.",
    )
    release: Mapping[str, Any] = _object(
        "For source release the two files of the official release and, for source hub as well, what its letters and "
        "numbers mean.",
        _RELEASE,
    )
    leave_out: list[str] = setting(
        [],
        "Ids of images that are not to be used, such as one whose file is broken.",
        uniqueItems=True,
    )
    seed: int = setting(
        _SEED,
        "Chooses the dots of the plates and the objects of the scenes in the drawn set.",
        minimum=0,
    )
    prompt_file: str = setting(
        "resources/prompts/illusionbench.yaml", "Prompts, and the words of the drawn set."
    )
    prompts: Mapping[str, str] = _object(
        "Id of the prompt for each kind of question, out of the prompt file.", _PROMPTS
    )
    questions: list[str] = setting(
        list(QUESTIONS),
        "Kinds of question to ask.",
        minItems=1,
        uniqueItems=True,
        items={"type": "string", "enum": list(QUESTIONS)},
    )
    numeral_style: str = setting(
        "upper_period", "How options are numbered; a style of the prompt file."
    )
    shuffle_seed: int = setting(
        _SEED, "Chooses the order of the options of each question.", minimum=0
    )
    shuffle_rounds: int = setting(
        1,
        "In how many orders each question is asked; tables use the first, the table of numerals all.",
        minimum=1,
        maximum=24,
    )
    memory_mode: str = setting(
        "concat",
        "Step by step: the first answer inside one user message (concat) or as turns of a conversation (chat).",
        enum=["concat", "chat"],
    )
    reuse_step1: bool = setting(
        True,
        "Step by step: take over the answer of the illusion description; false asks the first step anew.",
    )
    decided_by: str = setting(
        "final",
        "Whose verdicts the tables of accuracy show; final is the review's where there is one, else the judge's, else "
        "the parser's.",
        enum=["parser", "judge", "final"],
    )
    model_groups: Mapping[str, list[str]] = setting(
        {
            "Closed-Source VLMs": ["gpt-4o-2024-05-13", "gpt-4o-2024-11-20"],
            "Opened-Source VLMs": [],
        },
        "Headings of the tables to the models below them, in order; models that are not named come last.",
    )
    human_vqa: str | None = setting(
        None,
        "CSV of people's answers to the questions (evaluator,item_id,answer) for the row Human; else what pages bring "
        "back.",
    )
    pages: Mapping[str, Any] = _object("Pages for people (docs/human_forms.md).", _PAGES)

    @property
    def is_drawn(self) -> bool:
        """Tell whether the set is the one drawn here."""
        return self.source == "drawn"
