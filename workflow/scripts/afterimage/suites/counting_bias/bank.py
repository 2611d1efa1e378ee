"""The prompt file, ``resources/prompts/counting_bias.yaml``: read and checked.

The Snakefile imports this module whenever it is parsed; besides the standard library it needs YAML only.
"""

from collections.abc import Sequence

from afterimage.contract.stimulus import Json
from afterimage.contract.suite import Asked, Settings
from afterimage.errors import AfterimageError
from afterimage.files.yaml import Checked, read_checked, require
from afterimage.suites.counting_bias.names import (
    BOARDS,
    COUNTING,
    DIMENSIONS,
    MARKS,
    STARS,
    STRIPES,
)

#: What there are words for: what is counted, and what is named.
THINGS = ("stripes", "stars", *(f"{board}_{way}" for board in BOARDS for way in DIMENSIONS), *MARKS)
NAMED = tuple({**STRIPES, **STARS, **BOARDS})


def words(settings: Settings) -> Json:
    """Read and check the prompt file that the settings name, and the prompts that they ask for.

    Raises:
        AfterimageError: The first fault, with the file, the key, what was found and what was expected.
    """
    bank = read_checked(settings.prompt_file, "the YAML file of prompts")
    bank.keys(("prompts", "identify", "asked", "alone", "names"))
    for _, entry in bank["prompts"].entries("prompt"):
        entry.keys(COUNTING)
        for form in COUNTING:
            _require_slots(entry[form], ("things", "where"))
    bank["identify"].keys(("flag", "board"))
    for kind in ("flag", "board"):
        _require_slots(bank["identify"][kind], ("name",))
    bank["asked"].keys(THINGS)
    for thing in THINGS:
        bank["asked"][thing].keys(("things", "where"))
        _require_slots(bank["asked"][thing]["things"], ())
        _require_slots(bank["asked"][thing]["where"], ("cell",) if thing in MARKS else ())
    _require_slots(bank["alone"], ())
    bank["names"].keys(NAMED)
    for name in NAMED:
        _require_slots(bank["names"][name], ())
    for prompt in settings.prompts:
        require(prompt, "prompt", bank.value["prompts"], "config: suites.counting_bias.prompts")
    found: Json = bank.value
    return found


def asking(words: Json, settings: Settings, figures: Sequence[str]) -> Asked:
    """Return the words and settings that questions about these figures are made of."""
    prompts = list(settings.prompts)
    chosen = {name: words["prompts"][name] for name in prompts}
    return Asked({**words, "prompts": chosen}, {"prompts": prompts, "identify": settings.identify})


def _require_slots(entry: Checked, names: Sequence[str]) -> None:
    text = entry.text()
    for name in names:
        number = text.count(f"{{{name}}}")
        if number != 1:
            raise AfterimageError(
                f"{entry.where}: slot {{{name}}} occurs {number} times; expected once."
            )
