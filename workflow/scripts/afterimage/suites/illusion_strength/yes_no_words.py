"""The yes-or-no questions of the prompt file: read, checked, and put into words.

Planning imports this module, so besides the standard library it needs YAML only.
"""

from collections.abc import Mapping

from afterimage.errors import AfterimageError
from afterimage.files.yaml import Checked
from afterimage.suites.illusion_strength.names import DIFFERENT, FORWARD, NO, SAME, YES, YES_NO
from afterimage.suites.illusions.words import Values

#: The key of the prompt file with these prompts, and an illusion's keys with its two questions.
SECTION = "yes_no"
STEMS = (SAME, DIFFERENT)
_ANSWER_TYPE = "yes_no"


def checked_prompts(bank: Checked) -> dict[str, dict[str, str]]:
    """Return the prompts by id, none where the file has none: ``answer_type`` and ``text`` with ``{question}``."""
    if SECTION not in bank.value:
        return {}
    bank[SECTION].keys((), optional=YES_NO)
    return {
        name: {
            "answer_type": _ANSWER_TYPE,
            "text": entry.template(("question",), required=("question",)),
        }
        for name, entry in bank[SECTION].entries("prompt")
    }


def checked_stems(entry: Checked, values: Values) -> dict[str, str]:
    """Return an illusion's two questions; none where it has none."""
    fields = tuple(next(iter(values.values())))
    return {name: entry[name].line().template(fields) for name in STEMS if name in entry.value}


def rendered(bank: Mapping, figure: str, variant: str, prompt: str) -> dict:
    """Return what is asked with a prompt about a variant of an illusion: ``options`` and ``text``.

    Raises:
        AfterimageError: The prompt file has no such question about the illusion.
    """
    entry, asks = bank["figures"][figure], SAME if prompt in FORWARD else DIFFERENT
    if asks not in entry["stems"]:
        raise AfterimageError(
            f"the prompt file's key 'figures.{figure}' has no '{asks}'; expected the question of prompt '{prompt}'."
        )
    question = entry["stems"][asks].format(**entry["values"][variant])
    return {
        "options": [[YES, YES], [NO, NO]],
        "text": bank["prompts"][prompt]["text"].format(question=question),
    }
