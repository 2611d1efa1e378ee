"""The prompt file, ``resources/prompts/search.yaml``: read, checked, and cut into what a job uses.

The Snakefile imports this module whenever it is parsed; besides the standard library it needs YAML only.
"""

from collections.abc import Sequence
from pathlib import Path

from afterimage.contract.stimulus import Json
from afterimage.contract.suite import Asked, Settings
from afterimage.files.yaml import Checked, read_checked, require
from afterimage.suites.search.names import CONDITIONS, QUADRANTS, QUESTIONS

#: Which grader reads the answers to which question.
_ANSWER_TYPES = dict(zip(QUESTIONS, ("yes_no", "choice"), strict=True))


def load_bank(path: str | Path) -> dict:
    """Read and check the prompt file.

    Returns:
        ``targets`` (condition to what is searched for) and ``prompts`` (id to ``question``, ``answer_type``, ``text``
        and, where places are asked for, ``options``: quadrant to its words).

    Raises:
        AfterimageError: The first fault, with the file, the key, what was found and what was expected.
    """
    bank = read_checked(path, "the YAML file of prompts")
    bank.keys(("targets", "prompts"))
    bank["targets"].keys(CONDITIONS)
    return {
        "targets": {name: bank["targets"][name].line().text() for name in CONDITIONS},
        "prompts": {name: _checked(entry) for name, entry in bank["prompts"].entries("prompt")},
    }


def words(settings: Settings) -> Json:
    """Read and check the prompt file that the settings name, and the prompts that they ask for."""
    bank = load_bank(settings.prompt_file)
    for prompt in settings.prompts:
        require(prompt, "prompt", bank["prompts"], "config: suites.search.prompts")
    return bank


def asking(words: Json, settings: Settings, figures: Sequence[str]) -> Asked:
    """Return the words and settings that questions about these figures are made of."""
    prompts = list(settings.prompts)
    chosen = {name: words["prompts"][name] for name in prompts}
    named = {name: words["targets"][name] for name in sorted(figures)}
    return Asked({"prompts": chosen, "targets": named}, {"prompts": prompts})


def _checked(entry: Checked) -> dict:
    entry.keys(("question", "text"), optional=("options",))
    question = entry["question"].text()
    require(question, "question", QUESTIONS, entry["question"].where)
    prompt = {"question": question, "answer_type": _ANSWER_TYPES[question]}
    if question == "present":
        entry.keys(("question", "text"))
        return {**prompt, "text": entry["text"].template(("target",), ("target",))}
    entry.keys(("question", "text", "options"))
    entry["options"].keys(QUADRANTS)
    slots = ("target", "options")
    options = {name: entry["options"][name].line().text() for name in QUADRANTS}
    return {**prompt, "text": entry["text"].template(slots, slots), "options": options}
