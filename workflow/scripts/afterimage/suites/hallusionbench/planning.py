"""What the workflow has to know before any job runs: which settings and words bear on which stage."""

from collections.abc import Mapping, Sequence

from afterimage.files.yaml import read_checked, require
from afterimage.suites.hallusionbench import dataset


def load_prompts(settings: Mapping) -> dict:
    """Read and check the prompt file, and that the data are where the settings say."""
    bank = read_checked(settings["prompt_file"], "the YAML file of prompts")
    bank.keys(("prompts",))
    for _, entry in bank["prompts"].entries("prompt"):
        entry.keys(("text",))
        entry["text"].template(("question",), required=("question",))
    for prompt in settings["prompts"]:
        require(prompt, "prompt", bank.value["prompts"], "config: suites.hallusionbench.prompts")
    dataset.figures(settings["folder"])
    return bank.value


def drawing_spec(figure: str, settings: Mapping) -> dict:
    """Return where a figure's images lie."""
    return {"folder": settings["folder"]}


def sources(figure: str, settings: Mapping) -> list[str]:
    """Return the user's files that a figure is made from."""
    folder = settings["folder"]
    shown = (asked[0].filename for asked in dataset.figures(folder)[figure].values())
    return [
        dataset.labels_file(folder),
        *(dataset.image_file(folder, name) for name in shown if name is not None),
    ]


def question_spec(bank: Mapping, settings: Mapping, figures: Sequence[str]) -> dict:
    """Return the words that questions are made of."""
    prompts = {name: bank["prompts"][name] for name in settings["prompts"]}
    return {"bank": {"prompts": prompts}, "settings": {"prompts": list(settings["prompts"])}}


def needs_examples(bank: Mapping, settings: Mapping) -> bool:
    """Tell whether a prompt in use puts examples before the question: none does."""
    return False


def answer_types(bank: Mapping, settings: Mapping) -> list[str]:
    """Return the graders that the prompts need, by module name."""
    return ["yes_no_uncertain"]
