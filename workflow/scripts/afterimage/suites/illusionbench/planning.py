"""What the workflow has to know before any job runs: which settings and words bear on which stage.

Each function returns plain values made to be Snakemake parameters: a stage reruns exactly when its own change. The
Snakefile imports this module whenever it is parsed; besides the standard library it needs YAML only.
"""

from collections.abc import Mapping, Sequence

from afterimage.planning.configuration import require_file
from afterimage.suites.illusionbench.annotations import reasons
from afterimage.suites.illusionbench.bank import load_bank, select
from afterimage.suites.illusionbench.designs import designs
from afterimage.suites.illusionbench.names import (
    DRAWN_FIGURES,
    GEOMETRIC,
    MULTIPLE_CHOICE,
    STEP_BY_STEP,
    TRUE_FALSE,
)
from afterimage.suites.illusionbench.sources import SETTINGS, folder, read

#: What was left out of a user's data, and why.
EXCLUSIONS = "results/stimuli/illusionbench/exclusions.csv"

#: Forms for people; each has the result of its name.
_VQA, _SCORES, _REVIEW = "vqa", "description_scores", "review"
_QUEUE = "results/review/illusionbench/queue.csv"

_ANSWER_TYPES = {TRUE_FALSE: "true_false", MULTIPLE_CHOICE: "roman"}


def load_prompts(settings: Mapping) -> dict:
    """Read and check the prompt file and, where the settings name one, the user's data set."""
    bank = load_bank(settings["prompt_file"])
    select(bank, settings, DRAWN_FIGURES)
    if settings["source"] != "drawn":
        read(settings)
    return bank


def drawing_spec(figure: str, settings: Mapping) -> dict:
    """Return the settings that bear on an image: the seed, or where a user's images lie."""
    if figure in DRAWN_FIGURES:
        return {"seed": 0 if figure == GEOMETRIC else settings["seed"]}
    return {"category": figure, **{name: settings[name] for name in SETTINGS}}


def sources(figure: str, settings: Mapping) -> list[str]:
    """Return the user's files that a figure's images are made from."""
    if figure in DRAWN_FIGURES:
        return []
    dataset = read(settings)
    if settings["source"] == "release":
        return list(dataset.files)
    images = [folder.image_file(settings, picture) for picture in dataset.of_category(figure)]
    return [*dataset.files, *images]


def question_spec(bank: Mapping, settings: Mapping, figures: Sequence[str]) -> dict:
    """Return the words and settings that questions about these figures are made of."""
    names = ["questions", "shuffle_seed", "shuffle_rounds"]
    if STEP_BY_STEP in settings["questions"]:
        names += ["memory_mode", "reuse_step1"]
    return {
        "bank": select(bank, settings, figures),
        "settings": {name: settings[name] for name in names},
    }


def needs_examples(bank: Mapping, settings: Mapping) -> bool:
    """Tell whether a prompt in use puts examples from other figures before the question: none does."""
    return False


def answer_types(bank: Mapping, settings: Mapping) -> list[str]:
    """Return the graders that the questions in use need, by module name."""
    return sorted({_ANSWER_TYPES.get(kind, "description") for kind in settings["questions"]})


def table_settings(settings: Mapping) -> dict:
    """Return what tables have to know: whose verdicts, the order of the models, which data, what was left out."""
    told = {name: settings[name] for name in ("decided_by", "source")}
    # A list, since the order of headings counts and that of keys does not.
    told["model_groups"] = [
        [heading, list(models)] for heading, models in settings["model_groups"].items()
    ]
    if settings["source"] == "drawn":
        images = sum(len(designs(figure)) for figure in DRAWN_FIGURES)
        told |= {"exclusions": {}, "images": images, "seed": settings["seed"], "version": ""}
    else:
        dataset = read(settings)
        told |= {
            "exclusions": reasons(dataset.exclusions),
            "images": len(dataset.pictures),
            "seed": 0,
            "version": dataset.version,
        }
    told["human_vqa"] = human_answers(settings)
    return {"illusionbench": told}


def side_files(settings: Mapping) -> dict[str, dict]:
    """Return the files that the suite makes beside stimuli, items and tables, by the name of their writer."""
    drawn = settings["source"] == "drawn"
    return {
        "exclusions": {
            "inputs": [] if drawn else list(read(settings).files),
            "outputs": [EXCLUSIONS],
            "spec": {"source": "drawn"} if drawn else {name: settings[name] for name in SETTINGS},
        }
    }


def table_files(settings: Mapping) -> list[str]:
    """Return the files that tables read beside the grades: people's answers, where there are any."""
    path = human_answers(settings)
    return [] if path is None else [path]


def human_answers(settings: Mapping) -> str | None:
    """Return the file with people's answers to the questions: the configured one, or what pages have brought back.

    Raises:
        AfterimageError: The configured file does not exist.
    """
    if settings["human_vqa"] is not None:
        return require_file(settings["human_vqa"], "config: suites.illusionbench.human_vqa")
    return settings.get("human_answers", {}).get(_VQA)


def forms(settings: Mapping) -> dict[str, dict]:
    """Return the pages for people that the configuration asks for."""
    inputs = {
        _VQA: ("stimuli", "items"),
        _SCORES: ("stimuli", "items", "responses"),
        _REVIEW: ("stimuli", "files"),
    }
    return {name: {"result": name, "inputs": inputs[name]} for name in settings["pages"]["forms"]}


def form_spec(form: str, bank: Mapping, settings: Mapping) -> dict:
    """Return the settings that the tasks of a form depend on."""
    pages = settings["pages"]
    if form == _REVIEW:
        return {}
    models = {"models": list(pages["models"])} if form == _SCORES else {}
    return {"images": pages["images"], "seed": pages["seed"], **models}


def form_files(form: str, settings: Mapping) -> list[str]:
    """Return the files that the tasks of a form are made from, stimuli, items and answers apart."""
    return [_QUEUE] if form == _REVIEW else []
