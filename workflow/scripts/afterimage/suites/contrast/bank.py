"""The prompt file, ``resources/prompts/contrast.yaml``: read, checked, and cut into what a job uses.

The Snakefile imports this module whenever it is parsed; besides the standard library it needs YAML only.
"""

from collections.abc import Sequence
from pathlib import Path

from afterimage.contract.stimulus import Json
from afterimage.contract.suite import Asked, Settings
from afterimage.files.yaml import Checked, read_checked, require
from afterimage.suites.contrast.names import (
    NONE,
    PATTERNS,
    QUESTIONS,
    SEEN,
    SIDES,
    THREE,
    WHERE,
)

#: The options that a question has.
_OPTIONS = {WHERE: SIDES, THREE: (*SIDES, NONE)}
#: Where a text names the pattern that is shown; a file whose texts do not needs no names for it.
_SLOT = "{pattern}"


def load_bank(path: str | Path) -> dict:
    """Read and check the prompt file.

    Returns:
        ``patterns``: what each is called, needed where a prompt names it. ``prompts``: id to ``question``,
        ``answer_type``, ``text`` and, but for ``seen``, ``options`` (id to words).

    Raises:
        AfterimageError: The first fault, with the file, the key, what was found and what was expected.
    """
    bank = read_checked(path, "the YAML file of prompts")
    bank.keys(("prompts",), optional=("patterns",))
    prompts = {name: _checked(entry) for name, entry in bank["prompts"].entries("prompt")}
    if any(_SLOT in prompt["text"] for prompt in prompts.values()):
        bank.keys(("prompts", "patterns"))
    if "patterns" not in bank.value:
        return {"patterns": {}, "prompts": prompts}
    bank["patterns"].keys(PATTERNS)
    patterns = {name: bank["patterns"][name].line().text() for name in PATTERNS}
    return {"patterns": patterns, "prompts": prompts}


def words(settings: Settings) -> Json:
    """Read and check the prompt file that the settings name, and the prompts that they ask for."""
    bank = load_bank(settings.prompt_file)
    for prompt in settings.prompts:
        require(prompt, "prompt", bank["prompts"], "config: suites.contrast.prompts")
    return bank


def asking(words: Json, settings: Settings, figures: Sequence[str]) -> Asked:
    """Return the words and settings that questions about these figures are made of."""
    prompts = list(settings.prompts)
    chosen = {name: words["prompts"][name] for name in prompts}
    pattern = words["patterns"].get(settings.pattern, "")
    return Asked({"prompts": chosen, "pattern": pattern}, {"prompts": prompts})


def _checked(entry: Checked) -> dict:
    entry.keys(("question", "text"), optional=("options",))
    question = entry["question"].text()
    require(question, "question", QUESTIONS, entry["question"].where)
    if question == SEEN:
        entry.keys(("question", "text"))
        return {
            "question": question,
            "answer_type": "yes_no",
            "text": entry["text"].template(("pattern",)),
        }
    entry.keys(("question", "text", "options"))
    entry["options"].keys(_OPTIONS[question])
    return {
        "question": question,
        "answer_type": "choice",
        "text": entry["text"].template(("options", "pattern"), ("options",)),
        "options": {name: entry["options"][name].line().text() for name in _OPTIONS[question]},
    }
