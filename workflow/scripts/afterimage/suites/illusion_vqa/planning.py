"""What the workflow has to know before any job runs: which settings and words bear on which stage.

Each function returns plain values made to be Snakemake parameters: a stage reruns exactly when its own change.
The Snakefile imports this module whenever it is parsed; besides the standard library it needs YAML only.
"""

from collections.abc import Mapping, Sequence

from afterimage.suites.illusion_vqa.bank import choices, load_bank, select


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


def needs_examples(bank: Mapping, settings: Mapping) -> bool:
    """Tell whether a prompt in use puts examples from other figures before the question."""
    return any(bank["prompts"][prompt]["examples"] for prompt in settings["prompts"])


def answer_types(bank: Mapping, settings: Mapping) -> list[str]:
    """Return the graders that the prompts in use need, by module name."""
    return sorted({bank["prompts"][prompt]["answer_type"] for prompt in settings["prompts"]})


def filter_spec(bank: Mapping, settings: Mapping, figures: Sequence[str]) -> dict:
    """Return what the human filter decides about: possible and intended answers, the rule for no data."""
    chosen = settings["human_filter"]
    from_people = chosen["responses"] is not None
    return {
        "choices": choices(bank, figures),
        "figures": list(figures),
        "participants": sorted(chosen["participants"]) if from_people else [],
        "paper_drops": [] if from_people else sorted(chosen["paper_drops"]),
        "synthetic": from_people and chosen["synthetic"],
    }
