"""What the workflow has to know before any job runs: which settings, words and files bear on which stage."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from afterimage.errors import AfterimageError
from afterimage.files.yaml import require
from afterimage.suites.images.dataset import dataset, digest, images, questions_file
from afterimage.suites.images.folder import require_images
from afterimage.suites.images.image_files import image_path
from afterimage.suites.images.names import MOST_SETS, OPTIONS, SETS_KEY
from afterimage.suites.images.wording import LETTERS, grader, is_lettered, load_bank


def load_prompts(settings: Mapping) -> dict:
    """Read and check the prompt file, every set's questions and that its images are there."""
    bank = load_bank(settings["prompt_file"])
    for prompt in settings["prompts"]:
        require(prompt, "prompt", bank["prompts"], "config: suites.images.prompts")
    sets = settings["sets"]
    if len(sets) > MOST_SETS:
        raise AfterimageError(
            f"{SETS_KEY}: found {len(sets)} sets; expected at most {MOST_SETS} in one study."
        )
    lettered = [prompt for prompt in settings["prompts"] if is_lettered(bank["prompts"][prompt])]
    for name, folder in sets.items():
        require_images(name, folder, settings["unnamed_images"])
        if lettered:
            _require_letters(name, folder, lettered[0])
    return bank


def drawing_spec(figure: str, settings: Mapping) -> dict:
    """Return which images a set has, and where; what is asked about them bears on none."""
    folder = settings["sets"][figure]
    named = {name: asked[0].image for name, asked in images(figure, folder).items()}
    return {"folder": folder, "images": named}


def sources(figure: str, settings: Mapping) -> list[str]:
    """Return the image files that a set is made from."""
    folder = settings["sets"][figure]
    return [image_path(folder, asked[0].image) for asked in images(figure, folder).values()]


def question_spec(bank: Mapping, settings: Mapping, figures: Sequence[str]) -> dict:
    """Return the words that questions are made of, and a hash of what is asked about the images of each set."""
    sets = {
        name: {"folder": settings["sets"][name], "sha256": digest(name, settings["sets"][name])}
        for name in figures
    }
    prompts = {name: bank["prompts"][name] for name in settings["prompts"]}
    return {
        "bank": {"prompts": prompts},
        "settings": {"prompts": list(settings["prompts"]), "sets": sets},
    }


def needs_examples(bank: Mapping, settings: Mapping) -> bool:
    """No prompt shows other images first."""
    return False


def answer_types(bank: Mapping, settings: Mapping) -> list[str]:
    """Return the graders that the questions need, by module name."""
    kinds = {
        question.answer_type
        for name, folder in settings["sets"].items()
        for question in dataset(name, folder).questions
    }
    words = [bank["prompts"][name] for name in settings["prompts"]]
    return sorted({grader(entry, kind) for entry in words for kind in kinds})


def settings_of_table(table: str, settings: Mapping) -> dict:
    """Return the factors of each set, in the order of the file's columns, for the table that shows them."""
    if table != "images":
        return {}
    sets = settings["sets"].items()
    return {"factors": {name: list(dataset(name, folder).factors) for name, folder in sets}}


def _require_letters(name: str, folder: str, prompt: str) -> None:
    for question in dataset(name, folder).questions:
        if len(question.options) > len(LETTERS):
            path = Path(questions_file(name, folder))
            raise AfterimageError(
                f"{path}, line {question.line}, column '{OPTIONS}': found {len(question.options)} options; expected at "
                f"most {len(LETTERS)} for the prompt '{prompt}', whose options bear letters."
            )
