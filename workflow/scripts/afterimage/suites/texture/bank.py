"""The prompt file: read, checked, and cut into what a job uses.

The words are data, ``resources/prompts/texture.yaml``. The Snakefile imports this module whenever it is parsed, so
besides the standard library it needs YAML only. Items are made from what :func:`select` cuts out, never from the file.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from string import Formatter

from afterimage.errors import AfterimageError, unknown_name
from afterimage.files.yaml import Checked, read_checked, require

#: Placeholders of each task's prompts; each must occur once.
PLACEHOLDERS = {"classification": ("object", "options"), "generation": ("object",)}
#: How the answer to each task is read.
ANSWER_TYPES = {"classification": "numbered_option", "generation": "word_list"}


def load_bank(path: str | Path) -> dict:
    """Read and check the prompt file.

    Returns:
        ``prompts``: id to ``task``, ``answer_type``, ``option``, ``separator`` and ``text``; ``option`` and
        ``separator`` are empty for generation.

    Raises:
        AfterimageError: The first fault, with the file, the key, what was found and what was expected.
    """
    bank = read_checked(path, "the YAML file of prompts")
    bank.keys(("prompts",))
    return {"prompts": {name: _checked(entry) for name, entry in bank["prompts"].entries("prompt")}}


def select(bank: Mapping, prompts: Sequence[str]) -> dict:
    """Cut out some prompts: one plain dict, keys sorted.

    Made to be a Snakemake parameter: it changes exactly when a word changes that would be shown.

    Raises:
        AfterimageError: A prompt is not in the prompt file.
    """
    for prompt in prompts:
        require(prompt, "prompt", bank["prompts"], "config: suites.texture.prompts")
    return {"prompts": {name: bank["prompts"][name] for name in sorted(prompts)}}


def _checked(entry: Checked) -> dict:
    # What was taken out of the paper and how it was put together stays beside the template, for readers.
    entry.keys(("task", "text"), optional=("extracted", "reconstruction", "option", "separator"))
    task = entry["task"].text()
    require(task, "task", PLACEHOLDERS, entry["task"].where)
    listing = task == "classification"
    for name in ("option", "separator"):
        if (name in entry.value) != listing:
            raise AfterimageError(
                f"{entry.where}: key '{name}' is {'missing' if listing else 'there'}; expected it in prompts of "
                "the task classification, and in no others."
            )
    return {
        "answer_type": ANSWER_TYPES[task],
        "option": _template(entry["option"], ("number", "word")) if listing else "",
        "separator": _text(entry["separator"]) if listing else "",
        "task": task,
        "text": _template(entry["text"], PLACEHOLDERS[task]),
    }


def _text(entry: Checked) -> str:
    """Require a text; full-width spaces at its ends are the paper's, other blanks are a slip."""
    if not isinstance(entry.value, str) or not entry.value:
        raise entry.fault("a text")
    if entry.value != entry.value.strip(" \t\r\n"):
        raise entry.fault("a text without blanks or line breaks at its ends (write '|-' before it)")
    return entry.value


def _template(entry: Checked, placeholders: Sequence[str]) -> str:
    text = _text(entry)
    try:
        names = [name for _, name, _, _ in Formatter().parse(text) if name is not None]
    except ValueError as error:
        raise AfterimageError(f"{entry.where}: unpaired brace ({error}).") from None
    for name in names:
        if name not in placeholders:
            raise unknown_name("placeholder", name, placeholders, entry.where)
    for name in placeholders:
        if names.count(name) != 1:
            raise AfterimageError(
                f"{entry.where}: placeholder {{{name}}} occurs {names.count(name)} times; expected once."
            )
    return text
