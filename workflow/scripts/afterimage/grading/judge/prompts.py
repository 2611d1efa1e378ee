"""The judges' prompts: read, checked, and filled in.

The words are data, ``resources/prompts/judges.yaml``. The Snakefile imports this module whenever it is parsed; besides
the standard library it needs YAML only.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from string import Formatter
from typing import Any

from afterimage.contract.readings import READING
from afterimage.errors import AfterimageError, config_key
from afterimage.files.yaml import Checked, read_checked, require

#: Slots of a prompt.
SLOTS = ("question", "gold", "answer")
#: Ways from rounds to one verdict.
AGGREGATIONS = ("majority", "mean", READING)

_FILE = "the YAML file of judges' prompts"


def load_sets(path: str | Path) -> dict[str, dict[str, dict[str, Any]]]:
    """Read and check the file of judges' prompts.

    Returns:
        Name of a set to prompt id to ``text``, ``values`` and ``aggregation``, plain values.

    Raises:
        AfterimageError: The first fault, with the file, the key, what was found and what was expected.
    """
    file = read_checked(path, _FILE)
    file.keys(("sets",))
    return {
        name: {prompt: _checked_prompt(entry) for prompt, entry in prompts.entries("prompt")}
        for name, prompts in file["sets"].entries("set")
    }


def require_set(sets: Mapping[str, object], name: str) -> None:
    """Raise the error for an unknown set of prompts unless ``name`` is one."""
    require(name, "set of prompts", sets, config_key("judge.prompts"))


def chosen(
    sets: Mapping[str, Mapping[str, Mapping[str, Any]]],
    name: str,
    prompts: Iterable[str],
    suite: str,
) -> dict[str, Any]:
    """Return a suite's prompts from one set.

    Raises:
        AfterimageError: There is no such set, or it lacks one of the prompts.
    """
    require_set(sets, name)
    for prompt in prompts:
        require(prompt, "prompt", sets[name], f"suite '{suite}': judges' prompts '{name}'")
    return {prompt: sets[name][prompt] for prompt in sorted(prompts)}


def filled(text: str, fields: Mapping[str, str]) -> str:
    """Fill a prompt's slots with texts, literally.

    Args:
        text: The prompt; literal braces are doubled.
        fields: Slot to text; slots that the prompt lacks are ignored.

    Raises:
        AfterimageError: The prompt has a slot without a text.
    """
    parts = []
    for literal, slot, _, _ in Formatter().parse(text):
        parts.append(literal)
        if slot is None:
            continue
        if slot not in fields:
            raise AfterimageError(
                f"a judge's prompt has a slot for '{slot}'; expected a text for it, found those for: "
                f"{', '.join(fields) or 'none'}."
            )
        parts.append(fields[slot])
    return "".join(parts)


def _checked_prompt(entry: Checked) -> dict[str, Any]:
    is_reading = entry.value.get("aggregation") == READING
    entry.keys(("text", "aggregation") if is_reading else ("text", "values", "aggregation"))
    require(entry["aggregation"].value, "aggregation", AGGREGATIONS, entry["aggregation"].where)
    text = entry["text"].template(SLOTS, required=("answer",))
    if is_reading:
        # A reading prompt has no digits; the suite's own reader reads the reply.
        return {"text": text, "values": [], "aggregation": READING}
    values = entry["values"].value
    digits = isinstance(values, list) and all(
        type(value) is int and 0 <= value <= 9 for value in values
    )
    if not digits or len(set(values)) != len(values) or len(values) < 2:
        raise entry["values"].fault("a list of at least two different digits, such as [0, 1]")
    if entry["aggregation"].value == "majority" and values != [0, 1]:
        raise entry["values"].fault("[0, 1], wrong and right, of which a majority decides")
    return {
        "text": text,
        "values": values,
        "aggregation": entry["aggregation"].value,
    }
