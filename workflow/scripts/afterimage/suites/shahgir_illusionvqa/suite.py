"""IllusionVQA as one value."""

from dataclasses import dataclass

from afterimage.contract.front import Front, Score
from afterimage.contract.paper import Data
from afterimage.contract.settings import SuiteSettings, prompts_in_use, setting
from afterimage.contract.stimulus import Json
from afterimage.contract.suite import Figure, Suite, prompts_alone
from afterimage.errors import AfterimageError, config_path, fault
from afterimage.files.hub_lock import fetched_files, link_of, locked_hashes, when_hub
from afterimage.files.yaml import Checked, read_prompts
from afterimage.suites.shahgir_illusionvqa.dataset import (
    EXAMPLES,
    FEW_SHOT,
    FIGURES,
    HUB,
    PROMPTS,
    REASONED,
    SUBSETS,
    labels_file,
    questions_sha256,
    subset_of,
)
from afterimage.suites.shahgir_illusionvqa.paper import data_name

_HERE = "afterimage.suites.shahgir_illusionvqa"
#: Positions reserved for each figure, so that images added to one do not move those of another.
_POSITIONS_PER_FIGURE = 100_000


@dataclass(frozen=True)
class Settings(SuiteSettings):
    source: str = setting(
        "folder",
        "Where images and questions come from: the folder that is named below, or the hub (`afterimage fetch "
        "shahgir_illusionvqa`).",
        enum=["folder", "hub"],
    )
    folder: str | None = setting(
        None, "The folder illusionVQA of the authors' archive, with comprehension/ and sofloc/."
    )
    subsets: list[str] = setting(
        list(SUBSETS),
        "What to ask.",
        minItems=1,
        uniqueItems=True,
        items={"type": "string", "enum": list(SUBSETS)},
    )
    prompts: list[str] = prompts_in_use(
        ["zero_shot"],
        "zero_shot, four_shot or four_shot_reasoning (its examples come with reasoning for soft localisation only).",
        items={"type": "string", "enum": list(PROMPTS)},
    )
    prompt_file: str = setting("resources/prompts/shahgir_illusionvqa.yaml", "Prompts.")


def shows_examples(words: Json, settings: Settings) -> bool:
    return any(prompt in FEW_SHOT for prompt in settings.prompts)


def figures(settings: Settings) -> tuple[Figure, ...]:
    """Return the configured subsets and, where a prompt shows examples, those examples."""
    draw = "draw_from_parquet" if settings.source == "hub" else "draw"
    return tuple(
        Figure(
            name,
            f"{_HERE}.dataset:READER",
            f"afterimage.drawing.photograph:{draw}",
            position=FIGURES.index(name) * _POSITIONS_PER_FIGURE,
        )
        for name in _names(settings)
    )


def drawing(figure: str, settings: Settings) -> Json:
    """Return the folder of the images and, for the hub's copy, the hashes of its files."""
    parameters: dict[str, object] = {"folder": _folder(settings)}
    hub = HUB[subset_of(figure)]
    return parameters | ({"sha256": locked_hashes(hub)} if settings.source == "hub" else {})


def data(settings: Settings) -> dict[str, Data]:
    """Return the data of each subset, of the questions alone and with the examples before them."""
    found, folder = {}, _folder(settings)
    for subset in settings.subsets:
        # First the files of the questions, then those of the examples.
        hub_sets = [HUB[subset]._replace(patterns=HUB[subset].patterns[:count]) for count in (1, 2)]
        question_files, example_files = (
            map(locked_hashes, hub_sets) if settings.source == "hub" else ({}, {})
        )
        found[data_name(subset, "")] = Data(
            question_files, questions=questions_sha256(folder, subset)
        )
        found[data_name(subset, FEW_SHOT[0])] = Data(example_files)
    return found


def _folder(settings: Settings) -> str | None:
    if settings.source != "hub":
        return settings.folder
    for subset in settings.subsets:
        fetched_files(
            HUB[subset], config_path("suites.shahgir_illusionvqa.source"), "shahgir_illusionvqa"
        )
    return link_of(HUB[settings.subsets[0]].repository).parent.as_posix()


def words(settings: Settings) -> Json:
    """Read and check the prompt file, and that the archive is where the settings say."""
    if settings.source == "hub" and REASONED in settings.prompts:
        raise fault(
            config_path("suites.shahgir_illusionvqa.prompts"),
            f"found '{REASONED}' with the source hub, whose examples come without "
            "reasoning; expected the authors' archive (source: folder) for it.",
        )
    prompt_file = read_prompts(settings, "shahgir_illusionvqa", _check, PROMPTS)
    for name in _names(settings):
        labels_file(_folder(settings), name)
    return prompt_file


def _names(settings: Settings) -> list[str]:
    chosen = [name for name in SUBSETS if name in settings.subsets]
    examples = [f"{subset}{EXAMPLES}" for subset in chosen] if shows_examples({}, settings) else []
    return [*chosen, *examples]


def _check(name: str, prompt: Checked) -> None:
    prompt.keys(("instruction", "question", "answer"), ("after_image", "try_it", "reasoning"))
    if name in FEW_SHOT and "try_it" not in prompt.value:
        raise AfterimageError(f"{prompt.where}: key 'try_it' is missing.")


_MEANINGS = {"subset": "`comprehension` or `soft_localization`"}

SUITE = Suite(
    "IllusionVQA",
    figures,
    f"{_HERE}.questions",
    description="IllusionVQA: multiple choice about optical illusions; needs the authors' images "
    "(docs/data.md).",
    settings=Settings,
    words=words,
    question_inputs=prompts_alone,
    drawing=drawing,
    answer_types=("lettered_choice",),
    examples=shows_examples,
    tables=(f"{_HERE}.tables:ILLUSIONVQA",),
    pairs=f"{_HERE}.tables:PAIRS",
    front=Front((Score("Total", "illusionvqa", where={"category": "total"}),)),
    # The images are not ours to show.
    sheets=(),
    rescore=f"{_HERE}.rescore",
    paper=f"{_HERE}.paper",
    meanings=_MEANINGS,
    hub=when_hub(*HUB.values()),
    data=data,
)
