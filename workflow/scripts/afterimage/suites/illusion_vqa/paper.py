"""The cells of the paper's printed numbers on genuine and fake illusions."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from afterimage.contract.paper import CellRef, Number, Size, nowhere
from afterimage.suites.illusions.names import ILLUSIONS

_SUITE = "illusion_vqa"
_TABLES = {
    "genuine": ("genuine_vqa", "genuine"),
    "fake": ("fake_vqa", "fake"),
    "genuine_control": ("control_vqa", "control_genuine"),
    "fake_control": ("control_vqa", "control_fake"),
}
#: The tables of an illusion and its control.
_BESIDE_CONTROL = {name: f"{name.removesuffix('_control')}_beside_control" for name in _TABLES}
#: The paper's own prompt; a study may have others as well.
_PROMPT = "zero_shot"
#: The row of the study's own people.
_PEOPLE = "people"
#: People's answers made the paper drop one illusion, so that these many are left.
_DROPPED, _ILLUSIONS = "ponzo", 14
#: Stands for what is drawn, as a table that a study cannot compare.
_STIMULI = "stimuli"
#: A study may draw other illusions and further variants besides the paper's.
_OF_PAPER = {"figure": "|".join(ILLUSIONS), "stimulus_id": ".*_[AB]_(genuine|fake|control_.*)"}
_CONDITIONS = {"genuine": "genuine", "fake": "fake", "control": "control_.*"}


def cell(number: Number) -> CellRef | None:
    """Return the cell of a share of images, of a model or of the study's own people."""
    if not number.is_result:
        return None
    table, condition = _TABLES[number.subset]
    metric = number.metric
    is_human = number.model == "human"
    # The printed shares of models are over all fakes, whatever the text says.
    rows = {"prompt": _PROMPT, "subset": "all"}
    if is_human:
        rows = {"prompt": _PEOPLE, "subset": "human_16"}
    return CellRef(
        table,
        metric,
        rows | {"condition": condition},
        k=f"{metric}_k",
        n=("n",),
        asked={"n": int(number.denominator)},
        low=f"{metric}_low",
        high=f"{metric}_high",
        model=_PEOPLE if is_human else "",
    )


def quoted(number: Number) -> tuple[CellRef, ...]:
    """Return the cells of a model's share, also in the table with its control; the tables quote people's themselves."""
    reference = cell(number)
    if reference is None or reference.model:
        return ()
    return (reference, replace(reference, table=_BESIDE_CONTROL[number.subset]))


#: No recorded answers of this paper are known.
recorded = nowhere


def size(number: Number) -> Size | None:
    if number.metric == "n_illusions":
        return Size(_SUITE, "figure", _OF_PAPER, kept=number.subset == "final", table=_STIMULI)
    if number.metric in ("n_images_created", "n_images_final"):
        condition = _CONDITIONS[number.subset]
        return Size(
            _SUITE,
            matching={"condition": condition, **_OF_PAPER},
            kept=number.metric.endswith("final"),
            table=_STIMULI,
        )
    return None


def missing(settings: Mapping[str, Any]) -> dict[str, str]:
    """Return the tables that cannot be compared: all, where the paper's prompt is not asked."""
    if len(set(settings["illusions"]) - {_DROPPED}) < _ILLUSIONS:
        reason = f"the study leaves out some of the {_ILLUSIONS} illusions (config key 'suites.illusion_vqa.illusions')"
        return dict.fromkeys((*(table for table, _ in _TABLES.values()), _STIMULI), reason)
    if _PROMPT in settings["prompts"]:
        return {}
    reason = f"the study does not ask with the prompt {_PROMPT} (config key 'suites.illusion_vqa.prompts')"
    return {table: reason for table, _ in _TABLES.values()}
