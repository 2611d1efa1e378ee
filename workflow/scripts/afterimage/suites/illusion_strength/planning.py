"""What the workflow has to know before any job runs: which settings and words bear on which stage.

Each function returns plain values made to be Snakemake parameters: a stage reruns exactly when its own change.
The Snakefile imports this module whenever it is parsed; besides the standard library it needs YAML only.
"""

from collections.abc import Mapping, Sequence

from afterimage.errors import AfterimageError
from afterimage.suites.illusion_strength.bank import load_bank, select
from afterimage.suites.illusion_strength.catalogue import (
    differences,
    figures,
    stimulus_ids,
    strengths,
)


def load_prompts(settings: Mapping) -> dict:
    """Read and check the prompt file that the settings name, and the grid that they ask for.

    Raises:
        AfterimageError: The prompt file, a prompt or a level is not what it should be.
    """
    bank = load_bank(settings["prompt_file"])
    select(bank, settings["prompts"], settings["illusions"])
    for figure in figures(settings):
        names = stimulus_ids(figure, settings)
        if not names:
            raise AfterimageError(
                f"config: suites.illusion_strength.strengths: found none that '{figure}' can have, whose inducer has "
                "no opposite; expected at least one from 0 to 1, or illusions without it."
            )
        if len(set(names)) != len(names):
            raise AfterimageError(
                "config: suites.illusion_strength: two levels agree in their first six digits; expected levels that "
                "names can tell apart."
            )
    return bank


def drawing_spec(figure: str, settings: Mapping) -> dict:
    """Return the settings that bear on drawing: the levels of the grid."""
    return {
        "differences": list(differences(settings)),
        "strengths": list(strengths(figure, settings)),
    }


def question_spec(bank: Mapping, settings: Mapping, figures: Sequence[str]) -> dict:
    """Return the words and settings that questions about these figures are made of."""
    prompts = list(settings["prompts"])
    return {"bank": select(bank, prompts, figures), "settings": {"prompts": prompts}}


def needs_examples(bank: Mapping, settings: Mapping) -> bool:
    """Tell whether a prompt in use puts examples from other figures before the question: none does."""
    return False


def answer_types(bank: Mapping, settings: Mapping) -> list[str]:
    """Return the graders that the prompts in use need, by module name."""
    return sorted({bank["prompts"][prompt]["answer_type"] for prompt in settings["prompts"]})
