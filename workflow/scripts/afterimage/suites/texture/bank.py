"""The prompt file, ``resources/prompts/texture.yaml``, read and checked.

The Snakefile imports this module whenever it is parsed; besides the standard library it needs YAML only.
"""

from collections.abc import Sequence
from string import Formatter

from afterimage.contract.stimulus import Json
from afterimage.errors import AfterimageError, unknown_name
from afterimage.files.yaml import Checked, read_prompts, require

#: Placeholders of each task's prompts; each must occur once.
PLACEHOLDERS = {"classification": ("object", "options"), "generation": ("object",)}
#: How the answer to each task is read.
ANSWER_TYPES = {"classification": "numbered_option", "generation": "word_list"}


def words(settings: Json) -> Json:
    """Read and check the prompt file.

    Returns:
        ``prompts``: id to ``task``, ``answer_type``, ``option``, ``separator`` and ``text``; ``option`` and
        ``separator`` are empty for generation.

    Raises:
        AfterimageError: The first fault, with the file, the key, what was found and what was expected.
    """
    prompts = {}

    def check(name: str, entry: Checked) -> None:
        prompts[name] = _checked(entry)

    read_prompts(settings, "texture", check)
    return {"prompts": prompts}


def _checked(entry: Checked) -> dict[str, str]:
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
