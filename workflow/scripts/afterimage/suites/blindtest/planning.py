"""What the workflow has to know before any job runs: which settings and words bear on which stage.

Each function returns plain values made to be Snakemake parameters: a stage reruns exactly when its own change.
The Snakefile imports this module whenever it is parsed; besides the standard library it needs YAML only.
"""

from collections.abc import Mapping, Sequence

from afterimage.suites.blindtest.bank import load_bank, prompts_in_use, select
from afterimage.suites.blindtest.names import TASKS, parse_figure

#: Tasks whose paper's own set is random; of the others only further copies are.
_RANDOM = ("line_intersection", "nested_squares", "grid", "subway")


def load_prompts(settings: Mapping) -> dict:
    """Read and check the prompt file that the settings name, and the prompts that they ask for."""
    bank = load_bank(settings["prompt_file"])
    prompts_in_use(bank, settings)
    return bank


def drawing_spec(figure: str, settings: Mapping) -> dict:
    """Return the settings that bear on drawing: the seed, which a set without chance still needs to be drawn."""
    task, _, copy = parse_figure(figure)
    return {"seed": settings["seed"] if task in _RANDOM or copy else 0}


def question_spec(bank: Mapping, settings: Mapping, figures: Sequence[str]) -> dict:
    """Return the words and settings that questions about these figures are made of."""
    tasks = {parse_figure(figure).task for figure in figures}
    chosen = {task: prompts_in_use(bank, settings)[task] for task in TASKS if task in tasks}
    asked: dict = {"prompts": chosen}
    if "subway" in tasks:
        asked["subway_unconnected"] = settings["subway_unconnected"]
    return {"bank": select(bank, chosen), "settings": asked}


def needs_examples(bank: Mapping, settings: Mapping) -> bool:
    """Tell whether a prompt in use puts examples from other figures before the question: none does."""
    return False


def answer_types(bank: Mapping, settings: Mapping) -> list[str]:
    """Return the graders that the prompts in use need, by module name."""
    in_use = prompts_in_use(bank, settings)
    return sorted(
        {bank["prompts"][prompt]["answer_type"] for ids in in_use.values() for prompt in ids}
    )
