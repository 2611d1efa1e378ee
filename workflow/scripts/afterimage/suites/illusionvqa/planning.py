"""What the workflow has to know before any job runs: which settings and words bear on which stage."""

from collections.abc import Mapping, Sequence

from afterimage.errors import AfterimageError
from afterimage.files.yaml import read_checked, require
from afterimage.suites.illusionvqa.dataset import image_file, images, labels_file
from afterimage.suites.illusionvqa.names import EXAMPLES, FEW_SHOT, PROMPTS


def load_prompts(settings: Mapping) -> dict:
    """Read and check the prompt file, and that the data are where the settings say."""
    bank = read_checked(settings["prompt_file"], "the YAML file of prompts")
    bank.keys(("prompts",))
    for name, entry in bank["prompts"].entries("prompt", PROMPTS):
        entry.keys(("instruction", "question", "answer"), ("after_image", "try_it", "reasoning"))
        if name in FEW_SHOT and "try_it" not in entry.value:
            raise AfterimageError(f"{entry.where}: key 'try_it' is missing.")
    for prompt in settings["prompts"]:
        require(prompt, "prompt", bank.value["prompts"], "config: suites.illusionvqa.prompts")
    for subset in settings["subsets"]:
        labels_file(settings["folder"], subset)
        if any(prompt in FEW_SHOT for prompt in settings["prompts"]):
            labels_file(settings["folder"], f"{subset}{EXAMPLES}")
    return bank.value


def drawing_spec(figure: str, settings: Mapping) -> dict:
    """Return where a figure's images lie."""
    return {"folder": settings["folder"]}


def sources(figure: str, settings: Mapping) -> list[str]:
    """Return the user's files that a figure is made from."""
    folder = settings["folder"]
    shown = [asked[0].image for asked in images(folder, figure).values()]
    paths = [image_file(folder, figure, image) for image in shown]
    return [labels_file(folder, figure), *paths]


def question_spec(bank: Mapping, settings: Mapping, figures: Sequence[str]) -> dict:
    """Return the words that questions are made of."""
    prompts = {name: bank["prompts"][name] for name in settings["prompts"]}
    return {"bank": {"prompts": prompts}, "settings": {"prompts": list(settings["prompts"])}}


def needs_examples(bank: Mapping, settings: Mapping) -> bool:
    """Tell whether a prompt in use puts examples before the question."""
    return any(prompt in FEW_SHOT for prompt in settings["prompts"])


def answer_types(bank: Mapping, settings: Mapping) -> list[str]:
    """Return the graders that the prompts need, by module name."""
    return ["lettered_choice"]
