"""What the workflow has to know before any job runs: which settings and words bear on which stage.

Each function returns plain values made to be Snakemake parameters: a stage reruns exactly when its own change.
The Snakefile imports this module whenever it is parsed; besides the standard library it needs YAML only.
"""

from collections.abc import Mapping, Sequence

from afterimage.suites.illusion_vqa.bank import choices, load_bank, render, select
from afterimage.suites.illusion_vqa.catalogue import QUESTIONS, VARIANTS, is_representative

#: The value of ``human_filter.responses`` that stands for what comes back from the pages.
FROM_FORMS = "forms"


def load_prompts(settings: Mapping) -> dict:
    """Read and check the prompt file that the settings name."""
    bank = load_bank(settings["prompt_file"])
    select(bank, settings["prompts"], settings["illusions"])
    return bank


def drawing_spec(figure: str, settings: Mapping) -> dict:
    """Return the settings that bear on drawing: none, a figure's eight stimuli are fixed."""
    return {}


def question_spec(bank: Mapping, settings: Mapping, figures: Sequence[str]) -> dict:
    """Return the words and settings that questions about these figures are made of."""
    chosen = {"prompts": list(settings["prompts"])}
    if needs_examples(bank, settings):
        chosen["few_shot_examples"] = settings["few_shot_examples"]
        figures = settings["illusions"]
    return {"bank": select(bank, settings["prompts"], figures), "settings": chosen}


def probe_words(bank: Mapping, settings: Mapping, figures: Sequence[str]) -> dict[str, str]:
    """Return what is said before a question about each of these figures when its image is not shown."""
    said = bank["text_only"]
    return {figure: said[figure] for figure in sorted(figures) if figure in said}


def needs_examples(bank: Mapping, settings: Mapping) -> bool:
    """Tell whether a prompt in use puts examples from other figures before the question."""
    return any(bank["prompts"][prompt]["examples"] for prompt in settings["prompts"])


def answer_types(bank: Mapping, settings: Mapping) -> list[str]:
    """Return the graders that the prompts in use need, by module name."""
    return sorted({bank["prompts"][prompt]["answer_type"] for prompt in settings["prompts"]})


def filter_spec(bank: Mapping, settings: Mapping, figures: Sequence[str]) -> dict:
    """Return what the human filter decides about: possible and intended answers, the rule for no data."""
    chosen = settings["human_filter"]
    from_people = people_responses(settings) is not None
    # What comes back from pages comes back little by little.
    waits = from_people and chosen["responses"] == FROM_FORMS
    return {
        "choices": choices(bank, figures),
        "figures": list(figures),
        "participants": sorted(chosen["participants"]) if from_people else [],
        "paper_drops": [] if from_people and not waits else sorted(chosen["paper_drops"]),
        "synthetic": from_people and chosen["synthetic"],
        "wait_for": chosen["least_answers"] if waits else 0,
    }


def people_responses(settings: Mapping) -> str | None:
    """Return the file of people's answers; None where the paper's own decision stands.

    While nothing has come back from the pages, the paper's own decision stands as well.
    """
    path = settings["human_filter"]["responses"]
    if path == FROM_FORMS:
        return settings.get("human_answers", {}).get("responses")
    return path


def forms(settings: Mapping) -> dict[str, dict]:
    """Return the pages for people; none where their answers come from a file of the user's."""
    if settings["human_filter"]["responses"] not in (None, FROM_FORMS):
        return {}
    return {name: {"result": "responses", "inputs": ("stimuli",)} for name in QUESTIONS}


def form_spec(form: str, bank: Mapping, settings: Mapping) -> dict:
    """Return what a page asks about each representative image, in the words that models are asked in."""
    figures: dict[str, dict] = {}
    for figure in sorted(settings["illusions"]):
        for variant in VARIANTS:
            if is_representative(figure, variant):
                stem, options = render(bank, figure, variant, form)
                values = dict(bank["figures"][figure]["values"][variant])
                asked = {"options": options, "stem": stem, "values": values}
                figures.setdefault(figure, {})[variant] = asked
    return {"figures": figures}
