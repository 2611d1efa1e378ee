"""What the workflow has to know before any job runs: which settings, words and files bear on which stage.

Each function returns plain values made to be Snakemake parameters: a stage reruns exactly when its own change.
The Snakefile imports this module whenever it is parsed; besides the standard library it needs YAML only.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from afterimage.errors import AfterimageError
from afterimage.suites.texture import catalogue
from afterimage.suites.texture.bank import load_bank, select
from afterimage.suites.texture.data.columns import CLASSIFIED, IMAGES, JUDGEMENTS, OBJECTS
from afterimage.suites.texture.data.dataset import KINDS, load_dataset
from afterimage.suites.texture.data.reading import read_rows

#: What people answer on the pages, by form.
RESULTS = {
    "collect": "triples",
    "verify": "votes",
    "classify": "classified",
    "judge": "judgements",
}


def load_prompts(settings: Mapping) -> dict:
    """Read and check the prompt file and all files of the user's, before any job runs."""
    bank = load_bank(settings["prompt_file"])
    select(bank, settings["prompts"])
    if settings["data"] is not None:
        _check_folder(settings)
        load_dataset(dataset_source({**settings, "human_answers": {}}))
    for key, table in (("classified", CLASSIFIED), ("judgements", JUDGEMENTS)):
        if settings[key] is not None:
            read_rows(settings[key], table)
    return bank


def drawing_spec(figure: str, settings: Mapping) -> dict:
    """Return what bears on a figure's images: the seed of drawn ones, names and sizes of photographs."""
    if not catalogue.is_photographs(figure):
        return {"seed": settings["seed"]}
    return {
        "folder": _image_folder(settings),
        "images": [
            {name: row[name] for name in ("file", "height", "image_id", "width")}
            for row in catalogue.photographs(figure, settings)
        ],
    }


def sources(figure: str, settings: Mapping) -> list[str]:
    """Return the user's image files that a figure is made from; none where it is drawn."""
    if not catalogue.is_photographs(figure):
        return []
    folder = Path(_image_folder(settings))
    return [
        (folder / str(row["file"])).as_posix() for row in catalogue.photographs(figure, settings)
    ]


def question_spec(bank: Mapping, settings: Mapping, figures: Sequence[str]) -> dict:
    """Return the words and settings that questions are made of; the tables they name are inputs of their own."""
    return {
        "bank": select(bank, settings["prompts"]),
        "settings": {
            "dataset": dataset_source(settings),
            "prompts": list(settings["prompts"]),
            "rules": _rules(settings),
        },
    }


def item_files(settings: Mapping) -> list[str]:
    """Return the tables that questions are made from, the user's and those that came back from pages."""
    return [path for paths in dataset_source(settings)["files"].values() for path in paths]


def needs_examples(bank: Mapping, settings: Mapping) -> bool:
    """Tell whether a prompt in use puts examples from other figures before the question: none does."""
    return False


def answer_types(bank: Mapping, settings: Mapping) -> list[str]:
    """Return the graders that the prompts in use need, by module name."""
    return sorted({bank["prompts"][prompt]["answer_type"] for prompt in settings["prompts"]})


def table_settings(settings: Mapping) -> dict:
    """Return what the tables depend on beside grades and statistics: rules, data, and files of people's answers."""
    source = dataset_source(settings)
    return {
        "texture": {
            "classified": _people("classified", settings),
            "dataset": source,
            "judgements": _people("judgements", settings),
            "judges": settings["judges"],
            "rules": _rules(settings),
            "synonyms": source["files"].get("synonyms", []),
        }
    }


def table_files(settings: Mapping) -> list[str]:
    """Return the files that tables read beside the grades: the data, and people's answers."""
    chosen = table_settings(settings)["texture"]
    return [*item_files(settings), *chosen["classified"], *chosen["judgements"]]


def forms(settings: Mapping) -> dict[str, dict]:
    """Return the pages for people; of questions about models' words, none where no model is asked for words."""
    inputs = {
        "collect": ("stimuli", "files"),
        "verify": ("stimuli", "files"),
        "classify": ("items",),
        "judge": ("items", "responses"),
    }
    return {form: {"result": RESULTS[form], "inputs": inputs[form]} for form in inputs}


def form_files(form: str, settings: Mapping) -> list[str]:
    """Return the tables that a form's tasks are made from."""
    return [path for paths in _form_dataset(form, settings)["files"].values() for path in paths]


def form_spec(form: str, bank: Mapping, settings: Mapping) -> dict:
    """Return the settings that a form's tasks depend on."""
    if form in ("collect", "verify"):
        return {"dataset": _form_dataset(form, settings)}
    return {}


def dataset_source(settings: Mapping) -> dict:
    """Return what :func:`afterimage.suites.texture.data.dataset.load_dataset` needs."""
    files: dict[str, list[str]] = {}
    for kind, table in KINDS.items():
        if settings["data"] is not None:
            path = catalogue.data_file(settings, table.file)
            # What is missing has not been collected yet; images and objects have to be there.
            if Path(path).is_file():
                files[kind] = [path]
        answered = settings.get("human_answers", {}).get(kind)
        if answered is not None:
            files[kind] = [*files.get(kind, ()), answered]
    return {
        "area_limit": settings["area_limit"],
        "area_mode": settings["area_mode"],
        "drawn": settings["data"] is None,
        "files": files,
        "seed": settings["seed"],
        "votes_per_word": settings["votes_per_word"],
    }


def _form_dataset(form: str, settings: Mapping) -> dict:
    source = dataset_source(settings)
    # People who write words see none, and those who judge words see nobody's judgement.
    kinds = {"collect": ("objects",), "verify": ("objects", "triples", "pairs")}[form]
    return {**source, "files": {kind: source["files"].get(kind, []) for kind in kinds}}


def _rules(settings: Mapping) -> dict:
    names = (
        "accepting_votes",
        "choices",
        "classification_items",
        "generation_items",
        "human_words",
        "neg_max_votes",
        "seed",
        "votes_per_word",
    )
    return {name: settings[name] for name in names}


def _people(kind: str, settings: Mapping) -> list[str]:
    """Return the files of people's answers of one kind; none is a normal state."""
    answered = settings.get("human_answers", {}).get(kind)
    return [path for path in (settings[kind], answered) if path is not None]


def _image_folder(settings: Mapping) -> str:
    return settings["image_folder"] or settings["data"]


def _check_folder(settings: Mapping) -> None:
    folder = Path(settings["data"])
    for table in (IMAGES, OBJECTS):
        if not (folder / table.file).is_file():
            raise AfterimageError(
                f"config: suites.texture.data: folder '{folder}' holds no {table.file}; expected it and "
                f"{'objects.csv' if table is IMAGES else 'images.csv'} (docs/texture.md)."
            )
