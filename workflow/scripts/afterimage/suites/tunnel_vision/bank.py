"""The prompt file, ``resources/prompts/tunnel_vision.yaml``: read, checked, and cut into what a job uses.

The Snakefile imports this module whenever it is parsed; besides the standard library it needs YAML only.
"""

from collections.abc import Sequence

from afterimage.contract.stimulus import Json
from afterimage.contract.suite import Asked, Settings
from afterimage.errors import AfterimageError
from afterimage.files.yaml import Checked, read_prompts, require
from afterimage.suites.tunnel_vision.names import NONE, SIDES, TASKS

#: What each task's prompts say of an image, once each.
_SLOTS = {
    "follow": ("start", "steps", "options"),
    "trace": ("options",),
    "same_object": ("options",),
}


def words(settings: Settings) -> Json:
    """Read and check the prompt file that the settings name, and the prompts that they ask for.

    Raises:
        AfterimageError: The first fault, with the file, the key, what was found and what was expected.
    """
    found = read_prompts(settings, "tunnel_vision", _check)
    asked = {found["prompts"][prompt]["task"] for prompt in settings.prompts}
    for task in settings.tasks:
        if task not in asked:
            raise AfterimageError(
                f"config: suites.tunnel_vision.prompts: none of {', '.join(settings.prompts)} is about the task "
                f"'{task}'; expected one for each of tasks: {', '.join(settings.tasks)}."
            )
    return found


def asking(words: Json, settings: Settings, figures: Sequence[str]) -> Asked:
    """Return the prompts about these figures."""
    chosen = {
        name: words["prompts"][name]
        for name in settings.prompts
        if words["prompts"][name]["task"] in figures
    }
    return Asked({"prompts": chosen}, {"prompts": list(chosen)})


def _check(name: str, entry: Checked) -> None:
    entry.keys(("task", "text"), optional=("options",))
    task = entry["task"].text()
    require(task, "task", TASKS, entry["task"].where)
    entry["text"].template(_SLOTS[task], _SLOTS[task])
    if task != "same_object":
        entry.keys(("task", "text"))
        return
    entry.keys(("task", "text", "options"))
    entry["options"].keys(SIDES, optional=(NONE,))
    for side in entry["options"].value:
        entry["options"][side].line()
